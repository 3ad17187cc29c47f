//go:build cgo

// Functions that need no Go: those that make values of one word, read them and delete them. A call from C into Go takes longer than
// all that they do.

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "_cgo_export.h"
#include "entries_gen.h"
#include "handles.h"
#include "libmu.h"

// enter begins a function of a context; 0 after an error.
static int enter(uvm_ctx *ctx, const char *function) {
	if (!ctx) {
		uvm_fail(NULL, function, "E_ARG: the context is NULL");
		return 0;
	}
	uint32_t idle = UVM_IDLE;
	if (__atomic_compare_exchange_n(&ctx->state, &idle, UVM_BUSY, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return 1;
	uvm_fail(ctx->vm, function, idle == UVM_CLOSED ? "E_CTX_CLOSED: the context is closed" : "E_CTX_BUSY: the context is in use");
	return 0;
}

static void leave(uvm_ctx *ctx) { __atomic_store_n(&ctx->state, UVM_IDLE, __ATOMIC_RELEASE); }

// missing reports that find found nothing.
static void missing(uvm_ctx *ctx, uintptr_t handle, const char *function) {
	if (!handle)
		uvm_fail(ctx->vm, function, "E_HANDLE: the handle is NULL");
	else
		uvm_fail(ctx->vm, function, "E_HANDLE: no value of this context has the handle, or it was deleted");
}

static uint64_t cut(uint64_t v, uint32_t bits) { return bits < 64 ? v & (((uint64_t)1 << bits) - 1) : v; }

// from_int makes an int of a length that may be an ID. high are the words above the lowest.
static uintptr_t from_int(uvm_ctx *ctx, uint64_t v, uint64_t high, int len, const char *function) {
	if (len < 1 || len > 64) return uvmmu_int_of(ctx, v, high, len, (char *)function);
	if (!enter(ctx, function)) return 0;
	uintptr_t h = give(ctx, (uint32_t)UVM_INT << 24 | (uint32_t)len, cut(v, (uint32_t)len), function);
	leave(ctx);
	return h;
}

#define FROM_INT(name, type, sign)                                                                \
	uintptr_t uvmmu_ctx_handle_from_##name(uvm_ctx *ctx, type num, int len) {                      \
		return from_int(ctx, (uint64_t)num, sign ? (uint64_t)(num >> 7 >> (8 * sizeof num - 8)) : 0, len, "handle_from_" #name); \
	}

FROM_INT(sint8, int8_t, 1)
FROM_INT(uint8, uint8_t, 0)
FROM_INT(sint16, int16_t, 1)
FROM_INT(uint16, uint16_t, 0)
FROM_INT(sint32, int32_t, 1)
FROM_INT(uint32, uint32_t, 0)
FROM_INT(sint64, int64_t, 1)
FROM_INT(uint64, uint64_t, 0)

// from_word makes a value of one word.
static uintptr_t from_word(uvm_ctx *ctx, uint32_t kind, uint64_t value, const char *function) {
	if (!enter(ctx, function)) return 0;
	uintptr_t h = give(ctx, kind << 24, value, function);
	leave(ctx);
	return h;
}

uintptr_t uvmmu_ctx_handle_from_float(uvm_ctx *ctx, float num) {
	uint32_t w;
	memcpy(&w, &num, sizeof w);
	return from_word(ctx, UVM_FLOAT, w, "handle_from_float");
}

uintptr_t uvmmu_ctx_handle_from_double(uvm_ctx *ctx, double num) {
	uint64_t w;
	memcpy(&w, &num, sizeof w);
	return from_word(ctx, UVM_DOUBLE, w, "handle_from_double");
}

// from_pointer makes a pointer. Types that were used before need no Go.
static uintptr_t from_pointer(uvm_ctx *ctx, uint32_t type, uintptr_t p, const char *function) {
	if (ctx && type) {
		uint64_t known = __atomic_load_n(&ctx->vm->pointers[type % 256], __ATOMIC_RELAXED);
		if (known >> 32 == type) {
			if (!enter(ctx, function)) return 0;
			uintptr_t h = give(ctx, (uint32_t)known, p, function);
			leave(ctx);
			return h;
		}
	}
	return uvmmu_pointer_of(ctx, type, p, (char *)function);
}

uintptr_t uvmmu_ctx_handle_from_ptr(uvm_ctx *ctx, uint32_t mu_type, uintptr_t ptr) { return from_pointer(ctx, mu_type, ptr, "handle_from_ptr"); }

uintptr_t uvmmu_ctx_handle_from_fp(uvm_ctx *ctx, uint32_t mu_type, uintptr_t fp) { return from_pointer(ctx, mu_type, fp, "handle_from_fp"); }

// word reads a value of one of two kinds; 0 after an error. The kind is stored in *kind.
static uint64_t word(uvm_ctx *ctx, uintptr_t handle, uint32_t want, uint32_t other, uint32_t *kind, const char *function) {
	if (!enter(ctx, function)) return 0;
	uint64_t w = 0;
	uvm_slot *s = find(ctx, handle);
	if (!s) {
		missing(ctx, handle, function);
	} else if (s->kind >> 24 == want || s->kind >> 24 == other) {
		w = s->value;
		*kind = s->kind;
	} else if (want == UVM_INT && s->kind >> 24 == UVM_GO) {
		leave(ctx);
		return uvmmu_low_word(ctx, handle, (char *)function); // an int of more than 64 bits, or an error
	} else {
		leave(ctx);
		uvmmu_wrong_kind(ctx, handle, want, (char *)function);
		return 0;
	}
	leave(ctx);
	return w;
}

static uint64_t unsigned_of(uvm_ctx *ctx, uintptr_t handle, const char *function) {
	uint32_t kind = 0;
	return word(ctx, handle, UVM_INT, UVM_INT, &kind, function);
}

static uint64_t signed_of(uvm_ctx *ctx, uintptr_t handle, const char *function) {
	uint32_t kind = 0;
	uint64_t w = word(ctx, handle, UVM_INT, UVM_INT, &kind, function);
	uint32_t bits = kind & 0xffffff;
	if (bits && bits < 64 && w >> (bits - 1)) w |= ~(uint64_t)0 << bits;
	return w;
}

#define TO_INT(name, type, read) \
	type uvmmu_ctx_handle_to_##name(uvm_ctx *ctx, uintptr_t opnd) { return (type)read(ctx, opnd, "handle_to_" #name); }

TO_INT(sint8, int8_t, signed_of)
TO_INT(uint8, uint8_t, unsigned_of)
TO_INT(sint16, int16_t, signed_of)
TO_INT(uint16, uint16_t, unsigned_of)
TO_INT(sint32, int32_t, signed_of)
TO_INT(uint32, uint32_t, unsigned_of)
TO_INT(sint64, int64_t, signed_of)
TO_INT(uint64, uint64_t, unsigned_of)

float uvmmu_ctx_handle_to_float(uvm_ctx *ctx, uintptr_t opnd) {
	uint32_t kind, w = (uint32_t)word(ctx, opnd, UVM_FLOAT, UVM_FLOAT, &kind, "handle_to_float");
	float f;
	memcpy(&f, &w, sizeof f);
	return f;
}

double uvmmu_ctx_handle_to_double(uvm_ctx *ctx, uintptr_t opnd) {
	uint32_t kind;
	uint64_t w = word(ctx, opnd, UVM_DOUBLE, UVM_DOUBLE, &kind, "handle_to_double");
	double d;
	memcpy(&d, &w, sizeof d);
	return d;
}

uintptr_t uvmmu_ctx_handle_to_ptr(uvm_ctx *ctx, uintptr_t opnd) {
	uint32_t kind;
	return (uintptr_t)word(ctx, opnd, UVM_UPTR, UVM_UFP, &kind, "handle_to_ptr");
}

uintptr_t uvmmu_ctx_handle_to_fp(uvm_ctx *ctx, uintptr_t opnd) {
	uint32_t kind;
	return (uintptr_t)word(ctx, opnd, UVM_UFP, UVM_UPTR, &kind, "handle_to_fp");
}

// bury notes that no slot needs a value in Go.
static void bury(uvm_ctx *ctx, uint32_t number) {
	if (ctx->ndead == ctx->room_dead) {
		uint32_t room = ctx->room_dead ? 2 * ctx->room_dead : 64;
		uint32_t *more = realloc(ctx->dead, room * sizeof *more);
		if (more) ctx->dead = more, ctx->room_dead = room;
	}
	if (ctx->ndead < ctx->room_dead) ctx->dead[ctx->ndead++] = number; // else the value lives as long as the context
}

// release notes that a slot does not need a reference in Go any more.
static void release(uvm_ctx *ctx, uint32_t number) {
	if (!--ctx->places[number].uses) bury(ctx, number);
}

void uvmmu_ctx_delete_value(uvm_ctx *ctx, uintptr_t opnd) {
	const char *function = "delete_value";
	if (!enter(ctx, function)) return;
	uvm_slot *s = find(ctx, opnd);
	if (!s) {
		missing(ctx, opnd, function);
		leave(ctx);
		return;
	}
	uint32_t i = (uint32_t)(s - ctx->slots);
	switch (s->kind >> 24) {
	case UVM_GO:
		if (!(s->kind & UVM_PLACE))
			bury(ctx, (uint32_t)s->value);
		else
			release(ctx, (uint32_t)s->value);
		break;
	case UVM_PARTS:
		free((void *)(uintptr_t)s->value);
		break;
	case UVM_IREF:
	case UVM_REF:
	case UVM_TAG:
		if (ctx->beside[i] != UVM_NONE) release(ctx, ctx->beside[i]);
	}
	s->life &= ~1u;
	s->kind = 0;
	s->value = UVM_NONE;
	if (s->life >> 1 < (1u << UVM_LIFE_BITS) - 1) { // else its handles are used up
		if (ctx->last == UVM_NONE)
			ctx->first = i;
		else
			ctx->slots[ctx->last].value = i;
		ctx->last = i;
	}
	leave(ctx);
}
