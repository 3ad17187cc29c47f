package nodes_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
)

// An idMaker makes calls of the later builder for a test.
type idMaker struct {
	testing.TB
	b *nodes.IDBuilder
}

func newIDMaker(t testing.TB) *idMaker {
	next := uint32(70000)
	return &idMaker{t, nodes.NewIDs(nodes.Program{
		NextID: func() uint32 { next++; return next },
		Known:  func(id uint32) nodes.Kind { return map[uint32]nodes.Kind{0x260: nodes.Type}[id] },
		NameOf: func(uint32) string { return "@uvm.meta.bytes" },
	})}
}

func (m *idMaker) sym(name string) uint32 {
	id, err := m.b.GenSym(name)
	if err != nil {
		m.Fatal(err)
	}
	return id
}

// do makes a call: uint32s are IDs, ints numbers.
func (m *idMaker) do(name string, args ...any) {
	m.Helper()
	var list []nodes.Arg
	for _, a := range args {
		switch a := a.(type) {
		case uint32:
			list = append(list, nodes.Arg{ID: a})
		case []uint32:
			list = append(list, nodes.Arg{IDs: a})
		case int:
			list = append(list, nodes.Arg{Word: uint64(a)})
		case string:
			list = append(list, nodes.Arg{Text: a})
		default:
			m.Fatalf("%s: %T", name, a)
		}
	}
	if err := m.b.Call(nodes.IDRowNamed(name), list); err != nil {
		m.Fatal(err)
	}
}

// make is do with a new ID in front of the arguments.
func (m *idMaker) make(name string, args ...any) uint32 {
	m.Helper()
	id := m.sym("")
	m.do(name, append([]any{id}, args...)...)
	return id
}

const no uint32 = 0

func list(ids ...uint32) []uint32 { return ids }

// function makes @f of 64-bit integers with one block, whose instructions are made by f of its parameter x.
func (m *idMaker) function(f func(i64, x uint32) []uint32) {
	m.Helper()
	i64, x := m.make("new_type_int", 64), m.sym("")
	fn := m.sym("@f")
	m.do("new_func", fn, m.make("new_funcsig", list(i64), list(i64)))
	bb := m.sym("")
	m.make("new_func_ver", fn, list(bb))
	m.do("new_bb", bb, list(x), list(i64), no, f(i64, x))
}

