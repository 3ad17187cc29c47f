package main

import (
	"fmt"
	"strconv"
	"strings"
)

// A row describes one operation: its types and its properties. The interpreter, the
// folding of constants and the Go code that is generated for it know how to compute it.
type row struct {
	// name is the Go name without "Op" and, in lower case, the name in dumps.
	name string
	// class names a row of classes, which has the columns that the row leaves out.
	class string
	// shape is "type arguments | operands -> results". Type arguments are the
	// names of ir.Arg constants, at most two, and the words sig (a signature),
	// types (a list of result types), field, id, code or number (an immediate).
	// Operands and results are letters, see package ir, shape.go. If the shape is
	// empty, the row has the shape of its class.
	shape string
	// facts are words: factNames, flagWords, and dests=, form=, order=, fail=, self= (the result for
	// equal operands), neutral= (the second operand for which the result is the first), absorbs= (the
	// second operand for which the result is the second), weight=, not= (the negated comparison) and
	// swap= (the comparison with exchanged operands).
	facts string
	// run is the method of the interpreter's decoder; if empty, that of the class; "-"
	// for none.
	run string
	// build is the method of the builder, with the names of its operands, if the
	// method follows from the shape alone; else empty.
	build string
	// mu is the spelling in Mu text, or the name of a common instruction; empty if
	// Mu text does not have the operation. code is its number in the Mu client API.
	mu   string
	code int
	// others are the spellings in other dialects, as dialect:name[:number]. u is
	// uvm2014, with the spelling of Mu if only a number is given; i is IAL, t is TVM.
	// Where several operations have the same spelling, operand types decide.
	others string
	doc    string
}

// A class has what its operations have in common unless their rows differ.
type class struct {
	name, shape, facts, run, form string
	doc                           string
}

var classes = []class{
	{"IntBin", "IntV | TT -> T", "same expr straight", "binary", "Bin", "T1 int or vector of int; T1 T1 -> T1"},
	{"FPBin", "FPV | TT -> T", "expr straight", "binary", "Bin", "T1 FP or vector of FP; T1 T1 -> T1"},
	{"CmpEQ", "EQV | TT -> b", "expr straight", "compare", "Cmp", "T1 EQ-comparable, or a vector of such; T1 T1 -> int<1>"},
	{"CmpInt", "IntPtrV | TT -> b", "expr straight", "compare", "Cmp", "T1 int or pointer, or a vector of such"},
	{"CmpULT", "ULTV | TT -> b", "expr straight", "compare", "Cmp", "T1 ULT-comparable, or a vector of such"},
	{"CmpFP", "FPV | TT -> b", "expr straight", "compare", "Cmp", "T1 FP or vector of FP"},
	{"Conv", "Value Value | T -> U", "expr straight", "convert", "Conv", "T1 -> T2"},
	{"Select", "BoolV Value | TUU -> U", "straight", "selectOp", "Plain", "T1 T2 T2 -> T2"},
	{"Branch", "", "term", "", "", "no results"},
	{"Call", "", "", "", "", "callee and arguments of Sig -> results of Sig"},
	{"Ret", "| % ->", "term weight=0", "ret", "Ret", "the results of the function"},
	{"Throw", "| R ->", "term throws", "throw", "Plain", "an exception"},
	{"Aggr", "", "same unread weight=2", "", "Plain", "struct, array and vector values"},
	{"Alloc", "", "exc fails", "alloc", "Plain", "new memory"},
	{"Addr", "", "same checked expr straight", "", "Plain", "locations from references and locations"},
	{"Mem", "", "order straight", "", "Access", "memory"},
	{"Trap", "", "keep throws collects reads writes effect frame", "", "", "the client"},
	{"Stack", "", "", "", "", "stacks and threads"},
	{"Shift", "IntV IntV | TU -> T", "same expands", "shift", "", "T1 int or vector of int; T2, the number of bits, int or a vector of the same length"},
	{"Word", "| l -> l", "same expr free straight", "word", "Plain", "a number of the target's word size, in an int<64>"},
	{"Fail", "", "term fails effect", "", "", "the program ends with an error"},
	{"Comm", "", "", "", "", "common instructions, as Mu calls them"},
}

