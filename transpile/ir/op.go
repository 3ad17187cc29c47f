package ir

import "fmt"

//go:generate go run ./opgen -o op_gen.go -doc ../../docs/operations.md

// Op is an operation of the representation.
type Op uint8

// Class groups operations that are typed alike.
type Class uint8

// The classes. T1 and T2 are the Ty and Ty2 fields of the instruction.
const (
	ClassNone   Class = iota
	ClassIntBin       // T1 int or vector of int; T1 T1 -> T1
	ClassFPBin        // T1 FP or vector of FP; T1 T1 -> T1
	ClassCmpEQ        // T1 EQ-comparable or a vector; T1 T1 -> int<1>
	ClassCmpInt       // T1 int or pointer or a vector
	ClassCmpULT       // T1 ULT-comparable or a vector
	ClassCmpFP        // T1 FP or a vector
	ClassConv         // T1 -> T2
	ClassSelect       // T1 T2 T2 -> T2
	ClassBranch       // no results
	ClassCall         // callee and arguments of Sig -> results of Sig
	ClassRet
	ClassThrow
	ClassAggr
	ClassAlloc
	ClassAddr
	ClassMem
	ClassTrap
	ClassStack
	ClassComm
)

// OpFlags are general facts about an operation.
type OpFlags uint16

// The facts.
const (
	Terminator  OpFlags = 1 << iota // always ends a block
	MayEXC                          // may have an exception clause, which makes it a terminator
	MayKeep                         // may have a keep-alive clause; is an OSR point
	Commutative                     // the two operands may be exchanged
	MayThrow                        // may continue exceptionally by unwinding
	MayCollect                      // a collection may happen inside
	Reads                           // reads memory
	Writes                          // writes memory
	SideEffect                      // has an effect beyond memory and results
	HasOrder                        // has a memory order
	MayPtr                          // has a PTR form
	MayFail                         // may stop the program with a run-time error
)

// OpInfo is the description of an operation.
type OpInfo struct {
	Name     string // name in dumps
	Mnemonic string // spelling in Mu text
	Code     uint32 // number in the Mu client API
	Class    Class
	Flags    OpFlags
}

// Info describes an operation.
func (o Op) Info() *OpInfo {
	if o < NumOps {
		return &opInfos[o]
	}
	return &opInfos[OpInvalid]
}

// Is reports whether the operation has all the given flags.
func (o Op) Is(f OpFlags) bool { return o.Info().Flags&f == f }

// Any reports whether the operation has one of the given flags.
func (o Op) Any(f OpFlags) bool { return o.Info().Flags&f != 0 }

func (o Op) String() string {
	if o < NumOps && o != OpInvalid {
		return opInfos[o].Name
	}
	return fmt.Sprintf("op%d", uint8(o))
}

// OpByMnemonic finds an operation by its spelling in Mu text, which for a
// common instruction is its full name.
func OpByMnemonic(s string) (Op, bool) {
	o, ok := opByMnemonic[s]
	return o, ok
}

// Pure reports whether an execution of the operation can be dropped,
// duplicated or moved when its results allow: no effect, no failure, and no
// dependence on memory.
func (o Op) Pure() bool {
	return !o.Any(Terminator | MayThrow | MayCollect | Reads | Writes | SideEffect | MayFail)
}

// Order is a memory order, numbered as in the client API (mu-language 12).
type Order uint8

// The memory orders.
const (
	NotAtomic Order = iota
	Relaxed
	Consume
	Acquire
	Release
	AcqRel
	SeqCst
)

var orderNames = [...]string{"NOT_ATOMIC", "RELAXED", "CONSUME", "ACQUIRE", "RELEASE", "ACQ_REL", "SEQ_CST"}

func (o Order) String() string {
	if int(o) < len(orderNames) {
		return orderNames[o]
	}
	return fmt.Sprintf("order%d", uint8(o))
}

// RMWOp is the operation of an ATOMICRMW, numbered as in the client API.
type RMWOp uint8

// The read-modify-write operations.
const (
	RMWXchg RMWOp = iota
	RMWAdd
	RMWSub
	RMWAnd
	RMWNand
	RMWOr
	RMWXor
	RMWMax
	RMWMin
	RMWUMax
	RMWUMin
)

var rmwNames = [...]string{"XCHG", "ADD", "SUB", "AND", "NAND", "OR", "XOR", "MAX", "MIN", "UMAX", "UMIN"}

func (o RMWOp) String() string {
	if int(o) < len(rmwNames) {
		return rmwNames[o]
	}
	return fmt.Sprintf("rmw%d", uint8(o))
}
