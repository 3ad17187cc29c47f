package tidy

// How gofmt spaces binary operators, for a line that is one statement:
//
//  1. The line becomes tokens, the tokens a tree of the expressions in it.
//  2. The tree is walked with a depth, 1 for normal layout and more for a compact
//     one. Operands of operators and of calls with several arguments lie deeper,
//     parentheses undo a level.
//  3. Each chain of operators (calls, indices and parentheses end it) has a
//     limit: operators of lower precedence have blanks. It is 5 for a chain that
//     mixes sums and products at normal depth, 4 for every compact one, and 6
//     else, but higher where an operator would clash with what follows.
//  4. The line is written with these blanks, and without parentheses around other
//     ones or around whole conditions.

// form says what a line is.
type form uint8

const (
	formStmt    form = iota
	formElement      // of a composite literal, with its comma
	formList         // a declaration up to the opening brace of a literal
)

type nodeKind uint8

const (
	nodeLeaf nodeKind = iota
	nodeBinary
	nodeUnary
	nodeStar
	nodeParen
	nodeSelector
	nodeCall  // x is the function, y the first argument
	nodeIndex // x is what is indexed, y the index
	nodeArray // x is the length, y the type of elements
	nodeLit   // x is the type or 0, y the first element
	nodePair  // of a composite literal
)

// node is a part of an expression. Node 0 is none.
type node struct {
	kind       nodeKind
	prec       int8 // of a binary operator
	clash      int8 // precedence that must have blanks in the chain, or 0
	sum, prod  bool // the chain has operators of precedence 4, 5
	tok, close int32
	x, y       int32
	next       int32 // in a list
}

// marks are what becomes of a token.
type mark uint8

const (
	markNone mark = iota
	markBlanks
	markTight
	markDrop
)

// parser takes one line after the other apart.
type parser struct {
	line  []byte
	toks  []token
	marks []mark
	nodes []node
	at    int32 // next token
	bad   bool
}

// append adds a line to out, as gofmt spaces it.
func (p *parser) append(out, l []byte, form form) ([]byte, bool) {
	var ok bool
	p.line = l
	if p.toks, ok = scan(p.toks, l); !ok {
		return out, false
	}
	if cap(p.marks) < len(p.toks) {
		p.marks = make([]mark, 2*len(p.toks))
	}
	p.marks = p.marks[:len(p.toks)]
	clear(p.marks)
	p.nodes = append(p.nodes[:0], node{})
	p.at, p.bad = 0, false
	switch form {
	case formElement:
		e := p.element()
		p.walk(e, 1)
		p.bad = p.bad || p.nodes[e].kind == nodePair // values of pairs are aligned
		p.want(',')
	case formList:
		n := len(p.toks) - 2 // without the brace
		p.toks[n].kind = tokEnd
		p.statement()
		p.toks[n].kind = '{'
		p.at++
	default:
		p.statement()
	}
	if p.bad || p.toks[p.at].kind != tokEnd {
		return out, false
	}
	return p.write(out), true
}

// write writes the tokens with the space that they have, but for the marks.
func (p *parser) write(out []byte) []byte {
	end := int32(0) // of the text written
	for i, t := range p.toks {
		gap := p.line[end:t.beg]
		text := p.line[t.beg:t.end]
		end = t.end
		switch p.marks[i] {
		case markDrop:
			if t.kind == '(' {
				out = append(out, gap...)
				end = p.toks[i+1].beg
			}
			continue
		case markBlanks:
			out = append(out, ' ')
			out = append(out, text...)
			out = append(out, ' ')
			end = p.toks[i+1].beg
			continue
		case markTight:
			out = append(out, text...)
			end = p.toks[i+1].beg
			if combine(text, p.line[end]) {
				out = append(out, ' ')
			}
			continue
		}
		out = append(out, gap...)
		out = append(out, text...)
		if t.kind == ';' {
			out = append(out, ' ')
			end = p.toks[i+1].beg
		}
		if i+1 < len(p.toks) && p.marks[i+1] != markNone && p.toks[i+1].kind != '(' {
			end = p.toks[i+1].beg // the space is that of the operator
		}
	}
	return out
}

// combine reports whether an operator and what follows it would be read as another
// one.
func combine(op []byte, next byte) bool {
	switch string(op) {
	case "+", "-":
		return op[0] == next
	case "/":
		return next == '*'
	case "&":
		return next == '&' || next == '^'
	}
	return false
}

func (p *parser) kind() byte { return p.toks[p.at].kind }

func (p *parser) got(kind byte) bool {
	if p.kind() != kind {
		return false
	}
	p.at++
	return true
}

func (p *parser) want(kind byte) {
	if !p.got(kind) {
		p.bad = true
	}
}

func (p *parser) text(t int32) string { return string(p.line[p.toks[t].beg:p.toks[t].end]) }

