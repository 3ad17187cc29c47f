//go:build cgo

// Package ctest is the C library, for tests that compare the natives served in
// Go with it. Nothing else may import it.
package ctest

/*
#cgo LDFLAGS: -lm
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double math1(int op, double x) {
	switch (op) {
	case 0: return sqrt(x);
	case 1: return fabs(x);
	case 2: return floor(x);
	case 3: return ceil(x);
	case 4: return trunc(x);
	case 5: return round(x);
	case 6: return rint(x);
	case 7: return sqrtf((float)x);
	case 8: return fabsf((float)x);
	case 9: return floorf((float)x);
	case 10: return ceilf((float)x);
	case 11: return truncf((float)x);
	case 12: return roundf((float)x);
	case 20: return sin(x);
	case 21: return cos(x);
	case 22: return tan(x);
	case 23: return asin(x);
	case 24: return acos(x);
	case 25: return atan(x);
	case 26: return sinh(x);
	case 27: return cosh(x);
	case 28: return tanh(x);
	case 29: return exp(x);
	case 30: return log(x);
	case 31: return log2(x);
	case 32: return log10(x);
	case 33: return cbrt(x);
	case 34: return expm1(x);
	case 35: return log1p(x);
	case 36: return exp2(x);
	}
	return 0;
}

static double math2(int op, double x, double y) {
	switch (op) {
	case 0: return fmod(x, y);
	case 1: return fmodf((float)x, (float)y);
	case 2: return copysign(x, y);
	case 3: return fmax(x, y);
	case 4: return fmin(x, y);
	case 20: return pow(x, y);
	case 21: return atan2(x, y);
	case 22: return hypot(x, y);
	}
	return 0;
}

static int ctypes(int c) {
	return !!isupper(c) | !!islower(c) << 1 | !!isalpha(c) << 2 | !!isdigit(c) << 3 |
		!!isxdigit(c) << 4 | !!isalnum(c) << 5 | !!isspace(c) << 6 | !!isprint(c) << 7;
}

static void format_int(char *p, size_t n, const char *f, long long x) { snprintf(p, n, f, x); }
static void format_double(char *p, size_t n, const char *f, double x) { snprintf(p, n, f, x); }

static int64_t text(int op, uintptr_t s, int base, int64_t *used, int *no) {
	char *end = (char *)s;
	int64_t x = 0;
	errno = 0;
	switch (op) {
	case 0: x = strtoll((char *)s, &end, base); break;
	case 1: x = (int64_t)strtoull((char *)s, &end, base); break;
	case 2: { double d = strtod((char *)s, &end); memcpy(&x, &d, 8); break; }
	}
	*used = end - (char *)s;
	*no = errno;
	return x;
}
*/
import "C"

import "unsafe"

// Math1 calls a function of one number, by the numbers above.
func Math1(op int, x float64) float64 { return float64(C.math1(C.int(op), C.double(x))) }

// Math2 calls a function of two numbers.
func Math2(op int, x, y float64) float64 {
	return float64(C.math2(C.int(op), C.double(x), C.double(y)))
}

// Ldexp is ldexp.
func Ldexp(x float64, exp int32) float64 { return float64(C.ldexp(C.double(x), C.int(exp))) }

// Types are the answers of isupper, islower, isalpha, isdigit, isxdigit,
// isalnum, isspace and isprint, a bit each.
func Types(c int32) int { return int(C.ctypes(C.int(c))) }

// Text is strtoll, strtoull or, as bits, strtod, and the bytes used and errno.
func Text(op int, s uintptr, base int) (x uint64, used int64, errno int32) {
	var u C.int64_t
	var no C.int
	v := C.text(C.int(op), C.uintptr_t(s), C.int(base), &u, &no)
	return uint64(v), int64(u), int32(no)
}

// FormatInt is what snprintf makes of one long long.
func FormatInt(format string, x int64) string {
	return formatted(format, func(p *C.char, n C.size_t, f *C.char) { C.format_int(p, n, f, C.longlong(x)) })
}

// FormatDouble is what snprintf makes of one double.
func FormatDouble(format string, x float64) string {
	return formatted(format, func(p *C.char, n C.size_t, f *C.char) { C.format_double(p, n, f, C.double(x)) })
}

func formatted(format string, f func(p *C.char, n C.size_t, f *C.char)) string {
	const room = 4096
	cf := C.CString(format)
	p := (*C.char)(C.malloc(room))
	f(p, room, cf)
	s := C.GoString(p)
	C.free(unsafe.Pointer(p))
	C.free(unsafe.Pointer(cf))
	return s
}

// Sign is the sign of memcmp (op 0), strcmp (1) or strncmp (2), Find the
// address that strchr (op 0, n the byte), strrchr (1) or strstr (2) gives.
func Sign(op int, a, b uintptr, n uint64) int {
	x, y := (*C.char)(unsafe.Pointer(a)), (*C.char)(unsafe.Pointer(b))
	var r C.int
	switch op {
	case 0:
		r = C.memcmp(unsafe.Pointer(a), unsafe.Pointer(b), C.size_t(n))
	case 1:
		r = C.strcmp(x, y)
	case 2:
		r = C.strncmp(x, y, C.size_t(n))
	}
	switch {
	case r < 0:
		return -1
	case r > 0:
		return 1
	}
	return 0
}

// Find is described at Sign.
func Find(op int, s, t uintptr, n uint64) uintptr {
	x := (*C.char)(unsafe.Pointer(s))
	var r *C.char
	switch op {
	case 0:
		r = C.strchr(x, C.int(n))
	case 1:
		r = C.strrchr(x, C.int(n))
	case 2:
		r = C.strstr(x, (*C.char)(unsafe.Pointer(t)))
	}
	return uintptr(unsafe.Pointer(r))
}
