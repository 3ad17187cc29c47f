package mu

import (
	"github.com/uvm2go/uvm2go/internal/lexis/decl"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// typeInfo answers questions about canonical types and makes the types that
// instructions derive, and caches both.
type typeInfo struct {
	*ir.Typer
	t     *ir.Types
	facts []facts // by TypeID
	// classes caches sameClass. Without the cache types that share members would take
	// exponential time.
	classes map[[2]ir.TypeID]bool
	// See parts and scalars.
	limits *layout.Limits
	iref   []ir.TypeID
	uptr   []ir.TypeID

	void, i1, i6, i32, i52, i64, float, double     ir.TypeID
	refVoid, stack, thread, cursor, node, tagref   ir.TypeID
	bytes, bytesRef, refsRef, handlerSig, irefNode ir.TypeID
}

// facts are the known properties of a type.
type facts uint8

const (
	factUnsafe   facts = 1 << iota // not native-safe
	factUnsafeOK                   // factUnsafe is known
)

func (x *typeInfo) init(y *ir.Typer) {
	t := y.Types
	x.t, x.Typer = t, y
	x.void, x.float, x.double = t.Void(), t.Float(), t.Double()
	x.i1, x.i6, x.i32, x.i52, x.i64 = t.Int(1), t.Int(6), t.Int(32), t.Int(52), t.Int(64)
	x.refVoid = t.Ref(x.void)
	x.stack, x.thread = t.Opaque(ir.KStackRef), t.Opaque(ir.KThreadRef)
	x.cursor, x.node = t.Opaque(ir.KFrameCursorRef), t.Opaque(ir.KIRNodeRef)
	x.tagref = t.Opaque(ir.KTagRef64)
	x.irefNode = t.IRef(x.node)
}

func grown[T any](s []T, n int) []T {
	if n > len(s) {
		s = append(s, make([]T, n-len(s)+64)...)
	}
	return s
}

// irefOf is iref<id>; NoType for NoType.
func (x *typeInfo) irefOf(id ir.TypeID) ir.TypeID { return x.derived(&x.iref, ir.KIRef, id) }

// uptrOf is uptr<id>; NoType for NoType.
func (x *typeInfo) uptrOf(id ir.TypeID) ir.TypeID { return x.derived(&x.uptr, ir.KUPtr, id) }

func (x *typeInfo) derived(memo *[]ir.TypeID, k ir.Kind, id ir.TypeID) ir.TypeID {
	if id == ir.NoType {
		return ir.NoType
	}
	*memo = grown(*memo, x.t.Len())
	m := *memo
	if m[id] == ir.NoType {
		m[id] = x.t.Of(k, id)
	}
	return m[id]
}

// lane is the element type of a vector, and any other type itself.
func (x *typeInfo) lane(id ir.TypeID) ir.TypeID {
	if n := x.t.At(id); n.Kind == ir.KVector {
		return n.Elem
	}
	return id
}

func (x *typeInfo) laneKind(id ir.TypeID) ir.Kind { return x.t.Kind(x.lane(id)) }

// The classes of docs/language.md, "Types".

func isScalar(k ir.Kind) bool {
	switch k {
	case ir.KInvalid, ir.KVoid, ir.KStruct, ir.KArray, ir.KVector, ir.KHybrid, ir.KSig:
		return false
	}
	return true
}

func isComposite(k ir.Kind) bool {
	return k == ir.KStruct || k == ir.KArray || k == ir.KVector || k == ir.KHybrid
}

func isFP(k ir.Kind) bool { return k == ir.KFloat || k == ir.KDouble }

func isPointer(k ir.Kind) bool { return k == ir.KUPtr || k == ir.KUFuncPtr }

func isOpaque(k ir.Kind) bool {
	switch k {
	case ir.KFuncRef, ir.KThreadRef, ir.KStackRef, ir.KFrameCursorRef, ir.KIRNodeRef, ir.KIRBuilderRef:
		return true
	}
	return false
}

// isNullable reports whether the NULL constant may have a type of kind k.
func isNullable(k ir.Kind) bool { return k == ir.KRef || k == ir.KIRef || isOpaque(k) }

// isTraced reports whether a location of kind k is a slot that the runtime
// traces.
func isTraced(k ir.Kind) bool { return isNullable(k) || k == ir.KWeakRef || k == ir.KTagRef64 }

// isWord reports whether a type is untraced and takes 8 bytes on 64-bit targets.
func isWord(n *ir.Type) bool {
	return n.Kind == ir.KInt && n.Bits > 32 && n.Bits <= 64 || n.Kind == ir.KDouble || isPointer(n.Kind)
}

func isEQ(k ir.Kind) bool { return k == ir.KInt || isPointer(k) || isNullable(k) }

func isULT(k ir.Kind) bool { return k == ir.KInt || isPointer(k) || k == ir.KIRef }

// isValue reports whether variables may have the type.
func (x *typeInfo) isValue(id ir.TypeID) bool {
	switch x.t.Kind(id) {
	case ir.KInvalid, ir.KVoid, ir.KHybrid, ir.KWeakRef, ir.KSig:
		return false
	case ir.KStruct, ir.KArray, ir.KVector:
		return !x.HasWeak(id) && x.limits.Scalars(id) <= layout.MaxScalars
	}
	return true
}

// notValue says why variables cannot have a type.
func (x *typeInfo) notValue(id ir.TypeID) string {
	switch k := x.t.Kind(id); {
	case !isComposite(k) || k == ir.KHybrid:
		return k.String()
	case x.HasWeak(id):
		return decl.Article(k.String()) + " that holds a weakref"
	default:
		return decl.Article(k.String()) + " of more than " + itoa(layout.MaxScalars) + " scalars"
	}
}

// isStorable reports whether LOAD and STORE may have the type.
func (x *typeInfo) isStorable(id ir.TypeID) bool {
	return x.t.Kind(id) == ir.KWeakRef || x.isValue(id)
}

// nativeSafe reports whether a type, or all types of a signature, are native-safe:
// only native-safe types can be reached through members and pointers. If an unsafe
// type is found, all types on the path to it are unsafe; if none is found, all
// types that were visited are safe.
func (x *typeInfo) nativeSafe(id ir.TypeID) bool {
	x.facts = grown(x.facts, x.t.Len())
	if x.facts[id]&factUnsafeOK != 0 {
		return x.facts[id]&factUnsafe == 0
	}
	type frame struct {
		id   ir.TypeID
		next int
	}
	seen := map[ir.TypeID]bool{id: true}
	path := []frame{{id: id}}
	for len(path) > 0 {
		f := &path[len(path)-1]
		n := x.t.At(f.id)
		known := x.facts[f.id]&factUnsafeOK != 0
		switch n.Kind {
		case ir.KVoid, ir.KInt, ir.KFloat, ir.KDouble, ir.KUPtr, ir.KUFuncPtr,
			ir.KStruct, ir.KArray, ir.KVector, ir.KHybrid, ir.KSig:
			if known && x.facts[f.id]&factUnsafe == 0 {
				path = path[:len(path)-1]
				continue
			}
		default:
			known = true
		}
		if known {
			for _, f := range path {
				x.facts[f.id] |= factUnsafe | factUnsafeOK
			}
			return false
		}
		child := ir.NoType
		switch i := f.next; {
		case i == 0:
			child = n.Elem
		case i <= len(n.Fields):
			child = n.Fields[i-1]
		case i <= len(n.Fields)+len(n.Results):
			child = n.Results[i-1-len(n.Fields)]
		default:
			path = path[:len(path)-1]
			continue
		}
		f.next++
		if child != ir.NoType && !seen[child] {
			seen[child] = true
			path = append(path, frame{id: child})
		}
	}
	for s := range seen {
		x.facts[s] |= factUnsafeOK
	}
	return true
}

// sameClass reports whether values of the two types have the same machine class
// (docs/language.md, "Decisions" and "Accepted deviations").
func (x *typeInfo) sameClass(a, b ir.TypeID) bool {
	if a == b {
		return true
	}
	if same, ok := x.classes[[2]ir.TypeID{a, b}]; ok {
		return same
	}
	same := x.compareClass(a, b)
	if x.classes == nil {
		x.classes = map[[2]ir.TypeID]bool{}
	}
	x.classes[[2]ir.TypeID{a, b}] = same
	return same
}

func (x *typeInfo) compareClass(a, b ir.TypeID) bool {
	m, n := x.t.At(a), x.t.At(b)
	object := func(k ir.Kind) bool { return k == ir.KRef || k == ir.KIRef || k == ir.KWeakRef }
	switch {
	case object(m.Kind) && object(n.Kind), isPointer(m.Kind) && isPointer(n.Kind):
		return true
	case m.Kind != n.Kind:
		return false
	case m.Kind == ir.KFuncRef:
		return true
	case m.Kind == ir.KStruct:
		if len(m.Fields) != len(n.Fields) {
			return false
		}
		for i := range m.Fields {
			if !x.sameClass(m.Fields[i], n.Fields[i]) {
				return false
			}
		}
		return true
	case m.Kind == ir.KArray || m.Kind == ir.KVector:
		return m.Len == n.Len && x.sameClass(m.Elem, n.Elem)
	}
	return false
}

// sameSigClass reports whether number and machine classes of parameters and
// results of two signatures agree.
func (x *typeInfo) sameSigClass(a, b ir.TypeID) bool {
	m, n := x.t.At(a), x.t.At(b)
	same := func(p, q []ir.TypeID) bool {
		if len(p) != len(q) {
			return false
		}
		for i := range p {
			if !x.sameClass(p[i], q[i]) {
				return false
			}
		}
		return true
	}
	return same(m.Fields, n.Fields) && same(m.Results, n.Results)
}

// prefix finds the location of type want, or of one that ok accepts, at the beginning of a
// location of type id (the prefix rule: docs/language.md, "Memory"); NoType if there is none.
func (x *typeInfo) prefix(id ir.TypeID, ok func(ir.TypeID) bool) ir.TypeID {
	for {
		if ok(id) {
			return id
		}
		n := x.t.At(id)
		switch {
		case (n.Kind == ir.KStruct || n.Kind == ir.KHybrid) && len(n.Fields) > 0:
			id = n.Fields[0]
		case isComposite(n.Kind) && n.Elem != ir.NoType:
			id = n.Elem
		default:
			return ir.NoType
		}
	}
}
