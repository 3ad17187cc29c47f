package gogen

import (
	"fmt"
	"strings"
)

// cHead begins the preamble of a program.
const cHead = cTypesHead + cState + cScalarsAsWords

// cTypesHead declares what the C code of a program shares with the runtime.
const cTypesHead = `#cgo linux freebsd netbsd openbsd LDFLAGS: -lm
#cgo linux LDFLAGS: -ldl
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define UVM_TEXT(x) #x
#define UVM_EXPAND(x) UVM_TEXT(x)
#ifdef __USER_LABEL_PREFIX__
#define UVM_PREFIX UVM_EXPAND(__USER_LABEL_PREFIX__)
#else
#define UVM_PREFIX ""
#endif

// The values that a callback exchanges with Go: CFrame in the runtime.
typedef struct {
	uintptr_t stack, own, kept, words;
	int32_t err;
	uint32_t sig;
	int32_t slot;
} uvm_frame;

// Functions of the runtime that C code calls, and one that it provides: see package ffi.
typedef struct {
	void (*back)(uintptr_t);
	void (*resume)(uintptr_t);
	void (*wake)(void);
	uintptr_t (*in_c)(void);
} uvm_runtime;

// The variables that a Mu stack shares with the C code that it calls: Native in the runtime.
typedef struct {
	uintptr_t f;
	uint64_t r __attribute__((packed, aligned(4))); // aligned as in Go on 32-bit machines
	int32_t err;
} uvm_native;

// The layout of these structs, which the runtime compares with that of its own: CLayout in the runtime.
static const uint32_t uvm_layout[] = {
	sizeof(uvm_frame), offsetof(uvm_frame, own), offsetof(uvm_frame, kept), offsetof(uvm_frame, words), offsetof(uvm_frame, err),
	offsetof(uvm_frame, sig), offsetof(uvm_frame, slot),
	offsetof(uvm_native, r), offsetof(uvm_native, err),
	sizeof(uvm_runtime)
};
static uintptr_t uvm_get_layout(void) { return (uintptr_t)uvm_layout; }

`

