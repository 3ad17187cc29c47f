package libmu

// #include "libmu.h"
import "C"

import (
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

func (c *client) newStack(f mu.FuncRef) (mu.Value, error) { return c.mu.NewStack(f) }

func (c *client) newThreadNor(stack mu.StackRef, local mu.Ref, vals []mu.Value) (mu.Value, error) {
	vals, err := c.suit(stack, vals)
	if err != nil {
		return nil, err
	}
	return c.mu.NewThread(stack, local, mu.PassValues{Values: vals})
}

func (c *client) newThreadExc(stack mu.StackRef, local, exc mu.Ref) (mu.Value, error) {
	return c.mu.NewThread(stack, local, mu.ThrowExc{Exc: exc})
}

func (c *client) killStack(stack mu.StackRef) error { return c.mu.KillStack(stack) }

func (c *client) setThreadlocal(th mu.ThreadRef, ref mu.Ref) error {
	return c.mu.SetThreadLocal(th, ref)
}

func (c *client) getThreadlocal(th mu.ThreadRef) (mu.Value, error) { return c.mu.ThreadLocal(th) }

func (c *client) newCursor(stack mu.StackRef) (mu.Value, error) { return c.mu.NewCursor(stack) }

func (c *client) nextFrame(cur mu.Cursor) error { return c.mu.NextFrame(cur) }

func (c *client) copyCursor(cur mu.Cursor) (mu.Value, error) { return c.mu.CopyCursor(cur) }

func (c *client) closeCursor(cur mu.Cursor) error { return c.mu.CloseCursor(cur) }

func (c *client) curFunc(cur mu.Cursor) (mu.ID, error) { return c.mu.CurFunc(cur) }

func (c *client) curFuncVer(cur mu.Cursor) (mu.ID, error) { return c.mu.CurFuncVer(cur) }

func (c *client) curInst(cur mu.Cursor) (mu.ID, error) { return c.mu.CurInst(cur) }

// dumpKeepalives stores handles in an array of the client, which knows how many there are.
func (c *client) dumpKeepalives(cur mu.Cursor, results *C.uintptr_t) error {
	vals, err := c.mu.DumpKeepalives(cur)
	if err != nil || len(vals) == 0 {
		return err
	}
	if results == nil {
		return fail(mu.BadArg, "results is NULL")
	}
	to := unsafe.Slice(results, len(vals))
	for i, v := range vals {
		if to[i], err = c.add(v); err != nil {
			return err
		}
	}
	return nil
}

// uvmmu_count_keepalives is mu_count_keepalives: how many handles dump_keepalives stores.
//
//export uvmmu_count_keepalives
func uvmmu_count_keepalives(ctx *C.uvm_ctx, cursor C.uintptr_t) C.uintptr_t {
	e := enter(ctx, "mu_count_keepalives")
	defer e.leave()
	cur := value[mu.Cursor](&e, cursor, "cursor")
	if e.err != nil {
		return 0
	}
	var vals []mu.Value
	vals, e.err = e.ctx.mu.DumpKeepalives(cur)
	for _, v := range vals {
		e.ctx.mu.Delete(v)
	}
	return C.uintptr_t(len(vals))
}

func (c *client) popFramesTo(cur mu.Cursor) error { return c.mu.PopFramesTo(cur) }

func (c *client) pushFrame(stack mu.StackRef, f mu.FuncRef) error { return c.mu.PushFrame(stack, f) }

func (c *client) enableWatchpoint(wpid uint32) error {
	c.mu.VM().EnableWatchpoint(wpid)
	return nil
}

func (c *client) disableWatchpoint(wpid uint32) error {
	c.mu.VM().DisableWatchpoint(wpid)
	return nil
}

func (c *client) expose(f mu.FuncRef, conv uint32, cookie mu.Int) (mu.Value, error) {
	if err := defaultConv(conv); err != nil {
		return nil, err
	}
	if err := c.vm.calledByC(); err != nil {
		return nil, err
	}
	return c.mu.Expose(f, cookie.Uint64())
}

func (c *client) unexpose(conv uint32, v mu.Value) error {
	if err := defaultConv(conv); err != nil {
		return err
	}
	p, ok := v.(mu.UFuncPtr)
	if !ok {
		return fail(mu.TypeMismatch, "value: a value of %s, want a ufuncptr", v.Type())
	}
	return c.mu.Unexpose(p)
}

// defaultConv checks a calling convention. There is only one.
func defaultConv(conv uint32) error {
	if conv != 0 {
		return fail(mu.BadArg, "call_conv: %#x is no calling convention: want MU_CC_DEFAULT", conv)
	}
	return nil
}
