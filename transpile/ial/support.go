package ial

import (
	"bytes"
	"embed"
	"fmt"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Functions that translated programs call, written in the text of the representation:
// tables of native blocks, pins and trampolines. A program gets only the files whose
// functions it needs.

//go:embed support/*.ir
var supportFiles embed.FS

// supportOf says which files an operation needs.
func supportOf(in *module.Instr) string {
	switch in.Op {
	case module.MemPin, module.MemUnpin:
		return "pins"
	case module.MemAlloc, module.MemNew, module.MemFree:
		typ := in.Target
		if in.Op == module.MemFree {
			typ = in.Src[0]
		}
		if typ.Type.Kind == module.Pointer {
			return "blocks"
		}
	case module.Tramp:
		return "trampolines"
	}
	if in.Op >= module.LoadI8a && in.Op <= module.LoadF64a && in.Target.Type.Kind == module.Pointer {
		return "blocks"
	}
	return ""
}

// newProgram is a program with the named files of support. Their code has no positions:
// traces show only the names of functions.
//
// What a running program has of it is only declared.
func newProgram(files []string, to *dialect.Running) *ir.Program {
	if len(files) == 0 {
		return ir.NewProgram()
	}
	var text strings.Builder
	for _, f := range append([]string{"table"}, files...) {
		src, err := supportFiles.ReadFile("support/" + f + ".ir")
		if err != nil {
			panic(err)
		}
		if to != nil {
			src = declared(src, to)
		}
		text.Write(src)
	}
	p, err := ir.Parse(diag.NewSet(), "support.ir", []byte(text.String()))
	if err != nil {
		panic(fmt.Sprintf("ial: support: %v", err))
	}
	for _, f := range p.Funcs {
		f.Pos, f.Title, f.Attrs = diag.Pos{}, ir.Bare(f.Name), f.Attrs|ir.Internal
		for _, v := range f.Versions {
			v.Pos = diag.Pos{}
			for i := range v.Blocks {
				v.Blocks[i].Pos = diag.Pos{}
			}
			for i := range v.Insts {
				v.Insts[i].Pos = diag.Pos{}
			}
		}
	}
	for _, g := range p.Globals {
		g.Pos = diag.Pos{}
	}
	p.GiveIDs()
	return p
}

// declared is a file of support without the bodies of its functions, if the running program has them. No cell of the
// support has an initial value.
func declared(src []byte, to *dialect.Running) []byte {
	var out []byte
	body := false
	for line := range bytes.Lines(src) {
		switch {
		case bytes.HasPrefix(line, []byte("func ")):
			if name, _, _ := bytes.Cut(line[len("func "):], []byte(":")); !to.Has(string(name)) {
				return src // the files are loaded as a whole
			}
		case bytes.HasPrefix(line, []byte("version ")):
			body = true
		}
		if !body {
			out = append(out, line...)
		} else if line[0] == '}' {
			body = false
		}
	}
	return out
}

// support calls a function of the support and gives its result, 0 if it has none.
func (b *body) support(name string, args ...ir.ValueID) ir.ValueID {
	fn, ok := b.Prog.Entities["@ial."+name].(*ir.Function)
	if !ok {
		panic("ial: no support function " + name)
	}
	r := b.Call(b.FuncRef(fn), args...)
	if len(r) == 0 {
		return 0
	}
	return r[0]
}
