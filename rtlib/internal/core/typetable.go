package core

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// Types that are made at run time: those of values that a client makes, and those that text
// declares (docs/client.md, "Loading text"). As in the tables of the translator, equal types are
// one VType, so that == is type equality (docs/language.md, "Types").

// typeTable holds the types of the program, each once.
type typeTable struct {
	mu     sync.Mutex
	single map[VKind]*VType  // of kinds without parameters; guarded by mu
	ints   map[uint32]*VType // guarded by mu
	to     map[typeTo]*VType // of kinds with one type as their parameter; guarded by mu
	all    []*VType          // guarded by mu

	// What finds equal types, made when it is first needed, of all[:len(hashes)].
	hashes map[*VType][rounds]uint64 // guarded by mu
	like   map[uint64][]*VType       // those on cycles, by the last hash; guarded by mu
	exact  map[string]*VType         // by their parts; guarded by mu
}

// typeTo is a type by its parts.
type typeTo struct {
	kind VKind
	elem *VType
}

var theTypes types

// types is the table and how far it has come.
type types struct {
	now atomic.Pointer[typeTable]

	mu    sync.Mutex
	taken int // packages whose types are in the table; guarded by mu
}

// typesOf returns the table, made when it is first needed.
func typesOf() *typeTable {
	if tt := theTypes.now.Load(); tt != nil {
		return tt
	}
	return theTypes.take()
}

// take adds the types of the programs that were linked.
func (t *types) take() *typeTable {
	t.mu.Lock()
	defer t.mu.Unlock()
	tt := t.now.Load()
	if tt == nil {
		tt = newTypeTable()
	}
	tt.mu.Lock()
	for ; t.taken < len(packages); t.taken++ {
		tt.take(packages[t.taken])
	}
	tt.mu.Unlock()
	t.now.Store(tt)
	return tt
}

func newTypeTable() *typeTable {
	return &typeTable{single: map[VKind]*VType{}, ints: map[uint32]*VType{}, to: map[typeTo]*VType{},
		hashes: map[*VType][rounds]uint64{}, like: map[uint64][]*VType{}, exact: map[string]*VType{}}
}

// take adds the types of a program. Those that the table has already are replaced in the
// tables of the program, so that equal types of several packages are one. The caller holds
// the lock.
func (tt *typeTable) take(p *Program) {
	var list, work []*VType
	seen := map[*VType]bool{}
	p.eachType(func(at **VType) { work = append(work, *at) })
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if v == nil || seen[v] {
			continue
		}
		seen[v] = true
		list = append(list, v)
		v.eachPart(func(p *VType) { work = append(work, p) })
	}
	if len(tt.all) == 0 { // a program has each type once
		for _, v := range list {
			tt.add(v)
		}
		return
	}
	reps, fresh := tt.merge(list)
	for _, v := range fresh {
		tt.add(v)
	}
	rep := make(map[*VType]*VType, len(list))
	for i, v := range list {
		rep[v] = reps[i]
	}
	p.eachType(func(at **VType) { *at = rep[*at] })
}

// eachType calls f for the places where a program that tells about its entities refers to types.
func (p *Program) eachType(f func(at **VType)) {
	all := func(l []*VType) {
		for i := range l {
			f(&l[i])
		}
	}
	if p.Entities == nil {
		return // its types are not complete
	}
	for i := range p.Entities {
		e := &p.Entities[i]
		f(&e.Type)
		f(&e.Pointer)
		all(e.Params)
		all(e.Results)
	}
	keep := func(l []KeepVar) { // their types may have no name
		for i := range l {
			f(&l[i].Type)
		}
	}
	for i := range p.Frames {
		keep(p.Frames[i].Keep)
	}
	for i := range p.Sites {
		keep(p.Sites[i].Keep)
	}
}

// add enters a type. The caller holds the lock.
func (tt *typeTable) add(v *VType) {
	tt.all = append(tt.all, v)
	switch v.Kind {
	case VInt:
		tt.ints[v.Bits] = v
	case VRef, VIRef, VWeakRef, VUPtr, VFuncRef, VUFuncPtr:
		tt.to[typeTo{v.Kind, v.Elem}] = v
	case VStruct, VHybrid, VArray, VVector, VSig:
	default:
		tt.single[v.Kind] = v
	}
}

