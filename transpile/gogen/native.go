package gogen

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/internal/clib"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// natives collects the native symbols and call signatures of a program.
type natives struct {
	symbols map[string]string // C name -> Go variable
	symList []*ir.Const
	csigs   map[string]int
	csigTxt []string

	csigUses []*csigUse // by signature
}

func (n *natives) init() {
	n.symbols = map[string]string{}
	n.csigs = map[string]int{}
}

// symbol is the address of a native symbol.
func (g *gen) symbol(c *ir.Const) string {
	v, ok := g.symbols[c.Sym]
	if !ok {
		v = g.top("n_" + clean(c.Sym))
		g.symbols[c.Sym] = v
		g.symList = append(g.symList, c)
	}
	return v
}

// csig numbers the description of a native signature: a letter for each
// parameter, then for the result.
func (g *gen) csig(sig ir.TypeID) int {
	n := g.at(sig)
	s := ""
	for _, p := range n.Fields {
		s += g.cLetter(p)
	}
	s += ">"
	if len(n.Results) == 1 {
		s += g.cLetter(n.Results[0])
	}
	k, ok := g.csigs[s]
	if !ok {
		k = len(g.csigTxt)
		g.csigs[s] = k
		g.csigTxt = append(g.csigTxt, s)
	}
	return k
}

func (g *gen) cLetter(id ir.TypeID) string {
	n := g.at(id)
	switch n.Kind {
	case ir.KInt:
		return map[uint32]string{8: "b", 16: "h", 32: "i", 64: "l"}[container(n.Bits)]
	case ir.KFloat:
		return "f"
	case ir.KDouble:
		return "d"
	case ir.KStruct:
		s := "{"
		for _, f := range n.Fields {
			s += g.cLetter(f)
		}
		return s + "}"
	case ir.KArray:
		return fmt.Sprintf("[%d%s]", n.Len, g.cLetter(n.Elem))
	}
	return "p"
}

// ccall emits CCALL.
func (e *fn) ccall(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	if row, ok := e.direct(in); ok {
		e.directCall(out, in, row, next)
		return
	}
	e.rest(out, id, in)
	if e.cgo {
		e.cgoCall(out, id, in, next)
		return
	}
	e.pass(out, in.Args[1:])
	out.Do(rt("CCall", tVar, e.expr(in.Args[0]), csigRow(e.csig(in.Sig)), str(e.siteName(id))))
	e.resumed(out, in)
	e.normal(out, in, next)
}

// csigRow is the address of the description of a native signature.
func csigRow(k int) expr { return addr(index(name("csigs"), k)) }

// nativeCode emits the variables of symbols and the table of signatures.
func (g *gen) nativeCode() []gotree.Decl {
	var out []gotree.Decl
	if len(g.symList) > 0 {
		var rows []expr
		for i, c := range g.symList {
			out = append(out, &gotree.VarDecl{Name: g.symbols[c.Sym], T: gotree.Uintptr, Apart: i == 0})
			rows = append(rows, composite(nil, strField("Name", c.Sym), strField("Pos", constPos(g.p, c)), field("Addr", addr(name(g.symbols[c.Sym])))))
		}
		out = append(out, table("externs", rtType("Extern"), rows))
	}
	if len(g.p.Exposes) > 0 {
		var rows []expr
		for _, x := range g.p.Exposes {
			rows = append(rows, addr(name(g.exposes[x])))
		}
		out = append(out, table("exposures", gotree.PtrTo(rtType("Exposure")), rows))
	}
	if len(g.csigTxt) > 0 {
		var rows []expr
		for _, s := range g.csigTxt {
			params, results := csigWords(s)
			g.maxTransfer = max(g.maxTransfer, params, results)
			rows = append(rows, composite(nil, strField("Desc", s), intField("Args", params), intField("Results", results)))
		}
		out = append(out, table("csigs", rtType("CSig"), rows))
	}
	return out
}

// constPos is where a constant is written, "" when that is not known.
func constPos(p *ir.Program, c *ir.Const) string {
	if p.Files == nil || !c.Pos.IsValid() {
		return ""
	}
	return p.Files.Position(c.Pos).String()
}

// direct is the row of a callee that is called as a Go function, if any. One that calls functions in its turn is called
// by the runtime.
func (e *fn) direct(in *ir.Inst) (clib.Row, bool) {
	c := e.v.Values[e.plan.Alias[in.Args[0]]].Const
	if c == nil || c.Kind != ir.ConstExtern {
		return clib.Row{}, false
	}
	row, ok := clib.Table[c.Sym]
	if !ok || row.Has(clib.Calls) || e.cgo && !e.inGoAnyway(c.Sym, row) {
		return clib.Row{}, false
	}
	return row, e.fitsNative(row, in)
}

// inGoAnyway reports whether a program made for cgo calls the function in Go all
// the same.
func (g *gen) inGoAnyway(sym string, row clib.Row) bool {
	switch {
	case errnoSymbols[sym]:
		return true
	case goOnly[sym]:
		return !g.opt.Libs
	}
	return !g.opt.NativeC && row.Has(clib.Pure|clib.Exact)
}

