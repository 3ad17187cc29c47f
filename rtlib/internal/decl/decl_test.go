package decl

import (
	"strings"
	"testing"
)

// TestParse: one definition of each kind, and where names are greedy (docs/language.md, "Text").
func TestParse(t *testing.T) {
	defs, errs := Parse(`.typedef @a-.b = array<@c- 0x10> .funcsig @s=(@x @y)->()  // .global @no <@x>
		.const @c <@t> = {@1 @2} .const @d <@t> = EXTERN "a{b" .global @g <@t> .funcdecl @f <@s>
		.funcdef @h VERSION @h.v <@s> { %e(<@t> %x) [%y]: SWITCH <@t> %x %d() { @1 %d() } "}" }
		.expose @e = @f #DEFAULT @k .const @m <@t> = bitsf ( -1 )`)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	var names []string
	for i, d := range defs {
		names = append(names, d.Name.Text)
		if want := []Kind{Type, Sig, Const, Const, Global, FuncDecl, FuncDef, Expose, Const}[i]; d.Kind != want {
			t.Errorf("%s is of kind %d, want %d", d.Name.Text, d.Kind, want)
		}
	}
	if got := strings.Join(names, " "); got != "@a-.b @s @c @d @g @f @h @e @m" {
		t.Error(got)
	}
	if defs[0].Args[0].Text != "@c-" || defs[0].Len.Lo != 16 || defs[3].Value.Symbol != "a{b" || defs[8].Value.Lo != 0xffffffff {
		t.Errorf("%+v", defs[0])
	}
}

func TestIntegers(t *testing.T) {
	for _, k := range []struct {
		v    Value
		bits uint32
		fits bool
		hi   uint64
		lo   uint64
	}{
		{Value{Lo: 255}, 8, true, 0, 255},
		{Value{Lo: 256}, 8, false, 0, 0},
		{Value{Lo: 128, Neg: true}, 8, true, 0, 128},
		{Value{Lo: 129, Neg: true}, 8, false, 0, 127},
		{Value{Neg: true}, 1, true, 0, 0},
		{Value{Lo: 1, Neg: true}, 100, true, 1<<36 - 1, 1<<64 - 1},
		{Value{Hi: 1 << 63, Neg: true}, 128, true, 1 << 63, 0},
		{Value{Hi: 1<<63 + 1, Neg: true}, 128, false, 1<<63 - 1, 0},
	} {
		hi, lo := k.v.Bits(k.bits)
		if k.v.Fits(k.bits) != k.fits || hi != k.hi || lo != k.lo {
			t.Errorf("%+v in %d bits: fits %t, %x %x", k.v, k.bits, k.v.Fits(k.bits), hi, lo)
		}
	}
}

// FuzzParse: no text makes it panic or hang, errors lie in the text, and one without errors is
// all definitions.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		".typedef @a = struct<@b @c> .global @g <@a>", ".const @c <@t> = -infd", ".funcdef @f VERSION %v <@s> { { } ", `.const @x <@p> = EXTERN "`,
		".global $ .global @g", ".typedef .typedef @a", "->", ".global @a <@b> x", ".const @c <@t> = bitsd(", "\x00.global @g <@t>",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		defs, errs := Parse(src)
		for _, e := range errs {
			if e.Off < 0 || e.Off > len(src) || e.Msg == "" {
				t.Fatalf("%+v", e)
			}
		}
		for _, d := range defs {
			if !strings.HasPrefix(src[d.Name.Off:], d.Name.Text) {
				t.Fatalf("%+v", d)
			}
		}
	})
}
