package diag

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestShort(t *testing.T) {
	long := "@" + strings.Repeat("n", 1<<20)
	list := strings.Repeat("@i64 ", 1<<18)
	for _, tt := range []struct {
		name, text, head, tail string
		max                    int
	}{
		{"short", "@x: ADD wants @i64, got @i32", "@x: ADD wants", "@i32", 28},
		{"name", long + ".v1", "@nnn", "nnn.v1", maxWord + 3},
		{"name in a text", "unknown name " + long + "; did you mean @n?", "unknown name @nn", "; did you mean @n?", 300},
		{"many words", list, "@i64 @i64", "@i64 ", maxArg + 3},
		{"not ASCII", strings.Repeat("é", 1000), "éé", "éé", maxWord + 3},
		{"spaces at the end", "a" + strings.Repeat(" ", 500), "a ", " ", 501},
	} {
		got := Short(tt.text)
		if !strings.HasPrefix(got, tt.head) || !strings.HasSuffix(got, tt.tail) || len(got) > tt.max || !utf8.ValidString(got) {
			t.Errorf("%s: %d bytes, %.40q ... want at most %d, %q ... %q", tt.name, len(got), got, tt.max, tt.head, tt.tail)
		}
	}
}

// TestShortMessages checks that no message in a list grows with the input, however it was
// added.
func TestShortMessages(t *testing.T) {
	s := NewSet()
	f := addFile(t, s, "f", "x\n")
	name := strings.Repeat("n", 1<<20)
	l := NewList(s)
	l.Errorf(f.Pos(0), "%s redefined, %v, %[1]s", name, []string{name}).Also(f.Pos(0), "previous definition of "+name)
	l.Warnf(f.Pos(0), "odd "+name)
	l.Add(&Diagnostic{Pos: f.Pos(1), Msg: name})
	for _, d := range l.All() {
		if text := l.Format(d); len(text) > maxMessage {
			t.Errorf("%d bytes: %.80s", len(text), text)
		}
	}
}
