package gogen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/internal/clib"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
)

// A program that refers to native symbols that the runtime does not implement in Go is made for
// cgo. For each signature that it calls there is a Go function ccallN, in several forms:
//
//	gocallN  calls an address that is not a C function, through the runtime
//	ccallN   with cgo: calls uvm_call_N of the preamble, a C function that calls the address; addresses
//	         that are not C functions go to gocallN first
//	ccallN   without cgo: gocallN
//
// and for each symbol S that the C linker resolves and that is called with the signature
//
//	ccallN_S  with cgo: calls a C function, uvm_call_N_S, which calls the symbol
//	ccallN_S  without cgo: gocallN
//
// The two forms of ccallN are in two small files with opposite build constraints, so the
// same output builds with and without cgo. A single file has only the first form.
//
// Values are passed to C as scalars; the C functions of the preamble put structs
// together and take them apart, so the C compiler decides how structs are passed.
// Exposed functions are C functions too: slot S of signature N packs its arguments
// into words and calls back through rtlib/ffi. Around each call errno is set to
// that of the Mu stack and saved again, the context of the stack is in a variable
// of the OS thread, where callbacks find it, and the collector knows that the
// thread is in C.

// A Symbol is a native symbol that a program refers to.
type Symbol struct {
	Name string
	Pos  string // position in the bundle, "" if unknown
}

// CSymbols lists the native symbols that only C can provide, in the order of the
// bundles. If there are any, or Options.Libs, the program is made for cgo.
func CSymbols(p *ir.Program, opt Options) []Symbol {
	w := &externWalker{p: p, seen: map[string]*ir.Const{}}
	w.program(opt)
	inGo := map[string]bool{"environ": true}
	for _, n := range opt.GoNatives {
		inGo[n] = true
	}
	var list []*ir.Const
	for name, c := range w.seen {
		if _, ok := clib.Table[name]; opt.NativeC && !repr.GoOnly(name) || !ok && !inGo[name] {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b *ir.Const) int {
		return cmp.Or(a.Pos.Compare(b.Pos), strings.Compare(a.Sym, b.Sym))
	})
	var out []Symbol
	for _, c := range list {
		out = append(out, Symbol{c.Sym, constPos(p, c)})
	}
	return out
}

// externWalker finds the symbols that code and the heap image use and, in a program whose entities can be looked up,
// those of all constants.
type externWalker struct {
	p    *ir.Program
	seen map[string]*ir.Const
}

func (w *externWalker) program(opt Options) {
	if repr.Describes(opt.Options, facts.Loads(w.p)) {
		for _, c := range w.p.Consts {
			w.visit(c)
		}
	}
	for _, f := range w.p.Funcs {
		v := f.Current()
		if v == nil {
			continue
		}
		for i := range v.Values {
			if c := v.Values[i].Const; c != nil {
				w.visit(c)
			}
		}
	}
	if img := w.p.Image; img != nil {
		for i := range img.Inits {
			if c := img.Inits[i].Const; c != nil {
				w.visit(c)
			}
		}
	}
}

func (w *externWalker) visit(c *ir.Const) {
	switch c.Kind {
	case ir.ConstExtern:
		if old := w.seen[c.Sym]; old == nil || c.Pos.Compare(old.Pos) < 0 {
			w.seen[c.Sym] = c
		}
	case ir.ConstAggregate:
		for _, e := range c.Elems {
			w.visit(e)
		}
	}
}