// derive returns the type that find finds. If there is none it makes and completes what is new.
func (tt *typeTable) derive(find, fresh func() *VType) *VType {
	tt.mu.Lock()
	defer tt.mu.Unlock()
	if old := find(); old != nil {
		return old
	}
	n := fresh()
	n.lay()
	// Without a descriptor, which cannot be for lack of memory alone, no objects can be made.
	if g := n.descriptor(); gc.RegisterTypes([]*Type{g}) == nil {
		n.GC = g
	}
	tt.add(n)
	return n
}

// TypeTo returns the type of references or pointers of a kind to another type.
func TypeTo(kind VKind, elem *VType) *VType {
	tt := typesOf()
	return tt.derive(func() *VType { return tt.to[typeTo{kind, elem}] }, func() *VType { return &VType{Kind: kind, Elem: elem} })
}

// IntType returns the type of integers.
func IntType(bits uint32) *VType {
	tt := typesOf()
	return tt.derive(func() *VType { return tt.ints[bits] }, func() *VType { return &VType{Kind: VInt, Bits: bits} })
}

// SimpleType returns the type of a kind without parameters.
func SimpleType(kind VKind) *VType {
	tt := typesOf()
	return tt.derive(func() *VType { return tt.single[kind] }, func() *VType { return &VType{Kind: kind} })
}

// The layout (docs/language.md, "Types"), as package layout of the translator has it for all
// machines.

// tooBig is what sizes that overflow become: more than any object has.
const tooBig = ^uintptr(0) >> 4

func mulSat(a uintptr, n uint64) uintptr {
	hi, lo := bits.Mul64(uint64(a), n)
	if hi != 0 || lo > uint64(tooBig) {
		return tooBig
	}
	return uintptr(lo)
}

func alignUp(n, a uintptr) uintptr { return (n + a - 1) &^ (a - 1) }

// align is the alignment of a type that is laid out.
func (v *VType) align() uintptr {
	switch v.Kind {
	case VStruct, VHybrid:
		a := uintptr(1)
		for _, f := range v.Fields {
			a = max(a, f.align())
		}
		if v.Kind == VHybrid {
			a = max(a, v.Elem.align())
		}
		return a
	case VArray:
		return v.Elem.align()
	case VVoid:
		return 1
	}
	return v.Size
}

// sequence lays out the fields and returns the end of the last.
func (v *VType) sequence() (end uintptr) {
	v.Offsets = make([]uintptr, len(v.Fields))
	for i, f := range v.Fields {
		v.Offsets[i] = alignUp(end, f.align())
		end = min(v.Offsets[i]+f.Size, tooBig)
	}
	return end
}

// lay fills in the layout, when the members have theirs.
func (v *VType) lay() {
	switch v.Kind {
	case VVoid, VSig:
	case VInt:
		v.Size = 1
		for v.Size*8 < uintptr(v.Bits) {
			v.Size *= 2
		}
	case VFloat:
		v.Size = 4
	case VDouble, VTagRef64:
		v.Size = 8
	case VStruct:
		v.Size = alignUp(v.sequence(), v.align())
	case VHybrid:
		v.sequence()
		v.Stride = v.Elem.Size
	case VArray:
		v.Stride = v.Elem.Size
		v.Size = mulSat(v.Stride, v.Len)
	case VVector:
		v.Stride = v.Elem.Size
		v.Size = mulSat(v.Stride, v.Len)
		for n := uintptr(1); ; n *= 2 {
			if n >= v.Size {
				v.Size = n
				break
			}
		}
	default:
		v.Size = mem.WordSize
	}
}

// fixedSize is the size of an object without variable part.
func (v *VType) fixedSize() uintptr {
	if v.Kind != VHybrid {
		return v.Size
	}
	end := uintptr(0)
	if n := len(v.Fields); n > 0 {
		end = v.Offsets[n-1] + v.Fields[n-1].Size
	}
	return alignUp(end, v.Elem.align())
}

