//go:build cgo

// Package ctest is the C library, for tests that compare the natives served in
// Go with it. Nothing else may import it.
package ctest

/*
#cgo linux LDFLAGS: -ldl
#cgo LDFLAGS: -Wl,--no-as-needed -lm
#define _GNU_SOURCE
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// math calls the function called name; sig is as in the table of natives. It returns errno, -1 if there is none of that name.
static int math(const char *name, const char *sig, double x, double y, int i, double *r) {
	void *f = dlsym(RTLD_DEFAULT, name);
	if (!f) return -1;
	errno = 0;
	if (!strcmp(sig, "d(d)")) *r = ((double (*)(double))f)(x);
	else if (!strcmp(sig, "d(dd)")) *r = ((double (*)(double, double))f)(x, y);
	else if (!strcmp(sig, "d(di)")) *r = ((double (*)(double, int))f)(x, i);
	else if (!strcmp(sig, "f(f)")) *r = ((float (*)(float))f)((float)x);
	else if (!strcmp(sig, "f(ff)")) *r = ((float (*)(float, float))f)((float)x, (float)y);
	else if (!strcmp(sig, "f(fi)")) *r = ((float (*)(float, int))f)((float)x, i);
	else return -1;
	return errno;
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
	case 3: x = atoi((char *)s); break;
	case 4: x = atoll((char *)s); break;
	case 5: { double d = atof((char *)s); memcpy(&x, &d, 8); break; }
	}
	*used = end - (char *)s;
	*no = errno;
	return x;
}
*/
import "C"

import "unsafe"

// Math calls a function of libm by its name and its signature, d(d), d(dd), d(di), f(f), f(ff) or f(fi), and returns
// its result and errno. It reports ok if there is such a function.
func Math(name, sig string, x, y float64, i int32) (r float64, errno int32, ok bool) {
	cn, cs := C.CString(name), C.CString(sig)
	defer C.free(unsafe.Pointer(cn))
	defer C.free(unsafe.Pointer(cs))
	var res C.double
	no := C.math(cn, cs, C.double(x), C.double(y), C.int(i), &res)
	return float64(res), int32(no), no >= 0
}

// Types are the answers of isupper, islower, isalpha, isdigit, isxdigit,
// isalnum, isspace and isprint, a bit each.
func Types(c int32) int { return int(C.ctypes(C.int(c))) }

// Text is strtoll, strtoull or, as bits, strtod, and the bytes used and errno; or atoi, atoll or atof.
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
