package gogen

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"
)

// cHead begins the preamble.
const cHead = `#cgo linux freebsd netbsd openbsd LDFLAGS: -lm
#cgo linux LDFLAGS: -ldl
#include <errno.h>
#include <stdint.h>
#include <string.h>

#define UVM_TEXT(x) #x
#define UVM_EXPAND(x) UVM_TEXT(x)
#ifdef __USER_LABEL_PREFIX__
#define UVM_PREFIX UVM_EXPAND(__USER_LABEL_PREFIX__)
#else
#define UVM_PREFIX ""
#endif

// What a callback exchanges with Go: CFrame of the runtime.
typedef struct {
	uintptr_t stack, own, words, state;
	int32_t err;
	uint32_t sig;
	int32_t slot;
} uvm_frame;

// What the runtime tells: see package ffi.
typedef struct {
	void (*back)(uintptr_t);
	void (*wake)(void);
	uint32_t *stopping;
	int32_t fences;
	uintptr_t (*in_c)(void);
} uvm_runtime;

static uvm_runtime *uvm_lib;

// The context of the Mu stack whose CCALL the thread is in, and the state of the Mu
// thread that has it, as the collector sees it.
typedef struct {
	uintptr_t stack;
	uint32_t *state;
	uintptr_t f; // the address that is called
} uvm_place;
static __thread uvm_place uvm_here;

static uintptr_t uvm_in_c(void) { return uvm_here.stack && *uvm_here.state == 0 ? uvm_here.f : 0; }

static void uvm_init(uintptr_t lib) {
	uvm_lib = (uvm_runtime *)lib;
	uvm_lib->in_c = uvm_in_c;
}

// A thread in C is safe: collections go on without it.
static inline void uvm_leave_go(uint32_t *state) {
	__atomic_store_n(state, 0, __ATOMIC_RELEASE);
	if (uvm_lib->fences) __atomic_thread_fence(__ATOMIC_SEQ_CST);
	else __atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (__atomic_load_n(uvm_lib->stopping, __ATOMIC_RELAXED)) uvm_lib->wake();
}
static inline void uvm_enter_go(uint32_t *state) {
	__atomic_store_n(state, 1, __ATOMIC_RELEASE);
	if (uvm_lib->fences) __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

#if defined(__x86_64__) && defined(__ELF__) && !defined(__ILP32__)
// Slots of functions exposed at run time: each puts its number into a variable of the
// OS thread and goes on in the one C function for its signature. All registers that
// may hold arguments stay as they are.
static __thread int32_t uvm_slot __attribute__((used));
#define UVM_THUNKS(k, n) \
	__asm__(".pushsection .text\n.p2align 4\nuvm_thunks_" #k ":\n.set uvm_i, 0\n.rept " #n "\n.p2align 4\n" \
		"endbr64\nmovl $uvm_i, %r10d\njmp uvm_thunks_end_" #k "\n.set uvm_i, uvm_i + 1\n.endr\n.p2align 4\n" \
		"uvm_thunks_end_" #k ":\nmovq uvm_slot@gottpoff(%rip), %r11\nmovl %r10d, %fs:(%r11)\n" \
		"jmp uvm_thunk_" #k "\n.popsection"); \
	extern char uvm_base_##k[] __asm__("uvm_thunks_" #k) __attribute__((visibility("hidden"))); \
	enum { uvm_slots_##k = n }; \
	static uintptr_t uvm_slot_##k(int i) { return (uintptr_t)uvm_base_##k + 16 * (uintptr_t)i; }
#endif

static inline uint64_t uvm_double(double x) { uint64_t w; memcpy(&w, &x, 8); return w; }
static inline uint64_t uvm_float(float x) { uint32_t w; memcpy(&w, &x, 4); return w; }
static inline double uvm_to_double(uint64_t w) { double x; memcpy(&x, &w, 8); return x; }
static inline float uvm_to_float(uint64_t w) { uint32_t v = (uint32_t)w; float x; memcpy(&x, &v, 4); return x; }

`