// descriptor makes the collector's descriptor of a type that is laid out.
func (v *VType) descriptor() *Type {
	g := &Type{Name: v.String(), Size: v.fixedSize(), Align: v.align(), Shape: v.shape()}
	if v.Kind == VHybrid {
		g.VarStride, g.VarShape = v.Stride, v.Elem.shape()
	}
	return g
}

// kindWords are the constructors.
var kindWords = [...]string{
	VVoid: "void", VInt: "int", VFloat: "float", VDouble: "double", VUPtr: "uptr", VUFuncPtr: "ufuncptr", VRef: "ref",
	VIRef: "iref", VWeakRef: "weakref", VTagRef64: "tagref64", VFuncRef: "funcref", VStackRef: "stackref",
	VThreadRef: "threadref", VCursorRef: "framecursorref", VNodeRef: "irnoderef", VStruct: "struct", VArray: "array",
	VVector: "vector", VHybrid: "hybrid", VSig: "funcsig",
}

// shape lists the traced words of a type that is laid out.
func (v *VType) shape() (s Shape) {
	one := func(k SlotKind) Shape { return Shape{Slots: []Slot{{Kind: k}}} }
	switch v.Kind {
	case VRef, VStackRef, VThreadRef, VCursorRef, VNodeRef:
		return one(SlotRef)
	case VIRef:
		return one(SlotIRef)
	case VWeakRef:
		return one(SlotWeak)
	case VTagRef64:
		return one(SlotTag)
	case VStruct, VHybrid:
		for i, f := range v.Fields {
			sub := f.shape()
			for _, x := range sub.Slots {
				s.Slots = append(s.Slots, Slot{Off: v.Offsets[i] + x.Off, Kind: x.Kind})
			}
			for _, x := range sub.Reps {
				x.Off += v.Offsets[i]
				s.Reps = append(s.Reps, x)
			}
		}
	case VArray, VVector:
		if sub := v.Elem.shape(); len(sub.Slots)+len(sub.Reps) > 0 {
			// Of arrays that are too big for any memory, as many as their size says.
			s.Reps = []Rep{{Count: uintptr(min(v.Len, uint64(v.Size/v.Stride))), Stride: v.Stride, Shape: &sub}}
		}
	}
	return s
}

// Equality. New types are a graph whose nodes refer to each other and to types of the table.
// Types are equal when no path of parameters tells them apart. A hash of what is rounds steps
// away finds candidates; comparing two assumes that a pair met again is equal.

// rounds is how far the hash of a type looks.
const rounds = 5

func combineHash(h, x uint64) uint64 { return (bits.RotateLeft64(h, 5) ^ x) * 0x9E3779B97F4A7C15 }

// rehash computes the hashes of some types from the first round to the last.
func (tt *typeTable) rehash(list []*VType) {
	for r := range rounds {
		for _, v := range list {
			h := combineHash(combineHash(combineHash(uint64(v.Kind), uint64(v.Bits)), v.Len), uint64(len(v.Fields)))
			part := func(p *VType) {
				if r > 0 && p != nil {
					h = combineHash(h, tt.hashes[p][r-1])
				}
			}
			part(v.Elem)
			for _, f := range v.Fields {
				part(f)
			}
			h = combineHash(h, uint64(len(v.Results)))
			for _, f := range v.Results {
				part(f)
			}
			all := tt.hashes[v]
			all[r] = h
			tt.hashes[v] = all
		}
	}
}

// index makes the types of the table findable: those on cycles by hash, because nothing else is
// equal to a type on a cycle, all others by their parts.
func (tt *typeTable) index() {
	list := tt.all[len(tt.hashes):]
	if len(list) == 0 {
		return
	}
	tt.rehash(list)
	among := make(map[*VType]*VType, len(list))
	for _, v := range list {
		among[v] = v
		tt.exact[v.parts()] = v
	}
	for _, group := range groups(list, among) {
		if len(group) > 1 || group[0].refersTo(group[0]) {
			for _, v := range group {
				h := tt.hashes[v][rounds-1]
				tt.like[h] = append(tt.like[h], v)
			}
		}
	}
}

