package atomicsmodel

import (
	"fmt"
	"slices"
	"strings"
)

// How a bundle runs a test.
//
// 1. Each location and register is an array of cells, one for each iteration of
//    a batch, so that iterations do not disturb one another.
// 2. Each thread of the test is a Mu thread. All start a batch behind a barrier
//    and end it at another. Before each iteration a thread waits for the others
//    without sleeping, and then for a short time that varies. A thread that is
//    late does not wait, so threads that run at the same time soon reach the same
//    iteration. In each batch the number of turns that a thread waits is bounded,
//    because another thread may not be running.
// 3. The first thread counts the states of the batch and resets the cells. The
//    number of a state has a digit for each register and location.
// 4. At the end the entry function reports each state with its count through a
//    TRAP.
//
// Options make rare outcomes more likely. All their choices are those of a hash of the seed, the thread and the number of
// the iteration, so a bundle of the same options makes the same ones.
//
//   - Affinity: before each batch the threads pin themselves to processors.
//   - Prefill: each cell has a cache line of its own. Before each batch, all threads at once go through the cells, and load
//     some of them, or update them by adding 0, so that the lines are shared or owned by any of the processors.
//   - Delays: in one batch of four, a thread runs another copy of its code, which waits between some of the statements for a
//     short time, and seldom long enough for the system to run something else.

// BundleOptions tell how often, with which type of locations and how a bundle runs its tests.
type BundleOptions struct {
	Iterations int      // of each test, rounded up to full batches; 0: 200,000
	Batch      int      // iterations between two meetings of the threads; 0: 4,096, or 1,024 with Prefill
	Bits       int      // width of the locations: 8, 16, 32 or 64; 0: 64
	Affinity   Affinity // where threads run
	Prefill    bool     // distribute the cells over the caches
	Delays     bool     // wait between statements
	Seed       uint64   // of all choices
}

// Affinity tells on which processors the threads of a test run. Only Linux can pin them; elsewhere, and in the
// interpreter, a bundle runs without.
type Affinity uint8

// The kinds of affinity.
const (
	Floating Affinity = iota // where the system puts them
	Spread                   // thread i of a test on processor i
	Random                   // on neighbouring processors, but each batch on others
)

var affinityNames = [...]string{"none", "spread", "random"}

func (a Affinity) String() string { return affinityNames[a] }

// AffinityByName returns the affinity of a name.
func AffinityByName(name string) (Affinity, bool) {
	i := slices.Index(affinityNames[:], name)
	return Affinity(max(i, 0)), i >= 0
}

// lineBytes is the size of a cache line, or more than that.
const lineBytes = 64

// mixed is a hash of numbers: that of splitmix64, which function @mix of a bundle computes, too.
func mixed(numbers ...uint64) int64 {
	x := uint64(0)
	for _, n := range numbers {
		x = (x + n) * golden
		x = (x ^ x>>30) * mix1
		x = (x ^ x>>27) * mix2
		x ^= x >> 31
	}
	return int64(x)
}

const (
	golden uint64 = 0x9e3779b97f4a7c15
	mix1   uint64 = 0xbf58476d1ce4e5b9
	mix2   uint64 = 0x94d049bb133111eb
)

// patience is the number of turns that a thread waits for others, for each iteration of a batch: in all of a large one less
// than a millisecond, in generated code.
const patience = 122

// A digit of a state is the value of a register or location below other;
// other stands for all other values and for registers without a value.
const (
	radix     = 8
	other     = radix - 1
	maxDigits = 6
)

func digit(v Value) int64 {
	if !v.Defined || v.N < 0 || v.N >= other {
		return other
	}
	return v.N
}

// BundleEnding is how the names of files with the programs of Bundle end.
const BundleEnding = ".uir"

