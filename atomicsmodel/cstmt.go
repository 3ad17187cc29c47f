package atomicsmodel

import (
	"slices"
	"strings"
)

// Statements and expressions of litmus tests in C.

// block reads { ... }.
func (p *cparser) block() {
	p.want("{")
	for !p.accept("}") {
		p.stmt()
	}
}

// stmt reads one statement.
func (p *cparser) stmt() {
	if p.accept(";") {
		return
	}
	t := p.toks[0]
	switch t.text {
	case "{":
		p.block()
		return
	case "if":
		p.next()
		p.branch()
		return
	case "while", "for", "do", "goto", "switch", "return":
		p.fail(t, "%s is not supported: a litmus test has no loops and no jumps", t.text)
	case "*":
		p.next()
		l := p.pointer()
		p.want("=")
		p.store(t, l, p.plain(l))
	default:
		if bits, _ := p.typ(); bits > 0 {
			p.declare()
		} else if p.after() == "=" {
			p.value(p.name("a variable"))
		} else if !p.call(t, ctoken{}) {
			p.fail(t, "want a statement, got %v", t)
		}
	}
	p.want(";")
}

// declare reads the variables of a declaration.
func (p *cparser) declare() {
	for {
		n := p.name("a variable")
		p.local[n.text] = true
		if p.peek() == "=" {
			p.value(n)
		}
		if !p.accept(",") {
			return
		}
	}
}

// value reads an assignment to a variable, whose name has been read.
func (p *cparser) value(n ctoken) {
	if _, location := p.atomic[n.text]; location {
		p.fail(n, "%s is a location: store to *%s", n.text, n.text)
	}
	p.want("=")
	t := p.toks[0]
	switch {
	case p.accept("*"):
		l := p.pointer()
		p.emit(Stmt{Op: OpLoad, Order: p.plain(l), Names: []string{l}, Reg: p.assign(n), Line: t.line})
	case p.after() == "(" && strings.HasPrefix(t.text, "atomic_"):
		p.call(t, n)
	default:
		v, dep := p.expression()
		if len(dep) > 0 {
			p.fail(t, "a variable can only get the value of an access, a number, or the value of another variable")
		}
		p.set(n.text, v)
	}
}

// pointer reads the name of a location.
func (p *cparser) pointer() string {
	p.accept("&")
	t := p.name("a location")
	if _, ok := p.atomic[t.text]; !ok {
		p.fail(t, "%s is no parameter of the thread", t.text)
	}
	return t.text
}

// plain is the order of an access by *.
func (p *cparser) plain(location string) Order {
	if p.atomic[location] {
		return SeqCst
	}
	return NotAtomic
}

// store reads the value of a store and adds it.
func (p *cparser) store(t ctoken, location string, o Order) {
	v, dep := p.expression()
	p.emit(Stmt{Op: OpStore, Order: o, Names: []string{location}, Args: []Operand{v}, Dep: dep, Line: t.line})
}

// cUpdates are the functions that read and write.
var cUpdates = map[string]Op{"exchange": OpXchg, "fetch_add": OpAdd, "fetch_sub": OpSub, "fetch_and": OpAnd, "fetch_or": OpOr, "fetch_xor": OpXor}

// call reads the call of a function, whose result goes to a variable if there is one.
func (p *cparser) call(t, result ctoken) bool {
	name, atomic := strings.CutPrefix(t.text, "atomic_")
	if !atomic || p.after() != "(" {
		return false
	}
	p.next()
	p.next()
	op, explicit := strings.CutSuffix(name, "_explicit")
	if cas, ok := strings.CutPrefix(op, "compare_exchange_"); ok && (cas == "strong" || cas == "weak") {
		p.compareExchange(t, result, cas == "weak", explicit)
		return true
	}
	update, isUpdate := cUpdates[op]
	s := Stmt{Line: t.line, Order: SeqCst}
	allowed := rmwOrders
	switch {
	case name == "thread_fence":
		s.Op, s.Order, allowed = OpFence, p.order(), fenceOrders
		if s.Order == Relaxed || s.Order == Consume {
			allowed.add(s.Order)
		}
	case op == "load":
		s.Op, s.Names, allowed = OpLoad, []string{p.pointer()}, loadOrders
		if result.text == "" {
			result = ctoken{text: "unused", line: t.line, col: t.col}
		}
	case op == "store":
		s.Op, s.Names, allowed = OpStore, []string{p.pointer()}, storeOrders
		p.want(",")
		s.Args, s.Dep = p.arg()
	case isUpdate:
		s.Op, s.Names = update, []string{p.pointer()}
		p.want(",")
		s.Args, s.Dep = p.arg()
	default:
		p.fail(t, "%s is not supported: want atomic_load, atomic_store, atomic_exchange, atomic_fetch_OP, atomic_compare_exchange_strong or _weak, each also with _explicit, or atomic_thread_fence", t.text)
	}
	if explicit {
		p.want(",")
		s.Order = p.order()
	}
	p.legal(t, s.Order, allowed, "the order")
	p.want(")")
	if result.text != "" {
		if s.Op == OpStore || s.Op == OpFence {
			p.fail(t, "%s has no result", t.text)
		}
		s.Reg = p.assign(result)
	}
	if s.Op == OpFence && (s.Order == Relaxed || s.Order == Consume) {
		return true // such a fence does nothing
	}
	p.emit(s)
	return true
}

