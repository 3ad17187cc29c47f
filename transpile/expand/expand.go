// Package expand replaces operations that only dialects other than Mu need by operations
// of Mu, where these can express them. It runs before the passes and the back end, so
// these need to handle fewer operations. The interpreter executes all operations, so that
// programs can be compared before and after.
//
// Operations that are expanded have the fact Expands in the table. The package also
// replaces other features that Mu lacks:
//
//   - A RAW access gets a pointer of the right type.
//   - Constants of bytes become lists, except for the texts of FAIL.
//   - Initial values of cells become part of the heap image.
//   - Functions that promise not to return, or not to throw, fail where they break the promise.
//
// Results keep their numbers, and instructions their names and positions.
package expand

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Program expands all bodies of a program, in place. A second call changes nothing.
func Program(p *ir.Program) { program(p, false) }

// Text is Program for a program that will be written as Mu text. Mu text has no FUNCNOW: in it new
// stacks begin with the version that their function has when the stack is entered.
func Text(p *ir.Program) { program(p, true) }

func program(p *ir.Program, text bool) {
	e := &expander{p: p, text: text, t: p.Types, lists: map[*ir.Const]*ir.Const{}, starters: map[ir.TypeID]*ir.Function{}}
	for _, g := range p.Globals {
		e.cell(g)
	}
	for _, f := range slices.Clone(p.Funcs) { // without the functions that are added
		for _, v := range f.Versions {
			if e.wanted(v) {
				e.version(v)
			}
		}
	}
}

type expander struct {
	p     *ir.Program
	text  bool
	t     *ir.Types
	v     *ir.Version
	lists map[*ir.Const]*ir.Const // the lists that replace constants of bytes
	// The first functions of stacks with arguments, by signature.
	starters map[ir.TypeID]*ir.Function

	// The instruction being expanded, its block and place there.
	id ir.InstID
	b  ir.BlockID
	at int
}

// wanted reports whether a body has anything to be expanded.
func (e *expander) wanted(v *ir.Version) bool {
	if v.Func.Attrs&(ir.NoReturn|ir.NoThrow) != 0 {
		return true
	}
	for i := range v.Insts {
		if in := &v.Insts[i]; in.Op.Is(ir.Expands) || in.Has(ir.FlagRaw) {
			return true
		}
	}
	for i := range v.Values {
		if c := v.Values[i].Const; c != nil && hasBytes(c) {
			return true
		}
	}
	return false
}

// hasBytes reports whether a constant of bytes is part of a constant.
func hasBytes(c *ir.Const) bool {
	if c.Kind == ir.ConstBytes {
		return true
	}
	for _, x := range c.Elems {
		if hasBytes(x) {
			return true
		}
	}
	return false
}

// cell moves the initial value of a cell into the image.
func (e *expander) cell(g *ir.Global) {
	if g.Init == nil {
		return
	}
	if e.p.Image == nil {
		e.p.Image = &ir.Image{}
	}
	init := ir.ImageInit{To: ir.ImageLoc{Global: g, Type: g.Type}, Kind: ir.ImageConst, Const: e.list(g.Init), Pos: g.Pos}
	e.p.Image.Inits = append([]ir.ImageInit{init}, e.p.Image.Inits...)
	g.Init = nil
}

// list is a constant in which constants of bytes are lists.
func (e *expander) list(c *ir.Const) *ir.Const {
	if !hasBytes(c) {
		return c
	}
	if l := e.lists[c]; l != nil {
		return l
	}
	l := &ir.Const{Kind: ir.ConstAggregate, Type: c.Type, Name: c.Name, ID: c.ID, Pos: c.Pos}
	if c.Kind == ir.ConstBytes {
		var known [256]*ir.Const
		elem := e.t.At(c.Type).Elem
		for i := range len(c.Bytes) {
			b := c.Bytes[i]
			if known[b] == nil {
				known[b] = &ir.Const{Kind: ir.ConstInt, Type: elem, Lo: uint64(b)}
			}
			l.Elems = append(l.Elems, known[b])
		}
	}
	for _, x := range c.Elems {
		l.Elems = append(l.Elems, e.list(x))
	}
	e.lists[c] = l
	return l
}

func (e *expander) version(v *ir.Version) {
	e.v = v
	v.NameSites() // before places change
	e.promises()
	for b := 0; b < len(v.Blocks); b++ { // including blocks that are added
		e.b = ir.BlockID(b)
		for e.at = 0; e.at < len(v.Blocks[e.b].Insts); e.at++ {
			e.id = v.Blocks[e.b].Insts[e.at]
			e.inst()
		}
	}
}

