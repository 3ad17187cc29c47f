package assemble

import (
	"fmt"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// load assembles texts, each a module named by its key: m, n, ... in the order given.
func load(texts ...string) (*module.Program, string) {
	var units []Unit
	for i, text := range texts {
		name := string(rune('m' + i))
		units = append(units, Unit{Sources: []dialect.Source{{Name: name + ".ial", Text: []byte(text)}}})
	}
	set := diag.NewSet()
	diags := diag.NewList(set)
	diags.MaxErrors = -1
	p, ok := Load(set, units, diags)
	var b strings.Builder
	if err := diags.Print(&b); err != nil {
		panic(err)
	}
	if ok == diags.HasErrors() {
		b.WriteString(fmt.Sprint("Load gives ", ok))
	}
	return p, b.String()
}

// The upstream tests that assemble, as texts of our own.
var pass = []struct{ name, text string }{
	{"comment", "// nothing\n// else"},
	{"empty", ""},
	{"empty type", "type T { }"},
	{"align 0", "type T align 0 { }"},
	{"align 1", "type T align 1 { }"},
	{"align 256", "type T align 256 { }"},
	{"field", "type T { field int32 n; }"},
	{"instance field", "type T { field instance int32 n; }"},
	{"array fields", "type T { field int8[] a; field T&[] b; field float64*[][] c; }"},
	{"conventions", "type T { field void(int32) stdcall f; field int8(uint*, T&) cdecl g; }"},
	{"global", "field global float32 g;"},
	{"static", "type T { field static T& t; }"},
	{"attributes", "function ssa pure nooptimize noinline void f() { block entry { } }"},
	{"attributes in another order", "function nothrow noinline ssa noreturn void f() { block entry { } }"},
	{"function pointer result", "function uint8() f() { block entry { } }"},
	{"vector", "type T { field int16[12] v; }"},
	{"void() result", "function void() f() { block entry { } }"},
	{"void(...) with suffixes", "function void()* f(void()[], void(void()) stdcall) { }"},
	{"jump ahead", "function void f() { block entry { jump (out); } block out { leave; } }"},
	{"later type", "type T { field U[3] v; } type U { field uint8 x; }"},
	{"quote in a name", `type 'it\'s' { field 'it\'s'& x; }`},
	{"ffi", "function void f() { block entry { ffi (libm, sin); } }"},
	{"arrays", "function void f() { register int8[] a; register float32* b; block entry { a = load.i8a (-1, 2, 0x3); b = load.f32a (1, -2.5, 3.0e-2); } }"},
	{"cdecl", "function void f(int32) cdecl { block entry { ffi (c, 'exit'); } }"},
	{"stdcall", "function void f() stdcall { }"},
	{"nan and inf", "function void f() { register float64[] a; register float32 b; block entry { a = load.f64a (nan, +nan, -nan, inf, +inf, -inf); b = load.f32 (-inf); } }"},
	{"metadata", "function void f() { block entry { [k:v] nop; [a:b, 'c d':'e', 'f':g] leave; } }"},
	{"two functions", "function void f() { block entry { invoke (g); leave; } } function void g() { block entry { invoke (f); leave; } }"},
	{"thread", "field thread int64 t;"},
	{"thread in a type", "type T { field thread int64 t; field static int64 s; }"},
	{"references", "type T { field T& a; field T&* b; }"},
	{"zero elements", "type T { field uint8[0] v; field uint8{0} s; }"},
	{"ssa", "function ssa void f() { block entry { } }"},
	{"floats", "function void f() { register float32 a; register float64 b; block entry { a = load.f32 (1.5e300); b = load.f64 (0.25e-12); b = load.f64 (7.0e+3); } }"},
	{"entries", "function int32 f() { } function void g() { } entry f; thread entry g; thread exit g;"},
	{"hex", "function void f() { register uint16 a; block entry { a = load.ui16 (0xBeef); } }"},
	{"module entries", "function void g() { } module entry g; module exit g;"},
	{"static arrays", "function void f() { register int32{4} a; register int8{2}(int8{3}) b; block entry { } }"},
	{"jump back", "function noreturn nothrow void f() { block entry { jump (entry); } }"},
	{"volatile", "function void f(int32) { register int32* p; register int32 n; block entry { volatile mem.set p, n; volatile leave; } }"},
	{"noescape", "function void f(noescape int32*, noescape mci/Object&) { }"},
	{"forward", "function void f() { block entry { forward (elsewhere, g); } }"},
	{"forward in the program", "function void f() { block entry { forward (m, g); } } function void g() { }"},
	{"global and thread", "field global int32 x; field thread int32 x;"},
	{"metadata of declarations", "[a:b] function void f([x:y] int8) { } [] type T { [m:n] field int32 x; } [c:d] field global int32 g; [e:f] data d (1);"},
	{"forwarded", "field global int32 a (elsewhere, b); field thread T& c (elsewhere, d); type T { }"},
	{"empty array", "function void f() { register int8[] a; block entry { a = load.i8a (); comment (); } }"},
	{"function without blocks", "function void f() { }"},
	{"function called function", "function void 'function'() { }"},
	{"type called function", "type 'function' { field void() 'type'; }"},
	{"type without storage word", "type T { field int32 x; field thread int8 y; }"},
	{"type called static", "type static { } type instance { } type T { field static x; field instance static y; field instance z; field static 'static'& s; }"},
	{"register called volatile", "function void f() { register int8 volatile; register int8 forward; block entry { volatile = load.i8 (1); volatile volatile = copy forward; forward = copy volatile; forward (a, b); } }"},
}

func TestPass(t *testing.T) {
	for _, tt := range pass {
		if _, errs := load(tt.text); errs != "" {
			t.Errorf("%s: %s\n%s", tt.name, tt.text, errs)
		}
	}
}

// The upstream tests that do not assemble, as texts of our own with the fault where
// upstream has it.
var fail = []struct{ name, text, want string }{
	{"= after a type name", "type Tpe = {}", `1:10: bad type Tpe: wanted {, found =`},
	{"global in a type", "type T\n{\n    field global int8 x;\n}", `3:11: bad field: wanted instance, static, thread or a type, found global; the word is static in a type, and global outside`},
	{"duplicate member", "type T\n{\n    field int32 a;\n    field int32 a;\n}", `4:17: member a redefined
	previous definition at m.ial:3:17`},
	{"no result type", "function f ()\n{\n}\n", `3:1: bad function: wanted an element count, found }; a function is written function RESULT NAME(PARAMETERS) { ... }
	function begins at m.ial:1:1`},
	{"unknown result type", "function Mist f()\n{\n}\n", `1:10: unknown type Mist`},
	{"alignment 7", "type Tpe align 7 { }", `1:16: type Tpe: invalid alignment 7: wanted 0 or a power of two`},
	{"field without storage", "field uint8 g;", `1:7: bad field: wanted global or thread, found uint8; fields of a structure stand in the braces of its type`},
	{"stray point", "type T\n{\n    field uint8*. p;\n}", `3:19: bad field .: wanted ;, found p`},
	{"duplicate register", "function void f()\n{\n    register uint8 r;\n    register uint8 r;\n}", `4:20: register r redefined
	previous definition at m.ial:3:20`},
	{"&&", "type S { }\n\n\n\ntype T\n{\n    field S&& x;\n}", `7:13: bad type: & follows the name of a structure only, and once`},
	{"void field", "type T\n{\n    field void v;\n}", `3:16: bad field: wanted (, found v; void is a result only; a pointer to a function without result is written void(...)`},
	{"empty name", "type '' { }", `1:6: bad name: nothing in the quotes`},
	{"convention first", "type T\n{\n    field cdecl void() f;\n}", `3:11: bad field: wanted a type, found cdecl; cdecl follows the parameters: T(...) cdecl`},
	{"structure in itself", "type S\n{\n    field S s;\n}", `3:13: type S contains itself`},
	{"module entry point with a result", "// 1\n// 2\nfunction int32 f()\n{\n}\n\n\n\n\n\n\nmodule entry f;", `12:14: module entry wants a function void f(), got int32 f()
	declared at m.ial:3:16`},
	{"static array without count", "type T\n{\n    field uint32{} x;\n}", `3:18: bad field: wanted an element count, found }; a static array has its number of elements, as in int32{8}`},
	{"volatile alone", "function void f()\n{\n    block entry\n    {\n        volatile;\n    }\n}", `5:17: bad instruction: wanted a mnemonic, found ;`},
	{"const", "type T\n{\n    field static const int8 x;\n}", `3:24: bad field: wanted the name of the field, found int8; int8 is reserved, as a name it is written 'int8'`},
}

func TestFail(t *testing.T) {
	for _, tt := range fail {
		if _, errs := load(tt.text); errs != "m.ial:"+tt.want+"\n" {
			t.Errorf("%s: %s\n got %s\nwant m.ial:%s", tt.name, tt.text, errs, tt.want)
		}
	}
}
