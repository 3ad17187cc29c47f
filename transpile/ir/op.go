package ir

import "fmt"

//go:generate go run ./opgen -root ../..

// Op is an operation of the representation.
type Op uint8

// Class groups operations that follow the same typing rules.
type Class uint8

// OpFlags are general facts about an operation.
type OpFlags uint64

// OpInfo is the description of an operation.
type OpInfo struct {
	Name      string // name in dumps
	Mnemonic  string // spelling in Mu text
	Code      uint32 // number in the Mu client API
	Class     Class
	Flags     OpFlags
	InstFlags InstFlags // flags that an instruction may have
	Self      Self      // the result for equal operands
	Neutral   Element   // the second operand for which the result is the first
	Absorbs   Element   // the second operand that is the result, whatever the first is
	Bits      Bits      // which bits of the first operand matter if the second is a constant or there is none
	Weight    uint8     // its share of the size of a body, in typical machine instructions
	Not       Op        // of a comparison: the one that is 1 where this is 0
	Swapped   Op        // of a comparison: the one that gives the same for exchanged operands, if there is one
	// Legal memory orders (docs/language.md, "Memory"), on success and on failure, as sets
	// of bits 1 << Order.
	Orders, FailOrders uint8
}

// Self is the result of an operation for two equal operands.
type Self uint8

// The results for equal operands.
const (
	SelfUnknown Self = iota
	SelfZero
	SelfOne
	SelfOperand // the operand
)

// Element is a number for which an operation has a special result when it is the second operand.
type Element uint8

// The elements.
const (
	NoElement   Element = iota
	ElementZero         // 0
	ElementOne          // 1
	ElementOnes         // all bits are ones
)

// Int returns an element as an integer of n bits, up to 64; ok is false for no element.
func (e Element) Int(n uint32) (x uint64, ok bool) {
	switch e {
	case ElementOne:
		x = 1
	case ElementOnes:
		x = ^uint64(0) >> (64 - n)
	}
	return x, e != NoElement
}

// Bits says on which bits of the first operand some bits of the result of an operation on integers
// depend, if the second operand is a constant.
type Bits uint8

// Carries reports whether bits of the operands change higher bits of the result.
func (b Bits) Carries() bool { return b == BitsBelow || b == BitsProduct || b == BitsLeft }

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

// OpByName finds an operation by its name in dumps.
func OpByName(s string) (Op, bool) {
	o, ok := opByName[s]
	return o, ok
}

// CommonInstructions returns the operations that bundles of Mu name as common
// instructions, by all their names except those of the IR builder.
func CommonInstructions() map[string]Op {
	m := map[string]Op{}
	for s, o := range opByMnemonic {
		if IsGlobal(s) && o != OpIRBuilder {
			m[s] = o
		}
	}
	return m
}

// A Spelling is the name of an operation in a dialect.
type Spelling struct {
	Name string
	Code uint32 // number in the binary form or client API, 0 if it has none
	Op   Op
}

// Spellings lists the names of the operations in a dialect ("mu", "uvm2014", "ial" or
// "tvm"), in the order of the operations. Operations with the same spelling differ in the
// types of their operands. The list must not be changed.
func Spellings(dialect string) []Spelling { return spellings[dialect] }

// Pure reports whether an execution of the operation can be dropped, duplicated
// or moved if the uses of its results allow that: it has no effect, cannot fail and
// does not depend on memory.
func (o Op) Pure() bool {
	return !o.Any(Terminator | MayThrow | MayCollect | Reads | Writes | SideEffect | MayFail)
}

// Order is a memory order, with the number that Mu's client API gives it.
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