// Bundle writes a Mu program that runs the tests one after the other and
// reports through traps which final states it saw (ReadCounts). It fails on
// tests with events other than accesses and fences, with more than six
// registers and locations, and with numbers that the report has no digit for.
func Bundle(tests []*Test, o BundleOptions) (string, error) {
	if o.Iterations == 0 {
		o.Iterations = 200_000
	}
	switch {
	case o.Batch != 0:
	case o.Prefill:
		o.Batch = 1024
	default:
		o.Batch = 4096
	}
	if o.Bits == 0 {
		o.Bits = 64
	}
	if !slices.Contains([]int{8, 16, 32, 64}, o.Bits) || o.Iterations < 0 || o.Batch < 0 {
		return "", fmt.Errorf("no bundle with %d bits, %d iterations in batches of %d", o.Bits, o.Iterations, o.Batch)
	}
	w := &writer{o: o, rounds: (o.Iterations + o.Batch - 1) / o.Batch, step: 1}
	if o.Prefill {
		w.step = lineBytes / (o.Bits / 8)
	}
	w.consts = map[string]bool{}
	for i, t := range tests {
		if err := w.test(i, t); err != nil {
			return "", err
		}
	}
	w.main(len(tests))
	return w.head() + w.body.String(), nil
}

// A writer collects the text of a bundle. Types: @t is the type of locations,
// @i that of counters.
type writer struct {
	o      BundleOptions
	rounds int
	step   int // from one cell of a location to the next
	body   strings.Builder
	consts map[string]bool // "i 5": constant 5 of type @i
}

func (w *writer) f(format string, args ...any) { fmt.Fprintf(&w.body, format+"\n", args...) }

// c returns the name of a constant of a type.
func (w *writer) c(typ string, n int64) string {
	name := fmt.Sprintf("@%s.%d", typ, n)
	if n < 0 {
		name = fmt.Sprintf("@%s.m%d", typ, -n)
	}
	w.consts[fmt.Sprintf(".const %s <@%s> = %d", name, typ, n)] = true
	return name
}

// head writes the parts that all tests share: types, constants, the barrier.
func (w *writer) head() string {
	var b strings.Builder
	fmt.Fprintf(&b, `// Litmus tests, %d iterations each.
.typedef @t = int<%d>
.typedef @i = int<64>
.typedef @i1 = int<1>
.typedef @n = int<32>
.typedef @cells = array<@t %d>
.typedef @lines = array<@t %d>
.typedef @bins = array<@i %d>
.funcsig @none = () -> ()
.funcsig @barrier.sig = (@n) -> ()
.funcsig @meet.sig = (@i @i @i) -> (@i)
.funcsig @tally.sig = (@i) -> (@i)
.funcsig @prefill.sig = (@i @i) -> ()
.typedef @cell = iref<@t>
.global @arrived <@n>
.global @generation <@n>
.global @left <@n>
.global @ready <@i>
.global @states <@bins>
`, w.rounds*w.o.Batch, w.o.Bits, w.o.Batch, w.o.Batch*w.step, pow(radix, maxDigits))
	one, zero := w.c("n", 1), w.c("n", 0)
	body := fmt.Sprintf(`
// barrier waits for %%n threads, awake at first.
.funcdef @barrier VERSION %%v <@barrier.sig> {
  %%entry(<@n> %%n):
    %%g = LOAD ACQUIRE <@n> @generation
    %%o = ATOMICRMW ACQ_REL ADD <@n> @arrived %[1]s
    %%o1 = ADD <@n> %%o %[1]s
    %%last = EQ <@n> %%o1 %%n
    BRANCH2 %%last %%open(%%n) %%spin(%%g %[4]s)
  %%open(<@n> %%n):
    STORE RELEASE <@n> @arrived %[2]s
    %%old = ATOMICRMW SEQ_CST ADD <@n> @generation %[1]s
    %%w = COMMINST @uvm.futex.wake <@n> (@generation %%n)
    RET ()
  %%spin(<@n> %%g <@i> %%k):
    %%now = LOAD ACQUIRE <@n> @generation
    %%same = EQ <@n> %%now %%g
    BRANCH2 %%same %%again(%%g %%k) %%out()
  %%again(<@n> %%g <@i> %%k):
    %%k1 = ADD <@i> %%k %[3]s
    %%more = ULT <@i> %%k1 %[5]s
    BRANCH2 %%more %%spin(%%g %%k1) %%sleep(%%g)
  %%sleep(<@n> %%g):
    %%w = COMMINST @uvm.futex.wait <@n> (@generation %%g)
    BRANCH %%spin(%%g %[4]s)
  %%out():
    RET ()
}
// meet counts itself in @ready and waits awake until that is %%target, at most
// %%w turns, then %%k turns more. It returns what is left of %%w.
.funcdef @meet VERSION %%v <@meet.sig> {
  %%entry(<@i> %%target <@i> %%k <@i> %%w):
    %%o = ATOMICRMW SEQ_CST ADD <@i> @ready %[3]s
    BRANCH %%spin(%%target %%k %%w)
  %%spin(<@i> %%target <@i> %%k <@i> %%w):
    %%now = LOAD ACQUIRE <@i> @ready
    %%less = ULT <@i> %%now %%target
    %%some = NE <@i> %%w %[4]s
    %%on = AND <@i1> %%less %%some
    BRANCH2 %%on %%turn(%%target %%k %%w) %%delay(%%k %%w)
  %%turn(<@i> %%target <@i> %%k <@i> %%w):
    %%w1 = SUB <@i> %%w %[3]s
    BRANCH %%spin(%%target %%k %%w1)
  %%delay(<@i> %%k <@i> %%w):
    %%z = EQ <@i> %%k %[4]s
    %%k1 = SUB <@i> %%k %[3]s
    BRANCH2 %%z %%out(%%w) %%delay(%%k1 %%w)
  %%out(<@i> %%w):
    RET %%w
}
`, one, zero, w.c("i", 1), w.c("i", 0), w.c("i", 20_000))
	body += w.choices()
	lines := make([]string, 0, len(w.consts))
	for c := range w.consts {
		lines = append(lines, c)
	}
	slices.Sort(lines)
	return b.String() + strings.Join(lines, "\n") + "\n" + body
}

