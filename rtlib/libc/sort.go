package libc

import (
	"slices"
	"sync/atomic"
)

// A CallFunc calls the function at an address with words, and returns its result as a word.
type CallFunc func(e Errno, f uintptr, args ...uint64) uint64

var onCall atomic.Pointer[CallFunc]

// SetCall sets the function with which natives call function pointers. Its Errno is that of the
// caller, which identifies the stack to the runtime. The function does not return if the call fails.
func SetCall(f CallFunc) { onCall.Store(&f) }

// call calls a function pointer for the native called name.
func call(e Errno, name string, f uintptr, args ...uint64) uint64 {
	if c := onCall.Load(); c != nil {
		return (*c)(e, f, args...)
	}
	r, err := Invoke(e, f, args...)
	if err != nil {
		panic(&Misuse{name, err.Error()})
	}
	return r
}

// compare calls the comparison of qsort and bsearch.
func compare(e Errno, name string, f, a, b uintptr) int32 {
	return int32(call(e, name, f, uint64(a), uint64(b)))
}

// Qsort is qsort. It is stable, and moves no elements before the last comparison.
func Qsort(e Errno, base uintptr, n, size uint64, cmp uintptr) {
	if n < 2 || size == 0 {
		return
	}
	if n > maxSpan/size {
		panic(&Misuse{"qsort", "the array is larger than memory"})
	}
	all := span("qsort", base, n*size)
	at := make([]uintptr, n)
	for i := range at {
		at[i] = base + uintptr(i)*uintptr(size)
	}
	mergeSort(at, make([]uintptr, n), func(a, b uintptr) bool { return compare(e, "qsort", cmp, a, b) <= 0 })
	old := slices.Clone(all)
	for i, p := range at {
		from := int(p - base)
		copy(all[i*int(size):(i+1)*int(size)], old[from:])
	}
}

// maxSpan is more than any memory.
const maxSpan = 1 << 48

// mergeSort sorts a by inOrder, which reports whether x may be before y; b must have the same length.
func mergeSort(a, b []uintptr, inOrder func(x, y uintptr) bool) {
	if len(a) < 2 {
		return
	}
	m := len(a) / 2
	mergeSort(a[:m], b, inOrder)
	mergeSort(a[m:], b, inOrder)
	low, high := b[:copy(b, a[:m])], a[m:]
	for i := 0; len(low) > 0; i++ {
		if len(high) == 0 || inOrder(low[0], high[0]) {
			a[i], low = low[0], low[1:]
		} else {
			a[i], high = high[0], high[1:]
		}
	}
}

// Bsearch is bsearch.
func Bsearch(e Errno, key, base uintptr, n, size uint64, cmp uintptr) uintptr {
	for low := uint64(0); low < n; {
		m := low + (n-low)/2
		p := base + uintptr(m*size)
		switch c := compare(e, "bsearch", cmp, key, p); {
		case c == 0:
			return p
		case c < 0:
			n = m
		default:
			low = m + 1
		}
	}
	return 0
}
