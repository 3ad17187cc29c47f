// Package transpile translates programs in the IR of a micro virtual machine to
// Go. It is the library behind the uvm2go command.
//
//	p, diags := transpile.Load(sources, transpile.Options{})
//	if diags.HasErrors() {
//		diags.Print(os.Stderr)
//		return
//	}
//	files, err := p.Generate()
//
// Load reads and checks; Generate optimises and prints. WriteModule makes a
// folder of the files that builds without a network.
package transpile

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/cover"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/dialects"
	"github.com/uvm2go/uvm2go/transpile/expand"
	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/gogen"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
	"github.com/uvm2go/uvm2go/transpile/osr"
	"github.com/uvm2go/uvm2go/transpile/passes"
	"github.com/uvm2go/uvm2go/transpile/resume"
	"github.com/uvm2go/uvm2go/transpile/sandbox"
)

// RuntimePath is the import path of the runtime; generated code uses the packages below it.
const RuntimePath = "github.com/uvm2go/uvm2go/rtlib"

// A Source is one input: its name as diagnostics show it, and its bytes.
type Source = dialect.Source

// Options say how to read the sources and what to make of them. The zero value
// makes a program from bundles whose dialect follows from their names or contents.
type Options struct {
	// Dialect is the name of the dialect that all bundles are in (Dialects), "" to
	// recognize it by their names and contents.
	Dialect   string
	Strict    bool        // accepted deviations are errors
	MaxErrors int         // errors to report, 0 for the default of 10
	Places    diag.Places // where directives //line give places in the author's own files
	Folder    string      // of texts that Write writes, "" for the current one; relative names of files are relative to it
	Images    []Source    // HAIL scripts, loaded after the bundles
	// Later are bundles that are translated too, but loaded at run time: programs
	// load them with @uvm.meta.load_bundle, clients with LoadBundle.
	Later []Source

	Optimize int // 0 without the optimising passes, 1 with them
	// DisablePasses has the names of passes to leave out; Verify checks the
	// program after each pass.
	DisablePasses []string
	// SelectPasses, if not nil, names the passes to run instead of the usual ones: each, in this order, on all bodies
	// (CheckPasses). If it is empty, the program stays as read.
	SelectPasses []string
	Verify       bool
	Package      string   // Go package name, "" or "main" for a program
	Export       []string // functions of a package to export, nil for all that can be
	Entry        string   // entry function, "" for the one that the program itself names
	Call         string   // function to call instead, with the literals of CallArgs
	CallArgs     []string
	Lines        bool // //line directives
	Debug        bool // each value has a variable and each instruction a statement, for debuggers
	// Cover makes a program that counts how often its lines run, and writes that when it ends (package cover).
	Cover bool
	// Profile makes a program that can write profiles of its run, when UVMDEBUG asks for them.
	Profile  bool
	Sanitize bool // check for behaviour that the language leaves undefined
	// Sandbox, if not nil, refuses what docs/security.md lists. It includes Sanitize.
	Sandbox   *Sandbox
	NullTests bool   // test for NULL before accesses, for ports where they do not fault (WebAssembly)
	TrapMode  string // default of the trap handler
	// Introspect makes a package whose frames a client can inspect and replace. A
	// program that inspects frames itself does not need the option.
	Introspect bool
	// Live links the engine for live code into the program, so that bundles with bodies can be loaded at run
	// time. A program that loads bundles itself does not need the option.
	Live bool
	// Tier2 also links the package that compiles code loaded at run time when it becomes hot. For an importable package
	// it includes Live.
	Tier2 bool
	// Unit makes a plugin with new bodies for functions of a running program. The input is that part of
	// the program's representation (dialect ir); its names and numbers stay as they are.
	Unit bool
	// UnitC says that the running program of a unit is made for cgo.
	UnitC bool
	// FirstPlace is a number for the first place in a unit where frames rest. The ranges of two units must not overlap,
	// nor may they be below 1<<31, where those of the program are; see UnitPlace.
	FirstPlace uint32
	// Loops are loops in the functions of a unit. For each the unit gets a function that begins at the
	// head of the loop.
	Loops []osr.Entry
	// NativeC calls the C library even for functions that the runtime implements in Go.
	NativeC bool
	Libs    []string // native libraries to resolve symbols in
	// GoNatives are native symbols that Go code of a client registers.
	GoNatives []string
	// Callbacks is how many functions of a C signature can be exposed at run time
	// at once, 0 for a default.
	Callbacks int
	// Cgo makes a program for cgo even if nothing in it needs C.
	Cgo bool
	// CgoFlags are #cgo directives, without that word, such as "LDFLAGS: -lfoo".
	CgoFlags []string
	// Library makes a package for a shared library that C programs open. Export then has the functions of the library; nil for
	// all whose names and signatures C can express.
	Library bool
	// SingleFile makes one file, main.go or PACKAGE.go, instead of several.
	SingleFile bool
}

