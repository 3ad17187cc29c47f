//go:build cgo

// References that are made of others, without Go: the one that they are made of, which is in Go, keeps the object. A reference
// is the address and the number of the type that it refers to; whether memory is there is checked when it is accessed (memory.c).
// Whatever is not simple, and each error, is left to Go.

#include <stddef.h>
#include <string.h>

#include "_cgo_export.h"
#include "entries_gen.h"
#include "handles.h"
#include "libmu.h"

// derive makes the handle of a reference beside another; 0 after an error.
static uintptr_t derive(uvm_ctx *ctx, uint32_t what, uint32_t type, uint64_t at, uint32_t holder, const char *function) {
	uintptr_t h = give(ctx, what << 24 | type, at, function);
	if (h) {
		ctx->beside[h & ((1u << UVM_INDEX_BITS) - 1)] = holder;
		if (holder != UVM_NONE) ctx->places[holder].uses++;
	}
	return h;
}

uintptr_t uvmmu_ctx_get_iref(uvm_ctx *ctx, uintptr_t opnd) {
	if (begin(ctx)) {
		where w;
		int can = locate(ctx, opnd, &w) && w.what == UVM_REF;
		uintptr_t h = can ? derive(ctx, UVM_IREF, w.type, w.at, w.holder, "get_iref") : 0;
		end(ctx);
		if (can) return h;
	}
	return uvmmu_go_get_iref(ctx, opnd);
}

uintptr_t uvmmu_ctx_get_field_iref(uvm_ctx *ctx, uintptr_t opnd, int field) {
	if (begin(ctx)) {
		where w;
		const uvm_type *t = locate(ctx, opnd, &w) && w.what == UVM_IREF ? known(ctx, w.type) : NULL;
		int can = t && field >= 0 && (uint32_t)field < t->fields;
		uintptr_t h = can ? derive(ctx, UVM_IREF, t->field[field].type, w.at + t->field[field].offset, w.holder, "get_field_iref") : 0;
		end(ctx);
		if (can) return h;
	}
	return uvmmu_go_get_field_iref(ctx, opnd, field);
}

// number reads an int of up to 64 bits; 0 if the handle has none.
static int number(uvm_ctx *ctx, uintptr_t handle, int64_t *n) {
	uvm_slot *s = find(ctx, handle);
	if (!s || s->kind >> 24 != UVM_INT) return 0;
	uint32_t unused = 64 - (s->kind & 0xffffff);
	*n = (int64_t)(s->value << unused) >> unused;
	return 1;
}

uintptr_t uvmmu_ctx_get_elem_iref(uvm_ctx *ctx, uintptr_t opnd, uintptr_t index) {
	if (begin(ctx)) {
		where w;
		int64_t i;
		const uvm_type *t = locate(ctx, opnd, &w) && w.what == UVM_IREF ? known(ctx, w.type) : NULL;
		int can = t && number(ctx, index, &i) && i >= 0 && (uint64_t)i < t->len;
		uintptr_t h = can ? derive(ctx, UVM_IREF, t->elem, w.at + (uint64_t)i * t->stride, w.holder, "get_elem_iref") : 0;
		end(ctx);
		if (can) return h;
	}
	return uvmmu_go_get_elem_iref(ctx, opnd, index);
}

uintptr_t uvmmu_ctx_shift_iref(uvm_ctx *ctx, uintptr_t opnd, uintptr_t offset) {
	if (begin(ctx)) {
		where w;
		int64_t n;
		const uvm_type *t = locate(ctx, opnd, &w) && w.what == UVM_IREF ? known(ctx, w.type) : NULL;
		int can = t && !t->hybrid && number(ctx, offset, &n);
		uintptr_t h = can ? derive(ctx, UVM_IREF, w.type, w.at + (uint64_t)n * t->size, w.holder, "shift_iref") : 0;
		end(ctx);
		if (can) return h;
	}
	return uvmmu_go_shift_iref(ctx, opnd, offset);
}

