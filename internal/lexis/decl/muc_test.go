package decl

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// TestIsMuc: which signs decide that a text is in the form of muc (docs/language.md, "The form of muc").
func TestIsMuc(t *testing.T) {
	words := lex.NewKeywords(Words())
	for _, tt := range []struct {
		src string
		muc bool
	}{
		{"", false},
		{"// .typedef a = int<8>", false},
		{".typedef a = int<8>", true},                 // no sigil
		{".typedef a = int<8> // @b", true},           // in a comment
		{".typedef = int<8>", false},                  // no name
		{"function a = b()", false},                   // another language
		{"typedef a = int<8>", false},                 // likewise
		{".typedef a = int<8> .global @b <a>", false}, // one sign
		{".typedef @a = ref<int<8>>", false},
		{".funcsig @s = (int<8>) -> ()", false},
		{".const @c <@i> = 1 .global @g <@i>", false},
		{".funcdecl @f <@s> .funcsig @s = () -> () .funcdef @f <@s> {", false},
		{".funcdef @f VERSION %v <@s> { e(<int<8>> x): y = ADD <@i> x <@i> 1", false}, // 2016 before all signs
		{".funcdef @f VERSION %v <@s> {} .funcdef f <() -> ()> {", false},
		{".typedef a = int<8> .typedef @r = ref<int<8>>", true}, // two signs
		{".typedef a = int<8> .funcdef @f <@s> {", true},
		{".typedef a = int<8> .funcdef f VERSION v <@s> {\ne(<a> x):", true},
		{".funcdef @f <(@i) -> ()> {", true},
		{".funcdef @f <@s> { %e(<int<8>> %x): RET () } .funcsig @s = () -> ()", true},
		{".funcdef @f <@s> { %e(<int<8>> %x): RET () }", false},                   // as in 2014
		{".funcdef @f <int<8> (int<8>)> (%x) { %entry: RET <int<8>> %x }", false}, // 2014
		{".const @c <@i> = 1 .funcdef @f <@s> { %e(): RET <@i> 1 } .funcsig @s = () -> ()", true},
	} {
		if got := IsMuc([]byte(tt.src), words); got != tt.muc {
			t.Errorf("%s: %v", tt.src, got)
		}
	}
}

// TestMucDefs: the names and the definitions in place of a text in the form of muc.
func TestMucDefs(t *testing.T) {
	p, errs := parse(".typedef a = struct<int<8> b int<8>> .const @c <a> = {<int<8>> 1 x <int<8>> 1} .funcdef f <(a) -> (b)> { e(): { } }")
	if errs != "" {
		t.Fatal(errs)
	}
	var names []string
	for _, list := range [][]Def{p.Inline, p.Defs} {
		for _, d := range list {
			_, n := d.Head()
			names = append(names, p.Syms.String(n.Sym))
		}
	}
	if got, want := strings.Join(names, "; "), "int<8>; <int<8>> 1; (a) -> (b); @a; @c; @f"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if h := p.Defs[2].(*FuncHead); !h.Unversioned || p.Syms.String(h.Version.Sym) != "%v1" {
		t.Errorf("%+v", h)
	}
	_, errs = parse(".global a <ref<int>> .global b <array<int<8> c>> .global %c <(a) -> ()> .funcdecl f <(a)>")
	want := "t:1:19: bad .global a: wanted <, found >; write int<64>\n" +
		"t:1:46: bad .global b: wanted the length, found c; write array<type 10>\n" +
		"t:1:58: bad .global: wanted a global name, found %c; the name must be global, with @\n" +
		"t:1:62: bad .global %c: wanted the name of a type, found (; write .global name <type>\n" +
		"t:1:89: bad .funcdecl f: wanted ->, found >; write .funcdecl name <signature>\n"
	if errs != want {
		t.Errorf("got %s\nwant %s", errs, want)
	}
}
