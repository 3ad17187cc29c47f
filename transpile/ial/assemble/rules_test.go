package assemble

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// in returns a function with these instructions and with registers of most types.
func in(instrs string) string {
	return `type S { field int32 x; field static int32 n; }
data d (1); field global int32 gl; field thread int32 tl;
function void f() {
register int8 b; register int32 i; register int32 j; register uint u; register float64 f; register S& s; register int32[] a;
block entry {
` + instrs + `
} }`
}

// The rules of assembly: texts with one fault each.
func TestRules(t *testing.T) {
	tests := []struct {
		rule  string
		name  string
		texts []string
		want  string // errors, without the related places
	}{
		// A1
		{"A1", "types", []string{"type A { }\ntype A { }"}, "m.ial:2:6: type A redefined"},
		{"A1", "quoted is the same", []string{"type A { }\ntype 'A' { }"}, "m.ial:2:6: type A redefined"},
		{"A1", "members of all storage classes", []string{"type A { field int8 x;\nfield static int8 x;\nfield thread int8 x; }"}, "m.ial:2:19: member x redefined\nm.ial:3:19: member x redefined"},
		{"A1", "global fields", []string{"field global int8 x;\nfield global int16 x;"}, "m.ial:2:20: global field x redefined"},
		{"A1", "thread fields", []string{"field thread int8 x;\nfield thread int16 x;"}, "m.ial:2:20: thread field x redefined"},
		{"A1", "functions", []string{"function void f() { }\nfunction int8 f() { }"}, "m.ial:2:15: function f redefined"},
		{"A1", "data", []string{"data a (1);\ndata a (2);"}, "m.ial:2:6: data block a redefined"},
		{"A1", "blocks", []string{"function void f() { block entry { }\nblock 'entry' { } }"}, "m.ial:2:7: block entry redefined"},
		{"A1", "registers", []string{"function void f() { register int8 r;\nregister int16 r; }"}, "m.ial:2:16: register r redefined"},
		{"A1", "name spaces are apart", []string{"type x { field int8 x; } field global int8 x; field thread int8 x; data x (1); function void x() { register int8 x; block x { } }"}, ""},
		{"A1", "registers of two functions", []string{"function void f() { register int8 r; block entry { } } function void g() { register int8 r; block entry { } }"}, ""},

		// A2
		{"A2", "type of a member", []string{"type A { field B x; }"}, "m.ial:1:16: unknown type B"},
		{"A2", "type in a type", []string{"type A { field void(int8, B[]*) x; }"}, "m.ial:1:27: unknown type B"},
		{"A2", "type of a global field", []string{"field global B* x;"}, "m.ial:1:14: unknown type B"},
		{"A2", "type of a parameter", []string{"function void f(B) { }"}, "m.ial:1:17: unknown type B"},
		{"A2", "type of a register", []string{"function void f() { register B r; }"}, "m.ial:1:30: unknown type B"},
		{"A2", "type in an operand", []string{in("u = load.size (B);")}, "m.ial:6:16: unknown type B"},
		{"A2", "core type of another language", []string{"type A { field float x; field i32 y; field in32 z; }"}, "m.ial:1:16: unknown type float; did you mean float32?\nm.ial:1:31: unknown type i32; did you mean int32?\nm.ial:1:44: unknown type in32; did you mean int32?"},
		{"A2", "near type", []string{"type Point { } type A { field Poimt& x; }"}, "m.ial:1:31: unknown type Poimt; did you mean Point?"},
		{"A2", "module of a type", []string{"type A { field other/B x; }"}, "m.ial:1:16: unknown module other"},
		{"A2", "type of another module", []string{"type A { field n/B x; }", "type C { }"}, "m.ial:1:18: unknown type n/B"},
		{"A2", "types of another module", []string{"type A { field n/C x; field mci/Weak& w; field m/A& a; }", "type C { field m/A& a; }"}, ""},
		{"A2", "member", []string{in("i = field.get s (S:y);")}, "m.ial:6:20: type S has no member y"},
		{"A2", "type of a member operand", []string{in("i = field.get s (T:y);")}, "m.ial:6:18: unknown type T"},
		{"A2", "function", []string{in("i = call (g);")}, "m.ial:6:11: unknown function g"},
		{"A2", "function of another module", []string{in("i = call (n/g);"), "function int32 h() { }"}, "m.ial:6:13: unknown function n/g"},
		{"A2", "intrinsic", []string{in("invoke (mci/gc_colect);")}, "m.ial:6:13: unknown function mci/gc_colect; did you mean gc_collect?"},
		{"A2", "data block", []string{in("i = load.data (e);")}, "m.ial:6:16: unknown data block e"},
		{"A2", "global field", []string{in("i = field.global.get (g);")}, "m.ial:6:23: unknown global field g"},
		{"A2", "thread field", []string{in("field.thread.set i (t);")}, "m.ial:6:21: unknown thread field t"},
		{"A2", "field of the other class", []string{in("i = field.global.addr (tl);\ni = field.thread.addr (gl);")}, "m.ial:6:24: tl is a thread field: wanted a global field\nm.ial:7:24: gl is a global field: wanted a thread field"},
		{"A2", "registers", []string{in("x = ari.add i, y;\nmem.set i, z;\ni = phi (w);")}, "m.ial:6:1: unknown register x\nm.ial:6:16: unknown register y\nm.ial:7:12: unknown register z\nm.ial:8:10: unknown register w"},
		{"A2", "labels", []string{in("jump (x);\njump.cond u (entry, y);")}, "m.ial:6:7: unknown block x\nm.ial:7:21: unknown block y"},
		{"A2", "unwind block", []string{"function void f() { block entry unwind x { } }"}, "m.ial:1:40: unknown block x"},
		{"A2", "function of an entry point", []string{"entry f;"}, "m.ial:1:7: unknown function f"},
		{"A2", "forwarded field", []string{"field global int8 a (n, b);", "field global int8 c;"}, "m.ial:1:25: unknown global field n/b"},
		{"A2", "forwarded field of the other class", []string{"field global int8 a (n, b);", "field thread int8 b;"}, "m.ial:1:25: unknown global field n/b"},
		{"A2", "forwarded field of another type", []string{"field global int8 a (n, b);", "field global uint8 b;"}, "m.ial:1:25: global field a: wanted a field of type int8, got n/b of type uint8"},
		{"A2", "forwarded field with a type of another module", []string{"field global n/T a (n, b);", "type T { } field global T b;"}, ""},
		{"A2", "forwarded field of itself", []string{"field global int8 a (m, a);"}, "m.ial:1:19: global field a stands for itself"},
		{"A2", "forwarded fields in a circle", []string{"field global int8 x (m, a); field global int8 a (n, b);", "field global int8 b (m, a);"}, "m.ial:1:47: global field a stands for itself"},
		{"A2", "forward to a function that is not there", []string{"function void f() { block entry { forward (n, g); } }", "function void h() { }"}, "m.ial:1:47: unknown function n/g"},

		// A3
		{"A3", "align", []string{"type A align 1 { } type B align 0x10 { } type C align 2147483648 { } type D align 0 { }"}, ""},
		{"A3", "align 3", []string{"type A align 3 { }"}, "m.ial:1:14: type A: invalid alignment 3: wanted 0 or a power of two"},
		{"A3", "align of more than 32 bits", []string{"type A align 4294967296 { }"}, "m.ial:1:14: bad type A: 4294967296 is out of range: wanted 0 to 4294967295"},
		{"A3", "align -1", []string{"type A align -1 { }"}, "m.ial:1:14: bad type A: -1 is out of range: wanted 0 to 4294967295"},
		{"A3", "align 1.5", []string{"type A align 1.5 { }"}, "m.ial:1:14: bad type A: wanted an integer, found 1.5"},

		// A4
		{"A4", "itself", []string{"type A { field A a; }"}, "m.ial:1:18: type A contains itself"},
		{"A4", "itself in a static array", []string{"type A { field A{0}{2} a; }"}, "m.ial:1:24: type A contains itself"},
		{"A4", "itself through others", []string{"type A { field B b; } type B { field n/C c; }", "type C { field m/A{1} a; }"}, "n.ial:1:23: type A contains itself"},
		{"A4", "itself by reference", []string{"type A { field A& a; field A* b; field A[] c; field A[4] d; field A() e; field A&{3} f; }"}, ""},
		{"A4", "itself in a static member", []string{"type A { field static A a; field thread A b; }"}, ""},
		{"A4", "twice, not itself", []string{"type A { field B b; field B c; field C d; } type B { field C c; } type C { }"}, ""},

		// A5
		{"A5", "entry with another result", []string{"function void f() { } entry f;"}, "m.ial:1:29: entry wants a function int32 f(), got void f()"},
		{"A5", "entry with parameters", []string{"function int32 f(int8) { } entry f;"}, "m.ial:1:34: entry wants a function int32 f(), got int32 f(int8)"},
		{"A5", "entry with a convention", []string{"function int32 f() cdecl { } entry f;"}, "m.ial:1:36: entry wants a function int32 f(), got int32 f() cdecl"},
		{"A5", "entry of another module", []string{"entry n/f;", "function int32 f() { }"}, "m.ial:1:7: entry wants a function of this module, got n/f"},
		{"A5", "entry of this module by its name", []string{"entry m/f; function int32 f() { }"}, ""},
		{"A5", "thread entry", []string{"function int32 f() { } thread entry f;"}, "m.ial:1:37: thread entry wants a function void f(), got int32 f()"},
		{"A5", "thread exit", []string{"function void f(uint) { } thread exit f;"}, "m.ial:1:39: thread exit wants a function void f(), got void f(uint)"},
		{"A5", "module entry", []string{"function void f() stdcall { } module entry f;"}, "m.ial:1:44: module entry wants a function void f(), got void f() stdcall"},
		{"A5", "module exit", []string{"function int f() { } module exit f;"}, "m.ial:1:34: module exit wants a function void f(), got int f()"},

		// A6
		{"A6", "two entries", []string{"function int32 f() { }\nentry f;\nentry f;"}, "m.ial:3:1: entry redefined"},
		{"A6", "two of each", []string{"function void f() { } thread entry f; thread exit f; module entry f; module exit f;\nthread entry f; thread exit f; module entry f; module exit f;"},
			"m.ial:2:1: thread entry redefined\nm.ial:2:17: thread exit redefined\nm.ial:2:32: module entry redefined\nm.ial:2:48: module exit redefined"},
		{"A6", "an entry in each module", []string{"function int32 f() { } entry f;", "function int32 f() { } entry f;"}, ""},

		// A7
		{"A7", "source too many", []string{in("nop i;")}, "m.ial:6:5: bad nop: wanted no sources, got 1; write nop;"},
		{"A7", "target missing", []string{in("ari.add i, j;")}, "m.ial:6:1: bad ari.add: wanted a register for its result; write r = ari.add a, b;"},
		{"A7", "target too many", []string{in("i = mem.set i, j;")}, "m.ial:6:1: bad mem.set: it has no result, found i =; write mem.set a, b;"},
		{"A7", "source missing", []string{in("i = ari.add j;")}, "m.ial:6:5: bad ari.add: wanted 2 sources, got 1; write r = ari.add a, b;"},
		{"A7", "sources too many", []string{in("i = ari.neg i, j;")}, "m.ial:6:16: bad ari.neg: wanted 1 source, got 2; write r = ari.neg a;"},
		{"A7", "operand missing", []string{in("i = load.i32;")}, "m.ial:6:5: bad load.i32: wanted an operand in parentheses; write r = load.i32 (LITERAL);"},
		{"A7", "operand too many", []string{in("leave (1);")}, "m.ial:6:7: bad leave: wanted ;, found (; write leave;"},

		// A8
		{"A8", "out of range", []string{in("b = load.i8 (128);\nb = load.i8 (-129);\nb = load.ui8 (-1);\nb = load.i16 (70000);\nb = load.ui64 (18446744073709551616);\nb = load.i64 (-9223372036854775809);\nb = load.i8 (0xff);")},
			"m.ial:6:14: bad load.i8: 128 is out of range: wanted -128 to 127\nm.ial:7:14: bad load.i8: -129 is out of range: wanted -128 to 127\nm.ial:8:15: bad load.ui8: -1 is out of range: wanted 0 to 255\nm.ial:9:15: bad load.i16: 70000 is out of range: wanted -32768 to 32767\n" +
				"m.ial:10:16: bad load.ui64: 18446744073709551616 is out of range: wanted 0 to 18446744073709551615\nm.ial:11:15: bad load.i64: -9223372036854775809 is out of range: wanted -9223372036854775808 to 9223372036854775807\nm.ial:12:14: bad load.i8: 0xff is out of range: wanted -128 to 127"},
		{"A8", "in range", []string{in("b = load.i8 (-128);\nb = load.i8 (127);\nb = load.i8 (-0x80);\nb = load.ui8 (255);\nb = load.ui8 (-0);\nb = load.ui8 (+7);\nb = load.ui64 (18446744073709551615);\nb = load.i64 (-9223372036854775808);\nb = load.i8 (007);")}, ""},
		{"A8", "in arrays", []string{in("a = load.ui8a (1, 256, 2);\ncomment (300);\nraw (-1);")}, "m.ial:6:19: bad load.ui8a: 256 is out of range: wanted 0 to 255\nm.ial:7:10: bad comment: 300 is out of range: wanted 0 to 255\nm.ial:8:6: bad raw: -1 is out of range: wanted 0 to 255"},
		{"A8", "in data", []string{"data d (1, 256);"}, "m.ial:1:12: bad data: 256 is out of range: wanted 0 to 255"},
		{"A8", "in a count", []string{"type A { field int8[4294967296] x; field int8{-1} y; field int8[4294967295] z; }"}, "m.ial:1:21: bad field: 4294967296 is out of range: wanted 0 to 4294967295\nm.ial:1:47: bad field: -1 is out of range: wanted 0 to 4294967295"},
		{"A8", "fraction", []string{in("b = load.i8 (1.0);\nb = load.i8 (nan);")}, "m.ial:6:14: bad load.i8: wanted an integer, found 1.0\nm.ial:7:14: bad load.i8: wanted an integer, found nan"},
		{"A8", "hexadecimal float", []string{in("f = load.f64 (0x10);")}, "m.ial:6:15: bad load.f64: wanted a decimal literal, found 0x10"},
	}
	alone := map[string]bool{"A9": true} // TestBadModules
	for _, tt := range tests {
		_, errs := load(tt.texts...)
		var lines []string
		for _, l := range strings.Split(strings.TrimSuffix(errs, "\n"), "\n") {
			if !strings.HasPrefix(l, "\t") {
				lines = append(lines, l)
			}
		}
		if got := strings.Join(lines, "\n"); got != tt.want {
			t.Errorf("%s: %s\n got %s\nwant %s", tt.name, strings.Join(tt.texts, "\n--\n"), got, tt.want)
		}
		if tt.want != "" && len(lines) == 1 {
			alone[tt.rule] = true
		}
	}
	text, err := os.ReadFile("../../../docs/ial.md")
	if err != nil {
		t.Fatal(err)
	}
	rules := regexp.MustCompile(`(?m)^\| (A\d) \|`).FindAllSubmatch(text, -1)
	for _, m := range rules {
		if !alone[string(m[1])] {
			t.Errorf("no text breaks %s alone", m[1])
		}
	}
	if len(rules) != len(alone) {
		t.Errorf("%d rules in docs/ial.md, %d broken alone", len(rules), len(alone))
	}
}
