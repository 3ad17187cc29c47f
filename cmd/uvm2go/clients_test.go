package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/scripttest"
	"github.com/uvm2go/uvm2go/transpile"
)

// TestClientPackages compares the translated packages in the folders of Go clients with
// a new translation of their bundles. -update rewrites them.
func TestClientPackages(t *testing.T) {
	for _, p := range []struct {
		dir, name string
		later     []string
		lines     bool
	}{
		{"../../rtlib/mu/internal/fixture/demo", "demo", []string{"later.uir", "number.uir", "after.uir"}, false},
		{"../../rtlib/mu/internal/fixture/rows", "rows", nil, true},
		{"../../examples/ask/bundle", "bundle", nil, false},
		{"../../examples/deopt/bundle", "bundle", nil, false},
		{"../../examples/osr/bundle", "bundle", []string{"opt.uir"}, false},
		{"../../examples/watch/bundle", "bundle", nil, false},
		{"../../examples/lazy/bundle", "bundle", nil, false},
	} {
		read := func(name string) transpile.Source {
			text, err := os.ReadFile(filepath.Join(p.dir, name))
			if err != nil {
				t.Fatal(err)
			}
			return transpile.Source{Name: name, Text: text}
		}
		source := p.name + ".uir"
		opt := transpile.Options{Optimize: 1, Package: p.name, Introspect: true, SingleFile: true, Lines: p.lines}
		for _, name := range p.later {
			opt.Later = append(opt.Later, read(name))
		}
		prog, diags := transpile.Load([]transpile.Source{read(source)}, opt)
		if prog == nil {
			t.Fatalf("%s: %v", source, diags)
		}
		files, err := prog.Generate()
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(p.dir, p.name+".go")
		if *scripttest.Update {
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
