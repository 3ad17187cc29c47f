package diag

import (
	"strings"
	"testing"
)

// A text with directives that goes to another folder names the same files.
func TestMoved(t *testing.T) {
	const text = "//line a.src:1:2\none\n//line sub/b.src:7\ntwo\n//line :9:1\n//line /abs/c.src:3\n//line x:y\n//line a:5:6:7\nend"
	const want = "//line ../dir/a.src:1:2\none\n//line ../dir/sub/b.src:7\ntwo\n//line :9:1\n//line /abs/c.src:3\n//line x:y\n//line ../dir/a:5:6:7\nend"
	if got := string(Moved("dir/f.uir", []byte(text), "out")); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := string(Moved("dir/f.uir", []byte(text), "dir")); got != text {
		t.Errorf("in the same folder: got\n%s\nwant\n%s", got, text)
	}
}

// The names of files are found once, whatever the folder: finding them takes allocations.
func TestPlacedNames(t *testing.T) {
	allocs := func(folder string) float64 {
		s := NewSet()
		s.Folder = folder
		f, _ := s.Add("dir/f.uir", []byte("//line a.src:1:1\none"))
		d := NewPlaced(s)
		if got, _, _ := d.Line(f.Pos(17), 0, 0); folder == "out" && got != "//line ../dir/a.src:1:1\n" {
			t.Errorf("got %q", got)
		}
		return testing.AllocsPerRun(10, func() {
			d.Line(f.Pos(17), 0, 0)
			d.Line(Pos{}, 0, 0)
		})
	}
	if here, out := allocs(""), allocs("out"); out > here {
		t.Errorf("%v allocations in another folder, %v in this", out, here)
	}
}

// Traces show a column where the directive gives one, in the line after it.
func TestTraced(t *testing.T) {
	const text = "  plain\n//line a.src:7:3\n  exact\n  next\n//line a.src:9\n  line\n"
	for _, places := range []Places{Both, Author, Bundle} {
		s := NewSet()
		s.Places = places
		f, _ := s.Add("f.uir", []byte(text))
		want := []string{"f.uir:1", "a.src:7:5", "a.src:8", "a.src:9"}
		if places == Bundle {
			want = []string{"f.uir:1", "f.uir:3", "f.uir:4", "f.uir:6"}
		}
		for i, word := range []string{"plain", "exact", "next", "line\n"} {
			if got := s.Traced(f.Pos(strings.LastIndex(text, word))).String(); got != want[i] {
				t.Errorf("%s, %s: %s, want %s", PlaceNames[places], word, got, want[i])
			}
		}
	}
	s := NewSet()
	f := s.AddMade(func(off int) Position { return []Position{{}, {"b.src", 1, 0}, {"b.src", 2, 4}}[off] }, nil)
	for off, want := range []string{"-", "b.src:1", "b.src:2:4"} {
		if got := s.Traced(Pos{f.ID(), uint32(off)}).String(); got != want {
			t.Errorf("part %d: %s, want %s", off, got, want)
		}
	}
	if got := s.Traced(Pos{}); got.IsValid() {
		t.Error(got)
	}
}
