package live

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/osr"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// Each loop of each kernel can leave the engine, and the function that it goes on in is well-formed: that is made of the text
// that a unit is made of.
func TestExits(t *testing.T) {
	openUnit = func(string) error { return nil }
	defer func() { openUnit = nil }()
	files, err := filepath.Glob("../../cmd/uvmbench/kernels/*/*.uir")
	if err != nil || len(files) == 0 {
		t.Fatal(len(files), err)
	}
	all := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for level := range 2 {
			p, diags := transpile.Load([]transpile.Source{{Name: file, Text: text}}, transpile.Options{Optimize: level})
			if p == nil {
				t.Fatal(diags.Err())
			}
			f, _, err := p.Ready()
			if err != nil {
				t.Fatal(err)
			}
			q := newProgram(f, nil)
			exits := q.exits()
			all += len(exits)
			for _, fn := range f.IR.Funcs {
				if fn.Current() == nil {
					continue
				}
				k := q.functions[fn].codeOf()
				for _, b := range k.made.order {
					loop := false
					for _, from := range k.made.cfg.Preds[b] {
						loop = loop || k.made.back(from, b)
					}
					if loop && !k.made.cells && !k.made.cookie && k.exitAt(b) == nil {
						t.Errorf("%s at level %d: the loop at %s stays", file, level, k.v.BlockName(b))
					}
				}
			}
			var entries []osr.Entry
			for _, x := range exits {
				entries = append(entries, x.entry)
			}
			var b strings.Builder
			osr.Append(&b, entries)
			if err := ir.PrintPlaced(&b, f.IR); err != nil {
				t.Fatal(err)
			}
			entries, rest, err := osr.Cut(b.String())
			if err != nil {
				t.Fatal(err)
			}
			again, diags := transpile.Load([]transpile.Source{{Name: "unit.ir", Text: []byte(rest)}}, transpile.Options{Loops: entries})
			if again == nil {
				t.Errorf("%s at level %d: %v", file, level, diags.Err())
				continue
			}
			for _, fn := range again.IR.Funcs[len(again.IR.Funcs)-len(exits):] {
				if err := verify.Err(verify.Version(again.IR, fn.Current())); err != nil {
					t.Errorf("%s at level %d: %s: %v", file, level, fn.Name, err)
				}
			}
		}
	}
	if all < 300 {
		t.Errorf("%d loops", all)
	}
}
