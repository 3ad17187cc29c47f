package decl

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// The form of muc, a variant of Mu text (docs/language.md, "The form of muc"): names need no sigil, types, signatures and
// constants may be written where the form of 2016 has their names, and VERSION may be left out. What is written in such a
// place becomes a definition without a name (Parser.Inline), so that the tree is the same for both forms.

// NewMucDialect makes the tokens of the form of muc. keywords are the words that are not names.
func NewMucDialect(keywords *lex.Keywords) *lex.Dialect { return NewDialect().BareNames(keywords) }

// The signs of the form of muc. One alone is more likely a mistake in the form of 2016.
const (
	bareGlobal = 1 << iota // a definition has a name without a sigil
	bareLocal              // a label or result has such a name
	inPlace                // a type, signature or constant stands where 2016 has a name
	noVersion              // a function has no VERSION
)

// IsMuc reports whether a text is in the form of muc. It has two of the four signs, and nothing before them shows another
// form: a function with a sigil and VERSION is of 2016, and text with sigils and without -> of 2014. A text in which no
// name has a sigil needs only one.
func IsMuc(src []byte, keywords *lex.Keywords) bool {
	sc := lex.NewScanner(src, NewMucDialect(keywords), false)
	signs, arrow, sigil := 0, false, false
	enough := func() bool { return signs&(signs-1) != 0 && (arrow || signs&(bareGlobal|bareLocal) != 0) }
	var last lex.Token               // in front of t
	var beforeKw, lastKw lex.Keyword // of last and of the token in front of it
	for first := true; ; first = false {
		t := sc.Next()
		if t.Kind == lex.EOF {
			return signs&bareGlobal != 0 && !sigil
		}
		kw := lex.Keyword(0)
		if t.Kind == lex.Word {
			kw = keywords.Find(string(src[t.Off:t.End]))
		}
		if first && !isDef(kw) {
			return false
		}
		bare := last.Kind == lex.Ident && !lex.HasSigil(src[last.Off])
		switch {
		case kw == KwVersion && beforeKw == KwDef && last.Kind == lex.Ident && !bare:
			return false
		case t.Kind == lex.Ident && !lex.HasSigil(src[t.Off]):
			if isDef(lastKw) {
				signs |= bareGlobal
			}
		case t.Kind == lex.Ident:
			sigil = true
		case t.Kind == lex.Arrow:
			arrow = true
		case t.Kind == '<' && beforeKw == KwDef && last.Kind == lex.Ident:
			signs |= noVersion
		case t.Kind == '(' && last.Kind == '<', IsType(kw) && last.Kind != '=':
			signs |= inPlace
		case last.Kind == '>' && (t.Kind == lex.Int || t.Kind == lex.FP || kw == KwNull || kw == KwExtern):
			signs |= inPlace
		}
		if bare && !isDef(beforeKw) && (t.Kind == '=' || t.Kind == '(' && last.NL) {
			signs |= bareLocal
		}
		if enough() {
			return true
		}
		beforeKw, last, lastKw = lastKw, t, kw
	}
}

// Type takes the name of a type or, in the form of muc, a type.
func (p *Parser) Type(wanted string) Name {
	if p.BareNames() && !p.Failed && IsType(p.Kw) {
		return p.inlineType()
	}
	return p.Global(wanted)
}

// Sig takes the name of a signature or, in the form of muc, a signature.
func (p *Parser) Sig(wanted string) Name {
	if p.BareNames() && !p.Failed && p.Is('(') {
		return p.inlineSig()
	}
	return p.Global(wanted)
}

// Const takes the name of a constant or, in the form of muc, a constant.
func (p *Parser) Const(wanted string) Name {
	if p.AtConst() {
		return p.inlineConst()
	}
	return p.Global(wanted)
}

// AtConst reports whether a constant is written in the place of its name.
func (p *Parser) AtConst() bool { return p.BareNames() && !p.Failed && p.Is('<') }

// maxNest is the number of definitions that may be written one in the other.
const maxNest = 1000

