package gogen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/symbol"
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
//
// A unit has only the functions that call C; its ccallN_S pass the address of the symbol, see unitNatives.

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

// cgoCode is the code that calls C, and that C calls, as it is being made.
type cgoCode struct {
	types *cTypes
	funcs strings.Builder // C functions
	// callers are the Go functions that call them, common those that call natives in Go, without those in place of
	// callers without cgo.
	callers, common, without []gotree.Decl
}

// preamble begins with head; decls comes before the C functions.
func (c *cgoCode) preamble(head, decls string) string {
	return head + c.types.b.String() + decls + c.funcs.String()
}

// cgoCallers makes the functions that call C with the signatures of the program.
func (g *gen) cgoCallers() *cgoCode {
	code := &cgoCode{types: &cTypes{names: map[string]string{}}}
	test := "InGo"
	if g.opt.Unit { // its code does what the engine did
		test = "Served"
	}
	for k, desc := range g.CSigTexts {
		u := g.UseOf(k)
		if u.CallFunc == "" && len(u.Direct) == 0 {
			continue
		}
		sig := parseCSig(desc)
		s := newShim(sig)
		inGo := g.Top(fmt.Sprintf("gocall_%d", k))
		code.common = append(code.common, g.inGoCaller(k, inGo, s))
		if u.CallFunc != "" {
			cName := fmt.Sprintf("uvm_call_%d", k)
			code.funcs.WriteString(cCaller(code.types, cName, "", sig))
			code.callers = append(code.callers, s.goCaller(u.CallFunc, goCall{cName, address, inGo, test}))
			code.without = append(code.without, s.passOn(u.CallFunc, "", inGo))
		}
		for _, d := range u.Direct {
			i, at := g.symIndex(d.Sym), g.SymbolVars[d.Sym]
			to := goCall{cName: fmt.Sprintf("uvm_call_%d_%d", k, i)}
			sym := cSymbol(i)
			// The C linker need not find a symbol of a unit: it may be in a static library of the program.
			if g.opt.Unit || !linkable(d.Sym) {
				to.f, sym = at, ""
			}
			code.funcs.WriteString(cCaller(code.types, to.cName, sym, sig.variadicTo(d.Sym)))
			code.callers = append(code.callers, s.goCaller(d.Name, to))
			code.without = append(code.without, s.passOn(d.Name, at, inGo))
		}
	}
	return code
}