// legal checks the order of a function.
func (p *cparser) legal(t ctoken, o Order, allowed orders, what string) {
	if !allowed.has(o) || o == NotAtomic {
		p.fail(t, "%s cannot have %s %s", t.text, what, o.Mu())
	}
}

// compareExchange reads the arguments of a compare-exchange. What it reads becomes the value of the variable for the expected value:
// if it stores, that is the expected value itself.
func (p *cparser) compareExchange(t, result ctoken, weak, explicit bool) {
	s := Stmt{Op: OpCas, Order: SeqCst, Fail: SeqCst, Names: []string{p.pointer()}, Line: t.line}
	if weak {
		s.Op = OpCasWeak
	}
	p.want(",")
	address := p.accept("&")
	e := p.name("the expected value")
	_, location := p.atomic[e.text]
	var expected Operand
	switch {
	case location:
		expected = Operand{Reg: p.newRegister(e.text)}
		p.emit(Stmt{Op: OpLoad, Order: p.plain(e.text), Names: []string{e.text}, Reg: expected.Reg, Line: t.line})
	case !address:
		p.fail(e, "want the address of the expected value, such as &%s", e.text)
	default:
		expected = p.get(e)
	}
	p.want(",")
	desired, dep := p.expression()
	if explicit {
		p.want(",")
		s.Order = p.order()
		p.want(",")
		s.Fail = p.order()
	}
	p.want(")")
	p.legal(t, s.Order, rmwOrders, "the order")
	p.legal(t, s.Fail, failOrders, "the order of failure")
	s.Args, s.Dep = []Operand{expected, desired}, dep
	if location {
		s.Reg = p.newRegister(e.text)
	} else {
		s.Reg = p.assign(e)
	}
	if result.text != "" {
		s.Flag = p.assign(result)
	} else if location {
		s.Flag = p.newRegister("stored")
	}
	p.emit(s)
	if location {
		outer := p.conds
		p.conds = append(slices.Clone(outer), Cond{s.Flag, false, 0})
		p.emit(Stmt{Op: OpStore, Order: p.plain(e.text), Names: []string{e.text}, Args: []Operand{{Reg: s.Reg}}, Line: t.line})
		p.conds = outer
	}
}

func (s *orders) add(o Order) { *s |= 1 << o }

func (p *cparser) arg() ([]Operand, []string) {
	v, dep := p.expression()
	return []Operand{v}, dep
}

// cOrders are the names of orders after memory_order_.
var cOrders = map[string]Order{"relaxed": Relaxed, "consume": Consume, "acquire": Acquire, "release": Release, "acq_rel": AcqRel, "seq_cst": SeqCst}

func (p *cparser) order() Order {
	t := p.next()
	name, ok := strings.CutPrefix(t.text, "memory_order_")
	o, known := cOrders[name]
	if !ok || !known {
		p.fail(t, "want a memory order such as memory_order_relaxed, got %v", t)
	}
	return o
}

// cBinds tells how strongly operators bind.
var cBinds = map[string]int{"*": 4, "+": 3, "-": 3, "&": 2, "^": 1}

// expression reads a value: a number or a register, and the registers on which it depends besides.
func (p *cparser) expression() (Operand, []string) { return p.binary(1) }

