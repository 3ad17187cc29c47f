package core

import (
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/stack"
	"github.com/uvm2go/uvm2go/rtlib/internal/thread"
)

// Frames of stacks at rest (docs/internals.md, "Introspection").
//
// In programs made to be inspected, every activation of a Mu function that may rest has a frame on the shadow
// stack, and its site word says where it rests: the number of a FrameSite, from 1. The
// keep-alive values of the site are in the frame, flattened as in a transfer area: the
// references in its first root words, the others after the root words. The runtime also has
// frames there, with the sites below; their word is the address of a Func.
//
// On-stack replacement is recorded in the stack's inspection while the stack rests, and
// carried out when it is bound:
//
//  1. The goroutine wakes in the runtime, in its newest frame; see resumed. If frames must
//     be popped, t.Thrown becomes Popping, and every function returns, as with an uncaught
//     exception, up to the frame that must become the newest.
//  2. Its code, after the call, or the runtime for its own frames, calls Land.
//  3. Land enters the functions of the frames that were pushed, from the top one down; the
//     results of each are the arguments of the next. Functions that have not been entered yet
//     have frames, so that they are visible if a function above them comes to rest.
//  4. The call returns the results of the last one, or the values passed if none was pushed;
//     or the exception is raised there.
//
// All inspections are guarded by one lock, which no thread holds while the heap may be
// collected. A stack with open cursors is held, see stack.State: it cannot be bound.

// FrameSite is a place where a frame can rest: a CALL, CCALL, TRAP, WATCHPOINT or
// SWAPSTACK, or the hidden trap of an undefined function.
type FrameSite struct {
	Func    *Func
	Version uint32 // ID, 0 of an undefined function
	Inst    uint32 // ID, 0 of an undefined function
	Results uint32 // value list that resumes it
	Keep    []KeepVar
	// Below is the place of a call whose callee the frame has a copy of: the code at this place is in that copy. It is
	// a number from 1, in generated code that within the package, or 0.
	Below uint32
	No    uint32 // the same in all packages of a process; set when the package is linked
}

// Sites of the runtime's frames.
const (
	siteNative  = 1<<32 - 1 - iota // native code that called the function back
	siteCreated                    // the function has not started yet
)

// unitPlaces are the units with places where frames rest. Their numbers are not those of rows of current.Frames; they are guarded
// like those.
var unitPlaces []*Program

// placesFree reports an error if a unit has the number of a place that another unit has. The numbers are chosen by the
// content of a unit, so this hardly ever happens.
func (p *Program) placesFree() error {
	if !p.Unit || len(p.Frames) == 0 {
		return nil
	}
	for _, q := range unitPlaces {
		if p.FirstPlace < q.FirstPlace+uint32(len(q.Frames)) && q.FirstPlace < p.FirstPlace+uint32(len(p.Frames)) {
			return disagree("the numbers of the places of two units overlap")
		}
	}
	return nil
}

// placeNo is the place with a number.
func placeNo(no uint32) *FrameSite {
	if n := no - 1; n < uint32(len(current.Frames)) {
		return &current.Frames[n]
	}
	for _, p := range unitPlaces {
		if n := no - p.FirstPlace; n < uint32(len(p.Frames)) {
			return &p.Frames[n]
		}
	}
	panic("internal error: a frame rests at a place that is not known")
}

// Popping is Ctx.Thrown while frames are being popped.
const Popping = 2

// inspection describes the frames of a READY stack that is inspected, and the changes that
// will be made when it is bound. Frames have numbers, from 0 at the bottom: first those on
// the shadow stack, or the one of a stack that has not started, then those pushed.
type inspection struct {
	frames []placed // on the shadow stack, without those popped
	entry  *Func    // of a stack that has not started: the function, which has no frame there yet
	top    uintptr  // the newest frame when the stack came to rest
	pushed []*Func
	edited bool
	open   []*thread.Cursor
	thrown uint32 // Ctx.Thrown when the stack was bound
}

// A placed frame is one on the shadow stack, or one of several that share a frame there, because callees were copied
// into their callers: they differ in level.
type placed struct {
	fp    uintptr
	site  uint32
	level uint32 // 0 for the oldest one of those that share fp
}

