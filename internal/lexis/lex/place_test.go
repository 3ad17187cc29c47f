package lex

import (
	"path"
	"testing"
)

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

// TestMarkFile: the numbers come back, and tools that clean paths see the file.
func TestMarkFile(t *testing.T) {
	for _, file := range []string{"a.uir", "lib/a.uir", "/lib/a.uir", "../a.uir", ".a", "..", NoFile, "a:5", "a;1", "x.", `a\n.uir`} {
		for _, n := range [][2]int{{0, 0}, {1, 0}, {2, 0}, {0, 1}, {5, 3}, {1000, 77}, {1<<30 - 1, 1}} {
			marked := MarkFile(file, n[0], n[1])
			got, first, second, ok := UnmarkFile(marked)
			if got != file || first != n[0] || second != n[1] || !ok || path.Clean(marked) != path.Clean(file) {
				t.Errorf("%s with %v is %s, read as %s %d %d %v", file, n, marked, got, first, second, ok)
			}
			if twice := MarkFile(marked, 6, 0); !IsMarked(marked) {
				t.Errorf("%s is marked", marked)
			} else if got, first, second, _ := UnmarkFile(twice); got != marked || first != 6 || second != 0 {
				t.Errorf("%s is read as %s %d %d", twice, got, first, second)
			}
		}
		if got, _, _, ok := UnmarkFile(file); ok || got != file {
			t.Errorf("%s is read as %s", file, got)
		}
	}
	for _, file := range []string{"", "./a", ".//a", "x.///b", ".///x/a", "./////a"} {
		if got, n, _, ok := UnmarkFile(file); ok && MarkFile(got, n, 0) != file {
			t.Errorf("%q is read as %s %d", file, got, n)
		}
	}
	for _, tt := range []struct{ got, want string }{
		{MarkFile("lib/fib.uir", 1, 0), "lib/.///.//fib.uir"},
		{MarkFile("fib.uir", 0, 2), ".///.///././/fib.uir"},
		{MarkFile(`C:\src\a.uir`, 2, 0), `C:\src\.///././/a.uir`},
	} {
		if tt.got != tt.want {
			t.Errorf("got %s, want %s", tt.got, tt.want)
		}
	}
}