// cState has the variables of C code that calls and is called, and what it does before and after that.
const cState = `static uvm_runtime *uvm_lib;
static uint32_t uvm_notice;

#if defined(__ELF__) && !defined(__ANDROID__)
#define UVM_TLS static __thread __attribute__((tls_model("initial-exec")))
#else
#define UVM_TLS static __thread
#endif

// The Mu stack whose CCALL this OS thread is running, 0 if none.
UVM_TLS uvm_native *uvm_now __attribute__((used));

// What the runtime knows of this OS thread if C made it, 0 before its first callback.
UVM_TLS uintptr_t uvm_kept;

#define UVM_RARE static __attribute__((noinline, cold))

#if defined(__linux__) && defined(__x86_64__) && !defined(__ILP32__) && !defined(__ANDROID__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
// In assembly, because the compiler would keep the offset of the variable in a register that must be saved. The address sanitizer
// would take the distances from the thread pointer for addresses.
static inline uvm_native *__seg_fs *uvm_now_at(void) {
	intptr_t at;
	__asm__ volatile("movq uvm_now@gottpoff(%%rip), %0" : "=r"(at));
	return (uvm_native *__seg_fs *)at;
}
static inline uvm_native *uvm_get_now(void) { return *uvm_now_at(); }
static inline void uvm_set_now(uvm_native *n) { *uvm_now_at() = n; }

// errno is a thread-local variable of the C library, which was loaded when the process started:
// its distance from the thread pointer is the same in each thread.
static intptr_t uvm_err;
static void uvm_find_errno(void) { uvm_err = (intptr_t)&errno - *(intptr_t __seg_fs *)0; }
static inline int uvm_get_errno(void) { return *(int __seg_fs *)uvm_err; }
static inline void uvm_set_errno(int e) { int __seg_fs *p = (int __seg_fs *)uvm_err; if (*p != e) *p = e; }
#else
static inline uvm_native *uvm_get_now(void) { return uvm_now; }
static inline void uvm_set_now(uvm_native *n) { uvm_now = n; }

// The address of this thread's errno, 0 if it is not known yet.
UVM_TLS int *uvm_err;
UVM_RARE int *uvm_new_errno(void) { return uvm_err = &errno; }
static void uvm_find_errno(void) {}
static inline int *uvm_errno(void) { return __builtin_expect(!uvm_err, 0) ? uvm_new_errno() : uvm_err; }
static inline int uvm_get_errno(void) { return *uvm_errno(); }
static inline void uvm_set_errno(int e) { *uvm_errno() = e; }
#endif

// The uvm_in_c of another generated package in the process, 0 if none.
static uintptr_t (*uvm_others_in_c)(void);
static uintptr_t uvm_in_c(void) {
	uvm_native *n = uvm_get_now();
	return n ? n->f : uvm_others_in_c ? uvm_others_in_c() : 0;
}

// The number in the process of this package's first signature of exposed functions.
static uint32_t uvm_pools;

static uintptr_t uvm_init(uintptr_t lib, uint32_t pools) {
	uvm_lib = (uvm_runtime *)lib;
	uvm_others_in_c = uvm_lib->in_c;
	uvm_lib->in_c = uvm_in_c;
	uvm_pools = pools;
	uvm_find_errno();
	return (uintptr_t)&uvm_notice;
}

// A thread is in C while f, the C function that it runs, is not 0. Collections do not wait for it
// then. It looks for a notice after each change of f. See package gc of the runtime.
static inline int uvm_change(uvm_native *n, uintptr_t f) {
	__atomic_store_n(&n->f, f, __ATOMIC_RELEASE);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return __builtin_expect(__atomic_load_n(&uvm_notice, __ATOMIC_RELAXED), 0);
}
static inline int uvm_stopping(void) {
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	return __atomic_load_n(&uvm_notice, __ATOMIC_RELAXED) & 1;
}
UVM_RARE void uvm_left_go(void) { if (uvm_stopping()) uvm_lib->wake(); }
UVM_RARE void uvm_entered_go(uvm_native *n) { if (uvm_stopping()) uvm_lib->resume((uintptr_t)n); }
static inline void uvm_leave_go(uvm_native *n, uintptr_t f) { if (uvm_change(n, f)) uvm_left_go(); }
static inline void uvm_enter_go(uvm_native *n) { if (uvm_change(n, 0)) uvm_entered_go(n); }

// What is done before a call of the C function f on behalf of n, and after it.
static inline void uvm_before(uvm_native *n, uintptr_t f) { uvm_set_errno(n->err); uvm_set_now(n); uvm_leave_go(n, f); }
static inline void uvm_after(uvm_native *n) { n->err = uvm_get_errno(); uvm_enter_go(n); uvm_set_now(0); }

#if defined(__x86_64__) && defined(__ELF__) && !defined(__ILP32__)
// Slots of functions exposed at run time: each puts its number into a variable of the
// OS thread and jumps to the one C function for its signature. All registers that
// may hold arguments stay unchanged.
static __thread int32_t uvm_slot __attribute__((used, tls_model("initial-exec")));
#define UVM_THUNKS(k, n) \
	__asm__(".pushsection .text\n.p2align 4\nuvm_thunks_" #k ":\n.set uvm_i, 0\n.rept " #n "\n.p2align 4\n" \
		"endbr64\nmovl $uvm_i, %r10d\njmp uvm_thunks_end_" #k "\n.set uvm_i, uvm_i + 1\n.endr\n.p2align 4\n" \
		"uvm_thunks_end_" #k ":\nmovq uvm_slot@gottpoff(%rip), %r11\nmovl %r10d, %fs:(%r11)\n" \
		"jmp uvm_thunk_" #k "\n.popsection"); \
	extern char uvm_base_##k[] __asm__("uvm_thunks_" #k) __attribute__((visibility("hidden"))); \
	enum { uvm_slots_##k = n }; \
	static uintptr_t uvm_slot_##k(int i) { return (uintptr_t)uvm_base_##k + 16 * (uintptr_t)i; }
#endif

`

const cScalarsAsWords = `static inline uint64_t uvm_double(double x) { uint64_t w; memcpy(&w, &x, 8); return w; }
static inline uint64_t uvm_float(float x) { uint32_t w; memcpy(&w, &x, 4); return w; }
static inline double uvm_to_double(uint64_t w) { double x; memcpy(&x, &w, 8); return x; }
static inline float uvm_to_float(uint64_t w) { uint32_t v = (uint32_t)w; float x; memcpy(&x, &v, 4); return x; }

`

// cBorrowed is in units what cState is in programs. A unit has no variables of its own: callbacks and the collector look at
// those of the program.
const cBorrowed = `static void (*uvm_before)(uvm_native *, uintptr_t);
static void (*uvm_after)(uvm_native *);
static void uvm_init(uintptr_t before, uintptr_t after) {
	uvm_before = (void (*)(uvm_native *, uintptr_t))before;
	uvm_after = (void (*)(uvm_native *))after;
}

`

