package live_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/live"
	"github.com/uvm2go/uvm2go/rtlib/mu"
	"github.com/uvm2go/uvm2go/transpile/front"
)

// later makes bundles with the IR builder of Go clients.
type later struct {
	*client
	b *live.IRBuilder
}

func newLater(t *testing.T) *later {
	c := newClient(t)
	return &later{c, live.NewIRBuilder(c.Ctx)}
}

// sym gives an ID. In a name $ stands for the test's own.
func (l *later) sym(name string) mu.ID {
	l.Helper()
	id, err := l.b.GenSym(l.own(name))
	if err != nil {
		l.Fatal(err)
	}
	return id
}

// syms gives IDs without names.
func (l *later) syms(n int) (ids []mu.ID) {
	l.Helper()
	for range n {
		ids = append(ids, l.sym(""))
	}
	return ids
}

// do calls a function of the builder.
func (l *later) do(function string, args ...any) {
	l.Helper()
	if err := l.b.Call(function, args...); err != nil {
		l.Fatal(err)
	}
}

// make calls a function with a new ID as its first argument, and returns it.
func (l *later) make(function string, args ...any) mu.ID {
	l.Helper()
	id := l.sym("")
	l.do(function, append([]any{id}, args...)...)
	return id
}

// built loads the bundle.
func (l *later) built() {
	l.Helper()
	if err := l.b.Load(); err != nil {
		l.Fatal(err)
	}
}

// wrong loads the bundle, which must be refused with a code and with messages in this order.
func (l *later) wrong(code mu.Code, want ...string) {
	l.Helper()
	err := l.b.Load()
	var e *mu.Error
	if !errors.As(err, &e) || e.Code != code {
		l.Errorf("error %v, want %s", err, code)
		return
	}
	rest := e.Msg
	for _, w := range want {
		i := strings.Index(rest, l.own(w))
		if i < 0 {
			l.Errorf("error %v, want in it, in this order: %q", err, want)
			return
		}
		rest = rest[i:]
	}
}

// ids makes a list.
func ids(l ...mu.ID) []mu.ID { return l }

const none mu.ID = 0

// A function with a loop is built with every ID used before the call that defines it.
func TestIRBuilder(t *testing.T) {
	l := newLater(t)
	s := l.syms(16)
	i64, i1, sig, zero, one, ver, entry, loop, body, done := s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9]
	f := l.sym("$fac")
	l.do("new_func_ver", ver, f, ids(entry, loop, body, done))
	l.do("new_func", f, sig)
	n, n1, r1, n2, r2, r3 := l.sym("$n"), l.sym(""), l.sym(""), l.sym(""), l.sym(""), l.sym("")
	jump, eq, br, mul, sub, back, ret := s[10], s[11], s[12], s[13], s[14], s[15], l.sym("")
	toLoop, toDone, toBody, again := l.sym(""), l.sym(""), l.sym(""), l.sym("")
	cond, prod, less := l.sym(""), l.sym(""), l.sym("$less")
	l.do("new_bb", entry, ids(n), ids(i64), none, ids(jump))
	l.do("new_branch", jump, toLoop)
	l.do("new_dest_clause", toLoop, loop, ids(n, one))
	l.do("new_bb", loop, ids(n1, r1), ids(i64, i64), none, ids(eq, br))
	l.do("new_cmp", eq, cond, 0x20, i64, n1, zero)
	l.do("new_branch2", br, cond, toDone, toBody)
	l.do("new_dest_clause", toDone, done, ids(r1))
	l.do("new_dest_clause", toBody, body, ids(n1, r1))
	l.do("new_bb", body, ids(n2, r2), ids(i64, i64), none, ids(mul, sub, back))
	l.do("new_binop", mul, prod, 0x03, i64, n2, r2, none)
	l.do("new_binop", sub, less, 0x02, i64, n2, one, none)
	l.do("new_branch", back, again)
	l.do("new_dest_clause", again, loop, ids(less, prod))
	l.do("new_bb", done, ids(r3), ids(i64), none, ids(ret))
	l.do("new_ret", ret, ids(r3))
	l.do("new_funcsig", sig, ids(i64), ids(i64))
	l.do("new_const_int", zero, i64, 0)
	l.do("new_const_int", one, i64, 1)
	l.do("new_type_int", i64, 64)
	l.do("new_type_int", i1, 1)
	l.built()
	l.expect("2432902008176640000", "$fac", 20)
	if got, err := l.vm.ID(l.own("$fac")); err != nil || got != f {
		t.Errorf("$fac has ID %v, %v, want %v", got, err, f)
	}
	if got, err := l.vm.Name(less); err != nil || got != l.own("$less") {
		t.Errorf("ID %v has name %q, %v", less, got, err)
	}
	if fn, err := l.Func(f); err != nil {
		t.Error(err)
	} else if list, err := l.Ctx.Call(fn, 3); err != nil || list[0].(mu.Int).Int64() != 6 {
		t.Errorf("the function with the ID: %v, %v", list, err)
	}
	if _, err := l.Type(i64); err != nil {
		t.Errorf("the type without a name: %v", err)
	}
}