// factNames are the words for general facts, with the constants of package ir.
// Several words may set the same constant, and a word may set several.
var factNames = []struct{ word, flags, doc string }{
	{"term", "Terminator", "always ends a block"},
	{"exc", "MayEXC", "may have an exception clause, which makes it a terminator"},
	{"keep", "MayKeep", "may have a keep-alive clause; is an OSR point"},
	{"commutes", "Commutative", "the two operands may be exchanged"},
	{"throws", "MayThrow", "may continue exceptionally by unwinding"},
	{"collects", "MayCollect", "a collection may happen inside"},
	{"reads", "Reads", "reads memory"},
	{"writes", "Writes", "writes memory"},
	{"effect", "SideEffect", "has an effect beyond memory and results"},
	{"order", "HasOrder", "has a memory order"},
	{"ptr", "MayPtr", "has a PTR form"},
	{"fails", "MayFail", "may stop the program with a run-time error"},
	{"checked", "MayFail | Checked", "fails under -sanitize only, PTR forms never"},
	{"guarded", "Checked", "under -sanitize, is checked as well"},
	{"unread", "Unread", "can be removed if nothing reads its results, whatever else it does; under -sanitize, only if it cannot fail"},
	{"same", "Same", "within one call of a function, equal operands give equal results"},
	{"expr", "Expr", "is one Go expression, unless it is checked or its operands are vectors"},
	{"assoc", "Associative", "the operation on integers is associative and commutative"},
	{"shift", "Shifts", "shifts the first operand by the second"},
	{"divides", "Divides", "fails if, and only if, the second operand is zero"},
	{"access", "Access", "accesses the memory at its first operand; fails if that is NULL or not the address of memory"},
	{"allocates", "Allocates", "the result is the address of new memory"},
	{"cell", "OnStack", "the memory ends with the frame"},
	{"derives", "Derives", "the result is the first operand, or a location in the same object; not with PTR"},
	{"within", "Within", "the result has the same offset in every object of the type, and lies within the object"},
	{"indexed", "Indexed", "the second operand is a number of elements counted from the first"},
	{"renames", "Renames", "the result has the same bits as the first operand"},
	{"free", "Free", "needs no machine instruction on 64-bit machines"},
	{"cells", "KeepsFrame", "needs a new frame at each entry of the function"},
	{"frame", "OwnFrame", "concerns the frame in which it runs, so it cannot move to another function"},
	{"calm", "Calm", "neither waits nor starts or resumes a stack"},
	{"quiet", "Quiet", "changes no memory that the program can read, whatever its other effects"},
	{"expands", "Expands", "package expand replaces it by other operations before passes and back end see it"},
	{"conv", "HasConv", "names a calling convention in Mu text"},
	{"always", "Always", "the result is the same whatever the operands are"},
	{"quick", "Quick", "takes one of the fastest machine instructions if the operands are word-sized integers; a shift only if its count is constant"},
	{"straight", "Straight", "is a few machine instructions without a call if operands and results are word-sized integers, floating-point numbers or addresses"},
	{"signed", "Signed", "reads integer operands as signed"},
	{"waits", "Waits", "may wait for another thread"},
	{"inspects", "Inspects", "reads or changes the frames of a stack, or lets code loaded at run time do so"},
	{"native", "Native", "calls native code, or lets native code call, with the signature"},
}

// flagWords are the words for flags that an instruction may have; exc and ptr
// are among the facts.
var flagWords = map[string]string{
	"exc": "FlagExc", "ptr": "FlagPtr", "weak": "FlagWeak", "killold": "FlagKillOld", "throwexc": "FlagThrowExc",
	"threadlocal": "FlagThreadLocal", "wpexc": "FlagWPExc", "local": "FlagLocal", "raw": "FlagRaw", "pointer": "FlagPointer", "object": "FlagObject", "unsure": "FlagUnsure", "fixed": "FlagFixed", "roots": "FlagRoots", "replaced": "FlagReplaced",
}

