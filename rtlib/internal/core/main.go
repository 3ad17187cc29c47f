package core

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
	"github.com/uvm2go/uvm2go/rtlib/internal/thread"
)

// Main runs a program to its end (docs/language.md, "Programs"). It does not return.
func Main(p *Program) {
	p.at = placeOf()
	if err := p.join(); err != nil {
		refuse(err)
	}
	started() // not setup: a thread that C made and that calls back also calls it
	if err := resolve(p.Externs); err != nil {
		first.report(err)
	}
	machine.Detect.Store(!p.Native)
	if p.Native {
		// Go's own deadlock detection must not end the process either.
		time.AfterFunc(math.MaxInt64, func() {})
	}
	if err := startProfiles(); err != nil {
		refuse(err)
	}
	if p.Coverage != nil {
		atEnd(p.Coverage.write)
	}
	prepared.begun(p)
	status := 0
	th := machine.NewThread(nil, 0)
	firstThread = th
	s := machine.NewStack(nil, func(t *Ctx) {
		if p.Init != nil {
			p.Init(t)
		}
		h := &p.Hooks
		if t.Thrown == 0 && forward(t, h.Start) && forward(t, h.ThreadStart) {
			status = p.Entry(t)
			_ = t.Thrown == 0 && backward(t, first.hooksOf(threadExits)) && backward(t, first.hooksOf(programExits))
		}
	}, 0)
	if s == nil {
		refuse(errors.New("no memory for a stack"))
	}
	s.State().Bind(0, true)
	if err := limitTime(p.Sandbox); err != nil {
		refuse(err)
	}
	th.Start(s)
	machine.Wait()
	exit(status)
}

// Defaults of the limits of programs with Sandbox.
const (
	sandboxHeap  = 256 << 20
	sandboxStack = 8 << 20
	sandboxTime  = time.Minute
)

// limitTime ends the process with an error after the time that UVM_TIME allows (docs/commands.md, "Environment").
func limitTime(sandbox bool) error {
	limit := time.Duration(0)
	if sandbox {
		limit = sandboxTime
	}
	if text := os.Getenv("UVM_TIME"); text != "" {
		var err error
		if limit, err = time.ParseDuration(text); err != nil || limit <= 0 {
			return fmt.Errorf("UVM_TIME: bad duration %q, want a number with a unit, such as 500ms, 10s or 2m", text)
		}
	}
	if limit > 0 {
		time.AfterFunc(limit, func() {
			first.report(&Error{Kind: NoResource, Detail: fmt.Sprintf("the program has run for %v, the most that UVM_TIME allows", limit)})
		})
	}
	return nil
}

// Settings are what a client can set before a program starts.
type Settings struct {
	HeapLimit  uint64 // greatest total size of objects in bytes; 0: UVM_HEAP, or its default
	StackLimit uint64 // greatest size of the frames and cells of one stack in bytes; 0: UVM_STACK, or its default

	// Sandbox, if not nil, restricts code that the engine loads (docs/security.md): it has the native symbols that
	// such code may use beyond the standard ones.
	Sandbox []string

	// Natives are functions in Go for EXTERN constants of the VM, by symbol (docs/native.md, "Functions of your own in Go").
	Natives map[string]any

	// LateSymbols says that code of the VM may name native symbols that do not exist. Calling one is an error.
	LateSymbols bool

	// Fatal, if not nil, is called with the run-time error or uncaught exception that ends
	// the process, instead of the report on standard error. When it returns, the process exits.
	Fatal func(err error)

	// ThreadFailed, if not nil, is called instead if the error is in a thread that no Go caller waits for; then
	// only the thread ends.
	ThreadFailed func(err error)
}

// Sandboxed returns Settings.Sandbox.
func (vm *VM) Sandboxed() []string { return vm.settings.Sandbox }

// LateSymbols returns Settings.LateSymbols.
func (vm *VM) LateSymbols() bool { return vm.settings.LateSymbols }

// Configure applies settings to the first VM; false if it has already started.
func Configure(s Settings) (bool, error) {
	linked.mu.Lock()
	defer linked.mu.Unlock()
	if linked.done {
		return false, nil
	}
	return true, first.set(s)
}

// refuse ends the process because the environment does not allow the program to start.
func refuse(err error) {
	fmt.Fprintf(os.Stderr, "uvm: %v\n", err)
	exit(statusInternal)
}

