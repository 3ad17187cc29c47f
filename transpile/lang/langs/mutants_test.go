package langs_test

import (
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/transpile/dialects"
)

// TestLongMutants: texts of the repository with random changes have an index in each dialect.
func TestLongMutants(t *testing.T) {
	longtest.Only(t)
	var texts [][]byte
	err := filepath.WalkDir("../../..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !slices.Contains(dialects.All.Endings(), filepath.Ext(path)) {
			return err
		}
		b, err := os.ReadFile(path)
		if len(b) < 8000 {
			texts = append(texts, b)
		}
		return err
	})
	if err != nil || len(texts) < 100 {
		t.Fatal(len(texts), err)
	}
	const odd = "@%<>(){}[]:;=.,\"'\x00\xff/*#^-"
	rng := rand.New(rand.NewSource(1))
	for range 20_000 {
		c := slices.Clone(texts[rng.Intn(len(texts))])
		other := texts[rng.Intn(len(texts))]
		for range 1 + rng.Intn(6) {
			if len(c) == 0 || len(other) == 0 {
				break
			}
			i, j := rng.Intn(len(c)), rng.Intn(len(other))
			switch rng.Intn(4) {
			case 0:
				c = slices.Delete(c, i, min(i+rng.Intn(20), len(c)))
			case 1:
				c = slices.Insert(c, i, other[j:min(j+rng.Intn(60), len(other))]...)
			case 2:
				c[i] = odd[rng.Intn(len(odd))]
			case 3:
				c = c[:i]
			}
		}
		for _, d := range dialects.All {
			checkIndex(t, d, c)
		}
	}
}