// A Sandbox restricts a program to its own memory and to a list of native symbols.
type Sandbox struct {
	Allow []string // native symbols, in addition to sandbox.Natives
	// Level is what runs the program: the interpreter, Go code, or the engine.
	Level sandbox.Level
}

// UnitPlace is an Options.FirstPlace for a unit with a given text, so that another process can use the same plugin.
func UnitPlace(text []byte) uint32 {
	h := fnv.New32a()
	h.Write(text)
	return 1<<31 | h.Sum32()>>2
}

// A Program is a loaded and checked program.
type Program struct {
	IR       *ir.Program
	Dialect  *dialect.Dialect
	opts     Options
	expanded bool // see expand
	done     bool // the passes have run

	cover   *cover.Counting // what it counts, nil for nothing
	names   []ir.EntityName // of the program as it was loaded, if anything asks for them
	origins passes.Origins  // of what the passes copied
	known   *facts.Program  // after the passes
	bodies  map[*ir.Function]*ir.Version
	open    bool           // code may come while the program runs
	stats   passes.Stats   // of Options.SelectPasses
	loops   []*ir.Function // those made for Options.Loops
	objects []ir.TypeID    // of a unit: the types whose numbers it shares with the running program

	exported []cFunction           // of a library
	cells    map[*ir.Global]string // that are variables of a library, see gogen
}

// Dialects are the source languages.
var Dialects = dialects.All

// Load reads the sources in order. The list has errors and warnings about them; the
// program is nil if there are errors.
func Load(srcs []Source, opt Options) (*Program, *diag.List) {
	files := opt.files()
	diags := diag.NewList(files)
	if opt.MaxErrors != 0 {
		diags.MaxErrors = opt.MaxErrors
	}
	d, err := Dialects.Choose(opt.Dialect, srcs)
	if err != nil {
		diags.Errorf(diag.Pos{}, "%v", err)
		return nil, diags
	}
	to := dialect.Options{Natives: opt.GoNatives, Linked: len(opt.Libs) > 0, Strict: opt.Strict, Later: opt.Later, Mono: opt.mono()}
	if opt.Call != "" {
		to.Call = &dialect.Call{Name: opt.Call, Args: strings.Join(opt.CallArgs, ",")}
	}
	p, ok := d.Load(files, srcs, to, diags)
	if p != nil {
		p.Files = files
	}
	return admit(p, ok, d, opt, diags)
}

// files makes the set of the files of a program.
func (opt *Options) files() *diag.Set {
	files := diag.NewSet()
	files.Places, files.Folder = opt.Places, opt.Folder
	return files
}

