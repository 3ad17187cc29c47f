package nodes

import (
	"fmt"
	"slices"
)

// accepted has the kinds of nodes that operands with a letter in Row.Nodes may be.
var accepted = map[byte][]Kind{
	'b': {Bundle},
	't': {Type},
	's': {Sig},
	'c': {Const},
	'f': {Func},
	'g': {Const, Global, Func, Exposed},
	'v': {Version},
	'k': {Block},
	'i': {Inst},
	'l': {Param, ExcParam, Result},
	'x': {Const, Global, Func, Exposed, Param, ExcParam, Result},
	'y': {Type, Sig, Const, Global, Func, Version, Exposed, Block, Param, ExcParam, Inst, Result},
}

// wanted says what the letters accept that accept several kinds.
var wanted = map[byte]string{'g': "a constant, cell or function", 'l': "a local variable", 'x': "a value", 'y': "part of the bundle"}

// Numbers of destinations.
const (
	normal = 1 + iota
	except
	onTrue
	onFalse
	defaultDest
	disabled
	enabled
)

// destNames are their names, which are also those of parts of rows.
var destNames = [...]string{normal: "NORMAL", except: "EXCEPT", onTrue: "TRUE", onFalse: "FALSE", defaultDest: "DEFAULT",
	disabled: "DISABLED", enabled: "ENABLED"}

// parentAt is the operand to which nodes of a kind are added, for all kinds that are not added to the bundle.
var parentAt = map[Kind]int{Version: 1, Block: 0, Param: 0, ExcParam: 0, Inst: 0, Result: 0}

// Check checks the operands of a call as Call does.
func (b *Builder) Check(row *Row, args []Operand) *Error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.check(row, args)
}

func (b *Builder) check(row *Row, args []Operand) *Error {
	if b.ended {
		return errorf(BadHandle, "%s: the bundle was loaded or given up", row.Name)
	}
	kinds := row.Nodes
	for i, l := range row.Lists() {
		list := args[i].Nodes
		switch l[0] {
		case 'n':
			list = []int{args[i].Node}
			if row.optional(i) && args[i].Node == 0 {
				list = nil
			}
		case 'A':
		default:
			continue
		}
		for _, n := range list {
			if err := b.operand(row, i, l, kinds[0], n); err != nil {
				return err
			}
		}
		kinds = kinds[1:]
	}
	return nil
}

// optional reports whether a node may be NULL.
func (r *Row) optional(operand int) bool { return r.Name == "new_newthread" && operand == 2 }

// operand checks a node of an operand.
func (b *Builder) operand(row *Row, i int, letters string, kind byte, no int) *Error {
	what := fmt.Sprintf("operand %d", i+1)
	if letters != "n" {
		what = "a node in " + what
	}
	n := b.node(no)
	if n == nil {
		return errorf(BadHandle, "%s: %s is NULL", row.Name, what)
	}
	if slices.Contains(accepted[kind], n.kind) {
		return nil
	}
	want := wanted[kind]
	if want == "" {
		want = kindNames[accepted[kind][0]]
	}
	return errorf(BadCheck, "%s wants %s, got %s: %s", row.Name, want, kindNames[n.kind], what)
}

// Call executes an instruction of the builder, except those that make, load and abort a bundle. It returns the number
// of the node that it makes, or another number.
func (b *Builder) Call(row *Row, args []Operand) (int, *Error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.check(row, args); err != nil {
		return 0, err
	}
	if row.kind != None {
		return b.add(row, row.kind, args).no, nil
	}
	if row.Name == "get_node" {
		return b.known(row, args)
	}
	n := b.node(args[0].Node)
	if n.kind == Bundle {
		n = b.node(args[1].Node)
	}
	switch row.Name {
	case "get_id":
		if n.id == 0 {
			n.id = b.prog.NextID()
		}
		return int(n.id), nil
	case "set_name":
		return 0, b.setName(n, args[2].Text)
	}
	s := row.slot(args)
	if !slices.ContainsFunc(s.parts, n.row.has) {
		return 0, errorf(BadCheck, "%s: %s has no %s", row.Name, b.say(n), s.what)
	}
	return 0, b.fill(n, row, args, s)
}