// merging finds which of some new types are equal to others.
type merging struct {
	tt  *typeTable
	rep map[*VType]*VType // of new types: itself or an equal one
}

func (m *merging) find(v *VType) *VType {
	r := v
	for {
		n, ok := m.rep[r]
		if !ok || n == r {
			break
		}
		r = n
	}
	for v != r {
		v, m.rep[v] = m.rep[v], r
	}
	return r
}

// merge returns for each of some new types the one that stands for it: of the table, or the
// first of equal new ones, with its parts changed likewise. Those last ones are in fresh. The
// caller holds the lock, and adds the fresh ones to the table or forgets all.
//
// The types are taken in groups that refer to each other, each group after those that it refers
// to. So a type that is alone in its group has its equal, if there is one, by its parts; only
// the others must be compared.
func (tt *typeTable) merge(nodes []*VType) (rep []*VType, fresh []*VType) {
	tt.index()
	m := &merging{tt, map[*VType]*VType{}}
	for _, v := range nodes {
		m.rep[v] = v
	}
	exact := map[string]*VType{}
	like := map[uint64][]*VType{}
	for _, group := range groups(nodes, m.rep) {
		for _, v := range group {
			m.rewrite(v)
		}
		if v := group[0]; len(group) == 1 && !v.refersTo(v) {
			k := v.parts()
			if c := cmp.Or(tt.exact[k], exact[k]); c != nil {
				m.rep[v] = c
			}
		} else {
			m.cycle(group, like)
		}
		for _, v := range group {
			if m.find(v) == v {
				m.rewrite(v)
				tt.rehash([]*VType{v})
				fresh = append(fresh, v)
			} else {
				delete(tt.hashes, v)
			}
		}
		for _, v := range group {
			if m.find(v) == v {
				exact[v.parts()] = v
				if len(group) > 1 || v.refersTo(v) {
					like[tt.hashes[v][rounds-1]] = append(like[tt.hashes[v][rounds-1]], v)
				}
			}
		}
	}
	for _, v := range nodes {
		rep = append(rep, m.find(v))
		delete(tt.hashes, v)
	}
	return rep, fresh
}

// cycle merges the types of a group with those of the table, with earlier ones in like, and with
// each other.
func (m *merging) cycle(group []*VType, like map[uint64][]*VType) {
	tt := m.tt
	tt.rehash(group)
	deep := tt.refine(group)
	own := map[uint64][]*VType{}
	for _, v := range group {
		if m.find(v) != v {
			continue
		}
		h := tt.hashes[v][rounds-1]
		for _, c := range slices.Concat(tt.like[h], like[h], own[deep[v]]) {
			if c = m.find(c); c != v && m.equal(v, c) {
				break
			}
		}
		if m.find(v) == v {
			own[deep[v]] = append(own[deep[v]], v)
		}
	}
}

// refine hashes types of a group over and over, until that tells no more of them apart.
func (tt *typeTable) refine(group []*VType) map[*VType]uint64 {
	now := map[*VType]uint64{}
	for _, v := range group {
		now[v] = tt.hashes[v][rounds-1]
	}
	classes := 0
	for {
		next, seen := make(map[*VType]uint64, len(group)), map[uint64]bool{}
		for _, v := range group {
			h := now[v]
			v.eachPart(func(p *VType) {
				x, ok := now[p]
				if !ok {
					x = tt.hashes[p][rounds-1]
				}
				h = combineHash(h, x)
			})
			next[v] = h
			seen[h] = true
		}
		now = next
		if len(seen) <= classes {
			break
		}
		classes = len(seen)
	}
	return now
}

// rewrite makes the parts of a type those that stand for them.
func (m *merging) rewrite(v *VType) {
	if v.Elem != nil {
		v.Elem = m.find(v.Elem)
	}
	for i, f := range v.Fields {
		v.Fields[i] = m.find(f)
	}
	for i, f := range v.Results {
		v.Results[i] = m.find(f)
	}
}

