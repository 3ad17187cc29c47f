package ir

import (
	"math"
	"slices"
	"sort"
)

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
// Parameters and results, to which the program gives no IDs, get some after all
// others, in the order of their names.
func (p *Program) EntityNames() []EntityName { return p.NameRows().List() }

// NameRows are the names that EntityNames lists, with local names as the source has them: to put names together takes
// longer than everything else. Passes that change the program do not change them.
type NameRows struct {
	rows, values []nameRow // with IDs, and those that List gives IDs
	nameless     []namelessRow
	places       []namePlace
	ins          [][]int
	hidden       map[string][]int
	next         uint32 // the first ID of values
}

// noIns is the ins of a program that has no later bundles.
var noIns = [][]int{nil}

// A nameRow is a name in a place.
type nameRow struct {
	name string
	id   uint32
	// place is an element of places; -1-n for a global name that is in element n of ins, and hiddenPlace for one of
	// which hidden knows where it is.
	place int32
}

const hiddenPlace = math.MinInt32

// A namelessRow is a range of IDs without a name, in an element of ins. Most instructions have no name.
type namelessRow struct {
	first, end uint32
	in         int32
}

// A namePlace is a version or a block.
type namePlace struct {
	name string
	of   int32 // the place that it is in, -1 for a version
	in   int32 // of ins
}

// NameRows makes the rows of a program.
func (p *Program) NameRows() *NameRows {
	r := &NameRows{hidden: p.Hidden(), next: p.NextID, ins: noIns}
	rows, values, places := len(p.Consts)+len(p.Globals)+len(p.Exposes)+len(p.TypeIDs)+len(p.Funcs), len(p.Entities), 0
	for _, f := range p.Funcs {
		for _, v := range f.Versions {
			rows += 1 + len(v.Blocks)
			values += len(v.Values)
			places += 1 + len(v.Blocks)
		}
	}
	r.rows, r.values, r.places = make([]nameRow, 0, rows), make([]nameRow, 0, values), make([]namePlace, 0, places)
	in := int32(0) // of the body being listed
	add := func(id uint32, place int32, name string) {
		if id != 0 && (name == "" || IsDescription(name)) {
			if n := len(r.nameless); n > 0 && r.nameless[n-1].end == id && r.nameless[n-1].in == in {
				r.nameless[n-1].end++
				return
			}
			r.nameless = append(r.nameless, namelessRow{id, id + 1, in})
		} else if id != 0 {
			r.rows = append(r.rows, nameRow{name, id, place})
		}
	}
	global := func(id uint32, name string) { add(id, -1-in, name) }
	bundleOf := map[*Function]int32{}
	for i, l := range p.Later {
		r.ins = append(r.ins, []int{i})
		for _, f := range l.Impls {
			bundleOf[f] = int32(i + 1)
		}
	}
	for _, c := range p.Consts {
		global(c.ID, c.Name)
	}
	for _, c := range p.Globals {
		global(c.ID, c.Name)
	}
	for _, x := range p.Exposes {
		global(x.ID, x.Name)
	}
	types := r.global()
	for name, id := range p.TypeIDs {
		if !types[name] {
			global(id, name)
		}
	}
	for _, f := range p.Funcs {
		in = bundleOf[f]
		global(f.ID, f.Name)
		for _, v := range f.Versions {
			global(v.ID, v.Name)
			version := int32(len(r.places))
			r.places = append(r.places, namePlace{v.Name, -1, in})
			for b := range v.Blocks {
				r.places = append(r.places, namePlace{v.Blocks[b].Name, version, in})
			}
			block := func(b BlockID) int32 { return version + 1 + int32(b) }
			for b := range v.Blocks {
				add(v.Blocks[b].ID, version, v.Blocks[b].Name)
				for _, l := range v.Blocks[b].Locals {
					add(l.ID, block(BlockID(b)), l.Name)
				}
				for _, id := range v.Blocks[b].Insts {
					i := &v.Insts[id]
					if i.Placed {
						global(i.ID, "")
					} else {
						add(i.ID, block(i.Block), i.Name)
					}
				}
			}
			for id := 1; id < len(v.Values); id++ {
				x := &v.Values[id]
				if x.Kind == ValueConst || x.Kind == ValueNone || x.Name == "" || IsDescription(x.Name) {
					continue
				}
				place := -1 - in
				switch x.Kind {
				case ValueParam, ValueExcParam:
					place = block(BlockID(x.Def))
				case ValueResult:
					place = block(v.Insts[x.Def].Block)
				}
				r.values = append(r.values, nameRow{x.Name, 0, place})
			}
		}
	}
	named := r.global()
	for name := range p.Entities {
		if !named[name] && !IsDescription(name) {
			r.values = append(r.values, nameRow{name, 0, hiddenPlace})
		}
	}
	return r
}

