package interp

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"time"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Values of Config.TrapMode (docs/commands.md, "Environment").
const (
	TrapPrint = "print"
	TrapAbort = "abort"
)

// Config says how to run a program. The zero Config runs the entry function with the
// standard streams and no arguments, and reports errors like a built program. For
// programs that load text while they run, use transpile.Program.Interpreter.
type Config struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Args is argv, the program's name first.
	Args []string
	// Entry is the name of the entry function, that of the program (ir.Program.Main) if empty.
	Entry string
	// Seed fixes the order in which threads take turns.
	Seed int64
	// TrapMode is TrapPrint, which is the default, or TrapAbort.
	TrapMode string
	// HeapLimit is the largest size of the heap in bytes, 1 GiB if 0.
	HeapLimit uint64
	// StackLimit is the largest number of frames of a stack, 1,000,000 if 0; frames with large values count for
	// several.
	StackLimit int
	// CollectEvery makes every N-th allocation collect, as gcstress=N does.
	CollectEvery uint64
	// MaxSteps, if not 0, is the number of instructions after which Run returns
	// ErrSteps. It is for programs that may not end.
	MaxSteps int64
	// Strict compares types at bindings by structure, not by machine class
	// (docs/language.md, "Decisions").
	Strict bool
	// CheckNullAddress reports addressing instructions that work on NULL, like
	// programs translated with -sanitize. Without it their result counts as
	// NULL, and an access to it reports NULL_REF.
	CheckNullAddress bool
	// LookupEnv finds environment variables, os.LookupEnv if nil.
	LookupEnv func(string) (string, bool)
	// LoadHAIL reads a HAIL script that the program loads, into the Image of p; nil if the
	// program cannot load scripts. It reports whether an error is a syntax error.
	LoadHAIL func(p *ir.Program, text string) (syntax bool, err error)
	// LoadText reads a text of declarations that the program loads, and adds the declarations to
	// p, under the names that it returns; nil if the program cannot load text. visible reports
	// which names can be found. The codes of errors are in docs/language.md, "Run-time errors".
	LoadText func(p *ir.Program, text string, visible func(name string) bool) (names []string, code string, err error)
	// Returned, if not nil, is called with the results of the entry function when it has returned,
	// before later hooks run.
	Returned func(results []Value)
	// Start is the time of day at the start of the program, the real time if zero.
	Start time.Time
}

// ErrSteps means that a program did not end within Config.MaxSteps.
var ErrSteps = errors.New("the program does not end within the allowed number of instructions")

// Defaults of Config.
const (
	DefaultHeapLimit  = 1 << 30
	DefaultStackLimit = 1_000_000
)

// OutputError means that a line of the default trap handler could not be written to
// standard output. The run ends with it.
type OutputError struct{ Err error }

func (e *OutputError) Error() string { return "standard output cannot be written: " + e.Err.Error() }

func (e *OutputError) Unwrap() error { return e.Err }

func (cfg Config) withDefaults() Config {
	if cfg.Stdin == nil {
		cfg.Stdin = os.Stdin
	}
	if cfg.Stdout == nil {
		cfg.Stdout = os.Stdout
	}
	if cfg.Stderr == nil {
		cfg.Stderr = os.Stderr
	}
	if cfg.LookupEnv == nil {
		cfg.LookupEnv = os.LookupEnv
	}
	if cfg.Start.IsZero() {
		cfg.Start = time.Now()
	}
	cfg.HeapLimit = cmp.Or(cfg.HeapLimit, DefaultHeapLimit)
	cfg.StackLimit = cmp.Or(cfg.StackLimit, DefaultStackLimit)
	return cfg
}

// machine is one run of a program.
type machine struct {
	cfg     Config
	prog    *ir.Program
	types   *ir.Types
	shapes  *shapes
	classes map[ir.TypeID]string // see looseClass
	random  *rand.Rand

	functions map[*ir.Function]*function
	globals   map[*ir.Global]*unit
	exposes   map[*ir.Expose]uint64
	names     *nameTable
	addresses *addresses
	natives   map[string]uint64  // blocks made once, such as the strings of getenv
	files     map[int64]openFile // by descriptor; nil until one is used
	rand      uint64             // state of rand
	heap      heap
	finals    finals
	handles   []Value // roots while something is being built
	serial    uint64  // of the last unit

	ready      []*thread // threads that can run
	waiting    []*waiter // the others, in the order of arrival
	running    *thread
	lastThread int
	budget     int   // number of instructions until the scheduler chooses again
	ticks      int64 // number of instructions so far, without those of the current turn
	skipped    int64 // virtual nanoseconds that passed with no thread running

	handler    trapHandler
	handlerSig ir.TypeID
	bytesType  ir.TypeID // @uvm.meta.bytes
	refsType   ir.TypeID // @uvm.meta.refs
	rethrows   bool      // some function has a RETHROW
	watch      map[uint32]bool
	loaded     []bool          // of the program's later bundles
	declared   map[string]bool // names that text has declared; nil if no text was loaded

	// How the program ended.
	calls    []call // of the first stack, the current one and those that follow
	over     bool
	status   int
	kind     kind // of the run-time error
	detail   string
	err      error   // the program or the interpreter is broken
	results  []Value // of the entry function
	returned bool
}

