package diag

import (
	"bytes"
	"strings"
	"testing"
)

func TestPrintSource(t *testing.T) {
	s := NewSet()
	f := addFile(t, s, "f.uir", "one\r\n\ttwo é three\n"+strings.Repeat("x", 100)+"Y"+strings.Repeat("z", 100)+"\n\n\x1b[2Jlast")
	b, err := s.AddBinary("b", []byte("bytes"))
	if err != nil {
		t.Fatal(err)
	}
	l := NewList(s)
	l.Errorf(f.Pos(0), "first").Also(f.Pos(6), "previous definition")
	l.Errorf(f.Pos(13), "behind a tab and a long letter")
	l.Errorf(f.Pos(19+100), "long line")
	l.Errorf(f.Pos(19+202), "empty line")
	l.Errorf(f.Pos(1<<20), "end of file")
	l.Warnf(b.Pos(2), "binary")
	l.Errorf(Pos{}, "nowhere")
	var got bytes.Buffer
	if err := l.PrintSource(&got); err != nil {
		t.Fatal(err)
	}
	want := `nowhere
f.uir:1:1: first
	one
	^
	previous definition at f.uir:2:2
		two é three
		^
f.uir:2:9: behind a tab and a long letter
		two é three
		      ^
f.uir:3:101: long line
	...` + strings.Repeat("x", 60) + "Y" + strings.Repeat("z", 59) + `...
	   ` + strings.Repeat(" ", 60) + `^
f.uir:4:1: empty line
f.uir:5:9: end of file
	?[2Jlast
	        ^
b:1:3: warning: binary
`
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &got, want)
	}
}
