package lex

import (
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestVisible(t *testing.T) {
	for _, c := range [][2]string{
		{"", ""}, {"@f.v1 é 日本", "@f.v1 é 日本"}, {`C:\new "x" 'y'`, `C:\new "x" 'y'`},
		{"two\nlines", `two\nlines`}, {"\r\t\x00\x1b\x7f", `\r\t\x00\x1b\x7f`}, {"a\u0085b", `a\u0085b`},
		{"a\u2028b\u2029", `a\u2028b\u2029`}, {"\ufeffx", `\ufeffx`}, {"x\u202ey", `x\u202ey`}, {"a\u00a0b\u3000", `a\u00a0b\u3000`},
		{"a\xffb\xc3", `a\xffb\xc3`}, {"\ufffd", "\ufffd"}, {"\xed\xa0\x80", `\xed\xa0\x80`}, {"\U000e0001", `\U000e0001`},
	} {
		if got := Visible(c[0]); got != c[1] {
			t.Errorf("%q: got %s, want %s", c[0], got, c[1])
		}
	}
}

func FuzzVisible(f *testing.F) {
	for _, s := range []string{"", "a\n\xff", "@f g", `"a"`, `"`, `a\n`, "\u2028"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v := Visible(s)
		if !utf8.ValidString(v) {
			t.Errorf("%q: %q is not UTF-8", s, v)
		}
		for _, r := range v {
			if !unicode.IsPrint(r) {
				t.Errorf("%q: %q has %U", s, v, r)
			}
		}
		if Visible(v) != v {
			t.Errorf("%q: %q changes again", s, v)
		}
		if l := Line(s); Visible(l) != l || FromLine(l) != s {
			t.Errorf("%q: the line %q gives %q", s, l, FromLine(l))
		}
	})
}
