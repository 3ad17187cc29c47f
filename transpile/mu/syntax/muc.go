package syntax

import "github.com/uvm2go/uvm2go/internal/lexis/lex"

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
		list(in.Keep)
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
	return t.Kind == lex.Ident && t.Off == 0 && int(t.End) == len(name) && !lex.HasSigil(name[0])
}

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

// InPlace has Inline by symbol.
func (b *Bundle) InPlace() map[Sym]Def {
	if len(b.Inline) == 0 {
		return nil
	}
	m := make(map[Sym]Def, len(b.Inline))
	for _, d := range b.Inline {
		_, n := d.Head()
		m[n.Sym] = d
	}
	return m
}

// Written returns a name as written: its spelling, without the sigil if it has none in the text.
func (b *Bundle) Written(n Name) string {
	s := b.Spelling(n)
	if !b.Bare[n.Sym] || lex.HasSigil(b.File.Content()[n.Off]) {
		return s
	}
	return s[1:]
}

// AsWritten returns a message with the names of a bundle in the form of muc as they are written.
func (b *Bundle) AsWritten(msg string) string { return lex.AsWritten(msg, b.Syms, b.Bare) }
