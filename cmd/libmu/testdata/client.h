// What the clients have in common.
#ifndef CLIENT_H
#define CLIENT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef ZEBU
#include "mu-fastimpl.h"
#else
#include "refimpl2-start.h"
#endif

// new_vm makes a VM.
static inline MuVM *new_vm(void) {
#ifdef ZEBU
	MuVM *vm = mu_fastimpl_new();
#else
	MuVM *vm = mu_refimpl2_new();
#endif
	if (!vm) exit(2);
	return vm;
}

// failed tells whether the call before it has failed, and clears the error number.
static inline int failed(MuVM *vm) {
#ifdef ZEBU
	(void)vm;
	return 0;
#else
	int *error = vm->get_mu_error_ptr(vm), was = *error;
	*error = 0;
	return was != 0;
#endif
}

// CHECK ends the client if a condition is false.
#define CHECK(what)                                                           \
	do {                                                                      \
		if (!(what)) {                                                        \
			printf("%s:%d: %s is false\n", __FILE__, __LINE__, #what);        \
			exit(1);                                                          \
		}                                                                     \
	} while (0)

// OK checks that no function has failed since the last OK.
#define OK() CHECK(!failed(vm))

// id returns the ID of a name, func a function, global a cell.
static inline MuID id(MuCtx *ctx, const char *name) { return ctx->id_of(ctx, (MuName)name); }
static inline MuFuncRefValue func(MuCtx *ctx, const char *name) { return ctx->handle_from_func(ctx, id(ctx, name)); }
static inline MuIRefValue global(MuCtx *ctx, const char *name) { return ctx->handle_from_global(ctx, id(ctx, name)); }
static inline void load_text(MuCtx *ctx, const char *text) { ctx->load_bundle(ctx, (char *)text, strlen(text)); }

#endif