// orderLetters are the memory orders in words such as order=nr.
var orderLetters = map[rune]string{
	'n': "NotAtomic", 'r': "Relaxed", 'c': "Consume", 'a': "Acquire", 'l': "Release", 'b': "AcqRel", 's': "SeqCst",
}

// selfs are the results of an operation on equal operands, in words such as self=0.
var selfs = map[string]string{"0": "SelfZero", "1": "SelfOne", "x": "SelfOperand"}

// elements are second operands in words such as neutral=0.
var elements = map[string]string{"0": "ElementZero", "1": "ElementOne", "ones": "ElementOnes"}

// bitWords say on which bits of the first operand some bits of the result depend, for words such as
// bits=below.
var bitWords = []struct{ word, constant, doc string }{
	{"same", "BitsSame", "the same bits"},
	{"ones", "BitsOnes", "the same bits, where the second operand has ones"},
	{"zeros", "BitsZeros", "the same bits, where the second operand has zeros"},
	{"below", "BitsBelow", "the same bits and all below them"},
	{"product", "BitsProduct", "the same bits and all below them, shifted down by the number of trailing zeros of the second operand"},
	{"left", "BitsLeft", "the bits that the second operand shifts up to them"},
	{"right", "BitsRight", "the bits that the second operand shifts down to them"},
	{"from", "BitsFrom", "the lowest bit in which the second operand differs from the smallest number of its type, and all bits above it; none if they are equal"},
	{"after", "BitsAfter", "as bits=from, with 1 added to the second operand"},
}

var immKinds = map[string]string{"field": "ImmField", "id": "ImmID", "code": "ImmCode", "number": "ImmNumber", "failure": "ImmFailure"}

// An op is a row in parsed form.
type op struct {
	*row
	class     *class
	flags     []string // constants of OpFlags
	words     []string // of facts
	instFlags []string // constants of InstFlags
	orders    string   // letters
	fail      string
	dests     string // constant or number
	self      string // constant
	neutral   string // constant
	absorbs   string // constant
	bits      string // constant
	not, swap string // operations
	weight    int
	form      string
	run       string

	ty, ty2, imm string // constants
	sig, types   bool
	args, res    string
	spellings    []spelling
}

type spelling struct {
	dialect, name string
	code          int
}

// parse reads the rows, in order.
func parse() ([]*op, error) {
	var ops []*op
	seen := map[string]bool{}
	for i := range rows {
		o := &op{row: &rows[i]}
		if seen[o.name] {
			return nil, fmt.Errorf("%s stands there twice", o.name)
		}
		seen[o.name] = true
		if err := o.parse(); err != nil {
			return nil, fmt.Errorf("%s: %w", o.name, err)
		}
		ops = append(ops, o)
	}
	return ops, nil
}

func (o *op) parse() error {
	for i := range classes {
		if classes[i].name == o.row.class {
			o.class = &classes[i]
		}
	}
	if o.class == nil {
		return fmt.Errorf("unknown class %s", o.row.class)
	}
	o.form, o.run = o.class.form, o.class.run
	if o.row.run != "" {
		o.run = o.row.run
	}
	if err := o.parseFacts(); err != nil {
		return err
	}
	shape := o.shape
	if shape == "" {
		shape = o.class.shape
	}
	if err := o.parseShape(shape); err != nil {
		return err
	}
	return o.parseSpellings()
}

