package osr

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/ssabuild"
)

// maker makes one function.
type maker struct {
	p     *ir.Program
	f     *ir.Function
	from  *ir.Version
	v     *ir.Version // the copy
	head  ir.BlockID
	in    []bool                      // by block: control gets there
	begin map[ir.ValueID]ir.ValueID   // what a value of the original is at the new entry
	ssa   *ssabuild.Builder           // if values are defined again after the head
	vars  map[ir.ValueID]ssabuild.Var // those values
}

// make makes the function of an entry, without its name.
func (m *maker) make(e Entry) (*ir.Function, error) {
	values := Values(m.from)
	params, err := at(values, e.Params)
	if err != nil {
		return nil, err
	}
	again, err := at(values, e.Again)
	if err != nil {
		return nil, err
	}
	heads, err := at(Blocks(m.from), []int{e.Head})
	if err != nil {
		return nil, err
	}
	m.head = heads[0]
	if m.head == 0 || m.from.Blocks[m.head].Exc != 0 {
		return nil, fmt.Errorf("block %s cannot be a head", m.from.BlockName(m.head))
	}
	m.v = m.from.Clone()
	m.in = analysis.Reach(m.v, m.head)
	if m.in[0] {
		return nil, fmt.Errorf("control gets to the entry")
	}
	sig := m.p.Types.Sig(m.from.TypesOf(params), m.p.Types.At(m.f.Sig).Results)
	f := &ir.Function{Sig: sig, Attrs: m.f.Attrs, Pos: m.f.Pos, CopyOf: m.f, Versions: []*ir.Version{m.v}}
	m.v.Func = f
	for _, x := range m.v.Blocks[0].Params {
		m.v.Values[x].Kind = ir.ValueNone
	}
	m.v.Blocks[0] = ir.Block{Name: m.v.Blocks[0].Name, Pos: m.v.Blocks[m.head].Pos}
	for b := range m.v.Blocks {
		m.v.Blocks[b].Dead = m.v.Blocks[b].Dead || b != 0 && !m.in[b]
	}
	if err := m.entry(params, again); err != nil {
		return nil, err
	}
	return f, m.rename()
}

// entry makes the new entry.
func (m *maker) entry(params, again []ir.ValueID) error {
	m.begin = map[ir.ValueID]ir.ValueID{}
	for _, x := range params {
		m.begin[x] = m.v.AddParam(0, m.from.Values[x].Type, m.from.Values[x].Name)
	}
	pos := m.v.Blocks[m.head].Pos
	for _, x := range again {
		n := &m.from.Values[x]
		if n.Kind != ir.ValueResult {
			return fmt.Errorf("%s is not computed", m.from.ValueName(x))
		}
		old := &m.from.Insts[n.Def]
		if len(old.Results) != 1 || old.IsTerminator() {
			return fmt.Errorf("%s cannot be computed again", m.from.ValueName(x))
		}
		in := *old
		in.Args, in.Results, in.Name, in.Placed, in.ID = nil, nil, "", false, 0
		for _, a := range old.Args {
			now, err := m.atEntry(a)
			if err != nil {
				return err
			}
			in.Args = append(in.Args, now)
		}
		id := m.v.Append(0, in, []ir.TypeID{n.Type}, []string{n.Name})
		m.begin[x] = m.v.Insts[id].Results[0]
	}
	to := ir.Dest{Block: m.head}
	for _, x := range m.from.Blocks[m.head].Params {
		now, err := m.atEntry(x)
		if err != nil {
			return err
		}
		to.Args = append(to.Args, now)
	}
	m.v.Append(0, ir.Inst{Op: ir.OpBranch, Dests: []ir.Dest{to}, Pos: pos}, nil, nil)
	return nil
}

// atEntry is the value that stands for a value of the original at the new entry.
func (m *maker) atEntry(x ir.ValueID) (ir.ValueID, error) {
	if m.from.Values[x].Kind == ir.ValueConst {
		return x, nil
	}
	if now := m.begin[x]; now != 0 {
		return now, nil
	}
	return 0, fmt.Errorf("%s is not known at the entry", m.from.ValueName(x))
}

// rename makes the blocks after the head use the new values: those of the entry or, where the original
// defines them again after the head, the definition that comes first on the way back.
func (m *maker) rename() error {
	m.vars = map[ir.ValueID]ssabuild.Var{}
	for x := range m.begin {
		if b := home(m.from, x); m.in[b] && b != m.head {
			if onEdge(m.from, x) && !m.from.Insts[m.from.Values[x].Def].Has(ir.FlagExc) {
				return fmt.Errorf("%s is the result of a terminator other than one with an exception clause", m.from.ValueName(x))
			}
			m.vars[x] = 0
		}
	}
	if len(m.vars) > 0 {
		m.define()
	}
	for b := range m.v.Blocks {
		if !m.in[b] {
			continue
		}
		each := func(list []ir.ValueID) {
			for i, x := range list {
				list[i] = m.used(ir.BlockID(b), x)
			}
		}
		for _, id := range m.v.Blocks[b].Insts {
			in := &m.v.Insts[id]
			each(in.Args)
			each(in.Keep)
			for k := range in.Dests {
				each(in.Dests[k].Args)
			}
		}
	}
	if m.ssa == nil {
		return nil
	}
	return m.ssa.Finish()
}

// define makes variables of the values that are defined again.
func (m *maker) define() {
	m.ssa = ssabuild.New(m.v, func(ir.BlockID, ssabuild.Var, string) ir.ValueID { return 0 })
	for _, x := range Values(m.from) { // in an order that does not change
		if _, ok := m.vars[x]; !ok {
			continue
		}
		n := &m.from.Values[x]
		y := m.ssa.Var(n.Type, n.Name)
		m.vars[x] = y
		m.ssa.Def(0, y, m.begin[x])
		if !onEdge(m.from, x) {
			m.ssa.Def(home(m.from, x), y, x)
		}
	}
	for b := range m.v.Blocks {
		if m.in[b] || b == 0 {
			m.ssa.End(ir.BlockID(b))
		}
	}
	for _, x := range Values(m.from) {
		if y, ok := m.vars[x]; ok && onEdge(m.from, x) {
			m.ssa.DefOnEdge(ir.InstID(m.from.Values[x].Def), 0, y, x)
		}
	}
	for b := range m.v.Blocks {
		if m.in[b] || b == 0 {
			m.ssa.Seal(ir.BlockID(b))
		}
	}
}

// onEdge reports whether a value is the result of a terminator, which exists where the terminator continues normally.
func onEdge(v *ir.Version, x ir.ValueID) bool {
	n := &v.Values[x]
	return n.Kind == ir.ValueResult && v.Insts[n.Def].IsTerminator()
}

// used is the value that a block uses for one of the original.
func (m *maker) used(b ir.BlockID, x ir.ValueID) ir.ValueID {
	now, ok := m.begin[x]
	if !ok {
		return x
	}
	if y, again := m.vars[x]; again {
		if home(m.from, x) == b {
			return x
		}
		return m.ssa.Use(b, y)
	}
	if home(m.from, x) == m.head { // a parameter of the head, or what comes after those
		return x
	}
	return now
}
