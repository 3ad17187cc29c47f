package core

import (
	"math"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
)

// fSquares is the generator of docs/language.md, "Stacks and threads": it passes 0, 1, 4 ... (n-1)²
// to the stack back and ends by raising an exception there.
var fSquares = Func{Name: "@squares", Class: 1, Params: refLong, Defined: true, Enter: func(t *Ctx) {
	x := X(t)
	squares(t, x.R[0], x.W[0])
}}

func squares(t *Ctx, back uintptr, n uint64) {
	fp := frame(t, 1)
	if fp == 0 {
		return
	}
	*root(fp, 0) = back
	for i := range n {
		X(t).W[0] = i * i
		SwapStack(t, back, long, none, 0, nil)
		if t.Thrown != 0 {
			t.SP = fp
			return
		}
	}
	e := newLong(t, 99)
	X(t).R[0] = e
	SwapStack(t, back, none, none, KillOld|ThrowExc, nil)
}

// sumSquares adds up what squares yields.
func sumSquares(t *Ctx, n uint64) uint64 {
	fp := frame(t, 3)
	*root(fp, 0) = CurrentStack(t)
	*root(fp, 1) = NewStack(t, addr(&fSquares))
	sum := uint64(0)
	x := X(t)
	x.R[0], x.W[0] = *root(fp, 0), n
	SwapStack(t, *root(fp, 1), refLong, long, 0, nil)
	for t.Thrown == 0 {
		sum += X(t).W[0]
		SwapStack(t, *root(fp, 1), none, long, 0, nil)
	}
	if *longAt(Catch(t)) != 99 {
		sum = 0
	}
	t.SP = fp
	return sum
}

// fEcho passes back each value that it gets, plus one, for ever. Its first value is the stack to answer.
var fEcho = Func{Name: "@echo", Class: 1, Params: refLong, Defined: true, Enter: func(t *Ctx) {
	x := X(t)
	echo(t, x.R[0], x.W[0])
}}

func echo(t *Ctx, back uintptr, v uint64) {
	fp := frame(t, 1)
	*root(fp, 0) = back
	for t.Thrown == 0 {
		v = swap(t, back, v+1)
	}
	t.SP = fp
}

// newEcho makes an echo that has answered once.
func newEcho(t *Ctx) uintptr {
	fp := frame(t, 2)
	*root(fp, 0) = CurrentStack(t)
	*root(fp, 1) = NewStack(t, addr(&fEcho))
	x := X(t)
	x.R[0], x.W[0] = *root(fp, 0), 0
	s := *root(fp, 1)
	SwapStack(t, s, refLong, long, 0, nil)
	t.SP = fp
	return s
}

// fIdle swaps back immediately to the stack that it came from, READY<int<64>>.
var fIdle = Func{Name: "@idle", Class: 2, Params: ref, Defined: true, Enter: func(t *Ctx) {
	SwapStack(t, X(t).R[0], none, long, 0, nil)
}}

// fCell adds its argument to the cell.
var cell uint64

var fCell = Func{Name: "@cell", Class: 3, Params: long, Defined: true, Enter: func(t *Ctx) {
	cell += X(t).W[0]
}}

// fDivide divides by its argument.
var fDivide = Func{Name: "@divide", Class: 3, Params: long, Defined: true, Sites: "10 divide.e.first\n20 divide.e.q\n30 divide.e.load", Enter: func(t *Ctx) {
	X(t).W[0] = divide(t, X(t).W[0])
}}

// fThrower throws.
var fThrower = Func{Name: "@thrower", Class: 4, Defined: true, Enter: func(t *Ctx) { thrower(t) }}

// fUndefined has no definition.
var fUndefined = Func{Name: "@undefined", Class: 3, Params: long, Results: long}

var undefinedF func(t *Ctx, n uint64) uint64

func init() {
	fUndefined.Enter = func(t *Ctx) { X(t).W[0] = undefinedF(t, X(t).W[0]) }
	undefinedF = func(t *Ctx, n uint64) uint64 {
		X(t).W[0] = n
		if !Undefined(t, &fUndefined) {
			return 0
		}
		return undefinedF(t, X(t).W[0])
	}
}

// fHandler is a trap handler: its user data, a long, selects what it does.
var fHandler = Func{Name: "@handler", Class: 5, Params: trapArgs, Defined: true, Enter: func(t *Ctx) {
	x := X(t)
	trapHandlerBody(t, x.R[0], uint32(x.W[0]), x.R[1])
}}

