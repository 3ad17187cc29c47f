package syntax

import (
	"bytes"
	"hash/maphash"
	"slices"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// Bundles write the same few types, signatures and literals out again and again. Of equal
// text the parser makes one node, if no error and no form of older bundles is in it.

// A memo finds the node that was made of a text. It may have forgotten it.
type memo[T any] struct {
	slots [1 << 10]struct {
		text []byte
		node *T
	}
}

var memoSeed = maphash.MakeSeed()

// node returns the place for the node of a text, which is empty if there is none yet.
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

// plainByte has the characters of types and signatures that stand on one line without
// comments and commas.
var plainByte = func() (t [256]bool) {
	for c := range 128 {
		t[c] = c == ' ' || c > ' ' && c != ',' && c != '/' && c != '"'
	}
	return
}()

// maxShared is the longest text that is shared: longer ones are rare, and those in them would be gone through again.
const maxShared = 256

// close returns the place of the bracket that closes the one before i, 0 if what is between
// them is not plain, or long.
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

// sharedSig reads the constructor of a signature, in angle brackets of which one is open.
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

// share reads a node that ends before end, if that is not 0, and may stand at other places, too.
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

// Here returns a type whose parts have the positions of this place, which need not be the first one of
// its constructor. Parts of parts have those of their own first place.
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

// move gives types places that are farther by a distance.
func move(list []Type, by Off) []Type {
	list = slices.Clone(list)
	for i := range list {
		list[i].Off += by
	}
	return list
}
