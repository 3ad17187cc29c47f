package diag

import "testing"

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
