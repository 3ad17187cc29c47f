package syntax

import (
	"os"
	"path/filepath"
	"testing"
)

// examples returns the bundles in testdata by file name. Together they use all parts of the
// grammar.
func examples(t testing.TB) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.uir")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples", err)
	}
	m := make(map[string]string)
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		m[f] = string(src)
	}
	return m
}

// TestExamples parses each example, and again the output of Fprint for it.
func TestExamples(t *testing.T) {
	used := make(map[Form]bool)
	for name, src := range examples(t) {
		b, errs := parse(t, src)
		if errs != "" {
			t.Errorf("%s:\n%s", name, errs)
			continue
		}
		text := source(t, b)
		if again := source(t, good(t, text)); again != text {
			t.Errorf("%s: what Fprint writes reads back as something else:\n%s\n%s", name, text, again)
		}
		for _, d := range b.Defs {
			if f, ok := d.(*FuncDef); ok {
				for _, bl := range f.Blocks {
					for _, in := range bl.Insts {
						used[in.Op.Form()] = true
					}
				}
			}
		}
	}
	for f := FormBin; f <= FormComm; f++ {
		if !used[f] {
			t.Errorf("no example has an instruction of form %d", f)
		}
	}
}
