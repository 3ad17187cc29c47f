package dialects_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// A trapCase is a function of IAL that traps, or throws, in its last instruction.
type trapCase struct {
	name string
	text string // of the report
	regs string // TYPE NAME, separated by semicolons
	code string // instructions, separated by semicolons; #N in place of a source is a constant uint
	rest string // blocks after entry; entry has unwind block c if the rest has one
	head string // declarations
	at   string // MODULE/FUNCTION that the report names, the function of the case if empty
}

// Texts of docs/ial.md, "Traps", with the kind of run-time error that a report begins
// with.
const (
	nullPointer  = `NULL_REF at .*null pointer dereference`
	nullRef      = `NULL_REF at .*null reference`
	badFunction  = `BAD_SIGNATURE at .*bad function pointer`
	badSignature = `BAD_SIGNATURE at .*function pointer type mismatch`
	badAddress   = `NATIVE at .* invalid memory access: `
)

// trapCases has every text of docs/ial.md, "Traps", raised by every instruction that raises it.
var trapCases = []trapCase{
	{name: "div", text: "integer division by zero", regs: "int32 i; int32 z", code: "i = ari.div i, z"},
	{name: "div_unsigned", text: "integer division by zero", regs: "uint8 i; uint8 z", code: "i = ari.div i, z"},
	{name: "rem", text: "integer division by zero", regs: "int64 i; int64 z", code: "i = ari.rem i, z"},
	{name: "rem_unsigned", text: "integer division by zero", regs: "uint i; uint z", code: "i = ari.rem i, z"},
	{name: "array_div", text: "integer division by zero", regs: "int32[] a; int32{3} b", code: "a = mem.alloc #3; array.ari.div a, a, b"},
	{name: "array_rem", text: "integer division by zero", regs: "int8{3} a; int8 z", code: "array.ari.rem a, a, z"},
	{name: "atomic_div", text: "integer division by zero", regs: "uint x; uint* p", code: "p = mem.addr x; arg.push p; arg.push x; x = call (mci/atomic_div_u)"},
	{name: "atomic_rem", text: "integer division by zero", regs: "int x; int* p", code: "p = mem.addr x; arg.push p; arg.push x; x = call (mci/atomic_rem_s)"},

	{name: "get", text: nullPointer, regs: "int32* p; int32 i", code: "i = mem.get p"},
	{name: "get_low", text: nullPointer, regs: "int32* p; int32 i", code: "p = ari.add p, #1000; i = mem.get p"},
	{name: "set", text: nullPointer, regs: "float64* p; float64 x", code: "mem.set p, x"},
	{name: "get_struct", text: nullPointer, regs: "S* p; S s", code: "s = mem.get p"},
	{name: "set_reference", text: nullPointer, regs: "S&* p; S& s", code: "mem.set p, s"},
	{name: "pointer_field", text: nullPointer, regs: "S* p; int64 n", code: "n = field.get p (S:n)"},
	{name: "pointer_field_set", text: nullPointer, regs: "S* p; int64 n", code: "field.set p, n (S:n)"},
	{name: "pointer_field_addr", text: nullPointer, regs: "S* p; int64* q", code: "q = field.addr p (S:n)"},
	{name: "atomic_load", text: nullPointer, regs: "uint* p; uint x", code: "arg.push p; x = call (mci/atomic_load_u)"},
	{name: "atomic_store", text: nullPointer, regs: "int* p; int x", code: "arg.push p; arg.push x; invoke (mci/atomic_store_s)"},
	{name: "atomic_exchange", text: nullPointer, regs: "mci/Object&* p; mci/Object& o; uint x",
		code: "arg.push p; arg.push o; arg.push o; x = call (mci/atomic_exchange)"},
	{name: "atomic_add", text: nullPointer, regs: "uint* p; uint x", code: "arg.push p; arg.push x; x = call (mci/atomic_add_u)"},

	{name: "array_get", text: nullRef, regs: "int32[] a; int32 i", code: "i = array.get a, #0"},
	{name: "array_set", text: nullRef, regs: "S&[3] a; S& s", code: "array.set a, #0, s"},
	{name: "array_addr", text: nullRef, regs: "int32[] a; int32* p", code: "p = array.addr a, #0"},
	{name: "array_len", text: nullRef, regs: "int32[] a; uint n", code: "n = array.len a"},
	{name: "vector_len", text: nullRef, regs: "int32[4] a; uint n", code: "n = array.len a"},
	{name: "bulk_target", text: nullRef, regs: "int32[] a; int32{3} b", code: "array.ari.add a, b, b"},
	{name: "bulk_source", text: nullRef, regs: "int32[] a; int32{3} b", code: "array.ari.neg b, a"},
	{name: "bulk_third", text: nullRef, regs: "int32[3] a; int32{3} b", code: "array.ari.mul b, b, a"},
	{name: "bulk_conv", text: nullRef, regs: "int32[3] a; float32{3} b", code: "array.conv b, a"},
	{name: "field_get", text: nullRef, regs: "S& s; int64 n", code: "n = field.get s (S:n)"},
	{name: "field_set", text: nullRef, regs: "S& s; int64 n", code: "field.set s, n (S:n)"},
	{name: "field_addr", text: nullRef, regs: "S& s; int64* p", code: "p = field.addr s (S:n)"},
	{name: "user_get", text: nullRef, regs: "S& s; int64[] a", code: "a = field.user.get s"},
	{name: "user_set", text: nullRef, regs: "S& s; int64[] a", code: "field.user.set a, s"},
	{name: "user_addr", text: nullRef, regs: "S& s; S&* p", code: "p = field.user.addr s"},
	{name: "pin", text: nullRef, regs: "S& s; uint h", code: "h = mem.pin s"},
	{name: "throw_null", text: nullRef, regs: "S& s", code: "eh.throw s"},
	{name: "create_weak", text: nullRef, regs: "mci/Object& o; mci/Weak& w", code: "arg.push o; w = call (mci/create_weak)"},
	{name: "get_weak", text: nullRef, regs: "mci/Object& o; mci/Weak& w", code: "arg.push w; o = call (mci/get_weak_target)"},
	{name: "set_weak", text: nullRef, regs: "mci/Object& o; mci/Weak& w", code: "arg.push w; arg.push o; invoke (mci/set_weak_target)"},
	{name: "free_callback", text: nullRef, regs: "mci/Object& o; void(mci/Object&) cdecl f",
		code: "arg.push o; arg.push f; invoke (mci/gc_set_free_callback)"},
	{name: "allocate_callback", text: "null ", regs: "void(mci/Object&) cdecl f", code: "arg.push f; invoke (mci/gc_add_allocate_callback)"},

	{name: "index", text: `index 3 out of range \[0,3\)`, regs: "int32[] a; int32 i", code: "a = mem.alloc #3; i = array.get a, #3"},
	{name: "index_set", text: `index 18446744073709551615 out of range \[0,3\)`, regs: "int8[3] a; int8 i", code: "a = mem.new; array.set a, #18446744073709551615, i"},
	{name: "index_static", text: `index 4 out of range \[0,2\)`, regs: "S{2} a; S i", code: "i = array.get a, #4"},
	{name: "index_static_set", text: `index 2 out of range \[0,2\)`, regs: "float32{2} a; float32 i", code: "array.set a, #2, i"},
	{name: "index_empty", text: `index 0 out of range \[0,0\)`, regs: "int32[] a; int32 i", code: "a = load.i32a (); i = array.get a, #0"},
	{name: "index_checked", text: `index 5 out of range \[0,5\)`, regs: "int32[] a; int32 i; int32* p", code: "a = mem.alloc #5; p = array.addr a, #5; i = mem.get p"},
	{name: "index_checked_set", text: `index 7 out of range \[0,2\)`, regs: "S&{2} a; S& s; S&* p", code: "p = array.addr a, #7; mem.set p, s"},
	{name: "index_vector", text: `index 2 out of range \[0,2\)`, regs: "int32[] a; int32[3] v; int32 i",
		code: "a = load.i32a (1, 2); v = conv a; i = array.get v, #2"},

	{name: "length", text: "array length mismatch", regs: "int32[] a; int32[3] v", code: "a = mem.alloc #2; v = mem.new; array.ari.add a, v, v"},
	{name: "length_third", text: "array length mismatch", regs: "int32{3} a; int32{2} b", code: "array.bit.or a, a, b"},
	{name: "length_neg", text: "array length mismatch", regs: "float64[3] a; float64{4} b", code: "a = mem.new; array.ari.neg a, b"},
	{name: "length_shift", text: "array length mismatch", regs: "int8{3} a; uint[] n", code: "n = mem.alloc #4; array.rol a, a, n"},
	{name: "length_cmp", text: "array length mismatch", regs: "uint{3} u; int8{4} a; int8 i", code: "array.cmp.lt u, a, i"},
	{name: "length_conv", text: "array length mismatch", regs: "int8{3} a; int64{4} b", code: "array.conv a, b"},
	{name: "length_empty", text: "array length mismatch", regs: "int8{0} a; int8{1} b", code: "array.not a, b"},

	{name: "small_object", text: "managed type mismatch", regs: "T& t; S& s; int64 n", code: "t = mem.new; s = conv t; n = field.get s (S:n)"},
	{name: "small_object_set", text: "managed type mismatch", regs: "T& t; S& s; int64 n", code: "t = mem.new; s = conv t; field.set s, n (S:n)"},
	{name: "no_reference", text: "managed type mismatch", regs: "S& s; R& r; S& t", code: "s = mem.new; r = conv s; t = field.get r (R:s)"},
	{name: "structure_as_array", text: "managed type mismatch", regs: "S& s; int64[] a; int64 n", code: "s = mem.new; a = conv s; n = array.get a, #0"},
	{name: "structure_len", text: "managed type mismatch", regs: "S& s; int64[] a; uint n", code: "s = mem.new; a = conv s; n = array.len a"},
	{name: "other_size", text: "managed type mismatch", regs: "int32[] a; int64[] b; int64 n", code: "a = mem.alloc #8; b = conv a; n = array.get b, #0"},
	{name: "other_size_bulk", text: "managed type mismatch", regs: "int32[] a; int16[] b", code: "a = mem.alloc #8; b = conv a; array.ari.neg b, b"},
	{name: "references", text: "managed type mismatch", regs: "S&[] a; int64[] b; int64 n", code: "a = mem.alloc #8; b = conv a; n = array.get b, #0"},
	{name: "words", text: "managed type mismatch", regs: "S&[] a; uint[] b; S& s", code: "b = mem.alloc #8; a = conv b; array.set a, #0, s"},
	{name: "array_as_structure", text: "managed type mismatch", regs: "int8[] a; S& s; int64 n", code: "a = mem.alloc #1; s = conv a; n = field.get s (S:n)"},

	{name: "null_call", text: "null function pointer", regs: "int32() f; int32 i", code: "i = call.indirect f"},
	{name: "null_invoke", text: "null function pointer", regs: "void() cdecl f", code: "invoke.indirect f"},
	{name: "bad_call", text: badFunction, regs: "int32() f; int32 i; uint8* p", code: "p = load.data (d); f = conv p; i = call.indirect f"},
	{name: "other_result", text: badSignature, regs: "void() f; int32() g; int32 i", code: "f = load.func (h); g = conv f; i = call.indirect g"},
	{name: "other_parameters", text: badSignature, regs: "void() f; void(int64) g; int64 i", code: "f = load.func (h); g = conv f; arg.push i; invoke.indirect g"},
	{name: "other_native", text: badSignature, regs: "void(int64) cdecl f; void(int32) cdecl g; int32 i",
		code: "f = load.func (c); g = conv f; arg.push i; invoke.indirect g"},
	{name: "by_pointer", text: badSignature, regs: "void(int64) cdecl f; uint8* p; void(int64, int64) cdecl g; int64 i",
		code: "f = load.func (c); p = conv f; g = conv p; arg.push i; arg.push i; invoke.indirect g"},
	{name: "not_exposed", text: badSignature, regs: "void() f; void() cdecl g", code: "f = load.func (h); g = conv f; invoke.indirect g"},

	{name: "catch_none", text: "no exception in flight", regs: "S& s", code: "invoke (h); jump (c)",
		rest: "block c { jump (e); } block e { s = eh.catch; leave; }"},
	{name: "rethrow_none", text: "no exception in flight", code: "invoke (h); jump (c)", rest: "block c { jump (e); } block e { eh.rethrow; }"},
	{name: "nothrow", at: "traps/quiet", text: "throw from nothrow function", regs: "int64 i", code: "arg.push i; invoke (quiet)",
		head: "function nothrow void quiet(int64) { register S& s; register int64 i; block entry { i = arg.pop; s = mem.new; eh.throw s; } }"},
	{name: "nothrow_called", at: "traps/quiet2", text: "throw from nothrow function", code: "i = call (quiet2)", regs: "int64 i",
		head: "function nothrow int64 quiet2() { register int64 i; block entry { i = call (throws); return i; } }"},
	{name: "noreturn", at: "traps/endless", text: "return from noreturn function", code: "invoke (endless)", head: "function noreturn void endless() { block entry { leave; } }"},
	{name: "noreturn_value", at: "traps/endless2", text: "return from noreturn function", regs: "int32 i", code: "i = call (endless2)",
		head: "function noreturn int32 endless2() { register int32 i; block entry { return i; } }"},
	{name: "dead", text: "dead code reached", code: "comment (100, 101); nop; dead"},

	{name: "free_twice", text: "invalid free", regs: "int32* p", code: "p = mem.new; mem.free p; mem.free p"},
	{name: "free_interior", text: "invalid free", regs: "int32* p", code: "p = mem.alloc #4; p = ari.add p, #1; mem.free p"},
	{name: "free_frame", text: "invalid free", regs: "int32* p", code: "p = mem.snew; mem.free p"},
	{name: "free_register", text: "invalid free", regs: "int32* p; int32 i", code: "p = mem.addr i; mem.free p"},
	{name: "free_data", text: "invalid free", regs: "uint8* p", code: "p = load.data (d); mem.free p"},
	{name: "free_global", text: "invalid free", regs: "int64* p", code: "p = field.global.addr (g); mem.free p"},
	{name: "free_managed", text: "invalid free", regs: "S& s; int64* p", code: "s = mem.new; p = field.addr s (S:n); mem.free p"},
	{name: "unpin_unknown", text: "invalid pin handle", code: "mem.unpin #12345"},
	{name: "unpin_zero", text: "invalid pin handle", code: "mem.unpin #0"},
	{name: "unpin_twice", text: "invalid pin handle", regs: "S& s; uint h", code: "s = mem.new; h = mem.pin s; mem.unpin h; mem.unpin h"},

	{name: "no_module", at: "traps/away", text: "forward target nowhere/f not found", code: "invoke (away)", head: "function void away() { block entry { forward (nowhere, f); } }"},
	{name: "crossed", at: "traps/order", text: "exception crossed native code", regs: "int32(uint8*, uint8*) cdecl f; uint8* p",
		code: "p = mem.alloc #4; f = load.func (order); arg.push p; arg.push #4; arg.push #1; arg.push f; invoke (sort)",
		head: "function void sort(uint8*, uint, uint, int32(uint8*, uint8*) cdecl) cdecl { block entry { ffi (libc, qsort); } }\n" +
			"function int32 order(uint8*, uint8*) cdecl { register uint8* p; register S& s; block entry { p = arg.pop; p = arg.pop; s = mem.new; eh.throw s; } }"},
	{name: "generations", text: "GC is not generational", regs: "uint n", code: "n = call (mci/gc_get_generations)"},
	{name: "generation_collect", text: "GC is not generational", code: "arg.push #0; invoke (mci/gc_generation_collect)"},
	{name: "generation_minimize", text: "GC is not generational", code: "arg.push #0; invoke (mci/gc_generation_minimize)"},
	{name: "generation_collections", text: "GC is not generational", regs: "uint64 n", code: "arg.push #0; n = call (mci/gc_generation_get_collections)"},
	{name: "misaligned", text: "misaligned atomic", regs: "uint8* p; uint* q; uint n", code: "p = mem.alloc #16; p = ari.add p, #1; q = conv p; arg.push q; n = call (mci/atomic_load_u)"},
	{name: "misaligned_and", text: "misaligned atomic", regs: "uint8* p; int* q; int n", code: "p = mem.alloc #16; p = ari.add p, #4; q = conv p; arg.push q; arg.push n; n = call (mci/atomic_and_s)"},
	{name: "unmapped", text: badAddress, regs: "int32* p; int32 i; uint u", code: "u = conv #17592186044416; p = conv u; i = mem.get p"},
	{name: "elements", text: "integer division by zero", regs: "int32 i; int32 z", code: "invoke (elements); i = ari.div i, z", head: elementChecks()},
	{name: "places", text: "integer division by zero", regs: "int32 i; int32 z", code: "invoke (places); i = ari.div i, z", head: placeChecks()},
	{name: "uncaught", regs: "int64 i", code: "i = call (throws)"},
}