// choices writes the functions that the options need: @mix, whose result depends on a number as if by chance, and @pause,
// which waits for as long as a number says.
func (w *writer) choices() string {
	if w.o.Affinity == Floating && !w.o.Prefill && !w.o.Delays {
		return ""
	}
	i := func(n int64) string { return w.c("i", n) }
	first, second := mix1, mix2
	text := fmt.Sprintf(`
.funcdef @mix VERSION %%v <@tally.sig> {
  %%entry(<@i> %%x):
    %%a = LSHR <@i> %%x %[1]s
    %%b = XOR <@i> %%x %%a
    %%c = MUL <@i> %%b %[2]s
    %%d = LSHR <@i> %%c %[3]s
    %%e = XOR <@i> %%c %%d
    %%f = MUL <@i> %%e %[4]s
    %%g = LSHR <@i> %%f %[5]s
    %%h = XOR <@i> %%f %%g
    RET %%h
}
`, i(30), i(int64(first)), i(27), i(int64(second)), i(31))
	if w.o.Affinity != Floating {
		text += `
.funcsig @pin.sig = (@n) -> (@n)
.typedef @pin.fp = ufuncptr<@pin.sig>
.const @pin <@pin.fp> = EXTERN "uvmPin"
`
	}
	if w.o.Delays {
		text += fmt.Sprintf(`
.global @silent <@n>
.funcsig @pause.sig = (@i) -> ()
.funcdef @pause VERSION %%v <@pause.sig> {
  %%entry(<@i> %%x):
    %%h = CALL <@tally.sig> @mix (%%x)
    %%low = AND <@i> %%h %[3]s
    %%some = EQ <@i> %%low %[1]s
    BRANCH2 %%some %%wait(%%h) %%out()
  %%wait(<@i> %%h):
    %%s = LSHR <@i> %%h %[5]s
    %%long = AND <@i> %%s %[4]s
    %%z = EQ <@i> %%long %[1]s
    %%s1 = LSHR <@i> %%h %[6]s
    %%k = AND <@i> %%s1 %[7]s
    BRANCH2 %%z %%sleep() %%loop(%%k)
  %%sleep():
    %%r = COMMINST @uvm.futex.wait_timeout <@n> (@silent %[8]s %[9]s)
    BRANCH %%out()
  %%loop(<@i> %%k):
    %%end = EQ <@i> %%k %[1]s
    %%k1 = SUB <@i> %%k %[2]s
    BRANCH2 %%end %%out() %%loop(%%k1)
  %%out():
    RET ()
}
`, i(0), i(1), i(3), i(1023), i(8), i(32), i(255), w.c("n", 0), i(1000))
	}
	return text
}

