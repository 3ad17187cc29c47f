package nodes_test

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

const whole = nodes.Whole

// load loads the bundle into an empty program. Its error has all messages.
func (m *maker) load() (*ir.Program, error) {
	m.Helper()
	tree, bad := m.b.End()
	if bad != nil {
		return nil, bad
	}
	p := ir.NewProgram()
	p.Files, p.NextID = diag.NewSet(), 80000
	diags := diag.NewList(p.Files)
	if fault := mu.ExtendTree(p, p.Files, tree, mu.Running{Bodies: true}, diags); fault != mu.NoFault {
		return nil, mu.FaultsAt(diags, func(at diag.Pos) string { return tree.Where(int(at.Off)) })
	}
	if err := verify.Err(verify.Program(p)); err != nil {
		m.Fatal(err)
	}
	return p, nil
}

// function begins a function of 64-bit integers: one parameter, one result.
func (m *maker) function() (i64, f, bb, x int) {
	m.Helper()
	i64 = m.do("new_type_int", whole, n(64))
	f = m.do("new_func", whole, m.do("new_funcsig", whole, []int{i64}, []int{i64}))
	bb = m.do("new_bb", m.do("new_func_ver", whole, f))
	return i64, f, bb, m.do("new_nor_param", bb, i64)
}

// Messages say which nodes are meant.
func TestMessages(t *testing.T) {
	const at = "block 1 of version 1 of function 1"
	for _, c := range []struct {
		want  string
		build func(m *maker)
	}{
		{"instruction 2 of " + at + ": result 1 of instruction 1: value 1 of RET wants int<64>, got int<1>; convert it with SEXT or ZEXT", func(m *maker) {
			i64, _, bb, x := m.function()
			m.do("new_ret", bb, []int{m.do("new_inst_res", m.do("new_cmp", bb, n(0x20), i64, x, x))})
		}},
		{"instruction 1 of block 2 of version 1 of @f: parameter 1 is a variable of block 1: it must be passed to block 2 as an argument", func(m *maker) {
			_, f, bb, x := m.function()
			m.do("set_name", whole, f, "@f")
			next := m.do("new_bb", 5)
			m.do("add_dest", m.do("new_branch", bb), n(toNormal), next, []int{})
			m.do("new_ret", next, []int{x})
		}},
		{"instruction 2 of " + at + ": instruction after RET, which ends block 1; begin another block in front of it: %name():", func(m *maker) {
			_, _, bb, x := m.function()
			m.do("new_ret", bb, []int{x})
			m.do("new_ret", bb, []int{x})
		}},
		{"instruction 1 of " + at + ": block 1 does not end with a terminator: FENCE is none; end it with BRANCH, RET or the like", func(m *maker) {
			_, _, bb, _ := m.function()
			m.do("new_fence", bb, n(seqCst))
		}},
		{"instruction 1 of " + at + ": block 1 is the entry block, which cannot be a destination; let it BRANCH to a block that others branch to", func(m *maker) {
			_, _, bb, x := m.function()
			m.do("add_dest", m.do("new_branch", bb), n(toNormal), bb, []int{x})
		}},
		{"constant 1: invalid integer constant for type 1 (float); write a literal that ends with f, such as 1.0f", func(m *maker) {
			m.do("new_const_int", whole, m.do("new_type_float", whole), n(1))
		}},
		{"type 1: unsupported width 129: an int has at most 128 bits", func(m *maker) { m.do("new_type_int", whole, n(129)) }},
		{"type 2: invalid length 0: an array has 1 to 2^64-1 elements", func(m *maker) {
			m.do("new_type_array", whole, m.do("new_type_int", whole, n(8)), n(0))
		}},
		{"type 2: invalid element type 1: an array has no element of type void", func(m *maker) {
			m.do("new_type_array", whole, m.do("new_type_void", whole), n(1))
		}},
		{"type 1: what it refers to is missing\n\ttype 2: struct wants 1 field or more, got none\n\tversion 1 of function 1: a block is missing", func(m *maker) {
			m.do("new_type_ref", whole)
			m.do("new_type_struct", whole, []int{})
			m.do("new_func_ver", whole, m.do("new_func", whole, m.do("new_funcsig", whole, []int{}, []int{})))
		}},
		{"@twice redefined (previous definition at @twice)", func(m *maker) {
			for range 2 {
				m.do("set_name", whole, m.do("new_global_cell", whole, m.do("new_type_int", whole, n(8))), "@twice")
			}
		}},
		{"@uvm.mine: names beginning with @uvm. are reserved", func(m *maker) {
			m.do("new_global_cell", whole, m.do("new_type_int", whole, n(8)))
			m.do("set_name", whole, m.do("new_global_cell", whole, 2), "@uvm.mine")
		}},
	} {
		m := newMaker(t)
		c.build(m)
		if _, err := m.load(); err == nil || err.Error() != c.want {
			t.Errorf("error %v\nwant  %s", err, c.want)
		}
	}
}