// trapDeclarations is what the cases refer to.
const trapDeclarations = `type S { field int64 a; field int64 n; }
type T { field int64 a; }
type R { field int64 a; field S& s; }
data d (1, 2, 3);
field global int64 g;
function void h() { block entry { leave; } }
function void c(int64) cdecl { register int64 i; block entry { i = arg.pop; leave; } }
function int64 throws() { register S& s; block entry { s = mem.new; eh.throw s; } }
function uint8* getenv(uint8*) cdecl { block entry { ffi (libc, getenv); } }
function int32 atoi(uint8*) cdecl { block entry { ffi (libc, atoi); } }
`

// intrinsicCalled finds the intrinsic that a case calls in its last instruction, where it traps then.
var intrinsicCalled = regexp.MustCompile(`\((mci/\w+)\)$`)

var constants = regexp.MustCompile(`#\d+`)

// trapProgram is a program that runs the case with the number in the environment variable CASE, and the
// line of the instruction that traps, for each case.
func trapProgram(cases []trapCase) (string, []int) {
	var b strings.Builder
	b.WriteString(trapDeclarations)
	lines := make([]int, len(cases))
	for i, c := range cases {
		if c.head != "" {
			b.WriteString(c.head + "\n")
		}
		unwind := ""
		if strings.Contains(c.rest, "block c ") {
			unwind = " unwind c"
		}
		fmt.Fprintf(&b, "function void t%d()\n{\n", i)
		b.WriteString(registers(c.regs) + "\n")
		var loads, code []string // constants first: arg.push stands together
		for _, instruction := range strings.Split(c.code, "; ") {
			code = append(code, constants.ReplaceAllStringFunc(instruction, func(s string) string {
				name := fmt.Sprintf("k%d", len(loads))
				fmt.Fprintf(&b, "    register uint64 w%s; register uint %[1]s;\n", name)
				loads = append(loads, fmt.Sprintf("w%s = load.ui64 (%s)", name, s[1:]), fmt.Sprintf("%s = conv w%[1]s", name))
				return name
			}))
		}
		fmt.Fprintf(&b, "    block entry%s\n    {\n", unwind)
		for _, instruction := range append(loads, code...) {
			fmt.Fprintf(&b, "        %s;\n", instruction)
		}
		lines[i] = strings.Count(b.String(), "\n")
		switch last := strings.Fields(code[len(code)-1])[0]; last {
		case "jump", "dead", "eh.throw":
		default:
			b.WriteString("        leave;\n")
		}
		b.WriteString("    }\n")
		if c.rest != "" {
			lines[i] = strings.Count(b.String(), "\n") + 1
			b.WriteString(c.rest + "\n")
		}
		b.WriteString("}\n")
	}
	b.WriteString("function int32 main()\n{\n    register uint8* s; register int32 r; register uint n; register uint one; register uint64 k;" +
		" register void()[] fs; register void() f;\n    block entry\n    {\n" +
		"        s = load.ui8a (67, 65, 83, 69, 0); arg.push s; s = call (getenv); arg.push s; r = call (atoi);" +
		" k = load.ui64 (" + fmt.Sprint(len(cases)) + "); n = conv k; fs = mem.alloc n; k = load.ui64 (0); n = conv k; k = load.ui64 (1); one = conv k;\n")
	for i := range cases {
		fmt.Fprintf(&b, "        f = load.func (t%d); array.set fs, n, f; n = ari.add n, one;\n", i)
	}
	b.WriteString("        n = conv r; f = array.get fs, n; invoke.indirect f; return r;\n    }\n}\nentry main;\n")
	return b.String(), lines
}

