package ir

import "sort"

// An EntityName connects an ID and a name, which may be "".
type EntityName struct {
	ID   uint32
	Name string
	In   []int // later bundles one of which must be loaded, nil for none
}

// predefined are the entities with fixed IDs. Reports use the first
// name of an ID.
var predefined = []EntityName{
	{ID: 0x260, Name: "@uvm.meta.bytes"}, {ID: 0x261, Name: "@uvm.meta.bytes.r"}, {ID: 0x261, Name: "@uvm.meta.bytes_r"},
	{ID: 0x262, Name: "@uvm.meta.refs"}, {ID: 0x263, Name: "@uvm.meta.refs.r"}, {ID: 0x263, Name: "@uvm.meta.refs_r"},
	{ID: 0x264, Name: "@uvm.meta.trap_handler.sig"},
}

// EntityNames lists the entities of a program as it was loaded, sorted by ID.
// Parameters and results, which have no IDs in the program, get IDs after all
// other entities, in the order of their names.
func (p *Program) EntityNames() []EntityName {
	room := len(predefined) + len(p.Entities)
	for _, f := range p.Funcs {
		for _, v := range f.Versions {
			room += len(v.Values) + len(v.Insts)
		}
	}
	list := append(make([]EntityName, 0, room), predefined...)
	named := make(map[string]bool, room)
	hidden := p.Hidden()
	var in []int // of the body being listed
	add := func(id uint32, name string) {
		if id != 0 {
			e := EntityName{id, name, hidden[name]}
			if in != nil {
				e.In = in
			}
			list = append(list, e)
			named[name] = true
		}
	}
	bundleOf := map[*Function][]int{}
	for i, l := range p.Later {
		for _, f := range l.Impls {
			bundleOf[f] = []int{i}
		}
	}
	for _, e := range predefined {
		named[e.Name] = true
	}
	for _, c := range p.Consts {
		add(c.ID, c.Name)
	}
	for _, c := range p.Globals {
		add(c.ID, c.Name)
	}
	for _, x := range p.Exposes {
		add(x.ID, x.Name)
	}
	for name, id := range p.TypeIDs {
		if !named[name] {
			add(id, name)
		}
	}
	type value struct {
		name string
		in   []int
	}
	var values []value
	for _, f := range p.Funcs {
		in = bundleOf[f]
		add(f.ID, f.Name)
		for _, v := range f.Versions {
			add(v.ID, v.Name)
			for b := range v.Blocks {
				add(v.Blocks[b].ID, v.BlockName(BlockID(b)))
				for _, l := range v.Blocks[b].Locals {
					add(l.ID, expand(v.BlockName(BlockID(b)), l.Name))
				}
				for _, id := range v.Blocks[b].Insts {
					add(v.Insts[id].ID, v.InstName(id))
				}
			}
			for id := 1; id < len(v.Values); id++ {
				if v.Values[id].Kind != ValueConst && v.Values[id].Name != "" {
					values = append(values, value{v.ValueName(ValueID(id)), in})
				}
			}
		}
	}
	for name := range p.Entities {
		values = append(values, value{name, hidden[name]})
	}
	sort.Slice(values, func(i, j int) bool { return values[i].name < values[j].name })
	next := p.NextID
	for _, v := range values {
		if !named[v.name] {
			in = v.in
			add(next, v.name)
			next++
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].ID < list[j].ID })
	return list
}