// newMachine makes a machine with the program's memory. It may add the predefined
// types to the program's table.
func newMachine(p *ir.Program, cfg Config) *machine {
	t := p.Types
	voidRef := t.Ref(t.Void())
	m := &machine{
		cfg: cfg, prog: p, types: t, shapes: newShapes(t), classes: map[ir.TypeID]string{},
		random:    rand.New(rand.NewPCG(uint64(cfg.Seed), 0x9e3779b97f4a7c15)),
		functions: map[*ir.Function]*function{}, globals: map[*ir.Global]*unit{}, exposes: map[*ir.Expose]uint64{},
		addresses: newAddresses(), natives: map[string]uint64{}, rand: 1, watch: map[uint32]bool{}, loaded: make([]bool, len(p.Later)),
		handlerSig: t.Sig([]ir.TypeID{t.Opaque(ir.KStackRef), t.Int(32), voidRef}, nil),
		bytesType:  t.Hybrid(t.Int(8), t.Int(64)),
		refsType:   t.Hybrid(voidRef, t.Int(64)),
	}
	m.heap.threshold = firstCollection
	for _, f := range p.Funcs {
		for _, v := range f.Versions {
			m.rethrows = m.rethrows || slices.ContainsFunc(v.Insts, func(in ir.Inst) bool { return in.Op == ir.OpRethrow })
		}
	}
	return m
}

// Run runs a program like its translation, including reports (docs/language.md,
// "Programs"), and returns its exit status. The error is not nil if the entry function does
// not exist, the program is not valid, or the interpreter itself failed. Only one goroutine
// at a time may run a program.
func Run(p *ir.Program, cfg Config) (status int, err error) {
	cfg = cfg.withDefaults()
	m := newMachine(p, cfg)
	fn, err := m.find(cfg.Entry)
	if err != nil {
		return 0, fmt.Errorf("entry: %w", err)
	}
	e, err := p.EntryOf(fn)
	if err != nil {
		return 0, fmt.Errorf("entry: %w", err)
	}
	if len(m.cfg.Args) == 0 {
		m.cfg.Args = []string{ir.Bare(fn.Name)}
	}
	var args []Value
	switch e.Args {
	case ir.KUPtr:
		args = m.argv()
	case ir.KIRef:
		args = m.argvIRefs(p.Types.At(p.Types.At(fn.Sig).Fields[1]).Elem)
	}
	if err := m.execute(fn, args); err != nil {
		return 0, err
	}
	if !m.over && m.returned && e.Status != ir.NoType {
		m.status = int(m.results[0].Lo & 0xff)
	}
	return m.status, nil
}

// Call calls one function with arguments, like run -call, and returns its results.
// The status is 0, unless the program ended before the function returned; then
// there are no results. Errors are those of Run.
func Call(p *ir.Program, name string, args []Value, cfg Config) (results []Value, status int, err error) {
	cfg.Entry = name
	cfg = cfg.withDefaults()
	m := newMachine(p, cfg)
	fn, err := m.find(name)
	if err != nil {
		return nil, 0, fmt.Errorf("call: %w", err)
	}
	if want := len(p.Types.At(fn.Sig).Fields); len(args) != want {
		return nil, 0, fmt.Errorf("%s takes %d arguments, not %d", name, want, len(args))
	}
	if err := m.execute(fn, args); err != nil {
		return nil, 0, err
	}
	return m.results, m.status, nil
}

// find finds a function with a body, for "" the entry function of the program.
func (m *machine) find(name string) (*ir.Function, error) {
	for _, f := range m.prog.Funcs { // of programs made by hand, without Entities
		if len(m.prog.Entities) == 0 && f.Name == name {
			return f, nil
		}
	}
	return m.prog.Defined(name)
}

// execute runs a function in the first thread until the program is over.
func (m *machine) execute(entry *ir.Function, args []Value) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = m.internalError(r)
		}
	}()
	defer m.closeFiles()
	m.start(entry, args)
	if !m.over {
		m.run()
	}
	return m.err
}

// start sets up memory and the first thread.
func (m *machine) start(entry *ir.Function, args []Value) {
	for _, g := range m.prog.Globals {
		u := m.global(g)
		if g.Init == nil {
			u.fixed = g.ReadOnly
			continue
		}
		if err := checkConst(m.types, g.Init, 0); err != nil {
			m.abandon(fmt.Errorf("%s: %w", g.Name, err))
			return
		}
		u.store(u.shape, 0, m.constant(g.Init))
		u.fixed = g.ReadOnly
	}
	if m.prog.Image != nil {
		if err := m.buildImage(m.prog.Image); err != nil {
			m.abandon(err)
			return
		}
	}
	m.planCalls(entry, args)
	s, err := m.newStackFor(m.calls[0].fn)
	if err != nil {
		m.abandon(err)
		return
	}
	s.entry = true
	t := m.newThread()
	m.ready = append(m.ready, t)
	t.bind(s, &passing{vals: m.calls[0].args})
}

