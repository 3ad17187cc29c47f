package rtlib

import (
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/num"
)

// BuildImage makes the heap image of a program: the objects that the rows of
// objects describe, then the stores that the rows of inits describe, in order.
// The generator documents the rows. syms and exps are the addresses that the
// rows refer to. Until all stores are made no collection may run, since the
// objects are reachable only through a Go slice: they are registered as roots
// meanwhile.
func BuildImage(t *Ctx, types []*Type, objects, inits string, syms, exps []uintptr) {
	p := current
	b := &imageBuilder{src: objects}
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
		ty := types[b.number()]
		n := b.number()
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
	b = &imageBuilder{src: inits, objs: objs, cells: p.Globals}
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
			StoreU128(uintptr(at), num.U128{Lo: lo, Hi: b.number()})
		case "p":
			*(*uintptr)(at) = uintptr(b.number())
		case "r":
			*(*uintptr)(at) = objs[b.number()]
		case "a":
			*(*uintptr)(at) = uintptr(b.place())
		case "c":
			from := b.place()
			n := b.size()
			copy(unsafe.Slice((*byte)(at), n), append([]byte(nil), unsafe.Slice((*byte)(from), n)...))
		case "f":
			*(*uintptr)(at) = uintptr(unsafe.Pointer(p.Funcs[b.number()]))
		case "s":
			*(*uintptr)(at) = syms[b.number()]
		case "x":
			*(*uintptr)(at) = exps[b.number()]
		case "t":
			o := uintptr(0)
			if w := b.word(); w != "-1" {
				o = objs[parse(w)]
			}
			*(*uint64)(at) = gc.TagFromRef(o, uint8(b.number()))
		case "ti":
			*(*uint64)(at) = gc.TagFromInt(b.number())
		case "td":
			bits := b.number()
			*(*uint64)(at) = gc.TagFromFP(*(*float64)(unsafe.Pointer(&bits)))
		}
	}
	done = true
}

type imageBuilder struct {
	src   string
	objs  []uintptr
	cells []Global
}

func (b *imageBuilder) more() bool { return b.src != "" }

// word takes the next word, and the blank or line end behind it.
func (b *imageBuilder) word() string {
	i := 0
	for i < len(b.src) && b.src[i] != ' ' && b.src[i] != '\n' {
		i++
	}
	w := b.src[:i]
	if i < len(b.src) {
		i++
	}
	b.src = b.src[i:]
	return w
}

func parse(s string) uint64 {
	var n uint64
	for i := range len(s) {
		n = n*10 + uint64(s[i]-'0')
	}
	return n
}

func (b *imageBuilder) number() uint64 { return parse(b.word()) }

// size takes a pair of numbers, for 4- and 8-byte words.
func (b *imageBuilder) size() uintptr {
	n4, n8 := b.number(), b.number()
	if Is64 == 1 {
		return uintptr(n8)
	}
	return uintptr(n4)
}

func (b *imageBuilder) place() unsafe.Pointer {
	w := b.word()
	off := b.size()
	n := parse(w[1:])
	if w[0] == 'g' {
		return unsafe.Add(b.cells[n].Addr, off)
	}
	return unsafe.Pointer(b.objs[n] + off)
}
