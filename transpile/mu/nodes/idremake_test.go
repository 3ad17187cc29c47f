package nodes_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// A remaker makes the calls of the later builder that build the bundle of a text.
type remaker struct {
	t     testing.TB
	b     *syntax.Bundle
	text  []byte
	ids   *nodes.IDBuilder
	names map[string]uint32 // by full name
	named bool              // things in functions get names too
	calls []idCall
	codes map[string]uint64 // of operations and common instructions

	unspeakable    bool   // the text has a common instruction without an opcode
	version, block string // full names of those that are being made
}

// idCall is a call that is to be made.
type idCall struct {
	row  *nodes.IDRow
	args []nodes.Arg
}

// predefined are the types that have IDs from the beginning.
var predefined = map[string]uint32{"@uvm.meta.bytes": 0x260, "@uvm.meta.bytes.r": 0x261, "@uvm.meta.bytes_r": 0x261, "@uvm.meta.refs": 0x262,
	"@uvm.meta.refs.r": 0x263, "@uvm.meta.refs_r": 0x263, "@uvm.meta.trap_handler.sig": 0x264}

func newRemaker(t testing.TB, text []byte, named bool) *remaker {
	next := uint32(70000)
	r := &remaker{t: t, text: text, names: map[string]uint32{}, named: named, codes: map[string]uint64{}}
	for name, id := range predefined {
		r.names[name] = id
	}
	r.ids = nodes.NewIDs(nodes.Program{
		NextID: func() uint32 { next++; return next },
		NameOf: func(uint32) string { return "" },
		Known: func(id uint32) nodes.Kind {
			switch {
			case id == 0x264:
				return nodes.Sig
			case 0x260 <= id && id < 0x264:
				return nodes.Type
			}
			return nodes.None
		},
	})
	for _, s := range ir.Spellings("mu") {
		r.codes[s.Name] = uint64(s.Code)
		if 0x242 <= s.Code && s.Code <= 0x244 {
			r.codes[s.Name]++
		}
	}
	r.codes["@uvm.native.get_addr"] = 0x242
	set := diag.NewSet()
	f, err := set.Add("a.uir", text)
	if err != nil {
		t.Fatal(err)
	}
	r.b = syntax.Parse(f, syntax.NewSymbols(), diag.NewList(set), 0)
	return r
}

// id is the ID of what has a full name.
func (r *remaker) id(full string, name bool) uint32 {
	id := r.names[full]
	if id == 0 {
		if !name {
			id, _ = r.ids.GenSym("")
		} else {
			id, _ = r.ids.GenSym(full)
		}
		r.names[full] = id
	}
	return id
}

func (r *remaker) spell(n syntax.Name) string { return r.b.Spelling(n) }

func (r *remaker) global(n syntax.Name) uint32 { return r.id(r.spell(n), true) }

func (r *remaker) globals(l []syntax.Name) (ids []uint32) {
	for _, n := range l {
		ids = append(ids, r.global(n))
	}
	return ids
}

// below is the ID of something in the version or block with a full name.
func (r *remaker) below(parent string, n syntax.Name) uint32 {
	if n.IsZero() {
		return 0
	}
	s := r.spell(n)
	if s[0] == '%' {
		s = parent + "." + s[1:]
		return r.id(s, r.named)
	}
	if _, global := r.names[s]; !global && strings.HasPrefix(s, r.version+".") {
		return r.id(s, r.named)
	}
	return r.id(s, true)
}

func (r *remaker) value(n syntax.Name) uint32 { return r.below(r.block, n) }

func (r *remaker) values(l []syntax.Name) (ids []uint32) {
	for _, n := range l {
		ids = append(ids, r.value(n))
	}
	return ids
}

