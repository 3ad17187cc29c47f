package diag

import (
	"bytes"
	"encoding/json"
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

// TestBeside is a diagnostic at a place that a directive gives, in all forms of output and with each choice of
// places.
func TestBeside(t *testing.T) {
	const text = "one\n//line a.src:10:5\né two\n"
	list := func(places Places) *List {
		s := NewSet()
		s.Places = places
		l := NewList(s)
		f, err := l.Open("dir/f.uir", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		l.Errorf(f.Pos(strings.Index(text, "two")), "bad two").Before(f.Pos(strings.Index(text, "é")))
		l.Warnf(f.Pos(0), "odd one")
		return l
	}
	for places, want := range map[Places]string{
		Both: "dir/f.uir:1:1: warning: odd one\n" +
			"dir/a.src:10:8: bad two (dir/f.uir:3:4)\n\tprevious definition at dir/a.src:10:5 (dir/f.uir:3:1)\n",
		Author: "dir/f.uir:1:1: warning: odd one\n" +
			"dir/a.src:10:8: bad two\n\tprevious definition at dir/a.src:10:5\n",
		Bundle: "dir/f.uir:1:1: warning: odd one\n" +
			"dir/f.uir:3:4: bad two\n\tprevious definition at dir/f.uir:3:1\n",
	} {
		var b strings.Builder
		list(places).Print(&b)
		if b.String() != want {
			t.Errorf("%s: got\n%swant\n%s", PlaceNames[places], b.String(), want)
		}
	}
	var b strings.Builder
	list(Both).PrintSource(&b)
	if want := "dir/a.src:10:8: bad two (dir/f.uir:3:4)\n\té two\n\t  ^\n\tprevious definition"; !strings.Contains(b.String(), want) {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
	for places, want := range map[Places]string{
		Both: `{"file":"dir/a.src","line":10,"column":8,"bundle":{"file":"dir/f.uir","line":3,"column":4},"severity":"error","message":"bad two",` +
			`"related":[{"file":"dir/a.src","line":10,"column":5,"bundle":{"file":"dir/f.uir","line":3,"column":1},"message":"previous definition"}]}`,
		Author: `{"file":"dir/a.src","line":10,"column":8,"severity":"error","message":"bad two","related":[{"file":"dir/a.src","line":10,"column":5,"message":"previous definition"}]}`,
		Bundle: `{"file":"dir/f.uir","line":3,"column":4,"severity":"error","message":"bad two","related":[{"file":"dir/f.uir","line":3,"column":1,"message":"previous definition"}]}`,
	} {
		var b strings.Builder
		list(places).PrintJSON(&b)
		if _, got, _ := strings.Cut(b.String(), "\n"); got != want+"\n" {
			t.Errorf("%s: got\n%swant\n%s", PlaceNames[places], got, want)
		}
	}
	b.Reset()
	list(Both).PrintSARIF(&b, "v1")
	for _, want := range []string{
		`"locations":[{"physicalLocation":{"artifactLocation":{"uri":"dir/a.src"},"region":{"startLine":10,"startColumn":7}}}]`,
		`"relatedLocations":[{"message":{"text":"in the bundle"},"physicalLocation":{"artifactLocation":{"uri":"dir/f.uir"},"region":{"startLine":3,"startColumn":3}}},` +
			`{"message":{"text":"previous definition"},"physicalLocation":{"artifactLocation":{"uri":"dir/a.src"},"region":{"startLine":10,"startColumn":5}}},` +
			`{"message":{"text":"previous definition, in the bundle"},"physicalLocation":{"artifactLocation":{"uri":"dir/f.uir"},"region":{"startLine":3,"startColumn":1}}}]`,
	} {
		var flat bytes.Buffer
		if err := json.Compact(&flat, []byte(b.String())); err != nil || !strings.Contains(flat.String(), want) {
			t.Errorf("%v, got\n%s\nwant\n%s", err, &flat, want)
		}
	}
}

// TestMisdirected is comments that look like directives.
func TestMisdirected(t *testing.T) {
	const text = `//line a.src:10:1
//line foo:0
//line x.go:abc
//line x.go:
//line x.go:7:0
//line x.go:0:7
//line x.go:-1
//line x.go:1073741825
//line x.go:9999999999:1
//line up
 //line x.go:abc
// line x.go:abc
//lines x.go:abc
x //line x.go:abc
//line :0
//line C:\a b.src:7
`
	l := NewList(NewSet())
	l.set.Places = Author
	if _, err := l.Open("f.uir", []byte(text)); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	l.Print(&b)
	want := strings.ReplaceAll(`a.src:10:12: warning: bad line number 0 of //line; WANT
a.src:11:13: warning: bad line number "abc" of //line; WANT
a.src:12:13: warning: bad line number "" of //line; WANT
a.src:13:15: warning: bad column 0 of //line; WANT
a.src:14:13: warning: bad line number 0 of //line; WANT
a.src:15:13: warning: bad line number "-1" of //line; WANT
a.src:16:13: warning: bad line number 1073741825 of //line; WANT
a.src:17:13: warning: bad line number 9999999999 of //line; WANT
a.src:18:8: warning: //line has no line number; WANT
a.src:23:9: warning: bad line number 0 of //line; WANT
`, "WANT", "want //line FILE:LINE or //line FILE:LINE:COL, with LINE and COL from 1 to 1073741824")
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}
