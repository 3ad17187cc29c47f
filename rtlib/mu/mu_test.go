package mu_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/rtlib/mu"
	_ "github.com/uvm2go/uvm2go/rtlib/mu/internal/demo"
)

// open returns a context that closes with the test, without a trap handler.
func open(t testing.TB) *mu.Ctx {
	t.Helper()
	vm, err := mu.Open()
	if err != nil {
		t.Fatal(err)
	}
	c := vm.NewContext()
	t.Cleanup(func() {
		c.Close()
		vm.SetTrapHandler(nil)
	})
	return c
}

func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func fn(t testing.TB, c *mu.Ctx, name string) mu.FuncRef {
	t.Helper()
	return must[mu.FuncRef](t)(c.FuncNamed(name))
}

// call calls a function of int<64>s.
func call(t testing.TB, c *mu.Ctx, name string, args ...int64) []int64 {
	t.Helper()
	var vals []mu.Value
	for _, a := range args {
		vals = append(vals, c.Int(a, 64))
	}
	res := must[[]mu.Value](t)(c.Call(fn(t, c, name), vals...))
	var out []int64
	for _, r := range res {
		out = append(out, r.(mu.Int).Int64())
	}
	return out
}

func want(t testing.TB, got []int64, w ...int64) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(w) {
		t.Errorf("got %d, want %d", got, w)
	}
}

func wantCode(t testing.TB, err error, code mu.Code) {
	t.Helper()
	if !errors.Is(err, &mu.Error{Code: code}) {
		t.Errorf("error %v, want %s", err, code)
	}
}

// handle makes h the trap handler; errors inside are the test's.
func handle(t testing.TB, c *mu.Ctx, h func(c *mu.Ctx, th mu.ThreadRef, s mu.StackRef, site string, wpid uint32) mu.TrapResult) {
	c.VM().SetTrapHandler(func(tc *mu.Ctx, th mu.ThreadRef, s mu.StackRef, wpid uint32) mu.TrapResult {
		cur := must[mu.Cursor](t)(tc.NewCursor(s))
		id := must[mu.ID](t)(tc.CurInst(cur))
		site := ""
		if id != 0 {
			site = must[string](t)(tc.VM().Name(id))
		}
		if err := tc.CloseCursor(cur); err != nil {
			t.Error(err)
		}
		return h(tc, th, s, site, wpid)
	})
}

func TestCall(t *testing.T) {
	c := open(t)
	want(t, call(t, c, "@gcd", 48, 36), 12)
	e := must[mu.Ref](t)(c.NewFixed(must[mu.Type](t)(c.TypeNamed("@i64"))))
	r := must[mu.Value](t)(c.RefCast(e, must[mu.Type](t)(c.TypeNamed("@R"))))
	_, err := c.Call(fn(t, c, "@throws"), r)
	var exc *mu.Exception
	if !errors.As(err, &exc) {
		t.Fatalf("error %v, want an exception", err)
	}
	if same, err := c.Same(exc.Exc, r); err != nil || !same {
		t.Errorf("another exception: %v", err)
	}
	_, err = c.Call(fn(t, c, "@divide"), c.Int(1, 64), c.Int(0, 64))
	wantCode(t, err, mu.DivByZero)
	_, err = c.Call(fn(t, c, "@gcd"), c.Int(1, 64))
	wantCode(t, err, mu.TypeMismatch)
	_, err = c.Call(fn(t, c, "@gcd"), c.Int(1, 64), c.Int(1, 7))
	wantCode(t, err, mu.TypeMismatch)
}

func TestValues(t *testing.T) {
	c := open(t)
	if n := c.Int(-3, 6); n.Int64() != -3 || n.Uint64() != 61 {
		t.Errorf("%d %d", n.Int64(), n.Uint64())
	}
	b, _ := new(big.Int).SetString("123456789abcdef0123456789", 16)
	if n := c.BigInt(b, 100).Big(); n.Cmp(b) != 0 {
		t.Errorf("%x", n)
	}
	if n := c.BigInt(big.NewInt(-1), 70).Big(); n.BitLen() != 70 {
		t.Errorf("%x", n)
	}
	k := must[mu.Value](t)(c.Const(must[mu.ID](t)(c.VM().ID("@big"))))
	if k.(mu.Int).Big().Cmp(b) != 0 {
		t.Errorf("@big is %x", k.(mu.Int).Big())
	}
	s := must[mu.Value](t)(c.Const(must[mu.ID](t)(c.VM().ID("@apair")))).(mu.Struct)
	if f := must[mu.Value](t)(c.Field(s, 0)).(mu.Int); f.Int64() != 7 {
		t.Error("field 0")
	}
	s2 := must[mu.Struct](t)(c.WithField(s, 2, c.Double(9)))
	if f := must[mu.Value](t)(c.Field(s2, 2)).(mu.Double); f.Float64() != 9 {
		t.Error("field 2")
	}
	if f := must[mu.Value](t)(c.Field(s, 2)).(mu.Double); f.Float64() != 0.5 {
		t.Error("field 2 of the old one")
	}
	_, err := c.WithField(s, 1, c.Double(9))
	wantCode(t, err, mu.TypeMismatch)
	_, err = c.Field(s, 3)
	wantCode(t, err, mu.OutOfRange)

	o := must[mu.Ref](t)(c.NewFixed(must[mu.Type](t)(c.TypeNamed("@i64"))))
	tr := must[mu.TagRef64](t)(c.TagRef(o, 5))
	back, tag, err := c.Ref(tr)
	if err != nil || tag != 5 || back.IsNull() || !tr.IsRef() || tr.IsInt() {
		t.Error("tagref64", tag, err)
	}
	_, err = tr.Int()
	wantCode(t, err, mu.TypeMismatch)
	if v, err := c.TagInt(77).Int(); v != 77 || err != nil {
		t.Error(v, err)
	}
	if v, err := c.TagFP(1.5).FP(); v != 1.5 || err != nil {
		t.Error(v, err)
	}
}