// cCaller is the C function that calls an address with signature k.
func cCaller(types *cTypes, k int, sig csignature) string {
	var b, build strings.Builder
	params := "uintptr_t f, uintptr_t stack, uintptr_t state, uintptr_t err"
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
	call := fmt.Sprintf("((%s (*)(%s))f)(%s)", res, proto, strings.Join(args, ", "))
	assign := ""
	if sig.result != nil {
		assign = res + " r = "
	}
	fmt.Fprintf(&b, "\nstatic %s uvm_call_%d(%s) {\n%s", res, k, params, build.String())
	b.WriteString("\tuvm_place outer = uvm_here;\n\tuvm_here.stack = stack;\n\tuvm_here.state = (uint32_t *)state;\n\tuvm_here.f = f;\n")
	b.WriteString("\terrno = *(int32_t *)err;\n\tuvm_leave_go((uint32_t *)state);\n")
	if sig.variadicOnAMD64() {
		vcall := fmt.Sprintf("((%s (*)(%s, ...))f)(%s)", res, protos[0], strings.Join(args, ", "))
		fmt.Fprintf(&b, "#if defined(__x86_64__) && !defined(_WIN32)\n\t%s%s;\n#else\n\t%s%s;\n#endif\n", assign, vcall, assign, call)
	} else {
		fmt.Fprintf(&b, "\t%s%s;\n", assign, call)
	}
	b.WriteString("\t*(int32_t *)err = errno;\n\tuvm_enter_go(uvm_here.state);\n\tuvm_here = outer;\n")
	if sig.result != nil {
		b.WriteString("\treturn r;\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// goParams lists the scalars of a signature as Go parameters a0, a1 ... and
// results r0, r1 ...
func goParams(sig csignature) (params, args string, results []*ctype, paths []string) {
	n := 0
	for _, p := range sig.params {
		p.leaves("", func(_ string, t *ctype) {
			params += fmt.Sprintf(", a%d %s", n, cGoTypes[t.kind])
			args += fmt.Sprintf(", a%d", n)
			n++
		})
	}
	if sig.result != nil {
		sig.result.leaves("r", func(path string, t *ctype) {
			results = append(results, t)
			paths = append(paths, path)
		})
	}
	return params, args, results, paths
}

func goResults(results []*ctype) string {
	var l []string
	for i, t := range results {
		l = append(l, fmt.Sprintf("r%d %s", i, cGoTypes[t.kind]))
	}
	if l == nil {
		return ""
	}
	return " (" + strings.Join(l, ", ") + ")"
}

// goCaller is ccallN with cgo, or with inGo "" ccallcN.
func goCaller(k int, name, inGo string, sig csignature) code {
	params, args, results, paths := goParams(sig)
	var cargs strings.Builder
	n := 0
	for _, p := range sig.params {
		p.leaves("", func(_ string, t *ctype) {
			fmt.Fprintf(&cargs, ", C.%s(a%d)", cScalars[t.kind], n)
			n++
		})
	}
	call := fmt.Sprintf("C.uvm_call_%d(C.uintptr_t(f), C.uintptr_t(uintptr(unsafe.Pointer(t))), C.uintptr_t(t.Th.StateAddr()), C.uintptr_t(rt.Errno(t))%s)", k, cargs.String())
	var body code
	if inGo != "" {
		inGo += "(t, f" + args + ")"
		then := code{raw("%s", inGo), jen.Return()}
		if sig.result != nil {
			then = code{raw("return %s", inGo)}
		}
		body = append(body, jen.If(raw("rt.InGo(f)")).Block(then...))
	}
	if sig.result != nil {
		call = "r := " + call
	}
	body.add("%s", call)
	body.add("t.Th.Resume()")
	var l []string
	for i, t := range results {
		l = append(l, fmt.Sprintf("%s(%s)", cGoTypes[t.kind], paths[i]))
	}
	if l != nil {
		body.add("return %s", strings.Join(l, ", "))
	}
	return code{jen.Line(), raw("func %s(t *rt.Ctx, f uintptr%s)%s", name, params, goResults(results)).Block(body...)}
}

// inGoCaller is gocallN.
func (g *gen) inGoCaller(k int, name string, sig csignature) code {
	params, _, results, _ := goParams(sig)
	var body code
	body.add("x := rt.X(t)")
	n := 0
	for _, p := range sig.params {
		p.leaves("", func(_ string, t *ctype) {
			a := fmt.Sprintf("a%d", n)
			switch t.kind {
			case 'f':
				a = "math.Float32bits(" + a + ")"
			case 'd':
				a = "math.Float64bits(" + a + ")"
			}
			body.add("x.W[%d] = uint64(%s)", n, a)
			n++
		})
	}
	g.maxTransfer = max(g.maxTransfer, n, len(results))
	body.add("rt.CCall(t, f, &csigs[%d], \"\")", k)
	if len(results) > 0 {
		body.add("x = rt.X(t)")
		var l []string
		for i, t := range results {
			w := fmt.Sprintf("x.W[%d]", i)
			switch t.kind {
			case 'f':
				w = "math.Float32frombits(uint32(" + w + "))"
			case 'd':
				w = "math.Float64frombits(" + w + ")"
			case 'l':
			default:
				w = cGoTypes[t.kind] + "(" + w + ")"
			}
			l = append(l, w)
		}
		body.add("return %s", strings.Join(l, ", "))
	}
	if n == 0 && len(results) == 0 {
		body = body[1:]
	}
	return code{jen.Line(), raw("func %s(t *rt.Ctx, f uintptr%s)%s", name, params, goResults(results)).Block(body...)}
}

// passOn is ccallN without cgo.
func passOn(name, inGo string, sig csignature) code {
	params, args, results, _ := goParams(sig)
	call := inGo + "(t, f" + args + ")"
	if len(results) > 0 {
		call = "return " + call
	}
	return code{jen.Line(), raw("func %s(t *rt.Ctx, f uintptr%s)%s", name, params, goResults(results)).Block(raw("%s", call))}
}

// defaultCallbacks is how many functions of a signature can be exposed at run
// time at once where the slots are cheap to make.
const defaultCallbacks = 16384

// maxFallbackCallbacks bounds it where each slot is a C function to compile.
const maxFallbackCallbacks = 1024

// cCallee is the C functions that exposed functions of signature k are: n for
// those of .expose, and with dynamic more for those exposed at run time.
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
			switch t.kind {
			case 'f':
				path = "uvm_float(" + path + ")"
			case 'd':
				path = "uvm_double(" + path + ")"
			default:
				path = "(" + unsignedC[t.kind] + ")" + path
			}
			fmt.Fprintf(&pack, "\tw[%d] = %s;\n", w, path)
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
	fmt.Fprintf(&b, "\tuvm_frame fr = {uvm_here.stack, (uintptr_t)&uvm_here.stack, (uintptr_t)w, 0, errno, %d, slot};\n", k)
	b.WriteString("\tif (fr.stack) uvm_enter_go(uvm_here.state);\n\tuvm_lib->back((uintptr_t)&fr);\n\terrno = fr.err;\n")
	b.WriteString("\tif (fr.stack) {\n\t\tuvm_here.state = (uint32_t *)fr.state;\n\t\tuvm_leave_go(uvm_here.state);\n\t}\n")
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

// cSlots makes one C function a slot.
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
