package syntax

import (
	"bytes"
	"hash/maphash"
	"slices"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// Bundles write the same few types, signatures and literals in place again and again. For equal
// text the parser makes one node, if the text has no error and no form of older bundles.

// A memo finds the node that was made from a text. It is a cache: it may have lost the node.
type memo[T any] struct {
	slots [1 << 10]struct {
		text []byte
		node *T
	}
}

var memoSeed = maphash.MakeSeed()

// node returns the place for the node of a text, which is nil if there is none yet.
func (m *memo[T]) node(text []byte) **T {
	s := &m.slots[maphash.Bytes(memoSeed, text)%uint64(len(m.slots))]
	if !bytes.Equal(s.text, text) {
		s.text, s.node = text, nil
	}
	return &s.node
}

// node begins a node at the current token.
func (p *parser) node() Node {
	p.nodes++
	return Node{Num: p.nodes, At: p.Tok.Off}
}

// plainByte has the characters of types and signatures on one line, without comments and
// commas.
var plainByte = func() (t [256]bool) {
	for c := range 128 {
		t[c] = c == ' ' || c > ' ' && c != ',' && c != '/' && c != '"'
	}
	return
}()

// maxShared is the longest text that is shared, in bytes: longer ones are rare, and texts inside them would be
// scanned repeatedly.
const maxShared = 256

// close returns the offset of the bracket that closes the one before i, 0 if the text between
// them is not plain, or too long.
func (p *parser) close(i Off) Off {
	depth := 1
	for end := min(i+maxShared, Off(len(p.Src))); i < end && plainByte[p.Src[i]]; i++ {
		switch p.Src[i] {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return 0
}

// sharedType reads the type constructor at the current token.
func (p *parser) sharedType() Type {
	end := p.Tok.End
	if k := TypeInt + TypeKind(p.Kw-kwType); k.hasParts() {
		if end = 0; p.Tok.End < Off(len(p.Src)) && p.Src[p.Tok.End] == '<' {
			if end = p.close(p.Tok.End + 1); end > 0 {
				end++
			}
		}
	}
	at := Name{Off: p.Tok.Off}
	return Type{at, share(p, &p.sharedTypes, end, p.typeCtor)}
}

// sharedSig reads the constructor of a signature in angle brackets, after the opening one.
func (p *parser) sharedSig() Sig {
	at := Name{Off: p.Tok.Off}
	return Sig{at, share(p, &p.sharedSigs, p.close(p.Tok.Off), p.sigCtor)}
}

// sharedConst reads the constant constructor at the current token.
func (p *parser) sharedConst() Value {
	at := Name{Off: p.Tok.Off}
	end := Off(0)
	if p.Tok.Kind == lex.Int || p.Tok.Kind == lex.FP {
		end = p.Tok.End
	}
	return Value{at, share(p, &p.literals, end, p.constCtor)}
}

// share reads a node that, if end is not 0, ends before end and may be shared with other places.
func share[T any](p *parser, m *memo[T], end Off, read func() *T) *T {
	if end == 0 || p.depth > 0 {
		return read()
	}
	known := m.node(p.Src[p.Tok.Off:end])
	if *known != nil {
		p.Scan.SeekTo(end)
		p.Next()
		return *known
	}
	errors, _ := p.Errors()
	devs := len(p.b.Deviations)
	n := read()
	if now, _ := p.Errors(); now == errors && !p.Failed && len(p.b.Deviations) == devs && p.Tok.Off >= end {
		*known = n
	}
	return n
}

// Here returns a type whose parts have positions at this place, which need not be the first place of its
// constructor. Parts of parts have the positions of their own first place.
func (t Type) Here() Type {
	if t.Num == 0 || t.Off == t.At {
		return t
	}
	by := t.Off - t.At
	c := *t.TypeCtor
	c.At = t.Off
	if c.Len != nil {
		l := *c.Len
		l.Off += by
		l.End += by
		c.Len = &l
	}
	c.Args = move(c.Args, by)
	c.Sig.Off += by
	return Type{t.Name, &c}
}

// Here is the same for a signature.
func (s Sig) Here() Sig {
	if s.Num == 0 || s.Off == s.At {
		return s
	}
	by := s.Off - s.At
	c := *s.SigCtor
	c.At = s.Off
	c.Ret.Off += by
	c.Params = move(c.Params, by)
	return Sig{s.Name, &c}
}

// move returns types whose places are moved by a distance.
func move(list []Type, by Off) []Type {
	list = slices.Clone(list)
	for i := range list {
		list[i].Off += by
	}
	return list
}