// chance writes the computation of a number that depends on the number x, and on the seed and other numbers, as if by
// chance, and returns its variable.
func (w *writer) chance(name, x string, numbers ...uint64) string {
	w.f("    %s.m = MUL <@i> %s %s", name, x, w.c("i", mixed(golden)|1))
	w.f("    %s.x = ADD <@i> %s.m %s", name, name, w.c("i", mixed(append(numbers, w.o.Seed)...)))
	w.f("    %s = CALL <@tally.sig> @mix (%s.x)", name, name)
	return name
}

// What chance decides about; the first of its numbers.
const (
	aboutProcessor = iota
	aboutCell
	aboutDelays
	aboutSkew
	aboutPause
)

func pow(b, n int) int {
	r := 1
	for range n {
		r *= b
	}
	return r
}

// cells names the array of a location or register of test k.
func cells(k int, name string) string { return fmt.Sprintf("@t%d.%s", k, name) }

// test writes the functions of the k-th test.
func (w *writer) test(k int, t *Test) error {
	names := slices.Concat(t.registers, t.locations)
	if len(names) > maxDigits {
		return fmt.Errorf("%s: cannot be run: more than %d registers and locations", t.Name, maxDigits)
	}
	for _, i := range t.Init {
		if i.Value < 0 || i.Value >= other {
			return fmt.Errorf("%s: cannot be run: initial value %d", t.Name, i.Value)
		}
	}
	w.f("\n// %s", t.Name)
	for _, n := range t.registers {
		w.f(".global %s <@cells>", cells(k, n))
	}
	for _, n := range t.locations {
		w.f(".global %s <@lines>", cells(k, n))
	}
	for i := range t.Threads {
		if err := w.thread(k, i, t); err != nil {
			return err
		}
	}
	w.reset(k, t)
	w.tally(k, t)
	if w.o.Prefill {
		w.prefill(k, t)
	}
	w.run(k, t)
	return nil
}

// thread writes a thread of a test. Each block takes the iteration, the round,
// the turns left to wait and the registers assigned so far; -1 stands for no
// value.
func (w *writer) thread(k, i int, t *Test) error {
	one, zero := w.c("i", 1), w.c("i", 0)
	parties := w.c("n", int64(len(t.Threads)))
	w.f(".funcdef @t%d.%s.thread VERSION %%v <@none> {", k, t.Threads[i].Name)
	w.f("  %%entry():")
	w.f("    BRANCH %%round(%s)", zero)
	w.f("  %%round(<@i> %%n):")
	w.pin(i)
	w.f("    CALL <@barrier.sig> @barrier (%s)", parties)
	if w.o.Prefill {
		w.f("    CALL <@prefill.sig> @t%d.prefill (%%n %s)", k, w.c("i", int64(i)))
		w.f("    CALL <@barrier.sig> @barrier (%s)", parties)
	}
	start := fmt.Sprintf("0(%s %%n %s)", zero, w.c("i", int64(patience*w.o.Batch)))
	if !w.o.Delays {
		w.f("    BRANCH %%b%s", start)
	} else {
		h := w.chance("%mode", "%n", aboutDelays, uint64(i))
		w.f("    %%mode.low = AND <@i> %s %s", h, w.c("i", 3))
		w.f("    %%mode.delays = EQ <@i> %%mode.low %s", zero)
		w.f("    BRANCH2 %%mode.delays %%d%s %%b%s", start, start)
		if err := w.code(k, i, t, "d"); err != nil {
			return err
		}
	}
	if err := w.code(k, i, t, "b"); err != nil {
		return err
	}
	w.f("  %%end(<@i> %%n):")
	w.f("    CALL <@barrier.sig> @barrier (%s)", parties)
	if i == 0 {
		w.f("    CALL <@none> @t%d.tally ()", k)
		w.f("    CALL <@none> @t%d.reset ()", k)
	}
	w.f("    %%n1 = ADD <@i> %%n %s", one)
	w.f("    %%more = ULT <@i> %%n1 %s", w.c("i", int64(w.rounds)))
	w.f("    BRANCH2 %%more %%round(%%n1) %%exit()")
	w.f("  %%exit():")
	if w.o.Affinity != Floating {
		w.f("    %%p = CCALL #DEFAULT <@pin.fp @pin.sig> @pin (%s)", w.c("n", -1))
	}
	w.f("    %%o = ATOMICRMW ACQ_REL SUB <@n> @left %s", w.c("n", 1))
	w.f("    %%w = COMMINST @uvm.futex.wake <@n> (@left %s)", w.c("n", 1))
	w.f("    COMMINST @uvm.thread_exit")
	w.f("}")
	return nil
}

