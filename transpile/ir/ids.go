package ir

import "sort"

// GiveIDs gives entity ids to entities that have none, in the same order as readers.
// A version that has an id is left alone, because blocks and instructions that
// passes add have none.
func (p *Program) GiveIDs() {
	give := func(id *uint32) {
		if *id == 0 {
			*id = p.TakeID()
		}
	}
	var types []string
	for name, e := range p.Entities {
		if _, ok := e.(TypeID); ok && p.TypeIDs[name] == 0 {
			types = append(types, name)
		}
	}
	sort.Strings(types)
	for _, name := range types {
		p.TypeIDs[name] = p.TakeID()
	}
	for _, c := range p.Consts {
		give(&c.ID)
	}
	for _, g := range p.Globals {
		give(&g.ID)
	}
	for _, f := range p.Funcs {
		if f.Of == nil {
			give(&f.ID)
		}
		for _, v := range f.Versions {
			if v.ID == 0 {
				v.giveIDs(p)
			}
		}
	}
	for _, e := range p.Exposes {
		give(&e.ID)
	}
}

// giveIDs gives entity ids to a version, its blocks and its instructions.
func (v *Version) giveIDs(p *Program) {
	v.ID = p.TakeID()
	for b := range v.Blocks {
		v.Blocks[b].ID = p.TakeID()
	}
	for b := range v.Blocks {
		for _, id := range v.Blocks[b].Insts {
			v.Insts[id].ID = p.TakeID()
		}
	}
}
