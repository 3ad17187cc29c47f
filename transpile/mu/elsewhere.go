package mu

import (
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// A localPlace is where the function being checked has a name: that of a variable or instruction of a block.
type localPlace struct {
	block int
	full  string
	inst  bool // the name of an instruction, not of a result
}

// elsewhere finds what an unknown name means that is spelled in a way that does not reach it: a full name, with or without
// the version, or the end of one, with any sigil. It finds the first place of several.
func (b *body) elsewhere(name string) (localPlace, bool) {
	if b.places == nil {
		b.places = map[string]localPlace{}
		for i := range b.d.Blocks {
			blk := &b.d.Blocks[i]
			block := b.expand(b.v.Name, blk.Name)
			names(blk, func(n syntax.Name) { b.addPlace(localPlace{i, b.expand(block, n), false}, b.name(n)) })
			for k := range blk.Insts {
				if n := blk.Insts[k].Name; !n.IsZero() {
					b.addPlace(localPlace{i, b.expand(block, n), true}, b.name(n))
				}
			}
		}
	}
	if p, ok := b.places[ir.FullName(b.expand(b.v.Name, b.blk.Name), "%"+name[1:])[1:]]; ok { // of this block
		return p, true
	}
	p, ok := b.places[name[1:]]
	return p, ok
}

// addPlace enters a place under its spellings, without sigils.
func (b *body) addPlace(p localPlace, local string) {
	for _, s := range b.spellings(p.full) {
		if known, ok := b.places[s]; !ok || p.inst && known.full == p.full {
			b.places[s] = p
		}
	}
	if _, ok := b.places[local[1:]]; !ok {
		b.places[local[1:]] = p
	}
}

// spellings are the full name of something in the version being checked, the same without the version, and its ends that
// begin with the version and after it, all without sigils.
func (b *body) spellings(full string) []string {
	list := []string{full[1:]}
	rest, ok := strings.CutPrefix(full, b.v.Name+".")
	if !ok {
		return list
	}
	function := b.name(b.d.Name)[1:]
	version := b.v.Name[strings.LastIndexByte(b.v.Name, '.')+1:]
	return append(list, function+"."+rest, version+"."+rest, rest)
}

// blockElsewhere finds the full name of the block that an unknown destination means, spelled in such a way; "" if there
// is none.
func (b *body) blockElsewhere(name string) string {
	if b.blocks == nil {
		b.blocks = map[string]string{}
		for i := range b.d.Blocks {
			full := b.expand(b.v.Name, b.d.Blocks[i].Name)
			for _, s := range b.spellings(full) {
				b.blocks[s] = full
			}
		}
	}
	return b.blocks[name[1:]]
}

// maxOther is the length of names that ofOther looks at, in bytes.
const maxOther = 1000

// ofOther says that a full name is one of another function, "" if it is not.
func (b *body) ofOther(name, what string) string {
	for i := len(name); len(name) < maxOther; {
		if i = strings.LastIndexByte(name[:i], '.'); i < 0 {
			return ""
		}
		if e := b.find(b.syms.Lookup(name[:i])); e != nil && e.kind == entFunc && name[:i] != b.name(b.d.Name) {
			return ": " + what + " of " + name[:i] + " exist only in that function"
		}
	}
	return ""
}