// place lists the frames that a frame on the shadow stack stands for.
//
//go:norace
//go:nocheckptr
func (p *inspection) place(fp uintptr) {
	site := *(*uint32)(unsafe.Pointer(fp + 4))
	n := len(p.frames)
	p.frames = append(p.frames, placed{fp: fp, site: site})
	if site == 0 || site >= siteCreated {
		return
	}
	for site = placeNo(site).Below; site != 0; site = placeNo(site).Below {
		p.frames = append(p.frames, placed{fp: fp, site: site})
	}
	slices.Reverse(p.frames[n:])
	for i := range p.frames[n:] {
		p.frames[n+i].level = uint32(i)
	}
}

var inspections sync.Mutex

// misuse is an error of Mu code or of a client.
type misuse struct {
	kind   Kind
	code   string // code of the client API, "" if that follows from the kind
	detail string
}

// must fails with m, unless it is nil.
func must(t *Ctx, m *misuse) {
	if m != nil {
		s := thread.Of(t)
		e := newError(s, m.kind, "", m.detail)
		e.Code = m.code
		stop(s, e)
	}
}

// restFrame describes a frame at rest.
type restFrame struct {
	fn      *Func
	fp      uintptr    // 0 for a frame that was pushed
	site    *FrameSite // nil for native frames and those that have not started
	native  bool
	results uint32 // value list that resumes it
}

// inspect holds a stack and returns its inspection. The caller holds the lock, and calls
// release.
func inspect(ref uintptr) (*thread.Stack, *inspection, *misuse) {
	if ref == 0 {
		return nil, nil, &misuse{StackState, "E_NULL", "the stack is NULL"}
	}
	if current.Frames == nil {
		return nil, nil, &misuse{StackState, "", "the program, or a package of it, was not made to be inspected (-introspect)"}
	}
	s := machine.Stack(ref)
	verdict := stack.Dead
	if s != nil {
		verdict = s.State().Hold()
	}
	if verdict != stack.Bound { // never Lent: programs that are inspected have no guests
		return nil, nil, &misuse{StackState, "", "the stack is " + verdict.String()}
	}
	p, _ := s.Inspection.(*inspection)
	if p == nil {
		p = &inspection{}
		for fp := range s.Ctx.Frames {
			p.place(fp)
		}
		if n := len(p.frames); n > 0 {
			p.top = p.frames[n-1].fp
		} else if p.entry, _ = s.Entry.(*Func); p.entry == nil {
			s.State().Unhold()
			return nil, nil, &misuse{StackState, "", "the stack has no frames of Mu functions"}
		}
		s.Inspection = p
	}
	return s, p, nil
}

// release lets the stack be bound unless there are cursors.
func release(s *thread.Stack, p *inspection) {
	if len(p.open) > 0 {
		return
	}
	if !p.edited {
		s.Inspection = nil
	}
	s.State().Unhold()
}

// depth is the number of frames.
func (p *inspection) depth() int { return p.placed() + len(p.pushed) }

// placed is the number of frames that were not pushed.
func (p *inspection) placed() int {
	if p.entry != nil {
		return 1
	}
	return len(p.frames)
}

// at describes frame i.
//
//go:norace
//go:nocheckptr
func (p *inspection) at(i int) restFrame {
	if n := p.placed(); i >= n {
		f := p.pushed[i-n]
		return restFrame{fn: f, results: f.Params}
	}
	if p.entry != nil {
		return restFrame{fn: p.entry, results: p.entry.Params}
	}
	fp := p.frames[i].fp
	switch site := p.frames[i].site; site {
	case siteNative:
		f := *(**Func)(unsafe.Pointer(fp + 8))
		return restFrame{fn: f, fp: fp, native: true, results: f.Results}
	case siteCreated:
		f := *(**Func)(unsafe.Pointer(fp + 8))
		return restFrame{fn: f, fp: fp, results: f.Params}
	default:
		fs := placeNo(site)
		return restFrame{fn: fs.Func, fp: fp, site: fs, results: fs.Results}
	}
}

// ids returns the IDs of function, version and instruction.
func (f *restFrame) ids() (fn, version, inst uint32) {
	switch {
	case f.native:
		return 0, 0, 0
	case f.site != nil:
		return f.fn.ID, f.site.Version, f.site.Inst
	}
	return f.fn.ID, f.fn.VersionID, 0
}

