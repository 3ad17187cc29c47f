package core

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
)

// BuildIR executes an instruction of the IR builder (docs/language.md, "The IR builder"), given by its opcode. Its
// operands and its result are in X(t).
func BuildIR(t *Ctx, opcode uint32) {
	if Engine.Build == nil {
		Fail(t, DynCode, "", "the IR builder needs the engine for live code, which the program is not linked with")
	}
	if code, err := Engine.Build(t, opcode); err != nil {
		must(t, &misuse{kindOfLoading(code), code, err.Error()})
	}
}

// NewBytes makes a @uvm.meta.bytes; it returns 0 if the heap is exhausted. It may collect.
func NewBytes(t *Ctx, text string) uintptr { return newBytes(t, text) }

// ReadBytes returns the text in a @uvm.meta.bytes, which is not NULL.
func ReadBytes(ref uintptr) (string, error) {
	text, m := readBytes(ref)
	if m != nil {
		return "", errors.New(m.detail)
	}
	return text, nil
}

// TextOf returns the text in the @uvm.meta.bytes that an iref leads to, which is not NULL. It fails with BOUNDS if the
// text is longer than the memory there.
//
//go:norace
//go:nocheckptr
func TextOf(t *Ctx, at uintptr, what string) string {
	const head = 8
	n := *(*uint64)(unsafe.Pointer(at))
	CheckRoom(t, at+head, n, 1, what)
	return string(unsafe.Slice((*byte)(unsafe.Pointer(at+head)), n))
}

// CheckRoom fails with BOUNDS unless n elements of some bytes follow an address that an iref holds, in one object or
// cell.
func CheckRoom(t *Ctx, at uintptr, n, bytes uint64, what string) {
	if n == 0 {
		return
	}
	room, ok := gc.Room(t, at)
	if !ok || n > uint64(room)/bytes {
		Fail(t, Bounds, "", fmt.Sprintf("%s has %d elements, more than the memory there", what, int64(n)))
	}
}
