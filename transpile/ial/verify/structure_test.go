package verify_test

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ial/verify"
)

// ssa is a row of a function with that attribute, fn one of a function with a head of its
// own.
func ssa(body string, want ...string) row { return row{"ssa void t()", body, want} }

func fn(head, body string, want ...string) row { return row{head, body, want} }

// assignedOnce is V1 and V2.
func assignedOnce(t *testing.T) {
	run(t, []row{
		ssa("i = load.i32 (1); i2 = ari.neg i;"),
		ssa("i = load.i32 (1); i2 = ari.add i, i; i3 = ari.add i, i2;"),
		ssa("i = load.i32 (1); @i = load.i32 (2);", "load.i32: i is assigned twice, but the function is ssa (V1)"),
		ssa("i = load.i32 (1); @i = load.i32 (2); @i = load.i32 (2); i2 = ari.neg i;",
			"load.i32: i is assigned twice, but the function is ssa (V1)", "load.i32: i is assigned twice, but the function is ssa (V1)"),
		ssa("i2 = ari.neg @i; i = load.i32 (1);", "ari.neg: i is used before it is assigned (V1)"),
		ssa("i = ari.neg @i;", "ari.neg: i is used before it is assigned (V1)"),
		ssa("i2 = ari.neg @i; i3 = ari.add i, i2;", "ari.neg: i is used, but nothing assigns it (V1)"),
		ssa("i = load.i32 (1); i2 = @copy i;", "copy: the function is ssa, where copy is not allowed; use i itself (V1)"),
		good("i = load.i32 (1); i = load.i32 (2); i2 = copy i3; i3 = ari.neg i;"),
		// Changes of a value in a register are no assignments.
		ssa("ps = mem.new; i = load.i32 (1); t2 = load.i32a (1, 2); u = load.size (S); sv = mem.get ps; field.set sv, i (S:x); array.set t2, u, i; array.ari.add t2, t2, t2;"),

		// An assignment need not be on all paths to the use.
		ssa("block entry { u = load.size (S); jump.cond u (x, y); } block x { i = load.i32 (1); jump (y); } block y { i2 = ari.neg i; leave; }"),
		ssa("block entry { u = load.size (S); jump.cond u (x, y); } block x { i = load.i32 (1); leave; } block y { i2 = ari.neg @i; leave; }",
			"block y, ari.neg: i is assigned in block x, which does not lead here (V1)"),
		// One round later it is assigned.
		ssa("block entry { jump (x); } block x { u = cmp.eq u2, u2; u2 = load.size (S); jump.cond u (x, y); } block y { leave; }"),
		ssa("block entry { jump (x); } block x { i = ari.neg i; jump (x); }"),
		ssa("block entry { jump (x); } block x { i2 = ari.neg i; jump (y); } block y { i = load.i32 (1); jump (x); }"),
		// Exceptions are edges too, from any place of the block.
		ssa("block entry unwind x { invoke (h); i = load.i32 (1); leave; } block x { i2 = ari.neg i; leave; }"),
		ssa("block entry { i2 = ari.neg @i; leave; } block x { i = load.i32 (1); leave; }",
			"ari.neg: i is assigned in block x, which does not lead here (V1)"),
		// No path leads to an unreachable block.
		ssa("block entry { i = load.i32 (1); leave; } block x { i2 = ari.neg @i; leave; }",
			"block x, ari.neg: i is assigned in block entry, which does not lead here (V1)"),

		// V2
		bad("block entry { i2 = load.i32 (1); jump (x); } block x { i = @phi (i2); leave; }",
			"block x, phi: the function is not ssa; assign to one register before the jumps instead (V2)"),
		ssa("block entry { i2 = load.i32 (1); jump (x); } block x { i = phi (i2); leave; }"),
	})
}

