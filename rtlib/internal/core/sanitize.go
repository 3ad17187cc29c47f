package core

import (
	"fmt"
	"math"
	"sync"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/libc"
)

// Functions that programs made with -sanitize call. Each allocation unit is entered in a table,
// by the pages that it covers; an access through an iref looks up its unit. A unit that was
// collected stays in the table until another unit replaces it: no access can reach it, because
// the iref would have kept it alive.

// A unit is an allocation unit (docs/language.md, "Memory").
type unit struct {
	start, end uintptr
	typ        *Type
	n          uint64 // variable elements
	what       string
	dead       bool // a cell whose frame is gone
}

const pageBits = 12

var units struct {
	mu    sync.Mutex
	pages map[uintptr][]*unit // guarded by mu
	cells map[*Ctx][]*unit    // live stack cells, guarded by mu
}

// SanUnit enters a new heap object.
func SanUnit(p uintptr, ty *Type, n uint64) { enterUnit(p, ty, n, "object") }

// made enters an object that the runtime made, if accesses are checked. p may be 0.
func made(p uintptr, ty *Type, n uint64) uintptr {
	if current.Sanitize && p != 0 {
		SanUnit(p, ty, n)
	}
	return p
}

// SanCell enters a new stack cell.
func SanCell(t *Ctx, p uintptr, ty *Type, n uint64) {
	u := enterUnit(p, ty, n, "stack cell")
	units.mu.Lock()
	units.cells[t] = append(units.cells[t], u)
	units.mu.Unlock()
}

// SanMark is the number of live stack cells.
func SanMark(t *Ctx) int {
	units.mu.Lock()
	defer units.mu.Unlock()
	if units.cells == nil {
		units.cells = map[*Ctx][]*unit{}
	}
	return len(units.cells[t])
}

// SanRelease ends the stack cells made since the mark.
func SanRelease(t *Ctx, mark int) {
	units.mu.Lock()
	defer units.mu.Unlock()
	l := units.cells[t]
	for _, u := range l[mark:] {
		u.dead = true
	}
	units.cells[t] = l[:mark]
}

// sanStackEnds ends the cells of a stack that ends.
func sanStackEnds(t *Ctx) {
	units.mu.Lock()
	defer units.mu.Unlock()
	for _, u := range units.cells[t] {
		u.dead = true
	}
	delete(units.cells, t)
}

// SanGlobals enters the cells of the program.
func SanGlobals(list []Global) {
	for _, g := range list {
		enterUnit(uintptr(g.Addr), g.Type, 0, "global cell")
	}
}

func enterUnit(p uintptr, ty *Type, n uint64, what string) *unit {
	u := &unit{start: p, end: p + ty.Size + uintptr(n)*ty.VarStride, typ: ty, n: n, what: what}
	units.mu.Lock()
	defer units.mu.Unlock()
	if units.pages == nil {
		units.pages = map[uintptr][]*unit{}
	}
	for page := p >> pageBits; page <= u.end>>pageBits; page++ {
		list := units.pages[page]
		kept := list[:0]
		for _, x := range list {
			if x.end <= u.start || x.start >= max(u.end, u.start+8) {
				kept = append(kept, x)
			}
		}
		units.pages[page] = append(kept, u)
	}
	return u
}

// An Access is the kind of data that an instruction accesses.
type Access uint8

// The kinds of accesses.
const (
	AccessData  Access = iota // untraced bytes
	AccessRef                 // a ref, stackref or threadref
	AccessIRef                // an iref
	AccessWeak                // a weakref
	AccessTag                 // a tagref64
	AccessValue               // an aggregate: only the bounds
	AccessAny                 // through a pointer, which may lead out of managed memory
)

var accessSlots = map[Access]SlotKind{AccessRef: SlotRef, AccessIRef: SlotIRef, AccessWeak: SlotWeak, AccessTag: SlotTag}