const (
	answer     = iota // pass 1000 + wpid
	answerNone        // pass nothing
	raise             // raise an exception that holds 7
	wrongTypes        // pass values of the wrong types
	exitThread
	define      // define @undefined and pass nothing
	answerTwice // trap in the handler first, then answer
)

func trapHandlerBody(t *Ctx, stack uintptr, wpid uint32, data uintptr) {
	fp := frame(t, 1)
	*root(fp, 0) = stack
	newLong(t, 0)
	switch *longAt(data) {
	case answer:
		X(t).W[0] = 1000 + uint64(wpid)
		SwapStack(t, stack, long, none, KillOld, nil)
	case answerNone:
		SwapStack(t, stack, none, none, KillOld, nil)
	case answerTwice:
		*longAt(data) = answer
		Trap(t, &valued, wpid)
		SwapStack(t, *root(fp, 0), long, none, KillOld, nil)
	case raise:
		X(t).R[0] = newLong(t, 7)
		SwapStack(t, stack, none, none, KillOld|ThrowExc, nil)
	case wrongTypes:
		SwapStack(t, stack, refLong, none, KillOld, nil)
	case exitThread:
		ThreadExit(t)
	case define:
		undefinedF = func(t *Ctx, n uint64) uint64 { return n * 2 }
		SwapStack(t, stack, none, none, KillOld, nil)
	}
}

var funcNames = []FuncName{
	{Go: "deep", Func: &fDeep}, {Go: "divide", Func: &fDivide}, {Go: "divideAll", Func: &fDivideAll}, {Go: "echo", Func: &fEcho},
	{Go: "load", Func: &fLoad}, {Go: "middle", Func: &fMiddle}, {Go: "thrower", Func: &fThrower},
}

var (
	fDivideAll = Func{Name: "@divide_all"}
	fMiddle    = Func{Name: "@middle"}
	fDeep      = Func{Name: "@deep"}
	fLoad      = Func{Name: "@load", Sites: "70 load.e.v"}
)

var zero uint64

// site is a trap with keep-alive variables of most types.
var site = Site{Name: "f.v.e.t", Where: "@f.v.e.t", Keep: []KeepVar{
	{"i1", &VType{Kind: VInt, Bits: 1}},
	{"i8", &VType{Kind: VInt, Bits: 8}},
	{"i52", &VType{Kind: VInt, Bits: 52}},
	{"i64", &VType{Kind: VInt, Bits: 64}},
	{"i100", &VType{Kind: VInt, Bits: 100}},
	{"f", &VType{Kind: VFloat}},
	{"d", &VType{Kind: VDouble}},
	{"p", &VType{Kind: VUPtr}},
	{"r", &VType{Kind: VRef}},
	{"n", &VType{Kind: VWeakRef}},
	{"fn", &VType{Kind: VFuncRef}},
	{"fn0", &VType{Kind: VFuncRef}},
	{"tf", &VType{Kind: VTagRef64}},
	{"ti", &VType{Kind: VTagRef64}},
	{"tr", &VType{Kind: VTagRef64}},
	{"s", &VType{Kind: VStruct, Fields: []*VType{{Kind: VInt, Bits: 16}, {Kind: VIRef}}}},
	{"a", &VType{Kind: VArray, Len: 3, Elem: &VType{Kind: VInt, Bits: 32}}},
}}

func fillSite(t *Ctx) {
	x := X(t)
	r := newLong(t, 1)
	tagged := gc.TagFromRef(r, 33)
	copy(x.W, []uint64{1, 0xff, 1<<52 - 1, 1 << 63, 5, 1 << 35, uint64(math.Float32bits(1.5)), math.Float64bits(math.Inf(-1)),
		0xbeef, uint64(addr(&fEcho)), 0, gc.TagFromFP(1e100), gc.TagFromInt(1<<52 - 3), tagged, 0x8000, 1, 2, 0xffffffff})
	copy(x.R, []uintptr{r, 0, 0, 0, r, r})
}

const siteLine = "trap f.v.e.t i1=1 i8=-1 i52=-1 i64=-9223372036854775808 i100=-633825300114114700748351602683 f=1.5 d=-Inf p=0xbeef r=ref n=NULL fn=@echo fn0=NULL tf=fp(1e+100) ti=int(-3) tr=ref(ref,33) s={-32768 iref} a=[1 2 -1]\n"

