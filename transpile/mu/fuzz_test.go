package mu

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/verify"
)

// FuzzLoad loads two bundles after the prelude, and a script: nothing may
// panic, and programs that load without errors must satisfy the verifier.
func FuzzLoad(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, file := range files {
		_, all := sections(f, file)
		for _, srcs := range all {
			var in [2]string
			for _, s := range srcs {
				if strings.HasSuffix(s.Name, ".hail") {
					in[1] = string(s.Text)
				} else {
					in[0] += string(s.Text)
				}
			}
			f.Add(in[0], "", in[1], false)
		}
	}
	prelude, err := os.ReadFile("testdata/prelude.uir")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, a, b, script string, strict bool) {
		p, ok, diags, _ := loadSources([]Source{{Name: "prelude.uir", Text: prelude}, {Name: "a.uir", Text: []byte(a)}, {Name: "b.uir", Text: []byte(b)}, {Name: "a.hail", Text: []byte(script)}}, strict)
		if !ok {
			if !diags.HasErrors() {
				t.Fatal("failed without an error")
			}
			return
		}
		for _, f := range verify.Program(p) {
			t.Errorf("verify: %v", f)
		}
	})
}