// TestIDMessages: errors say which node and which parameter is meant.
func TestIDMessages(t *testing.T) {
	const inst = "instruction 1 of block 1 of version 1 of @f: "
	for _, c := range []struct {
		name, want string
		build      func(m *idMaker)
	}{
		{"undefined", inst + "new_binop: unknown @y as opnd2: gen_sym has given it, and no function defines it", func(m *idMaker) {
			m.function(func(i64, x uint32) []uint32 {
				r := m.sym("")
				return list(m.make("new_binop", r, 1, i64, x, m.sym("@y"), no), m.make("new_ret", list(r)))
			})
		}},
		{"not given", "instruction 1 of block 1 of version 1 of @f: new_ret: unknown ID 5 as rvs", func(m *idMaker) {
			m.function(func(i64, x uint32) []uint32 { return list(m.make("new_ret", list(5))) })
		}},
		{"zero", inst + "new_binop: ty wants a type, got 0, which is no ID", func(m *idMaker) {
			m.function(func(i64, x uint32) []uint32 { return list(m.make("new_binop", m.sym(""), 1, no, x, x, no)) })
		}},
		{"twice", "function 1: new_func: @t is defined already, by new_type_int", func(m *idMaker) {
			id := m.sym("@t")
			m.do("new_type_int", id, 8)
			m.do("new_func", id, m.make("new_funcsig", list(), list()))
		}},
		{"twice in a call", inst + "new_binop: ID 70007 is given twice", func(m *idMaker) {
			m.function(func(i64, x uint32) []uint32 {
				r := m.sym("")
				m.do("new_binop", r, r, 1, i64, x, x, no)
				return list(r)
			})
		}},
		{"defines what is not given", "new_type_int: unknown ID 7: gen_sym of this builder has not given it", func(m *idMaker) {
			m.do("new_type_int", uint32(7), 8)
		}},
		{"kind", inst + "new_binop: opnd1 wants a value, got a type: ID 70001", func(m *idMaker) {
			m.function(func(i64, x uint32) []uint32 { return list(m.make("new_binop", m.sym(""), 1, i64, i64, x, no)) })
		}},
		{"kind of known", inst + "new_binop: opnd1 wants a value, got a type: @uvm.meta.bytes", func(m *idMaker) {
			m.function(func(i64, x uint32) []uint32 {
				return list(m.make("new_binop", m.sym(""), 1, i64, uint32(0x260), x, no))
			})
		}},
		{"clause", inst + "new_binop: exc_clause wants an exception clause, got a keep-alive clause: @k", func(m *idMaker) {
			m.function(func(i64, x uint32) []uint32 {
				k := m.sym("@k")
				m.do("new_keepalive_clause", k, list(x))
				return list(m.make("new_binop", m.sym(""), 4, i64, x, x, k))
			})
		}},
		{"clause as value", "new_ret: rvs wants a value, got a destination clause", func(m *idMaker) {
			m.function(func(i64, x uint32) []uint32 {
				return list(m.make("new_ret", list(m.make("new_dest_clause", m.sym(""), list()))))
			})
		}},
		{"no clause", inst + "new_branch: dest wants a destination clause, got a parameter: ID 70002", func(m *idMaker) {
			m.function(func(i64, x uint32) []uint32 { return list(m.make("new_branch", x)) })
		}},
		{"in a clause", inst + "new_dest_clause: unknown @b as dest", func(m *idMaker) {
			m.function(func(i64, x uint32) []uint32 {
				return list(m.make("new_branch", m.make("new_dest_clause", m.sym("@b"), list())))
			})
		}},
		{"names twice", "gen_sym: the name @t is given twice", func(m *idMaker) {
			m.do("new_type_int", m.sym("@t"), 8)
			m.do("new_type_int", m.sym("@t"), 8)
		}},
		{"no name", `gen_sym: "t" is no name: a name is @ and letters`, func(m *idMaker) { m.do("new_type_int", m.sym("t"), 8) }},
		{"number", inst + "new_binop: optr: 0x99 is no binary operation", func(m *idMaker) {
			m.function(func(i64, x uint32) []uint32 { return list(m.make("new_binop", m.sym(""), 0x99, i64, x, x, no)) })
		}},
		{"opcode of the builder", inst + "new_comminst: opcode: 0x304 is no common instruction", func(m *idMaker) {
			m.function(func(i64, x uint32) []uint32 {
				return list(m.make("new_comminst", list(), 0x304, list(), list(), list(), list(), no, no))
			})
		}},
		{"status flags", inst + "new_binop_with_status: status_flags: 0x10 is no set of status flags", func(m *idMaker) {
			m.function(func(i64, x uint32) []uint32 {
				return list(m.make("new_binop_with_status", m.sym(""), list(), 1, 0x10, i64, x, x, no))
			})
		}},
		{"status of AND", inst + "AND has no status flag #C", func(m *idMaker) {
			m.function(func(i64, x uint32) []uint32 {
				return list(m.make("new_binop_with_status", m.sym(""), list(m.sym("")), 0x0b, 4, i64, x, x, no), m.make("new_ret", list(x)))
			})
		}},
		{"status results", inst + "ADD has 3 results, got 2 names; write (%r %n %z) = ADD [#N #Z]", func(m *idMaker) {
			m.function(func(i64, x uint32) []uint32 {
				return list(m.make("new_binop_with_status", m.sym(""), list(m.sym("")), 1, 3, i64, x, x, no), m.make("new_ret", list(x)))
			})
		}},
		{"two blocks", "new_bb: insts: ID 70007 is in it twice, or also in block 1", func(m *idMaker) {
			m.function(func(i64, x uint32) []uint32 {
				r := m.make("new_ret", list(x))
				return list(r, r)
			})
		}},
		{"in no block", inst + "new_ret: rvs: @r is the result of an instruction that is in no block", func(m *idMaker) {
			m.function(func(i64, x uint32) []uint32 {
				r := m.sym("@r")
				m.make("new_binop", r, 1, i64, x, x, no)
				return list(m.make("new_ret", list(r)))
			})
		}},
		{"of another block", "instruction 1 of block 2 of version 1 of @g: parameter 1 is a variable of block 1: it must be passed to block 2 as an argument", func(m *idMaker) {
			i64, x, g, b1, b2 := m.make("new_type_int", 64), m.sym(""), m.sym("@g"), m.sym(""), m.sym("")
			m.do("new_func", g, m.make("new_funcsig", list(i64), list(i64)))
			m.make("new_func_ver", g, list(b1, b2))
			m.do("new_bb", b1, list(x), list(i64), no, list(m.make("new_branch", m.make("new_dest_clause", b2, list()))))
			m.do("new_bb", b2, list(), list(), no, list(m.make("new_ret", list(x))))
		}},
		{"block of another function", inst + "unknown block 1 in version 1 of @f", func(m *idMaker) {
			other := m.sym("")
			h := m.make("new_func", m.make("new_funcsig", list(), list()))
			m.make("new_func_ver", h, list(other))
			m.do("new_bb", other, list(), list(), no, list(m.make("new_ret", list())))
			m.function(func(i64, x uint32) []uint32 {
				return list(m.make("new_branch", m.make("new_dest_clause", other, list())))
			})
		}},
		{"version of no function", "version 1: new_func_ver: unknown @g as func", func(m *idMaker) { m.make("new_func_ver", m.sym("@g"), list()) }},
		{"no block", "version 1 of @g: a block is missing", func(m *idMaker) {
			g := m.sym("@g")
			m.do("new_func", g, m.make("new_funcsig", list(), list()))
			m.make("new_func_ver", g, list())
		}},
		{"struct of nothing", "type 1: struct wants 1 field or more, got none", func(m *idMaker) { m.make("new_type_struct", list()) }},
		{"symbol", "constant 1: bad native symbol", func(m *idMaker) {
			m.make("new_const_extern", m.make("new_type_uptr", m.make("new_type_int", 8)), "a b")
		}},
		{"both", "type 1: new_type_uptr: unknown @t as ty\n\t" + inst + "parameter 1: value 1 of RET wants float, got int<64>", func(m *idMaker) {
			m.make("new_type_uptr", m.sym("@t"))
			i64, x, f := m.make("new_type_int", 64), m.sym(""), m.sym("@f")
			m.do("new_func", f, m.make("new_funcsig", list(i64), list(m.make("new_type_float"))))
			bb := m.sym("")
			m.make("new_func_ver", f, list(bb))
			m.do("new_bb", bb, list(x), list(i64), no, list(m.make("new_ret", list(x))))
		}},
	} {
		m := newIDMaker(t)
		c.build(m)
		_, err := loadIDs(t, m.b)
		if err == nil || !contains(err.Error(), c.want) {
			t.Errorf("%s: error\n%v\nwant\n%s", c.name, err, c.want)
		}
	}
}

