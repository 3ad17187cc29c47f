package atomicsmodel

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ParseC reads a litmus test in the C form that herd7 and diy use:
//
//	C MP
//	{ x=0; y=0; }
//	P0 (atomic_int* x, atomic_int* y) {
//	  atomic_store_explicit(x, 1, memory_order_relaxed);
//	  atomic_store_explicit(y, 1, memory_order_release);
//	}
//	P1 (atomic_int* x, atomic_int* y) {
//	  int r0 = atomic_load_explicit(y, memory_order_acquire);
//	  int r1 = atomic_load_explicit(x, memory_order_relaxed);
//	}
//	exists (1:r0=1 /\ 1:r1=0)
//
// Parameters are locations; an access by * is SEQ_CST if the type of the parameter has the word atomic or
// _Atomic, and not atomic otherwise. A local variable r of thread P1 becomes the register P1_r, and P1_r_2 and so on where
// it is assigned again. The question exists expects Possible, ~exists Never, and forall Always; a filter before it leaves out
// executions.
//
// A compare-exchange takes as expected value the address of a variable, or a location, which it updates if it fails; a weak one
// may fail whatever it reads. Loops, pointers as values, mutexes and arithmetic on registers other than r^r, r-r, r&0 and r*0,
// which are dependencies, are errors.
//
// Errors are like those of Parse.
func ParseC(file, text string) (*Test, error) {
	p := &cparser{file: file, toks: clex(text), test: &Test{}, versions: map[string][]cversion{}, atomic: map[string]bool{}, bits: map[string]int{}}
	func() {
		defer func() {
			if r := recover(); r != nil && r != errBadC {
				panic(r)
			}
		}()
		p.whole()
	}()
	if err := errors.Join(p.errs...); err != nil {
		return nil, err
	}
	return p.test, nil
}

// IsC reports whether a text is a litmus test in C: it begins with the word C.
func IsC(text string) bool {
	t := clex(text)
	return t[0].text == "C" && !t[0].quoted && len(t) > 1
}

// errBadC ends the reading of a test after an error.
var errBadC = errors.New("bad test")

type cparser struct {
	file   string
	toks   []ctoken
	test   *Test
	errs   []error
	atomic map[string]bool // by location: accesses by * are atomic, in the present thread
	bits   map[string]int  // by location: as the type of a parameter says
	local  map[string]bool // variables of the present thread
	conds  []Cond          // of the blocks around the present statement
	second bool            // in a condition after &&, which may not be evaluated

	versions map[string][]cversion // by thread:variable
}

// fail reports an error at a token.
func (p *cparser) fail(t ctoken, format string, args ...any) {
	p.errs = append(p.errs, &SyntaxError{p.file, t.line, t.col, fmt.Sprintf(format, args...)})
	panic(errBadC)
}

func (p *cparser) peek() string {
	if p.toks[0].quoted {
		return ""
	}
	return p.toks[0].text
}

// after returns the text of the token after the next one.
func (p *cparser) after() string {
	if len(p.toks) < 2 || p.toks[1].quoted {
		return ""
	}
	return p.toks[1].text
}

func (p *cparser) next() ctoken {
	t := p.toks[0]
	if len(p.toks) > 1 {
		p.toks = p.toks[1:]
	}
	return t
}

// accept takes a token if it is the mark.
func (p *cparser) accept(mark string) bool {
	if p.peek() != mark {
		return false
	}
	p.next()
	return true
}

func (p *cparser) want(mark string) {
	if t := p.next(); t.text != mark || t.quoted {
		p.fail(t, "want %q, got %v", mark, t)
	}
}

func (p *cparser) name(what string) ctoken {
	t := p.next()
	if !isName(strings.TrimLeft(t.text, "_")) || t.quoted {
		p.fail(t, "want %s, got %v", what, t)
	}
	return t
}

// number takes a number, which may have a sign.
func (p *cparser) number() int64 {
	minus := p.accept("-")
	t := p.next()
	n, err := strconv.ParseInt(strings.TrimRight(t.text, "uUlL"), 0, 64)
	if err != nil {
		p.fail(t, "want a number, got %v", t)
	}
	if minus {
		return -n
	}
	return n
}

