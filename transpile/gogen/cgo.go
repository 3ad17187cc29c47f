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
)

// A program that refers to native symbols which Go does not serve is made for
// cgo. For each signature that it calls there is a Go function ccallN, in
// several forms:
//
//	gocallN  calls what is not C, through the runtime
//	ccallN   with cgo: calls a C function, uvm_call_N of the preamble, which calls the address,
//	         after a look whether it is not C
//	ccallN   without cgo: gocallN
//
// and for each symbol S that the C linker resolves and that is called with the signature
//
//	ccallN_S  with cgo: calls a C function, uvm_call_N_S, which calls the symbol
//	ccallN_S  without cgo: gocallN
//
// The two forms of ccallN are in two small files with opposite build constraints, so the
// same output builds either way. In a single file there is only the first.
//
// Values cross as scalars; the C functions of the preamble put structs together
// and take them apart, so the C compiler decides how they travel. Exposed
// functions are C functions too: slot S of signature N packs its arguments into
// words and calls back through rtlib/ffi. Errno of the Mu stack is put in place
// around each call, the context of the stack is left in a variable of the OS
// thread, where callbacks find it, and the collector is told that the thread is
// in C.

// A Symbol is a native symbol that a program refers to.
type Symbol struct {
	Name string
	Pos  string // where the bundle says so, "" when unknown
}