// Of makes a program of the representation, which a front end has made without errors. The dialect is the one whose
// names the representation has. Options about sources have no effect. The representation must not be used afterwards.
func Of(p *ir.Program, dialect string, opt Options) (*Program, *diag.List) {
	diags := diag.NewList(p.Files)
	if opt.MaxErrors != 0 {
		diags.MaxErrors = opt.MaxErrors
	}
	d, err := Dialects.Choose(dialect, nil)
	if err != nil {
		diags.Errorf(diag.Pos{}, "%v", err)
		return nil, diags
	}
	return admit(p, true, d, opt, diags)
}

// admit makes a program of what a dialect's reader has read, if ok.
func admit(p *ir.Program, ok bool, d *dialect.Dialect, opt Options, diags *diag.List) (*Program, *diag.List) {
	known := 0
	var objects []ir.TypeID
	if ok {
		known = len(p.Funcs)
		if opt.Unit {
			objects = p.ObjectTypes()
		}
		if err := osr.Add(p, opt.Loops); err != nil {
			diags.Errorf(diag.Pos{}, "%v", err)
			ok = false
		}
		for _, s := range opt.Images {
			if d.LoadImage == nil {
				diags.Errorf(diag.Pos{}, "%s: programs in dialect %s take no HAIL scripts", s.Name, d.Name)
				ok = false
				continue
			}
			ok = d.LoadImage(p, p.Files, s, diags) && ok
		}
		diags.Sort()
	}
	if ok && opt.Sandbox != nil {
		ok = confine(p, &opt, diags)
	}
	if !ok {
		return nil, diags
	}
	q := &Program{IR: p, Dialect: d, opts: opt, loops: p.Funcs[known:], objects: objects}
	q.admit()
	if opt.Cover {
		q.cover = cover.Instrument(p, q.open || facts.Threads(p))
	}
	return q, diags
}

// confine applies Options.Sandbox to a program, and reports whether it keeps to it.
func confine(p *ir.Program, opt *Options, diags *diag.List) bool {
	switch {
	case len(opt.Libs) > 0 || opt.NativeC || opt.Cgo || opt.Library || len(opt.CgoFlags) > 0:
		diags.Errorf(diag.Pos{}, "sandbox: native libraries are not available")
	case len(opt.Later) > 0:
		diags.Errorf(diag.Pos{}, "sandbox: bundles cannot be loaded later")
	case opt.Live || opt.Tier2 || opt.Unit || opt.Introspect:
		diags.Errorf(diag.Pos{}, "sandbox: the program cannot get other code, or be inspected")
	}
	opt.Sanitize = opt.Sandbox.Level != sandbox.Unchecked
	sandbox.Check(p, sandbox.Options{Level: opt.Sandbox.Level, Allow: opt.Sandbox.Allow}, diags)
	diags.Sort()
	return !diags.HasErrors()
}

// Check checks the sources as Load does, but only up to and including a stage of their dialect
// (dialect.Stage).
func Check(srcs []Source, stage string, opt Options) *diag.List {
	files := opt.files()
	diags := diag.NewList(files)
	if opt.MaxErrors != 0 {
		diags.MaxErrors = opt.MaxErrors
	}
	d, err := Dialects.Choose(opt.Dialect, srcs)
	var s *dialect.Stage
	if err == nil {
		s, err = d.Stage(stage, Dialects)
	}
	if err != nil {
		diags.Errorf(diag.Pos{}, "%v", err)
		return diags
	}
	for _, i := range opt.Images {
		diags.Errorf(diag.Pos{}, "%s: programs in dialect %s take no HAIL scripts", i.Name, d.Name)
	}
	s.Check(files, srcs, dialect.Options{Strict: opt.Strict, Later: opt.Later}, diags)
	diags.Sort()
	return diags
}

