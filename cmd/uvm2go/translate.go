package main

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go"
	"github.com/uvm2go/uvm2go/transpile"
)

func runTranslate(e *env, args []string) int {
	in := e.flags("translate")
	in.program()
	gen := generator()
	out := in.set.String("o", "", "write to `FILE`.go, or make a module in the folder of that name")
	in.set.BoolVar(&in.opt.Introspect, "introspect", false, "let clients of the package inspect and replace frames, and refer to its entities")
	in.set.BoolVar(&in.opt.Live, "live", false, "link the engine for live code, so that bundles with bodies can be loaded at run time")
	in.set.StringVar(&in.opt.Package, "pkg", "", "make package `NAME` instead of a program")
	in.opt.Package = gen.pkg
	in.set.Var(&in.export, "export", "comma-separated `functions` to export from the package")
	noLines := in.set.Bool("nolines", false, "leave out the //line directives")
	files, status, done := e.parse(in, "[flags] BUNDLE...", args)
	if done {
		return status
	}
	pkg := in.opt.Package
	if pkg != "" && (!token.IsIdentifier(pkg) || pkg == "_" || pkg == "documentation") {
		return e.errorf("-pkg %s: Go takes no package of that name", pkg)
	}
	srcs, status := e.sources(in, files)
	if status != statusOK {
		return status
	}
	if *out == "" && gen.pkg != "" {
		*out = gen.file(files[0])
	}
	in.opt.SingleFile = *out == "" || *out == "-" || strings.HasSuffix(*out, ".go")
	var libs libFiles
	if all := slices.Concat(in.opt.Libs, in.deps.found); in.opt.SingleFile {
		libs.flags = libFlags(*out, all)
	} else {
		var err error
		if libs, err = readLibs(all); err != nil {
			return e.errorf("%v", err)
		}
	}
	in.opt.CgoFlags = libs.flags
	in.opt.Lines = !*noLines
	p, status := e.loadSources(in, srcs)
	if p == nil {
		return status
	}
	finish := e.step("translating")
	code, err := p.Generate()
	finish()
	if err != nil {
		return e.generateError(err)
	}
	if why := p.NoExports(); why != "" {
		fmt.Fprintf(e.stderr, "uvm2go: warning: package %s exports nothing: %s\n", pkg, why)
	}
	switch program := pkg == "" || pkg == "main"; {
	case *out == "" || *out == "-":
		_, err = e.stdout.Write(code[0].Data)
	case in.opt.SingleFile:
		err = transpile.WriteFile(*out, code[0].Data)
	default:
		if len(in.linked(p)) == 0 {
			libs.files = nil
		}
		name := pkg
		if program {
			name = programName(files[0])
		}
		m := transpile.Module{Path: transpile.ModulePath(name, program), Files: code, Runtime: uvm2go.Runtime, Libs: libs.files}
		err = m.Write(*out)
	}
	if err != nil {
		return e.errorf("%v", err)
	}
	return statusOK
}
