//go:build cgo

#define _GNU_SOURCE

#include "libmu.h"

#include <dlfcn.h>

const char *uvm_library(void) {
	Dl_info info;
	return dladdr((void *)uvm_library, &info) && info.dli_fname ? info.dli_fname : "";
}
