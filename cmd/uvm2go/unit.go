package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/osr"
)

// runUnit makes a plugin for a running program, which starts this command. The other side is in rtlib/live.
func runUnit(e *env, args []string) int {
	in := e.flags("unit")
	fs := in.set
	source := fs.String("runtime", "", "`file` name of a source of rtlib/live, as recorded in the program by its compiler")
	introspect := fs.Bool("introspect", false, "the program inspects frames")
	fs.BoolVar(&in.opt.UnitC, "cgo", false, "the program is made for cgo")
	fs.Var(&in.goNatives, "natives", "comma-separated native `symbols` that are not C functions in the program")
	out := fs.String("o", "", "write the plugin to `FILE`")
	var settings list
	fs.Var(&settings, "go", "`setting` of go build that the program was built with, a flag or a variable of the environment (repeatable)")
	files, status, done := e.parse(in, "unit -runtime FILE -o FILE.so [flags] FILE.ir", args)
	if done {
		return status
	}
	if len(files) != 1 || *source == "" || *out == "" {
		return e.errorf("unit: one file, -runtime and -o are needed (uvm2go unit -h)")
	}
	in.opt.Unit, in.opt.Introspect, in.opt.Lines, in.opt.Optimize = true, *introspect, true, 1
	srcs, status := e.sources(in, files)
	if status != statusOK {
		return status
	}
	if len(srcs) != 1 {
		return e.errorf("unit: %s is not the representation of a bundle", files[0])
	}
	in.opt.FirstPlace = transpile.UnitPlace(srcs[0].Text)
	loops, text, err := osr.Cut(string(srcs[0].Text))
	if err != nil {
		return e.errorf("unit: %v", err)
	}
	in.opt.Loops, srcs[0].Text = loops, []byte(text)
	p, status := e.loadSources(in, srcs)
	if p == nil {
		return status
	}
	made, err := p.Generate()
	if err != nil {
		return e.generateError(err)
	}
	abs, err := filepath.Abs(*out)
	if err != nil {
		return e.errorf("%v", err)
	}
	name := strings.TrimSuffix(filepath.Base(abs), filepath.Ext(abs))
	dir, err := os.MkdirTemp("", "uvm2go-")
	if err != nil {
		return e.errorf("%v", err)
	}
	defer os.RemoveAll(dir)
	// A process treats plugins with the same module path as the same plugin.
	trim, err := unitModule(dir, *source, transpile.Module{Path: transpile.ModulePath("unit-"+name, true), Files: made, Runtime: uvm2go.Runtime})
	if err != nil {
		return e.errorf("unit: %v", err)
	}
	flags := append(trim, "-ldflags=-s -w")
	env := append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "CGO_ENABLED=1")
	for _, s := range settings.vals {
		if strings.HasPrefix(s, "-") {
			flags = append(flags, s)
		} else {
			env = append(env, s)
		}
	}
	tmp := fmt.Sprintf("%s.%d", abs, os.Getpid()) // other processes may be making and opening the same plugin
	defer os.Remove(tmp)
	cmd := exec.Command("go", slices.Concat([]string{"build", "-buildmode=plugin", "-o", tmp}, flags, []string{"."})...)
	cmd.Dir, cmd.Env = dir, env
	if text, err := e.goCommand(cmd); err != nil {
		if why := e.environmentFault(err, text, *out); why != "" {
			return e.errorf("unit: %s", why)
		}
		return e.errorf("unit: go build failed (%v)\n%s", err, text)
	}
	if err := os.Rename(tmp, abs); err != nil {
		return e.errorf("%v", err)
	}
	return statusOK
}

// unitModule writes the module of a plugin into a folder such that, for the Go compiler, its packages of the runtime are the same
// as those of the program: the same files under the same names. It returns the flags that are needed for this.
func unitModule(dir, source string, m transpile.Module) ([]string, error) {
	const path, engine = "github.com/uvm2go/uvm2go", "/rtlib/live/"
	root, _, ok := strings.Cut(filepath.ToSlash(source), engine)
	if !ok {
		return nil, fmt.Errorf("%s is not in the engine", source)
	}
	version, trimmed := strings.CutPrefix(root, path+"@")
	switch {
	case trimmed:
		m.Version, m.Kept = version, keptRuntime()
		return []string{"-trimpath"}, m.Write(dir)
	case filepath.IsAbs(root):
		m.Source = root
		return nil, m.Write(dir)
	}
	return nil, fmt.Errorf("the sources of the runtime, %s, are not known by that name", root)
}