// newCursor opens a cursor at the top frame of a stack. It may collect.
func newCursor(t *Ctx, ref uintptr) (uintptr, *misuse) {
	return openCursor(t, ref, func() (*thread.Stack, *inspection, int, *misuse) {
		s, p, m := inspect(ref)
		if m != nil {
			return nil, nil, 0, m
		}
		return s, p, p.depth() - 1, nil
	})
}

// copyCursor opens another cursor at the frame of one.
func copyCursor(t *Ctx, ref uintptr) (uintptr, *misuse) {
	return openCursor(t, ref, func() (*thread.Stack, *inspection, int, *misuse) {
		c, p, m := cursorAt(ref)
		if m != nil {
			return nil, nil, 0, m
		}
		return c.Stack, p, c.Frame, nil
	})
}

// openCursor makes a cursor and opens it at the frame that where returns; where is called
// with the lock held. The object ref is kept alive meanwhile.
func openCursor(t *Ctx, ref uintptr, where func() (*thread.Stack, *inspection, int, *misuse)) (uintptr, *misuse) {
	th := thread.Of(t).Th
	th.Kept = ref
	c := &thread.Cursor{Closed: true}
	obj := machine.NewCursor(t, c)
	th.Kept = 0
	if obj == 0 {
		return 0, &misuse{OutOfMemory, "", "no memory for a frame cursor"}
	}
	inspections.Lock()
	defer inspections.Unlock()
	s, p, frame, m := where()
	if m != nil {
		return 0, m
	}
	c.Stack, c.Frame, c.Closed = s, frame, false
	p.open = append(p.open, c)
	return obj, nil
}

// cursorAt returns an open cursor. The caller holds the lock.
func cursorAt(ref uintptr) (*thread.Cursor, *inspection, *misuse) {
	if ref == 0 {
		return nil, nil, &misuse{CursorError, "E_NULL", "the cursor is NULL"}
	}
	c := machine.Cursor(ref)
	if c == nil || c.Closed {
		return nil, nil, &misuse{CursorError, "E_CURSOR_CLOSED", "the cursor is closed"}
	}
	p, _ := c.Stack.Inspection.(*inspection)
	if p == nil || !c.Stack.State().Held() {
		return nil, nil, &misuse{CursorError, "E_STACK_STATE", "the stack of the cursor was bound or killed meanwhile"}
	}
	return c, p, nil
}

// nextFrame moves a cursor one frame down.
func nextFrame(ref uintptr) *misuse {
	inspections.Lock()
	defer inspections.Unlock()
	c, _, m := cursorAt(ref)
	if m != nil {
		return m
	}
	if c.Frame == 0 {
		return &misuse{CursorError, "E_BOTTOM", "the cursor is at the bottom frame"}
	}
	c.Frame--
	return nil
}

func closeCursor(ref uintptr) *misuse {
	inspections.Lock()
	defer inspections.Unlock()
	c, p, m := cursorAt(ref)
	if m != nil {
		return m
	}
	c.Closed = true
	i := slices.Index(p.open, c)
	p.open = slices.Delete(p.open, i, i+1)
	release(c.Stack, p)
	return nil
}

// currentFrame describes the frame of a cursor.
func currentFrame(ref uintptr) (restFrame, *misuse) {
	inspections.Lock()
	defer inspections.Unlock()
	c, p, m := cursorAt(ref)
	if m != nil {
		return restFrame{}, m
	}
	return p.at(c.Frame), nil
}

// keepalives returns the keep-alive variables of the frame of a cursor, whose object is
// ref; the values are put into X(t): the words from 0, the references from first on.
//
//go:norace
//go:nocheckptr
func keepalives(t *Ctx, ref uintptr, first int) ([]KeepVar, *misuse) {
	inspections.Lock()
	defer inspections.Unlock()
	c, p, m := cursorAt(ref)
	if m != nil {
		return nil, m
	}
	f := p.at(c.Frame)
	if f.native {
		return nil, &misuse{Native, "E_NATIVE_FRAME", "a native frame has no keep-alive variables"}
	}
	if f.site == nil {
		return nil, nil
	}
	var n List
	for _, k := range f.site.Keep {
		k.Type.count(&n)
	}
	x := X(t)
	for len(x.R) < first+n.R {
		x.R = append(x.R, 0)
	}
	for len(x.W) < n.W {
		x.W = append(x.W, 0)
	}
	roots := uintptr(*(*uint32)(unsafe.Pointer(f.fp)) >> 16)
	for i := range n.R {
		x.R[first+i] = *(*uintptr)(unsafe.Pointer(f.fp + 8 + 8*uintptr(i)))
	}
	for i := range n.W {
		x.W[i] = *(*uint64)(unsafe.Pointer(f.fp + 8 + 8*(roots+uintptr(i))))
	}
	return f.site.Keep, nil
}

