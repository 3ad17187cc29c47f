package ial

import (
	"slices"

	reach "github.com/uvm2go/uvm2go/internal/lexis/graph"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// References cannot be compared. Instead a program takes the address of the register,
// converts it to the address of a number, and loads the number:
//
//	q = mem.addr s; p = conv q; u = mem.get p;
//
// If the addresses have no other use, such a "look" is not an access to memory: s need not be
// in memory, and a number cannot become a reference through it.

// looks are the instructions that are part of looks, with the register that they look at.
type looks map[*module.Instr]*module.Register

// looksOf finds the looks of a function. Each is within a block.
//
//  1. In each block, instructions that can form a look are candidates.
//  2. Address registers that other instructions use are spoilt; so are registers that a
//     candidate converts to or from a spoilt one.
//  3. The candidates whose address registers are not spoilt are looks.
func looksOf(f *module.Function) looks {
	found := looks{}
	spoilt := make([]bool, len(f.Registers))
	next := make([][]int, len(f.Registers)) // the registers that a register is converted to or from
	for _, k := range f.Blocks {
		at := map[*module.Register]*module.Register{} // the register whose address a register holds
		for _, in := range k.Instrs {
			r := lookedAt(in, at)
			if r == nil {
				for _, x := range slices.Concat(in.Src, in.Regs) {
					spoilt[x.Index] = true
				}
			}
			if in.Target != nil && (r == nil || in.Op == module.MemGet) {
				spoilt[in.Target.Index] = true
			}
			if r == nil {
				continue
			}
			found[in] = r
			if in.Op == module.MemGet {
				continue
			}
			at[in.Target] = r
			if in.Op == module.Conv {
				p, q := in.Target.Index, in.Src[0].Index
				next[p], next[q] = append(next[p], q), append(next[q], p)
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	reach.Spread(spoilt, func(r int) []int { return next[r] })
	for in := range found {
		address := in.Target
		if in.Op == module.MemGet {
			address = in.Src[0]
		}
		if spoilt[address.Index] {
			delete(found, in)
		}
	}
	return found
}

// lookedAt is the register whose look an instruction may be part of; nil for other
// instructions.
func lookedAt(in *module.Instr, at map[*module.Register]*module.Register) *module.Register {
	switch {
	case in.Op == module.MemAddr && in.Src[0].Type.IsManaged():
		return in.Src[0]
	case in.Op == module.Conv && isWordPointer(in.Target.Type) && !isWordPointer(in.Src[0].Type):
		return at[in.Src[0]]
	case in.Op == module.MemGet && isWordPointer(in.Src[0].Type) && !in.Volatile:
		return at[in.Src[0]]
	}
	return nil
}

// isWordPointer reports whether a type is that of addresses of native words.
func isWordPointer(t *module.Type) bool {
	return t.Kind == module.Pointer && (t.Elem.Kind == module.Int || t.Elem.Kind == module.Uint)
}

// look translates an instruction that is part of a look at a register.
func (b *body) look(r *module.Register) {
	if b.in.Op == module.MemGet {
		b.result(b.fromMemory(b.address(b.get(r)), b.in.Target.Type))
	}
}
