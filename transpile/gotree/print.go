package gotree

import (
	"slices"
	"strconv"
)

// A File is a Go file.
type File struct {
	Name    string // for the way back from positions, such as "code.go"
	Package string
	Head    []string // comments in front of the package clause, with their "//"
	// Preamble is the C text of import "C", "" for none.
	Preamble string
	// Paths has the import path of every package that a Qual names.
	Paths map[string]string
	Decls []Decl
	// Positions says that positions are given by //line directives.
	Positions bool
}

// Print lays the file out as gofmt does.
//
// The declarations come first, because they say what is imported; then it is known
// how many lines stand above them, which the directives that lead back to the file
// itself must say.
func (f *File) Print() []byte {
	p := &printer{positions: f.Positions, used: map[string]bool{}}
	for i, d := range f.Decls {
		p.decl(d, i > 0)
	}
	var h headPrinter
	h.head(f, p.used)
	out := make([]byte, 0, len(h.out)+len(p.out)+len(p.backs)*(len(f.Name)+12))
	out = append(out, h.out...)
	from := 0
	for _, b := range p.backs {
		out = append(out, p.out[from:b.at]...)
		out = append(out, "//line "...)
		out = append(out, f.Name...)
		out = append(out, ':')
		out = strconv.AppendInt(out, int64(h.lines+b.line+2), 10)
		out = append(out, '\n')
		from = b.at
	}
	return append(out, p.out[from:]...)
}

// headPrinter writes what stands above the declarations.
type headPrinter struct {
	out   []byte
	lines int
}

func (h *headPrinter) put(s string) {
	h.out = append(h.out, s...)
	for i := range len(s) {
		if s[i] == '\n' {
			h.lines++
		}
	}
}

func (h *headPrinter) head(f *File, used map[string]bool) {
	for _, c := range f.Head {
		h.put(c + "\n\n")
	}
	h.put("package " + f.Package + "\n")
	if f.Preamble != "" {
		h.put("\n/*\n" + f.Preamble + "*/\nimport \"C\"\n")
	}
	var std, others []string
	for name := range used {
		path := f.Paths[name]
		line := strconv.Quote(path)
		if !endsIn(path, name) {
			line = name + " " + line
		}
		if path == name {
			std = append(std, line)
		} else if path != "" {
			others = append(others, path+"\x00"+line)
		}
	}
	if len(std)+len(others) == 0 {
		return
	}
	slices.Sort(std)
	slices.Sort(others)
	h.put("\nimport (\n")
	for _, l := range std {
		h.put("\t" + l + "\n")
	}
	if len(std) > 0 && len(others) > 0 {
		h.put("\n")
	}
	for _, l := range others {
		h.put("\t" + l[slices.Index([]byte(l), 0)+1:] + "\n")
	}
	h.put(")\n")
}

// endsIn reports whether a package of the path has that name.
func endsIn(path, name string) bool {
	n := len(path) - len(name)
	return n >= 0 && path[n:] == name && (n == 0 || path[n-1] == '/')
}

// printer writes declarations. Everything is written line by line.
type printer struct {
	out       []byte
	line      int // lines that are complete
	depth     int // of braces
	positions bool
	now       Pos // that of the next line, as the directives above it say
	backs     []back
	used      map[string]bool // packages
	head      bool            // in the head of an if, for or switch, where a brace would begin the body
}

// A back is a directive that leads back to the file: where it goes, and the lines
// above it.
type back struct{ at, line int }

func (p *printer) str(s string) { p.out = append(p.out, s...) }

// begin starts a line of code at a position.
func (p *printer) begin(at Pos) {
	p.goTo(at)
	p.tabs(p.depth)
}

// goTo makes the next line one at a position.
func (p *printer) goTo(at Pos) {
	if p.positions && at != p.now {
		switch {
		case at.File != "":
			p.str("//line ")
			p.str(at.File)
			p.str(":")
			p.out = strconv.AppendInt(p.out, int64(at.Line), 10)
			p.str("\n")
			p.line++
			p.now = at
		default:
			p.back()
		}
	}
}

