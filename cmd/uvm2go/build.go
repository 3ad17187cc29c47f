package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/uvm2go/uvm2go"
	"github.com/uvm2go/uvm2go/transpile"
)

// compile makes an executable of a program.
func (e *env) compile(p *transpile.Program, out string) int {
	files, err := p.Generate()
	if err != nil {
		return e.errorf("%v", err)
	}
	dir, err := os.MkdirTemp("", "uvm2go-")
	if err != nil {
		return e.errorf("%v", err)
	}
	defer os.RemoveAll(dir)
	if err := transpile.WriteModule(dir, "program", files, uvm2go.Runtime); err != nil {
		return e.errorf("%v", err)
	}
	abs, err := filepath.Abs(out)
	if err != nil {
		return e.errorf("%v", err)
	}
	cmd := exec.Command("go", "build", "-trimpath", "-o", abs, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -mod=mod"))
	text, err := cmd.CombinedOutput()
	if err != nil {
		return e.errorf("go build: %v\n%s", err, text)
	}
	return statusOK
}

func runBuild(e *env, args []string) int {
	in := e.flags("build")
	in.program()
	out := in.set.String("o", "", "write the executable to `FILE`")
	files, status, done := e.parse(in, "build [-o FILE] [flags] BUNDLE...", args)
	if done {
		return status
	}
	in.opt.Lines = true
	p, status := e.load(in, files)
	if p == nil {
		return status
	}
	if *out == "" {
		*out = strings.TrimSuffix(filepath.Base(files[0]), filepath.Ext(files[0]))
	}
	return e.compile(p, *out)
}

func runRun(e *env, args []string) int {
	in := e.flags("run")
	in.program()
	trap := in.set.String("trap", "", "default trap handler: print or abort")
	call := in.set.String("call", "", "call `function` with -args and print its results")
	cargs := list{comma: true}
	in.set.Var(&cargs, "args", "comma-separated `values` for -call")
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
	in.opt.Lines = true
	in.opt.TrapMode = *trap
	in.opt.Call, in.opt.CallArgs = *call, cargs.vals
	p, status := e.load(in, files)
	if p == nil {
		return status
	}
	dir, err := os.MkdirTemp("", "uvm2go-run-")
	if err != nil {
		return e.errorf("%v", err)
	}
	defer os.RemoveAll(dir)
	exe := filepath.Join(dir, "program")
	if s := e.compile(p, exe); s != statusOK {
		return s
	}
	cmd := exec.Command(exe, prog...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = e.stdin, e.stdout, e.stderr
	err = cmd.Run()
	if x, ok := err.(*exec.ExitError); ok {
		return x.ExitCode()
	}
	if err != nil {
		return e.errorf("%v", err)
	}
	return statusOK
}

func runCheck(e *env, args []string) int {
	in := e.flags("check")
	files, status, done := e.parse(in, "check [flags] BUNDLE...", args)
	if done {
		return status
	}
	_, status = e.load(in, files)
	return status
}

func runTranslate(e *env, args []string) int {
	in := e.flags("translate")
	in.program()
	out := in.set.String("o", "", "write to `FILE` or folder instead of standard output")
	in.set.StringVar(&in.opt.Package, "pkg", "", "make package `NAME` instead of a program")
	in.set.Var(&in.export, "export", "comma-separated `functions` to export from the package")
	files, status, done := e.parse(in, "[flags] BUNDLE...", args)
	if done {
		return status
	}
	p, status := e.load(in, files)
	if p == nil {
		return status
	}
	gen, err := p.Generate()
	if err != nil {
		return e.errorf("%v", err)
	}
	if *out != "" {
		if err := transpile.WriteModule(*out, "program", gen, uvm2go.Runtime); err != nil {
			return e.errorf("%v", err)
		}
		return statusOK
	}
	for _, f := range gen {
		e.stdout.Write(f.Data)
	}
	return statusOK
}
