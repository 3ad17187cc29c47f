package live_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// Every name of the language belongs to the programs, whatever the builder calls what has none.
func TestBuiltNamesAreNoTextNames(t *testing.T) {
	d := newDriver(t)
	// a function and a cell whose IDs the names have
	d.load(`.funcdef $f VERSION %v <@one> { %e(<@i64> %x): RET %x } .global $c <@i64>`)
	f, cell := check(d, d.vm.ID)(d.own("$f")), check(d, d.vm.ID)(d.own("$c"))
	for _, id := range []mu.ID{f, cell, 65536, 7, 0} {
		for i, prefix := range []string{"@-sig.", "@-known.", "@--", "@.", "@known", "@sigof", "@type"} {
			name := fmt.Sprintf("%s%d", prefix, id)
			text := []string{".typedef %s = int<32>", ".global %s <@i64>", ".funcdecl %s <@one>", ".const %s <@i64> = 7"}[i%4]
			if err := d.LoadBundleText(fmt.Sprintf(text, name)); err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if got := check(d, d.vm.Name)(check(d, d.vm.ID)(name)); got != name {
				t.Errorf("%s is called %s", name, got)
			}
			if _, err := d.vm.ID(name + ".built"); err == nil {
				t.Errorf("%s.built exists", name)
			}
			m := d.begin()
			m.do("set_name", m.b, m.do("new_global_cell", m.b, m.int(64)), name+".built")
			m.finish()
			if got := check(d, d.vm.Name)(check(d, d.vm.ID)(name + ".built")); got != name+".built" {
				t.Errorf("%s.built is called %s", name, got)
			}
		}
	}
	// A name that nothing has is unknown, also if it is one of those, and no text has the names of the builder.
	d.refuse(".const $k <@-known.1> = 7", mu.BadBundle, "unknown type @-known.1")
	for _, text := range []string{".const $k <@!known%d> = 7", ".typedef @!type1 = int<32> // %d", ".funcdecl $k <@!sigof%d>", ".global @x!%d <@i64>"} {
		if strings.Contains(text, "%") {
			text = fmt.Sprintf(text, f)
		}
		d.refuse(text, mu.ParseFailed, "")
	}
}

// set_name takes the names of the language, and nothing else.
func TestBuiltSetName(t *testing.T) {
	d := newDriver(t)
	m := d.begin()
	node := m.int(64)
	for _, name := range []string{"", "@", "x", "%x", "@a b", "@inj.a = int<32> .typedef @inj.b", "@a\n", " @a", "@a ", "@é", "@a!", "@!type1", "@a@b", "@a\x00", "@a,b", "@a//b", "$a"} {
		d.refuses(mu.BadBundle, "is no name", "set_name", m.b, node, name)
	}
	name := d.own("$0A_z.-")
	m.do("set_name", m.b, node, name)
	d.refuses(mu.Conflict, "has a name: "+name, "set_name", m.b, node, "@other")
	d.refuses(mu.BadBundle, "got a bundle", "set_name", m.b, m.b, "@other")
	m.finish()
	check(d, d.TypeNamed)(name)
}