func TestMemory(t *testing.T) {
	c := open(t)
	loc := must[mu.IRef](t)(c.Global(must[mu.ID](t)(c.VM().ID("@cell"))))
	if err := c.Store(mu.SeqCst, loc, c.Int(40, 64)); err != nil {
		t.Fatal(err)
	}
	old := must[mu.Value](t)(c.AtomicRMW(mu.SeqCst, mu.ADD, loc, c.Int(2, 64)))
	if old.(mu.Int).Int64() != 40 {
		t.Error("atomicrmw")
	}
	if _, ok, err := c.CmpXchg(mu.SeqCst, mu.SeqCst, loc, c.Int(1, 64), c.Int(2, 64)); ok || err != nil {
		t.Error("cmpxchg", err)
	}
	if _, ok, err := c.CmpXchg(mu.SeqCst, mu.SeqCst, loc, c.Int(42, 64), c.Int(2, 64)); !ok || err != nil {
		t.Error("cmpxchg", err)
	}
	if v := must[mu.Value](t)(c.Load(mu.Acquire, loc)).(mu.Int); v.Int64() != 2 {
		t.Error("load")
	}
	wantCode(t, c.Store(mu.SeqCst, loc, c.Int(1, 32)), mu.TypeMismatch)
	wantCode(t, c.Store(mu.Acquire, loc, c.Int(1, 64)), mu.BadArg)
	h := must[mu.Ref](t)(c.NewHybrid(must[mu.Type](t)(c.TypeNamed("@text")), 3))
	v := must[mu.IRef](t)(c.VarPartIRef(must[mu.IRef](t)(c.IRef(h))))
	for i := range int64(3) {
		at := must[mu.IRef](t)(c.ShiftIRef(v, i))
		if err := c.Store(mu.NotAtomic, at, c.Int(i*i, 32)); err != nil {
			t.Error(err)
		}
	}
	if err := c.Collect(); err != nil {
		t.Fatal(err)
	}
	at := must[mu.IRef](t)(c.ShiftIRef(v, 2))
	if x := must[mu.Value](t)(c.Load(mu.NotAtomic, at)).(mu.Int); x.Int64() != 4 {
		t.Error("hybrid", x.Int64())
	}
	wantCode(t, c.Unpin(h), mu.NotPinned)
	if p := must[mu.UPtr](t)(c.Pin(h)); p.Addr() == 0 {
		t.Error("pin")
	}
	if err := c.Unpin(h); err != nil {
		t.Error(err)
	}
	null := must[mu.Value](t)(c.Null(at.Type())).(mu.IRef)
	_, err := c.Load(mu.NotAtomic, null)
	wantCode(t, err, mu.Null)
}

func TestHandles(t *testing.T) {
	c, d := open(t), open(t)
	n := c.Int(1, 64)
	_, err := d.Call(fn(t, d, "@pushed"), n)
	wantCode(t, err, mu.BadHandle)
	if err := c.Delete(n); err != nil {
		t.Error(err)
	}
	wantCode(t, c.Delete(n), mu.BadHandle)
	_, err = c.NewStack(mu.FuncRef{})
	wantCode(t, err, mu.BadHandle)
	_, err = c.VM().ID("@nothing")
	wantCode(t, err, mu.NoName)
	_, err = c.VM().Name(12)
	wantCode(t, err, mu.NoID)
	_, err = c.Func(must[mu.ID](t)(c.VM().ID("@i64")))
	wantCode(t, err, mu.NoID)
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	wantCode(t, d.Close(), mu.CtxClosed)
	_, err = d.FuncNamed("@gcd")
	if err == nil {
		_, err = d.Call(fn(t, d, "@gcd"))
	}
	wantCode(t, err, mu.CtxClosed)
	_, err = c.ThreadLocal(mu.ThreadRef{})
	wantCode(t, err, mu.BadHandle)
}

// TestNames is mu-runtime, section 1: names and IDs are each other's inverse.
func TestNames(t *testing.T) {
	c := open(t)
	for _, name := range []string{"@gcd", "@gcd.v1", "@gcd.v1.more", "@ask.v1.entry.ask", "@i64", "@two", "@cell", "@half",
		"@uvm.meta.bytes", "@gcd.v1.more.r"} {
		id := must[mu.ID](t)(c.VM().ID(name))
		if got := must[string](t)(c.VM().Name(id)); got != name {
			t.Errorf("%s is called %s", name, got)
		}
	}
	if id := must[mu.ID](t)(c.VM().ID("@uvm.meta.trap_handler.sig")); id != 0x264 {
		t.Errorf("ID %#x", id)
	}
}

