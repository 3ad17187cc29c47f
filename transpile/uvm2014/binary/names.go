package binary

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// A binding gives an entity a name.
type binding struct {
	off syntax.Off // of its code
	id  uint32
	len uint16
}

// start is where the name of a binding stands: after code, ID and length.
func (b binding) start() int { return int(b.off) + 7 }

func (r *reader) nameOf(b binding) []byte { return r.src[b.start() : b.start()+int(b.len)] }

// bindNames gives entities the names that the bundle binds, and those of their IDs to the
// others. A name that is ill-formed or taken is dropped.
//
// Global names are interned. Local ones are as many as instructions: each has a symbol of
// its own, which defineID has chosen, and the spellings are cut from two strings.
func (r *reader) bindNames() {
	spell := r.syms.Add(r.locals)
	globals, locals := r.bindings()
	if len(locals) > 0 {
		lo := len(r.src) // where names begin
		for _, n := range locals {
			lo = min(lo, n.start())
		}
		r.bindLocals(spell, locals, string(r.src[lo:]), lo)
	}
	var text strings.Builder
	text.Grow(10 * max(r.locals-len(locals), 0))
	var digits [11]byte
	unnamed := func(id uint32, e *entity) {
		if e.kind.local() && spell[r.ordinal(e)] == "" {
			at := text.Len()
			text.WriteByte('%')
			text.Write(strconv.AppendUint(digits[:0], uint64(id), 10))
			spell[r.ordinal(e)] = text.String()[at:]
		}
	}
	if len(locals) < r.locals {
		r.each(unnamed)
	} else { // but for names that were dropped
		for _, n := range locals {
			unnamed(n.id, r.find(n.id))
		}
	}
	r.bindGlobals(globals)
	for _, d := range r.b.Defs {
		id := d.DefHead().ID
		e := r.find(id)
		if e == nil || e.sym != 0 {
			continue
		}
		if known, ok := r.known.ByID(id); ok { // a function that is defined again
			e.sym = r.syms.Intern([]byte(known.Name))
		} else {
			e.sym = r.syms.Intern(strconv.AppendUint(append(digits[:0], '@'), uint64(id), 10))
		}
	}
}

// bindings are the bindings of what the bundle defines, those in functions function by
// function.
func (r *reader) bindings() (globals, locals []binding) {
	fn := func(n binding) int32 { return r.find(n.id).fn }
	locals = r.names[:0]
	sorted, last := true, int32(0)
	for _, n := range r.names {
		switch e := r.find(n.id); {
		case e == nil:
			if _, ok := r.known.ByID(n.id); !ok {
				r.drop(n, "the name %s is bound to ID %d, which is not defined: it is dropped", lex.Quote(r.nameOf(n)), n.id)
			}
		case e.kind.local():
			locals = append(locals, n)
			sorted, last = sorted && e.fn >= last, e.fn
		default:
			globals = append(globals, n)
		}
	}
	if !sorted {
		slices.SortStableFunc(locals, func(a, b binding) int { return cmp.Compare(fn(a), fn(b)) })
	}
	r.names, r.globals = locals, globals
	return globals, locals
}

// bindLocals spells the locals that bindings name. text has the source from lo.
func (r *reader) bindLocals(spell []string, bound []binding, text string, lo int) {
	var t nameTable
	for len(bound) > 0 {
		fn := r.find(bound[0].id).fn
		n := 1
		for n < len(bound) && r.find(bound[n].id).fn == fn {
			n++
		}
		t.clear(n)
		for _, b := range bound[:n] {
			e := r.find(b.id)
			name := text[b.start()-lo:][:b.len]
			if r.wellFormed(b, e) && r.free(b, spell[r.ordinal(e)] == "" && t.add(name, e.kind == block)) {
				spell[r.ordinal(e)] = name
			}
		}
		bound = bound[n:]
	}
}