// pin writes where a thread chooses its processor.
func (w *writer) pin(i int) {
	core := w.c("n", int64(i))
	switch w.o.Affinity {
	case Floating:
		return
	case Random:
		h := w.chance("%core", "%n", aboutProcessor)
		w.f("    %%core.low = AND <@i> %s %s", h, w.c("i", 0xffff))
		w.f("    %%core.own = ADD <@i> %%core.low %s", w.c("i", int64(i)))
		w.f("    %%core.n = TRUNC <@i @n> %%core.own")
		core = "%core.n"
	}
	w.f("    %%pinned = CCALL #DEFAULT <@pin.fp @pin.sig> @pin (%s)", core)
}

// code writes the code of a thread, with the loop around it. The names of its blocks begin with a letter; that of the copy
// with delays is d.
func (w *writer) code(k, i int, t *Test, letter string) error {
	th := &t.Threads[i]
	b := &threadWriter{writer: w, k: k, i: i, letter: letter, conditional: map[string]bool{}}
	w.f("  %%%s0(<@i> %%i <@i> %%n <@i> %%w0):", letter)
	b.iteration()
	w.f("    %%all1 = ADD <@i> %%all %s", w.c("i", 1))
	w.f("    %%target = MUL <@i> %%all1 %s", w.c("i", int64(len(t.Threads))))
	if letter == "d" {
		h := w.chance("%skew", "%all", aboutSkew, uint64(i))
		w.f("    %%k = AND <@i> %s %s", h, w.c("i", 127))
	} else {
		w.f("    %%skew = MUL <@i> %%all %s", w.c("i", int64(13*(i+1))))
		w.f("    %%k = AND <@i> %%skew %s", w.c("i", 63))
	}
	w.f("    %%w = CALL <@meet.sig> @meet (%%target %%k %%w0)")
	for j := range th.Code {
		if letter == "d" && j > 0 {
			b.pause(j)
		}
		if err := b.stmt(&th.Code[j]); err != nil {
			return fmt.Errorf("%s: line %d: cannot be run: %w", t.Name, th.Code[j].Line, err)
		}
	}
	for _, r := range b.regs {
		w.f("    %%out.%s = GETELEMIREF <@cells @i> %s %%i", r, cells(k, r))
		w.f("    STORE <@t> %%out.%s %s", r, reg(r))
	}
	w.f("    %%i1 = ADD <@i> %%i %s", w.c("i", 1))
	w.f("    %%more = ULT <@i> %%i1 %s", w.c("i", int64(w.o.Batch)))
	w.f("    BRANCH2 %%more %%%s0(%%i1 %%n %%w) %%end(%%n)", letter)
	return nil
}

// iteration writes the computation of %all, the number of the iteration among all.
func (w *writer) iteration() {
	w.f("    %%base = MUL <@i> %%n %s", w.c("i", int64(w.o.Batch)))
	w.f("    %%all = ADD <@i> %%base %%i")
}

// reset writes a function that gives all cells their initial values.
func (w *writer) reset(k int, t *Test) {
	w.f(".funcdef @t%d.reset VERSION %%v <@none> {", k)
	w.f("  %%entry(): BRANCH %%loop(%s)", w.c("i", 0))
	w.f("  %%loop(<@i> %%i):")
	values := map[string]int64{}
	for _, r := range t.registers {
		values[r] = -1
	}
	for _, i := range t.Init {
		values[i.Name] = i.Value
	}
	w.places(k, t)
	for _, n := range slices.Concat(t.registers, t.locations) {
		w.f("    STORE RELAXED <@t> %%at.%s %s", n, w.c("t", values[n]))
	}
	w.loopEnd("%i1", "%i", w.o.Batch)
	w.f("}")
}

