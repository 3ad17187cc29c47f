package gogen

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

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
// parameter, then for the result (mu-language 11.3).
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

// ccall emits CCALL (mu-language 8.10).
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
	out.add("rt.CCall(t, %s, &csigs[%d], %q)", e.expr(in.Args[0]), e.csig(in.Sig), e.siteName(id))
	e.resumed(out, in, in.ExcDest())
	e.normal(out, in, next)
}

// nativeCode emits the variables of symbols and the table of signatures.
func (g *gen) nativeCode() code {
	var out code
	if len(g.symList) > 0 {
		txt := "var externs = [...]rt.Extern{\n"
		for _, c := range g.symList {
			out.add("var %s uintptr", g.symbols[c.Sym])
			txt += fmt.Sprintf("{Name: %q, Pos: %q, Addr: &%s},\n", c.Sym, constPos(g.p, c), g.symbols[c.Sym])
		}
		out = append(out, jen.Line(), raw("%s", txt+"}"), jen.Line())
	}
	if len(g.p.Exposes) > 0 {
		txt := "var exposures = [...]*rt.Exposure{\n"
		for _, x := range g.p.Exposes {
			txt += "&" + g.exposes[x] + ",\n"
		}
		out = append(out, jen.Line(), raw("%s", txt+"}"), jen.Line())
	}
	if len(g.csigTxt) > 0 {
		txt := "var csigs = [...]rt.CSig{\n"
		for _, s := range g.csigTxt {
			params, results := csigWords(s)
			g.maxTransfer = max(g.maxTransfer, params, results)
			txt += fmt.Sprintf("{Desc: %q, Args: %d, Results: %d},\n", s, params, results)
		}
		out = append(out, jen.Line(), raw("%s", txt+"}"), jen.Line())
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

var cGoTypes = map[byte]string{'b': "uint8", 'h': "uint16", 'i': "uint32", 'l': "uint64", 'f': "float32", 'd': "float64", 'p': "uintptr"}

// nativeArg converts an argument to the parameter of a native served in Go. As for C, narrow
// integers are extended by sign to 32 bits (mu-language 11.3).
func nativeArg(x, have, want string, isConst bool) string {
	if isConst {
		x = "rt.Var(" + x + ")" // Go refuses constants that do not fit
	}
	if signed := map[string]string{"uint8": "int8", "uint16": "int16"}[have]; signed != "" && want != "uint8" && want != "uint16" {
		x = "uint32(" + signed + "(" + x + "))"
		if want == "uint32" {
			return x
		}
	}
	return want + "(" + x + ")"
}

// directCall emits a call of a native served in Go.
func (e *fn) directCall(out *code, in *ir.Inst, row clib.Row, next ir.BlockID) {
	sig := row.Signature()
	params, result := sig.Params, sig.Result
	var args []string
	if sig.Errno {
		args = append(args, e.errnoArg())
	}
	fixed := len(args) + len(params)
	for i, a := range in.Args[1:] {
		x := e.typed(a)
		have := e.goType(e.v.Values[a].Type)
		want := "uint64"
		if i < len(params) {
			want = cGoTypes[params[i]]
		}
		switch {
		case have == "bool":
			x = "rt.B2U(" + x + ")"
			have = "uint64"
		case have == "float64" && want == "uint64":
			x, have = "math.Float64bits("+x+")", want
		case have == "float32" && want == "uint64":
			x, have = "math.Float64bits(float64("+x+"))", want
		case have == "num.U128":
			x, have = x+".Lo", "uint64"
		}
		if have != want {
			x = nativeArg(unparen(x), have, want, e.isConst(a))
		}
		args = append(args, unparen(x))
	}
	for i := len(in.Args) - 1; i < len(params); i++ {
		args = append(args, "0")
	}
	if sig.Variadic {
		args = append(args[:fixed:fixed], wordList(args[fixed:]))
	}
	call := fmt.Sprintf("native.%s(%s)", row.Go, strings.Join(args, ", "))
	blocks := row.Has(clib.Blocks)
	if blocks {
		out.add("t.Th.EnterSafe()")
	}
	if len(in.Results) == 1 && result != 'v' && e.plan.Used[in.Results[0]] {
		ty := e.goType(e.v.Values[in.Results[0]].Type)
		if blocks {
			v := e.scope.local("v")
			out.add("%s := %s", v, call)
			out.add("t.Th.LeaveSafe()")
			call, blocks = v, false
		}
		switch {
		case ty == "bool":
			call = "(" + call + "&1 != 0)"
		case ty == "num.U128":
			call = "num.From64(uint64(" + call + "))"
		case ty != cGoTypes[result]:
			call = masked(ty+"("+call+")", e.at(e.v.Values[in.Results[0]].Type).Bits|boolBits(ty))
		}
		e.set(out, in.Results[0], call)
	} else {
		out.add("%s", call)
		if len(in.Results) == 1 && e.plan.Used[in.Results[0]] {
			e.set(out, in.Results[0], e.goType(e.v.Values[in.Results[0]].Type)+"(0)")
		}
	}
	if blocks {
		out.add("t.Th.LeaveSafe()")
	}
	e.normal(out, in, next)
}

// errnoArg is the cell that a native served in Go puts error numbers into: none where nothing can read it, so
// that a square root stays an instruction.
func (g *gen) errnoArg() string {
	if g.errno {
		return "rt.Errno(t)"
	}
	return "0"
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
func wordList(words []string) string {
	if len(words) == 0 {
		return "nil"
	}
	return "[]uint64{" + strings.Join(words, ", ") + "}"
}

// boolBits makes masked leave types alone that are no integers.
func boolBits(ty string) uint32 {
	if strings.HasPrefix(ty, "uint") && ty != "uintptr" {
		return 0
	}
	return 64
}
