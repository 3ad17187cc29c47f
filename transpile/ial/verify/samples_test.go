package verify_test

import "testing"

// TestPrograms has small programs of the kinds that other implementations of IAL are
// tested with.
func TestPrograms(t *testing.T) {
	for name, text := range map[string]string{
		"literals of arrays": `function void f() { register uint16[] a; register uint16[3] v; register uint16* p;
			block entry { a = load.ui16a (1, 2, 3); v = load.ui16a (4, 5, 6); p = load.ui16a (7); leave; } }`,
		"sizes": `type T { field int8 c; field float64 d; } function void f() { register uint n;
			block entry { n = load.size (T*[4]); n = load.align (T{2}); n = load.offset (T:d); leave; } }`,
		"comparing vectors": `function void f() { register int64[3] v; register uint[3] r; block entry { v = mem.new; r = mem.new; array.cmp.eq r, v, v; leave; } }`,
		"shifting arrays": `function void f() { register int8[] a; register uint[] n; register uint one;
			block entry { array.shl a, a, one; array.shl a, a, n; leave; } }`,
		"returning a function pointer": `function uint() f() { register uint() g; block entry { return g; } }`,
		"throwing to a handler":        `type E {} function void f() { register E& e; block entry unwind c { e = mem.new; eh.throw e; } block c { e = eh.catch; leave; } }`,
		"an unreachable handler":       `function void f() { block entry { leave; } block lost { eh.rethrow; } }`,
		"a source used twice":          `function ssa uint8 f() { register uint8 a; register uint8 b; block entry { a = load.ui8 (2); b = ari.mul a, a; return b; } }`,
		"phi": `function ssa float32 f(uint) { register uint c; register float32 x; register float32 y; register float32 z;
			block entry { c = arg.pop; jump.cond c (left, right); }
			block left { x = load.f32 (1); jump (join); } block right { y = load.f32 (2); jump (join); } block join { z = phi (x, y); return z; } }`,
		"comparing an array and a vector": `function void f() { register int8[] a; register int8[2] v; register uint[] r; block entry { array.cmp.eq r, a, v; leave; } }`,
		"comparing with a scalar":         `function void f() { register int8[] a; register int8 x; register uint[] r; block entry { array.cmp.eq r, a, x; leave; } }`,
		"user data of an array": `function void f() { register int8[] a; register int8[]* slot; register int8[] b;
			block entry { slot = field.user.addr a; b = field.user.get a; field.user.set a, b; leave; } }`,
		"a trampoline":                `function void f(int8) { register int8 x; register void(int8) g; register void(int8) cdecl c; block entry { x = arg.pop; g = load.func (f); c = tramp g; leave; } }`,
		"comparing static arrays":     `function void f() { register int8{2} a; register uint{2} r; block entry { array.cmp.eq r, a, a; leave; } }`,
		"comparing arrays of a kind":  `function void f() { register int8{2} a; register int8[] b; register uint[2] r; block entry { array.cmp.eq r, a, b; leave; } }`,
		"a forwarded function":        `function int8 f(int8) { block entry { forward (elsewhere, f); } }`,
		"data":                        `data bytes (1, 2); function void f() { register uint8* p; block entry { p = load.data (bytes); leave; } }`,
		"a tail call without result":  `function void g() { block entry { leave; } } function void f() { block entry { invoke.tail (g); leave; } }`,
		"a tail call with result":     `function int8 g() { register int8 x; block entry { return x; } } function int8 f() { register int8 x; block entry { x = call.tail (g); return x; } }`,
		"an indirect call of its own": `function void f(void()) { register void() g; block entry { g = arg.pop; invoke.indirect g; leave; } }`,
	} {
		if !check(t, text, nil) {
			t.Errorf("in %s", name)
		}
	}
	for _, tt := range []struct{ text, want string }{
		{`function void f() { block entry { nop; @} }`, "function f, block entry: the block ends with nop, which does not say where to go on; add a jump, leave, return or the like (V5)"},
		{`function void @f() { block other { leave; } }`, "function f: no block is named entry (V3)"},
		{`function int8 f() { block entry { @leave; } }`, "function f, block entry, leave: the function returns int8; use return (V10)"},
		{`function void f() { register int8 x; block entry { @return x; } }`, "function f, block entry, return: the function returns nothing; use leave (V10)"},
		{`function void f() cdecl { block entry { ffi (l, s); } block @more { leave; } }`, "function f, block more: ffi must be all of a function (V6)"},
		{`function void f() cdecl { block entry { @fence; ffi (l, s); } }`, "function f, block entry, fence: ffi must be all of a function (V6)"},
		{`function void f() { block entry { @ffi (l, s); } }`, "function f, block entry, ffi: the function has standard calling convention, want cdecl or stdcall (V6)"},
		{`function void f() stdcall { block entry { @fence; raw (); } }`, "function f, block entry, fence: raw must be all of a function (V7)"},
		{`function void f() stdcall { block entry { raw (); } block @more { leave; } }`, "function f, block more: raw must be all of a function (V7)"},
		{`function int8 f() { register uint8 x; block entry { return @x; } }`, "function f, block entry, return: x is uint8, want int8, the result of the function (V11)"},
		{`function void f() { register uint16[3] v; block entry { @v = load.ui16a (1, 2); leave; } }`, "function f, block entry, load.ui16a: v is uint16[3], want uint16[], uint16*, uint16[2] or uint16{2} (V29)"},
		{`function void f() { register int8[4] v; register uint n; block entry { v = shl @v, n; leave; } }`, "function f, block entry, shl: v is int8[4], want an integer (V36)"},
		{`function void f() { block entry { jump (a); } block a { jump (b); } block b { @eh.rethrow; } }`, "function f, block b, eh.rethrow: block a branches here, but no exception leads to it (V16)"},
		{`function ssa void f() { register int8 x; block entry { x = load.i8 (1); @x = load.i8 (2); leave; } }`, "function f, block entry, load.i8: x is assigned twice, but the function is ssa (V1)"},
		{`function void f() { register int8 x; register int8 y; block entry { jump (a); } block a { x = @phi (y); leave; } }`, "function f, block a, phi: the function is not ssa; assign to one register before the jumps instead (V2)"},
		{`function ssa void f() { register int8 x; register int8 y; block entry { jump (a); } block a { x = phi (@y); leave; } }`, "function f, block a, phi: nothing assigns y (V15)"},
		{`function ssa void f() { register int8 x; block entry { x = bit.neg @x; leave; } }`, "function f, block entry, bit.neg: x is used before it is assigned (V1)"},
		{`data bytes (1); function void f() { register uint8[] a; block entry { @a = load.data (bytes); leave; } }`, "function f, block entry, load.data: a is uint8[], want uint8* (V32)"},
		{`function void f() cdecl { block entry { @forward (elsewhere, f); } }`, "function f, block entry, forward: the function is cdecl, want standard calling convention (V8)"},
		{`function void g() { block entry { leave; } } function void f() cdecl { block entry { @invoke.tail (g); leave; } }`,
			"function f, block entry, invoke.tail: the function is cdecl; only functions of standard calling convention make tail calls (V24)"},
	} {
		check(t, tt.text, []string{tt.want})
	}
}
