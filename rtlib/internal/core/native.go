package core

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/libc"
)

// CSig is the C signature of a CCALL or of an exposed function (docs/native.md, "Values").
type CSig struct {
	// Desc has a letter for each parameter and, after a >, for the result: b h i l
	// integers of 8 to 64 bits, f d floating point, p pointers; {...} a struct,
	// [N...] an array in one.
	Desc string

	Args, Results int // words that they take

	// Pool has the function pointers for exposed functions of the signature; nil without
	// cgo.
	Pool *Pool

	late *lateSig // of code that arrives at run time, if C code can be made for its signatures
}

// parts counts the scalars of the parameters. It reports ok if none is in a struct.
func (s *CSig) parts() (n int, ok bool) {
	for i := range len(s.Desc) {
		switch c := s.Desc[i]; c {
		case '>':
			return n, i+1 == len(s.Desc) || s.Desc[i+1] != '{'
		case '{', '[':
			return 0, false
		case 'b', 'h', 'i', 'l', 'f', 'd', 'p':
			n++
		default:
			panic(disagree("the C signature %q", s.Desc))
		}
	}
	return n, true
}

// Extern is a native symbol that a program refers to by name.
type Extern struct {
	Name string
	Pos  string   // position in the bundle, "" if unknown
	Addr *uintptr // the variable for its address; not 0 if the linker has set it
}

// resolve finds the symbols that the linker has not found.
func resolve(syms []Extern) error {
	for _, e := range syms {
		if *e.Addr != 0 {
			continue
		}
		addr, ok := libc.Symbol(e.Name)
		if !ok {
			at := ""
			if e.Pos != "" {
				at = e.Pos + ": "
			}
			why := "is not available: the program was made without cgo (build with CGO_ENABLED=1 and a C compiler; -lib FILE names a library)"
			if cLibrary.setup != nil {
				why = "is neither in the C library nor in a library of -lib"
			}
			return &Error{Kind: Native, Detail: fmt.Sprintf("%snative symbol %q %s", at, e.Name, why)}
		}
		*e.Addr = addr
	}
	return nil
}

// prepared has the state of the preparation of packages: their symbols are resolved, their heap images, which
// may contain symbols, are built, and their start hooks run. This is done when the first context is made,
// because by then a client has registered its functions.
var prepared preparation

type preparation struct {
	done atomic.Bool // all are

	mu  sync.Mutex
	n   int      // packages that are; guarded by mu
	err error    // of the first that is not; guarded by mu
	now *Program // whose image is being built; guarded by mu
}

// all prepares the packages that are not prepared yet.
func (r *preparation) all() error {
	if r.done.Load() {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.err == nil && r.n < len(packages) {
		r.now = packages[r.n]
		r.err = r.now.prepare()
		r.n++
	}
	r.done.Store(r.err == nil)
	return r.err
}

// begun records that p, a program with an entry function, is prepared by its first thread.
func (r *preparation) begun(p *Program) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now, r.n = p, len(packages)
	r.done.Store(true)
}

// later records that another program was linked.
func (r *preparation) later() { r.done.Store(false) }

func (p *Program) prepare() error {
	if err := resolve(p.Externs); err != nil || p.Init == nil && p.Hooks.Start == nil {
		return err
	}
	t := first.newThreadCtx()
	defer giveBack(t)
	return Do(t, func() {
		if p.Init != nil {
			p.Init(t)
		}
		_ = t.Thrown == 0 && forward(t, p.Hooks.Start)
	})
}

// Errno is the cell of errno of the stack: errno belongs to the stack, not to an OS thread
// (docs/native.md, "Stacks with C frames").
func Errno(t *Ctx) libc.Errno {
	return libc.Errno(unsafe.Pointer(&t.Native.Errno))
}

