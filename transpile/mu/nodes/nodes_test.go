package nodes_test

import (
	"math"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// maker makes a bundle for a test.
type maker struct {
	testing.TB
	b     *nodes.Builder
	done  map[string]bool
	calls []byte // see encode
}

func newMaker(t testing.TB) *maker {
	next := uint32(70000)
	return &maker{TB: t, done: map[string]bool{}, b: nodes.New(nodes.Program{
		NextID: func() uint32 { next++; return next },
		Known:  func(uint32) nodes.Kind { return nodes.None },
		NameOf: func(uint32) string { return "" },
	})}
}

// do makes a call: ints are nodes, lists of them are lists, uint64s numbers.
func (m *maker) do(name string, ops ...any) int {
	m.Helper()
	n, err := m.try(name, ops...)
	if err != nil {
		m.Fatalf("%s: %v", name, err)
	}
	return n
}

func (m *maker) try(name string, ops ...any) (int, *nodes.Error) {
	m.done[name] = true
	for i := range nodes.Rows {
		row := &nodes.Rows[i]
		if row.Name != name {
			continue
		}
		var args []nodes.Operand
		for _, o := range ops {
			switch o := o.(type) {
			case int:
				args = append(args, nodes.Operand{Node: o})
			case []int:
				args = append(args, nodes.Operand{Nodes: o})
			case uint64:
				args = append(args, nodes.Operand{Word: o})
			case []uint64:
				args = append(args, nodes.Operand{Words: o})
			case string:
				args = append(args, nodes.Operand{Text: o})
			}
		}
		if len(args) != len(row.Lists()) {
			m.Fatalf("%s: %d operands, want %d", name, len(args), len(row.Lists()))
		}
		m.calls = append(m.calls, encode(row, args)...)
		return m.b.Call(row, args)
	}
	m.Fatalf("no instruction %s", name)
	return 0, nil
}

func n(x int) uint64 { return uint64(x) }

// Destinations and orders, docs/language.md.
const (
	toNormal, toExcept, toTrue, toFalse, toDefault, toDisabled, toEnabled = 1, 2, 3, 4, 5, 6, 7
	relaxed, seqCst                                                       = 1, 6
)

// everyRow makes a bundle with every instruction of the builder, which the reader accepts. It returns the ID of @f.
func everyRow(m *maker) (id int) {
	const b = nodes.Whole
	typ := func(name string) int { return m.do("new_type_"+name, b) }
	i64, i32, i1 := m.do("new_type_int", b, n(64)), m.do("new_type_int", b, n(32)), m.do("new_type_int", b, n(1))
	i128 := m.do("new_type_int", b, n(128))
	flt, dbl, void := typ("float"), typ("double"), typ("void")
	to := func(kind string, x int) int {
		r := typ(kind)
		m.do("set_type_"+kind, r, x)
		return r
	}
	sig, none := m.do("new_funcsig", b, []int{i64}, []int{i64}), m.do("new_funcsig", b, []int{}, []int{})
	up, ref, iref, weak := to("uptr", i64), to("ref", i64), to("iref", i64), to("weakref", i64)
	fref, fptr, rvoid := to("funcref", sig), to("ufuncptr", sig), to("ref", void)
	rec := typ("ref") // a type that contains itself
	str := m.do("new_type_struct", b, []int{i64, rec})
	m.do("set_type_ref", rec, str)
	hyb := m.do("new_type_hybrid", b, []int{i64}, i32)
	arr, vec := m.do("new_type_array", b, i64, n(4)), m.do("new_type_vector", b, i32, n(4))
	ihyb, istr, iarr, rhyb := to("iref", hyb), to("iref", str), to("iref", arr), to("ref", hyb)
	for _, k := range []string{"tagref64", "threadref", "framecursorref", "irnoderef"} {
		typ(k)
	}
	stack := typ("stackref")
	c1, c0 := m.do("new_const_int", b, i64, n(1)), m.do("new_const_int", b, i64, n(0))
	k1, yes := m.do("new_const_int", b, i32, n(1)), m.do("new_const_int", b, i1, n(1))
	m.do("new_const_int_ex", b, i128, []uint64{7, 9})
	m.do("new_const_float", b, flt, uint64(math.Float32bits(1.5)))
	d := m.do("new_const_double", b, dbl, math.Float64bits(-2.5))
	null := m.do("new_const_null", b, ref)
	pnull := m.do("new_const_int", b, up, n(0))
	fnull := m.do("new_const_int", b, fptr, n(0))
	snull := m.do("new_const_null", b, rec)
	seq := m.do("new_const_seq", b, str, []int{c1, snull})
	ones := m.do("new_const_seq", b, vec, []int{k1, k1, k1, k1})
	cell := m.do("new_global_cell", b, i64)
	ext := m.do("new_func", b, sig)
	m.do("new_exp_func", b, ext, n(0), c0)

	f := m.do("new_func", b, sig)
	m.do("set_name", b, f, "@f")
	v := m.do("new_func_ver", b, f)
	block := func() int { return m.do("new_bb", v) }
	bb := block()
	x := m.do("new_nor_param", bb, i64)
	inst := func(results int, name string, ops ...any) (int, []int) {
		m.Helper()
		i := m.do(name, append([]any{bb}, ops...)...)
		var l []int
		for range results {
			l = append(l, m.do("new_inst_res", i))
		}
		return i, l
	}
	one := func(name string, ops ...any) int {
		m.Helper()
		_, l := inst(1, name, ops...)
		return l[0]
	}
	next := func(ends func(to int), carry ...int) { // continues in another block with x
		nb := block()
		ends(nb)
		bb = nb
		x = m.do("new_nor_param", bb, i64)
	}
	one("new_binop", n(0x01), i64, x, c1)
	cmp := one("new_cmp", n(0x20), i64, x, c1)
	one("new_conv", n(0x30), i64, i32, x)
	one("new_select", i1, i64, cmp, x, c1)
	one("new_extractvalue", str, n(0), seq)
	one("new_insertvalue", str, n(0), seq, x)
	one("new_extractelement", vec, i32, ones, k1)
	one("new_insertelement", vec, i32, ones, k1, k1)
	one("new_shufflevector", vec, vec, ones, ones, ones)
	obj := one("new_new", str)
	hobj := one("new_newhybrid", hyb, i64, c1)
	one("new_alloca", i64)
	one("new_allocahybrid", hyb, i64, c1)
	at := one("new_getiref", str, obj)
	one("new_getfieldiref", n(0), str, n(0), at)
	garr := m.do("new_global_cell", b, arr)
	el := one("new_getelemiref", n(0), arr, i64, garr, c1)
	one("new_shiftiref", n(0), i64, i64, el, c1)
	hat := one("new_getiref", hyb, hobj)
	one("new_getvarpartiref", n(0), hyb, hat)
	one("new_load", n(0), n(0), i64, cell)
	one("new_load", n(1), n(relaxed), i64, pnull)
	inst(0, "new_store", n(0), n(seqCst), i64, cell, x)
	inst(2, "new_cmpxchg", n(0), n(1), n(seqCst), n(relaxed), i64, cell, x, c1)
	one("new_atomicrmw", n(0), n(seqCst), n(1), i64, cell, x)
	inst(0, "new_fence", n(seqCst))
	one("new_call", sig, ext, []int{x})
	trap, _ := inst(1, "new_trap", []int{i64})
	m.do("add_keepalives", trap, []int{x})
	one("new_ccall", n(0), fptr, sig, fnull, []int{x})
	st := one("new_comminst", n(0x201), []uint64{}, []int{}, []int{sig}, []int{ext})
	th, _ := inst(1, "new_newthread", st, rvoidNull(m, b, rvoid))
	m.do("set_newstack_pass_values", th, []int{i64}, []int{x})
	sw, _ := inst(1, "new_swapstack_ret", st, []int{i64})
	m.do("set_newstack_throw_exc", sw, null)
	dest := func(i int, kind int, to int, vars ...int) { m.do("add_dest", i, n(kind), to, vars) }

	next(func(to int) { i, _ := inst(0, "new_branch"); dest(i, toNormal, to, x) })
	next(func(to int) {
		i, _ := inst(0, "new_branch2", yes)
		dest(i, toTrue, to, x)
		dest(i, toFalse, to, c1)
	})
	next(func(to int) {
		i, _ := inst(0, "new_switch", i64, x)
		dest(i, toDefault, to, x)
		m.do("add_switch_dest", i, c1, to, []int{c0})
	})
	next(func(to int) {
		i, _ := inst(0, "new_wpbranch", n(3))
		dest(i, toDisabled, to, x)
		dest(i, toEnabled, to, x)
	})
	bad := block()
	exc := m.do("new_exc_param", bad)
	next(func(to int) {
		i, l := inst(1, "new_watchpoint", n(3), []int{i64})
		dest(i, toDisabled, to, x)
		dest(i, toEnabled, to, l[0])
		dest(i, toExcept, bad)
	})
	next(func(to int) {
		i, l := inst(1, "new_call", sig, ext, []int{x})
		dest(i, toNormal, to, l[0])
		dest(i, toExcept, bad)
	})
	inst(0, "new_ret", []int{x})
	bb = bad
	inst(0, "new_throw", exc)
	last := block()
	bb = last
	inst(0, "new_tailcall", sig, f, []int{c1})
	bb = block()
	kill, _ := inst(0, "new_swapstack_kill", m.do("new_const_null", b, stack))
	m.do("set_newstack_pass_values", kill, []int{}, []int{})
	id = m.do("get_id", b, f)
	if _, err := m.try("get_node", b, n(5)); err == nil || err.Code != nodes.BadCheck {
		m.Errorf("get_node of an ID that nothing has: %v", err)
	}
	_ = []int{none, iref, weak, fref, ihyb, istr, iarr, rhyb, d}
	return id
}

// TestRows makes a bundle with every instruction of the builder.
func TestRows(t *testing.T) {
	m := newMaker(t)
	id := everyRow(m)
	built, bad2 := m.b.End()
	if bad2 != nil {
		t.Fatal(bad2)
	}
	p := ir.NewProgram()
	p.Files, p.NextID = diag.NewSet(), 80000 // after those of newMaker
	diags := diag.NewList(p.Files)
	if fault := mu.ExtendTree(p, p.Files, built, mu.Running{Bodies: true}, diags); fault != mu.NoFault {
		t.Fatal(mu.FaultsAt(diags, func(at diag.Pos) string { return built.Where(int(at.Off)) }))
	}
	if f, ok := p.Entities["@f"].(*ir.Function); !ok || id == 0 || f.ID != uint32(id) {
		t.Errorf("@f is %v, want the ID %d", f, id)
	}
	if err := verify.Err(verify.Program(p)); err != nil {
		t.Error(err)
	}
	for i := range nodes.Rows {
		name := nodes.Rows[i].Name
		if name != "new_bundle" && !strings.HasSuffix(name, "_bundle_node") && name != "load_bundle_from_node" && !m.done[name] {
			t.Errorf("the test makes no %s", name)
		}
	}
}

func rvoidNull(m *maker, b, rvoid int) int { return m.do("new_const_null", b, rvoid) }

// TestErrors: errors are reported by the call, or when the bundle is complete.
func TestErrors(t *testing.T) {
	m := newMaker(t)
	const b = nodes.Whole
	i64 := m.do("new_type_int", b, n(64))
	sig := m.do("new_funcsig", b, []int{}, []int{})
	f := m.do("new_func", b, sig)
	v := m.do("new_func_ver", b, f)
	bb := m.do("new_bb", v)
	refuse := func(code nodes.Code, want, name string, ops ...any) {
		t.Helper()
		if _, err := m.try(name, ops...); err == nil || err.Code != code || !strings.Contains(err.Msg, want) {
			t.Errorf("%s%v: %v, want %s: %s", name, ops, err, code, want)
		}
	}
	refuse(nodes.BadHandle, "operand 2", "new_global_cell", b, 99)
	refuse(nodes.BadHandle, "operand 2", "new_global_cell", b, 0)
	refuse(nodes.BadCheck, "wants a function version, got a type", "new_bb", i64)
	refuse(nodes.BadCheck, "is no name", "set_name", b, f, "f")
	m.do("set_name", b, f, "@f")
	refuse(nodes.Conflict, "has a name: @f", "set_name", b, f, "@g")
	br := m.do("new_branch", bb)
	m.do("add_dest", br, n(toNormal), bb, []int{})
	refuse(nodes.BadCheck, "instruction 1 of block 1 of version 1 of @f has a destination NORMAL", "add_dest", br, n(toNormal), bb, []int{})
}
