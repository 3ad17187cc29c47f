package gotree

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRandomShape lays out random graphs, irreducible ones too, in the way of package lower: what Shape
// makes of them behaves the same, passes Go's type checker, with no jump into braces or
// over a declaration, and is laid out as gofmt does.
func TestRandomShape(t *testing.T) {
	for seed := range uint64(4000) {
		g := newGraph(rand.New(rand.NewPCG(seed, 1)))
		before, after := g.tree(), g.tree()
		Shape(after)
		for run := range uint64(6) {
			want, got := trace(t, before, run), trace(t, after, run)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d: blocks %v, want %v, before:\n%s\nafter:\n%s", seed, got, want, Body(before), Body(after))
			}
		}
		sig := &Sig{Params: []Param{{Name: "x", T: Uint64}}, Results: []Param{{T: Uint64}}}
		text := append([]byte("package p\n\nfunc block(uint64)\n\nfunc yes() bool\n\nfunc which() uint64\n"), Print([]Decl{&Func{Name: "f", Sig: sig, Body: after}}, false).Text...)
		if src, err := format.Source(text); err != nil || string(src) != string(text) {
			t.Fatalf("seed %d: not as gofmt has it: %v\n%s", seed, err, text)
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, "f.go", text, 0)
		if err == nil {
			_, err = (&types.Config{IgnoreFuncBodies: false}).Check("p", files, []*ast.File{f}, nil)
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
	}
}

// A graph is blocks with up to three successors; block 0 is the entry and all can be reached.
type graph struct {
	r     *rand.Rand
	seed  uint64
	succs [][]int
	preds [][]int
	idom  []int
	kids  [][]int // labelled blocks that follow their dominator
	label []*Label
	out   *Label // where control leaves the function, see Expand
	// enter and pass, if not nil, add statements at the beginning of a block, and in front of a jump to a labelled one.
	enter func(out *Block, b int)
	pass  func(out *Block, from, to int)
}

func newGraph(r *rand.Rand) *graph {
	g := &graph{r: r, seed: r.Uint64()}
	n := 1 + r.IntN(14)
	raw := make([][]int, n)
	for b := range raw {
		for range []int{0, 1, 1, 2, 2, 2, 3}[r.IntN(7)] {
			to := r.IntN(n)
			if r.IntN(3) > 0 {
				to = min(b+1+r.IntN(3), n-1) // mostly forward
			}
			if to > 0 {
				raw[b] = append(raw[b], to)
			}
		}
	}
	// Number the blocks that can be reached in reverse postorder, as a plan does.
	number := make([]int, n)
	var order []int
	var visit func(int)
	visit = func(b int) {
		number[b] = -1
		for _, s := range raw[b] {
			if number[s] == 0 {
				visit(s)
			}
		}
		order = append(order, b)
	}
	visit(0)
	slices.Reverse(order)
	for i, b := range order {
		number[b] = i
	}
	g.succs, g.preds = make([][]int, len(order)), make([][]int, len(order))
	for i, b := range order {
		for _, s := range raw[b] {
			g.succs[i] = append(g.succs[i], number[s])
			g.preds[number[s]] = append(g.preds[number[s]], i)
		}
	}
	g.dominators()
	return g
}

// dominators finds the immediate dominators, and which blocks need labels.
func (g *graph) dominators() {
	n := len(g.succs)
	dom := make([]map[int]bool, n)
	for b := range dom {
		dom[b] = map[int]bool{}
		for d := range n {
			dom[b][d] = b > 0 || d == 0
		}
	}
	for changed := true; changed; {
		changed = false
		for b := 1; b < n; b++ {
			for d := range n {
				on := d == b || !slices.ContainsFunc(g.preds[b], func(p int) bool { return !dom[p][d] })
				changed = changed || on != dom[b][d]
				dom[b][d] = on
			}
		}
	}
	g.idom, g.kids = make([]int, n), make([][]int, n)
	for b := 1; b < n; b++ {
		for d := range b {
			if dom[b][d] {
				g.idom[b] = d // the last in the order
			}
		}
		if len(g.preds[b]) > 1 {
			g.kids[g.idom[b]] = append(g.kids[g.idom[b]], b)
		}
	}
}

