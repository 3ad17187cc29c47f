// Package nodes is the IR builder of Mu (docs/language.md, "The IR builder"): it makes a bundle call by call.
//
// A bundle is a tree of nodes, each made by one instruction of the builder. When the bundle is complete, it
// is written as Mu text, which the reader checks like any other; nothing is checked twice. The package does not
// load bundles, and knows only the kinds and IDs of entities of a running program.
package nodes

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Kind is the kind of a node.
type Kind uint8

// The kinds of nodes.
const (
	None Kind = iota
	Bundle
	Type
	Sig
	Const
	Global
	Func
	Version
	Exposed
	Block
	Param
	ExcParam
	Inst
	Result
)

var kindNames = [...]string{None: "nothing", Bundle: "a bundle", Type: "a type", Sig: "a signature", Const: "a constant", Global: "a global cell",
	Func: "a function", Version: "a function version", Exposed: "an exposed function", Block: "a block", Param: "a parameter", ExcParam: "an exception parameter",
	Inst: "an instruction", Result: "a result"}

// Code is the code of an error (docs/language.md, "Run-time errors").
type Code string

// The codes of errors that calls have.
const (
	BadHandle Code = "E_HANDLE"
	Conflict  Code = "E_CONFLICT"
	BadCheck  Code = "E_CHECK"
)

// Error is an error in a call, or in the bundle when it is complete.
type Error struct {
	Code Code
	Msg  string
}

func (e *Error) Error() string { return e.Msg }

func errorf(code Code, format string, args ...any) *Error {
	return &Error{code, fmt.Sprintf(format, args...)}
}

// Operand is an operand of a call. The letter of its parameter determines which field is used.
type Operand struct {
	Node  int // 0 is NULL
	Nodes []int
	Word  uint64
	Words []uint64
	Text  string
}

// Builder makes one bundle.
type Builder struct {
	NextID func() uint32        // reserves the next ID of the program
	Known  func(id uint32) Kind // the kind of the existing entity with an ID, None if there is none

	nodes []*node // from 1
}

// node is a node. Its children are the nodes that were added to it, in the order of the calls.
type node struct {
	no    int
	row   *Row
	kind  Kind
	id    uint32
	known bool   // an entity that existed before
	name  string // set by the client
	args  []Operand

	parent   *node
	children []*node
	to       int // of types that are set later

	dests    map[uint64]*dest
	cases    []*dest
	keep     []int
	hasKeep  bool
	newstack string // the clause of a swap, as text; nodes in it are spelled when the bundle is written
	pass     *[2][]int
	throw    int
}

// dest is a destination with its arguments; key is for cases.
type dest struct {
	key, block int
	args       []int
}

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

var destNames = map[string]uint64{"NORMAL": normal, "EXCEPT": except, "TRUE": onTrue, "FALSE": onFalse, "DEFAULT": defaultDest,
	"DISABLED": disabled, "ENABLED": enabled}

// Kind is the kind of node n; None if there is no such node.
func (b *Builder) Kind(n int) Kind {
	if x := b.node(n); x != nil {
		return x.kind
	}
	return None
}

func (b *Builder) node(n int) *node {
	if n < 1 || n > len(b.nodes) {
		return nil
	}
	return b.nodes[n-1]
}

// parents has the kind of the node to which nodes of a kind are added.
var parents = map[Kind]Kind{Version: Func, Block: Version, Param: Block, ExcParam: Block, Inst: Block, Result: Inst}

