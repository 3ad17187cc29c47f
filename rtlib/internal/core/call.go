package core

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/libc"
)

// Callable reports whether a funcref can be called as a function of the class.
func Callable(f unsafe.Pointer, class uint32) bool {
	return f != nil && (*Func)(f).Class == class
}

// CodeOf returns the address of the code of a top-level function, for Func.Code. f is the
// address of a variable with the function.
func CodeOf(f unsafe.Pointer) uintptr { return **(**uintptr)(f) }

// BadCall stops the program after Callable has returned false.
func BadCall(t *Ctx, f unsafe.Pointer, class uint32, where string) {
	if f == nil {
		Fail(t, NullFunc, where, "")
	}
	Fail(t, BadSignature, where, "calling "+(*Func)(f).called()+" with another signature")
}

// functions are the records of packages by address. Packages are linked while no Mu code
// runs.
var functions struct {
	mu   sync.Mutex
	pkgs int               // guarded by mu: the number of packages whose functions are entered
	at   map[uintptr]*Func // guarded by mu
}

// functionAt finds the record at an address, nil if there is none.
func (vm *VM) functionAt(addr uintptr) *Func {
	if vm == first {
		if f := linkedAt(addr); f != nil {
			return f
		}
	}
	if e := vm.entityAt(addr); e != nil {
		return e.Func
	}
	return nil
}

// linkedAt finds the record of a package at an address, nil if there is none.
func linkedAt(addr uintptr) *Func {
	functions.mu.Lock()
	defer functions.mu.Unlock()
	if functions.at == nil {
		functions.at = map[uintptr]*Func{}
	}
	for ; functions.pkgs < len(packages); functions.pkgs++ {
		for _, f := range packages[functions.pkgs].Funcs {
			functions.at[uintptr(unsafe.Pointer(f))] = f
		}
	}
	return functions.at[addr]
}

// entityAt is the function whose record is at an address, nil if there is none.
//
//go:norace
//go:nocheckptr
func (vm *VM) entityAt(addr uintptr) *Entity { return vm.EntityOfFunc((*Func)(unsafe.Pointer(addr))) }

// recentFuncs is a cache of addresses at which FuncAtAddress found functions, each with its class plus 1 above its 48
// bits: nothing is found at address 0. Functions stay at their addresses until their VM is gone.
type recentFuncs [1 << 10]uint64

// recent is the cache of the first VM, at which generated code looks; the others have one each.
var recent recentFuncs

// maxRecent is the greatest class of functions in the cache.
const maxRecent = 1<<16 - 2

// IsFuncAt reports whether FuncAtAddress has found a function of the class at an address. If not, there
// may still be one.
func IsFuncAt(addr uintptr, class uint32) bool { return recent.has(addr, class) }

// IsFuncOf is IsFuncAt for the code of any VM.
func IsFuncOf(t *Ctx, addr uintptr, class uint32) bool {
	c := vmOf(t).cache()
	return c != nil && c.has(addr, class)
}

// cache is the cache of the VM, nil if nothing is in it.
func (vm *VM) cache() *recentFuncs {
	if vm == first {
		return &recent
	}
	return vm.recent.Load()
}

func (c *recentFuncs) has(addr uintptr, class uint32) bool {
	return class <= maxRecent && atomic.LoadUint64(&c[addr>>4&(1<<10-1)]) == (uint64(class)+1)<<48|uint64(addr)
}

// remember enters a function of the VM in its cache.
func (vm *VM) remember(addr uintptr, class uint32) {
	c := vm.cache()
	if c == nil {
		vm.recent.CompareAndSwap(nil, new(recentFuncs))
		c = vm.recent.Load()
	}
	if class <= maxRecent && uint64(addr) < 1<<48 {
		atomic.StoreUint64(&c[addr>>4&(1<<10-1)], (uint64(class)+1)<<48|uint64(addr))
	}
}

// FuncAtAddress returns the address of the function of the class at an address: the same address, or that of the
// record for a function that Go code has registered. It stops the program if there is none; NULL stays NULL if the
// text of the error for it, null, is "".
func FuncAtAddress(t *Ctx, addr uintptr, class uint32, where, null string) uintptr {
	switch {
	case addr == 0 && null != "":
		Fail(t, NullFunc, where, null)
	case addr == 0:
		return 0
	}
	vm := vmOf(t)
	if n := libc.At(addr &^ 1); n != nil && vm.has(n) && thunkOfClass(class) != nil {
		f := hostAt(n, addr, class)
		if f == nil {
			Fail(t, BadSignature, where, "function pointer type mismatch: "+n.Name+" has another signature")
		}
		return uintptr(unsafe.Pointer(f))
	}
	switch f := vm.functionAt(addr); {
	case f == nil:
		Fail(t, BadSignature, where, "bad function pointer: no function is at the address")
	case f.Class != class:
		Fail(t, BadSignature, where, "function pointer type mismatch: "+f.called()+" has another signature")
	default:
		vm.remember(addr, class)
	}
	return addr
}

// Tail calls of other functions. The body of the caller stores the callee's record and, in the
// transfer area, its arguments, and returns; the driver of the outermost function of the chain
// calls the next one. So a chain of any length needs the stack of only two functions.

// TailCall leaves a call for the driver.
func TailCall(t *Ctx, f *Func) { X(t).Tail = f }

// Tailing reports whether the body that just returned left a call.
func Tailing(t *Ctx) bool { return X(t).Tail != nil }

// Chase runs the call that was left, and those that it leaves, until one
// returns. It reports whether there are results, in the transfer area; if not,
// an exception is set.
func Chase(t *Ctx) bool {
	for {
		x := X(t)
		f := x.Tail
		if f == nil {
			return t.Thrown == 0
		}
		x.Tail = nil
		if f.Tail != nil {
			f.Tail(t)
		} else {
			f.Enter(t)
		}
	}
}

// Enabled reports whether a watchpoint is enabled.
func Enabled(w *Watch) bool { return atomic.LoadUint32(&w.On) != 0 }
