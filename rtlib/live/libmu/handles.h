// The slots of a context, for functions in C. values.go has the same in Go. The context is busy.
#ifndef UVM_HANDLES_H
#define UVM_HANDLES_H

#include <stddef.h>

#include "libmu.h"

// give makes a handle of a value; 0 after an error.
static inline uintptr_t give(uvm_ctx *ctx, uint32_t kind, uint64_t value, const char *function) {
	uint32_t i = ctx->first;
	if (i != UVM_NONE) {
		ctx->first = (uint32_t)ctx->slots[i].value;
		if (ctx->first == UVM_NONE) ctx->last = UVM_NONE;
	} else {
		if (ctx->used == ctx->room && !uvm_grow(ctx)) {
			uvm_fail(ctx->vm, function, "E_OOM: no memory for a handle");
			return 0;
		}
		i = ctx->used++;
		ctx->slots[i].life = 0;
	}
	uvm_slot *s = &ctx->slots[i];
	s->life += 3; // free, and the life after the last one begins
	s->life |= 1;
	s->kind = kind;
	s->value = value;
	return (uintptr_t)(ctx->prefix | (uint64_t)(s->life >> 1) << UVM_INDEX_BITS | i);
}

// find returns the slot of a handle, NULL if there is none.
static inline uvm_slot *find(uvm_ctx *ctx, uintptr_t handle) {
	uint64_t h = handle;
	uint32_t i = (uint32_t)(h & ((1u << UVM_INDEX_BITS) - 1));
	if (i >= ctx->used) return NULL;
	uvm_slot *s = &ctx->slots[i];
	uint64_t want = ctx->prefix | (uint64_t)(s->life >> 1) << UVM_INDEX_BITS | i;
	return h == want && s->life & 1 ? s : NULL;
}

// begin claims a context for what C does alone; 0 if the call is left to Go.
static inline int begin(uvm_ctx *ctx) {
	uint32_t idle = UVM_IDLE;
	if (!ctx || !__atomic_compare_exchange_n(&ctx->state, &idle, UVM_ACCESSING, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) return 0;
	if (!__atomic_load_n(&ctx->vm->closed, __ATOMIC_SEQ_CST)) return 1;
	__atomic_store_n(&ctx->state, UVM_IDLE, __ATOMIC_RELEASE);
	return 0;
}

static inline void end(uvm_ctx *ctx) { __atomic_store_n(&ctx->state, UVM_IDLE, __ATOMIC_RELEASE); }

// known is the type with a number; NULL if C does not know it yet.
static inline const uvm_type *known(uvm_ctx *ctx, uint32_t type) {
	return type < UVM_TYPES ? __atomic_load_n(&ctx->vm->types[type], __ATOMIC_ACQUIRE) : NULL;
}

// where is what a ref, iref or tagref64 is.
typedef struct where {
	uint64_t at;
	uint32_t what, type;
	uint32_t holder; // the number in Go of the value that keeps the object; UVM_NONE for a tagref64 without one
} where;

// locate finds out about a value; 0 if C does not know it.
static inline int locate(uvm_ctx *ctx, uintptr_t handle, where *w) {
	uvm_slot *s = find(ctx, handle);
	if (!s) return 0;
	switch (s->kind >> 24) {
	case UVM_IREF:
	case UVM_REF:
	case UVM_TAG:
		*w = (where){s->value, s->kind >> 24, s->kind & 0xffffff, ctx->beside[s - ctx->slots]};
		return 1;
	case UVM_GO:
		if (s->kind & UVM_PLACE) {
			const uvm_place *p = &ctx->places[s->value];
			*w = (where){p->at, p->what, p->type, (uint32_t)s->value};
			return 1;
		}
	}
	return 0;
}

#endif
