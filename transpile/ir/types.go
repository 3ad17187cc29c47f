package ir

import (
	"fmt"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/canon"
)

// TypeID is a dense number of a canonical type or signature in a Types table.
// Two ids of one table are equal exactly when the types are structurally equal
// (coinductively through cycles), so == is type equality.
type TypeID int32

// NoType is the zero TypeID; no type has it.
const NoType TypeID = 0

// Kind says which constructor made a type.
type Kind uint8

// The constructors. KSig is a function signature, which shares the table with
// the types because types and signatures refer to each other.
const (
	KInvalid Kind = iota
	KVoid
	KInt
	KFloat
	KDouble
	KRef
	KIRef
	KWeakRef
	KUPtr
	KUFuncPtr
	KStruct
	KArray
	KVector
	KHybrid
	KFuncRef
	KThreadRef
	KStackRef
	KFrameCursorRef
	KIRNodeRef
	KIRBuilderRef
	KTagRef64
	KSig
)

var kindNames = [...]string{
	KInvalid: "invalid", KVoid: "void", KInt: "int", KFloat: "float", KDouble: "double",
	KRef: "ref", KIRef: "iref", KWeakRef: "weakref", KUPtr: "uptr", KUFuncPtr: "ufuncptr",
	KStruct: "struct", KArray: "array", KVector: "vector", KHybrid: "hybrid",
	KFuncRef: "funcref", KThreadRef: "threadref", KStackRef: "stackref",
	KFrameCursorRef: "framecursorref", KIRNodeRef: "irnoderef", KIRBuilderRef: "irbuilderref", KTagRef64: "tagref64", KSig: "funcsig",
}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind%d", uint8(k))
}

// Type is one canonical type or signature.
type Type = canon.Node[TypeID, Kind]

// Node is one vertex of a type graph given to Types.Add. Its references are
// either canonical ids (positive) or, as Raw(i), other nodes of the same call.
type Node = Type

// Raw refers to node i of the graph being added.
func Raw(i int) TypeID { return canon.Raw[TypeID](i) }

func rawIndex(id TypeID) (int, bool) { return canon.RawIndex(id) }

// Types is a table of canonical types. The zero value is not ready; use NewTypes.
type Types struct {
	tab canon.Table[TypeID, Kind]
	of  [KSig + 1][]TypeID // cache of Of, by elem; NoType if unknown
	int [65]TypeID         // cache of Int, by bits
	// Words are the keywords of kinds that the source language does not spell as Mu does; nil
	// for Mu. Traps print the keyword as the value of such types.
	Words map[Kind]string
}

// Word is the keyword of a kind in the source language.
func (t *Types) Word(k Kind) string {
	if w := t.Words[k]; w != "" {
		return w
	}
	return k.String()
}

// NewTypes returns an empty table.
func NewTypes() *Types {
	return &Types{tab: canon.New[TypeID, Kind]()}
}

// Len is one more than the largest TypeID.
func (t *Types) Len() int { return len(t.tab.List) }

// At returns the type of an id. The result must not be changed.
func (t *Types) At(id TypeID) *Type { return &t.tab.List[id] }

// Kind is the constructor of id; KInvalid for NoType.
func (t *Types) Kind(id TypeID) Kind { return t.tab.List[id].Kind }

// SetName records the name of a type if it has none yet.
func (t *Types) SetName(id TypeID, name string) {
	t.tab.SetName(id, name)
}

// Intern returns the id of a type whose references are all canonical.
func (t *Types) Intern(n Type) TypeID { return t.tab.Intern(n) }

// Add makes the nodes canonical and returns their ids, in order. References
// inside nodes are canonical ids or Raw numbers of nodes of this call.
func (t *Types) Add(nodes []Node) []TypeID { return t.tab.Add(nodes) }

// Convenience constructors for types that need no graph.

// Void is the type void.
func (t *Types) Void() TypeID { return t.Intern(Type{Kind: KVoid}) }

// Int is the type int<bits>.
func (t *Types) Int(bits uint32) TypeID {
	if int(bits) >= len(t.int) {
		return t.Intern(Type{Kind: KInt, Bits: bits})
	}
	if t.int[bits] == NoType {
		t.int[bits] = t.Intern(Type{Kind: KInt, Bits: bits})
	}
	return t.int[bits]
}

// Float is the type float.
func (t *Types) Float() TypeID { return t.Intern(Type{Kind: KFloat}) }

// Double is the type double.
func (t *Types) Double() TypeID { return t.Intern(Type{Kind: KDouble}) }

// Of is the constructor k (ref, iref, weakref, uptr, funcref, ufuncptr) applied to elem.
func (t *Types) Of(k Kind, elem TypeID) TypeID {
	l := t.of[k]
	if uint(elem) >= uint(len(t.tab.List)) { // no type: the error is reported elsewhere
		return t.Intern(Type{Kind: k, Elem: elem})
	}
	if int(elem) >= len(l) {
		l = append(l, make([]TypeID, len(t.tab.List)-len(l))...)
		t.of[k] = l
	}
	if l[elem] == NoType {
		l[elem] = t.Intern(Type{Kind: k, Elem: elem})
	}
	return l[elem]
}

// Ref is ref<elem>.
func (t *Types) Ref(elem TypeID) TypeID { return t.Of(KRef, elem) }

