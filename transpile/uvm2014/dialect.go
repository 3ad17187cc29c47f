package uvm2014

import (
	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/binary"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// mainName is the function that a program begins with.
const mainName = "@main"

// Dialect is the entry of µVM IR of 2014 in the registry.
var Dialect = &dialect.Dialect{
	Name:  "uvm2014",
	Title: "µVM IR of 2014",
	Forms: []dialect.Form{
		{Name: "uir2014", Title: "text", Ending: ".uir", Format: Format, Convert: toText, Write: Write},
		{Name: "uirb", Title: "binary", Ending: ".uirb", Binary: true, Convert: toBinary},
	},
	Recognize: Recognize,
	Reads:     reads,
	Main:      mainName,
	Aliases:   dialect.Marked,
	Load:      Load,
}

// telltales are the words that only one generation of bundles has.
var telltales = map[string]dialect.Evidence{
	".label": dialect.Certain, "PHI": dialect.Certain, "INVOKE": dialect.Certain, "LANDINGPAD": dialect.Certain,
	"RETVOID": dialect.Certain, "ICALL": dialect.Certain, "IINVOKE": dialect.Certain, "NEWSTACK": dialect.Certain,
	"IREFCAST": dialect.Certain, "FUNCCAST": dialect.Certain, "GETFIXEDPARTIREF": dialect.Certain,
	"func": dialect.Certain, "thread": dialect.Certain, "stack": dialect.Certain,

	"VERSION": dialect.None, ".expose": dialect.None, "COMMINST": dialect.None, "EXC": dialect.None, "PTR": dialect.None,
	"RET_WITH": dialect.None, "funcref": dialect.None, "threadref": dialect.None, "stackref": dialect.None,
	"uptr": dialect.None, "ufuncptr": dialect.None, "vector": dialect.None, "EXTERN": dialect.None,
}

// Recognize tells a bundle of 2014 from one of 2016: a binary one by its first byte, a text by
// the first token that only one of the two dialects has. If there is none, types or constants
// written in place decide; otherwise the bundle means the same in both dialects.
func Recognize(src []byte) dialect.Evidence {
	if isBinary(src) {
		return dialect.Certain
	}
	s := syntax.NewScanner(src)
	var last lex.Token
	word := func(t lex.Token) string { return string(src[t.Off:t.End]) }
	inline := false
	sig, defined, depth := false, false, 0 // after .funcsig, after .funcdef @f; angle brackets that are open
	for {
		t := s.Next()
		if last.End == 0 && t.Kind != lex.EOF && src[t.Off] != '.' {
			return dialect.None // every bundle begins with a definition
		}
		switch t.Kind {
		case lex.EOF:
			if inline {
				return dialect.Certain
			}
			return dialect.None
		case lex.Bad:
			switch src[t.Off] {
			case '[', '#':
				return dialect.None // bundles of 2014 have neither
			case '-':
				if int(t.Off)+1 < len(src) && src[t.Off+1] == '>' {
					return dialect.None
				}
			}
		case lex.Word:
			if last == (lex.Token{}) && src[t.Off] != '.' {
				return dialect.None // no bundle begins in this way
			}
			if e, ok := telltales[word(t)]; ok {
				return e
			}
		case '<':
			if defined && last.Kind == lex.Ident {
				return dialect.Certain // .funcdef @f <sig>, without VERSION
			}
			depth++
		case '>':
			depth--
		case '(':
			if depth > 0 { // the signature T (...), written out
				return dialect.Certain
			}
		}
		// A signature of 2014 begins with its return type, one of 2016 with a list.
		if last.Kind == '=' && sig || last.Kind == lex.Ident && sig && t.Kind != '=' {
			if t.Kind == '(' {
				return dialect.None
			}
			return dialect.Certain
		}
		sig = t.Kind == lex.Word && word(t) == ".funcsig" || sig && (t.Kind == lex.Ident || t.Kind == '=')
		// A constructor in angle brackets is in a place where 2016 requires a name.
		if t.Kind == lex.Word && (last.Kind == '<' || depth > 0) && isConstructor(word(t)) {
			inline = true
		}
		defined = last.Kind == lex.Word && word(last) == ".funcdef" && t.Kind == lex.Ident
		last = t
	}
}

func reads(src []byte) bool {
	if isBinary(src) {
		return binary.Fits(src)
	}
	b, err := diag.Parsed("", src, func(f *diag.File, errs *diag.List) *syntax.Bundle {
		return syntax.Parse(f, syntax.NewSymbols(), errs, 0)
	})
	return err == nil && len(b.Defs) > 0
}

func isConstructor(w string) bool {
	for k := syntax.TypeInt; k <= syntax.TypeTagRef64; k++ {
		if k.String() == w {
			return true
		}
	}
	return false
}