// After Load and Abort every call is an error.
func TestIRBuilderEnded(t *testing.T) {
	for _, end := range []func(b *live.IRBuilder) error{(*live.IRBuilder).Load, (*live.IRBuilder).Abort} {
		l := newLater(t)
		id := l.make("new_type_int", 13)
		if err := end(l.b); err != nil {
			t.Fatal(err)
		}
		_, symErr := l.b.GenSym("")
		for what, err := range map[string]error{"GenSym": symErr, "Call": l.b.Call("new_type_int", id, 64), "Load": l.b.Load(), "Abort": l.b.Abort()} {
			if !errors.Is(err, mu.BadHandle) || !strings.Contains(err.Error(), "the bundle was loaded or given up") {
				t.Errorf("%s after the end: %v", what, err)
			}
		}
	}
}

// A bundle that was given up leaves nothing.
func TestIRBuilderAbort(t *testing.T) {
	l := newLater(t)
	l.do("new_type_int", l.sym("$t"), 9)
	if err := l.b.Abort(); err != nil {
		t.Fatal(err)
	}
	if id, err := l.vm.ID(l.own("$t")); err == nil {
		t.Errorf("$t has ID %d", id)
	}
	l.b = live.NewIRBuilder(l.Ctx)
	l.do("new_type_int", l.sym("$t"), 9)
	l.built()
}

