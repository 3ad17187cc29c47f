package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
)

// TestClientPackages compares the translated packages that stand beside Go clients with
// what is made of their bundles now. -update rewrites them.
func TestClientPackages(t *testing.T) {
	for _, p := range []struct{ dir, name string }{
		{"../../rtlib/mu/internal/demo", "demo"},
		{"../../examples/deopt/bundle", "bundle"},
		{"../../examples/lazy/bundle", "bundle"},
	} {
		source := p.name + ".uir"
		text, err := os.ReadFile(filepath.Join(p.dir, source))
		if err != nil {
			t.Fatal(err)
		}
		prog, diags := transpile.Load([]transpile.Source{{Name: source, Text: text}},
			transpile.Options{Optimize: 1, Package: p.name, Introspect: true, SingleFile: true})
		if prog == nil {
			t.Fatalf("%s: %v", source, diags)
		}
		files, err := prog.Generate()
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(p.dir, p.name+".go")
		if *update {
			if err := os.WriteFile(out, files[0].Data, 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if old, err := os.ReadFile(out); err != nil || !bytes.Equal(old, files[0].Data) {
			t.Errorf("%s is not what the translator makes (go test ./cmd/uvm2go -run ClientPackages -update): %v", out, err)
		}
	}
}
