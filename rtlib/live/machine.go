package live

import (
	"sync/atomic"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

// machine is an activation of the loop: a run of frames on the shadow stack of one Mu stack,
// with no others in between.
type machine struct {
	below *machine // the activation that was there before
	fp    unsafe.Pointer
	pc    unsafe.Pointer // after the instruction that runs, as far as at has noted it
	early bool           // the instruction still needs what it reads
}

// at notes where the loop is, for traces.
func (m *machine) at(fp, pc unsafe.Pointer) { m.fp, m.pc = fp, pc }

// codeOf is the code of a frame: its last word.
//
//go:norace
//go:nocheckptr
func codeOf(fp unsafe.Pointer) *code {
	return *(**code)(unsafe.Add(fp, uintptr(*(*uint32)(fp)&0xffff)*8-8))
}

// run runs a function whose arguments are in the transfer area.
//
//go:norace
//go:nocheckptr
func (c *cell) run(t *core.Ctx) {
	k := (*code)(atomic.LoadPointer(&c.code))
	if k == nil {
		k = c.compiled(t)
	}
	fp := k.arrive(t, nil, nil)
	if fp == nil {
		return
	}
	m := takeMachine(t)
	m.below = (*machine)(t.Live)
	m.at(fp, unsafe.Add(unsafe.Pointer(k.start), insSize))
	t.Live = unsafe.Pointer(m)
	m.loop(t, fp, unsafe.Pointer(k.start))
	t.Live = unsafe.Pointer(m.below) // where a panic passes it is reset with the stack
	m.pc = nil                       // so that it keeps no code
	t.Spare = unsafe.Pointer(m)
}

// takeMachine returns a machine for an activation: the one that the stack has used last, if that has ended. Allocating it
// would take longer than a small function.
func takeMachine(t *core.Ctx) *machine {
	m := (*machine)(t.Spare)
	if m == nil {
		return &machine{}
	}
	t.Spare, m.early = nil, false
	return m
}

// arrive pushes a frame for the code, whose arguments are in the transfer area. It returns nil if the
// stack has no room, which is an exception.
//
//go:norace
//go:nocheckptr
func (k *code) arrive(t *core.Ctx, below, back unsafe.Pointer) unsafe.Pointer {
	at := t.SP
	if at+k.frame > t.Limit {
		if at = core.GrowStart(t, k.frame, k.rootCount); at == 0 {
			return nil
		}
	}
	t.SP = at + k.frame
	fp, x := unsafe.Add(nil, at), core.X(t)
	k.begin(fp)
	for i := range k.rootCount {
		*(*uintptr)(unsafe.Add(fp, k.rootArgs+uintptr(i)*8)) = x.R[i]
	}
	for i := range k.plains {
		*(*uint64)(unsafe.Add(fp, k.plainArgs+uintptr(i)*8)) = x.W[i]
	}
	k.setLink(fp, below, back)
	return fp
}

// begin makes a frame of the code, whose roots are zero.
//
//go:norace
//go:nocheckptr
func (k *code) begin(fp unsafe.Pointer) {
	*(*uint32)(fp) = k.shape
	*(*uint32)(unsafe.Add(fp, 4)) = 0
	for i := k.zeroFrom; i < k.zeroTo; i += 8 {
		*(*uintptr)(unsafe.Add(fp, i)) = 0
	}
}

//go:norace
//go:nocheckptr
func (k *code) setLink(fp, below, back unsafe.Pointer) {
	p := unsafe.Add(fp, k.link)
	*(*uintptr)(p) = uintptr(below)
	*(*uintptr)(unsafe.Add(p, 8)) = uintptr(back)
	*(*uintptr)(unsafe.Add(p, 16)) = uintptr(unsafe.Pointer(k))
}

// linkOf reads the link of a frame.
//
//go:norace
//go:nocheckptr
func linkOf(fp unsafe.Pointer) (k *code, below, back unsafe.Pointer) {
	k = codeOf(fp)
	p := unsafe.Add(fp, k.link)
	return k, unsafe.Add(nil, *(*uintptr)(p)), unsafe.Add(nil, *(*uintptr)(unsafe.Add(p, 8)))
}

// enter makes the frame of a callee.
//
//go:norace
//go:nocheckptr
func (m *machine) enter(t *core.Ctx, fp, pc unsafe.Pointer, s *site, callee *code) {
	to := unsafe.Add(nil, t.SP)
	t.SP += callee.frame
	callee.begin(to)
	for i, a := range s.rootArgs {
		*(*uintptr)(unsafe.Add(to, callee.rootArgs+uintptr(i)*8)) = root(fp, a)
	}
	for i, a := range s.plainArgs {
		*(*uint64)(unsafe.Add(to, callee.plainArgs+uintptr(i)*8)) = word(fp, a)
	}
	callee.setLink(to, fp, pc)
}

// pass puts the arguments of a site into the transfer area.
func pass(t *core.Ctx, fp unsafe.Pointer, s *site) {
	x := core.X(t)
	for i, a := range s.rootArgs {
		x.R[i] = root(fp, a)
	}
	for i, a := range s.plainArgs {
		x.W[i] = word(fp, a)
	}
}

// take takes the results of a site out of the transfer area.
func take(t *core.Ctx, fp unsafe.Pointer, s *site) {
	x := core.X(t)
	for i, a := range s.roots {
		setRoot(fp, a, x.R[i])
	}
	for i, a := range s.plains {
		setWord(fp, a, x.W[i])
	}
}

// give copies results from the frame of a callee to that of its caller.
func give(to, from unsafe.Pointer, results, values *site) {
	for i, a := range results.roots {
		setRoot(to, a, root(from, values.rootArgs[i]))
	}
	for i, a := range results.plains {
		setWord(to, a, word(from, values.plainArgs[i]))
	}
}

// foreign calls a function that has no code here. It reports whether it returned.
func (m *machine) foreign(t *core.Ctx, fp unsafe.Pointer, s *site, f *core.Func) bool {
	*(*uint32)(unsafe.Add(fp, 4)) = s.no
	pass(t, fp, s)
	f.Enter(t)
	if t.Thrown != 0 {
		return false
	}
	take(t, fp, s)
	return true
}

// readiness says what prepare has done for a call.
type readiness int

const (
	again  readiness = iota // the call can be made now
	done                    // it was made
	failed                  // t.Thrown is set
)

// prepare does what a call needs that cannot be made at once: it makes the code of the callee,
// or room on the stack, or calls a function of another kind.
func (m *machine) prepare(t *core.Ctx, fp unsafe.Pointer, s *site, callee *code) readiness {
	switch {
	case callee != nil:
		if !m.grow(t, callee.frame) {
			return failed
		}
	case !s.cell.fn.foreign():
		s.cell.compiled(t)
	case m.foreign(t, fp, s, s.cell.fn.to):
		return done
	default:
		return failed
	}
	return again
}

// grow makes room for the frame of a callee; false if there is none, which is an exception.
func (m *machine) grow(t *core.Ctx, size uintptr) bool {
	m.early = true
	ok := t.Grow(size) != 0
	m.early = false
	m.noteHeat()
	return ok
}

// tail makes a tail call: the frame of the callee replaces that of the caller. It returns where
// the loop continues; pc is nil if an exception was thrown, and both results are nil if the
// activation has ended.
//
//go:norace
//go:nocheckptr
func (m *machine) tail(t *core.Ctx, fp unsafe.Pointer, s *site, in *ins) (unsafe.Pointer, unsafe.Pointer) {
	c := s.cell
	var f *core.Func
	if c == nil {
		p := unsafe.Add(nil, uintptr(word(fp, in.b)))
		if !core.Callable(p, s.class) {
			core.BadCall(t, p, s.class, m.where())
		}
		f = (*core.Func)(p)
		c = (*cell)(f.Live)
	} else {
		f = c.fn.to
	}
	core.NeedBody(t, f)
	below, back := m.drop(t, fp, s)
	if c != nil && !c.fn.foreign() {
		k := c.compiled(t)
		if to := k.arrive(t, below, back); to != nil {
			return to, unsafe.Pointer(k.start)
		}
		return below, nil
	}
	return m.hand(t, f, below, back)
}

// drop passes the arguments of a site and removes the frame that they are in.
//
//go:norace
//go:nocheckptr
func (m *machine) drop(t *core.Ctx, fp unsafe.Pointer, s *site) (below, back unsafe.Pointer) {
	pass(t, fp, s)
	k, below, back := linkOf(fp)
	if k.cells != 0 {
		t.AllocaRelease(core.Mark(word(fp, k.cells)))
	}
	t.SP = uintptr(fp)
	m.at(below, back)
	return below, back
}

// hand calls a function of another kind in the place of a frame that is gone. It returns what tail does.
func (m *machine) hand(t *core.Ctx, f *core.Func, below, back unsafe.Pointer) (unsafe.Pointer, unsafe.Pointer) {
	if below == nil {
		core.TailCall(t, f)
		core.Chase(t)
		return nil, nil
	}
	f.Enter(t)
	if t.Thrown != 0 {
		return below, nil
	}
	take(t, below, siteBefore(back))
	return below, back
}

// siteBefore is the site of the instruction before one.
//
//go:norace
//go:nocheckptr
func siteBefore(pc unsafe.Pointer) *site {
	return (*site)(unsafe.Add(nil, uintptr((*ins)(unsafe.Add(pc, -insSize)).imm)))
}

// unwind finds where an exception is caught, beginning with the call before pc, and removes the
// frames up to there; fp is nil if no frame of the activation catches it.
//
//go:norace
//go:nocheckptr
func (m *machine) unwind(t *core.Ctx, fp, pc unsafe.Pointer) (unsafe.Pointer, unsafe.Pointer) {
	for {
		s := siteBefore(pc)
		m.at(fp, pc)
		if t.Thrown == core.Popping && core.Land(t, uintptr(fp)) {
			take(t, fp, s)
			return fp, pc
		}
		if t.Thrown == 1 && s.catches {
			exc := core.Catch(t)
			if s.caught != 0 {
				setRoot(fp, s.caught, exc)
			}
			return fp, unsafe.Add(pc, s.exc)
		}
		k, below, back := linkOf(fp)
		if k.cells != 0 {
			t.AllocaRelease(core.Mark(word(fp, k.cells)))
		}
		t.SP = uintptr(fp)
		if below == nil {
			return nil, nil
		}
		fp, pc = below, back
	}
}

// failed handles the failure of an instruction: it goes to its exceptional destination, or
// ends the program.
func (m *machine) failed(t *core.Ctx, fp unsafe.Pointer, s *site, kind core.Kind, detail string) {
	if !s.catches {
		core.Fail(t, kind, m.where(), detail)
	}
	if s.caught != 0 {
		setRoot(fp, s.caught, 0)
	}
}

// fault ends the program because of an access through NULL.
func (m *machine) fault(t *core.Ctx) {
	core.Fail(t, core.NullRef, m.where(), m.inst().NullText())
}
