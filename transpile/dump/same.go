package dump

import (
	"hash/fnv"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Same makes texts of two bodies for comparing them: they are equal if the bodies are the same but for the names
// of values and blocks. Those of the second that correspond to some of the first have the names that the first gives them.
// Places (at "...") and names of instructions inside the version have names of blocks in them, so they are left out.
func Same(p *ir.Program, v *ir.Version, q *ir.Program, w *ir.Version) (first, second string) {
	return same(text(p, v), text(q, w))
}

func same(first, second string) (string, string) {
	m := &matching{a: newBody(first), b: newBody(second), to: map[string]string{}, taken: map[string]bool{}}
	m.lines()
	m.names()
	return m.a.text(nil), m.b.text(m.given())
}

// bodyTokens finds strings, values and labels with their numbers, and entity ids. Names that are not plain stand in quotes.
var bodyTokens = regexp.MustCompile(`[%^]"(?:[^"\\]|\\.)*"\.\d+|"(?:[^"\\]|\\.)*"|[%^][^\s:(),<>{}\[\]"=]*| !\d+`)

// instName is the name or the place of an instruction; the name of a version precedes the names in it.
var instName = regexp.MustCompile(`\[(?:at "(?:[^"\\]|\\.)*"|@[^\]"]*|%[^\]"]*)\] `)

// A body is the text of a version in lines.
type body struct {
	lines []bodyLine
	def   map[string]int    // the line that defines a value or block
	shown map[string]string // how a name with its number is shown: without, if it is the first of this name
}

// A bodyLine is a line cut at the names of values and blocks: text, name, text, and so on.
type bodyLine struct {
	text  []string // one more than names
	names []string // with their numbers, which make them unique
	defs  int      // so many of the names are defined here
	blank string   // the text with a mark in place of each name
}

// newBody cuts the text of a version. It leaves out comments, entity ids, and names that belong to the version.
func newBody(text string) *body {
	b := &body{def: map[string]int{}, shown: map[string]string{}}
	version := ""
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimLeft(line, " "), "//") {
			continue
		}
		if rest, ok := strings.CutPrefix(line, "version "); ok && version == "" {
			version, _, _ = strings.Cut(rest, " ")
		}
		inst := strings.HasPrefix(line, "  ")
		line = instName.ReplaceAllStringFunc(line, func(name string) string {
			if inst && (strings.HasPrefix(name, "[at ") || strings.HasPrefix(name, "[%") || strings.HasPrefix(name, "["+version+".")) {
				return ""
			}
			return name
		})
		b.add(line)
	}
	names := newNaming()
	for _, l := range b.lines {
		for _, n := range l.names {
			if b.shown[n] == "" {
				b.shown[n] = names.free(unnumbered(n))
			}
		}
	}
	return b
}

func (b *body) add(line string) {
	var l bodyLine
	head, _, _ := strings.Cut(line, " = ")
	at, from := 0, 0
	var rest strings.Builder
	for _, m := range bodyTokens.FindAllStringIndex(line, -1) {
		switch token := line[m[0]:m[1]]; token[0] {
		case '"':
			continue
		case ' ':
			rest.WriteString(line[from:m[0]])
			from = m[1]
			continue
		default:
			rest.WriteString(line[from:m[0]])
			l.text = append(l.text, rest.String())
			rest.Reset()
			from = m[1]
			l.names = append(l.names, token)
			label := line[0] == '^'
			if label && at == l.defs || m[1] < len(head) && head[m[1]] == ':' {
				if at == l.defs {
					l.defs++
					b.def[token] = len(b.lines)
				}
			}
			at++
		}
	}
	rest.WriteString(line[from:])
	l.text = append(l.text, rest.String())
	l.blank = strings.Join(l.text, "\x00")
	b.lines = append(b.lines, l)
}

// text is the text of a body with shown names, those of given first.
func (b *body) text(given map[string]string) string {
	var out strings.Builder
	for _, l := range b.lines {
		for i, n := range l.names {
			out.WriteString(l.text[i])
			if g := given[n]; g != "" {
				n = g
			} else {
				n = b.shown[n]
			}
			out.WriteString(n)
		}
		out.WriteString(l.text[len(l.names)])
	}
	return out.String()
}

// unnumbered is a name without its number; a value without a name is its number.
func unnumbered(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		if _, err := strconv.Atoi(name[i+1:]); err == nil {
			return name[:i]
		}
	}
	if _, err := strconv.Atoi(name[1:]); err == nil {
		return name[:1]
	}
	return name
}

// A naming has the names that a text uses.
type naming struct {
	used map[string]bool
	next map[string]int // by name: no smaller number is free
}

func newNaming() *naming { return &naming{map[string]bool{}, map[string]int{}} }

// free takes a name, with a number if it is used or nothing but a sigil. A sigil's numbers follow it directly.
func (n *naming) free(name string) string {
	dot, first := ".", 2
	switch {
	case len(name) == 1:
		dot, first = "", 1
	case !n.used[name]:
		n.used[name] = true
		return name
	}
	k := max(first, n.next[name])
	for n.used[name+dot+strconv.Itoa(k)] {
		k++
	}
	n.next[name] = k + 1
	n.used[name+dot+strconv.Itoa(k)] = true
	return name + dot + strconv.Itoa(k)
}

