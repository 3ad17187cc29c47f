package live

import (
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// The heap of an image: what cells and objects contain becomes stores, each of a scalar that is not zero.

// cell adds the content of a cell.
func (s *saving) cell(g *ir.Global) {
	if e := s.vm.EntityOf(g.ID); e != nil { // else it is of the image
		s.fill(s.snap.pieces[e.Addr], ir.ImageLoc{Global: g})
	}
}

// object is the number in the image of the object of a piece.
func (s *saving) object(p *piece) int {
	n, ok := s.objects[p]
	if !ok {
		n = len(s.p.Image.Objects)
		s.objects[p] = n
		s.p.Image.Objects = append(s.p.Image.Objects, ir.ImageObject{Name: "$o" + strconv.Itoa(n), Type: s.typeOf(p.ty), Len: p.length})
		s.snap.todo = append(s.snap.todo, p)
	}
	return n
}

// fillObjects adds the content of the objects that the image has got.
func (s *saving) fillObjects() {
	for len(s.snap.todo) > 0 && s.err == nil {
		p := s.snap.todo[0]
		s.snap.todo = s.snap.todo[1:]
		s.fill(p, ir.ImageLoc{Object: s.objects[p]})
	}
}

func (s *saving) fill(p *piece, at ir.ImageLoc) {
	f := &filling{s, p}
	f.part(at, p.ty, 0)
}

// A filling makes the stores into a piece.
type filling struct {
	*saving
	of *piece
}

// part makes the stores into a part of a type, at an offset.
func (f *filling) part(at ir.ImageLoc, ty *core.VType, off uintptr) {
	part := func(i int, ty *core.VType, off uintptr) {
		to := at
		to.Path = append(slices.Clip(at.Path), uint64(i))
		f.part(to, ty, off)
	}
	switch ty.Kind {
	case core.VVoid:
	case core.VStruct, core.VHybrid:
		for i, x := range ty.Fields {
			part(i, x, off+ty.Offsets[i])
		}
		if ty.Kind == core.VHybrid {
			at.Path = append(slices.Clip(at.Path), uint64(len(ty.Fields)))
			for i := range int(f.of.length) {
				part(i, ty.Elem, f.of.gc.Size+uintptr(i)*ty.Stride)
			}
		}
	case core.VArray, core.VVector:
		data := f.of.data[off : off+ty.Size]
		if zero(data) && !f.relocates(off, ty.Size) {
			return
		}
		for i := range int(ty.Len) {
			part(i, ty.Elem, off+uintptr(i)*ty.Stride)
		}
	default:
		f.scalar(at, ty, off)
	}
}

// zero reports whether memory has only zeros.
func zero(data []byte) bool {
	return !slices.ContainsFunc(data, func(b byte) bool { return b != 0 })
}

// relocates reports whether a field in a part has the address of a symbol.
func (f *filling) relocates(off, size uintptr) bool {
	for a := range f.relocs {
		if a-f.of.addr-off < size {
			return true
		}
	}
	return false
}

// scalar makes the store of a scalar.
func (f *filling) scalar(at ir.ImageLoc, ty *core.VType, off uintptr) {
	data := f.of.data[off : off+ty.Size]
	if sym, ok := f.relocs[f.of.addr+off]; ok {
		if ty.Kind != core.VUPtr && ty.Kind != core.VUFuncPtr {
			f.fail("a field of type %s cannot have the address of the symbol %s: want a pointer", f.vm.Structure(ty), sym)
		}
		f.constant(at, ty, ir.Const{Kind: ir.ConstExtern, Sym: sym})
		return
	}
	if zero(data) {
		return
	}
	switch ty.Kind {
	case core.VInt:
		c := ir.Const{Lo: numberIn(data)}
		if len(data) == 16 {
			c.Lo, c.Hi = wide(data)
		}
		f.constant(at, ty, c)
	case core.VFloat, core.VDouble:
		f.constant(at, ty, ir.Const{Kind: ir.ConstFP, Lo: numberIn(data)})
	case core.VUPtr, core.VUFuncPtr:
		f.constant(at, ty, f.pointer(uintptr(numberIn(data))))
	case core.VFuncRef:
		if e := f.vm.EntityAt(addressAt(data, 0)); e != nil {
			f.constant(at, ty, ir.Const{Kind: ir.ConstFunc, Func: f.function(e)})
		} else {
			f.fail("%s has a reference to a function without a name or ID", f.where())
		}
	case core.VTagRef64:
		f.tagRef(at, ty, at64(data, 0))
	case core.VRef, core.VWeakRef:
		a := addressAt(data, 0)
		p := f.snap.pieces[a]
		switch {
		case p != nil && p.cell == nil:
			f.store(at, ty, ir.ImageInit{Kind: ir.ImageObjRef, From: ir.ImageLoc{Object: f.object(p), Type: f.typeOf(p.ty)}})
		case ty.Kind == core.VRef: // of a weak one nothing else keeps the object alive
			f.fail("%s refers to an object that an image cannot have", f.where())
		}
	case core.VIRef:
		if from, ok := f.location(addressAt(data, 0)); ok {
			f.store(at, ty, ir.ImageInit{Kind: ir.ImageAddr, From: from})
		} else {
			f.fail("%s has an iref to memory that is neither in a cell nor in an object", f.where())
		}
	default:
		f.fail("%s has a %s, which an image cannot have", f.where(), f.vm.Structure(ty))
	}
}

// where says which cell or object the stores are for.
func (f *filling) where() string {
	if e := f.of.cell; e != nil {
		return "the cell " + f.nameOf(e.ID)
	}
	return "an object of type " + f.of.ty.String()
}

// pointer is the constant for an address: the function or variable that is there in another process is found by its symbol.
func (f *filling) pointer(a uintptr) ir.Const {
	if e := f.exposed[a]; e != nil {
		if x, ok := f.byID(e.ID).(*ir.Expose); ok {
			return ir.Const{Kind: ir.ConstExpose, Expose: x}
		}
	}
	if name, ok := core.SymbolAt(a); ok {
		return ir.Const{Kind: ir.ConstExtern, Sym: name}
	}
	return ir.Const{Lo: uint64(a)}
}

func (f *filling) tagRef(at ir.ImageLoc, ty *core.VType, w uint64) {
	switch {
	case gc.TagIsInt(w):
		f.store(at, ty, ir.ImageInit{Kind: ir.ImageTagInt, Bits: gc.TagToInt(w)})
	case gc.TagIsFP(w):
		f.store(at, ty, ir.ImageInit{Kind: ir.ImageTagFP, Bits: w})
	default:
		from := ir.ImageLoc{Object: -1}
		if a := gc.TagToRef(w); a != 0 {
			p := f.snap.pieces[a]
			if p == nil {
				f.fail("%s refers to an object that an image cannot have", f.where())
				return
			}
			from = ir.ImageLoc{Object: f.object(p), Type: f.typeOf(p.ty)}
		}
		f.store(at, ty, ir.ImageInit{Kind: ir.ImageTagRef, From: from, Tag: uint8(gc.TagToTag(w))})
	}
}

// location is the location at an address.
func (s *saving) location(a uintptr) (l ir.ImageLoc, ok bool) {
	p := s.snap.around(a)
	if p == nil {
		return l, false
	}
	if p.cell != nil {
		l.Global, ok = s.byID(p.cell.ID).(*ir.Global)
		if !ok {
			return l, false
		}
	} else {
		l.Object = s.object(p)
	}
	ty, off, variable := p.ty, a-p.addr, p.gc
	for off != 0 {
		i := -1
		switch ty.Kind {
		case core.VStruct, core.VHybrid:
			for k, x := range ty.Fields {
				if o := ty.Offsets[k]; off >= o && (off < o+x.Size || off == o) {
					i = k
				}
			}
			if i >= 0 {
				l.Path = append(l.Path, uint64(i))
				off -= ty.Offsets[i]
				ty = ty.Fields[i]
				continue
			}
			if ty.Kind == core.VStruct || off < variable.Size || p.length == 0 {
				return l, false
			}
			l.Path = append(l.Path, uint64(len(ty.Fields)))
			off -= variable.Size
			i = int(off / max(ty.Stride, 1))
			if uint64(i) >= p.length {
				return l, false
			}
		case core.VArray, core.VVector:
			if i = int(off / max(ty.Stride, 1)); uint64(i) >= ty.Len {
				return l, false
			}
		default:
			return l, false
		}
		l.Path = append(l.Path, uint64(i))
		off -= uintptr(i) * ty.Stride
		ty = ty.Elem
		if ty.Kind == core.VVoid {
			break
		}
	}
	l.Type = s.typeOf(ty)
	return l, off == 0
}

// constant makes the store of a constant.
func (f *filling) constant(at ir.ImageLoc, ty *core.VType, c ir.Const) {
	c.Type = f.typeOf(ty)
	if f.hasPlace(&c) {
		f.symbolCell(c.Sym, c.Type) // keeps the object
		if from, ok := f.location(f.symbols[c.Sym]); ok {
			f.store(at, ty, ir.ImageInit{Kind: ir.ImageAddr, From: from})
		}
		return
	}
	f.store(at, ty, ir.ImageInit{Kind: ir.ImageConst, Const: &c})
}

func (f *filling) store(at ir.ImageLoc, ty *core.VType, in ir.ImageInit) {
	in.To = at
	in.To.Type = f.typeOf(ty)
	f.p.Image.Inits = append(f.p.Image.Inits, in)
}

// numberIn is a number of up to 64 bits.
func numberIn(data []byte) uint64 {
	switch len(data) {
	case 1:
		return uint64(data[0])
	case 2:
		return uint64(binary.NativeEndian.Uint16(data))
	case 4:
		return uint64(binary.NativeEndian.Uint32(data))
	}
	return at64(data, 0)
}

// wide is a number of 128 bits.
func wide(data []byte) (lo, hi uint64) {
	lo, hi = at64(data, 0), at64(data, 8)
	if binary.NativeEndian.Uint16([]byte{0, 1}) == 1 {
		lo, hi = hi, lo
	}
	return lo, hi
}