// The IDs that get_id gives are those of the entities afterwards, of all kinds, with names and without.
func TestBuiltIDs(t *testing.T) {
	d := newDriver(t)
	const full, global, none = "with names below the version", "with other names", "without names"
	for _, how := range []string{full, global, none} {
		m := d.begin()
		i64 := m.int(64)
		sig := m.do("new_funcsig", m.b, []mu.Value{i64}, []mu.Value{i64})
		y, p := m.function([]mu.Value{i64}, []mu.Value{i64})
		k, cell := m.k(64, 1), m.do("new_global_cell", m.b, i64)
		exposed := m.do("new_exp_func", m.b, y.f, 0, k)
		next, n := y.block(i64)
		bad, b := y.block(i64)
		exc := y.do("new_exc_param", bad)
		unused, _ := y.block() // nothing throws to it
		noExc := y.do("new_exc_param", unused)
		div, r := y.inst(1, "new_binop", opSDiv, i64, p[0], k)
		y.dest(div, toNormal, next, r[0])
		y.dest(div, toExcept, bad, p[0])
		first := y.bb
		y.bb = next
		trap, _ := y.inst(0, "new_trap", []mu.Value{})
		y.do("add_keepalives", trap, n)
		y.ret(n[0])
		y.bb = bad
		y.ret(b[0])
		y.bb = unused
		y.ret(k)
		root := d.own("$" + strings.ReplaceAll(how, " ", "."))
		nodes := []struct {
			node mu.Value
			name string // below root
		}{{i64, ".i64"}, {sig, ".sig"}, {k, ".k"}, {cell, ".cell"}, {exposed, ".exposed"}, {y.f, ""}, {y.v, ".v"}, {first, ".v.first"}, {p[0], ".v.first.p"},
			{div, ".v.first.div"}, {r[0], ".v.first.r"}, {next, ".v.next"}, {n[0], ".v.next.n"}, {trap, ".v.next.trap"}, {bad, ".v.bad"}, {b[0], ".v.bad.b"},
			{exc, ".v.bad.exc"}, {unused, ".v.unused"}, {noExc, ".v.unused.exc"}}
		ids := make([]mu.ID, len(nodes))
		for i, n := range nodes {
			if n.name = root + n.name; how == global {
				n.name = fmt.Sprintf("%s-%d", root, i)
			}
			nodes[i].name = n.name
			if how != none {
				m.do("set_name", m.b, n.node, n.name)
			}
			ids[i] = mu.ID(m.do("get_id", m.b, n.node).(mu.Int).Uint64())
			if again := m.do("get_id", m.b, n.node).(mu.Int).Uint64(); mu.ID(again) != ids[i] {
				t.Errorf("%s has the IDs %d and %d", n.name, ids[i], again)
			}
		}
		m.finish()
		for i, n := range nodes {
			want := n.name
			if how == none {
				want = ""
			}
			if got, err := d.vm.Name(ids[i]); err != nil || got != want {
				t.Errorf("%s: %d is named %q, %v, want %q", how, ids[i], got, err, want)
			}
			if how == none {
				continue
			}
			if got, err := d.vm.ID(want); err != nil || got != ids[i] {
				t.Errorf("%s: %s has the ID %d, %v, want %d", how, want, got, err, ids[i])
			}
		}
		d.vm.SetTrapHandler(func(c *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, _ uint32) mu.TrapResult {
			cur, err := c.NewCursor(s)
			if err != nil {
				t.Error(err)
			}
			f, _ := c.CurFunc(cur)
			v, _ := c.CurFuncVer(cur)
			in, _ := c.CurInst(cur)
			if got := []mu.ID{f, v, in}; got[0] != ids[5] || got[1] != ids[6] || got[2] != ids[13] {
				t.Errorf("%s: the frame has %v of %v", how, got, ids)
			}
			if err := c.CloseCursor(cur); err != nil {
				t.Error(err)
			}
			return mu.PassValues{Stack: s}
		})
		got, err := mu.Call1[int64](d.Ctx, check(d, d.Func)(ids[5]), 41)
		d.vm.SetTrapHandler(nil)
		if err != nil || got != 41 {
			t.Errorf("%s: %d, %v", how, got, err)
		}
	}
}