// place is the place of generated code.
type place struct {
	pkg string // what the names of functions start with
	dir string // what the names of files start with
}

// rtPackage is the prefix of the names of functions of package rt.
const rtPackage = "github.com/uvm2go/uvm2go/rtlib/rt."

// placeOf returns the place of the generated code that calls the caller through package rt. The
// call in between is inlined, so a program counter alone is not enough.
func placeOf() place {
	var pcs [2]uintptr
	it := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	f, _ := it.Next()
	if strings.HasPrefix(f.Function, rtPackage) {
		f, _ = it.Next()
	}
	slash := strings.LastIndexByte(f.Function, '/') + 1
	dot := strings.IndexByte(f.Function[slash:], '.')
	return place{f.Function[:slash+dot+1], f.File[:strings.LastIndexByte(f.File, '/')+1]}
}

// setup prepares heap and threads for the packages that are linked.
func setup() error {
	if err := checkLimits(); err != nil {
		return err
	}
	if os.Getenv("GOGC") == "" {
		// Go's heap contains little besides the stacks' records.
		debug.SetGCPercent(400)
	}
	// The limit of the shadow stack must be reached long before this one: 256 GB, 1 GB with 32 bits.
	debug.SetMaxStack(1 << (30 + 8*(bits.UintSize/64)))
	mode := os.Getenv("UVM_TRAP")
	if mode == "" {
		mode = packages[0].TrapMode
	}
	switch mode {
	case "", "print":
		trapAbort = false
	case "abort":
		trapAbort = true
	default:
		return fmt.Errorf("UVM_TRAP: bad mode %q, want print or abort", mode)
	}
	settings := &first.settings
	if packages[0].Sandbox && settings.HeapLimit == 0 && os.Getenv("UVM_HEAP") == "" {
		settings.HeapLimit = sandboxHeap
	}
	if packages[0].Sandbox && settings.StackLimit == 0 && os.Getenv("UVM_STACK") == "" {
		settings.StackLimit = sandboxStack
	}
	if err := gc.Init(gc.Options{HeapLimit: settings.HeapLimit, StackBudget: settings.StackLimit}); err != nil {
		return err
	}
	gc.RegisterRoots(visitVMs)
	gc.RegisterHolder(&vms.mu)
	gc.OnOverflow = noteOverflow
	for _, p := range packages {
		if err := p.load(); err != nil {
			return err
		}
	}
	if err := gc.RegisterTypes([]*Type{bytesType, refsType, VoidType}); err != nil {
		return err
	}
	m, err := thread.NewMachine(transferRoom())
	if err != nil {
		return err
	}
	m.Body = runBody
	m.Fault = fault
	m.Thrown = leftBottom
	m.Swap = swapSlow
	m.Orphan = orphan
	m.Deadlock = deadlock
	m.Broken = broken
	m.NewTransfer = newTransfer
	if current.Sanitize {
		m.Freeing = sanStackEnds
	}
	m.Own = &first.threads
	machine = m
	first.begin()
	if cLibrary.setup != nil {
		thread.ThreadSpace = mem.ThreadStack()
		cLibrary.setup()
	}
	for _, p := range packages {
		if err := exposeAll(p); err != nil {
			return err
		}
	}
	if linking.types != nil && len(packages) > 1 && describes() {
		linking.types()
	}
	return nil
}

// args is C's argv in memory that Go does not manage.
var args = sync.OnceValue(func() uintptr {
	size := (uintptr(len(os.Args)) + 1) * mem.WordSize
	for _, a := range os.Args {
		size += uintptr(len(a)) + 1
	}
	r, err := mem.Reserve(size, mem.PageSize)
	if err != nil || !mem.Commit(r.Base, r.Size) {
		refuse(errors.New("no memory for the arguments"))
	}
	text := r.Base.Add((uintptr(len(os.Args)) + 1) * mem.WordSize)
	for i, a := range os.Args {
		mem.StoreAddress(r.Base.Add(uintptr(i)*mem.WordSize), text)
		copy(mem.Bytes(text, uintptr(len(a))), a)
		text = text.Add(uintptr(len(a)) + 1)
	}
	return uintptr(r.Base)
})

// Argv returns C's argc and argv, argv[0] the program's name; argv[argc] is NULL.
func Argv(t *Ctx) (argc uint32, argv uintptr) { return uint32(len(os.Args)), args() }