// A call is a call from the bottom of the first stack: of a hook or the entry function.
type call struct {
	fn    *function
	args  []Value
	entry bool
}

// planCalls lists the calls of the first stack.
func (m *machine) planCalls(entry *ir.Function, args []Value) {
	h := &m.prog.Hooks
	for _, f := range slices.Concat(h[ir.HookStart], h[ir.HookThreadStart]) {
		m.calls = append(m.calls, call{fn: m.function(f)})
	}
	m.calls = append(m.calls, call{m.function(entry), args, true})
	after := slices.Concat(h[ir.HookExit], h[ir.HookThreadExit])
	for _, f := range slices.Backward(after) {
		m.calls = append(m.calls, call{fn: m.function(f)})
	}
}

// abandon stops the machine because the program or the interpreter is broken.
func (m *machine) abandon(err error) action {
	m.over, m.err = true, err
	return stop
}

// internalError turns a panic of a step into an error that says where it
// happened. The run ends with it.
func (m *machine) internalError(r any) error {
	at := "before the program starts"
	if t := m.running; t != nil && t.stack != nil && t.stack.top != nil {
		f := t.stack.top
		at = "at " + m.place(f)
		if f.kind == muFrame && f.pc >= 0 && f.pc < len(f.code.ins) {
			at += ", " + f.code.ins[f.pc].src.Op.String()
		}
	}
	if r == (usedUndefined{}) {
		return fmt.Errorf("invalid program: a value is used before it is defined, %s", at)
	}
	return fmt.Errorf("internal error: interpreter, %s: %v\n%s", at, r, debug.Stack())
}

func (m *machine) function(fn *ir.Function) *function {
	f := m.functions[fn]
	if f == nil {
		f = &function{m: m, fn: fn}
		m.functions[fn] = f
	}
	return f
}

func (m *machine) global(g *ir.Global) *unit {
	u := m.globals[g]
	if u == nil {
		s := m.shapes.of(g.Type)
		u = m.newUnit(globalUnit, s, s.size)
		u.name = g.Name
		m.globals[g] = u
	}
	return u
}

// constant is the value of a constant.
func (m *machine) constant(c *ir.Const) Value {
	switch c.Kind {
	case ir.ConstInt, ir.ConstFP:
		return Value{Lo: c.Lo, Hi: c.Hi}
	case ir.ConstAggregate:
		elems := make([]Value, len(c.Elems))
		for i, e := range c.Elems {
			elems[i] = m.constant(e)
		}
		return makeAggregate(elems)
	case ir.ConstBytes:
		elems := make([]Value, len(c.Bytes))
		for i := range elems {
			elems[i] = Value{Lo: uint64(c.Bytes[i])}
		}
		return makeAggregate(elems)
	case ir.ConstExtern:
		if c.Sym == "environ" {
			return Value{Lo: m.environ()}
		}
		return Value{Lo: m.addresses.symbol(c.Sym)}
	case ir.ConstGlobal:
		return Value{ref: m.global(c.Global)}
	case ir.ConstFunc:
		return Value{ref: m.function(c.Func)}
	case ir.ConstExpose:
		return Value{Lo: m.staticExposure(c.Expose)}
	}
	return null
}

// argv makes C's argc and argv in native memory.
func (m *machine) argv() []Value {
	args := m.cfg.Args
	list := m.nativeBlock(uint64(len(args)+1) * 8)
	for i, a := range args {
		storeBytes(list.data[i*8:i*8+8], Value{Lo: m.nativeString(a)})
	}
	return []Value{Int64(int64(len(args)), 32), {Lo: list.addr}}
}

// argvIRefs makes argc and argv from cells that are not heap objects. elem is the type
// of a string, iref<int<8>>.
func (m *machine) argvIRefs(elem ir.TypeID) []Value {
	args := m.cfg.Args
	cell := func(t ir.TypeID, n int) *unit {
		s := m.shapes.of(m.types.Array(t, uint64(n)))
		return m.newUnit(globalUnit, s, s.size)
	}
	list := cell(elem, len(args)+1)
	for i, a := range args {
		text := cell(m.types.At(elem).Elem, len(a)+1)
		copy(text.data, a)
		list.slots[i] = Value{ref: text}
	}
	return []Value{Int64(int64(len(args)), 32), {ref: list}}
}

// nativeString makes a C string in native memory and returns its address.
func (m *machine) nativeString(s string) uint64 {
	b := m.nativeBlock(uint64(len(s)) + 1)
	copy(b.data, s)
	return b.addr
}