// call notes a call: uint32s are IDs, lists of them lists, ints numbers.
func (r *remaker) call(name string, args ...any) {
	row := nodes.IDRowNamed(name)
	c := idCall{row: row}
	for _, a := range args {
		switch a := a.(type) {
		case uint32:
			c.args = append(c.args, nodes.Arg{ID: a})
		case []uint32:
			c.args = append(c.args, nodes.Arg{IDs: a})
		case uint64:
			c.args = append(c.args, nodes.Arg{Word: a})
		case int:
			c.args = append(c.args, nodes.Arg{Word: uint64(a)})
		case []uint64:
			c.args = append(c.args, nodes.Arg{Words: a})
		case string:
			c.args = append(c.args, nodes.Arg{Text: a})
		default:
			r.t.Fatalf("%s: %T", name, a)
		}
	}
	r.calls = append(r.calls, c)
}

// fresh is an ID without a name.
func (r *remaker) fresh() uint32 { id, _ := r.ids.GenSym(""); return id }

func (r *remaker) bundle() {
	for _, d := range r.b.Defs {
		_, n := d.Head()
		id := r.global(n)
		switch d := d.(type) {
		case *syntax.TypeDef:
			r.typeDef(id, d)
		case *syntax.SigDef:
			r.call("new_funcsig", id, r.globals(d.Params), r.globals(d.Results))
		case *syntax.ConstDef:
			r.constant(id, d)
		case *syntax.GlobalDef:
			r.call("new_global_cell", id, r.global(d.Type))
		case *syntax.ExposeDef:
			r.call("new_exp_func", id, r.global(d.Func), 0, r.global(d.Cookie))
		case *syntax.FuncDecl:
			r.call("new_func", id, r.global(d.Sig))
		case *syntax.FuncDef:
			r.call("new_func", id, r.global(d.Sig))
			r.function(id, d)
		}
	}
}

func (r *remaker) typeDef(id uint32, d *syntax.TypeDef) {
	args := []any{id}
	switch d.Kind {
	case syntax.TypeInt:
		args = append(args, d.Len.Lo)
	case syntax.TypeStruct:
		args = append(args, r.globals(d.Args))
	case syntax.TypeHybrid:
		last := len(d.Args) - 1
		args = append(args, r.globals(d.Args[:last]), r.global(d.Args[last]))
	case syntax.TypeArray, syntax.TypeVector:
		args = append(args, r.global(d.Args[0]), d.Len.Lo)
	default:
		for _, a := range d.Args {
			args = append(args, r.global(a))
		}
	}
	r.call("new_type_"+d.Kind.String(), args...)
}

func (r *remaker) constant(id uint32, d *syntax.ConstDef) {
	ty := r.global(d.Type)
	switch d.Kind {
	case syntax.ConstInt:
		if hi, lo := d.Int.Bits(); hi != 0 && hi != ^uint64(0) {
			r.call("new_const_int_ex", id, ty, []uint64{lo, hi})
		} else if hi == 0 {
			r.call("new_const_int", id, ty, lo)
		} else {
			r.call("new_const_int_ex", id, ty, []uint64{lo, hi})
		}
	case syntax.ConstFP:
		bits, _ := d.FP.Pattern(string(r.text[d.FP.Off:d.FP.End]), d.FP.Double)
		kind := "new_const_float"
		if d.FP.Bits != nil {
			_, bits = d.FP.Bits.Bits()
			if !d.FP.Double {
				bits = uint64(uint32(bits))
			}
		}
		if d.FP.Double {
			kind = "new_const_double"
		}
		r.call(kind, id, ty, bits)
	case syntax.ConstList:
		r.call("new_const_seq", id, ty, r.globals(d.List))
	case syntax.ConstNull:
		r.call("new_const_null", id, ty)
	case syntax.ConstExtern:
		r.call("new_const_extern", id, ty, d.Symbol)
	}
}