// popFramesTo makes the frame of a cursor the top one (docs/internals.md, "Introspection").
func popFramesTo(ref uintptr) *misuse {
	inspections.Lock()
	defer inspections.Unlock()
	c, p, m := cursorAt(ref)
	if m != nil {
		return m
	}
	top := p.depth() - 1
	if c.Frame == top {
		return nil
	}
	for i := top; i > c.Frame; i-- {
		if f := p.at(i); f.native {
			return &misuse{Native, "E_NATIVE_FRAME", "a native frame cannot be popped"}
		}
	}
	for _, o := range p.open {
		if o.Frame > c.Frame {
			return &misuse{CursorError, "E_CURSOR_OPEN", "another cursor is open on a frame to pop"}
		}
	}
	n := p.placed()
	p.pushed = p.pushed[:max(c.Frame+1-n, 0)]
	if p.entry == nil && c.Frame+1 < n {
		for _, f := range p.frames[c.Frame+1:] {
			if f.level == 0 {
				forget(f.fp)
			}
		}
		p.frames = p.frames[:c.Frame+1]
		c.Stack.Held = nil
	}
	p.edited = true
	f := p.at(c.Frame)
	c.Stack.State().SetReady(f.results)
	return nil
}

// forget clears the roots of a popped frame.
//
//go:norace
//go:nocheckptr
func forget(fp uintptr) {
	for i := range uintptr(*(*uint32)(unsafe.Pointer(fp)) >> 16) {
		*(*uintptr)(unsafe.Pointer(fp + 8 + 8*i)) = 0
	}
}

// pushFrame adds a frame of a function that has not started.
func pushFrame(t *Ctx, ref uintptr, f *Func) *misuse {
	inspections.Lock()
	defer inspections.Unlock()
	s, p, m := inspect(ref)
	if m != nil {
		return m
	}
	defer release(s, p)
	if want, _ := s.State().Ready(); want != f.Results {
		return &misuse{StackTypes, "", f.called() + " returns (" + list(f.Results).String() + "), the stack waits for (" +
			list(want).String() + ")"}
	}
	// When the stack is bound, all but the newest get frames of the runtime, see runCreated.
	waiting := len(p.pushed)
	if p.entry != nil {
		waiting++
	}
	if !s.Ctx.Holds(uintptr(waiting)*createdSize + spareRoom) {
		return &misuse{StackOverflow, "", fmt.Sprintf("no room on the stack for %d frames that wait", waiting+1)}
	}
	p.pushed = append(p.pushed, f.frozen(t))
	p.edited = true
	s.State().SetReady(f.Params)
	return nil
}

// resumed is called after every switch back to a stack: it carries out the changes that were
// recorded while the stack rested. Afterwards either t.Thrown is 0 and the results of the
// newest frame's site are in X(t), or t.Thrown is set.
func resumed(t *Ctx) {
	s := thread.Of(t)
	if t.Thrown != 0 {
		noteOrigin(t, t.Exc)
	}
	p, _ := s.Inspection.(*inspection)
	if p == nil {
		return
	}
	p.thrown, t.Thrown = t.Thrown, Popping
	Land(t, p.top) // at a place that is in no copy: only calls are copied
}

// Land is called when t.Thrown is Popping and all frames above fp have been popped. If fp is
// the frame to land in, it becomes the newest, the functions pushed on it run, and t.Thrown
// says how they ended. It reports whether there are results, in X(t).
func Land(t *Ctx, fp uintptr) bool { return LandAt(t, fp, 0) }

