package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go"
	"github.com/uvm2go/uvm2go/cmd/internal/muinstall"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/gogen"
)

// compile makes an executable or library of a program and of C files. Its code links the libraries itself if direct is true.
func (e *env) compile(p *transpile.Program, c []gogen.File, out string, libs []string, direct bool) int {
	done := e.step("translating")
	files, err := p.Generate()
	done()
	if err != nil {
		return e.generateError(err)
	}
	if status := e.checkC(p, libs, len(c) > 0 || p.IsLibrary()); status != statusOK {
		return status
	}
	var env []string
	if !direct {
		env = libs
	}
	b := goBuild{files: slices.Concat(files, c), libs: env}
	build := e.buildFiles
	if lib := p.LibraryFiles(programModule()); lib != nil {
		b.files, b.mode, b.pkg = append(b.files, lib...), "c-shared", "./"+transpile.LibraryDir
		build = e.buildLibrary
	}
	text, err := build(b, out)
	if err == nil {
		return statusOK
	}
	if status := e.linkErrors(p, libs, text); status != statusOK {
		return status
	}
	if why := e.environmentFault(err, text, out); why != "" {
		return e.errorf("%s", why)
	}
	return e.errorf("internal error: go build of the generated code failed (%v); uvm2go -o DIR with the same flags and bundles keeps the code\n%s", err, text)
}

// programModule is the path of the module of a program.
func programModule() string { return transpile.ModulePath("program", true) }

// A goBuild is what go build makes of generated files.
type goBuild struct {
	files []gogen.File
	libs  []string // which the linker gets from the environment
	mode  string   // of go build, "" for the default
	pkg   string   // "" for the folder of the module
}

// buildLibrary is buildFiles for a library. go build writes a header beside it, which must not replace one of the user.
func (e *env) buildLibrary(b goBuild, out string) (text string, err error) {
	dir, err := os.MkdirTemp(filepath.Dir(out), ".uvm2go-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	made := filepath.Join(dir, filepath.Base(out))
	if text, err = e.buildFiles(b, made); err == nil {
		err = os.Rename(made, out)
	}
	return text, err
}

// buildFiles runs go build on generated files together with the runtime, and returns the output of go build.
func (e *env) buildFiles(b goBuild, out string) (string, error) {
	dir, err := os.MkdirTemp("", "uvm2go-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	m := &transpile.Module{Path: programModule(), Files: b.files, Runtime: uvm2go.Runtime, Kept: keptRuntime()}
	if err := m.Write(dir); err != nil {
		return "", err
	}
	abs, err := filepath.Abs(out)
	if err != nil {
		return "", err
	}
	var mode []string
	if b.mode != "" {
		mode = []string{"-buildmode=" + b.mode}
	}
	cmd := exec.Command("go", slices.Concat([]string{"build", "-trimpath", "-o", abs}, e.debugFlags(), e.goFlags(), mode, []string{cmp.Or(b.pkg, ".")})...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -mod=mod"))
	if len(b.libs) > 0 {
		link, err := linkEnv(b.libs)
		if err != nil {
			return "", err
		}
		cmd.Env = append(cmd.Env, link)
	}
	return e.goCommand(cmd)
}

// keptRuntime is the folder in which the runtime's sources are kept, "" if there can be none.
func keptRuntime() string {
	root, err := programCache()
	if err != nil {
		return ""
	}
	dir, err := transpile.KeepRuntime(root, keepPrograms, uvm2go.Runtime)
	if err != nil {
		return ""
	}
	return dir
}

// generateError reports why no code was generated: mostly an error in the input.
func (e *env) generateError(err error) int {
	var in *transpile.InputError
	if errors.As(err, &in) {
		return e.inputError(fmt.Errorf("uvm2go: %w", err))
	}
	return e.errorf("%v", err)
}

func runBuild(e *env, args []string) int {
	in := e.flags("build")
	in.program()
	e.goBuild(in.set)
	out := in.set.String("o", "", "write the executable or library to `FILE`")
	in.set.BoolVar(&in.opt.Debug, "g", false, "build for debuggers: without optimisation and inlining, with a variable for each value (docs/debugging.md)")
	in.set.BoolVar(&in.opt.Library, "shared", false, "make a shared library for C, which exports the functions whose names and signatures C can express")
	in.measureFlags()
	in.set.Var(&in.export, "export", "comma-separated `functions` that the library of -shared exports, instead of all")
	in.set.Var(&in.cSources, "c", "compile the `FILE` of C or assembler code, too: native symbols may be there (repeatable)")
	files, status, done := e.parse(in, "build [-o FILE] [flags] BUNDLE...", args)
	if done {
		return status
	}
	if len(files) == 0 {
		return e.noBundle(in)
	}
	exe, err := executable(*out, func() string {
		if in.opt.Library {
			return muinstall.LibraryName(programName(files[0]))
		}
		return programName(files[0]) + exeSuffix()
	})
	if err != nil {
		return e.errorf("%v", err)
	}
	in.opt.Lines, in.takesGo = true, true
	srcs, status := e.sources(in, files)
	if status != statusOK {
		return status
	}
	return e.build(in, srcs, exe)
}

// measureFlags adds -cover and -profile.
func (in *input) measureFlags() {
	in.set.BoolVar(&in.opt.Profile, "profile", false, "link what writes profiles, when UVMDEBUG asks for them (uvm2go help environment)")
	in.set.BoolVar(&in.opt.Cover, "cover", false, "count how often each line runs; the program writes the counts into the folder GOCOVERDIR, for go tool covdata")
}

// build makes an executable from bundles, or from a program that has already been translated.
func (e *env) build(in *input, srcs []transpile.Source, out string) int {
	if in.translated {
		return e.buildTranslated(in, srcs[0], out)
	}
	var direct bool
	in.opt.CgoFlags, direct = directFlags(slices.Concat(in.opt.Libs, in.deps.found))
	c, err := in.readC()
	if err != nil {
		return e.errorf("-c: %v", err)
	}
	if in.opt.Library { // symbols may be those of the process that opens it
		in.opt.CgoFlags = append(in.opt.CgoFlags, "linux freebsd netbsd openbsd LDFLAGS: -Wl,--unresolved-symbols=ignore-all")
	}
	p, status := e.loadSources(in, srcs)
	if p == nil {
		return status
	}
	return e.compile(p, c, out, in.linked(p), direct)
}

// programName returns the name of the program that is made from a bundle.
func programName(file string) string {
	_, file = splitUnit(file)
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	if name == "" || name == "-" {
		return "program"
	}
	return name
}

// exeSuffix returns the ending of executables on the target system.
func exeSuffix() string {
	out, err := exec.Command("go", "env", "GOEXE").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