uintptr_t uvmmu_ctx_get_var_part_iref(uvm_ctx *ctx, uintptr_t opnd) {
	if (begin(ctx)) {
		where w;
		const uvm_type *t = locate(ctx, opnd, &w) && w.what == UVM_IREF ? known(ctx, w.type) : NULL;
		int can = t && t->hybrid;
		uintptr_t h = can ? derive(ctx, UVM_IREF, t->elem, w.at + t->size, w.holder, "get_var_part_iref") : 0;
		end(ctx);
		if (can) return h;
	}
	return uvmmu_go_get_var_part_iref(ctx, opnd);
}

uintptr_t uvmmu_ctx_refcast(uvm_ctx *ctx, uintptr_t opnd, uint32_t new_type) {
	if (new_type && begin(ctx)) {
		where w;
		uint64_t to = __atomic_load_n(&ctx->vm->refs[new_type % 256], __ATOMIC_RELAXED);
		int can = to >> 32 == new_type && locate(ctx, opnd, &w) && w.what != UVM_TAG && (uint32_t)to >> 24 == w.what;
		uintptr_t h = can ? derive(ctx, w.what, (uint32_t)to & 0xffffff, w.at, w.holder, "refcast") : 0;
		end(ctx);
		if (can) return h;
	}
	return uvmmu_go_refcast(ctx, opnd, new_type);
}

// both locates two references of the same kind, which is no tagref64.
static int both(uvm_ctx *ctx, uintptr_t lhs, uintptr_t rhs, where *a, where *b) {
	return locate(ctx, lhs, a) && locate(ctx, rhs, b) && a->what == b->what && a->what != UVM_TAG;
}

int uvmmu_ctx_ref_eq(uvm_ctx *ctx, uintptr_t lhs, uintptr_t rhs) {
	if (begin(ctx)) {
		where a, b;
		int can = both(ctx, lhs, rhs, &a, &b);
		end(ctx);
		if (can) return a.at == b.at;
	}
	return uvmmu_go_ref_eq(ctx, lhs, rhs);
}

int uvmmu_ctx_ref_ult(uvm_ctx *ctx, uintptr_t lhs, uintptr_t rhs) {
	if (begin(ctx)) {
		where a, b;
		int can = both(ctx, lhs, rhs, &a, &b) && a.what == UVM_IREF;
		end(ctx);
		if (can) return a.at < b.at;
	}
	return uvmmu_go_ref_ult(ctx, lhs, rhs);
}

// The words of tagref64, as in rtlib/internal/gc/tagref.go.
#define TAG_EXP 0x7ff0000000000000u
#define TAG_SIGN 0x8000000000000000u
#define TAG_QUIET 0x0008000000000000u
#define TAG_ADDR 0x00007ffffffffff8u

static int is_fp(uint64_t w) { return (w & TAG_EXP) != TAG_EXP || (w & 3) == 0; }

static int is_int(uint64_t w) { return (w & (TAG_EXP | 1)) == (TAG_EXP | 1); }

static int is_ref(uint64_t w) { return (w & (TAG_EXP | 3)) == (TAG_EXP | 2); }

// tagged finds the word of a tagref64.
static int tagged(uvm_ctx *ctx, uintptr_t handle, where *w) { return locate(ctx, handle, w) && w->what == UVM_TAG; }

#define TR64_IS(kind)                                                       \
	int uvmmu_ctx_tr64_is_##kind(uvm_ctx *ctx, uintptr_t value) {            \
		if (begin(ctx)) {                                                     \
			where w;                                                           \
			int can = tagged(ctx, value, &w);                                  \
			end(ctx);                                                          \
			if (can) return is_##kind(w.at);                                   \
		}                                                                     \
		return uvmmu_go_tr64_is_##kind(ctx, value);                           \
	}

TR64_IS(fp)
TR64_IS(int)
TR64_IS(ref)

