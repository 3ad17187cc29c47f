package interp

import (
	"encoding/binary"
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// unitKind is the kind of a unit of memory.
type unitKind uint8

const (
	heapUnit   unitKind = iota // NEW, NEWHYBRID; the image
	stackUnit                  // ALLOCA, ALLOCAHYBRID
	globalUnit                 // a global cell
	nativeUnit                 // malloc and what the native side owns
)

var unitNames = [...]string{"heap object", "stack cell", "global cell", "native block"}

// A unit is an allocation unit (docs/language.md, "Memory"): a typed piece of memory.
type unit struct {
	serial uint64
	kind   unitKind
	dead   bool // the frame of a stack cell is gone; a native block was freed
	shape  *shape
	// data are the bytes, in the layout of docs/language.md, "Types". Bytes of slots are
	// unused.
	data []byte
	// slots has one entry for each 8 bytes, or is nil if nothing is traced.
	slots []Value
	mark  uint32 // number of the last collection that reached it
	// pins is the number of entries in pin sets; addr is the address if it has one,
	// and entry its index in the address table.
	pins  int
	addr  uint64
	entry int
	name  string // of a global cell
	fixed bool   // it must not be written to
	roots bool   // words of type uptr keep alive what they point into
}

// maxUnit is the largest size that an allocation can have (docs/language.md, "Limits").
const maxUnit = 1 << 47

// unitSize is the size of memory of a type, with n elements in the variable
// part of a hybrid. Too large sizes saturate at a size that no allocation can have.
func unitSize(s *shape, n uint64) uint64 {
	if s.t.Kind != ir.KHybrid {
		return s.size
	}
	if s.stride != 0 && n > maxUnit/s.stride {
		return maxUnit + 1
	}
	return s.size + n*s.stride
}

func (m *machine) newUnit(kind unitKind, s *shape, size uint64) *unit {
	m.serial++
	u := &unit{serial: m.serial, kind: kind, shape: s, entry: -1}
	if size > 0 {
		u.data = make([]byte, size)
		if s != nil && s.traced {
			u.slots = make([]Value, size/8)
		}
	}
	return u
}

// misuse describes an invalid access: a kind of run-time error and the details. The
// zero misuse means none.
type misuse struct {
	kind   kind
	detail string
}

func (u *unit) describe() string {
	s := unitNames[u.kind]
	if u.name != "" {
		s += " " + u.name
	}
	return s
}

// check checks that size bytes at off are inside the unit and alive.
func (u *unit) check(off, size uint64) (misuse, bool) {
	if u.dead {
		return u.deadMisuse(), false
	}
	n := uint64(len(u.data))
	if off > n || n-off < size {
		return u.boundsMisuse(off, size), false
	}
	return misuse{}, true
}

func (u *unit) deadMisuse() misuse {
	if u.kind == nativeUnit {
		return misuse{native, "the native block was freed"}
	}
	return misuse{bounds, "the stack cell's frame is gone"}
}

func (u *unit) boundsMisuse(off, size uint64) misuse {
	return misuse{bounds, fmt.Sprintf("%d bytes at offset %d of a %s of %d bytes", size, int64(off), u.describe(), len(u.data))}
}

// plain checks that size bytes at off contain no slot.
func (u *unit) plain(off, size uint64) (misuse, bool) {
	if u.slots == nil || size == 0 {
		return misuse{}, true
	}
	for b := off &^ 7; b < off+size; b += 8 {
		if k := u.shape.slotAt(max(b, off)); k != ir.KInvalid {
			return misuse{badType, fmt.Sprintf("a %s at offset %d of a %s is used as plain data", k, max(b, off), u.describe())}, false
		}
	}
	return misuse{}, true
}

// slot checks that a slot of kind k begins at off.
func (u *unit) slot(off uint64, k ir.Kind) (misuse, bool) {
	found := ir.KInvalid
	if u.slots != nil {
		found = u.shape.slotAt(off)
	}
	if found == k && off%8 == 0 {
		return misuse{}, true
	}
	what := "plain data"
	if found != ir.KInvalid {
		what = "a " + found.String()
	}
	return misuse{badType, fmt.Sprintf("%s at offset %d of a %s is used as a %s", what, off, u.describe(), k)}, false
}

// load reads a value of a type at an offset, after all checks.
func (u *unit) load(s *shape, off uint64) (Value, misuse) {
	if m, ok := u.check(off, s.size); !ok {
		return Value{}, m
	}
	return u.read(s, off)
}

// read is load without the check of bounds.
func (u *unit) read(s *shape, off uint64) (Value, misuse) {
	switch s.t.Kind {
	case ir.KStruct:
		elems := make([]Value, len(s.fields))
		for i, f := range s.fields {
			v, m := u.read(f, off+s.offsets[i])
			if m.kind != noError {
				return Value{}, m
			}
			elems[i] = v
		}
		return makeAggregate(elems), misuse{}
	case ir.KArray, ir.KVector:
		elems := make([]Value, s.t.Len)
		for i := range elems {
			v, m := u.read(s.elem, off+uint64(i)*s.stride)
			if m.kind != noError {
				return Value{}, m
			}
			elems[i] = v
		}
		return makeAggregate(elems), misuse{}
	}
	if isSlot(s.t.Kind) {
		if m, ok := u.slot(off, s.t.Kind); !ok {
			return Value{}, m
		}
		return u.slots[off/8], misuse{}
	}
	if m, ok := u.plain(off, s.size); !ok {
		return Value{}, m
	}
	v := loadBytes(u.data[off : off+s.size])
	if s.t.Kind == ir.KInt {
		v = truncate(v, s.t.Bits)
	}
	return v, misuse{}
}

// store writes a value of a type at an offset. It checks all components before
// it writes the first.
func (u *unit) store(s *shape, off uint64, v Value) misuse {
	if m, ok := u.check(off, s.size); !ok {
		return m
	}
	if u.slots != nil || s.traced {
		if _, m := u.read(s, off); m.kind != noError {
			return m
		}
	}
	u.write(s, off, v)
	return misuse{}
}

// write is store after the checks.
func (u *unit) write(s *shape, off uint64, v Value) {
	switch {
	case s.t.Kind == ir.KStruct:
		for i, e := range v.elems() {
			u.write(s.fields[i], off+s.offsets[i], e)
		}
	case s.t.Kind == ir.KArray || s.t.Kind == ir.KVector:
		for i, e := range v.elems() {
			u.write(s.elem, off+uint64(i)*s.stride, e)
		}
	case isSlot(s.t.Kind):
		u.slots[off/8] = v
	default:
		storeBytes(u.data[off:off+s.size], v)
	}
}

// loadBytes reads a little-endian number of 1, 2, 4, 8 or 16 bytes.
func loadBytes(b []byte) Value {
	switch len(b) {
	case 1:
		return Value{Lo: uint64(b[0])}
	case 2:
		return Value{Lo: uint64(binary.LittleEndian.Uint16(b))}
	case 4:
		return Value{Lo: uint64(binary.LittleEndian.Uint32(b))}
	case 8:
		return Value{Lo: binary.LittleEndian.Uint64(b)}
	case 16:
		return Value{Lo: binary.LittleEndian.Uint64(b), Hi: binary.LittleEndian.Uint64(b[8:])}
	}
	return Value{}
}

// storeBytes is the reverse of loadBytes.
func storeBytes(b []byte, v Value) {
	switch len(b) {
	case 1:
		b[0] = byte(v.Lo)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(v.Lo))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(v.Lo))
	case 8:
		binary.LittleEndian.PutUint64(b, v.Lo)
	case 16:
		binary.LittleEndian.PutUint64(b, v.Lo)
		binary.LittleEndian.PutUint64(b[8:], v.Hi)
	}
}
