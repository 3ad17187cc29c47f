package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go"
	"github.com/uvm2go/uvm2go/transpile"
)

// compile makes an executable of a program.
func (e *env) compile(p *transpile.Program, out string, libs []string) int {
	done := e.step("translating")
	files, err := p.Generate()
	done()
	if err != nil {
		return e.generateError(err)
	}
	if status := e.checkC(p, libs); status != statusOK {
		return status
	}
	dir, err := os.MkdirTemp("", "uvm2go-")
	if err != nil {
		return e.errorf("%v", err)
	}
	defer os.RemoveAll(dir)
	if err := transpile.WriteModule(dir, transpile.ModulePath("program", true), files, uvm2go.Runtime); err != nil {
		return e.errorf("%v", err)
	}
	abs, err := filepath.Abs(out)
	if err != nil {
		return e.errorf("%v", err)
	}
	cmd := exec.Command("go", slices.Concat([]string{"build", "-trimpath", "-o", abs}, e.goFlags(), []string{"."})...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -mod=mod"))
	if len(libs) > 0 {
		link, err := linkEnv(libs)
		if err != nil {
			return e.errorf("%v", err)
		}
		cmd.Env = append(cmd.Env, link)
	}
	text, err := e.goCommand(cmd)
	if err != nil {
		if e.linkErrors(p, libs, text) {
			return statusInput
		}
		if why := toolMissing(err, text); why != "" {
			return e.errorf("%s", why)
		}
		return e.errorf("internal error: go build of the generated code failed (%v); uvm2go -o DIR with the same flags and bundles keeps the code\n%s", err, text)
	}
	return statusOK
}

// noCompiler is what the go command says when there is no C compiler.
var noCompiler = regexp.MustCompile(`(?m)^.*C compiler .* not found.*$`)

// toolMissing says which program a failed build did not find, "" if that was not the reason.
func toolMissing(err error, text string) string {
	if errors.Is(err, exec.ErrNotFound) {
		return "the go command is needed for that: " + err.Error()
	}
	return noCompiler.FindString(text)
}

// generateError reports why no code was made: the input's fault, mostly.
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
	out := in.set.String("o", "", "write the executable to `FILE`")
	files, status, done := e.parse(in, "build [-o FILE] [flags] BUNDLE...", args)
	if done {
		return status
	}
	if len(files) == 0 {
		return e.noBundle(in)
	}
	exe, err := executable(*out, programName(files[0]))
	if err != nil {
		return e.errorf("%v", err)
	}
	in.opt.Lines = true
	p, status := e.load(in, files)
	if p == nil {
		return status
	}
	return e.compile(p, exe, in.linked(p))
}

// programName is the name of the program made of a bundle.
func programName(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	if name == "" || name == "-" {
		return "program"
	}
	return name
}

// exeSuffix is the ending of executables on the system that is built for.
func exeSuffix() string {
	out, err := exec.Command("go", "env", "GOEXE").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
