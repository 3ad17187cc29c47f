package diag

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unsafe"
)

func addFile(t *testing.T, s *Set, name, content string) *File {
	t.Helper()
	f, err := s.Add(name, []byte(content))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestPosSize(t *testing.T) {
	if n := unsafe.Sizeof(Pos{}); n != 8 {
		t.Errorf("a Pos takes %d bytes, want 8", n)
	}
}

func TestPosition(t *testing.T) {
	tests := []struct {
		content string
		off     int
		want    string
	}{
		{"", 0, "f:1:1"},
		{"abc", 0, "f:1:1"},
		{"abc", 2, "f:1:3"},
		{"abc", 3, "f:1:4"},  // end of file
		{"abc", 99, "f:1:4"}, // beyond it
		{"a\nbc\n", 1, "f:1:2"},
		{"a\nbc\n", 2, "f:2:1"},
		{"a\nbc\n", 5, "f:3:1"}, // after the last newline
		{"a\r\nbc", 3, "f:2:1"},
		{"a\r\nbc", 1, "f:1:2"},
		{"a\rbc\r", 2, "f:2:1"}, // a carriage return alone ends a line too
		{"a\rbc\r", 5, "f:3:1"},
		{"é x", 3, "f:1:4"}, // columns are bytes
		{"\n\n\nx", 3, "f:4:1"},
	}
	for _, tt := range tests {
		s := NewSet()
		f := addFile(t, s, "f", tt.content)
		if got := s.Position(f.Pos(tt.off)).String(); got != tt.want {
			t.Errorf("offset %d of %q: got %s, want %s", tt.off, tt.content, got, tt.want)
		}
	}
}

func TestBinaryPosition(t *testing.T) {
	s := NewSet()
	f, err := s.AddBinary("f.uirb", []byte("\n\n\n\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Position(f.Pos(3)).String(); got != "f.uirb:1:4" {
		t.Errorf("got %s, want f.uirb:1:4", got)
	}
}

func TestUnknownPosition(t *testing.T) {
	s := NewSet()
	for _, p := range []Pos{{}, {File: 7}} {
		if got := s.Position(p); got.IsValid() {
			t.Errorf("%v: got %v, want no position", p, got)
		}
	}
	var none *Set
	if none.Position(Pos{File: 1}).IsValid() {
		t.Error("a nil set knows a position")
	}
}

// report makes a list with typical diagnostics, added out of order.
func report(t *testing.T) *List {
	s := NewSet()
	a := addFile(t, s, "a.uir", "one\ntwo\nthree\n")
	b := addFile(t, s, "b.uir", "x\ny\n")
	l := NewList(s)
	l.Errorf(b.Pos(2), "@y redefined").Also(a.Pos(4), "previous definition")
	l.Errorf(a.Pos(8), "bad %s", "three")
	l.Warnf(a.Pos(4), "odd")
	l.Errorf(a.Pos(8), "bad three") // a duplicate
	l.Errorf(a.Pos(8), "also bad")
	l.Errorf(Pos{}, "no place")
	return l
}

func TestPrint(t *testing.T) {
	l := report(t)
	var buf bytes.Buffer
	if err := l.Print(&buf); err != nil {
		t.Fatal(err)
	}
	want := `no place
a.uir:2:1: warning: odd
a.uir:3:1: also bad
a.uir:3:1: bad three
b.uir:2:1: @y redefined
	previous definition at a.uir:2:1
`
	if got := buf.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if l.Errors() != 4 || l.Warnings() != 1 || !l.HasErrors() {
		t.Errorf("got %d errors, %d warnings", l.Errors(), l.Warnings())
	}
}

func TestPrintTooMany(t *testing.T) {
	s := NewSet()
	f := addFile(t, s, "f", strings.Repeat("\n", 40))
	tests := []struct {
		n, max int
		lines  int
		last   string
	}{
		{10, 0, 10, "f:10:1: e10"},
		{11, 0, 11, "too many errors (1 more)"},
		{25, 0, 11, "too many errors (15 more)"},
		{25, 3, 4, "too many errors (22 more)"},
		{25, -1, 25, "f:25:1: e25"},
	}
	for _, tt := range tests {
		l := NewList(s)
		l.MaxErrors = tt.max
		for i := tt.n; i > 0; i-- {
			l.Errorf(f.Pos(i-1), "e%d", i)
		}
		var buf bytes.Buffer
		l.Print(&buf)
		lines := strings.Split(strings.TrimSuffix(buf.String(), "\n"), "\n")
		if len(lines) != tt.lines || lines[len(lines)-1] != tt.last {
			t.Errorf("%d errors, limit %d: got %d lines, last %q; want %d, %q",
				tt.n, tt.max, len(lines), lines[len(lines)-1], tt.lines, tt.last)
		}
	}
}

func TestWarningsDoNotCount(t *testing.T) {
	s := NewSet()
	f := addFile(t, s, "f", strings.Repeat("\n", 40))
	l := NewList(s)
	for i := range 30 {
		l.Warnf(f.Pos(i), "w")
	}
	if l.Err() != nil {
		t.Errorf("warnings alone are no error, got %v", l.Err())
	}
	l.Errorf(f.Pos(35), "e")
	var buf bytes.Buffer
	l.Print(&buf)
	if got := strings.Count(buf.String(), "\n"); got != 31 {
		t.Errorf("got %d lines, want 31", got)
	}
}

func TestErr(t *testing.T) {
	l := report(t)
	err := fmt.Errorf("reading: %w", l.Err())
	var got *List
	if !errors.As(err, &got) || got != l {
		t.Error("the list does not come out of the error")
	}
	if want := "reading: no place (and 3 more)"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	if NewList(NewSet()).Err() != nil {
		t.Error("an empty list is an error")
	}
}

func TestMerge(t *testing.T) {
	s := NewSet()
	f := addFile(t, s, "f", "\n\n\n")
	a, b := NewList(s), NewList(s)
	a.Errorf(f.Pos(2), "second")
	b.Errorf(f.Pos(1), "first")
	b.Errorf(f.Pos(2), "second")
	a.Merge(b)
	a.Merge(nil)
	var msgs []string
	for _, d := range a.All() {
		msgs = append(msgs, d.Msg)
	}
	if got := strings.Join(msgs, " "); got != "first second" || a.Errors() != 2 {
		t.Errorf("got %q, %d errors", got, a.Errors())
	}
}