// bindGlobals names what is not in functions.
func (r *reader) bindGlobals(bound []binding) {
	var taken []bool // by Sym.Index
	for _, b := range bound {
		e := r.find(b.id)
		if !r.wellFormed(b, e) {
			continue
		}
		sym := r.syms.Intern(r.nameOf(b))
		if e.kind == Func && r.redefines(b.id, Func) {
			if known, _ := r.known.ByID(b.id); known.Name != r.syms.String(sym) {
				r.free(b, false)
			}
			continue
		}
		if n := r.syms.Len(); n > len(taken) {
			taken = append(taken, make([]bool, n-len(taken))...)
		}
		if r.free(b, e.sym == 0 && !taken[sym.Index()] && !r.known.HasName(sym)) {
			taken[sym.Index()], e.sym = true, sym
		}
	}
}

func (r *reader) wellFormed(b binding, e *entity) bool {
	ok := wellFormed(r.nameOf(b), e.kind.local())
	if !ok {
		r.drop(b, "the name %s of %s is ill-formed: it is dropped", lex.Quote(r.nameOf(b)), e.kind)
	}
	return ok
}

// free reports whether a name may be given: no other entity has it, and its own has none.
func (r *reader) free(b binding, free bool) bool {
	free = free && !r.isOther(r.nameOf(b), b.id)
	if !free {
		r.drop(b, "the name %s is taken: it is dropped", lex.Quote(r.nameOf(b)))
	}
	return free
}

func (r *reader) drop(n binding, format string, args ...any) {
	r.b.Deviations = append(r.b.Deviations, syntax.Deviation{Off: n.off, Kind: "name", Text: fmt.Sprintf(format, args...)})
}

// ordinal is the number of a local, from 0.
func (r *reader) ordinal(e *entity) int { return e.sym.Index() - r.first.Index() }

// each calls f for all entities, in order of their IDs.
func (r *reader) each(f func(id uint32, e *entity)) {
	for i := range r.ids {
		if e := &r.ids[i]; e.kind != NoKind {
			f(firstID+uint32(i), e)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(r.far)) {
		f(id, r.far[id])
	}
}

// isOther reports whether a name is the one that another ID has when it has none.
func (r *reader) isOther(name []byte, id uint32) bool {
	if name[1] < '1' || name[1] > '9' {
		return false
	}
	n, err := strconv.ParseUint(string(name[1:]), 10, 32)
	if err != nil || uint32(n) == id || r.find(uint32(n)) == nil {
		return false
	}
	if r.bound == nil {
		r.bound = make(map[uint32]bool, len(r.names))
		for _, b := range append(r.globals, r.names...) {
			r.bound[b.id] = true
		}
	}
	return !r.bound[uint32(n)]
}

// inNames has the characters of names.
var inNames = func() (t [256]bool) {
	for c := range t {
		t[c] = 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.'
	}
	return
}()

// wellFormed reports whether a name is one that text can have.
func wellFormed(name []byte, local bool) bool {
	sigil := byte('@')
	if local {
		sigil = '%'
	}
	if len(name) < 2 || name[0] != sigil {
		return false
	}
	for _, c := range name[1:] {
		if !inNames[c] {
			return false
		}
	}
	return true
}

// A nameTable is a set of the names of one function, with labels apart.
type nameTable struct {
	slots []nameSlot
	mask  int
	round int32 // of the slots that count
}

type nameSlot struct {
	name  string
	round int32
	label bool
}

var nameSeed = maphash.MakeSeed()

// clear makes the table empty, with room for n names.
func (t *nameTable) clear(n int) {
	size := 1 << bits.Len(uint(2*n))
	if size > len(t.slots) {
		t.slots, t.round = make([]nameSlot, size), 0
	}
	t.mask = size - 1
	t.round++
}

// add puts a name in, and reports whether it was not there.
func (t *nameTable) add(name string, label bool) bool {
	for i := int(maphash.String(nameSeed, name)); ; i++ {
		s := &t.slots[i&t.mask]
		if s.round != t.round {
			*s = nameSlot{name, t.round, label}
			return true
		}
		if s.name == name && s.label == label {
			return false
		}
	}
}
