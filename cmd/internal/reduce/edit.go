package reduce

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// An edit is a bundle that is being changed: its tree, and the same program in the
// representation, which has the types.
type edit struct {
	b     *syntax.Bundle
	p     *ir.Program
	funcs []editFunc
	extra strings.Builder        // definitions of new constants
	made  map[string]syntax.Name // by type and value
	n     int
	zero  bool // new constants are 0 instead of 1
	tidy  func(text string) string
}

// An editFunc is a function whose tree and representation match.
type editFunc struct {
	def *syntax.FuncDef
	v   *ir.Version
}

// madeName is a name of something new, and madeConst a constant that constant has made.
var (
	madeName  = regexp.MustCompile(`@zz(\d+)`)
	madeConst = regexp.MustCompile(`(?m)^\.const (@zz\d+) (<\S+> = .*)$`)
)

// newEdit reads a bundle in Mu text; it returns nil if the bundle has errors.
func (r *reducer) newEdit() *edit {
	text := r.text
	files := diag.NewSet()
	diags := diag.NewList(files)
	f, err := files.Add(r.files[r.at].Name, []byte(text))
	if err != nil {
		return nil
	}
	e := &edit{made: map[string]syntax.Name{}, tidy: func(text string) string { return r.tidied(text, r.all) }}
	e.b = syntax.Parse(f, syntax.NewSymbols(), diags, 0)
	p := r.load(text, true)
	if p == nil || e.b.Bad {
		return nil
	}
	e.p = p.IR
	for _, m := range madeName.FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(m[1])
		e.n = max(e.n, n)
	}
	for _, m := range madeConst.FindAllStringSubmatch(text, -1) {
		e.made[m[2]] = e.name(m[1])
	}
	for _, d := range e.b.Defs {
		def, ok := d.(*syntax.FuncDef)
		if !ok {
			continue
		}
		fn, ok := e.p.Entities[e.b.Spelling(def.Name)].(*ir.Function)
		if !ok || len(fn.Versions) != 1 || !same(def, fn.Versions[0]) {
			continue
		}
		e.funcs = append(e.funcs, editFunc{def, fn.Versions[0]})
	}
	return e
}

// same reports whether the tree has the same instructions as the representation,
// without conversions in between.
func same(def *syntax.FuncDef, v *ir.Version) bool {
	if len(def.Blocks) != len(v.Blocks) {
		return false
	}
	for i := range def.Blocks {
		if len(def.Blocks[i].Insts) != len(v.Blocks[i].Insts) {
			return false
		}
	}
	return true
}

// text returns the changed bundle without the definitions that are no longer used.
func (e *edit) text() string {
	var b strings.Builder
	if err := syntax.Fprint(&b, e.b); err != nil {
		return ""
	}
	return e.tidy(b.String() + e.extra.String())
}

// constant returns a name for a constant of a type; ok is false if there is none.
func (e *edit) constant(t ir.TypeID) (syntax.Name, bool) {
	n := e.p.Types.At(t)
	if n.Name == "" {
		return syntax.Name{}, false
	}
	var val string
	switch n.Kind {
	case ir.KInt, ir.KUPtr, ir.KUFuncPtr:
		val = map[bool]string{true: "0", false: "1"}[e.zero]
	case ir.KFloat:
		val = "1.0f"
	case ir.KDouble:
		val = "1.0d"
	case ir.KRef, ir.KIRef, ir.KFuncRef, ir.KThreadRef, ir.KStackRef, ir.KFrameCursorRef, ir.KIRNodeRef, ir.KIRBuilderRef:
		val = "NULL"
	case ir.KStruct, ir.KArray, ir.KVector:
		var l []string
		elems := n.Fields
		if n.Kind != ir.KStruct {
			if n.Len > 64 {
				return syntax.Name{}, false
			}
			for range n.Len {
				elems = append(elems, n.Elem)
			}
		}
		for _, f := range elems {
			c, ok := e.constant(f)
			if !ok {
				return c, false
			}
			l = append(l, e.b.Spelling(c))
		}
		val = "{" + strings.Join(l, " ") + "}"
	default:
		return syntax.Name{}, false
	}
	line := fmt.Sprintf("<%s> = %s", n.Name, val)
	if c, ok := e.made[line]; ok {
		return c, true
	}
	e.n++
	name := fmt.Sprintf("@zz%d", e.n)
	fmt.Fprintf(&e.extra, ".const %s %s\n", name, line)
	c := e.name(name)
	e.made[line] = c
	return c, true
}

