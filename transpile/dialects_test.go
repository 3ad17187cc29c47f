package transpile_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/interp"
)

// interpret calls @f of a bundle on the interpreter.
func interpret(t *testing.T, src transpile.Source, strict bool, args string) string {
	t.Helper()
	p, diags := transpile.Load([]transpile.Source{src}, transpile.Options{Strict: strict, Call: "@f", CallArgs: []string{args}})
	if p == nil {
		t.Fatalf("%v\n%s", diags.Err(), src.Text)
	}
	f, vals, err := p.CallArgs()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	results, status, err := interp.Call(p.IR, f.Name, interp.Literals(p.IR, vals), interp.Config{Stderr: &stderr})
	if err != nil || status != 0 {
		t.Fatalf("%v, status %d: %s", err, status, stderr.String())
	}
	lines, err := interp.Results(p.IR, f.Name, results)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, " ")
}

// Bundles of 2014 are recognised, and converted to Mu text they are strictly valid and do
// the same.
func TestConvert2014(t *testing.T) {
	files, err := filepath.Glob("uvm2014/testdata/meaning/*.uir")
	if err != nil || len(files) == 0 {
		t.Fatal("no bundles", err)
	}
	_, form := transpile.Dialects.Form("uir")
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			args, want, _ := strings.Cut(strings.TrimPrefix(strings.Split(string(text), "\n")[1], "// @f("), ") = ")
			src := transpile.Source{Name: "a.uir", Text: text}
			if d := transpile.Dialects.Of(src); d.Name != "uvm2014" {
				t.Fatalf("taken for %s", d.Name)
			}
			p, diags := transpile.Load([]transpile.Source{src}, transpile.Options{})
			if p == nil {
				t.Fatal(diags.Err())
			}
			mu, err := form.Write(p.IR)
			if err != nil {
				t.Fatal(err)
			}
			if got := interpret(t, transpile.Source{Name: "b.uir", Text: mu}, true, args); got != want {
				t.Errorf("got %s, want %s\n%s", got, want, mu)
			}
		})
	}
}
