package ssabuild_test

import (
	"runtime"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/ssabuild"
)

// A shape makes a body with n variables and a number of blocks in proportion to n. It starts at
// the current block and returns the one where control ends, which is not ended yet.
type shape struct {
	name string
	make func(f *maker, vars []ssabuild.Var, seal bool) ir.BlockID
}

// fork ends a block with a branch to two others, by a value.
func (m *maker) fork(at ir.BlockID, x ir.ValueID, yes, no ir.BlockID) {
	m.At(at)
	m.Branch2(m.Cmp(ir.OpEQ, x, m.Int(m.i64, 9)), ir.To(yes), ir.To(no))
	m.s.End(at)
}

// to ends a block with a jump.
func (m *maker) to(at, to ir.BlockID) {
	m.At(at)
	m.Branch(to)
	m.s.End(at)
}

// detour ends a block with a branch to a new block, directly or through a side block that in fills. It returns the
// new block.
func (m *maker) detour(at ir.BlockID, x ir.ValueID, seal bool, in func(side ir.BlockID)) ir.BlockID {
	side, join := m.Block("%side"), m.Block("%join")
	m.fork(at, x, side, join)
	in(side)
	m.to(side, join)
	if seal {
		m.s.Seal(side)
		m.s.Seal(join)
	}
	return join
}

// advance adds one to a variable.
func (m *maker) advance(at ir.BlockID, x ssabuild.Var) {
	m.At(at)
	m.s.Def(at, x, m.Bin(ir.OpAdd, m.s.Use(at, x), m.Int(m.i64, 1)))
}

// read uses variables.
func (m *maker) read(at ir.BlockID, vars []ssabuild.Var) {
	m.At(at)
	for _, x := range vars {
		m.Bin(ir.OpAdd, m.s.Use(at, x), m.s.Use(at, x))
	}
}

func (m *maker) define(at ir.BlockID, vars []ssabuild.Var) {
	for _, x := range vars {
		m.s.Def(at, x, m.Param(0, 0))
	}
}

// nested makes loops around each other. Each has a variable of its own, which is set before it and
// advanced in it: at its end if its condition stands at its head, else at its head.
func nested(f *maker, vars []ssabuild.Var, head bool) ir.BlockID {
	at, p := f.Current(), f.Param(0, 0)
	heads := make([]ir.BlockID, len(vars))
	exits := make([]ir.BlockID, len(vars))
	for i, x := range vars {
		heads[i], exits[i] = f.Block("%head"), f.Block("%exit")
		f.s.Def(at, x, p)
		f.to(at, heads[i])
		at = heads[i]
		if head {
			body := f.Block("%body")
			f.fork(at, f.s.Use(at, x), exits[i], body)
			at = body
		} else {
			f.advance(at, x)
		}
	}
	for i := len(vars) - 1; i >= 0; i-- {
		if head {
			f.advance(at, vars[i])
			f.to(at, heads[i])
		} else {
			f.fork(at, f.s.Use(at, vars[i]), heads[i], exits[i])
		}
		at = exits[i]
	}
	return at
}