// fitsNative reports whether a bundle's signature can call the Go function:
// enough parameters, each a number or pointer where C has one.
func (e *fn) fitsNative(row clib.Row, in *ir.Inst) bool {
	sig := row.Signature()
	params := sig.Params
	n := len(in.Args) - 1
	if n < sig.Least || n > len(params) && !sig.Variadic {
		return false
	}
	for i, a := range in.Args[1:] {
		want := byte('l')
		if i < len(params) {
			want = params[i]
		}
		got := e.cLetter(e.v.Values[a].Type)
		if fp := want == 'f' || want == 'd'; fp && got != string(want) || !fp && i < len(params) && (got == "f" || got == "d") || len(got) > 1 {
			return false
		}
	}
	return true
}

var cGoTypes = map[byte]goT{'b': gotree.Uint8, 'h': gotree.Uint16, 'i': gotree.Uint32, 'l': gotree.Uint64,
	'f': gotree.Float32, 'd': gotree.Float64, 'p': gotree.Uintptr}

// nativeArg converts an argument to the parameter of a native served in Go. As for C, narrow
// integers are extended by sign to 32 bits.
func nativeArg(x expr, have, want goT, isConst bool) expr {
	if isConst {
		x = rtVar(x) // Go refuses constants that do not fit
	}
	if want != gotree.Uint8 && want != gotree.Uint16 && (have == gotree.Uint8 || have == gotree.Uint16) {
		narrow := gotree.Int8
		if have == gotree.Uint16 {
			narrow = gotree.Int16
		}
		if x = conv(gotree.Uint32, conv(narrow, x)); want == gotree.Uint32 {
			return x
		}
	}
	return conv(want, x)
}

// directCall emits a call of a native served in Go.
func (e *fn) directCall(out *code, in *ir.Inst, row clib.Row, next ir.BlockID) {
	sig := row.Signature()
	params, result := sig.Params, sig.Result
	var args []expr
	if sig.Errno {
		args = append(args, e.errnoArg())
	}
	fixed := len(args) + len(params)
	for i, a := range in.Args[1:] {
		want := gotree.Uint64
		if i < len(params) {
			want = cGoTypes[params[i]]
		}
		args = append(args, e.directArg(a, want))
	}
	for i := len(in.Args) - 1; i < len(params); i++ {
		args = append(args, zero)
	}
	if sig.Variadic {
		args = append(args[:fixed:fixed], wordList(args[fixed:]))
	}
	x := call(qual("native", row.Go), args...)
	blocks := row.Has(clib.Blocks)
	if blocks {
		out.Do(method(dot(tVar, "Th"), "EnterSafe"))
	}
	leave := func() {
		if blocks {
			out.Do(method(dot(tVar, "Th"), "LeaveSafe"))
		}
	}
	switch {
	case len(in.Results) == 1 && e.plan.Used[in.Results[0]] && result != 'v':
		if blocks {
			v := e.scope.local("v")
			out.Define(v, cGoTypes[result], x)
			x = name(v)
			leave()
		}
		e.set(out, in.Results[0], e.directResult(x, result, e.v.Values[in.Results[0]].Type))
	default:
		out.Do(x)
		if len(in.Results) == 1 && e.plan.Used[in.Results[0]] {
			e.set(out, in.Results[0], conv(e.goType(e.v.Values[in.Results[0]].Type), zero))
		}
		leave()
	}
	e.normal(out, in, next)
}

// directArg is an operand as a parameter of a native served in Go.
func (e *fn) directArg(a ir.ValueID, want goT) expr {
	x, have := e.typed(a), e.goType(e.v.Values[a].Type)
	switch {
	case have == gotree.BoolType:
		x, have = rt("B2U", x), gotree.Uint64
	case have == gotree.Float64 && want == gotree.Uint64:
		return bits64(x)
	case have == gotree.Float32 && want == gotree.Uint64:
		return bits64(conv(gotree.Float64, x))
	case have == u128:
		x, have = dot(x, "Lo"), gotree.Uint64
	}
	if have != want {
		return nativeArg(x, have, want, e.isConst(a))
	}
	return x
}

// directResult is the result of a native served in Go as a value of a type.
func (e *fn) directResult(x expr, result byte, ty ir.TypeID) expr {
	t := e.goType(ty)
	switch {
	case t == gotree.BoolType:
		return odd(x)
	case t == u128:
		return numCall("From64", conv(gotree.Uint64, x))
	case t == cGoTypes[result]:
		return x
	case e.kind(ty) == ir.KInt:
		return masked(conv(t, x), e.at(ty).Bits)
	}
	return conv(t, x)
}

// errnoArg is the cell that a native served in Go puts error numbers into: none where nothing can read it, so
// that a square root stays an instruction.
func (g *gen) errnoArg() expr {
	if g.errno {
		return rt("Errno", tVar)
	}
	return zero
}

// readsErrno reports whether anything may read errno: the program, which needs a symbol for that, C, a bundle
// that is loaded, or Go code.
func (g *gen) readsErrno() bool {
	opt := g.opt
	if g.cgo || g.Loads || opt.Package != "main" || len(opt.GoNatives) > 0 {
		return true
	}
	w := &externWalker{p: g.p, seen: map[string]*ir.Const{}}
	w.program(opt)
	for sym := range errnoSymbols {
		if w.seen[sym] != nil {
			return true
		}
	}
	return false
}

// wordList is the Go expression of further arguments, which a variadic native takes as a list of words.
func wordList(words []expr) expr {
	if len(words) == 0 {
		return gotree.Nil
	}
	return composite(gotree.SliceOf(gotree.Uint64), elems(words)...)
}
