package libc

import (
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"
)

// onExit ends the process; the runtime may replace it.
var onExit atomic.Pointer[func(status int)]

// SetExit makes exit and abort call f, which must not return, instead of
// os.Exit.
func SetExit(f func(status int)) { onExit.Store(&f) }

func end(status int) {
	if f := onExit.Load(); f != nil {
		(*f)(status)
	}
	os.Exit(status)
}

// Exit is exit, _exit and _Exit: there are no buffers to write and no functions to call.
func Exit(status uint32) { end(int(status & 0xff)) }

// abortStatus is the status that a shell shows for a process killed by
// SIGABRT. Go's runtime owns the signal and would print its own stacks.
const abortStatus = 128 + 6

// Abort is abort.
func Abort() { end(abortStatus) }

// Getpid is getpid.
func Getpid() uint32 { return uint32(os.Getpid()) }

// SchedYield is sched_yield.
func SchedYield() uint32 {
	runtime.Gosched()
	return 0
}

// environ is the C variable environ: the address of a list of strings that ends with
// NULL. It is made at the first call.
var environ = sync.OnceValue(func() uintptr {
	vars := os.Environ()
	word := unsafe.Sizeof(uintptr(0))
	list := Malloc(0, uint64(uintptr(len(vars)+1)*word))
	cell := Malloc(0, uint64(word))
	if list == 0 || cell == 0 {
		panic(&Misuse{"environ", "out of memory"})
	}
	for i, v := range vars {
		*at[uintptr](list + uintptr(i)*word) = newString(v)
	}
	*at[uintptr](list + uintptr(len(vars))*word) = 0
	*at[uintptr](cell) = list
	return cell
})

// newString is a C string outside Go's heap.
func newString(s string) uintptr {
	p := Malloc(0, uint64(len(s)+1))
	if p == 0 {
		panic(&Misuse{"malloc", "out of memory"})
	}
	b := span("malloc", p, uint64(len(s)+1))
	copy(b, s)
	b[len(s)] = 0
	return p
}

// Getenv is getenv: the value inside environ, NULL if there is none.
func Getenv(name uintptr) uintptr {
	want := string(cstring("getenv", name))
	if want == "" || strings.Contains(want, "=") {
		return 0
	}
	list := *at[uintptr](environ())
	if list == 0 {
		return 0
	}
	for ; *at[uintptr](list) != 0; list += unsafe.Sizeof(uintptr(0)) {
		v := *at[uintptr](list)
		if key, _, ok := strings.Cut(string(cstring("getenv", v)), "="); ok && sameName(key, want) {
			return v + uintptr(len(want)) + 1
		}
	}
	return 0
}

func sameName(a, b string) bool {
	return a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b)
}