// Optimized runs the optimising passes of the level that the options ask for,
// once. Generate does so itself; call Optimized to look at the representation.
// If after is not nil, it is called with each body after each pass.
func (p *Program) Optimized(after func(pass string, v *ir.Version)) error {
	if p.done || p.opts.Optimize == 0 {
		return nil
	}
	p.done = true
	selected, bodies := p.opts.selected()
	if selected != nil && len(selected) == 0 && !bodies {
		return nil
	}
	p.listNames()
	p.expand(expand.Program)
	var disable []string
	for _, d := range p.opts.DisablePasses {
		switch d {
		case monoPass:
		case resumePass:
			bodies = false
		default:
			disable = append(disable, d)
		}
	}
	if after != nil {
		for _, f := range p.IR.Funcs {
			if f.CopyOf != nil {
				after(monoPass, f.Current())
			}
		}
	}
	opt := passes.Options{Level: p.opts.Optimize, Sanitize: p.opts.Sanitize, Frames: p.opts.Introspect,
		Disable: disable, Select: selected, Check: p.opts.Verify, After: after, Origins: &p.origins, Compiled: true}
	if selected != nil {
		opt.Stats = &p.stats
	}
	err := passes.Run(p.IR, opt)
	if err != nil || !bodies || p.opts.Sanitize {
		return err
	}
	p.known = facts.Of(p.IR, p.factOptions())
	p.bodies = resume.Bodies(p.known)
	if after != nil {
		for _, f := range p.IR.Funcs {
			if b := p.bodies[f]; b != nil {
				after(resumePass, b)
			}
		}
	}
	return nil
}

// Generate makes the Go files of the program.
func (p *Program) Generate() ([]gogen.File, error) {
	if p.opts.Library && !p.done {
		if err := p.exportToC(); err != nil {
			return nil, err
		}
	}
	if err := p.Optimized(nil); err != nil {
		return nil, err
	}
	p.listNames()
	p.expand(expand.Program)
	if p.known == nil {
		p.known = facts.Of(p.IR, p.factOptions())
	}
	opt := p.gogenOptions()
	var err error
	switch {
	case p.opts.Library:
		opt.Export = []*ir.Function{}
	case opt.Package != "main":
		opt.Export, err = p.exports()
	case p.opts.Call != "":
		opt.Call, opt.CallArgs, err = p.CallArgs()
		if err == nil {
			opt.CallResults = p.CallResults(opt.Call)
		}
	default:
		opt.Entry, err = p.EntryFunction()
	}
	if err != nil {
		return nil, err
	}
	return gogen.Generate(p.known, opt)
}

// function finds a function with a body by its name in the dialect.
func (p *Program) function(name string) (*ir.Function, error) {
	f, ok := p.Dialect.Find(p.IR, name).(*ir.Function)
	if !ok {
		return nil, fmt.Errorf("no function %s", name)
	}
	return f, f.Defined()
}

// exports finds the functions of Options.Export, which must have bodies or be able to get one.
func (p *Program) exports() ([]*ir.Function, error) {
	if p.opts.Export == nil {
		return nil, nil
	}
	list := []*ir.Function{}
	for _, name := range p.opts.Export {
		f, ok := p.Dialect.Find(p.IR, name).(*ir.Function)
		if !ok || !f.Open() {
			var err error
			if f, err = p.function(name); err != nil {
				return nil, gogen.NewInputError("export: %v", err)
			}
		}
		list = append(list, f)
	}
	return list, nil
}

// CallArgs finds the function of Options.Call and reads the literals of its arguments.
func (p *Program) CallArgs() (*ir.Function, []*ir.Const, error) {
	if p.Dialect.Calls {
		return p.IR.Find(dialect.Caller).(*ir.Function), nil, nil
	}
	f, err := p.function(p.opts.Call)
	if err != nil {
		return nil, nil, gogen.NewInputError("call: %v", err)
	}
	args, err := dialect.ParseArgs(p.IR, f, strings.Join(p.opts.CallArgs, ","))
	if err != nil {
		return nil, nil, gogen.NewInputError("call: %v", err)
	}
	return f, args, nil
}

