// Package tidy lays out generated Go as gofmt does, without parsing it as a file.
//
// It is for text of one statement a line, whose spaces are right but for those
// around binary operators: what jennifer prints of the statements that gogen
// makes. Indentation follows from the braces at the ends of lines; only a line
// with operators that gofmt spaces by precedence and depth is taken apart (see
// expr.go). That takes a fifth of the time that go/format takes.
//
// It is not a formatter of any Go. What it does not know (columns that gofmt
// aligns, comments beside statements, function literals, expressions over several
// lines) it refuses, and the caller takes go/format. The invariant is: what it
// does not refuse has the layout of gofmt, provided that the text is valid Go.
package tidy

import "bytes"

// Format lays out the text of a file. If ok is false, the text has something that
// this package does not know.
func Format(src []byte) (out []byte, ok bool) {
	f := &formatter{out: make([]byte, 0, len(src)+len(src)/4)}
	for len(src) > 0 {
		l := src
		if i := bytes.IndexByte(src, '\n'); i >= 0 {
			l, src = src[:i], src[i+1:]
		} else {
			src = nil
		}
		if !f.line(bytes.TrimSpace(l), l) {
			return nil, false
		}
	}
	f.flushComments(false, true)
	return f.out, len(f.blocks) == 0
}

// block is an open pair of braces.
type block uint8

const (
	blockStmts block = iota
	blockList        // of a composite literal, an element a line
)

// formatter is the state of one text.
type formatter struct {
	out    []byte
	blocks []block
	decl   string // keyword of the last declaration
	// comments are the lines between declarations, nil for a blank one.
	comments [][]byte
	expr     parser
}

// line adds a line, without and with the space around it.
func (f *formatter) line(l, full []byte) bool {
	if len(f.blocks) == 0 {
		return f.outer(l)
	}
	if len(l) == 0 {
		return false // blank lines in bodies: gofmt drops some
	}
	if f.blocks[len(f.blocks)-1] == blockList {
		return f.element(l)
	}
	if l[0] == '/' {
		// A directive stays in the first column; any other comment is not known.
		if !isLineDirective(full) {
			return false
		}
		f.put(0, full)
		return true
	}
	return f.stmt(l)
}

func isLineDirective(l []byte) bool { return bytes.HasPrefix(l, []byte("//line ")) }

// element adds a line of a composite literal.
func (f *formatter) element(l []byte) bool {
	depth := len(f.blocks)
	if len(l) == 1 && l[0] == '}' {
		f.blocks = f.blocks[:depth-1]
		f.out = bytes.TrimSuffix(f.out, []byte("{\n"))
		if f.out[len(f.out)-1] != '\n' {
			f.out = append(f.out, '{') // nothing in it
		}
		f.put(depth-1, l)
		return true
	}
	if l[0] == '/' || l[len(l)-1] != ',' {
		return false
	}
	f.indent(depth)
	return f.text(l, formElement)
}

// stmt adds a line of a function body.
func (f *formatter) stmt(l []byte) bool {
	depth := len(f.blocks)
	n := len(l)
	if l[0] == '}' {
		depth--
		f.blocks = f.blocks[:depth]
		if n == 1 {
			f.put(depth, l)
			return true
		}
		if !bytes.HasPrefix(l, []byte("} else ")) {
			return false
		}
	}
	switch {
	case l[n-1] == ':':
		depth-- // a label or a case
	case bytes.HasSuffix(l, []byte("{}")):
		if n == 2 || opensBlock(l) {
			// gofmt has no empty blocks on one line.
			f.indent(depth)
			if !f.text(l[:n-1], formStmt) {
				return false
			}
			f.put(depth, l[n-1:])
			return true
		}
	case l[n-1] == '{':
		if n > 1 && !opensBlock(l) {
			return false
		}
		f.blocks = append(f.blocks, blockStmts)
	}
	f.indent(depth)
	return f.text(l, formStmt)
}

// opensBlock reports whether the brace at the end of a statement's line is that
// of a block.
func opensBlock(l []byte) bool {
	for _, k := range []string{"if ", "} else ", "switch ", "for "} {
		if bytes.HasPrefix(l, []byte(k)) {
			return true
		}
	}
	return false
}

