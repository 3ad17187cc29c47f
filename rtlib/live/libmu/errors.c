//go:build cgo

// Errors: the number of clients that read one, the line on standard error, and the errors that a thread takes instead.

#include "libmu.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "entries_gen.h"

#define EXPORT __attribute__((visibility("default")))

// The error number of the process, of the generations that have one.
static int error_number;
enum { FAILED = 6481626 };

static uint32_t counting; // not 0 if there was a VM whose clients read the error number

void uvm_counts(void) { __atomic_store_n(&counting, 1, __ATOMIC_RELAXED); }

int *uvmmu_vm_get_mu_error_ptr(uvm_vm *mvm) {
	(void)mvm;
	return &error_number;
}

// taken has the errors of a thread that takes them. It lives as long as the thread.
typedef struct taken {
	int count;
	char *text; // NULL if there is no error, or no memory for its text
} taken;

static pthread_key_t takers;
static pthread_once_t made_takers = PTHREAD_ONCE_INIT;

static void drop(void *p) {
	free(((taken *)p)->text);
	free(p);
}

static void make_takers(void) {
	if (pthread_key_create(&takers, drop)) abort();
}

static taken *own(void) {
	pthread_once(&made_takers, make_takers);
	return pthread_getspecific(takers);
}

EXPORT int *mu_take_errors(void) {
	taken *t = own();
	if (!t && (t = calloc(1, sizeof *t)) && pthread_setspecific(takers, t)) {
		free(t);
		t = NULL;
	}
	return t ? &t->count : NULL;
}

EXPORT const char *mu_error_text(void) {
	taken *t = own();
	return t ? t->text : NULL;
}

// line is the text of an error; NULL if there is no memory.
static char *line(const char *before, const char *function, const char *why, const char *after) {
	size_t size = strlen(before) + strlen(function) + strlen(why) + strlen(after) + 3;
	char *text = malloc(size);
	if (text) snprintf(text, size, "%s%s: %s%s", before, function, why, after);
	return text;
}

uint32_t uvm_take(const char *function, const char *why) {
	taken *t = own();
	if (!t) return 0;
	free(t->text);
	t->text = line("", function, why, "");
	t->count++;
	return 1;
}

void uvm_fail(uvm_vm *vm, const char *function, const char *why) {
	if (!uvm_take(function, why)) uvm_report(vm, function, why);
}

void uvm_report(uvm_vm *vm, const char *function, const char *why) {
	char *text = line("libmu: ", function, why, "\n");
	if (text) {
		// In one piece, beside other threads. That nobody reads it changes nothing.
		ssize_t n = write(2, text, strlen(text));
		(void)n;
		free(text);
	}
	if (vm ? vm->generation == UVM_ZEBU : !__atomic_load_n(&counting, __ATOMIC_RELAXED)) abort();
	__atomic_store_n(&error_number, FAILED, __ATOMIC_RELAXED);
}
