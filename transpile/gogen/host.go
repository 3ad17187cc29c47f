package gogen

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
)

// Go types of the parameters and results of exported functions, for Go callers:
//
//	int<1>                        bool
//	int<n>, n <= 64               signed integers
//	float, double                 float32, float64
//	uptr, ufuncptr                uintptr
//	ref<T>, iref<T>, weakref<T>   NAME, a struct of rt.Handle
//	funcref<sig>                  NAME, a struct of rt.FuncHandle
//	stackref, threadref, framecursorref, tagref64
//	                              rt.StackHandle, ThreadHandle, CursorHandle, TagHandle
//	struct                        NAME, a struct with fields F0, F1 ...
//	array<T n>, vector<T n>       [n]T
//
// NAME is the name of the type in the bundle, as a Go name. The functions in_N and out_N
// convert aggregates.

// host has the Go types that a package declares for callers.
type host struct {
	named map[ir.TypeID]string // declared types
	order []ir.TypeID          // of them
	cross []ir.TypeID          // aggregates with functions in_N and out_N, by N
}

// exportable reports whether Go callers can express the values of a type.
func (g *gen) exportable(id ir.TypeID) bool {
	n := g.At(id)
	switch n.Kind {
	case ir.KInt:
		return n.Bits <= 64
	case ir.KFloat, ir.KDouble, ir.KUPtr, ir.KUFuncPtr, ir.KRef, ir.KIRef, ir.KWeakRef, ir.KTagRef64,
		ir.KFuncRef, ir.KStackRef, ir.KThreadRef, ir.KFrameCursorRef:
		return true
	case ir.KStruct:
		return !slices.ContainsFunc(n.Fields, func(f ir.TypeID) bool { return !g.exportable(f) })
	case ir.KArray, ir.KVector:
		return g.exportable(n.Elem)
	}
	return false
}

// hostType is the Go type of a value in an exported function.
func (g *gen) hostType(id ir.TypeID) *gotree.Type {
	n := g.At(id)
	switch n.Kind {
	case ir.KInt:
		if n.Bits > 1 {
			return gotree.Signed(node.Container(n.Bits))
		}
	case ir.KRef, ir.KIRef, ir.KWeakRef, ir.KFuncRef, ir.KStruct:
		return gotree.Named(g.hostNamed(id))
	case ir.KStackRef:
		return node.RuntimeType("StackHandle")
	case ir.KThreadRef:
		return node.RuntimeType("ThreadHandle")
	case ir.KFrameCursorRef:
		return node.RuntimeType("CursorHandle")
	case ir.KTagRef64:
		return node.RuntimeType("TagHandle")
	case ir.KArray, ir.KVector:
		return gotree.ArrayOf(node.Lit(n.Len), g.hostType(n.Elem))
	}
	return g.GoType(id)
}

// hostNamed is the name of a type that the package declares.
func (g *gen) hostNamed(id ir.TypeID) string {
	if s, ok := g.host.named[id]; ok {
		return s
	}
	if g.host.named == nil {
		g.host.named = map[ir.TypeID]string{}
	}
	s := g.Top(g.hostWord(id, 0))
	g.host.named[id] = s
	g.host.order = append(g.host.order, id)
	for _, f := range g.At(id).Fields {
		g.hostType(f)
	}
	return s
}

// hostWord makes a Go name from the name of a type, or from its structure if it has none.
func (g *gen) hostWord(id ir.TypeID, depth int) string {
	n := g.At(id)
	if n.Name != "" {
		return exported(n.Name)
	}
	word := string(unicode.ToUpper(rune(kindNames[n.Kind][0]))) + kindNames[n.Kind][1:]
	switch n.Kind {
	case ir.KInt:
		word += fmt.Sprint(n.Bits)
	case ir.KRef, ir.KIRef, ir.KWeakRef, ir.KFuncRef, ir.KUPtr, ir.KUFuncPtr:
		if depth < 3 {
			word += g.hostWord(n.Elem, depth+1)
		}
	}
	return word
}

