package gotree

// Has reports whether statements have an expression, types included, that fn holds of.
func Has(b *Block, fn func(Expr) bool) bool {
	s := &searcher{fn: fn}
	s.stmts(b.List)
	return s.found
}

type searcher struct {
	fn    func(Expr) bool
	found bool
}

func (s *searcher) stmts(list []Stmt) {
	for _, x := range list {
		if s.found {
			return
		}
		s.stmt(x)
		bodies(x, func(b *Block) { s.stmts(b.List) })
	}
}

// stmt searches what stands in a statement itself.
func (s *searcher) stmt(x Stmt) {
	switch x := x.(type) {
	case *Assign:
		s.exprs(x.L)
		s.exprs(x.R)
	case *Var:
		s.expr(x.T)
		s.expr(x.X)
	case *Do:
		s.expr(x.X)
	case *If:
		if x.Init != nil {
			s.stmt(x.Init)
		}
		s.expr(x.Cond)
	case *For:
		s.expr(x.Cond)
	case *Range:
		s.expr(x.X)
	case *Switch:
		s.expr(x.X)
		for i := range x.Cases {
			s.exprs(x.Cases[i].Keys)
		}
	case *Return:
		s.exprs(x.X)
	}
}

func (s *searcher) exprs(l []Expr) {
	for _, x := range l {
		s.expr(x)
	}
}

func (s *searcher) expr(x Expr) {
	if x == nil || s.found {
		return
	}
	if s.fn(x) {
		s.found = true
		return
	}
	switch x := x.(type) {
	case *Type:
		s.expr(x.Text)
	case *Dot:
		s.expr(x.X)
	case *Index:
		s.expr(x.X)
		s.expr(x.I)
	case *Whole:
		s.expr(x.X)
	case *Call:
		s.expr(x.F)
		s.exprs(x.Args)
	case *Conv:
		s.expr(x.T)
		s.expr(x.X)
	case *Binary:
		s.expr(x.X)
		s.expr(x.Y)
	case *Unary:
		s.expr(x.X)
	case *Star:
		s.expr(x.X)
	case *Lit:
		s.expr(x.T)
		for _, e := range x.Elems {
			s.expr(e.X)
		}
	case *Array:
		s.expr(x.Len)
		s.expr(x.Elem)
	case *FuncLit:
		s.stmts(x.Body.List)
	}
}
