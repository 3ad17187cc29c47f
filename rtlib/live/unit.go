package live

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/osr"
)

// Compiling hot bundles. The command uvm2go makes a plugin from the representation that the engine runs, with
// the same generator that makes programs; the functions get the bodies that are in it. Plugins are cached by
// their content, so that a program that starts again need not wait for the Go toolchain.

// openUnit opens a plugin; nil if this program cannot.
var openUnit func(file string) error

// CompileWith says how a plugin is opened. Package tier2 calls it, if it is linked.
func CompileWith(open func(file string) error) { openUnit = open }

// CannotCompile says why plugins cannot be opened. Package tier2 calls it, if it is linked.
func CannotCompile(why string) { whyNot = why }

// whyNot is why this program, which links package tier2, cannot open plugins; "" after it was reported.
var whyNot string

// unitHost is what a program that is not an executable has to say.
var unitHost = struct {
	prepare func() error
	command func() (string, error)
}{
	func() error { return nil },
	func() (string, error) { return exec.LookPath("uvm2go") },
}

// HostUnits is for a shared library: prepare is called before plugins are opened, and makes the symbols of the library known to
// them; command finds the command uvm2go.
func HostUnits(prepare func() error, command func() (string, error)) {
	unitHost.prepare, unitHost.command = prepare, command
}

// compileHot compiles what is hot, one bundle after the other.
func compileHot() {
	for p := range thermometer.hot {
		u, err := p.makeUnit()
		if err == nil {
			err = p.install(u)
		}
		p.reportUnit(err)
	}
}

// compileNow compiles a bundle that was loaded, for tests: UVMDEBUG asks for it. The thread that loads waits for the
// plugin, and for its bodies unless they are to arrive while the code runs.
func (p *program) compileNow(t *core.Ctx) {
	if p.heat.tried.Swap(true) {
		return
	}
	t.Th.EnterSafe()
	defer t.Th.LeaveSafe()
	u, err := p.makeUnit()
	switch {
	case err != nil:
		p.reportUnit(err)
	case gc.Tier2 == 1:
		p.reportUnit(p.install(u))
	default:
		go func() { p.reportUnit(p.install(u)) }()
	}
}

// reportUnit reports whether a bundle was compiled.
func (p *program) reportUnit(err error) {
	if err != nil {
		report("%s stays on the engine: %v", p.title(), err)
	} else {
		report("%s is compiled", p.title())
	}
}

// report says what becomes of a bundle, if UVMDEBUG asks for it.
func report(format string, args ...any) {
	if gc.LiveTrace {
		fmt.Fprintf(os.Stderr, "uvm: live: "+format+"\n", args...)
	}
}

// title is the name of a bundle in reports: that of its first function with a body.
func (p *program) title() string {
	for _, f := range p.facts.IR.Funcs {
		if f.Current() != nil {
			return "the bundle of " + titleOf(f)
		}
	}
	return "a bundle"
}

// titleOf is the name of a function in reports.
func titleOf(f *ir.Function) string {
	if ir.IsDescription(f.Root().Name) {
		return "a function without a name"
	}
	return f.Called()
}

// A madeUnit is the plugin of a bundle.
type madeUnit struct {
	file    string
	exits   []*exit
	objects []*core.Type
}

// makeUnit makes the plugin of a bundle, if there is none.
func (p *program) makeUnit() (*madeUnit, error) {
	if core.CallsCLate() && p.passesReferences() {
		return nil, errors.New("it passes references to C, which only code that is translated before the program starts can do")
	}
	exits := p.exits()
	var text strings.Builder
	entries := make([]osr.Entry, len(exits))
	for i, x := range exits {
		entries[i] = x.entry
	}
	osr.Append(&text, entries)
	p.mu.Lock()
	bodies := *p.facts.IR
	bodies.Hooks = ir.Hooks{} // a unit has bodies alone: these functions are hooks of the running program already
	err := ir.PrintPlaced(&text, &bodies)
	var objects []*core.Type
	for _, ty := range bodies.ObjectTypes() {
		objects = append(objects, p.desc(ty, false))
	}
	p.mu.Unlock()
	if err != nil {
		return nil, err
	}
	file, err := unitFile(text.String(), p.settings())
	return &madeUnit{file, exits, objects}, err
}

