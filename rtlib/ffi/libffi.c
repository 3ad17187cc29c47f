//go:build cgo

// The C side of calls for which no C code was compiled: libffi, which is opened when it is first needed.
// Neither its headers nor its library are needed to build a program. What this file knows of it are facts of
// its binary interface, which has not changed since version 3.0.

#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "libffi.h"

#ifdef _WIN32
#include <windows.h>
static void *open_library(uintptr_t dlopen, const char *name) { (void)dlopen; return (void *)LoadLibraryA(name); }
static void *find(void *library, const char *name) { return (void *)(uintptr_t)GetProcAddress((HMODULE)library, name); }
static void *find_added(const char *name);
static const char *const names[] = { "libffi-8.dll", "libffi-7.dll", "libffi-6.dll", "libffi.dll" };
uintptr_t uvm_find_symbol(const char *name, const char *version) {
	if (version) return 0; // the system has no versions of symbols
	static const char *const in[] = { 0, "ucrtbase.dll", "msvcrt.dll" };
	void *added = find_added(name);
	if (added) return (uintptr_t)added;
	for (size_t i = 0; i < sizeof in / sizeof *in; i++) {
		HMODULE m = GetModuleHandleA(in[i]);
		void *p = m ? find((void *)m, name) : 0;
		if (p) return (uintptr_t)p;
	}
	return 0;
}
#else
#include <dlfcn.h>
static void *open_library(uintptr_t dlopen, const char *name) {
	return ((void *(*)(const char *, int))dlopen)(name, RTLD_NOW | RTLD_LOCAL);
}
static void *find(void *library, const char *name) { return dlsym(library, name); }
static void *find_added(const char *name);
#ifdef __APPLE__
static const char *const names[] = { "libffi.dylib", "/usr/lib/libffi.dylib", "libffi.8.dylib",
	"/opt/homebrew/opt/libffi/lib/libffi.dylib", "/usr/local/opt/libffi/lib/libffi.dylib" };
#else
static const char *const names[] = { "libffi.so.8", "libffi.so.7", "libffi.so.6", "libffi.so" };
#endif
uintptr_t uvm_find_symbol(const char *name, const char *version) {
	if (!version) {
		void *added = find_added(name);
		return (uintptr_t)(added ? added : dlsym(RTLD_DEFAULT, name));
	}
	// Not every C library has it, so it is looked up itself.
	void *(*versioned)(void *, const char *, const char *) = (void *(*)(void *, const char *, const char *))dlsym(RTLD_DEFAULT, "dlvsym");
	return versioned ? (uintptr_t)versioned(RTLD_DEFAULT, name, version) : 0;
}
#endif

// Libraries that the process has opened for their symbols. They are added before any code runs.
static void *added[256];
static size_t n_added;

int uvm_add_library(void *library) {
	if (n_added == sizeof added / sizeof *added) return 0;
	added[n_added++] = library;
	return 1;
}

static void *find_added(const char *name) {
	for (size_t i = 0; i < n_added; i++) {
		void *p = find(added[i], name);
		if (p) return p;
	}
	return 0;
}

typedef void function(void);

static struct {
	int (*prep_cif)(void *cif, int abi, unsigned n, uvm_type *result, uvm_type **params);
	void (*call)(void *cif, function *f, void *result, void **args);
	void *(*closure_alloc)(size_t size, void **code);
	int (*prep_closure)(void *closure, void *cif, void (*f)(void *, void *, void **, void *), void *user, void *code);
	int (*default_abi)(void); // since version 3.5
} ffi;

static uvm_type *scalars[128];

// The number of the default calling convention, in versions that do not tell it.
#if defined(_WIN32) && defined(__x86_64__)
enum { abi = 1 };
#elif defined(__x86_64__)
enum { abi = 2 };
#elif defined(_WIN32) && defined(__i386__)
enum { abi = 5 };
#elif defined(__arm__) && defined(__ARM_PCS_VFP)
enum { abi = 2 };
#elif defined(__powerpc64__) && defined(_CALL_ELF) && _CALL_ELF == 2
enum { abi = 11 };
#elif defined(__powerpc64__)
enum { abi = 10 };
#elif defined(__mips64) || defined(__loongarch64)
enum { abi = 3 };
#else
enum { abi = 1 };
#endif

