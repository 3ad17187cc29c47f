package interp

import (
	"errors"
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// check checks every number that the decoder uses as an index, so that a broken
// version is an error and not a panic. Package verify checks everything else about
// a version.
func check(types *ir.Types, v *ir.Version) error {
	if len(v.Blocks) == 0 {
		return errors.New("no blocks")
	}
	if len(v.Values) == 0 || len(v.Insts) == 0 {
		return errors.New("no values or no instructions")
	}
	for i := range v.Values {
		if err := checkValue(types, v, &v.Values[i]); i > 0 && err != nil {
			return fmt.Errorf("value %d: %w", i, err)
		}
	}
	if v.Func == nil || !validType(types, v.Func.Sig) || types.Kind(v.Func.Sig) != ir.KSig {
		return errors.New("the function has no signature")
	}
	if sig := types.At(v.Func.Sig); len(v.Blocks[0].Params) != len(sig.Fields) || v.Blocks[0].Dead {
		return fmt.Errorf("the entry block has %d parameters, the signature %d", len(v.Blocks[0].Params), len(sig.Fields))
	}
	for b := range v.Blocks {
		if v.Blocks[b].Dead {
			continue
		}
		if err := checkBlock(types, v, ir.BlockID(b)); err != nil {
			return fmt.Errorf("block %s: %w", v.Blocks[b].Name, err)
		}
	}
	return nil
}

func validType(types *ir.Types, id ir.TypeID) bool { return id > 0 && int(id) < types.Len() }

func checkValue(types *ir.Types, v *ir.Version, x *ir.Value) error {
	if x.Kind == ir.ValueNone {
		return nil
	}
	if !validType(types, x.Type) {
		return errors.New("invalid type")
	}
	switch x.Kind {
	case ir.ValueParam, ir.ValueExcParam:
		if x.Def < 0 || int(x.Def) >= len(v.Blocks) {
			return errors.New("no such block")
		}
	case ir.ValueResult:
		if x.Def <= 0 || int(x.Def) >= len(v.Insts) {
			return errors.New("no such instruction")
		}
	case ir.ValueConst:
		return checkConst(types, x.Const, 0)
	default:
		return errors.New("unknown kind")
	}
	return nil
}

// maxNesting bounds the depth of aggregate constants, which cannot be cyclic.
const maxNesting = 10000

func checkConst(types *ir.Types, c *ir.Const, depth int) error {
	if c == nil || !validType(types, c.Type) {
		return errors.New("a constant without a type")
	}
	if depth > maxNesting {
		return errors.New("a constant that contains itself")
	}
	t := types.At(c.Type)
	switch t.Kind {
	case ir.KStruct, ir.KArray, ir.KVector:
		if c.Kind == ir.ConstBytes {
			if e := types.At(t.Elem); t.Kind != ir.KArray || e.Kind != ir.KInt || e.Bits != 8 || t.Len != uint64(len(c.Bytes)) {
				return fmt.Errorf("%d bytes of type %s", len(c.Bytes), types.String(c.Type))
			}
		} else if c.Kind != ir.ConstAggregate {
			return fmt.Errorf("a scalar constant of type %s", t.Kind)
		}
	case ir.KVoid, ir.KHybrid, ir.KSig, ir.KInvalid:
		return fmt.Errorf("a constant of type %s", t.Kind)
	}
	switch c.Kind {
	case ir.ConstAggregate:
		want := int(t.Len)
		if t.Kind == ir.KStruct {
			want = len(t.Fields)
		} else if t.Kind != ir.KArray && t.Kind != ir.KVector {
			return fmt.Errorf("an aggregate constant of type %s", t.Kind)
		}
		if len(c.Elems) != want {
			return fmt.Errorf("an aggregate constant with %d members, want %d", len(c.Elems), want)
		}
		for i, e := range c.Elems {
			if err := checkConst(types, e, depth+1); err != nil {
				return err
			}
			member := t.Elem
			if t.Kind == ir.KStruct {
				member = t.Fields[i]
			}
			if e.Type != member {
				return fmt.Errorf("member %d of a constant has type %s, want %s", i, types.String(e.Type), types.String(member))
			}
		}
	case ir.ConstGlobal:
		if c.Global == nil {
			return errors.New("a constant without its cell")
		}
	case ir.ConstFunc:
		if c.Func == nil {
			return errors.New("a constant without its function")
		}
	case ir.ConstExpose:
		if c.Expose == nil {
			return errors.New("a constant without its exposed function")
		}
	}
	return nil
}

func checkBlock(types *ir.Types, v *ir.Version, b ir.BlockID) error {
	blk := &v.Blocks[b]
	if len(blk.Insts) == 0 {
		return errors.New("empty")
	}
	if err := checkIDs(v, blk.Params); err != nil {
		return err
	}
	if blk.Exc < 0 || int(blk.Exc) >= len(v.Values) {
		return errors.New("exception parameter out of range")
	}
	for i, id := range blk.Insts {
		if id <= 0 || int(id) >= len(v.Insts) {
			return errors.New("instruction out of range")
		}
		in := &v.Insts[id]
		if err := checkInst(types, v, b, in); err != nil {
			return fmt.Errorf("instruction %d, %s: %w", i, in.Op, err)
		}
		if in.IsTerminator() != (i == len(blk.Insts)-1) {
			return fmt.Errorf("instruction %d, %s: misplaced or missing terminator", i, in.Op)
		}
	}
	return nil
}

// shapeFlags are the flags that change operands, results or destinations.
const shapeFlags = ir.FlagKillOld | ir.FlagThrowExc | ir.FlagThreadLocal | ir.FlagWPExc

func checkIDs(v *ir.Version, ids []ir.ValueID) error {
	for _, id := range ids {
		if id <= 0 || int(id) >= len(v.Values) || v.Values[id].Kind == ir.ValueNone {
			return fmt.Errorf("value %d does not exist", id)
		}
	}
	return nil
}

func checkInst(types *ir.Types, v *ir.Version, b ir.BlockID, in *ir.Inst) error {
	if in.Op == ir.OpInvalid || in.Op >= ir.NumOps {
		return errors.New("unknown operation")
	}
	if in.Block != b {
		return errors.New("recorded in another block")
	}
	for _, ids := range [][]ir.ValueID{in.Args, in.Results, in.Keep} {
		if err := checkIDs(v, ids); err != nil {
			return err
		}
	}
	for _, r := range in.Results {
		if v.Values[r].Kind != ir.ValueResult {
			return errors.New("a result that is no result")
		}
	}
	for _, t := range append([]ir.TypeID{in.Ty, in.Ty2, in.Sig}, in.Types...) {
		if t < 0 || int(t) >= types.Len() {
			return errors.New("type out of range")
		}
	}
	if f := in.Flags &^ in.Op.Info().InstFlags & shapeFlags; f != 0 {
		return fmt.Errorf("flag %#x is not for this operation", f)
	}
	if in.Has(ir.FlagExc) && !in.Op.Is(ir.MayEXC) {
		return errors.New("cannot have an exception clause")
	}
	if want := in.DestCount(); want >= 0 && len(in.Dests) != want {
		return fmt.Errorf("%d destinations, want %d", len(in.Dests), want)
	}
	for i := range in.Dests {
		dst := &in.Dests[i]
		if dst.Block < 0 || int(dst.Block) >= len(v.Blocks) || v.Blocks[dst.Block].Dead {
			return errors.New("destination out of range")
		}
		if len(dst.Args) != len(v.Blocks[dst.Block].Params) {
			return fmt.Errorf("%d arguments for block %s, want %d", len(dst.Args), v.Blocks[dst.Block].Name, len(v.Blocks[dst.Block].Params))
		}
		if err := checkIDs(v, dst.Args); err != nil {
			return err
		}
	}
	return nil
}

// operands checks that an instruction has operands of the given types, up to
// their machine class.
func (d *decoder) operands(in *ir.Inst, want ...ir.TypeID) error {
	if len(in.Args) != len(want) {
		return fmt.Errorf("%d operands, want %d", len(in.Args), len(want))
	}
	for i, t := range want {
		if err := d.operandType(in, i, t); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) operandType(in *ir.Inst, i int, want ir.TypeID) error {
	if !validType(d.types, want) {
		return errors.New("a type argument is missing")
	}
	got := d.typeOf(in.Args[i])
	if got != want && d.m.looseClass(got) != d.m.looseClass(want) {
		return fmt.Errorf("operand %d has type %s, want %s", i, d.types.String(got), d.types.String(want))
	}
	return nil
}

// operandKinds checks number and constructors of the operands; several kinds
// may be allowed for one.
func (d *decoder) operandKinds(in *ir.Inst, want ...[]ir.Kind) error {
	if len(in.Args) != len(want) {
		return fmt.Errorf("%d operands, want %d", len(in.Args), len(want))
	}
	for i, kinds := range want {
		if err := d.operandKind(in, i, kinds...); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) operandKind(in *ir.Inst, i int, kinds ...ir.Kind) error {
	if i >= len(in.Args) {
		return fmt.Errorf("%d operands, want more", len(in.Args))
	}
	got := d.types.Kind(d.typeOf(in.Args[i]))
	for _, k := range kinds {
		if got == k {
			return nil
		}
	}
	return fmt.Errorf("operand %d has type %s, want %s", i, d.types.String(d.typeOf(in.Args[i])), kinds[0])
}

// results checks number and types of the results.
func (d *decoder) results(in *ir.Inst, want ...ir.TypeID) error {
	if err := d.resultCount(in, len(want)); err != nil {
		return err
	}
	for i, t := range want {
		got := d.typeOf(in.Results[i])
		if got != t && (!validType(d.types, t) || d.m.looseClass(got) != d.m.looseClass(t)) {
			return fmt.Errorf("result %d has type %s, want %s", i, d.types.String(got), d.types.String(t))
		}
	}
	return nil
}

func (d *decoder) resultCount(in *ir.Inst, n int) error {
	if len(in.Results) != n {
		return fmt.Errorf("%d results, want %d", len(in.Results), n)
	}
	return nil
}

// unary returns the only operand of an instruction, which must be of a kind, and the
// register of its only result.
func (d *decoder) unary(in *ir.Inst, kind []ir.Kind) (x operand, to int, err error) {
	if err = d.operandKinds(in, kind); err == nil {
		err = d.resultCount(in, 1)
	}
	if err != nil {
		return x, 0, err
	}
	return d.operand(in.Args[0]), d.result(in, 0), nil
}

// apply is the step of an operation with one operand, of a kind, and one result, which f computes
// from the operand. There is no result if f returns another action than next.
func (d *decoder) apply(in *ir.Inst, kind []ir.Kind, f func(t *thread, x Value) (Value, action)) (step, error) {
	x, to, err := d.unary(in, kind)
	if err != nil {
		return nil, err
	}
	return func(t *thread, fr *frame) action {
		v, a := f(t, x.get(fr))
		if a == next {
			fr.regs[to] = v
		}
		return a
	}, nil
}

func (d *decoder) mistyped(in *ir.Inst) error {
	s := "does not go with"
	for _, t := range []ir.TypeID{in.Ty, in.Ty2} {
		if t > 0 {
			s += " " + d.types.Structure(t, 2)
		}
	}
	return errors.New(s)
}

var (
	intKind    = []ir.Kind{ir.KInt}
	refKind    = []ir.Kind{ir.KRef}
	irefKind   = []ir.Kind{ir.KIRef}
	funcKind   = []ir.Kind{ir.KFuncRef}
	stackKind  = []ir.Kind{ir.KStackRef}
	cursorKind = []ir.Kind{ir.KFrameCursorRef}
	uptrKind   = []ir.Kind{ir.KUPtr}
	doubleKind = []ir.Kind{ir.KDouble}
	tagKinds   = []ir.Kind{ir.KTagRef64}
)
