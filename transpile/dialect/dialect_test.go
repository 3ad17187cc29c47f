package dialect_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

func load(*diag.Set, []dialect.Source, dialect.Options, *diag.List) (*ir.Program, bool) {
	return nil, false
}

// has makes a Recognize that is certain about bundles with a word and does not exclude others.
func has(word string) func([]byte) dialect.Evidence {
	return func(text []byte) dialect.Evidence {
		if bytes.Contains(text, []byte(word)) {
			return dialect.Certain
		}
		return dialect.Possible
	}
}

var registry = dialect.Registry{
	{Name: "new", Title: "the new one", Load: load, Recognize: has("VERSION"), Forms: []dialect.Form{{Name: "x", Ending: ".x"}}},
	{Name: "old", Title: "the old one", Load: load, Recognize: has("PHI"), Forms: []dialect.Form{
		{Name: "x-old", Ending: ".x"}, {Name: "xb", Ending: ".xb", Binary: true}}},
	{Name: "other", Title: "another", Load: load, Forms: []dialect.Form{{Name: "y", Ending: ".y"}}, Modules: true,
		Stages: []dialect.Stage{{Name: "read"}, {Name: "check"}, {Name: "lint"}}},
	{Name: "later", Title: "one to come", Forms: []dialect.Form{{Name: "z", Ending: ".z"}}},
}

func TestOf(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"a.x", "", "new"},
		{"a.x", "VERSION", "new"},
		{"a.x", "PHI", "old"},
		{"a.xb", "VERSION", "old"}, // the ending decides where it can
		{"a.y", "PHI", "other"},
		{"a.z", "", "later"},
		{"<stdin>", "PHI", "old"},
		{"<stdin>", "nothing known", "new"},
		{"a.txt", "VERSION", "new"},
	}
	for _, tt := range tests {
		if got := registry.Of(dialect.Source{Name: tt.name, Text: []byte(tt.text)}).Name; got != tt.want {
			t.Errorf("%s with %q is %s, want %s", tt.name, tt.text, got, tt.want)
		}
	}
}

// TestAsked: after a dialect that is certain about a bundle no other dialect is asked.
func TestAsked(t *testing.T) {
	asked := 0
	after := &dialect.Dialect{Name: "after", Recognize: func([]byte) dialect.Evidence { asked++; return dialect.Certain }}
	r := append(registry[:2:2], after)
	for _, tt := range []struct {
		text, want string
		asked      int
	}{{"VERSION", "new", 0}, {"PHI", "old", 0}, {"", "after", 1}} {
		asked = 0
		if got := r.Of(dialect.Source{Name: "<stdin>", Text: []byte(tt.text)}).Name; got != tt.want || asked != tt.asked {
			t.Errorf("%q is %s, and the last dialect is asked %d times; want %s, %d", tt.text, got, asked, tt.want, tt.asked)
		}
	}
}

func TestChoose(t *testing.T) {
	src := func(names ...string) (l []dialect.Source) {
		for _, n := range names {
			l = append(l, dialect.Source{Name: n})
		}
		return l
	}
	tests := []struct {
		name string
		srcs []dialect.Source
		want string // name, or part of the error
	}{
		{"", nil, "new"},
		{"", src("a.y", "b.y"), "other"},
		{"old", src("a.y"), "old"},
		{"", src("a.y", "b.x"), "a.y is in dialect other and b.x in new"},
		{"", src("a.z"), "a.z: this version does not read dialect later yet (-dialect new reads it as the new one)"},
		{"later", nil, "this version does not read dialect later yet"},
		{"klingon", nil, `unknown dialect "klingon": want new, old, other or later`},
	}
	for _, tt := range tests {
		d, err := registry.Choose(tt.name, tt.srcs)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = d.Name
		}
		if !strings.Contains(got, tt.want) {
			t.Errorf("%q of %v: got %s, want %s", tt.name, tt.srcs, got, tt.want)
		}
	}
}

