package core

import (
	"fmt"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
	"github.com/uvm2go/uvm2go/rtlib/num"
)

// The metacircular common instructions (docs/language.md, "Common instructions").

// EntityName connects an ID and a name. An entity may have several names, the first of which
// is the result of name_of, or none: "".
type EntityName struct {
	ID   uint32
	Name string
}

// Objects that the runtime makes: @uvm.meta.bytes and @uvm.meta.refs. They begin with their
// length.
var (
	bytesType = &Type{Name: "@uvm.meta.bytes", Size: 8, Align: 8, VarStride: 1}
	refsType  = &Type{Name: "@uvm.meta.refs", Size: 8, Align: 8, VarStride: mem.WordSize,
		VarShape: Shape{Slots: []Slot{{Kind: SlotRef}}}}
)

// readBytes returns the text in a @uvm.meta.bytes.
//
//go:norace
//go:nocheckptr
func readBytes(ref uintptr) (string, *misuse) {
	if ref == 0 {
		return "", &misuse{NameError, "E_NULL", "the name is NULL"}
	}
	n := *(*uint64)(unsafe.Pointer(ref))
	if n > gc.Length(ref) {
		return "", &misuse{Bounds, "", fmt.Sprintf("a text of %d bytes in an object with %d", n, gc.Length(ref))}
	}
	return string(unsafe.Slice((*byte)(unsafe.Pointer(ref+8)), n)), nil
}

// newBytes makes a @uvm.meta.bytes; it returns 0 if the heap is exhausted. It may collect.
//
//go:norace
//go:nocheckptr
func newBytes(t *Ctx, text string) uintptr {
	p := made(t.NewHybrid(bytesType, uint64(len(text))), bytesType, uint64(len(text)))
	if p != 0 {
		*(*uint64)(unsafe.Pointer(p)) = uint64(len(text))
		copy(unsafe.Slice((*byte)(unsafe.Pointer(p+8)), len(text)), text)
	}
	return p
}

// MetaIDOf is @uvm.meta.id_of.
func MetaIDOf(t *Ctx, name uintptr) uint32 {
	text, m := readBytes(name)
	must(t, m)
	id, ok := vmOf(t).idNamed(asking(), text)
	if !ok {
		Fail(t, NameError, "", fmt.Sprintf("nothing is named %q", text))
	}
	return id
}

// MetaNameOf is @uvm.meta.name_of: NULL for an entity without a name.
func MetaNameOf(t *Ctx, id uint32) uintptr {
	text, ok := vmOf(t).NameOfID(id)
	switch {
	case !ok:
		Fail(t, NameError, "", fmt.Sprintf("nothing has the ID %d", id))
	case text == "":
		return 0
	}
	p := newBytes(t, text)
	if p == 0 {
		Fail(t, OutOfMemory, "", "")
	}
	return p
}

// MetaNewCursor is @uvm.meta.new_cursor.
func MetaNewCursor(t *Ctx, stack uintptr) uintptr {
	c, m := newCursor(t, stack)
	must(t, m)
	return c
}

// MetaNextFrame is @uvm.meta.next_frame.
func MetaNextFrame(t *Ctx, cursor uintptr) { must(t, nextFrame(cursor)) }

// MetaCopyCursor is @uvm.meta.copy_cursor.
func MetaCopyCursor(t *Ctx, cursor uintptr) uintptr {
	c, m := copyCursor(t, cursor)
	must(t, m)
	return c
}

// MetaCloseCursor is @uvm.meta.close_cursor.
func MetaCloseCursor(t *Ctx, cursor uintptr) { must(t, closeCursor(cursor)) }

// MetaCurFunc is @uvm.meta.cur_func.
func MetaCurFunc(t *Ctx, cursor uintptr) uint32 {
	f, m := currentFrame(cursor)
	must(t, m)
	id, _, _ := f.ids()
	return id
}

// MetaCurFuncVer is @uvm.meta.cur_func_ver.
func MetaCurFuncVer(t *Ctx, cursor uintptr) uint32 {
	f, m := currentFrame(cursor)
	must(t, m)
	_, id, _ := f.ids()
	return id
}