func (e *edit) name(s string) syntax.Name {
	return syntax.Name{Sym: e.b.Syms.Intern([]byte(s))}
}

// eachUse calls fn for every operand of an instruction.
func eachUse(in *syntax.Inst, fn func(*syntax.Name)) {
	list := func(l []syntax.Name) {
		for i := range l {
			fn(&l[i])
		}
	}
	list(in.Args)
	for i := range in.Dests {
		list(in.Dests[i].Args)
	}
	list(in.Keep)
	if x := in.Ext; x != nil {
		list(x.PassArgs)
		if !x.Throw.IsZero() {
			fn(&x.Throw)
		}
		if !x.ThreadLocal.IsZero() {
			fn(&x.ThreadLocal)
		}
	}
}

// replace replaces a by b in instructions. Constants cannot be kept alive.
func (e *edit) replace(insts []syntax.Inst, a, b syntax.Name) {
	local := e.b.Spelling(b)[0] == '%'
	for i := range insts {
		in := &insts[i]
		if !local {
			var keep []syntax.Name
			for _, k := range in.Keep {
				if k.Sym != a.Sym {
					keep = append(keep, k)
				}
			}
			in.Keep = keep
		}
		eachUse(in, func(n *syntax.Name) {
			if n.Sym == a.Sym {
				*n = b
			}
		})
	}
}

func uses(insts []syntax.Inst, a syntax.Name) bool {
	found := false
	for i := range insts {
		eachUse(&insts[i], func(n *syntax.Name) { found = found || n.Sym == a.Sym })
	}
	return found
}

// branch returns a BRANCH to a destination.
func branch(d syntax.Dest) syntax.Inst {
	return syntax.Inst{Op: syntax.OpBranch, Dests: []syntax.Dest{d}}
}

// steps are the changes that are tried, the largest first.
var steps = []step{
	{"empty functions", emptyFunctions},
	{"return at once", returnAtOnce},
	{"choose a way", chooseFirst},
	{"choose another way", chooseLast},
	{"drop instructions", dropInsts},
	{"drop exception clauses", dropClauses},
	{"join blocks", joinBlocks},
	{"drop parameters", dropParams},
	{"drop parameters of functions", dropFuncParams},
	{"drop keep-alives", dropKeeps},
	{"constant operands", constOperands},
	{"zeros instead of instructions", withZeros(dropInsts)},
	{"zeros as operands", withZeros(constOperands)},
}

// withZeros takes a step with constants that are 0, where others have lost the property.
func withZeros(apply func(*edit, func(int) bool) int) func(*edit, func(int) bool) int {
	return func(e *edit, chosen func(int) bool) int {
		e.zero = true
		return apply(e, chosen)
	}
}

// returns makes an instruction that returns constants.
func (e *edit) returns(f editFunc) (syntax.Inst, bool) {
	in := syntax.Inst{Op: syntax.OpRet}
	for _, t := range e.p.Types.At(f.v.Func.Sig).Results {
		c, ok := e.constant(t)
		if !ok {
			return in, false
		}
		in.Args = append(in.Args, c)
	}
	return in, true
}

