package live

import (
	"slices"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/mu"
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
	f := s.entryFunction(s.want.Entry)
	if f == nil {
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
	res, before := body.Call(body.FuncRef(f), args...), f
	for _, id := range s.want.Then {
		next := s.entryFunction(id)
		if next == nil {
			return
		}
		if !slices.Equal(t.At(next.Sig).Fields, t.At(before.Sig).Results) {
			s.fail("%s takes other values than %s, above it on the stack, returns", next.Name, before.Name)
			return
		}
		res, before = body.Call(body.FuncRef(next), res...), next
	}
	body.Ret()
	s.p.Main = main
	if _, err := b.Finish(); err != nil {
		s.fail("internal error: %v", err)
	}
}

// entryFunction is a function that the program calls when it begins, nil after an error.
func (s *saving) entryFunction(id mu.ID) *ir.Function {
	e := s.vm.EntityOf(uint32(id))
	if e == nil || e.Kind != core.FuncEntity {
		s.fail("%d is not the ID of a function", id)
		return nil
	}
	f := s.function(e)
	if !e.Func.Defined {
		s.fail("the entry function %s is declared but not defined", f.Name)
		return nil
	}
	return f
}
