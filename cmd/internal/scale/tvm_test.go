package main

import (
	"fmt"
	"strings"
)

// tvmLine is a line n times, with its number for @ and the next one for ^.
func tvmLine(n int, text string) string {
	return repeat(n, func(i int) string { return tvmLast(i, text) })
}

// tvmLast is the line after n lines.
func tvmLast(n int, text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "@", fmt.Sprint(n)), "^", fmt.Sprint(n+1)) + "\n"
}

// tvmFn is a function of TVM with two parameters.
func tvmFn(body string) string {
	return "%f = function (%x : i64, %y : i64) > i64 {\n%c = cmp_lt %x %y;\n%x0 = add %x #l1;\n" + body + "};\n"
}

// tvmFamilies are families of modules of TVM.
var tvmFamilies = []family{
	{"straight code", 600, func(n int) string {
		return tvmFn(tvmLine(n, "%y@ = call %f %x@ %x; %x^ = bit_xor %y@ %x@;") + tvmLast(n, "return %x@;"))
	}},
	{"chain of blocks", 600, func(n int) string {
		return tvmFn("br %b0;\n" + tvmLine(n, "block %b@: %x^ = call %f %x@ %x; br %b^;") + tvmLast(n, "block %b@: return %x@;"))
	}},
	{"chain of dominators", 300, func(n int) string { // leaves of which each may be left for all above
		return tvmFn("br %b0;\nblock %b0: br %b0x;\n" + tvmLine(n, "block %b@x(%b@): %z@ = call %f %x %y; %c@ = cmp_lt %z@ %y; cond_br %c@ %b^ %d;\nblock %b^(%b@x): br %b^x;") +
			tvmLast(n, "block %b@x(%b@): br %d;\nblock %d: return %x0;"))
	}},
	{"exits", 20000, func(n int) string { // iteration for dominators takes the square of it
		return tvmFn("br %b0;\n" + tvmLine(n, "block %b@: cond_br (cmp_lt %x #l@) %b^ %d;") + tvmLast(n, "block %b@: br %d;\nblock %d: return %x0;"))
	}},
	{"ladder", 300, func(n int) string {
		return tvmFn("cond_br %c %b0 %d0;\n" + tvmLine(n, "block %b@: cond_br %c %b^ %d^;\nblock %d@: %z@ = call %f %y %x; %c@ = cmp_lt %z@ %y; cond_br %c@ %d^ %b^;") +
			tvmLast(n, "block %b@: br %d@;\nblock %d@: return %x0;"))
	}},
	{"predecessors", 400, func(n int) string {
		return tvmFn("br %b0;\n" + tvmLine(n, "block %b@: %z@ = call %f %y %x; %c@ = cmp_lt %z@ %y; cond_br %c@ %b^ %d;") +
			tvmLast(n, "block %b@: br %d;\nblock %d: %r = phi i64: ") +
			strings.TrimSuffix(strings.TrimSpace(tvmLine(n, "%b@ > %z@,")), ",") + tvmLast(n, ", %b@ > %x; return %r;"))
	}},
	{"loops one after another", 200, func(n int) string {
		return tvmFn("br %b0;\n" + tvmLine(n, "block %b@: br %h@;\nblock %h@: %p@ = phi i64: %b@ > %x, %h@ > %q@; %q@ = add %p@ #l1; %k@ = cmp_lt %q@ %y; cond_br %k@ %h@ %b^;") +
			tvmLast(n, "block %b@: return %x0;"))
	}},
	{"memory in loops", 100, func(n int) string {
		return "%g = function (%t : type, %p : pointer %t, %c : bool) > empty {\nbr %b0;\n" +
			tvmLine(n, "block %b@: br %h@;\nblock %h@: %v@ = load %p; %q@ = alloca %t; store %v@ %q@; cond_br %c %h@ %b^;") +
			tvmLast(n, "block %b@: return empty_v;\n};")
	}},
	{"values of unknown size", 150, func(n int) string {
		return "%g = function (%t : type, %p : pointer %t, %c : bool) > %t {\n%v0 = load %p;\nbr %b0;\n" +
			tvmLine(n, "block %b@: cond_br %c %l@ %r@;\nblock %l@: %m@ = load %p; br %j@;\nblock %r@: br %j@;\nblock %j@: %v^ = phi %t: %l@ > %m@, %r@ > %v@; br %b^;") +
			tvmLast(n, "block %b@: return %v@;\n};")
	}},
	{"functions", 300, func(n int) string {
		return tvmLine(n, "%f@ = function (%t : type, %p : pointer %t) > empty { call %f^ (struct %t i32) (pointer_cast %p (struct %t i32)); return empty_v; };") +
			tvmLast(n, "%f@ = function (%t : type, %p : pointer %t) > empty { return empty_v; };")
	}},
	{"types", 400, func(n int) string {
		return "%t0 = define struct i32 i64;\n" + tvmLine(n, "%t^ = define struct i8 (pointer %t@) (array i16 #up@);\n%g@ = global %t^;")
	}},
	{"schemas", 300, func(n int) string {
		return tvmLine(n, "%s@ = recursive (%t : type) > (struct %t (pointer (apply %s^ %t)));\n%g@ = global (apply %s@ i32);") +
			tvmLast(n, "%s@ = recursive (%t : type) > (struct %t);")
	}},
	{"parameters", 200, func(n int) string {
		return "%g = function (" + strings.TrimSuffix(strings.TrimSpace(tvmLine(n, "%p@ : i64,")), ",") + ") > i64 {\n" + "%z = call %g" + tvmLine(n, " %p@") + "; return %z;\n};\n"
	}},
	{"table", 400, func(n int) string {
		return "%v = global const (array i32 #up" + fmt.Sprint(n) + ") (array_v i32" + tvmLine(n, " #i@") + ");\n"
	}},
}

// tvmRefused are families of modules with errors.
var tvmRefused = []family{
	{"names", 400, func(n int) string { return tvmFn(tvmLine(n, "%z@ = call %f %x %none@;") + "return %x;\n") }},
	{"phi without values", 400, func(n int) string {
		return tvmFn("br %b0;\n" + tvmLine(n, "block %b@: cond_br %c %b^ %d;") + tvmLast(n, "block %b@: br %d;\nblock %d: %r = phi i64: > %x; return %r;"))
	}},
}