func (p *parser) keyword(k string) bool {
	if p.kind() == tokKeyword && p.text(p.at) == k {
		p.at++
		return true
	}
	return false
}

// statement parses and walks a statement.
func (p *parser) statement() {
	switch {
	case p.got('}'):
		if !p.keyword("else") {
			p.bad = true
		} else if p.keyword("if") {
			p.header()
		} else {
			p.want('{')
		}
	case p.keyword("if"), p.keyword("switch"), p.keyword("for"):
		p.header()
	case p.keyword("return"):
		if p.kind() != tokEnd {
			p.walkList(p.list(), 1)
		}
	case p.keyword("case"):
		p.walkList(p.list(), 1)
		p.want(':')
	case p.keyword("var"):
		p.variable()
	default:
		p.simple()
	}
}

// variable parses a declaration behind its keyword.
func (p *parser) variable() {
	p.want(tokOperand)
	for p.got(',') {
		p.want(tokOperand)
	}
	if p.kind() != tokAssign {
		p.walk(p.typ(), 1)
	}
	if p.got(tokAssign) {
		p.walkList(p.list(), 1)
	}
}

// header parses what stands between a keyword and the brace of a block.
func (p *parser) header() {
	n := len(p.toks) - 2
	if n < 0 || p.toks[n].kind != '{' {
		p.bad = true
		return
	}
	p.toks[n].kind = tokEnd
	defer func() { p.toks[n].kind = '{'; p.at++ }()
	for {
		if p.kind() != ';' && p.kind() != tokEnd {
			if p.endsCondition() {
				p.condition()
			} else {
				p.simple()
			}
		}
		if p.bad || !p.got(';') {
			break
		}
	}
	if p.kind() != tokEnd {
		p.bad = true
	}
}

// endsCondition reports whether what follows has no assignment before its end:
// a condition or a call.
func (p *parser) endsCondition() bool {
	for i := p.at; ; i++ {
		switch p.toks[i].kind {
		case tokAssign, tokCount:
			return false
		case ';', tokEnd:
			return true
		}
	}
}

// condition parses an expression that needs no parentheses around it.
func (p *parser) condition() {
	x := p.binary(1)
	for !p.bad && p.nodes[x].kind == nodeParen {
		p.drop(x)
		x = p.nodes[x].x
	}
	p.walk(x, 1)
}

func (p *parser) drop(x int32) {
	p.marks[p.nodes[x].tok] = markDrop
	p.marks[p.nodes[x].close] = markDrop
}

// simple parses an assignment, a count or an expression.
func (p *parser) simple() {
	left := p.list()
	depth := 1
	switch p.kind() {
	case tokAssign:
		p.at++
		right := p.list()
		if p.nodes[left].next != 0 && p.nodes[right].next != 0 {
			depth = 2
		}
		p.walkList(left, depth)
		p.walkList(right, depth)
	case tokCount:
		p.at++
		p.walkList(left, 2)
	default:
		p.walkList(left, 1)
	}
}

// list parses expressions and returns the first.
func (p *parser) list() int32 {
	first := p.binary(1)
	last := first
	for !p.bad && p.got(',') {
		x := p.binary(1)
		p.nodes[last].next = x
		last = x
	}
	return first
}

func (p *parser) add(n node) int32 {
	p.nodes = append(p.nodes, n)
	return int32(len(p.nodes) - 1)
}

// binary parses an expression of operators of a precedence at least.
func (p *parser) binary(prec int8) int32 {
	x := p.unary()
	for !p.bad {
		t := p.toks[p.at]
		if t.prec < prec || t.kind != tokOp {
			break
		}
		op := p.at
		p.at++
		y := p.binary(t.prec + 1)
		x = p.add(p.chain(node{kind: nodeBinary, prec: t.prec, tok: op, x: x, y: y}))
	}
	return x
}

// chain completes an operator with what its chain has.
func (p *parser) chain(n node) node {
	n.sum, n.prod = n.prec == 4, n.prec == 5
	for _, o := range [...]int32{n.x, n.y} {
		if x := &p.nodes[o]; x.kind == nodeBinary {
			n.sum = n.sum || x.sum
			n.prod = n.prod || x.prod
			n.clash = max(n.clash, x.clash)
		}
	}
	op, y := p.text(n.tok), &p.nodes[n.y]
	switch {
	case y.kind == nodeStar && op == "/":
		n.clash = 5
	case y.kind == nodeUnary:
		switch op + p.text(y.tok) {
		case "&&", "&^":
			n.clash = 5
		case "++", "--":
			n.clash = max(n.clash, 4)
		}
	}
	return n
}

