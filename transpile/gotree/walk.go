package gotree

// Has reports whether statements contain an expression or type for which fn returns true.
func Has(b *Block, fn func(Expr) bool) bool {
	found := false
	var look func(Expr)
	look = func(x Expr) {
		switch f, ok := x.(*FuncLit); {
		case found:
		case fn(x):
			found = true
		case ok:
			found = Has(f.Body, fn)
		default:
			parts(x, look)
		}
	}
	for _, s := range b.List {
		if found {
			break
		}
		expressions(s, look)
		bodies(s, func(b *Block) { found = found || Has(b, fn) })
	}
	return found
}

// expressions calls fn for the expressions and types that are directly in a statement.
func expressions(s Stmt, fn func(Expr)) {
	each := func(l []Expr) {
		for _, x := range l {
			fn(x)
		}
	}
	one := func(x Expr) {
		if x != nil {
			fn(x)
		}
	}
	switch s := s.(type) {
	case *Assign:
		each(s.L)
		each(s.R)
	case *Var:
		fn(s.T)
		one(s.X)
	case *Do:
		fn(s.X)
	case *If:
		if s.Init != nil {
			expressions(s.Init, fn)
		}
		fn(s.Cond)
	case *For:
		one(s.Cond)
	case *Range:
		fn(s.X)
	case *Switch:
		fn(s.X)
		for i := range s.Cases {
			each(s.Cases[i].Keys)
		}
	case *Return:
		each(s.X)
	}
}

// parts calls fn for the expressions and types that an expression or type is made of.
func parts(x Expr, fn func(Expr)) {
	switch x := x.(type) {
	case *Type:
		fn(x.Text)
	case *Dot:
		fn(x.X)
	case *Index:
		fn(x.X)
		fn(x.I)
	case *Whole:
		fn(x.X)
	case *Call:
		fn(x.F)
		for _, a := range x.Args {
			fn(a)
		}
	case *Conv:
		fn(x.T)
		fn(x.X)
	case *Binary:
		fn(x.X)
		fn(x.Y)
	case *Unary:
		fn(x.X)
	case *Star:
		fn(x.X)
	case *Lit:
		if x.T != nil {
			fn(x.T)
		}
		for _, e := range x.Elems {
			fn(e.X)
		}
	case *Array:
		if x.Len != nil {
			fn(x.Len)
		}
		fn(x.Elem)
	}
}
