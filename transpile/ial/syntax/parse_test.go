package syntax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// in puts items into a function.
func in(items string) string { return "function void f() { " + items + " }" }

// body puts instructions into a block of a function.
func body(instrs string) string { return in("block entry { " + instrs + " }") }

// TestGrammar has every production of the grammar, and every option in it.
func TestGrammar(t *testing.T) {
	tests := []struct{ src, want string }{
		{"", ""},
		{"// only\n//comments", ""},

		// types
		{"type T{}", "type T {\n}\n"},
		{"[a:b]type T align 16 { }", "[a:b] type T align 16 {\n}\n"},
		{"type T align 0 { }", "type T align 0 {\n}\n"},
		{"[] type 'a b' { }", "type 'a b' {\n}\n"},
		{"type T { field int8 x; }", "type T {\nfield instance int8 x;\n}\n"},
		{"type T { field instance int8 x; [k:v] field static int8 y; field thread int8 z; }",
			"type T {\nfield instance int8 x;\n[k:v] field static int8 y;\nfield thread int8 z;\n}\n"},
		// words that are storage classes unless that leaves no type
		{"type T { field instance x; field static x; field global x; }", "type T {\nfield instance 'instance' x;\nfield instance 'static' x;\nfield instance 'global' x;\n}\n"},
		{"type T { field static static x; field instance instance x; field 'static' & x; field 'global'* x; }",
			"type T {\nfield static 'static' x;\nfield instance 'instance' x;\nfield instance 'static'& x;\nfield instance 'global'* x;\n}\n"},
		{"type T { field static m/U x; field instance int8 'static'; field static int8 static; }",
			"type T {\nfield static m/U x;\nfield instance int8 'static';\nfield static int8 'static';\n}\n"},
		{"type data { } type module { } type forward { }", "type 'data' {\n}\ntype 'module' {\n}\ntype 'forward' {\n}\n"},

		// fields
		{"field global int8 x; field thread int8 y;", "field global int8 x;\nfield thread int8 y;\n"},
		{"[a:b] field global T& x (m, 'y z');", "[a:b] field global T& x (m, 'y z');\n"},
		{"field thread int8() x (m, y);", "field thread int8() x (m, y);\n"},
		{"field global global global;", "field global 'global' 'global';\n"},

		// data
		{"data d ();", "data d ();\n"},
		{"[a:b] data data (1, 0x2, -3, 1.5, nan);", "[a:b] data 'data' (1, 0x2, -3, 1.5, nan);\n"},

		// entry points
		{"entry f; thread entry m/f; thread exit f; module entry f; module exit 'type';", "entry f;\nthread entry m/f;\nthread exit f;\nmodule entry f;\nmodule exit 'type';\n"},

		// functions
		{in(""), "function void f()  {\n}\n"},
		{"[a:b, c:d] function ssa pure nooptimize noinline noreturn nothrow int8 f() cdecl { }", "[a:b, c:d] function ssa pure nooptimize noinline noreturn nothrow int8 f() cdecl {\n}\n"},
		{"function nothrow noinline ssa void f() stdcall { }", "function ssa noinline nothrow void f() stdcall {\n}\n"},
		{"function 'noreturn' f() { } function 'void' g() { } function nothrow 'nothrow' h() { }", "function 'noreturn' f()  {\n}\nfunction 'void' g()  {\n}\nfunction nothrow 'nothrow' h()  {\n}\n"},
		{"function void noreturn() { }", "function void 'noreturn'()  {\n}\n"},
		{"function void() f() { }", "function void() f()  {\n}\n"},
		{"function void(int8) cdecl* f() cdecl { }", "function void(int8) cdecl* f() cdecl {\n}\n"},
		{"function void f(int8, [a:b] T&, noescape int8*, [c:d] noescape U[], 'noescape') { }", "function void f(int8, [a:b] T&, noescape int8*, [c:d] noescape U[], 'noescape')  {\n}\n"},
		{in("register int8 a; block b { } [k:v] register T c; [l:m] block d unwind b { }"), "function void f()  {\nregister int8 a;\n[k:v] register T c;\nblock b {\n}\n[l:m] block d unwind b {\n}\n}\n"},
		{in("block entry unwind entry { } block 'entry' { }"), "function void f()  {\nblock entry unwind entry {\n}\nblock entry {\n}\n}\n"},

		// instructions
		{body("nop; [a:b] nop; volatile nop; [a:b] volatile r = copy s;"), "function void f()  {\nblock entry {\nnop ;\n[a:b] nop ;\nvolatile nop ;\n[a:b] volatile r = copy s;\n}\n}\n"},
		{body("volatile = copy volatile; volatile volatile = copy r; forward = copy forward;"),
			"function void f()  {\nblock entry {\n'volatile' = copy 'volatile';\nvolatile 'volatile' = copy r;\n'forward' = copy 'forward';\n}\n}\n"},
		{body("'nop' = copy 'a b';"), "function void f()  {\nblock entry {\n'nop' = copy 'a b';\n}\n}\n"},
	}
	for _, tt := range tests {
		f, errs := parse(tt.src)
		if errs.HasErrors() {
			t.Errorf("%s: %v", tt.src, errs)
			continue
		}
		if got := Print(f); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.src, got, tt.want)
		}
	}
}

