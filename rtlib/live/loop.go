package live

import (
	"math"
	"sync/atomic"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/num"
)

// loop runs a body, and what it calls, until the frame that it begins with is left. Results are in
// the transfer area, or t.Thrown is set. It executes the instructions that fast leaves to it:
// those that call functions, and others in their rare cases.
//
//go:norace
//go:nocheckptr
func (m *machine) loop(t *core.Ctx, fp, pc unsafe.Pointer) {
	for {
		fp, pc = fast(t, fp, pc)
		in := (*ins)(pc)
		pc = unsafe.Add(pc, insSize)
		var s *site
		switch in.op {
		case opLoop:
			m.at(fp, pc)
			t.Safepoint()
			m.noteHeat()
			pc = unsafe.Add(pc, int(in.imm))
			continue
		case opCall:
			s = (*site)(unsafe.Add(nil, uintptr(in.imm)))
			m.at(fp, pc)
			switch m.prepare(t, fp, s, (*code)(atomic.LoadPointer(&s.cell.code))) {
			case again:
				pc = unsafe.Pointer(in)
				continue
			case done:
				continue
			}
		case opCallX:
			m.at(fp, pc)
			to, start, state := m.callComputed(t, fp, pc, in)
			switch state {
			case again:
				fp, pc = to, start
				continue
			case done:
				continue
			}
		case opRet:
			t.SP = uintptr(fp)
			return
		case opRet1:
			core.X(t).W[0] = word(fp, in.a)
			t.SP = uintptr(fp)
			return
		case opRetR:
			core.X(t).R[0] = root(fp, in.a)
			t.SP = uintptr(fp)
			return
		case opRetN:
			s = (*site)(unsafe.Add(nil, uintptr(in.imm)))
			_, below, back := linkOf(fp)
			t.SP = uintptr(fp)
			if below == nil {
				pass(t, fp, s)
				return
			}
			give(below, fp, siteBefore(back), s)
			fp, pc = below, back
			continue
		case opTail, opExit:
			m.at(fp, pc)
			to, start := m.replace(t, fp, pc, in)
			if start != nil {
				fp, pc = to, start
				continue
			}
			if to == nil {
				return
			}
			fp, pc = to, m.pc
		case opNew:
			s = (*site)(unsafe.Add(nil, uintptr(in.imm)))
			m.at(fp, pc)
			p := t.NewSlow(s.desc)
			if p == 0 {
				m.failed(t, fp, s, core.OutOfMemory, "the heap is exhausted")
				pc = unsafe.Add(pc, s.exc)
				continue
			}
			setRoot(fp, in.a, p)
			continue
		case opSwitch:
			s = (*site)(unsafe.Add(nil, uintptr(in.imm)))
			pc = unsafe.Add(pc, s.choose(word(fp, in.b)))
			continue
		case opDo:
			s = (*site)(unsafe.Add(nil, uintptr(in.imm)))
			s.do(fp)
			continue
		case opRun:
			s = (*site)(unsafe.Add(nil, uintptr(in.imm)))
			m.at(fp, pc)
			*(*uint32)(unsafe.Add(fp, 4)) = s.no
			switch s.run(t, fp) {
			case goOn:
				continue
			case local:
				pc = unsafe.Add(pc, s.exc)
				continue
			}
		case opNote:
			m.at(fp, pc)
			continue
		case opTagIsFP:
			setWord(fp, in.a, b2u(gc.TagIsFP(word(fp, in.b))))
			continue
		case opTagIsInt:
			setWord(fp, in.a, b2u(gc.TagIsInt(word(fp, in.b))))
			continue
		case opTagIsRef:
			setWord(fp, in.a, b2u(gc.TagIsRef(word(fp, in.b))))
			continue
		case opTagFromFP:
			setRoot(fp, uint16(in.imm), 0)
			setWord(fp, in.a, gc.TagFromFP(math.Float64frombits(word(fp, in.b))))
			continue
		case opTagFromInt:
			setRoot(fp, uint16(in.imm), 0)
			setWord(fp, in.a, gc.TagFromInt(word(fp, in.b)))
			continue
		case opTagFromRef:
			r := root(fp, in.b)
			setWord(fp, in.a, gc.TagFromRef(r, uint8(word(fp, in.c))))
			setRoot(fp, uint16(in.imm), r)
			continue
		case opTagToFP:
			setWord(fp, in.a, math.Float64bits(gc.TagToFP(word(fp, in.b))))
			continue
		case opTagToInt:
			setWord(fp, in.a, gc.TagToInt(word(fp, in.b)))
			continue
		case opTagToRef:
			setRoot(fp, in.a, gc.TagToRef(word(fp, in.b)))
			continue
		case opTagToTag:
			setWord(fp, in.a, uint64(gc.TagToTag(word(fp, in.b))))
			continue
		case opTagRoot:
			setRoot(fp, in.a, gc.TagRoot(word(fp, in.b)))
			continue
		case opToS64:
			setWord(fp, in.a, num.F64ToI64(math.Float64frombits(word(fp, in.b))))
			continue
		default: // an access through NULL
			m.at(fp, pc)
			m.fault(t)
		}
		if fp, pc = m.unwind(t, fp, pc); fp == nil {
			return
		}
	}
}

// callComputed makes a call of the function in a word: with again it is entered, and with done it
// was called.
//
//go:norace
//go:nocheckptr
func (m *machine) callComputed(t *core.Ctx, fp, pc unsafe.Pointer, in *ins) (to, start unsafe.Pointer, state readiness) {
	s := (*site)(unsafe.Add(nil, uintptr(in.imm)))
	f := unsafe.Add(nil, uintptr(word(fp, in.b)))
	if !core.Callable(f, s.class) {
		core.BadCall(t, f, s.class, m.where())
	}
	cell := (*cell)((*core.Func)(f).Live)
	if cell == nil {
		if !m.foreign(t, fp, s, (*core.Func)(f)) {
			return nil, nil, failed
		}
		return nil, nil, done
	}
	callee := cell.compiled(t)
	if t.SP+callee.frame > t.Limit && !m.grow(t, callee.frame) {
		return nil, nil, failed
	}
	*(*uint32)(unsafe.Add(fp, 4)) = s.no
	to = unsafe.Add(nil, t.SP)
	m.enter(t, fp, pc, s, callee)
	return to, unsafe.Pointer(callee.start), again
}
