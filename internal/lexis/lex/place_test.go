package lex

import "testing"

func TestAppendPlace(t *testing.T) {
	for _, c := range []struct {
		file string
		line int
		want string
	}{
		{"a.uir", 7, "a.uir:7"}, {"C:/a.uir", 7, "C:/a.uir:7"}, {"a:x5", 7, "a:x5:7"}, {"a5", 7, "a5:7"},
		{"a.uir", 0, "a.uir:1"}, {"a.uir", 1<<31 - 1, "a.uir:1073741824"},
		{"a:5", 7, "a:5:7:1"}, {"a:5:6", 7, "a:5:6:7:1"}, {":5", 7, ":5:7:1"}, {"a:+5", 7, "a:+5:7:1"}, {"a:-5", 7, "a:-5:7:1"},
		{"a\nb", 7, `a\nb:7`}, {"a*/b\xff", 7, `a*\x2fb\xff:7`}, {"**//", 1, `**\x2f/:1`},
	} {
		if got := string(AppendPlace([]byte("x "), c.file, c.line)); got != "x "+c.want {
			t.Errorf("%q, line %d: got %q, want %q", c.file, c.line, got, "x "+c.want)
		}
	}
}
