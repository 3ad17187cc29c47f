package nodes

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Built is a complete bundle.
type Built struct {
	Text string            // in Mu, with names that were made here
	IDs  map[string]uint32 // the reserved IDs of nodes that have one, by their full names in the text, except
	// parameters and results, which are in Locals by the full names of their blocks.
	Locals map[string][]LocalID

	marks  []textMark // in the order of the text
	nameOf func(id uint32) string
}

// A LocalID is the ID of a local variable, by its name in the text.
type LocalID struct {
	Name string
	ID   uint32
}

// A textMark is where the text of a definition, block or instruction begins.
type textMark struct {
	off  int
	node string // its full name
}

// End ends the bundle and makes its text. No call is possible afterwards.
func (b *Builder) End() (*Built, *Error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return nil, errorf(BadHandle, "the bundle was loaded or given up")
	}
	b.ended = true
	w := &writer{Builder: b, out: &Built{nameOf: b.prog.NameOf}}
	w.ids()
	if err := w.bundle(); err != nil {
		return nil, err
	}
	w.out.Text = w.text.String()
	return w.out, nil
}

// Abort ends the bundle without a text.
func (b *Builder) Abort() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
}

// Prose is Prose for a message about the bundle.
func (t *Built) Prose(text string) string { return Prose(text, t.nameOf) }

// InstIn says which instruction of a block is meant, by the full name of the block and its index.
func (t *Built) InstIn(block string, i int) string { return t.Prose(fmt.Sprintf("%s+%d", block, i)) }

// Place is the name in the text of the node in which an offset is, "" if it is in none.
func (t *Built) Place(off int) string {
	i, found := slices.BinarySearchFunc(t.marks, off, func(m textMark, off int) int { return m.off - off })
	if !found {
		i--
	}
	if i < 0 {
		return ""
	}
	return t.marks[i].node
}

// A writer writes the text of a bundle.
type writer struct {
	*Builder
	out  *Built
	text strings.Builder
}

// begin begins the text of a node.
func (w *writer) begin(n *node) {
	w.out.marks = append(w.out.marks, textMark{w.text.Len(), w.full(n)})
}

func (w *writer) printf(format string, args ...any) { fmt.Fprintf(&w.text, format, args...) }

// missing is the error about a node that lacks something.
func (w *writer) missing(n *node, what string) *Error {
	return errorf(BadCheck, "%s: %s is missing", w.say(n), what)
}