// TestAsk is mu-runtime, 17.1, and rows 2 and 4 of 8.3.
func TestAsk(t *testing.T) {
	c := open(t)
	var shown int64
	answer := func(tc *mu.Ctx, s mu.StackRef) mu.TrapResult { return mu.PassValues{s, []mu.Value{tc.Int(12, 64)}} }
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		switch site {
		case "@ask.v1.entry.ask":
			return answer(tc, s)
		case "@ask.v1.ok.show":
			cur := must[mu.Cursor](t)(tc.NewCursor(s))
			shown = must[[]mu.Value](t)(tc.DumpKeepalives(cur))[0].(mu.Int).Int64()
			if err := tc.CloseCursor(cur); err != nil {
				t.Error(err)
			}
		}
		return mu.PassValues{Stack: s}
	})
	want(t, call(t, c, "@ask"), 144)
	if shown != 144 {
		t.Errorf("shown %d", shown)
	}
	answer = func(tc *mu.Ctx, s mu.StackRef) mu.TrapResult {
		return mu.ThrowExc{s, must[mu.Ref](t)(tc.NewFixed(must[mu.Type](t)(tc.TypeNamed("@void"))))}
	}
	want(t, call(t, c, "@ask"), -1)
	answer = func(tc *mu.Ctx, s mu.StackRef) mu.TrapResult {
		return mu.ThrowExc{s, must[mu.Value](t)(tc.Null(must[mu.Type](t)(tc.TypeNamed("@R")))).(mu.Ref)}
	}
	want(t, call(t, c, "@ask"), 0)
}

// TestThreadEnd is rows 1 and 3 of 8.3: the trapped stack is left, and another thread
// goes on with it.
func TestThreadEnd(t *testing.T) {
	c := open(t)
	var keep mu.StackRef
	var once sync.Once
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		first := false
		once.Do(func() { first = true })
		if first {
			return mu.ThreadEnd{}
		}
		if site == "@ask.v1.ok.show" {
			cur := must[mu.Cursor](t)(tc.NewCursor(s))
			if v := must[[]mu.Value](t)(tc.DumpKeepalives(cur))[0].(mu.Int).Int64(); v != 81 {
				t.Errorf("shown %d", v)
			}
			tc.CloseCursor(cur)
		}
		return mu.PassValues{Stack: s}
	})
	keep = must[mu.StackRef](t)(c.NewStack(fn(t, c, "@ask")))
	must[mu.ThreadRef](t)(c.NewThread(keep, mu.Ref{}, mu.PassValues{}))
	wait(t, c)
	_, err := c.NewThread(keep, mu.Ref{}, mu.PassValues{})
	wantCode(t, err, mu.TypeMismatch)
	must[mu.ThreadRef](t)(c.NewThread(keep, mu.Ref{}, mu.PassValues{Values: []mu.Value{c.Int(9, 64)}}))
	wait(t, c)
	_, err = c.NewThread(keep, mu.Ref{}, mu.PassValues{})
	wantCode(t, err, mu.StackState)
	wantCode(t, c.KillStack(keep), mu.StackState)
}

func wait(t testing.TB, c *mu.Ctx) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := c.VM().Wait(ctx); err != nil {
		t.Fatal(err)
	}
}

// TestOtherStack is row 3 of 8.3: the thread goes on with another stack.
func TestOtherStack(t *testing.T) {
	c := open(t)
	cell := must[mu.IRef](t)(c.Global(must[mu.ID](t)(c.VM().ID("@cell"))))
	if err := c.Store(mu.SeqCst, cell, c.Int(0, 64)); err != nil {
		t.Fatal(err)
	}
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		other := must[mu.StackRef](t)(tc.NewStack(fn(t, tc, "@none_to_none")))
		if err := tc.KillStack(s); err != nil {
			t.Error(err)
		}
		return mu.PassValues{Stack: other}
	})
	s := must[mu.StackRef](t)(c.NewStack(fn(t, c, "@ask")))
	must[mu.ThreadRef](t)(c.NewThread(s, mu.Ref{}, mu.PassValues{}))
	wait(t, c)
	if v := must[mu.Value](t)(c.Load(mu.SeqCst, cell)).(mu.Int); v.Int64() != 1 {
		t.Errorf("cell %d", v.Int64())
	}
	wantCode(t, c.KillStack(s), mu.StackState)
}