// index writes the index of the cell of a location for an iteration.
func (w *writer) index(name, iteration string) string {
	if w.step == 1 {
		return iteration
	}
	w.f("    %s = MUL <@i> %s %s", name, iteration, w.c("i", int64(w.step)))
	return name
}

// places writes the places of all cells of iteration %i: %at.x is that of x.
func (w *writer) places(k int, t *Test) {
	for _, n := range t.registers {
		w.f("    %%at.%s = GETELEMIREF <@cells @i> %s %%i", n, cells(k, n))
	}
	index := w.index("%line", "%i")
	for _, n := range t.locations {
		w.f("    %%at.%s = GETELEMIREF <@lines @i> %s %s", n, cells(k, n), index)
	}
}

// prefill writes a function that loads or updates some of the cells, before the batch %n in thread %me.
func (w *writer) prefill(k int, t *Test) {
	w.f(".funcdef @t%d.prefill VERSION %%v <@prefill.sig> {", k)
	w.f("  %%entry(<@i> %%n <@i> %%me): BRANCH %%loop(%s %%n %%me)", w.c("i", 0))
	w.f("  %%loop(<@i> %%i <@i> %%n <@i> %%me):")
	w.iteration()
	w.f("    %%mine = MUL <@i> %%me %s", w.c("i", mixed(aboutCell, golden)))
	w.f("    %%x = ADD <@i> %%all %%mine")
	h := w.chance("%h", "%x", aboutCell)
	for l, n := range t.locations {
		index := w.index("%line."+n, "%i")
		w.f("    %%at.%s = GETELEMIREF <@lines @i> %s %s", n, cells(k, n), index)
		w.f("    %%s.%s = LSHR <@i> %s %s", n, h, w.c("i", int64(7*l)))
		w.f("    %%c.%s = AND <@i> %%s.%s %s", n, n, w.c("i", 3))
		w.f("    %%none.%s = EQ <@i> %%c.%s %s", n, n, w.c("i", 0))
		w.f("    %%load.%s = EQ <@i> %%c.%s %s", n, n, w.c("i", 1))
		vars := "%i %n %me " + h
		params := "<@i> %i <@i> %n <@i> %me <@i> " + h
		w.f("    BRANCH2 %%none.%s %%next.%s(%s) %%touch.%s(%s %%at.%s %%load.%s)", n, n, vars, n, vars, n, n)
		w.f("  %%touch.%s(%s <@cell> %%p <@i1> %%load):", n, params)
		w.f("    BRANCH2 %%load %%shared.%s(%s %%p) %%own.%s(%s %%p)", n, vars, n, vars)
		w.f("  %%shared.%s(%s <@cell> %%p):", n, params)
		w.f("    %%v = LOAD RELAXED <@t> %%p")
		w.f("    BRANCH %%next.%s(%s)", n, vars)
		w.f("  %%own.%s(%s <@cell> %%p):", n, params)
		w.f("    %%v = ATOMICRMW RELAXED ADD <@t> %%p %s", w.c("t", 0))
		w.f("    BRANCH %%next.%s(%s)", n, vars)
		w.f("  %%next.%s(%s):", n, params)
	}
	w.f("    %%i1 = ADD <@i> %%i %s", w.c("i", 1))
	w.f("    %%more = ULT <@i> %%i1 %s", w.c("i", int64(w.o.Batch)))
	w.f("    BRANCH2 %%more %%loop(%%i1 %%n %%me) %%out()")
	w.f("  %%out(): RET ()")
	w.f("}")
}

// loopEnd increments the counter and continues with %loop or returns.
func (w *writer) loopEnd(next, i string, n int) {
	w.f("    %s = ADD <@i> %s %s", next, i, w.c("i", 1))
	w.f("    %%more = ULT <@i> %s %s", next, w.c("i", int64(n)))
	w.f("    BRANCH2 %%more %%loop(%s) %%out()", next)
	w.f("  %%out(): RET ()")
}

