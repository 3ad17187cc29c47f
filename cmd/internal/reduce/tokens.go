package reduce

import "regexp"

// token is what tokens leaves out at once, with the white space after it.
var token = regexp.MustCompile(`(?s)("(?:[^"\\\n]|\\.)*"|[@%^.#\w]+|[^\s\w])\s*`)

// tokens leaves out tokens of a text that is no valid bundle, then characters.
func (r *reducer) tokens() {
	r.parts(func(text string) []string {
		var list []string
		at := 0
		for _, m := range token.FindAllStringIndex(text, -1) {
			list = append(list, text[at:m[1]])
			at = m[1]
		}
		return append(list, text[at:])
	})
	r.parts(func(text string) []string {
		var list []string
		for i := range len(text) {
			list = append(list, text[i:i+1])
		}
		return list
	})
}
