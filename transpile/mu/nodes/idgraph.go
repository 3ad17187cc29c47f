package nodes

import (
	"fmt"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// An idGraph makes the graph of a bundle from the calls of an IDBuilder:
//
//  1. definitions become nodes, in the order of the calls;
//  2. versions do, with all that is in them, so that each has its parent;
//  3. the parts of all nodes are made, with operands, which all are nodes by then.
type idGraph struct {
	ids   *IDBuilder
	g     *Builder
	known map[uint32]*node // entities that existed before
}

func (b *idGraph) tree() *Tree {
	b.names()
	for i := range b.ids.calls {
		if c := &b.ids.calls[i]; c.row.row != nil && c.row.makes != Inst {
			b.define(c)
		}
	}
	for i := range b.ids.calls {
		if c := &b.ids.calls[i]; c.row.makes == Version {
			b.version(c)
		}
	}
	for i := range b.ids.calls {
		switch c := &b.ids.calls[i]; {
		case c.node == nil:
		case c.row.makes == Inst:
			b.inst(c)
		case c.row.row != nil:
			b.definition(c)
		}
	}
	for _, p := range b.ids.problems {
		b.wrong(b.ids.calls[p.call].node, "%s", p.msg)
	}
	b.g.later = nil
	return b.g.tree()
}

// wrong reports what is wrong with a node, nil for what is none.
func (b *idGraph) wrong(n *node, format string, args ...any) {
	w := Wrong{Msg: fmt.Sprintf(format, args...)}
	if n != nil {
		w.No, w.Msg = int(n.no), b.g.where(n)+": "+w.Msg
	}
	b.g.wrong = append(b.g.wrong, w)
}

// names checks the names that gen_sym was given.
func (b *idGraph) names() {
	seen := map[string]bool{}
	for _, s := range b.ids.syms {
		switch {
		case s == nil || s.name == "":
			continue
		case b.ids.Locals && lex.IsName(s.name) && s.name[0] == '%':
			continue
		case !isName(s.name):
			b.wrong(nil, "gen_sym: %q is no name: a name is @ and letters, digits, _, . and -", s.name)
			s.name = ""
		case seen[s.name]:
			b.wrong(nil, "gen_sym: the name %s is given twice", s.name)
			s.name = ""
		}
		seen[s.name] = true
	}
}

// A cursor reads the arguments of a call.
type cursor struct {
	b     *IDBuilder
	words []uint64
}

func (b *idGraph) cursor(c *idCall) cursor { return cursor{b.ids, b.ids.words[c.args:]} }

func (c *cursor) word() uint64 {
	w := c.words[0]
	c.words = c.words[1:]
	return w
}

func (c *cursor) id() uint32   { return uint32(c.word()) }
func (c *cursor) text() string { return c.b.texts[c.word()] }

// list is the next argument, as words; one that is no list is a list of one.
func (c *cursor) list(p *IDParam) []uint64 {
	n := uint64(1)
	if p.List {
		n = c.word()
	}
	l := c.words[:n:n]
	c.words = c.words[n:]
	return l
}

// newNode makes a node for an ID that a call defines, the one with the number place in its parent. If something else
// has the ID, the node is one without ID.
func (b *idGraph) newNode(c *idCall, id uint32, kind Kind, parent *node, place int) *node {
	b.g.at = b.g.placed(c.at)
	n := b.g.newNode()
	n.kind, n.parent, n.place = kind, parent, int32(place)
	if s := b.ids.sym(id); s != nil && s.node == nil && s.kind == kind && &b.ids.calls[s.by] == c {
		n.id, n.name, s.node = s.id, s.name, n
	}
	return n
}

// define makes the node of a definition.
func (b *idGraph) define(c *idCall) {
	cur := b.cursor(c)
	kind := c.row.makes
	b.g.counts[kind]++
	c.node = b.newNode(c, cur.id(), kind, nil, int(b.g.counts[kind]))
	if kind == Func {
		c.node.part = &function{}
	}
}

// version makes the nodes of a version.
func (b *idGraph) version(c *idCall) {
	cur := b.cursor(c)
	id, fn := cur.id(), cur.id()
	n := b.newNode(c, id, Version, nil, 1)
	c.node = n
	f := b.resolve(n, c.row, &c.row.Params[1], fn)
	if f == nil {
		return // a version of nothing is not part of the tree
	}
	part := f.part.(*function)
	part.versions++
	v := &version{}
	n.parent, n.place, n.part = f, part.versions, v
	for _, id := range cur.list(&c.row.Params[2]) {
		if call := b.place(n, c.row, &c.row.Params[2], uint32(id)); call != nil {
			b.block(call, n, v)
		}
	}
}

// place finds the call that makes a block or instruction, which becomes part of the node n.
func (b *idGraph) place(n *node, row *IDRow, p *IDParam, id uint32) *idCall {
	s := b.find(n, row, p, id)
	if s == nil {
		return nil
	}
	call := &b.ids.calls[s.by]
	if call.node != nil {
		b.wrong(n, "%s: %s: %s is in it twice, or also in %s", row.Name, p.Name, s.say(), b.g.say(call.node.parent))
		return nil
	}
	return call
}

// block makes the nodes of a block.
func (b *idGraph) block(c *idCall, in *node, v *version) {
	cur, params := b.cursor(c), c.row.Params
	n := b.newNode(c, cur.id(), Block, in, len(v.blocks)+1)
	blk := &block{}
	c.node, n.part = n, blk
	v.blocks = append(v.blocks, n)
	ids, types := cur.list(&params[1]), cur.list(&params[2])
	for i, id := range ids {
		p := b.newNode(c, uint32(id), Param, n, i+1)
		blk.params = append(blk.params, syntax.Param{Type: b.ref(n, b.resolve(n, c.row, &params[2], uint32(types[i]))), Name: b.ref(n, p)})
	}
	if id := cur.id(); id != 0 {
		blk.exc = append(blk.exc, b.newNode(c, id, ExcParam, n, 1))
	}
	for _, id := range cur.list(&params[4]) {
		if call := b.place(n, c.row, &params[4], uint32(id)); call != nil {
			b.instNodes(call, n, blk)
		}
	}
}

// instNodes makes the nodes of an instruction and of its results.
func (b *idGraph) instNodes(c *idCall, in *node, blk *block) {
	cur := b.cursor(c)
	n := b.newNode(c, cur.id(), Inst, in, len(blk.insts)+1)
	c.node = n
	i := b.g.insts.One()
	n.part = i
	blk.insts = append(blk.insts, i)
	for k := range c.row.Params[1:] {
		p := &c.row.Params[1+k]
		list := cur.list(p)
		if p.Role != 'r' {
			continue
		}
		for _, id := range list {
			r := b.newNode(c, uint32(id), Result, n, len(i.Results)+1)
			i.Results = append(i.Results, b.ref(n, r))
		}
	}
}

// ref is the name of a node in a part of n, the zero Name if it is nil.
func (b *idGraph) ref(n, to *node) syntax.Name {
	if to == nil {
		return syntax.Name{}
	}
	return b.g.ref(n, int(to.no))
}

// find finds what an ID is that the bundle itself must define. It returns nil after a report.
func (b *idGraph) find(n *node, row *IDRow, p *IDParam, id uint32) *sym {
	s := b.ids.sym(id)
	switch {
	case s != nil && s.kind == None:
		b.wrong(n, "%s: unknown %s as %s: gen_sym has given it, and no function defines it", row.Name, s.say(), p.Name)
	case s != nil && accepted[p.Role]&(1<<s.kind) == 0:
		b.wrong(n, "%s: %s wants %s, got %s: %s", row.Name, p.Name, wants(p.Role), kindNames[s.kind], s.say())
	case s != nil:
		return s
	case id == 0:
		b.wrong(n, "%s: %s wants %s, got 0, which is no ID", row.Name, p.Name, wants(p.Role))
	default:
		b.wrong(n, "%s: unknown ID %d as %s", row.Name, id, p.Name)
	}
	return nil
}

// resolve finds the node of an operand. It returns nil if the ID is 0 and may be, or after a report.
func (b *idGraph) resolve(n *node, row *IDRow, p *IDParam, id uint32) *node {
	if id == 0 && p.Optional {
		return nil
	}
	if b.ids.sym(id) == nil {
		if x := b.existing(id); x != nil {
			if accepted[p.Role]&(1<<x.kind) != 0 {
				return x
			}
			b.wrong(n, "%s: %s wants %s, got %s: %s", row.Name, p.Name, wants(p.Role), kindNames[x.kind], b.g.nameOf(id))
			return nil
		}
	}
	s := b.find(n, row, p, id)
	if s == nil || s.node != nil {
		if s != nil {
			return s.node
		}
		return nil
	}
	of := "in no function version"
	switch s.kind {
	case Result:
		of = "the result of an instruction that is in no block"
	case Param, ExcParam:
		of = "a parameter of a block that is in no function version"
	}
	b.wrong(n, "%s: %s: %s is %s", row.Name, p.Name, s.say(), of)
	return nil
}

// existing is the node of an entity that existed before, nil if there is none.
func (b *idGraph) existing(id uint32) *node {
	if n := b.known[id]; n != nil || id == 0 {
		return n
	}
	k := b.ids.prog.Known(id)
	if k == None {
		return nil
	}
	n := b.g.newNode()
	n.kind, n.id, n.known = k, id, true
	if k == Func {
		n.part = &function{}
	}
	if b.known == nil {
		b.known = map[uint32]*node{}
	}
	b.known[id] = n
	return n
}

// operand is the parameter of operand i of the instruction in the graph.
func (r *IDRow) operand(i int) *IDParam {
	for k := range r.Params {
		if r.Params[k].plain() {
			if i--; i == 0 {
				return &r.Params[k]
			}
		}
	}
	return &r.Params[0]
}

// plain reports whether the parameter is an operand in the graph: it neither defines an ID nor is a clause.
func (p *IDParam) plain() bool {
	switch p.Role {
	case 'd', 'r', 'p', 'e', 'D', 'V', 'E', 'K', 'C', 'N':
		return false
	}
	return true
}

// operands are the operands of what a call makes, as the graph has them: the first is the parent.
func (b *idGraph) operands(c *idCall) []Operand {
	b.g.later = c.row
	cur := b.cursor(c)
	args := append(b.g.operands[:0], Operand{})
	for i := range c.row.Params {
		p := &c.row.Params[i]
		switch {
		case p.Role == 'Z':
			args = append(args, Operand{Text: cur.text()})
		case !p.plain():
			cur.list(p)
		case p.number():
			args = append(args, Operand{Word: cur.word()})
		case p.Role == 'W', p.Role == 'I':
			args = append(args, Operand{Words: cur.list(p)})
		case p.List:
			var list []int
			for _, id := range cur.list(p) {
				if x := b.resolve(c.node, c.row, p, uint32(id)); x != nil {
					list = append(list, int(x.no))
				}
			}
			args = append(args, Operand{Nodes: list})
		default:
			no := 0
			if x := b.resolve(c.node, c.row, p, cur.id()); x != nil {
				no = int(x.no)
			}
			args = append(args, Operand{Node: no})
		}
	}
	b.g.operands = args
	return args
}

// definition makes the part of a definition.
func (b *idGraph) definition(c *idCall) {
	part := b.g.definition(c.node, c.row.row, b.operands(c))
	if f, ok := c.node.part.(*function); ok { // which may have versions
		f.decl = part.(*function).decl
		return
	}
	c.node.part = part
}

// inst makes the part of an instruction.
func (b *idGraph) inst(c *idCall) {
	n := c.node
	in := n.part.(*inst)
	results := in.Results
	b.g.fillInst(in, n, c.row.row, b.operands(c))
	in.Results = results
	b.clauses(in, c)
}

// clauses gives an instruction its destinations and clauses.
func (b *idGraph) clauses(in *inst, c *idCall) {
	cur := b.cursor(c)
	kinds := append(c.row.row.dests[:len(c.row.row.dests):len(c.row.row.dests)], except) // the last is the WPEXC of a watchpoint
	var cases []uint64
	var caseParam *IDParam
	for i := range c.row.Params {
		p := &c.row.Params[i]
		list := cur.list(p)
		switch p.Role {
		case 'V':
			caseParam, cases = p, list
		case 'D':
			for k, id := range list {
				switch {
				case p.List:
					key := b.ref(in.node, b.resolve(in.node, c.row, caseParam, uint32(cases[k])))
					in.dests = append(in.dests, dest{key: key, Dest: b.dest(in.node, c.row, p, uint32(id))})
				case id != 0 || !p.Optional:
					in.dests = append(in.dests, dest{kind: kinds[0], Dest: b.dest(in.node, c.row, p, uint32(id))})
				}
			}
			if !p.List {
				kinds = kinds[1:]
			}
		case 'E', 'K', 'C', 'N':
			if id := uint32(list[0]); id != 0 || !p.Optional {
				b.clause(in, c.row, p, id)
			}
		}
	}
}

// dest makes a destination of a clause of the node n.
func (b *idGraph) dest(n *node, row *IDRow, p *IDParam, id uint32) (d syntax.Dest) {
	s := b.find(n, row, p, id)
	if s == nil {
		return d
	}
	c := &b.ids.calls[s.by]
	cur := b.cursor(c)
	cur.id()
	d.Block = b.ref(n, b.resolve(n, c.row, &c.row.Params[1], cur.id()))
	d.Args = b.list(n, c.row, &c.row.Params[2], cur.list(&c.row.Params[2]))
	return d
}

// list has the names of the nodes in a list.
func (b *idGraph) list(n *node, row *IDRow, p *IDParam, ids []uint64) []syntax.Name {
	l := b.g.names.Make(len(ids))
	for i, id := range ids {
		l[i] = b.ref(n, b.resolve(n, row, p, uint32(id)))
	}
	return l
}

// clause gives an instruction a clause.
func (b *idGraph) clause(in *inst, row *IDRow, p *IDParam, id uint32) {
	n := in.node
	s := b.find(n, row, p, id)
	if s == nil {
		return
	}
	c := &b.ids.calls[s.by]
	cur, params := b.cursor(c), c.row.Params
	cur.id()
	switch c.row.Name {
	case "new_exc_clause":
		in.dests = append(in.dests, dest{kind: normal, Dest: b.dest(n, c.row, &params[1], cur.id())}, dest{kind: except, Dest: b.dest(n, c.row, &params[2], cur.id())})
	case "new_keepalive_clause":
		in.Flags |= syntax.HasKeep
		in.Keep = b.list(n, c.row, &params[1], cur.list(&params[1]))
	case "new_csc_ret_with":
		in.Ext.Cur, in.Ext.CurOff, in.Ext.RetTypes = syntax.RetWith, in.Off, b.list(n, c.row, &params[1], cur.list(&params[1]))
	case "new_csc_kill_old":
		in.Ext.Cur, in.Ext.CurOff = syntax.KillOld, in.Off
	case "new_nsc_pass_values":
		in.Ext.New, in.Ext.NewOff = syntax.PassValues, in.Off
		in.Ext.PassTypes = b.list(n, c.row, &params[1], cur.list(&params[1]))
		in.Ext.PassArgs = b.list(n, c.row, &params[2], cur.list(&params[2]))
	case "new_nsc_throw_exc":
		in.Ext.New, in.Ext.NewOff, in.Ext.Throw = syntax.ThrowExc, in.Off, b.ref(n, b.resolve(n, c.row, &params[1], cur.id()))
	}
}