// parseFacts reads the words of class and row; -word in the row removes a word of the class.
func (o *op) parseFacts() error {
	on := map[string]bool{}
	o.weight = 1
	for _, w := range append(strings.Fields(o.class.facts), strings.Fields(o.facts)...) {
		key, val, _ := strings.Cut(w, "=")
		switch key {
		case "form":
			o.form = val
			continue
		case "dests":
			o.dests = val
			continue
		case "fail":
			o.fail = val
			continue
		case "self":
			if o.self = selfs[val]; o.self == "" {
				return fmt.Errorf("bad word %q", w)
			}
			continue
		case "neutral", "absorbs":
			e := elements[val]
			if e == "" {
				return fmt.Errorf("bad word %q", w)
			}
			if key == "neutral" {
				o.neutral = e
			} else {
				o.absorbs = e
			}
			continue
		case "bits":
			if o.bits = bitsConstant(val); o.bits == "" {
				return fmt.Errorf("bad word %q", w)
			}
			continue
		case "weight":
			n, err := strconv.ParseUint(val, 10, 8)
			if err != nil {
				return fmt.Errorf("bad word %q", w)
			}
			o.weight = int(n)
			continue
		case "not":
			o.not = val
			continue
		case "swap":
			o.swap = val
			continue
		case "order":
			if val != "" {
				o.orders = val
			}
		}
		if off, ok := strings.CutPrefix(key, "-"); ok {
			delete(on, off)
			continue
		}
		on[key] = true
	}
	known := map[string]bool{}
	var have []string
	for _, f := range factNames {
		known[f.word] = true
		if on[f.word] {
			o.words = append(o.words, f.word)
			for _, n := range strings.Split(f.flags, " | ") {
				if !contains(have, n) {
					have = append(have, n)
				}
			}
		}
	}
	o.flags = have
	if o.has("free") {
		o.weight = 0
	}
	if o.has("commutes") {
		o.swap = o.name
	}
	for _, w := range sortedKeys(on) {
		if f, ok := flagWords[w]; ok {
			o.instFlags = append(o.instFlags, f)
		} else if !known[w] {
			return fmt.Errorf("unknown word %q", w)
		}
	}
	return nil
}

func (o *op) parseShape(s string) error {
	o.ty, o.ty2, o.imm = "ArgNone", "ArgNone", "ImmNone"
	if s == "" {
		return nil
	}
	left, right, ok := strings.Cut(s, "|")
	args, res, ok2 := strings.Cut(right, "->")
	if !ok || !ok2 {
		return fmt.Errorf("bad shape %q", s)
	}
	o.args, o.res = strings.TrimSpace(args), strings.TrimSpace(res)
	n := 0
	for _, w := range strings.Fields(left) {
		switch {
		case w == "sig":
			o.sig = true
		case w == "types":
			o.types = true
		case immKinds[w] != "":
			o.imm = immKinds[w]
		case n == 0:
			o.ty, n = "Arg"+w, 1
		case n == 1:
			o.ty2, n = "Arg"+w, 2
		default:
			return fmt.Errorf("more than two type arguments")
		}
	}
	return nil
}

var dialectLetters = map[string]string{"u": "uvm2014", "i": "ial", "t": "tvm"}

func (o *op) parseSpellings() error {
	if o.mu != "" {
		o.spellings = append(o.spellings, spelling{"mu", o.mu, o.code})
	}
	for _, w := range strings.Fields(o.others) {
		p := strings.Split(w, ":")
		d := dialectLetters[p[0]]
		if d == "" || len(p) < 2 {
			return fmt.Errorf("bad spelling %q", w)
		}
		x := spelling{dialect: d, name: p[1]}
		num := ""
		if strings.HasPrefix(p[1], "0x") {
			x.name, num = o.mu, p[1]
		} else if len(p) > 2 {
			num = p[2]
		}
		if num != "" {
			if _, err := fmt.Sscanf(num, "0x%x", &x.code); err != nil {
				return fmt.Errorf("bad number in %q", w)
			}
		}
		o.spellings = append(o.spellings, x)
	}
	return nil
}

func bitsConstant(word string) string {
	for _, b := range bitWords {
		if b.word == word {
			return b.constant
		}
	}
	return ""
}

func (o *op) has(word string) bool { return contains(o.words, word) }

// operands are the letters of operands of a fixed number; false if there may be
// more or fewer.
func (o *op) operands() (string, bool) { return o.args, !strings.ContainsAny(o.args, "*%+~?") }

func contains(l []string, s string) bool {
	for _, x := range l {
		if x == s {
			return true
		}
	}
	return false
}
