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