func emptyFunctions(e *edit, chosen func(int) bool) int {
	n := 0
	for _, f := range e.funcs {
		if len(f.def.Blocks) == 1 && len(f.def.Blocks[0].Insts) == 1 {
			continue
		}
		if chosen(n) {
			if r, ok := e.returns(f); ok {
				f.def.Blocks = f.def.Blocks[:1]
				f.def.Blocks[0].Insts = []syntax.Inst{r}
			}
		}
		n++
	}
	return n
}

func returnAtOnce(e *edit, chosen func(int) bool) int {
	n := 0
	for _, f := range e.funcs {
		for i := range f.def.Blocks {
			b := &f.def.Blocks[i]
			if i == 0 || len(b.Insts) == 1 && b.Insts[0].Op == syntax.OpRet {
				continue
			}
			if chosen(n) {
				if r, ok := e.returns(f); ok {
					b.Insts = []syntax.Inst{r}
				}
			}
			n++
		}
	}
	return n
}

func choose(e *edit, chosen func(int) bool, pick func(in *syntax.Inst) int) int {
	n := 0
	for _, f := range e.funcs {
		for i := range f.def.Blocks {
			b := &f.def.Blocks[i]
			in := &b.Insts[len(b.Insts)-1]
			switch in.Op {
			case syntax.OpBranch2, syntax.OpSwitch, syntax.OpWPBranch, syntax.OpWatchpoint:
				if chosen(n) {
					*in = branch(in.Dests[pick(in)])
				}
				n++
			}
		}
	}
	return n
}

func chooseFirst(e *edit, chosen func(int) bool) int {
	return choose(e, chosen, func(in *syntax.Inst) int { return 0 })
}

func chooseLast(e *edit, chosen func(int) bool) int {
	return choose(e, chosen, func(in *syntax.Inst) int { return len(in.Dests) - 1 })
}

// dropInsts drops instructions and replaces their results by constants.
func dropInsts(e *edit, chosen func(int) bool) int {
	n := 0
	for _, f := range e.funcs {
		for i := range f.def.Blocks {
			b := &f.def.Blocks[i]
			var keep []syntax.Inst
			for k := range b.Insts {
				in := b.Insts[k]
				last := k == len(b.Insts)-1
				if last && in.Flags&syntax.HasExc == 0 {
					keep = append(keep, in)
					continue
				}
				drop := chosen(n)
				n++
				if drop {
					irInst := &f.v.Insts[f.v.Blocks[i].Insts[k]]
					for j, r := range in.Results {
						if !uses(b.Insts[k:], r) || j >= len(irInst.Results) {
							continue
						}
						c, ok := e.constant(f.v.Values[irInst.Results[j]].Type)
						if !ok {
							drop = false
							break
						}
						e.replace(b.Insts[k:], r, c)
					}
				}
				if !drop {
					keep = append(keep, b.Insts[k])
				} else if last {
					keep = append(keep, branch(b.Insts[k].Dests[0]))
				}
			}
			b.Insts = keep
		}
	}
	return n
}

// dropClauses removes exception clauses; only the normal destination remains.
func dropClauses(e *edit, chosen func(int) bool) int {
	n := 0
	for _, f := range e.funcs {
		for i := range f.def.Blocks {
			b := &f.def.Blocks[i]
			in := &b.Insts[len(b.Insts)-1]
			if in.Flags&syntax.HasExc == 0 {
				continue
			}
			if chosen(n) {
				d := in.Dests[0]
				in.Flags &^= syntax.HasExc
				in.Dests = nil
				b.Insts = append(b.Insts, branch(d))
			}
			n++
		}
	}
	return n
}