func TestThreadLocal(t *testing.T) {
	c := open(t)
	handle(t, c, func(tc *mu.Ctx, th mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		was := must[mu.Ref](t)(tc.ThreadLocal(th))
		if was.IsNull() {
			t.Error("the thread has no thread-local reference")
		}
		o := must[mu.Ref](t)(tc.NewFixed(must[mu.Type](t)(tc.TypeNamed("@i64"))))
		at := must[mu.IRef](t)(tc.IRef(o))
		if err := tc.Store(mu.NotAtomic, at, tc.Int(31, 64)); err != nil {
			t.Error(err)
		}
		if err := tc.SetThreadLocal(th, o); err != nil {
			t.Error(err)
		}
		return mu.PassValues{Stack: s}
	})
	o := must[mu.Ref](t)(c.NewFixed(must[mu.Type](t)(c.TypeNamed("@i64"))))
	s := must[mu.StackRef](t)(c.NewStack(fn(t, c, "@setlocal")))
	th := must[mu.ThreadRef](t)(c.NewThread(s, o, mu.PassValues{}))
	_, err := c.ThreadLocal(th)
	wantCode(t, err, mu.NotInTrap)
	wait(t, c)
	root := must[mu.IRef](t)(c.Global(must[mu.ID](t)(c.VM().ID("@root"))))
	x := must[mu.Value](t)(c.Load(mu.NotAtomic, root))
	ri := must[mu.Value](t)(c.RefCast(x, must[mu.Type](t)(c.TypeNamed("@Ri")))).(mu.Ref)
	if v := must[mu.Value](t)(c.Load(mu.NotAtomic, must[mu.IRef](t)(c.IRef(ri)))).(mu.Int); v.Int64() != 31 {
		t.Errorf("%d", v.Int64())
	}
}

// TestKeepalives dumps variables of every type.
func TestKeepalives(t *testing.T) {
	c := open(t)
	var got string
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		cur := must[mu.Cursor](t)(tc.NewCursor(s))
		k := must[[]mu.Value](t)(tc.DumpKeepalives(cur))
		if err := tc.Collect(); err != nil {
			t.Error(err)
		}
		ref, tag, err := tc.Ref(k[7].(mu.TagRef64))
		if err != nil {
			t.Error(err)
		}
		r := must[mu.Value](t)(tc.RefCast(ref, k[5].Type())).(mu.Ref)
		same := must[bool](t)(tc.Same(r, k[5]))
		ld := func(l mu.IRef) int64 { return must[mu.Value](t)(tc.Load(mu.NotAtomic, l)).(mu.Int).Int64() }
		fp, err := k[8].(mu.TagRef64).FP()
		if err != nil {
			t.Error(err)
		}
		p := k[9].(mu.Struct)
		me := must[bool](t)(tc.Same(k[10], s))
		got = fmt.Sprint(k[0].(mu.Int).Uint64(), k[1].(mu.Int).Int64(), k[2].(mu.Int).Big(), k[3].(mu.Double).Float64(),
			k[4].(mu.Float).Float32(), ld(must[mu.IRef](t)(tc.IRef(k[5].(mu.Ref)))), ld(k[6].(mu.IRef)), tag, same, fp,
			must[mu.Value](t)(tc.Field(p, 0)).(mu.Int).Int64(), must[mu.Value](t)(tc.Field(p, 2)).(mu.Double).Float64(), me)
		if err := tc.CloseCursor(cur); err != nil {
			t.Error(err)
		}
		return mu.PassValues{Stack: s}
	})
	want(t, call(t, c, "@keep", 1000), 1000)
	b, _ := new(big.Int).SetString("123456789abcdef0123456789", 16)
	b.Add(b, big.NewInt(1000))
	if w := fmt.Sprint(1, 1000, b, 1000.0, float32(1000), 1000, 1000, 9, true, 1000.0, 7, 1000.0, true); got != w {
		t.Errorf("got  %s\nwant %s", got, w)
	}
}

// frames lists the functions of a stack from the top down, and where they rest.
func frames(t testing.TB, c *mu.Ctx, s mu.StackRef) (names, sites []string) {
	t.Helper()
	cur := must[mu.Cursor](t)(c.NewCursor(s))
	name := func(id mu.ID, err error) string {
		if err != nil {
			t.Error(err)
		}
		if id == 0 {
			return "-"
		}
		return must[string](t)(c.VM().Name(id))
	}
	for {
		names = append(names, name(c.CurFunc(cur)))
		sites = append(sites, name(c.CurInst(cur)))
		if err := c.NextFrame(cur); err != nil {
			wantCode(t, err, mu.Bottom)
			break
		}
	}
	if err := c.CloseCursor(cur); err != nil {
		t.Error(err)
	}
	return names, sites
}

// popTo pops the frames above the n-th from the top.
func popTo(t testing.TB, c *mu.Ctx, s mu.StackRef, n int) {
	t.Helper()
	cur := must[mu.Cursor](t)(c.NewCursor(s))
	for range n {
		if err := c.NextFrame(cur); err != nil {
			t.Error(err)
		}
	}
	if err := c.PopFramesTo(cur); err != nil {
		t.Error(err)
	}
	if err := c.CloseCursor(cur); err != nil {
		t.Error(err)
	}
}

func push(t testing.TB, c *mu.Ctx, s mu.StackRef, names ...string) {
	t.Helper()
	for _, n := range names {
		if err := c.PushFrame(s, fn(t, c, n)); err != nil {
			t.Errorf("push %s: %v", n, err)
		}
	}
}

func ints(c *mu.Ctx, vals ...int64) []mu.Value {
	var l []mu.Value
	for _, v := range vals {
		l = append(l, c.Int(v, 64))
	}
	return l
}

