// Tests of every row of the tables of the run-time reference: stack transitions and resumption
// points (mu-runtime 3), on-stack replacement (7), how a trap handler can end (8.3).
package rows_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/rtlib/mu"
	_ "github.com/uvm2go/uvm2go/rtlib/mu/internal/rows"
)

const caseVariable = "UVM_ROWS_CASE"

// TestMain runs a case that ends the process, if asked for.
func TestMain(m *testing.M) {
	if name := os.Getenv(caseVariable); name != "" {
		vm, err := mu.Open()
		if err != nil {
			panic(err)
		}
		for _, f := range fatal {
			if f.name == name {
				f.run(vm)
				os.Exit(99)
			}
		}
		panic("no case " + name)
	}
	os.Exit(m.Run())
}

// child runs a case in a process of its own.
func child(t *testing.T, name string, env ...string) (status int, stdout, stderr string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), caseVariable+"="+name), env...)
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	err := cmd.Run()
	if x := (*exec.ExitError)(nil); err != nil && !errors.As(err, &x) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}

// TestUnderStress runs the other tests with a collection at every allocation.
func TestUnderStress(t *testing.T) {
	if os.Getenv("UVMDEBUG") != "" {
		t.Skip("under stress already")
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "UVMDEBUG=gcstress=1,gcverify=1,clobberfree=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

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

// must stops at what has to work.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func fn(c *mu.Ctx, name string) mu.FuncRef { return must(c.FuncNamed(name)) }

func global(c *mu.Ctx, name string) mu.IRef { return must(c.GlobalNamed(name)) }

func object(c *mu.Ctx) mu.Ref { return must(c.NewFixed(must(c.TypeNamed("@void")))) }

func ints(c *mu.Ctx, vals ...int64) []mu.Value {
	var l []mu.Value
	for _, v := range vals {
		l = append(l, c.Int(v, 64))
	}
	return l
}

func wantCode(t testing.TB, what string, err error, code mu.Code) {
	t.Helper()
	if !errors.Is(err, code) {
		t.Errorf("%s: error %v, want %s", what, err, code)
	}
}

func wait(t testing.TB, c *mu.Ctx) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := c.VM().Wait(ctx); err != nil {
		t.Fatal(err)
	}
}

// result is what @bottom stored.
func result(c *mu.Ctx) int64 {
	return must(c.Load(mu.SeqCst, global(c, "@result"))).(mu.Int).Int64()
}

func clear(c *mu.Ctx) {
	if err := c.Store(mu.SeqCst, global(c, "@result"), c.Int(0, 64)); err != nil {
		panic(err)
	}
}

// thread runs a function of no results on a new stack.
func thread(c *mu.Ctx, name string, args ...mu.Value) {
	s := must(c.NewStack(fn(c, name)))
	must(c.NewThread(s, mu.Ref{}, mu.PassValues{Values: args}))
}

// frames lists the functions of a stack, the top one first.
func frames(c *mu.Ctx, s mu.StackRef) string {
	cur := must(c.NewCursor(s))
	var names []string
	for {
		name := "native"
		if id := must(c.CurFunc(cur)); id != 0 {
			name = must(c.VM().Name(id))[1:]
		}
		names = append(names, name)
		if c.NextFrame(cur) != nil {
			break
		}
	}
	if err := c.CloseCursor(cur); err != nil {
		panic(err)
	}
	return strings.Join(names, " ")
}

// pop removes the n topmost frames.
func pop(c *mu.Ctx, s mu.StackRef, n int) error {
	cur := must(c.NewCursor(s))
	for range n {
		if err := c.NextFrame(cur); err != nil {
			panic(err)
		}
	}
	err := c.PopFramesTo(cur)
	if err := c.CloseCursor(cur); err != nil {
		panic(err)
	}
	return err
}

// A point is where a frame rests until its stack is bound again (mu-runtime 3.4).
type point struct {
	name string
	f    string // the function that @bottom calls
	edit func(c *mu.Ctx, s mu.StackRef)
	top  string // frames, the top one first; "" for any
	// what @bottom stores when 50 is passed and when an exception is raised
	value, thrown int64
}

func popOne(c *mu.Ctx, s mu.StackRef) {
	if err := pop(c, s, 1); err != nil {
		panic(err)
	}
}

func push(names ...string) func(c *mu.Ctx, s mu.StackRef) {
	return func(c *mu.Ctx, s mu.StackRef) {
		popOne(c, s)
		for _, n := range names {
			if err := c.PushFrame(s, fn(c, n)); err != nil {
				panic(err)
			}
		}
	}
}

// points has all that a client can bring about; -1 is stored by @bottom itself, -5 is what the
// function returns when it catches.
var points = []point{
	{"TRAP", "@trap", nil, "trap bottom", 1060, -1},
	{"TRAP with EXC", "@trap_exc", nil, "trap_exc bottom", 1060, 995},
	{"WATCHPOINT", "@watch", nil, "watch bottom", 1060, -1},
	{"WATCHPOINT with WPEXC", "@watch_exc", nil, "watch_exc bottom", 1060, 995},
	{"SWAPSTACK", "@swap", nil, "swap bottom", 1060, -1},
	{"SWAPSTACK with EXC", "@swap_exc", nil, "swap_exc bottom", 1060, 995},
	{"CALL", "@call", popOne, "call bottom", 1060, -1},
	{"CALL with EXC", "@call_exc", popOne, "call_exc bottom", 1060, 995},
	{"created", "@call", push("@triple"), "triple call bottom", 1160, -1},
	{"created, EXC below", "@call_exc", push("@triple"), "triple call_exc bottom", 1160, 995},
	{"created on created", "@call_exc", push("@triple", "@triple"), "triple triple call_exc bottom", 1460, 995},
	{"created, undefined", "@call", push("@undefined"), "undefined call bottom", 1060 + 3, -1},
	{"created, undefined, EXC below", "@call_exc", push("@undefined"), "undefined call_exc bottom", 1060 + 3, 995},
	{"callback popped", "@native", popOne, "native native bottom", 1060, fatalPoint},
	{"callback popped, created", "@native", push("@triple"), "triple native native bottom", 1160, fatalPoint},
}

const fatalPoint = -99 // the exception would enter native code

// A binder binds a stack. The stack was at rest, its thread gone, or is the handler's own.
type binder struct {
	name string
	// later starts what binds a resting stack; nil for the trap handler itself.
	later func(c *mu.Ctx, s mu.StackRef, exc bool)
}

var binders = []binder{
	{"handler, same stack", nil}, // rows 2 and 4 of 8.3
	{"handler, another stack", func(c *mu.Ctx, s mu.StackRef, exc bool) { thread(c, "@helper") }}, // rows 3 and 5
	{"client", func(c *mu.Ctx, s mu.StackRef, exc bool) {
		if exc {
			must(c.NewThread(s, mu.Ref{}, mu.ThrowExc{Exc: object(c)}))
			return
		}
		must(c.NewThread(s, mu.Ref{}, mu.PassValues{Values: ints(c, 50)}))
	}},
	{"SWAPSTACK", func(c *mu.Ctx, s mu.StackRef, exc bool) { inMu(c, "@swaps", s, exc) }},
	{"NEWTHREAD", func(c *mu.Ctx, s mu.StackRef, exc bool) { inMu(c, "@spawns", s, exc) }},
}

func inMu(c *mu.Ctx, name string, s mu.StackRef, exc bool) {
	if exc {
		thread(c, name+"_exc", s, must(c.RefCast(object(c), must(c.TypeNamed("@R")))))
		return
	}
	thread(c, name, s, c.Int(50, 64))
}

func resume(c *mu.Ctx, s mu.StackRef, exc bool) mu.TrapResult {
	if exc {
		return mu.ThrowExc{Stack: s, Exc: object(c)}
	}
	return mu.PassValues{Stack: s, Values: ints(c, 50)}
}

// held is the stack that a handler has left.
func held(c *mu.Ctx) mu.StackRef { return must(c.Load(mu.SeqCst, global(c, "@held"))).(mu.StackRef) }

// atRest makes a stack rest at a point. then is called in the handler when it does; with nil the thread
// ends and @held is the stack.
func atRest(t *testing.T, c *mu.Ctx, p point, exc bool, then func(c *mu.Ctx, s mu.StackRef) mu.TrapResult) {
	clear(c)
	undefined := 0
	c.VM().EnableWatchpoint(5)
	c.VM().SetTrapHandler(func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, wpid uint32) (res mu.TrapResult) {
		cur := must(tc.NewCursor(s))
		site, f := "", must(tc.VM().Name(must(tc.CurFunc(cur))))
		if id := must(tc.CurInst(cur)); id != 0 {
			site = must(tc.VM().Name(id))
		}
		keep := must(tc.DumpKeepalives(cur))
		if err := tc.CloseCursor(cur); err != nil {
			t.Error(err)
		}
		switch {
		case site == "@helper.v1.entry.help":
			return resume(tc, held(tc), exc)
		case f == "@undefined":
			// The hidden version (5.2): tried again once, then given a result in place of its frame.
			if len(keep) != 1 || keep[0].(mu.Int).Int64() != 50 || site != "" || wpid != 0 {
				t.Errorf("%s: undefined function at %q with %v", p.name, site, keep)
			}
			if undefined++; undefined == 1 {
				return mu.PassValues{Stack: s}
			}
			popOne(tc, s)
			return mu.PassValues{Stack: s, Values: ints(tc, 53)}
		case site == "@stop.v1.entry.swapped":
			s = keep[0].(mu.StackRef)
		}
		if (wpid != 0) != strings.HasPrefix(f, "@watch") {
			t.Errorf("%s: watchpoint %d", p.name, wpid)
		}
		tc.VM().DisableWatchpoint(5) // which changes nothing for the one that trapped
		if p.edit != nil {
			p.edit(tc, s)
		}
		if err := tc.Collect(); err != nil {
			t.Error(err)
		}
		if got := frames(tc, s); p.top != "" && got != p.top {
			t.Errorf("%s: frames %s, want %s", p.name, got, p.top)
		}
		if then != nil {
			return then(tc, s)
		}
		if err := tc.Store(mu.SeqCst, global(tc, "@held"), s); err != nil {
			t.Error(err)
		}
		return mu.ThreadEnd{}
	})
	thread(c, "@bottom", fn(c, p.f))
	wait(t, c)
}

