package syntax

import (
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// What bodies in the form of muc (package decl) need more than others: which of two things a name without a sigil means,
// and where a label begins.

// resolve gives the operands in block b that are written without a sigil their names. They are the local ones if the
// block has such variables, else global ones. Other names without a sigil need nothing: only global things or only local
// ones can stand in their places.
func (p *parser) resolve(b *Block) {
	p.marks++
	for len(p.marked) < p.Syms.Len() {
		p.marked = append(p.marked, 0)
	}
	own := func(n Name) { p.marked[n.Sym.Index()] = p.marks }
	for _, x := range b.Params {
		own(x.Name)
	}
	own(b.Exc)
	for i := range p.insts {
		for _, r := range p.insts[i].Results {
			own(r)
		}
	}
	one := func(n *Name) {
		if n.Sym.Local() && p.marked[n.Sym.Index()] != p.marks && p.IsBare(*n) {
			n.Sym = p.AsBare(p.Syms.String(n.Sym)[1:], '@')
			for len(p.marked) < p.Syms.Len() {
				p.marked = append(p.marked, 0)
			}
		}
	}
	list := func(names []Name) {
		for i := range names {
			one(&names[i])
		}
	}
	for i := range p.insts {
		in := &p.insts[i]
		list(in.Args)
		for k := range in.Dests {
			list(in.Dests[k].Args)
		}
		if x := in.Ext; x != nil {
			list(x.PassArgs)
			one(&x.Throw)
			one(&x.ThreadLocal)
		}
	}
}

// CanBeBare reports whether a name, given without its sigil, can be written without it.
func CanBeBare(name string) bool {
	sc := NewScanner([]byte(name), true)
	t := sc.Next()
	return t.Kind == lex.Ident && t.Off == 0 && int(t.End) == len(name) && isLetterOrLine(name[0])
}

func isLetterOrLine(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' }

// labelEnd reports whether the parenthesis that the scanner has passed opens the parameters of a label: behind it is a
// colon, or an exception parameter and a colon.
func (p *parser) labelEnd() bool {
	for depth := 1; depth > 0; {
		switch t := p.Scan.Next(); t.Kind {
		case '(':
			depth++
		case ')':
			depth--
		case '<', '>', lex.Ident, lex.Word, lex.Arrow, lex.Int, lex.FP, lex.Str:
		case '{', '}': // of constants
		default:
			return false
		}
		if depth > maxLabelDepth {
			return false
		}
	}
	t := p.Scan.Next()
	if t.Kind == '[' && p.Scan.Next().Kind == lex.Ident && p.Scan.Next().Kind == ']' {
		t = p.Scan.Next()
	}
	return t.Kind == ':'
}

// maxLabelDepth is how deep parentheses are in the parameters of a label.
const maxLabelDepth = 10

// nearOp is the instruction that a name without a sigil resembles where an instruction belongs, "" if there is none.
func (p *parser) nearOp() string {
	if !p.BareNames() || p.Tok.Kind != lex.Ident {
		return ""
	}
	return keywords.Suggest(string(p.Text()), isOp)
}

// AsWritten returns a message with the names of a bundle in the form of muc as they are written: without their sigils, if
// the text leaves these out.
func (b *Bundle) AsWritten(msg string) string {
	if !b.Muc() || strings.IndexAny(msg, "@%") < 0 {
		return msg
	}
	var out strings.Builder
	for i := 0; i < len(msg); {
		j := i + 1
		if msg[i] == '@' || msg[i] == '%' {
			for j < len(msg) && lex.IsName("@"+msg[j:j+1]) {
				j++
			}
			if b.bareBegin(msg[i:j]) {
				i++
			}
		}
		out.WriteString(msg[i:j])
		i = j
	}
	return out.String()
}

// bareBegin reports whether a name, or what it has in front of one of its dots, is written without its sigil.
func (b *Bundle) bareBegin(name string) bool {
	for len(name) > 1 {
		if b.Bare[b.Syms.Lookup(name)] {
			return true
		}
		name = name[:max(strings.LastIndexByte(name, '.'), 0)]
	}
	return false
}
