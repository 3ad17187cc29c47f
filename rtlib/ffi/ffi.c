//go:build cgo

// The C side of package ffi.

#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

extern void uvmCallback(uintptr_t frame);
extern void uvmResume(uintptr_t native);
extern void uvmWake(void);
extern void uvmThreadGone(uintptr_t self);

// The functions of the runtime that generated C code needs; that code declares the same struct.
static struct {
	void (*back)(uintptr_t);
	void (*resume)(uintptr_t);
	void (*wake)(void);
	uintptr_t (*in_c)(void); // the C function that the thread's CCALL is running, 0 if none
} uvm_lib = { uvmCallback, uvmResume, uvmWake, 0 };

uintptr_t uvm_entry(void) { return (uintptr_t)&uvm_lib; }
uint32_t uvm_entry_size(void) { return sizeof uvm_lib; }

// A fault in C code is not a Go panic: it is reported, and then the process ends. Faults in
// Go code go to the handler of Go's runtime.
#ifndef _WIN32
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const int uvm_signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
static const char *const uvm_names[] = { "SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT" };
static struct sigaction uvm_old[5];

static void uvm_fault(int sig, siginfo_t *info, void *context) {
	int i = 0;
	while (uvm_signals[i] != sig) i++;
	uintptr_t f = uvm_lib.in_c ? uvm_lib.in_c() : 0;
	if (!f) {
		if (uvm_old[i].sa_flags & SA_SIGINFO) uvm_old[i].sa_sigaction(sig, info, context);
		else if (uvm_old[i].sa_handler == SIG_DFL) { signal(sig, SIG_DFL); raise(sig); }
		else if (uvm_old[i].sa_handler != SIG_IGN) uvm_old[i].sa_handler(sig);
		return;
	}
	if (sig == SIGABRT) {
		signal(sig, SIG_DFL);
		raise(sig);
		return;
	}
	char text[512], name[256];
	Dl_info d;
	if (dladdr((void *)f, &d) && d.dli_sname) snprintf(name, sizeof name, "%s", d.dli_sname);
	else snprintf(name, sizeof name, "%#lx", (unsigned long)f);
	int n = snprintf(text, sizeof text, "uvm: run-time error: NATIVE: %s at address %#lx in a call of the C function %s\n",
		uvm_names[i], (unsigned long)(uintptr_t)info->si_addr, name);
	if (write(2, text, n) < 0) _exit(2);
	_exit(4);
}

// A pipe without a reader ends a C program by SIGPIPE, but Go's handler ignores the signal unless package
// os writes. So a write by C code ends the process if its standard output or error has lost its
// reader; Go's handler decides on other descriptors, which Go code may share.
static struct sigaction uvm_old_pipe;
static volatile sig_atomic_t uvm_flushes; // C writes what it has buffered, because the process ends

static void uvm_pipe(int sig, siginfo_t *info, void *context) {
	struct pollfd fds[] = { { 1, 0, 0 }, { 2, 0, 0 } };
	int in_c = uvm_flushes || (uvm_lib.in_c && uvm_lib.in_c());
	int saved = errno;
	if (in_c && poll(fds, 2, 0) > 0 && ((fds[0].revents | fds[1].revents) & (POLLERR | POLLHUP))) {
		signal(sig, SIG_DFL);
		raise(sig);
	} else if (uvm_old_pipe.sa_flags & SA_SIGINFO) uvm_old_pipe.sa_sigaction(sig, info, context);
	else if (uvm_old_pipe.sa_handler == SIG_DFL) { signal(sig, SIG_DFL); raise(sig); }
	else if (uvm_old_pipe.sa_handler != SIG_IGN) uvm_old_pipe.sa_handler(sig);
	errno = saved;
}

void uvm_exit(int status) {
	uvm_flushes = 1;
	exit(status);
}

static void uvm_handle(int sig, void (*f)(int, siginfo_t *, void *), struct sigaction *old) {
	struct sigaction a;
	memset(&a, 0, sizeof a);
	a.sa_sigaction = f;
	a.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
	sigfillset(&a.sa_mask);
	sigaction(sig, &a, old);
}

void uvm_catch(void) {
	for (int i = 0; i < 5; i++) {
		uvm_handle(uvm_signals[i], uvm_fault, &uvm_old[i]);
	}
	uvm_handle(SIGPIPE, uvm_pipe, &uvm_old_pipe);
}
#else
void uvm_catch(void) {}
void uvm_exit(int status) { exit(status); }
#endif

// A fence on all running threads at once, on systems that have one.
#if defined(__linux__) && defined(SYS_membarrier)
int uvm_register(void) { return syscall(SYS_membarrier, 1 << 4, 0, 0) == 0; }
void uvm_barrier(void) { syscall(SYS_membarrier, 1 << 3, 0, 0); }
#else
int uvm_register(void) { return 0; }
void uvm_barrier(void) {}
#endif

// Threads that C code started: uvm_self identifies them, and the runtime is told when one of
// those that called it ends. Windows has no pthreads: there uvm_self returns 0.
#ifndef _WIN32
#include <pthread.h>

static pthread_key_t uvm_key;
static int uvm_follows;
static __thread char uvm_me;
static void uvm_left(void *me) { uvmThreadGone((uintptr_t)me); }
void uvm_follow(void) { uvm_follows = pthread_key_create(&uvm_key, uvm_left) == 0; }
uintptr_t uvm_self(void) {
	return uvm_follows && pthread_setspecific(uvm_key, &uvm_me) == 0 ? (uintptr_t)&uvm_me : 0;
}
#else
void uvm_follow(void) {}
uintptr_t uvm_self(void) { return 0; }
#endif
