package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/internal/lexis/symbol"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/archive"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/sandbox"
)

// list is a flag that may be repeated or have several values, separated by commas.
type list struct {
	vals  []string
	comma bool
}

func (l *list) String() string { return strings.Join(l.vals, ",") }

func (l *list) Set(s string) error {
	if l.comma {
		l.vals = append(l.vals, strings.Split(s, ",")...)
	} else {
		l.vals = append(l.vals, s)
	}
	return nil
}

// input holds the flags of the commands that read bundles.
type input struct {
	set    *flag.FlagSet
	opt    transpile.Options
	hail   list
	later  list
	o0, o1 bool
	export list
	libs   list

	cSources  list // C files that are compiled into a program
	goNatives list
	sandbox   bool
	allow     list // of -sandbox-allow
	disable   list

	deps deps
	noC  bool // nothing is linked: libraries of archives need not exist

	takesGo    bool // the command also accepts a translated program
	translated bool // the only source is a translated program
}

func newFlags(command string) *flag.FlagSet {
	fs := flag.NewFlagSet(command, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Func("C", "change to `DIR` before anything else; must be the first flag", func(string) error {
		return errors.New("-C must be the first flag of the command line")
	})
	return fs
}

// flags makes the flag set of a command that reads bundles.
func (e *env) flags(command string) *input {
	in := &input{set: newFlags(command), export: list{comma: true}, goNatives: list{comma: true}, allow: list{comma: true}, disable: list{comma: true}}
	fs := in.set
	fs.BoolVar(&in.opt.Strict, "strict", false, "treat accepted deviations from the typing rules as errors")
	fs.IntVar(&in.opt.MaxErrors, "max-errors", 0, "report at most `N` errors (default 10; negative: all)")
	fs.Func("positions", "positions shown where the bundle has //line directives: `place` "+strings.Join(diag.PlaceNames[:], ", ")+" (default both: the author's, and in diagnostics that in the bundle beside it)", func(s string) (err error) {
		in.opt.Places, err = diag.ParsePlaces(s)
		return err
	})
	fs.StringVar(&in.opt.Dialect, "dialect", "", "`dialect` of the bundles (default: by the file's ending and content)")
	fs.Var(&in.later, "later", "also translate the bundle `FILE`, which is loaded at run time (repeatable)")
	fs.Var(&in.hail, "hail", "load the HAIL script `FILE` after the bundles (repeatable)")
	e.verboseFlag(fs)
	return in
}

// verboseFlag adds -v.
func (e *env) verboseFlag(fs *flag.FlagSet) {
	fs.BoolVar(&e.verbose, "v", false, "print the names of bundles as they are read, and of Go packages as they are compiled")
}

// program adds the flags of the commands that generate code.
func (in *input) program() {
	fs := in.set
	fs.BoolVar(&in.o0, "O0", false, "without optimising passes")
	fs.BoolVar(&in.o1, "O1", false, "with optimising passes (the default)")
	fs.StringVar(&in.opt.Entry, "entry", "", "entry `function` (default "+transpile.Dialects[0].Main+")")
	fs.BoolVar(&in.sandbox, "sandbox", false, "refuse native code beyond a list, addresses, files and the environment, and check all accesses")
	fs.Var(&in.allow, "sandbox-allow", "comma-separated native `symbols` that -sandbox allows, too")
	fs.BoolVar(&in.opt.Sanitize, "sanitize", false, "check for behaviour that the reference leaves undefined")
	fs.BoolVar(&in.opt.NullTests, "null-tests", os.Getenv("GOARCH") == "wasm", "test addresses for NULL before accesses, for ports where such accesses do not fault; always on if GOARCH is wasm")
	fs.BoolVar(&in.opt.Tier2, "tier2", false, "compile code that arrives at run time when it is hot (with cgo, on Linux, macOS and FreeBSD)")
	fs.Var(&in.disable, "disable", "comma-separated optimising `passes` to leave out")
	fs.BoolVar(&in.opt.Verify, "verify", false, "check the representation after each pass")
	in.natives()
}

// parseFlags reads the command line. If done is true, the command ends with
// status.
func (e *env) parseFlags(fs *flag.FlagSet, usage string, args []string) (rest []string, status int, done bool) {
	if e.described != nil {
		*e.described = manual{commands[fs.Name()], usage, fs}
		return nil, statusOK, true
	}
	err := fs.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		manual{commands[fs.Name()], usage, fs}.print(e.stdout)
		return nil, statusOK, true
	}
	if err != nil {
		return nil, e.errorf("%v%s (uvm2go %s -h lists the flags)", err, nearFlag(fs, err), fs.Name()), true
	}
	return fs.Args(), 0, false
}

// nearFlag suggests a flag if the error is that there is none of that name.
func nearFlag(fs *flag.FlagSet, err error) string {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return ""
	}
	var known []string
	fs.VisitAll(func(f *flag.Flag) { known = append(known, "-"+f.Name) })
	return lex.DidYouMean("-"+name, known)
}