// add makes a node.
func (b *Builder) add(row *Row, k Kind, args []Operand) *node {
	n := &node{no: len(b.nodes) + 1, row: row, kind: k, args: args}
	b.nodes = append(b.nodes, n)
	to := b.node(Whole)
	if at, ok := parentAt[k]; ok {
		to = b.node(args[at].Node)
		n.parent = to
	}
	n.place = 1
	for i := len(to.children) - 1; i >= 0; i-- {
		if c := to.children[i]; c.kind == k {
			n.place = c.place + 1
			break
		}
	}
	to.children = append(to.children, n)
	return n
}

// known makes a node for an existing entity.
func (b *Builder) known(row *Row, args []Operand) (int, *Error) {
	id := uint32(args[1].Word)
	k := b.prog.Known(id)
	if k == None {
		return 0, errorf(BadCheck, "get_node: nothing has the ID %d", id)
	}
	n := &node{no: len(b.nodes) + 1, row: row, kind: k, args: args, id: id, known: true}
	b.nodes = append(b.nodes, n)
	return n.no, nil
}

func (b *Builder) setName(n *node, name string) *Error {
	switch {
	case n.known || n.name != "":
		return errorf(Conflict, "set_name: the node has a name: %s", b.say(n))
	case !isName(name):
		return errorf(BadCheck, "set_name: %q is no name: a name is @ and letters, digits, _, . and -", name)
	}
	n.name = name
	return nil
}

// A slot is what a call fills in of a node.
type slot struct {
	parts []string // of the row of the node, which must have one of them
	what  string   // in messages
}

// slot is what a call of the row fills in.
func (r *Row) slot(args []Operand) slot {
	switch r.Name {
	case "add_dest":
		k := args[1].Word
		if k == 0 || k >= uint64(len(destNames)) {
			return slot{nil, fmt.Sprintf("destination of kind %d", k)}
		}
		name := destNames[k]
		parts := []string{name}
		switch k {
		case normal:
			parts = append(parts, "exc")
		case except:
			parts = append(parts, "exc", "wpexc")
		}
		return slot{parts, "destination " + name}
	case "add_switch_dest":
		return slot{[]string{"cases"}, "cases"}
	case "add_keepalives":
		return slot{[]string{"keep"}, "keep-alive clause"}
	case "set_newstack_pass_values", "set_newstack_throw_exc":
		return slot{[]string{"newstack"}, "new-stack clause"}
	}
	return slot{[]string{r.Name}, "part for it"} // set_type_...
}

// fill fills in a part that a node has.
func (b *Builder) fill(n *node, row *Row, args []Operand, s slot) *Error {
	again := func() *Error { return errorf(BadCheck, "%s: %s has a %s", row.Name, b.say(n), s.what) }
	switch row.Name {
	case "add_dest":
		kind := args[1].Word
		if n.dests[kind] != nil {
			return again()
		}
		if n.dests == nil {
			n.dests = map[uint64]*dest{}
		}
		n.dests[kind] = &dest{block: args[2].Node, args: args[3].Nodes}
	case "add_switch_dest":
		n.cases = append(n.cases, &dest{key: args[1].Node, block: args[2].Node, args: args[3].Nodes})
	case "add_keepalives":
		if n.hasKeep {
			return again()
		}
		n.keep, n.hasKeep = args[1].Nodes, true
	case "set_newstack_pass_values", "set_newstack_throw_exc":
		if n.pass != nil || n.throw != 0 {
			return again()
		}
		if row.Name == "set_newstack_throw_exc" {
			n.throw = args[1].Node
		} else {
			n.pass = &[2][]int{args[1].Nodes, args[2].Nodes}
		}
	default: // set_type_...
		n.to = args[1].Node
	}
	return nil
}
