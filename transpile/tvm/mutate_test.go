package tvm_test

import (
	"math/rand"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/tvm/syntax"
)

// TestMutated changes single tokens of valid modules: each text is refused with errors, or becomes
// a valid program. TVM_MUTATIONS says how many there are.
func TestMutated(t *testing.T) {
	n := 150
	if s, err := strconv.Atoi(os.Getenv("TVM_MUTATIONS")); err == nil {
		n = s
	}
	files, err := filepath.Glob("testdata/*.tvm")
	if err != nil || len(files) == 0 {
		t.Fatal("no modules", err)
	}
	accepted := 0
	for seed := range n {
		r := rand.New(rand.NewSource(int64(seed)))
		text, err := os.ReadFile(files[seed%len(files)])
		if err != nil {
			t.Fatal(err)
		}
		src := mutate(string(text), r)
		if load(t, src) {
			accepted++
		}
	}
	if accepted == 0 {
		t.Error("every text is refused")
	}
}

// load reports whether a text is a valid program.
func load(t *testing.T, src string) bool {
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("%v\n%s", r, src)
		}
	}()
	p, diags := transpile.Load([]transpile.Source{{Name: "t.tvm", Text: []byte(src)}}, transpile.Options{Optimize: 1, Verify: true})
	if diags.HasErrors() {
		if strings.Contains(diags.Error(), "internal error") {
			t.Fatalf("%v\n%s", diags, src)
		}
		return false
	}
	if err := p.Optimized(nil); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return true
}

// mutate changes up to three tokens: each is dropped, doubled, or replaced by another of the same kind.
func mutate(src string, r *rand.Rand) string {
	for range 1 + r.Intn(3) {
		toks := syntax.Scan(src).Tokens
		i := r.Intn(len(toks) - 1)
		a := toks[i]
		with := ""
		switch r.Intn(8) {
		case 0:
		case 1:
			with = src[a.Off:a.End] + " " + src[a.Off:a.End]
		default:
			for range 200 {
				if b := toks[r.Intn(len(toks)-1)]; b.Kind == a.Kind && src[b.Off:b.End] != src[a.Off:a.End] {
					with = src[b.Off:b.End]
					break
				}
			}
		}
		src = src[:a.Off] + with + src[a.End:]
	}
	return src
}