// TestReplacement is every combination of popping and pushing of mu-runtime, section 7,
// on the stack of 17.2: @inner at its TRAP, called by @outer, called by @osr with 2.
// @inner would return 210-... to @outer, which adds 2, and @osr adds 200.
func TestReplacement(t *testing.T) {
	whole := int64(20*21/2 + 2 + 200)
	tests := []struct {
		name  string
		pop   int
		push  []string
		throw bool
		pass  []int64
		want  int64
		after string // the frames after the edit
	}{
		{"nothing", 0, nil, false, nil, whole, "[@inner @outer @osr]"},
		{"throw", 0, nil, true, nil, -1 + 2 + 200, "[@inner @outer @osr]"},
		{"pop one", 1, nil, false, []int64{7}, 7 + 2 + 200, "[@outer @osr]"},
		{"pop one, throw", 1, nil, true, nil, -1 + 200, "[@outer @osr]"},
		{"pop two", 2, nil, false, []int64{7}, 7 + 200, "[@osr]"},
		{"pop two, throw", 2, nil, true, nil, 2, "[@osr]"},
		{"17.2", 2, []string{"@outer_resume"}, false, []int64{2, 5, 30}, 70 + 200, "[@outer_resume @osr]"},
		{"push on the trap", 0, []string{"@none_to_none"}, false, nil, whole, "[@none_to_none @inner @outer @osr]"},
		{"push on the trap, throw", 0, []string{"@none_to_none"}, true, nil, -1 + 2 + 200, "[@none_to_none @inner @outer @osr]"},
		{"pop and push two", 2, []string{"@sub", "@swapped"}, false, []int64{10}, 1 + 200, "[@swapped @sub @osr]"},
		{"pop and push two, throw", 2, []string{"@sub", "@swapped"}, true, nil, 2, "[@swapped @sub @osr]"},
		{"pop one, push a call", 1, []string{"@gcd"}, false, []int64{48, 36}, 12 + 2 + 200, "[@gcd @outer @osr]"},
		{"pushed one rests", 2, []string{"@pushed"}, false, []int64{30}, 34 + 200, "[@pushed @osr]"},
		{"lower one rests", 2, []string{"@pushed", "@sub"}, false, []int64{40, 10}, 34 + 200, "[@sub @pushed @osr]"},
		{"upper one rests", 2, []string{"@sub", "@swapped", "@pushed"}, false, []int64{30}, 1 + 200, "[@pushed @swapped @sub @osr]"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := open(t)
			handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
				if site == "@pushed.v1.entry.again" {
					return mu.PassValues{s, ints(tc, 4)}
				}
				popTo(t, tc, s, test.pop)
				push(t, tc, s, test.push...)
				if err := tc.Collect(); err != nil {
					t.Error(err)
				}
				if names, _ := frames(t, tc, s); fmt.Sprint(names) != test.after {
					t.Errorf("frames %s, want %s", names, test.after)
				}
				if test.throw {
					return mu.ThrowExc{s, must[mu.Ref](t)(tc.NewFixed(must[mu.Type](t)(tc.TypeNamed("@void"))))}
				}
				return mu.PassValues{s, ints(tc, test.pass...)}
			})
			want(t, call(t, c, "@osr", 2), test.want)
		})
	}
}

// TestPushedRests edits a stack on which a pushed function rests above others that have
// not started.
func TestPushedRests(t *testing.T) {
	tests := []struct {
		pop  int
		push []string
		pass []int64
		want int64
	}{
		{0, nil, []int64{4}, 1 + 200},                  // pushed, swapped, sub
		{1, nil, []int64{9}, 1 + 200},                  // swapped, sub
		{2, nil, []int64{9, 4}, 5 + 200},               // sub
		{3, nil, []int64{9}, 9 + 200},                  // osr
		{1, []string{"@gcd"}, []int64{8, 12}, 1 + 200}, // gcd, swapped, sub
		{2, []string{"@swapped"}, []int64{9}, 1 + 200},
		{3, []string{"@sub"}, []int64{9, 2}, 7 + 200},
	}
	for _, test := range tests {
		c := open(t)
		handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
			if site == "@inner.v1.trap.hot" {
				popTo(t, tc, s, 2)
				push(t, tc, s, "@sub", "@swapped", "@pushed")
				return mu.PassValues{s, ints(tc, 30)}
			}
			names, sites := frames(t, tc, s)
			if fmt.Sprint(names) != "[@pushed @swapped @sub @osr]" || fmt.Sprint(sites) != "[@pushed.v1.entry.again - - @osr.v1.entry.c0]" {
				t.Errorf("frames %s at %s", names, sites)
			}
			popTo(t, tc, s, test.pop)
			push(t, tc, s, test.push...)
			return mu.PassValues{s, ints(tc, test.pass...)}
		})
		want(t, call(t, c, "@osr", 2), test.want)
	}
}

