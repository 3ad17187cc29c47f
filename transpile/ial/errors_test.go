package ial_test

import (
	"fmt"
	"testing"
)

// Errors at run time have the texts of the language, with the function.
func TestErrors(t *testing.T) {
	tests := []struct{ name, regs, code, err string }{
		{"division", "register int32 a;", "x = ari.div x, a;", "DIV_BY_ZERO at .*: integer division by zero in t/main"},
		{"remainder", "register uint8 a; register uint8 b;", "b = ari.rem b, a;", "integer division by zero"},
		{"division in bulk", "register int32[2] a; register int32[2] b;", "a = mem.new; b = mem.new; array.ari.div a, a, b;", "integer division by zero"},
		{"null pointer", "register int32* p;", "x = mem.get p;", "NULL_REF at .*: null pointer dereference"},
		{"null reference", "register S& s;", "x = field.get s (S:x);", "NULL_REF at .*: null reference"},
		{"address of a member of null", "register S& s; register int32* p;", "p = field.addr s (S:x);", "NULL_REF at .*: null reference in t/main"},
		{"address of the user slot of null", "register S& s; register S&* p;", "p = field.user.addr s;", "null reference"},
		{"length of null", "register int32[] a;", "u = array.len a;", "NULL_REF at .*: null reference"},
		{"length of a null vector", "register int32[3] a;", "u = array.len a;", "NULL_REF at .*: null reference"},
		{"element of null", "register int32[3] a;", "x = array.get a, u;", "NULL_REF at .*: null reference"},
		{"far element of null", "register int32[100000] a; register uint64 k;", "k = load.ui64 (99999); u = conv k; x = array.get a, u;", "null reference"},
		{"index", "register int32[] a; register uint64 k;", "k = load.ui64 (3); u = conv k; a = mem.alloc u; x = array.get a, u;", `BOUNDS at .*: index 3 out of range \[0,3\) in t/main`},
		{"index of a vector", "register int32[3] a; register uint64 k;", "a = mem.new; k = load.ui64 (18446744073709551615); u = conv k; array.set a, u, x;", `index 18446744073709551615 out of range \[0,3\)`},
		{"index of a static array", "register int32{3} a; register uint64 k;", "k = load.ui64 (3); u = conv k; x = array.get a, u;", `index 3 out of range \[0,3\)`},
		{"address beyond the end", "register int32{3} a; register uint64 k; register int32* p;", "k = load.ui64 (3); u = conv k; p = array.addr a, u; x = mem.get p;", `index 3 out of range \[0,3\)`},
		{"address beyond the end, unused", "register int32[3] a; register uint64 k; register int32* p;", "a = mem.new; k = load.ui64 (3); u = conv k; p = array.addr a, u;", ""},
		{"address moved back", "register int32[3] a; register uint64 k; register int32* p; register uint one;",
			"a = mem.new; k = load.ui64 (3); u = conv k; p = array.addr a, u; k = load.ui64 (1); one = conv k; p = ari.sub p, one; x = mem.get p;", ""},
		{"lengths", "register int32[2] a; register int32[3] b;", "a = mem.new; b = mem.new; array.ari.add a, b, a;", "BOUNDS at .*: array length mismatch in t/main"},
		{"null function pointer", "register void() f;", "invoke.indirect f;", "NULL_FUNC at .*: null function pointer in t/main"},
		{"null native pointer", "register void() cdecl f;", "invoke.indirect f;", "null function pointer"},
		{"no function", "register void() f; register int32* p;", "p = mem.snew; f = conv p; invoke.indirect f;", "BAD_SIGNATURE"},
		{"another function", "register void() f; register int32() g;", "g = load.func (main); f = conv g; invoke.indirect f;", "BAD_SIGNATURE"},
		{"throw null", "register S& s;", "eh.throw s; } block other { nop;", "null reference"},
		{"nothing caught", "register S& s;", "jump (a); } block a { jump (b); } block u unwind a { jump (u); } block b { s = eh.catch;", "TRAP at .*: no exception in flight in t/main"},
		{"dead", "", "dead; } block other { nop;", "TRAP at .*: dead code reached in t/main"},
		{"free of the stack", "register int32* p;", "p = mem.snew; mem.free p;", "TRAP at .*: invalid free in t/main"},
		{"free twice", "register int32* p;", "p = mem.new; mem.free p; mem.free p;", "invalid free"},
		{"free of the inside", "register int32* p; register uint64 k;", "k = load.ui64 (2); u = conv k; p = mem.alloc u; k = load.ui64 (1); u = conv k; p = ari.add p, u; mem.free p;", "invalid free"},
		{"free", "register int32* p; register uint64 k; register S& s;", "mem.free p; k = load.ui64 (2); u = conv k; p = mem.alloc u; mem.free p; p = mem.new; mem.free p; p = load.i32a (1); mem.free p; s = mem.new; mem.free s;", ""},
		{"handle", "", "mem.unpin u;", "TRAP at .*: invalid pin handle in t/main"},
		{"handle twice", "register S& s;", "s = mem.new; u = mem.pin s; mem.unpin u; mem.unpin u;", "invalid pin handle"},
		{"pins", "register S& s; register uint v;", "s = mem.new; u = mem.pin s; v = mem.pin s; mem.unpin u; mem.unpin v; u = cmp.eq u, v; x = conv u;", ""},
		{"pin of null", "register S& s;", "u = mem.pin s;", "null reference"},
		{"no symbol", "", "invoke (missing);", "NATIVE at .*: symbol nowhere not found in libc in t/missing"},
		{"no module", "", "invoke (elsewhere);", "TRAP at .*: forward target nomodule/f not found in t/elsewhere"},
		{"exception through native code", "register void() f; register void() cdecl g;", "f = load.func (thrower); g = tramp f; invoke.indirect g;", "exception crossed native code"},
		{"generations", "", "u = call (mci/gc_get_generations);", "TRAP at .*: GC is not generational"},
		{"misaligned atomic", "register uint* p; register uint8* q; register uint64 k;", "p = mem.snew; q = conv p; k = load.ui64 (1); u = conv k; q = ari.add q, u; p = conv q; arg.push p; u = call (mci/atomic_load_u);", "NATIVE at .*: misaligned atomic"},
		{"atomic of null", "register uint* p;", "arg.push p; u = call (mci/atomic_load_u);", "null pointer dereference"},
		{"atomic division", "register uint* p;", "p = mem.snew; arg.push p; arg.push u; u = call (mci/atomic_div_u);", "integer division by zero"},
		{"nothrow", "", "invoke (promise);", "TRAP at .*: throw from nothrow function"},
		{"noreturn", "", "invoke (endless);", "TRAP at .*: return from noreturn function"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			wantError(t, fmt.Sprintf(`type S { field int32 x; }
function void missing() cdecl { block entry { ffi (libc, nowhere); } }
function void elsewhere() { block entry { forward (nomodule, f); } }
function void thrower() { register S& s; block entry { s = mem.new; eh.throw s; } }
function nothrow void promise() { block entry { invoke (thrower); leave; } }
function noreturn void endless() { block entry { leave; } }
function int32 main() { register int32 x; register uint u; %s
block entry { %s return x; } }
entry main;
`, tt.regs, tt.code), tt.err)
		})
	}
}