// TR64_TO makes a function that reads a tagref64 of a kind: make is the handle of what is in w.
#define TR64_TO(name, is, make)                                             \
	uintptr_t uvmmu_ctx_tr64_to_##name(uvm_ctx *ctx, uintptr_t value) {      \
		const char *function = "tr64_to_" #name;                              \
		if (begin(ctx)) {                                                     \
			where w;                                                           \
			int can = tagged(ctx, value, &w) && is(w.at);                      \
			uintptr_t h = can ? make : 0;                                      \
			end(ctx);                                                          \
			if (can) return h;                                                 \
		}                                                                     \
		return uvmmu_go_tr64_to_##name(ctx, value);                           \
	}

static int is_known_ref(uvm_ctx *ctx, const where *w) { return is_ref(w->at) && w->holder != UVM_NONE && ctx->vm->nothing; }

#define IS_KNOWN_REF(x) is_known_ref(ctx, &w)

TR64_TO(fp, is_fp, give(ctx, (uint32_t)UVM_DOUBLE << 24, w.at, function))
TR64_TO(int, is_int, give(ctx, (uint32_t)UVM_INT << 24 | 52, w.at << 12 >> 13 | w.at >> 63 << 51, function))
TR64_TO(tag, is_ref, give(ctx, (uint32_t)UVM_INT << 24 | 6, (w.at >> 2 & 1) | (w.at >> 47 & 31) << 1, function))
TR64_TO(ref, IS_KNOWN_REF, derive(ctx, UVM_REF, ctx->vm->nothing - 1, (w.at & TAG_ADDR) | w.at >> 63 << 47, w.holder, function))

uintptr_t uvmmu_ctx_tr64_from_fp(uvm_ctx *ctx, uintptr_t value) {
	if (begin(ctx)) {
		uvm_slot *s = find(ctx, value);
		int can = s && s->kind >> 24 == UVM_DOUBLE;
		uint64_t bits = can ? s->value : 0;
		if ((bits & ~TAG_SIGN) > TAG_EXP) bits = (bits & (TAG_SIGN | TAG_QUIET)) | TAG_EXP | 8; // a NaN
		uintptr_t h = can ? derive(ctx, UVM_TAG, 0, bits, UVM_NONE, "tr64_from_fp") : 0;
		end(ctx);
		if (can) return h;
	}
	return uvmmu_go_tr64_from_fp(ctx, value);
}

uintptr_t uvmmu_ctx_tr64_from_int(uvm_ctx *ctx, uintptr_t value) {
	if (begin(ctx)) {
		uvm_slot *s = find(ctx, value);
		int can = s && s->kind >> 24 == UVM_INT;
		uint64_t n = can ? s->value : 0;
		uintptr_t h = can ? derive(ctx, UVM_TAG, 0, TAG_EXP | 1 | n << 12 >> 63 << 63 | n << 13 >> 12, UVM_NONE, "tr64_from_int") : 0;
		end(ctx);
		if (can) return h;
	}
	return uvmmu_go_tr64_from_int(ctx, value);
}

uintptr_t uvmmu_ctx_tr64_from_ref(uvm_ctx *ctx, uintptr_t ref, uintptr_t tag) {
	if (begin(ctx)) {
		where w;
		uvm_slot *t = find(ctx, tag);
		int can = t && t->kind >> 24 == UVM_INT && locate(ctx, ref, &w) && w.what == UVM_REF;
		uintptr_t h = 0;
		if (can) {
			uint64_t n = t->value & 63;
			h = derive(ctx, UVM_TAG, 0, TAG_EXP | 2 | (w.at & TAG_ADDR) | w.at >> 47 << 63 | (n & 1) << 2 | n >> 1 << 59 >> 12, w.holder, "tr64_from_ref");
		}
		end(ctx);
		if (can) return h;
	}
	return uvmmu_go_tr64_from_ref(ctx, ref, tag);
}