// Call executes an instruction of the builder, except those that make, load and abort a bundle. The first operand
// is ignored if it is the bundle. Call returns the number of the node that it makes, or another number.
func (b *Builder) Call(row *Row, args []Operand) (int, *Error) {
	for i, l := range row.Lists() {
		if err := b.operand(row, i, l, &args[i]); err != nil {
			return 0, err
		}
	}
	switch row.Name {
	case "get_node":
		id := uint32(args[1].Word)
		k := b.Known(id)
		if k == None {
			return 0, errorf(BadCheck, "get_node: nothing has the ID %d", id)
		}
		n := b.add(row, k, args)
		n.id, n.known = id, true
		return n.no, nil
	case "get_id":
		n := b.node(args[1].Node)
		if n.id == 0 {
			n.id = b.NextID()
		}
		return int(n.id), nil
	case "set_name":
		n := b.node(args[1].Node)
		switch name := args[2].Text; {
		case n.known || n.name != "":
			return 0, errorf(Conflict, "set_name: the node has a name: %s", b.ref(n))
		case !strings.HasPrefix(name, "@") || len(name) == 1:
			return 0, errorf(BadCheck, "set_name: %q: a name begins with @", name)
		default:
			n.name = name
		}
		return 0, nil
	case "add_dest":
		n := b.node(args[0].Node)
		if n.dests[args[1].Word] != nil {
			return 0, errorf(BadCheck, "add_dest: %s has a destination of kind %d", b.ref(n), args[1].Word)
		}
		if n.dests == nil {
			n.dests = map[uint64]*dest{}
		}
		n.dests[args[1].Word] = &dest{block: args[2].Node, args: args[3].Nodes}
		return 0, nil
	case "add_switch_dest":
		n := b.node(args[0].Node)
		n.cases = append(n.cases, &dest{key: args[1].Node, block: args[2].Node, args: args[3].Nodes})
		return 0, nil
	case "add_keepalives":
		n := b.node(args[0].Node)
		if n.hasKeep {
			return 0, errorf(BadCheck, "add_keepalives: %s has a keep-alive clause", b.ref(n))
		}
		n.keep, n.hasKeep = args[1].Nodes, true
		return 0, nil
	case "set_newstack_pass_values", "set_newstack_throw_exc":
		n := b.node(args[0].Node)
		if n.pass != nil || n.throw != 0 {
			return 0, errorf(BadCheck, "%s: %s has a new-stack clause", row.Name, b.ref(n))
		}
		if row.Name == "set_newstack_throw_exc" {
			n.throw = args[1].Node
		} else {
			n.pass = &[2][]int{args[1].Nodes, args[2].Nodes}
		}
		return 0, nil
	}
	if strings.HasPrefix(row.Name, "set_type_") {
		b.node(args[0].Node).to = args[1].Node
		return 0, nil
	}
	n := b.add(row, row.kind, args)
	if p := parents[n.kind]; p != None {
		at := 0
		if n.kind == Version {
			at = 1
		}
		n.parent = b.node(args[at].Node)
		if n.parent.kind != p {
			b.nodes = b.nodes[:len(b.nodes)-1]
			return 0, errorf(BadCheck, "%s wants %s, got %s", row.Name, kindNames[p], kindNames[n.parent.kind])
		}
		n.parent.children = append(n.parent.children, n)
	}
	return n.no, nil
}

// operand checks that the nodes of an operand exist.
func (b *Builder) operand(row *Row, i int, letters string, a *Operand) *Error {
	optional := row.Name == "new_newthread" && i == 2
	inBundle := i == 0 && row.inBundle()
	switch {
	case inBundle || optional && a.Node == 0:
	case letters == "n":
		if b.node(a.Node) == nil {
			return errorf(BadHandle, "%s: operand %d is NULL, or of another bundle", row.Name, i+1)
		}
	case letters[0] == 'A':
		for _, n := range a.Nodes {
			if b.node(n) == nil {
				return errorf(BadHandle, "%s: operand %d has a node that is NULL, or of another bundle", row.Name, i+1)
			}
		}
	}
	return nil
}

// inBundle reports whether the first operand is the bundle.
func (r *Row) inBundle() bool {
	switch r.kind {
	case Type, Sig, Const, Global, Func, Version, Exposed:
		return true
	}
	return r.Name == "get_node" || r.Name == "get_id" || r.Name == "set_name"
}

func (b *Builder) add(row *Row, k Kind, args []Operand) *node {
	n := &node{no: len(b.nodes) + 1, row: row, kind: k, args: args}
	b.nodes = append(b.nodes, n)
	return n
}

// In the text, names of nodes without a name begin with Unnamed after @ or %, and names of entities that existed
// before are KnownName and the ID. Clients cannot set such names.
const (
	Unnamed   = "--"
	KnownName = "@-known."
	SigName   = "@-sig." // the signature of the function with the ID
)

// IsUnnamed reports whether the name of an entity, or of the entity that it is part of, was made here.
func IsUnnamed(name string) bool {
	return strings.HasPrefix(name, "@"+Unnamed) || strings.Contains(name, "."+Unnamed) || strings.HasPrefix(name, KnownName)
}