// kindNames are the words for types without a name.
var kindNames = map[ir.Kind]string{
	ir.KVoid: "void", ir.KInt: "int", ir.KFloat: "float", ir.KDouble: "double", ir.KUPtr: "uptr", ir.KUFuncPtr: "ufuncptr",
	ir.KRef: "ref", ir.KIRef: "iref", ir.KWeakRef: "weakref", ir.KTagRef64: "tagref", ir.KFuncRef: "funcref",
	ir.KStackRef: "stackref", ir.KThreadRef: "threadref", ir.KFrameCursorRef: "cursorref", ir.KIRNodeRef: "noderef",
	ir.KIRBuilderRef: "builderref",
	ir.KStruct:       "struct", ir.KArray: "array", ir.KVector: "vector", ir.KHybrid: "hybrid", ir.KSig: "sig",
}

// crossing is the number of the functions that convert an aggregate.
func (g *gen) crossing(id ir.TypeID) int {
	if i := slices.Index(g.host.cross, id); i >= 0 {
		return i
	}
	g.host.cross = append(g.host.cross, id)
	return len(g.host.cross) - 1
}

// fromHost converts an expression of a caller's type to the form that Mu code uses.
func (g *gen) fromHost(id ir.TypeID, x gotree.Expr) gotree.Expr {
	n := g.At(id)
	switch n.Kind {
	case ir.KInt:
		if n.Bits > 1 {
			return node.Masked(node.Unsigned(x, n.Bits), n.Bits)
		}
	case ir.KRef, ir.KIRef, ir.KWeakRef, ir.KFuncRef, ir.KStackRef, ir.KThreadRef, ir.KFrameCursorRef:
		return node.Method(x, "Addr")
	case ir.KTagRef64:
		return node.Method(x, "Word")
	case ir.KStruct, ir.KArray, ir.KVector:
		return node.Call(node.Name(fmt.Sprintf("in_%d", g.crossing(id))), x)
	}
	return x
}

// toHost converts an expression of Mu code to the caller's type.
func (g *gen) toHost(id ir.TypeID, x gotree.Expr) gotree.Expr {
	n := g.At(id)
	switch n.Kind {
	case ir.KInt:
		if n.Bits > 1 {
			return node.SignedOf(x, n.Bits)
		}
	case ir.KRef, ir.KIRef, ir.KWeakRef:
		return node.Composite(g.hostType(id), gotree.Elem{X: node.Runtime("Hold", x)})
	case ir.KFuncRef:
		return node.Composite(g.hostType(id), gotree.Elem{X: node.Runtime("HoldFunc", x)})
	case ir.KStackRef, ir.KThreadRef, ir.KFrameCursorRef:
		return node.Composite(g.hostType(id), node.Field("Handle", node.Runtime("Hold", x)))
	case ir.KTagRef64:
		return node.Runtime("HoldTag", x)
	case ir.KStruct, ir.KArray, ir.KVector:
		return node.Call(node.Name(fmt.Sprintf("out_%d", g.crossing(id))), x)
	}
	return x
}

// hostCode emits the types that callers see, and the functions that convert aggregates.
func (g *gen) hostCode() []gotree.Decl {
	var out []gotree.Decl
	for i := 0; i < len(g.host.cross); i++ { // crossCode may add to the list
		out = append(out, g.crossCode(i)...)
	}
	for i := 0; i < len(g.host.order); i++ {
		id := g.host.order[i]
		word, n := g.host.named[id], g.At(id)
		doc := fmt.Sprintf("%s is %s of the bundles.", word, g.IR.Types.Structure(id, 1))
		if n.Name != "" {
			doc = fmt.Sprintf("%s is %s, %s.", word, n.Name, g.IR.Types.Structure(id, 1))
		}
		s := &gotree.Struct{}
		switch n.Kind {
		case ir.KStruct:
			for k, f := range n.Fields {
				s.Fields = append(s.Fields, gotree.Param{Name: repr.FieldName(k), T: g.hostType(f)})
			}
		case ir.KFuncRef:
			s.Fields = []gotree.Param{{T: node.RuntimeType("FuncHandle")}}
		default:
			s.Fields = []gotree.Param{{T: node.RuntimeType("Handle")}}
		}
		out = append(out, &gotree.TypeDecl{Comment: doc, Name: word, T: s})
	}
	return out
}

