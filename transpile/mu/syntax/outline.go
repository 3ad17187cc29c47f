package syntax

import (
	"bytes"

	"github.com/uvm2go/uvm2go/internal/lexis/decl"
	"github.com/uvm2go/uvm2go/transpile/diag"
)

// An Outline is a bundle whose function bodies are read one at a time, each into the memory of the one before: the
// tree of a body takes several times as much memory as its text. It is for bundles without syntax errors. If there
// are any, Parse reports them. Bundles in the form of muc are not read in this way: types and constants in their bodies
// are definitions, which must be known before.
type Outline struct {
	*Bundle
	bodies *parser // reads bodies
}

// ReadOutline reads a bundle without its bodies. It reports whether there were no errors.
func ReadOutline(file *diag.File, syms *Symbols, mode Mode) (*Outline, bool) {
	p := newParser(file, syms, dialect, mode)
	p.Body = p.outline
	p.Bundle()
	p.b.Defs = p.Defs
	return &Outline{Bundle: p.b, bodies: newParser(file, syms, dialect, mode)}, !p.Bad
}

// outline makes the definition of a function without reading its body.
func (p *parser) outline(h decl.FuncHead, body bool) Def {
	d := &FuncDef{FuncHead: h}
	if !body {
		return d
	}
	end, ok := closing(p.Src, int(h.Open)+1)
	p.Bad = p.Bad || !ok
	d.Close = Off(end)
	p.Scan.SeekTo(d.Close)
	p.Next() // the brace
	p.Next()
	return d
}

// closing finds the brace that closes the body that begins at i. Without one it gives the end of the text, and false.
// It counts braces outside of comments; no body has strings.
func closing(src []byte, i int) (end int, ok bool) {
	end = i + bytes.IndexByte(src[i:], '}')
	if end < i {
		return len(src), false
	}
	if body := src[i:end]; bytes.IndexByte(body, '{') < 0 && bytes.IndexByte(body, '/') < 0 {
		return end, true
	}
	for depth := 1; i < len(src); i++ {
		switch src[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i, true
			}
		case '/':
			if i+1 < len(src) && src[i+1] == '/' {
				for i < len(src) && src[i] != '\n' && src[i] != '\r' {
					i++
				}
			}
		}
	}
	return len(src), false
}

// Read reads the blocks of a function of the bundle, which are valid until the next call. It reports whether there were
// no errors.
func (o *Outline) Read(d *FuncDef) bool {
	p, end := o.bodies, d.Close
	p.Forget()
	p.destSlab.Reset()
	p.paramSlab.Reset()
	p.instSlab.Reset()
	p.blockSlab.Reset()
	p.extSlab.Reset()
	p.Scan.SeekTo(d.Open + 1)
	p.Next()
	p.body(d)
	return !p.Bad && d.Close == end
}