func (r *remaker) function(f uint32, d *syntax.FuncDef) {
	r.version = r.spell(d.Version)
	ver := r.below(r.spell(d.Name), d.Version)
	if r.version[0] == '%' {
		r.version = r.spell(d.Name) + "." + r.version[1:]
	}
	var blocks []uint32
	for i := range d.Blocks {
		b := &d.Blocks[i]
		r.block = r.spell(b.Name)
		blk := r.below(r.version, b.Name)
		if r.block[0] == '%' {
			r.block = r.version + "." + r.block[1:]
		}
		blocks = append(blocks, blk)
		var params, types, insts []uint32
		for _, p := range b.Params {
			params, types = append(params, r.value(p.Name)), append(types, r.global(p.Type))
		}
		for k := range b.Insts {
			insts = append(insts, r.inst(&b.Insts[k]))
		}
		r.call("new_bb", blk, params, types, r.value(b.Exc), insts)
	}
	r.call("new_func_ver", ver, f, blocks)
}

// clause makes a clause, none if there is nothing to make.
func (r *remaker) clause(name string, args ...any) uint32 {
	id := r.fresh()
	r.call(name, append([]any{id}, args...)...)
	return id
}

func (r *remaker) dest(d *syntax.Dest) uint32 {
	return r.clause("new_dest_clause", r.below(r.version, d.Block), r.values(d.Args))
}

func (r *remaker) exc(in *syntax.Inst) uint32 {
	nor, exc := in.Exc()
	if nor == nil {
		return 0
	}
	return r.clause("new_exc_clause", r.dest(nor), r.dest(exc))
}

func (r *remaker) keep(in *syntax.Inst) uint32 {
	if in.Flags&syntax.HasKeep == 0 {
		return 0
	}
	return r.clause("new_keepalive_clause", r.values(in.Keep))
}

func (r *remaker) newStack(x *syntax.Ext) uint32 {
	if x.New == syntax.ThrowExc {
		return r.clause("new_nsc_throw_exc", r.value(x.Throw))
	}
	return r.clause("new_nsc_pass_values", r.globals(x.PassTypes), r.values(x.PassArgs))
}

func flagOf(in *syntax.Inst, f syntax.Flags) int {
	if in.Flags&f != 0 {
		return 1
	}
	return 0
}

func order(o syntax.Order) int { return max(int(o)-1, 0) }