// blocks is V3 and V5.
func blocks(t *testing.T) {
	run(t, []row{
		fn("void @t()", "", "function t: no block is named entry (V3)"),
		fn("void @t()", "block start { leave; }", "function t: no block is named entry (V3)"),
		fn("void t()", "block 'entry' { leave; }"),
		good("block entry { nop; leave; }"),
		bad("block entry { @leave; nop; leave; }", "leave: it ends the block, but is not its last instruction (V5)"),
	})
	check(t, "function void f() { block entry { nop; jump (x); } block x { @} }", []string{"function f, block x: the block is empty, want an instruction that ends it (V5)"})
	check(t, "function void f() { block entry { nop; comment (1); @} }",
		[]string{"function f, block entry: the block ends with comment, which does not say where to go on; add a jump, leave, return or the like (V5)"})
	check(t, "function void f() { block entry { @leave; nop; @} }", []string{
		"function f, block entry, leave: it ends the block, but is not its last instruction (V5)",
		"function f, block entry: the block ends with nop, which does not say where to go on; add a jump, leave, return or the like (V5)"})
}

// TestEveryTerminator is V5 for each operation: it ends a block or does not.
func TestEveryTerminator(t *testing.T) {
	ends := map[string]string{
		"jump": "jump (entry);", "jump.cond": "jump.cond u (entry, entry);", "leave": "leave;", "dead": "dead;",
		"eh.throw": "eh.throw s;", "eh.rethrow": "eh.rethrow;",
	}
	for op := range module.NumOps {
		row := module.Ops[op]
		if text, ok := ends[row.Mnemonic]; ok {
			check(t, "type S {} function void f() { register uint u; register S& s; block entry { "+text+" } }", nil)
		} else if row.Terminator {
			switch row.Mnemonic {
			case "return", "raw", "ffi", "forward": // in other tests
			default:
				t.Errorf("%s ends a block", row.Mnemonic)
			}
		}
	}
	for _, text := range []string{"x = phi (x);", "comment (1);", "fence;", "x = load.i32 (1);"} {
		p, diags := assembled("m.ial", "function ssa void f() { register int32 x; block entry { "+text+" } }")
		verify.Program(p, diags)
		if err := diags.Err(); err == nil || !strings.Contains(diags.All()[len(diags.All())-1].Msg, "(V5)") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// belongs is V4, which no text can break.
func belongs(t *testing.T) {
	for name, spoil := range map[string]func(f, g *module.Function){
		"block":    func(f, g *module.Function) { f.Blocks[0].Instrs[1].Blocks[0] = g.Blocks[0] },
		"unwind":   func(f, g *module.Function) { f.Blocks[0].Unwind = g.Blocks[0] },
		"target":   func(f, g *module.Function) { f.Blocks[0].Instrs[0].Target = g.Registers[0] },
		"source":   func(f, g *module.Function) { f.Blocks[0].Instrs[0].Src[0] = g.Registers[0] },
		"selector": func(f, g *module.Function) { f.Blocks[1].Instrs[0].Regs[0] = g.Registers[0] },
	} {
		p, diags := assembled("m.ial", `
			function ssa void f() { register int32 i; register int32 i2; register int32 i3; block entry { i = ari.neg i2; jump (x); } block x { i3 = phi (i); leave; } }
			function void g() { register int32 i; block entry { leave; } }`)
		fs := p.Modules[0].Functions
		spoil(fs[0], fs[1])
		verify.Program(p, diags)
		if all := diags.All(); len(all) != 1 || !strings.HasSuffix(all[0].Msg, "is none of the function (V4)") {
			t.Errorf("%s: %v", name, diags.Err())
		} else {
			noteAlone(all[0].Msg)
		}
	}
}

// foreign is V6, V7 and V8.
func foreign(t *testing.T) {
	const ffi, raw, forward = "block entry { ffi (libc, rand); }", "block entry { raw (0xc3); }", "block entry { forward (m, g); }"
	rows := []row{
		{head: "int32 t() cdecl", body: ffi},
		{head: "int32 t(int32, S) stdcall", body: ffi},
		fn("int32 t()", "block entry { @ffi (libc, rand); }", "ffi: the function has standard calling convention, want cdecl or stdcall (V6)"),
		fn("pure int32 t() cdecl", "block entry { @ffi (libc, rand); }", "ffi: the function is pure, which no native function is known to be (V6)"),
		fn("int32 t() cdecl", "block entry { @nop; ffi (libc, rand); }", "nop: ffi must be all of a function (V6)"),
		fn("int32 t() cdecl", ffi+" block @x { dead; }", "block x: ffi must be all of a function (V6)"),
		fn("int32 t() cdecl", "block @entry { jump (x); } block x { ffi (libc, rand); }", "block entry: ffi must be all of a function (V6)"),
		fn("int32{3} @t() cdecl", ffi, "ffi: no native function has a result of type int32{3}; use a pointer (V6)"),
		fn("int32 t(@int32{3}) cdecl", ffi, "ffi: no native function has a parameter of type int32{3}; use a pointer (V6)"),

		{head: "void t() cdecl", body: raw},
		{head: "pure int32 t(int32{3}) stdcall", body: raw},
		fn("void t()", "block entry { @raw (0xc3); }", "raw: the function has standard calling convention, want cdecl or stdcall (V7)"),
		fn("void t() cdecl", "block entry { @nop; raw (0xc3); }", "nop: raw must be all of a function (V7)"),
		fn("void t() cdecl", raw+" block @x { leave; }", "block x: raw must be all of a function (V7)"),

		{head: "int32 t(int32)", body: forward},
		{head: "int32 t(int32)", body: "block entry { forward (unknown, g); }"},
		fn("int32 t(int32) cdecl", "block entry { @forward (m, g); }", "forward: the function is cdecl, want standard calling convention (V8)"),
		fn("int32 t(int32)", "block entry { @nop; forward (m, g); }", "nop: forward must be all of a function (V8)"),
		fn("int32 t(int32)", forward+" block @x { dead; }", "block x: forward must be all of a function (V8)"),
		fn("int64 t(int32)", "block entry { forward (m, @g); }", "forward: result or parameters of g differ: g has int32(int32) (V8)"),
		fn("int32 t(int64)", "block entry { forward (m, @g); }", "forward: result or parameters of g differ: g has int32(int32) (V8)"),
		fn("int32 t()", "block entry { forward (m, @g); }", "forward: result or parameters of g differ: g has int32(int32) (V8)"),
		fn("nothrow int32 t(int32)", "block entry { forward (m, @g); }", "forward: attributes of g differ: pure, noreturn and nothrow must be the same (V8)"),
		fn("int32 t(noescape int32)", "block entry { forward (m, @g); }", "forward: attributes of the parameters of g differ: noescape must be the same (V8)"),
		fn("int32 t(int32)", "block entry { forward (m, @t); }", "forward: the function stands for itself (V8)"),
		// The attributes about making and compiling the body may differ from those of the target.
		{head: "ssa noinline nooptimize int32 t(int32)", body: forward},
	}
	run(t, rows)
	check(t, `function void f() { block entry { forward (m, @k); } } function void k() { block entry { forward (m, @f); } }
		function void l() { block entry { forward (m, f); } } function void o() { block entry { forward (m, h); } } function void h() { block entry { leave; } }`,
		[]string{"function f, block entry, forward: the function stands for itself (V8)", "function k, block entry, forward: the function stands for itself (V8)"})
}

// returns is V10 and V11.
func returns(t *testing.T) {
	run(t, []row{
		good("block entry { leave; }"),
		fn("int32 t()", "block entry { @leave; }", "leave: the function returns int32; use return (V10)"),
		bad("block entry { @return i; }", "return: the function returns nothing; use leave (V10)"),
		fn("int32 t()", "block entry { return i; }"),
		fn("int32 t()", "block entry { return @j; }", "return: j is int64, want int32, the result of the function (V11)"),
		fn("void() t()", "block entry { return q; }"),
		fn("void() t()", "block entry { return @qc; }", "return: qc is void() cdecl, want void(), the result of the function (V11)"),
		fn("int32{2} t()", "block entry { return t2; }"),
	})
}

// phi is V12 to V15.
func phi(t *testing.T) {
	// fork leads to x and y, which define i2 and i3 and jump to z.
	const fork = "block entry { u = load.size (S); i = load.i32 (0); jump.cond u (x, y); } block x { i2 = load.i32 (1); u2 = load.size (S); jump (z); } block y { i3 = load.i32 (2); f = load.f64 (1); jump (z); } "
	run(t, []row{
		ssa(fork + "block z { i8 = load.i8 (1); leave; }"),
		ssa("register int32 m; register int32 m2;" + fork + "block z { m = phi (i2, i3); m2 = phi (i3, i2); leave; }"),
		// V12
		ssa("register int32 m;"+fork+"block z { nop; m = @phi (i2, i3); leave; }", "block z, phi: want it at the start of its block, where only phi is before it (V12)"),
		ssa("register int32 m;"+fork+"block z { comment (1); m = @phi (i2, i3); leave; }", "block z, phi: want it at the start of its block, where only phi is before it (V12)"),
		ssa("block entry { i = @phi (i2); i2 = load.i32 (1); jump (entry); }", "phi: block entry has no phi, as nothing need have come before it (V12)"),
		// V13
		ssa("register int32 m;"+fork+"block z { m = @phi (); leave; }", "block z, phi: want at least one register (V13)"),
		// V14
		ssa("register int32 m;"+fork+"block z { m = phi (i2, @f); leave; }", "block z, phi: f is float64, want int32 like m (V14)"),
		ssa("register uint m;"+fork+"block z { m = phi (@i2, @i3); leave; }", "block z, phi: i2 is int32, want uint like m (V14)", "block z, phi: i3 is int32, want uint like m (V14)"),
		// V15
		ssa("register int32 m;"+fork+"block z { m = @phi (i2); leave; }", "block z, phi: want a register of each block that branches here; there is none of block y (V15)"),
		ssa("register int32 m;"+fork+"block z { m = phi (i2, @i2); leave; }", "block z, phi: i2 and i2 are both assigned in block x, want one register of each block that branches here (V15)"),
		ssa("register int32 m;"+fork+"block z { m = phi (i2, @i); leave; }", "block z, phi: i is assigned in block entry, which does not branch here (V15)"),
		ssa("register int32 m; register int32 un;"+fork+"block z { m = phi (i2, @un); leave; }", "block z, phi: nothing assigns un (V15)"),
		ssa("register int32 m;"+fork+"block z { m = phi (i2, i3, @i); leave; }", "block z, phi: i is assigned in block entry, which does not branch here (V15)"),
		ssa("register int32 m; register int32 m2; register uint w1;" + fork + "block z { m = phi (i2, i3, m2); m2 = ari.neg m; jump (z); }"),
		ssa("register int32 m; register int32 m2;"+fork+"block z { m = @phi (i2); m2 = ari.neg m; jump (z); }",
			"block z, phi: want a register of each block that branches here; there is none of block y and 1 other (V15)"),
		// A block that branches here twice counts once.
		ssa("block entry { u = load.size (S); i = load.i32 (0); jump.cond u (x, x); } block x { i2 = phi (i); leave; }"),
		// Exceptions are not branches.
		ssa("block entry unwind x { i = load.i32 (0); jump (x); } block x { i2 = phi (i); leave; }"),
		ssa("block entry unwind x { i = load.i32 (0); leave; } block x { i2 = phi (@i); leave; }", "block x, phi: i is assigned in block entry, which does not branch here (V15)"),
	})
}

// unwinding is V16.
func unwinding(t *testing.T) {
	run(t, []row{
		good("block entry unwind c { invoke (h); leave; } block c { eh.rethrow; }"),
		good("block entry unwind c { invoke (h); leave; } block c { jump (x); } block x { jump (y); } block y { s = eh.catch; leave; }"),
		good("block entry unwind c { invoke (h); leave; } block c { s = eh.catch; jump (x); } block x { s = eh.catch; eh.rethrow; }"),
		good("block entry { leave; } block x { eh.rethrow; }"),
		bad("block entry { jump (c); } block c { @eh.rethrow; }", "block c, eh.rethrow: block entry branches here, but no exception leads to it (V16)"),
		bad("block entry { jump (c); } block c { s = @eh.catch; eh.rethrow; }", "block c, eh.catch: block entry branches here, but no exception leads to it (V16)"),
		bad("block entry { jump (x); } block x { jump (y); } block y { @eh.rethrow; }", "block y, eh.rethrow: block x branches here, but no exception leads to it (V16)"),
		bad("block entry { jump.cond u (x, c); } block x { leave; } block c { @eh.rethrow; }", "block c, eh.rethrow: block entry branches here, but no exception leads to it (V16)"),
		// The handler is also entered without an exception.
		bad("block entry unwind c { jump (c); } block c { @eh.rethrow; }", "block c, eh.rethrow: block entry branches here, but no exception leads to it (V16)"),
		good("block entry { jump (x); } block x unwind x { jump (c); } block c { eh.rethrow; }"),
	})
}

// arguments is V18 to V23.
func arguments(t *testing.T) {
	run(t, []row{
		good("arg.push i; i = call (g); arg.push i; i = call.indirect w; invoke (h); invoke.indirect q; arg.push i; i = call.indirect wc;"),
		// V18: the push still counts for the call.
		bad("@arg.push i; nop; i = call (g);", "arg.push: want arg.push or a call directly after it (V18)"),
		bad("@arg.push i;", "arg.push: want arg.push or a call directly after it (V18)"),
		bad("block entry { @arg.push i; jump (x); } block x { invoke (h); leave; }", "arg.push: want arg.push or a call directly after it (V18)"),
		// V19
		bad("i = @call (g);", "call: g wants 1 argument, but arg.push gives it 0 (V19)"),
		bad("arg.push i; arg.push i; i = @call (g);", "call: g wants 1 argument, but arg.push gives it 2 (V19)"),
		bad("arg.push i; @invoke (h);", "invoke: h wants 0 arguments, but arg.push gives it 1 (V19)"),
		bad("i = @call.indirect w;", "call.indirect: w wants 1 argument, but arg.push gives it 0 (V19)"),
		bad("arg.push i; @invoke.indirect q;", "invoke.indirect: q wants 0 arguments, but arg.push gives it 1 (V19)"),
		bad("arg.push i; i = call (g); i = @call (g);", "call: g wants 1 argument, but arg.push gives it 0 (V19)"),
		// V20
		bad("arg.push @j; i = call (g);", "arg.push: j is int64, want int32, parameter 1 of g (V20)"),
		bad("arg.push @f; i = call.indirect w;", "arg.push: f is float64, want int32, parameter 1 of w (V20)"),
		bad("register mci/Object& ob; register mci/Weak& we; block entry { arg.push we; arg.push @we; invoke (mci/set_weak_target); leave; }",
			"arg.push: we is mci/Weak&, want mci/Object&, parameter 2 of mci/set_weak_target (V20)"),
		// V21
		fn("void t(int32)", "i = arg.pop; nop;"),
		fn("void t(int32, int64)", "i = arg.pop; j = arg.pop;"),
		fn("void t(int32)", "nop; i = @arg.pop;", "arg.pop: want it at the start of block entry, before all else (V21)"),
		fn("void t(int32, int64)", "i = arg.pop; nop; j = @arg.pop;", "arg.pop: want it at the start of block entry, before all else (V21)"),
		fn("void t(int32, int64)", "nop; i = @arg.pop; j = @arg.pop;", "arg.pop: want it at the start of block entry, before all else (V21)",
			"arg.pop: want it at the start of block entry, before all else (V21)"),
		fn("void t(int32)", "block entry { jump (x); } block x { i = @arg.pop; leave; }", "block x, arg.pop: want it at the start of block entry, before all else (V21)"),
		// V22
		fn("void t(int32)", "block @entry { leave; }", "block entry: the function has 1 parameter, but there is arg.pop for 0 (V22)"),
		fn("void t(int32, int32)", "block @entry { i = arg.pop; leave; }", "block entry: the function has 2 parameters, but there is arg.pop for 1 (V22)"),
		fn("void t()", "i = @arg.pop; j = arg.pop;", "arg.pop: the function has 0 parameters, this would fetch one more (V22)"),
		fn("void t(int32)", "i = arg.pop; j = @arg.pop;", "arg.pop: the function has 1 parameter, this would fetch one more (V22)"),
		// V23
		fn("void t(int32)", "@j = arg.pop;", "arg.pop: j is int64, want int32, parameter 1 (V23)"),
		fn("void t(int32, int64)", "i = arg.pop; @u = arg.pop;", "arg.pop: u is uint, want int64, parameter 2 (V23)"),
	})
}

// calls is V24 to V27.
func calls(t *testing.T) {
	run(t, []row{
		// V24
		good("block entry { invoke.tail (h); leave; }"),
		fn("void t() cdecl", "block entry { @invoke.tail (h); leave; }", "invoke.tail: the function is cdecl; only functions of standard calling convention make tail calls (V24)"),
		fn("int32 t() stdcall", "block entry { arg.push i; i = @call.tail (g); return i; }", "call.tail: the function is stdcall; only functions of standard calling convention make tail calls (V24)"),
		// V25
		good("i = load.i32 (1); arg.push i; i = call.indirect w; invoke (h); invoke.indirect qc; invoke (mci/gc_collect);"),
		bad("arg.push i; invoke.indirect @w;", "invoke.indirect: w returns int32; use call.indirect (V25)"),
		bad("arg.push i; invoke (@g);", "invoke: g returns int32; use call (V25)"),
		bad("arg.push i; @j = call (g);", "call: j is int64, want int32, the result of g (V25)"),
		bad("arg.push i; @j = call.indirect w;", "call.indirect: j is int64, want int32, the result of w (V25)"),
		bad("i = call (@h);", "call: h returns nothing; use invoke (V25)"),
		bad("i = call.indirect @q;", "call.indirect: q returns nothing; use invoke.indirect (V25)"),
		bad("i = call.indirect @p;", "call.indirect: p is int32*, want a function pointer (V25)"),
		bad("arg.push i; invoke.indirect @s;", "invoke.indirect: s is S&, want a function pointer (V25)"),
		bad("block entry { arg.push i; invoke.tail (@g); leave; }", "invoke.tail: g returns int32; use call.tail (V25)"),
		fn("int32 t()", "block entry { i = call.tail (@h); return i; }", "call.tail: h returns nothing; use invoke.tail (V25)"),
		// V26
		fn("int32 t()", "block entry { arg.push i; i = call.tail (g); return i; }"),
		fn("int32 t()", "block entry { arg.push i; i = @call.tail (g); return i2; }", "call.tail: want return i directly after it (V26)"),
		fn("int32 t()", "block entry { arg.push i; i = @call.tail (g); nop; return i; }", "call.tail: want return i directly after it (V26)"),
		// V27
		bad("block entry { @invoke.tail (h); jump (x); } block x { leave; }", "invoke.tail: want leave directly after it (V27)"),
		bad("@invoke.tail (h); nop;", "invoke.tail: want leave directly after it (V27)"),
	})
}