func (p *parser) unary() int32 {
	t := p.toks[p.at]
	if t.kind != tokOp {
		return p.primary()
	}
	op := p.at
	p.at++
	switch p.line[t.beg] {
	case '*':
		return p.add(node{kind: nodeStar, tok: op, x: p.unary()})
	case '+', '-', '!', '^', '&':
		if t.end == t.beg+1 {
			return p.add(node{kind: nodeUnary, tok: op, x: p.unary()})
		}
	}
	p.bad = true
	return 0
}

// primary parses an operand with what follows it.
func (p *parser) primary() int32 {
	var x int32
	switch p.kind() {
	case tokOperand:
		x = p.add(node{kind: nodeLeaf, tok: p.at})
		p.at++
	case '(':
		open := p.at
		p.at++
		inner := p.binary(1)
		x = p.add(node{kind: nodeParen, tok: open, close: p.at, x: inner})
		p.want(')')
	case '[':
		x = p.typ()
	default:
		p.bad = true
	}
	for !p.bad {
		switch p.kind() {
		case '.':
			p.at++
			p.want(tokOperand)
			x = p.add(node{kind: nodeSelector, x: x})
		case '(':
			p.at++
			args := int32(0)
			if p.kind() != ')' {
				args = p.list()
				p.got(tokDots)
			}
			p.want(')')
			x = p.add(node{kind: nodeCall, x: x, y: args})
		case '[':
			p.at++
			i := p.binary(1)
			p.want(']') // slices and lists of types are not known
			x = p.add(node{kind: nodeIndex, x: x, y: i})
		case '{':
			p.at++
			x = p.add(node{kind: nodeLit, x: x, y: p.elements()})
		default:
			return x
		}
	}
	return 0
}

// elements parses those of a composite literal and the brace behind them.
func (p *parser) elements() int32 {
	var first, last int32
	for !p.bad && p.kind() != '}' {
		x := p.element()
		if first == 0 {
			first = x
		} else {
			p.nodes[last].next = x
		}
		last = x
		if !p.got(',') {
			break
		}
		if p.kind() == '}' {
			p.bad = true // gofmt drops the comma
		}
	}
	p.want('}')
	return first
}

func (p *parser) element() int32 {
	x := p.value()
	if p.got(':') {
		y := p.value()
		x = p.add(node{kind: nodePair, x: x, y: y})
	}
	return x
}

func (p *parser) value() int32 {
	if p.got('{') {
		return p.add(node{kind: nodeLit, y: p.elements()})
	}
	return p.binary(1)
}

// typ parses a type.
func (p *parser) typ() int32 {
	switch {
	case p.kind() == tokOp && p.text(p.at) == "*":
		op := p.at
		p.at++
		return p.add(node{kind: nodeStar, tok: op, x: p.typ()})
	case p.got('['):
		n := int32(0)
		if !p.got(tokDots) && p.kind() != ']' {
			n = p.binary(1)
		}
		p.want(']')
		return p.add(node{kind: nodeArray, x: n, y: p.typ()})
	}
	x := p.add(node{kind: nodeLeaf, tok: p.at})
	p.want(tokOperand)
	for !p.bad && p.got('.') {
		p.want(tokOperand)
	}
	return x
}

func (p *parser) walkList(x int32, depth int) {
	for ; x != 0 && !p.bad; x = p.nodes[x].next {
		p.walk(x, depth)
	}
}

// walk decides about the blanks of an expression.
func (p *parser) walk(x int32, depth int) {
	if p.bad {
		return
	}
	n := &p.nodes[x]
	switch n.kind {
	case nodeBinary:
		p.marks[n.tok] = markTight
		if int(n.prec) < limit(n, depth) {
			p.marks[n.tok] = markBlanks
		}
		left := depth + 1
		if l := &p.nodes[n.x]; l.kind == nodeBinary && l.prec == n.prec {
			left = depth
		}
		p.walk(n.x, left)
		p.walk(n.y, depth+1)
	case nodeUnary, nodeSelector:
		p.walk(n.x, depth)
	case nodeStar:
		p.walk(n.x, 1)
	case nodeParen:
		if p.nodes[n.x].kind == nodeParen {
			p.drop(x)
			p.walk(n.x, depth)
			return
		}
		p.walk(n.x, max(depth-1, 1))
	case nodeCall:
		if n.y != 0 && p.nodes[n.y].next != 0 {
			depth++
		}
		p.walk(n.x, depth)
		p.walkList(n.y, depth)
	case nodeIndex:
		p.walk(n.x, 1)
		p.walk(n.y, depth+1)
	case nodeLit:
		p.walk(n.x, depth)
		p.walkList(n.y, 1)
	case nodeArray, nodePair:
		p.walk(n.x, 1)
		p.walk(n.y, 1)
	}
}

// limit is the precedence from which on operators of a chain have no blanks.
func limit(n *node, depth int) int {
	switch {
	case n.clash > 0:
		return int(n.clash) + 1
	case depth > 1:
		return 4
	case n.sum && n.prod:
		return 5
	}
	return 6
}
