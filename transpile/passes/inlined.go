package passes

import "github.com/uvm2go/uvm2go/transpile/ir"

// Origins has the origin of the copied instructions of each body.
type Origins struct {
	of map[*ir.Version][]*ir.Inlined // only of bodies that have copies
}

// Of lists the origins of the instructions of a body by InstID, nil for those
// that are its own. The list ends with the last that is a copy, or later.
func (o *Origins) Of(v *ir.Version) []*ir.Inlined {
	if o == nil {
		return nil
	}
	return o.of[v]
}

// fill takes what units know.
func (o *Origins) fill(units map[*ir.Version]*unit) {
	o.of = map[*ir.Version][]*ir.Inlined{}
	for v, u := range units {
		if u.origin != nil {
			o.of[v] = u.origin
		}
	}
}

func (u *unit) originOf(id ir.InstID) *ir.Inlined {
	if int(id) < len(u.origin) {
		return u.origin[id]
	}
	return nil
}

func (u *unit) setOrigin(id ir.InstID, o *ir.Inlined) {
	if o == nil && int(id) >= len(u.origin) {
		return
	}
	for int(id) >= len(u.origin) {
		u.origin = append(u.origin, make([]*ir.Inlined, len(u.v.Insts)-len(u.origin))...)
	}
	u.origin[id] = o
}

// A stacker puts the origins of a copied body on top of that of the call.
type stacker struct {
	bottom ir.Inlined
	made   map[*ir.Inlined]*ir.Inlined
}

func (s *stacker) on(o *ir.Inlined) *ir.Inlined {
	if n := s.made[o]; n != nil {
		return n
	}
	if s.made == nil {
		s.made = map[*ir.Inlined]*ir.Inlined{}
	}
	n := &ir.Inlined{}
	if o == nil {
		*n = s.bottom
	} else {
		*n = *o
		n.Below = s.on(o.Below)
	}
	s.made[o] = n
	return n
}

// traceless reports whether no instruction of a body can be on top of a
// backtrace or below a frame of one.
func (u *unit) traceless(in *ir.Inst) bool {
	switch {
	case in.Op == ir.OpRet || in.Op == ir.OpBranch || in.Op == ir.OpBranch2 || in.Op == ir.OpSwitch:
		return true
	case in.Op.Info().Class == ir.ClassAddr:
		return !u.opt.Sanitize
	}
	return u.droppable(in) && !in.Op.Any(ir.MayCollect)
}