// whole reads the test.
func (p *cparser) whole() {
	p.want("C")
	line := p.toks[0].line
	for t := p.next(); ; t = p.next() { // names such as MP+rel+acq consist of several tokens
		if t.quoted || strings.Trim(t.text, "+-.[]'_()*@$") != "" && !wordByte(t.text[0]) {
			p.fail(t, "want the name of the test, got %v", t)
		}
		p.test.Name += t.text
		if p.toks[0].line != line || p.toks[0].text == "" || p.peek() == "{" {
			break
		}
	}
	for p.peek() != "{" { // a text, or a line such as Cycle=Rfe PodRR
		t := p.next()
		if t.text == "" && !t.quoted {
			p.fail(t, "want { before the initial values, got %v", t)
		}
		if t.quoted {
			p.test.Doc = strings.Join(strings.Fields(t.text), " ")
		}
	}
	p.initial()
	for strings.HasPrefix(p.peek(), "P") {
		p.thread()
	}
	if len(p.test.Threads) == 0 {
		p.fail(p.toks[0], "want a thread such as P0, got %v", p.toks[0])
	}
	p.question()
}

// typeWords begin or are types, with the number of bits that they say, 0 for none.
var typeWords = map[string]int{"int": 0, "unsigned": 0, "signed": 0, "volatile": 0, "const": 0, "_Atomic": 0, "char": 8, "short": 16, "long": 64,
	"atomic_char": 8, "atomic_schar": 8, "atomic_uchar": 8, "atomic_short": 16, "atomic_ushort": 16, "atomic_int": 32, "atomic_uint": 32,
	"atomic_long": 64, "atomic_ulong": 64, "atomic_llong": 64, "atomic_ullong": 64, "int8_t": 8, "int16_t": 16, "int32_t": 32, "int64_t": 64,
	"uint8_t": 8, "uint16_t": 16, "uint32_t": 32, "uint64_t": 64, "intptr_t": 64, "uintptr_t": 64}

// typ takes the words of a type, if there is one: its number of bits, or 0. It reports whether accesses through it are atomic.
func (p *cparser) typ() (bits int, atomic bool) {
	for {
		n, known := typeWords[p.peek()]
		if !known && (bits == 0 || p.peek() != "*") {
			return bits, atomic
		}
		t := p.next()
		if n > 0 {
			bits = n
		}
		if bits == 0 {
			bits = 32
		}
		atomic = atomic || strings.HasPrefix(strings.TrimPrefix(t.text, "_"), "atomic") || t.text == "_Atomic"
	}
}

// initial reads the initial values.
func (p *cparser) initial() {
	p.want("{")
	for !p.accept("}") {
		if p.accept(";") {
			continue
		}
		p.typ()
		if p.after() == ":" { // a variable of a thread
			th := p.next()
			p.next()
			n := p.name("a variable")
			key, v := "P"+th.text+":"+n.text, int64(0)
			if p.accept("=") {
				v = p.number()
			}
			p.versions[key] = []cversion{{nil, Operand{N: v}, false}}
			continue
		}
		bracket := p.accept("[")
		t := p.name("a location")
		if bracket {
			p.want("]")
		}
		p.location(t.text)
		if p.accept("=") {
			p.test.Init = append(p.test.Init, Binding{t.text, p.number()})
		}
	}
}

func (p *cparser) location(name string) {
	if !slices.Contains(p.test.locations, name) {
		p.test.locations = append(p.test.locations, name)
	}
}

// thread reads a thread.
func (p *cparser) thread() {
	t := p.name("a thread")
	if want := fmt.Sprintf("P%d", len(p.test.Threads)); t.text != want {
		p.fail(t, "want thread %s, got %s", want, t.text)
	}
	p.test.Threads = append(p.test.Threads, Thread{Name: t.text})
	clear(p.atomic)
	p.local = map[string]bool{}
	p.want("(")
	for !p.accept(")") {
		bits, atomic := p.typ()
		n := p.name("a parameter")
		p.location(n.text)
		p.atomic[n.text] = atomic
		if first := p.bits[n.text]; first > 0 && bits > 0 && first != bits {
			p.fail(n, "%s has %d bits here and %d in another thread: the model says nothing about accesses of mixed sizes", n.text, bits, first)
		}
		p.bits[n.text] = bits
		if !p.accept(",") && p.peek() != ")" {
			p.fail(p.toks[0], "want , or ), got %v", p.toks[0])
		}
	}
	p.block()
}

// current is the name of the present thread.
func (p *cparser) current() string { return p.test.Threads[len(p.test.Threads)-1].Name }

