package main

import (
	"fmt"
	"strings"
)

// ialFn returns a function of IAL with registers x and y of type int64.
func ialFn(registers, blocks string) string {
	return "function int64 f(int64)\n{\nregister int64 x; register int64 y; register uint u;\n" + registers + blocks + "}\n"
}

// ialFamilies are families of programs in IAL.
var ialFamilies = []family{
	{"straight code", 1000, func(n int) string {
		return ialFn("", "block entry { x = arg.pop;\n"+line(n, "x = ari.mul x, x;")+"return x; }")
	}},
	{"registers", 600, func(n int) string {
		return ialFn(line(n+1, "register int64 r#;"), "block entry { r0 = arg.pop;\n"+line(n, "r^ = ari.add r#, r0;")+last(n, "return r#; }"))
	}},
	{"registers of a loop", 300, func(n int) string {
		return ialFn(line(n+1, "register int64 r#;"), "block entry { r0 = arg.pop; jump (loop); }\nblock loop {\n"+line(n, "r^ = ari.add r^, r#;")+
			last(n, "u = cmp.lt r#, r0; jump.cond u (loop, done); }\nblock done { return r#; }"))
	}},
	{"chain of blocks", 800, func(n int) string {
		return ialFn("", "block entry { x = arg.pop; jump (b0); }\n"+line(n, "block b# { x = ari.mul x, x; jump (b^); }")+last(n, "block b# { return x; }"))
	}},
	{"chain with exits", 400, func(n int) string {
		return ialFn("", "block entry { x = arg.pop; jump (b0); }\n"+line(n, "block b# { arg.push x; y = call (f); u = cmp.lt x, y; jump.cond u (b^, c#); }\nblock c# { return y; }")+
			last(n, "block b# { return x; }"))
	}},
	{"diamonds", 300, func(n int) string {
		return ialFn("", "block entry { x = arg.pop; jump (b0); }\n"+line(n, "block b# { u = cmp.lt x, y; jump.cond u (l#, r#); }\nblock l# { y = ari.add x, y; jump (b^); }\nblock r# { x = ari.mul x, y; jump (b^); }")+
			last(n, "block b# { return x; }"))
	}},
	{"loops one after another", 300, func(n int) string {
		return ialFn("", "block entry { x = arg.pop; jump (b0); }\n"+line(n, "block b# { y = ari.add x, y; u = cmp.lt y, x; jump.cond u (b#, b^); }")+last(n, "block b# { return y; }"))
	}},
	{"unwinding", 300, func(n int) string {
		return ialFn("", "block entry { x = arg.pop; jump (b0); }\n"+line(n, "block b# unwind h { arg.push x; x = call (f); jump (b^); }")+last(n, "block b# { return x; }")+"block h { eh.rethrow; }")
	}},
	{"handlers", 300, func(n int) string {
		return ialFn("register S& e;", "block entry { x = arg.pop; jump (b0); }\n"+line(n, "block b# unwind h# { arg.push x; x = call (f); jump (b^); }\nblock h# { e = eh.catch; return x; }")+
			last(n, "block b# { return x; }")) + "type S { field int32 n; }"
	}},
	{"parameters", 600, func(n int) string {
		return "function int64 f(" + strings.TrimSuffix(strings.Repeat("int64, ", n), ", ") + ") { " + line(n, "register int64 r#;") + "block entry {\n" + line(n, "r# = arg.pop;") + "return r0; } }\n" +
			"function int64 g() { register int64 r; block entry {\n" + line(n, "arg.push r;") + "r = call (f); return r; } }"
	}},
	{"references", 300, func(n int) string {
		return "type S { field int32 n; }\nfunction void f() {\n" + line(n, "register S& r#;") + "block entry {\n" + line(n, "r# = mem.new;") + "invoke (g);\n" + line(n, "invoke (f);") +
			"leave; } }\nfunction void g() { block entry { leave; } }"
	}},
	{"functions in a row", 500, func(n int) string {
		return line(n, "function int64 f#(int64) { register int64 x; block entry { x = arg.pop; arg.push x; x = call (f^); return x; } }") +
			last(n, "function int64 f#(int64) { register int64 x; block entry { x = arg.pop; return x; } }")
	}},
	{"PHI", 300, func(n int) string {
		return "function ssa int64 f(int64) {\nregister int64 x; register int64 z; register uint u;" + line(n, "register int64 p#; register int64 q#;") +
			"block entry { x = arg.pop; z = load.i64 (0); jump (loop); }\nblock loop {\n" + line(n, "p# = phi (z, q#);") + line(n, "q# = ari.add p#, x;") +
			"u = cmp.lt q0, x; jump.cond u (loop, done); }\nblock done { return q1; } }"
	}},
	{"PHI of many blocks", 300, func(n int) string {
		return "function ssa void f() { register int32 z; register uint u;" + line(n, "register int32 r#;") +
			"block entry { u = load.size (int32); jump (s0); }\n" + line(n, "block s# { jump.cond u (b#, s^); } block b# { r# = load.i32 (1); jump (all); }") +
			last(n, "block s# { leave; }") + "block all { z = phi (" + strings.TrimSuffix(strings.ReplaceAll(line(n, "r#, "), "\n", ""), ", ") + "); leave; } }"
	}},
	{"fields", 800, func(n int) string {
		return "type S {\n" + line(n, "field int32 f#;") + "}\nfield global S g;"
	}},
	{"types", 500, func(n int) string { return line(n, "type S# { field S^& s; field int32 n; }") + last(n, "type S# { }") }},
	{"nested types", 300, func(n int) string {
		return line(n, "type S# { field S^ s; }") + last(n, "type S# { field int8 n; }\nfield global S0 g;")
	}},
	{"pointers to pointers", 500, func(n int) string { return "field global int32" + strings.Repeat("*", n) + " p;" }},
	{"functions of functions", 400, func(n int) string {
		return "field global " + strings.Repeat("int32(", n) + "int8" + strings.Repeat(")", n) + " f;"
	}},
	{"global fields", 800, func(n int) string { return line(n, "field global int64 g#;") }},
	{"data", 4000, func(n int) string { return "data d (" + strings.TrimSuffix(strings.Repeat("7, ", n), ", ") + ");" }},
	{"field accesses", 300, func(n int) string {
		return "type S { field int64 n; }\n" + ialFn("register S s;", "block entry { x = arg.pop;\n"+line(n, "field.set s, x (S:n); y = field.get s (S:n); x = ari.add x, y;")+"return x; }")
	}},
	{"numbers", 600, func(n int) string {
		return ialFn("", "block entry { x = arg.pop;\n"+repeat(n, func(i int) string { return fmt.Sprintf("y = load.i64 (%d); x = ari.add x, y;", i) })+"return x; }")
	}},
}