// contains reports whether each line of an error contains a line of what is wanted.
func contains(err, want string) bool {
	l, w := strings.Split(err, "\n\t"), strings.Split(want, "\n\t")
	return slices.EqualFunc(l, w, strings.Contains)
}

// Messages begin with the position that At gives.
func TestIDPositions(t *testing.T) {
	m := newIDMaker(t)
	m.function(func(i64, x uint32) []uint32 {
		m.b.At(diag.Position{File: "a.som", Line: 3, Col: 7})
		r := m.make("new_ret", list(i64))
		m.b.At(diag.Position{})
		return list(r)
	})
	if _, err := loadIDs(t, m.b); err == nil || !strings.HasPrefix(err.Error(), "a.som:3:7: new_ret: rvs wants a value, got a type") {
		t.Error(err)
	}
}

// What nothing uses is no mistake: types, functions, unreachable blocks, clauses, results, IDs without definition, and
// blocks and instructions that are in nothing.
func TestIDUnused(t *testing.T) {
	m := newIDMaker(t)
	m.sym("@nothing")
	m.function(func(i64, x uint32) []uint32 {
		m.make("new_binop", m.sym("@lost"), 1, i64, x, x, no)
		m.make("new_bb", list(), list(), no, list())
		m.make("new_dest_clause", m.sym(""), list(x))
		return list(m.make("new_binop", m.sym("@unused"), 1, i64, x, x, no), m.make("new_ret", list(x)))
	})
	g, b1, b2 := m.sym("@g"), m.sym(""), m.sym("")
	m.do("new_func", g, m.make("new_funcsig", list(), list()))
	m.make("new_func_ver", g, list(b1, b2))
	m.do("new_bb", b1, list(), list(), no, list(m.make("new_ret", list())))
	m.do("new_bb", b2, list(), list(), no, list(m.make("new_branch", m.make("new_dest_clause", b2, list()))))
	if _, err := loadIDs(t, m.b); err != nil {
		t.Error(err)
	}
}