// CSymbols lists the native symbols that only C can serve, in the order of the
// bundles: with any, or with Libs, the program is made for cgo.
func CSymbols(p *ir.Program, opt Options) []Symbol {
	w := &externWalker{p: p, seen: map[string]*ir.Const{}}
	w.program(opt)
	inGo := map[string]bool{"environ": true}
	for _, n := range opt.GoNatives {
		inGo[n] = true
	}
	var list []*ir.Const
	for name, c := range w.seen {
		if _, ok := clib.Table[name]; opt.NativeC && !goOnly[name] || !ok && !inGo[name] {
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

// externWalker finds the symbols that code and the heap image use, and in a program that tells about its entities those
// of all constants.
type externWalker struct {
	p    *ir.Program
	seen map[string]*ir.Const
}

func (w *externWalker) program(opt Options) {
	if describes(opt, facts.Loads(w.p)) {
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

// goOnly are natives of Go that a C library need not have.
var goOnly = map[string]bool{"uvmPrintInt64": true, "uvmPrintPtr": true, "uvmPrintDouble": true, "uvmPrintStr": true,
	"c_increase": true, "__errno_location": true, "__error": true, "_errno": true}

// errnoSymbols are always served in Go: errno belongs to the Mu stack.
var errnoSymbols = map[string]bool{"__errno_location": true, "__error": true, "_errno": true}

// csigUse says what a signature is used for.
type csigUse struct {
	call   string // the Go function that calls an address with it, "" if nothing does
	direct []directCall
	static int  // functions of .expose
	expose bool // exposed at run time
}

// A directCall is a symbol of C that is called by name.
type directCall struct{ sym, name string } // name of the Go function

// ccallName is the Go function that calls an address with signature k.
func (g *gen) ccallName(k int) string {
	u := g.useOf(k)
	if u.call == "" {
		u.call = g.top(fmt.Sprintf("ccall_%d", k))
	}
	return u.call
}

// ccallSymbol is the Go function that calls a symbol of C with signature k.
func (g *gen) ccallSymbol(k int, c *ir.Const) string {
	u := g.useOf(k)
	for _, d := range u.direct {
		if d.sym == c.Sym {
			return d.name
		}
	}
	g.symbol(c)
	d := directCall{c.Sym, g.top(fmt.Sprintf("ccall_%d_%s", k, clean(c.Sym)))}
	u.direct = append(u.direct, d)
	return d.name
}

func (g *gen) useOf(k int) *csigUse {
	for len(g.csigUses) <= k {
		g.csigUses = append(g.csigUses, &csigUse{})
	}
	return g.csigUses[k]
}

// cgoCall emits a CCALL of a program made for cgo.
func (e *fn) cgoCall(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	k := e.csig(in.Sig)
	args := []expr{tVar}
	var callee string
	if c := e.v.Values[e.plan.Alias[in.Args[0]]].Const; e.isC(c) {
		callee = e.ccallSymbol(k, c)
	} else {
		callee = e.ccallName(k)
		f := e.temp(out, in.Args[0])
		args = append(args, f)
		if c == nil || c.Kind != ir.ConstExtern && c.Kind != ir.ConstExpose {
			null := out.Sub()
			e.rtFail(null, id, "NullFunc", "calling native code at NULL")
			out.If(eq(f, zero), null, nil)
		}
	}
	for _, a := range in.Args[1:] {
		ty := e.v.Values[a].Type
		e.eachLeaf(ty, e.whole(out, ty, a), func(x expr, _ ir.TypeID) { args = append(args, x) })
	}
	x := call(name(callee), args...)
	if len(in.Results) == 0 || !e.plan.Used[in.Results[0]] {
		out.Do(x)
	} else if r := in.Results[0]; e.kind(e.v.Values[r].Type) == ir.KStruct {
		ty := e.v.Values[r].Type
		v := e.scope.local("v")
		out.Var(e.goType(ty), v)
		var leaves []expr
		e.eachLeaf(ty, name(v), func(x expr, _ ir.TypeID) { leaves = append(leaves, x) })
		out.SetAll(leaves, []expr{x})
		e.set(out, r, name(v))
	} else {
		e.set(out, r, x)
	}
	exc := out.Sub()
	e.caught(exc, in, in.ExcDest())
	out.If(thrown(), exc, nil)
	e.normal(out, in, next)
}

// isC reports whether a callee, nil if it is no constant, is a symbol that the C linker
// resolves.
func (g *gen) isC(c *ir.Const) bool {
	return c != nil && c.Kind == ir.ConstExtern && !goOnly[c.Sym] && !g.goNative(c.Sym)
}

// cgoParts makes the files with build constraints, and the Go functions that they share.
func (g *gen) cgoParts() (with, without *part, common []gotree.Decl) {
	with = &part{name: "native_cgo", tag: "cgo"}
	without = &part{name: "native_nocgo", tag: "!cgo"}
	types := &cTypes{names: map[string]string{}}
	var cFuncs strings.Builder
	var setup code
	setup.Do(call(qual("ffi", "Agree"), conv(gotree.Uintptr, c("uvm_get_layout"))))
	setup.Do(call(qual("ffi", "Heed"), conv(gotree.Uintptr, c("uvm_init", c("uintptr_t", call(qual("ffi", "Entry"))), c("uint32_t", rt("Pools"))))))
	var callers []gotree.Decl
	for k, desc := range g.csigTxt {
		u, sig := g.useOf(k), parseCSig(desc)
		if u.call != "" || len(u.direct) > 0 {
			s := newShim(sig)
			inGo := g.top(fmt.Sprintf("gocall_%d", k))
			common = append(common, g.inGoCaller(k, inGo, s))
			if u.call != "" {
				cName := fmt.Sprintf("uvm_call_%d", k)
				cFuncs.WriteString(cCaller(types, cName, "", sig))
				callers = append(callers, s.goCaller(u.call, cName, inGo))
				without.decls = append(without.decls, s.passOn(u.call, "", inGo))
			}
			for _, d := range u.direct {
				i := g.symIndex(d.sym)
				cName := fmt.Sprintf("uvm_call_%d_%d", k, i)
				cFuncs.WriteString(cCaller(types, cName, fmt.Sprintf("uvm_s%d", i), sig.variadicTo(d.sym)))
				callers = append(callers, s.goCaller(d.name, cName, ""))
				without.decls = append(without.decls, s.passOn(d.name, g.symbols[d.sym], inGo))
			}
		}
		if n := u.static; n > 0 || u.expose {
			cFuncs.WriteString(cCallee(types, k, n, u.expose, g.opt.Callbacks, sig))
			var at code
			at.Return(conv(gotree.Uintptr, c(fmt.Sprintf("uvm_slot_%d", k), c("int", name("i")))))
			slot := &gotree.FuncLit{Body: &at, Sig: &gotree.Sig{
				Params: []gotree.Param{{Name: "i", T: gotree.IntType}}, Results: []gotree.Param{{T: gotree.Uintptr}}}}
			setup.Do(rt("SetPool", lit(k), csigRow(k), conv(gotree.IntType, qual("C", fmt.Sprintf("uvm_slots_%d", k))), slot))
		}
	}
	var decls, table strings.Builder
	for i, s := range g.symList {
		weak := ""
		if goOnly[s.Sym] || g.goNative(s.Sym) {
			weak = ", weak"
		}
		fmt.Fprintf(&decls, "extern char uvm_s%d __asm__(UVM_PREFIX %q) __attribute__((visibility(\"default\")%s));\n", i, s.Sym, weak)
		fmt.Fprintf(&table, "\tcase %d: return (uintptr_t)&uvm_s%d;\n", i, i)
		setup.Set(name(g.symbols[s.Sym]), conv(gotree.Uintptr, c("uvm_symbol", lit(i))))
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
	link := g.top("linkNatives")
	setup.Return(gotree.True)
	with.decls = append(with.decls, &gotree.VarDecl{Name: "_", X: call(name(link)), Apart: true},
		&gotree.Func{Name: link, Comment: link + " takes from C what the program needs to know before it starts.",
			Sig: &gotree.Sig{Results: []gotree.Param{{T: gotree.BoolType}}}, Body: &setup})
	with.decls = append(with.decls, callers...)
	return with, without, common
}

// symIndex is the place of a symbol in the list.
func (g *gen) symIndex(sym string) int {
	return slices.IndexFunc(g.symList, func(c *ir.Const) bool { return c.Sym == sym })
}

// goNative reports whether a client registers the symbol.
func (g *gen) goNative(name string) bool {
	for _, n := range g.opt.GoNatives {
		if n == name {
			return true
		}
	}
	return false
}
