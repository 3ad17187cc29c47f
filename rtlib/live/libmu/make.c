//go:build cgo

#define _GNU_SOURCE

#include "libmu.h"

#include <dlfcn.h>
#include <stddef.h>

const char *uvm_be_global(void) {
	// Plugins must find the Go runtime of this library, which its host may have opened for itself alone.
	return dlopen(uvm_library(), RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL) ? NULL : dlerror();
}

const char *uvm_library(void) {
	Dl_info info;
	return dladdr((void *)uvm_library, &info) && info.dli_fname ? info.dli_fname : "";
}