// TestUnits: only dialects with modules have files that are part of one.
func TestUnits(t *testing.T) {
	for _, tt := range []struct{ dialect, file, want string }{
		{"", "a.y", ""},
		{"other", "a.x", ""},
		{"", "a.x", "m=a.x: dialect new has no modules"},
		{"old", "a.y", "m=a.y: dialect old has no modules"},
	} {
		_, err := registry.Choose(tt.dialect, []dialect.Source{{Name: tt.file, Unit: "m"}})
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%q of %s: got %v, want %s", tt.dialect, tt.file, err, tt.want)
		}
	}
}

// TestTwice: files of modules are given once, other bundles as often as they are loaded.
func TestTwice(t *testing.T) {
	for _, tt := range []struct{ files, want string }{
		{"a.y b.y", ""},
		{"a.y b.y ./a.y", "./a.y is given twice"},
		{"a.x a.x", ""},
	} {
		var srcs []dialect.Source
		for _, f := range strings.Fields(tt.files) {
			srcs = append(srcs, dialect.Source{Name: f})
		}
		got := ""
		if _, err := registry.Choose("", srcs); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.files, got, tt.want)
		}
	}
}

func TestStages(t *testing.T) {
	other := registry.Named("other")
	if s, err := other.Stage("check", registry); err != nil || s != &other.Stages[1] {
		t.Errorf("got %v, %v", s, err)
	}
	for _, tt := range []struct{ dialect, want string }{
		{"other", `unknown stage "x": dialect other has read, check and lint`},
		{"new", "dialect new has no stages; dialect other has read, check and lint"},
	} {
		if _, err := registry.Named(tt.dialect).Stage("x", registry); err == nil || err.Error() != tt.want {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
}

func TestForms(t *testing.T) {
	old := registry.Named("old")
	tests := []struct{ name, text, want string }{
		{"a.x", "text", "x-old"},
		{"a.xb", "\x01\x00", "xb"},
		{"<stdin>", "\x01\x00", "xb"},
		{"<stdin>", "\n text", "x-old"},
		{"a.x", "\x7fX", "xb"},
	}
	for _, tt := range tests {
		if got := old.FormOf(dialect.Source{Name: tt.name, Text: []byte(tt.text)}).Name; got != tt.want {
			t.Errorf("%s with %q is in form %s, want %s", tt.name, tt.text, got, tt.want)
		}
	}
	if d, f := registry.Form("y"); d != registry.Named("other") || f != d.Form("y") || f == nil {
		t.Error("form y is not found")
	}
	if got := strings.Join(registry.Endings(), " "); got != ".x .xb .y .z" {
		t.Errorf("the endings are %s", got)
	}
	if got := strings.Join(registry.FormNames(), " "); got != "x x-old xb y z" {
		t.Errorf("the forms are %s", got)
	}
}

func TestParseArgs(t *testing.T) {
	p := ir.NewProgram()
	ty := p.Types
	i8, list := ty.Int(8), ty.Array(ty.Int(16), 2)
	f := &ir.Function{Name: "@f", Sig: ty.Sig([]ir.TypeID{i8, list, ty.Of(ir.KUPtr, i8)}, nil)}
	c, err := dialect.ParseArgs(p, f, "-1, [1,2] ,0x10")
	if err != nil {
		t.Fatal(err)
	}
	if c[0].Lo != 0xff || len(c[1].Elems) != 2 || c[1].Elems[1].Lo != 2 || c[2].Lo != 16 {
		t.Errorf("got %v %v %v", c[0], c[1], c[2])
	}
	for _, tt := range []struct{ in, want string }{
		{"1", "@f wants 3 arguments, got 1"},
		{"", "@f wants 3 arguments, got 0"},
		{"256,[1 2],0", "argument 1 of @f: 256 does not fit int<8>"},
		{"1,[1],0", "argument 2 of @f: bad value"},
		{"1,[1 2],x", `argument 3 of @f: bad value "x"`},
	} {
		if _, err := dialect.ParseArgs(p, f, tt.in); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: got %v, want %s", tt.in, err, tt.want)
		}
	}
	none := &ir.Function{Name: "@g", Sig: ty.Sig(nil, nil)}
	if c, err := dialect.ParseArgs(p, none, ""); err != nil || len(c) != 0 {
		t.Errorf("no arguments: got %v, %v", c, err)
	}
}
