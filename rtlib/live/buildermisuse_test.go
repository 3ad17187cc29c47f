package live_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/mu"
	"github.com/uvm2go/uvm2go/testscripts/self"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
)

// sample makes a bundle with a node for each letter of nodes.Row.Nodes; finish makes a complete bundle of it, whose
// function named so adds 1 to a number.
func (d *driver) sample() (node map[byte]mu.Value, finish func() (name string)) {
	d.Helper()
	m := d.begin()
	i64 := m.int(64)
	y, p := m.function([]mu.Value{i64}, []mu.Value{i64})
	k := m.k(64, 1)
	add, r := y.inst(1, "new_binop", opAdd, i64, p[0], k)
	node = map[byte]mu.Value{'b': m.b, 't': i64, 's': m.do("new_funcsig", m.b, []mu.Value{i64}, []mu.Value{}), 'c': k, 'f': y.f, 'g': k, 'v': y.v, 'k': y.bb,
		'i': add, 'l': p[0], 'x': p[0], 'y': k}
	return node, func() string {
		y.ret(r[0])
		name := y.named(y.f)
		m.finish()
		return name
	}
}

// operandsFor makes operands for a row, with the nodes that at returns.
func operandsFor(r *nodes.Row, at func(operand int, letter byte) mu.Value) (args []any) {
	kinds := r.Nodes
	for i, l := range r.Lists() {
		switch l[0] {
		case 'n', 'A':
			v := at(i, kinds[0])
			kinds = kinds[1:]
			switch {
			case l[0] == 'A':
				args = append(args, []mu.Value{v})
			case v == nil:
				args = append(args, nil)
			default:
				args = append(args, v)
			}
		case 'W', 'I':
			args = append(args, []uint64{0})
		case 'Z':
			args = append(args, "@misuse")
		case 'g':
			args = append(args, float32(1))
		case 'd':
			args = append(args, 1.0)
		default:
			args = append(args, 1)
		}
	}
	return args
}

// TestBuiltMisuse gives every instruction of the IR builder, in place of each node, NULL and nodes of wrong kinds, of
// other bundles and of bundles that have ended. Each is an error, which does not change the bundle.
func TestBuiltMisuse(t *testing.T) {
	d := newDriver(t)
	node, finish := d.sample()
	other, finishOther := d.sample()
	given, _ := d.sample()
	d.do("abort_bundle_node", given['b'])
	loaded, finishLoaded := d.sample()
	d.expect("8", finishLoaded(), int64(7))
	null := d.null("n")

	wrongs := []struct {
		what string
		code mu.Code
		node func(letter byte) mu.Value
	}{
		{"NULL", mu.BadHandle, func(byte) mu.Value { return null }},
		{"a node of another bundle", mu.BadHandle, func(l byte) mu.Value { return other[l] }},
		{"a node of a bundle that was given up", mu.BadHandle, func(l byte) mu.Value { return given[l] }},
		{"a node of a bundle that was loaded", mu.BadHandle, func(l byte) mu.Value { return loaded[l] }},
		{"a node of a wrong kind", mu.BadBundle, func(l byte) mu.Value {
			if l == 'b' {
				return node['t']
			}
			return node['b']
		}},
	}
	calls := 0
	for i := range nodes.Rows {
		r := &nodes.Rows[i]
		for at, l := range r.Lists() {
			if l[0] != 'n' && l[0] != 'A' {
				continue
			}
			for _, w := range wrongs {
				if w.what == "NULL" && r.Name == "new_newthread" && at == 2 { // may be NULL
					continue
				}
				if len(r.Nodes) == 1 && w.what == "a node of another bundle" { // that is right
					continue
				}
				_, err := d.try(r.Name, operandsFor(r, func(i int, letter byte) mu.Value {
					if i == at {
						return w.node(letter)
					}
					return node[letter]
				})...)
				var e *mu.Error
				if !errors.As(err, &e) || e.Code != w.code {
					t.Errorf("%s, operand %d is %s: error %v, want %s", r.Name, at+1, w.what, err, w.code)
				}
				calls++
			}
		}
		for _, ended := range []map[byte]mu.Value{given, loaded} {
			if r.Params != "" {
				d.refuses(mu.BadHandle, "the bundle was loaded or given up", r.Name, operandsFor(r, func(_ int, l byte) mu.Value { return ended[l] })...)
			}
		}
	}
	if calls < 500 {
		t.Errorf("only %d calls", calls)
	}
	d.expect("8", finish(), int64(7))
	d.expect("9", finishOther(), int64(8))
}