// nest calls read, which reads something that stands in the place of a name, and reports whether there was no error.
func (p *Parser) nest(read func()) bool {
	shape := p.Shape
	if p.nested++; p.nested > maxNest {
		p.Reject(fmt.Sprintf("bad %s: more than %d definitions written one in the other", p.Subject(), maxNest), "give an inner one a name")
		p.Failed = true
	} else {
		read()
	}
	p.nested--
	p.Shape = shape
	return !p.Failed
}

func (p *Parser) inlineType() Name {
	d := p.typeSlab.One()
	*d = TypeDef{Off: p.Tok.Off}
	if !p.nest(func() { p.constructor(d) }) {
		return Name{}
	}
	length := ""
	if d.Len != nil {
		length = string(p.Src[d.Len.Off:d.Len.End])
	}
	return p.inline(d, &d.Name, d.Off, d.Kind.String()+" "+length, [][]Name{d.Args}, func() string {
		list := p.shown(d.Args)
		if length != "" {
			list = append(list, length)
		}
		if len(list) == 0 {
			return d.Kind.String()
		}
		return d.Kind.String() + "<" + strings.Join(list, " ") + ">"
	})
}

func (p *Parser) inlineSig() Name {
	d := &SigDef{Off: p.Tok.Off}
	if !p.nest(func() { p.signature(d) }) {
		return Name{}
	}
	return p.inline(d, &d.Name, d.Off, "->", [][]Name{d.Params, d.Results}, func() string {
		return "(" + strings.Join(p.shown(d.Params), " ") + ") -> (" + strings.Join(p.shown(d.Results), " ") + ")"
	})
}

func (p *Parser) inlineConst() Name {
	d := p.constSlab.One()
	*d = ConstDef{Off: p.Tok.Off}
	var end Off
	if !p.nest(func() {
		d.Type = p.Angled((*Parser).TypeName)
		if p.Tok.Kind == lex.Ident {
			p.Fail("a literal, {...}, NULL or EXTERN", "a name is written without its type")
		}
		end = p.constValue(d)
	}) {
		return Name{}
	}
	value := "{"
	switch d.Kind {
	case ConstList:
	case ConstExtern:
		value = `EXTERN "` + d.Symbol + `"`
	default:
		value = strings.Join(strings.Fields(string(p.Src[d.ValOff:end])), " ")
	}
	of := []Name{d.Type}
	return p.inline(d, &d.Name, d.Off, value, [][]Name{of, d.List}, func() string {
		if d.Kind == ConstList {
			value = "{" + strings.Join(p.shown(d.List), " ") + "}"
		}
		return "<" + p.shown(of)[0] + "> " + value
	})
}

// shown are names, and what stands for them, as written.
func (p *Parser) shown(names []Name) (list []string) {
	for _, n := range names {
		s := p.Syms.String(n.Sym)
		if p.IsBare(n) {
			s = s[1:]
		}
		list = append(list, s)
	}
	return list
}

// maxShown is the length at which the spelling of something without a name is cut.
const maxShown = 100

// inline gives what stands in the place of a name its symbol, which no name in a text has, and which is spelled as the
// text is. Things with equal words and parts share one definition.
func (p *Parser) inline(d Def, name *Name, off Off, words string, parts [][]Name, spell func() string) Name {
	key := append(make([]byte, 0, 64), words...)
	for _, list := range parts {
		key = append(key, ' ')
		for _, n := range list {
			key = binary.LittleEndian.AppendUint32(key, uint32(n.Sym))
		}
	}
	sym, known := p.inlined[string(key)]
	if !known {
		text := spell()
		if len(text) > maxShown {
			text = fmt.Sprintf("%s... (%d)", text[:maxShown], len(p.Inline)) // texts that are equal mean the same
		}
		first := p.Syms.Reserve(1)
		p.Syms.Spellings(first, 1)[0] = text
		sym = first &^ 1 // global
		if p.inlined == nil {
			p.inlined = map[string]lex.Sym{}
		}
		p.inlined[string(key)] = sym
		*name = Name{Sym: sym, Off: off}
		p.Inline = append(p.Inline, d)
	}
	return Name{Sym: sym, Off: off}
}
