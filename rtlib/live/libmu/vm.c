//go:build cgo

// Structs of clients, and calls of functions of the client.

#include "libmu.h"

#include <stdlib.h>
#include <string.h>

#include "_cgo_export.h"
#include "entries_gen.h"

uvm_vm *uvm_new_vm(uint32_t generation, uint32_t number) {
	uvm_vm *vm = calloc(1, sizeof *vm);
	if (!vm) return NULL;
	vm->header = vm;
	memcpy(vm->fn, uvm_vm_fns[generation], sizeof vm->fn);
	vm->generation = generation;
	vm->number = number;
	if (generation != UVM_ZEBU) uvm_counts();
	return vm;
}

// Closed contexts. They are used again late, so that a call of one that is closed is an error.
static struct {
	int locked;
	uvm_ctx *first, *last;
	uint32_t n;
	uint64_t made; // contexts, of all times
} closed;

enum { KEPT = 256 }; // closed contexts that are not used again

static void lock(void) {
	while (__atomic_exchange_n(&closed.locked, 1, __ATOMIC_ACQUIRE)) {}
}

static void unlock(void) { __atomic_store_n(&closed.locked, 0, __ATOMIC_RELEASE); }

uvm_ctx *uvm_new_ctx(uvm_vm *vm, uint32_t number) {
	uvm_ctx *ctx = NULL;
	lock();
	uint64_t serial = closed.made++ % 0x7fff + 1;
	if (closed.n > KEPT) {
		ctx = closed.first;
		closed.first = ctx->next;
		closed.n--;
	}
	unlock();
	if (!ctx && !(ctx = malloc(sizeof *ctx))) return NULL;
	memset(ctx, 0, sizeof *ctx);
	ctx->header = ctx;
	memcpy(ctx->fn, uvm_ctx_fns[vm->generation], sizeof ctx->fn);
	ctx->number = number;
	ctx->vm = vm;
	ctx->prefix = serial << (UVM_INDEX_BITS + UVM_LIFE_BITS);
	ctx->first = ctx->last = UVM_NONE;
	return ctx;
}

void uvm_end_ctx(uvm_ctx *ctx) {
	for (uint32_t i = 0; i < ctx->used; i++)
		if (ctx->slots[i].life & 1 && ctx->slots[i].kind >> 24 == UVM_PARTS) free((void *)(uintptr_t)ctx->slots[i].value);
	free(ctx->slots);
	free(ctx->beside);
	free(ctx->dead);
	free(ctx->places);
	ctx->slots = NULL;
	ctx->beside = NULL;
	ctx->dead = NULL;
	ctx->places = NULL;
	ctx->used = ctx->room = ctx->room_places = 0;
	ctx->next = NULL;
	lock();
	if (closed.n)
		closed.last->next = ctx;
	else
		closed.first = ctx;
	closed.last = ctx;
	closed.n++;
	unlock();
}

uint32_t uvm_grow(uvm_ctx *ctx) {
	uint32_t room = ctx->room ? 2 * ctx->room : 64;
	if (room > 1u << UVM_INDEX_BITS) return 0;
	uvm_slot *more = realloc(ctx->slots, room * sizeof *more);
	if (more) ctx->slots = more;
	uint32_t *beside = realloc(ctx->beside, room * sizeof *beside);
	if (beside) ctx->beside = beside;
	if (!more || !beside) return 0;
	ctx->room = room;
	return 1;
}

uint32_t uvm_grow_places(uvm_ctx *ctx, uint32_t number) {
	uint32_t room = ctx->room_places ? ctx->room_places : 64;
	while (room <= number) room *= 2;
	uvm_place *more = realloc(ctx->places, room * sizeof *more);
	if (!more) return 0;
	ctx->places = more;
	ctx->room_places = room;
	return 1;
}

uvm_builder *uvm_new_builder(uvm_vm *vm, uint32_t number) {
	uvm_builder *b = calloc(1, sizeof *b);
	if (!b) return NULL;
	b->header = b;
	memcpy(b->fn, uvm_builder_fns[vm->generation], sizeof b->fn);
	b->number = number;
	b->vm = vm;
	return b;
}

typedef void handler(uvm_ctx *ctx, uintptr_t thread, uintptr_t stack, uint32_t wpid, uint32_t *result, uintptr_t *new_stack, uintptr_t *values,
	uintptr_t *nvalues, uintptr_t *freer, uintptr_t *freerdata, uintptr_t *exception, uintptr_t userdata);

void uvm_call_handler(uintptr_t f, uvm_ctx *ctx, uintptr_t thread, uintptr_t stack, uint32_t wpid, uvm_trap *out, uintptr_t userdata) {
	((handler *)f)(ctx, thread, stack, wpid, (uint32_t *)&out->result, (uintptr_t *)&out->stack, (uintptr_t *)&out->values,
		(uintptr_t *)&out->nvalues, (uintptr_t *)&out->freer, (uintptr_t *)&out->freerdata, (uintptr_t *)&out->exception, userdata);
}

typedef void freer(uintptr_t values, uintptr_t data);

void uvm_call_freer(uintptr_t f, uintptr_t values, uintptr_t data) { ((freer *)f)(values, data); }