// tally writes a function that counts the states of a batch.
func (w *writer) tally(k int, t *Test) {
	w.f(".funcdef @t%d.tally VERSION %%v <@none> {", k)
	w.f("  %%entry(): BRANCH %%loop(%s)", w.c("i", 0))
	w.f("  %%loop(<@i> %%i):")
	w.places(k, t)
	state := w.c("i", 0)
	for _, n := range slices.Concat(t.registers, t.locations) {
		w.f("    %%v.%s = LOAD RELAXED <@t> %%at.%s", n, n)
		w.f("    %%small.%s = ULT <@t> %%v.%s %s", n, n, w.c("t", other))
		w.f("    %%c.%s = SELECT <@i1 @t> %%small.%s %%v.%s %s", n, n, n, w.c("t", other))
		wide := "%c." + n
		if w.o.Bits < 64 {
			wide = "%w." + n
			w.f("    %s = ZEXT <@t @i> %%c.%s", wide, n)
		}
		w.f("    %%m.%s = MUL <@i> %s %s", n, state, w.c("i", radix))
		w.f("    %%s.%s = ADD <@i> %%m.%s %s", n, n, wide)
		state = "%s." + n
	}
	w.f("    %%bin = GETELEMIREF <@bins @i> @states %s", state)
	w.f("    %%old = LOAD <@i> %%bin")
	w.f("    %%new = ADD <@i> %%old %s", w.c("i", 1))
	w.f("    STORE <@i> %%bin %%new")
	w.loopEnd("%i1", "%i", w.o.Batch)
	w.f("}")
}

// run writes a function that starts the threads of a test, waits for them and
// reports.
func (w *writer) run(k int, t *Test) {
	w.f(".funcdef @t%d.run VERSION %%v <@none> {", k)
	w.f("  %%entry():")
	w.f("    CALL <@none> @t%d.reset ()", k)
	w.f("    STORE SEQ_CST <@i> @ready %s", w.c("i", 0))
	w.f("    STORE SEQ_CST <@n> @left %s", w.c("n", int64(len(t.Threads))))
	for i := range t.Threads {
		w.f("    %%s%d = COMMINST @uvm.new_stack <[@none]> (@t%d.%s.thread)", i, k, t.Threads[i].Name)
		w.f("    %%t%d = NEWTHREAD %%s%d PASS_VALUES <> ()", i, i)
	}
	w.f("    BRANCH %%wait()")
	w.f("  %%wait():")
	w.f("    %%n = LOAD ACQUIRE <@n> @left")
	w.f("    %%z = EQ <@n> %%n %s", w.c("n", 0))
	w.f("    BRANCH2 %%z %%loop(%s) %%sleep(%%n)", w.c("i", 0))
	w.f("  %%sleep(<@n> %%n):")
	w.f("    %%r = COMMINST @uvm.futex.wait <@n> (@left %%n)")
	w.f("    BRANCH %%wait()")
	w.f("  %%loop(<@i> %%state):")
	w.f("    %%bin = GETELEMIREF <@bins @i> @states %%state")
	w.f("    %%count = LOAD <@i> %%bin")
	w.f("    STORE <@i> %%bin %s", w.c("i", 0))
	w.f("    %%z = EQ <@i> %%count %s", w.c("i", 0))
	w.f("    BRANCH2 %%z %%next(%%state) %%seen(%%state %%count)")
	w.f("  %%seen(<@i> %%state <@i> %%count):")
	w.f("    %%test = ADD <@i> %s %s", w.c("i", int64(k)), w.c("i", 0))
	w.f("    [@%s.%d] TRAP <> KEEPALIVE(%%test %%state %%count)", trapName, k)
	w.f("    BRANCH %%next(%%state)")
	w.f("  %%next(<@i> %%state):")
	w.loopEnd("%state1", "%state", pow(radix, len(t.registers)+len(t.locations)))
	w.f("}")
}

const trapName = "litmus.state"

func (w *writer) main(tests int) {
	w.f("\n.funcdef @main VERSION %%v <@none> {")
	w.f("  %%entry():")
	for k := range tests {
		w.f("    CALL <@none> @t%d.run ()", k)
	}
	w.f("    RET ()")
	w.f("}")
}
