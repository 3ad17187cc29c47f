package lex

import (
	"hash/maphash"
	"slices"
)

// Symbols is a table of interned spellings. It may be shared by all the
// bundles and scripts of one run, but not by goroutines.
type Symbols struct {
	names []string // by Sym.Index; "" for one that late spells
	slots []symSlot
	used  int
	late  []lateRange
}

// A lateRange is a range of Syms that are spelled when their spelling is asked for.
type lateRange struct {
	first, end int // by Index
	spell      func(i int) string
}

// A symSlot is a place of the hash table. A spelling stands in the first free one from
// that of its hash on; at most half are taken. Unlike those of a map, the hashes are kept,
// so to grow needs no spelling.
type symSlot struct {
	hash uint32
	sym  Sym // 0: free
}

// seed is that of all tables. The order of slots shows nowhere.
var seed = maphash.MakeSeed()

// NewSymbols makes an empty table.
func NewSymbols() *Symbols {
	return &Symbols{names: make([]string, 1, 1024), slots: make([]symSlot, 2048)}
}

// Len gives one more than the greatest Index in use.
func (t *Symbols) Len() int { return len(t.names) }

// Intern gives the Sym of a spelling, which must not be empty.
func (t *Symbols) Intern(spelling []byte) Sym {
	hash := uint32(maphash.Bytes(seed, spelling))
	s := t.slot(hash, func(name string) bool { return name == string(spelling) })
	if s.sym != 0 {
		return s.sym
	}
	return t.add(s, hash, string(spelling))
}

// InternString is Intern of a string, which the table keeps.
func (t *Symbols) InternString(spelling string) Sym {
	hash := uint32(maphash.String(seed, spelling))
	s := t.slot(hash, func(name string) bool { return name == spelling })
	if s.sym != 0 {
		return s.sym
	}
	return t.add(s, hash, spelling)
}

// add makes a Sym of a new spelling, in the slot where it belongs.
func (t *Symbols) add(s *symSlot, hash uint32, spelling string) Sym {
	sym := t.next(spelling[0] == '%')
	t.names = append(t.names, spelling)
	*s = symSlot{hash, sym}
	if t.used++; 2*t.used > len(t.slots) {
		t.grow(2 * len(t.slots))
	}
	return sym
}

// Grow makes room for n new spellings, so that Intern need not.
func (t *Symbols) Grow(n int) {
	t.names = slices.Grow(t.names, n)
	size := len(t.slots)
	for size < 2*(t.used+n) {
		size *= 2
	}
	if size > len(t.slots) {
		t.grow(size)
	}
}

// slot is the place of the spelling with a hash for which is holds, or where it belongs.
func (t *Symbols) slot(hash uint32, is func(name string) bool) *symSlot {
	for i := int(hash); ; i++ {
		s := &t.slots[i&(len(t.slots)-1)]
		if s.sym == 0 || s.hash == hash && is(t.names[s.sym.Index()]) {
			return s
		}
	}
}

func (t *Symbols) grow(size int) {
	old := t.slots
	t.slots = make([]symSlot, size)
	for _, s := range old {
		if s.sym != 0 {
			*t.slot(s.hash, func(string) bool { return false }) = s
		}
	}
}

// Lookup gives the Sym of a spelling, 0 if it does not occur.
func (t *Symbols) Lookup(spelling string) Sym {
	return t.slot(uint32(maphash.String(seed, spelling)), func(name string) bool { return name == spelling }).sym
}

// Reserve makes n Syms of local names that Intern and Lookup do not find, for names that numbers
// tell apart. It gives the first; the others follow it, 2 apart. See Spellings.
func (t *Symbols) Reserve(n int) Sym {
	first := t.next(true)
	t.names = append(slices.Grow(t.names, n+n/8), make([]string, n)...) // others follow
	return first
}

// Spellings gives those of n Syms that Reserve has made, from first on. They may be changed, until
// the next call of Intern or Reserve.
func (t *Symbols) Spellings(first Sym, n int) []string { return t.names[first.Index():][:n] }

// SpellLate has String spell those of n Syms that Reserve has made, from first on, that have no spelling; i is the
// number of one among them, from 0.
func (t *Symbols) SpellLate(first Sym, n int, spell func(i int) string) {
	t.late = append(t.late, lateRange{first.Index(), first.Index() + n, spell})
}

// next gives the Sym that the next new spelling will have.
func (t *Symbols) next(local bool) Sym {
	s := Sym(len(t.names) << 1)
	if local {
		s |= 1
	}
	return s
}

// String gives the spelling of s, sigil included.
func (t *Symbols) String(s Sym) string {
	if name := t.names[s.Index()]; name != "" {
		return name
	}
	return t.spellLate(s.Index())
}

func (t *Symbols) spellLate(i int) string {
	for _, r := range t.late {
		if r.first <= i && i < r.end {
			t.names[i] = r.spell(i - r.first)
		}
	}
	return t.names[i]
}