// ialAcross are families of programs in IAL whose registers live across many blocks.
var ialAcross = []family{
	{"assignments in forks", 300, func(n int) string { return ialForks(n, "", ialUses(n)) }},
	{"registers across forks", 300, func(n int) string {
		return ialFn(line(n, "register int64 r#;"), "block entry { x = arg.pop;\n"+line(n, "r# = ari.add x, x;")+"jump (b0); }\n"+
			line(n, "block b# { u = cmp.lt y, x; jump.cond u (c#, b^); } block c# { y = ari.add x, y; jump (b^); }")+
			last(n, "block b# {")+line(n, "y = ari.mul y, r#;")+"return y; }")
	}},
	{"registers across blocks", 300, func(n int) string {
		return ialFn(line(n, "register int64 r#;"), "block entry { x = arg.pop;\n"+line(n, "r# = ari.add x, x;")+"jump (b0); }\n"+
			line(n, "block b# { x = ari.mul x, x; jump (b^); }")+last(n, "block b# {")+line(n, "y = ari.mul y, r#;")+"return y; }")
	}},
	{"registers of nested loops", 100, func(n int) string {
		return ialFn(line(n, "register int64 r#;"), "block entry { x = arg.pop; jump (a0); }\n"+
			line(n, "block a# { r# = ari.add x, x; jump (b#); }\nblock b# { r# = ari.add r#, x; jump (a^); }\nblock c^ { u = cmp.lt r#, x; jump.cond u (b#, c#); }")+
			last(n, "block a# { jump (c#); }")+"block c0 { return x; }")
	}},
}

// ialForks returns a function in SSA form that assigns registers r1, r2, ... each in one branch of a fork. The
// texts before and after precede the entry block and end the function.
func ialForks(n int, before, after string) string {
	return "function ssa void f() { register uint u; register int32[] ar;" + line(n+1, "register int32 r#;") + before +
		"block entry { ar = load.i32a (); u = load.size (int32); r0 = load.i32 (1); jump (b0); }\n" +
		line(n, "block b# { jump.cond u (c#, d#); } block c# { jump (b^); } block d# { r^ = ari.neg r0; jump (b^); }") +
		last(n, "block b# {") + after + "leave; } }"
}

// ialUses returns code that uses the registers of ialForks.
func ialUses(n int) string { return line(n, "array.set ar, u, r^;") }

// ialRefused are families of programs in IAL with an error in each line, or in one long one.
var ialRefused = []family{
	{"unknown names", 500, func(n int) string { return line(n, "field global T# f#;") }},
	{"used before", 300, func(n int) string { return ialForks(n, "block first { "+ialUses(n)+"jump (entry); }", "") }},
	{"pointers to functions", 300, func(n int) string {
		return "function void wide(" + strings.TrimSuffix(strings.Repeat("int32, ", n), ", ") + ") { block entry { leave; } } function void g() { register void() q; block entry {" +
			line(n, "q = load.func (wide); invoke (wide);") + "leave; } }"
	}},
	{"defined twice", 500, func(n int) string { return line(n, "type T { }") }},
	{"open blocks", 500, func(n int) string { return line(n, "function void f#() { block entry {") }},
	{"words", 500, func(n int) string { return line(n, "word # # word") }},
	{"open brackets", 500, func(n int) string { return "field global int32" + strings.Repeat("(", n) }},
}
