package repl

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
)

func someNames(prefix string) []string {
	return withPrefix([]string{"@fib", "@fibs", "@i64", "@int", "@é1", "@è2"}, prefix)
}

// TestEdit types keys: each line ends with Enter or Ctrl-C.
func TestEdit(t *testing.T) {
	for _, test := range []struct {
		name, typed string
		want        []string
		shown       string // part of the output
	}{
		{"plain", "@fib(3)\r", []string{"@fib(3)"}, "> @fib(3)"},
		{"erased", "@fix\x7fb\r", []string{"@fib"}, ""},
		{"cursor", "ib\x01@f\r", []string{"@fib"}, ""},
		{"history", "@i64\r\x1b[A\r", []string{"@i64", "@i64"}, ""},
		{"canceled", "@fib(1\x03@i64\r", []string{"canceled", "@i64"}, ""},
		{"canceled in the middle", "abc\x01\x03@i64\r", []string{"canceled", "@i64"}, ""},
		{"emptied by hand", "abc\x05\x15\r", []string{""}, ""},
		{"completed", "@fi\t(2)\r", []string{"@fib(2)"}, ""},
		{"completed in the middle", "@i(@i6)\x1b[D\t\r", []string{"@i(@i64)"}, ""},
		{"listed", "@fib\ts\r", []string{"@fibs"}, "@fib  @fibs"},
		{"no name", "@x\t\r", []string{"@x"}, ""},
		{"letters of several bytes", "@\t\r", []string{"@"}, "@i64  @int"},
		{"command", ":ty\t @i64\r", []string{":type @i64"}, ""},
		{"keyword", ".ty\t\r", []string{".typedef"}, ""},
		{"keywords", ".func\td\t\r", []string{".funcde"}, ".funcdecl  .funcdef"},
		{"number", "12\t\r", []string{"12"}, ""},
	} {
		var out bytes.Buffer
		e := editorOf(strings.NewReader(test.typed), &out, someNames)
		var got []string
		for {
			line, err := e.line("> ")
			if err == io.EOF {
				break
			}
			if err == errCanceled {
				line = err.Error()
			}
			got = append(got, line)
		}
		if !slices.Equal(got, test.want) || !strings.Contains(out.String(), test.shown) {
			t.Errorf("%s: %q, want %q; shown: %q, want %q in it", test.name, got, test.want, &out, test.shown)
		}
	}
}

// A definition that has begun is dropped with Ctrl-C, and the lines after it have their numbers.
func TestDrop(t *testing.T) {
	var s splitter
	s.add(".typedef @a = struct<")
	s.drop()
	if got := s.add("@b"); s.pending() || len(got) != 1 || got[0].line != 3 {
		t.Errorf("%+v", got)
	}
}