// binary reads a value made with operators that bind at least as strongly as least.
func (p *cparser) binary(least int) (Operand, []string) {
	v, dep := p.operand()
	for cBinds[p.peek()] >= least {
		op := p.next()
		w, more := p.binary(cBinds[op.text] + 1)
		dep = append(dep, more...)
		both := func(registers ...Operand) { // the value does not depend on these, but the machine does not know
			for _, r := range registers {
				if r.Reg != "" && !slices.Contains(dep, r.Reg) {
					dep = append(dep, r.Reg)
				}
			}
		}
		zero := func(o Operand) bool { return o == Operand{} }
		switch {
		case v.Reg == "" && w.Reg == "":
			v.N = fold(op.text, v.N, w.N)
		case strings.Contains("^-", op.text) && v == w, strings.Contains("&*", op.text) && (zero(v) || zero(w)):
			both(v, w)
			v = Operand{}
		case strings.Contains("+-^", op.text) && zero(w):
		case strings.Contains("+^", op.text) && zero(v):
			v = w
		default:
			p.fail(op, "%s computes with a register: only r^r, r-r, r&0 and r*0 are supported", op.text)
		}
	}
	return v, dep
}

func fold(op string, a, b int64) int64 {
	switch op {
	case "+":
		return a + b
	case "-":
		return a - b
	case "^":
		return a ^ b
	case "&":
		return a & b
	}
	return a * b
}

// operand reads a number, a variable or an expression in parentheses.
func (p *cparser) operand() (Operand, []string) {
	t := p.toks[0]
	switch {
	case p.accept("("):
		if bits, _ := p.typ(); bits > 0 { // a conversion
			p.want(")")
			return p.operand()
		}
		v, dep := p.expression()
		p.want(")")
		return v, dep
	case p.peek() == "*" || p.after() == "(" && strings.HasPrefix(t.text, "atomic_"):
		return p.access(t), nil
	case t.text == "-" || t.text != "" && t.text[0] >= '0' && t.text[0] <= '9':
		return Operand{N: p.number()}, nil
	}
	n := p.name("a value")
	if p.peek() == "(" {
		p.fail(n, "the function %s is not supported", n.text)
	}
	return p.get(n), nil
}

// access reads an access whose value is used in an expression.
func (p *cparser) access(t ctoken) Operand {
	if p.second {
		p.fail(t, "an access after && is not supported: assign it to a variable in an if of its own")
	}
	result := ctoken{text: "value", line: t.line, col: t.col}
	if p.accept("*") {
		l := p.pointer()
		p.emit(Stmt{Op: OpLoad, Order: p.plain(l), Names: []string{l}, Reg: p.assign(result), Line: t.line})
	} else {
		p.call(t, result)
	}
	return p.get(result)
}

// branch reads an if, after that word.
func (p *cparser) branch() {
	t := p.toks[0]
	p.want("(")
	outer := p.conds
	var own []Cond
	holds := true // what is known of the condition
	for {
		c, known := p.comparison()
		if c.Name == "" {
			holds = holds && known
		} else {
			own = append(own, c)
		}
		if p.second = p.accept("&&"); !p.second {
			break
		}
	}
	if !holds || len(own) == 0 {
		p.fail(t, "a condition that is always %v: leave out the if", holds)
	}
	p.want(")")
	p.conds = slices.Concat(outer, own)
	p.stmt()
	p.conds = outer
	if p.accept("else") {
		if len(own) > 1 {
			p.fail(t, "else after a condition with && is not supported: nest two ifs")
		}
		own[0].Not = !own[0].Not
		p.conds = slices.Concat(outer, own)
		p.stmt()
		p.conds = outer
	}
}

// comparison reads r, !r, r == n or r != n. If the value is a number, the condition has no name, and holds tells about it.
func (p *cparser) comparison() (c Cond, holds bool) {
	not := p.accept("!")
	t := p.toks[0]
	v, dep := p.expression()
	if len(dep) > 0 {
		p.fail(t, "a condition compares a variable with a number")
	}
	c = Cond{v.Reg, !not, 0}
	if op := p.peek(); !not && (op == "==" || op == "!=") {
		p.next()
		c = Cond{v.Reg, op == "!=", p.number()}
	}
	if op := p.peek(); op != ")" && op != "&&" {
		p.fail(p.toks[0], "want r, !r, r == NUMBER or r != NUMBER as a condition, or several with &&, got %v", p.toks[0])
	}
	return c, c.holds(v.N)
}
