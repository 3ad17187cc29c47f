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
	// A jump passes a value, or what the blocks that dominate it have, in one assignment or in several.
	g.pass = func(out *Block, from, to int) {
		par := use(name("par", to))
		sum := &Binary{Op: Add, X: x, Y: &Num{V: uint64(1000 + to)}}
		switch d := g.idom[to]; {
		case (from+to)%4 == 0:
			out.Set(par, sum)
		case len(g.preds[d]) > 1 && len(g.preds[from]) > 1 && (from+to)%4 == 1:
			out.SetAll([]Expr{par, use(name("par", d))}, []Expr{use(name("par", from)), use(name("par", to))})
		case len(g.preds[from]) > 1 && (from+to)%4 == 2:
			out.Set(par, use(name("par", from)))
		default:
			out.Set(par, use(name("val", d)))
		}
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

// TestPoolNested: the parameters of nested loops share variables, as many as the loops have parameters, and are not copied.
func TestPoolNested(t *testing.T) {
	const loops, params = 200, 20
	name := func(loop, i int) string { return fmt.Sprintf("p%d_%d", loop, i) }
	pass := func(out *Block, from, to, changed int) {
		for i := range params {
			var v Expr = &Ident{Name: name(from, i), K: Int}
			if i == changed {
				v = &Binary{Op: Add, X: x, Y: v}
			}
			out.Set(&Ident{Name: name(to, i), K: Int}, v)
		}
	}
	yes := &Call{F: &Ident{Name: "yes"}, K: Bool}
	all, heads := &Block{}, make([]*Label, loops)
	for loop := range loops {
		heads[loop] = &Label{Name: fmt.Sprintf("l%d", loop)}
		for i := range params {
			all.Var(Uint64, name(loop, i))
		}
	}
	for i := range params {
		all.Set(&Ident{Name: name(0, i), K: Int}, x)
	}
	for loop, head := range heads {
		all.Mark(head)
		end := all.Sub()
		if loop == 0 {
			for i := range params {
				end.Do(&Call{F: &Ident{Name: "block"}, Args: []Expr{&Ident{Name: name(0, i), K: Int}}})
			}
			end.Return(x)
		} else {
			pass(end, loop, loop-1, loop)
			end.Goto(heads[loop-1])
		}
		all.If(yes, end, nil)
		if loop+1 < loops {
			pass(all, loop, loop+1, 2*loop)
		} else {
			pass(all, loop, loop, 0)
			all.Goto(head)
		}
	}
	before := Body(all)
	names := 0
	Pool(all, func(string) bool { return true }, func() string { names++; return fmt.Sprintf("s%d", names) })
	if after := Body(all); names == 0 || names > params+2 || len(after)*8 > len(before) {
		t.Errorf("%d variables, %d bytes, before: %d variables, %d bytes; after:\n%.2000s", names, len(after), loops*params, len(before), after)
	}
}
