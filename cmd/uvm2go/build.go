package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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
	if err := transpile.WriteModule(dir, "program", files, uvm2go.Runtime); err != nil {
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
		if e.linkErrors(p, text) {
			return statusInput
		}
		return e.errorf("internal error: go build of the generated code failed (%v); uvm2go -o DIR with the same flags and bundles keeps the code\n%s", err, text)
	}
	return statusOK
}

// generateError reports why no code was made: the input's fault, mostly.
func (e *env) generateError(err error) int {
	var in *transpile.InputError
	if errors.As(err, &in) {
		fmt.Fprintf(e.stderr, "uvm2go: %v\n", err)
		return statusInput
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
	in.opt.Lines = true
	p, status := e.load(in, files)
	if p == nil {
		return status
	}
	if *out == "" {
		*out = programName(files[0]) + exeSuffix()
	}
	return e.compile(p, *out, in.opt.Libs)
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

func runTranslate(e *env, args []string) int {
	in := e.flags("translate")
	in.program()
	out := in.set.String("o", "", "write to `FILE`.go, or make a module in the folder of that name")
	in.set.BoolVar(&in.opt.Introspect, "introspect", false, "let clients of the package inspect and replace frames, and refer to its entities")
	in.set.StringVar(&in.opt.Package, "pkg", "", "make package `NAME` instead of a program")
	in.set.Var(&in.export, "export", "comma-separated `functions` to export from the package")
	noLines := in.set.Bool("nolines", false, "leave out the //line directives")
	files, status, done := e.parse(in, "[flags] BUNDLE...", args)
	if done {
		return status
	}
	single := *out == "" || *out == "-" || strings.HasSuffix(*out, ".go")
	in.opt.SingleFile = single
	if single {
		in.opt.CgoFlags = libFlags(in.opt.Libs)
	} else if flags, err := copyLibs(*out, in.opt.Libs); err != nil {
		return e.errorf("%v", err)
	} else {
		in.opt.CgoFlags = flags
	}
	in.opt.Lines = !*noLines
	p, status := e.load(in, files)
	if p == nil {
		return status
	}
	finish := e.step("translating")
	gen, err := p.Generate()
	finish()
	if err != nil {
		return e.generateError(err)
	}
	if why := p.NoExports(); why != "" {
		fmt.Fprintf(e.stderr, "uvm2go: warning: package %s exports nothing: %s\n", in.opt.Package, why)
	}
	switch {
	case *out == "" || *out == "-":
		if _, err := e.stdout.Write(gen[0].Data); err != nil {
			return e.errorf("%v", err)
		}
	case single:
		if err := replaceFile(*out, gen[0].Data); err != nil {
			return e.errorf("%v", err)
		}
	default:
		name := in.opt.Package
		if name == "" {
			name = programName(files[0])
		}
		if err := transpile.WriteModule(*out, modulePath(name), gen, uvm2go.Runtime); err != nil {
			return e.errorf("%v", err)
		}
	}
	return statusOK
}

// modulePath makes a module path of a name.
func modulePath(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
	}
	return b.String()
}
