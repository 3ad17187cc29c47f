package module

import (
	"fmt"
	"strings"
)

// A Kind is the constructor of a type.
type Kind uint8

// The kinds of types.
const (
	Void Kind = iota // of functions without result only
	Int8
	Uint8
	Int16
	Uint16
	Int32
	Uint32
	Int64
	Uint64
	Int  // the target's word, signed
	Uint // the target's word, unsigned
	Float32
	Float64
	StructType // Struct, by value
	Pointer    // Elem*
	Reference  // Elem&, Elem is a StructType
	Array      // Elem[]
	Vector     // Elem[Count]
	Static     // Elem{Count}
	FuncType   // pointer to a function: Elem is the result, Params, Conv
)

// A Convention is how a function is called.
type Convention uint8

// The calling conventions.
const (
	Standard Convention = iota // managed code calls managed code
	Cdecl
	Stdcall
)

// String is the word of the language, "" for the standard convention.
func (c Convention) String() string { return [...]string{"", "cdecl", "stdcall"}[c] }

// A Type is a type. Types of a Program are canonical: compare them with ==.
type Type struct {
	Kind   Kind
	Elem   *Type   // of Pointer, Reference, Array, Vector, Static; the result of FuncType
	Count  uint32  // of Vector and Static
	Struct *Struct // of StructType
	Params []*Type // of FuncType
	Conv   Convention
}

// IsInt reports whether t is an integer type, native words included.
func (t *Type) IsInt() bool { return t.Kind >= Int8 && t.Kind <= Uint }

// IsFloat reports whether t is float32 or float64.
func (t *Type) IsFloat() bool { return t.Kind == Float32 || t.Kind == Float64 }

// IsPrimitive reports whether t is an integer or floating-point type.
func (t *Type) IsPrimitive() bool { return t.Kind >= Int8 && t.Kind <= Float64 }

// IsManaged reports whether values of t are references to objects of the collector.
func (t *Type) IsManaged() bool {
	return t.Kind == Reference || t.Kind == Array || t.Kind == Vector
}

// IsArray reports whether values of t have elements: arrays, vectors, static arrays.
func (t *Type) IsArray() bool { return t.Kind == Array || t.Kind == Vector || t.Kind == Static }

// IsSigned reports whether t is a signed integer type.
func (t *Type) IsSigned() bool { return t.IsInt() && (t.Kind-Int8)%2 == 0 }

// Width is the number of bits of a primitive type, 0 for Int and Uint, whose width is the
// target's.
func (t *Type) Width() int {
	switch t.Kind {
	case Int8, Uint8:
		return 8
	case Int16, Uint16:
		return 16
	case Int32, Uint32, Float32:
		return 32
	case Int64, Uint64, Float64:
		return 64
	}
	return 0
}

var kindNames = [...]string{"void", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
	"int", "uint", "float32", "float64"}

// String spells the type as IAL does, with the module of a structure in front of its name
// and quotes around names that need them.
func (t *Type) String() string { return t.Spell(nil) }

// Spell spells the type as a module does: structures of that module have no prefix.
func (t *Type) Spell(in *Module) string {
	var b strings.Builder
	t.spell(&b, in)
	return b.String()
}

func (t *Type) spell(b *strings.Builder, in *Module) {
	switch t.Kind {
	case StructType:
		if t.Struct.Module != in {
			b.WriteString(Quote(t.Struct.Module.Name) + "/")
		}
		b.WriteString(Quote(t.Struct.Name))
	case Pointer, Reference, Array, Vector, Static:
		t.Elem.spell(b, in)
		switch t.Kind {
		case Pointer:
			b.WriteString("*")
		case Reference:
			b.WriteString("&")
		case Array:
			b.WriteString("[]")
		case Vector:
			fmt.Fprintf(b, "[%d]", t.Count)
		case Static:
			fmt.Fprintf(b, "{%d}", t.Count)
		}
	case FuncType:
		t.Elem.spell(b, in)
		b.WriteString("(")
		for i, p := range t.Params {
			if i > 0 {
				b.WriteString(", ")
			}
			p.spell(b, in)
		}
		b.WriteString(")")
		if t.Conv != Standard {
			b.WriteString(" " + t.Conv.String())
		}
	default:
		b.WriteString(kindNames[t.Kind])
	}
}

// Types makes the types of a program. The zero value is ready for use.
type Types struct {
	known map[string]*Type
	basic [Float64 + 1]*Type
	ids   map[*Type]int
}

// Basic is the type of a kind up to Float64.
func (ts *Types) Basic(k Kind) *Type {
	if ts.basic[k] == nil {
		ts.basic[k] = ts.intern(&Type{Kind: k})
	}
	return ts.basic[k]
}

// Of is the type of a structure's values.
func (ts *Types) Of(s *Struct) *Type {
	if s.typ == nil {
		s.typ = ts.register(&Type{Kind: StructType, Struct: s})
	}
	return s.typ
}

// To is the type with elements: Pointer, Reference or Array of elem.
func (ts *Types) To(k Kind, elem *Type) *Type { return ts.intern(&Type{Kind: k, Elem: elem}) }

// Counted is the type of n elements: Vector or Static of elem.
func (ts *Types) Counted(k Kind, elem *Type, n uint32) *Type {
	return ts.intern(&Type{Kind: k, Elem: elem, Count: n})
}

// Func is the type of pointers to functions.
func (ts *Types) Func(result *Type, params []*Type, conv Convention) *Type {
	return ts.intern(&Type{Kind: FuncType, Elem: result, Params: params, Conv: conv})
}

// intern gives the canonical type. Its key has the numbers of the parts of the type, so that
// the time does not depend on their size.
func (ts *Types) intern(t *Type) *Type {
	var b strings.Builder
	fmt.Fprintf(&b, "%d.%d.%d", t.Kind, t.Count, t.Conv)
	for _, p := range append([]*Type{t.Elem}, t.Params...) {
		if p != nil {
			fmt.Fprintf(&b, ".%d", ts.ids[p])
		}
	}
	key := b.String()
	if known := ts.known[key]; known != nil {
		return known
	}
	if ts.known == nil {
		ts.known = map[string]*Type{}
	}
	ts.known[key] = ts.register(t)
	return t
}

// register gives a new type its number.
func (ts *Types) register(t *Type) *Type {
	if ts.ids == nil {
		ts.ids = map[*Type]int{}
	}
	ts.ids[t] = len(ts.ids) + 1
	return t
}