// TestBuiltClauses adds to nodes what they have no place for, or have.
func TestBuiltClauses(t *testing.T) {
	d := newDriver(t)
	node, finish := d.sample()
	no, x := []mu.Value{}, []mu.Value{node['x']}
	add := node['i']
	const inst = "instruction 1 of block 1 of version 1 of function 1"
	for kind, name := range map[int]string{0: "of kind 0", toTrue: "TRUE", toFalse: "FALSE", toDefault: "DEFAULT", toDisabled: "DISABLED", toEnabled: "ENABLED", 8: "of kind 8", 99: "of kind 99"} {
		d.refuses(mu.BadBundle, inst+" has no destination "+name, "add_dest", add, kind, node['k'], no)
	}
	d.refuses(mu.BadBundle, inst+" has no keep-alive clause", "add_keepalives", add, x)
	d.refuses(mu.BadBundle, inst+" has no new-stack clause", "set_newstack_throw_exc", add, node['x'])
	d.refuses(mu.BadBundle, inst+" has no new-stack clause", "set_newstack_pass_values", add, []mu.Value{node['t']}, x)
	d.refuses(mu.BadBundle, inst+" has no cases", "add_switch_dest", add, node['c'], node['k'], no)
	for _, kind := range []string{"uptr", "ref", "iref", "weakref"} {
		d.refuses(mu.BadBundle, "type 1", "set_type_"+kind, node['t'], node['t'])
	}
	for _, kind := range []string{"ufuncptr", "funcref"} {
		d.refuses(mu.BadBundle, "type 1", "set_type_"+kind, node['t'], node['s'])
	}
	d.refuses(mu.BadBundle, "got a constant", "set_type_ref", node['c'], node['t'])
	d.refuses(mu.BadBundle, "got a type", "add_keepalives", node['t'], x)
	d.expect("4", finish(), int64(3))

	// once each
	m := d.begin()
	y, p := m.function([]mu.Value{m.int(64)}, nil)
	trap, _ := y.inst(0, "new_trap", no)
	m.do("add_keepalives", trap, p)
	d.refuses(mu.BadBundle, "has a keep-alive clause", "add_keepalives", trap, p)
	sw, _ := y.inst(0, "new_swapstack_kill", p[0])
	m.do("set_newstack_throw_exc", sw, p[0])
	d.refuses(mu.BadBundle, "has a new-stack clause", "set_newstack_pass_values", sw, no, no)
	br, _ := y.inst(0, "new_branch")
	y.dest(br, toNormal, y.bb)
	d.refuses(mu.BadBundle, "has a destination NORMAL", "add_dest", br, toNormal, y.bb, no)
	m.do("abort_bundle_node", m.b)
}

