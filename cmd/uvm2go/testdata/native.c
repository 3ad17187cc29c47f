// Native functions for the script tests: calls and callbacks with every type that a
// signature may have, and callbacks that are kept, nested, or made by threads that C started.

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Structs that conventions treat differently: in integer registers, in vector registers,
// in both, and in memory.
typedef struct { int32_t a, b; } pair;
typedef struct { float x, y; } point;
typedef struct { double a; int32_t b; int8_t c[3]; } mixed;
typedef struct { int64_t x[5]; } large;
typedef struct { struct { int8_t a; int16_t b; } in; double d; void *p; } nest;

int64_t n_count = 42;

int8_t n_i8(int8_t x) { return x - 1; }
int16_t n_i16(int16_t x) { return x - 1; }
int32_t n_i32(int32_t x) { return x - 1; }
int64_t n_i64(int64_t x) { return x - 1; }
float n_float(float x) { return x * 1.5f; }
double n_double(double x) { return x / 4; }
void *n_pointer(void *p) { return p ? (char *)p + 1 : p; }
int n_wide(int8_t x) { return x; } // the caller extends the sign
void n_void(void) { n_count++; }
void n_empty(void) {}

double n_many(int64_t a, double b, int8_t c, float d, int64_t e, double f, int16_t g, float h, int64_t i,
	double j, int32_t k, double l, int64_t m, double n, int64_t o, double p, float q, double r, int64_t s, double t) {
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l + 13 * m +
		14 * n + 15 * o + 16 * p + 17 * q + 18 * r + 19 * s + 20 * t;
}

pair n_pair(pair p, int32_t by) { pair r = {p.b + by, p.a - by}; return r; }
point n_point(point p, float by) { point r = {p.y * by, p.x}; return r; }
mixed n_mixed(mixed m, int16_t k, float f) {
	mixed r = {m.a * 2 + f, m.b + k, {m.c[2], m.c[1], m.c[0]}};
	return r;
}
large n_large(large l, int64_t by) {
	for (int i = 0; i < 5; i++) l.x[i] += by * i;
	return l;
}
nest n_nest(nest n) {
	nest r = {{n.in.a + 1, n.in.b + 1}, n.d + 1, (char *)n.p + 1};
	return r;
}

// The sum of n doubles; variadic.
double n_sum(int n, ...) {
	va_list l;
	va_start(l, n);
	double s = 0;
	while (n-- > 0) s += va_arg(l, double);
	va_end(l);
	return s;
}

// Callbacks with the same types.
int32_t n_back_ints(int32_t (*f)(int8_t, int16_t, int32_t, int64_t)) { return f(-1, -2, -3, -4); }
double n_back_floats(double (*f)(float, double), float a) { return f(a, 0.25); }
int8_t n_back_i8(int8_t (*f)(int8_t), int8_t x) { return f(x); }
float n_back_float(float (*f)(float), float x) { return f(x); }
pair n_back_pair(pair (*f)(pair), pair p) { return f(p); }
mixed n_back_mixed(mixed (*f)(mixed, double), mixed m) { return f(m, 0.5); }
large n_back_large(large (*f)(large), large l) { return f(l); }
void n_back_void(void (*f)(void)) { f(); }

typedef int64_t (*fn)(int64_t);

int64_t n_apply(fn f, int64_t x) { return f(x) + 1; }

static fn kept;
void n_keep(fn f) { kept = f; }
int64_t n_call_kept(int64_t x) { return kept(x); }

// Calls each of n functions and adds up the results.
int64_t n_call_all(fn *f, int64_t n, int64_t x) {
	int64_t s = 0;
	for (int64_t i = 0; i < n; i++) s += f[i](x);
	return s;
}

// n threads call f count times each; the results are added up.
typedef struct { fn f; int64_t count, sum; } work;
static void *worker(void *p) {
	work *w = p;
	for (int64_t i = 0; i < w->count; i++) w->sum += w->f(i);
	return NULL;
}
int64_t n_threads(fn f, int64_t n, int64_t count) {
	work w[64];
	pthread_t t[64];
	int64_t sum = 0;
	if (n > 64) return -1;
	for (int64_t i = 0; i < n; i++) {
		w[i].f = f;
		w[i].count = count;
		w[i].sum = 0;
		if (pthread_create(&t[i], NULL, worker, &w[i])) return -2;
	}
	for (int64_t i = 0; i < n; i++) {
		pthread_join(t[i], NULL);
		sum += w[i].sum;
	}
	return sum;
}

int32_t n_fail(int32_t e) { errno = e; return -1; }
int32_t n_errno(void) { return errno; }
// The value of errno that f leaves, and the value that it finds.
int32_t n_errno_around(int32_t (*f)(void), int32_t e) {
	errno = e;
	int32_t seen = f();
	return seen * 1000 + errno;
}

// C buffers its output, which is written when the program ends.
void n_print(const char *s) { printf("%s", s); }

// A crash.
void n_crash(int64_t *p) { *p = 1; }

// A crash in C code that a callback calls.
int64_t n_apply_crash(fn f, int64_t x, int64_t p) { return f(x) + *(int64_t *)p; }

// A crash on a thread that C started.
static void *crash(void *p) { n_crash(p); return 0; }
void n_thread_crash(int64_t *p) {
	pthread_t t;
	pthread_create(&t, 0, crash, p);
	pthread_join(t, 0);
}
