package cover

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A Unit is a part of a file with one counter: from a line and column to the end of a line if EndCol is 0, else up to
// but not including EndCol.
type Unit struct {
	Line, Col, End, EndCol int
	Insts                  int // instructions with different positions
	Counter                int
}

// A Func has the units of a function in one file, in their order.
type Func struct {
	Name  string
	Units []Unit
}

// A File is a file of source.
type File struct {
	Name  string
	Funcs []Func
}

// A point is a position with the counter of the block that it is in.
type point struct {
	line, col int
	fn        *ir.Function
	counter   int
}

// points collects the positions of a program's instructions, by file.
type points struct {
	set   *diag.Set
	files []*filePoints
	named map[string]*filePoints
}

type filePoints struct {
	name string
	list []point
	seen map[[2]int]bool
}

// add adds the position of an instruction, unless an earlier block has it: that is how often what is there begins. It
// reports whether the counter is of use.
func (p *points) add(pos diag.Pos, fn *ir.Function, counter int) bool {
	file := p.set.File(pos.File)
	if file == nil || file.Binary() {
		return false
	}
	at, author := file.Author(int(pos.Off))
	if !at.IsValid() {
		return false
	}
	if author && !file.HasColumn(int(pos.Off)) {
		at.Col = 1
	}
	f := p.named[at.File]
	if f == nil {
		f = &filePoints{name: at.File, seen: map[[2]int]bool{}}
		p.named[at.File] = f
		p.files = append(p.files, f)
	}
	key := [2]int{at.Line, max(at.Col, 1)}
	if f.seen[key] {
		return false
	}
	f.seen[key] = true
	f.list = append(f.list, point{key[0], key[1], fn, counter})
	return true
}

// units makes the units of all files.
func (p *points) units() []File {
	var out []File
	for _, f := range p.files {
		slices.SortFunc(f.list, func(a, b point) int {
			return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.col, b.col))
		})
		file := File{Name: openName(f.name)}
		index := map[*ir.Function]int{}
		var unit *Unit // the last
		var of *ir.Function
		line := 0 // of the last point
		for _, x := range f.list {
			if unit != nil && of == x.fn && unit.Counter == x.counter && x.line <= line+1 {
				line, unit.End = x.line, x.line
				unit.Insts++
				continue
			}
			u := Unit{Line: x.line, Col: x.col, End: x.line, Insts: 1, Counter: x.counter}
			if unit != nil && x.line == line {
				unit.EndCol = x.col
			} else {
				u.Col = 1 // what is before the first instruction belongs to it
			}
			i, ok := index[x.fn]
			if !ok {
				i = len(file.Funcs)
				index[x.fn] = i
				file.Funcs = append(file.Funcs, Func{Name: x.fn.Called()})
			}
			fn := &file.Funcs[i]
			fn.Units = append(fn.Units, u)
			unit, of, line = &fn.Units[len(fn.Units)-1], x.fn, x.line
		}
		out = append(out, file)
	}
	return out
}

// openName is a file name that go tool cover opens: it takes others than these for the paths of packages.
func openName(name string) string {
	if filepath.IsAbs(name) || strings.HasPrefix(name, ".") {
		return name
	}
	return "./" + name
}