// parse reads the command line of a command that reads bundles.
func (e *env) parse(in *input, usage string, args []string) (rest []string, status int, done bool) {
	rest, status, done = e.parseFlags(in.set, usage, args)
	if done {
		return nil, status, true
	}
	if status := e.checkFlags(in.set); status != statusOK {
		return nil, status, true
	}
	if _, err := transpile.Dialects.Choose(in.opt.Dialect, nil); err != nil {
		return nil, e.errorf("%v", err), true
	}
	in.opt.Optimize = 1
	if in.o0 || in.opt.Debug {
		in.opt.Optimize = 0
	}
	if in.opt.Debug && in.o1 {
		return nil, e.errorf("-g and -O1 exclude each other"), true
	}
	e.debugged = in.opt.Debug
	in.opt.Libs, in.opt.GoNatives = in.libs.vals, in.goNatives.vals
	if status := e.checkLibs(in.opt.Libs); status != statusOK {
		return nil, status, true
	}
	for _, n := range in.opt.GoNatives {
		if why := symbol.Fault(n); why != "" {
			return nil, e.errorf("-natives: %s", why), true
		}
	}
	in.opt.DisablePasses = in.disable.vals
	for _, d := range in.disable.vals {
		if !slices.Contains(transpile.Passes(), d) {
			return nil, e.errorf("-disable: %v", transpile.UnknownPass(d)), true
		}
	}
	if in.sandbox {
		for _, n := range in.allow.vals {
			if why := symbol.Fault(n); why != "" {
				return nil, e.errorf("-sandbox-allow: %s", why), true
			}
		}
		in.opt.Sandbox = &transpile.Sandbox{Allow: in.allow.vals, Level: sandbox.Checked}
	}
	if in.export.vals != nil {
		in.opt.Export = in.export.vals
	}
	return rest, 0, false
}

// load reads and checks the bundles.
func (e *env) load(in *input, files []string) (*transpile.Program, int) {
	srcs, status := e.sources(in, files)
	if status != statusOK {
		return nil, status
	}
	return e.loadSources(in, srcs)
}

func (e *env) loadSources(in *input, srcs []transpile.Source) (*transpile.Program, int) {
	done := e.step("reading and checking")
	p, diags := transpile.Load(srcs, in.opt)
	done()
	for _, m := range in.deps.missing {
		if !in.noC {
			diags.Errorf(diag.Pos{}, "%s", m)
			p = nil
		}
	}
	if err := e.report(diags); err != nil {
		return nil, e.errorf("%v", err)
	}
	if p == nil {
		return nil, statusInput
	}
	return p, statusOK
}

func (e *env) noBundle(in *input) int {
	return e.errorf("no bundle given (uvm2go %s -h shows the usage)", in.set.Name())
}

// sources reads the files of a command, opening archives, and stores the HAIL
// scripts in the options.
func (e *env) sources(in *input, files []string) ([]transpile.Source, int) {
	if len(files) == 0 {
		return nil, e.noBundle(in)
	}
	var srcs []transpile.Source
	for _, name := range files {
		if strings.HasPrefix(name, "-") && name != "-" {
			return nil, e.errorf("%s: flags go before the bundles", name)
		}
		unit, name := splitUnit(name)
		s, err := e.read(name)
		if err != nil {
			return nil, e.errorf("%v", err)
		}
		s.Unit = unit
		if unit != "" && (transpile.IsGenerated(s.Text) || isArchive(s)) {
			return nil, e.errorf("%s=%s: only a file of source text can be part of a module", unit, name)
		}
		if transpile.IsGenerated(s.Text) {
			if status := e.checkTranslated(in, s, len(files)); status != statusOK {
				return nil, status
			}
			if s.Text, err = sourceDir(s); err != nil {
				return nil, e.errorf("%v", err)
			}
			in.translated = true
			return []transpile.Source{s}, statusOK
		}
		if !isArchive(s) {
			srcs = append(srcs, s)
			continue
		}
		a, err := archive.Open(archive.Of(transpile.Dialects, s), s)
		if err != nil {
			return nil, e.inputError(err)
		}
		srcs = append(srcs, a.Bundles...)
		in.opt.Images = append(in.opt.Images, a.Images...)
		if in.opt.Sandbox != nil && len(a.Libs) > 0 {
			return nil, e.inputError(fmt.Errorf("%s: sandbox: library %q: native libraries are not available", a.Info, a.Libs[0]))
		}
		in.deps.find(a)
		if in.opt.Entry == "" {
			in.opt.Entry = a.Entry
		}
	}
	for _, f := range in.hail.vals {
		s, err := e.readText(f)
		if err != nil {
			return nil, e.errorf("%v", err)
		}
		in.opt.Images = append(in.opt.Images, s)
	}
	for _, f := range in.later.vals {
		s, err := e.readText(f)
		if err != nil {
			return nil, e.errorf("%v", err)
		}
		in.opt.Later = append(in.opt.Later, s)
	}
	if _, err := transpile.Dialects.Choose(in.opt.Dialect, srcs); err != nil {
		return nil, e.errorf("%v", err)
	}
	return srcs, statusOK
}

// splitUnit splits an argument NAME=FILE into the name of a module and a file. An argument that is
// the name of an existing file is not split.
func splitUnit(arg string) (unit, file string) {
	unit, file, ok := strings.Cut(arg, "=")
	if !ok || unit == "" || file == "" || strings.ContainsAny(unit, `/\`) {
		return "", arg
	}
	if _, err := os.Stat(arg); err == nil {
		return "", arg
	}
	return unit, file
}

func isArchive(s transpile.Source) bool { return archive.Of(transpile.Dialects, s) != nil }

// readText reads a file, which must not be an archive.
func (e *env) readText(name string) (transpile.Source, error) {
	s, err := e.read(name)
	if err == nil && archive.Is(s.Text) {
		err = fmt.Errorf("%s: an archive has no place here; unpack it and give its files", s.Name)
	}
	return s, err
}

// stdinName stands for standard input in diagnostics.
const stdinName = "<stdin>"

func (e *env) read(name string) (transpile.Source, error) {
	if e.verbose {
		fmt.Fprintln(e.stderr, name)
	}
	var b []byte
	var err error
	if name == "-" {
		b, err = io.ReadAll(e.stdin)
		name = stdinName
	} else {
		b, err = os.ReadFile(name)
	}
	return transpile.Source{Name: name, Text: b}, err
}
