package gotree

import (
	"bytes"
	"strconv"
)

// Precedences above those of the operators with two operands.
const (
	unaryPrec   = 6
	primaryPrec = 7
)

// list writes expressions with commas.
func (p *printer) list(l []Expr, depth int) {
	for i, x := range l {
		if i > 0 {
			p.comma(x)
		}
		p.expr(x, 0, depth)
	}
}

// expr writes an expression in a context that requires at least a precedence. depth
// is its depth in other expressions, from which gofmt decides about blanks.
func (p *printer) expr(x Expr, prec, depth int) {
	switch x := x.(type) {
	case *Ident:
		p.name(x.Name)
	case *Type:
		p.expr(x.Text, prec, depth)
	case *Qual:
		if !p.used[x.Pkg] {
			p.used[x.Pkg] = true
			p.uses = append(p.uses, Use{x, len(p.out)})
		}
		p.name(x.Pkg)
		p.str(".")
		p.name(x.Name)
	case *Num:
		if x.Hex {
			p.str("0x")
			p.out = strconv.AppendUint(p.out, x.V, 16)
		} else {
			p.out = strconv.AppendUint(p.out, x.V, 10)
		}
	case *Real:
		p.out = strconv.AppendFloat(p.out, x.V, 'g', -1, x.Bits)
	case *Str:
		p.quote(x)
	case *Binary:
		p.binary(x, prec, depth)
	case *Unary:
		if unaryPrec < prec {
			p.paren(x, depth)
			return
		}
		p.from(x.from)
		p.out = append(p.out, x.Op)
		p.whole()
		p.expr(x.X, unaryPrec, depth)
	case *Star:
		if unaryPrec < prec {
			p.paren(x, depth)
			return
		}
		p.from(x.from)
		p.str("*")
		p.whole()
		p.expr(x.X, unaryPrec, 1)
	case *Dot:
		p.expr(x.X, primaryPrec, depth)
		p.str(".")
		p.name(x.Name)
	case *Index:
		p.from(x.from)
		p.expr(x.X, primaryPrec, 1)
		p.inside("[", "]", func() {
			p.whole()
			p.expr(x.I, 0, depth+1)
		})
	case *Whole:
		p.expr(x.X, primaryPrec, 1)
		p.str("[:]")
	case *Call:
		if len(x.Args) > 1 {
			depth++
		}
		p.from(x.from)
		p.expr(x.F, primaryPrec, depth)
		p.inside("(", ")", func() { p.list(x.Args, depth) })
	case *Conv:
		p.from(x.from)
		switch x.T.Text.(type) {
		case *Star, *Sig:
			p.inside("(", ")", func() { p.expr(x.T.Text, 0, 1) })
		default:
			p.expr(x.T.Text, primaryPrec, depth)
		}
		p.inside("(", ")", func() { p.expr(x.X, 0, depth) })
	case *Lit:
		if p.head {
			p.paren(x, depth)
			return
		}
		p.lit(x, depth)
	case *Array:
		p.str("[")
		switch {
		case x.Len != nil:
			p.expr(x.Len, 0, 1)
		case !x.Slice:
			p.str("...")
		}
		p.str("]")
		p.expr(x.Elem, 0, 1)
	case *Sig:
		p.str("func")
		p.sig(x)
	case *Struct:
		p.str("struct{}")
	case *FuncLit:
		p.str("func")
		p.sig(x.Sig)
		p.gap(" ")
		p.block(x.Body)
	}
}

// inside writes something in brackets, where a composite literal needs no parentheses
// whatever the context.
func (p *printer) inside(open, end word, fn func()) {
	head := p.head
	p.head = false
	p.str(open)
	fn()
	p.str(end)
	p.head = head
}

func (p *printer) paren(x Expr, depth int) {
	p.ahead(x)
	p.inside("(", ")", func() {
		p.whole()
		p.expr(x, 0, max(depth-1, 1))
	})
}

func (p *printer) quote(x *Str) {
	if !x.Raw {
		p.out = Outside(p.out, InString, x.V)
		return
	}
	from := len(p.out)
	p.out = Outside(p.out, InRaw, x.V)
	p.line += bytes.Count(p.out[from:], []byte{'\n'})
}

func (p *printer) lit(x *Lit, depth int) {
	if x.T != nil {
		p.expr(x.T, primaryPrec, depth)
	}
	p.str("{")
	lines := x.Lines && len(x.Elems) > 0
	if lines {
		p.end()
		p.depth++
	}
	for i, e := range x.Elems {
		switch {
		case lines:
			p.tabs(p.depth)
		case i > 0 && e.Key != "":
			p.gap(", ")
		case i > 0:
			p.comma(e.X)
		}
		if e.Key != "" {
			p.name(e.Key)
			p.gap(": ")
		}
		p.expr(e.X, 0, 1)
		if lines {
			p.str(",")
			p.end()
		}
	}
	if lines {
		p.depth--
		p.tabs(p.depth)
	}
	p.str("}")
}

// sig writes parameters and results.
func (p *printer) sig(s *Sig) {
	p.params(s.Params)
	switch {
	case len(s.Results) == 1 && s.Results[0].Name == "":
		p.gap(" ")
		p.expr(s.Results[0].T, 0, 1)
	case len(s.Results) > 0:
		p.gap(" ")
		p.params(s.Results)
	}
}

func (p *printer) params(l []Param) {
	p.str("(")
	for i, x := range l {
		if i > 0 {
			p.gap(", ")
		}
		if x.Name != "" {
			p.name(x.Name)
			p.gap(" ")
		}
		p.expr(x.T, 0, 1)
	}
	p.str(")")
}

// binary writes an operation. The rules about blanks are those of gofmt: see
// go/printer, binaryExpr.
func (p *printer) binary(x *Binary, prec, depth int) {
	own := ops[x.Op].prec
	if own < prec {
		p.paren(x, depth)
		return
	}
	left := depth + 1
	if l, ok := x.X.(*Binary); ok && ops[l.Op].prec == own {
		left = depth
	}
	blanks := own < limit(x, depth)
	p.ahead(x)
	p.expr(x.X, own, left)
	if blanks {
		p.gap(" ")
	}
	p.from(x.from)
	p.str(ops[x.Op].text)
	if blanks {
		p.gap(" ")
	}
	p.expr(x.Y, own+1, depth+1)
}

// limit is the lowest precedence whose operators have no blanks in a chain.
func limit(x *Binary, depth int) int {
	var c chain
	c.walk(x)
	switch {
	case c.clash > 0:
		return c.clash + 1
	case c.sum && c.product && depth == 1:
		return 5
	case depth == 1:
		return 6
	}
	return 4
}

// A chain summarizes the operators of an expression outside its parentheses, as gofmt does.
type chain struct {
	sum, product bool
	clash        int // the precedence that needs blanks, so that two operators do not look like one
}

func (c *chain) walk(x *Binary) {
	own := ops[x.Op].prec
	c.sum = c.sum || own == 4
	c.product = c.product || own == 5
	if l, ok := x.X.(*Binary); ok && ops[l.Op].prec >= own {
		c.walk(l)
	}
	switch y := x.Y.(type) {
	case *Binary:
		if ops[y.Op].prec > own {
			c.walk(y)
		}
	case *Star:
		if x.Op == Div {
			c.clash = 5
		}
	case *Unary:
		switch {
		case x.Op == And && (y.Op == '&' || y.Op == '^'):
			c.clash = 5
		case x.Op == Add && y.Op == '+', x.Op == Sub && y.Op == '-':
			c.clash = max(c.clash, 4)
		}
	}
}
