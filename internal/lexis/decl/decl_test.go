package decl

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/internal/lexis/fixture/lextest"
)

// parse reads a text; the second result has its errors.
func parse(src string) (*Parser, string) {
	p := Parse([]byte(src), NewSymbols())
	return p, lextest.Format("t", p.Src, p.Reports)
}

// TestParse: one definition of each kind, and where names are greedy (docs/language.md, "Text").
func TestParse(t *testing.T) {
	p, errs := parse(`.typedef @a-.b = array<@c- 0x10> .funcsig @s=(@x @y)->()  // .global @no <@x>
		.const @c <@t> = {@1 @2} .const @d <@t> = EXTERN "a{b" .global @g <@t> .funcdecl @f <@s>
		.funcdef @h VERSION @h.v <@s> { %e(<@t> %x) [%y]: SWITCH <@t> %x %d() { @1 %d() } 08 "}" }
		.expose @e = @f #DEFAULT @k .const @m <@t> = bitsf ( -1 )`)
	if errs != "" {
		t.Fatal(errs)
	}
	var names []string
	for _, d := range p.Defs {
		_, n := d.Head()
		names = append(names, p.Syms.String(n.Sym))
	}
	if got := strings.Join(names, " "); got != "@a-.b @s @c @d @g @f @h @e @m" {
		t.Error(got)
	}
	a, d, m := p.Defs[0].(*TypeDef), p.Defs[3].(*ConstDef), p.Defs[8].(*ConstDef)
	if p.Syms.String(a.Args[0].Sym) != "@c-" || a.Len.Lo != 16 || d.Symbol != "a{b" || m.FP.Bits.Lo != 1 || !m.FP.Bits.Neg {
		t.Errorf("%+v", a)
	}
	if h, ok := p.Defs[6].(*FuncHead); !ok || p.Syms.String(h.Version.Sym) != "@h.v" {
		t.Errorf("%+v", p.Defs[6])
	}
}

// TestErrors: each error has its place, and later errors are also found.
func TestErrors(t *testing.T) {
	for _, k := range []struct{ src, want string }{
		{".global @a\n.global @b <@t> x .global", "t:2:1: bad .global @a: wanted <, found .global; write .global @name <@type>\n\t.global @a begins at t:1:1\n" +
			"t:2:17: wanted a definition such as .typedef, found x\nt:2:26: bad .global: wanted a global name, found end of file; write .global @name <@type>\n\t.global begins at t:2:19\n"},
		{".funcdef @f VERSION %v <@s> { %e(): { RET ()", "t:1:45: bad .funcdef @f: wanted } at the end of the function, found end of file\n\t.funcdef @f begins at t:1:1\n"},
		{".typedef @a = uint8_t .typedef @b = i32 .typedef @c = integer", "t:1:15: bad .typedef @a: wanted a type constructor such as int<32>, found uint8_t; write int<8>\n" +
			"t:1:37: bad .typedef @b: wanted a type constructor such as int<32>, found i32; write int<32>\n" +
			"t:1:55: bad .typedef @c: wanted a type constructor such as int<32>, found integer; write .typedef @name = int<64>\n"},
	} {
		if _, got := parse(k.src); got != k.want {
			t.Errorf("%s\n got %s\nwant %s", k.src, got, k.want)
		}
	}
}

// TestShapes: every definition and type has a shape, and each shape parses without
// errors.
func TestShapes(t *testing.T) {
	words := Words()
	for k := KwTypedef; k <= KwExpose; k++ {
		shape := defShape(k)
		if _, errs := parse(shape); errs != "" && k != KwDef || !strings.HasPrefix(shape, words[k]+" ") {
			t.Errorf("%s: shape %q: %s", words[k], shape, errs)
		}
	}
	for kind := TypeInt; kind <= TypeTagRef64; kind++ {
		shape, _, _ := strings.Cut(typeShape(kind), ",")
		if shape == "" {
			shape = kind.String()
		}
		if _, errs := parse(".typedef @t = " + shape); errs != "" {
			t.Error(errs)
		}
	}
}

// FuzzParse: no text makes Parse panic or hang, errors are inside the text, and a text without errors
// consists of definitions.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		".typedef @a = struct<@b @c> .global @g <@a>", ".const @c <@t> = -infd", ".funcdef @f VERSION %v <@s> { { } ", `.const @x <@p> = EXTERN "`,
		".global $ .global @g", ".typedef .typedef @a", "->", ".global @a <@b> x", ".const @c <@t> = bitsd(", ".typedef a = struct<int<8> ref<a>> .const c <a> = {<int<8>> 1 <ref<a>> NULL}", ".funcdecl f <(int<8> a) -> ()> .global g <int",
		"\x00.global @g <@t>",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		p, _ := parse(src)
		for _, r := range p.Reports {
			if int(r.Off) > len(src) || r.Msg == "" {
				t.Fatalf("%+v", r)
			}
		}
		for _, d := range p.Defs {
			_, n := d.Head()
			if len(p.Reports) == 0 && !strings.HasPrefix(src[n.Off:], p.Syms.String(n.Sym)) && !strings.HasPrefix(src[n.Off:], p.Syms.String(n.Sym)[1:]) {
				t.Fatalf("%+v", d)
			}
		}
	})
}