// cCaller is the C function that calls an address with a signature or, if sym is not "", the
// C function of that name.
func cCaller(types *cTypes, name, sym string, sig csignature) string {
	var b, build strings.Builder
	params, f := "uintptr_t native, uintptr_t f", "f"
	if sym != "" {
		params, f = "uintptr_t native", "&"+sym
	}
	var protos, args []string
	n := 0
	for i, p := range sig.params {
		ty := types.name(p)
		protos = append(protos, ty)
		if p.kind != '{' {
			params += fmt.Sprintf(", %s a%d", ty, n)
			args = append(args, fmt.Sprintf("a%d", n))
			n++
			continue
		}
		fmt.Fprintf(&build, "\t%s s%d;\n", ty, i)
		p.leaves(fmt.Sprintf("s%d", i), func(path string, t *ctype) {
			params += fmt.Sprintf(", %s a%d", cScalars[t.kind], n)
			fmt.Fprintf(&build, "\t%s = a%d;\n", path, n)
			n++
		})
		args = append(args, fmt.Sprintf("s%d", i))
	}
	res := types.name(sig.result)
	proto := strings.Join(protos, ", ")
	if proto == "" {
		proto = "void"
	}
	call := fmt.Sprintf("((%s (*)(%s))n->f)(%s)", res, proto, strings.Join(args, ", "))
	assign, returns, end := "", res, ""
	if sig.result != nil {
		assign, end = res+" r = ", "\treturn r;\n"
	}
	if sig.resultInNative() {
		returns, end = "void", ""
	}
	fmt.Fprintf(&b, "\nstatic %s %s(%s) {\n%s", returns, name, params, build.String())
	b.WriteString("\tuvm_native *n = (uvm_native *)native;\n")
	// The call loads the address from n so that the compiler does not know it: otherwise it would keep it
	// in a register that must be saved, or call through the linker's table.
	b.WriteString("\tuvm_before(n, (uintptr_t)" + f + ");\n")
	vcall := func(fixed int) string {
		return fmt.Sprintf("((%s (*)(%s, ...))n->f)(%s)", res, strings.Join(protos[:fixed], ", "), strings.Join(args, ", "))
	}
	switch {
	case sig.fixed > 0:
		fmt.Fprintf(&b, "\t%s%s;\n", assign, vcall(sig.fixed))
	case sig.variadicOnAMD64():
		fmt.Fprintf(&b, "#if defined(__x86_64__) && !defined(_WIN32)\n\t%s%s;\n#else\n\t%s%s;\n#endif\n", assign, vcall(1), assign, call)
	default:
		fmt.Fprintf(&b, "\t%s%s;\n", assign, call)
	}
	if sig.resultInNative() {
		fmt.Fprintf(&b, "\tn->r = %s;\n", cWord(sig.result, "r"))
	}
	b.WriteString("\tuvm_after(n);\n" + end + "}\n")
	return b.String()
}

// resultInNative reports whether a result is returned in uvm_native, which is cheaper than
// a result that cgo passes.
func (s csignature) resultInNative() bool { return s.result != nil && s.result.kind != '{' }

// cWord is the C expression of a scalar as a word.
func cWord(t *ctype, x string) string {
	switch t.kind {
	case 'f':
		return "uvm_float(" + x + ")"
	case 'd':
		return "uvm_double(" + x + ")"
	}
	return "(" + unsignedC[t.kind] + ")" + x
}

// defaultCallbacks is the number of functions of a signature that can be exposed at
// the same time at run time, on machines where slots are cheap to make.
const defaultCallbacks = 16384

// maxFallbackCallbacks limits that number where each slot is a C function that must be compiled.
const maxFallbackCallbacks = 1024