// A node with a position is named by it.
func TestPositions(t *testing.T) {
	line := func(m *maker, line, col int) { m.b.At(diag.Position{File: "prog.scm", Line: line, Col: col}) }
	m := newMaker(t)
	line(m, 1, 2)
	i64, f, bb, x := m.function()
	m.do("set_name", whole, f, "@f")
	line(m, 3, 4)
	div := m.do("new_binop", bb, n(0x04), i64, x, x)
	m.b.At(diag.Position{})
	m.do("new_ret", bb, []int{m.do("new_inst_res", div)})
	p, err := m.load()
	if err != nil {
		t.Fatal(err)
	}
	fn := p.Entities["@f"].(*ir.Function)
	v := fn.Current()
	got := []string{p.Files.Position(fn.Pos).String(), p.Files.Position(v.Insts[1].Pos).String()}
	if want := "prog.scm:1:2 prog.scm:3:4"; strings.Join(got, " ") != want || v.Insts[2].Pos.IsValid() {
		t.Errorf("positions %s and %v, want %s and none", got, v.Insts[2].Pos, want)
	}

	m = newMaker(t)
	_, _, bb, x = m.function()
	line(m, 7, 8)
	m.do("new_throw", bb, x)
	line(m, 9, 1)
	m.do("new_branch2", m.do("new_bb", 5), x)
	if _, err := m.load(); err == nil || err.Error() != "prog.scm:9:1: destination TRUE is missing\n\tprog.scm:9:1: destination FALSE is missing" {
		t.Errorf("error %v", err)
	}
	m = newMaker(t)
	_, _, bb, x = m.function()
	line(m, 7, 8)
	m.do("new_ret", bb, []int{x, x})
	if _, err := m.load(); err == nil || err.Error() != "prog.scm:7:8: RET: function 1 returns 1 value, got 2" {
		t.Errorf("error %v", err)
	}
}

// Reports about running code describe what has no name, in one word where a space would end it.
func TestDescriptions(t *testing.T) {
	m := newMaker(t)
	i64, f, bb, x := m.function()
	m.do("get_id", whole, f)
	div := m.do("new_inst_res", m.do("new_binop", bb, n(0x04), i64, x, x))
	m.do("add_keepalives", m.do("new_trap", bb, []int{}), []int{x, div})
	m.do("new_ret", bb, []int{div})
	p, err := m.load()
	if err != nil {
		t.Fatal(err)
	}
	fn := p.Funcs[0]
	v := fn.Current()
	for _, c := range []struct{ got, want string }{
		{fn.Called(), "function 1"},
		{v.Name, "version 1 of function 1"},
		{v.BlockName(0), "block 1 of version 1 of function 1"},
		{v.SiteName(1), "instruction 1 of block 1 of version 1 of function 1"},
		{v.TrapName(2), "instruction-2-of-function-1"},
		{v.LocalName(v.Insts[2].Keep[0]), "parameter-1"},
		{v.LocalName(v.Insts[2].Keep[1]), "result-1-of-instruction-1"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
	if fn.ID != 70001 {
		t.Errorf("the function has the ID %d, want the one that get_id gave: 70001", fn.ID)
	}
	for _, e := range p.EntityNames() {
		if ir.IsDescription(e.Name) {
			t.Errorf("%d is named %q", e.ID, e.Name)
		}
	}
	v.NameSites()
	if got, want := v.Insts[1].Name, "instruction 1 of block 1 of version 1 of function 1"; got != want {
		t.Errorf("the place of the division is %q, want %q", got, want)
	}
}
