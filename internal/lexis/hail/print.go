package hail

import (
	"bufio"
	"io"
)

// Fprint writes the tree as a script in a plain normal form: one definition per
// line, no comments. It parses back to the same tree except for positions.
func Fprint(w io.Writer, s *Script) error {
	p := &printer{w: bufio.NewWriter(w), s: s}
	for i := range s.Defs {
		d := &s.Defs[i]
		p.put(d.Kind.String(), " ")
		switch d.Kind {
		case New, NewHybrid:
			p.put(s.Spelling(d.Name), " <", s.Spelling(d.Type), ">")
			if d.Kind == NewHybrid {
				p.put(" ")
				p.value(d.Len)
			}
		case Init:
			p.location(d.Left)
			p.put(" = ")
			p.value(d.Right)
		}
		p.put("\n")
	}
	return p.w.Flush()
}

// A printer writes one script. Write errors stay in the bufio.Writer.
type printer struct {
	w *bufio.Writer
	s *Script
}

func (p *printer) put(strs ...string) {
	for _, s := range strs {
		p.w.WriteString(s)
	}
}

func (p *printer) location(l Location) {
	p.put(p.s.Spelling(l.Base))
	for _, v := range p.s.Index(l) {
		p.put("[")
		p.value(v)
		p.put("]")
	}
}

func (p *printer) value(v Value) {
	switch v.Kind {
	case Global, Object:
		p.put(p.s.Spelling(p.s.Name(v)))
	case Int:
		l := p.s.Int(v)
		p.put(p.s.Text(l.Off, l.End))
	case FP:
		switch l := p.s.FP(v); {
		case l.Bits == nil:
			p.put(p.s.Text(l.Off, l.End))
		case l.Double:
			p.put("bitsd(", p.s.Text(l.Bits.Off, l.Bits.End), ")")
		default:
			p.put("bitsf(", p.s.Text(l.Bits.Off, l.Bits.End), ")")
		}
	case Null:
		p.put("NULL")
	case Addr:
		p.put("&")
		p.location(*p.s.Loc(v))
	case Copy:
		p.put("*")
		p.location(*p.s.Loc(v))
	case List:
		p.put("{")
		for i, e := range p.s.List(v) {
			if i > 0 {
				p.put(" ")
			}
			p.value(e)
		}
		p.put("}")
	}
}
