package live

import (
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Symbols that are places in an image (Image.Symbols). An address that is known when the program starts is no constant, so a
// cell has the pointer, and code loads it from there.

// imageSymbol begins the names of these cells, without marks.
const imageSymbol = "uvm.image.symbol."

// pointerCell says what a cell with a pointer is for.
type pointerCell struct {
	symbol string
	ty     ir.TypeID
}

// symbolCell is the cell with the pointer, of a type, to the place of a symbol.
func (s *saving) symbolCell(sym string, ty ir.TypeID) *ir.Global {
	key := pointerCell{sym, ty}
	if g := s.pointers[key]; g != nil {
		return g
	}
	from, ok := s.location(s.symbols[sym])
	if !ok {
		s.fail("the symbol %s: the place is neither in a cell nor in an object", sym)
		return nil
	}
	hidden := func(kind string, ty ir.TypeID) *ir.Global {
		g := ir.NewBuilder(s.p).Global(s.fresh(ir.GlobalName(imageSymbol+kind+sym)), ty)
		s.made[g.Name] = g
		s.p.Image.Inits = append(s.p.Image.Inits, ir.ImageInit{To: ir.ImageLoc{Global: g, Type: ty}, Kind: ir.ImageAddr, From: from})
		return g
	}
	hidden("of.", s.p.Types.IRef(from.Type)) // a pointer does not keep its object
	g := hidden("", ty)
	s.pointers[key] = g
	return g
}

// loadSymbols replaces the constants that are places in the image by loads at the beginning of a body.
func (s *saving) loadSymbols(v *ir.Version) {
	if len(s.symbols) == 0 {
		return
	}
	for i := range v.Values {
		c := v.Values[i].Const
		if v.Values[i].Kind != ir.ValueConst || !s.hasPlace(c) {
			continue
		}
		if c.Kind != ir.ConstExtern {
			s.fail("%s uses a constant with the symbol %s in it, which is a place in the image", v.Func.Name, s.placeIn(c))
			return
		}
		cell := s.symbolCell(c.Sym, c.Type)
		if cell == nil {
			return
		}
		loc := v.ConstValue(&ir.Const{Kind: ir.ConstGlobal, Global: cell, Type: s.p.Types.IRef(cell.Type), Name: cell.Name, ID: cell.ID})
		load := v.InsertBefore(0, 0, ir.Inst{Op: ir.OpLoad, Ty: cell.Type, Args: []ir.ValueID{loc}}, nil, nil)
		v.Insts[load].Results = []ir.ValueID{ir.ValueID(i)}
		v.Values[i] = ir.Value{Kind: ir.ValueResult, Type: c.Type, Def: int32(load)}
	}
}

// placeIn is a symbol in a constant that is a place in the image, "" if there is none.
func (s *saving) placeIn(c *ir.Const) string {
	if c.Kind == ir.ConstExtern {
		if _, ok := s.symbols[c.Sym]; ok {
			return c.Sym
		}
	}
	for _, e := range c.Elems {
		if sym := s.placeIn(e); sym != "" {
			return sym
		}
	}
	return ""
}

func (s *saving) hasPlace(c *ir.Const) bool { return s.placeIn(c) != "" }
