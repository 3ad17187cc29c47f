package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/ended"
	"github.com/uvm2go/uvm2go/internal/lexis/size"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/keep"
	"github.com/uvm2go/uvm2go/transpile/sandbox"
)

// runVariable is an environment variable. With the value "live", run behaves like run -live for each program that can run so.
const runVariable = "UVM2GO_RUN"

func runRun(e *env, args []string) int {
	in := e.flags("run")
	in.program()
	in.measureFlags()
	e.goBuild(in.set)
	e.undebugged = true
	trap := in.set.String("trap", "", "default trap handler: `mode` print or abort")
	call := in.set.String("call", "", "call `function` with -args and print its results")
	cargs := list{comma: true}
	in.set.Var(&cargs, "args", "comma-separated `values` for -call")
	useInterp := in.set.Bool("interp", false, "run on the reference interpreter instead of building")
	useLive := in.set.Bool("live", false, "run at once on the engine for live code instead of building")
	seed := in.set.Int64("seed", 0, "`number` that fixes the interpreter's scheduler")
	coverProfile := in.set.String("coverprofile", "", "count as with -cover, and write the counts to `FILE`, for go tool cover")
	profiles := []profileFlag{
		{"coverprofile", coverProfile},
		{"cpuprofile", in.set.String("cpuprofile", "", "write a profile of where time goes to `FILE`, for go tool pprof")},
		{"memprofile", in.set.String("memprofile", "", "write a profile of allocations and of the live heap to `FILE`, for go tool pprof")},
		{"trace", in.set.String("trace", "", "write a trace of threads and collections to `FILE`, for go tool trace")},
	}
	dry := in.set.Bool("n", false, "build, and print where the program is instead of running it")
	own, prog := args, []string(nil)
	for i, a := range args {
		if a == "--" {
			own, prog = args[:i], args[i+1:]
			break
		}
	}
	files, status, done := e.parse(in, "run [flags] BUNDLE... [-- ARG...]", own)
	if done {
		return status
	}
	if *trap != "" && *trap != "print" && *trap != "abort" {
		return e.errorf("-trap %s: want print or abort", *trap)
	}
	if err := checkProfiles(profiles); err != nil {
		return e.errorf("%v", err)
	}
	debug := debugSetting(profiles[1:])
	in.opt.Profile = in.opt.Profile || debug != "" || asksProfile(os.Getenv("UVMDEBUG"))
	in.opt.Cover = in.opt.Cover || *coverProfile != ""
	in.opt.Lines = true
	in.opt.Call, in.opt.CallArgs = *call, cargs.vals
	in.noC, in.takesGo = *useInterp || *useLive, true
	if in.opt.Sandbox != nil && *useInterp {
		in.opt.Sandbox.Level = sandbox.Interpreted
	}
	if in.opt.Sandbox != nil && *useLive {
		in.opt.Sandbox.Level = sandbox.Unchecked
	}
	tryLive := in.opt.Sandbox == nil && !*useLive && os.Getenv(runVariable) == "live" && !*useInterp && !*dry && !in.opt.Sanitize && !in.opt.Cover && !in.opt.Profile && len(in.libs.vals) == 0
	srcs, status := e.sources(in, files)
	if status != statusOK {
		return status
	}
	if *useInterp {
		return e.interpret(in, srcs, *trap, *seed, append([]string{programName(files[0])}, prog...))
	}
	if *useLive || tryLive {
		status, done := e.live(in, srcs, *trap, append([]string{programName(files[0])}, prog...), tryLive)
		if done {
			return status
		}
	}
	if !in.translated && !in.opt.Sanitize && len(in.libs.vals) == 0 && !*dry {
		e.instead = "; uvm2go run -live runs the program without building it"
	}
	exe, status, done := e.cached(in, srcs)
	if done {
		return status
	}
	if exe.temporary {
		defer os.RemoveAll(filepath.Dir(exe.path))
	}
	if *dry {
		if exe.temporary {
			return e.errorf("run -n: no folder to keep programs in; UVM2GO_CACHE can name one")
		}
		fmt.Fprintln(e.stdout, exe.path)
		return statusOK
	}
	var settings []string
	if *trap != "" {
		settings = append(settings, "UVM_TRAP="+*trap)
	}
	if debug != "" {
		settings = append(settings, debug)
	}
	run := func(settings []string) int { return e.execute(exe.path, programName(files[0]), prog, settings) }
	if *coverProfile != "" {
		return e.covered(*coverProfile, settings, run)
	}
	return run(settings)
}

