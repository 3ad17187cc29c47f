package decl

import "github.com/uvm2go/uvm2go/internal/lexis/lex"

// The rules of definitions that need no table of types (docs/language.md, "Types", "Definitions" and
// "Limits"). Names and literals are passed as they are written; the results are messages, "" if
// there is no error.

// The limits of types. A bundle of n definitions can define types with 2^n parts, because each may
// contain the one before twice.
const (
	MaxBits    = 128     // of an int
	MaxScalars = 1 << 12 // of a value
	MaxParts   = 1 << 16 // scalars in memory, of arrays those of one element
)

// BadLen says what is wrong with the width of an int, or the length of an array or vector.
func (d *TypeDef) BadLen(name, literal string) string {
	n := d.Len
	positive := !n.Neg && (n.TooBig || n.Hi|n.Lo != 0)
	switch {
	case d.Kind == TypeInt && !positive:
		return lex.Message("%s: invalid width %s: an int has at least 1 bit", name, literal)
	case d.Kind == TypeInt && (!n.IsUint64() || n.Lo > MaxBits):
		return lex.Message("%s: unsupported width %s: an int has at most %d bits", name, literal, MaxBits)
	case d.Kind == TypeInt:
	case !positive || !n.IsUint64():
		return lex.Message("%s: invalid length %s: %s has 1 to 2^64-1 elements", name, literal, Article(d.Kind.String()))
	case d.Kind == TypeVector && n.Lo > MaxScalars:
		return lex.Message("%s: invalid length %s: a vector has at most %d elements", name, literal, MaxScalars)
	}
	return ""
}

// BadArg says why a type of kind k cannot be the i-th argument.
func (d *TypeDef) BadArg(i int, k TypeKind, name, arg string) string {
	role := "field"
	switch d.Kind {
	case TypeStruct:
	case TypeArray, TypeVector:
		role = "element"
	case TypeHybrid:
		if i == len(d.Args)-1 {
			role = "variable part"
		}
	default:
		return ""
	}
	switch {
	case k == TypeVoid || k == TypeHybrid:
		return lex.Message("%s: invalid %s %s: %s has no %s of type %s", name, role, arg, Article(d.Kind.String()), role, k)
	case d.Kind == TypeVector && (k.Composite() || k == TypeWeakRef):
		return lex.Message("%s: invalid element %s: a vector has scalar elements, not %s", name, arg, k)
	}
	return ""
}

// Unfit names the value of the definition if types of kind k do not have such values, else "".
func (d *ConstDef) Unfit(k TypeKind) string {
	pointer := k == TypeUPtr || k == TypeUFuncPtr
	switch d.Kind {
	case ConstInt:
		if k != TypeInt && !pointer {
			return "integer constant"
		}
	case ConstFP:
		switch {
		case d.FP.Double && k != TypeDouble:
			return "double constant"
		case !d.FP.Double && k != TypeFloat:
			return "float constant"
		}
	case ConstNull:
		if !k.Nullable() {
			return "NULL"
		}
	case ConstExtern:
		if !pointer {
			return "EXTERN symbol"
		}
	case ConstList:
		if !k.Composite() || k == TypeHybrid {
			return "list constant"
		}
	}
	return ""
}

// Composite reports whether types of the kind consist of others.
func (k TypeKind) Composite() bool {
	switch k {
	case TypeStruct, TypeArray, TypeVector, TypeHybrid:
		return true
	}
	return false
}

// Nullable reports whether NULL is a value of types of the kind.
func (k TypeKind) Nullable() bool {
	switch k {
	case TypeRef, TypeIRef, TypeFuncRef, TypeThreadRef, TypeStackRef, TypeFrameCursorRef, TypeIRNodeRef, TypeIRBuilderRef:
		return true
	}
	return false
}

// Article puts "a" or "an" before a word.
func Article(word string) string {
	switch word[:min(1, len(word))] {
	case "a", "e", "i", "o", "u":
		return "an " + word
	}
	return "a " + word
}
