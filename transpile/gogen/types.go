package gogen

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// How Mu values look in Go:
//
//	int<1>                       bool
//	int<n>, n <= 64              the next larger of uint8 to uint64, zero-extended
//	int<n>, n <= 128             num.U128
//	float, double                float32, float64
//	references and pointers      uintptr; a funcref is the address of its record
//	tagref64                     uint64
//	struct                       a struct type S_NAME with fields F0, F1, ...
//	array, vector                [n]T

// typeTables numbers what the generated tables hold.
type typeTables struct {
	goTypes     map[ir.TypeID]goT
	structIDs   []ir.TypeID
	structNames []string
	memFuncs    map[ir.TypeID]bool // aggregates with load and store functions
	memIDs      []ir.TypeID

	slots     map[ir.TypeID]bool // see slotted
	descs     map[ir.TypeID]int  // garbage collector's descriptors
	descIDs   []ir.TypeID
	descNames []string // variables, by number of the descriptor
	typeNames []string // constants, by number of the descriptor

	lists     map[string]int // machine value lists
	listDescs []listDesc
	vtypes    map[ir.TypeID]int
	vtypeIDs  []ir.TypeID
}

type listDesc struct {
	desc string
	w, r int
}

func (t *typeTables) init() {
	t.goTypes = map[ir.TypeID]goT{}
	t.memFuncs = map[ir.TypeID]bool{}
	t.slots = map[ir.TypeID]bool{}
	t.descs = map[ir.TypeID]int{}
	t.lists = map[string]int{}
	t.vtypes = map[ir.TypeID]int{}
}

func (g *gen) at(id ir.TypeID) *ir.Type  { return g.p.Types.At(id) }
func (g *gen) kind(id ir.TypeID) ir.Kind { return g.p.Types.Kind(id) }

// container is the width of the Go integer that holds int<n>.
func container(n uint32) uint32 {
	switch {
	case n <= 8:
		return 8
	case n <= 16:
		return 16
	case n <= 32:
		return 32
	}
	return 64
}

// goType is the Go type of a value.
func (g *gen) goType(id ir.TypeID) goT {
	n := g.at(id)
	switch n.Kind {
	case ir.KInt:
		switch {
		case n.Bits == 1:
			return gotree.BoolType
		case n.Bits <= 64:
			return gotree.Unsigned(container(n.Bits))
		}
		return u128
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

func (g *gen) aggregateType(id ir.TypeID) goT {
	if t, ok := g.goTypes[id]; ok {
		return t
	}
	n := g.at(id)
	if n.Kind != ir.KStruct {
		t := gotree.ArrayOf(lit(n.Len), g.goType(n.Elem))
		g.goTypes[id] = t
		return t
	}
	s := g.top("S_" + g.typeName(id))
	t := gotree.Named(s)
	g.goTypes[id] = t
	g.structNames = append(g.structNames, s)
	g.structIDs = append(g.structIDs, id)
	for _, f := range n.Fields {
		g.goType(f)
	}
	return t
}

// typeName is what identifiers call a type.
func (g *gen) typeName(id ir.TypeID) string {
	if name := g.at(id).Name; name != "" {
		return clean(name)
	}
	return fmt.Sprintf("anon%d", id)
}

// fieldName is the Go name of a field of a struct.
func fieldName(i int) string { return fmt.Sprintf("F%d", i) }

// eachLeaf calls fn with each scalar of a value.
func (g *gen) eachLeaf(id ir.TypeID, x expr, fn func(x expr, t ir.TypeID)) {
	n := g.at(id)
	switch n.Kind {
	case ir.KStruct:
		for i, f := range n.Fields {
			g.eachLeaf(f, dot(x, fieldName(i)), fn)
		}
	case ir.KArray, ir.KVector:
		for i := range n.Len {
			g.eachLeaf(n.Elem, index(x, i), fn)
		}
	default:
		fn(x, id)
	}
}

// listOf numbers a machine value list; 0 is the empty one.
func (g *gen) listOf(ids []ir.TypeID) int {
	if len(g.listDescs) == 0 {
		g.lists[""] = 0
		g.listDescs = append(g.listDescs, listDesc{})
	}
	key := g.Machine(ids)
	if n, ok := g.lists[key]; ok {
		return n
	}
	d := listDesc{desc: key}
	d.w, d.r = g.Words(ids)
	g.maxTransfer = max(g.maxTransfer, d.w, d.r)
	n := len(g.listDescs)
	g.lists[key] = n
	g.listDescs = append(g.listDescs, d)
	return n
}

// goSig is the Go function type of a signature. params, if not nil, names the
// parameters; results says that the results have names.
func (g *gen) goSig(sig ir.TypeID, params []string, results bool) *gotree.Sig {
	n := g.at(sig)
	s := &gotree.Sig{Params: []gotree.Param{{T: ctxType}}}
	if params != nil {
		s.Params[0].Name = "t"
	}
	for i, p := range n.Fields {
		x := gotree.Param{T: g.goType(p)}
		if params != nil {
			x.Name = params[i]
		}
		s.Params = append(s.Params, x)
	}
	for i, r := range n.Results {
		x := gotree.Param{T: g.goType(r)}
		if results {
			x.Name = resultName(i)
		}
		s.Results = append(s.Results, x)
	}
	return s
}

// resultName is the Go name of a result.
func resultName(i int) string { return fmt.Sprintf("r%d", i) }

// vtype numbers the printable description of a type.
func (g *gen) vtype(id ir.TypeID) int {
	if n, ok := g.vtypes[id]; ok {
		return n
	}
	n := len(g.vtypeIDs)
	g.vtypes[id] = n
	g.vtypeIDs = append(g.vtypeIDs, id)
	switch t := g.at(id); t.Kind {
	case ir.KStruct:
		for _, f := range t.Fields {
			g.vtype(f)
		}
	case ir.KArray, ir.KVector:
		g.vtype(t.Elem)
	case ir.KHybrid:
		for _, f := range t.Fields {
			g.vtype(f)
		}
		g.vtype(t.Elem)
	case ir.KRef, ir.KIRef, ir.KWeakRef, ir.KUPtr, ir.KFuncRef, ir.KUFuncPtr:
		if g.describes() {
			g.vtype(t.Elem) // clients follow references
		}
	case ir.KSig:
		for _, f := range t.Fields {
			g.vtype(f)
		}
		for _, f := range t.Results {
			g.vtype(f)
		}
	}
	return n
}