// eachPart calls f for the parameters of a type.
func (v *VType) eachPart(f func(*VType)) {
	if v.Elem != nil {
		f(v.Elem)
	}
	for _, p := range v.Fields {
		f(p)
	}
	for _, p := range v.Results {
		f(p)
	}
}

func (v *VType) refersTo(other *VType) (yes bool) {
	v.eachPart(func(p *VType) { yes = yes || p == other })
	return yes
}

// parts spells a type out by its parameters.
func (v *VType) parts() string {
	var b []byte
	num := func(n uint64) { b = binary.LittleEndian.AppendUint64(b, n) }
	num(uint64(v.Kind)<<32 | uint64(v.Bits))
	num(v.Len)
	num(uint64(len(v.Fields)))
	v.eachPart(func(p *VType) { num(uint64(uintptr(unsafe.Pointer(p)))) })
	return string(b)
}

// groups sorts new types into groups that refer to each other, in the order of merge: Tarjan's
// algorithm, with a stack of its own, since chains may be as long as a text.
func groups(nodes []*VType, among map[*VType]*VType) (out [][]*VType) {
	type step struct {
		v    *VType
		kids []*VType
	}
	index, low := map[*VType]int{}, map[*VType]int{}
	closed := map[*VType]bool{}
	var path []step
	var open []*VType
	enter := func(v *VType) {
		index[v] = len(index) + 1
		low[v] = index[v]
		open = append(open, v)
		s := step{v: v}
		v.eachPart(func(p *VType) {
			if among[p] != nil {
				s.kids = append(s.kids, p)
			}
		})
		path = append(path, s)
	}
	for _, root := range nodes {
		if index[root] != 0 {
			continue
		}
		enter(root)
		for len(path) > 0 {
			s := &path[len(path)-1]
			if len(s.kids) > 0 {
				k := s.kids[0]
				s.kids = s.kids[1:]
				switch {
				case index[k] == 0:
					enter(k)
				case !closed[k]:
					low[s.v] = min(low[s.v], index[k])
				}
				continue
			}
			v := s.v
			path = path[:len(path)-1]
			if n := len(path); n > 0 {
				low[path[n-1].v] = min(low[path[n-1].v], low[v])
			}
			if low[v] != index[v] {
				continue
			}
			i := len(open) - 1
			for open[i] != v {
				i--
			}
			group := slices.Clone(open[i:])
			open = open[:i]
			for _, g := range group {
				closed[g] = true
			}
			out = append(out, group)
		}
	}
	return out
}

// equal reports whether a new type is equal to another, and merges them and what follows if so.
func (m *merging) equal(a, b *VType) bool {
	type pair struct{ a, b *VType }
	assumed := map[pair]bool{}
	work := []pair{{a, b}}
	var all []pair
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		p.a, p.b = m.find(p.a), m.find(p.b)
		if p.a == p.b || assumed[p] {
			continue
		}
		_, newA := m.rep[p.a]
		_, newB := m.rep[p.b]
		x, y := p.a, p.b
		if !newA && !newB || x.Kind != y.Kind || x.Bits != y.Bits || x.Len != y.Len || (x.Elem == nil) != (y.Elem == nil) ||
			len(x.Fields) != len(y.Fields) || len(x.Results) != len(y.Results) ||
			m.tt.hashes[x][rounds-1] != m.tt.hashes[y][rounds-1] {
			return false
		}
		assumed[p] = true
		all = append(all, p)
		if x.Elem != nil {
			work = append(work, pair{x.Elem, y.Elem})
		}
		for i := range x.Fields {
			work = append(work, pair{x.Fields[i], y.Fields[i]})
		}
		for i := range x.Results {
			work = append(work, pair{x.Results[i], y.Results[i]})
		}
	}
	for _, p := range all {
		x, y := m.find(p.a), m.find(p.b)
		if _, ok := m.rep[x]; !ok {
			x, y = y, x
		}
		if x != y {
			m.rep[x] = y
		}
	}
	return true
}
