package diag

import (
	"strings"
	"testing"
)

// Comments //name hold from their line to the end of the function, or the next one for the same name.
func TestCalled(t *testing.T) {
	const text = "//name a before\nfirst a\n  //name a one\n//name b of two\n//name b\n\ta b\n//name a again\na\nsecond a\n"
	s := NewSet()
	f, _ := s.Add("f.uir", []byte(text))
	starts := func() []uint32 {
		return []uint32{uint32(strings.Index(text, "first")), uint32(strings.Index(text, "second"))}
	}
	for _, tt := range []struct{ at, local, want string }{
		{"first a", "a", ""}, {"\ta b", "a", "one"}, {"\ta b", "b", ""}, {"\na\n", "a", "again"}, {"second a", "a", ""}, {"\na\n", "c", ""}, {"\na\n", "", ""},
	} {
		if got := s.Called(f.Pos(strings.Index(text, tt.at)+1), tt.local, starts); got != tt.want {
			t.Errorf("%q: %s is called %q, want %q", tt.at, tt.local, got, tt.want)
		}
	}
	if s.Called(Pos{}, "a", starts) != "" {
		t.Error("names of no file")
	}
	for _, text := range []string{"x // //name a b\na", "//name a \x1b[2J\na", "//name a \xff\na"} {
		f, _ := s.Add("g.uir", []byte(text))
		if got := s.Called(f.Pos(len(text)-1), "a", func() []uint32 { return nil }); got != "" {
			t.Errorf("%q: a is called %q", text, got)
		}
	}
}

// TestNamings checks that a comment is written where another name begins to hold, in the form that is read.
func TestNamings(t *testing.T) {
	n := Namings{}
	for i, row := range []struct{ local, name, want string }{
		{"%a", "", ""}, {"%a", "one", "//name %a one\n"}, {"%a", "one", ""}, {"%b", "one", "//name %b one\n"},
		{"%a", "two", "//name %a two\n"}, {"%a", "", "//name %a a\n"}, {"%a", "", ""}, {"", "one", ""}, {"a b", "one", ""},
	} {
		if got := n.Before(row.local, row.name, "a"); got != row.want {
			t.Errorf("row %d: %q, want %q", i, got, row.want)
		}
	}
}