func (w *writer) bundle() *Error {
	for _, n := range w.nodes {
		var err *Error
		switch {
		case n.known, n.kind == Bundle, n.parent != nil && n.kind != Version:
			continue
		case n.kind == Version:
			err = w.version(n)
		case n.kind == Func:
			if len(n.children) == 0 {
				w.begin(n)
				w.printf(".funcdecl %s <%s>\n", w.ref(n), w.ref(w.node(n.args[1].Node)))
			}
		default:
			w.begin(n)
			err = w.write(n)
			w.printf("\n")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) version(n *node) *Error {
	sig := sigMark + strconv.Itoa(int(n.parent.id))
	if !n.parent.known {
		sig = w.ref(w.node(n.parent.args[1].Node))
	}
	w.begin(n)
	w.printf(".funcdef %s VERSION %s <%s> {\n", w.ref(n.parent), w.ref(n), sig)
	if len(n.children) == 0 {
		return w.missing(n, "a block")
	}
	for _, blk := range n.children {
		if err := w.block(blk); err != nil {
			return err
		}
	}
	w.printf("}\n")
	return nil
}

func (w *writer) block(blk *node) *Error {
	var params, exc []string
	var insts []*node
	for _, c := range blk.children {
		switch c.kind {
		case Param:
			params = append(params, fmt.Sprintf("<%s> %s", w.ref(w.node(c.args[1].Node)), w.ref(c)))
		case ExcParam:
			exc = append(exc, " ["+w.ref(c)+"]")
		case Inst:
			insts = append(insts, c)
		}
	}
	switch {
	case len(exc) > 1:
		return errorf(BadCheck, "%s has more than one exception parameter", w.say(blk))
	case len(insts) == 0:
		return w.missing(blk, "an instruction")
	}
	w.begin(blk)
	w.printf("%s(%s)%s:\n", w.ref(blk), strings.Join(params, " "), strings.Join(exc, ""))
	for _, in := range insts {
		w.begin(in)
		var results []string
		for _, r := range in.children {
			results = append(results, w.ref(r))
		}
		if len(results) > 0 {
			w.printf("(%s) = ", strings.Join(results, " "))
		}
		w.printf("[%s] ", w.ref(in))
		if err := w.write(in); err != nil {
			return err
		}
		w.printf("\n")
	}
	return nil
}

// write writes a node as its row prescribes.
func (w *writer) write(n *node) *Error {
	rest := n.row.text
	for {
		before, after, ok := strings.Cut(rest, "{")
		w.text.WriteString(before)
		if !ok {
			return nil
		}
		if after[0] == '{' || after[0] == ' ' { // a brace of the text
			w.text.WriteString("{")
			rest = after
			continue
		}
		what, more, _ := strings.Cut(after, "}")
		text, err := w.part(n, what)
		if err != nil {
			return err
		}
		w.text.WriteString(text)
		rest = more
	}
}

// part writes one part of a row.
func (w *writer) part(n *node, what string) (string, *Error) {
	missing := func(what string) (string, *Error) { return "", w.missing(n, what) }
	if kind := slices.Index(destNames[:], what); kind > 0 {
		d := n.dests[uint64(kind)]
		if d == nil {
			return missing("destination " + what)
		}
		return w.dest(d), nil
	}
	switch what {
	case "":
		return w.ref(n), nil
	case "cases":
		var l []string
		for _, d := range n.cases {
			l = append(l, w.ref(w.node(d.key))+" "+w.dest(d))
		}
		return strings.Join(l, " "), nil
	case "exc":
		nor, exc := n.dests[normal], n.dests[except]
		switch {
		case nor == nil && exc == nil:
			return "", nil
		case nor == nil:
			return missing("destination NORMAL")
		case exc == nil:
			return missing("destination EXCEPT")
		}
		return fmt.Sprintf(" EXC(%s %s)", w.dest(nor), w.dest(exc)), nil
	case "wpexc":
		if d := n.dests[except]; d != nil {
			return " WPEXC(" + w.dest(d) + ")", nil
		}
		return "", nil
	case "keep":
		if n.hasKeep {
			return " KEEPALIVE(" + w.refs(n.keep) + ")", nil
		}
		return "", nil
	case "newstack":
		switch {
		case n.throw != 0:
			return "THROW_EXC " + w.ref(w.node(n.throw)), nil
		case n.pass != nil:
			return fmt.Sprintf("PASS_VALUES <%s> (%s)", w.refs(n.pass[0]), w.refs(n.pass[1])), nil
		}
		return missing("the new-stack clause")
	}
	if strings.HasPrefix(what, "set_type_") {
		if n.to == 0 {
			return missing("what it refers to")
		}
		return w.ref(w.node(n.to)), nil
	}
	number, form, _ := strings.Cut(what, ":")
	i, _ := strconv.Atoi(number)
	a := &n.args[i]
	switch form {
	case "":
		if a.Node != 0 {
			return w.ref(w.node(a.Node)), nil
		}
		return w.refs(a.Nodes), nil
	case "threadlocal":
		if a.Node == 0 {
			return "", nil
		}
		return " THREADLOCAL(" + w.ref(w.node(a.Node)) + ")", nil
	case "flags":
		var l []string
		for _, x := range a.Words {
			text, ok := spell("call", x)
			if !ok {
				return "", errorf(BadCheck, "%s: operand %d: %#x is no flag", w.say(n), i+1, x)
			}
			l = append(l, text)
		}
		if len(l) == 0 {
			return "", nil
		}
		return " [" + strings.Join(l, " ") + "]", nil
	case "words":
		text := ""
		for _, w := range a.Words {
			text = fmt.Sprintf("%016x", w) + text
		}
		return "0x0" + text, nil
	}
	text, ok := spell(form, a.Word)
	if !ok {
		return "", errorf(BadCheck, "%s: operand %d: %#x is no %s", w.say(n), i+1, a.Word, formNames[form])
	}
	return text, nil
}

func (w *writer) dest(d *dest) string {
	return fmt.Sprintf("%s(%s)", w.ref(w.node(d.block)), w.refs(d.args))
}
