package repr

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
)

// typeTables are the types that generated tables and functions are about.
type typeTables struct {
	goTypes     map[ir.TypeID]*gotree.Type
	StructIDs   []ir.TypeID
	StructNames []string           // their Go types
	memFuncs    map[ir.TypeID]bool // aggregates with load and store functions
	MemTypes    []ir.TypeID        // these in order

	descs     map[Described]int // the collector's descriptors
	Descs     []Described       // what they are of, by number
	DescNames []string          // variables, by number of the descriptor
	TypeNames []string          // constants, by number of the descriptor

	lists    map[string]int // machine value lists
	Lists    []List
	vtypes   map[ir.TypeID]int
	VTypeIDs []ir.TypeID // types whose values can be printed, by number of the description
}

// A List is a list of values as machines see it: a letter for each, and how many words and
// roots they take in a transfer area.
type List struct {
	Desc         string
	Words, Roots int
}

func (t *typeTables) init() {
	t.goTypes = map[ir.TypeID]*gotree.Type{}
	t.memFuncs = map[ir.TypeID]bool{}
	t.descs = map[Described]int{}
	t.lists = map[string]int{}
	t.vtypes = map[ir.TypeID]int{}
}

// At is the definition of a type.
func (g *Program) At(id ir.TypeID) *ir.Type { return g.IR.Types.At(id) }

// Kind is the kind of a type.
func (g *Program) Kind(id ir.TypeID) ir.Kind { return g.IR.Types.Kind(id) }

// GoType is the Go type of a value.
func (g *Program) GoType(id ir.TypeID) *gotree.Type {
	n := g.At(id)
	switch n.Kind {
	case ir.KInt:
		switch {
		case n.Bits == 1:
			return gotree.BoolType
		case n.Bits <= 64:
			return gotree.Unsigned(node.Container(n.Bits))
		}
		return node.U128
	case ir.KFloat:
		return gotree.Float32
	case ir.KDouble:
		return gotree.Float64
	case ir.KTagRef64:
		return gotree.Uint64
	case ir.KStruct, ir.KArray, ir.KVector:
		return g.aggregateType(id)
	}
	return gotree.Uintptr
}

func (g *Program) aggregateType(id ir.TypeID) *gotree.Type {
	if t, ok := g.goTypes[id]; ok {
		return t
	}
	n := g.At(id)
	if n.Kind != ir.KStruct {
		t := gotree.ArrayOf(node.Lit(n.Len), g.GoType(n.Elem))
		g.goTypes[id] = t
		return t
	}
	s := g.Top("S_" + g.typeName(id))
	t := gotree.Named(s)
	g.goTypes[id] = t
	g.StructNames = append(g.StructNames, s)
	g.StructIDs = append(g.StructIDs, id)
	for _, f := range n.Fields {
		g.GoType(f)
	}
	return t
}

// typeName is the name of a type in identifiers.
func (g *Program) typeName(id ir.TypeID) string {
	if name := g.At(id).Name; name != "" {
		return Clean(name)
	}
	return fmt.Sprintf("anon%d", id)
}

// FieldName is the Go name of a field of a struct.
func FieldName(i int) string { return fmt.Sprintf("F%d", i) }

// EachLeaf calls fn with each scalar of a value.
func (g *Program) EachLeaf(id ir.TypeID, x gotree.Expr, fn func(x gotree.Expr, t ir.TypeID)) {
	n := g.At(id)
	switch n.Kind {
	case ir.KStruct:
		for i, f := range n.Fields {
			g.EachLeaf(f, node.Dot(x, FieldName(i)), fn)
		}
	case ir.KArray, ir.KVector:
		for i := range n.Len {
			g.EachLeaf(n.Elem, node.Index(x, i), fn)
		}
	default:
		fn(x, id)
	}
}

// ListOf numbers a machine value list; 0 is the empty one.
func (g *Program) ListOf(ids []ir.TypeID) int {
	if len(g.Lists) == 0 {
		g.lists[""] = 0
		g.Lists = append(g.Lists, List{})
	}
	key := g.Machine(ids)
	if n, ok := g.lists[key]; ok {
		return n
	}
	d := List{Desc: key}
	d.Words, d.Roots = g.Words(ids)
	g.MaxTransfer = max(g.MaxTransfer, d.Words, d.Roots)
	n := len(g.Lists)
	g.lists[key] = n
	g.Lists = append(g.Lists, d)
	return n
}

// GoSig is the Go function type of a signature. params, if not nil, names the
// parameters; results says that the results have names.
func (g *Program) GoSig(sig ir.TypeID, params []string, results bool) *gotree.Sig {
	n := g.At(sig)
	s := &gotree.Sig{Params: []gotree.Param{{T: node.CtxType}}}
	if params != nil {
		s.Params[0].Name = "t"
	}
	for i, p := range n.Fields {
		x := gotree.Param{T: g.GoType(p)}
		if params != nil {
			x.Name = params[i]
		}
		s.Params = append(s.Params, x)
	}
	for i, r := range n.Results {
		x := gotree.Param{T: g.GoType(r)}
		if results {
			x.Name = ResultName(i)
		}
		s.Results = append(s.Results, x)
	}
	return s
}

// ResultName is the Go name of a result.
func ResultName(i int) string { return fmt.Sprintf("r%d", i) }

// VType numbers the printable description of a type.
func (g *Program) VType(id ir.TypeID) int {
	if n, ok := g.vtypes[id]; ok {
		return n
	}
	n := len(g.VTypeIDs)
	g.vtypes[id] = n
	g.VTypeIDs = append(g.VTypeIDs, id)
	switch t := g.At(id); t.Kind {
	case ir.KStruct:
		for _, f := range t.Fields {
			g.VType(f)
		}
	case ir.KArray, ir.KVector:
		g.VType(t.Elem)
	case ir.KHybrid:
		for _, f := range t.Fields {
			g.VType(f)
		}
		g.VType(t.Elem)
	case ir.KRef, ir.KIRef, ir.KWeakRef, ir.KUPtr, ir.KFuncRef, ir.KUFuncPtr:
		if g.Describes() {
			g.VType(t.Elem) // clients follow references
		}
	case ir.KSig:
		for _, f := range t.Fields {
			g.VType(f)
		}
		for _, f := range t.Results {
			g.VType(f)
		}
	}
	return n
}

// RecName is the name of RecType.
func RecName(class int) string { return fmt.Sprintf("fn%d", class) }

// CallName is the name of CallType.
func CallName(class int) string { return fmt.Sprintf("call%d", class) }

// RecType is the Go type of the records of a signature class.
func RecType(class int) *gotree.Type { return gotree.Named(RecName(class)) }

// CallType is the type of the Go functions of a signature class.
func CallType(class int) *gotree.Type { return gotree.Named(CallName(class)) }

// Describes reports whether the program tells about its entities: to a client, or to
// the HAIL scripts and bundles that it loads itself.
func (g *Program) Describes() bool { return Describes(g.Opt, g.Loads) }

// Describes reports the same, given the options and whether the program loads texts.
func Describes(opt Options, loads bool) bool {
	return opt.Introspect && (opt.Package != "main" || opt.Live) || loads
}
