package oracle

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/randprog"
)

// Reduction of programs in IAL and TVM, whose text has one instruction or declaration on each line:
// groups of lines are left out, first the declarations, then halves, quarters and so on; a
// conditional jump is replaced by a jump to either block; an expression in parentheses is replaced by
// one of its operands.

func byLines(text string) bool {
	return strings.HasPrefix(text, randprog.HeadIAL) || strings.HasPrefix(text, randprog.HeadTVM)
}

// lines makes a text smaller until no change has an effect, or the time is over.
func (r *reducer) lines() {
	r.last = r.want
	for before := ""; before != r.text && time.Now().Before(r.until); {
		before = r.text
		for at := 0; at < len(declarations(r.text)); {
			l := declarations(r.text)
			if !r.try(strings.Join(append(l[:at:at], l[at+1:]...), "")) {
				at++
			}
		}
		r.straighten()
		for size := strings.Count(r.text, "\n"); size >= 1; size /= 2 {
			for at := 0; ; {
				l := strings.SplitAfter(r.text, "\n")
				if at >= len(l) || time.Now().After(r.until) {
					break
				}
				if !r.try(strings.Join(append(l[:at:at], l[min(at+size, len(l)):]...), "")) {
					at += size
				}
			}
		}
		r.operands()
	}
}

// declarations splits a text before each line that begins with a name or a word other than block.
func declarations(text string) []string {
	var list []string
	for _, l := range strings.SplitAfter(text, "\n") {
		if len(list) == 0 || l != "" && (l[0] == '%' || 'a' <= l[0] && l[0] <= 'z' && !strings.HasPrefix(l, "block ")) {
			list = append(list, "")
		}
		list[len(list)-1] += l
	}
	return list
}

// jumps lists the conditional jumps with their destinations, each with the text of a simple jump.
var jumps = []struct {
	conditional *regexp.Regexp
	simple      string
}{
	{regexp.MustCompile(`jump\.cond \S+ \((\S+), (\S+)\);`), "jump (%s);"},
	{regexp.MustCompile(`cond_br [^\n]* (%\S+) (%\S+);`), "br %s;"},
}

// straighten tries to replace each conditional jump by a jump to one of its blocks.
func (r *reducer) straighten() {
	for _, j := range jumps {
		for from := 0; ; {
			m := j.conditional.FindStringSubmatchIndex(r.text[from:])
			if m == nil {
				break
			}
			for i := range m {
				m[i] += from
			}
			from = m[1]
			for _, to := range []string{r.text[m[2]:m[3]], r.text[m[4]:m[5]]} {
				if r.try(r.text[:m[0]] + fmt.Sprintf(j.simple, to) + r.text[m[1]:]) {
					from = m[0]
					break
				}
			}
		}
	}
}

// operands tries to replace each expression in parentheses of a program in TVM by one of its operands.
func (r *reducer) operands() {
	for at := 0; strings.HasPrefix(r.text, randprog.HeadTVM); at++ {
		k := strings.IndexByte(r.text[at:], '(')
		if k < 0 || time.Now().After(r.until) {
			return
		}
		at += k
		end, parts := group(r.text, at)
		for _, p := range parts {
			if r.try(r.text[:at] + p + r.text[end:]) {
				at--
				break
			}
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
