package binary

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"iter"
	"math/bits"
	"slices"
	"strconv"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// A binding gives an entity a name.
type binding struct {
	off syntax.Off // of its code
	id  uint32
	len uint16
}

// The bytes of a binding before its name: code, ID and length.
const bindingHead = 7

// A run is a part of the bundle that consists of bindings of what is in one function.
type run struct {
	fn       int
	off, end syntax.Off
}

// bindings walks over name bindings.
func (r *reader) bindings() {
	src, pos, names := r.src, r.pos, r.names
	var last run // of r.runs
	for pos < len(src) && src[pos] == defName {
		if len(src)-pos < bindingHead {
			r.pos = pos
			r.need(bindingHead, "a name binding")
			break
		}
		b := r.bindingAt(syntax.Off(pos))
		end := int(b.end())
		if end > len(src) {
			r.pos = int(b.start())
			r.need(int(b.len), "a name binding")
			break
		}
		switch e := r.find(b.id); {
		case !e.kind().local():
			names = append(double(names), b) // or of what follows
		case e.fn() == last.fn && last.end == b.off:
			last.end = syntax.Off(end)
		default:
			r.addRun(last)
			last = run{e.fn(), b.off, syntax.Off(end)}
		}
		pos = end
	}
	r.addRun(last)
	r.names = names
	if !r.failed {
		r.pos = pos
	}
}

func (r *reader) addRun(n run) {
	if n.fn != 0 {
		r.runs = append(r.runs, n)
	}
}

func (r *reader) bindingAt(off syntax.Off) binding {
	at := r.src[off:][:bindingHead]
	return binding{off, binary.LittleEndian.Uint32(at[1:]), binary.LittleEndian.Uint16(at[5:])}
}

// start is where the name of a binding stands.
func (b binding) start() syntax.Off { return b.off + bindingHead }

// end is where the next one may begin.
func (b binding) end() syntax.Off { return b.start() + syntax.Off(b.len) }

func (r *reader) nameOf(b binding) []byte { return r.src[b.start():b.end()] }

// bindNames gives entities the names that the bundle binds, and those of their IDs to the
// others. A name that is ill-formed or taken is dropped.
//
// Global names are interned here. There are as many local names as instructions, so these are
// only assigned to their functions, see bindLocals.
func (r *reader) bindNames() {
	r.syms.Grow(len(r.b.Defs))
	r.bindGlobals(r.globals())
	r.giveRuns()
	r.nameByIDs()
}

// nameByIDs names by their IDs the definitions that have no name.
func (r *reader) nameByIDs() {
	var names joined
	var ids []uint32
	for _, d := range r.b.Defs {
		id := d.DefHead().ID
		e := r.find(id)
		if e.kind() == NoKind || e.kind().local() || e.sym() != 0 {
			continue
		}
		if known, ok := r.known.ByID(id); ok { // a function that is defined again
			r.enter(id, outside(e.kind(), r.syms.Intern([]byte(known.Name))))
			continue
		}
		names.text = strconv.AppendUint(append(names.text, '@'), uint64(id), 10)
		names.cut()
		ids = append(ids, id)
	}
	for i, name := range names.all() {
		r.enter(ids[i], outside(r.find(ids[i]).kind(), r.syms.InternString(name)))
	}
}

// A joined is a list of names, which are cut from one string: append to text, and cut.
type joined struct {
	text []byte
	ends []int
}

// cut ends a name.
func (j *joined) cut() { j.ends = append(j.ends, len(j.text)) }

// all gives the names with their numbers.
func (j *joined) all() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		text, from := string(j.text), 0
		for i, end := range j.ends {
			if !yield(i, text[from:end]) {
				return
			}
			from = end
		}
	}
}

// globals are the bindings of what is not in functions.
func (r *reader) globals() []binding {
	list := r.names[:0]
	for _, n := range r.names {
		switch e := r.find(n.id); {
		case e.kind().local():
			r.addRun(run{e.fn(), n.off, n.end()})
		case e != 0:
			list = append(list, n)
		default:
			if _, ok := r.known.ByID(n.id); !ok {
				r.drop(n, "the name %s is bound to ID %d, which is not defined: it is dropped", lex.Quote(r.nameOf(n)), n.id)
			}
		}
	}
	r.names = list
	return list
}

