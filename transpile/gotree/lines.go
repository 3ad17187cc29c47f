package gotree

import (
	"bytes"
	"strconv"
)

// Positions in large functions.
//
// Go's compiler takes each directive //line for a file of its own (src.PosBase), and for each
// function it keeps a table that has a row for each file. Several of its phases clear the whole
// table at each block of machine code (ssa: xposmap.clear, called by nilcheck and deadcode). So a
// function takes time in proportion to the number of its directives times that of its blocks,
// most of the time of all phases if both are in the thousands, as in the loop of an interpreter.
//
// A function that has many of both has no directives: it has the lines of the generated file, and
// a string says which of these are from which lines of the bundle. The runtime reads it when it
// makes a trace (FuncName.Lines there). A line of the file can have one position only. So where
// a directive would stand inside a line, the line is broken if Go permits that; if not, the
// expression has the position of what is in front of it.

// crowd is the number of directives and of blocks up to which a function has directives. Go's
// compiler takes about 30 ns for a row at a block, and 50 µs for the rest of the work for a line.
const crowd = 500

// Crowded reports whether a function has so many directives and blocks that it is printed without directives.
func Crowded(f *Func) bool {
	c := counter{now: f.At}
	c.block(f.Body)
	return c.directives > crowd && c.blocks > crowd
}

// A counter counts, roughly, the directives in front of statements, the blocks that Go's compiler makes, and variables.
type counter struct {
	now                      Pos
	directives, blocks, vars int
}

// at counts a line with a position.
func (c *counter) at(p Pos) {
	if !p.is(c.now) && p.File != "" {
		c.directives++
		c.now = p
	}
	c.now.Line++
}

func (c *counter) block(b *Block) {
	if b == nil {
		return
	}
	for _, s := range b.List {
		switch s := s.(type) {
		case *Var:
			c.vars += len(s.Names)
		case *Assign:
			if s.Define {
				c.vars += len(s.L)
			}
		}
		switch s := s.(type) {
		case *Block, *Reads:
		case *Mark:
			c.blocks++
		case *Switch:
			c.at(s.At)
			for i := range s.Cases {
				c.at(s.Cases[i].At)
				c.block(s.Cases[i].Body)
			}
			c.blocks += 2 * len(s.Cases) // with the comparisons that select them
			continue
		case *If, *For, *Range:
			c.at(s.pos())
			c.blocks += 2
		default:
			c.at(s.pos())
		}
		bodies(s, c.block)
	}
}

// A lineTable collects the positions of the lines of a function.
type lineTable struct {
	first int // lines of the file above the function
	rows  []lineRow
	// placed is set if something on the current line has its position.
	placed bool
	whole  int // a place in the text where gofmt would join the lines
}

// A lineRow says where the lines from one on are from.
type lineRow struct {
	line int // lines of the file above it
	at   Pos
}

// stand gives the current line of the file a position.
func (p *printer) stand(at Pos) {
	t := p.table
	p.now = at
	if n := len(t.rows) - 1; n >= 0 && t.rows[n].line == p.line {
		t.rows[n].at = at
		return
	}
	t.rows = append(t.rows, lineRow{p.line, at})
}

// turn is directive for a function with a table: it breaks the line if the position changes.
func (p *printer) turn(at Pos) {
	switch {
	case p.stands(at):
	case !p.table.placed: // the first that has a position: the whole line can have it
		p.stand(at)
	case p.breakable():
		if p.blank == len(p.out) {
			p.out = bytes.TrimRight(p.out, " ")
		}
		p.end()
		p.tabs(p.depth + 1)
		p.stand(at)
	}
	p.table.placed = true
}

// ahead breaks the line in front of an expression in which the line cannot be broken at the first thing that has a position.
func (p *printer) ahead(x Expr) {
	for p.table != nil {
		if at, ok := lead(x, 0); ok {
			p.from(at)
			return
		}
		b, ok := x.(*Binary)
		if !ok {
			return
		}
		if _, ok := b.X.(*Binary); !ok {
			p.from(b.from)
			return
		}
		x = b.X
	}
}

// whole keeps the line from being broken here.
func (p *printer) whole() {
	if p.table != nil {
		p.table.whole = len(p.out)
	}
}

// breakable reports whether a line may end here: Go puts a semicolon at the end of one that ends in a name,
// a constant or a closing bracket, and gofmt joins some lines.
func (p *printer) breakable() bool {
	if p.table.whole == len(p.out) {
		return false
	}
	text := bytes.TrimRight(p.out, " ")
	return len(text) > 0 && bytes.IndexByte([]byte("([{,=+-*/%&|^<>!"), text[len(text)-1]) >= 0
}

// lines writes the table: a line with the number of the function's first line in the file, and for each row a
// line with the number of lines since the last row, the line of the bundle, and the name of the file if it is another one.
func (p *printer) lines(name string) {
	t := p.table
	p.table, p.now = nil, Pos{}
	var text []byte
	line, file := t.first, ""
	for _, r := range t.rows {
		text = strconv.AppendInt(text, int64(r.line-line), 10)
		text = append(text, ' ')
		text = strconv.AppendInt(text, int64(max(r.at.Line, min(1, len(r.at.File)))), 10)
		name := ""
		if r.at.File != "" {
			name = r.at.file()
		}
		if name != file {
			text = append(append(text, ' '), name...)
		}
		text = append(text, '\n')
		line, file = r.line, name
	}
	p.end()
	p.comment(name + " has the positions of the lines above.")
	p.gap("const ")
	p.name(name)
	p.gap(" = ")
	p.str(`"`)
	p.backs = append(p.backs, back{at: len(p.out), line: t.first, number: true})
	p.str(`\n" +`)
	p.end()
	p.tabs(1)
	p.quote(&Str{V: string(text), Raw: true})
	p.end()
}
