package interp

import (
	"errors"
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// buildImage allocates the objects of the heap image and makes its stores, in
// order (docs/hail.md).
func (m *machine) buildImage(img *ir.Image) error {
	objects := make([]*unit, len(img.Objects))
	for i := range img.Objects {
		o := &img.Objects[i]
		u, why := m.allocate(heapUnit, m.shapes.of(o.Type), o.Len)
		if u == nil {
			return fmt.Errorf("%s: %s: %s", m.prog.Files.Position(o.Pos), o.Name, why)
		}
		objects[i] = u
		m.handles = append(m.handles, Value{ref: u})
	}
	for i := range img.Inits {
		if err := m.initialise(objects, &img.Inits[i]); err != nil {
			return fmt.Errorf("%s: %w", m.prog.Files.Position(img.Inits[i].Pos), err)
		}
	}
	m.handles = m.handles[:0]
	return nil
}

func (m *machine) initialise(objects []*unit, init *ir.ImageInit) error {
	to, off, err := m.imagePlace(objects, &init.To)
	if err != nil {
		return err
	}
	if !validType(m.types, init.To.Type) {
		return errors.New("a location without a type")
	}
	s := m.shapes.of(init.To.Type)
	object := func() (*unit, error) {
		if init.From.Object >= len(objects) {
			return nil, fmt.Errorf("no object %d in the image", init.From.Object)
		}
		if init.From.Object < 0 {
			return nil, nil
		}
		return objects[init.From.Object], nil
	}
	var v Value
	switch init.Kind {
	case ir.ImageConst:
		if err := checkConst(m.types, init.Const, 0); err != nil {
			return err
		}
		if from := init.Const.Type; m.looseClass(from) != m.looseClass(init.To.Type) {
			return fmt.Errorf("a constant of type %s for a location of type %s", m.types.String(from), m.types.String(init.To.Type))
		}
		v = m.constant(init.Const)
	case ir.ImageObjRef:
		u, err := object()
		if err != nil {
			return err
		}
		v = unitRef(u)
	case ir.ImageAddr, ir.ImageCopy:
		u, from, err := m.imagePlace(objects, &init.From)
		if err != nil {
			return err
		}
		v = Value{ref: u, Lo: from}
		if init.Kind == ir.ImageCopy {
			if init.From.Type != init.To.Type {
				return errors.New("a copy between different types")
			}
			var bad misuse
			if v, bad = u.load(m.shapes.of(init.From.Type), from); bad.kind != noError {
				return fmt.Errorf("%s: %s", bad.kind, bad.detail)
			}
		}
	case ir.ImageTagFP:
		v = Value{Lo: init.Bits}
	case ir.ImageTagInt:
		v = tagFromInt(init.Bits)
	case ir.ImageTagRef:
		u, err := object()
		if err != nil {
			return err
		}
		v = tagFromRef(unitRef(u), init.Tag)
	default:
		return fmt.Errorf("unknown initialiser %d", init.Kind)
	}
	if bad := to.store(s, off, v); bad.kind != noError {
		return fmt.Errorf("%s: %s", bad.kind, bad.detail)
	}
	return nil
}

// imagePlace follows the path of an image location.
func (m *machine) imagePlace(objects []*unit, l *ir.ImageLoc) (*unit, uint64, error) {
	var u *unit
	switch {
	case l.Global != nil:
		u = m.global(l.Global)
	case l.Object >= 0 && l.Object < len(objects):
		u = objects[l.Object]
	default:
		return nil, 0, fmt.Errorf("no object %d in the image", l.Object)
	}
	s, off := u.shape, uint64(0)
	variable := false // s is the variable part of a hybrid
	for _, i := range l.Path {
		switch {
		case variable || s.t.Kind == ir.KArray || s.t.Kind == ir.KVector:
			off += i * s.stride
			s, variable = s.elem, false
		case i < uint64(len(s.fields)):
			off += s.offsets[i]
			s = s.fields[i]
		case s.t.Kind == ir.KHybrid && i == uint64(len(s.fields)):
			off += s.size
			variable = true
		default:
			return nil, 0, fmt.Errorf("no member %d in %s", i, m.types.String(s.id))
		}
	}
	return u, off, nil
}
