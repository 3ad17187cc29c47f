package nodes

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// accepted has the kinds of nodes, a bit for each, that operands with a letter in Row.Nodes may be.
var accepted = [128]uint32{
	'b': 1 << Bundle,
	't': 1 << Type,
	's': 1 << Sig,
	'c': 1 << Const,
	'f': 1 << Func,
	'g': globals,
	'v': 1 << Version,
	'k': 1 << Block,
	'i': 1 << Inst,
	'l': locals,
	'x': globals | locals,
	'V': globals,
	'D': 1 << DestClause,
	'E': 1 << ExcClause,
	'K': 1 << KeepClause,
	'C': 1 << CurClause,
	'N': 1 << NewClause,
	'y': 1<<Type | 1<<Sig | 1<<Version | 1<<Block | 1<<Inst | globals | locals,
}

const (
	globals = 1<<Const | 1<<Global | 1<<Func | 1<<Exposed
	locals  = 1<<Param | 1<<ExcParam | 1<<Result
)

// wanted says what the letters accept that accept several kinds.
var wanted = map[byte]string{'g': "a constant, cell or function", 'V': "a constant, cell or function", 'l': "a local variable", 'x': "a value", 'y': "part of the bundle"}

// Numbers of destinations.
const (
	normal uint8 = 1 + iota
	except
	onTrue
	onFalse
	defaultDest
	disabled
	enabled
)

// destNames are their names.
var destNames = [...]string{normal: "NORMAL", except: "EXCEPT", onTrue: "TRUE", onFalse: "FALSE", defaultDest: "DEFAULT",
	disabled: "DISABLED", enabled: "ENABLED"}

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
	var one [1]int
	for i, l := range row.lists {
		list := args[i].Nodes
		switch l[0] {
		case 'n':
			one[0] = args[i].Node
			list = one[:]
			if row.optional(i) && one[0] == 0 {
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
func (r *Row) optional(operand int) bool { return r.op == syntax.OpNewThread && operand == 2 }

// operand checks a node of an operand.
func (b *Builder) operand(row *Row, i int, letters string, kind byte, no int) *Error {
	n := b.node(no)
	if n != nil && accepted[kind]&(1<<n.kind) != 0 {
		return nil
	}
	what := fmt.Sprintf("operand %d", i+1)
	if letters != "n" {
		what = "a node in " + what
	}
	if n == nil {
		return errorf(BadHandle, "%s: %s is NULL", row.Name, what)
	}
	return errorf(BadCheck, "%s wants %s, got %s: %s", row.Name, wants(kind), kindNames[n.kind], what)
}

// wants says what operands with a letter may be.
func wants(letter byte) string {
	if s := wanted[letter]; s != "" {
		return s
	}
	return kindNames[bits.TrailingZeros(uint(accepted[letter]))]
}

// Call executes an instruction of the builder, except those that make, load and abort a bundle. It returns the number
// of the node that it makes, or another number.
func (b *Builder) Call(row *Row, args []Operand) (int, *Error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.check(row, args); err != nil {
		return 0, err
	}
	if row.makes != None {
		return int(b.add(row, args).no), nil
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
	return 0, b.fill(n, row, args)
}

// known makes a node for an existing entity.
func (b *Builder) known(row *Row, args []Operand) (int, *Error) {
	id := uint32(args[1].Word)
	k := b.prog.Known(id)
	if k == None {
		return 0, errorf(BadCheck, "get_node: nothing has the ID %d", id)
	}
	n := b.newNode()
	n.kind, n.id, n.known = k, id, true
	if k == Func {
		n.part = &function{}
	}
	return int(n.no), nil
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

// fill adds something to a node.
func (b *Builder) fill(n *node, row *Row, args []Operand) *Error {
	if row.typ != syntax.NoType {
		d, ok := n.part.(*syntax.TypeDef)
		if !ok || d.Kind != row.typ {
			return errorf(BadCheck, "%s: %s has no part for it", row.Name, b.say(n))
		}
		d.Args = b.list(n, args[1:])
		return nil
	}
	in := n.part.(*inst)
	what, ok, full := "", false, false
	switch row.Name {
	case "add_dest":
		k := args[1].Word
		what = fmt.Sprintf("destination of kind %d", k)
		if k < uint64(len(destNames)) && k > 0 {
			what = "destination " + destNames[k]
			ok, full = in.row.hasDest(uint8(k)), in.dest(uint8(k)) != nil
		}
	case "add_switch_dest":
		what, ok = "cases", in.row.clauses&cases != 0
	case "add_keepalives":
		what, ok, full = "keep-alive clause", in.row.clauses&keep != 0, in.Flags&syntax.HasKeep != 0
	default: // set_newstack_...
		what, ok = "new-stack clause", in.row.clauses&newStack != 0
		full = ok && in.Ext.New != syntax.NoNewStack
	}
	switch {
	case !ok:
		return errorf(BadCheck, "%s: %s has no %s", row.Name, b.say(n), what)
	case full:
		return errorf(BadCheck, "%s: %s has a %s", row.Name, b.say(n), what)
	}
	switch row.Name {
	case "add_dest":
		in.dests = append(in.dests, dest{kind: uint8(args[1].Word), Dest: b.dest(n, args[2:])})
	case "add_switch_dest":
		in.dests = append(in.dests, dest{key: b.ref(n, args[1].Node), Dest: b.dest(n, args[2:])})
	case "add_keepalives":
		in.Flags |= syntax.HasKeep
		in.Keep = b.list(n, args[1:])
	case "set_newstack_pass_values":
		in.Ext.New, in.Ext.NewOff, in.Ext.PassTypes, in.Ext.PassArgs = syntax.PassValues, in.Off, b.list(n, args[1:2]), b.list(n, args[2:])
	case "set_newstack_throw_exc":
		in.Ext.New, in.Ext.NewOff, in.Ext.Throw = syntax.ThrowExc, in.Off, b.ref(n, args[1].Node)
	}
	return nil
}

// hasDest reports whether instructions that the row makes may have a destination of a kind.
func (r *Row) hasDest(kind uint8) bool {
	return slices.Contains(r.dests, kind) || kind == normal && r.clauses&exc != 0 || kind == except && r.clauses&(exc|wpExc) != 0
}