// cgoParts makes the two files with build constraints, and the Go functions that they share.
func (g *gen) cgoParts() (with, without *part, common []gotree.Decl) {
	code := g.cgoCallers()
	var setup gotree.Block
	setup.Do(node.Call(node.Qual("ffi", "Agree"), cAddress("uvm_get_layout")))
	setup.Do(node.Call(node.Qual("ffi", "Heed"), node.Conv(gotree.Uintptr, c("uvm_init", c("uintptr_t", node.Call(node.Qual("ffi", "Entry"))), c("uint32_t", node.Runtime("Pools"))))))
	for k, desc := range g.CSigTexts {
		u := g.UseOf(k)
		if n := u.Static; n > 0 || u.Expose {
			code.funcs.WriteString(cCallee(code.types, k, n, u.Expose, g.opt.Callbacks, parseCSig(desc)))
			var at gotree.Block
			at.Return(node.Conv(gotree.Uintptr, c(fmt.Sprintf("uvm_slot_%d", k), c("int", node.Name("i")))))
			slot := &gotree.FuncLit{Body: &at, Sig: &gotree.Sig{
				Params: []gotree.Param{{Name: "i", T: gotree.IntType}}, Results: []gotree.Param{{T: gotree.Uintptr}}}}
			setup.Do(node.Runtime("SetPool", node.Lit(k), repr.CSigRow(k), node.Conv(gotree.IntType, node.Qual("C", fmt.Sprintf("uvm_slots_%d", k))), slot))
		}
	}
	if g.opt.Live {
		code.funcs.WriteString(cLate())
		setup.Do(node.Call(node.Qual("ffi", "Late"), lateCaller(), cAddress("uvm_get_enter_late"), cAddress("uvm_get_dlopen"),
			cAddress("uvm_get_before"), cAddress("uvm_get_after")))
	}
	var decls, table strings.Builder
	for i, s := range g.Symbols {
		if !linkable(s.Sym) {
			setup.Set(node.Name(g.SymbolVars[s.Sym]), node.Call(node.Qual("ffi", "Symbol"), node.Str(s.Sym)))
			continue
		}
		decls.WriteString(cDeclare(cSymbol(i), s.Sym, repr.GoOnly(s.Sym) || g.GoNative(s.Sym)))
		fmt.Fprintf(&table, "\tcase %d: return (uintptr_t)&%s;\n", i, cSymbol(i))
		setup.Set(node.Name(g.SymbolVars[s.Sym]), node.Conv(gotree.Uintptr, c("uvm_symbol", node.Lit(i))))
	}
	fmt.Fprintf(&decls, "\nstatic uintptr_t uvm_symbol(int i) {\n\tswitch (i) {\n%s\t}\n\treturn 0;\n}\n", table.String())
	cells, declared := g.cCells()
	decls.WriteString(declared)
	var flags strings.Builder
	if slices.ContainsFunc(g.Symbols, func(c *ir.Const) bool { return !linkable(c.Sym) }) {
		flags.WriteString("#cgo linux freebsd netbsd openbsd LDFLAGS: -Wl,--no-as-needed\n") // their libraries need not have others
	}
	for _, f := range g.opt.CgoFlags {
		flags.WriteString("#cgo " + outside(gotree.InFlags, f) + "\n")
	}
	with = &part{name: "native_cgo", tag: "cgo", preamble: code.preamble(flags.String()+cHead, decls.String())}
	with.decls = slices.Concat(cells, g.linking(&setup, "takes from C what the program needs to know before it starts."), code.callers)
	return with, &part{name: "native_nocgo", tag: "!cgo", decls: code.without}, code.common
}

// linking is a variable whose initialiser is setup, which runs before any init function. what is what it does.
func (g *gen) linking(setup *gotree.Block, what string) []gotree.Decl {
	link := g.Top("linkNatives")
	setup.Return(gotree.True)
	return []gotree.Decl{&gotree.VarDecl{Name: "_", X: node.Call(node.Name(link)), Apart: true},
		&gotree.Func{Name: link, Comment: link + " " + what,
			Sig: &gotree.Sig{Results: []gotree.Param{{T: gotree.BoolType}}}, Body: setup}}
}

// linkable reports whether generated C code may name a symbol, for the C linker: no assembler reads anything else in its
// name or version. The runtime looks up other symbols when the program starts, and their names are in strings of Go only.
func linkable(sym string) bool {
	name, version := symbol.Split(sym)
	return symbol.Plain(name) && (version == "" && name == sym || symbol.Plain(version))
}

// cDeclare declares a C variable at a symbol that is linkable. A weak one need not exist.
func cDeclare(variable, sym string, weak bool) string {
	attrs := `visibility("default")`
	if weak {
		attrs += ", weak"
	}
	label := fmt.Sprintf("extern char %s __asm__(UVM_PREFIX \"%s\") __attribute__((%s));\n", variable, sym, attrs)
	if _, version := symbol.Split(sym); version == "" {
		return label
	}
	return fmt.Sprintf("#ifdef __ELF__\n__asm__(\".symver %s, %s\");\nextern char %s __attribute__((%s));\n#else\n%s#endif\n",
		variable, sym, variable, attrs, label)
}

// cSymbol is the C variable at a symbol.
func cSymbol(i int) string { return fmt.Sprintf("uvm_s%d", i) }

// cAddress is an address that a C function returns.
func cAddress(fn string) gotree.Expr { return node.Conv(gotree.Uintptr, c(fn)) }

// symIndex is the index of a symbol in the list of symbols.
func (g *gen) symIndex(sym string) int {
	return slices.IndexFunc(g.Symbols, func(c *ir.Const) bool { return c.Sym == sym })
}
