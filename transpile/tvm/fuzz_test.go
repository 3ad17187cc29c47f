package tvm_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
)

// FuzzLoad checks that every text is refused with errors, or becomes a valid program.
func FuzzLoad(f *testing.F) {
	for _, pattern := range []string{"testdata/*.tvm", "../../examples/tvm/*/*.tvm"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatal("no modules", err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(text))
		}
	}
	f.Add("%f = function (%t : type, %x : %t | ) > (array %t #up2) { %p = alloca %t #up2; store %x %p; return (array_v %t %x %x); };")
	f.Fuzz(func(t *testing.T, text string) {
		p, diags := transpile.Load([]transpile.Source{{Name: "t.tvm", Text: []byte(text)}}, transpile.Options{Optimize: 1, Verify: true})
		if diags.HasErrors() {
			return
		}
		if err := p.Optimized(nil); err != nil {
			t.Fatal(err)
		}
	})
}