// global is the set of the global names in rows, and of those that are predefined.
func (r *NameRows) global() map[string]bool {
	named := make(map[string]bool, len(predefined)+len(r.rows)/8)
	for _, e := range predefined {
		named[e.Name] = true
	}
	for i := range r.rows {
		if n := r.rows[i].name; !IsLocal(n) {
			named[n] = true
		}
	}
	return named
}

// full returns the full names of places.
func (r *NameRows) full() []string {
	list := make([]string, len(r.places))
	for i, p := range r.places {
		if list[i] = p.name; p.of >= 0 {
			list[i] = FullName(list[p.of], p.name)
		}
	}
	return list
}

// List returns the list that EntityNames promises.
func (r *NameRows) List() []EntityName {
	places := r.full()
	full := func(n *nameRow) string {
		if n.place < 0 {
			return n.name
		}
		return FullName(places[n.place], n.name)
	}
	in := func(n *nameRow) []int {
		switch {
		case n.place >= 0:
			return r.ins[r.places[n.place].in]
		case n.place == hiddenPlace:
			return r.hidden[n.name]
		}
		return r.ins[-1-n.place]
	}
	room := len(predefined) + len(r.rows) + len(r.values)
	for _, n := range r.nameless {
		room += int(n.end - n.first)
	}
	list := append(make([]EntityName, 0, room), predefined...)
	named := make(map[string]bool, room)
	for _, e := range predefined {
		named[e.Name] = true
	}
	add := func(id uint32, name string, in []int) {
		e := EntityName{id, name, r.hidden[name]}
		if in != nil {
			e.In = in
		}
		list = append(list, e)
		named[name] = true
	}
	for i := range r.rows {
		n := &r.rows[i]
		add(n.id, full(n), in(n))
	}
	for _, n := range r.nameless {
		for id := n.first; id < n.end; id++ {
			list = append(list, EntityName{id, "", r.ins[n.in]})
		}
	}
	type value struct {
		name string
		in   []int
	}
	values := make([]value, len(r.values))
	for i := range r.values {
		n := &r.values[i]
		values[i] = value{full(n), in(n)}
	}
	sort.Slice(values, func(i, j int) bool { return values[i].name < values[j].name })
	next := r.next
	for _, v := range values {
		if !named[v.name] {
			add(next, v.name, v.in)
			next++
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].ID < list[j].ID })
	return list
}

// Nameless lists the IDs below a limit that things without names have.
func (r *NameRows) Nameless(below uint32) (list []EntityName) {
	for _, n := range r.nameless {
		for id := n.first; id < min(n.end, below); id++ {
			list = append(list, EntityName{id, "", r.ins[n.in]})
		}
	}
	return list
}

// LateNames are names of which all but some can be put together later.
type LateNames struct {
	Now []EntityName // those that need not be put together, "" aside
	// Roots are the names of versions, and those of blocks that are global: all other names begin with one of them and
	// a dot.
	Roots []string
	Next  uint32 // the ID after the last one
	// Rest are the others. Its List has the predefined names as well.
	Rest *NameRows
}

// Late separates the names that can be put together later; false if all have to be put together to know the IDs of
// those that need not be. No two names may be equal, which readers see to.
func (r *NameRows) Late() (*LateNames, bool) {
	local := 0
	for i := range r.values {
		if n := &r.values[i]; n.place < 0 || !IsLocal(n.name) {
			return nil, false
		}
	}
	for i := range r.rows {
		if n := &r.rows[i]; n.place >= 0 && IsLocal(n.name) {
			local++
		}
	}
	l := &LateNames{Next: r.next + uint32(len(r.values))}
	l.Rest = &NameRows{rows: make([]nameRow, 0, local), values: trimmed(r.values), places: trimmed(r.places), ins: r.ins, next: r.next}
	for i := range r.rows {
		if n := &r.rows[i]; n.place >= 0 && IsLocal(n.name) {
			l.Rest.rows = append(l.Rest.rows, *n)
		} else {
			l.Now = append(l.Now, EntityName{ID: n.id, Name: n.name})
		}
	}
	for _, p := range r.places {
		if (p.of < 0 || !IsLocal(p.name)) && !IsDescription(p.name) {
			l.Roots = append(l.Roots, p.name)
		}
	}
	return l, true
}

// trimmed returns a list in an array with little room for more.
func trimmed[T any](list []T) []T {
	if cap(list) > len(list)+len(list)/2 {
		return slices.Clone(list)
	}
	return list
}