// CallResults are the notations in which the results of a call of f are printed.
func (p *Program) CallResults(f *ir.Function) []ir.Notation {
	if p.Dialect.Results == nil {
		return nil
	}
	return p.Dialect.Results(p.IR, f)
}

// Write writes the program in a form of any dialect. The program must not be translated afterwards.
func (p *Program) Write(f *dialect.Form) ([]byte, error) {
	if f.Expanded {
		p.expand(expand.Text)
	}
	return f.Write(p.IR)
}

// expand replaces, once, the operations that only dialects other than Mu have.
func (p *Program) expand(with func(*ir.Program)) {
	if !p.expanded {
		p.expanded = true
		with(p.IR)
	}
}

// listNames lists the entities before passes remove some.
func (p *Program) listNames() {
	if p.names == nil && (p.opts.Introspect || facts.LooksUp(p.IR)) {
		p.names = p.IR.EntityNames()
	}
}

// A Symbol is a native symbol that a program refers to.
type Symbol = gogen.Symbol

// CSymbols lists the native symbols that only C can provide. If there are any, the
// program is made for cgo; it can still be built without cgo if Go code registers
// all of them.
func (p *Program) CSymbols() []Symbol { return gogen.CSymbols(p.IR, p.gogenOptions()) }

// NoExports says why a package has no function that Go code can call, "" if it has one. In a
// package made for introspection package rtlib/mu finds all functions.
func (p *Program) NoExports() string {
	opt := p.gogenOptions()
	if opt.Package == "main" || opt.Introspect {
		return ""
	}
	var err error
	if opt.Export, err = p.exports(); err != nil {
		return ""
	}
	return gogen.NoExports(p.IR, opt)
}

func (p *Program) factOptions() facts.Options {
	return facts.Options{Open: p.pkg() != "main", Introspect: p.opts.Introspect, Threads: p.open}
}

// pkg is the name of the Go package.
func (p *Program) pkg() string {
	switch {
	case p.opts.Unit:
		return unitPackage
	case p.opts.Library:
		return libraryPackage
	}
	return cmp.Or(p.opts.Package, "main")
}

// unitPackage is the package name of a unit. A unit is generated like an importable package, except for its
// package clause.
const unitPackage = "unit"

func (p *Program) gogenOptions() gogen.Options {
	pkg := p.pkg()
	return gogen.Options{
		Options: repr.Options{
			Package: pkg, Lines: p.opts.Lines, Debug: p.opts.Debug, Sanitize: p.opts.Sanitize, Sandbox: p.opts.Sandbox != nil, NullTests: p.opts.NullTests, Introspect: p.opts.Introspect, Live: p.open && !p.opts.Unit, Tier2: p.opts.Tier2, Profile: p.opts.Profile,
			Unit: p.opts.Unit, FirstPlace: p.opts.FirstPlace, NativeC: p.opts.NativeC, Libs: len(p.opts.Libs) > 0 || p.opts.UnitC || p.opts.Library || p.opts.Cgo, GoNatives: p.opts.GoNatives, CCells: p.cells,
			Loops: p.loops, Objects: p.objects, Bodies: p.bodies, Origins: p.origins.Of,
		},
		SingleFile: p.opts.SingleFile, SingleName: pkg, Runtime: RuntimePath,
		CgoFlags:  p.opts.CgoFlags,
		Callbacks: p.opts.Callbacks, TrapMode: p.opts.TrapMode, Names: p.names, Cover: p.cover,
	}
}

// An InputError is a reason that no code can be made of a valid program, such
// as a missing entry function.
type InputError = gogen.InputError

// Key is the options as text, as a key for caches of output. It leaves out the
// images and later bundles, whose content the caller must add.
func (o Options) Key() string {
	box := "none"
	if o.Sandbox != nil {
		box = fmt.Sprintf("%+v", *o.Sandbox)
	}
	o.Images, o.Later, o.Sandbox = nil, nil, nil
	return fmt.Sprintf("%+v sandbox %s", o, box)
}