// IsUnnamedLocal reports whether a name in a body was made here.
func IsUnnamedLocal(name string) bool { return strings.HasPrefix(name, "%"+Unnamed) }

// ref is the name of a node in the text.
func (b *Builder) ref(n *node) string {
	switch {
	case n == nil:
		return "@" + Unnamed + "0"
	case n.known:
		return KnownName + strconv.Itoa(int(n.id))
	case n.name != "":
		return n.name
	case n.parent != nil:
		return "%" + Unnamed + strconv.Itoa(n.no)
	}
	return "@" + Unnamed + strconv.Itoa(n.no)
}

func (b *Builder) refs(l []int) string {
	var out []string
	for _, n := range l {
		out = append(out, b.ref(b.node(n)))
	}
	return strings.Join(out, " ")
}

// Text is the bundle as Mu text.
func (b *Builder) Text() (string, *Error) {
	var out strings.Builder
	for _, n := range b.nodes {
		switch {
		case n.known, n.parent != nil && n.kind != Version:
		case n.kind == Func:
			if !slices.ContainsFunc(n.children, func(c *node) bool { return c.kind == Version }) {
				fmt.Fprintf(&out, ".funcdecl %s <%s>\n", b.ref(n), b.ref(b.node(n.args[1].Node)))
			}
		case n.kind == Version:
			if err := b.version(&out, n); err != nil {
				return "", err
			}
		default:
			text, err := b.write(n)
			if err != nil {
				return "", err
			}
			out.WriteString(text + "\n")
		}
	}
	return out.String(), nil
}

func (b *Builder) version(out *strings.Builder, n *node) *Error {
	sig := SigName + strconv.Itoa(int(n.parent.id))
	if !n.parent.known {
		sig = b.ref(b.node(n.parent.args[1].Node))
	}
	fmt.Fprintf(out, ".funcdef %s VERSION %s <%s> {\n", b.ref(n.parent), b.ref(n), sig)
	for _, blk := range n.children {
		var params []string
		exc := ""
		for _, c := range blk.children {
			switch c.kind {
			case Param:
				params = append(params, fmt.Sprintf("<%s> %s", b.ref(b.node(c.args[1].Node)), b.ref(c)))
			case ExcParam:
				exc += " [" + b.ref(c) + "]"
			}
		}
		fmt.Fprintf(out, "%s(%s)%s:\n", b.ref(blk), strings.Join(params, " "), exc)
		for _, in := range blk.children {
			if in.kind != Inst {
				continue
			}
			text, err := b.write(in)
			if err != nil {
				return err
			}
			var results []string
			for _, r := range in.children {
				results = append(results, b.ref(r))
			}
			if len(results) > 0 {
				fmt.Fprintf(out, "(%s) = ", strings.Join(results, " "))
			}
			fmt.Fprintf(out, "[%s] %s\n", b.ref(in), text)
		}
	}
	out.WriteString("}\n")
	return nil
}

// write writes a node as its row prescribes.
func (b *Builder) write(n *node) (string, *Error) {
	var out strings.Builder
	rest := n.row.text
	for {
		before, after, ok := strings.Cut(rest, "{")
		out.WriteString(before)
		if !ok {
			return out.String(), nil
		}
		if after[0] == '{' || after[0] == ' ' { // a brace of the text
			out.WriteString("{")
			rest = after
			continue
		}
		what, more, _ := strings.Cut(after, "}")
		text, err := b.part(n, what)
		if err != nil {
			return "", err
		}
		out.WriteString(text)
		rest = more
	}
}