// TestFreshStack pushes on a stack that has not started.
func TestFreshStack(t *testing.T) {
	c := open(t)
	s := must[mu.StackRef](t)(c.NewStack(fn(t, c, "@store")))
	names, sites := frames(t, c, s)
	if fmt.Sprint(names, sites) != "[@store] [-]" {
		t.Errorf("%s %s", names, sites)
	}
	wantCode(t, c.PushFrame(s, fn(t, c, "@gcd")), mu.TypeMismatch)
	s = must[mu.StackRef](t)(c.NewStack(fn(t, c, "@none_to_none")))
	push(t, c, s, "@none_to_none", "@none_to_none")
	if names, _ := frames(t, c, s); len(names) != 3 {
		t.Errorf("%s", names)
	}
	cell := must[mu.IRef](t)(c.Global(must[mu.ID](t)(c.VM().ID("@cell"))))
	if err := c.Store(mu.SeqCst, cell, c.Int(0, 64)); err != nil {
		t.Fatal(err)
	}
	must[mu.ThreadRef](t)(c.NewThread(s, mu.Ref{}, mu.PassValues{}))
	wait(t, c)
	if v := must[mu.Value](t)(c.Load(mu.SeqCst, cell)).(mu.Int); v.Int64() != 3 {
		t.Errorf("cell %d", v.Int64())
	}
}

// TestCursors is the misuse of mu-runtime, 6 and 7.
func TestCursors(t *testing.T) {
	c := open(t)
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		a := must[mu.Cursor](t)(tc.NewCursor(s))
		b := must[mu.Cursor](t)(tc.CopyCursor(a))
		if err := tc.NextFrame(a); err != nil {
			t.Error(err)
		}
		wantCode(t, tc.PopFramesTo(a), mu.CursorOpen) // b is on a frame to pop
		wantCode(t, tc.KillStack(s), mu.CursorOpen)
		_, err := tc.NewThread(s, mu.Ref{}, mu.PassValues{})
		wantCode(t, err, mu.CursorOpen)
		if err := tc.CloseCursor(b); err != nil {
			t.Error(err)
		}
		wantCode(t, tc.CloseCursor(b), mu.CursorClosed)
		wantCode(t, tc.NextFrame(b), mu.CursorClosed)
		_, err = tc.CurFunc(b)
		wantCode(t, err, mu.CursorClosed)
		_, err = tc.DumpKeepalives(b)
		wantCode(t, err, mu.CursorClosed)
		if err := tc.NextFrame(a); err != nil {
			t.Error(err)
		}
		wantCode(t, tc.NextFrame(a), mu.Bottom)
		if id := must[mu.ID](t)(tc.CurFuncVer(a)); must[string](t)(tc.VM().Name(id)) != "@osr.v1" {
			t.Error("version")
		}
		k := must[[]mu.Value](t)(tc.DumpKeepalives(a))
		o := must[mu.IRef](t)(tc.IRef(k[0].(mu.Ref)))
		if v := must[mu.Value](t)(tc.Load(mu.NotAtomic, o)).(mu.Int).Int64(); len(k) != 1 || v != 2 {
			t.Errorf("keepalive %d", v)
		}
		null := must[mu.Value](t)(tc.Null(a.Type())).(mu.Cursor)
		wantCode(t, tc.NextFrame(null), mu.Null)
		wantCode(t, tc.PushFrame(s, fn(t, tc, "@gives")), mu.TypeMismatch)
		if err := tc.CloseCursor(a); err != nil {
			t.Error(err)
		}
		return mu.PassValues{Stack: s}
	})
	want(t, call(t, c, "@osr", 2), 20*21/2+2+200)
	self := must[mu.StackRef](t)(c.NewStack(fn(t, c, "@none_to_none")))
	must[mu.ThreadRef](t)(c.NewThread(self, mu.Ref{}, mu.PassValues{}))
	wait(t, c)
	_, err := c.NewCursor(self)
	wantCode(t, err, mu.StackState)
}

// TestDeep inspects and pops a stack of many frames, also through a tail call.
func TestDeep(t *testing.T) {
	n := int64(20000)
	if strings.Contains(os.Getenv("UVMDEBUG"), "gcstress") {
		n = 200
	}
	for _, entry := range []string{"@deep", "@tail"} {
		c := open(t)
		handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
			names, _ := frames(t, tc, s)
			if int64(len(names)) != n+1 {
				t.Errorf("%d frames", len(names))
			}
			popTo(t, tc, s, int(n)-10)
			if err := tc.Collect(); err != nil {
				t.Error(err)
			}
			return mu.PassValues{s, ints(tc, 1)}
		})
		want(t, call(t, c, entry, n), 1+11*n-55)
	}
}

// TestLazy is mu-runtime, 5.2, as far as nothing defines the function.
func TestLazy(t *testing.T) {
	c := open(t)
	tries := 0
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, wpid uint32) mu.TrapResult {
		cur := must[mu.Cursor](t)(tc.NewCursor(s))
		f := must[mu.ID](t)(tc.CurFunc(cur))
		ver := must[mu.ID](t)(tc.CurFuncVer(cur))
		args := must[[]mu.Value](t)(tc.DumpKeepalives(cur))
		if name := must[string](t)(tc.VM().Name(f)); name != "@lazy" || ver != 0 || site != "" || wpid != 0 || args[0].(mu.Int).Int64() != 5 {
			t.Errorf("%s %d %q %d %v", name, ver, site, wpid, args)
		}
		if err := tc.CloseCursor(cur); err != nil {
			t.Error(err)
		}
		tries++
		switch tries {
		case 1: // tried again
			return mu.PassValues{Stack: s}
		case 2:
			return mu.ThrowExc{s, must[mu.Ref](t)(tc.NewFixed(must[mu.Type](t)(tc.TypeNamed("@void"))))}
		}
		popTo(t, tc, s, 1)
		push(t, tc, s, "@gcd")
		return mu.PassValues{s, ints(tc, 6, 4)}
	})
	want(t, call(t, c, "@calls_lazy", 5), -5)
	want(t, call(t, c, "@calls_lazy", 5), 2)
	if tries != 3 {
		t.Errorf("%d traps", tries)
	}
}