// covered runs a program that counts, and makes a profile of what it writes.
func (e *env) covered(profile string, settings []string, run func(settings []string) int) int {
	dir, err := os.MkdirTemp("", "uvm2go-cover-")
	if err != nil {
		return e.errorf("%v", err)
	}
	defer os.RemoveAll(dir)
	status := run(append(settings, "GOCOVERDIR="+dir))
	if text, err := e.goCommand(exec.Command("go", "tool", "covdata", "textfmt", "-i", dir, "-o", profile)); err != nil {
		return e.errorf("-coverprofile: go tool covdata: %v\n%s", err, text)
	}
	return status
}

// execute runs a program with variables in its environment, and returns its exit status.
func (e *env) execute(exe, name string, args, settings []string) int {
	cmd := exec.Command(exe, args...)
	e.show(cmd)
	cmd.Args[0] = name
	cmd.Stdin, cmd.Stdout, cmd.Stderr = e.stdin, e.stdout.file, e.stderr
	if len(settings) > 0 {
		cmd.Env = append(os.Environ(), settings...)
	}
	// An interrupt from the terminal reaches the program too; the program's status is returned.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	defer signal.Stop(signals)
	err := cmd.Run()
	var x *exec.ExitError
	if errors.As(err, &x) {
		if n, name := ended.Signal(x.ProcessState); n != 0 {
			fmt.Fprintf(e.stderr, "uvm2go: the program was ended by signal: %s\n", name)
			return 128 + n
		}
		return x.ExitCode()
	}
	if err != nil {
		return e.errorf("%v", err)
	}
	return statusOK
}

// A built program.
type built struct {
	path      string
	temporary bool // in a folder of its own, which is to be removed
}

// programFile is the name of a built program in its folder. Windows does not run a
// file without an ending.
const programFile = "program" + exeEnding

// cached finds the program of an earlier run with the same input, flags, tools
// and environment, or builds it. Warnings are kept with it and shown each time.
func (e *env) cached(in *input, srcs []transpile.Source) (built, int, bool) {
	root, err := programCache()
	if err != nil {
		return e.buildTemp(in, srcs)
	}
	key, err := cacheKey(in, srcs)
	if err != nil {
		return e.buildTemp(in, srcs)
	}
	failed := statusOK
	fresh := false
	if _, err := exec.LookPath("go"); err != nil {
		// What another toolchain has built is better than nothing.
		if dir := keep.Newest(root, key, "notes"); dir != "" {
			return e.kept(dir), 0, false
		}
		return built{}, e.errorf("%s", e.environmentFault(err, "", "")), true
	}
	dir, err := keep.Dir(root, key+toolKey(), "notes", keepPrograms, func(dir string) error {
		fresh = true
		var notes bytes.Buffer
		noting := *e
		noting.notes = &notes
		if failed = noting.build(in, srcs, filepath.Join(dir, programFile)); failed != statusOK {
			return errBuild
		}
		return os.WriteFile(filepath.Join(dir, "notes"), notes.Bytes(), 0o666)
	})
	switch {
	case failed != statusOK:
		return built{}, failed, true
	case err != nil && !fresh:
		return e.buildTemp(in, srcs)
	case err != nil:
		return built{}, e.errorf("%s", e.environmentFault(err, "", "")), true
	}
	if fresh {
		return built{path: filepath.Join(dir, programFile)}, 0, false
	}
	return e.kept(dir), 0, false
}

// kept is a program of an earlier run. It shows the warnings again.
func (e *env) kept(dir string) built {
	if notes, err := os.ReadFile(filepath.Join(dir, "notes")); err == nil {
		e.stderr.Write(notes)
	}
	return built{path: filepath.Join(dir, programFile)}
}

// errBuild means that a program could not be built, and that this has been reported.
var errBuild = errors.New("not built")

func (e *env) buildTemp(in *input, srcs []transpile.Source) (built, int, bool) {
	dir, err := os.MkdirTemp("", "uvm2go-run-")
	if err != nil {
		return built{}, e.errorf("%v", err), true
	}
	exe := filepath.Join(dir, programFile)
	if s := e.build(in, srcs, exe); s != statusOK {
		os.RemoveAll(dir)
		return built{}, s, true
	}
	return built{exe, true}, 0, false
}

// programCache returns the folder of the built programs.
func programCache() (string, error) {
	if dir := os.Getenv("UVM2GO_CACHE"); dir != "" {
		return filepath.Abs(dir)
	}
	root, err := os.UserCacheDir()
	return filepath.Join(root, "uvm2go", "run"), err
}

// toolKey ends the keys of programs that the go command of PATH has built.
func toolKey() string {
	name, err := exec.LookPath("go")
	if err != nil {
		return ""
	}
	st, err := os.Stat(name)
	if err != nil {
		return ""
	}
	h := sha256.Sum256(fmt.Append(nil, name, st.Size(), st.ModTime().UnixNano()))
	return hex.EncodeToString(h[:8])
}

