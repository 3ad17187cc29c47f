package mu_test

import (
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

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
		fp, err := k[8].(mu.TagRef64).Double()
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

// frames lists the functions of a stack from the top down, and the places where they rest.
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

// TestReplacement tries every combination of popping and pushing (docs/internals.md,
// "Introspection") on one stack: @inner at its TRAP, called by @outer, called by @osr with 2.
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
	cell := must[mu.IRef](t)(c.GlobalNamed("@cell"))
	if err := c.Store(mu.SeqCst, cell, c.Int(0, 64)); err != nil {
		t.Fatal(err)
	}
	must[mu.ThreadRef](t)(c.NewThread(s, mu.Ref{}, mu.PassValues{}))
	wait(t, c)
	if v := must[mu.Value](t)(c.Load(mu.SeqCst, cell)).(mu.Int); v.Int64() != 3 {
		t.Errorf("cell %d", v.Int64())
	}
}

// TestCursors checks the errors for misuse of frame cursors.
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

// TestNativeFrames checks that native code that called back is one frame (docs/native.md, "Stacks
// with C frames"), which can be the new top but cannot be popped.
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
