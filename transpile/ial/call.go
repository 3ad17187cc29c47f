package ial

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// callOps are the operations that call functions or make pointers to them.
var callOps = group{
	module.Call:           func(b *body) { b.call(b.in.Func) },
	module.Invoke:         func(b *body) { b.call(b.in.Func) },
	module.CallTail:       func(b *body) { b.tail(b.in.Func) },
	module.InvokeTail:     func(b *body) { b.tail(b.in.Func) },
	module.CallIndirect:   (*body).indirect,
	module.InvokeIndirect: (*body).indirect,
	module.Tramp:          (*body).tramp,
}

// push adds an argument of the call that follows.
func (b *body) push() { b.pushed = append(b.pushed, b.value(b.in.Src[0])) }

// value is the value of a register as calls pass it; structures are passed as a whole.
func (b *body) value(r *module.Register) ir.ValueID {
	if composite(r.Type) {
		return b.Load(b.regs[r.Index].cell, ir.NotAtomic)
	}
	return b.get(r)
}

// give assigns a value that a call has passed to a register.
func (b *body) give(r *module.Register, v ir.ValueID) {
	if composite(r.Type) {
		b.Store(b.regs[r.Index].cell, v, ir.NotAtomic)
		return
	}
	b.set(r, v)
}

// pop fetches the parameter with the number of the instruction in its block. There is no
// counter, because the block can be entered again.
func (b *body) pop() { b.give(b.in.Target, b.Param(0, b.nth)) }

// args are the arguments that have been pushed.
func (b *body) args() []ir.ValueID {
	args := b.pushed
	b.pushed = nil
	return args
}

func (b *body) call(f *module.Function) {
	b.results(b.Call(b.FuncRef(b.function(f)), b.args()...))
}

// results completes the call that was made last: it adds its exception clause and sets the target.
func (b *body) results(r []ir.ValueID) {
	b.throws()
	if b.in.Target != nil {
		b.give(b.in.Target, r[0])
	}
}

// throws gives the call that was made last an exception clause, if the block has an unwind
// block.
func (b *body) throws() {
	u := b.block.Unwind
	if u == nil {
		return
	}
	next := b.Block(b.V.Blocks[b.Current()].Name)
	b.Exc(ir.To(next), ir.To(b.landing(u)))
	b.end()
	b.s.Seal(next)
	b.At(next)
}

// tail is a call that replaces the frame, or an ordinary call if the frame is still needed.
func (b *body) tail(f *module.Function) {
	if b.block.Unwind != nil || b.fn.Attrs&(module.NoReturn|module.NoThrow) != 0 || b.keepsFrame() || !b.passOn(len(f.Params)) {
		b.call(f)
		return
	}
	b.TailCall(b.FuncRef(b.function(f)), b.args()...)
	b.end()
	b.left = true
}

// keepsFrame reports whether the program can have addresses of memory in the frame.
func (b *body) keepsFrame() bool {
	return slices.ContainsFunc(b.fn.Blocks, func(k *module.Block) bool {
		return slices.ContainsFunc(k.Instrs, func(in *module.Instr) bool {
			switch in.Op {
			case module.MemAddr, module.MemSalloc, module.MemSnew:
				return true
			case module.FieldAddr, module.ArrayAddr:
				return composite(in.Src[0].Type)
			}
			return false
		})
	})
}

// indirect calls through a pointer.
func (b *body) indirect() {
	t, f := b.in.Src[0].Type, b.src(0)
	if t.Conv != module.Standard {
		b.nativeCall(t, f)
		return
	}
	if b.TypeOf(f) == b.types.word {
		f = b.FuncAt(b.types.signature(t), f, "")
	}
	b.require(b.Cmp(ir.OpNE, f, b.Null(b.TypeOf(f))), b.trap(ir.FailNullFunc, "null function pointer"))
	b.results(b.Call(f, b.args()...))
}

// loadFunc loads a pointer to a function, for native code if its convention says so.
func (b *body) loadFunc() {
	f := b.in.Func
	switch {
	case f.Conv != module.Standard:
		b.result(b.Const(b.expose(f)))
	case b.facts.tainted(b.in.Target.Type):
		b.result(b.FuncAddr(b.FuncRef(b.function(f))))
	default:
		b.result(b.FuncRef(b.function(f)))
	}
}