static int complete(void *library) {
	static const struct { char letter; const char *name; } types[] = {
		{ 'b', "ffi_type_sint8" }, { 'h', "ffi_type_sint16" }, { 'i', "ffi_type_sint32" }, { 'l', "ffi_type_sint64" },
		{ 'f', "ffi_type_float" }, { 'd', "ffi_type_double" }, { 'p', "ffi_type_pointer" }, { 'v', "ffi_type_void" } };
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (!(scalars[(int)types[i].letter] = find(library, types[i].name))) return 0;
	*(void **)&ffi.prep_cif = find(library, "ffi_prep_cif");
	*(void **)&ffi.call = find(library, "ffi_call");
	*(void **)&ffi.closure_alloc = find(library, "ffi_closure_alloc");
	*(void **)&ffi.prep_closure = find(library, "ffi_prep_closure_loc");
	*(void **)&ffi.default_abi = find(library, "ffi_get_default_abi");
	return ffi.prep_cif && ffi.call && ffi.closure_alloc && ffi.prep_closure;
}

int uvm_open_libffi(uintptr_t dlopen) {
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		void *library = open_library(dlopen, names[i]);
		if (library && complete(library)) return 1;
	}
	return 0;
}

uintptr_t uvm_libffi_call(void) { return (uintptr_t)ffi.call; }

uvm_type *uvm_scalar(int letter) { return scalars[letter]; }

uvm_type *uvm_struct(uvm_type **fields) {
	uvm_type *t = calloc(1, sizeof *t);
	if (t) {
		t->type = 13;
		t->elements = fields;
	}
	return t;
}

// The block of memory is larger than what libffi keeps about a signature on any machine.
void *uvm_prepare(unsigned n, uvm_type *result, uvm_type **params) {
	void *cif = calloc(1, 512);
	if (cif && ffi.prep_cif(cif, ffi.default_abi ? ffi.default_abi() : abi, n, result, params) != 0) {
		free(cif);
		return 0;
	}
	return cif;
}

// A call of a closure. It puts the scalars of the arguments into words, as the functions for compiled signatures
// do, and takes the result out of them.
static void enter(void *cif, void *result, void **args, void *user) {
	uvm_closure *c = user;
	const uvm_closures *of = c->of;
	uint64_t w[of->words];
	(void)cif;
	for (uint32_t i = 0; i < of->in; i++) {
		const uvm_part *p = &of->parts[i];
		const char *from = (const char *)args[p->param] + p->offset;
		switch (p->letter) {
		case 'b': w[i] = *(const uint8_t *)from; break;
		case 'h': w[i] = *(const uint16_t *)from; break;
		case 'i': case 'f': w[i] = *(const uint32_t *)from; break;
		case 'p': w[i] = *(const uintptr_t *)from; break;
		default: memcpy(&w[i], from, 8);
		}
	}
	of->enter(of->sig, c->slot, w);
	if (of->widened) { // an integer result takes at least a register
		switch (of->parts[of->in].letter) {
		case 'b': *(intptr_t *)result = (int8_t)w[0]; return;
		case 'h': *(intptr_t *)result = (int16_t)w[0]; return;
		case 'i': *(intptr_t *)result = (int32_t)w[0]; return;
		case 'p': *(uintptr_t *)result = (uintptr_t)w[0]; return;
		}
	}
	for (uint32_t i = 0; i < of->out; i++) {
		const uvm_part *p = &of->parts[of->in + i];
		char *to = (char *)result + p->offset;
		switch (p->letter) {
		case 'b': *(uint8_t *)to = (uint8_t)w[i]; break;
		case 'h': *(uint16_t *)to = (uint16_t)w[i]; break;
		case 'i': case 'f': *(uint32_t *)to = (uint32_t)w[i]; break;
		case 'p': *(uintptr_t *)to = (uintptr_t)w[i]; break;
		default: memcpy(to, &w[i], 8);
		}
	}
}

uintptr_t uvm_make_closure(const uvm_closures *of, int32_t slot) {
	uintptr_t thunk = of->from ? uvm_make_thunk(of, slot) : 0;
	if (thunk) return thunk;
	void *code = 0;
	uvm_closure *c = malloc(sizeof *c);
	// As for the other block, more than libffi needs.
	void *closure = c ? ffi.closure_alloc(256, &code) : 0;
	if (!closure) return 0;
	c->of = of;
	c->slot = slot;
	if (ffi.prep_closure(closure, of->cif, enter, c, code) != 0) return 0;
	return (uintptr_t)code;
}
