package main

import (
	"fmt"
	"strings"
	"testing"
)

// tvmLine repeats a line n times, replacing @ by its number and ^ by the next one.
func tvmLine(n int, text string) string {
	return repeat(n, func(i int) string { return tvmLast(i, text) })
}

// tvmLast returns the line after n lines.
func tvmLast(n int, text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "@", fmt.Sprint(n)), "^", fmt.Sprint(n+1)) + "\n"
}

// tvmFn returns a function of TVM with two parameters.
func tvmFn(body string) string {
	return "%f = function (%x : i64, %y : i64) > i64 {\n%c = cmp_lt %x %y;\n%x0 = add %x #l1;\n" + body + "};\n"
}

// tvmEach is like tvmLine, on one line.
func tvmEach(n int, text string) string { return strings.ReplaceAll(tvmLine(n, text), "\n", " ") }

// tvmUnary returns a function of TVM with one parameter, x0.
func tvmUnary(body string) string { return "%f = function (%x0 : i64) > i64 {\n" + body + "};\n" }

// tvmFamilies are families of modules of TVM.
var tvmFamilies = []family{
	{"straight code", 600, func(n int) string {
		return tvmFn(tvmLine(n, "%y@ = call %f %x@ %x; %x^ = bit_xor %y@ %x@;") + tvmLast(n, "return %x@;"))
	}},
	{"chain of blocks", 600, func(n int) string {
		return tvmFn("br %b0;\n" + tvmLine(n, "block %b@: %x^ = call %f %x@ %x; br %b^;") + tvmLast(n, "block %b@: return %x@;"))
	}},
	{"chain of dominators", 300, func(n int) string { // each leaf may jump to all blocks above
		return tvmFn("br %b0;\nblock %b0: br %b0x;\n" + tvmLine(n, "block %b@x(%b@): %z@ = call %f %x %y; %c@ = cmp_lt %z@ %y; cond_br %c@ %b^ %d;\nblock %b^(%b@x): br %b^x;") +
			tvmLast(n, "block %b@x(%b@): br %d;\nblock %d: return %x0;"))
	}},
	{"exits", 20000, func(n int) string { // iterative computation of dominators is quadratic here
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
	{"loops in each other", 1000, func(n int) string {
		ends := ""
		for i := n - 1; i >= 0; i-- {
			ends += fmt.Sprintf("block %%l%[1]d: cond_br (cmp_lt %%x #l%[1]d) %%h%[1]d %%l%[2]d;\n", i, i-1)
		}
		return tvmFn("br %h0;\n" + tvmLine(n, "block %h@: br %h^;") + fmt.Sprintf("block %%h%d: br %%l%d;\n", n, n-1) + strings.ReplaceAll(ends, "%l-1", "%out") + "block %out: return %x0;\n")
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
	{"products", 400, func(n int) string { return tvmUnary(tvmLine(n, "%x^ = mul %x@ %x0;") + tvmLast(n, "return %x@;")) }},
	{"sums", 400, func(n int) string {
		return tvmUnary(tvmLine(n, "%y@ = div %x0 #l@;") + "%x1 = %y0;\n" + tvmLine(n, "%z@ = add %y@ %x0;") + "return (sub %z0 %z1);\n")
	}},
	{"a sum of many", 400, func(n int) string {
		return tvmUnary("%s0 = add %x0 #l1;\n" + tvmLine(n, "%y@ = call %f %x0; %s^ = add %s@ %y@;") + tvmLast(n, "return %s@;"))
	}},
	{"a product of sums", 300, func(n int) string {
		return tvmUnary("%s0 = add %x0 #l1;\n" + tvmLine(n, "%y@ = call %f %x0; %s^ = mul %s@ (add %y@ #l1);") + tvmLast(n, "return %s@;"))
	}},
	{"bits of many", 400, func(n int) string {
		return tvmUnary("%s0 = %x0;\n" + tvmLine(n, "%y@ = call %f %x0; %s^ = bit_xor %s@ %y@;") + tvmLast(n, "return %s@;"))
	}},
	{"calls", 600, func(n int) string { return tvmUnary(tvmLine(n, "%x^ = call %f %x@;") + tvmLast(n, "return %x@;")) }},
	{"select", 600, func(n int) string {
		return tvmUnary(tvmLine(n, "%x^ = select (cmp_lt %x@ %x0) (bit_not %x@) %x0;") + tvmLast(n, "return %x@;"))
	}},
	{"diamonds", 300, func(n int) string {
		return tvmUnary("%y0 = call %f %x0; br %b0;\n" + tvmLine(n, "block %b@: cond_br (cmp_lt %y@ %x0) %l@ %r@; block %l@: %u@ = call %f %y@; br %j@; block %r@: br %j@; block %j@: %y^ = phi i64: %l@ > %u@, %r@ > (div %y@ #l3); br %b^;") +
			tvmLast(n, "block %b@: return %y@;"))
	}},
	{"phis", 300, func(n int) string {
		return tvmUnary("br %loop;\nblock %loop:\n" + tvmLine(n, "%p@ = phi i64: > %x0, %loop > %q@; %q@ = bit_xor %p@ #l3;") + "cond_br (cmp_lt %p0 %x0) %loop %done;\nblock %done: return %q0;\n")
	}},
	{"phis of structs", 200, func(n int) string {
		return tvmUnary("%s = struct_v %x0 (array_v i64 %x0 %x0);\nbr %loop;\nblock %loop:\n" + tvmLine(n, "%p@ = phi (struct i64 (array i64 #up2)): > %s, %loop > (struct_v (struct_el %p^ #i0) (struct_el %p@ #i1));") +
			tvmLast(n, "%p@ = phi (struct i64 (array i64 #up2)): > %s, %loop > %p0;") + "cond_br (cmp_lt (struct_el %p0 #i0) %x0) %loop %done;\nblock %done: return %x0;\n")
	}},
	{"loops in loops", 120, func(n int) string {
		return tvmUnary("br %b0;\n" + tvmLine(n, "block %b@: %y@ = call %f %x0; br %b^;") + tvmLast(n, "block %b@: br %c@;") +
			repeat(n, func(i int) string {
				// No value of an outer loop is used: Mu text would pass each to all blocks.
				return fmt.Sprintf("block %%c%d: cond_br (cmp_lt %%x0 %%x0) %%b%[2]d %%c%[2]d;", n-i, n-i-1)
			}) + "block %c0: return %x0;\n")
	}},
	{"memory", 600, func(n int) string {
		return tvmUnary(tvmLine(n, "%a@ = alloca i64; store %x0 %a@; %y@ = load %a@;") + "return %y0;\n")
	}},
	// In Mu text each of the blocks that copy values of unknown size would pass on the parameters and cells, but has no memmove.
	{"types as parameters", 400, func(n int) string {
		return "%g = function (" + tvmEach(n, "%t@ : type, %p@ : pointer %t@,") + "%y : i64) > i64 {\n" + tvmLine(n, "%v@ = load %p@; store %v@ %p@;") + "return %y; };\n" +
			tvmUnary("%p = alloca i64;\n%y = call %g"+tvmEach(n, " i64 %p")+" %x0;\nreturn %y;\n")
	}},
	{"generic functions in a row", 300, func(n int) string {
		return tvmLine(n, "%f@ = function (%t : type, %x : %t) > %t { %y = call %f^ (struct %t) (struct_v %x); return (struct_el %y #i0); };") + tvmLast(n, "%f@ = function (%t : type, %x : %t) > %t { return %x; };")
	}},
	{"defined names", 1000, func(n int) string {
		return tvmLine(n, "%t@ = define %t^;") + tvmLast(n, "%t@ = define i64;\n%g = global %t0;")
	}},
	{"members", 600, func(n int) string {
		return "%s = define struct" + tvmEach(n, " i64") + ";\n%g = global %s;\n%h = function (%p : pointer %s) > i64 {\n" + tvmLine(n, "%x@ = load (struct_ep %p #up@);") + "return %x0; };\n"
	}},
	{"a struct by value", 600, func(n int) string {
		return "%s = define struct" + tvmEach(n, " i64") + ";\n%h = function (%s : %s) > i64 { return (struct_el %s #i1); };\n" + tvmUnary("%y = call %h (struct_v"+tvmEach(n, " %x0")+");\nreturn %y;\n")
	}},
	{"members of a union", 300, func(n int) string {
		return "%u = define union" + tvmEach(n, " (array i8 #up^)") + ";\n%h = function (%u : %u) > i8 {\n" + tvmLine(n, "%x@ = array_el (union_el %u #i@) #up0;") + "return (add %x0 %x1); };\n"
	}},
	{"structs in structs", 300, func(n int) string {
		return "%s0 = define struct i64;\n" + tvmLine(n, "%s^ = define struct i8 %s@;") + tvmLast(n, "%g = global %s@;") +
			tvmLast(n, "%h = function (%p : pointer %s@) > i8 { %x = load (struct_ep %p #i0); return %x; };")
	}},
	{"pointers to pointers", 400, func(n int) string {
		return "%p0 = define i64;\n" + tvmLine(n, "%p^ = define pointer %p@;") + tvmLast(n, "%g = global %p@;")
	}},
	{"gep after gep", 300, func(n int) string {
		return "%s0 = define struct i64;\n" + tvmLine(n, "%s^ = define struct i8 %s@;") + tvmLast(n, "%h = function (%q0 : pointer %s@) > i64 {") + tvmLine(n, "%q^ = struct_ep %q@ #i1;") +
			tvmLast(n, "%x = load (struct_ep %q@ #i0); return %x; };")
	}},
	{"there and back", 200, func(n int) string {
		return "%s = define struct i64 i64;\n%h = function (%p0 : pointer %s) > i64 {\n" + tvmLine(n, "%p^ = outer_ptr (struct_ep %p@ #i1);") + tvmLast(n, "%x = load (struct_ep %p@ #i0); return %x; };")
	}},
	{"schemas by value", 300, func(n int) string {
		return tvmLine(n, "%r@ = recursive > struct i64 (apply %r^);") + tvmLast(n, "%r@ = recursive > struct i64;\n%g = global (apply %r0);")
	}},
	{"instances", 400, func(n int) string {
		return "%r = recursive (%t : type) > struct %t (pointer (apply %r %t));\n%t0 = define i64;\n" + tvmLine(n, "%t^ = define apply %r (struct %t@);") + tvmLast(n, "%g = global %t@;")
	}},
	{"exists in exists", 300, func(n int) string {
		return "%e0 = define pointer i64;\n" + tvmLine(n, "%e^ = define exists (%t : type) > (struct (pointer %t) %e@);") + tvmLast(n, "%g = global %e@;")
	}},
	{"boxes opened", 120, func(n int) string {
		return "%box = define exists (%t : type) > (struct (constant %t) (pointer %t));\n%g = function (%w : %box) > empty {\n" +
			tvmLine(n, "%p@ = alloca %box; %w@ = load %p@; solidify (element (unwrap %w@) #up0); %v@ = load (element (unwrap %w@) #up1); store %v@ (element (unwrap %w@) #up1);") + "return empty_v; };\n"
	}},
	{"hidden in functions", 200, func(n int) string { // the hidden type of each parameter is as large as all
		return "%e = define exists (" + strings.TrimRight(tvmEach(n, "%t@ : type,"), ", ") + ") > (struct" + tvmEach(n, " (pointer (function (%u : type, pointer %u) > (pointer %t@)))") + ");\n" +
			"%h = function (%t : type) > empty {\n%l = struct" + tvmEach(n, " (pointer %t)") + ";\neval (introduce_exists %e (undef (struct" + tvmEach(n, " (pointer (function (%u : type, pointer %u) > (pointer %l)))") + ")));\nreturn empty_v; };\n"
	}},
	{"function types", 300, func(n int) string {
		return "%t0 = define i64;\n" + tvmLine(n, "%t^ = define pointer (function (%n : type, %a : pointer %n, %t@) > %t@);") + tvmLast(n, "%g = global %t@;")
	}},
	{"virtual functions", 150, func(n int) string {
		return "%ops = recursive (%t : upref_type) > (struct" + tvmEach(n, " (pointer (function (pointer (apply %shape %t) %t) > i64))") + ");\n%shape = recursive (%t : upref_type) > (struct (pointer (apply %ops %t)) i64);\n" +
			"%any = define exists (%t : upref_type) > (pointer (apply %shape %t) %t);\n%h = function (%w : %any) > i64 {\n%o = unwrap %w;\n%vt = load (gep %o #up0 #up0);\n" +
			tvmLine(n, "%f@ = load (gep %vt #up0 #up@); %r@ = call %f@ %o;") + "return %r0; };\n"
	}},
	{"types from memory", 200, func(n int) string {
		return "%h = function (%p : pointer type) > empty {\n" + tvmLine(n, "%t@ = load %p; %a@ = alloca (struct i8 %t@); %v@ = load %a@; store %v@ %a@;") + "return empty_v; };\n"
	}},
	{"layouts known at run time", 200, func(n int) string {
		return "%h = function (%t : type, %p : pointer (struct" + tvmEach(n, " i8 %t") + ")) > empty {\n" + repeat(n, func(i int) string {
			return fmt.Sprintf("%%v%d = load (struct_ep %%p #i%d); store %%v%[1]d (struct_ep %%p #i1);", i, 2*i+1)
		}) + "return empty_v; };\n"
	}},
	{"phantom parameters", 300, func(n int) string {
		return "%g = function (" + strings.TrimRight(tvmEach(n, "%t@ : type,"), ", ") + " | %p : pointer %t0) > (pointer %t0) { return %p; };\n" + "%h = function (%p : pointer i64) > (pointer i64) {\n%q = call %g" + tvmEach(n, " i64") + " %p;\nreturn %q; };\n"
	}},
	{"values that are recursive", 2400, func(n int) string {
		return tvmLine(n, "%r@ = recursive (%n : i64) > i64 > (select (cmp_lt %n #l0) #l@ (apply %r^ (sub %n #l1)));") + tvmLast(n, "%r@ = recursive (%n : i64) > i64 > %n;") + tvmUnary("return (apply %r0 %x0);\n")
	}},
	{"conditions", 300, func(n int) string {
		return tvmUnary("%c0 = cmp_lt %x0 #l1;\n" + tvmLine(n, "%c^ = bit_not (cmp_eq %c@ (cmp_lt %x0 #l@));") + tvmLast(n, "return (select %c@ %x0 #l0);"))
	}},
}

// tvmRefused are families of modules with errors.
var tvmRefused = []family{
	{"names", 400, func(n int) string { return tvmFn(tvmLine(n, "%z@ = call %f %x %none@;") + "return %x;\n") }},
	{"phi without values", 400, func(n int) string {
		return tvmFn("br %b0;\n" + tvmLine(n, "block %b@: cond_br %c %b^ %d;") + tvmLast(n, "block %b@: br %d;\nblock %d: %r = phi i64: > %x; return %r;"))
	}},
	{"defined twice", 500, func(n int) string { return tvmLine(n, "%g = global i64;") }},
	{"open parentheses", 2000, func(n int) string { return "%g = global " + strings.Repeat("(", n) }},
	{"words", 500, func(n int) string { return tvmLine(n, "word @ : block |") }},
	{"open functions", 500, func(n int) string { return tvmLine(n, "%f@ = function () > empty {") }},
	{"wrong types", 500, func(n int) string { return tvmUnary(tvmLine(n, "%y@ = add %x0 #i1;") + "return %x0;\n") }},
	{"types that do not match", 600, func(n int) string {
		return "%s0 = define i64;\n" + tvmLine(n, "%s^ = define struct i8 %s@;") + tvmLast(n, "%h = function (%p : pointer %s@) > empty {") + tvmLine(n, "store %p %p;") + "return empty_v; };\n"
	}},
	{"phantoms", 300, func(n int) string {
		return "%h = function (%t : type | %p : pointer %t) > empty {\n" + tvmLine(n, "%v@ = load %p;") + "return empty_v; };\n"
	}},
	{"cycles", 500, func(n int) string { return tvmLine(n, "%t@ = define struct %t^;") + tvmLast(n, "%t@ = define %t0;") }},
	{"schemas that contain themselves", 300, func(n int) string { return tvmLine(n, "%r@ = recursive > struct (apply %r@);") }},
	{"jumps to nowhere", 500, func(n int) string {
		return tvmUnary(tvmLine(n, "cond_br true %b@ %c@; block %d@:") + "return %x0;\n")
	}},
}

// TestDoublingTVM has definitions each of which expands to twice the size of the previous one. A short list
// passes all stages; a long list is an error that tells what grows, or expands no further than the short one.
func TestDoublingTVM(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(n int) string
		want string // of 60 definitions
	}{
		{"structs", func(n int) string {
			return "%s0 = define struct i64 i8;\n" + tvmLine(n, "%s^ = define struct %s@ %s@;") + tvmLast(n, "%g = global %s@;")
		}, "is too large"},
		{"arrays", func(n int) string {
			return "%s0 = define array i64 #up2;\n" + tvmLine(n, "%s^ = define array %s@ #up2;") + tvmLast(n, "%g = global %s@;")
		}, "is too large"},
		{"values", func(n int) string {
			return tvmUnary("%s0 = struct_v %x0;\n" + tvmLine(n, "%s^ = struct_v %s@ %s@;") + tvmLast(n, "eval %s@;") + "return %x0;\n")
		}, "is too large"},
		{"constants", func(n int) string {
			return "%s0 = define struct_v #l1 #l2;\n%t0 = define struct i64 i64;\n" + tvmLine(n, "%s^ = define struct_v %s@ %s@; %t^ = define struct %t@ %t@;") + tvmLast(n, "%g = global %t@ %s@;")
		}, "is too large"},
		{"zeros with constants", func(n int) string {
			return "%s0 = define struct (constant #l1) i8;\n" + tvmLine(n, "%s^ = define struct %s@ %s@;") + tvmLast(min(n, 22), "%g = global %s@ (zero %s@);") + tvmLast(n, "%h = global (pointer %s@);")
		}, ""},
		{"zeros with constants known at run time", func(n int) string {
			return "%h = function (%n : i32) > empty {\n%s0 = struct (constant %n) i8;\n" + tvmLine(n, "%s^ = struct %s@ %s@;") + tvmLast(min(n, 22), "eval (zero %s@); return empty_v;\n};")
		}, ""},
		{"zeros with phantom constants", func(n int) string {
			return "%h = function (%n : i32 | %k : constant %n) > empty {\nsolidify %k;\n%s0 = struct (constant %n) i8;\n" + tvmLine(n, "%s^ = struct %s@ %s@;") + tvmLast(min(n, 22), "eval (zero %s@); return empty_v;\n};")
		}, ""},
		{"layouts known at run time", func(n int) string {
			return "%h = function (%t : type) > uiptr {\n%s0 = struct %t i8;\n" + tvmLine(n, "%s^ = struct %s@ %s@;") + tvmLast(n, "return (sizeof %s@);\n};")
		}, ""},
		{"squares", func(n int) string {
			return tvmUnary(tvmLine(n, "%x^ = mul %x@ %x@;") + tvmLast(n, "return %x@;"))
		}, ""},
		{"squares of sums", func(n int) string {
			return tvmUnary(tvmLine(n, "%x^ = mul (add %x@ #l1) (add %x@ #l3);") + tvmLast(n, "return %x@;"))
		}, ""},
		{"bits", func(n int) string {
			return tvmUnary(tvmLine(n, "%x^ = bit_and (bit_xor %x@ #l1) (bit_or %x@ #l@);") + tvmLast(n, "return %x@;"))
		}, ""},
		{"selects", func(n int) string {
			return tvmUnary(tvmLine(n, "%x^ = select (cmp_lt %x@ #l1) (div %x@ #l3) (bit_not %x@);") + tvmLast(n, "return %x@;"))
		}, ""},
		{"function types", func(n int) string {
			return "%t0 = define i64;\n" + tvmLine(n, "%t^ = define pointer (function (%t@, %n : type, %t@, pointer %n) > %t@);") + tvmLast(n, "%g = global %t@;")
		}, ""},
		{"schemas", func(n int) string {
			return "%r0 = recursive (%t : type) > struct %t %t;\n" + tvmLine(n, "%r^ = recursive (%t : type) > struct (apply %r@ (struct %t %t)) (apply %r@ %t);") + tvmLast(n, "%g = global (apply %r@ i64);")
		}, "is too large"},
		{"schemas behind pointers", func(n int) string {
			return "%r = recursive (%t : type) > struct %t (pointer (apply %r (struct %t %t)));\n%h0 = function (%p : pointer (apply %r i64)) > empty {\n%p0 = %p;\n" + tvmLine(n, "%p^ = load (struct_ep %p@ #i1);") + "return empty_v; };\n"
		}, ""},
		{"exists", func(n int) string {
			return "%e0 = define pointer i64;\n" + tvmLine(n, "%e^ = define exists (%t : type) > (struct (pointer %t) (pointer %e@) (pointer %e@));") + tvmLast(n, "%g = global %e@;")
		}, ""},
		{"uprefs", func(n int) string {
			return "%s0 = define struct i64;\n" + tvmLine(n, "%s^ = define struct %s@ %s@;") + tvmLast(n, "%h = function (%q0 : pointer %s@) > empty {") + tvmLine(n, "%q^ = gep %q@ #up1;") + "return empty_v; };\n"
		}, ""},
		{"recursive values", func(n int) string {
			return "%r = recursive (%n : i64) > i64 > (add (apply %r (sub %n #l1)) (apply %r (sub %n #l2)));\n" + tvmUnary(tvmLine(n, "%x^ = apply %r (bit_xor %x@ #l@);")+tvmLast(n, "return %x@;"))
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, s := range stages {
				if s == "interpret" {
					continue
				}
				if err := (&Job{File: "a.tvm", Text: []byte(c.make(6)), Stage: s}).do(); err != "" && !strings.HasPrefix(s, "to ") {
					t.Errorf("%s: %s", s, err)
				}
			}
			long := Job{File: "a.tvm", Text: []byte(c.make(60)), Stage: "generate -O1"}
			if err := long.do(); !strings.Contains(err, c.want) || c.want == "" && err != "" {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}
