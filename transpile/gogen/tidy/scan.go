package tidy

import "bytes"

// suspects are the bytes at which plain stops.
var suspects = func() (t [256]bool) {
	for _, c := range []byte("\"'`+-*/%&|^<>(;=") {
		t[c] = true
	}
	return
}()

// plain reports whether a line has nothing that gofmt could change: no operators
// with two operands and no parentheses that could be superfluous.
func plain(l []byte) bool {
	for i := 0; i < len(l); i++ {
		c := l[i]
		if !suspects[c] {
			continue
		}
		switch c {
		case '"':
			for i++; i < len(l) && l[i] != '"'; i++ {
				if l[i] == '\\' {
					i++
				}
			}
		case '\'', '`':
			return false
		case '(':
			// Parentheses in parentheses, or around a condition.
			if i > 0 && (l[i-1] == '(' || l[i-1] == ' ' && (l[0] == 'i' || l[0] == 's' || l[0] == 'f' || l[0] == '}')) {
				return false
			}
		case '=':
			// Blanks around = := == != are right in most lines, but not checked here.
			if i < 2 || l[i-1] != ' ' && l[i-2] != ' ' || i+1 < len(l) && l[i+1] != ' ' && l[i+1] != '=' {
				return false
			}
		case '<', '>', '|':
			n := comparison(l[i:])
			if n == 0 || l[i-1] != ' ' {
				return false
			}
			i += n
		case '*', '&':
			// An operator with one operand follows a bracket or another operator.
			if i == 0 || l[i-1] == '(' || l[i-1] == '*' || i > 1 && l[i-1] == ' ' && (l[i-2] == '=' || l[i-2] == ',') {
				continue
			}
			n := comparison(l[i:])
			if n == 0 || l[i-1] != ' ' {
				return false
			}
			i += n
		default:
			return false
		}
	}
	return true
}

// comparison returns the length of an operator that always has blanks around it,
// and has one behind it, at the beginning of the text.
func comparison(l []byte) int {
	for _, op := range []string{"< ", "> ", "<= ", ">= ", "&& ", "|| "} {
		if len(l) > len(op) && string(l[:len(op)]) == op {
			return len(op) - 1
		}
	}
	return 0
}

// A token of a line. kind is its character for brackets and separators.
type token struct {
	kind     byte
	prec     int8 // of a binary operator, else 0
	beg, end int32
}

const (
	tokEnd     = 0
	tokOperand = 'a' // name, number, string
	tokKeyword = 'k' // a keyword that may begin a statement
	tokOp      = 'o' // operator with one operand or two
	tokAssign  = '=' // any assignment, := too
	tokCount   = '+' // ++ or --
	tokDots    = 'd' // ...
)

// keyword tells whether a word is a keyword, and one that this package knows:
// those that begin a statement with expressions.
func keyword(w []byte) (is, known bool) {
	switch string(w) {
	case "return", "if", "else", "switch", "case", "var", "for":
		return true, true
	case "func", "struct", "interface", "map", "chan", "go", "defer", "range", "select", "type", "const", "package",
		"import", "goto", "break", "continue", "fallthrough", "default":
		return true, false
	}
	return false, false
}

// operators by length, the longest first, with precedences. Those of no
// precedence are assignments.
var operators = [][]struct {
	text string
	kind byte
	prec int8
}{
	{{"<<=", tokAssign, 0}, {">>=", tokAssign, 0}, {"&^=", tokAssign, 0}, {"...", tokDots, 0}},
	{{"||", tokOp, 1}, {"&&", tokOp, 2}, {"==", tokOp, 3}, {"!=", tokOp, 3}, {"<=", tokOp, 3}, {">=", tokOp, 3},
		{"<<", tokOp, 5}, {">>", tokOp, 5}, {"&^", tokOp, 5}, {":=", tokAssign, 0}, {"++", tokCount, 0}, {"--", tokCount, 0},
		{"+=", tokAssign, 0}, {"-=", tokAssign, 0}, {"*=", tokAssign, 0}, {"/=", tokAssign, 0}, {"%=", tokAssign, 0},
		{"&=", tokAssign, 0}, {"|=", tokAssign, 0}, {"^=", tokAssign, 0}, {"<-", 0, 0}, {"//", 0, 0}, {"/*", 0, 0}},
	{{"<", tokOp, 3}, {">", tokOp, 3}, {"+", tokOp, 4}, {"-", tokOp, 4}, {"|", tokOp, 4}, {"^", tokOp, 4},
		{"*", tokOp, 5}, {"/", tokOp, 5}, {"%", tokOp, 5}, {"&", tokOp, 5}, {"!", tokOp, 0}, {"=", tokAssign, 0},
		{"(", '(', 0}, {")", ')', 0}, {"[", '[', 0}, {"]", ']', 0}, {"{", '{', 0}, {"}", '}', 0},
		{",", ',', 0}, {";", ';', 0}, {":", ':', 0}, {".", '.', 0}},
}

// opAt finds the operator that the text begins with: operators by first byte.
var opAt = func() (t [256][]opRow) {
	for _, rows := range operators {
		for _, r := range rows {
			t[r.text[0]] = append(t[r.text[0]], opRow{[]byte(r.text), r.kind, r.prec})
		}
	}
	return
}()

type opRow struct {
	text []byte
	kind byte
	prec int8
}

// word is the bytes of names and numbers.
var word = func() (t [256]bool) {
	for c := range t {
		t[c] = c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
	}
	return
}()

// scan splits a line into tokens, with one of kind tokEnd behind them.
func scan(toks []token, l []byte) ([]token, bool) {
	toks = toks[:0]
	for i := 0; i < len(l); {
		c := l[i]
		beg := i
		switch {
		case c == ' ' || c == '\t':
			i++
			continue
		case c >= '0' && c <= '9':
			i = number(l, i)
			toks = append(toks, token{kind: tokOperand, beg: int32(beg), end: int32(i)})
			continue
		case word[c]:
			for i < len(l) && word[l[i]] {
				i++
			}
			t := token{kind: tokOperand, beg: int32(beg), end: int32(i)}
			if is, known := keyword(l[beg:i]); is {
				if !known {
					return toks, false
				}
				t.kind = tokKeyword
			}
			toks = append(toks, t)
			continue
		case c == '"' || c == '\'':
			for i++; i < len(l) && l[i] != c; i++ {
				if l[i] == '\\' {
					i++
				}
			}
			i++
			if i > len(l) {
				return toks, false
			}
			toks = append(toks, token{kind: tokOperand, beg: int32(beg), end: int32(i)})
			continue
		}
		found := false
		for _, o := range opAt[c] {
			if bytes.HasPrefix(l[i:], o.text) {
				if o.kind == 0 {
					return toks, false
				}
				i += len(o.text)
				toks = append(toks, token{kind: o.kind, prec: o.prec, beg: int32(beg), end: int32(i)})
				found = true
				break
			}
		}
		if !found {
			return toks, false
		}
	}
	return append(toks, token{kind: tokEnd, beg: int32(len(l)), end: int32(len(l))}), true
}

// number returns the end of a number: digits, letters, dots, and the sign of an
// exponent.
func number(l []byte, i int) int {
	hex := i+1 < len(l) && l[i] == '0' && l[i+1]|0x20 == 'x'
	for i < len(l) {
		c := l[i]
		switch {
		case word[c] || c == '.':
		case (c == '+' || c == '-') && (l[i-1]|0x20 == 'p' && hex || l[i-1]|0x20 == 'e' && !hex):
		default:
			return i
		}
		i++
	}
	return i
}
