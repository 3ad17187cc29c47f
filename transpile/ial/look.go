package ial

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// References cannot be compared. A program takes the address of the register instead,
// makes it that of a number, and loads that:
//
//	q = mem.addr s; p = conv q; u = mem.get p;
//
// Where the addresses serve nothing else, such a look is no access to memory: s need not
// be there, and no number can become a reference by it.

// looks are the instructions that take part, with the register that a MemGet looks at.
type looks map[*module.Instr]*module.Register

// looksOf finds the looks of a function. Each is within a block.
func looksOf(f *module.Function) looks {
	any := false
	for _, k := range f.Blocks {
		any = any || slices.ContainsFunc(k.Instrs, func(in *module.Instr) bool { return lookedAt(in, nil) != nil })
	}
	if !any {
		return nil
	}
	other := map[*module.Register]bool{} // addresses that serve something else
	for {                                // at most once for each of the three instructions, and once more
		before := len(other)
		l := looks{}
		for _, k := range f.Blocks {
			at := map[*module.Register]*module.Register{} // what addresses are those of
			for _, in := range k.Instrs {
				if r := lookedAt(in, at); r != nil && in.Op == module.MemGet {
					l[in] = r
					other[in.Target] = true
					continue
				} else if r != nil && !other[in.Target] {
					l[in], at[in.Target] = r, r
					continue
				}
				for _, r := range slices.Concat(in.Src, in.Regs) {
					other[r] = true
				}
				if in.Target != nil {
					other[in.Target] = true
				}
			}
		}
		if len(other) == before {
			return l
		}
	}
}

// lookedAt is the register that an instruction takes part in looking at, nil if it does
// something else.
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

// look translates an instruction that takes part in looking at a register.
func (b *body) look(r *module.Register) {
	if b.in.Op == module.MemGet {
		b.result(b.fromMemory(b.address(b.get(r)), b.in.Target.Type))
	}
}