// inst expands one instruction; the instructions that it adds before it are final.
func (e *expander) inst() {
	in := &e.v.Insts[e.id]
	if in.Op.Info().Class != ir.ClassFail && in.Op != ir.OpFuncAt { // of these they are texts
		e.constants(in)
	}
	if in.Has(ir.FlagRaw) {
		e.raw(0)
		if in := &e.v.Insts[e.id]; in.Op == ir.OpMemMove {
			e.raw(1)
		}
		e.v.Insts[e.id].Flags &^= ir.FlagRaw
	}
	in = &e.v.Insts[e.id]
	switch in.Op {
	case ir.OpShlFar, ir.OpLShrFar, ir.OpAShrFar:
		e.far()
	case ir.OpRotL, ir.OpRotR:
		e.rotate()
	case ir.OpNewStackWith:
		e.newStack()
	case ir.OpUnreachable:
		e.fail(ir.FailUnreachable, "")
	}
}

// constants replaces operands and arguments that are constants of bytes.
func (e *expander) constants(in *ir.Inst) {
	lists := func(ids []ir.ValueID) {
		for i, id := range ids {
			if c := e.v.Values[id].Const; c != nil && hasBytes(c) {
				ids[i] = e.v.ConstValue(e.list(c))
			}
		}
	}
	lists(in.Args)
	lists(in.Keep)
	for i := range in.Dests {
		lists(in.Dests[i].Args)
	}
}

// before adds an instruction before the one being expanded and returns its result.
func (e *expander) before(in ir.Inst, result ir.TypeID) ir.ValueID {
	in.Pos = e.v.Insts[e.id].Pos
	id := e.v.InsertBefore(e.b, e.at, in, []ir.TypeID{result}, nil)
	e.at++
	return e.v.Insts[id].Results[0]
}

// become replaces the instruction being expanded by another one with the same result.
func (e *expander) become(op ir.Op, ty, ty2 ir.TypeID, args ...ir.ValueID) {
	in := &e.v.Insts[e.id]
	in.Op, in.Ty, in.Ty2, in.Args = op, ty, ty2, args
}

// raw converts the pointer operand k of a RAW access to the type that the access requires.
func (e *expander) raw(k int) {
	in := &e.v.Insts[e.id]
	have, want := e.v.Values[in.Args[k]].Type, e.t.Of(ir.KUPtr, in.Ty)
	if have != want {
		x := e.before(ir.Inst{Op: ir.OpPtrCast, Ty: have, Ty2: want, Args: []ir.ValueID{in.Args[k]}}, want)
		e.v.Insts[e.id].Args[k] = x
	}
}

// failIf makes the program fail before the instruction being expanded if a condition
// holds. That instruction, and those after it, are moved to a new block.
func (e *expander) failIf(cond ir.ValueID, kind ir.Failure, text string) {
	v, name, pos := e.v, e.v.Blocks[e.b].Name, e.v.Insts[e.id].Pos
	rest, bad := e.cut(), v.NewBlock(name, pos)
	fail := failure(e.p, v, &v.Insts[e.id], kind, text)
	fail.ID = 0
	v.Append(bad, fail, nil, nil)
	v.Append(e.b, ir.Inst{Op: ir.OpBranch2, Args: []ir.ValueID{cond}, Dests: []ir.Dest{{Block: bad}, {Block: rest}}, Pos: pos}, nil, nil)
	e.b, e.at = rest, 0
}

// cut moves the instruction being expanded, and those after it, to a new block.
func (e *expander) cut() (rest ir.BlockID) {
	v := e.v
	rest = v.NewBlock(v.Blocks[e.b].Name, v.Insts[e.id].Pos)
	v.Blocks[rest].Insts = slices.Clone(v.Blocks[e.b].Insts[e.at:])
	for _, id := range v.Blocks[rest].Insts {
		v.Insts[id].Block = rest
	}
	v.Blocks[e.b].Insts = v.Blocks[e.b].Insts[:e.at]
	return rest
}

// fail turns the instruction being expanded into a FAIL.
func (e *expander) fail(kind ir.Failure, text string) {
	in := &e.v.Insts[e.id]
	*in = failure(e.p, e.v, in, kind, text)
}

// failure is a FAIL with place and name of another instruction.
func failure(p *ir.Program, v *ir.Version, in *ir.Inst, kind ir.Failure, text string) ir.Inst {
	c := &ir.Const{Kind: ir.ConstBytes, Type: p.Types.Array(p.Types.Int(8), uint64(len(text))), Bytes: text}
	return ir.Inst{Op: ir.OpFail, Imm: uint64(kind), Args: []ir.ValueID{v.ConstValue(c)}}.InPlaceOf(in)
}