// TestBrokenHandler is row 8 of 8.3: the result is an error of what the client called.
func TestBrokenHandler(t *testing.T) {
	tests := []struct {
		name string
		how  func(c, tc *mu.Ctx, s mu.StackRef) mu.TrapResult
		code mu.Code
	}{
		{"values", func(_, tc *mu.Ctx, s mu.StackRef) mu.TrapResult { return mu.PassValues{Stack: s} }, mu.TypeMismatch},
		{"types", func(_, tc *mu.Ctx, s mu.StackRef) mu.TrapResult {
			return mu.PassValues{s, []mu.Value{tc.Double(1)}}
		}, mu.TypeMismatch},
		{"after an edit", func(_, tc *mu.Ctx, s mu.StackRef) mu.TrapResult {
			push(t, tc, s, "@sub")
			return mu.PassValues{s, ints(tc, 1)}
		}, mu.TypeMismatch},
		{"no stack", func(_, tc *mu.Ctx, s mu.StackRef) mu.TrapResult { return mu.PassValues{} }, mu.BadHandle},
		{"NULL", func(_, tc *mu.Ctx, s mu.StackRef) mu.TrapResult {
			return mu.PassValues{Stack: must[mu.Value](t)(tc.Null(s.Type())).(mu.StackRef)}
		}, mu.Null},
		{"foreign stack", func(c, tc *mu.Ctx, s mu.StackRef) mu.TrapResult {
			return mu.PassValues{must[mu.Value](t)(c.Null(s.Type())).(mu.StackRef), nil}
		}, mu.BadHandle},
		{"foreign value", func(c, tc *mu.Ctx, s mu.StackRef) mu.TrapResult { return mu.PassValues{s, ints(c, 1)} }, mu.BadHandle},
		{"no exception", func(_, tc *mu.Ctx, s mu.StackRef) mu.TrapResult { return mu.ThrowExc{Stack: s} }, mu.BadHandle},
		{"open cursor", func(_, tc *mu.Ctx, s mu.StackRef) mu.TrapResult {
			must[mu.Cursor](t)(tc.NewCursor(s))
			return mu.PassValues{s, ints(tc, 1)}
		}, mu.CursorOpen},
		{"dead stack", func(_, tc *mu.Ctx, s mu.StackRef) mu.TrapResult {
			o := must[mu.StackRef](t)(tc.NewStack(fn(t, tc, "@none_to_none")))
			if err := tc.KillStack(o); err != nil {
				t.Error(err)
			}
			return mu.PassValues{Stack: o}
		}, mu.StackState},
		{"nothing", func(_, tc *mu.Ctx, s mu.StackRef) mu.TrapResult { return nil }, mu.BadArg},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, other := open(t), open(t)
			handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
				return test.how(other, tc, s)
			})
			_, err := c.Call(fn(t, c, "@ask"))
			wantCode(t, err, test.code)
			want(t, call(t, c, "@gcd", 4, 6), 2) // the context is as good as before
		})
	}
}

// TestNativeFrames is mu-runtime, 11.5 and D16: native code that called back is one frame,
// which can be the new top but not be popped.
func TestNativeFrames(t *testing.T) {
	c := open(t)
	how := func(tc *mu.Ctx, s mu.StackRef) mu.TrapResult { return mu.PassValues{Stack: s} }
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		if names, sites := frames(t, tc, s); fmt.Sprint(names, sites) != "[@back - @forth] [@back.v1.entry.in - @forth.v1.entry.cc]" {
			t.Errorf("%s %s", names, sites)
		}
		return how(tc, s)
	})
	want(t, call(t, c, "@forth", 3), 80)
	how = func(tc *mu.Ctx, s mu.StackRef) mu.TrapResult {
		cur := must[mu.Cursor](t)(tc.NewCursor(s))
		tc.NextFrame(cur)
		_, err := tc.DumpKeepalives(cur)
		wantCode(t, err, mu.NativeFrame)
		tc.NextFrame(cur)
		wantCode(t, tc.PopFramesTo(cur), mu.NativeFrame)
		tc.CloseCursor(cur)
		popTo(t, tc, s, 1)
		return mu.PassValues{s, ints(tc, 7)}
	}
	want(t, call(t, c, "@forth", 3), 70)
	how = func(tc *mu.Ctx, s mu.StackRef) mu.TrapResult {
		popTo(t, tc, s, 1)
		push(t, tc, s, "@gcd")
		return mu.PassValues{s, ints(tc, 8, 12)}
	}
	want(t, call(t, c, "@forth", 3), 40)
}