// install gives the functions of a bundle their compiled bodies.
func (p *program) install(made *madeUnit) error {
	prog, exits := p.facts.IR, made.exits
	byRecord := map[*core.Func]*function{}
	for _, f := range p.functions {
		byRecord[f.to] = f
	}
	if p.vm.Halted() {
		return errors.New("its VM is closed")
	}
	u := core.Unit{
		VM: p.vm,
		Func: func(i int) *core.Func {
			if i -= len(prog.Funcs); i >= 0 { // of a loop
				return exits[i].code.fn.to
			}
			return p.functions[prog.Funcs[i+len(prog.Funcs)]].to
		},
		Cell:     func(i int) uintptr { return p.cells[prog.Globals[i]] },
		Exposure: func(i int) *core.Exposure { return p.exposes[prog.Exposes[i]] },
		Symbol:   p.symbol,
		Object:   func(i int) *core.Type { return made.objects[i] },
		Accept: func(r *core.Func) bool {
			f := byRecord[r]
			if r.Live != unsafe.Pointer(&f.cell) {
				return false // it has another body by now
			}
			f.leave()
			return true
		},
		Loop: func(i int, f *core.Func) { exits[i].open(f) },
	}
	if err := unitHost.prepare(); err != nil {
		return err
	}
	if err := u.Install(func() error { return openUnit(made.file) }); err != nil {
		return err
	}
	p.remains.Keep()
	return nil
}

// passesReferences reports whether there is a call of native code, or a function pointer is made, with a signature that
// has references. The engine reports an error at these places, where the generator passes addresses.
func (p *program) passesReferences() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.facts.IR.Funcs {
		if v := f.Current(); v != nil && slices.ContainsFunc(v.Insts, func(in ir.Inst) bool {
			return (in.Op == ir.OpCCall || in.Op == ir.OpExpose) && !p.csigOf(in.Sig).OfC()
		}) {
			return true
		}
	}
	return false
}

// settings are the flags of uvm2go unit about the program that p is part of.
func (p *program) settings() (args []string) {
	if core.Inspects() {
		args = append(args, "-introspect")
	}
	if !core.CallsCLate() {
		return args
	}
	var served []string
	for name, addr := range p.symbols {
		if core.Served(*addr) {
			served = append(served, name)
		}
	}
	args = append(args, "-cgo")
	if served != nil {
		slices.Sort(served) // the same plugin for the next start
		args = append(args, "-natives", strings.Join(served, ","))
	}
	return args
}

// unitFile is the file with the plugin of a representation, which is made if there is none.
func unitFile(text string, settings []string) (string, error) {
	args := append([]string{"unit", "-runtime", runtimeSource()}, settings...)
	cache := os.Getenv("UVM2GO_CACHE")
	if cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		cache = filepath.Join(user, "uvm2go")
	}
	h := sha256.New()
	fmt.Fprintln(h, core.Agreement, runtime.Version(), args, buildSettings())
	io.WriteString(h, text)
	dir := filepath.Join(cache, "units")
	file := filepath.Join(dir, fmt.Sprintf("%x.so", h.Sum(nil)[:16]))
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	command, err := unitHost.command()
	if err != nil {
		return "", fmt.Errorf("the command uvm2go, which would compile it: %w", err)
	}
	// The command keeps running if this program ends: the next start finds the plugin.
	make := exec.Command(command, append(append(args, buildSettings()...), "-o", file, "-")...)
	make.Stdin = strings.NewReader(text)
	if said, err := make.CombinedOutput(); err != nil {
		return "", fmt.Errorf("uvm2go unit: %v: %s", err, strings.TrimSpace(string(said)))
	}
	return file, nil
}

// runtimeSource is the file of the engine as the Go compiler was told it: where the sources of the runtime
// are, or what they were called with -trimpath.
func runtimeSource() string {
	_, file, _, _ := runtime.Caller(0)
	return file
}

// buildSettings are the flags of go build that packages of this program and of its plugins must have in common.
func buildSettings() []string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	var flags []string
	for _, s := range info.Settings {
		switch s.Key {
		case "-race", "-msan", "-asan", "-tags", "-gcflags":
			flags = append(flags, "-go", s.Key+"="+s.Value)
		case "GOAMD64", "GOARM", "GO386", "GOMIPS", "GOPPC64", "GORISCV64", "GOARM64", "GOEXPERIMENT":
			flags = append(flags, "-go", s.Key+"="+s.Value)
		}
	}
	return flags
}
