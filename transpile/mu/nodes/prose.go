package nodes

import (
	"regexp"
	"strconv"
	"strings"
)

// made finds the names that were made here, with the word in front, which may say the same, and the index in a block
// that may follow in reports.
var made = regexp.MustCompile(`([a-z]+ )?[@%][0-9A-Za-z_.-]*` + Mark + `[0-9A-Za-z_.` + Mark + `-]*(\+[0-9]+)?`)

// word is a word with a number in a name that was made here.
var word = regexp.MustCompile(`^([a-z]+)([0-9]+)$`)

// words say what the marks mean.
var words = map[string]string{"type": "type", "signature": "signature", "constant": "constant", "cell": "global cell", "function": "function",
	"exposed": "exposed function", "version": "version", "block": "block", "parameter": "parameter", "exception": "exception parameter",
	"instruction": "instruction", "result": "result", "known": "the entity with the ID", "sigof": "the signature of the entity with the ID"}

// Prose replaces the names that were made here in a message by what they stand for, as in "block 2 of version 1 of
// @f". nameOf returns the names of existing entities, "" if they have none.
func Prose(text string, nameOf func(id uint32) string) string {
	if !strings.Contains(text, Mark) {
		return text
	}
	return made.ReplaceAllStringFunc(text, func(name string) string {
		before, name := name[:strings.IndexAny(name, "@%")], name[strings.IndexAny(name, "@%"):]
		name, index, indexed := strings.Cut(name, "+")
		parent, rest, _ := strings.Cut(name, Mark)
		var parts []string
		if parent = strings.TrimSuffix(parent, "."); len(parent) > 1 {
			parts = append(parts, parent)
		}
		for _, part := range strings.Split(rest, "."+Mark) {
			steps := strings.Split(part, "-")
			for _, s := range steps {
				parts = append(parts, phrase(s, nameOf))
			}
		}
		if indexed {
			i, _ := strconv.Atoi(index)
			parts = append(parts, words["instruction"]+" "+strconv.Itoa(i+1))
		}
		out := parts[0]
		for _, p := range parts[1:] {
			out = p + " of " + out
		}
		if strings.HasPrefix(out, before) {
			return out
		}
		return before + out
	})
}

// phrase says what a word with a number stands for.
func phrase(text string, nameOf func(id uint32) string) string {
	m := word.FindStringSubmatch(text)
	if m == nil || words[m[1]] == "" {
		return text
	}
	if m[1] == "known" || m[1] == "sigof" {
		id, _ := strconv.ParseUint(m[2], 10, 32)
		if name := nameOf(uint32(id)); name != "" {
			if m[1] == "known" {
				return name
			}
			return "the signature of " + name
		}
	}
	return words[m[1]] + " " + m[2]
}

// say says which node is meant.
func (b *Builder) say(n *node) string {
	if n.kind == Bundle {
		return "the bundle"
	}
	return Prose(b.full(n), b.prog.NameOf)
}