// IRef is iref<elem>.
func (t *Types) IRef(elem TypeID) TypeID { return t.Of(KIRef, elem) }

// Opaque is a type without parameters, such as stackref or tagref64.
func (t *Types) Opaque(k Kind) TypeID { return t.Intern(Type{Kind: k}) }

// Struct is struct<fields...>.
func (t *Types) Struct(fields ...TypeID) TypeID {
	return t.Intern(Type{Kind: KStruct, Fields: fields})
}

// StructOf is a struct whose fields lie at multiples of step, in bytes, or of their own
// alignments if step is 0; step 1 packs them. The struct is aligned to at least align
// bytes, or as its fields require if align is 0. Both are 0 or powers of two.
func (t *Types) StructOf(step, align uint32, fields ...TypeID) TypeID {
	return t.Intern(Type{Kind: KStruct, Bits: step, Len: uint64(align), Fields: fields})
}

// structName is the constructor of a struct with its step and alignment.
func structName(n *Type) string {
	s := "struct"
	if n.Bits != 0 {
		s += fmt.Sprintf(".step%d", n.Bits)
	}
	if n.Len != 0 {
		s += fmt.Sprintf(".align%d", n.Len)
	}
	return s
}

// Hybrid is hybrid<fixed... elem>.
func (t *Types) Hybrid(elem TypeID, fixed ...TypeID) TypeID {
	return t.Intern(Type{Kind: KHybrid, Elem: elem, Fields: fixed})
}

// Array is array<elem n>.
func (t *Types) Array(elem TypeID, n uint64) TypeID {
	return t.Intern(Type{Kind: KArray, Elem: elem, Len: n})
}

// Vector is vector<elem n>.
func (t *Types) Vector(elem TypeID, n uint64) TypeID {
	return t.Intern(Type{Kind: KVector, Elem: elem, Len: n})
}

// Sig is the signature (params) -> (results).
func (t *Types) Sig(params, results []TypeID) TypeID {
	return t.Intern(Type{Kind: KSig, Fields: params, Results: results})
}

// Strong is the strong variant of a type: ref<T> for weakref<T>, else itself
// (docs/language.md, "Types").
func (t *Types) Strong(id TypeID) TypeID {
	if t.tab.List[id].Kind == KWeakRef {
		return t.Ref(t.tab.List[id].Elem)
	}
	return id
}

// String names a type: the name a bundle gave it, or its structure.
func (t *Types) String(id TypeID) string {
	if n := t.tab.List[id].Name; n != "" {
		return n
	}
	return t.Structure(id, 2)
}

// Structure spells a type out, following references depth levels down; deeper
// types are shown by name or as "...".
func (t *Types) Structure(id TypeID, depth int) string {
	var b strings.Builder
	t.spell(&b, id, depth)
	return b.String()
}

func (t *Types) spell(b *strings.Builder, id TypeID, depth int) {
	n := &t.tab.List[id]
	sub := func(id TypeID) {
		switch {
		case depth > 0 && (t.tab.List[id].Name == "" || len(t.tab.List[id].Fields) == 0):
			t.spell(b, id, depth-1)
		case t.tab.List[id].Name != "":
			b.WriteString(t.tab.List[id].Name)
		default:
			b.WriteString("...")
		}
	}
	list := func(ids []TypeID) {
		for i, f := range ids {
			if i > 0 {
				b.WriteByte(' ')
			}
			sub(f)
		}
	}
	switch n.Kind {
	case KInt:
		fmt.Fprintf(b, "int<%d>", n.Bits)
	case KRef, KIRef, KWeakRef, KUPtr, KUFuncPtr, KFuncRef:
		b.WriteString(n.Kind.String() + "<")
		sub(n.Elem)
		b.WriteByte('>')
	case KStruct:
		b.WriteString(structName(n) + "<")
		list(n.Fields)
		b.WriteByte('>')
	case KHybrid:
		b.WriteString("hybrid<")
		list(n.Fields)
		if len(n.Fields) > 0 {
			b.WriteByte(' ')
		}
		sub(n.Elem)
		b.WriteByte('>')
	case KArray, KVector:
		b.WriteString(n.Kind.String() + "<")
		sub(n.Elem)
		fmt.Fprintf(b, " %d>", n.Len)
	case KSig:
		b.WriteByte('(')
		list(n.Fields)
		b.WriteString(") -> (")
		list(n.Results)
		b.WriteByte(')')
	default:
		b.WriteString(n.Kind.String())
	}
}

// ObjectTypes lists the types of the objects that the functions make or test for, each once, in the order of the text that
// PrintPlaced writes.
func (p *Program) ObjectTypes() (l []TypeID) {
	seen := map[TypeID]bool{}
	for _, f := range p.Funcs {
		for _, v := range f.Versions {
			for b := range v.Blocks {
				if v.Blocks[b].Dead {
					continue
				}
				for _, id := range v.Blocks[b].Insts {
					in := &v.Insts[id]
					if (in.Op.Is(Allocates) && !in.Has(FlagRoots) || in.Op == OpHasType) && !seen[in.Ty] {
						seen[in.Ty] = true
						l = append(l, in.Ty)
					}
				}
			}
		}
	}
	return l
}