// inst makes an instruction.
func (r *remaker) inst(in *syntax.Inst) uint32 {
	id := r.fresh()
	if !in.Name.IsZero() {
		id = r.value(in.Name)
	}
	var args []any
	add := func(list ...any) { args = append(args, list...) }
	name := "new_" + strings.ToLower(in.Op.String())
	types := func() {
		for _, t := range in.Types {
			add(r.global(t))
		}
	}
	vals := func(l []syntax.Name) {
		for _, n := range l {
			add(r.value(n))
		}
	}
	dests := func() {
		for i := range in.Dests {
			add(r.dest(&in.Dests[i]))
		}
	}
	ptr := flagOf(in, syntax.Ptr)
	results := r.values(in.Results)
	add(id)
	switch in.Op.Form() {
	case syntax.FormCall, syntax.FormTrap, syntax.FormCCall, syntax.FormComm, syntax.FormSwap:
		add(results)
	case syntax.FormWatch:
		add(in.Int.Lo, results)
	case syntax.FormBin:
		if in.Ext != nil {
			add(results[0], results[1:])
			break
		}
		vals(in.Results)
	default:
		vals(in.Results)
	}
	switch in.Op.Form() {
	case syntax.FormBin:
		name = "new_binop"
		add(r.codes[in.Op.String()])
		if in.Ext != nil {
			name = "new_binop_with_status"
			bits := 0
			for _, f := range in.Ext.Flags {
				bits |= 1 << strings.Index("NZCV", r.spell(f)[1:])
			}
			add(bits)
		}
		types()
		vals(in.Args)
		add(r.exc(in))
	case syntax.FormCmp, syntax.FormConv:
		name = "new_cmp"
		if in.Op.Form() == syntax.FormConv {
			name = "new_conv"
		}
		add(r.codes[in.Op.String()])
		types()
		vals(in.Args)
	case syntax.FormPlain:
		if in.Op.HasPtr() {
			add(ptr)
		}
		types()
		vals(in.Args)
		switch in.Op {
		case syntax.OpNew, syntax.OpNewHybrid, syntax.OpAlloca, syntax.OpAllocaHybrid:
			add(r.exc(in))
		}
	case syntax.FormField:
		if in.Op.HasPtr() {
			add(ptr)
		}
		types()
		add(in.Int.Lo)
		vals(in.Args)
	case syntax.FormBranch:
		dests()
	case syntax.FormBranch2:
		vals(in.Args)
		dests()
	case syntax.FormSwitch:
		types()
		add(r.value(in.Args[0]), r.dest(&in.Dests[0]))
		var to []uint32
		for i := range in.Dests[1:] {
			to = append(to, r.dest(&in.Dests[1+i]))
		}
		add(r.values(in.Args[1:]), to)
	case syntax.FormCall:
		add(r.global(in.Sig), r.value(in.Args[0]), r.values(in.Args[1:]), r.exc(in), r.keep(in))
	case syntax.FormTailCall:
		add(r.global(in.Sig), r.value(in.Args[0]), r.values(in.Args[1:]))
	case syntax.FormRet:
		add(r.values(in.Args))
	case syntax.FormAccess:
		add(ptr, order(in.Order))
		types()
		vals(in.Args)
		add(r.exc(in))
	case syntax.FormCmpXchg:
		add(ptr, flagOf(in, syntax.Weak), order(in.Order), order(in.OrdFail))
		types()
		vals(in.Args)
		add(r.exc(in))
	case syntax.FormRMW:
		add(ptr, order(in.Order), int(in.RMW-syntax.RMWXchg))
		types()
		vals(in.Args)
		add(r.exc(in))
	case syntax.FormFence:
		add(order(in.Order))
	case syntax.FormTrap:
		add(r.globals(in.Types), r.exc(in), r.keep(in))
	case syntax.FormWatch:
		add(r.globals(in.Types))
		dests()
		if len(in.Dests) == 2 {
			add(uint32(0))
		}
		add(r.keep(in))
	case syntax.FormWPBranch:
		add(in.Int.Lo)
		dests()
	case syntax.FormCCall:
		add(0, r.global(in.Types[0]), r.global(in.Sig), r.value(in.Args[0]), r.values(in.Args[1:]), r.exc(in), r.keep(in))
	case syntax.FormThread:
		add(r.value(in.Args[0]), r.value(in.Ext.ThreadLocal), r.newStack(in.Ext), r.exc(in))
	case syntax.FormSwap:
		cur := uint32(0)
		if in.Ext.Cur == syntax.KillOld {
			cur = r.clause("new_csc_kill_old")
		} else {
			cur = r.clause("new_csc_ret_with", r.globals(in.Ext.RetTypes))
		}
		add(r.value(in.Args[0]), cur, r.newStack(in.Ext), r.exc(in), r.keep(in))
	case syntax.FormComm:
		r.unspeakable = r.unspeakable || r.codes[r.spell(in.Ext.Common)] == 0
		add(r.codes[r.spell(in.Ext.Common)], make([]uint32, len(in.Ext.Flags)), r.globals(in.Types), r.globals(in.Ext.Sigs), r.values(in.Args), r.exc(in), r.keep(in))
	}
	r.call(name, args...)
	return id
}

// load makes the calls and loads the bundle into an empty program.
func (r *remaker) load() (*ir.Program, error) {
	for _, c := range r.calls {
		if err := r.ids.Call(c.row, c.args); err != nil {
			return nil, err
		}
	}
	return loadIDs(r.t, r.ids)
}

// loadIDs loads a bundle into an empty program. The error has all messages.
func loadIDs(t testing.TB, ids *nodes.IDBuilder) (*ir.Program, error) {
	t.Helper()
	tree, bad := ids.End()
	if bad != nil {
		return nil, bad
	}
	p := ir.NewProgram()
	p.Files, p.NextID = diag.NewSet(), 180000
	diags := diag.NewList(p.Files)
	to := mu.Running{Bodies: true, ByID: func(id uint32) any {
		for name, known := range predefined {
			if known == id {
				return p.Entities[name]
			}
		}
		return nil
	}}
	if fault := mu.ExtendTree(p, p.Files, tree, to, diags); fault != mu.NoFault {
		return nil, mu.FaultsAt(diags, func(at diag.Pos) string { return tree.Where(int(at.Off)) })
	}
	if err := verify.Err(verify.Program(p)); err != nil {
		t.Error(err)
	}
	return p, nil
}