// giveRuns gives functions the bindings of what is in them, in the order written.
func (r *reader) giveRuns() {
	if len(r.runs) == 0 {
		return
	}
	order := func(a, b run) int { return cmp.Or(cmp.Compare(a.fn, b.fn), cmp.Compare(a.off, b.off)) }
	if !slices.IsSortedFunc(r.runs, order) {
		slices.SortFunc(r.runs, order)
	}
	low, end := r.runs[0].off, r.runs[0].end
	for rest := r.runs; len(rest) > 0; {
		fn, n := rest[0].fn, 0
		for n < len(rest) && rest[n].fn == fn {
			low, end = min(low, rest[n].off), max(end, rest[n].end)
			n++
		}
		r.fns[fn-1].names, rest = rest[:n], rest[n:]
	}
	r.low, r.high = low, end
}

// makeRoom makes the symbols of what is in functions.
func (r *reader) makeRoom(mode Mode) {
	n := 0
	for i := range r.fns {
		f := &r.fns[i]
		if mode == Whole {
			f.ordinal = n
			n += f.room()
		} else {
			n = max(n, f.room())
		}
	}
	r.first = r.syms.Reserve(n)
	if r.late = mode == Streamed; r.late {
		r.syms.SpellLate(r.first, n, r.spelling)
	}
}

// dense reports whether the IDs in a function are most of those between the least and the
// greatest.
func (f *function) dense() bool { return f.count > 0 && int64(f.hi)-int64(f.lo) < 2*int64(f.count) }

// room is the number of ordinals that a function needs.
func (f *function) room() int {
	if f.dense() {
		return int(f.hi-f.lo) + 1
	}
	return f.count
}

// local is the symbol of what has an ID in the function being read.
func (r *reader) local(id uint32) syntax.Sym { return r.base + syntax.Sym(2*r.ordinal(id)) }

// ordinal is the number of what has an ID in the function being read, from 0.
func (r *reader) ordinal(id uint32) uint32 {
	if r.sparse == nil {
		return id - r.cur.lo
	}
	return r.sparseOrdinal(id)
}

func (r *reader) sparseOrdinal(id uint32) uint32 {
	n, ok := r.sparse[id]
	if !ok {
		n = uint32(len(r.sparse))
		r.sparse[id] = n
		r.sparseIDs = append(r.sparseIDs, id)
	}
	return n
}

// bindLocals binds the names of what is in the function being read.
func (r *reader) bindLocals() {
	f := r.cur
	room := f.room()
	r.base = r.first + syntax.Sym(2*f.ordinal)
	r.sparse = nil
	if !f.dense() {
		r.sparse, r.sparseIDs = make(map[uint32]uint32, f.count), nil
	}
	clear(r.syms.Spellings(r.base, room))
	r.named = slices.Grow(r.named[:0], room)[:room]
	clear(r.named)
	size := 0
	for _, run := range f.names {
		size += int(run.end-run.off) / (bindingHead + 2)
	}
	r.table.clear(size)
	for _, run := range f.names {
		for off := run.off; off < run.end; {
			b := r.bindingAt(off)
			off = b.end()
			name, ordinal, e := r.nameOf(b), r.ordinal(b.id), r.find(b.id)
			hash, ok := scan('%', name)
			switch {
			case !ok:
				r.dropIll(b, e)
			case r.named[ordinal] != 0 || !r.addName(hash, b, nameKey(ordinal, e.kind() == block)) || r.isOther(name, b.id):
				r.dropTaken(b)
			default:
				r.named[ordinal] = b.start()
			}
		}
	}
}

// spelling is how the entity with an ordinal in the function being read is spelled: as the bundle has
// it, or by its ID.
func (r *reader) spelling(ordinal int) string {
	if ordinal >= len(r.named) {
		return "" // of another function
	}
	if at := r.named[ordinal]; at != 0 {
		if r.text == "" {
			r.text = string(r.src[r.low:r.high])
		}
		return r.text[at-r.low:][:r.nameLen(at)]
	}
	id := r.cur.lo + uint32(ordinal)
	if r.sparse != nil {
		id = r.sparseIDs[ordinal]
	}
	r.digits = strconv.AppendUint(append(r.digits[:0], '%'), uint64(id), 10)
	return string(r.digits)
}

// spellAll spells what is in the function that has been read.
func (r *reader) spellAll() {
	spell := r.syms.Spellings(r.base, r.cur.room())
	for i := range spell {
		if r.sparse == nil || i < len(r.sparseIDs) {
			spell[i] = r.spelling(i)
		}
	}
}

// nameLen is the length of the name at a place, which is that of its binding.
func (r *reader) nameLen(at syntax.Off) int {
	return int(binary.LittleEndian.Uint16(r.src[at-2:]))
}

