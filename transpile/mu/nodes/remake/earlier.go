package remake

import (
	"fmt"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
)

// An EarlierCall is a call of the builder of 2016, in which nodes exist before they are used. Instead of nodes it has the IDs that
// the later builder has for what they are.
type EarlierCall struct {
	Row    *nodes.Row
	Result uint32      // what the node is that the call makes; 0 if it makes none
	Args   []nodes.Arg // as in Row.Lists; 0 for the bundle, and for what is absent
}

// Earlier are the calls of the builder of 2016 for a bundle, from those of the later one. nameOf gives the names of IDs, "" for those
// without one.
func Earlier(calls []Call, nameOf func(id uint32) string) ([]EarlierCall, error) {
	e := &earlier{nameOf: nameOf, defs: map[uint32]*Call{}, made: map[uint32]bool{}}
	for i := range calls {
		e.defs[calls[i].Args[0].ID] = &calls[i]
	}
	for i := range calls {
		if c := &calls[i]; global(c.Row) {
			e.define(c)
		}
	}
	// What types refer to may refer to them, so that it is set when all exist.
	for i := range calls {
		if c := &calls[i]; completed[c.Row.Name] {
			e.call(strings.Replace(c.Row.Name, "new_", "set_", 1), 0, c.Args[0], c.Args[1])
		}
	}
	for i := range calls {
		if c := &calls[i]; c.Row.Name == "new_func_ver" {
			e.version(c)
		}
	}
	if e.unspeakable != "" {
		return nil, fmt.Errorf("%w %s", ErrUnspeakable, e.unspeakable)
	}
	return e.calls, nil
}

// completed are the functions whose types are completed by another call.
var completed = map[string]bool{"new_type_uptr": true, "new_type_ufuncptr": true, "new_type_ref": true, "new_type_iref": true,
	"new_type_weakref": true, "new_type_funcref": true}

// Roles of parameters (nodes.IDRows) that other calls of 2016 take: what is defined, and clauses.
const elsewhere = "drpeDEKCN"

// global reports whether a function makes a definition outside of functions.
func global(row *nodes.IDRow) bool {
	for _, prefix := range []string{"new_type_", "new_const_", "new_funcsig", "new_global_cell", "new_exp_func"} {
		if strings.HasPrefix(row.Name, prefix) {
			return true
		}
	}
	return row.Name == "new_func"
}

// destKinds are the kinds of destinations by the names of parameters.
var destKinds = map[string]uint64{"dest": 1, "nor": 1, "exc": 2, "if_true": 3, "if_false": 4, "default_dest": 5, "dis": 6, "ena": 7}

// opcodes that differ: later ones of exposing functions have one more, because of get_addr.
const getAddr, lastMoved = 0x242, 0x245

type earlier struct {
	nameOf      func(id uint32) string
	defs        map[uint32]*Call // by ID
	made        map[uint32]bool  // the definitions outside of functions
	calls       []EarlierCall
	unspeakable string
}

var rowsByName = func() map[string]*nodes.Row {
	m := map[string]*nodes.Row{}
	for i := range nodes.Rows {
		m[nodes.Rows[i].Name] = &nodes.Rows[i]
	}
	return m
}()

// call notes a call, and one that gives its node a name.
func (e *earlier) call(name string, result uint32, args ...nodes.Arg) {
	row := rowsByName[name]
	if row == nil {
		e.unspeakable = name
		return
	}
	e.calls = append(e.calls, EarlierCall{row, result, args})
	if name := e.nameOf(result); result != 0 && name != "" {
		e.call("set_name", 0, nodes.Arg{}, nodes.Arg{ID: result}, nodes.Arg{Text: name})
	}
}

// define makes a definition, and before it those that must exist.
func (e *earlier) define(c *Call) {
	id := c.Args[0].ID
	if e.made[id] {
		return
	}
	e.made[id] = true
	args := []nodes.Arg{{}}
	for i, p := range c.Row.Params {
		if strings.IndexByte(elsewhere, p.Role) >= 0 || completed[c.Row.Name] {
			continue
		}
		a := c.Args[i]
		args = append(args, a)
		if strings.IndexByte("tscgf", p.Role) >= 0 {
			for _, id := range append(a.IDs, a.ID) {
				if d := e.defs[id]; d != nil {
					e.define(d)
				}
			}
		}
	}
	e.call(c.Row.Name, id, args...)
}

