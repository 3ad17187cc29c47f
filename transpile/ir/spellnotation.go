package ir

import (
	"strconv"
	"strings"
)

// Printing and parsing of a Notation in the text of the representation.

// shown spells the notations of results after a space, "" if there are none.
func shown(results []Notation) string {
	if len(results) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(" shown")
	spellNotations(&b, results, '(', ')')
	return b.String()
}

func spellNotations(b *strings.Builder, list []Notation, open, end byte) {
	b.WriteByte(open)
	for i := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		spellNotation(b, &list[i])
	}
	b.WriteByte(end)
}

// spellNotation writes signed, unsigned or the parts in braces, and everything else in brackets.
func spellNotation(b *strings.Builder, n *Notation) {
	texts := []struct{ what, text string }{{"prefix", n.Prefix}, {"open", n.Open}, {"between", n.Between}, {"close", n.Close}}
	var all []string
	if n.Unsigned {
		all = append(all, "unsigned")
	}
	if n.Number {
		all = append(all, "number")
	}
	if n.Hex {
		all = append(all, "hex")
	}
	if n.Filler {
		all = append(all, "filler")
	}
	for _, t := range texts {
		if t.text != "" {
			all = append(all, t.what, strconv.Quote(t.text))
		}
	}
	for _, w := range n.Words {
		all = append(all, "word", strconv.Quote(w))
	}
	switch {
	case len(all) == 0 && len(n.Parts) == 0:
		b.WriteString("signed")
		return
	case len(all) == 1 && n.Unsigned && len(n.Parts) == 0:
		b.WriteString("unsigned")
		return
	case len(all) > 0:
		b.WriteString("[" + strings.Join(all, " "))
		if len(n.Parts) > 0 {
			b.WriteByte(' ')
		}
	}
	if len(n.Parts) > 0 {
		spellNotations(b, n.Parts, '{', '}')
	}
	if len(all) > 0 {
		b.WriteByte(']')
	}
}

// notations reads how values are printed, in parentheses or braces.
func (r *reader) notations(open, end string) (list []Notation) {
	if r.deep++; r.deep > maxDepth {
		r.fail("nested too deep")
	}
	defer func() { r.deep-- }()
	r.expect(open)
	for !r.bad && !r.accept(end) {
		list = append(list, r.notation())
	}
	return list
}

// notation reads how values of a type are printed.
func (r *reader) notation() (n Notation) {
	switch {
	case r.peek("{"):
		n.Parts = r.notations("{", "}")
		return n
	case r.accept("signed"):
		return n
	case r.accept("unsigned"):
		n.Unsigned = true
		return n
	}
	r.expect("[")
	for !r.bad && !r.accept("]") {
		switch {
		case r.peek("{"):
			n.Parts = r.notations("{", "}")
		case r.accept("unsigned"):
			n.Unsigned = true
		case r.accept("number"):
			n.Number = true
		case r.accept("hex"):
			n.Hex = true
		case r.accept("filler"):
			n.Filler = true
		case r.accept("prefix"):
			n.Prefix = r.quoted("a prefix")
		case r.accept("open"):
			n.Open = r.quoted("an opening")
		case r.accept("between"):
			n.Between = r.quoted("a separator")
		case r.accept("close"):
			n.Close = r.quoted("a closing")
		default:
			r.expect("word")
			n.Words = append(n.Words, r.quoted("a word"))
		}
	}
	return n
}
