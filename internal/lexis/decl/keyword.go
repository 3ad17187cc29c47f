package decl

import "github.com/uvm2go/uvm2go/internal/lexis/lex"

// The keywords of definitions. A grammar with more keywords numbers the others from 1 to KwFirst-1.
const (
	KwFirst   lex.Keyword = 200
	KwVersion             = KwFirst + iota - 1
	KwExtern
	KwNull
	KwBitsF
	KwBitsD
	KwTypedef
	KwFuncSig
	KwConst
	KwGlobal
	KwDecl
	KwDef
	KwExpose
	kwType // the type constructors, from TypeInt
	NumKw  = kwType + lex.Keyword(TypeTagRef64)
)

// Words returns the spellings of the keywords, by number.
func Words() []string {
	words := make([]string, NumKw)
	for i, s := range [...]string{"VERSION", "EXTERN", "NULL", "bitsf", "bitsd",
		".typedef", ".funcsig", ".const", ".global", ".funcdecl", ".funcdef", ".expose"} {
		words[int(KwVersion)+i] = s
	}
	for k := TypeInt; k <= TypeTagRef64; k++ {
		words[kwType+lex.Keyword(k-TypeInt)] = k.String()
	}
	return words
}

// IsType reports whether a keyword is a type constructor.
func IsType(k lex.Keyword) bool { return kwType <= k && k < NumKw }
func isDef(k lex.Keyword) bool  { return KwTypedef <= k && k <= KwExpose }