// part writes one part of a row.
func (b *Builder) part(n *node, what string) (string, *Error) {
	missing := func(what string) (string, *Error) {
		return "", errorf(BadCheck, "%s (%s): %s is missing", b.ref(n), n.row.Name, what)
	}
	if kind, ok := destNames[what]; ok {
		d := n.dests[kind]
		if d == nil {
			return missing("destination " + what)
		}
		return b.dest(d), nil
	}
	switch what {
	case "":
		return b.ref(n), nil
	case "to":
		if n.to == 0 {
			return missing("what it refers to")
		}
		return b.ref(b.node(n.to)), nil
	case "cases":
		var l []string
		for _, d := range n.cases {
			l = append(l, b.ref(b.node(d.key))+" "+b.dest(d))
		}
		return strings.Join(l, " "), nil
	case "exc":
		nor, exc := n.dests[normal], n.dests[except]
		switch {
		case nor == nil && exc == nil:
			return "", nil
		case nor == nil:
			return missing("destination NORMAL")
		case exc == nil:
			return missing("destination EXCEPT")
		}
		return fmt.Sprintf(" EXC(%s %s)", b.dest(nor), b.dest(exc)), nil
	case "wpexc":
		if d := n.dests[except]; d != nil {
			return " WPEXC(" + b.dest(d) + ")", nil
		}
		return "", nil
	case "keep":
		if n.hasKeep {
			return " KEEPALIVE(" + b.refs(n.keep) + ")", nil
		}
		return "", nil
	case "newstack":
		switch {
		case n.throw != 0:
			return "THROW_EXC " + b.ref(b.node(n.throw)), nil
		case n.pass != nil:
			return fmt.Sprintf("PASS_VALUES <%s> (%s)", b.refs(n.pass[0]), b.refs(n.pass[1])), nil
		}
		return missing("the new-stack clause")
	}
	number, form, _ := strings.Cut(what, ":")
	i, _ := strconv.Atoi(number)
	a := &n.args[i]
	switch form {
	case "":
		if a.Node != 0 {
			return b.ref(b.node(a.Node)), nil
		}
		return b.refs(a.Nodes), nil
	case "threadlocal":
		if a.Node == 0 {
			return "", nil
		}
		return " THREADLOCAL(" + b.ref(b.node(a.Node)) + ")", nil
	case "flags":
		if len(a.Words) == 0 {
			return "", nil
		}
		return " [" + strings.TrimSpace(strings.Repeat("#DEFAULT ", len(a.Words))) + "]", nil
	case "words":
		text := ""
		for _, w := range a.Words {
			text = fmt.Sprintf("%016x", w) + text
		}
		return "0x0" + text, nil
	}
	text, ok := spell(form, a.Word)
	if !ok {
		return "", errorf(BadCheck, "%s (%s): operand %d: %#x is no %s", b.ref(n), n.row.Name, i+1, a.Word, formNames[form])
	}
	return text, nil
}

func (b *Builder) dest(d *dest) string {
	return fmt.Sprintf("%s(%s)", b.ref(b.node(d.block)), b.refs(d.args))
}

var formNames = map[string]string{"op": "operation", "common": "common instruction", "order": "memory order", "rmw": "operation of ATOMICRMW",
	"conv": "calling convention"}

var orders = []string{"NOT_ATOMIC", "RELAXED", "CONSUME", "ACQUIRE", "RELEASE", "ACQ_REL", "SEQ_CST"}

var updates = []string{"XCHG", "ADD", "SUB", "AND", "NAND", "OR", "XOR", "MAX", "MIN", "UMAX", "UMIN"}

// opNames are the operations with a number.
var opNames = func() map[uint64]string {
	m := map[uint64]string{}
	for _, s := range ir.Spellings("mu") {
		if s.Code != 0 {
			m[uint64(s.Code)] = s.Name
		}
	}
	return m
}()

// spell writes a number in a form.
func spell(form string, x uint64) (string, bool) {
	list := func(l []string) (string, bool) {
		if x >= uint64(len(l)) {
			return "", false
		}
		return l[x], true
	}
	switch form {
	case "number":
		return strconv.FormatUint(x, 10), true
	case "ptr", "weak":
		if x == 0 {
			return "", true
		}
		return " " + strings.ToUpper(form), true
	case "order":
		return list(orders)
	case "rmw":
		return list(updates)
	case "conv":
		return list([]string{"#DEFAULT"})
	case "op", "common":
		name, ok := opNames[x]
		return name, ok && (name[0] == '@') == (form == "common")
	}
	return "", false
}

// IDs are the reserved IDs of the nodes that have one, by their full names in the text.
func (b *Builder) IDs() map[string]uint32 {
	ids := map[string]uint32{}
	var full func(n *node) string
	full = func(n *node) string {
		name := b.ref(n)
		if name[0] == '@' || n.parent == nil {
			return name
		}
		return full(n.parent) + "." + name[1:]
	}
	for _, n := range b.nodes {
		if !n.known && n.id != 0 {
			ids[full(n)] = n.id
		}
	}
	return ids
}
