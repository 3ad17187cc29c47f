package lang

import (
	"bytes"
	"cmp"
	"slices"
)

// A Builder makes an Index. Tokens are added in the order of the text; names may be added in any.
type Builder struct {
	Src   []byte
	ix    Index
	open  int32           // the innermost open item
	last  uint32          // the end of the last token
	names map[uint32]bool // where names begin; see Has
	block bool            // comments may also be between /* and */
}

// NewBuilder makes a builder for a text. block says that comments may also be between /* and */.
func NewBuilder(src []byte, block bool) *Builder {
	return &Builder{Src: src, open: Global, block: block}
}

// Token says where the next token is, so that the comments in front of it can be found.
func (b *Builder) Token(off, end uint32) {
	for b.last < off {
		gap := b.Src[b.last:off]
		i := bytes.IndexByte(gap, '/')
		if i < 0 || i+1 >= len(gap) {
			break
		}
		start := b.last + uint32(i)
		n := -1
		switch {
		case gap[i+1] == '/':
			if n = bytes.IndexAny(gap[i:], "\r\n"); n < 0 {
				n = len(gap) - i
			}
		case gap[i+1] == '*' && b.block:
			if n = bytes.Index(gap[i+2:], []byte("*/")); n >= 0 {
				n += 4
			}
		}
		if n < 0 {
			break
		}
		stop := start + uint32(n)
		text := bytes.TrimRight(b.Src[start:stop], " \t\v\f")
		b.ix.Words = append(b.ix.Words, Word{start, start + uint32(len(text)), Comment})
		b.last = stop
	}
	b.last = end
}

// Last is the end of the last token.
func (b *Builder) Last() uint32 { return b.last }

// Has reports whether a name begins at an offset, of those added before the first question.
func (b *Builder) Has(off uint32) bool {
	if b.names == nil {
		b.names = make(map[uint32]bool, len(b.ix.Names))
		for i := range b.ix.Names {
			b.names[b.ix.Names[i].Off] = true
		}
	}
	return b.names[off]
}

// Word adds a token that is no name.
func (b *Builder) Word(c Class, off, end uint32) {
	if off < end {
		b.ix.Words = append(b.ix.Words, Word{off, end, c})
	}
}

// Open begins an item, as a part of the innermost open one, and returns its number.
func (b *Builder) Open(k Kind, off uint32) int32 {
	b.ix.Items = append(b.ix.Items, Item{Kind: k, Off: off, End: off, NameOff: off, NameEnd: off, Parent: b.open})
	b.open = int32(len(b.ix.Items) - 1)
	return b.open
}

// Label gives an open item its name.
func (b *Builder) Label(item int32, off, end uint32) {
	it := &b.ix.Items[item]
	it.Name, it.NameOff, it.NameEnd = string(b.Src[off:end]), off, end
}

// Close ends an item, with those that are open in it.
func (b *Builder) Close(item int32, end uint32) {
	for b.open != Global && b.open >= item {
		it := &b.ix.Items[b.open]
		it.End = max(it.End, end, it.NameEnd)
		b.open = it.Parent
	}
}

// Name adds a name. A use is looked up in its scope and in those around it when the index is done.
func (b *Builder) Name(k Kind, def bool, scope int32, key string, off, end uint32) {
	if off < end && int(end) <= len(b.Src) {
		b.ix.Names = append(b.ix.Names, Name{Off: off, End: end, Scope: scope, Kind: k, Def: def, Key: key})
	}
}

// Declare adds a global name that another text may define.
func (b *Builder) Declare(k Kind, key string, off, end uint32) {
	b.Name(k, true, Global, key, off, end)
	b.ix.Names[len(b.ix.Names)-1].Decl = true
}

// Unknown says that the text may have some global names, and that what its names mean is not known.
func (b *Builder) Unknown(keys ...string) {
	if b.ix.Possible == nil {
		b.ix.Possible = map[string]bool{}
	}
	for _, k := range keys {
		b.ix.Possible[k] = true
	}
}

// Done returns the index.
func (b *Builder) Done() *Index {
	b.Close(0, b.last)
	b.Token(uint32(len(b.Src)), uint32(len(b.Src)))
	x := &b.ix
	slices.SortStableFunc(x.Names, func(a, b Name) int { return cmp.Compare(a.Off, b.Off) })
	x.Names = slices.CompactFunc(x.Names, func(a, b Name) bool { return a.Off == b.Off })
	slices.SortFunc(x.Words, func(a, b Word) int { return cmp.Compare(a.Off, b.Off) })
	x.defs = make(map[place]int32, len(x.Names)/4)
	for i := range x.Names {
		n := &x.Names[i]
		if !n.Def {
			continue
		}
		if d, ok := x.defs[place{n.Scope, n.Key}]; !ok || x.Names[d].Decl && !n.Decl {
			x.defs[place{n.Scope, n.Key}] = int32(i)
		}
	}
	for i := range x.Names {
		x.resolve(&x.Names[i])
	}
	return x
}

// resolve looks for the definition of a use. A name that has none stays in the scope where it is used.
func (x *Index) resolve(n *Name) {
	if n.Def {
		return
	}
	for s := n.Scope; ; s = x.Items[s].Parent {
		if d, ok := x.defs[place{s, n.Key}]; ok {
			n.Scope, n.Kind = s, x.Names[d].Kind
			return
		}
		if s == Global {
			return
		}
	}
}