// CCall is CCALL (docs/language.md, "Native code") of an address that is not a C function: an exposed
// function, on the stack of the caller, or a native implemented in Go. Arguments and result are in X(t).
// For code that arrives at run time it also calls C functions.
func CCall(t *Ctx, f uintptr, sig *CSig, where string) {
	if f == 0 {
		Fail(t, NullFunc, where, "calling native code at NULL")
	}
	if x, ok := bareAt(f); ok {
		if x == nil {
			Fail(t, Native, where, fmt.Sprintf("calling %#x, which is not exposed any more", f))
		}
		x.own(t, where)
		x.fits(t, sig, where)
		x.call(t)
		return
	}
	n := libc.At(f)
	if n != nil && !vmOf(t).has(n) {
		Fail(t, Native, where, "calling "+n.Name+", a native of another VM of the process")
	}
	if n == nil && sig.late != nil && f >= NullZone {
		sig.late.call(t, f, where)
		return
	}
	if n == nil && cLibrary.setup != nil {
		Fail(t, Native, where, fmt.Sprintf("bad function pointer: there is no native function at %#x", f))
	}
	if n == nil {
		Fail(t, Native, where, fmt.Sprintf("bad function pointer: there is no native function at %#x, as far as a program made without cgo "+
			"can know (build with CGO_ENABLED=1)", f))
	}
	args, ok := sig.parts()
	if !ok {
		if why := n.WhyMissing(); why != "" {
			Fail(t, Native, where, why)
		}
		Fail(t, Native, where, n.Name+" is called with a struct")
	}
	serve(t, n, sig.Desc[:args], where)
}

// serve calls a native implemented in Go with the scalars in X(t); params has their letters. The result
// is in X(t) afterwards.
func serve(t *Ctx, n *libc.Native, params, where string) {
	x := X(t)
	for i := range len(params) {
		switch w := x.W[i]; params[i] { // as for C, narrow integers are sign-extended to 32 bits
		case 'b':
			x.W[i] = uint64(uint32(int8(w)))
		case 'h':
			x.W[i] = uint64(uint32(int16(w)))
		}
	}
	x.in = n // a panic of it is its own, see fault
	if !n.Calls {
		t.Th.EnterSafe()
	}
	r, err := n.Call(Errno(t), x.W[:len(params)]...)
	if !n.Calls {
		t.Th.LeaveSafe()
	}
	x = X(t) // it differs if the stack has changed its thread in a callback
	x.in = nil
	if err != nil {
		Fail(t, Native, where, err.Error())
	}
	Heed(t)
	x.W[0] = r
}

// CheckNative fails unless an address can be called by a CCALL with a signature. The signatures of C
// functions are not known.
func CheckNative(t *Ctx, f uintptr, sig *CSig, where string) {
	if x := exposedAt(f); x != nil {
		x.fits(t, sig, where)
	} else if m := vmOf(t).functionAt(f); m != nil {
		Fail(t, BadSignature, where, "function pointer type mismatch: "+m.Name+" is not exposed to native code")
	}
}

// own fails unless the function is of the VM that calls it.
func (x *Exposure) own(t *Ctx, where string) {
	if x.vm != vmOf(t) {
		Fail(t, Native, where, fmt.Sprintf("calling %#x, a function that another VM of the process has exposed", x.addr))
	}
}

// fits fails unless native code calls x with its own signature.
func (x *Exposure) fits(t *Ctx, sig *CSig, where string) {
	if x.Sig != sig && x.Sig.Desc != sig.Desc {
		Fail(t, BadSignature, where, "function pointer type mismatch: "+x.Func.called()+" is exposed with another signature")
	}
}

func init() { libc.SetCall(callPointer) }

// callPointer calls a function pointer for a native implemented in Go, on the stack that errno belongs
// to.
//
//go:norace
//go:nocheckptr
func callPointer(e libc.Errno, f uintptr, args ...uint64) uint64 {
	t := gc.OfNative((*gc.Native)(unsafe.Pointer(uintptr(e) - unsafe.Offsetof(gc.Native{}.Errno))))
	if x, ok := bareAt(f); ok {
		switch {
		case x == nil:
			Fail(t, Native, "", "native code calls a function that is not exposed any more")
		case x.vm != vmOf(t):
			x.own(t, "")
		case x.Sig.Args != len(args) || x.Sig.Results != 1:
			Fail(t, Native, "", x.Func.called()+" is exposed with another signature than native code calls it with")
		}
		in := X(t).in
		X(t).in = nil
		copy(X(t).W, args)
		x.call(t)
		X(t).in = in
		return X(t).W[0]
	}
	n := libc.At(f)
	if n == nil || !vmOf(t).has(n) {
		Fail(t, Native, "", fmt.Sprintf("bad function pointer: there is no native function at %#x", f))
	}
	in := X(t).in
	X(t).in = n // a panic of it is its own, see fault
	r, err := n.Call(e, args...)
	if err != nil {
		Fail(t, Native, "", err.Error())
	}
	X(t).in = in
	return r
}
