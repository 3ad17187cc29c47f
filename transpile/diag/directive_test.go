package diag

import (
	"strings"
	"testing"
)

func TestDirectives(t *testing.T) {
	const text = `one
//line a.src:10:5
two
  three
 //line no.src:1:1
four
//line b.src:7
five //line no.src:1:1
//line :20:3
six
//line /abs/c.src:1:1
seven
//line :0:1
//line x
//line x:y
//line big.src:1073741825
//line big.src:1073741825:1
//line C:dir:1:2
eight
//line big.src:1073741824
nine
`
	for _, c := range []struct {
		word, want, physical string
	}{
		{"one", "dir/f.uir:1:1", "dir/f.uir:1:1"},
		{"two", "dir/a.src:10:5", "dir/f.uir:3:1"},
		{"three", "dir/a.src:11:3", "dir/f.uir:4:3"},
		{"four", "dir/a.src:13:1", "dir/f.uir:6:1"},
		{"five", "dir/b.src:7:1", "dir/f.uir:8:1"},
		{"six", "dir/b.src:20:3", "dir/f.uir:10:1"},
		{"seven", "/abs/c.src:1:1", "dir/f.uir:12:1"},
		{"x:y", "/abs/c.src:4:8", "dir/f.uir:15:8"},
		{"eight", "dir/C:dir:1:2", "dir/f.uir:19:1"},
		{"nine", "dir/big.src:1073741824:1", "dir/f.uir:21:1"},
	} {
		s := NewSet()
		f, _ := s.Add("dir/f.uir", []byte(text))
		off := strings.LastIndex(text, c.word)
		if got := s.Position(f.Pos(off)).String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.word, got, c.want)
		}
		if got := f.Physical(off).String(); got != c.physical {
			t.Errorf("%s: physically %s, want %s", c.word, got, c.physical)
		}
	}
}
