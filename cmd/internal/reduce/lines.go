package reduce

import (
	"fmt"
	"regexp"
	"strings"
)

// Most texts have one instruction or declaration on each line. lines leaves out declarations, then groups of lines;
// it replaces a conditional jump by a jump to either block, leaves out and joins blocks, replaces an expression in parentheses by one of its operands,
// and in the text of the representation a value by a constant.
func (r *reducer) lines() {
	r.try(entityID.ReplaceAllString(r.text, "$1"))
	r.parts(declarations)
	r.ends()
	r.straighten()
	r.blocks()
	r.parts(func(text string) []string { return strings.SplitAfter(text, "\n") })
	r.values()
	r.funcParams()
	r.operands()
}

// entityID is the number of an entity in the text of the representation, which can be left out.
var entityID = regexp.MustCompile(`(?m) !\d+( |$)`)

// declarations splits a text before each line that begins with a name or a word other than block.
func declarations(text string) []string {
	var list []string
	for _, l := range strings.SplitAfter(text, "\n") {
		if len(list) == 0 || l != "" && (strings.IndexByte("%@.", l[0]) >= 0 || 'a' <= l[0] && l[0] <= 'z' && !strings.HasPrefix(l, "block ")) {
			list = append(list, "")
		}
		list[len(list)-1] += l
	}
	return list
}

// jumps lists the conditional jumps with their destinations, each with the text of a simple jump: those of IAL, TVM,
// the representation, and 2014.
var jumps = []struct {
	conditional *regexp.Regexp
	simple      string
}{
	{regexp.MustCompile(`jump\.cond \S+ \((\S+), (\S+)\);`), "jump (%s);"},
	{regexp.MustCompile(`cond_br [^\n]* (%\S+) (%\S+);`), "br %s;"},
	{regexp.MustCompile(`branch2 \S+ (\^[^\n]*?\)) (\^[^\n]*\))`), "branch %s"},
	{regexp.MustCompile(`BRANCH2 %\S+ (%\S+) (%\S+)`), "BRANCH %s"},
}

// straighten tries to replace each conditional jump by a jump to one of its blocks.
func (r *reducer) straighten() {
	for _, j := range jumps {
		for from := 0; !r.over(); {
			m := j.conditional.FindStringSubmatchIndex(r.text[from:])
			if m == nil {
				break
			}
			for i := range m {
				m[i] += from
			}
			taken := r.first(2, func(i int) string {
				return r.text[:m[0]] + fmt.Sprintf(j.simple, r.text[m[2+2*i]:m[3+2*i]]) + r.text[m[1]:]
			})
			from = m[1]
			if taken < 2 {
				from = m[0]
			}
		}
	}
}

// value is an instruction with one result in the text of the representation.
var value = regexp.MustCompile(`(?m)^  (%\S+): (\S+|\S+<.*>) = .*\n`)

// values tries to leave out each instruction with a result, with a constant in place of the result.
func (r *reducer) values() {
	for from := 0; !r.over(); {
		m := value.FindStringSubmatchIndex(r.text[from:])
		if m == nil {
			return
		}
		for i := range m {
			m[i] += from
		}
		name, typ := r.text[m[2]:m[3]], r.text[m[4]:m[5]]
		end := len(r.text)
		if i := strings.Index(r.text[m[1]:], "\n}"); i >= 0 {
			end = m[1] + i
		}
		use := regexp.MustCompile(regexp.QuoteMeta(name) + `\b`)
		from = m[1]
		zeros := []string{"0", "null", "0.0"}
		if r.first(len(zeros), func(i int) string {
			return r.text[:m[0]] + use.ReplaceAllLiteralString(r.text[m[1]:end], zeros[i]+":"+typ) + r.text[end:]
		}) < len(zeros) {
			from = m[0]
		}
	}
}

// operands tries to replace each expression in parentheses by one of its operands.
func (r *reducer) operands() {
	for at := 0; !r.over(); at++ {
		k := strings.IndexByte(r.text[at:], '(')
		if k < 0 {
			return
		}
		at += k
		end, parts := group(r.text, at)
		if r.first(len(parts), func(i int) string { return r.text[:at] + parts[i] + r.text[end:] }) < len(parts) {
			at--
		}
	}
}

// group finds the end of the expression in parentheses that begins at a place, and the words and expressions in it.
func group(text string, at int) (end int, parts []string) {
	depth, start := 0, at+1
	for i := at; i < len(text); i++ {
		switch c := text[i]; {
		case c == '(':
			depth++
		case depth == 1 && (c == ' ' || c == ')'):
			if start < i {
				parts = append(parts, text[start:i])
			}
			start = i + 1
			if c == ')' {
				return i + 1, parts
			}
		case c == ')':
			depth--
		}
	}
	return len(text), nil
}