// CheckAccess stops the program if size bytes at p, accessed through an iref, are not
// within one unit (BOUNDS), or if traced memory would be accessed as something else
// (TYPE).
func CheckAccess(t *Ctx, p, size uintptr, kind Access, where string) {
	if p < NullZone {
		return // an access through NULL, which faults
	}
	u := unitAt(p)
	switch {
	case u == nil && kind == AccessAny:
		return
	case u == nil:
		Fail(t, Bounds, where, "the location is outside its allocation unit")
	case u.dead:
		Fail(t, Bounds, where, fmt.Sprintf("the stack cell of type %s is dead", u.typ.Name))
	case size > u.end-min(p, u.end):
		Fail(t, Bounds, where, fmt.Sprintf("%d bytes at offset %d of a %s of %d bytes", size, p-u.start, u.what, u.end-u.start))
	}
	if kind == AccessValue || kind == AccessAny {
		return
	}
	slot, traced := u.slotIn(p-u.start, size)
	want, ref := accessSlots[kind]
	switch {
	case traced && !ref:
		Fail(t, TypeError, where, fmt.Sprintf("a reference in %s is accessed as data", u.typ.Name))
	case ref && !traced:
		Fail(t, TypeError, where, fmt.Sprintf("data in %s is accessed as a reference", u.typ.Name))
	case ref && slot != want:
		Fail(t, TypeError, where, fmt.Sprintf("a reference in %s is accessed as one of another kind", u.typ.Name))
	}
}

// unitAt is the unit with a location, nil if there is none.
func unitAt(p uintptr) (u *unit) {
	units.mu.Lock()
	defer units.mu.Unlock()
	for _, x := range units.pages[p>>pageBits] {
		if x.start <= p && (p < x.end || p == x.start) {
			u = x
		}
	}
	return u
}

// CheckDerived returns p, a location computed from the one at base. It stops the program if p is not in the same
// unit, or at its end. Programs made with -sandbox call it for all addressing, so that no iref leaves its unit.
func CheckDerived(t *Ctx, base, p uintptr, where string) uintptr {
	if base == p {
		return p
	}
	u := unitAt(base)
	switch {
	case u == nil || u.dead:
		Fail(t, Bounds, where, "a location is computed from one outside its allocation unit")
	case p < u.start || p > u.end:
		Fail(t, Bounds, where, fmt.Sprintf("offset %d of a %s of %d bytes", int(p-u.start), u.what, u.end-u.start))
	}
	return p
}

// GuardedWrite is write of bytes that lie in one unit and are no references.
func GuardedWrite(t *Ctx, fd uint32, p uintptr, n uint64, where string) uint64 {
	if n > 0 {
		if p < NullZone || n > math.MaxInt {
			Fail(t, Bounds, where, fmt.Sprintf("write of %d bytes at %#x", n, p))
		}
		CheckAccess(t, p, uintptr(n), AccessData, where)
	}
	e := Errno(t)
	t.Th.EnterSafe()
	r := libc.Write(e, fd, p, n)
	t.Th.LeaveSafe()
	Heed(t)
	return r
}

// slotIn finds a traced word of the unit that overlaps size bytes at off.
func (u *unit) slotIn(off, size uintptr) (SlotKind, bool) {
	if off < u.typ.Size || u.typ.VarStride == 0 {
		return slotIn(&u.typ.Shape, off, size)
	}
	return slotIn(&u.typ.VarShape, (off-u.typ.Size)%u.typ.VarStride, size)
}

func slotIn(s *Shape, off, size uintptr) (SlotKind, bool) {
	for _, x := range s.Slots {
		if x.Kind == SlotAny {
			continue // data to the program
		}
		w := unsafe.Sizeof(off)
		if x.Kind == SlotTag {
			w = 8
		}
		if off < x.Off+w && x.Off < off+size {
			return x.Kind, true
		}
	}
	for _, r := range s.Reps {
		if off+size <= r.Off || off >= r.Off+r.Count*r.Stride {
			continue
		}
		rel := uintptr(0)
		if off > r.Off {
			rel = (off - r.Off) % r.Stride
		}
		if k, ok := slotIn(r.Shape, rel, size); ok {
			return k, ok
		}
	}
	return 0, false
}

// CheckAddress stops the program if an addressing instruction gets NULL.
func CheckAddress(t *Ctx, p uintptr, where string) {
	if p < NullZone {
		Fail(t, NullAddress, where, "")
	}
}

// CheckTag stops the program if a tagref64 holds another kind of value than the
// instruction expects.
func CheckTag(t *Ctx, w uint64, want, where string) {
	have := "a double"
	switch {
	case gc.TagIsInt(w):
		have = "an int"
	case gc.TagIsRef(w):
		have = "a reference"
	}
	if have != want {
		Fail(t, TagKind, where, "it holds "+have+", not "+want)
	}
}