// version makes a version with all that is in it: the blocks, then what is in each.
func (e *earlier) version(c *Call) {
	ver, blocks := c.Args[0], c.Args[2].IDs
	e.call("new_func_ver", ver.ID, nodes.Arg{}, c.Args[1])
	for _, b := range blocks {
		e.call("new_bb", b, ver)
	}
	for _, b := range blocks {
		d := e.defs[b]
		blk, params, types, exc, insts := d.Args[0], d.Args[1].IDs, d.Args[2].IDs, d.Args[3].ID, d.Args[4].IDs
		for i, p := range params {
			e.call("new_nor_param", p, blk, nodes.Arg{ID: types[i]})
		}
		if exc != 0 {
			e.call("new_exc_param", exc, blk)
		}
		for _, in := range insts {
			e.inst(blk, e.defs[in])
		}
	}
}

// inst makes an instruction, its results, and its clauses.
func (e *earlier) inst(blk nodes.Arg, c *Call) {
	name, inst := c.Row.Name, c.Args[0]
	args := []nodes.Arg{blk}
	var results []uint32
	for i, p := range c.Row.Params {
		a := c.Args[i]
		switch {
		case p.Role == 'r':
			if results = append(results, a.IDs...); !p.List {
				results = append(results, a.ID)
			}
		case p.Role == 'C' && e.defs[a.ID].Row.Name == "new_csc_kill_old":
			name += "_kill"
		case p.Role == 'C':
			name += "_ret"
			args = append(args, e.defs[a.ID].Args[1])
		case p.Name == "opcode":
			args = append(args, nodes.Arg{Word: e.opcode(a.Word)})
		case name == "new_switch" && p.Name == "cases":
		case strings.IndexByte(elsewhere, p.Role) < 0:
			args = append(args, a)
		}
	}
	e.call(name, inst.ID, args...)
	for _, r := range results {
		e.call("new_inst_res", r, inst)
	}
	for i, p := range c.Row.Params {
		a := c.Args[i]
		d := e.defs[a.ID]
		switch {
		case p.Role == 'D' && p.List:
			for k, id := range a.IDs {
				to, key := e.defs[id], e.defs[c.Args[i-1].IDs[k]]
				if !strings.HasPrefix(key.Row.Name, "new_const_") {
					e.unspeakable = "a SWITCH with a case that is no constant"
				}
				e.call("add_switch_dest", 0, inst, nodes.Arg{ID: c.Args[i-1].IDs[k]}, to.Args[1], to.Args[2])
			}
		case strings.IndexByte("DEKN", p.Role) < 0 || a.ID == 0:
		case p.Role == 'D':
			e.dest(inst, p.Name, d)
		case p.Role == 'E':
			e.dest(inst, "nor", e.defs[d.Args[1].ID])
			e.dest(inst, "exc", e.defs[d.Args[2].ID])
		case p.Role == 'K' && name == "new_comminst":
			e.unspeakable = "a common instruction with a keep-alive clause"
		case p.Role == 'K':
			e.call("add_keepalives", 0, inst, d.Args[1])
		case d.Row.Name == "new_nsc_throw_exc":
			e.call("set_newstack_throw_exc", 0, inst, d.Args[1])
		default:
			e.call("set_newstack_pass_values", 0, inst, d.Args[1], d.Args[2])
		}
	}
}

func (e *earlier) dest(inst nodes.Arg, param string, d *Call) {
	e.call("add_dest", 0, inst, nodes.Arg{Word: destKinds[param]}, d.Args[1], d.Args[2])
}

// opcode is the number of 2016 of a common instruction.
func (e *earlier) opcode(later uint64) uint64 {
	switch {
	case later == getAddr:
		e.unspeakable = "@uvm.native.get_addr"
	case getAddr < later && later <= lastMoved:
		return later - 1
	}
	return later
}