// A matching says which lines and names of two bodies correspond.
type matching struct {
	a, b  *body
	pairs [][2]int
	to    map[string]string // names of b: the corresponding one of a
	taken map[string]bool   // names of a that correspond to one of b
}

// lines pairs lines which are equal but for names: all, if these are as many in both; otherwise those that have the same
// names, then those whose operands are computed alike, then the others, each between the pairs found before.
func (m *matching) lines() {
	same := len(m.a.lines) == len(m.b.lines)
	for i := 0; same && i < len(m.a.lines); i++ {
		same = m.a.lines[i].blank == m.b.lines[i].blank
	}
	if same {
		for i := range m.a.lines {
			m.pairs = append(m.pairs, [2]int{i, i})
		}
		return
	}
	m.between(0, len(m.a.lines), 0, len(m.b.lines), []func(*body) []string{(*body).named, (*body).computed, (*body).blanks}, map[int][2][]string{})
}

// between pairs lines of two ranges by the first of some kinds of keys, and then what lies between by the others.
func (m *matching) between(a0, a1, b0, b1 int, kinds []func(*body) []string, keys map[int][2][]string) {
	if len(kinds) == 0 || a0 == a1 || b0 == b1 {
		return
	}
	k, ok := keys[len(kinds)]
	if !ok {
		k = [2][]string{kinds[0](m.a), kinds[0](m.b)}
		keys[len(kinds)] = k
	}
	a, b := a0, b0
	for _, p := range common(k[0][a0:a1], k[1][b0:b1]) {
		m.between(a, a0+p[0], b, b0+p[1], kinds[1:], keys)
		m.pairs = append(m.pairs, [2]int{a0 + p[0], b0 + p[1]})
		a, b = a0+p[0]+1, b0+p[1]+1
	}
	m.between(a, a1, b, b1, kinds[1:], keys)
}

// common lists the numbers of equal lines that a diff of two lists leaves unchanged.
func common(a, b []string) (pairs [][2]int) {
	lines := strings.SplitAfter(string(diff.Diff("", joined(a), "", joined(b))), "\n")
	i, j := 0, 0
	until := func(x int) {
		for i < x {
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		}
	}
	for n, l := range lines {
		switch {
		case n < 3 || l == "": // the head
		case l[0] == ' ':
			until(i + 1)
		case l[0] == '-':
			i++
		case l[0] == '+':
			j++
		default: // @@ -FROM,COUNT +FROM,COUNT @@
			from, count, _ := strings.Cut(strings.Fields(l)[1][1:], ",")
			x, _ := strconv.Atoi(from)
			if count != "0" {
				x--
			}
			until(x)
		}
	}
	until(len(a))
	return pairs
}

func joined(lines []string) []byte {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l + "\n")
	}
	return []byte(b.String())
}

// key is a text without line breaks that is equal for equal lists.
func key(list ...string) string {
	h := fnv.New128a()
	for _, s := range list {
		h.Write([]byte(strconv.Itoa(len(s)) + " " + s))
	}
	return string(strconv.AppendQuote(nil, string(h.Sum(nil))))
}

func (b *body) blanks() []string { return b.keys(func(bodyLine) []string { return nil }) }

// named has the lines with the names that the author has given.
func (b *body) named() []string {
	return b.keys(func(l bodyLine) (list []string) {
		for _, n := range l.names {
			list = append(list, unnumbered(n))
		}
		return list
	})
}

// computed has the lines with those that define their operands, and the operands of these.
func (b *body) computed() []string {
	keys := b.blanks()
	for range 2 {
		before := keys
		keys = b.keys(func(l bodyLine) (list []string) {
			for _, n := range l.names[l.defs:] {
				if d, ok := b.def[n]; ok {
					list = append(list, before[d])
				}
			}
			return list
		})
	}
	return keys
}

func (b *body) keys(more func(bodyLine) []string) []string {
	var list []string
	for _, l := range b.lines {
		list = append(list, key(append([]string{l.blank}, more(l)...)...))
	}
	return list
}

// names pairs the names that lines in pairs define, then the others in these lines.
func (m *matching) names() {
	for _, defs := range []bool{true, false} {
		for _, p := range m.pairs {
			a, b := m.a.lines[p[0]], m.b.lines[p[1]]
			for i, n := range b.names {
				if m.to[n] == "" && !m.taken[a.names[i]] && (!defs || i < b.defs) && n[0] == a.names[i][0] {
					m.to[n] = a.names[i]
					m.taken[a.names[i]] = true
				}
			}
		}
	}
}

// given has the names to show for those of b: the name of the corresponding one of a, or its own, if no
// other in b is called so.
func (m *matching) given() map[string]string {
	given, names := map[string]string{}, newNaming()
	for n, a := range m.to {
		given[n] = m.a.shown[a]
		names.used[given[n]] = true
	}
	for _, l := range m.b.lines {
		for _, n := range l.names {
			if given[n] == "" {
				given[n] = names.free(unnumbered(n))
			}
		}
	}
	return given
}
