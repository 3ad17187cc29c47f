package dump

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// plainTokens finds what Plain rewrites: values and labels with their numbers, entity ids, and strings, in which nothing is
// rewritten.
var plainTokens = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|([%^][^\s:(),<>{}\[\]"]*)\.\d+|( !\d+)`)

// Plain is the text of a version for comparing it with another: without entity ids, and with the numbers of
// values and blocks only where names repeat. The second of a name gets the number 2, and so on.
func Plain(p *ir.Program, v *ir.Version) string {
	return plain(text(p, v))
}

func plain(text string) string {
	number := map[string]int{} // by token with its number: the one in the result
	count := map[string]int{}  // by token without
	var out strings.Builder
	at := 0
	for _, m := range plainTokens.FindAllStringSubmatchIndex(text, -1) {
		out.WriteString(text[at:m[0]])
		at = m[1]
		token := text[m[0]:m[1]]
		switch {
		case m[2] >= 0:
			name := text[m[2]:m[3]]
			if number[token] == 0 {
				count[name]++
				number[token] = count[name]
			}
			out.WriteString(name)
			if n := number[token]; n > 1 {
				out.WriteString("." + strconv.Itoa(n))
			}
		case m[4] < 0: // a string
			out.WriteString(token)
		}
	}
	out.WriteString(text[at:])
	return out.String()
}

// PlainDefinitions is the text of everything in a program but the bodies, as Plain writes it. Entities are in the order
// of their lines' text; what follows them, such as a heap image, keeps its order.
func PlainDefinitions(p *ir.Program) string {
	var all strings.Builder
	ir.Print(&all, p)
	_, rest, _ := strings.Cut(all.String(), "\n") // the first line counts entities
	var entities, others []string
	body := false
	for line := range strings.Lines(rest) {
		word, _, _ := strings.Cut(line, " ")
		switch {
		case word == "version":
			body = true
		case body:
			body = line != "}\n"
		case slices.Contains(entityWords, word):
			entities = append(entities, plain(line))
		case line != "\n":
			others = append(others, line)
		}
	}
	slices.Sort(entities)
	return strings.Join(entities, "") + plain(strings.Join(others, ""))
}

// entityWords begin the lines of entities that may stand in any order.
var entityWords = []string{"type", "const", "global", "func", "expose", "word"}
