package gotree

// Positions of expressions.
//
// The machine code of an expression has the position of its operators, calls and conversions.
// If an expression was made from another line than the statement that it stands in, Place says
// so, and the printer puts a directive in front of them: /*line fib.uir:7*/. The name of the file is
// in each, because one without it would need a column, and columns of Go mean nothing in a bundle.

// Place says where an expression is from: all of it except parts that have been placed before.
func Place(x Expr, at Pos) { place(x, &at) }

func place(x Expr, at *Pos) {
	if _, ok := x.(*Type); ok {
		return // shared, and no code
	}
	if from := origin(x); from != nil {
		if *from != nil {
			return
		}
		*from = at
	}
	parts(x, func(x Expr) { place(x, at) })
}

// origin is the place in an expression that says where it is from, nil if there is none.
func origin(x Expr) **Pos {
	switch x := x.(type) {
	case *Index:
		return &x.from
	case *Call:
		return &x.from
	case *Conv:
		return &x.from
	case *Binary:
		return &x.from
	case *Unary:
		return &x.from
	case *Star:
		return &x.from
	}
	return nil
}

// from gives what is written next the position of an expression, or that of the statement if
// at is nil.
func (p *printer) from(at *Pos) {
	if p.directive(at) {
		p.gap(" ")
	}
}

// directive writes the directive for a position, if it is not that of what is written next.
func (p *printer) directive(at *Pos) bool {
	if !p.positions {
		return false
	}
	if at == nil {
		at = &p.stmtAt
	}
	if p.table != nil {
		p.turn(*at)
		return false
	}
	if p.stands(*at) || at.File == "" || p.now.File == "" {
		return false
	}
	if p.blank != len(p.out) {
		p.str(" ") // as gofmt does
	}
	p.str("/*line ")
	p.goOn(*at)
	p.str("*/")
	return true
}

// comma separates an expression from the one before. A directive in front of the expression is written
// in front of the comma, where gofmt would move it.
func (p *printer) comma(next Expr) {
	if at, ok := lead(next, 0); ok && p.table == nil { // else the line may be broken after the comma
		p.directive(at)
	}
	p.gap(", ")
}

// lead is the position that an expression begins with, false if it begins with a name, a
// constant or a parenthesis.
func lead(x Expr, prec int) (*Pos, bool) {
	switch x := x.(type) {
	case *Dot:
		return lead(x.X, primaryPrec)
	case *Binary:
		if own := ops[x.Op].prec; own >= prec {
			return lead(x.X, own)
		}
		return nil, false
	case *Unary, *Star:
		if unaryPrec < prec {
			return nil, false
		}
	}
	if from := origin(x); from != nil {
		return *from, true
	}
	return nil, false
}
