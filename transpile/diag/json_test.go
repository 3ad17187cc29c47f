package diag

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"reflect"
	"testing"
)

func TestPrintJSON(t *testing.T) {
	var buf bytes.Buffer
	l := report(t)
	if err := l.PrintJSON(&buf); err != nil {
		t.Fatal(err)
	}
	want := `{"severity":"error","message":"no place"}
{"file":"a.uir","line":2,"column":1,"severity":"warning","message":"odd"}
{"file":"a.uir","line":3,"column":1,"severity":"error","message":"also bad"}
{"file":"a.uir","line":3,"column":1,"severity":"error","message":"bad three"}
{"file":"b.uir","line":2,"column":1,"severity":"error","message":"@y redefined","related":[{"file":"a.uir","line":2,"column":1,"message":"previous definition"}]}
`
	if got := buf.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	l.MaxErrors = 2
	buf.Reset()
	if err := l.PrintJSON(&buf); err != nil || bytes.Count(buf.Bytes(), []byte("\n")) != 3 {
		t.Errorf("%v, got\n%s", err, &buf)
	}
}

// TestPrintSARIF reads a log back like a viewer, by the names in the standard.
func TestPrintSARIF(t *testing.T) {
	s := NewSet()
	f := addFile(t, s, "dir/a b.uir", "é x\n")
	abs, err := filepath.Abs("c.uir")
	if err != nil {
		t.Fatal(err)
	}
	g := addFile(t, s, abs, "y\n")
	l := NewList(s)
	l.Errorf(f.Pos(3), "x < y").Also(g.Pos(0), "previous definition")
	l.Warnf(Pos{}, "odd")
	var buf bytes.Buffer
	if err := l.PrintSARIF(&buf, "v1"); err != nil {
		t.Fatal(err)
	}
	var log any
	if err := json.Unmarshal(buf.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	at := func(path ...any) any {
		v := log
		for _, p := range path {
			switch p := p.(type) {
			case int:
				list, _ := v.([]any)
				if p >= len(list) {
					return nil
				}
				v = list[p]
			case string:
				m, _ := v.(map[string]any)
				v = m[p]
			}
		}
		return v
	}
	for _, tt := range []struct {
		want any
		path []any
	}{
		{"2.1.0", []any{"version"}},
		{"uvm2go", []any{"runs", 0, "tool", "driver", "name"}},
		{"v1", []any{"runs", 0, "tool", "driver", "version"}},
		{"unicodeCodePoints", []any{"runs", 0, "columnKind"}},
		{"warning", []any{"runs", 0, "results", 0, "level"}},
		{nil, []any{"runs", 0, "results", 0, "locations"}},
		{"error", []any{"runs", 0, "results", 1, "level"}},
		{"error", []any{"runs", 0, "results", 1, "ruleId"}},
		{"x < y", []any{"runs", 0, "results", 1, "message", "text"}},
		{"dir/a%20b.uir", []any{"runs", 0, "results", 1, "locations", 0, "physicalLocation", "artifactLocation", "uri"}},
		{1.0, []any{"runs", 0, "results", 1, "locations", 0, "physicalLocation", "region", "startLine"}},
		{3.0, []any{"runs", 0, "results", 1, "locations", 0, "physicalLocation", "region", "startColumn"}},
		{"previous definition", []any{"runs", 0, "results", 1, "relatedLocations", 0, "message", "text"}},
		{fileURI(abs), []any{"runs", 0, "results", 1, "relatedLocations", 0, "physicalLocation", "artifactLocation", "uri"}},
		{nil, []any{"runs", 0, "results", 2}},
	} {
		if got := at(tt.path...); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%v: got %v, want %v", tt.path, got, tt.want)
		}
	}
	// A log without results has an empty list, not a missing one: that says that there are no problems.
	buf.Reset()
	if err := NewList(s).PrintSARIF(&buf, ""); err != nil || !bytes.Contains(buf.Bytes(), []byte(`"results": []`)) {
		t.Errorf("%v, got %s", err, &buf)
	}
}