// Arguments of Call that no function takes.
func TestIRBuilderArgs(t *testing.T) {
	l := newLater(t)
	id := l.sym("")
	for want, err := range map[string]error{
		`no function "new_typ"`:                                      l.b.Call("new_typ", id),
		"new_type_int: len wants an integer or bool, got float64":    l.b.Call("new_type_int", id, 1.5),
		"new_type_int: id wants a mu.ID, got int":                    l.b.Call("new_type_int", 5, 1),
		"new_type_struct: fieldtys wants a []mu.ID, got mu.ID":       l.b.Call("new_type_struct", id, id),
		"new_const_float: value wants a float32, got float64":        l.b.Call("new_const_float", id, id, 1.5),
		"new_const_extern: symbol wants a string, got int":           l.b.Call("new_const_extern", id, id, 1),
		"new_type_int wants 2 arguments (id, len), got 1":            l.b.Call("new_type_int", id),
		"new_type_int wants 2 arguments (id, len), got 3":            l.b.Call("new_type_int", id, 1, 2),
		"new_bb: nor_param_ids has 1 elements and nor_param_types 0": l.b.Call("new_bb", id, ids(id), ids(), none, ids()),
		"new_nsc_pass_values: tys has 0 elements and vars 1":         l.b.Call("new_nsc_pass_values", id, ids(), ids(id)),
		"new_switch: cases has 1 elements and dests 2":               l.b.Call("new_switch", id, id, id, id, ids(id), ids(id, id)),
		"new_comminst: flags wants a []uint32, got []mu.ID":          l.b.Call("new_comminst", id, ids(), 0x201, ids(), ids(), ids(), ids(), none, none),
		"new_const_int_ex: values wants a []uint64, got []int":       l.b.Call("new_const_int_ex", id, id, []int{1}),
		"new_watchpoint: result_ids has 2 elements and rettys 1":     l.b.Call("new_watchpoint", id, 1, ids(id, id), ids(id), none, none, none, none),
	} {
		if !errors.Is(err, mu.BadArg) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	l.built() // none of these calls counts
}

// Later bundles use, and give bodies to, what earlier ones have defined, by ID.
func TestIRBuilderBundles(t *testing.T) {
	l := newLater(t)
	i64, cell, f, seven := l.make("new_type_int", 64), l.sym(""), l.sym("$f"), l.sym("")
	sig := l.make("new_funcsig", ids(i64), ids(i64))
	l.do("new_func", f, sig)
	l.do("new_global_cell", cell, i64)
	l.do("new_const_int", seven, i64, 7)
	l.built()
	for i, want := range []string{"7", "14"} {
		l.b = live.NewIRBuilder(l.Ctx)
		x, old, sum, bb := l.sym(""), l.sym(""), l.sym(""), l.sym("")
		insts := ids(l.make("new_load", old, false, 0, i64, cell, none), l.make("new_binop", sum, 1, i64, old, seven, none),
			l.make("new_store", 0, 6, i64, cell, sum, none), l.make("new_ret", ids(sum)))
		l.do("new_bb", bb, ids(x), ids(i64), none, insts)
		v := l.sym("")
		l.do("new_func_ver", v, f, ids(bb))
		l.built()
		l.expect(want, "$f", i)
	}
	l.b = live.NewIRBuilder(l.Ctx)
	l.do("new_func", l.sym("$g"), cell)
	l.wrong(mu.BadBundle, "new_func: sig wants a signature, got a global cell: the entity with the ID")
	l.b = live.NewIRBuilder(l.Ctx)
	l.do("new_type_int", l.sym("$f"), 8)
	l.wrong(mu.Conflict, "$f redefined")
}

// An exception clause, its exception parameter, and results that exist only on the normal edge.
func TestIRBuilderClauses(t *testing.T) {
	l := newLater(t)
	i64, void := l.make("new_type_int", 64), l.make("new_type_void")
	ref := l.make("new_type_ref", void)
	obj := l.make("new_type_ref", i64)
	one, f := l.make("new_funcsig", ids(i64), ids(i64)), l.sym("$f")
	l.do("new_func", f, one)
	x, x2, q, q2, zero, bb, good, bad, exc := l.sym(""), l.sym(""), l.sym(""), l.sym(""), l.sym(""), l.sym(""), l.sym(""), l.sym(""), l.sym("")
	hundred := l.make("new_const_int", i64, 100)
	l.do("new_const_int", zero, i64, uint64(0xffffffffffffffff)) // -1
	n := l.sym("")
	clause := l.make("new_exc_clause", l.make("new_dest_clause", good, ids(q, x, n)), l.make("new_dest_clause", bad, ids()))
	i1 := l.make("new_type_int", 1)
	flag, wide := l.sym(""), l.sym("")
	l.do("new_bb", bb, ids(x), ids(i64), none, ids(l.make("new_binop_with_status", q, ids(n), 4, 1, i64, hundred, x, clause)))
	l.do("new_bb", good, ids(q2, x2, flag), ids(i64, i64, i1), none, ids(l.make("new_conv", wide, 0x31, i1, i64, flag),
		l.make("new_binop", l.sym("$sum"), 1, i64, q2, wide, none), l.make("new_ret", ids(q2))))
	l.do("new_bb", bad, ids(), ids(), exc, ids(l.make("new_ret", ids(zero))))
	l.make("new_func_ver", f, ids(bb, good, bad))
	// An object thrown through a call, and GETIREF whose type is that of the reference, as older clients write it.
	thrower, th, tb := l.sym("$throw"), l.sym(""), l.sym("")
	o, at := l.sym(""), l.sym("")
	l.do("new_func", thrower, one)
	l.do("new_bb", tb, ids(th), ids(i64), none, ids(l.make("new_new", o, i64, none), l.make("new_getiref", at, obj, o),
		l.make("new_store", false, 0, i64, at, th, none), l.make("new_throw", o)))
	l.make("new_func_ver", thrower, ids(tb))
	catcher, cx, cr, cb, cn, cc, ce, cast, ci, cv := l.sym("$catch"), l.sym(""), l.sym(""), l.sym(""), l.sym(""), l.sym(""), l.sym(""), l.sym(""), l.sym(""), l.sym("")
	cr2 := l.sym("")
	l.do("new_func", catcher, one)
	call := l.make("new_call", ids(cr), one, thrower, ids(cx), l.make("new_exc_clause", l.make("new_dest_clause", cn, ids(cr)), l.make("new_dest_clause", cc, ids())), none)
	l.do("new_bb", cb, ids(cx), ids(i64), none, ids(call))
	l.do("new_bb", cn, ids(cr2), ids(i64), none, ids(l.make("new_ret", ids(cr2))))
	l.do("new_bb", cc, ids(), ids(), ce, ids(l.make("new_conv", cast, 0x3a, ref, obj, ce), l.make("new_getiref", ci, i64, cast),
		l.make("new_load", cv, false, 0, i64, ci, none), l.make("new_ret", ids(cv))))
	l.make("new_func_ver", catcher, ids(cb, cn, cc))
	l.built()
	l.expect("-33", "$f", -3)
	l.expect("-1", "$f", 0)
	l.expect("42", "$catch", 42)
}

// A program of package front is loaded into a running program, several times with other names.
func TestLoadFront(t *testing.T) {
	l := newLater(t)
	for i, name := range []string{"$f", "$g"} {
		p := front.New()
		i64 := p.Make("", front.Int(64))
		at := front.Pos{File: "prog.lang", Line: 7, Col: 2}
		b := p.Func(l.own(name), p.Sig([]front.Type{i64}, []front.Type{i64})).Body(at)
		b.Entry.Ret(b.Entry.Bin(front.SDiv, i64, p.Int(i64, int64(10*(i+1))), b.Args[0]))
		q, err := p.IR()
		if err != nil {
			t.Fatal(err)
		}
		if err := live.Load(l.Ctx, q); err != nil {
			t.Fatal(err)
		}
	}
	l.expect("5", "$f", 2)
	l.expect("10", "$g", 2)
	if got := l.call("$g", 0); !strings.Contains(got, "prog.lang:7") || !strings.Contains(got, "E_DIVZERO") {
		t.Errorf("division by zero: %s", got)
	}
}

// Goroutines make calls at the same time; what they build is one bundle.
func TestIRBuilderTogether(t *testing.T) {
	l := newLater(t)
	i64 := l.make("new_type_int", 64)
	sig := l.make("new_funcsig", ids(i64), ids(i64))
	funcs := make([]mu.ID, 8)
	var all sync.WaitGroup
	for n := range funcs {
		all.Go(func() {
			gen := func() mu.ID {
				id, err := l.b.GenSym("")
				if err != nil {
					t.Error(err)
				}
				return id
			}
			f, v, bb, x, r, add, ret, k := gen(), gen(), gen(), gen(), gen(), gen(), gen(), gen()
			for _, c := range [][]any{
				{"new_func", f, sig}, {"new_func_ver", v, f, ids(bb)}, {"new_bb", bb, ids(x), ids(i64), none, ids(add, ret)},
				{"new_binop", add, r, 1, i64, x, k, none}, {"new_const_int", k, i64, n}, {"new_ret", ret, ids(r)},
			} {
				if err := l.b.Call(c[0].(string), c[1:]...); err != nil {
					t.Error(err)
				}
			}
			funcs[n] = f
		})
	}
	all.Wait()
	l.built()
	for n, id := range funcs {
		f, err := l.Func(id)
		if err != nil {
			t.Fatal(err)
		}
		if list, err := l.Ctx.Call(f, 100); err != nil || list[0].(mu.Int).Int64() != int64(100+n) {
			t.Errorf("function %d: %v, %v", n, list, err)
		}
	}
}
