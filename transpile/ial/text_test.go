package ial

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile/dialect"
)

func TestConvert(t *testing.T) {
	text, diags := convert(dialect.Source{Name: "dir/a.ial", Text: []byte("// c\ntype T { field a/T& t; } function void f() { }")}, dialect.Options{})
	if want := "type T\n{\n    field T& t;\n}\n\nfunction void f()\n{\n}\n"; diags.HasErrors() || string(text) != want {
		t.Errorf("got %s %v", text, diags.Err())
	}
	if text, diags := convert(dialect.Source{Name: "a.ial", Text: []byte("type T { field U t; }")}, dialect.Options{}); text != nil || diags.Errors() != 1 {
		t.Errorf("got %s %v", text, diags.Err())
	}
}

func TestRecognize(t *testing.T) {
	for _, text := range []string{
		"// c\n\ntype T { }", "type 'a b' align 4 { }", "\xef\xbb\xbffield global int8 x;", "field thread T* y;", "function ssa void f() { }", "data d (1);",
		"entry main;", "entry m/main;", "thread entry f;", "thread exit f;", "module entry f;", "module exit f;", "[a:b] type T { }", "[] data d ();",
	} {
		if recognize([]byte(text)) != dialect.Certain {
			t.Errorf("%q is not recognised", text)
		}
	}
	for _, text := range []string{
		"", "// c", ".typedef @i64 = int<64>", "type @a = int<64>", "func @f(", "program", "module m", "data 5", "entry", "\x00\x01", "type T", "typed T { }", "'type' T { }",
	} {
		if recognize([]byte(text)) != dialect.None {
			t.Errorf("%q is taken for IAL", text)
		}
	}
}
