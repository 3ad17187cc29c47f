package libc

import (
	"bytes"
	"runtime"
	"unsafe"
)

// nullZone is the limit below which addresses count as NULL (docs/language.md, "Memory").
const nullZone = 65536

// span views n bytes at p. Addresses that count as NULL must not become Go pointers,
// because Go's stack growth checks pointers: instead they are accessed, which faults.
//
//go:norace
//go:nocheckptr
func span(name string, p uintptr, n uint64) []byte {
	if n <= oneSpan && p-nullZone < spanTop {
		return unsafe.Slice((*byte)(unsafe.Pointer(p)), int(n))
	}
	return oddSpan(name, p, n)
}

// Spans of up to oneSpan bytes at addresses from nullZone up to spanTop more need no
// further check.
const (
	oneSpan = 1 << 30
	spanTop = ^uintptr(0) - 2*oneSpan
)

// oddSpan is the rare half of span.
//
//go:noinline
//go:norace
//go:nocheckptr
func oddSpan(name string, p uintptr, n uint64) []byte {
	if n == 0 {
		return nil
	}
	if p < nullZone {
		touch(p)
	}
	if n > uint64(^uintptr(0)>>1) || p+uintptr(n) < p {
		panic(&Misuse{name, "size exceeds memory"})
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(p)), int(n))
}

//go:noinline
//go:norace
//go:nocheckptr
func touch(p uintptr) {
	sink = *(*byte)(unsafe.Pointer(p))
	panic(&Misuse{"native", "address 0"}) // where nothing faults: wasm
}

var sink byte

// at views memory as a T. Its address must not count as NULL.
//
//go:norace
//go:nocheckptr
func at[T any](p uintptr) *T {
	if p < nullZone {
		touch(p)
	}
	return (*T)(unsafe.Pointer(p))
}

// Memcpy is memcpy; regions that overlap are copied as by memmove.
func Memcpy(dst, src uintptr, n uint64) uintptr {
	copy(span("memcpy", dst, n), span("memcpy", src, n))
	return dst
}

// Memmove is memmove.
func Memmove(dst, src uintptr, n uint64) uintptr {
	copy(span("memmove", dst, n), span("memmove", src, n))
	return dst
}

// Memset is memset.
func Memset(p uintptr, c uint32, n uint64) uintptr {
	b := span("memset", p, n)
	switch {
	case len(b) == 0:
	case byte(c) == 0:
		clear(b)
	default:
		b[0] = byte(c)
		for done := 1; done < len(b); done *= 2 {
			copy(b[done:], b[:min(done, 1<<16)])
			if done >= 1<<16 { // continue with blocks of this size, which stay in the cache
				for at := done; at < len(b); at += 1 << 16 {
					copy(b[at:], b[:1<<16])
				}
				break
			}
		}
	}
	return p
}

// Memcmp is memcmp: the difference of the first bytes that differ.
func Memcmp(a, b uintptr, n uint64) uint32 {
	x, y := span("memcmp", a, n), span("memcmp", b, n)
	if bytes.Equal(x, y) {
		return 0
	}
	for i := range x {
		if x[i] != y[i] {
			return uint32(x[i]) - uint32(y[i])
		}
	}
	return 0
}

// Memchr is memchr. As in C the bytes after a hit need not be accessible.
func Memchr(p uintptr, c uint32, n uint64) uintptr {
	for n > 0 {
		b := page("memchr", p, n)
		if i := bytes.IndexByte(b, byte(c)); i >= 0 {
			return p + uintptr(i)
		}
		p += uintptr(len(b))
		n -= uint64(len(b))
	}
	return 0
}

const pageSize = 4096 // no system has smaller pages

// page views the part of n bytes at p that is in the first page: if the first byte is
// accessible, all are.
func page(name string, p uintptr, n uint64) []byte {
	return span(name, p, min(n, uint64(pageSize-p%pageSize)))
}

// Strlen is strlen.
func Strlen(s uintptr) uint64 {
	p := s
	for {
		b := page("strlen", p, pageSize)
		if i := bytes.IndexByte(b, 0); i >= 0 {
			return uint64(p-s) + uint64(i)
		}
		p += uintptr(len(b))
	}
}

// Strnlen is strnlen.
func Strnlen(s uintptr, n uint64) uint64 {
	if p := Memchr(s, 0, n); p != 0 {
		return uint64(p - s)
	}
	return n
}

// wide means that words may be loaded from any address.
const wide = runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64"

// Strcmp is strcmp: the difference of the first bytes that differ.
func Strcmp(a, b uintptr) uint32 { return Strncmp(a, b, ^uint64(0)) }

// Strncmp is strncmp.
//
//go:norace
//go:nocheckptr
func Strncmp(a, b uintptr, n uint64) uint32 {
	const low, high = 0x0101010101010101, 0x8080808080808080
	if n > 0 && (a < nullZone || b < nullZone) {
		touch(min(a, b))
	}
	for n > 0 {
		for wide && n >= 8 && a%pageSize <= pageSize-8 && b%pageSize <= pageSize-8 {
			x, y := *(*uint64)(unsafe.Pointer(a)), *(*uint64)(unsafe.Pointer(b))
			if x != y || (x-low)&^x&high != 0 {
				break // these bytes contain a difference or the end
			}
			a, b, n = a+8, b+8, n-8
		}
		for range min(n, 8) {
			x, y := *(*byte)(unsafe.Pointer(a)), *(*byte)(unsafe.Pointer(b))
			if x != y || x == 0 {
				return uint32(x) - uint32(y)
			}
			a, b, n = a+1, b+1, n-1
		}
	}
	return 0
}

// Strcpy is strcpy.
func Strcpy(dst, src uintptr) uintptr { return Memmove(dst, src, Strlen(src)+1) }

// Strncpy is strncpy: after a shorter string it stores zeros; a longer string is cut
// and has no zero at its end.
func Strncpy(dst, src uintptr, n uint64) uintptr {
	l := Strnlen(src, n)
	Memmove(dst, src, l)
	Memset(dst+uintptr(l), 0, n-l)
	return dst
}

// Strcat is strcat.
func Strcat(dst, src uintptr) uintptr {
	Strcpy(dst+uintptr(Strlen(dst)), src)
	return dst
}

// Strncat is strncat.
func Strncat(dst, src uintptr, n uint64) uintptr {
	l := Strnlen(src, n)
	end := dst + uintptr(Strlen(dst))
	Memmove(end, src, l)
	*at[byte](end + uintptr(l)) = 0
	return dst
}

// Strchr is strchr; the end of the string is part of it.
func Strchr(s uintptr, c uint32) uintptr { return Memchr(s, c, Strlen(s)+1) }

// Strrchr is strrchr.
func Strrchr(s uintptr, c uint32) uintptr {
	if i := bytes.LastIndexByte(span("strrchr", s, Strlen(s)+1), byte(c)); i >= 0 {
		return s + uintptr(i)
	}
	return 0
}

// Strstr is strstr.
func Strstr(s, sub uintptr) uintptr {
	if i := bytes.Index(cstring("strstr", s), cstring("strstr", sub)); i >= 0 {
		return s + uintptr(i)
	}
	return 0
}

// Strdup is strdup.
func Strdup(e Errno, s uintptr) uintptr {
	n := Strlen(s) + 1
	p := Malloc(e, n)
	if p != 0 {
		Memcpy(p, s, n)
	}
	return p
}

// cstring views the string at s without its end.
func cstring(name string, s uintptr) []byte { return span(name, s, Strlen(s)) }
