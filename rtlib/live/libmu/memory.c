//go:build cgo

// Accesses of memory of the VM that need no Go: of numbers and pointers, in places that are known to be in objects and
// cells (uvm_place). The collector moves no objects and does not look at such places, so it need not know of these accesses. A
// VM that is closed waits for them before it frees its cells (vm.close). References, and all errors, are left to Go.

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "_cgo_export.h"
#include "entries_gen.h"
#include "handles.h"
#include "libmu.h"

// Memory orders of the API.
enum { NOT_ATOMIC, RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };

// place is a number or pointer in memory.
typedef struct place {
	uintptr_t at;
	uint32_t kind; // of slots with a value from there
	uint32_t size;
} place;

// reach finds the place of an iref; 0 if C does not access it: it may not be memory, or holds something else.
static int reach(uvm_ctx *ctx, uintptr_t loc, place *p) {
	where w;
	if (!locate(ctx, loc, &w) || w.what != UVM_IREF) return 0;
	const uvm_type *t = known(ctx, w.type);
	if (!t || !t->kind) return 0;
	const uvm_place *in = &ctx->places[w.holder];
	if (w.at < in->begin || w.at > in->end || in->end - w.at < t->size) return 0;
	if (t->kind >> 24 != UVM_PARTS && w.at & (t->size - 1)) return 0; // sizes of numbers are powers of two
	*p = (place){w.at, t->kind, (uint32_t)t->size};
	return 1;
}

#define LOAD(p, order)                                                     \
	switch ((p)->size) {                                                    \
	case 1: return __atomic_load_n((const uint8_t *)(p)->at, order);        \
	case 2: return __atomic_load_n((const uint16_t *)(p)->at, order);       \
	case 4: return __atomic_load_n((const uint32_t *)(p)->at, order);       \
	default: return __atomic_load_n((const uint64_t *)(p)->at, order);      \
	}

static uint64_t load(const place *p, uint32_t order) {
	switch (order) {
	case NOT_ATOMIC:
	case RELAXED: LOAD(p, __ATOMIC_RELAXED)
	case CONSUME:
	case ACQUIRE: LOAD(p, __ATOMIC_ACQUIRE)
	default: LOAD(p, __ATOMIC_SEQ_CST)
	}
}

#define STORE(p, x, order)                                                          \
	switch ((p)->size) {                                                             \
	case 1: __atomic_store_n((uint8_t *)(p)->at, (uint8_t)(x), order); break;        \
	case 2: __atomic_store_n((uint16_t *)(p)->at, (uint16_t)(x), order); break;      \
	case 4: __atomic_store_n((uint32_t *)(p)->at, (uint32_t)(x), order); break;      \
	default: __atomic_store_n((uint64_t *)(p)->at, x, order);                        \
	}

static void store(const place *p, uint64_t x, uint32_t order) {
	switch (order) {
	case NOT_ATOMIC:
	case RELAXED: STORE(p, x, __ATOMIC_RELAXED) break;
	case RELEASE: STORE(p, x, __ATOMIC_RELEASE) break;
	default: STORE(p, x, __ATOMIC_SEQ_CST)
	}
}

// parts reports whether a place is one of several numbers and pointers, which are not accessed together.
static int parts(const place *p) { return p->kind >> 24 == UVM_PARTS; }

// read makes the handle of the value at a place; 0 after an error.
static uintptr_t read(uvm_ctx *ctx, const place *p, uint32_t ord, const char *function) {
	if (!parts(p)) return give(ctx, p->kind, load(p, ord), function);
	void *copy = malloc(p->size);
	if (!copy) {
		uvm_fail(ctx->vm, function, "E_OOM: no memory for a value");
		return 0;
	}
	memcpy(copy, (void *)p->at, p->size);
	uintptr_t h = give(ctx, p->kind, (uintptr_t)copy, function);
	if (!h) free(copy);
	return h;
}

// write stores a value that fits.
static void write(const place *p, const uvm_slot *v, uint32_t ord) {
	if (parts(p))
		memcpy((void *)p->at, (void *)(uintptr_t)v->value, p->size);
	else
		store(p, v->value, ord);
}

uintptr_t uvmmu_ctx_load(uvm_ctx *ctx, uint32_t ord, uintptr_t loc) {
	if (ord <= SEQ_CST && ord != RELEASE && ord != ACQ_REL && begin(ctx)) {
		place p;
		int can = reach(ctx, loc, &p) && (ord == NOT_ATOMIC || !parts(&p));
		uintptr_t h = can ? read(ctx, &p, ord, "load") : 0;
		end(ctx);
		if (can) return h;
	}
	return uvmmu_go_load(ctx, ord, loc);
}

