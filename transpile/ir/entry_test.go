package ir_test

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

func TestEntryOf(t *testing.T) {
	for _, tt := range []struct {
		sig  string
		args ir.Kind
		bad  string
	}{
		{"() -> ()", ir.KInvalid, ""},
		{"() -> (int<1>)", ir.KInvalid, ""},
		{"() -> (int<100>)", ir.KInvalid, ""},
		{"(int<32> uptr<float>) -> (int<32>)", ir.KUPtr, ""},
		{"(int<32> iref<iref<int<8>>>) -> ()", ir.KIRef, ""},
		{"(int<32> iref<int<8>>) -> ()", 0, "@f has parameters (int<32> iref<int<8>>) -> ()"},
		{"(int<32> iref<iref<int<16>>>) -> ()", 0, "@f has parameters"},
		{"(int<64> uptr<float>) -> ()", 0, "@f has parameters"},
		{"(int<32>) -> ()", 0, "@f has parameters"},
		{"() -> (int<8> int<8>)", 0, "@f has results () -> (int<8> int<8>)"},
		{"() -> (float)", 0, "@f has results"},
	} {
		p := parse(t, "func @f: "+tt.sig+"\n")
		f := p.Funcs[0]
		e, err := p.EntryOf(f)
		if tt.bad != "" {
			if err == nil || !strings.HasPrefix(err.Error(), tt.bad) {
				t.Errorf("%s: %v, want %s", tt.sig, err, tt.bad)
			}
			continue
		}
		results := p.Types.At(f.Sig).Results
		if err != nil || e.Func != f || e.Args != tt.args || len(results) > 0 && e.Status != results[0] || len(results) == 0 && e.Status != ir.NoType {
			t.Errorf("%s: %+v, %v", tt.sig, e, err)
		}
	}
}

func TestDefined(t *testing.T) {
	p := parse(t, "func @f: () -> ()\nversion @f.v of @f {\n^e():\n  ret\n}\nfunc @g: () -> ()\n")
	for name, want := range map[string]string{"@f": "", "f": "no function f", "@g": "function @g is declared but not defined",
		"@h": "no function @h", "": "no entry point", "@main": "no function @main"} {
		f, err := p.Defined(name)
		if want == "" && (err != nil || f.Name != "@f") || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", name, err, want)
		}
	}
}

// TestMain: a text that names no main function begins with @main. Print names the main function only
// if it is another.
func TestMain(t *testing.T) {
	const main, f = "func @main: () -> ()\nversion @main.v of @main {\n^e():\n  ret\n}\n", "func @f: () -> ()\nversion @f.v of @f {\n^e():\n  ret\n}\n"
	for _, tt := range []struct {
		in, main string
		line     bool
	}{{f, "", false}, {main + f, "@main", false}, {main + f + "main @f\n", "@f", true}, {main + f + "main @main\n", "@main", false}} {
		p := parse(t, tt.in)
		got, out := "", text(p)
		if p.Main != nil {
			got = p.Main.Name
		}
		if q := parse(t, out); got != tt.main || strings.Contains(out, "\nmain ") != tt.line || (q.Main == nil) != (p.Main == nil) {
			t.Errorf("%s\nbegins with %q, want %q; it is printed as\n%s", tt.in, got, tt.main, out)
		}
	}
}

// TestSiteNames: an instruction has the same name in messages before and after NameSites.
func TestSiteNames(t *testing.T) {
	p := parse(t, `func @f: (int<8>) -> ()
version @f.v of @f {
^e(%n: int<8>):
  %a: int<8> = add <int<8>> %n %n
  %b: int<8> = sdiv <int<8>> %n %a
  branch ^m()
^m():
  trap types() keep()
  [%here] trap types() keep()
  %c: int<8> = udiv <int<8>> %n %b
  ret
}
`)
	v := p.Funcs[0].Versions[0]
	want := []struct{ site, trap string }{{"@f.v.e+0", "f+1"}, {"@f.v.e+1", "f+2"}, {"@f.v.e+2", "f+3"}, {"@f+4", "f+4"},
		{"@f.v.m.here", "f.v.m.here"}, {"@f.v.m+2", "f+6"}, {"@f.v.m+3", "f+7"}}
	names := func() (l []struct{ site, trap string }) {
		for b := range v.Blocks {
			for _, id := range v.Blocks[b].Insts {
				l = append(l, struct{ site, trap string }{v.SiteName(id), v.TrapName(id)})
			}
		}
		return l
	}
	for i, n := range names() {
		if n != want[i] {
			t.Errorf("%d: %q, want %q", i, n, want[i])
		}
	}
	v.NameSites()
	for i, n := range names() {
		if n.site != want[i].site {
			t.Errorf("%d, placed: %q, want %q", i, n, want[i])
		}
	}
	for id := range v.Insts {
		in := &v.Insts[id]
		if named := v.InstName(ir.InstID(id)) != ""; named != (in.Name == "@f.v.m.here") || in.Placed == named && in.Name != "" {
			t.Errorf("%q is placed: %v, has a name: %v", in.Name, in.Placed, named)
		}
	}
}
