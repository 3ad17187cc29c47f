//go:build cgo

// The libraries of a process that was not linked with them. Package ffi finds the symbols.

#include "../libffi.h"
#include "open.h"

#ifdef _WIN32
#include <windows.h>
const char *uvm_open_symbols(const char *name) {
	HMODULE m = LoadLibraryA(name);
	if (!m) return "the system cannot load it";
	return uvm_add_library((void *)m) ? 0 : "too many libraries";
}
void uvm_open_usual(void) {}
#else
#include <dlfcn.h>
const char *uvm_open_symbols(const char *name) {
	void *library = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
	if (!library) return dlerror();
	return uvm_add_library(library) ? 0 : "too many libraries";
}
void uvm_open_usual(void) {
	// Not added: what other libraries have comes first. musl has only one library, and finds it under this name.
	dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL);
}
#endif
