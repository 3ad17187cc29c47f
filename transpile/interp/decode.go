package interp

import (
	"errors"
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A decoder turns one version into code.
//
//  1. check makes sure that every number in the version is in range.
//  2. Each value gets a register. Values that are used only in their own block
//     share the registers from firstLocal on with those of other blocks.
//  3. Each instruction becomes an instr; its step is made by the decoder of its
//     operation in decoders.
type decoder struct {
	m     *machine
	types *ir.Types
	code  *code
	v     *ir.Version
	reg   []int // by ValueID
	start []int // pc by BlockID
	cur   *instr
}

// decodeFunc makes the step of an instruction; the error says why it is not valid.
type decodeFunc func(d *decoder, in *ir.Inst) (step, error)

// decode decodes a version.
func decode(m *machine, fn *function, v *ir.Version) (c *code, err error) {
	if err := check(m.types, v); err != nil {
		return nil, err
	}
	d := &decoder{m: m, types: m.types, v: v, code: &code{fn: fn, v: v}}
	if params := d.typesOf(v.Blocks[0].Params); !m.sameLooseClasses(params, m.types.At(v.Func.Sig).Fields) {
		return nil, errors.New("the parameters of the entry block are not those of the signature")
	}
	d.assignRegisters()
	d.start = make([]int, len(v.Blocks))
	total := 0
	for b := range v.Blocks {
		d.start[b] = total
		if !v.Blocks[b].Dead {
			total += len(v.Blocks[b].Insts)
		}
	}
	d.code.ins = make([]instr, total)
	for b := range v.Blocks {
		if v.Blocks[b].Dead {
			continue
		}
		for i, id := range v.Blocks[b].Insts {
			d.cur = &d.code.ins[d.start[b]+i]
			d.cur.id = id
			if err := d.instruction(&v.Insts[id]); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", m.prog.Files.Position(v.Insts[id].Pos), v.Insts[id].Op, err)
			}
		}
	}
	d.code.weight = d.weight()
	for _, p := range v.Blocks[0].Params {
		d.code.params = append(d.code.params, d.reg[p])
	}
	return d.code, nil
}

func (d *decoder) instruction(in *ir.Inst) error {
	c := d.cur
	c.src = in
	for i := range in.Dests {
		params := d.v.Blocks[in.Dests[i].Block].Params
		for j, arg := range in.Dests[i].Args {
			if from, to := d.typeOf(arg), d.typeOf(params[j]); from != to && d.m.looseClass(from) != d.m.looseClass(to) {
				return fmt.Errorf("argument %d of destination %d has type %s, want %s", j, i, d.types.String(from), d.types.String(to))
			}
		}
	}
	c.waits = in.Types
	for _, r := range in.Results {
		c.results = append(c.results, d.reg[r])
	}
	for _, k := range in.Keep {
		c.keep = append(c.keep, d.operand(k))
	}
	if in.Has(ir.FlagExc) {
		c.normal, c.exc = d.edge(&in.Dests[0]), d.edge(&in.Dests[1])
	}
	f := decoders[in.Op]
	if f == nil {
		return fmt.Errorf("unknown operation")
	}
	run, err := f(d, in)
	if err != nil {
		return err
	}
	if in.Has(ir.FlagExc) && !in.Op.Is(ir.MayThrow) {
		inner, normal := run, c.normal
		run = func(t *thread, f *frame) action {
			if a := inner(t, f); a != next {
				return a
			}
			return normal.take(f, null)
		}
	}
	c.run = run
	return nil
}

