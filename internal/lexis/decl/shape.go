package decl

import (
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// Shapes show how definitions are written, as advice in messages about wrong ones. Names in them are
// examples; optional parts are left out.

// defShape shows how a definition is written.
func defShape(k lex.Keyword) string {
	switch k {
	case KwTypedef:
		return ".typedef @name = int<64>"
	case KwFuncSig:
		return ".funcsig @name = (@type @type) -> (@type)"
	case KwConst:
		return ".const @name <@type> = 42"
	case KwGlobal:
		return ".global @name <@type>"
	case KwDecl:
		return ".funcdecl @name <@signature>"
	case KwDef:
		return ".funcdef @name VERSION %v1 <@signature> { ... }"
	case KwExpose:
		return ".expose @name = @function #DEFAULT @cookie"
	}
	return ""
}

// typeShape shows how a type is written; "" if it is only the keyword.
func typeShape(k TypeKind) string {
	switch k {
	case TypeInt:
		return "int<64>"
	case TypeRef:
		return "ref<@type>"
	case TypeIRef:
		return "iref<@type>"
	case TypeWeakRef:
		return "weakref<@type>"
	case TypeUPtr:
		return "uptr<@type>"
	case TypeStruct:
		return "struct<@type @type>"
	case TypeHybrid:
		return "hybrid<@type @type>, the variable part last"
	case TypeArray:
		return "array<@type 10>"
	case TypeVector:
		return "vector<@type 4>"
	case TypeFuncRef:
		return "funcref<@signature>"
	case TypeUFuncPtr:
		return "ufuncptr<@signature>"
	}
	return ""
}

// foreignInt returns the width in the name of an integer type of another language, such as
// uint8_t, i64; "" for other words.
func foreignInt(word string) string {
	w := strings.TrimSuffix(word, "_t")
	for _, prefix := range []string{"uint", "int", "u", "i"} {
		if bits, ok := strings.CutPrefix(w, prefix); ok && bits != "" && strings.Trim(bits, "0123456789") == "" {
			return bits
		}
	}
	return ""
}

// foreignType returns the type that a word of another language stands for, "" for other
// words.
func foreignType(word string) string {
	if bits := foreignInt(word); bits != "" {
		return "int<" + bits + ">"
	}
	switch strings.ToLower(word) {
	case "bool", "boolean":
		return "int<1>"
	case "char", "byte":
		return "int<8>"
	case "short":
		return "int<16>"
	case "long":
		return "int<64>"
	case "f32":
		return "float"
	case "f64":
		return "double"
	case "func", "function":
		return "funcref<@signature>"
	case "ptr", "pointer":
		return "uptr<@type>"
	}
	return ""
}
