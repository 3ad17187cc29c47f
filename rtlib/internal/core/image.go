package core

import (
	"strconv"
	"strings"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/num"
)

// BuildImage makes the heap image of a program: the objects that the rows of objects describe, then the stores that the
// rows of inits describe, in order. The generator documents the rows (gogen/image.go); a row of another form ends the
// process. syms and exps are the addresses that the rows refer to. Until all stores are made, the objects are reachable
// only through a Go slice, so they are registered as roots.
//
//go:norace
//go:nocheckptr
func BuildImage(t *Ctx, types []*Type, objects, inits string, syms, exps []uintptr) {
	p := prepared.now
	b := &imageBuilder{what: "object", src: objects}
	var objs []uintptr
	done := false
	gc.RegisterRoots(func(visit func(uintptr)) {
		if !done {
			for _, o := range objs {
				visit(o)
			}
		}
	})
	for b.more() {
		ty := pick(b, types, b.number())
		n := b.number()
		b.end()
		var o uintptr
		if ty.VarStride != 0 {
			o = t.NewHybrid(ty, n)
		} else {
			o = t.New(ty)
		}
		if o == 0 {
			Fail(t, OutOfMemory, "", "making the heap image")
		}
		if p.Sanitize {
			SanUnit(o, ty, n)
		}
		objs = append(objs, o)
	}
	b = &imageBuilder{what: "initialiser", src: inits, objs: objs, cells: p.Globals}
	for b.more() {
		at := b.place()
		switch op := b.word(); op {
		case "w1":
			*(*uint8)(at) = uint8(b.number())
		case "w2":
			*(*uint16)(at) = uint16(b.number())
		case "w4":
			*(*uint32)(at) = uint32(b.number())
		case "w8":
			*(*uint64)(at) = b.number()
		case "w16":
			lo := b.number()
			num.StoreU128(uintptr(at), num.U128{Lo: lo, Hi: b.number()})
		case "p":
			*(*uintptr)(at) = uintptr(b.number())
		case "r":
			*(*uintptr)(at) = pick(b, objs, b.number())
		case "a":
			*(*uintptr)(at) = uintptr(b.place())
		case "c":
			from := b.place()
			n := b.size()
			copy(unsafe.Slice((*byte)(at), n), append([]byte(nil), unsafe.Slice((*byte)(from), n)...))
		case "f":
			*(*uintptr)(at) = uintptr(unsafe.Pointer(pick(b, p.Funcs, b.number())))
		case "s":
			*(*uintptr)(at) = pick(b, syms, b.number())
		case "x":
			*(*uintptr)(at) = pick(b, exps, b.number())
		case "t":
			o := uintptr(0)
			if w := b.word(); w != "-1" {
				o = pick(b, objs, b.parse(w))
			}
			*(*uint64)(at) = gc.TagFromRef(o, uint8(b.number()))
		case "ti":
			*(*uint64)(at) = gc.TagFromInt(b.number())
		case "td":
			bits := b.number()
			*(*uint64)(at) = gc.TagFromFP(*(*float64)(unsafe.Pointer(&bits)))
		default:
			b.fail("unknown operation " + strconv.Quote(op))
		}
		b.end()
	}
	done = true
}

type imageBuilder struct {
	what  string // object or initialiser
	row   int    // number of rows begun so far
	open  bool   // the row has not ended
	src   string
	objs  []uintptr
	cells []Global
}

// more begins a row, if there is one.
func (b *imageBuilder) more() bool {
	b.row++
	b.open = true
	return b.src != ""
}

// end checks that the row has ended.
func (b *imageBuilder) end() {
	if b.open {
		b.fail("more words than its operation takes")
	}
}

// fail ends the process because of the row.
func (b *imageBuilder) fail(what string) {
	refuse(disagree("heap image, %s row %d: %s", b.what, b.row, what))
}

// pick is an element of a table that a row refers to by number.
func pick[T any](b *imageBuilder, table []T, n uint64) T {
	if n >= uint64(len(table)) {
		b.fail("number " + uitoa(n) + " of a table of " + strconv.Itoa(len(table)))
	}
	return table[n]
}

// word takes the next word, and the blank or line end after it.
func (b *imageBuilder) word() string {
	if !b.open {
		b.fail("fewer words than its operation takes")
	}
	i := 0
	for i < len(b.src) && b.src[i] != ' ' && b.src[i] != '\n' {
		i++
	}
	w := b.src[:i]
	b.open = i < len(b.src) && b.src[i] == ' '
	if i < len(b.src) {
		i++
	}
	b.src = b.src[i:]
	return w
}

func (b *imageBuilder) parse(s string) uint64 {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		b.fail("bad number " + strconv.Quote(s))
	}
	return n
}

func (b *imageBuilder) number() uint64 { return b.parse(b.word()) }

// size takes a pair of numbers, for 4- and 8-byte words.
func (b *imageBuilder) size() uintptr {
	n4, n8 := b.number(), b.number()
	if Is64 == 1 {
		return uintptr(n8)
	}
	return uintptr(n4)
}

//go:norace
//go:nocheckptr
func (b *imageBuilder) place() unsafe.Pointer {
	w := b.word()
	off := b.size()
	switch {
	case strings.HasPrefix(w, "g"):
		return unsafe.Add(pick(b, b.cells, b.parse(w[1:])).Addr, off)
	case strings.HasPrefix(w, "o"):
		return unsafe.Pointer(pick(b, b.objs, b.parse(w[1:])) + off)
	}
	b.fail("bad place " + strconv.Quote(w))
	return nil
}
