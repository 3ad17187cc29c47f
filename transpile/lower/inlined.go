package lower

import (
	"fmt"
	"sort"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Positions of copied instructions.
//
// A Go function may contain copies of other bodies. The frames of these bodies exist in the
// source, so a backtrace must show them, but it knows only Go's function and the position that
// a //line directive gives. So each function has a table with a row for each copy of a body
// that it contains, which the runtime searches:
//
//   - If the lines of the copy occur nowhere else in the function, the directives have the real
//     position, and the row says which lines they are.
//   - Else, as in a second copy of the same body, the name of the file is spelled with the number
//     of the row, from 1 (lex.MarkFile).
//
// The support functions of a dialect have no positions: their file is lex.NoFile, with a number,
// which is 0 in the function itself.
//
// A row further says which function was copied, where its call is, and in which
// row that call is, 0 for the function's own body. Without directives there are no
// rows: a backtrace then shows Go functions and Go lines.
//
// Go forgets columns. Those that the author's own file has are in a second table, by line. If a trace can show several
// columns of a line, the name of the file is spelled with a second number, which says which of them it is, from 0.

// copies are the copies in one function.
type copies struct {
	list  []*copied
	rows  map[*ir.Inlined]*copied
	spans map[string][]span // by file: lines that have an owner, sorted and disjoint

	columns map[fileLine]*columns // of the lines on which the author's columns are known
}

// columns are those of a line that traces can show, 0 for an unknown one, and the place of each in the list.
type columns struct {
	list []int
	at   map[int]int
}

// A fileLine is a line of a file.
type fileLine struct {
	file string
	line int
}

// column notes a position that a trace can show.
func (c *copies) column(p diag.Position) {
	if p.Line == 0 {
		return
	}
	if c.columns == nil {
		c.columns = map[fileLine]*columns{}
	}
	l := c.columns[fileLine{p.File, p.Line}]
	if l == nil {
		l = &columns{at: map[int]int{}}
		c.columns[fileLine{p.File, p.Line}] = l
	}
	if _, ok := l.at[p.Col]; !ok {
		l.at[p.Col] = len(l.list)
		l.list = append(l.list, p.Col)
	}
}

// A copied is a row of the table.
type copied struct {
	*ir.Inlined
	number      int
	file        string // of the lines
	first, last int    // lines; 0 if it has none
	tagged      bool   // the number is part of the file name
}

type span struct{ first, last int }

// take gives lines of a file an owner unless some of them have one already.
func (c *copies) take(file string, s span) bool {
	l := c.spans[file]
	i := sort.Search(len(l), func(i int) bool { return l[i].last >= s.first })
	if i < len(l) && l[i].first <= s.last {
		return false
	}
	l = append(l, span{})
	copy(l[i+1:], l[i:])
	l[i] = s
	c.spans[file] = l
	return true
}

// findColumns notes the columns that traces can show. It returns the table.
func (e *fn) findColumns() (table []string) {
	if !e.Opt.Lines || e.IR.Files == nil || !e.IR.Files.HasAuthor() {
		return nil
	}
	c := &e.copies
	c.column(e.IR.Files.Traced(e.v.Pos))
	for _, b := range e.plan.CFG.Order {
		e.plan.EachInst(b, func(_ ir.InstID, in *ir.Inst) {
			if !untraced(in) {
				c.column(e.IR.Files.Traced(in.Pos))
			}
		})
	}
	for at, l := range c.columns {
		if len(l.list) > 1 || l.list[0] > 0 {
			table = append(table, fmt.Sprintf("%d %d %s", e.Bundle(at.file), at.line, strings.Trim(fmt.Sprint(l.list), "[]")))
		}
	}
	sort.Strings(table)
	return table
}

// untraced reports whether no trace shows an instruction.
func untraced(in *ir.Inst) bool { return in.Op.Pure() || in.Op.Info().Class == ir.ClassRet }

// findCopies makes the table of the copies in the function, and that of its columns. It returns the rows.
func (e *fn) findCopies() (rows, columns []string) {
	columns = e.findColumns()
	if !e.Opt.Lines || e.Opt.Origins == nil || e.IR.Files == nil {
		return nil, columns
	}
	c := &e.copies
	lines := map[string]span{} // of the own body, in several files if //line directives say so
	own := func(pos diag.Pos) {
		if p := e.IR.Files.Position(pos); p.Line > 0 {
			s, ok := lines[p.File]
			if !ok {
				s.first = p.Line
			}
			lines[p.File] = span{min(s.first, p.Line), max(s.last, p.Line)}
		}
	}
	own(e.v.Pos)
	for _, b := range e.plan.CFG.Order {
		e.plan.EachInst(b, func(id ir.InstID, in *ir.Inst) {
			o := e.origin(id)
			if unplaced(o) {
				c.row(o).tagged = true
			}
			if !in.Pos.IsValid() {
				return
			}
			if o == nil {
				own(in.Pos)
				return
			}
			r := c.row(o)
			p := e.IR.Files.Position(in.Pos)
			switch {
			case r.first == 0:
				r.file, r.first, r.last = p.File, p.Line, p.Line
			case r.file != p.File:
				r.tagged = true
			default:
				r.first, r.last = min(r.first, p.Line), max(r.last, p.Line)
			}
		})
	}
	if len(c.list) == 0 {
		return nil, columns
	}
	c.spans = map[string][]span{}
	for file, s := range lines {
		c.take(file, s)
	}
	for _, r := range c.list {
		if r.first != 0 && !r.tagged {
			r.tagged = !c.take(r.file, span{r.first, r.last})
		}
	}
	for _, r := range c.list {
		rows = append(rows, e.rowText(r))
	}
	return rows, columns
}

// row finds or makes a row, those of the frames below first.
func (c *copies) row(o *ir.Inlined) *copied {
	if r := c.rows[o]; r != nil {
		return r
	}
	if o.Below != nil {
		c.row(o.Below)
	}
	if c.rows == nil {
		c.rows = map[*ir.Inlined]*copied{}
	}
	r := &copied{Inlined: o, number: len(c.list) + 1}
	c.list = append(c.list, r)
	c.rows[o] = r
	return r
}

// rowText is a row as the runtime reads it; see FuncName there.
func (e *fn) rowText(r *copied) string {
	file, first, last, callFile, call, column, below := 0, 0, 0, 0, -1, 0, 0
	if r.first != 0 && !r.tagged {
		file, first, last = e.Bundle(r.file), r.first, r.last
	}
	if !r.Tail {
		call = 0
		if p := e.IR.Files.Traced(r.Call); p.Line > 0 {
			callFile, call, column = e.Bundle(p.File), p.Line, p.Col
		}
	}
	if r.Below != nil {
		below = e.copies.rows[r.Below].number
	}
	name := r.Func.Root().Name
	if r.Func.Attrs&ir.Hidden != 0 {
		name = "-"
	}
	return fmt.Sprintf("%d %d %d %d %d %d %d %s", file, first, last, callFile, call, column, below, lex.Line(name))
}

// linePos is a position as //line gives it, of a copied instruction if o is not nil.
func (e *fn) linePos(pos diag.Pos, o *ir.Inlined) gotree.Pos {
	p := e.IR.Files.Traced(pos)
	at := gotree.Pos{File: p.File, Line: p.Line}
	if r := e.copies.rows[o]; o != nil && r != nil {
		at.Row, at.Marked = r.number, r.tagged
	}
	if l := e.copies.columns[fileLine{p.File, p.Line}]; l != nil {
		at.Column = l.at[p.Col]
	}
	at.Marked = at.Marked || at.Column > 0
	return at
}

// nowhere is the position of an instruction without one, in the row with a number.
func nowhere(row int) gotree.Pos { return gotree.Pos{File: lex.NoFile, Row: row, Marked: true} }

// unplaced reports whether an instruction is a copy of one of a function without positions.
func unplaced(o *ir.Inlined) bool { return o != nil && withoutPlace(o.Func) }

// withoutPlace reports whether a function is the translator's own and has no positions.
func withoutPlace(f *ir.Function) bool { return f.Attrs&ir.Internal != 0 && !f.Pos.IsValid() }

// goTo gives the code that is added to out next the position of an instruction.
func (e *fn) goTo(out *code, id ir.InstID, in *ir.Inst) {
	if at := e.position(id, in); at != (gotree.Pos{}) {
		out.At = at
	}
}

// placed is an expression with the position of the instruction that it was made of, wherever it is written.
func (e *fn) placed(id ir.InstID, x expr) expr {
	if at := e.position(id, &e.v.Insts[id]); at != (gotree.Pos{}) {
		gotree.Place(x, at)
	}
	return x
}

// position is the position of an instruction, zero if it is not known.
func (e *fn) position(id ir.InstID, in *ir.Inst) gotree.Pos {
	if !e.Opt.Lines {
		return gotree.Pos{}
	}
	o := e.origin(id)
	if in.Pos.IsValid() {
		at := e.linePos(in.Pos, o)
		at.Free = untraced(in)
		return at
	}
	if r := e.copies.rows[o]; r != nil && unplaced(o) {
		return nowhere(r.number)
	}
	return gotree.Pos{}
}

// origin says what an instruction is a copy of, nil if it is no copy.
func (e *fn) origin(id ir.InstID) *ir.Inlined {
	if int(id) < len(e.origins) {
		return e.origins[id]
	}
	return nil
}

// located reports whether an error may happen at an instruction whose name the code does not
// pass on.
func located(in *ir.Inst) bool {
	switch in.Op.Info().Class {
	case ir.ClassMem:
		return !in.Has(ir.FlagExc)
	case ir.ClassCall, ir.ClassTrap:
		return true
	case ir.ClassStack, ir.ClassComm:
		return in.Op != ir.OpLanding && in.Op.Any(ir.MayFail|ir.MayCollect)
	}
	return false
}

// faultSite notes the name of an instruction that the machine may stop at, for
// the function whose frame a backtrace shows.
func (e *fn) faultSite(id ir.InstID, in *ir.Inst) {
	if !e.Opt.Lines || !located(in) || e.IR.Files == nil || !in.Pos.IsValid() {
		return
	}
	info := e.info
	if o := e.origin(id); o != nil {
		info = e.Funcs[o.Func]
	}
	info.AddSite(e.IR.Files.Traced(in.Pos), e.v.SiteName(id), in.NullText())
}

// lineTable gives a function with many positions a table of its lines, and returns the name of the constant
// that has it. Others have directives.
func (e *fn) lineTable(f *gotree.Func) string {
	if e.Opt.Lines && gotree.Crowded(f) {
		f.Lines = e.Top("lines_" + f.Name)
	}
	return f.Lines
}