// cCallee writes the C functions for exposed functions of signature k: n for
// those of .expose and, if dynamic is set, more for those exposed at run time.
func cCallee(types *cTypes, k, n int, dynamic bool, callbacks int, sig csignature) string {
	if callbacks == 0 {
		callbacks = defaultCallbacks
	}
	var b strings.Builder
	var params, names []string
	var pack strings.Builder
	w := 0
	for i, p := range sig.params {
		params = append(params, fmt.Sprintf("%s a%d", types.name(p), i))
		names = append(names, fmt.Sprintf("a%d", i))
		p.leaves(fmt.Sprintf("a%d", i), func(path string, t *ctype) {
			fmt.Fprintf(&pack, "\tw[%d] = %s;\n", w, cWord(t, path))
			w++
		})
	}
	var unpack strings.Builder
	results := 0
	if sig.result != nil {
		sig.result.leaves("r", func(path string, t *ctype) {
			v := fmt.Sprintf("w[%d]", results)
			switch t.kind {
			case 'f':
				v = "uvm_to_float(" + v + ")"
			case 'd':
				v = "uvm_to_double(" + v + ")"
			default:
				v = "(" + cScalars[t.kind] + ")" + v
			}
			fmt.Fprintf(&unpack, "\t%s = %s;\n", path, v)
			results++
		})
	}
	res := types.name(sig.result)
	with := func(first string) string { return strings.Join(append([]string{first}, params...), ", ") }
	fmt.Fprintf(&b, "\nstatic %s uvm_enter_%d(%s) {\n", res, k, with("int32_t slot"))
	fmt.Fprintf(&b, "\tuint64_t w[%d];\n%s", max(w, results, 1), pack.String())
	b.WriteString(cBack(fmt.Sprintf("uvm_pools + %d", k)))
	if sig.result != nil {
		fmt.Fprintf(&b, "\t%s r;\n%s\treturn r;\n", res, unpack.String())
	}
	b.WriteString("}\n")

	plain := strings.Join(params, ", ")
	if plain == "" {
		plain = "void"
	}
	args := strings.Join(append([]string{""}, names...), ", ")
	ret := ""
	if sig.result != nil {
		ret = "return "
	}
	fmt.Fprintf(&b, "#define UVM_SLOT_%d(i) static %s uvm_x%d_##i(%s) { %suvm_enter_%d(0x##i%s); }\n", k, res, k, plain, ret, k, args)
	if !dynamic {
		cSlots(&b, k, n)
		return b.String()
	}
	fmt.Fprintf(&b, "#ifdef UVM_THUNKS\nstatic %s __attribute__((used)) uvm_thunk_%d(%s) { %suvm_enter_%d(uvm_slot%s); }\n", res, k, plain, ret, k, args)
	fmt.Fprintf(&b, "UVM_THUNKS(%d, %d)\n#else\n", k, n+callbacks)
	cSlots(&b, k, n+min(callbacks, maxFallbackCallbacks))
	b.WriteString("#endif\n")
	return b.String()
}

// cBack is the C code that calls back: the arguments are in words, w, and then the result. sig is the C expression of
// the runtime's number of the signature.
func cBack(sig string) string {
	return "\tuvm_native *n = uvm_get_now();\n\tuvm_frame fr = {(uintptr_t)n, (uintptr_t)&uvm_now, (uintptr_t)&uvm_kept, (uintptr_t)w, uvm_get_errno(), " + sig + ", slot};\n" +
		"\tuintptr_t f = 0;\n\tif (n) {\n\t\tf = n->f;\n\t\tuvm_enter_go(n);\n\t}\n\tuvm_lib->back((uintptr_t)&fr);\n\tuvm_set_errno(fr.err);\n" +
		"\tif (n) {\n\t\tuvm_set_now(n);\n\t\tuvm_leave_go(n, f);\n\t}\n"
}

// cLate has the C functions for code that arrives at run time, whose signatures are not known: the runtime puts arguments
// where ffi_call, of libffi, takes them, and makes the function pointers, which call uvm_enter_late. Units, in which
// such code is compiled, borrow uvm_before and uvm_after.
func cLate() string {
	return `
static void uvm_call_late(uintptr_t native, uintptr_t f, uintptr_t callee, uintptr_t cif, uintptr_t result, uintptr_t args) {
	uvm_native *n = (uvm_native *)native;
	uvm_before(n, f);
	((void (*)(uintptr_t, uintptr_t, uintptr_t, uintptr_t))callee)(cif, f, result, args);
	uvm_after(n);
}
static uintptr_t uvm_get_before(void) { return (uintptr_t)uvm_before; }
static uintptr_t uvm_get_after(void) { return (uintptr_t)uvm_after; }
static void uvm_enter_late(uint32_t sig, int32_t slot, uint64_t *w) {
` + cBack("sig") + `}
static uintptr_t uvm_get_enter_late(void) { return (uintptr_t)uvm_enter_late; }
#ifdef _WIN32
static uintptr_t uvm_get_dlopen(void) { return 0; }
#else
#include <dlfcn.h>
static uintptr_t uvm_get_dlopen(void) { return (uintptr_t)dlopen; }
#endif
`
}

// cSlots writes one C function per slot.
func cSlots(b *strings.Builder, k, n int) {
	for i := range n {
		fmt.Fprintf(b, "UVM_SLOT_%d(%x)", k, i)
		if i%8 == 7 || i == n-1 {
			b.WriteByte('\n')
		} else {
			b.WriteByte(' ')
		}
	}
	fmt.Fprintf(b, "enum { uvm_slots_%d = %d };\nstatic uintptr_t uvm_slot_%d(int i) {\n\tstatic void *const at[] = {", k, n, k)
	for i := range n {
		fmt.Fprintf(b, "uvm_x%d_%x, ", k, i)
	}
	b.WriteString("};\n\treturn (uintptr_t)at[i];\n}\n")
}