func TestTypes(t *testing.T) {
	// These types are printed as they are written.
	for _, typ := range []string{
		"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "int", "uint", "float32", "float64",
		"T", "m/T", "'type'", "'a b'/'c d'", "T&", "m/T&",
		"int8*", "int8**", "int8[]", "int8[][]", "int8[4]", "int8[0]", "int8{4}", "int8{0}", "T&*", "T&[]", "T&[4]", "T&()", "T&{2}",
		"int8[8][3]", "int8{8}[3]*", "void()", "void()*", "void()[]", "void()[4]", "void()()", "int8()", "int8(T)", "int8(T, U&, void())",
		"int8() cdecl", "int8() stdcall", "int8(int16, int8*) cdecl*", "float32{3}(int, float64)", "int8() cdecl() stdcall", "int8(int8() cdecl, T() stdcall) cdecl",
	} {
		f, errs := parse("type X { field " + typ + " x; }")
		if errs.HasErrors() {
			t.Errorf("%s: %v", typ, errs)
		} else if got := f.Types[0].Members[0].Type.String(); got != typ {
			t.Errorf("%s becomes %s", typ, got)
		}
	}
	// The suffixes apply from left to right.
	f, _ := parse("type X { field int8[8][3] x; }")
	typ := f.Types[0].Members[0].Type
	if typ.Kind != module.Vector || typ.Count != 3 || typ.Elem.Count != 8 || typ.Elem.Elem.Kind != module.Int8 {
		t.Errorf("int8[8][3] is %v of %v", typ, typ.Elem)
	}
	f, _ = parse("type X { field int8[0x10] x; }")
	if got := f.Types[0].Members[0].Type.Count; got != 16 {
		t.Errorf("0x10 is %d", got)
	}
}

// example has an operand of each kind.
var example = [...]string{
	module.OperandNone: "", module.OperandLiteral: "(1)", module.OperandLiterals: "(1, 2)", module.OperandType: "(int8*)", module.OperandMember: "(m/T:x)",
	module.OperandGlobal: "(m/g)", module.OperandThread: "(g)", module.OperandFunc: "(m/f)", module.OperandLabel: "(entry)", module.OperandBranch: "(entry, b)",
	module.OperandRegs: "(a, b)", module.OperandSymbol: "(libc, puts)", module.OperandData: "(d)",
}

// Every operation reads in its shape, and in no other.
func TestShapes(t *testing.T) {
	regs := []string{"", "a", "a, b", "a, b, c", "a, b, c, d"}
	for op := range module.Ops {
		row := &module.Ops[op]
		write := func(target bool, sources int, operand string) string {
			s := row.Mnemonic + " " + regs[sources] + operand + ";"
			if target {
				s = "r = " + s
			}
			return s
		}
		operand := example[row.Operand]
		good := write(row.Target, row.Sources, operand)
		f, errs := parse(body(good))
		if errs.HasErrors() {
			t.Errorf("%s: %v", good, errs)
			continue
		}
		if want := fmt.Sprintf("function void f()  {\nblock entry {\n%s\n}\n}\n", good); Print(f) != want {
			t.Errorf("%s becomes %s", good, Print(f))
		}
		bad := []string{
			write(!row.Target, row.Sources, operand),
			write(row.Target, row.Sources+1, operand),
			strings.Replace(good, ";", " entry;", 1),
		}
		if row.Sources > 0 {
			bad = append(bad, write(row.Target, row.Sources-1, operand))
		}
		if operand == "" {
			bad = append(bad, write(row.Target, row.Sources, "(1)"), write(row.Target, row.Sources, "()"))
		} else {
			bad = append(bad, write(row.Target, row.Sources, ""), write(row.Target, row.Sources, "(*)"), write(row.Target, row.Sources, "(a,)"),
				write(row.Target, row.Sources, operand+operand))
		}
		switch row.Operand {
		case module.OperandLiterals, module.OperandRegs:
			empty := write(row.Target, row.Sources, "()")
			if _, errs := parse(body(empty)); errs.HasErrors() {
				t.Errorf("%s: %v", empty, errs)
			}
		case module.OperandNone:
		default:
			bad = append(bad, write(row.Target, row.Sources, "()"))
		}
		for _, b := range bad {
			if f, errs := parse(body(b)); errs.Errors() != 1 || !f.Bad {
				t.Errorf("%s: %d errors: %v", b, errs.Errors(), errs.Err())
			}
		}
	}
}

// TestOffsets checks the parts of a tree that Print does not show.
func TestOffsets(t *testing.T) {
	src := "type T align 8 { field int8 x; }\nfunction void f(T&) { block b { [a:b] r = field.get a (m/T:x); } }\nentry m/f;"
	f, errs := parse(src)
	if errs.HasErrors() {
		t.Fatal(errs)
	}
	at := func(what string, got Off, want string) {
		t.Helper()
		if !strings.HasPrefix(src[got:], want) {
			t.Errorf("%s begins with %q", what, src[got:])
		}
	}
	d, fn := f.Types[0], f.Funcs[0]
	blk := fn.Blocks[0]
	i := &blk.Instrs[0]
	at("type", d.Off, "type T")
	at("name", d.Name.Off, "T align")
	at("alignment", d.AlignOff, "8 {")
	at("field", d.Members[0].Off, "field int8")
	at("type of the field", d.Members[0].Type.Off, "int8 x")
	at("function", fn.Off, "function")
	at("parameter", fn.Params[0].Type.Off, "T&)")
	at("end of function", fn.Close, "}\nentry")
	at("end of block", blk.Close, "} }\nentry")
	at("target", i.Target.Off, "r =")
	at("mnemonic", i.Off, "field.get")
	at("source", i.Src[0].Off, "a (")
	at("structure", i.Ref.Off(), "m/T")
	at("member", i.Member.Off, "x);")
	at("entry", f.Entries[0].Off, "entry")
	at("function of the entry", f.Entries[0].Func.Off(), "m/f")
	at("bracket", f.Brackets[0], "(m/T")
	if len(f.Brackets) != 1 {
		t.Errorf("%d brackets", len(f.Brackets))
	}
}
