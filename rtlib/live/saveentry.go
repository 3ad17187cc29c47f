package live

import (
	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// What an image has beside what the VM has: how it begins.

// Names of what is added, without marks.
const (
	imageMain  = "uvm.image.main"
	imageLocal = "uvm.image.threadlocal"
)

// entry adds the function that the program begins with. It sets the thread-local reference, and drops the results of the
// client's function.
func (s *saving) entry() {
	if s.want.Entry == 0 {
		return
	}
	e := s.vm.EntityOf(uint32(s.want.Entry))
	if e == nil || e.Kind != core.FuncEntity {
		s.fail("%d is not the ID of a function", s.want.Entry)
		return
	}
	f := s.function(e)
	if !e.Func.Defined {
		s.fail("the entry function %s is declared but not defined", f.Name)
		return
	}
	b := ir.NewBuilder(s.p)
	t := s.p.Types
	main := b.Func(s.fresh(ir.GlobalName(imageMain)), t.Sig(t.At(f.Sig).Fields, nil))
	main.Attrs = ir.Internal | ir.Hidden
	if _, err := s.p.EntryOf(main); err != nil {
		s.fail("the entry function %s has the signature %s: want no parameters, or (int<32> uptr<T>)", f.Name, t.Structure(f.Sig, 4))
		return
	}
	body := b.Body(main, "v")
	if p := s.snap.pieces[s.local]; p != nil {
		void := t.Ref(t.Void())
		cell := b.Global(s.fresh(ir.GlobalName(imageLocal)), void)
		at := ir.ImageLoc{Global: cell, Type: void}
		s.p.Image.Inits = append(s.p.Image.Inits, ir.ImageInit{To: at, Kind: ir.ImageObjRef, From: ir.ImageLoc{Object: s.object(p), Type: s.typeOf(p.ty)}})
		body.SetThreadLocal(body.Load(body.GlobalRef(cell), ir.NotAtomic))
	}
	var args []ir.ValueID
	for i := range t.At(f.Sig).Fields {
		args = append(args, body.Param(body.Current(), i))
	}
	body.Call(body.FuncRef(f), args...)
	body.Ret()
	s.p.Main = main
	if _, err := b.Finish(); err != nil {
		s.fail("internal error: %v", err)
	}
}