// fits reports whether a value can be stored in a place: a number of the same kind, ints of any length; any pointer.
static int fits(const uvm_slot *v, const place *p) {
	if (!v) return 0;
	uint32_t have = v->kind >> 24, want = p->kind >> 24;
	if (want == UVM_PARTS) return v->kind == p->kind;
	return have == want || ((have == UVM_UPTR || have == UVM_UFP) && (want == UVM_UPTR || want == UVM_UFP));
}

void uvmmu_ctx_store(uvm_ctx *ctx, uint32_t ord, uintptr_t loc, uintptr_t newval) {
	if (ord <= SEQ_CST && ord != CONSUME && ord != ACQUIRE && ord != ACQ_REL && begin(ctx)) {
		place p;
		const uvm_slot *v = find(ctx, newval);
		int can = reach(ctx, loc, &p) && fits(v, &p) && (ord == NOT_ATOMIC || !parts(&p));
		if (can) write(&p, v, ord);
		end(ctx);
		if (can) return;
	}
	uvmmu_go_store(ctx, ord, loc, newval);
}

// swappable reports whether a place has a value that atomic operations exchange.
static int swappable(const place *p) {
	uint32_t kind = p->kind >> 24;
	return (kind == UVM_INT || kind == UVM_UPTR || kind == UVM_UFP) && p->size >= 4;
}

