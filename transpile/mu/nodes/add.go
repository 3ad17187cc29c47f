package nodes

import (
	"fmt"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// The parts of the tree that calls make. Until the bundle is complete, the Sym of a name in them is the number of a
// node; of names that are not of nodes, it is a symbol. Each Off is the number of the definition, version, block or
// instruction that the name or literal is in.

// A function is the part of a function's node.
type function struct {
	decl     *syntax.FuncDecl // nil for one that existed before
	versions int32
	sig      syntax.Sym // of one that existed before: a name for its signature, if it gets a version
}

// A version is the part of a version's node.
type version struct{ blocks []*node }

// A block is the part of a block's node.
type block struct {
	params []syntax.Param
	exc    []*node
	insts  []*inst
}

// An inst is the part of an instruction's node. Its Dests are made when the bundle is complete.
type inst struct {
	syntax.Inst
	node  *node
	row   *Row
	dests []dest // in the order of the calls
}

// A dest is a destination.
type dest struct {
	kind uint8       // 0 for a case
	key  syntax.Name // of a case
	syntax.Dest
}

// dest is the destination of a kind, nil if the instruction has none.
func (in *inst) dest(kind uint8) *dest {
	for i := range in.dests {
		if d := &in.dests[i]; d.kind == kind {
			return d
		}
	}
	return nil
}

// ref is the name of a node in a part of n.
func (b *Builder) ref(n *node, no int) syntax.Name {
	return syntax.Name{Sym: syntax.Sym(no), Off: syntax.Off(n.no)}
}

// list has the names of the nodes in an operand, which may be a list, that follows in n.
func (b *Builder) list(n *node, args []Operand) []syntax.Name {
	b.args = b.appendNames(b.args[:0], n, &args[0])
	return b.names.Copy(b.args)
}

// appendNames appends the names of the nodes in an operand.
func (b *Builder) appendNames(list []syntax.Name, n *node, a *Operand) []syntax.Name {
	if a.Node != 0 {
		return append(list, b.ref(n, a.Node))
	}
	for _, no := range a.Nodes {
		list = append(list, b.ref(n, no))
	}
	return list
}

// dest makes a destination of the operands of a call: a block and its arguments.
func (b *Builder) dest(n *node, args []Operand) syntax.Dest {
	return syntax.Dest{Block: b.ref(n, args[0].Node), Args: b.list(n, args[1:])}
}

// word is an integer literal.
func (b *Builder) word(n *node, x uint64) *syntax.IntLit {
	l := b.literals.One()
	*l = syntax.IntLit{Off: syntax.Off(n.no), End: syntax.Off(n.no), Lo: x}
	return l
}

// words is an integer literal of words, the lowest first.
func (b *Builder) words(n *node, words []uint64) *syntax.IntLit {
	l := b.word(n, 0)
	for i, w := range words {
		switch i {
		case 0:
			l.Lo = w
		case 1:
			l.Hi = w
		default:
			l.TooBig = l.TooBig || w != 0
		}
	}
	return l
}

// add makes a node of a row, with its part.
func (b *Builder) add(row *Row, args []Operand) *node {
	n := b.newNode()
	n.kind = row.makes
	switch n.kind {
	case Version:
		n.parent = b.node(args[1].Node)
		f := n.parent.part.(*function)
		f.versions++
		n.place, n.part = f.versions, &version{}
	case Block:
		n.parent = b.node(args[0].Node)
		v := n.parent.part.(*version)
		v.blocks = append(v.blocks, n)
		n.place, n.part = int32(len(v.blocks)), &block{}
	case Param:
		n.parent = b.node(args[0].Node)
		to := n.parent.part.(*block)
		to.params = append(to.params, syntax.Param{Type: b.ref(n.parent, args[1].Node), Name: b.ref(n.parent, int(n.no))})
		n.place = int32(len(to.params))
	case ExcParam:
		n.parent = b.node(args[0].Node)
		to := n.parent.part.(*block)
		to.exc = append(to.exc, n)
		n.place = int32(len(to.exc))
	case Inst:
		n.parent = b.node(args[0].Node)
		to := n.parent.part.(*block)
		in := b.inst(n, row, args)
		to.insts = append(to.insts, in)
		n.place, n.part = int32(len(to.insts)), in
	case Result:
		n.parent = b.node(args[0].Node)
		in := n.parent.part.(*inst)
		if in.Results == nil {
			in.Results = b.names.Make(1)[:0]
		}
		in.Results = append(in.Results, b.ref(n.parent, int(n.no)))
		n.place = int32(len(in.Results))
	default:
		b.counts[n.kind]++
		n.place = b.counts[n.kind]
		n.part = b.definition(n, row, args)
	}
	return n
}

// definition makes the part of a node that is added to the bundle itself.
func (b *Builder) definition(n *node, row *Row, args []Operand) any {
	off := syntax.Off(n.no)
	name := b.ref(n, int(n.no))
	switch n.kind {
	case Type:
		d := &syntax.TypeDef{Off: off, Name: name, Kind: row.typ, KindOff: off}
		switch row.typ {
		case syntax.TypeInt:
			d.Len = b.word(n, args[1].Word)
		case syntax.TypeArray, syntax.TypeVector:
			d.Args, d.Len = b.list(n, args[1:]), b.word(n, args[2].Word)
		case syntax.TypeStruct:
			d.Args = b.list(n, args[1:])
		case syntax.TypeHybrid:
			d.Args = append(b.list(n, args[1:]), b.ref(n, args[2].Node)) // the variable part last
		default:
			if len(args) > 1 { // in the other builder another call completes the type
				d.Args = b.list(n, args[1:])
			}
		}
		return d
	case Sig:
		return &syntax.SigDef{Off: off, Name: name, Params: b.list(n, args[1:]), Results: b.list(n, args[2:])}
	case Const:
		d := &syntax.ConstDef{Off: off, Name: name, Type: b.ref(n, args[1].Node), Kind: row.value, ValOff: off}
		switch l := row.lists[len(row.lists)-1]; {
		case row.value == syntax.ConstList:
			d.List = b.list(n, args[2:])
		case row.value == syntax.ConstFP:
			d.FP = &syntax.FPLit{Off: off, End: off, Form: lex.FPBits, Double: l == "d", Bits: b.word(n, args[2].Word)}
		case l == "Wl":
			d.Int = b.words(n, args[2].Words)
		case row.value == syntax.ConstInt:
			d.Int = b.word(n, args[2].Word)
		case row.value == syntax.ConstExtern:
			d.Symbol, d.StrOff = args[2].Text, off
		}
		return d
	case Global:
		return &syntax.GlobalDef{Off: off, Name: name, Type: b.ref(n, args[1].Node)}
	case Func:
		return &function{decl: &syntax.FuncDecl{Off: off, Name: name, Sig: b.ref(n, args[1].Node)}}
	default: // Exposed
		d := &syntax.ExposeDef{Off: off, Name: name, Func: b.ref(n, args[1].Node), Flag: syntax.Name{Sym: b.convention(n, 2, args[2].Word), Off: off}}
		d.Cookie = b.ref(n, args[3].Node)
		return d
	}
}

// inst makes an instruction.
func (b *Builder) inst(n *node, row *Row, args []Operand) *inst {
	in := b.insts.One()
	b.fillInst(in, n, row, args)
	return in
}

// fillInst makes the part of an instruction of the operands of its call.
func (b *Builder) fillInst(in *inst, n *node, row *Row, args []Operand) {
	in.node, in.row = n, row
	in.Off, in.OpOff, in.Op = syntax.Off(n.no), syntax.Off(n.no), row.op
	if row.clauses&newStack != 0 || row.op == syntax.OpCCall || row.op == syntax.OpCommInst {
		in.Ext = &syntax.Ext{Cur: row.cur, CurOff: in.Off}
	}
	b.types, b.args = b.types[:0], b.args[:0]
	numbers, kinds := row.numbers, row.Nodes[1:]
	for i := 1; i < len(args); i++ {
		a := &args[i]
		switch row.lists[i][0] {
		case 'n', 'A':
			switch kinds[0] {
			case 't':
				b.types = b.appendNames(b.types, n, a)
			case 's':
				if row.op == syntax.OpCommInst {
					in.Ext.Sigs = b.names.Copy(b.appendNames(nil, n, a))
				} else {
					in.Sig = b.ref(n, a.Node)
				}
			default:
				if !row.optional(i) {
					b.args = b.appendNames(b.args, n, a)
				} else if a.Node != 0 {
					in.Ext.ThreadLocal = b.ref(n, a.Node)
				}
			}
			kinds = kinds[1:]
		case 'I':
			for _, x := range a.Words {
				s := b.flag(n, i, x, "flag")
				in.Ext.Flags = append(in.Ext.Flags, syntax.Name{Sym: s, Off: in.Off})
			}
		default:
			b.number(in, numbers[0], i, a.Word)
			numbers = numbers[1:]
		}
	}
	in.Types, in.Args = b.names.Copy(b.types), b.names.Copy(b.args)
	switch row.op {
	case syntax.OpSwapStack:
		in.Ext.RetTypes, in.Types = in.Types, nil
	case syntax.OpCommInst:
		in.Flags |= syntax.HasArgs
	}
}

// number sets what an operand that is a number stands for.
func (b *Builder) number(in *inst, k number, i int, x uint64) {
	ok := true
	switch k.what {
	case opcode.what:
		name := commonName(x)
		if b.later != nil {
			name = laterName(x)
		}
		if ok = name != ""; ok {
			in.Ext.Common = syntax.Name{Sym: b.syms.InternString(name), Off: in.Off}
		}
	case convention.what:
		in.Ext.Flags = []syntax.Name{{Sym: b.convention(in.node, i, x), Off: in.Off}}
	default:
		ok = k.set(&in.Inst, x)
	}
	if !ok {
		b.fault(in.node, i, x, k.what)
	}
	if k.what == statusBits.what {
		in.Ext = &syntax.Ext{Flags: b.statusFlags(in, x)}
	}
}

// statusFlags are the names of status flags.
func (b *Builder) statusFlags(in *inst, x uint64) (list []syntax.Name) {
	for i, name := range statusNames {
		if x&(1<<i) != 0 {
			list = append(list, syntax.Name{Sym: b.syms.InternString(name), Off: in.Off})
		}
	}
	return list
}

// convention is the name of a calling convention.
func (b *Builder) convention(n *node, i int, x uint64) syntax.Sym {
	return b.flag(n, i, x, convention.what)
}

// flag is the name of a flag: there is one.
func (b *Builder) flag(n *node, i int, x uint64, what string) syntax.Sym {
	if x != 0 {
		b.fault(n, i, x, what)
	}
	return b.syms.InternString("#DEFAULT")
}

// fault notes that operand i of the call that makes a node stands for nothing. The first fault of a node is reported
// when the bundle is complete.
func (b *Builder) fault(n *node, i int, x uint64, what string) {
	if b.faults == nil {
		b.faults = map[*node]string{}
	}
	if b.faults[n] == "" {
		where := fmt.Sprintf("operand %d", i+1)
		if b.later != nil {
			where = b.later.Name + ": " + b.later.operand(i).Name
		}
		b.faults[n] = fmt.Sprintf("%s: %#x is no %s", where, x, what)
	}
}
