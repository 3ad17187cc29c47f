package symbol_test

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/internal/lexis/symbol"
)

func TestFault(t *testing.T) {
	long := strings.Repeat("a", symbol.MaxLen)
	for _, ok := range []string{
		"a", "_", "sin@GLIBC_2.2.5", "a.b", "a$b", "-x", "operator+", "_ZN1aC1Ev", "?f@1", "[x]{y}|~^!&=:", "größe", "数", "1", ".", long,
	} {
		if why := symbol.Fault(ok); why != "" {
			t.Errorf("%q: %s", ok, why)
		}
	}
	for text, want := range map[string]string{
		"":         "bad empty native symbol: write the name that the linker knows",
		"a b":      `bad native symbol "a b": ' ' cannot be part of a symbol`,
		"a\nb":     `bad native symbol "a\nb": U+000A cannot be part of a symbol`,
		"a\x00":    `bad native symbol "a\x00": U+0000 cannot be part of a symbol`,
		"a\x7f":    `bad native symbol "a\x7f": U+007F cannot be part of a symbol`,
		"a*/":      `bad native symbol "a*/": '*' cannot be part of a symbol`,
		"a'":       `bad native symbol "a'": "'" cannot be part of a symbol`,
		"a\u2028b": `bad native symbol "a\u2028b": U+2028 cannot be part of a symbol`,
		"a\u202eb": `bad native symbol "a\u202eb": U+202E cannot be part of a symbol`,
		"a\u00a0b": `bad native symbol "a\u00a0b": U+00A0 cannot be part of a symbol`,
		"a\ufffdb": `bad native symbol "a` + "\ufffd" + `b": '` + "\ufffd" + `' cannot be part of a symbol`,
		"a\xffb":   `bad native symbol "a\xffb": byte 0xff at 1 is not UTF-8`,
		"@a":       `bad native symbol "@a": '@' stands only between a name and its version, as in sin@GLIBC_2.2.5`,
		"a@":       `bad native symbol "a@": '@' stands only between a name and its version, as in sin@GLIBC_2.2.5`,
		"a@b@c":    `bad native symbol "a@b@c": '@' stands only between a name and its version, as in sin@GLIBC_2.2.5`,
		long + "a": `bad native symbol "` + long[:80] + `"...: it has 4097 bytes, and at most 4096 are possible`,
	} {
		if got := symbol.Fault(text); got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
	for _, c := range " \"'`\\(),;#%*/<>" {
		if want := " cannot be part of a symbol"; !strings.HasSuffix(symbol.Fault("a"+string(c)+"b"), want) {
			t.Errorf("%q is accepted", c)
		}
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]bool{
		"a": true, "_a.b$1": true, "größe": true, "": false, ".": false, ".L1": false, "$x": false, "1a": false, "a+b": false, "a@b": false,
		"a b": false, "a\n": false, `a"`: false, "a*/": false, "a\\": false, "a\xff": false, "a\u2028": false, "a%b": false,
	} {
		if got := symbol.Plain(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
