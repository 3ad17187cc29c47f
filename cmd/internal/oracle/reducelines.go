package oracle

import (
	"regexp"
	"strings"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/randprog"
)

// Reduction of programs in IAL, whose text has one instruction or declaration on each line:
// groups of lines are left out, first the declarations, then halves, quarters and so on; a
// conditional jump becomes one to either block.

func isIAL(text string) bool { return strings.HasPrefix(text, randprog.HeadIAL) }

// lines makes a text smaller until nothing has an effect, or the time is over.
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
	}
}

// declarations cuts a text in front of each line that begins with a word.
func declarations(text string) []string {
	var list []string
	for _, l := range strings.SplitAfter(text, "\n") {
		if len(list) == 0 || l != "" && 'a' <= l[0] && l[0] <= 'z' {
			list = append(list, "")
		}
		list[len(list)-1] += l
	}
	return list
}

var conditional = regexp.MustCompile(`jump\.cond \S+ \((\S+), (\S+)\);`)

// straighten tries to make each conditional jump go to one block.
func (r *reducer) straighten() {
	for from := 0; ; {
		m := conditional.FindStringSubmatchIndex(r.text[from:])
		if m == nil {
			return
		}
		for i := range m {
			m[i] += from
		}
		from = m[1]
		for _, to := range []string{r.text[m[2]:m[3]], r.text[m[4]:m[5]]} {
			if r.try(r.text[:m[0]] + "jump (" + to + ");" + r.text[m[1]:]) {
				from = m[0]
				break
			}
		}
	}
}
