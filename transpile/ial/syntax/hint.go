package syntax

import (
	"fmt"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// usages shows how each instruction is written.
var usages = func() (t [module.NumOps]string) {
	for op := range t {
		t[op] = usage(&module.Ops[op])
	}
	return t
}()

func usage(row *module.Row) string {
	var b strings.Builder
	if row.Target {
		b.WriteString("r = ")
	}
	b.WriteString(row.Mnemonic)
	for i := range row.Sources {
		b.WriteString([]string{" a", ", b", ", c"}[i])
	}
	if o := operandUsage[row.Operand]; o != "" {
		b.WriteString(" (" + o + ")")
	}
	b.WriteString(";")
	return b.String()
}

var operandUsage = [...]string{
	module.OperandNone:     "",
	module.OperandLiteral:  "LITERAL",
	module.OperandLiterals: "LITERAL, ...",
	module.OperandType:     "TYPE",
	module.OperandMember:   "TYPE:MEMBER",
	module.OperandGlobal:   "FIELD",
	module.OperandThread:   "FIELD",
	module.OperandFunc:     "FUNCTION",
	module.OperandLabel:    "BLOCK",
	module.OperandBranch:   "BLOCK, BLOCK",
	module.OperandRegs:     "REGISTER, ...",
	module.OperandSymbol:   "LIBRARY, SYMBOL",
	module.OperandData:     "DATA",
}

// near suggests the word that the current token resembles.
func near(p *parser, words ...string) string {
	if p.tok.Kind != Ident && p.tok.Kind != Keyword {
		return ""
	}
	ks := lex.NewKeywords(append([]string{""}, words...))
	return didYouMean(ks.Suggest(p.text(p.tok), func(lex.Keyword) bool { return true }))
}

func didYouMean(s string) string {
	if s == "" {
		return ""
	}
	return "did you mean " + s + "?"
}

// otherDecls maps keywords of declarations in other languages to those of IAL.
var otherDecls = map[string]string{
	"struct": "type", "class": "type", "global": "field global", "static": "field global",
	"func": "function", "fn": "function", "def": "function", "const": "data", "void": "function void",
}

// declHint says what to write where no declaration begins.
func (p *parser) declHint() string {
	switch {
	case p.is('/'):
		return "comments begin with //"
	case p.is('}'):
		return "the brace closes nothing"
	case p.tok.Kind != Ident && p.tok.Kind != Keyword:
		return ""
	}
	if w := otherDecls[p.text(p.tok)]; w != "" {
		return didYouMean(w)
	}
	if h := near(p, "type", "field", "function", "data", "entry", "thread", "module"); h != "" {
		return h
	}
	return "declarations begin with type, field, function, data, entry, thread or module"
}

// attributeHint suggests an attribute for an unknown word in front of the name of a function.
func (p *parser) attributeHint() string {
	if a := attributes[p.text(p.tok)]; a != 0 {
		return fmt.Sprintf("%s stands in front of the result type", p.found())
	}
	return ""
}

var mnemonics = func() *lex.Keywords {
	names := []string{""}
	for op := range module.Ops {
		names = append(names, module.Ops[op].Mnemonic)
	}
	return lex.NewKeywords(names)
}()

// otherMnemonics maps instructions of other languages to those of IAL.
var otherMnemonics = map[string]string{
	"mov": "copy", "move": "copy", "br": "jump", "branch": "jump", "goto": "jump", "jmp": "jump",
	"ret": "return", "throw": "eh.throw", "catch": "eh.catch", "rethrow": "eh.rethrow",
	"load": "mem.get", "store": "mem.set", "alloc": "mem.alloc", "alloca": "mem.snew", "new": "mem.new",
	"push": "arg.push", "pop": "arg.pop", "unreachable": "dead", "sizeof": "load.size", "null": "load.null",
	"and": "bit.and", "or": "bit.or", "xor": "bit.xor", "mod": "ari.rem", "neg": "ari.neg",
	"load.int": "load.i64", "load.uint": "load.ui64",
}

// mnemonicHint says what to write where no instruction begins.
func (p *parser) mnemonicHint() string {
	w := p.text(p.tok)
	switch {
	case p.tok.Kind == Keyword && p.peek(1).Kind == '=':
		return p.reserved()
	case p.tok.Kind != Ident && p.tok.Kind != Keyword:
		return ""
	case otherMnemonics[w] != "":
		return didYouMean(otherMnemonics[w])
	case p.tok.Kind == Ident && len(w) > 1 && len(w) < 16:
		// Suggest the shortest mnemonic that ends with the word: ari.add for add.
		best := ""
		for op := range module.Ops {
			m := module.Ops[op].Mnemonic
			if strings.HasSuffix(m, "."+w) && (best == "" || len(m) < len(best)) {
				best = m
			}
		}
		if best != "" {
			return didYouMean(best)
		}
	}
	return didYouMean(mnemonics.Suggest(w, func(lex.Keyword) bool { return true }))
}

// otherTypes maps types of other languages to those of IAL.
var otherTypes = map[string]string{
	"i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64",
	"ui8": "uint8", "ui16": "uint16", "ui32": "uint32", "ui64": "uint64", "f32": "float32", "f64": "float64",
	"float": "float32", "double": "float64", "bool": "uint", "char": "uint8", "byte": "uint8", "short": "int16", "long": "int64",
	"size_t": "uint", "usize": "uint", "isize": "int", "uintptr": "uint", "object": "mci/Object",
}

// SuggestType returns the name of a core type that an unknown name may stand for, "" if
// there is none.
func SuggestType(name string) string {
	if t := otherTypes[name]; t != "" {
		return t
	}
	return lex.Nearest(name, func(f func(string)) {
		for n := range coreTypes {
			f(n)
		}
	})
}
