package gc

import "unsafe"

// Kind says whether an object is an ordinary one or stands for a stack, a thread or a
// frame cursor of the Go side.
type Kind uint8

const (
	Plain        Kind = iota // an object of the program
	StackObject              // what a stackref refers to
	ThreadObject             // what a threadref refers to
	CursorObject             // what a framecursorref refers to
	numKinds
)

// SlotKind says how the collector treats one word of an object.
type SlotKind uint8

const (
	SlotRef  SlotKind = iota // 0 or the exact payload address of an object; strong
	SlotIRef                 // 0 or any address: inside an object, one past its end, or outside the heap (which keeps nothing); strong
	SlotWeak                 // as SlotRef, but not strong: cleared when the object dies
	SlotTag                  // a tagref64 word; strong when it holds a reference
	SlotAny                  // any word: keeps an object alive if it is an address that a SlotIRef might hold
	numSlotKinds
)

// Slot is one traced word, Off bytes from the start of what the shape describes.
// Reference slots are words of the machine; a SlotTag is eight bytes everywhere.
type Slot struct {
	Off  uintptr
	Kind SlotKind
}

// Rep is a run of Count equal elements, the first Off bytes from the start of the
// enclosing shape, each Stride bytes after the one before.
type Rep struct {
	Off    uintptr
	Count  uintptr
	Stride uintptr
	Shape  *Shape
}

// Shape lists the traced words of a piece of memory: single ones and repetitions, which
// may nest. Everything else is never looked at. The zero Shape traces nothing.
type Shape struct {
	Slots []Slot
	Reps  []Rep
}

// Type describes a type that has objects, alloca cells or global cells. Values are
// composite literals in the program's data segment; RegisterTypes completes them.
type Type struct {
	Name      string  // as the bundle has it, for messages
	ID        uint32  // assigned by RegisterTypes; 0 before
	Size      uintptr // bytes of the payload; of a hybrid: offset of the variable part
	Align     uintptr // alignment of the payload; below 8 counts as 8
	Shape     Shape   // traced words of the fixed part
	VarStride uintptr // bytes between variable elements; 0: not a hybrid
	VarShape  Shape   // traced words of one variable element
	Kind      Kind

	total uintptr // header and payload of the fixed part rounded up to 8
}

// HeaderSize is the size of the header before each payload, in the heap and on the alloca stack:
// a 64-bit word, the type's ID in the low half, the length of a hybrid in the high half.
const HeaderSize = 8

// FirstTypeID is the ID of the first type of the first table passed to RegisterTypes;
// the others of that table follow in order. So generated code may use constants.
const FirstTypeID = 16

// FixedSize returns the bytes that an object of non-hybrid type t takes in the heap: the
// constant that the inlined allocation path compares and adds. For a type that is too large
// for any object it is tooLarge.
func (t *Type) FixedSize() uintptr {
	if t.Size > maxSize {
		return tooLarge
	}
	return (max(t.Size, 8) + HeaderSize + 7) &^ 7
}

// Global is a cell in the program's data segment, a root.
type Global struct {
	Addr unsafe.Pointer
	Type *Type
}
