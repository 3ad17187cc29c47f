package live_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/mu"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
)

// built are functions that build a bundle, load it and run what is in it. Together they use every instruction of the
// IR builder.
var built = []struct {
	name string
	run  func(d *driver)
}{
	{"integers", func(d *driver) {
		const a, b = -1234567, 5
		m := d.begin()
		i64 := m.int(64)
		call := func(row string, op int, to int, want any) func() {
			y, p := m.function([]mu.Value{i64, i64}, []mu.Value{i64})
			r := y.one(row, op, i64, p[0], p[1])
			if to == 1 {
				r = y.word(1, r)
			}
			y.ret(r)
			name := y.named(y.f)
			return func() {
				if w, ok := want.(bool); ok {
					want = map[bool]int{true: 1}[w]
				}
				d.expect(fmt.Sprint(want), name, int64(a), int64(b))
			}
		}
		x, y := int64(a), int64(b)
		ux, uy := uint64(x), uint64(y)
		var checks []func()
		for op, want := range map[int]int64{0x1: x + y, 0x2: x - y, 0x3: x * y, 0x4: x / y, 0x5: x % y, 0x6: int64(ux / uy), 0x7: int64(ux % uy),
			0x8: x << b, 0x9: int64(ux >> b), 0xa: x >> b, 0xb: x & y, 0xc: x | y, 0xd: x ^ y} {
			checks = append(checks, call("new_binop", op, 64, want))
		}
		for op, want := range map[int]bool{0x20: x == y, 0x21: x != y, 0x22: x >= y, 0x23: x > y, 0x24: x <= y, 0x25: x < y, 0x26: ux >= uy, 0x27: ux > uy,
			0x28: ux <= uy, 0x29: ux < uy} {
			checks = append(checks, call("new_cmp", op, 1, want))
		}
		m.finish()
		for _, f := range checks {
			f()
		}
	}},
	{"floating point", func(d *driver) {
		m := d.begin()
		f64 := m.typ("double")
		const a, b = 7.5, 2.0
		var checks []func()
		x, z := m.do("new_const_double", m.b, f64, a), m.do("new_const_double", m.b, f64, b)
		for op, want := range map[int]float64{0xb0: a + b, 0xb1: a - b, 0xb2: a * b, 0xb3: a / b, 0xb4: math.Mod(a, b)} {
			y, _ := m.function(nil, []mu.Value{m.int(64)})
			y.ret(y.one("new_conv", 0x39, f64, m.int(64), y.one("new_binop", op, f64, x, z)))
			name := y.named(y.f)
			checks = append(checks, func() { d.expect(fmt.Sprint(int64(math.Float64bits(want))), name) })
		}
		// FFALSE to FOLE, whether they hold of a and b
		for i, want := range []int64{0, 1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0} {
			y, _ := m.function(nil, []mu.Value{m.int(64)})
			y.ret(y.word(1, y.one("new_cmp", 0xc0+i, f64, x, z)))
			name := y.named(y.f)
			checks = append(checks, func() { d.expect(fmt.Sprint(want), name) })
		}
		m.finish()
		for _, f := range checks {
			f()
		}
	}},
	{"conversions", func(d *driver) {
		m := d.begin()
		y, _ := m.function(nil, []mu.Value{m.int(64)})
		i8, i64, f32, f64, i32 := m.int(8), m.int(64), m.typ("float"), m.typ("double"), m.int(32)
		neg := m.k(64, -2)
		small := y.one("new_conv", 0x30, i64, i8, neg)                      // TRUNC
		zx, sx := y.word(8, small), y.one("new_conv", 0x32, i8, i64, small) // 254, -2
		narrow := y.one("new_conv", 0x33, f64, f32, m.do("new_const_double", m.b, f64, 2.5))
		bits := y.word(32, y.one("new_conv", 0x39, f32, i32, narrow)) // 0x40200000
		wide := y.one("new_conv", 0x34, f32, f64, m.do("new_const_float", m.b, f32, float32(-3.5)))
		s, u := y.one("new_conv", 0x36, f64, i64, wide), y.one("new_conv", 0x35, f32, i64, narrow) // -3, 2
		back := y.one("new_conv", 0x36, f64, i64, y.one("new_conv", 0x38, i64, f64, neg))          // -2
		ub := y.one("new_conv", 0x35, f64, i64, y.one("new_conv", 0x37, i8, f64, small))           // 254
		up := m.to("uptr", i64)
		ptr := y.one("new_conv", 0x3b, up, i64, m.do("new_const_int", m.b, up, 4096)) // PTRCAST
		y.ret(y.sum(zx, sx, bits, s, u, back, ub, ptr))
		y.run(fmt.Sprint(254 - 2 + 0x40200000 - 3 + 2 - 2 + 254 + 4096))
	}},
	{"branches", func(d *driver) {
		m := d.begin()
		i64 := m.int(64)
		y, p := m.function([]mu.Value{i64}, []mu.Value{i64})
		head, h := y.block(i64)
		br, _ := y.inst(0, "new_branch")
		y.dest(br, toNormal, head, p[0])
		y.bb = head
		low, l := y.block(i64)
		high, g := y.block(i64)
		c := y.one("new_cmp", 0x25, i64, h[0], m.k(64, 10))
		br2, _ := y.inst(0, "new_branch2", c)
		y.dest(br2, toTrue, low, h[0])
		y.dest(br2, toFalse, high, h[0])
		y.bb = low
		sw, _ := y.inst(0, "new_switch", i64, l[0])
		y.dest(sw, toDefault, high, m.k(64, 1000))
		y.do("add_switch_dest", sw, m.k(64, 3), high, []mu.Value{m.k(64, 33)})
		y.do("add_switch_dest", sw, m.k(64, 4), high, []mu.Value{l[0]})
		y.bb = high
		y.ret(y.one("new_select", m.int(1), i64, y.one("new_cmp", opEq, i64, g[0], m.k(64, 4)), m.k(64, 44), g[0]))
		name := y.named(y.f)
		y.finish()
		for in, want := range map[int64]int64{3: 33, 4: 44, 5: 1000, 12: 12} {
			d.expect(fmt.Sprint(want), name, in)
		}
	}},
	{"calls and exceptions", func(d *driver) {
		m := d.begin()
		i64, rv := m.int(64), m.to("ref", m.typ("void"))
		box := m.to("ref", i64)
		// thrower throws a box with its argument, unless that is 0
		th, p := m.function([]mu.Value{i64}, []mu.Value{i64})
		bad, b := th.block(i64)
		good, _ := th.block()
		br, _ := th.inst(0, "new_branch2", th.one("new_cmp", opEq, i64, p[0], m.k(64, 0)))
		th.dest(br, toTrue, good)
		th.dest(br, toFalse, bad, p[0])
		th.bb = good
		th.ret(m.k(64, 7))
		th.bb = bad
		obj := th.one("new_new", i64)
		th.inst(0, "new_store", 0, notAtomic, i64, th.one("new_getiref", i64, obj), b[0])
		th.inst(0, "new_throw", obj)
		// middle calls it as its last act
		sig := m.do("new_funcsig", m.b, []mu.Value{i64}, []mu.Value{i64})
		mid, q := m.function([]mu.Value{i64}, []mu.Value{i64})
		mid.inst(0, "new_tailcall", sig, th.f, []mu.Value{q[0]})
		y, x := m.function([]mu.Value{i64}, []mu.Value{i64})
		fine, r := y.block(i64)
		caught, _ := y.block(i64)
		exc := y.do("new_exc_param", caught)
		call, res := y.inst(1, "new_call", sig, mid.f, []mu.Value{x[0]})
		y.dest(call, toNormal, fine, res[0])
		y.dest(call, toExcept, caught, x[0])
		y.bb = fine
		y.ret(r[0])
		y.bb = caught
		v := y.one("new_load", 0, notAtomic, i64, y.one("new_getiref", i64, y.one("new_conv", refCast, rv, box, exc)))
		y.ret(y.one("new_binop", opMul, i64, v, m.k(64, 10)))
		name := y.named(y.f)
		y.finish()
		d.expect("7", name, int64(0))
		d.expect("50", name, int64(5))
	}},
	{"division by zero", func(d *driver) {
		m := d.begin()
		i64 := m.int(64)
		y, p := m.function([]mu.Value{i64, i64}, []mu.Value{i64})
		fine, r := y.block(i64)
		zero, _ := y.block()
		div, res := y.inst(1, "new_binop", opSDiv, i64, p[0], p[1])
		y.dest(div, toExcept, zero)
		y.dest(div, toNormal, fine, res[0])
		y.bb = fine
		y.ret(r[0])
		y.bb = zero
		y.ret(m.k(64, -1))
		name := y.named(y.f)
		y.finish()
		d.expect("6", name, int64(42), int64(7))
		d.expect("-1", name, int64(42), int64(0))
	}},
	{"aggregates", func(d *driver) {
		m := d.begin()
		i64, i32 := m.int(64), m.int(32)
		str := m.do("new_type_struct", m.b, []mu.Value{i64, i32})
		arr, vec := m.do("new_type_array", m.b, i64, 3), m.do("new_type_vector", m.b, i32, 4)
		seq := func(ty mu.Value, l ...mu.Value) mu.Value { return m.do("new_const_seq", m.b, ty, l) }
		y, p := m.function([]mu.Value{i64}, []mu.Value{i64})
		s := seq(str, m.k(64, 100), m.k(32, 7))
		a := y.one("new_extractvalue", str, 0, y.one("new_insertvalue", str, 0, s, p[0]))
		b := y.word(32, y.one("new_extractvalue", str, 1, s))
		e := y.one("new_insertelement", arr, i64, seq(arr, m.k(64, 1), m.k(64, 2), m.k(64, 3)), m.k(64, 1), p[0])
		c := y.one("new_binop", opMul, i64, y.one("new_extractelement", arr, i64, e, m.k(64, 1)), y.one("new_extractelement", arr, i64, e, m.k(64, 2)))
		four := func(x int64) mu.Value { return seq(vec, m.k(32, x), m.k(32, x+1), m.k(32, x+2), m.k(32, x+3)) }
		mixed := y.one("new_shufflevector", vec, vec, four(10), four(20), seq(vec, m.k(32, 0), m.k(32, 7), m.k(32, 4), m.k(32, 3)))
		v := y.word(32, y.one("new_extractelement", vec, i32, mixed, m.k(32, 1))) // 23
		y.ret(y.sum(a, b, c, v))
		y.run(fmt.Sprint(5+7+15+23), int64(5))
	}},
	{"memory", func(d *driver) {
		m := d.begin()
		i64, i8 := m.int(64), m.int(8)
		str, arr := m.do("new_type_struct", m.b, []mu.Value{i8, i64}), m.do("new_type_array", m.b, i64, 4)
		hyb := m.do("new_type_hybrid", m.b, []mu.Value{i64}, i64)
		cell := m.do("new_global_cell", m.b, arr)
		y, p := m.function([]mu.Value{i64}, []mu.Value{i64})
		put := func(at, v mu.Value) { y.inst(0, "new_store", 0, notAtomic, i64, at, v) }
		get := func(at mu.Value) mu.Value { return y.one("new_load", 0, seqCst, i64, at) }
		field := y.one("new_getfieldiref", 0, str, 1, y.one("new_getiref", str, y.one("new_new", str)))
		put(field, p[0])
		local := y.one("new_alloca", i64)
		put(local, m.k(64, 20))
		elem := y.one("new_getelemiref", 0, arr, i64, cell, m.k(64, 1))
		next := y.one("new_shiftiref", 0, i64, i64, elem, m.k(64, 2))
		put(next, m.k(64, 300))
		part := func(at mu.Value) mu.Value {
			return y.one("new_shiftiref", 0, i64, i64, y.one("new_getvarpartiref", 0, hyb, at), m.k(64, 2))
		}
		heap := part(y.one("new_getiref", hyb, y.one("new_newhybrid", hyb, i64, m.k(64, 3))))
		put(heap, m.k(64, 4000))
		stack := part(y.one("new_allocahybrid", hyb, i64, m.k(64, 3)))
		put(stack, m.k(64, 50000))
		last := y.one("new_getelemiref", 0, arr, i64, cell, m.k(64, 3))
		y.ret(y.sum(get(field), get(local), get(last), get(heap), get(stack)))
		y.run("54321", int64(1))
	}},
	{"atomic memory", func(d *driver) {
		m := d.begin()
		i64 := m.int(64)
		cell := m.do("new_global_cell", m.b, i64)
		y, p := m.function([]mu.Value{i64}, []mu.Value{i64})
		y.inst(0, "new_store", 0, relaxed, i64, cell, p[0])
		y.inst(0, "new_fence", seqCst)
		var olds []mu.Value
		for op := range 11 { // XCHG to UMIN
			olds = append(olds, y.one("new_atomicrmw", 0, seqCst, op, i64, cell, m.k(64, int64(op)+3)))
		}
		_, r := y.inst(2, "new_cmpxchg", 0, 1, seqCst, relaxed, i64, cell, m.k(64, 0), m.k(64, 99)) // fails
		_, r2 := y.inst(2, "new_cmpxchg", 0, 0, seqCst, seqCst, i64, cell, r[0], m.k(64, 77))
		y.ret(y.sum(append(olds, y.word(1, r[1]), y.word(1, r2[1]), y.one("new_load", 0, relaxed, i64, cell))...))
		x, want := int64(5), int64(0)
		for op := range int64(11) {
			want += x
			switch v := op + 3; op {
			case 0:
				x = v
			case 1:
				x += v
			case 2:
				x -= v
			case 3:
				x &= v
			case 4:
				x = ^(x & v)
			case 5:
				x |= v
			case 6:
				x ^= v
			case 7:
				x = max(x, v)
			case 8:
				x = min(x, v)
			case 9:
				x = int64(max(uint64(x), uint64(v)))
			case 10:
				x = int64(min(uint64(x), uint64(v)))
			}
		}
		y.run(fmt.Sprint(want+0+1+77), int64(5))
	}},
	{"pointers", func(d *driver) {
		m := d.begin()
		i64 := m.int(64)
		arr := m.do("new_type_array", m.b, i64, 2)
		iarr := m.to("iref", arr)
		hyb := m.do("new_type_hybrid", m.b, []mu.Value{i64}, i64)
		ihyb, str := m.to("iref", hyb), m.do("new_type_struct", m.b, []mu.Value{i64, i64})
		istr := m.to("iref", str)
		cell, scell := m.do("new_global_cell", m.b, arr), m.do("new_global_cell", m.b, str)
		y, p := m.function([]mu.Value{i64}, []mu.Value{i64})
		ptr := y.common(0x240, []mu.Value{iarr}, nil, []mu.Value{cell}) // pin
		at := y.one("new_shiftiref", 1, i64, i64, y.one("new_getelemiref", 1, arr, i64, ptr, m.k(64, 0)), m.k(64, 1))
		y.inst(0, "new_store", 1, notAtomic, i64, at, p[0])
		sptr := y.common(0x240, []mu.Value{istr}, nil, []mu.Value{scell})
		y.inst(0, "new_store", 1, notAtomic, i64, y.one("new_getfieldiref", 1, str, 1, sptr), m.k(64, 30))
		obj := y.one("new_getiref", hyb, y.one("new_newhybrid", hyb, i64, m.k(64, 1)))
		hptr := y.common(0x240, []mu.Value{ihyb}, nil, []mu.Value{obj})
		y.inst(0, "new_store", 1, notAtomic, i64, y.one("new_getvarpartiref", 1, hyb, hptr), m.k(64, 500))
		sum := y.sum(
			y.one("new_load", 0, notAtomic, i64, y.one("new_getelemiref", 0, arr, i64, cell, m.k(64, 1))),
			y.one("new_load", 0, notAtomic, i64, y.one("new_getfieldiref", 0, str, 1, scell)),
			y.one("new_load", 1, relaxed, i64, y.one("new_getvarpartiref", 1, hyb, hptr)))
		for ty, v := range map[mu.Value]mu.Value{iarr: cell, istr: scell, ihyb: obj} {
			y.inst(0, "new_comminst", 0x241, []uint64{}, []mu.Value{ty}, nil, []mu.Value{v})
		}
		y.ret(sum)
		y.run("532", int64(2))
	}},
	{"traps", func(d *driver) {
		m := d.begin()
		i64 := m.int(64)
		y, p := m.function([]mu.Value{i64}, []mu.Value{i64})
		trap, r := y.inst(1, "new_trap", []mu.Value{i64})
		id := mu.ID(d.do("get_id", m.b, trap).(mu.Int).Uint64())
		y.do("add_keepalives", trap, []mu.Value{p[0], p[0]})
		y.ret(y.sum(r[0], p[0]))
		defer d.vm.SetTrapHandler(nil)
		d.vm.SetTrapHandler(func(c *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, _ uint32) mu.TrapResult {
			cur, err := c.NewCursor(s)
			if err != nil {
				d.Error(err)
			}
			if at, err := c.CurInst(cur); err != nil || at != id {
				d.Errorf("the trap is %d, %v, want %d", at, err, id)
			}
			l, err := c.DumpKeepalives(cur)
			if err != nil || len(l) != 2 || fmt.Sprint(l[1]) != "41" {
				d.Errorf("the keep-alive variables are %v, %v", l, err)
			}
			if err := c.CloseCursor(cur); err != nil {
				d.Error(err)
			}
			return mu.PassValues{Stack: s, Values: []mu.Value{c.Int(1, 64)}}
		})
		y.run("42", int64(41))
	}},
	{"watchpoints", func(d *driver) {
		const wp = 4711
		m := d.begin()
		i64 := m.int(64)
		y, p := m.function([]mu.Value{i64}, []mu.Value{i64})
		off, _ := y.block(i64)
		on, r := y.block(i64)
		exc, _ := y.block()
		y.do("new_exc_param", exc)
		w, res := y.inst(1, "new_watchpoint", wp, []mu.Value{i64})
		y.dest(w, toDisabled, off, p[0])
		y.dest(w, toEnabled, on, res[0])
		y.dest(w, toExcept, exc)
		y.bb = on
		y.ret(r[0])
		y.bb = exc
		y.ret(m.k(64, -2))
		y.bb = off
		no, _ := y.block()
		yes, _ := y.block()
		b, _ := y.inst(0, "new_wpbranch", wp)
		y.dest(b, toDisabled, no)
		y.dest(b, toEnabled, yes)
		y.bb = no
		y.ret(m.k(64, 10))
		y.bb = yes
		y.ret(m.k(64, 20))
		name := y.named(y.f)
		y.finish()
		d.expect("10", name, int64(1))
		defer d.vm.SetTrapHandler(nil)
		for _, throw := range []bool{false, true} {
			d.vm.SetTrapHandler(func(c *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, at uint32) mu.TrapResult {
				d.vm.DisableWatchpoint(at)
				if throw {
					ty, err := c.TypeNamed("@rv")
					if err != nil {
						d.Error(err)
					}
					null, err := c.Null(ty)
					if err != nil {
						d.Error(err)
					}
					return mu.ThrowExc{Stack: s, Exc: null.(mu.Ref)}
				}
				return mu.PassValues{Stack: s, Values: []mu.Value{c.Int(int64(at), 64)}}
			})
			d.vm.EnableWatchpoint(wp)
			d.expect(map[bool]string{false: "4711", true: "-2"}[throw], name, int64(1))
		}
	}},
	{"native calls", func(d *driver) {
		m := d.begin()
		i32 := m.int(32)
		sig := m.do("new_funcsig", m.b, []mu.Value{i32}, []mu.Value{i32})
		fp := m.to("ufuncptr", sig)
		inc, q := m.function([]mu.Value{i32}, []mu.Value{i32})
		inc.ret(inc.one("new_binop", opAdd, i32, q[0], m.k(32, 1)))
		exposed := m.do("new_exp_func", m.b, inc.f, 0, m.k(64, 9))
		d.load(`.typedef $fp = ufuncptr<$abssig> .funcsig $abssig = (@i32) -> (@i32) .const $abs <$fp> = EXTERN "abs"`)
		abs := m.do("get_node", m.b, int32(check(d, d.vm.ID)(d.own("$abs"))))
		y, p := m.function([]mu.Value{i32}, []mu.Value{i32})
		y.ret(y.one("new_ccall", 0, fp, sig, exposed, []mu.Value{y.one("new_ccall", 0, fp, sig, abs, []mu.Value{p[0]})}))
		y.run("42", int32(-41))
	}},
	{"stacks and threads", func(d *driver) {
		m := d.begin()
		i64, rv := m.int(64), m.to("ref", m.typ("void"))
		stack := m.typ("stackref")
		sig := m.do("new_funcsig", m.b, []mu.Value{stack, i64}, nil)
		// co adds 1 to what it gets, swaps back with it, and then catches an exception, after which it ends
		co, p := m.function([]mu.Value{stack, i64}, nil)
		caught, c := co.block(stack)
		exc := co.do("new_exc_param", caught)
		never, _ := co.block()
		more := co.sum(p[1], m.k(64, 1))
		sw, _ := co.inst(0, "new_swapstack_ret", p[0], []mu.Value{})
		m.do("set_newstack_pass_values", sw, []mu.Value{i64}, []mu.Value{more})
		co.bb = never
		co.inst(0, "new_throw", m.do("new_const_null", m.b, rv))
		co.dest(sw, toNormal, never)
		co.dest(sw, toExcept, caught, p[0])
		co.bb = caught
		kill, _ := co.inst(0, "new_swapstack_kill", c[0])
		m.do("set_newstack_throw_exc", kill, exc)

		y, x := m.function([]mu.Value{i64}, []mu.Value{i64})
		st := y.common(0x201, nil, []mu.Value{sig}, []mu.Value{co.f}) // new_stack
		me := y.common(0x204, nil, nil, nil)                          // current_stack
		first, r := y.inst(1, "new_swapstack_ret", st, []mu.Value{i64})
		m.do("set_newstack_pass_values", first, []mu.Value{stack, i64}, []mu.Value{me, x[0]})
		box := y.one("new_new", i64)
		y.inst(0, "new_store", 0, notAtomic, i64, y.one("new_getiref", i64, box), m.k(64, 100))
		back, b := y.block(i64)
		be := y.do("new_exc_param", back)
		none, _ := y.block()
		second, _ := y.inst(0, "new_swapstack_ret", st, []mu.Value{})
		m.do("set_newstack_throw_exc", second, box)
		y.dest(second, toNormal, none)
		y.dest(second, toExcept, back, r[0])
		y.bb = none
		y.ret(m.k(64, -1))
		y.bb = back
		ri := m.to("ref", i64)
		y.ret(y.sum(b[0], y.one("new_load", 0, notAtomic, i64, y.one("new_getiref", i64, y.one("new_conv", refCast, rv, ri, be)))))
		y.run("142", int64(41))
	}},
	{"threads", func(d *driver) {
		m := d.begin()
		i64, i32, rv := m.int(64), m.int(32), m.to("ref", m.typ("void"))
		ri := m.to("ref", i64)
		cell, done := m.do("new_global_cell", m.b, i64), m.do("new_global_cell", m.b, i32)
		// the thread stores the sum of what it gets and what its thread-local object has
		th, p := m.function([]mu.Value{i64}, nil)
		local := th.one("new_conv", refCast, rv, ri, th.common(0x206, nil, nil, nil)) // get_threadlocal
		at := th.one("new_getiref", i64, local)
		th.inst(0, "new_store", 0, relaxed, i64, cell, th.sum(p[0], th.one("new_load", 0, notAtomic, i64, at)))
		th.inst(0, "new_store", 0, seqCst, i32, done, m.k(32, 1))
		th.common(0x222, []mu.Value{i32}, nil, []mu.Value{done, m.k(32, 1)})                    // futex.wake
		th.inst(0, "new_comminst", 0x203, []uint64{}, []mu.Value{}, []mu.Value{}, []mu.Value{}) // thread_exit

		y, _ := m.function(nil, []mu.Value{i64})
		sig := m.do("new_funcsig", m.b, []mu.Value{i64}, nil)
		box := y.one("new_new", i64)
		y.inst(0, "new_store", 0, notAtomic, i64, y.one("new_getiref", i64, box), m.k(64, 40))
		st := y.common(0x201, nil, []mu.Value{sig}, []mu.Value{th.f})
		nt, _ := y.inst(1, "new_newthread", st, box)
		m.do("set_newstack_pass_values", nt, []mu.Value{i64}, []mu.Value{m.k(64, 2)})
		wait, _ := y.block()
		ready, _ := y.block()
		br, _ := y.inst(0, "new_branch")
		y.dest(br, toNormal, wait)
		y.bb = wait
		y.common(0x220, []mu.Value{i32}, nil, []mu.Value{done, m.k(32, 0)}) // futex.wait
		b2, _ := y.inst(0, "new_branch2", y.one("new_cmp", opEq, i32, y.one("new_load", 0, seqCst, i32, done), m.k(32, 1)))
		y.dest(b2, toTrue, ready)
		y.dest(b2, toFalse, wait)
		y.bb = ready
		y.ret(y.one("new_load", 0, relaxed, i64, cell))
		y.run("42")
	}},
	{"types", func(d *driver) {
		m := d.begin()
		i64 := m.int(64)
		sig := m.do("new_funcsig", m.b, []mu.Value{i64}, []mu.Value{i64})
		rec := m.typ("ref") // of a struct that contains itself
		str := m.do("new_type_struct", m.b, []mu.Value{i64, rec})
		m.do("set_type_ref", rec, str)
		y, _ := m.function(nil, []mu.Value{i64})
		count := m.k(64, 0)
		empty := func(ty, null mu.Value) { // adds 1 for an empty cell
			cell := m.do("new_global_cell", m.b, ty)
			count = y.sum(count, y.word(1, y.one("new_cmp", opEq, ty, y.one("new_load", 0, notAtomic, ty, cell), null)))
		}
		for _, ty := range []mu.Value{m.typ("threadref"), m.typ("stackref"), m.typ("framecursorref"), m.typ("irnoderef"), rec, m.to("iref", i64), m.to("funcref", sig)} {
			empty(ty, m.do("new_const_null", m.b, ty))
		}
		for _, ty := range []mu.Value{m.to("uptr", i64), m.to("ufuncptr", sig)} {
			empty(ty, m.do("new_const_int", m.b, ty, 0))
		}
		// a weak reference to an object that is held
		weak, ri := m.to("weakref", i64), m.to("ref", i64)
		wcell := m.do("new_global_cell", m.b, weak)
		obj := y.one("new_new", i64)
		y.inst(0, "new_store", 0, notAtomic, weak, wcell, obj)
		held := y.word(1, y.one("new_cmp", opEq, ri, y.one("new_load", 0, notAtomic, weak, wcell), obj))
		// a tagged integer
		tag := m.typ("tagref64")
		tcell := m.do("new_global_cell", m.b, tag)
		i52 := m.int(52)
		y.inst(0, "new_store", 0, notAtomic, tag, tcell, y.common(0x215, nil, nil, []mu.Value{m.k(52, 1000)})) // tr64.from_int
		y.ret(y.sum(count, held, y.one("new_conv", zext, i52, i64, y.common(0x218, nil, nil, []mu.Value{y.one("new_load", 0, notAtomic, tag, tcell)}))))
		y.run("1010")
	}},
	{"constants", func(d *driver) {
		m := d.begin()
		i128, f32, f64 := m.int(128), m.typ("float"), m.typ("double")
		arr := m.do("new_type_array", m.b, m.int(8), 3)
		want := map[string]string{}
		add := func(text, row string, args ...any) {
			want[m.named(m.do(row, append([]any{m.b}, args...)...))] = text
		}
		add("-1", "new_const_int", m.int(8), 0xff)
		add("166020696663385964551", "new_const_int_ex", i128, []uint64{7, 9}) // the lowest word first
		add("-1.25", "new_const_float", f32, float32(-1.25))
		add("0.1", "new_const_double", f64, 0.1)
		add("NULL", "new_const_null", m.to("ref", i128))
		add("[1 2 3]", "new_const_seq", arr, []mu.Value{m.k(8, 1), m.k(8, 2), m.k(8, 3)})
		m.finish()
		for name, text := range want {
			if got := fmt.Sprint(check(d, d.ConstNamed)(name)); got != text {
				d.Errorf("a constant is %s, want %s", got, text)
			}
		}
	}},
	{"a redefinition", func(d *driver) {
		d.load(`.funcdef $f VERSION %v <@one> { %e(<@i64> %x): RET %x } .funcdef $g VERSION %v <@one> { %e(<@i64> %x): %y = CALL <@one> $f(%x) RET %y }`)
		d.expect("5", "$g", int64(5))
		m := d.begin()
		f := m.do("get_node", m.b, int32(check(d, d.vm.ID)(d.own("$f"))))
		y := &bodyOf{making: m, f: f, v: m.do("new_func_ver", m.b, f)}
		bb, p := y.block(m.int(64))
		y.bb = bb
		y.ret(y.sum(p[0], p[0]))
		m.finish()
		d.expect("10", "$g", int64(5))
	}},
	{"code that builds code", func(d *driver) {
		m := d.begin()
		node := m.typ("irnoderef")
		y, _ := m.function(nil, []mu.Value{node})
		b := y.common(nodes.First, nil, nil, nil)
		y.common(nodes.First+6, nil, nil, []mu.Value{b, m.k(32, 64)}) // new_type_int
		y.ret(b)
		name := y.named(y.f)
		m.finish()
		l, err := d.Ctx.Call(check(d, d.FuncNamed)(name))
		if err != nil {
			d.Fatal(err)
		}
		d.do("load_bundle_from_node", l[0])
	}},
	{"a bundle that is given up", func(d *driver) {
		m := d.begin()
		name := m.named(m.do("new_global_cell", m.b, m.int(64)))
		m.do("abort_bundle_node", m.b)
		if _, err := d.vm.ID(name); err == nil {
			d.Error("the bundle was loaded")
		}
	}},
}

// TestBuiltRows builds, loads and runs something with every instruction of the IR builder.
func TestBuiltRows(t *testing.T) {
	d := newDriver(t)
	for _, c := range built {
		c.run(&driver{&client{t, d.vm, d.Ctx}, d.done})
		if t.Failed() {
			t.Fatalf("in: %s", c.name)
		}
	}
	for _, r := range nodes.Rows {
		if !d.done[r.Name] {
			t.Errorf("the test uses no %s", r.Name)
		}
	}
}