// bodies prints the definitions and bodies of a program without the names and IDs in functions.
func bodies(p *ir.Program) string {
	var out bytes.Buffer
	funcs := slices.SortedFunc(slices.Values(p.Funcs), func(a, b *ir.Function) int { return strings.Compare(a.Name, b.Name) })
	for _, f := range funcs {
		v := f.Current()
		fmt.Fprintf(&out, "%s: %s\n", f.Name, p.Types.Text(f.Sig))
		if v == nil {
			continue
		}
		for i := range v.Values {
			v.Values[i].Name = ""
		}
		for i := range v.Insts {
			v.Insts[i].Name, v.Insts[i].ID = "", 0
		}
		for i := range v.Blocks {
			v.Blocks[i].Name, v.Blocks[i].ID, v.Blocks[i].Locals = "", 0, nil
		}
		v.Name, v.ID = f.Name+".v", 0
		ir.PrintVersion(&out, p, v)
	}
	for _, c := range p.Consts {
		fmt.Fprintf(&out, "%s: %s %d %x %x %s %d\n", c.Name, p.Types.Text(c.Type), c.Kind, c.Hi, c.Lo, c.Sym, len(c.Elems))
	}
	for _, g := range p.Globals {
		fmt.Fprintf(&out, "%s: %s\n", g.Name, p.Types.Text(g.Type))
	}
	return out.String()
}

// A seed is a bundle of a script, with the program that its text becomes.
type seed struct {
	text []byte
	prog *ir.Program
}

// seedBundles are the bundles in the scripts that can be loaded alone.
func seedBundles(t testing.TB) map[string]seed {
	list := map[string]seed{}
	scripts, _ := filepath.Glob("../../../testscripts/*.txtar")
	for _, path := range scripts {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range txtar.Parse(text).Files {
			if filepath.Ext(f.Name) == ".uir" && len(f.Data) < 1<<16 && !bytes.Contains(f.Data, []byte("@uvm.irbuilder.")) {
				set := diag.NewSet()
				if p, ok := mu.Load(set, []mu.Source{{Name: "a.uir", Text: f.Data}}, mu.Options{}, diag.NewList(set)); ok {
					list[filepath.Base(path)+"/"+f.Name] = seed{f.Data, p}
				}
			}
		}
	}
	return list
}

// TestIDsRemake: the bundles of the scripts, built by calls, become what their text becomes; so does what is built by
// the same calls in another order.
func TestIDsRemake(t *testing.T) {
	bundles := seedBundles(t)
	done := map[string]bool{}
	for name, s := range bundles {
		text, want := s.text, s.prog
		for _, named := range []bool{false, true} {
			r := newRemaker(t, text, named)
			r.bundle()
			if r.unspeakable {
				continue
			}
			for _, c := range r.calls {
				done[c.row.Name] = true
			}
			got, err := r.load()
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if g, w := bodies(got), bodies(want); g != w {
				t.Errorf("%s: built:\n%s\ntext:\n%s", name, g, w)
			}
		}
		r := newRemaker(t, text, true)
		r.bundle()
		if r.unspeakable {
			continue
		}
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(r.calls), func(i, k int) { r.calls[i], r.calls[k] = r.calls[k], r.calls[i] })
		if _, err := r.load(); err != nil {
			t.Errorf("%s, in another order: %v", name, err)
		}
	}
	if len(bundles) < 100 {
		t.Errorf("%d bundles", len(bundles))
	}
	for _, row := range nodes.IDRows {
		if !done[row.Name] && row.Name != "new_type_irbuilderref" {
			t.Errorf("no bundle needs %s", row.Name)
		}
	}
}