// TestDefine is mu-runtime, 17.4: the trapped call is tried again, others enter what is
// newest, frames that exist go on.
func TestDefine(t *testing.T) {
	c := open(t)
	later := fn(t, c, "@later")
	traps := 0
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		traps++
		if site == "@pushed.v1.entry.again" {
			if err := tc.Define(fn(t, tc, "@later"), fn(t, tc, "@twice")); err != nil {
				t.Error(err)
			}
			return mu.PassValues{s, ints(tc, 4)}
		}
		if err := tc.Define(fn(t, tc, "@later"), fn(t, tc, "@pushed")); err != nil {
			t.Error(err)
		}
		return mu.PassValues{Stack: s}
	})
	wantCode(t, c.Define(later, fn(t, c, "@sub")), mu.Conflict)
	wantCode(t, c.Define(later, fn(t, c, "@lazy")), mu.Conflict)
	wantCode(t, c.Define(fn(t, c, "@sub"), fn(t, c, "@gcd")), mu.Conflict)
	want(t, call(t, c, "@calls_later", 10), 14) // trap, @pushed, which traps and goes on
	want(t, call(t, c, "@calls_later", 10), 20)
	want(t, call(t, c, "@later", 11), 22)
	if traps != 2 {
		t.Errorf("%d traps", traps)
	}
}

// TestWatchpoint is mu-runtime, 17.3.
func TestWatchpoint(t *testing.T) {
	c := open(t)
	traps := 0
	var how func(tc *mu.Ctx, s mu.StackRef) mu.TrapResult
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, wpid uint32) mu.TrapResult {
		traps++
		if wpid != 7 || site != "@watched.v1.entry.wp" {
			t.Errorf("watchpoint %d at %s", wpid, site)
		}
		return how(tc, s)
	})
	want(t, call(t, c, "@watched", 5), 5)
	c.VM().EnableWatchpoint(7)
	c.VM().EnableWatchpoint(123456)
	how = func(tc *mu.Ctx, s mu.StackRef) mu.TrapResult {
		tc.VM().DisableWatchpoint(7)
		return mu.PassValues{Stack: s} // goes on at ena all the same
	}
	want(t, call(t, c, "@watched", 5), 50)
	want(t, call(t, c, "@watched", 5), 5)
	c.VM().EnableWatchpoint(7)
	how = func(tc *mu.Ctx, s mu.StackRef) mu.TrapResult {
		return mu.ThrowExc{s, must[mu.Value](t)(tc.Null(must[mu.Type](t)(tc.TypeNamed("@R")))).(mu.Ref)}
	}
	want(t, call(t, c, "@watched", 5), -1)
	c.VM().DisableWatchpoint(7)
	if traps != 2 {
		t.Errorf("%d traps", traps)
	}
}

func TestSwap(t *testing.T) {
	c := open(t)
	want(t, call(t, c, "@echo_once", 5), 6, 7)
}

// TestManyCallers calls from several goroutines at once, with traps and collections.
func TestManyCallers(t *testing.T) {
	c := open(t)
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		if site == "@ask.v1.entry.ask" {
			runtime.Gosched()
			return mu.PassValues{s, ints(tc, 3)}
		}
		if site == "@inner.v1.trap.hot" {
			popTo(t, tc, s, 1)
			return mu.PassValues{s, ints(tc, 7)}
		}
		return mu.PassValues{Stack: s}
	})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			d := c.VM().NewContext()
			defer d.Close()
			for range 20 {
				want(t, call(t, d, "@ask"), 9)
				want(t, call(t, d, "@osr", 2), 7+2+200)
				if err := d.Collect(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func TestBusy(t *testing.T) {
	c := open(t)
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		_, err := c.Const(must[mu.ID](t)(c.VM().ID("@half")))
		wantCode(t, err, mu.CtxBusy)
		if site == "@ask.v1.entry.ask" {
			return mu.PassValues{s, ints(tc, 3)}
		}
		return mu.PassValues{Stack: s}
	})
	want(t, call(t, c, "@ask"), 9)
}

func Example() {
	vm, err := mu.Open()
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := vm.NewContext()
	defer ctx.Close()
	gcd, err := ctx.FuncNamed("@gcd")
	if err != nil {
		fmt.Println(err)
		return
	}
	results, err := ctx.Call(gcd, ctx.Int(12, 64), ctx.Int(18, 64))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(results[0].(mu.Int).Int64())
	// Output: 6
}

func BenchmarkCall(b *testing.B) {
	c := open(b)
	f := fn(b, c, "@sub")
	x, y := c.Int(7, 64), c.Int(5, 64)
	for b.Loop() {
		res := must[[]mu.Value](b)(c.Call(f, x, y))
		c.Delete(res[0])
	}
}

// BenchmarkTrap is a trap with a handler that looks at the frame.
func BenchmarkTrap(b *testing.B) {
	c := open(b)
	handle(b, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		return mu.PassValues{s, ints(tc, 4)}
	})
	f, x := fn(b, c, "@pushed"), c.Int(7, 64)
	for b.Loop() {
		res := must[[]mu.Value](b)(c.Call(f, x))
		c.Delete(res[0])
	}
}
