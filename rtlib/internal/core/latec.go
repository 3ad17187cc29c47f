package core

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/uvm2go/uvm2go/rtlib/libc"
)

// C signatures of code that arrives at run time (docs/native.md, "Code that arrives at run time"). No C code was compiled
// for them, so package ffi makes what calls C and what C calls when it is first needed.

// LateC is the C code that package ffi has made for a signature.
type LateC interface {
	// Call calls a C function with the arguments in X(t), and puts the result there.
	Call(t *Ctx, f uintptr)
	// Pointer makes the function pointer of a slot, 0 if that is not possible.
	Pointer(slot int) uintptr
}

// lateSig is what a signature has for C code made at run time.
type lateSig struct {
	sig    *CSig
	number uint32 // of CFrame.Sig, less firstLate
	pool   *Pool

	once  sync.Once
	code  LateC
	err   error       // why there is no code
	calls atomic.Bool // there is code
}

// errNotOfC is the error of signatures with other types than those of C, which translated code passes as addresses.
var errNotOfC = errors.New("needs code that is translated: a parameter or the result is a reference")

// firstLate is the first number in CFrame.Sig of a signature of this kind.
const firstLate = 1 << 31

// lateC has these signatures.
var lateC struct {
	// prepare makes the code for a signature, symbol finds a symbol in what the process has loaded; nil if the program
	// cannot do so.
	prepare func(sig *CSig, number uint32) (LateC, error)
	symbol  func(name string) uintptr
	prefer  bool                     // functions of C are called even where the runtime has them in Go
	errno   [len(errnoNames)]uintptr // the C functions, 0 where there is none
	// pools are the signatures with compiled function pointers in the package whose C code makes these calls. Those
	// of other packages do not know on whose behalf they are called.
	pools []*CSig

	mu   sync.Mutex
	sigs map[string]*CSig // by their descriptions; guarded by mu

	byNumber atomic.Pointer[[]*lateSig] // append-only, written with mu locked
}

// SetLateC sets how the C code for a signature is made, and how symbols are found. Package ffi calls it before the
// program starts, after the calls of SetPool of the same package.
func SetLateC(prepare func(sig *CSig, number uint32) (LateC, error), symbol func(name string) uintptr) {
	lateC.prepare, lateC.symbol, lateC.pools = prepare, symbol, slices.Clip(pools[firstPool:])
	for i, name := range errnoNames {
		lateC.errno[i] = symbol(name)
	}
}

// PreferC says whether functions of C are called even where the runtime has them in Go.
func PreferC(prefer bool) { lateC.prefer = prefer }

// CallsCLate reports whether code that arrives at run time can call any C function.
func CallsCLate() bool { return lateC.prepare != nil }

// arrives makes a signature of a unit serve C like that of the engine with the same description.
func (s *CSig) arrives() {
	if CallsCLate() {
		known := (&CSig{Desc: s.Desc, Args: s.Args, Results: s.Results}).arriving()
		s.Pool, s.late = known.Pool, known.late
	}
}

// arriving returns the signature with the description of s, for code that arrives. Its functions are exposed through
// compiled function pointers as long as there are some for the signature.
func (s *CSig) arriving() *CSig {
	lateC.mu.Lock()
	defer lateC.mu.Unlock()
	if known := lateC.sigs[s.Desc]; known != nil {
		return known
	}
	for _, p := range lateC.pools {
		if p != nil && p.Desc == s.Desc {
			s.Pool = p.Pool
			break
		}
	}
	var all []*lateSig
	if l := lateC.byNumber.Load(); l != nil {
		all = *l
	}
	l := &lateSig{sig: s, number: uint32(len(all))}
	l.pool = NewPool(maxPool, l.pointers())
	s.late = l
	all = append(all[:len(all):len(all)], l)
	lateC.byNumber.Store(&all)
	if lateC.sigs == nil {
		lateC.sigs = map[string]*CSig{}
	}
	lateC.sigs[s.Desc] = s
	return s
}

// OfC reports whether code can be made for the signature: no parameter and no result is a reference.
func (s *CSig) OfC() bool { return s.late != nil && s.late.pool != nil }