// crossCode emits in_N and out_N.
func (g *gen) crossCode(i int) []gotree.Decl {
	id := g.host.cross[i]
	n := g.At(id)
	host, mu := g.hostType(id), g.GoType(id)
	function := func(fn string, from, to *gotree.Type, convert func(ir.TypeID, gotree.Expr) gotree.Expr) gotree.Decl {
		var body gotree.Block
		m, v := node.Name("m"), node.Name("v")
		if n.Kind == ir.KStruct {
			for k, f := range n.Fields {
				body.Set(node.Dot(m, repr.FieldName(k)), convert(f, node.Dot(v, repr.FieldName(k))))
			}
		} else {
			each := body.Sub()
			each.Set(node.Lane(m), convert(n.Elem, node.Lane(v)))
			body.Range("i", v, each)
		}
		body.Return(m)
		return &gotree.Func{Name: fmt.Sprintf("%s_%d", fn, i), Body: &body,
			Sig: &gotree.Sig{Params: []gotree.Param{{Name: "v", T: from}}, Results: []gotree.Param{{Name: "m", T: to}}}}
	}
	return []gotree.Decl{function("in", host, mu, g.fromHost), function("out", mu, host, g.toHost)}
}

// callNames has the local names of an exported function. Parameters keep their names from the bundle,
// so all other names must differ from these.
type callNames struct {
	params []string
	taken  map[string]bool
}

// notLocal are names that the local variables of an exported function cannot have, because its text
// uses them for other things.
var notLocal = []string{
	"rt", "num", "atomics", "libc", "ffi", "math", "unsafe", "C", "bool", "uint8", "uint16", "uint32", "uint64", "uintptr",
	"int8", "int16", "int32", "int64", "float32", "float64", "error", "_",
}

// helperName reports whether a name can be that of a function that converts aggregates.
func helperName(s string) bool { return strings.HasPrefix(s, "in_") || strings.HasPrefix(s, "out_") }

// callNames names the parameters of f.
func (g *gen) callNames(f *ir.Function) *callNames {
	c := &callNames{taken: map[string]bool{g.Funcs[f].GoName: true, g.Funcs[f].Record: true}}
	for _, s := range notLocal {
		c.taken[s] = true
	}
	v := f.Current()
	for i := range g.At(f.Sig).Fields {
		want := "a"
		if v != nil && i < len(v.Blocks[0].Params) {
			if name := v.Values[v.Blocks[0].Params[i]].Name; name != "" {
				want = repr.Identifier(name)
			}
		}
		s := want
		for k := 2; c.taken[s] || helperName(s) || g.Has(s) && unicode.IsUpper(rune(s[0])); k++ {
			s = fmt.Sprintf("%s_%d", want, k)
			if helperName(s) {
				want = "a"
			}
		}
		c.taken[s] = true
		c.params = append(c.params, s)
	}
	return c
}

// other takes the first of some names that is free.
func (c *callNames) other(names ...string) string {
	for i := 0; ; i++ {
		s := names[min(i, len(names)-1)]
		if i >= len(names) {
			s += fmt.Sprint(i)
		}
		if !c.taken[s] {
			c.taken[s] = true
			return s
		}
	}
}

// numbered takes n names that begin with one of some words.
func (c *callNames) numbered(n int, words ...string) []string {
	list := make([]string, n)
	for i := range list {
		k := fmt.Sprint(i)
		with := make([]string, len(words))
		for j, w := range words {
			with[j] = w + k
		}
		list[i] = c.other(with...)
	}
	return list
}