// back leads back to the file itself.
func (p *printer) back() {
	if p.now.File != "" {
		p.backs = append(p.backs, back{len(p.out), p.line})
		p.line++
		p.now = Pos{}
	}
}

func (p *printer) tabs(n int) {
	const tabs = "\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t"
	for ; n > len(tabs); n -= len(tabs) {
		p.str(tabs)
	}
	p.str(tabs[:n])
}

// end ends a line.
func (p *printer) end() {
	p.str("\n")
	p.line++
	if p.now.File != "" {
		p.now.Line++
	}
}

func (p *printer) decl(d Decl, second bool) {
	f, ok := d.(*Func)
	if (!ok || f.At.File == "") && p.now.File != "" {
		p.end()
		p.back()
		second = false
	}
	switch d := d.(type) {
	case *Func:
		p.end()
		if d.Comment != "" {
			p.str("// ")
			p.str(d.Comment)
			p.end()
			if p.positions && d.At.File != "" || len(d.Directives) > 0 {
				p.str("//") // as gofmt has it in front of a directive
				p.end()
			}
		}
		for _, l := range d.Directives {
			p.str(l)
			p.end()
		}
		if p.now.File != "" {
			p.now.Line = 0 // a function says where it is
		}
		p.begin(d.At)
		p.str("func ")
		p.str(d.Name)
		p.sig(d.Sig)
		p.str(" {")
		p.end()
		p.depth++
		p.stmts(d.Body.List)
		p.depth--
		if !Leaves(d.Body.List) {
			p.begin(d.At)
		}
		p.str("}")
		p.end()
	case *TypeDecl:
		p.end()
		if d.Comment != "" {
			p.str("// ")
			p.str(d.Comment)
			p.end()
		}
		p.str("type ")
		p.str(d.Name)
		p.str(" ")
		if s, ok := d.T.(*Struct); ok {
			p.fields(s)
		} else {
			p.expr(d.T, 0, 1)
		}
		p.end()
	case *VarDecl:
		if d.Apart || !second {
			p.end()
		}
		if d.Comment != "" {
			p.str("// ")
			p.str(d.Comment)
			p.end()
		}
		p.str("var ")
		p.str(d.Name)
		if d.T != nil {
			p.str(" ")
			p.expr(d.T, 0, 1)
		}
		if d.X != nil {
			p.str(" = ")
			p.expr(d.X, 0, 1)
		}
		p.end()
	case *ConstDecl:
		p.end()
		p.str("const ")
		if d.X != nil {
			p.str(d.Names[0])
			p.str(" = ")
			p.expr(d.X, 0, 1)
			p.end()
			return
		}
		p.str("(")
		p.end()
		for i, n := range d.Names {
			p.str("\t")
			p.str(n)
			if i == 0 {
				p.str(" = iota")
			}
			p.end()
		}
		p.str(")")
		p.end()
	}
}

// fields writes a struct type; names are padded to one width.
func (p *printer) fields(s *Struct) {
	p.str("struct {")
	p.end()
	for i, f := range s.Fields {
		p.str("\t")
		if f.Name != "" {
			p.str(f.Name)
			width := 0
			for k := i; k >= 0 && s.Fields[k].Name != ""; k-- {
				width = max(width, len(s.Fields[k].Name))
			}
			for k := i; k < len(s.Fields) && s.Fields[k].Name != ""; k++ {
				width = max(width, len(s.Fields[k].Name))
			}
			p.pad(width + 1 - len(f.Name))
		}
		p.expr(f.T, 0, 1)
		p.end()
	}
	p.str("}")
}

func (p *printer) pad(n int) {
	for range n {
		p.str(" ")
	}
}

// String is an expression as text, for messages and tests.
func String(x Expr) string {
	p := &printer{used: map[string]bool{}}
	p.expr(x, 0, 1)
	return string(p.out)
}

// Body is statements as text, for messages and tests.
func Body(b *Block) string {
	p := &printer{used: map[string]bool{}}
	p.stmts(b.List)
	return string(p.out)
}