// TestTrapsIAL raises every trap of IAL in a program built with the optimising passes, and on the interpreter:
// exit status, text, and the line of the instruction in the trace.
func TestTrapsIAL(t *testing.T) { traps(t, "-interp", "-O1") }

// TestLongTrapsIAL does so without the optimising passes.
func TestLongTrapsIAL(t *testing.T) {
	longtest.Only(t)
	traps(t, "-O0")
}

func traps(t *testing.T, ways ...string) {
	t.Helper()
	scripttest.OwnCache(t)
	uvm2go := scripttest.Command(t)
	for _, way := range ways {
		if way == "-interp" { // which reads the program for each case
			for some := range slices.Chunk(trapCases, 8) {
				file, lines := writeTraps(t, some)
				raise(t, way, []string{uvm2go, "run", way, file}, some, lines)
			}
			continue
		}
		file, lines := writeTraps(t, trapCases)
		exe := filepath.Join(filepath.Dir(file), "traps"+scripttest.GoEnv(t, "GOEXE"))
		cmd := exec.Command(uvm2go, "build", way, "-o", exe, file)
		cmd.Env = append(os.Environ(), "GOFLAGS="+scripttest.FastBuild(os.Getenv("GOFLAGS")))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("build %s: %v\n%s", way, err, out)
		}
		raise(t, way, []string{exe}, trapCases, lines)
	}
}

