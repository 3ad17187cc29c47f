package mu

import (
	"flag"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/verify"
)

var mutations = flag.Int("mutations", 3000, "bundles that TestMutations makes")

var tokenRE = regexp.MustCompile(`//[^\n]*|[@%$#][A-Za-z0-9_.-]*|\.?[A-Za-z_][A-Za-z0-9_.]*|[+-]?[0-9][0-9a-zA-Z.]*|->|\s+|.`)

// TestMutations replaces tokens of the test bundles by others of their kind, which
// usually keeps the syntax and breaks everything else: nothing may panic, programs
// that load must satisfy the verifier, and others must have an error.
func TestMutations(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var bundles [][]string // tokens
	var scripts [][]string
	pool := map[byte][]string{}
	kind := func(tok string) byte {
		switch c := tok[0]; {
		case strings.IndexByte("@%$", c) >= 0:
			return c
		case 'A' <= c && c <= 'Z':
			return 'A'
		case 'a' <= c && c <= 'z':
			return 'a'
		case '0' <= c && c <= '9' || c == '-' && len(tok) > 1 || c == '+':
			return '0'
		}
		return 0
	}
	files, _ := filepath.Glob("testdata/*.txt")
	for _, file := range files {
		_, all := sections(t, file)
		for _, srcs := range all {
			for _, s := range srcs {
				toks := tokenRE.FindAllString(string(s.Text), -1)
				if strings.HasSuffix(s.Name, ".hail") {
					scripts = append(scripts, toks)
				} else {
					bundles = append(bundles, toks)
				}
				for _, tok := range toks {
					if k := kind(tok); k != 0 {
						pool[k] = append(pool[k], tok)
					}
				}
			}
		}
	}
	prelude := withPrelude(t, "", nil)
	for _, tok := range tokenRE.FindAllString(string(prelude[0].Text), -1) {
		if tok[0] == '@' {
			for range 5 {
				pool['@'] = append(pool['@'], tok)
			}
		}
	}
	mutate := func(toks []string) string {
		out := append([]string(nil), toks...)
		for range 1 + rnd.IntN(3) {
			for range 20 {
				i := rnd.IntN(len(out))
				k := kind(out[i])
				if k == 0 {
					continue
				}
				if p := pool[k]; rnd.IntN(3) > 0 {
					out[i] = p[rnd.IntN(len(p))]
				} else if j := rnd.IntN(len(out)); kind(out[j]) == k {
					out[i] = out[j]
				}
				break
			}
		}
		return strings.Join(out, "")
	}
	loaded := 0
	for range *mutations {
		srcs := append(prelude[:1:1], Source{Name: "a.uir", Text: []byte(mutate(bundles[rnd.IntN(len(bundles))]))})
		if rnd.IntN(4) == 0 {
			srcs = append(srcs, Source{Name: "a.hail", Text: []byte(mutate(scripts[rnd.IntN(len(scripts))]))})
		}
		func() {
			defer func() {
				if r := recover(); r != nil {
					for _, s := range srcs[1:] {
						t.Logf("%s\n%s", s.Name, s.Text)
					}
					panic(r)
				}
			}()
			p, ok, diags, _ := loadSources(srcs, rnd.IntN(4) == 0)
			if !ok {
				if !diags.HasErrors() {
					t.Fatalf("failed without an error\n%s", srcs[1].Text)
				}
				return
			}
			loaded++
			for _, f := range verify.Program(p) {
				t.Errorf("verify: %v\n%s", f, srcs[1].Text)
			}
		}()
		if t.Failed() {
			break
		}
	}
	t.Logf("%d of %d load", loaded, *mutations)
}