// TestResumption binds a stack at each point in each way, with values and with an exception.
func TestResumption(t *testing.T) {
	for _, p := range points {
		for _, b := range binders {
			for _, exc := range []bool{false, true} {
				want := p.value
				if exc {
					want = p.thrown
				}
				if want == fatalPoint {
					continue // TestFatal has it
				}
				c := open(t)
				what := fmt.Sprintf("%s, %s, exception %t", p.name, b.name, exc)
				if b.later == nil {
					atRest(t, c, p, exc, func(tc *mu.Ctx, s mu.StackRef) mu.TrapResult { return resume(tc, s, exc) })
				} else {
					atRest(t, c, p, exc, nil)
					if got := result(c); got != 0 {
						t.Errorf("%s: %d before it was bound", what, got)
					}
					b.later(c, held(c), exc)
					wait(t, c)
				}
				if got := result(c); got != want {
					t.Errorf("%s: %d, want %d", what, got, want)
				}
				if b.later != nil {
					_, err := c.NewThread(held(c), mu.Ref{}, mu.PassValues{Values: ints(c, 50)})
					wantCode(t, what+", dead", err, mu.StackState)
				}
			}
		}
	}
}

// TestBindingErrors misuses a stack at each point, which leaves it as it was; kills it; and finds it dead
// (mu-runtime 3.2, 3.4, 3.6, D3 to D5).
func TestBindingErrors(t *testing.T) {
	for _, p := range points {
		c := open(t)
		atRest(t, c, p, false, nil)
		s := held(c)
		for _, vals := range [][]mu.Value{nil, ints(c, 1, 2), {c.Double(1)}, {c.Int(1, 32)}, {object(c)}} {
			_, err := c.NewThread(s, mu.Ref{}, mu.PassValues{Values: vals})
			wantCode(t, fmt.Sprintf("%s: %d values", p.name, len(vals)), err, mu.TypeMismatch)
		}
		for _, f := range []string{"@inexact", "@works", "@both"} {
			wantCode(t, p.name+": push "+f, c.PushFrame(s, fn(c, f)), mu.TypeMismatch)
		}
		cur := must(c.NewCursor(s))
		_, err := c.NewThread(s, mu.Ref{}, mu.PassValues{Values: ints(c, 50)})
		wantCode(t, p.name+": open cursor", err, mu.CursorOpen)
		_, err = c.NewThread(s, mu.Ref{}, mu.ThrowExc{Exc: object(c)})
		wantCode(t, p.name+": open cursor", err, mu.CursorOpen)
		wantCode(t, p.name+": open cursor, kill", c.KillStack(s), mu.CursorOpen)
		other := must(c.CopyCursor(cur))
		if err := c.NextFrame(cur); err != nil {
			t.Error(err)
		}
		why := mu.CursorOpen
		if strings.HasPrefix(p.top, "native") {
			why = mu.NativeFrame // neither can it be popped
		}
		wantCode(t, p.name+": another cursor", c.PopFramesTo(cur), why)
		for _, x := range []mu.Cursor{cur, other} {
			if err := c.CloseCursor(x); err != nil {
				t.Error(err)
			}
			wantCode(t, p.name+": closed twice", c.CloseCursor(x), mu.CursorClosed)
		}
		for name, err := range map[string]error{
			"next_frame": c.NextFrame(cur), "pop_frames_to": c.PopFramesTo(cur), "copy_cursor": second(c.CopyCursor(cur)),
			"cur_func": second(c.CurFunc(cur)), "cur_func_ver": second(c.CurFuncVer(cur)), "cur_inst": second(c.CurInst(cur)),
			"dump_keepalives": second(c.DumpKeepalives(cur)),
		} {
			wantCode(t, p.name+": "+name+" of a closed cursor", err, mu.CursorClosed)
		}
		if got := frames(c, s); got != p.top {
			t.Errorf("%s: frames %s, want %s", p.name, got, p.top)
		}
		if err := c.KillStack(s); err != nil {
			t.Errorf("%s: kill: %v", p.name, err)
		}
		_, err = c.NewThread(s, mu.Ref{}, mu.PassValues{Values: ints(c, 50)})
		wantCode(t, p.name+": dead", err, mu.StackState)
		_, err = c.NewCursor(s)
		wantCode(t, p.name+": cursor on the dead", err, mu.StackState)
		wantCode(t, p.name+": push on the dead", c.PushFrame(s, fn(c, "@triple")), mu.StackState)
		wantCode(t, p.name+": kill the dead", c.KillStack(s), mu.StackState)
		if s.IsNull() {
			t.Errorf("%s: the reference to a dead stack is NULL", p.name)
		}
		if got := result(c); got != 0 {
			t.Errorf("%s: a killed stack ran: %d", p.name, got)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// A level is a frame of the stack that TestReplacements edits, as a function of what it is given.
type level struct {
	name    string
	takes   int
	returns func(x []int64) []int64
	catch   bool // returns -5 for an exception
}

// TestReplacements pops 0 to 3 frames, pushes each sequence of up to two functions, and resumes with values and
// with an exception (mu-runtime 7): what is not well-typed is refused and changes nothing.
func TestReplacements(t *testing.T) {
	sum := func(n int64) func([]int64) []int64 { return func(x []int64) []int64 { return []int64{x[0] + n} } }
	stack := []level{ // the top one first
		{"trap_exc", 1, sum(10), true},
		{"inner", 1, sum(7), false},
		{"outer", 1, func(x []int64) []int64 { return []int64{2 * x[0]} }, true},
		{"bottom", 1, sum(1000), false},
	}
	pushed := []level{
		{"triple", 1, func(x []int64) []int64 { return []int64{3 * x[0]} }, false},
		{"sub", 2, func(x []int64) []int64 { return []int64{x[0] - x[1]} }, false},
		{"four_", 0, func([]int64) []int64 { return []int64{4} }, false},
		{"both", 1, func(x []int64) []int64 { return []int64{x[0] + 2, x[0]} }, false},
		{"inexact", 1, func(x []int64) []int64 { return nil }, false},
	}
	gives := map[string]int{"triple": 1, "sub": 1, "four_": 1, "both": 2, "inexact": -1}
	var seqs [][]level
	seqs = append(seqs, nil)
	for _, a := range pushed {
		seqs = append(seqs, []level{a})
		for _, b := range pushed {
			seqs = append(seqs, []level{a, b})
		}
	}
	for depth := range stack {
		for _, seq := range seqs {
			for _, exc := range []bool{false, true} {
				c := open(t)
				want := append([]level(nil), stack[depth:]...)
				edit := func(tc *mu.Ctx, s mu.StackRef) {
					if err := pop(tc, s, depth); err != nil {
						t.Error(err)
					}
					for _, l := range seq {
						err := tc.PushFrame(s, fn(tc, "@"+l.name))
						if gives[l.name] != want[0].takes {
							wantCode(t, "push "+l.name+" on "+want[0].name, err, mu.TypeMismatch)
							continue
						}
						if err != nil {
							t.Errorf("push %s on %s: %v", l.name, want[0].name, err)
						}
						want = append([]level{l}, want...)
					}
				}
				var names []string
				p := point{name: "replacement", f: "@outer", edit: func(tc *mu.Ctx, s mu.StackRef) {
					edit(tc, s)
					for _, l := range want {
						names = append(names, l.name)
					}
					if got, w := frames(tc, s), strings.Join(names, " "); got != w {
						t.Errorf("frames %s, want %s", got, w)
					}
				}}
				atRest(t, c, p, exc, func(tc *mu.Ctx, s mu.StackRef) mu.TrapResult {
					if exc {
						return mu.ThrowExc{Stack: s, Exc: object(tc)}
					}
					return mu.PassValues{Stack: s, Values: ints(tc, []int64{50, 8}[:want[0].takes]...)}
				})
				if got, w := result(c), outcome(want, exc); got != w {
					t.Errorf("%s, exception %t: %d, want %d", strings.Join(names, " "), exc, got, w)
				}
			}
		}
	}
}

// outcome is what @bottom stores in the end.
func outcome(stack []level, exc bool) int64 {
	vals := []int64{50, 8}[:stack[0].takes]
	for _, l := range stack {
		switch {
		case !exc:
			vals = l.returns(vals)
		case l.name == "bottom":
			return -1
		case l.catch:
			vals, exc = []int64{-5}, false
		}
	}
	return vals[0]
}

// TestNewStack is mu-runtime 3.6 and 5.1: the frame is of the version that the creator saw.
func TestNewStack(t *testing.T) {
	c := open(t)
	var entered []string
	c.VM().SetTrapHandler(func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, _ uint32) mu.TrapResult {
		cur := must(tc.NewCursor(s))
		entered = append(entered, must(tc.VM().Name(must(tc.CurFunc(cur)))))
		if id := must(tc.CurFuncVer(cur)); id != 0 {
			t.Errorf("version %d of an undefined function", id)
		}
		tc.CloseCursor(cur)
		return mu.PassValues{Stack: s}
	})
	s := must(c.NewStack(fn(c, "@open")))
	if err := c.Define(fn(c, "@open"), fn(c, "@four_")); err != nil {
		t.Fatal(err)
	}
	must(c.NewThread(s, mu.Ref{}, mu.PassValues{}))
	wait(t, c)
	if fmt.Sprint(entered) != "[@open]" {
		t.Errorf("traps in %v: a stack made while its function was undefined traps once", entered)
	}
	thread(c, "@calls_open")
	wait(t, c)
	if len(entered) != 1 {
		t.Errorf("traps in %v", entered)
	}
	// A frame that exists keeps its version.
	version := func(s mu.StackRef) string {
		cur := must(c.NewCursor(s))
		defer c.CloseCursor(cur)
		return must(c.VM().Name(must(c.CurFuncVer(cur))))
	}
	s = must(c.NewStack(fn(c, "@open")))
	if err := c.Define(fn(c, "@open"), fn(c, "@three_")); err != nil {
		t.Fatal(err)
	}
	if v := version(s); v != "@four_.v1" {
		t.Errorf("version %s, want @four_.v1", v)
	}
	if v := version(must(c.NewStack(fn(c, "@open")))); v != "@three_.v1" {
		t.Errorf("version %s, want @three_.v1", v)
	}
	if err := c.KillStack(s); err != nil {
		t.Error(err)
	}
}

// TestBlocked is row 7 of 8.3: while a handler blocks, collections and other threads go on.
func TestBlocked(t *testing.T) {
	c := open(t)
	clear(c)
	release, blocked := make(chan mu.TrapResult), make(chan bool)
	c.VM().SetTrapHandler(func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, _ uint32) mu.TrapResult {
		if err := tc.Store(mu.SeqCst, global(tc, "@held"), s); err != nil {
			t.Error(err)
		}
		blocked <- true
		return <-release
	})
	thread(c, "@bottom", fn(c, "@trap_exc"))
	<-blocked
	for range 3 {
		if _, err := c.Call(fn(c, "@works")); err != nil {
			t.Error(err)
		}
		thread(c, "@works")
		if err := c.Collect(); err != nil {
			t.Error(err)
		}
	}
	// Another thread binds the stack meanwhile.
	must(c.NewThread(held(c), mu.Ref{}, mu.PassValues{Values: ints(c, 50)}))
	for range 2000 {
		if result(c) != 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if got := result(c); got != 1060 {
		t.Errorf("%d, want 1060", got)
	}
	release <- mu.ThreadEnd{}
	wait(t, c)
}

// TestGoexit is D9: a handler that ends its goroutine ends the thread.
func TestGoexit(t *testing.T) {
	c := open(t)
	p := points[1]
	atRest(t, c, p, false, func(tc *mu.Ctx, s mu.StackRef) mu.TrapResult {
		if err := tc.Store(mu.SeqCst, global(tc, "@held"), s); err != nil {
			t.Error(err)
		}
		runtime.Goexit()
		return nil
	})
	must(c.NewThread(held(c), mu.Ref{}, mu.PassValues{Values: ints(c, 50)}))
	wait(t, c)
	if got := result(c); got != p.value {
		t.Errorf("%d, want %d", got, p.value)
	}
}

// fatal has what ends the process.
var fatal = []struct {
	name   string
	run    func(vm *mu.VM)
	status int
	stderr []string
	env    []string
}{
	{"row 7, values", bound(false), 4, []string{"run-time error: STACK_STATE"}, nil},
	{"row 7, exception", bound(true), 4, []string{"run-time error: STACK_STATE"}, nil},
	{"row 8, dead", broken(func(c *mu.Ctx, s mu.StackRef) mu.TrapResult {
		if err := c.KillStack(s); err != nil {
			panic(err)
		}
		return mu.PassValues{Stack: s, Values: ints(c, 1)}
	}), 4, []string{"run-time error: STACK_STATE"}, nil},
	{"row 8, open cursor", broken(func(c *mu.Ctx, s mu.StackRef) mu.TrapResult {
		must(c.NewCursor(s))
		return mu.ThrowExc{Stack: s, Exc: object(c)}
	}), 4, []string{"run-time error: CURSOR"}, nil},
	{"row 8, types", broken(func(c *mu.Ctx, s mu.StackRef) mu.TrapResult {
		return mu.PassValues{Stack: s, Values: []mu.Value{c.Double(1)}}
	}), 4, []string{"run-time error: STACK_TYPES"}, nil},
	{"row 8, after an edit", broken(func(c *mu.Ctx, s mu.StackRef) mu.TrapResult {
		if err := c.PushFrame(s, fn(c, "@sub")); err != nil {
			panic(err)
		}
		return mu.PassValues{Stack: s, Values: ints(c, 1)}
	}), 4, []string{"run-time error: STACK_TYPES"}, nil},
	{"row 8, NULL", broken(func(c *mu.Ctx, s mu.StackRef) mu.TrapResult {
		return mu.PassValues{Stack: must(c.Null(s.Type())).(mu.StackRef)}
	}), 4, []string{"run-time error: STACK_STATE"}, nil},
	{"row 8, nothing", broken(func(*mu.Ctx, mu.StackRef) mu.TrapResult { return nil }), 4, []string{"run-time error: "}, nil},
	{"row 9", broken(func(*mu.Ctx, mu.StackRef) mu.TrapResult { panic("the handler's own fault") }), 2,
		[]string{"panic: the handler's own fault", "rows_test.go"}, nil},
	{"row 10", func(vm *mu.VM) { start(vm, "@trap_exc") }, 4,
		[]string{"run-time error: UNHANDLED_TRAP at @trap_exc.v1.entry.rest (rows.uir:", "@trap_exc", "@bottom"}, []string{"UVM_TRAP=abort"}},
	{"row 10, watchpoint", func(vm *mu.VM) { vm.EnableWatchpoint(5); start(vm, "@watch") }, 4,
		[]string{"run-time error: UNHANDLED_TRAP at @watch.v1.entry.rest (rows.uir:", "@watch", "@bottom"}, []string{"UVM_TRAP=abort"}},
	{"row 10, undefined", func(vm *mu.VM) { start(vm, "@lacks") }, 4,
		[]string{"run-time error: UNDEFINED_FUNCTION at @lacks.v1.entry.rest (rows.uir:", "@undefined", "@lacks"}, []string{"UVM_TRAP=abort"}},
	{"exception into native code", broken2("@native", func(c *mu.Ctx, s mu.StackRef) mu.TrapResult {
		popOne(c, s)
		return mu.ThrowExc{Stack: s, Exc: object(c)}
	}), 4, []string{"run-time error: NATIVE"}, nil},
	{"exception to a new stack", func(vm *mu.VM) {
		c := vm.NewContext()
		s := must(c.NewStack(fn(c, "@works")))
		must(c.NewThread(s, mu.Ref{}, mu.ThrowExc{Exc: object(c)}))
		vm.Wait(context.Background())
	}, 3, []string{"uncaught exception", "of type void"}, nil},
	{"exception to a new stack of an undefined function", func(vm *mu.VM) {
		c := vm.NewContext()
		s := must(c.NewStack(fn(c, "@open2")))
		must(c.NewThread(s, mu.Ref{}, mu.ThrowExc{Exc: object(c)}))
		vm.Wait(context.Background())
	}, 3, []string{"uncaught exception"}, nil},
}

// start runs @bottom with a function to the end.
func start(vm *mu.VM, name string) {
	c := vm.NewContext()
	thread(c, "@bottom", fn(c, name))
	vm.Wait(context.Background())
}

// broken has a handler that ends in some way.
func broken(h func(c *mu.Ctx, s mu.StackRef) mu.TrapResult) func(vm *mu.VM) {
	return broken2("@trap_exc", h)
}

func broken2(name string, h func(c *mu.Ctx, s mu.StackRef) mu.TrapResult) func(vm *mu.VM) {
	return func(vm *mu.VM) {
		vm.SetTrapHandler(func(c *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, _ uint32) mu.TrapResult { return h(c, s) })
		start(vm, name)
	}
}

// bound has a handler that binds the stack after another thread has.
func bound(exc bool) func(vm *mu.VM) {
	return broken(func(c *mu.Ctx, s mu.StackRef) mu.TrapResult {
		must(c.NewThread(s, mu.Ref{}, mu.PassValues{Values: ints(c, 50)}))
		for result(c) == 0 {
			runtime.Gosched()
		}
		return resume(c, s, exc)
	})
}

func TestFatal(t *testing.T) {
	for _, f := range fatal {
		status, stdout, stderr := child(t, f.name, f.env...)
		if status != f.status || stdout != "" {
			t.Errorf("%s: exit status %d, want %d\n%s%s", f.name, status, f.status, stdout, stderr)
		}
		for _, w := range f.stderr {
			if !strings.Contains(stderr, w) {
				t.Errorf("%s: no %q in\n%s", f.name, w, stderr)
			}
		}
	}
}
