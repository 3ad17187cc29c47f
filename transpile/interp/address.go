package interp

import (
	"fmt"
	"sort"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// addresses is the address space: the units that native code can see. An address
// is never reused, so that a stale pointer is always noticed; but see retire.
type addresses struct {
	entries   []addressEntry // ascending; only retire removes any
	next      uint64
	natives   map[string]uint64 // address of each native symbol that was looked up
	symbols   map[uint64]string // the reverse
	exposed   map[uint64]*exposure
	functions map[uint64]*function // by the address that FUNCADDR returned
	code      uint64
}

// addressEntry is a range of addresses; unit is nil while the unit is hidden.
type addressEntry struct {
	addr, size uint64
	unit       *unit
}

// nullZone is the limit below which addresses count as NULL (docs/language.md, "Memory").
const nullZone = 65536

const (
	dataBase = 0x0000_11a5_0000_0000 // units; not a number that programs are likely to use
	codeBase = 0x0000_7000_0000_0000 // functions; the data ends here
)

func newAddresses() *addresses {
	return &addresses{next: dataBase, code: codeBase,
		natives: map[string]uint64{}, symbols: map[uint64]string{}, exposed: map[uint64]*exposure{}, functions: map[uint64]*function{}}
}

// place gives a unit its address, if it has none yet, and makes it visible
// there.
func (a *addresses) place(u *unit) {
	if u.entry < 0 {
		size := uint64(len(u.data))
		align := uint64(16)
		if u.shape != nil {
			align = max(align, u.shape.align)
		}
		u.addr = (a.next + align - 1) / align * align
		a.next = u.addr + size + 16 // a gap, so that an overrun hits nothing
		u.entry = len(a.entries)
		a.entries = append(a.entries, addressEntry{addr: u.addr, size: size})
	}
	a.entries[u.entry].unit = u
}

// hide makes a unit invisible to native code again; it keeps its address.
func (a *addresses) hide(u *unit) {
	if u.entry >= 0 {
		a.entries[u.entry].unit = nil
	}
}

// retire frees the addresses of a stack cell that ALLOCARESET ends, if they are the last ones
// assigned. So a loop has its cells at the same addresses in each iteration, and its need for
// memory does not grow while it runs.
func (a *addresses) retire(u *unit) {
	if last := len(a.entries) - 1; u.entry >= 0 && u.entry == last && u.pins == 0 {
		a.entries = a.entries[:last]
		a.next, u.entry = u.addr, -1
	}
}

// take returns the address of a ref or iref, without pinning.
func (a *addresses) take(v Value) uint64 {
	u, ok := v.ref.(*unit)
	if !ok {
		return v.Lo // derived from NULL
	}
	a.place(u)
	return u.addr + v.Lo
}

// at is the reference to an address, the reverse of take. If there is no unit at the address, the
// value remains a number.
func (a *addresses) at(v Value) Value {
	if v.Lo >= nullZone {
		if u, off, m := a.find(v.Lo); m.kind == noError {
			return Value{Lo: off, ref: u}
		}
	}
	return Value{Lo: v.Lo}
}

// find returns the unit and offset at an address. One past the end of a unit
// belongs to it.
func (a *addresses) find(addr uint64) (*unit, uint64, misuse) {
	i := sort.Search(len(a.entries), func(i int) bool { return a.entries[i].addr > addr }) - 1
	if i < 0 || addr-a.entries[i].addr > a.entries[i].size {
		return nil, 0, misuse{native, fmt.Sprintf("invalid memory access: nothing is at address %#x", addr)}
	}
	e := &a.entries[i]
	if e.unit == nil {
		return nil, 0, misuse{native, fmt.Sprintf("invalid memory access: what was at address %#x is not pinned any more or was freed", addr)}
	}
	return e.unit, addr - e.addr, misuse{}
}

// bytes returns the n bytes at an address, for native code.
func (a *addresses) bytes(addr, n uint64) ([]byte, misuse) {
	if n == 0 {
		return nil, misuse{}
	}
	u, off, m := a.find(addr)
	if m.kind != noError {
		return nil, m
	}
	if m, ok := u.check(off, n); !ok {
		return nil, m
	}
	if m, ok := u.plain(off, n); !ok {
		return nil, m
	}
	return u.data[off : off+n], misuse{}
}

// cstring returns the bytes from an address up to a zero byte.
func (a *addresses) cstring(addr uint64) ([]byte, misuse) {
	u, off, m := a.find(addr)
	if m.kind != noError {
		return nil, m
	}
	for n := uint64(0); ; n++ {
		if m, ok := u.check(off+n, 1); !ok {
			return nil, m
		}
		if u.data[off+n] == 0 {
			return a.bytes(addr, n)
		}
	}
}

// symbol is the address of a native function.
func (a *addresses) symbol(name string) uint64 {
	if addr, ok := a.natives[name]; ok {
		return addr
	}
	addr := a.newCode()
	a.natives[name] = addr
	a.symbols[addr] = name
	return addr
}

func (a *addresses) newCode() uint64 {
	a.code += 16
	return a.code
}

// nativeBlock allocates memory that belongs to the native side, as malloc does.
func (m *machine) nativeBlock(size uint64) *unit {
	u := m.newUnit(nativeUnit, nil, size)
	m.addresses.place(u)
	return u
}

// Pinning (docs/native.md, "Values"): pins are counted for each thread and location.

// location identifies a place for pins and futexes, whatever its static type.
type location struct {
	unit *unit
	off  uint64
}

func (t *thread) pin(v Value) uint64 {
	u, ok := v.ref.(*unit)
	if !ok {
		return 0 // NULL
	}
	t.pins[location{u, v.Lo}]++
	u.pins++
	return t.m.addresses.take(v)
}

// unpin undoes one pin of this thread and reports whether there was one.
func (t *thread) unpin(v Value) bool {
	u, ok := v.ref.(*unit)
	if !ok {
		return true
	}
	l := location{u, v.Lo}
	n := t.pins[l]
	switch n {
	case 0:
		return false
	case 1:
		delete(t.pins, l)
	default:
		t.pins[l] = n - 1
	}
	t.m.dropPins(u, 1)
	return true
}

func (m *machine) dropPins(u *unit, n int) {
	if u.pins -= n; u.pins == 0 {
		m.addresses.hide(u)
	}
}

// dropAllPins empties the set of a thread that ends.
func (t *thread) dropAllPins() {
	for l, n := range t.pins {
		t.m.dropPins(l.unit, n)
	}
	clear(t.pins)
}

func (d *decoder) pinning(in *ir.Inst) (step, error) {
	if err := d.operands(in, in.Ty); err != nil {
		return nil, err
	}
	if k := d.types.Kind(in.Ty); k != ir.KRef && k != ir.KIRef {
		return nil, d.mistyped(in)
	}
	x := d.operand(in.Args[0])
	if in.Op == ir.OpUnpin {
		if err := d.resultCount(in, 0); err != nil {
			return nil, err
		}
		return func(t *thread, fr *frame) action {
			if !t.unpin(x.get(fr)) {
				return t.fail(pinError, "the thread has not pinned the location")
			}
			return next
		}, nil
	}
	if err := d.resultCount(in, 1); err != nil {
		return nil, err
	}
	to := d.result(in, 0)
	if in.Op == ir.OpGetAddr {
		return func(t *thread, fr *frame) action {
			fr.regs[to] = Value{Lo: t.m.addresses.take(x.get(fr))}
			return next
		}, nil
	}
	return func(t *thread, fr *frame) action {
		fr.regs[to] = Value{Lo: t.pin(x.get(fr))}
		return next
	}, nil
}