// pointers returns the function for the addresses of the pool, which makes each when it is first used. The pool calls it
// with its lock held.
func (l *lateSig) pointers() func(slot int) uintptr {
	var made []uintptr // by slot
	return func(slot int) uintptr {
		for len(made) <= slot {
			made = append(made, 0)
		}
		if made[slot] == 0 {
			made[slot] = l.code.Pointer(slot)
		}
		return made[slot]
	}
}

// ready makes the code for the signature if there is none.
func (l *lateSig) ready() error {
	l.once.Do(func() {
		l.code, l.err = lateC.prepare(l.sig, firstLate+l.number)
		l.calls.Store(l.err == nil)
	})
	return l.err
}

// CallC is CCALL of a C function, with arguments and result in X(t). It reports false, and does nothing, if CCall has to
// look at the address or at the signature.
func CallC(t *Ctx, f uintptr, s *CSig) bool {
	if l := s.late; l != nil && l.calls.Load() && !Served(f) {
		l.code.Call(t, f)
		return true
	}
	return false
}

// call is CCALL of a C function.
func (l *lateSig) call(t *Ctx, f uintptr, where string) {
	if own := ownErrno(f); own != 0 {
		CCall(t, own, l.sig, where)
		return
	}
	if err := l.ready(); err != nil {
		Fail(t, Native, where, "calling a C function of the signature "+l.sig.spell()+" "+err.Error())
	}
	l.code.Call(t, f)
}

// Served reports whether code that arrives at run time calls something else for an address than the C function there:
// for addresses as in InGo, and for C functions that return the address of errno.
func Served(f uintptr) bool {
	e := &lateC.errno // 0 where there is none, which is below NullZone
	return InGo(f) || f == e[0] || f == e[1] || f == e[2]
}

// errnoNames are the C functions that return the address of errno of the OS thread. Those in Go return that of the stack.
var errnoNames = [...]string{"__errno_location", "__error", "_errno"}

// ownErrno is the native in Go for such a function, 0 for others.
func ownErrno(f uintptr) uintptr {
	for i, addr := range &lateC.errno {
		if f == addr && addr != 0 {
			own, _ := libc.Symbol(errnoNames[i])
			return own
		}
	}
	return 0
}

// called returns the signature with a number in CFrame.Sig, and its pool.
func called(number uint32) (*CSig, *Pool) {
	if number >= firstLate {
		l := (*lateC.byNumber.Load())[number-firstLate]
		return l.sig, l.pool
	}
	s := pools[number]
	return s, s.Pool
}

// lateSymbol is the address of a native symbol to which the program does not refer, in a program that can call any C
// function: of the function in Go if compiled code would call that one as well, else of what C's linker knows under the
// name.
func lateSymbol(name string) (uintptr, bool) {
	if lateC.symbol == nil || libc.GoFirst(name, !lateC.prefer) {
		return libc.Symbol(name)
	}
	if addr := lateC.symbol(name); addr != 0 {
		return addr, true
	}
	return libc.Symbol(name)
}

// spell is the signature as C writes it.
func (s *CSig) spell() string {
	params, result, _ := strings.Cut(s.Desc, ">")
	if result == "" {
		result = "v"
	}
	var b strings.Builder
	spellC(&b, result, 1, "")
	b.WriteString(" (")
	spellC(&b, params, -1, ", ")
	b.WriteString(")")
	return b.String()
}

// spellC writes the types at the beginning of a text, at most n unless n is -1, and returns the rest of the text.
func spellC(b *strings.Builder, s string, n int, between string) string {
	names := map[byte]string{'b': "int8_t", 'h': "int16_t", 'i': "int32_t", 'l': "int64_t", 'f': "float", 'd': "double",
		'p': "void *", 'v': "void"}
	for i := 0; s != "" && s[0] != '}' && i != n; i++ {
		if i > 0 {
			b.WriteString(between)
		}
		switch s[0] {
		case '{':
			b.WriteString("struct { ")
			s = spellC(b, s[1:], -1, "; ")[1:]
			b.WriteString(" }")
		case '[':
			_, rest, _ := leadingNumber(s[1:])
			count := s[1 : len(s)-len(rest)]
			s = spellC(b, rest, 1, "")[1:]
			b.WriteString("[" + count + "]")
		default:
			b.WriteString(names[s[0]])
			s = s[1:]
		}
	}
	return s
}