var valued = Site{Name: "f.v.e.ask", Where: "@f.v.e.ask", Results: long, Keep: []KeepVar{{"x", &VType{Kind: VInt, Bits: 64}}}}

func handle(t *Ctx, what uint64) { SetTrapHandler(t, addr(&fHandler), newLong(t, what)) }

// word is a futex word in a global cell.
var word uint64

func wordAddr() uintptr { return uintptr(unsafe.Pointer(&word)) }

var fWaiter = Func{Name: "@waiter", Class: 3, Params: long, Defined: true, Enter: func(t *Ctx) {
	FutexWait(t, wordAddr(), 64, X(t).W[0])
}}

type program struct {
	name   string // of the case; the text after a slash distinguishes variants
	env    []string
	status int
	stdout string
	stderr string // pieces that must occur in this order, separated by "..."
	once   bool   // not under gcstress
	run    func(t *Ctx) int
}

// programs are whole programs and how they end.
var programs = []program{
	// A root at the beginning of marking must still be a root when the result is verified, even if
	// threads that are not stopped, because they do not touch the heap, end or time out.
	{name: "rootsend", env: []string{"UVMDEBUG=gcverify=1"}, once: true, run: func(t *Ctx) int {
		for range 300 {
			s := NewStack(t, addr(&fTimed))
			X(t).W[0] = 0
			NewThread(t, s, newLong(t, 1), long, 0, nil)
			for machine.Threads() > 1 {
				gc.Collect(t, "test")
			}
		}
		return 0
	}},
	{name: "rootstimeout", env: []string{"UVMDEBUG=gcverify=1"}, once: true, run: func(t *Ctx) int {
		s := NewStack(t, addr(&fTimed))
		X(t).W[0] = 1000
		NewThread(t, s, 0, long, 0, nil)
		for machine.Threads() > 1 {
			gc.Collect(t, "test")
		}
		return 0
	}},
	{name: "status", status: 44, run: func(t *Ctx) int { return 300 }},
	{name: "generator", status: 30, run: func(t *Ctx) int { return int(sumSquares(t, 5)) }},
	{name: "generator0", status: 0, run: func(t *Ctx) int { return int(sumSquares(t, 0)) }},

	// Run-time errors.
	{name: "divide", status: 4, run: func(t *Ctx) int { return int(divideAll(t, zero)) },
		stderr: "uvm: run-time error: DIV_BY_ZERO at divide.e.q (prog.uir:20)\n\t@divide (prog.uir:20)\n\t@divide_all (prog.uir:27)\n"},
	{name: "named", status: 4, run: func(t *Ctx) int { Fail(t, Bounds, "f.v.e.x", "index 3 of 2"); return 0 },
		stderr: "uvm: run-time error: BOUNDS at f.v.e.x: index 3 of 2\n"},
	{name: "godivide", status: 4, run: func(t *Ctx) int { return int(7 / zero) }, stderr: "uvm: run-time error: DIV_BY_ZERO"},
	{name: "nullload", status: 4, run: func(t *Ctx) int { return int(load(uintptr(zero) + 8)) },
		stderr: "uvm: run-time error: NULL_REF at load.e.v (prog.uir:70)\n\t@load (prog.uir:70)\n"},
	{name: "nullaccess", status: 4, run: func(t *Ctx) int { AccessNull(NullZone - 8); return 9 }, stderr: "uvm: run-time error: NULL_REF"},
	{name: "nullzone", status: 4, run: func(t *Ctx) int { return int(load(uintptr(zero) + NullZone - 8)) }, stderr: "uvm: run-time error: NULL_REF at load"},
	{name: "lowfault", status: 4, run: func(t *Ctx) int { return int(load(uintptr(zero) + NullZone)) }, stderr: "uvm: run-time error: NATIVE at load.e.v (prog.uir:70): invalid memory access: fault at address 0x10000\n"},
	{name: "wild", status: 4, run: func(t *Ctx) int { return int(load(uintptr(zero) + wild)) }, stderr: "uvm: run-time error: NATIVE at load"},
	{name: "noncanonical", status: 4, run: func(t *Ctx) int { return int(load(^uintptr(zero) - 15)) }, stderr: "uvm: run-time error: NATIVE at load"},
	{name: "overflow", status: 4, run: func(t *Ctx) int { deep(t, 0); return 9 }, stderr: "uvm: run-time error: STACK_OVERFLOW", once: true},
	{name: "internal", status: 2, run: func(t *Ctx) int { return int(funcNames[zero+99].Go[0]) },
		stderr: "uvm: internal error: runtime error: index out of range"},
	{name: "internal/trace", env: []string{"UVMDEBUG=stacktrace=1"}, status: 2, once: true, stderr: "uvm: internal error: ...goroutine "},
	{name: "status/badtrap", env: []string{"UVM_TRAP=maybe"}, status: 2, stderr: "uvm: UVM_TRAP: bad mode \"maybe\", want print or abort\n"},
	{name: "status/badheap", env: []string{"UVM_HEAP=lots"}, status: 2, stderr: "uvm: UVM_HEAP"},

	// Uncaught exceptions.
	{name: "uncaught", status: 3, run: func(t *Ctx) int { middle(t); return 9 },
		stderr: "uvm: uncaught exception in thread 1: object of type @i64\n\t@thrower (prog.uir:42)\n\t@middle (prog.uir:52)\n"},
	{name: "uncaughtnull", status: 3, run: func(t *Ctx) int { Throw(t, 0); return 9 }, stderr: "uvm: uncaught exception in thread 1: NULL\n"},
	{name: "manythrows", status: 3, once: true, run: func(t *Ctx) int {
		for range 2 * fullThrows {
			middle(t)
			Catch(t)
		}
		middle(t)
		return 9
	}, stderr: "uvm: uncaught exception in thread 1: object of type @i64\n"},
	{name: "uncaughtother", status: 3, run: func(t *Ctx) int {
		NewThread(t, NewStack(t, addr(&fThrower)), 0, none, 0, nil)
		FutexWait(t, wordAddr(), 64, 0)
		return 9
	}, stderr: "uvm: uncaught exception in thread 2: object of type @i64\n\t@thrower (prog.uir:42)\n"},
	{name: "throwtonew", status: 3, run: func(t *Ctx) int {
		s := NewStack(t, addr(&fEcho))
		fp := frame(t, 1)
		*root(fp, 0) = s
		X(t).R[0] = newLong(t, 3)
		SwapStack(t, s, none, none, ThrowExc, nil)
		return 9
	}, stderr: "uvm: uncaught exception in thread 1: object of type @i64\n\t@echo\n"},

	// Stack states (docs/language.md, "Stacks and threads").
	{name: "swapnull", status: 4, run: func(t *Ctx) int { SwapStack(t, 0, none, none, 0, &valued); return 9 },
		stderr: "uvm: run-time error: STACK_STATE at @f.v.e.ask: the stack is NULL\n"},
	{name: "swapdead", status: 4, run: func(t *Ctx) int {
		s := newEcho(t)
		KillStack(t, s)
		swap(t, s, 1)
		return 9
	}, stderr: "uvm: run-time error: STACK_STATE: the stack is DEAD\n"},
	{name: "swapreturned", status: 4, run: func(t *Ctx) int {
		s := NewStack(t, addr(&fCell))
		X(t).W[0] = 1
		NewThread(t, s, 0, long, 0, nil)
		for machine.Threads() > 1 {
			t.Safepoint()
		}
		swap(t, s, 1)
		return 9
	}, stderr: "uvm: run-time error: STACK_STATE: the stack is DEAD\n"},
	{name: "swaptypes", status: 4, run: func(t *Ctx) int {
		SwapStack(t, newEcho(t), refLong, long, 0, &valued)
		return 9
	}, stderr: "uvm: run-time error: STACK_TYPES at @f.v.e.ask: the stack waits for (int<64>), the values are (ref int<64>)\n"},
	{name: "swapself", status: 5, run: func(t *Ctx) int { return int(swap(t, CurrentStack(t), 5)) }},
	{name: "swapselftypes", status: 4, run: func(t *Ctx) int {
		SwapStack(t, CurrentStack(t), long, none, 0, nil)
		return 9
	}, stderr: "uvm: run-time error: STACK_TYPES: the stack waits for (), the values are (int<64>)\n"},
	{name: "swapselfexc", status: 6, run: func(t *Ctx) int {
		s := CurrentStack(t)
		X(t).R[0] = newLong(t, 6)
		SwapStack(t, s, none, long, ThrowExc, nil)
		return int(*longAt(Catch(t)))
	}},
	{name: "swapselfkill", status: 4, run: func(t *Ctx) int {
		SwapStack(t, CurrentStack(t), none, none, KillOld, nil)
		return 9
	}, stderr: "uvm: run-time error: STACK_STATE: the stack is ACTIVE\n"},
	{name: "killnull", status: 4, run: func(t *Ctx) int { KillStack(t, 0); return 9 }, stderr: "uvm: run-time error: STACK_STATE: the stack is NULL\n"},
	{name: "killself", status: 4, run: func(t *Ctx) int { KillStack(t, CurrentStack(t)); return 9 },
		stderr: "uvm: run-time error: STACK_STATE: the stack is ACTIVE\n"},
	{name: "killtwice", status: 4, run: func(t *Ctx) int {
		s := NewStack(t, addr(&fEcho))
		KillStack(t, s)
		KillStack(t, s)
		return 9
	}, stderr: "uvm: run-time error: STACK_STATE: the stack is DEAD\n"},
	{name: "newstacknull", status: 4, run: func(t *Ctx) int { NewStack(t, 0); return 9 }, stderr: "uvm: run-time error: NULL_FUNC"},
	{name: "threadnull", status: 4, run: func(t *Ctx) int { NewThread(t, 0, 0, none, 0, nil); return 9 }, stderr: "uvm: run-time error: STACK_STATE: the stack is NULL\n"},
	{name: "threadtypes", status: 4, run: func(t *Ctx) int {
		NewThread(t, NewStack(t, addr(&fCell)), 0, none, 0, nil)
		return 9
	}, stderr: "uvm: run-time error: STACK_TYPES: the stack waits for (int<64>), the values are ()\n"},
	{name: "threadactive", status: 4, run: func(t *Ctx) int { NewThread(t, CurrentStack(t), 0, none, 0, nil); return 9 },
		stderr: "uvm: run-time error: STACK_STATE: the stack is ACTIVE\n"},

	// Ends of threads and of the program.
	{name: "exit", status: 0, run: func(t *Ctx) int { ThreadExit(t); return 9 }},
	{name: "waitsforothers", status: 9, stdout: "7\n", run: func(t *Ctx) int {
		X(t).W[0] = 7
		NewThread(t, NewStack(t, addr(&fPrint)), 0, long, 0, nil)
		return 9
	}},
	{name: "exitsfirst", status: 0, stdout: "7\n", run: func(t *Ctx) int {
		X(t).W[0] = 7
		NewThread(t, NewStack(t, addr(&fPrint)), 0, long, 0, nil)
		ThreadExit(t)
		return 9
	}},
	{name: "killold", status: 0, stdout: "8\n", run: func(t *Ctx) int {
		s := NewStack(t, addr(&fPrint))
		X(t).W[0] = 8
		SwapStack(t, s, long, none, KillOld, nil)
		return 9
	}},

	// Traps.
	{name: "trap", status: 0, stdout: siteLine, run: func(t *Ctx) int { fillSite(t); Trap(t, &site, 0); return 0 }},
	{name: "trap/abort", env: []string{"UVM_TRAP=abort"}, status: 4, stderr: "uvm: run-time error: UNHANDLED_TRAP at @f.v.e.t\n"},
	{name: "trapresults", status: 4, stdout: "trap f.v.e.ask x=5\n", stderr: "uvm: run-time error: UNHANDLED_TRAP at @f.v.e.ask", run: func(t *Ctx) int {
		X(t).W[0] = 5
		Trap(t, &valued, 0)
		return 9
	}},
	{name: "trap/trace", env: []string{"UVMDEBUG=traptrace=1"}, once: true, stdout: siteLine, stderr: "uvm: trap f.v.e.t in thread 1\n"},
	{name: "undefined", status: 4, stderr: "uvm: run-time error: UNDEFINED_FUNCTION", run: func(t *Ctx) int { return int(undefinedF(t, 3)) }},
	{name: "handler", status: 239, run: func(t *Ctx) int {
		handle(t, answer)
		Trap(t, &valued, 7)
		return int(X(t).W[0]) // 1007
	}},
	{name: "handlernone", status: 3, run: func(t *Ctx) int {
		handle(t, answerNone)
		fillSite(t)
		Trap(t, &site, 0)
		return 3
	}},
	{name: "handlerraise", status: 7, run: func(t *Ctx) int {
		handle(t, raise)
		Trap(t, &valued, 0)
		return int(*longAt(Catch(t)))
	}},
	{name: "handlertypes", status: 4, stderr: "uvm: run-time error: STACK_TYPES...the stack waits for (int<64>), the values are (ref int<64>)", run: func(t *Ctx) int {
		handle(t, wrongTypes)
		Trap(t, &valued, 0)
		return 9
	}},
	{name: "handlerexit", status: 0, run: func(t *Ctx) int {
		handle(t, exitThread)
		Trap(t, &valued, 0)
		return 9
	}},
	{name: "handlerdefine", status: 42, run: func(t *Ctx) int {
		handle(t, define)
		return int(undefinedF(t, 21))
	}},
	{name: "handlernull", status: 4, stderr: "uvm: run-time error: NULL_FUNC", run: func(t *Ctx) int { SetTrapHandler(t, 0, 0); return 9 }},
	{name: "gohandler", status: 12, run: func(t *Ctx) int {
		first.SetTrapHandler(func(t *Ctx, stack uintptr, site *Site, wpid uint32) TrapResult {
			gc.Collect(t, "test")
			X(t).W[0] = uint64(len(site.Name)) + uint64(wpid)
			return TrapResult{Action: TrapPassValues, Stack: stack, Pass: long}
		})
		Trap(t, &valued, 3)
		return int(X(t).W[0])
	}},

	// Futexes and pins.
	{name: "futexnull", status: 4, stderr: "uvm: run-time error: FUTEX: the location is NULL", run: func(t *Ctx) int { FutexWait(t, 0, 32, 0); return 9 }},
	{name: "futexzone", status: 4, stderr: "uvm: run-time error: FUTEX: the location is NULL", run: func(t *Ctx) int { FutexWake(t, NullZone-4, 0); return 9 }},
	{name: "futexdst", status: 4, stderr: "uvm: run-time error: FUTEX: the location is NULL", run: func(t *Ctx) int {
		FutexCmpRequeue(t, wordAddr(), 0, 32, 0, 1)
		return 9
	}},
	{name: "futexcount", status: 4, stderr: "uvm: run-time error: FUTEX: the number of threads is negative", run: func(t *Ctx) int {
		FutexWake(t, wordAddr(), 0xffffffff)
		return 9
	}},
	{name: "futexcount2", status: 4, stderr: "uvm: run-time error: FUTEX: the number of threads is negative", run: func(t *Ctx) int {
		FutexCmpRequeue(t, wordAddr(), wordAddr(), 64, 0, 1<<31)
		return 9
	}},
	{name: "deadlock", status: 4, stderr: "uvm: run-time error: DEADLOCK", run: func(t *Ctx) int { FutexWait(t, wordAddr(), 64, 0); return 9 }},
	{name: "deadlock2", status: 4, stderr: "uvm: run-time error: DEADLOCK", run: func(t *Ctx) int {
		for range 3 {
			X(t).W[0] = 0
			NewThread(t, NewStack(t, addr(&fWaiter)), 0, long, 0, nil)
		}
		FutexWait(t, wordAddr(), 64, 0)
		return 9
	}},
	{name: "deadlockend", status: 4, stderr: "uvm: run-time error: DEADLOCK", run: func(t *Ctx) int {
		X(t).W[0] = 0
		NewThread(t, NewStack(t, addr(&fWaiter)), 0, long, 0, nil)
		return 9
	}},
	{name: "nodeadlock", status: 253, run: func(t *Ctx) int { return int(FutexWaitTimeout(t, wordAddr(), 64, 0, 20e6)) }},
	// What keeps objects alive.
	{name: "pinkeeps", status: 77, run: func(t *Ctx) int {
		p := Pin(t, newLong(t, 77))
		Pin(t, p)
		Unpin(t, p)
		litter(t)
		return int(*longAt(p))
	}},
	{name: "localkeeps", status: 78, run: func(t *Ctx) int {
		SetThreadLocal(t, newLong(t, 78))
		litter(t)
		return int(*longAt(ThreadLocal(t)))
	}},
	{name: "stackkeeps", status: 79, run: func(t *Ctx) int {
		fp := frame(t, 2)
		*root(fp, 0) = NewStack(t, addr(&fHold))
		*root(fp, 1) = CurrentStack(t)
		o := newLong(t, 79)
		x := X(t)
		x.R[0], x.R[1] = *root(fp, 1), o
		SwapStack(t, *root(fp, 0), refRef, none, 0, nil)
		litter(t)
		SwapStack(t, *root(fp, 0), none, ref, 0, nil)
		return int(*longAt(X(t).R[0]))
	}},
	{name: "futexkeeps", status: 80, run: func(t *Ctx) int {
		fp := frame(t, 1)
		*root(fp, 0) = newLong(t, 80)
		o := *root(fp, 0)
		s := NewStack(t, addr(&fLitter))
		X(t).W[0] = uint64(o)
		NewThread(t, s, 0, long, 0, nil)
		*root(fp, 0) = 0 // only the wait keeps it alive
		FutexWait(t, o, 64, 80)
		return int(*longAt(o))
	}},
	{name: "argskeep", stdout: "81\n82\n", run: func(t *Ctx) int {
		fp := frame(t, 2)
		*root(fp, 0) = NewStack(t, addr(&fPrintLocal))
		*root(fp, 1) = newLong(t, 82)
		local := *root(fp, 1)
		*root(fp, 1) = 0
		x := X(t)
		x.R[0] = *root(fp, 0) // any reference that is only an argument
		s := *root(fp, 0)
		NewThread(t, s, local, ref, 0, nil)
		litter(t)
		return 0
	}},
	{name: "handleragain", status: 239, run: func(t *Ctx) int {
		handle(t, answerTwice)
		Trap(t, &valued, 7)
		return int(X(t).W[0])
	}},

	{name: "unpin", status: 4, stderr: "uvm: run-time error: PIN", run: func(t *Ctx) int {
		p := Pin(t, newLong(t, 1))
		Unpin(t, p)
		Unpin(t, 0)
		Unpin(t, p)
		return 9
	}},
}

