package gotree

// stmts writes statements, each on lines of its own.
func (p *printer) stmts(list []Stmt) {
	for _, s := range list {
		p.stmt(s)
	}
}

// block writes statements in braces at the end of the current line; the line is
// left open after the closing brace.
func (p *printer) block(b *Block) {
	p.body(b)
	p.tabs(p.depth)
	p.str("}")
}

// body is block without the closing brace.
func (p *printer) body(b *Block) {
	p.str("{")
	p.end()
	p.depth++
	p.stmts(b.List)
	p.depth--
}

func (p *printer) stmt(s Stmt) {
	switch s := s.(type) {
	case *Block:
		p.tabs(p.depth)
		p.block(s)
		p.end()
	case *Mark:
		if s.L.uses == 0 {
			return
		}
		p.label(s.L, s.At)
	case *Reads:
		if s.Name != "" {
			p.begin(s.At)
			p.gap("_ = ")
			p.name(s.Name)
			p.end()
		}
	case *If:
		p.begin(s.At)
		p.ifs(s)
		p.end()
	case *For:
		if s.Label != nil && s.Label.uses > 0 {
			p.label(s.Label, s.At)
		}
		p.begin(s.At)
		p.gap("for ")
		if s.Cond != nil {
			p.cond(s.Cond)
			p.gap(" ")
		}
		p.block(s.Body)
		p.end()
	case *Range:
		p.begin(s.At)
		p.gap("for ")
		p.name(s.Key)
		p.gap(" := range ")
		p.cond(s.X)
		p.gap(" ")
		p.block(s.Body)
		p.end()
	case *Switch:
		p.begin(s.At)
		p.gap("switch ")
		p.cond(s.X)
		p.str(" {")
		p.end()
		for i := range s.Cases {
			c := &s.Cases[i]
			if c.Keys == nil {
				p.tabs(p.depth)
				p.str("default:")
			} else {
				p.begin(c.At)
				p.gap("case ")
				p.list(c.Keys, 1)
				p.str(":")
			}
			p.end()
			p.depth++
			p.stmts(c.Body.List)
			if i < len(s.Cases)-1 && endsInLabel(c.Body.List) { // which only a brace may follow
				p.tabs(p.depth)
				p.str(";")
				p.end()
			}
			p.depth--
		}
		p.tabs(p.depth)
		p.str("}")
		p.end()
	case *Consts:
		p.consts(s)
	default:
		p.begin(s.pos())
		p.simple(s)
		p.end()
	}
}

// endsInLabel reports whether the text of a list ends with a label.
func endsInLabel(list []Stmt) bool {
	for i := len(list) - 1; i >= 0; i-- {
		switch s := list[i].(type) {
		case *Mark:
			if s.L.uses > 0 {
				return true
			}
		case *Reads:
			if s.Name != "" {
				return false
			}
		default:
			return false
		}
	}
	return false
}

func (p *printer) label(l *Label, at Pos) {
	p.goTo(at)
	p.tabs(max(p.depth-1, 0))
	p.name(l.Name)
	p.str(":")
	p.end()
}

// ifs writes an if with all its branches.
func (p *printer) ifs(s *If) {
	for {
		p.gap("if ")
		if s.Init != nil {
			p.head = true
			p.simple(s.Init)
			p.head = false
			p.gap("; ")
		}
		p.cond(s.Cond)
		p.gap(" ")
		p.body(s.Then)
		var next *If
		if s.Else != nil && len(s.Else.List) == 1 {
			next, _ = s.Else.List[0].(*If)
		}
		if next != nil {
			p.begin(next.At)
		} else {
			p.tabs(p.depth)
		}
		p.str("}")
		if s.Else == nil {
			return
		}
		p.gap(" else ")
		if next == nil {
			p.block(s.Else)
			return
		}
		s = next
	}
}

// cond writes an expression in front of a brace.
func (p *printer) cond(x Expr) {
	p.head = true
	p.expr(x, 0, 1)
	p.head = false
}

// simple writes a statement that fits on one line.
func (p *printer) simple(s Stmt) {
	switch s := s.(type) {
	case *Assign:
		p.assign(s)
	case *Var:
		p.gap("var ")
		for i, n := range s.Names {
			if i > 0 {
				p.gap(", ")
			}
			p.name(n)
		}
		p.gap(" ")
		p.expr(s.T, 0, 1)
		if s.X != nil {
			p.gap(" = ")
			p.expr(s.X, 0, 1)
		}
	case *Do:
		p.expr(s.X, 0, 1)
	case *Goto:
		p.jump("goto", s.L)
	case *Break:
		p.jump("break", s.L)
	case *Continue:
		p.jump("continue", s.L)
	case *Return:
		p.str("return")
		if len(s.X) > 0 {
			p.gap(" ")
			p.list(s.X, 1)
		}
	}
}

func (p *printer) jump(verb word, l *Label) {
	p.str(verb)
	if l != nil {
		p.gap(" ")
		p.name(l.Name)
	}
}

// assign writes an assignment, as one of the short forms if it has one.
func (p *printer) assign(s *Assign) {
	depth := 1
	if len(s.L) > 1 && len(s.R) > 1 {
		depth = 2
	}
	if b := update(s); b != nil {
		if n, ok := b.Y.(*Num); ok && n.V == 1 && (b.Op == Add || b.Op == Sub) {
			p.expr(s.L[0], 0, 2)
			p.str(ops[b.Op].text)
			p.str(ops[b.Op].text)
			return
		}
		p.expr(s.L[0], 0, 1)
		p.gap(" ")
		p.str(ops[b.Op].text)
		p.gap("= ")
		p.expr(b.Y, 0, 1)
		return
	}
	p.list(s.L, depth)
	if s.Define {
		p.gap(" := ")
	} else {
		p.gap(" = ")
	}
	p.list(s.R, depth)
}

// update is the operation of x = x op y, else nil.
func update(s *Assign) *Binary {
	if s.Define || len(s.L) != 1 || len(s.R) != 1 {
		return nil
	}
	x, ok := s.L[0].(*Ident)
	if !ok {
		return nil
	}
	b, ok := s.R[0].(*Binary)
	if !ok || ops[b.Op].prec < 4 {
		return nil
	}
	if l, ok := b.X.(*Ident); !ok || l.Name != x.Name {
		return nil
	}
	return b
}

// consts writes constants of a function.
func (p *printer) consts(s *Consts) {
	row := func(r ConstRow, width int) {
		p.name(r.Name)
		p.pad(width - len(r.Name))
		p.gap(" = ")
		p.expr(r.X, 0, 1)
		p.end()
	}
	p.begin(s.At)
	p.gap("const ")
	if len(s.Rows) == 1 {
		row(s.Rows[0], 0)
		return
	}
	p.str("(")
	p.end()
	width := 0
	for _, r := range s.Rows {
		width = max(width, len(r.Name))
	}
	for _, r := range s.Rows {
		p.tabs(p.depth + 1)
		row(r, width)
	}
	p.tabs(p.depth)
	p.str(")")
	p.end()
}