// joinBlocks appends blocks with only one predecessor to the predecessor.
func joinBlocks(e *edit, chosen func(int) bool) int {
	n := 0
	for _, f := range e.funcs {
		in := map[syntax.Sym]int{}
		for i := range f.def.Blocks {
			for k := range f.def.Blocks[i].Insts {
				for _, d := range f.def.Blocks[i].Insts[k].Dests {
					in[d.Block.Sym]++
				}
			}
		}
		gone := map[syntax.Sym]bool{}
		for i := range f.def.Blocks {
			b := &f.def.Blocks[i]
			t := &b.Insts[len(b.Insts)-1]
			if t.Op != syntax.OpBranch || in[t.Dests[0].Block.Sym] != 1 || gone[b.Name.Sym] {
				continue
			}
			for j := range f.def.Blocks {
				to := &f.def.Blocks[j]
				if to.Name.Sym != t.Dests[0].Block.Sym || i == j || !to.Exc.IsZero() {
					continue
				}
				if chosen(n) && !gone[to.Name.Sym] {
					insts := append([]syntax.Inst(nil), to.Insts...)
					for k, p := range to.Params {
						e.replace(insts, p.Name, t.Dests[0].Args[k])
					}
					b.Insts = append(b.Insts[:len(b.Insts)-1:len(b.Insts)-1], insts...)
					gone[to.Name.Sym] = true
				}
				n++
				break
			}
		}
		var keep []syntax.Block
		for _, b := range f.def.Blocks {
			if !gone[b.Name.Sym] {
				keep = append(keep, b)
			}
		}
		f.def.Blocks = keep
	}
	return n
}

// dropParams drops parameters of blocks.
func dropParams(e *edit, chosen func(int) bool) int {
	n := 0
	for _, f := range e.funcs {
		for i := 1; i < len(f.def.Blocks); i++ {
			b := &f.def.Blocks[i]
			var keep []int
			for k, p := range b.Params {
				drop := chosen(n)
				n++
				if drop && uses(b.Insts, p.Name) {
					c, ok := e.constant(f.v.Values[f.v.Blocks[i].Params[k]].Type)
					if drop = ok; ok {
						e.replace(b.Insts, p.Name, c)
					}
				}
				if !drop {
					keep = append(keep, k)
				}
			}
			if len(keep) == len(b.Params) {
				continue
			}
			var ps []syntax.Param
			for _, k := range keep {
				ps = append(ps, b.Params[k])
			}
			b.Params = ps
			for j := range f.def.Blocks {
				for k := range f.def.Blocks[j].Insts {
					in := &f.def.Blocks[j].Insts[k]
					for m := range in.Dests {
						if in.Dests[m].Block.Sym == b.Name.Sym {
							var as []syntax.Name
							for _, k := range keep {
								as = append(as, in.Dests[m].Args[k])
							}
							in.Dests[m].Args = as
						}
					}
				}
			}
		}
	}
	return n
}

// dropKeeps drops variables from keep-alive clauses and traps.
func dropKeeps(e *edit, chosen func(int) bool) int {
	n := 0
	for _, f := range e.funcs {
		for i := range f.def.Blocks {
			for k := range f.def.Blocks[i].Insts {
				in := &f.def.Blocks[i].Insts[k]
				var keep []syntax.Name
				for _, x := range in.Keep {
					if !chosen(n) {
						keep = append(keep, x)
					}
					n++
				}
				in.Keep = keep
			}
		}
	}
	return n
}

// constOperands replaces operands that are variables by constants.
func constOperands(e *edit, chosen func(int) bool) int {
	n := 0
	for _, f := range e.funcs {
		for i := range f.def.Blocks {
			for k := range f.def.Blocks[i].Insts {
				in := &f.def.Blocks[i].Insts[k]
				irInst := &f.v.Insts[f.v.Blocks[i].Insts[k]]
				for j := range in.Args {
					if e.b.Spelling(in.Args[j])[0] != '%' || j >= len(irInst.Args) || in.Ext != nil {
						continue
					}
					if chosen(n) {
						if c, ok := e.constant(f.v.Values[irInst.Args[j]].Type); ok {
							in.Args[j] = c
						}
					}
					n++
				}
			}
		}
	}
	return n
}