// litter makes garbage and collects.
func litter(t *Ctx) {
	for range 3 {
		for range 100 {
			newLong(t, 0)
		}
		gc.Collect(t, "test")
	}
}

// fLitter does so until it has woken a thread at the address that it gets as a number.
var fLitter = Func{Name: "@litter", Class: 3, Params: long, Defined: true, Enter: func(t *Ctx) {
	a := uintptr(X(t).W[0])
	for machine.Waiting(a) == 0 {
		pause(t)
	}
	litter(t)
	FutexWake(t, a, 1)
}}

// fTimed waits many times, at the word of an object that nothing else refers to.
var fTimed = Func{Name: "@timed", Class: 3, Params: long, Defined: true, Enter: func(t *Ctx) {
	n := X(t).W[0]
	for i := range n {
		FutexWaitTimeout(t, newLong(t, 1), 64, 1, i%8*2000)
	}
}}

// fHold keeps its second argument in its frame, and passes it to the first when it is
// resumed.
var fHold = Func{Name: "@hold", Class: 6, Params: refRef, Defined: true, Enter: func(t *Ctx) {
	x := X(t)
	fp := frame(t, 2)
	*root(fp, 0), *root(fp, 1) = x.R[0], x.R[1]
	SwapStack(t, *root(fp, 0), none, none, 0, nil)
	X(t).R[0] = *root(fp, 1)
	SwapStack(t, *root(fp, 0), ref, none, KillOld, nil)
}}

// fPrintLocal prints 81 and what its thread-local reference refers to.
var fPrintLocal = Func{Name: "@print_local", Class: 7, Params: ref, Defined: true, Enter: func(t *Ctx) {
	litter(t)
	X(t).W[0], X(t).W[1] = 81, *longAt(ThreadLocal(t))
	PrintValues(t, []*VType{{Kind: VInt, Bits: 64}, {Kind: VInt, Bits: 64}}, nil)
}}

// fPrint prints its argument.
var fPrint = Func{Name: "@print", Class: 3, Params: long, Defined: true, Enter: func(t *Ctx) {
	PrintValues(t, []*VType{{Kind: VInt, Bits: 64}}, nil)
}}

func init() {
	for _, p := range programs {
		if p.run != nil {
			cases[p.name] = p.run
		}
	}
}
