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

#endif