// writeTraps writes the program of some cases and gives the line of each.
func writeTraps(t *testing.T, cases []trapCase) (file string, lines []int) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "traps.ial")
	text, lines := trapProgram(cases)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file, lines
}

// raise runs each case of a program with a command.
func raise(t *testing.T, way string, command []string, cases []trapCase, lines []int) {
	t.Helper()
	for i, c := range cases {
		want, status := "^uvm: run-time error: .*"+c.text, 4
		if c.text == "" {
			want, status = "^uvm: uncaught exception in thread ", 3
		}
		at := fmt.Sprintf("traps/t%d", i)
		if m := intrinsicCalled.FindStringSubmatch(c.code); m != nil {
			at = m[1]
		} else if c.at != "" {
			at = c.at
		}
		named := regexp.MustCompile(`^[^\n]*[ @]` + at + `\b`)
		trace := regexp.MustCompile(fmt.Sprintf(`\btraps\.ial:%d\b`, lines[i]))
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Env = append(os.Environ(), fmt.Sprintf("CASE=%d", i))
		var errs strings.Builder
		cmd.Stderr = &errs
		cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != status || !regexp.MustCompile(want).MatchString(errs.String()) {
			t.Errorf("%s %s: exit status %d, want %d and %q:\n%s", c.name, way, got, status, want, &errs)
		} else if c.text != "" && !named.MatchString(errs.String()) {
			t.Errorf("%s %s: the report does not name %s:\n%s", c.name, way, at, &errs)
		} else if !trace.MatchString(errs.String()) {
			t.Errorf("%s %s: no frame at traps.ial:%d:\n%s", c.name, way, lines[i], &errs)
		}
	}
}
