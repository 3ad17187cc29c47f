//go:build cgo

// The functions that libmu exports: those of zebu-2017, and those that upstream implementations do not have (errors.c has two of them).
// Those of the other generations have the same names for two of them, so each has a small library of its own (uvm2go libmu).

#include "libmu.h"

#include <stddef.h>

#include "_cgo_export.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT uvm_vm *mu_fastimpl_new_with_opts(const char *opts) { return uvmmu_new(UVM_ZEBU, "mu_fastimpl_new", (char *)opts); }

EXPORT uvm_vm *mu_fastimpl_new(void) { return mu_fastimpl_new_with_opts(NULL); }

EXPORT const char *mu_get_version(void) {
	static const char *version;
	if (!__atomic_load_n(&version, __ATOMIC_ACQUIRE)) __atomic_store_n(&version, uvmmu_version(), __ATOMIC_RELEASE);
	return version;
}

EXPORT const char *mu_get_generation(uvm_vm *mvm) { return mvm ? uvm_generations[mvm->generation] : NULL; }

EXPORT uintptr_t mu_count_keepalives(uvm_ctx *ctx, uintptr_t cursor) { return uvmmu_count_keepalives(ctx, cursor); }
