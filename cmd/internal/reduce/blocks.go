package reduce

import (
	"regexp"
	"slices"
	"strings"
)

// A notation is how the text of a dialect shows blocks, each on lines of its own.
type notation struct {
	head  *regexp.Regexp // the first line of a block, with its name
	jump  *regexp.Regexp // a jump without arguments, with the name of the block
	ends  *regexp.Regexp // a line that ends a function
	phi   string         // what a line of a PHI node has after the name of a block, "" if it has no lines
	brace bool           // the lines of a block stand in braces, each on its own line
}

// notations are those of IAL, TVM, the representation, and 2014.
var notations = []notation{
	{head: regexp.MustCompile(`^\s*block (\w+)$`), jump: regexp.MustCompile(`^\s*jump \((\w+)\);$`), ends: regexp.MustCompile(`^\s*(return .*|leave|dead);$`), brace: true},
	{head: regexp.MustCompile(`^block (%\S+):$`), jump: regexp.MustCompile(`^\s*br (%\S+);$`), ends: regexp.MustCompile(`^\s*(return .*|unreachable);$`)},
	{head: regexp.MustCompile(`^(\^\S+)\(\):`), jump: regexp.MustCompile(`^  branch (\^\S+)\(\)$`), ends: regexp.MustCompile(`^  ret\b.*$`)},
	{head: regexp.MustCompile(`^\s*(%\S+):(?: \[%\S+\])?$`), jump: regexp.MustCompile(`^\s*BRANCH (%\S+)$`), ends: regexp.MustCompile(`^\s*(RET .*|RETVOID)$`), phi: ": "},
}

// ends ends functions where they jump.
func (r *reducer) ends() {
	r.notations(func(n *notation) { r.each(n.jump, n.ended) })
}

// blocks leaves out blocks, and puts blocks in place of the jumps to them.
func (r *reducer) blocks() {
	r.notations(func(n *notation) {
		r.parts(n.split)
		r.each(n.jump, n.joined)
	})
}

// notations calls a function with the notations of which the text has blocks.
func (r *reducer) notations(do func(*notation)) {
	for i := range notations {
		if slices.ContainsFunc(strings.Split(r.text, "\n"), notations[i].head.MatchString) {
			do(&notations[i])
		}
	}
}

// split cuts a text before each block and after the last of each function.
func (n *notation) split(text string) []string {
	list := []string{""}
	for line := range strings.Lines(text) {
		if bare := strings.TrimSuffix(line, "\n"); n.head.MatchString(bare) || strings.HasPrefix(bare, "}") {
			list = append(list, "")
		}
		list[len(list)-1] += line
	}
	return list
}

// each tries, for each line that matches, the texts that change lists.
func (r *reducer) each(pattern *regexp.Regexp, change func(lines []string, at int) []string) {
	lines := strings.Split(r.text, "\n")
	for at := 0; at < len(lines) && !r.over(); at++ {
		if !pattern.MatchString(lines[at]) {
			continue
		}
		texts := change(lines, at)
		if r.first(len(texts), func(i int) string { return texts[i] }) < len(texts) {
			lines = strings.Split(r.text, "\n")
		}
	}
}

// ended lists the texts with each of the first ends of functions in place of the jump at a line.
func (n *notation) ended(lines []string, at int) (texts []string) {
	const most = 4
	var ends []string
	for _, l := range lines {
		if n.ends.MatchString(l) && !slices.Contains(ends, l) && len(ends) < most {
			ends = append(ends, l)
		}
	}
	from := at
	for from >= 0 && !n.head.MatchString(lines[from]) {
		from--
	}
	for _, e := range ends {
		changed := slices.Clone(lines)
		changed[at] = e
		texts = append(texts, strings.Join(changed, "\n"))
		if n.phi == "" || from < 0 {
			continue
		}
		// No PHI node has a value for the block then.
		name := n.head.FindStringSubmatch(lines[from])[1]
		changed = slices.DeleteFunc(changed, func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), name+n.phi) })
		texts = append(texts, strings.Join(changed, "\n"))
	}
	return texts
}

// joined is the text with a block in place of the jump at a line.
func (n *notation) joined(lines []string, at int) []string {
	name := n.jump.FindStringSubmatch(lines[at])[1]
	from := slices.IndexFunc(lines, func(l string) bool {
		m := n.head.FindStringSubmatch(l)
		return m != nil && m[1] == name
	})
	if from < 0 {
		return nil
	}
	to := from + 1
	for to < len(lines) && !n.head.MatchString(lines[to]) && !strings.HasPrefix(strings.TrimSpace(lines[to]), "}") {
		to++
	}
	body := slices.Clone(lines[from+1 : to])
	if n.brace {
		if len(body) == 0 || to == len(lines) || strings.TrimSpace(body[0]) != "{" {
			return nil
		}
		body, to = body[1:], to+1
	}
	var out []string
	for i, l := range lines {
		switch {
		case i == at:
			out = append(out, body...)
		case i < from || i >= to:
			out = append(out, l)
		}
	}
	return []string{strings.Join(out, "\n")}
}