// tree lays the graph out: a block with one incoming edge in place, the others after their dominators.
// It makes the same tree each time.
func (g *graph) tree() *Block {
	g.r = rand.New(rand.NewPCG(g.seed, 2))
	g.label, g.out = nil, &Label{Name: "unwind"}
	for b := range g.succs {
		g.label = append(g.label, &Label{Name: fmt.Sprintf("l%d", b)})
	}
	all := &Block{}
	g.node(all, 0, -1)
	Expand(all, g.out, func(out *Block) {
		out.Do(&Call{F: &Ident{Name: "block"}, Args: []Expr{&Num{V: 99}}})
		out.Return(x)
	})
	return all
}

var x = &Ident{Name: "x", K: Int}

func (g *graph) node(out *Block, b, next int) {
	if len(g.kids[b]) == 0 {
		g.block(out, b, next)
		return
	}
	body := out.Sub()
	g.block(body, b, g.kids[b][0])
	out.Add(body)
	for i, k := range g.kids[b] {
		after := next
		if i+1 < len(g.kids[b]) {
			after = g.kids[b][i+1]
		}
		out.Mark(g.label[k])
		body := out.Sub()
		g.node(body, k, after)
		out.Add(body)
	}
}

// block emits something that the trace shows, perhaps with a variable of its own, and continues.
func (g *graph) block(out *Block, b, next int) {
	k := &Num{V: uint64(b)}
	out.Do(&Call{F: &Ident{Name: "block"}, Args: []Expr{k}})
	if g.enter != nil {
		g.enter(out, b)
	}
	if g.r.IntN(3) == 0 {
		v := fmt.Sprintf("v%d", b)
		out.Define(v, Uint64, &Binary{Op: Add, X: x, Y: k})
		out.Set(x, &Binary{Op: Mul, X: &Ident{Name: v, K: Int}, Y: &Num{V: 3}})
	}
	yes := &Call{F: &Ident{Name: "yes"}, K: Bool}
	if g.r.IntN(4) == 0 {
		likely, rare := out.Sub(), out.Sub()
		likely.Define(fmt.Sprintf("l%d", b), Uint64, &Binary{Op: Add, X: x, Y: k})
		likely.Set(x, &Ident{Name: fmt.Sprintf("l%d", b), K: Int})
		rare.Do(&Call{F: &Ident{Name: "block"}, Args: []Expr{&Num{V: uint64(b + 20)}}})
		out.IfLikely(yes, likely, rare)
	}
	switch s := g.succs[b]; len(s) {
	case 0:
		if g.r.IntN(3) == 0 {
			out.Goto(g.out)
		} else {
			out.Return(x)
		}
	case 1:
		g.jump(out, b, s[0], next)
	case 2:
		then := out.Sub()
		g.jump(then, b, s[0], -1)
		var cond Expr = yes
		if g.r.IntN(2) == 0 {
			cond = Not(yes)
		}
		out.If(cond, then, nil)
		g.jump(out, b, s[1], next)
	default:
		var cases []Case
		for i, to := range s {
			body := out.Sub()
			g.jump(body, b, to, next)
			c := Case{Body: body}
			if i > 0 {
				c.Keys = []Expr{&Num{V: uint64(i)}}
			}
			cases = append(cases, c)
		}
		out.Switch(&Call{F: &Ident{Name: "which"}, K: Int}, append(cases[1:], cases[0]))
	}
}

func (g *graph) jump(out *Block, from, to, next int) {
	if len(g.preds[to]) == 1 {
		g.node(out, to, next)
		return
	}
	if g.r.IntN(3) == 0 {
		out.Set(x, &Binary{Op: Add, X: x, Y: &Num{V: uint64(from)}})
	}
	if g.pass != nil {
		g.pass(out, from, to)
	}
	if to != next || g.r.IntN(2) == 0 {
		out.Goto(g.label[to])
	}
}