// An incomplete or wrong bundle is refused when it is loaded, and the error says where in terms of nodes.
func TestBuiltFaults(t *testing.T) {
	d := newDriver(t)
	for _, c := range []struct {
		build func(m *making)
		code  mu.Code
		want  string
	}{
		{func(m *making) { m.typ("ref") }, mu.BadBundle, "type 1: what it refers to is missing"},
		{func(m *making) { m.do("new_type_struct", m.b, []mu.Value{}) }, mu.BadBundle, "type 1: struct wants 1 field or more, got none"},
		{func(m *making) { m.do("new_type_array", m.b, m.int(64), -1) }, mu.BadBundle, "type 2: "},
		{func(m *making) { m.do("new_const_int", m.b, m.typ("float"), 1) }, mu.BadBundle, "constant 1: "},
		{func(m *making) { m.do("new_func_ver", m.b, m.do("new_func", m.b, m.do("new_funcsig", m.b, nil, nil))) }, mu.BadBundle, "version 1 of function 1: a block is missing"},
		{func(m *making) { m.function(nil, nil) }, mu.BadBundle, "block 1 of version 1 of function 1: an instruction is missing"},
		{func(m *making) {
			y, _ := m.function(nil, nil)
			y.do("new_exc_param", y.bb)
			y.do("new_exc_param", y.bb)
			y.ret()
		}, mu.BadBundle, "block 1 of version 1 of function 1 has more than one exception parameter"},
		{func(m *making) {
			y, _ := m.function(nil, nil)
			y.do("set_name", m.b, y.f, "@here")
			y.ret()
			y.bb, _ = y.block()
			y.inst(0, "new_branch2", m.k(1, 1))
		}, mu.BadBundle, "instruction 1 of block 2 of version 1 of @here: destination TRUE is missing"},
		{func(m *making) {
			y, _ := m.function(nil, nil)
			y.do("set_name", m.b, y.v, "@here.too")
			y.one("new_binop", 99, m.int(64), m.k(64, 1), m.k(64, 1))
		}, mu.BadBundle, "instruction 1 of block 1 of @here.too: operand 2: 0x63 is no binary operation"},
		{func(m *making) {
			y, p := m.function([]mu.Value{m.int(64)}, nil)
			y.one("new_binop", opEq, m.int(64), p[0], p[0])
		}, mu.BadBundle, "0x20 is no binary operation"},
		{func(m *making) {
			y, p := m.function([]mu.Value{m.to("ref", m.int(64))}, nil)
			y.do("set_name", m.b, p[0], "@here.p")
			y.one("new_binop", opAdd, m.int(64), m.k(64, 1), p[0])
			y.ret()
		}, mu.BadBundle, "instruction 1 of block 1 of version 1 of function 1: @here.p: ADD wants int<64>, got ref<int<64>>"},
		{func(m *making) {
			y, p := m.function([]mu.Value{m.int(64)}, []mu.Value{m.int(64)})
			add, r := y.inst(1, "new_binop", opAdd, m.int(64), p[0], p[0])
			y.dest(add, toNormal, y.bb)
			y.dest(add, toExcept, y.bb)
			y.ret(r...)
		}, mu.BadBundle, "instruction 1 of block 1 of version 1 of function 1: ADD has no exception clause: leave EXC(...) out, it cannot fail"},
		{func(m *making) {
			y, _ := m.function(nil, nil)
			y.inst(0, "new_comminst", 0x203, []uint64{1}, nil, nil, nil)
		}, mu.BadBundle, "0x1 is no flag"},
		{func(m *making) { m.do("set_name", m.b, m.int(64), "@uvm.mine") }, mu.BadBundle, "@uvm.mine: names beginning with @uvm. are reserved"},
		{func(m *making) { m.do("set_name", m.b, m.int(64), "@i64") }, mu.Conflict, "load_bundle: @i64 redefined"},
		{func(m *making) {
			y, p := m.function([]mu.Value{m.int(64)}, nil)
			add, _ := y.inst(1, "new_binop", opAdd, m.int(64), p[0], p[0])
			y.do("set_name", m.b, p[0], "@twice")
			y.do("set_name", m.b, add, "@twice")
			y.ret()
		}, mu.Conflict, "@twice redefined (previous definition at block 1 of version 1 of function 1)"},
	} {
		m := d.begin()
		c.build(m)
		_, err := d.try("load_bundle_from_node", m.b)
		var e *mu.Error
		switch {
		case !errors.As(err, &e) || e.Code != c.code || !strings.Contains(err.Error(), c.want):
			t.Errorf("error %v, want %s: %s", err, c.code, c.want)
		case strings.ContainsAny(err.Error(), "!"):
			t.Errorf("%v: nobody has written such a name", err)
		}
		d.refuses(mu.BadHandle, "loaded or given up", "get_id", m.b, m.b)
	}
	if _, err := d.vm.ID("@here"); err == nil {
		t.Error("a bundle that was refused has defined a name")
	}
}

// A run-time error in built code says where in terms of nodes.
func TestBuiltError(t *testing.T) {
	d := newDriver(t)
	m := d.begin()
	i64 := m.int(64)
	y, p := m.function([]mu.Value{i64}, []mu.Value{i64})
	y.ret(y.one("new_binop", opSDiv, i64, p[0], m.k(64, 0)))
	id := d.do("get_id", m.b, y.f).(mu.Int).Uint64()
	m.finish()
	_, err := d.Ctx.Call(check(d, d.Func)(mu.ID(id)), int64(1))
	want := "run-time error: DIV_BY_ZERO at instruction 1 of block 1 of version 1 of function 1"
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
}

// TestBuiltStress repeats the tests of the IR builder with a collection at each allocation.
func TestBuiltStress(t *testing.T) {
	if os.Getenv("UVMDEBUG") != "" {
		t.Skip("the test repeats itself")
	}
	cmd := self.Command(t.Context(), t, "-test.run=^TestBuil(t|der)")
	cmd.Env = append(cmd.Env, "UVMDEBUG=gcstress=1,gcverify=1,clobberfree=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
