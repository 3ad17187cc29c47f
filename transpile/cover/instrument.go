package cover

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Counting is what a program counts.
type Counting struct {
	Files []File
	Cell  *ir.Global // the counters: an array of int<64>
	N     int        // counters
}

// cellName is the name of the cell. Nothing refers to it by name.
var cellName = ir.GlobalName("uvm.coverage")

// Instrument makes a program count its blocks. With atomic, several threads may count. It returns nil if the program has
// no instruction whose place in a text is known.
func Instrument(p *ir.Program, atomic bool) *Counting {
	pts := &points{set: p.Files, named: map[string]*filePoints{}}
	type site struct {
		v       *ir.Version
		b       ir.BlockID
		pos     diag.Pos
		counter int
	}
	var sites []site
	n := 0
	known := map[diag.Pos]int{} // counters, by the place where the block begins: copies of a function share them
	for _, f := range p.Funcs {
		v := f.Current()
		if v == nil || f.Attrs&ir.Hidden != 0 {
			continue
		}
		for b := range v.Blocks {
			block := &v.Blocks[b]
			if block.Dead {
				continue
			}
			counter, pos, used := n, diag.Pos{}, false
			for _, id := range block.Insts {
				at := v.Insts[id].Pos
				if !at.IsValid() {
					continue
				}
				if pos = firstOf(pos, at); pos == at {
					if c, ok := known[at]; ok && f.CopyOf != nil {
						counter, used = c, true
						break
					}
				}
				used = pts.add(at, f.Root(), counter) || used
			}
			if !used {
				continue
			}
			if counter == n {
				known[pos] = n
				n++
			}
			sites = append(sites, site{v, ir.BlockID(b), pos, counter})
		}
	}
	if n == 0 {
		return nil
	}
	i64 := p.Types.Int(64)
	array := p.Types.Array(i64, uint64(n))
	cell := &ir.Global{Name: cellName, Type: array, ID: p.TakeID()}
	p.Globals = append(p.Globals, cell)
	c := &counters{i64: i64, array: array, loc: p.Types.IRef(i64), atomic: atomic, one: &ir.Const{Type: i64, Lo: 1},
		cell: &ir.Const{Kind: ir.ConstGlobal, Type: p.Types.IRef(array), Global: cell, Name: cell.Name, ID: cell.ID}}
	var named *ir.Version
	for _, s := range sites {
		if s.v != named {
			s.v.NameSites() // before instructions get other numbers
			named = s.v
		}
		c.count(s.v, s.b, s.pos, s.counter)
	}
	return &Counting{Files: pts.units(), Cell: cell, N: n}
}

// firstOf is a, or b if a is unknown.
func firstOf(a, b diag.Pos) diag.Pos {
	if a.IsValid() {
		return a
	}
	return b
}

// counters makes the instructions that count.
type counters struct {
	i64, array, loc ir.TypeID
	cell, one       *ir.Const
	atomic          bool
}

// count adds the instructions of a counter at the beginning of a block.
func (c *counters) count(v *ir.Version, b ir.BlockID, pos diag.Pos, n int) {
	at := 0
	add := func(in ir.Inst, results ...ir.TypeID) ir.ValueID {
		in.Pos = pos
		id := v.InsertBefore(b, at, in, results, nil)
		at++
		if len(results) == 0 {
			return 0
		}
		return v.Insts[id].Results[0]
	}
	index := v.ConstValue(&ir.Const{Type: c.i64, Lo: uint64(n)})
	one := v.ConstValue(c.one)
	loc := add(ir.Inst{Op: ir.OpGetElemIRef, Ty: c.array, Ty2: c.i64, Args: []ir.ValueID{v.ConstValue(c.cell), index}}, c.loc)
	if c.atomic {
		add(ir.Inst{Op: ir.OpAtomicRMW, RMW: ir.RMWAdd, Ord: ir.Relaxed, Ty: c.i64, Args: []ir.ValueID{loc, one}}, c.i64)
		return
	}
	old := add(ir.Inst{Op: ir.OpLoad, Ty: c.i64, Args: []ir.ValueID{loc}}, c.i64)
	sum := add(ir.Inst{Op: ir.OpAdd, Ty: c.i64, Args: []ir.ValueID{old, one}}, c.i64)
	add(ir.Inst{Op: ir.OpStore, Ty: c.i64, Args: []ir.ValueID{loc, sum}})
}