// Nodes for entities that exist, with names and without, and for a function that gets another body.
func TestBuiltKnown(t *testing.T) {
	d := newDriver(t)
	d.begin().finish() // with nothing in it
	for _, named := range []bool{true, false} {
		m := d.begin()
		i64 := m.int(64)
		sig := m.do("new_funcsig", m.b, []mu.Value{i64}, []mu.Value{i64})
		y, p := m.function([]mu.Value{i64}, []mu.Value{i64})
		k, cell := m.k(64, 30), m.do("new_global_cell", m.b, i64)
		y.inst(0, "new_store", 0, notAtomic, i64, cell, p[0])
		y.ret(y.sum(p[0], k))
		fp := m.to("ufuncptr", sig)
		exposed := m.do("new_exp_func", m.b, y.f, 0, k)
		var ids []int32
		for _, n := range []mu.Value{i64, sig, k, cell, y.f, fp, exposed} {
			if named {
				m.named(n)
			}
			ids = append(ids, int32(m.do("get_id", m.b, n).(mu.Int).Uint64()))
		}
		m.finish()

		m = d.begin()
		var l []mu.Value
		for _, id := range ids {
			l = append(l, m.do("get_node", m.b, id))
			if got := int32(m.do("get_id", m.b, l[len(l)-1]).(mu.Int).Uint64()); got != id {
				t.Errorf("the node of %d has the ID %d", id, got)
			}
		}
		m.ints[64], sig, k, cell = l[0], l[1], l[2], l[3]
		f, fp, exposed := l[4], l[5], l[6]
		d.refuses(mu.Conflict, "has a name", "set_name", m.b, f, "@other")
		y, p = m.function([]mu.Value{l[0]}, []mu.Value{l[0]})
		first := y.one("new_call", sig, f, []mu.Value{p[0]})
		second := y.one("new_ccall", 0, fp, sig, exposed, []mu.Value{first})
		y.ret(y.sum(second, k, y.one("new_load", 0, notAtomic, l[0], cell)))
		y.run(fmt.Sprint(5+30+30+30+(5+30)), int64(5))

		// another body, which is not loaded at first
		other := func(result mu.Value, m *making) {
			g := m.do("get_node", m.b, ids[4])
			y := &bodyOf{making: m, f: g, v: m.do("new_func_ver", m.b, g)}
			y.bb, _ = y.block(m.do("get_node", m.b, ids[0]))
			y.ret(result)
		}
		m = d.begin()
		other(m.do("new_const_null", m.b, m.to("ref", m.int(64))), m)
		_, err := d.try("load_bundle_from_node", m.b)
		if err == nil || strings.Contains(err.Error(), "!") || !strings.Contains(err.Error(), "instruction 1 of block 1 of version 1 of ") {
			t.Errorf("a wrong result: %v", err)
		}
		m = d.begin()
		other(m.k(64, 1000), m)
		m.finish()
		if got, err := mu.Call1[int64](d.Ctx, check(d, d.Func)(mu.ID(ids[4])), 5); err != nil || got != 1000 {
			t.Errorf("the new body returns %d, %v", got, err)
		}
	}
}

// Lists whose length is not that of their array are errors; NULL is empty, whatever its length.
func TestBuiltLists(t *testing.T) {
	d := newDriver(t)
	m := d.begin()
	i64, i24 := m.int(64), m.int(24)
	three := d.array("$nodes", 3, func(int) mu.Value { return i24 })
	words := d.array("$words", 2, func(i int) mu.Value { return d.Int(int64(i), 64) })
	flags := d.array("$flags", 3, func(int) mu.Value { return d.Int(0, 32) })
	other := d.begin()
	y, _ := other.function(nil, nil)
	for _, n := range []int64{-1, 4, 1000, 1 << 40, -1 << 63, 1 << 60, 1 << 61} {
		d.refuses(mu.OutOfRange, "new_type_struct: operand 2 has", "new_type_struct", m.b, list{three, n})
		d.refuses(mu.OutOfRange, "operand 3 has", "new_funcsig", m.b, list{three, 1}, list{three, n})
		d.refuses(mu.OutOfRange, "operand 3 has", "new_const_int_ex", m.b, i64, list{words, n})
		d.refuses(mu.OutOfRange, "operand 3 has", "new_comminst", y.bb, 0x203, list{flags, n}, nil, nil, nil)
	}
	m.do("new_type_struct", m.b, list{three, 3})
	m.do("new_type_struct", m.b, list{three, 1})
	one := check2(d, d.ShiftIRef)(three.(mu.IRef), int64(2))
	m.do("new_type_struct", m.b, list{one, 1})
	d.refuses(mu.OutOfRange, "operand 2 has 2 elements", "new_type_struct", m.b, list{one, 2})
	var empty []string
	for _, n := range []int64{0, 1, 3, -1, 1 << 62} {
		m.do("new_funcsig", m.b, list{d.null("A"), n}, list{d.null("A"), n})
		empty = append(empty, m.named(m.do("new_const_int_ex", m.b, i64, list{d.null("W"), n})))
		y.do("new_comminst", y.bb, 0x203, list{d.null("I"), n}, list{d.null("A"), n}, list{d.null("A"), n}, list{d.null("A"), n})
	}
	other.do("abort_bundle_node", other.b)
	m.finish()
	for _, name := range empty {
		if got := fmt.Sprint(check(d, d.ConstNamed)(name)); got != "0" {
			t.Errorf("a constant of no words is %s", got)
		}
	}
}

