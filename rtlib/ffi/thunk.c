//go:build cgo

// Function pointers for signatures of scalars, compiled instead of made by libffi: each of them puts its number into a
// register, and goes to code that saves all registers which may hold arguments.

#include "libffi.h"

#if defined(__x86_64__) && defined(__ELF__) && !defined(__ILP32__)

// thunks is how many there are, and how long a thunk is. Further function pointers are those of libffi.
#define UVM_THUNKS 4096
#define UVM_THUNK 16

#define UVM_TEXT(x) #x
#define UVM_EXPAND(x) UVM_TEXT(x)

// What the registers are saved in, and where the arguments on the stack begin.
typedef struct {
	uint64_t registers[uvm_stacked];
	const uint64_t *stacked;
} uvm_saved;

__asm__(".pushsection .text\n"
	".p2align 4\n"
	".hidden uvm_late_thunks\n.globl uvm_late_thunks\n"
	"uvm_late_thunks:\n"
	".set uvm_i, 0\n"
	".rept " UVM_EXPAND(UVM_THUNKS) "\n"
	".p2align 4\n"
	"endbr64\n"
	"movl $uvm_i, %r10d\n"
	"jmp uvm_late_thunk\n"
	".set uvm_i, uvm_i + 1\n"
	".endr\n"
	".p2align 4\n"
	".type uvm_late_thunk, @function\n"
	"uvm_late_thunk:\n"
	".cfi_startproc\n"
	"pushq %rbp\n"
	".cfi_def_cfa_offset 16\n.cfi_offset %rbp, -16\n"
	"movq %rsp, %rbp\n"
	".cfi_def_cfa_register %rbp\n"
	"subq $128, %rsp\n"
	"movq %rdi, 0(%rsp)\nmovq %rsi, 8(%rsp)\nmovq %rdx, 16(%rsp)\n"
	"movq %rcx, 24(%rsp)\nmovq %r8, 32(%rsp)\nmovq %r9, 40(%rsp)\n"
	"movsd %xmm0, 48(%rsp)\nmovsd %xmm1, 56(%rsp)\nmovsd %xmm2, 64(%rsp)\nmovsd %xmm3, 72(%rsp)\n"
	"movsd %xmm4, 80(%rsp)\nmovsd %xmm5, 88(%rsp)\nmovsd %xmm6, 96(%rsp)\nmovsd %xmm7, 104(%rsp)\n"
	"leaq 16(%rbp), %rax\nmovq %rax, 112(%rsp)\n"
	"movl %r10d, %edi\nmovq %rsp, %rsi\n"
	"call uvm_thunk_called\n"
	"movq %rax, %xmm0\n" // the result, of whatever kind it is
	"leave\n"
	".cfi_def_cfa %rsp, 8\n"
	"ret\n"
	".cfi_endproc\n"
	".size uvm_late_thunk, . - uvm_late_thunk\n"
	".popsection");

extern char uvm_late_thunks[] __attribute__((visibility("hidden")));

static uvm_closure made[UVM_THUNKS];
static uint32_t used;

int uvm_has_thunks(void) { return 1; }

uintptr_t uvm_make_thunk(const uvm_closures *of, int32_t slot) {
	uint32_t i = __atomic_load_n(&used, __ATOMIC_RELAXED);
	do {
		if (i == UVM_THUNKS) return 0;
	} while (!__atomic_compare_exchange_n(&used, &i, i + 1, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	made[i] = (uvm_closure){of, slot};
	return (uintptr_t)uvm_late_thunks + UVM_THUNK * (uintptr_t)i;
}

// uvm_thunk_called is called by a thunk. The result is in the low bits.
__attribute__((used, visibility("hidden"))) uint64_t uvm_thunk_called(uint32_t i, const uvm_saved *saved) __asm__("uvm_thunk_called");
uint64_t uvm_thunk_called(uint32_t i, const uvm_saved *saved) {
	const uvm_closures *of = made[i].of;
	uint64_t w[of->words];
	for (uint32_t k = 0; k < of->in; k++) {
		uvm_source s = of->from[k];
		uint64_t v = s.at < uvm_stacked ? saved->registers[s.at] : saved->stacked[s.at - uvm_stacked];
		w[k] = v << s.shift >> s.shift;
	}
	of->enter(of->sig, made[i].slot, w);
	if (of->out == 0) return 0;
	switch (of->parts[of->in].letter) { // C extends what it is given, or takes what it wants of it
	case 'b': return (uint64_t)(int8_t)w[0];
	case 'h': return (uint64_t)(int16_t)w[0];
	case 'i': return (uint64_t)(int32_t)w[0];
	}
	return w[0];
}

#else

int uvm_has_thunks(void) { return 0; }

uintptr_t uvm_make_thunk(const uvm_closures *of, int32_t slot) {
	(void)of;
	(void)slot;
	return 0;
}

#endif