// bindGlobals names what is not in functions.
func (r *reader) bindGlobals(bound []binding) {
	var names joined
	for _, b := range bound {
		name := r.nameOf(b)
		if _, ok := scan('@', name); ok {
			names.text = append(names.text, name...)
		}
		names.cut()
	}
	var taken []bool // by Sym.Index
	for i, name := range names.all() {
		b := bound[i]
		e := r.find(b.id)
		if name == "" {
			r.dropIll(b, e)
			continue
		}
		sym := r.syms.InternString(name)
		if e.kind() == Func && r.redefines(b.id, Func) {
			if known, _ := r.known.ByID(b.id); known.Name != r.syms.String(sym) {
				r.dropTaken(b)
			}
			continue
		}
		if n := r.syms.Len(); n > len(taken) {
			taken = append(taken, make([]bool, n-len(taken))...)
		}
		if e.sym() != 0 || taken[sym.Index()] || r.known.HasName(sym) || r.isOther(r.nameOf(b), b.id) {
			r.dropTaken(b)
			continue
		}
		taken[sym.Index()] = true
		r.enter(b.id, outside(e.kind(), sym))
	}
}

func (r *reader) dropIll(b binding, e entity) {
	r.drop(b, "the name %s of %s is ill-formed: it is dropped", lex.Quote(r.nameOf(b)), e.kind())
}

func (r *reader) dropTaken(b binding) {
	r.drop(b, "the name %s is taken: it is dropped", lex.Quote(r.nameOf(b)))
}

func (r *reader) drop(n binding, format string, args ...any) {
	r.b.Deviations = append(r.b.Deviations, syntax.Deviation{Off: n.off, Kind: "name", Text: fmt.Sprintf(format, args...)})
}

// isOther reports whether a name is the one that another ID has when it has none.
func (r *reader) isOther(name []byte, id uint32) bool {
	return '1' <= name[1] && name[1] <= '9' && r.isOtherID(string(name[1:]), id)
}

func (r *reader) isOtherID(digits string, id uint32) bool {
	n, err := strconv.ParseUint(digits, 10, 32)
	if err != nil || uint32(n) == id || r.find(uint32(n)) == 0 {
		return false
	}
	if r.bound == nil {
		r.bound = map[uint32]bool{}
		for _, b := range r.names {
			r.bound[b.id] = true
		}
		for _, run := range r.runs {
			for off := run.off; off < run.end; off = r.bindingAt(off).end() {
				r.bound[r.bindingAt(off).id] = true
			}
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

// scan reports whether a name is one that text can have, and hashes it.
func scan(sigil byte, name []byte) (hash uint64, ok bool) {
	if len(name) < 2 || name[0] != sigil {
		return 0, false
	}
	for i := 1; i < len(name); i++ {
		if !inNames[name[i]] {
			return 0, false
		}
		hash = (hash + uint64(name[i])) * factor
	}
	return hash, true
}

// factor of hashes is another one in each run, so that no bundle can be made of names that have
// the same hash.
var factor = maphash.String(maphash.MakeSeed(), "") | 1

// A nameTable is a set of the names of one function, with labels apart. It knows names by the
// ordinals of what they are bound to.
type nameTable struct {
	slots []nameSlot // a power of two
	shift int        // of a hash, to the place where its name is searched first
}

// A nameSlot has no pointer: one is written for each name, and a pointer would cost a write barrier.
type nameSlot struct {
	hash uint32 // its low bits
	key  uint32 // nameKey; 0 if the slot is free
}

// nameKey is never 0. There are fewer ordinals than bytes in a bundle, which fit 32 bits many times.
func nameKey(ordinal uint32, label bool) uint32 {
	key := 2*ordinal + 2
	if label {
		key++
	}
	return key
}

// clear makes the table empty, with room for n names.
func (t *nameTable) clear(n int) {
	width := bits.Len(uint(2 * n))
	t.shift = 64 - width
	if 1<<width > cap(t.slots) {
		t.slots = make([]nameSlot, 1<<width)
	} else {
		t.slots = t.slots[:1<<width]
		clear(t.slots)
	}
}

// addName puts the name of a binding in the table, and reports whether it was not there.
func (r *reader) addName(hash uint64, b binding, key uint32) bool {
	t := &r.table
	added := nameSlot{uint32(hash), key}
	mask := uint64(len(t.slots) - 1)
	for i := hash >> t.shift; ; i++ {
		s := &t.slots[i&mask]
		if s.key == 0 {
			*s = added
			return true
		}
		if s.hash == added.hash && (s.key^key)&1 == 0 {
			at := r.named[s.key/2-1] // 0 if the name was dropped
			if at != 0 && string(r.src[at:][:r.nameLen(at)]) == string(r.nameOf(b)) {
				return false
			}
		}
	}
}