// LandAt is Land for the frame of a given level, from 0, among those that share fp.
//
//go:norace
//go:nocheckptr
func LandAt(t *Ctx, fp uintptr, level uint32) bool {
	s := thread.Of(t)
	for t.Thrown == Popping {
		p := s.Inspection.(*inspection)
		to := p.frames[len(p.frames)-1]
		if to.fp != fp || to.level != level {
			return false
		}
		*(*uint32)(unsafe.Pointer(fp + 4)) = to.site // those above it are gone
		s.Inspection = nil
		t.Thrown = p.thrown
		runCreated(t, p.pushed)
	}
	return t.Thrown == 0
}

// createdSize is the size of the runtime's frames.
const createdSize = 16

// spareRoom is the number of bytes that must be left on a stack for the frames of pushed functions.
const spareRoom = 2 << 10

// putFrame pushes a frame of the runtime. It may collect. It returns 0 if the stack is
// exhausted, which raises an exception.
//
//go:norace
//go:nocheckptr
func putFrame(t *Ctx, site uint32, f *Func) uintptr {
	fp := t.Grow(createdSize)
	if fp != 0 {
		fillFrame(t, fp, site, f)
	}
	return fp
}

// fillFrame is putFrame where there is room.
//
//go:norace
//go:nocheckptr
func fillFrame(t *Ctx, fp uintptr, site uint32, f *Func) {
	t.SP = fp + createdSize
	*(*uint32)(unsafe.Pointer(fp)) = createdSize / 8
	*(*uint32)(unsafe.Pointer(fp + 4)) = site
	*(*uint64)(unsafe.Pointer(fp + 8)) = uint64(uintptr(unsafe.Pointer(f)))
}

// runCreated enters functions whose frames were pushed, the last first, with the values in
// X(t). The results are those of the first. An exception drops functions that have not started.
func runCreated(t *Ctx, created []*Func) {
	base := t.SP
	for len(created) > 0 && t.Thrown == 0 {
		last := len(created) - 1
		hold(t, created[last].Params)
		fps := make([]uintptr, last)
		for i, f := range created[:last] {
			if fps[i] = putFrame(t, siteCreated, f); fps[i] == 0 {
				break
			}
		}
		X(t).Live = 0
		again := -1
		for i := last; i >= 0 && again < 0; i-- {
			if t.Thrown == 0 {
				created[i].Enter(t)
			}
			if t.Thrown == Popping {
				p := thread.Of(t).Inspection.(*inspection)
				if again = slices.Index(fps[:i], p.frames[len(p.frames)-1].fp); again < 0 {
					break
				}
				thread.Of(t).Inspection = nil
				t.Thrown = p.thrown
				created = append(slices.Clone(created[:again+1]), p.pushed...)
			}
			if i > 0 && again < 0 {
				t.SP = fps[i-1]
			}
		}
		t.SP = base
		if again < 0 {
			return
		}
	}
}

// startCreated runs a stack that has not started: first the functions whose frames were
// pushed, then the function at its bottom.
func startCreated(t *Ctx, s *thread.Stack, f *Func) {
	p, _ := s.Inspection.(*inspection)
	if p == nil {
		f.Enter(t)
		return
	}
	s.Inspection = nil
	runCreated(t, append([]*Func{f}, p.pushed...))
}

// restUndefined pushes the frame of an undefined function, whose arguments are in X(t),
// in programs that can be inspected. It returns false if the stack is exhausted.
//
//go:norace
//go:nocheckptr
func restUndefined(t *Ctx, f *Func) (fp uintptr, ok bool) {
	if f.Site == 0 {
		return 0, true
	}
	x, n := X(t), list(f.Params)
	size := uintptr(8 + 8*(n.R+n.W))
	hold(t, f.Params)
	fp = t.Grow(size)
	x.Live = 0
	if fp == 0 {
		return 0, false
	}
	t.SP = fp + size
	*(*uint32)(unsafe.Pointer(fp)) = uint32(n.R)<<16 | uint32(size/8)
	*(*uint32)(unsafe.Pointer(fp + 4)) = f.Site
	for i, r := range x.R[:n.R] {
		*(*uintptr)(unsafe.Pointer(fp + 8 + 8*uintptr(i))) = r
	}
	for i, w := range x.W[:n.W] {
		*(*uint64)(unsafe.Pointer(fp + 8 + 8*uintptr(n.R+i))) = w
	}
	return fp, true
}