// outer adds a line between functions.
func (f *formatter) outer(l []byte) bool {
	if len(l) == 0 || l[0] == '/' {
		if len(l) > 0 && (bytes.HasPrefix(l, []byte("//go:")) || !bytes.HasPrefix(l, []byte("//"))) {
			return false
		}
		f.comments = append(f.comments, l)
		return true
	}
	i := bytes.IndexByte(l, ' ')
	if i < 0 {
		return false
	}
	kind := string(l[:i])
	switch kind {
	case "package", "func", "var":
	default:
		return false
	}
	doc := len(f.comments)
	for doc > 0 && len(f.comments[doc-1]) > 0 {
		doc--
	}
	if kind == "package" {
		if doc < len(f.comments) || f.decl != "" {
			return false
		}
	} else if !f.documentation(doc) {
		return false
	}
	f.flushComments(kind != f.decl, false)
	f.decl = kind
	n := len(l)
	switch {
	case kind == "func":
		if l[n-1] != '{' || bytes.ContainsAny(l, "\"'`+-/%&|^<>;") {
			return false
		}
		f.blocks = append(f.blocks, blockStmts)
		f.put(0, l)
		return true
	case l[n-1] == '{' && kind == "var" && bytes.IndexByte(l, '=') > 0:
		f.blocks = append(f.blocks, blockList)
		return f.text(l, formList)
	case l[n-1] == '{':
		return false
	}
	return f.text(l, formStmt)
}

// documentation brings the comment before a declaration, from index doc on, into
// the form of gofmt: directives come last, behind an empty comment.
func (f *formatter) documentation(doc int) bool {
	lines := f.comments[doc:]
	var text, directives [][]byte
	for _, l := range lines {
		if isLineDirective(l) {
			directives = append(directives, l)
			continue
		}
		text = append(text, l)
	}
	// More than a line could be a list or a heading, and quotes may change.
	if len(text) > 1 || len(text) == 1 && !plainSentence(text[0]) {
		return false
	}
	f.comments = append(f.comments[:doc], text...)
	if len(text) > 0 && len(directives) > 0 {
		f.comments = append(f.comments, []byte("//"))
	}
	f.comments = append(f.comments, directives...)
	return true
}

// plainSentence reports whether a line of documentation is text without any
// markup: a letter or an underscore first.
func plainSentence(l []byte) bool {
	if len(l) < 4 || !bytes.HasPrefix(l, []byte("// ")) || bytes.Contains(l, []byte("``")) || bytes.Contains(l, []byte("''")) {
		return false
	}
	c := l[3] | 0x20
	return c >= 'a' && c <= 'z' || l[3] == '_'
}

// flushComments writes what stands in front of a declaration or, last, of the end
// of the file. apart says that gofmt wants an empty line before the declaration.
func (f *formatter) flushComments(apart, last bool) {
	blank := true // before the first comment
	for _, l := range f.comments {
		if len(l) == 0 {
			blank, apart = true, true
			continue
		}
		f.blank(blank)
		blank, apart = false, false
		f.put(0, l)
	}
	f.blank(apart && !last)
	f.comments = f.comments[:0]
}

// blank writes an empty line, but not in front of everything.
func (f *formatter) blank(really bool) {
	if really && len(f.out) > 0 {
		f.out = append(f.out, '\n')
	}
}

const tabs = "\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t"

func (f *formatter) indent(n int) {
	for n > len(tabs) {
		f.out = append(f.out, tabs...)
		n -= len(tabs)
	}
	f.out = append(f.out, tabs[:max(n, 0)]...)
}

// put writes a line as it is.
func (f *formatter) put(depth int, l []byte) {
	f.indent(depth)
	f.out = append(f.out, l...)
	f.out = append(f.out, '\n')
}

// text writes a line of code.
func (f *formatter) text(l []byte, form form) bool {
	if c := l[len(l)-1]; c == '(' || c == ',' && form != formElement {
		return false // goes on in the next line
	}
	if plain(l) && form != formElement {
		f.out = append(f.out, l...)
	} else {
		var ok bool
		if f.out, ok = f.expr.append(f.out, l, form); !ok {
			return false
		}
	}
	f.out = append(f.out, '\n')
	return true
}
