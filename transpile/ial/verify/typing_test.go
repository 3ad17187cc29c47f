package verify_test

import "testing"

// typing has the rules about types of registers: V9, V17 and V28 to V48.
func typing(t *testing.T) {
	run(t, []row{
		// V9
		good("block entry { jump.cond u (x, y); } block x { leave; } block y { leave; }"),
		bad("block entry { jump.cond @i (x, y); } block x { leave; } block y { leave; }", "jump.cond: i is int32, want uint; conv it first (V9)"),

		// V17
		good("block entry { eh.throw s; }"),
		good("block entry unwind c { invoke (h); leave; } block c { o = eh.catch; leave; }"),
		bad("block entry { eh.throw @a; }", "eh.throw: a is int32[], want a reference to a structure (V17)"),
		bad("block entry { eh.throw @ps; }", "eh.throw: ps is S*, want a reference to a structure (V17)"),
		bad("block entry unwind c { leave; } block c { @p = eh.catch; leave; }", "block c, eh.catch: p is int32*, want a reference to a structure (V17)"),

		// V28
		good("i8 = load.i8 (-1); ui8 = load.ui8 (1); i = load.i32 (5); j = load.i64 (1); ul = load.ui64 (1); e = load.f32 (1.5); f = load.f64 (1);"),
		good("u = load.size (S); u = load.align (int32[]); u = load.offset (S:x);"),
		bad("@j = load.i32 (5);", "load.i32: j is int64, want int32 (V28)"),
		bad("@i = load.ui8 (5);", "load.ui8: i is int32, want uint8 (V28)"),
		bad("@f = load.f32 (5);", "load.f32: f is float64, want float32 (V28)"),
		bad("@u = load.ui64 (5);", "load.ui64: u is uint, want uint64; load an int64 or uint64 and conv it (V28)"),
		bad("@k = load.i64 (5);", "load.i64: k is int, want int64; load an int64 or uint64 and conv it (V28)"),
		bad("@i = load.size (S);", "load.size: i is int32, want uint (V28)"),
		bad("@ul = load.align (S);", "load.align: ul is uint64, want uint (V28)"),
		bad("@p = load.offset (S:x);", "load.offset: p is int32*, want uint (V28)"),

		// V29
		good("a = load.i32a (1, 2, 3); p = load.i32a (1); p = load.i32a (); v2 = load.i32a (1, 2); t2 = load.i32a (1, 2); b = load.ui8a (1); fa = load.f64a (1.5);"),
		bad("@v2 = load.i32a (1);", "load.i32a: v2 is int32[2], want int32[], int32*, int32[1] or int32{1} (V29)"),
		bad("@t3 = load.i32a (1, 2);", "load.i32a: t3 is int32{3}, want int32[], int32*, int32[2] or int32{2} (V29)"),
		bad("@fa = load.i32a (1);", "load.i32a: fa is float64[], want int32[], int32*, int32[1] or int32{1} (V29)"),
		bad("@i = load.i32a (1);", "load.i32a: i is int32, want int32[], int32*, int32[1] or int32{1} (V29)"),

		// V30
		good("s = load.null; p = load.null; q = load.null; qc = load.null; a = load.null; v2 = load.null;"),
		bad("@u = load.null;", "load.null: u is uint, want a pointer, a function pointer, a reference, an array or a vector (V30)"),
		bad("@t2 = load.null;", "load.null: t2 is int32{2}, want a pointer, a function pointer, a reference, an array or a vector (V30)"),
		bad("@sv = load.null;", "load.null: sv is S, want a pointer, a function pointer, a reference, an array or a vector (V30)"),

		// V31
		good("q = load.func (h); w = load.func (g); qc = load.func (mci/gc_collect);"),
		bad("@qc = load.func (h);", "load.func: qc is void() cdecl, want void() (V31)"),
		bad("@q = load.func (g);", "load.func: q is void(), want int32(int32) (V31)"),
		bad("@q = load.func (mci/gc_collect);", "load.func: q is void(), want void() cdecl (V31)"),

		// V32
		good("b = load.data (d);"),
		bad("@p = load.data (d);", "load.data: p is int32*, want uint8* (V32)"),

		// V33
		good("i2 = copy i; t2 = copy t2; sv = copy sv; s = copy s2; q = copy q;"),
		bad("@j = copy i;", "copy: j is int64, want int32 like i (V33)"),
		bad("@s = copy o;", "copy: s is S&, want O& like o (V33)"),

		// V34
		good("p2 = ari.add p, u; p = ari.sub p, u; i3 = ari.add i, i2; f = ari.rem f, f2; u = ari.mul u, u2; k = ari.div k, k; i2 = ari.neg i; f2 = not f; u = not u;"),
		bad("i3 = ari.add i, @j;", "ari.add: j is int64, want int32 like i (V34)"),
		bad("p2 = ari.add p, @i;", "ari.add: i is int32, want uint; conv it first (V34)"),
		bad("p2 = ari.add p, @p;", "ari.add: p is int32*, want uint (V34)"),
		bad("@pj = ari.sub p, u;", "ari.sub: pj is int64*, want int32* like p (V34)"),
		bad("p2 = ari.mul @p, u;", "ari.mul: p is int32*, want an integer or a float (V34)"),
		bad("@f = ari.mul i, i2;", "ari.mul: f is float64, want int32 like i (V34)"),
		bad("s = ari.add @s, s2;", "ari.add: s is S&, want an integer, a float or a pointer (V34)"),
		bad("q = ari.neg @q;", "ari.neg: q is void(), want an integer or a float (V34)"),
		bad("@u = not i;", "not: u is uint, want int32 like i (V34)"),

		// V35
		good("i3 = bit.and i, i2; u = bit.or u, u2; k = bit.xor k, k; i2 = bit.neg i;"),
		bad("f = bit.neg @f2;", "bit.neg: f2 is float64, want an integer (V35)"),
		bad("i = bit.and i, @u;", "bit.and: u is uint, want int32 like i (V35)"),
		bad("p = bit.or @p, p2;", "bit.or: p is int32*, want an integer (V35)"),
		bad("@u = bit.xor i, i2;", "bit.xor: u is uint, want int32 like i (V35)"),

		// V36
		good("i2 = shl i, u; u = shr u, u2; k = rol k, u; ul = ror ul, u;"),
		bad("i3 = shl i, @i2;", "shl: i2 is int32, want uint; conv it first (V36)"),
		bad("a2 = shl @a, u;", "shl: a is int32[], want an integer (V36)"),
		bad("@j = rol i, u;", "rol: j is int64, want int32 like i (V36)"),
		bad("f = ror @f, u;", "ror: f is float64, want an integer (V36)"),
		bad("i = shr i, @p;", "shr: p is int32*, want uint (V36)"),

		// V37
		good("u = cmp.lt i, i2; u = cmp.gteq f, f2; u = cmp.gt p, p2; u = cmp.eq q, q; u = cmp.neq wc, wc; u = cmp.lteq u, u2;"),
		bad("@i3 = cmp.lt i, i2;", "cmp.lt: i3 is int32, want uint (V37)"),
		bad("u = cmp.eq i, @j;", "cmp.eq: j is int64, want int32 like i (V37)"),
		bad("u = cmp.eq @s, s2;", "cmp.eq: s is S&, want an integer, a float, a pointer or a function pointer"+
			"; references cannot be compared: for null, take mem.addr of the register, conv that to uint* and look with mem.get (V37)"),
		bad("u = cmp.lt @q, q;", "cmp.lt: q is void(), want an integer, a float or a pointer (V37)"),
		bad("u = cmp.gt p, @pj;", "cmp.gt: pj is int64*, want int32* like p (V37)"),
		bad("u = cmp.neq q, @qc;", "cmp.neq: qc is void() cdecl, want void() like q (V37)"),

		// V38
		good("p = conv u; u = conv p; k = conv p; p = conv k; s = conv a; a = conv v2; v2 = conv o; o = conv s; i = conv f; f = conv i; e = conv f; pj = conv p;"),
		good("q = conv w; q = conv qc; p = conv q; q = conv p; i = conv i;"),
		bad("p = conv @s;", "conv: S& does not convert to int32*; there are no conversions between references and pointers: array.addr, field.addr and mem.addr give addresses (V38)"),
		bad("s = conv @p;", "conv: int32* does not convert to S&; there are no conversions between references and pointers: array.addr, field.addr and mem.addr give addresses (V38)"),
		bad("p = conv @j;", "conv: int64 does not convert to int32*; pointers convert to int and uint only, and back (V38)"),
		bad("i = conv @p;", "conv: int32* does not convert to int32; pointers convert to int and uint only, and back (V38)"),
		bad("u = conv @q;", "conv: void() does not convert to uint; convert by way of a pointer (V38)"),
		bad("q = conv @k;", "conv: int does not convert to void(); convert by way of a pointer (V38)"),
		bad("f = conv @p;", "conv: int32* does not convert to float64 (V38)"),
		bad("i = conv @s;", "conv: S& does not convert to int32 (V38)"),
		bad("sv = conv @ov;", "conv: O does not convert to S (V38)"),
		bad("a = conv @t2;", "conv: int32{2} does not convert to int32[] (V38)"),
		bad("t2 = conv @t2;", "conv: int32{2} does not convert to int32{2} (V38)"),

		// V39
		good("a = mem.alloc u; p = mem.alloc u; s = mem.new; p = mem.new; v2 = mem.new; p = mem.snew; p = mem.salloc u; mem.free p; mem.free s; mem.free a; mem.free v2;"),
		bad("@a = mem.new;", "mem.new: a is int32[], want a pointer, a reference or a vector (V39)"),
		bad("@s = mem.alloc u;", "mem.alloc: s is S&, want a pointer or an array (V39)"),
		bad("@v2 = mem.alloc u;", "mem.alloc: v2 is int32[2], want a pointer or an array (V39)"),
		bad("p = mem.alloc @i;", "mem.alloc: i is int32, want uint; conv it first (V39)"),
		bad("@a = mem.salloc u;", "mem.salloc: a is int32[], want a pointer (V39)"),
		bad("p = mem.salloc @ul;", "mem.salloc: ul is uint64, want uint; conv it first (V39)"),
		bad("@s = mem.snew;", "mem.snew: s is S&, want a pointer (V39)"),
		bad("mem.free @u;", "mem.free: u is uint, want a pointer, a reference, an array or a vector (V39)"),
		bad("mem.free @q;", "mem.free: q is void(), want a pointer, a reference, an array or a vector (V39)"),
		bad("mem.free @t2;", "mem.free: t2 is int32{2}, want a pointer, a reference, an array or a vector; a static array is a value (V39)"),

		// V40
		good("u = mem.pin s; u = mem.pin a; u = mem.pin v2; mem.unpin u;"),
		bad("u = mem.pin @p;", "mem.pin: p is int32*, want a reference, an array or a vector (V40)"),
		bad("u = mem.pin @t2;", "mem.pin: t2 is int32{2}, want a reference, an array or a vector; a static array is a value (V40)"),
		bad("@k = mem.pin s;", "mem.pin: k is int, want uint (V40)"),
		bad("mem.unpin @s;", "mem.unpin: s is S&, want uint (V40)"),

		// V41
		good("i = mem.get p; mem.set p, i; p = mem.addr i; s = mem.get pr; pr = mem.addr s; sv = mem.get ps; pp = mem.addr p; p = mem.get pp;"),
		bad("@j = mem.get p;", "mem.get: j is int64, want int32, what p points to (V41)"),
		bad("i = mem.get @a;", "mem.get: a is int32[], want a pointer (V41)"),
		bad("i = mem.get @u;", "mem.get: u is uint, want a pointer (V41)"),
		bad("mem.set p, @u;", "mem.set: u is uint, want int32, what p points to (V41)"),
		bad("mem.set @s, i;", "mem.set: s is S&, want a pointer (V41)"),
		bad("@p = mem.addr j;", "mem.addr: p is int32*, want int64* (V41)"),
		bad("@i = mem.addr i2;", "mem.addr: i is int32, want int32* (V41)"),

		// V42
		good("i = array.get a, u; array.set a, u, i; p = array.addr a, u; u = array.len a; i = array.get v2, u; i = array.get t2, u; array.set t2, u, i; p = array.addr t2, u; u = array.len t2;"),
		bad("i = array.get a, @i2;", "array.get: i2 is int32, want uint; conv it first (V42)"),
		bad("@j = array.get a, u;", "array.get: j is int64, want int32, the element type of a (V42)"),
		bad("@i = array.len a;", "array.len: i is int32, want uint (V42)"),
		bad("u = array.len @p;", "array.len: p is int32*, want an array, vector or static array (V42)"),
		bad("array.set a, u, @f;", "array.set: f is float64, want int32, the element type of a (V42)"),
		bad("array.set @s, u, i;", "array.set: s is S&, want an array, vector or static array (V42)"),
		bad("array.set a, @i, i;", "array.set: i is int32, want uint; conv it first (V42)"),
		bad("p = array.addr a, @k;", "array.addr: k is int, want uint; conv it first (V42)"),
		bad("@pj = array.addr v2, u;", "array.addr: pj is int64*, want int32* (V42)"),

		// V43
		good("array.ari.add a, a2, i; array.ari.add a, v2, t2; array.ari.mul t2, t2, t2; array.ari.div fa, fa, f; array.ari.neg fa, fa; array.not a, v2; array.bit.and a, a2, i; array.bit.neg a, t2;"),
		good("array.shl a, a2, ua; array.shr a, a2, u; array.rol v2, v2, uv; array.ror ua, ua, ua; array.ari.add pa, pa, u; array.ari.sub pa, pa, ua; array.ari.rem a, a, a;"),
		bad("array.ari.add a, @fa, i;", "array.ari.add: fa is float64[], want an array, vector or static array of int32, the element type of a (V43)"),
		bad("array.ari.add a, a2, @f;", "array.ari.add: f is float64, want int32, the element type of a, or an array, vector or static array of it (V43)"),
		bad("array.ari.add pa, pa, @i;", "array.ari.add: i is int32, want uint or an array, vector or static array of it (V43)"),
		bad("array.ari.mul @pa, pa, u;", "array.ari.mul: pa is int32*[], want an array, vector or static array of integers or floats (V43)"),
		bad("array.ari.add @sa, sa, u;", "array.ari.add: sa is S&[], want an array, vector or static array of integers, floats or pointers (V43)"),
		bad("array.ari.sub @p, a, i;", "array.ari.sub: p is int32*, want an array, vector or static array of integers, floats or pointers (V43)"),
		bad("array.ari.neg a, @ja;", "array.ari.neg: ja is int64[], want an array, vector or static array of int32, the element type of a (V43)"),
		bad("array.not @sa, sa;", "array.not: sa is S&[], want an array, vector or static array of integers or floats (V43)"),
		bad("array.bit.neg @fa, fa;", "array.bit.neg: fa is float64[], want an array, vector or static array of integers (V43)"),
		bad("array.bit.xor a, a2, @ua;", "array.bit.xor: ua is uint[], want int32, the element type of a, or an array, vector or static array of it (V43)"),
		bad("array.shl a, a2, @i;", "array.shl: i is int32, want uint or an array, vector or static array of it (V43)"),
		bad("array.rol @fa, fa, u;", "array.rol: fa is float64[], want an array, vector or static array of integers (V43)"),

		// V44
		good("array.cmp.lt ua, a, i; array.cmp.eq uv, v2, t2; array.cmp.neq ua, fa, f; array.cmp.gteq ua, pa, p; array.cmp.eq ua, qa, q; array.cmp.lteq ua, ua, ua;"),
		bad("array.cmp.lt @a, a2, i;", "array.cmp.lt: a is int32[], want an array, vector or static array of uint (V44)"),
		bad("array.cmp.eq ua, @sa, sa;", "array.cmp.eq: sa is S&[], want an array, vector or static array of integers, floats, pointers or function pointers (V44)"),
		bad("array.cmp.gt ua, @qa, q;", "array.cmp.gt: qa is void()[], want an array, vector or static array of integers, floats or pointers (V44)"),
		bad("array.cmp.neq ua, a, @f;", "array.cmp.neq: f is float64, want int32, the element type of a, or an array, vector or static array of it (V44)"),
		bad("array.cmp.eq ua, pa, @i;", "array.cmp.eq: i is int32, want int32*, the element type of pa, or an array, vector or static array of it (V44)"),

		// V45
		good("array.conv a, fa; array.conv v2, fa; array.conv t2, a; array.conv pa, ua; array.conv sa, st; array.conv qa, pa;"),
		bad("array.conv @a, sa;", "array.conv: elements of type int32 do not convert to S& (V45)"),
		bad("array.conv @pa, a;", "array.conv: elements of type int32* do not convert to int32; pointers convert to int and uint only, and back (V45)"),
		bad("array.conv a, @i;", "array.conv: i is int32, want an array, vector or static array (V45)"),
		bad("array.conv @p, a;", "array.conv: p is int32*, want an array, vector or static array (V45)"),

		// V46
		good("i = field.get s (S:x); i = field.get sv (S:x); i = field.get ps (S:x); field.set s, i (S:x); field.set sv, i (S:x); p = field.addr s (S:x); p = field.addr sv (S:x); p = field.addr ps (S:x);"),
		good("s = field.user.get a; a = field.user.get o; field.user.set v2, s; pr = field.user.addr s;"),
		good("i = field.static.get (S:n); p = field.static.addr (S:n); field.static.set i (S:n); i = field.global.get (gl); p = field.global.addr (gl); field.global.set i (gl); i = field.thread.get (tl); p = field.thread.addr (tl); field.thread.set i (tl);"),
		bad("@j = field.get s (S:x);", "field.get: j is int64, want int32 (V46)"),
		bad("i = field.get @a (S:x);", "field.get: a is int32[], want S, S* or S& (V46)"),
		bad("i = field.get @o (S:x);", "field.get: o is O&, want S, S* or S& (V46)"),
		bad("i = field.get @pr (S:x);", "field.get: pr is S&*, want S, S* or S& (V46)"),
		bad("field.set s, @f (S:x);", "field.set: f is float64, want int32 (V46)"),
		bad("field.set @u, i (S:x);", "field.set: u is uint, want S, S* or S& (V46)"),
		bad("@pj = field.addr s (S:x);", "field.addr: pj is int64*, want int32* (V46)"),
		bad("p = field.addr @a (S:x);", "field.addr: a is int32[], want S, S* or S& (V46)"),
		bad("field.user.set @p, s;", "field.user.set: p is int32*, want a reference, an array or a vector (V46)"),
		bad("s = field.user.get @p;", "field.user.get: p is int32*, want a reference, an array or a vector (V46)"),
		bad("@p = field.user.get s;", "field.user.get: p is int32*, want a reference, an array or a vector (V46)"),
		bad("field.user.set s, @t2;", "field.user.set: t2 is int32{2}, want a reference, an array or a vector (V46)"),
		bad("@p = field.user.addr s;", "field.user.addr: p is int32*, want a pointer to references, arrays or vectors (V46)"),
		bad("pr = field.user.addr @st;", "field.user.addr: st is S&{2}, want a reference, an array or a vector (V46)"),
		bad("@j = field.static.get (S:n);", "field.static.get: j is int64, want int32 (V46)"),
		bad("@i = field.static.addr (S:n);", "field.static.addr: i is int32, want int32* (V46)"),
		bad("field.static.set @f (S:n);", "field.static.set: f is float64, want int32 (V46)"),
		bad("@j = field.global.get (gl);", "field.global.get: j is int64, want int32 (V46)"),
		bad("@pj = field.global.addr (gl);", "field.global.addr: pj is int64*, want int32* (V46)"),
		bad("field.global.set @u (gl);", "field.global.set: u is uint, want int32 (V46)"),
		bad("@j = field.thread.get (tl);", "field.thread.get: j is int64, want int32 (V46)"),
		bad("@pj = field.thread.addr (tl);", "field.thread.addr: pj is int64*, want int32* (V46)"),
		bad("field.thread.set @u (tl);", "field.thread.set: u is uint, want int32 (V46)"),

		// V47
		good("i = field.static.get (S:n); i = field.static.get (S:th); p = field.static.addr (S:th); field.static.set i (S:th);"),
		bad("i = field.static.get (@S:x);", "field.static.get: x is an instance member, want a static or thread member (V47)"),
		bad("p = field.static.addr (@S:x);", "field.static.addr: x is an instance member, want a static or thread member (V47)"),
		bad("field.static.set i (@S:x);", "field.static.set: x is an instance member, want a static or thread member (V47)"),
		bad("u = load.offset (@S:n);", "load.offset: n is a static member and has no offset (V47)"),
		bad("u = load.offset (@S:th);", "load.offset: th is a thread member and has no offset (V47)"),
		bad("i = field.get s (@S:n);", "field.get: n is a static member, want an instance member; use field.static.* (V47)"),
		bad("field.set s, i (@S:th);", "field.set: th is a thread member, want an instance member; use field.static.* (V47)"),
		bad("p = field.addr s (@S:n);", "field.addr: n is a static member, want an instance member; use field.static.* (V47)"),

		// V48
		good("qc = tramp q; qs = tramp qc; wc = tramp w; qc = tramp qc;"),
		bad("@q = tramp qc;", "tramp: q is void(), want a cdecl or stdcall function pointer (V48)"),
		bad("@qc = tramp w;", "tramp: qc is void() cdecl, want int32(int32) cdecl, which has result and parameters of w (V48)"),
		bad("qc = tramp @p;", "tramp: p is int32*, want a function pointer (V48)"),
		bad("@p = tramp q;", "tramp: p is int32*, want a function pointer (V48)"),
	})
}

// TestSeveral: one instruction can have several faults, and one fault does not lead to
// others.
func TestSeveral(t *testing.T) {
	run(t, []row{
		{body: "p = shl @f, @i;", want: []string{
			"shl: f is float64, want an integer (V36)", "shl: i is int32, want uint; conv it first (V36)"}},
		{body: "array.set @p, @i, f;", want: []string{
			"array.set: p is int32*, want an array, vector or static array (V42)", "array.set: i is int32, want uint; conv it first (V42)"}},
		{body: "@j = load.i32 (1); @j = load.i32 (2);", want: []string{"load.i32: j is int64, want int32 (V28)", "load.i32: j is int64, want int32 (V28)"}},
	})
}
