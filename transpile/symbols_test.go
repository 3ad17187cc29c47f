package transpile_test

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// TestSymbols: what is no native symbol is one error at the name, in the same words in every dialect.
func TestSymbols(t *testing.T) {
	long := strings.Repeat("a", 4097)
	tooLong := `bad native symbol "` + long[:80] + `"...: it has 4097 bytes, and at most 4096 are possible`
	short := diag.Short("@" + long)
	mu := func(symbol string) string {
		return ".funcsig @s = () -> () .typedef @fp = ufuncptr<@s>\n.const @f <@fp> = EXTERN \"" + symbol + "\""
	}
	ial := func(symbol string) string {
		return "function int32 f(int32) cdecl { block entry { ffi ('libc', '" + symbol + "'); } }"
	}
	for _, tt := range []struct{ file, text, want string }{
		{"a.uir", mu("a b"), `a.uir:2:26: @f: bad native symbol "a b": ' ' cannot be part of a symbol`},
		{"a.uir", mu("a*/b"), `a.uir:2:26: @f: bad native symbol "a*/b": '*' cannot be part of a symbol`},
		{"a.uir", mu("a\xff"), `a.uir:2:28: bad string: byte 0xff is not UTF-8`},
		{"a.uir", mu("a\u2028"), `a.uir:2:26: @f: bad native symbol "a\u2028": U+2028 cannot be part of a symbol`},
		{"a.uir", mu(long), "a.uir:2:26: @f: " + tooLong},
		{"a.uir", ".funcsig @s = () -> () .funcdecl @f <@s> .typedef @i = int<64> .const @0 <@i> = 0\n.expose @" + long + " = @f #DEFAULT @0",
			"a.uir:2:9: " + short + ": " + tooLong},
		{"a.uir", ".funcdef @f <void (int<64>)> (%x) {\nCCALL DEFAULT <void (int<64>)> @" + long + " (%x) RETVOID }",
			"a.uir:2:32: " + short + " is defined nowhere and is no native symbol: " + tooLong},
		{"a.ir", "const @f: ufuncptr<() -> ()> = extern \"a\\n.incbin\"", `a.ir:1:39: bad native symbol "a\n.incbin": U+000A cannot be part of a symbol`},
		{"a.ial", ial("a b"), `a.ial:1:60: bad native symbol "a b": ' ' cannot be part of a symbol`},
		{"a.ial", ial("*/"), `a.ial:1:60: bad native symbol "*/": '*' cannot be part of a symbol`},
		{"a.tvm", "%" + long + " = function () > empty;", "a.tvm:1:1: " + diag.Short("%"+long) + " is defined nowhere and is no native symbol: " + tooLong},
	} {
		p, diags := transpile.Load([]transpile.Source{{Name: tt.file, Text: []byte(tt.text)}}, transpile.Options{})
		if got := diags.Error(); p != nil || got != tt.want {
			t.Errorf("%.80q: loaded: %v\n got %s\nwant %s", tt.text, p != nil, got, tt.want)
		}
	}
}

// TestSymbolBuilder: front ends that build the representation get the same errors.
func TestSymbolBuilder(t *testing.T) {
	b := ir.NewBuilder(nil)
	b.ExternConst(b.Types.Of(ir.KUFuncPtr, b.Types.Sig(nil, nil)), "a;b")
	_, err := b.Finish()
	if want := `bad native symbol "a;b": ';' cannot be part of a symbol`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
