//go:build cgo

// Accesses of memory of the VM that need no Go: of numbers and pointers, in places that are known to be in objects and
// cells (uvm_place). The collector moves no objects and does not look at such places, so it need not know of these accesses. A
// VM that is closed waits for them before it frees its cells (vm.close). References, and all errors, are left to Go.

#include <stddef.h>

#include "_cgo_export.h"
#include "entries_gen.h"
#include "handles.h"
#include "libmu.h"

// Memory orders of the API.
enum { NOT_ATOMIC, RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };

// begin claims a context for an access; 0 if the access is left to Go.
static int begin(uvm_ctx *ctx) {
	uint32_t idle = UVM_IDLE;
	if (!ctx || !__atomic_compare_exchange_n(&ctx->state, &idle, UVM_ACCESSING, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) return 0;
	if (!__atomic_load_n(&ctx->vm->closed, __ATOMIC_SEQ_CST)) return 1;
	__atomic_store_n(&ctx->state, UVM_IDLE, __ATOMIC_RELEASE);
	return 0;
}

static void end(uvm_ctx *ctx) { __atomic_store_n(&ctx->state, UVM_IDLE, __ATOMIC_RELEASE); }

// place returns the place of an iref, NULL if C does not access it.
static const uvm_place *place(uvm_ctx *ctx, uintptr_t loc) {
	uvm_slot *s = find(ctx, loc);
	return s && s->kind == ((uint32_t)UVM_GO << 24 | UVM_PLACE) ? &ctx->places[s->value] : NULL;
}

#define LOAD(p, order)                                                     \
	switch ((p)->size) {                                                    \
	case 1: return __atomic_load_n((const uint8_t *)(p)->at, order);        \
	case 2: return __atomic_load_n((const uint16_t *)(p)->at, order);       \
	case 4: return __atomic_load_n((const uint32_t *)(p)->at, order);       \
	default: return __atomic_load_n((const uint64_t *)(p)->at, order);      \
	}

static uint64_t load(const uvm_place *p, uint32_t order) {
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

static void store(const uvm_place *p, uint64_t x, uint32_t order) {
	switch (order) {
	case NOT_ATOMIC:
	case RELAXED: STORE(p, x, __ATOMIC_RELAXED) break;
	case RELEASE: STORE(p, x, __ATOMIC_RELEASE) break;
	default: STORE(p, x, __ATOMIC_SEQ_CST)
	}
}

uintptr_t uvmmu_ctx_load(uvm_ctx *ctx, uint32_t ord, uintptr_t loc) {
	if (ord > SEQ_CST || ord == RELEASE || ord == ACQ_REL || !begin(ctx)) return uvmmu_load(ctx, ord, loc);
	const uvm_place *p = place(ctx, loc);
	uintptr_t h = p ? give(ctx, p->kind, load(p, ord), "load") : 0;
	end(ctx);
	return p ? h : uvmmu_load(ctx, ord, loc);
}

// fits reports whether a value can be stored in a place: a number of the same kind, ints of any length; any pointer.
static int fits(const uvm_slot *v, const uvm_place *p) {
	uint32_t have = v->kind >> 24, want = p->kind >> 24;
	return have == want || ((have == UVM_UPTR || have == UVM_UFP) && (want == UVM_UPTR || want == UVM_UFP));
}

void uvmmu_ctx_store(uvm_ctx *ctx, uint32_t ord, uintptr_t loc, uintptr_t newval) {
	if (ord <= SEQ_CST && ord != CONSUME && ord != ACQUIRE && ord != ACQ_REL && begin(ctx)) {
		const uvm_place *p = place(ctx, loc);
		const uvm_slot *v = p ? find(ctx, newval) : NULL;
		int can = v && fits(v, p);
		if (can) store(p, v->value, ord);
		end(ctx);
		if (can) return;
	}
	uvmmu_store(ctx, ord, loc, newval);
}
