package live

import (
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/live/regs"
	"github.com/uvm2go/uvm2go/rtlib/num"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// What memory holds before the program starts: the values of cells, and the heap image.

// initialised reports whether a cell begins with anything but zeros.
func (p *program) initialised() bool {
	for _, g := range p.facts.IR.Globals {
		if g.Init != nil {
			return true
		}
	}
	return false
}

// image is the heap image while it is made.
type image struct {
	*program
	t       *core.Ctx
	objects []uintptr
	lengths []uint64
}

// initialise fills the cells and makes the heap image. It runs on the first stack.
//
//go:norace
//go:nocheckptr
func (p *program) initialise(t *core.Ctx) {
	for _, g := range p.facts.IR.Globals {
		if g.Init != nil {
			p.put(p.cells[g], g.Init)
		}
	}
	if p.facts.IR.Image == nil {
		return
	}
	m := &image{program: p, t: t}
	made := false
	gc.RegisterRoots(func(visit func(uintptr)) {
		if !made {
			for _, o := range m.objects {
				visit(o)
			}
		}
	})
	for _, o := range p.facts.IR.Image.Objects {
		d := p.desc(o.Type, false)
		var at uintptr
		if d.VarStride != 0 {
			at = t.NewHybrid(d, o.Len)
		} else {
			at = t.New(d)
		}
		if at == 0 {
			core.Fail(t, core.OutOfMemory, "", "making the heap image")
		}
		m.objects = append(m.objects, at)
	}
	for i := range p.facts.IR.Image.Inits {
		m.store(&p.facts.IR.Image.Inits[i])
	}
	made = true
}

// put stores a constant.
func (p *program) put(at uintptr, k *ir.Const) {
	if k.Kind == ir.ConstBytes {
		copy(unsafe.Slice((*byte)(unsafe.Add(nil, at)), len(k.Bytes)), k.Bytes)
		return
	}
	w := p.constWords(k)
	for _, l := range p.leavesOf(k.Type) {
		x := num.U128{}
		switch {
		case isRoot(l.kind):
			x.Lo = w[regs.Root][l.at[0]]
		case l.bits > 64:
			x = num.U128{Lo: w[regs.Plain][l.at[1]], Hi: w[regs.Plain][l.at[1]+1]}
		default:
			x.Lo = w[regs.Plain][l.at[1]]
		}
		l.store(at, x)
	}
}

// fillCells fills the cells of a bundle that is loaded; the stage before the passes has put their values into the heap
// image (package expand). The world is stopped.
func (p *program) fillCells() {
	if p.facts.IR.Image == nil {
		return
	}
	m := &image{program: p}
	for i := range p.facts.IR.Image.Inits {
		m.store(&p.facts.IR.Image.Inits[i])
	}
}

// at is the address of a location.
func (m *image) at(l *ir.ImageLoc) uintptr {
	p, ty := uintptr(0), ir.NoType
	if l.Global != nil {
		p, ty = m.cells[l.Global], l.Global.Type
	} else {
		p, ty = m.objects[l.Object], m.facts.IR.Image.Objects[l.Object].Type
	}
	variable := ir.NoType // the hybrid whose variable part p is
	for _, i := range l.Path {
		n := m.program.at(ty)
		lay := m.layout.Of(ty)
		switch {
		case variable != ir.NoType:
			p += uintptr(i) * bytes(m.layout.Of(variable).Stride)
			ty, variable = m.program.at(variable).Elem, ir.NoType
		case n.Kind == ir.KHybrid && i == uint64(len(n.Fields)):
			p += bytes(lay.Size)
			variable = ty
		case n.Kind == ir.KStruct || n.Kind == ir.KHybrid:
			p += bytes(lay.Offsets[i])
			ty = n.Fields[i]
		default:
			p += uintptr(i) * bytes(lay.Stride)
			ty = n.Elem
		}
	}
	return p
}

// store makes one store of the image.
//
//go:norace
//go:nocheckptr
func (m *image) store(i *ir.ImageInit) {
	at := m.at(&i.To)
	p := unsafe.Add(nil, at)
	switch i.Kind {
	case ir.ImageConst:
		m.put(at, i.Const)
	case ir.ImageObjRef:
		*(*uintptr)(p) = m.objects[i.From.Object]
	case ir.ImageAddr:
		*(*uintptr)(p) = m.at(&i.From)
	case ir.ImageCopy:
		n := bytes(m.layout.Of(i.To.Type).Size)
		from := m.at(&i.From)
		copy(unsafe.Slice((*byte)(p), n), append([]byte(nil), unsafe.Slice((*byte)(unsafe.Add(nil, from)), n)...))
	case ir.ImageTagFP:
		*(*uint64)(p) = gc.TagFromFP(*(*float64)(unsafe.Pointer(&i.Bits)))
	case ir.ImageTagInt:
		*(*uint64)(p) = gc.TagFromInt(i.Bits)
	case ir.ImageTagRef:
		o := uintptr(0)
		if i.From.Object >= 0 {
			o = m.objects[i.From.Object]
		}
		*(*uint64)(p) = gc.TagFromRef(o, i.Tag)
	}
}