// emit adds a statement to the thread.
func (p *cparser) emit(s Stmt) {
	s.If = slices.Clone(p.conds)
	th := &p.test.Threads[len(p.test.Threads)-1]
	th.Code = append(th.Code, s)
}

// question reads the condition at the end.
func (p *cparser) question() {
	if p.accept("locations") { // a list of what herd7 shows; all is shown here
		for p.want("["); !p.accept("]"); {
			if t := p.next(); t.text == "" {
				p.fail(t, "want ], got %v", t)
			}
		}
	}
	filter := [][]Cond{nil}
	unless := [][]Cond(nil) // the ways in which it fails
	if p.accept("filter") {
		toks := p.toks
		filter = p.either(false)
		p.toks = toks
		unless = p.either(true)
	}
	t := p.next()
	e := Expectation{Result: Sometimes, OrMore: true}
	switch {
	case t.text == "exists":
	case t.text == "forall":
		e = Expectation{Result: Always}
	case t.text == "~" && p.accept("exists"):
		e = Expectation{Result: Never}
	default:
		p.fail(t, "want exists, ~exists or forall, got %v", t)
	}
	for _, l := range p.test.locations {
		if slices.Contains(p.test.registers, l) {
			p.fail(t, "%s is a location, and the name here of a variable of a thread: rename one", l)
		}
	}
	p.test.Ask = p.either(false)
	if e.Result == Always {
		p.test.Ask = p.join(unless, p.test.Ask, false)
	} else {
		p.test.Ask = p.join(filter, p.test.Ask, true)
	}
	p.test.Ask = possible(p.test.Ask)
	if len(p.test.Ask) == 0 || slices.ContainsFunc(p.test.Ask, func(list []Cond) bool { return len(list) == 0 }) {
		p.fail(t, "a question that does not depend on the execution")
	}
	p.test.Expect = []Expectation{e}
	if t := p.next(); t.text != "" {
		p.fail(t, "want the end of the test, got %v", t)
	}
}

// maxAsk is the largest number of groups of conditions into which a question is multiplied out.
const maxAsk = 1024

// either reads conditions that \/ separates. The result is one list for each way in which they can hold, or, with
// not, in which they can fail.
func (p *cparser) either(not bool) [][]Cond {
	list := p.both(not)
	for p.accept(`\/`) {
		list = p.join(list, p.both(not), not)
	}
	return list
}

// both reads conditions that /\ separates.
func (p *cparser) both(not bool) [][]Cond {
	list := p.term(not)
	for p.accept(`/\`) {
		list = p.join(list, p.term(not), !not)
	}
	return list
}

// join returns the ways in which one of two questions holds or, if all, in which both do.
func (p *cparser) join(a, b [][]Cond, all bool) [][]Cond {
	if !all {
		return append(a, b...)
	}
	var list [][]Cond
	for _, x := range a {
		for _, y := range b {
			list = append(list, slices.Concat(x, y))
		}
	}
	if len(list) > maxAsk {
		p.fail(p.toks[0], "the question has more than %d cases", maxAsk)
	}
	return list
}

// term reads one condition, such as 1:r0=1, x=2, [x]=2, ~(...), true.
func (p *cparser) term(not bool) [][]Cond {
	switch {
	case p.accept("~") || p.accept("not"):
		return p.term(!not)
	case p.accept("("):
		list := p.either(not)
		p.want(")")
		return list
	case p.peek() == "true" || p.peek() == "false":
		if (p.next().text == "true") != not {
			return [][]Cond{nil}
		}
		return nil
	}
	bracket := p.accept("[")
	t := p.next()
	name := t.text
	var list []cversion
	switch {
	case p.accept(":"):
		r := p.name("a register")
		if list = p.versions["P"+t.text+":"+r.text]; list == nil {
			p.fail(r, "thread P%s has no variable %s", t.text, r.text)
		}
		name = r.text
	case !slices.Contains(p.test.locations, name):
		p.fail(t, "%v is no location; a register is written THREAD:NAME", t)
	}
	if bracket {
		p.want("]")
	}
	op := p.next()
	if op.text != "=" && op.text != "==" && op.text != "!=" {
		p.fail(op, "want = or != after %s, got %v", name, op)
	}
	c := Cond{name, (op.text == "!=") != not, p.number()}
	if list != nil {
		return ways(list, c)
	}
	return [][]Cond{{c}}
}
