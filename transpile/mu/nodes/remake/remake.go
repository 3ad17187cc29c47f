// Package remake finds the calls of the later IR builder (nodes.IDBuilder, and MuIRBuilder of the client API) that build the
// bundle of a text, and from them those of the builder of 2016. It is for tests and tools that compare what is built with what the text means; nothing else needs calls for
// a text. It makes no calls itself, and checks nothing but the grammar: the builder does that.
//
//	remake.go  the calls, and definitions
//	inst.go    instructions and clauses
//	earlier.go the calls of the builder of 2016
package remake

import (
	"errors"
	"fmt"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// A Call is a call that is to be made.
type Call struct {
	Row  *nodes.IDRow
	Args []nodes.Arg
}

// Predefined are the types that have IDs from the beginning.
var Predefined = map[string]uint32{"@uvm.meta.bytes": 0x260, "@uvm.meta.bytes.r": 0x261, "@uvm.meta.bytes_r": 0x261, "@uvm.meta.refs": 0x262,
	"@uvm.meta.refs.r": 0x263, "@uvm.meta.refs_r": 0x263, "@uvm.meta.trap_handler.sig": 0x264}

// ErrUnspeakable means that a text has something for which there is no call: a common instruction without an opcode, or a type of the
// builder of 2016.
var ErrUnspeakable = errors.New("no call makes")

// Calls are the calls for the bundle of a text. genSym gives IDs, as the function gen_sym of the builder. Without locals, things in
// functions get no names.
func Calls(text []byte, locals bool, genSym func(name string) uint32) ([]Call, error) {
	set := diag.NewSet()
	f, err := set.Add("a.uir", text)
	if err != nil {
		return nil, err
	}
	diags := diag.NewList(set)
	r := &remaker{text: text, genSym: genSym, names: map[string]uint32{}, locals: locals}
	r.b = syntax.Parse(f, syntax.NewSymbols(), diags, 0)
	if err := diags.Err(); err != nil {
		return nil, err
	}
	for name, id := range Predefined {
		r.names[name] = id
	}
	r.bundle()
	if r.unspeakable != "" {
		return nil, fmt.Errorf("%w %s", ErrUnspeakable, r.unspeakable)
	}
	return r.calls, nil
}

// codes are the numbers of operations and common instructions. Those of some common instructions differ from the numbers of 2016.
var codes = func() map[string]uint64 {
	m := map[string]uint64{}
	for _, s := range ir.Spellings("mu") {
		m[s.Name] = uint64(s.Code)
		if 0x242 <= s.Code && s.Code <= 0x244 {
			m[s.Name]++
		}
	}
	m["@uvm.native.get_addr"] = 0x242
	return m
}()

// A remaker makes calls.
type remaker struct {
	b      *syntax.Bundle
	text   []byte
	genSym func(name string) uint32
	names  map[string]uint32 // by full name
	locals bool              // things in functions get names, too
	calls  []Call

	unspeakable    string // what no call makes
	version, block string // full names of those that are being made
}

// id is the ID of what has a full name.
func (r *remaker) id(full string, name bool) uint32 {
	id := r.names[full]
	if id == 0 {
		if !name {
			id = r.genSym("")
		} else {
			id = r.genSym(full)
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
		return r.id(s, r.locals)
	}
	if _, global := r.names[s]; !global && strings.HasPrefix(s, r.version+".") {
		return r.id(s, r.locals)
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
	if row == nil {
		r.unspeakable = name
		return
	}
	c := Call{Row: row}
	for _, a := range args {
		switch a := a.(type) {
		case uint32:
			c.Args = append(c.Args, nodes.Arg{ID: a})
		case []uint32:
			c.Args = append(c.Args, nodes.Arg{IDs: a})
		case uint64:
			c.Args = append(c.Args, nodes.Arg{Word: a})
		case int:
			c.Args = append(c.Args, nodes.Arg{Word: uint64(a)})
		case []uint64:
			c.Args = append(c.Args, nodes.Arg{Words: a})
		case string:
			c.Args = append(c.Args, nodes.Arg{Text: a})
		default:
			panic(fmt.Sprintf("%s: %T", name, a))
		}
	}
	r.calls = append(r.calls, c)
}

// fresh is an ID without a name.
func (r *remaker) fresh() uint32 { return r.genSym("") }

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
		if hi, lo := d.Int.Bits(); hi == 0 {
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