// assignRegisters does step 2.
func (d *decoder) assignRegisters() {
	v := d.v
	wide := make([]bool, len(v.Values)) // used outside the block of the definition
	for b := range v.Blocks {
		if v.Blocks[b].Dead {
			continue
		}
		for _, id := range v.Blocks[b].Insts {
			eachUse(&v.Insts[id], func(x ir.ValueID) {
				if d.home(x) != ir.BlockID(b) {
					wide[x] = true
				}
			})
		}
	}
	d.reg = make([]int, len(v.Values))
	firstLocal := 0
	for id := range v.Values {
		if wide[id] && v.Values[id].Kind != ir.ValueConst {
			d.reg[id] = firstLocal
			firstLocal++
		}
	}
	d.code.regs, d.code.shared, d.code.reg = firstLocal, firstLocal, d.reg
	for b := range v.Blocks {
		if v.Blocks[b].Dead {
			continue
		}
		r := firstLocal
		define := func(id ir.ValueID) {
			if !wide[id] {
				d.reg[id] = r
				r++
			}
		}
		for _, id := range v.Blocks[b].Params {
			define(id)
		}
		if e := v.Blocks[b].Exc; e != 0 {
			define(e)
		}
		for _, id := range v.Blocks[b].Insts {
			for _, res := range v.Insts[id].Results {
				define(res)
			}
		}
		d.code.regs = max(d.code.regs, r)
	}
}

// perFrame is the number of members of large values that count like one more frame. However large the values are,
// at least heaviest frames fit a stack.
const (
	perFrame = 8
	heaviest = 16
)

// weight is the weight of a frame of the code: 1, plus the members of the structs and arrays that its registers can
// hold.
func (d *decoder) weight() int {
	members := make([]uint64, d.code.regs) // by register, the maximum
	count := func(list []ir.ValueID) {
		for _, id := range list {
			switch ty := d.v.Values[id].Type; d.types.Kind(ty) {
			case ir.KStruct, ir.KArray, ir.KVector:
				members[d.reg[id]] = max(members[d.reg[id]], d.m.shapes.of(ty).members)
			}
		}
	}
	for b := range d.v.Blocks {
		if d.v.Blocks[b].Dead {
			continue
		}
		count(d.v.Blocks[b].Params)
		for _, id := range d.v.Blocks[b].Insts {
			count(d.v.Insts[id].Results)
		}
	}
	weight, most := uint64(1), uint64(d.m.cfg.StackLimit)/heaviest+1
	for _, n := range members {
		weight = min(weight+n/perFrame, most)
	}
	return int(weight)
}

// home is the block that a value is defined in, -1 for constants.
func (d *decoder) home(id ir.ValueID) ir.BlockID {
	switch x := &d.v.Values[id]; x.Kind {
	case ir.ValueParam, ir.ValueExcParam:
		return ir.BlockID(x.Def)
	case ir.ValueResult:
		return d.v.Insts[x.Def].Block
	}
	return -1
}

func (d *decoder) operand(id ir.ValueID) operand {
	if x := &d.v.Values[id]; x.Kind == ir.ValueConst {
		return operand{reg: -1, value: d.m.constant(x.Const)}
	}
	return operand{reg: d.reg[id]}
}

func (d *decoder) allOperands(ids []ir.ValueID) []operand {
	ops := make([]operand, len(ids))
	for i, id := range ids {
		ops[i] = d.operand(id)
	}
	return ops
}

// result is the register of a result.
func (d *decoder) result(in *ir.Inst, i int) int { return d.reg[in.Results[i]] }

func (d *decoder) edge(dst *ir.Dest) *edge {
	b := &d.v.Blocks[dst.Block]
	e := &edge{pc: d.start[dst.Block], exc: -1, from: d.allOperands(dst.Args)}
	for _, p := range b.Params {
		e.to = append(e.to, d.reg[p])
	}
	if b.Exc != 0 {
		e.exc = d.reg[b.Exc]
	}
	e.findHazard()
	return e
}

func (d *decoder) typeOf(id ir.ValueID) ir.TypeID { return d.v.Values[id].Type }

func (d *decoder) typesOf(ids []ir.ValueID) []ir.TypeID {
	ts := make([]ir.TypeID, len(ids))
	for i, id := range ids {
		ts[i] = d.typeOf(id)
	}
	return ts
}

// laneType is the element type of a vector, or the type itself.
func (d *decoder) laneType(id ir.TypeID) (t *ir.Type, vector bool) {
	t = d.types.At(id)
	if t.Kind == ir.KVector {
		return d.types.At(t.Elem), true
	}
	return t, false
}
