package nodes

import (
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// A number is what an operand that is a number says about an instruction.
type number struct {
	what string // what it has to be, for messages
	// set sets what x stands for. It reports whether x stands for something.
	set func(in *syntax.Inst, x uint64) bool
}

// The numbers.
var (
	binary = operation("binary operation", 0x01, 0x0d, 0xb0, 0xb4)
	cmp    = operation("comparison", 0x20, 0x29, 0xc0, 0xcf)
	conv   = operation("conversion", 0x30, 0x3b)

	raw   = flag(syntax.Ptr)
	weak  = flag(syntax.Weak)
	index = number{"", func(in *syntax.Inst, x uint64) bool {
		in.Int = &syntax.IntLit{Off: in.Off, End: in.Off, Lo: x}
		return true
	}}
	order = number{"memory order", func(in *syntax.Inst, x uint64) (ok bool) {
		in.Order, ok = orderOf(x)
		return ok
	}}
	orderFail = number{"memory order", func(in *syntax.Inst, x uint64) (ok bool) {
		in.OrdFail, ok = orderOf(x)
		return ok
	}}
	update = number{"operation of ATOMICRMW", func(in *syntax.Inst, x uint64) bool {
		in.RMW = syntax.RMWXchg + syntax.RMW(x)
		return x <= uint64(syntax.RMWUMin-syntax.RMWXchg)
	}}
	// opcode is the opcode of a common instruction, which comminst resolves.
	opcode = number{"common instruction", nil}
	// convention is a calling convention, which has a name in the tree.
	convention = number{"calling convention", nil}
)

func orderOf(x uint64) (syntax.Order, bool) {
	return syntax.NotAtomic + syntax.Order(x), x <= uint64(syntax.SeqCst-syntax.NotAtomic)
}

// flag is a truth value.
func flag(f syntax.Flags) number {
	return number{"", func(in *syntax.Inst, x uint64) bool {
		if x != 0 {
			in.Flags |= f
		}
		return true
	}}
}

// operation is an operation with a number in ranges, each from the first to the last.
func operation(what string, ranges ...uint64) number {
	return number{what, func(in *syntax.Inst, x uint64) bool {
		for r := ranges; len(r) > 0; r = r[2:] {
			if r[0] <= x && x <= r[1] {
				in.Op = operations[x]
				return in.Op != syntax.NoOp
			}
		}
		return false
	}}
}

// operations are the operations with a number below 256, and commons the names of common instructions by opcode.
var operations, commons = func() (ops [256]syntax.Op, names map[uint64]string) {
	byName := map[string]syntax.Op{}
	for op := syntax.NoOp + 1; op < syntax.NumOps; op++ {
		byName[op.String()] = op
	}
	names = map[uint64]string{}
	for _, s := range ir.Spellings("mu") {
		switch {
		case s.Code == 0:
		case s.Name[0] == '@':
			names[uint64(s.Code)] = s.Name
		case int(s.Code) < len(ops):
			ops[s.Code] = byName[s.Name]
		}
	}
	return ops, names
}()

// commonName is the name of the common instruction with an opcode, "" if there is none.
func commonName(code uint64) string {
	if code >= First && code-First < uint64(len(Rows)) {
		return "@uvm.irbuilder." + Rows[code-First].Name
	}
	return commons[code]
}
