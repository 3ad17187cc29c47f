package reduce

import (
	"regexp"
	"strings"
)

// token is what tokens leaves out at once, with the white space after it.
var token = regexp.MustCompile(`(?s)("(?:[^"\\\n]|\\.)*"|[@%^.#\w]+|[^\s\w])\s*`)

// words leaves out tokens.
func (r *reducer) words() {
	r.parts(func(text string) []string {
		var list []string
		at := 0
		for _, m := range token.FindAllStringIndex(text, -1) {
			list = append(list, text[at:m[1]])
			at = m[1]
		}
		return append(list, text[at:])
	})
}

// tokens leaves out tokens of a text that is no valid bundle, then characters.
func (r *reducer) tokens() {
	r.words()
	r.parts(func(text string) []string { return strings.Split(text, "") })
}
