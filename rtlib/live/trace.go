package live

import (
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Traces: the runtime finds one frame of Go for a row of frames here, and asks for them.

func init() {
	core.Engine.Loop = "github.com/uvm2go/uvm2go/rtlib/live.(*machine).loop"
	core.Engine.Places = places
	core.Engine.Frames = frames
	core.Engine.Where = func(p core.LivePlace) string {
		return (*code)(p.Code).site(p.Index)
	}
	gc.Forget = forget
}

// maxPlaces is the most places that a trace takes from one run of frames: more are never shown.
const maxPlaces = 256

// places appends where the bodies of a stack are.
//
//go:norace
//go:nocheckptr
func places(t *core.Ctx, l []core.LivePlace) []core.LivePlace {
	for m := (*machine)(t.Live); m != nil; m = m.below {
		fp, pc := m.fp, m.pc
		for n := 0; fp != nil && n < maxPlaces; n++ {
			k, below, back := linkOf(fp)
			l = append(l, core.LivePlace{Code: unsafe.Pointer(k), Index: k.index(pc)})
			fp, pc = below, back
		}
		if m.fp != nil {
			l[len(l)-1].Last = true
		}
	}
	return l
}

// index is the number of the instruction before pc.
func (k *code) index(pc unsafe.Pointer) int32 {
	return int32((uintptr(pc)-uintptr(unsafe.Pointer(k.start)))/uintptr(insSize)) - 1
}

// frames appends the frames of a place, of inlined bodies first.
func frames(p core.LivePlace, out []core.Frame) []core.Frame {
	k := (*code)(p.Code)
	in := k.places[p.Index].inst
	at := k.v.Insts[in].Pos
	files := k.fn.in.facts.IR.Files
	var origins []*ir.Inlined
	if f := k.fn.in.origins; f != nil {
		origins = f(k.v)
	}
	var o *ir.Inlined
	if int(in) < len(origins) {
		o = origins[in]
	}
	add := func(f *ir.Function) {
		if f.Attrs&ir.Hidden == 0 {
			x := files.Traced(at)
			out = append(out, core.Frame{Func: f.Root().Name, File: x.File, Line: x.Line, Column: x.Col, Title: f.Root().Title})
		}
	}
	for ; o != nil; o = o.Below {
		add(o.Func)
		for o.Tail && o.Below != nil {
			o = o.Below
		}
		if o.Tail {
			return out
		}
		at = o.Call
	}
	add(k.v.Func)
	return out
}

// inst is the instruction that runs.
func (m *machine) inst() *ir.Inst {
	k := codeOf(m.fp)
	return &k.v.Insts[k.places[k.index(m.pc)].inst]
}

// where is its name.
func (m *machine) where() string {
	k := codeOf(m.fp)
	return k.site(k.index(m.pc))
}

// site is the name of the instruction at a place, in reports.
func (k *code) site(place int32) string {
	return k.fn.in.facts.IR.PlaceName(k.v.SiteName(k.places[place].inst))
}