// trace runs statements for a while. It returns the blocks that they pass through, with x after each.
func trace(t *testing.T, b *Block, seed uint64) []uint64 {
	m := &machine{t: t, r: rand.New(rand.NewPCG(seed, 3)), vars: map[string]uint64{"x": 1}, fuel: 60}
	if how, l := m.list(b.List); m.fuel > 0 && how != returns {
		t.Fatalf("control leaves the function (%d, %v):\n%s", how, l, Body(b))
	}
	return m.seen
}

// machine runs statements.
type machine struct {
	t    *testing.T
	r    *rand.Rand
	vars map[string]uint64
	seen []uint64
	fuel int // how many more blocks to run
}

// How statements end: at their end, or by a jump.
type how int

const (
	falls how = iota
	returns
	jumpsTo
	breaksOff
	continuesWith
)

// list runs a list. Jumps to labels of the list stay in it.
func (m *machine) list(list []Stmt) (how, *Label) {
	for i := 0; i < len(list); i++ {
		if m.fuel <= 0 {
			return returns, nil
		}
		how, l := m.stmt(list[i])
		if how == jumpsTo {
			if at := slices.IndexFunc(list, func(s Stmt) bool { return labelOf(s) == l }); at >= 0 {
				i = at - 1
				continue
			}
		}
		if how != falls {
			return how, l
		}
	}
	return falls, nil
}

func (m *machine) stmt(s Stmt) (how, *Label) {
	switch s := s.(type) {
	case *Block:
		return m.list(s.List)
	case *Mark, *Reads:
	case *Var:
		if s.X != nil {
			m.vars[s.Names[0]] = m.eval(s.X)
		}
	case *Assign:
		var values []uint64
		for _, x := range s.R {
			values = append(values, m.eval(x))
		}
		for i, x := range s.L {
			m.vars[x.(*Ident).Name] = values[i]
		}
	case *Do:
		m.eval(s.X)
	case *Return:
		m.seen = append(m.seen, m.eval(s.X[0]))
		return returns, nil
	case *Goto:
		return jumpsTo, s.L
	case *Break:
		return breaksOff, s.L
	case *Continue:
		return continuesWith, s.L
	case *If:
		if m.eval(s.Cond) != 0 {
			return m.list(s.Then.List)
		} else if s.Else != nil {
			return m.list(s.Else.List)
		}
	case *Switch:
		v := m.eval(s.X)
		at := slices.IndexFunc(s.Cases, func(c Case) bool {
			return slices.ContainsFunc(c.Keys, func(k Expr) bool { return m.eval(k) == v })
		})
		if at < 0 {
			at = slices.IndexFunc(s.Cases, func(c Case) bool { return c.Keys == nil })
		}
		if at >= 0 {
			if how, l := m.list(s.Cases[at].Body.List); how != breaksOff || l != nil {
				return how, l
			}
		}
	case *For:
		for s.Cond == nil || m.eval(s.Cond) != 0 {
			how, l := m.list(s.Body.List)
			switch own := l == nil || l == s.Label; {
			case how == breaksOff && own:
				return falls, nil
			case how == continuesWith && own, how == falls:
			default:
				return how, l
			}
		}
	default:
		m.t.Fatalf("%T in a random program", s)
	}
	return falls, nil
}

func (m *machine) eval(e Expr) uint64 {
	switch e := e.(type) {
	case *Num:
		return e.V
	case *Ident:
		return m.vars[e.Name]
	case *Unary:
		return 1 - m.eval(e.X)
	case *Binary:
		if e.Op == Add {
			return m.eval(e.X) + m.eval(e.Y)
		}
		return m.eval(e.X) * m.eval(e.Y)
	case *Call:
		switch e.F.(*Ident).Name {
		case "yes":
			return m.r.Uint64N(2)
		case "which":
			return m.r.Uint64N(4)
		}
		m.seen = append(m.seen, m.eval(e.Args[0]), m.vars["x"])
		m.fuel--
		return 0
	}
	m.t.Fatalf("%T in a random program", e)
	return 0
}