// Threads may build one bundle together.
func TestBuiltByThreads(t *testing.T) {
	d := newDriver(t)
	m := d.begin()
	i64 := m.int(64)
	sw, p := m.function([]mu.Value{i64}, []mu.Value{i64})
	def, _ := sw.block()
	br, _ := sw.inst(0, "new_switch", i64, p[0])
	sw.dest(br, toDefault, def)
	sw.bb = def
	sw.ret(m.k(64, -1))
	const threads, each = 4, 100
	var wg sync.WaitGroup
	ids := make([][]mu.ID, threads)
	for g := range threads {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c := d.vm.NewContext()
			defer c.Close()
			own := &making{&driver{&client{t, d.vm, c}, map[string]bool{}}, nil, map[int]mu.Value{}}
			take := func(v mu.Value) mu.Value {
				return check2(own.driver, func(c *mu.Ctx, v mu.Value) (mu.Value, error) { return mu.Import(c, v) })(c, v)
			}
			own.b = take(m.b)
			own.ints[64] = take(i64)
			y := &bodyOf{own, take(sw.f), take(sw.v), nil}
			to := take(br)
			for i := range each {
				x := int64(g*each + i)
				y.bb, _ = y.block()
				y.do("add_switch_dest", to, y.k(64, x), y.bb, []mu.Value{})
				y.ret(y.k(64, x*x))
				ids[g] = append(ids[g], mu.ID(y.do("get_id", own.b, y.bb).(mu.Int).Uint64()))
				if i%20 == 0 { // others load bundles meanwhile, and collect
					z := own.begin()
					f, q := z.function([]mu.Value{z.int(64)}, []mu.Value{z.int(64)})
					f.ret(f.sum(q[0], q[0]))
					f.run("6", int64(3))
					if err := c.Collect(); err != nil {
						t.Error(err)
					}
				}
			}
		}()
	}
	wg.Wait()
	if t.Failed() {
		return
	}
	name := m.named(sw.f)
	m.finish()
	for _, x := range []int64{0, 1, 99, 100, 250, 399} {
		d.expect(fmt.Sprint(x*x), name, x)
	}
	d.expect("-1", name, int64(threads*each))
	seen := map[mu.ID]bool{}
	for _, l := range ids {
		for _, id := range l {
			if _, err := d.vm.Name(id); err != nil || seen[id] {
				t.Fatalf("the ID %d: %v, seen before: %v", id, err, seen[id])
			}
			seen[id] = true
		}
	}
}

// A thread that ends a bundle while others build it ends it for these between two calls.
func TestBuiltEndedByThreads(t *testing.T) {
	d := newDriver(t)
	for _, end := range []string{"load_bundle_from_node", "abort_bundle_node"} {
		for range 20 {
			m := d.begin()
			cell := m.do("new_global_cell", m.b, m.int(64))
			name := m.named(cell)
			var wg sync.WaitGroup
			for range 2 {
				wg.Add(1)
				go func() {
					defer wg.Done()
					c := d.vm.NewContext()
					defer c.Close()
					own := &driver{&client{t, d.vm, c}, map[string]bool{}}
					b, err := mu.Import(c, m.b)
					if err != nil {
						t.Error(err)
						return
					}
					for {
						if _, err := own.try("new_type_int", b, 32); err != nil {
							if !strings.Contains(err.Error(), "loaded or given up") {
								t.Error(err)
							}
							return
						}
					}
				}()
			}
			m.do(end, m.b)
			wg.Wait()
			if _, err := d.vm.ID(name); (err == nil) != (end == "load_bundle_from_node") {
				t.Errorf("%s: %v", end, err)
			}
		}
	}
}