var shapes = []shape{
	{"assignments in forks", func(f *maker, vars []ssabuild.Var, seal bool) ir.BlockID {
		at, p := f.Current(), f.Param(0, 0)
		for _, x := range vars {
			at = f.detour(at, p, seal, func(side ir.BlockID) { f.advance(side, x) })
		}
		f.read(at, vars)
		return at
	}},
	{"forks between", func(f *maker, vars []ssabuild.Var, seal bool) ir.BlockID {
		at, p := f.Current(), f.Param(0, 0)
		f.define(at, vars)
		for range vars {
			at = f.detour(at, p, seal, func(ir.BlockID) {})
		}
		f.read(at, vars)
		return at
	}},
	{"blocks between", func(f *maker, vars []ssabuild.Var, seal bool) ir.BlockID {
		at := f.Current()
		f.define(at, vars)
		for range vars {
			next := f.Block("%next")
			f.to(at, next)
			if seal {
				f.s.Seal(next)
			}
			at = next
		}
		f.read(at, vars)
		return at
	}},
	{"reads in a chain", func(f *maker, vars []ssabuild.Var, seal bool) ir.BlockID {
		at, p := f.Current(), f.Param(0, 0)
		f.define(at, vars)
		exit := f.Block("%exit")
		for i := range vars {
			next := f.Block("%next")
			f.fork(at, p, exit, next)
			if seal {
				f.s.Seal(next)
			}
			at = next
			f.read(at, vars[i:i+1])
		}
		f.to(at, exit)
		f.read(exit, vars[:1])
		return exit
	}},
	{"loops with the condition first", func(f *maker, vars []ssabuild.Var, _ bool) ir.BlockID { return nested(f, vars, true) }},
	{"loops with the condition last", func(f *maker, vars []ssabuild.Var, _ bool) ir.BlockID { return nested(f, vars, false) }},
	{"loops one after another", func(f *maker, vars []ssabuild.Var, seal bool) ir.BlockID {
		at := f.Current()
		f.define(at, vars)
		for _, x := range vars {
			loop, next := f.Block("%loop"), f.Block("%next")
			f.to(at, loop)
			f.advance(loop, x)
			f.fork(loop, f.s.Use(loop, x), loop, next)
			if seal {
				f.s.Seal(loop)
				f.s.Seal(next)
			}
			at = next
		}
		f.read(at, vars)
		return at
	}},
	{"cases", func(f *maker, vars []ssabuild.Var, seal bool) ir.BlockID {
		at, join := f.Current(), f.Block("%join")
		f.define(at, vars)
		def := f.Block("%default")
		cases := make([]ir.Case, len(vars))
		for i := range cases {
			cases[i] = ir.Case{Key: f.IntConst(f.i64, int64(i)), Dest: ir.To(f.Block("%case"))}
		}
		f.At(at)
		f.Switch(f.Param(0, 0), ir.To(def), cases...)
		f.s.End(at)
		f.to(def, join)
		for _, c := range cases {
			f.advance(c.Dest.Block, vars[0])
			f.to(c.Dest.Block, join)
		}
		if seal {
			f.s.Seal(join)
		}
		f.read(join, vars)
		return join
	}},
	{"nothing leads to it", func(f *maker, vars []ssabuild.Var, _ bool) ir.BlockID {
		done := f.Block("%done")
		f.to(0, done)
		for _, x := range vars {
			lost := f.Block("%lost")
			f.read(lost, vars[:1])
			f.advance(lost, x)
			f.to(lost, done)
		}
		return done
	}},
}

// A body takes values, arguments and memory in proportion to its blocks and variables, of which
// there are as many: not one for each variable in each block that lies between its definition and
// its use.
func TestLinear(t *testing.T) {
	size := func(t *testing.T, s shape, n int, seal bool) (values, bytes int) {
		f := newMaker()
		f.s = ssabuild.New(f.V, func(ir.BlockID, ssabuild.Var, string) ir.ValueID { return f.Int(f.i64, 0) })
		vars := make([]ssabuild.Var, n)
		for i := range vars {
			vars[i] = f.s.Var(f.i64, "")
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		end := s.make(f, vars, seal)
		f.At(end)
		f.Ret(f.Int(f.i64, 0))
		f.s.End(end)
		values = len(f.V.Insts)
		f.finish(t)
		runtime.ReadMemStats(&after)
		values += len(f.V.Values)
		for i := range f.V.Insts {
			for _, d := range f.V.Insts[i].Dests {
				values += len(d.Args)
			}
		}
		return values, int(after.TotalAlloc - before.TotalAlloc)
	}
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			for _, seal := range []bool{false, true} {
				values, bytes := size(t, s, 50, seal)
				manyValues, manyBytes := size(t, s, 500, seal)
				if manyValues > 11*values || manyBytes > 20*bytes {
					t.Errorf("sealed %t: 10 times as many blocks and variables take %d instead of %d values and arguments, %d instead of %d bytes",
						seal, manyValues, values, manyBytes, bytes)
				}
			}
		})
	}
}