// cgoParts makes the two files with build constraints, and the Go functions that they share.
func (g *gen) cgoParts() (with, without *part, common []gotree.Decl) {
	with = &part{name: "native_cgo", tag: "cgo"}
	without = &part{name: "native_nocgo", tag: "!cgo"}
	types := &cTypes{names: map[string]string{}}
	var cFuncs strings.Builder
	var setup gotree.Block
	setup.Do(node.Call(node.Qual("ffi", "Agree"), node.Conv(gotree.Uintptr, c("uvm_get_layout"))))
	setup.Do(node.Call(node.Qual("ffi", "Heed"), node.Conv(gotree.Uintptr, c("uvm_init", c("uintptr_t", node.Call(node.Qual("ffi", "Entry"))), c("uint32_t", node.Runtime("Pools"))))))
	var callers []gotree.Decl
	for k, desc := range g.CSigTexts {
		u, sig := g.UseOf(k), parseCSig(desc)
		if u.CallFunc != "" || len(u.Direct) > 0 {
			s := newShim(sig)
			inGo := g.Top(fmt.Sprintf("gocall_%d", k))
			common = append(common, g.inGoCaller(k, inGo, s))
			if u.CallFunc != "" {
				cName := fmt.Sprintf("uvm_call_%d", k)
				cFuncs.WriteString(cCaller(types, cName, "", sig))
				callers = append(callers, s.goCaller(u.CallFunc, cName, inGo))
				without.decls = append(without.decls, s.passOn(u.CallFunc, "", inGo))
			}
			for _, d := range u.Direct {
				i := g.symIndex(d.Sym)
				cName := fmt.Sprintf("uvm_call_%d_%d", k, i)
				cFuncs.WriteString(cCaller(types, cName, fmt.Sprintf("uvm_s%d", i), sig.variadicTo(d.Sym)))
				callers = append(callers, s.goCaller(d.Name, cName, ""))
				without.decls = append(without.decls, s.passOn(d.Name, g.SymbolVars[d.Sym], inGo))
			}
		}
		if n := u.Static; n > 0 || u.Expose {
			cFuncs.WriteString(cCallee(types, k, n, u.Expose, g.opt.Callbacks, sig))
			var at gotree.Block
			at.Return(node.Conv(gotree.Uintptr, c(fmt.Sprintf("uvm_slot_%d", k), c("int", node.Name("i")))))
			slot := &gotree.FuncLit{Body: &at, Sig: &gotree.Sig{
				Params: []gotree.Param{{Name: "i", T: gotree.IntType}}, Results: []gotree.Param{{T: gotree.Uintptr}}}}
			setup.Do(node.Runtime("SetPool", node.Lit(k), repr.CSigRow(k), node.Conv(gotree.IntType, node.Qual("C", fmt.Sprintf("uvm_slots_%d", k))), slot))
		}
	}
	if g.opt.Live {
		cFuncs.WriteString(cLate())
		setup.Do(node.Call(node.Qual("ffi", "Late"), lateCaller(), node.Conv(gotree.Uintptr, c("uvm_get_enter_late")), node.Conv(gotree.Uintptr, c("uvm_get_dlopen"))))
	}
	var decls, table strings.Builder
	for i, s := range g.Symbols {
		weak := ""
		if repr.GoOnly(s.Sym) || g.GoNative(s.Sym) {
			weak = ", weak"
		}
		fmt.Fprintf(&decls, "extern char uvm_s%d __asm__(UVM_PREFIX %q) __attribute__((visibility(\"default\")%s));\n", i, s.Sym, weak)
		fmt.Fprintf(&table, "\tcase %d: return (uintptr_t)&uvm_s%d;\n", i, i)
		setup.Set(node.Name(g.SymbolVars[s.Sym]), node.Conv(gotree.Uintptr, c("uvm_symbol", node.Lit(i))))
	}
	var pre strings.Builder
	for _, f := range g.opt.CgoFlags {
		pre.WriteString("#cgo " + f + "\n")
	}
	pre.WriteString(cHead)
	pre.WriteString(types.b.String())
	pre.WriteString(decls.String())
	fmt.Fprintf(&pre, "\nstatic uintptr_t uvm_symbol(int i) {\n\tswitch (i) {\n%s\t}\n\treturn 0;\n}\n", table.String())
	pre.WriteString(cFuncs.String())
	with.preamble = pre.String()
	// A variable's initialiser runs before any init function.
	link := g.Top("linkNatives")
	setup.Return(gotree.True)
	with.decls = append(with.decls, &gotree.VarDecl{Name: "_", X: node.Call(node.Name(link)), Apart: true},
		&gotree.Func{Name: link, Comment: link + " takes from C what the program needs to know before it starts.",
			Sig: &gotree.Sig{Results: []gotree.Param{{T: gotree.BoolType}}}, Body: &setup})
	with.decls = append(with.decls, callers...)
	return with, without, common
}

// symIndex is the index of a symbol in the list of symbols.
func (g *gen) symIndex(sym string) int {
	return slices.IndexFunc(g.Symbols, func(c *ir.Const) bool { return c.Sym == sym })
}