// MetaCurInst is @uvm.meta.cur_inst.
func MetaCurInst(t *Ctx, cursor uintptr) uint32 {
	f, m := currentFrame(cursor)
	must(t, m)
	_, _, id := f.ids()
	return id
}

// MetaDumpKeepalives is @uvm.meta.dump_keepalives: a @uvm.meta.refs of references to
// fresh objects that hold the values.
//
//go:norace
//go:nocheckptr
func MetaDumpKeepalives(t *Ctx, cursor uintptr) uintptr {
	// The first entry of X(t).R keeps the cursor and with it the stack alive, the second the
	// result; the others are the values.
	const first = 2
	keep, m := keepalives(t, cursor, first)
	must(t, m)
	x := X(t)
	var n List
	for _, k := range keep {
		k.Type.count(&n)
	}
	x.R[0], x.R[1] = cursor, 0
	x.Live = first + n.R
	defer func() { x.Live = 0 }()
	x.R[1] = made(t.NewHybrid(refsType, uint64(len(keep))), refsType, uint64(len(keep)))
	full := x.R[1] == 0
	v := unboxer{w: x.W, r: x.R[first:]}
	if !full {
		*(*uint64)(unsafe.Pointer(x.R[1])) = uint64(len(keep))
	}
	for i, k := range keep {
		if full {
			break
		}
		p := made(t.New(k.Type.GC), k.Type.GC, 0)
		if full = p == 0; !full {
			v.store(k.Type, p)
			*(*uintptr)(unsafe.Pointer(x.R[1] + 8 + uintptr(i)*mem.WordSize)) = p
		}
	}
	if full {
		x.Live = 0
		Fail(t, OutOfMemory, "", "no memory for the keep-alive values")
	}
	return x.R[1]
}

// unboxer stores values that are flattened in a transfer area into memory.
type unboxer struct {
	w []uint64
	r []uintptr
}

func (u *unboxer) word() uint64 {
	w := u.w[0]
	u.w = u.w[1:]
	return w
}

func (u *unboxer) ref() uintptr {
	r := u.r[0]
	u.r = u.r[1:]
	return r
}

// store stores the next value, of type v, at an address.
//
//go:norace
//go:nocheckptr
func (u *unboxer) store(v *VType, addr uintptr) {
	p := unsafe.Pointer(addr)
	switch v.Kind {
	case VInt:
		w := u.word()
		switch {
		case v.Bits <= 8:
			*(*uint8)(p) = uint8(w)
		case v.Bits <= 16:
			*(*uint16)(p) = uint16(w)
		case v.Bits <= 32:
			*(*uint32)(p) = uint32(w)
		case v.Bits <= 64:
			*(*uint64)(p) = w
		default:
			num.StoreU128(addr, U128{Lo: w, Hi: u.word()})
		}
	case VFloat:
		*(*uint32)(p) = uint32(u.word())
	case VDouble:
		*(*uint64)(p) = u.word()
	case VUPtr, VUFuncPtr, VFuncRef:
		*(*uintptr)(p) = uintptr(u.word())
	case VTagRef64:
		*(*uint64)(p) = u.word()
		u.ref()
	case VStruct:
		for i, f := range v.Fields {
			u.store(f, addr+v.Offsets[i])
		}
	case VArray, VVector:
		for i := range v.Len {
			u.store(v.Elem, addr+uintptr(i)*v.Stride)
		}
	default:
		*(*uintptr)(p) = u.ref()
	}
}

// MetaPopFramesTo is @uvm.meta.pop_frames_to.
func MetaPopFramesTo(t *Ctx, cursor uintptr) { must(t, popFramesTo(cursor)) }

// MetaPushFrame is @uvm.meta.push_frame of a function of a class.
//
//go:norace
//go:nocheckptr
func MetaPushFrame(t *Ctx, stack, f uintptr, class uint32) {
	if f == 0 {
		Fail(t, NullFunc, "", "push_frame of NULL")
	}
	fn := (*Func)(unsafe.Pointer(f))
	if fn.Class != class {
		Fail(t, BadSignature, "", "pushing a frame of "+fn.called()+" with another signature")
	}
	must(t, pushFrame(t, stack, fn))
}