// cacheKey returns a hash of everything that the built program depends on, except the go command, and a
// hyphen.
func cacheKey(in *input, srcs []transpile.Source) (string, error) {
	h := sha256.New()
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	st, err := os.Stat(self)
	if err != nil {
		return "", err
	}
	fmt.Fprintln(h, self, st.Size(), st.ModTime().UnixNano(), runtime.Version())
	for _, v := range []string{"GOOS", "GOARCH", "GOAMD64", "GOARM64", "GOFLAGS", "GOEXPERIMENT", "GOTOOLCHAIN", "GODEBUG",
		"CGO_ENABLED", "CC", "CGO_CFLAGS", "CGO_LDFLAGS"} {
		fmt.Fprintf(h, "%s=%q\n", v, os.Getenv(v))
	}
	fmt.Fprintf(h, "%q %+v\n", in.libs.vals, in.opt.Key())
	add := func(list []transpile.Source) {
		for _, s := range list {
			fmt.Fprintf(h, "%q %q %d\n", s.Unit, s.Name, len(s.Text))
			h.Write(s.Text)
		}
	}
	add(srcs)
	add(in.opt.Images)
	add(in.opt.Later)
	for _, lib := range slices.Concat(in.opt.Libs, in.deps.found) {
		abs, err := filepath.Abs(lib) // where the program looks for it
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%q\n", abs)
		if b, err := os.ReadFile(lib); err == nil {
			h.Write(b)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16]) + "-", nil
}

// keepPrograms is the number of built programs that stay in the cache, in addition to
// those of the last hour.
const keepPrograms = 60

// interpret runs a program on the reference interpreter.
func (e *env) interpret(in *input, srcs []transpile.Source, trap string, seed int64, args []string) int {
	in.opt.Optimize = 0
	p, status := e.loadSources(in, srcs)
	if p == nil {
		return status
	}
	if trap == "" {
		trap = os.Getenv("UVM_TRAP")
		if trap != "" && trap != "print" && trap != "abort" {
			return e.errorf("UVM_TRAP: bad mode %q, want print or abort", trap)
		}
	}
	var err error
	cfg := p.Interpreter()
	cfg.Stdin, cfg.Stdout, cfg.Stderr = e.stdin, e.stdout.file, e.stderr
	cfg.Args, cfg.Seed, cfg.TrapMode = args, seed, trap
	if cfg.HeapLimit, err = size.Env("UVM_HEAP"); err != nil {
		return e.errorf("%v", err)
	}
	if in.opt.Sandbox != nil {
		cfg.HeapLimit = cmp.Or(cfg.HeapLimit, 256<<20)
		if err = e.limitTime(); err != nil {
			return e.errorf("%v", err)
		}
	}
	if in.opt.Call != "" {
		status, err = e.interpretCall(p, in, cfg)
	} else if _, err = p.EntryFunction(); err == nil {
		status, err = interp.Run(p.IR, cfg)
	}
	var failed *interp.OutputError
	if errors.As(err, &failed) {
		return e.outputError(failed.Err)
	}
	if err != nil {
		return e.inputError(fmt.Errorf("uvm2go: %w", err))
	}
	return status
}

// limitTime ends the process, as a built program does, when an interpreted program has run too long.
func (e *env) limitTime() error {
	limit := time.Minute
	if text := os.Getenv("UVM_TIME"); text != "" {
		var err error
		if limit, err = time.ParseDuration(text); err != nil || limit <= 0 {
			return fmt.Errorf("UVM_TIME: bad duration %q, want a number with a unit, such as 500ms, 10s or 2m", text)
		}
	}
	time.AfterFunc(limit, func() {
		fmt.Fprintf(e.stderr, "uvm: run-time error: NO_RESOURCE: the program has run for %v, the most that UVM_TIME allows\n", limit)
		os.Exit(4)
	})
	return nil
}

// interpretCall does the work of -call on the interpreter.
func (e *env) interpretCall(p *transpile.Program, in *input, cfg interp.Config) (int, error) {
	f, args, err := p.CallArgs()
	if err != nil {
		return 0, err
	}
	cfg.Returned = func(vals []interp.Value) {
		var texts []string
		texts, err = interp.Results(p.IR, f.Name, vals, p.CallResults(f)...)
		for _, t := range texts {
			fmt.Fprintln(e.stdout, t)
		}
	}
	_, status, failed := interp.Call(p.IR, f.Name, interp.Literals(p.IR, args), cfg)
	return status, errors.Join(err, failed)
}
