package passes

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Inlined says where an instruction that was copied from another body comes
// from, so that a backtrace can show the frames that the source has.
type Inlined struct {
	// Func is the function whose frame the instruction would run in.
	Func *ir.Function
	// Call is the place of the call in the frame below.
	Call diag.Pos
	// Tail says that the function was entered by a TAILCALL, which replaced the
	// frame below: it is not there, and Call means nothing.
	Tail bool
	// Below is the frame below, nil for that of the version's own function.
	Below *Inlined
}

// Origins has the origin of the copied instructions of each body.
type Origins struct {
	units map[*ir.Version]*unit
}

// Of is the origin of an instruction, nil if it is the version's own.
func (o *Origins) Of(v *ir.Version, id ir.InstID) *Inlined {
	if o == nil || o.units[v] == nil {
		return nil
	}
	return o.units[v].originOf(id)
}

func (u *unit) originOf(id ir.InstID) *Inlined {
	if int(id) < len(u.origin) {
		return u.origin[id]
	}
	return nil
}

func (u *unit) setOrigin(id ir.InstID, o *Inlined) {
	if o == nil && int(id) >= len(u.origin) {
		return
	}
	for int(id) >= len(u.origin) {
		u.origin = append(u.origin, make([]*Inlined, len(u.v.Insts)-len(u.origin))...)
	}
	u.origin[id] = o
}

// A stacker puts the origins of a copied body on top of that of the call.
type stacker struct {
	bottom Inlined
	made   map[*Inlined]*Inlined
}

func (s *stacker) on(o *Inlined) *Inlined {
	if n := s.made[o]; n != nil {
		return n
	}
	if s.made == nil {
		s.made = map[*Inlined]*Inlined{}
	}
	n := &Inlined{}
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
