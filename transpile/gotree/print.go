package gotree

import (
	"bytes"
	"strconv"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// Code is declarations as text.
type Code struct {
	Text []byte
	// Uses are the places in Text that name a package for the first time, in order.
	Uses  []Use
	backs []back
}

// A Use is a name of a package with one of its identifiers, at an offset.
type Use struct {
	*Qual
	At int
}

// Print lays declarations out as gofmt does. If positions is true, //line directives say
// where lines are from.
func Print(decls []Decl, positions bool) *Code {
	p := &printer{positions: positions, used: map[string]bool{}}
	for i, d := range decls {
		p.decl(d, i > 0)
	}
	return &Code{p.out, p.uses, p.backs}
}

// Under is a file: the text under a head, which it follows after an empty line. Directives
// that lead back to the file itself count the lines of the head.
func (c *Code) Under(head []byte, file string) []byte {
	lines := bytes.Count(head, []byte{'\n'})
	out := make([]byte, 0, len(head)+len(c.Text)+len(c.backs)*(len(file)+len("//line :")+8))
	out = append(out, head...)
	from := 0
	for _, b := range c.backs {
		out = append(out, c.Text[from:b.at]...)
		from = b.at
		if b.number {
			out = strconv.AppendInt(out, int64(lines+b.line+1), 10)
			continue
		}
		out = append(out, "//line "...)
		out = lex.AppendPlace(out, file, lines+b.line+2)
		out = append(out, '\n')
	}
	return append(out, c.Text[from:]...)
}

// printer writes declarations. Everything is written line by line.
type printer struct {
	out       []byte
	line      int // lines that are complete
	depth     int // of braces
	positions bool
	now       Pos // that of what comes next, as the directives above it say
	stmtAt    Pos // that of the statement
	backs     []back
	used      map[string]bool // packages
	uses      []Use
	head      bool       // in the head of an if, for or switch, where a brace would begin the body
	blank     int        // where the last gap ends
	table     *lineTable // of a function that has one instead of directives, see lines.go
}

// A back is a directive that leads back to the file: where it goes, and the lines
// above it. If number is true, it is only the number of the line after these.
type back struct {
	at, line int
	number   bool
}

// str writes text of the printer's own: see outside.go.
func (p *printer) str(s word) { p.out = append(p.out, s...) }

// gap writes something that ends in a blank.
func (p *printer) gap(s word) {
	p.str(s)
	p.blank = len(p.out)
}

// begin starts a line of code at a position.
func (p *printer) begin(at Pos) {
	p.goTo(at)
	p.stmtAt = at
	p.tabs(p.depth)
}

// goTo gives the next line a position.
func (p *printer) goTo(at Pos) {
	switch {
	case p.table != nil:
		p.table.placed = false
		if !p.stands(at) {
			p.stand(at)
		}
	case !p.positions || p.stands(at):
	case at.File != "":
		p.str("//line ")
		p.goOn(at)
		p.str("\n")
		p.line++
	default:
		p.back()
	}
}

// stands reports whether a position is that of what is written next.
func (p *printer) stands(at Pos) bool {
	return at.is(p.now)
}

// goOn writes the position of a directive, which is that of what is written next.
func (p *printer) goOn(at Pos) {
	at.Line = max(at.Line, 1)
	p.out = placeText(p.out, at)
	p.now = at
}

// back writes a directive that leads back to the file itself.
func (p *printer) back() {
	if p.now.File != "" {
		p.backs = append(p.backs, back{at: len(p.out), line: p.line})
		p.line++
		p.now = Pos{}
	}
}

func (p *printer) tabs(n int) {
	const tabs word = "\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t"
	for ; n > len(tabs); n -= len(tabs) {
		p.str(tabs)
	}
	p.str(tabs[:n])
}

// end ends a line.
func (p *printer) end() {
	p.str("\n")
	p.line++
	if p.now.File != "" && p.table == nil {
		p.now.Line++
	}
}

func (p *printer) decl(d Decl, second bool) {
	f, ok := d.(*Func)
	if (!ok || f.At.File == "" || f.Lines != "") && p.now.File != "" {
		p.end()
		p.back()
		second = false
	}
	switch d := d.(type) {
	case *Func:
		p.end()
		if d.Comment != "" {
			p.comment(d.Comment)
			if p.positions && d.At.File != "" && d.Lines == "" || len(d.Directives) > 0 {
				p.str("//") // as gofmt has it in front of a directive
				p.end()
			}
		}
		for _, l := range d.Directives {
			p.str(directives[l])
			p.end()
		}
		if p.now.File != "" {
			p.now = Pos{} // a function says where it is
		}
		if p.positions && d.Lines != "" {
			p.table = &lineTable{first: p.line}
		}
		p.begin(d.At)
		p.gap("func ")
		p.name(d.Name)
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
		if p.table != nil {
			p.lines(d.Lines)
		}
	case *TypeDecl:
		p.end()
		if d.Comment != "" {
			p.comment(d.Comment)
		}
		p.gap("type ")
		p.name(d.Name)
		if d.Alias {
			p.str(" =")
		}
		p.gap(" ")
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
			p.comment(d.Comment)
		}
		p.gap("var ")
		p.name(d.Name)
		if d.T != nil {
			p.gap(" ")
			p.expr(d.T, 0, 1)
		}
		if d.X != nil {
			p.gap(" = ")
			p.expr(d.X, 0, 1)
		}
		p.end()
	case *ConstDecl:
		p.end()
		p.gap("const ")
		if d.X != nil {
			p.name(d.Names[0])
			p.gap(" = ")
			p.expr(d.X, 0, 1)
			p.end()
			return
		}
		p.str("(")
		p.end()
		for i, n := range d.Names {
			p.str("\t")
			p.name(n)
			if i == 0 {
				p.str(" = iota")
			}
			p.end()
		}
		p.str(")")
		p.end()
	}
}

// fields writes a struct type. Names on consecutive lines are padded to one width.
func (p *printer) fields(s *Struct) {
	p.str("struct {")
	p.end()
	width := 0
	for i, f := range s.Fields {
		p.str("\t")
		if f.Name != "" {
			if i == 0 || s.Fields[i-1].Name == "" {
				width = 0
				for k := i; k < len(s.Fields) && s.Fields[k].Name != ""; k++ {
					width = max(width, len(s.Fields[k].Name))
				}
			}
			p.name(f.Name)
			p.pad(width + 1 - len(f.Name))
		}
		p.expr(f.T, 0, 1)
		p.end()
	}
	p.str("}")
}

func (p *printer) pad(n int) {
	for range n {
		p.gap(" ")
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
