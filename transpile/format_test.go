package transpile_test

import (
	"bytes"
	"go/format"
	"os"
	"path/filepath"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
)

// TestFormat: generated files have the layout of gofmt, whichever code laid them out.
func TestFormat(t *testing.T) {
	examples, _ := filepath.Glob("../examples/*/*.uir")
	kernels, _ := filepath.Glob("../cmd/uvmbench/kernels/*/*.uir")
	paths := append(examples, kernels...)
	if len(paths) < 40 {
		t.Fatalf("only %d programs found", len(paths))
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for level := range 2 {
			p, diags := transpile.Load([]transpile.Source{{Name: path, Text: text}},
				transpile.Options{Optimize: level, Lines: level == 1, Introspect: level == 0, Package: "p"})
			if p == nil {
				t.Fatal(diags.Err())
			}
			files, err := p.Generate()
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			for _, f := range files {
				want, err := format.Source(f.Data)
				if err != nil {
					t.Fatalf("%s -O%d: %s: %v", path, level, f.Name, err)
				}
				if !bytes.Equal(f.Data, want) {
					t.Errorf("%s -O%d: %s is not as gofmt would have it", path, level, f.Name)
				}
			}
		}
	}
}
