package gotree

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// valued makes the tree of a random graph in which blocks have values and parameters, and read those of the blocks that dominate
// them, in the way of package lower. A value is declared where it is made if all that it dominates
// is in the same braces.
func valued(g *graph) *Block {
	top := &Block{}
	name := func(kind string, b int) string { return fmt.Sprintf("%s%d", kind, b) }
	use := func(n string) Expr { return &Ident{Name: n, K: Int} }
	local := func(b int) bool { return len(g.kids[b]) == 0 && b%3 > 0 }
	for b := range g.succs {
		if !local(b) {
			top.Var(Uint64, name("val", b))
		}
		if len(g.preds[b]) > 1 {
			top.Var(Uint64, name("par", b))
		}
	}
	g.pass = func(out *Block, to int) {
		out.Set(use(name("par", to)), &Binary{Op: Add, X: x, Y: &Num{V: uint64(1000 + to)}})
	}
	g.enter = func(out *Block, b int) {
		v := &Binary{Op: Add, X: x, Y: &Num{V: uint64(100 + b)}}
		if local(b) {
			out.Define(name("val", b), Uint64, v)
		} else {
			out.Set(use(name("val", b)), v)
		}
		for d := b; ; d = g.idom[d] {
			if (b+d)%3 > 0 {
				out.Do(&Call{F: &Ident{Name: "block"}, Args: []Expr{use(name("val", d))}})
			}
			if len(g.preds[d]) > 1 && (b+d)%2 > 0 {
				out.Do(&Call{F: &Ident{Name: "block"}, Args: []Expr{use(name("par", d))}})
			}
			if d == 0 {
				break
			}
		}
	}
	body := g.tree()
	g.enter, g.pass = nil, nil
	top.List = append(top.List, body)
	return top
}

// TestPoolRandom: with shared variables, random functions do the same, and pass Go's type checker.
func TestPoolRandom(t *testing.T) {
	before, after := 0, 0
	for seed := range uint64(4000) {
		g := newGraph(rand.New(rand.NewPCG(seed, 5)))
		own, shared := valued(g), valued(g)
		names := 0
		poolMore(shared, func(string) bool { return true }, func() string { names++; return fmt.Sprintf("s%d", names) }, 0)
		before, after = before+strings.Count(Body(own), "val")+strings.Count(Body(own), "par"), after+names
		for run := range uint64(6) {
			want, got := trace(t, own, run), trace(t, shared, run)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d: got %v, want %v, before:\n%s\nafter:\n%s", seed, got, want, Body(own), Body(shared))
			}
		}
		Shape(shared)
		sig := &Sig{Params: []Param{{Name: "x", T: Uint64}}, Results: []Param{{T: Uint64}}}
		text := append([]byte("package p\n\nfunc block(uint64)\n\nfunc yes() bool\n\nfunc which() uint64\n"), Print([]Decl{&Func{Name: "f", Sig: sig, Body: shared}}, false).Text...)
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, "f.go", text, 0)
		if err == nil {
			_, err = (&types.Config{Error: func(e error) {
				if !strings.Contains(e.Error(), "declared and not used") { // package lower adds reads
					t.Errorf("seed %d: %v\n%s", seed, e, text)
				}
			}}).Check("p", files, []*ast.File{f}, nil)
		}
		if err != nil && !strings.Contains(err.Error(), "declared and not used") {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
	}
	if after*4 > before {
		t.Errorf("%d names of variables, of %d uses", after, before)
	}
}