// swap stores desired if the place has *was, and else what it has in *was.
static int swap(const place *p, uint64_t *was, uint64_t desired) {
	if (p->size == 8) return __atomic_compare_exchange_n((uint64_t *)p->at, was, desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	uint32_t w = (uint32_t)*was;
	int ok = __atomic_compare_exchange_n((uint32_t *)p->at, &w, (uint32_t)desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	*was = w;
	return ok;
}

uintptr_t uvmmu_ctx_cmpxchg(uvm_ctx *ctx, uint32_t ord_succ, uint32_t ord_fail, int weak, uintptr_t loc, uintptr_t expected, uintptr_t desired, int *is_succ) {
	int orders = ord_succ != NOT_ATOMIC && ord_succ != CONSUME && ord_succ <= SEQ_CST && (ord_fail == RELAXED || ord_fail == ACQUIRE || ord_fail == SEQ_CST);
	if (is_succ && orders && begin(ctx)) {
		place p;
		const uvm_slot *old = find(ctx, expected), *v = find(ctx, desired);
		int can = reach(ctx, loc, &p) && swappable(&p) && fits(old, &p) && fits(v, &p);
		uintptr_t h = 0;
		if (can) {
			uint64_t was = old->value;
			*is_succ = swap(&p, &was, v->value);
			h = give(ctx, p.kind, was, "cmpxchg");
		}
		end(ctx);
		if (can) return h;
	}
	return uvmmu_go_cmpxchg(ctx, ord_succ, ord_fail, weak, loc, expected, desired, is_succ);
}

// Operators of atomicrmw.
enum { XCHG, ADD, SUB, AND, NAND, OR, XOR, MAX, MIN, UMAX, UMIN };

static uint64_t combine(uint32_t op, uint64_t a, uint64_t b, uint32_t size) {
	uint32_t unused = 64 - 8 * size;
	int64_t x = (int64_t)(a << unused), y = (int64_t)(b << unused);
	switch (op) {
	case ADD: return a + b;
	case SUB: return a - b;
	case AND: return a & b;
	case NAND: return ~(a & b);
	case OR: return a | b;
	case XOR: return a ^ b;
	case MAX: return x > y ? a : b;
	case MIN: return x < y ? a : b;
	case UMAX: return (uint64_t)x > (uint64_t)y ? a : b;
	case UMIN: return (uint64_t)x < (uint64_t)y ? a : b;
	default: return b;
	}
}

uintptr_t uvmmu_ctx_atomicrmw(uvm_ctx *ctx, uint32_t ord, uint32_t op, uintptr_t loc, uintptr_t opnd) {
	if (ord != NOT_ATOMIC && ord != CONSUME && ord <= SEQ_CST && op <= UMIN && begin(ctx)) {
		place p;
		const uvm_slot *v = find(ctx, opnd);
		int can = reach(ctx, loc, &p) && swappable(&p) && (op == XCHG || p.kind >> 24 == UVM_INT) && fits(v, &p);
		uintptr_t h = 0;
		if (can) {
			uint64_t was = load(&p, RELAXED);
			while (!swap(&p, &was, combine(op, was, v->value, p.size))) {}
			h = give(ctx, p.kind, was, "atomicrmw");
		}
		end(ctx);
		if (can) return h;
	}
	return uvmmu_go_atomicrmw(ctx, ord, op, loc, opnd);
}

void uvmmu_ctx_fence(uvm_ctx *ctx, uint32_t ord) {
	if (ord >= ACQUIRE && ord <= SEQ_CST && begin(ctx)) {
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		end(ctx);
		return;
	}
	uvmmu_go_fence(ctx, ord);
}

// part finds part i of a value that consists of parts, and its slot; 0 if C does not know it.
static int part(uvm_ctx *ctx, uintptr_t handle, int is_struct, uint64_t i, place *p, uvm_slot **of) {
	uvm_slot *s = *of = find(ctx, handle);
	if (!s || s->kind >> 24 != UVM_PARTS) return 0;
	const uvm_type *t = known(ctx, s->kind & 0xffffff);
	if (!t || i >= (is_struct ? t->fields : t->len)) return 0;
	const uvm_type *sub = known(ctx, is_struct ? t->field[i].type : t->elem);
	if (!sub || !sub->kind) return 0;
	*p = (place){(uintptr_t)s->value + (is_struct ? t->field[i].offset : i * t->stride), sub->kind, (uint32_t)sub->size};
	return 1;
}

// with makes a copy of a value with another part, which fits.
static uintptr_t with(uvm_ctx *ctx, const uvm_slot *s, place p, const uvm_slot *v, const char *function) {
	const uvm_type *t = known(ctx, s->kind & 0xffffff);
	place whole = {(uintptr_t)s->value, s->kind, (uint32_t)t->size};
	uint32_t old = (uint32_t)(s - ctx->slots), new = (uint32_t)(v - ctx->slots);
	uintptr_t h = read(ctx, &whole, NOT_ATOMIC, function);
	if (!h) return 0;
	p.at = p.at - (uintptr_t)ctx->slots[old].value + (uintptr_t)find(ctx, h)->value; // the slots may have moved
	write(&p, &ctx->slots[new], NOT_ATOMIC);
	return h;
}

// index_of reads an unsigned int of up to 64 bits; 0 if the handle has none.
static int index_of(uvm_ctx *ctx, uintptr_t handle, uint64_t *i) {
	const uvm_slot *s = find(ctx, handle);
	if (!s || s->kind >> 24 != UVM_INT) return 0;
	*i = s->value;
	return 1;
}

uintptr_t uvmmu_ctx_extract_value(uvm_ctx *ctx, uintptr_t str, int index) {
	if (index >= 0 && begin(ctx)) {
		place p;
		uvm_slot *s;
		int can = part(ctx, str, 1, (uint64_t)index, &p, &s);
		uintptr_t h = can ? read(ctx, &p, NOT_ATOMIC, "extract_value") : 0;
		end(ctx);
		if (can) return h;
	}
	return uvmmu_go_extract_value(ctx, str, index);
}

uintptr_t uvmmu_ctx_insert_value(uvm_ctx *ctx, uintptr_t str, int index, uintptr_t newval) {
	if (index >= 0 && begin(ctx)) {
		place p;
		uvm_slot *s, *v = find(ctx, newval);
		int can = part(ctx, str, 1, (uint64_t)index, &p, &s) && fits(v, &p);
		uintptr_t h = can ? with(ctx, s, p, v, "insert_value") : 0;
		end(ctx);
		if (can) return h;
	}
	return uvmmu_go_insert_value(ctx, str, index, newval);
}

uintptr_t uvmmu_ctx_extract_element(uvm_ctx *ctx, uintptr_t str, uintptr_t index) {
	if (begin(ctx)) {
		place p;
		uvm_slot *s;
		uint64_t i;
		int can = index_of(ctx, index, &i) && part(ctx, str, 0, i, &p, &s);
		uintptr_t h = can ? read(ctx, &p, NOT_ATOMIC, "extract_element") : 0;
		end(ctx);
		if (can) return h;
	}
	return uvmmu_go_extract_element(ctx, str, index);
}

uintptr_t uvmmu_ctx_insert_element(uvm_ctx *ctx, uintptr_t str, uintptr_t index, uintptr_t newval) {
	if (begin(ctx)) {
		place p;
		uvm_slot *s, *v = find(ctx, newval);
		uint64_t i;
		int can = index_of(ctx, index, &i) && part(ctx, str, 0, i, &p, &s) && fits(v, &p);
		uintptr_t h = can ? with(ctx, s, p, v, "insert_element") : 0;
		end(ctx);
		if (can) return h;
	}
	return uvmmu_go_insert_element(ctx, str, index, newval);
}
