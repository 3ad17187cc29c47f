// Package front is for compilers in Go whose target is uvm2go: it makes a program of types, constants, cells, functions
// and instructions (docs/frontends.md). From one Program come its check, the interpreter, Go code and text:
//
//	p := front.New()
//	i64 := p.Make("@i64", front.Int(64))
//	f := p.Func("@twice", p.Sig([]front.Type{i64}, []front.Type{i64}))
//	b := f.Body(front.Pos{File: "a.lang", Line: 1, Col: 1})
//	b.Entry.Ret(b.Entry.Bin(front.Add, i64, b.Args[0], b.Args[0]))
//	err := p.Check()
//
// No method fails. Mistakes are found when the program is checked, all at once, each with the position in the author's
// own file that At and Body were given.
//
// The order of calls matters little: a type, function or block may be used before it is complete. Types say what a
// value is in each instruction, as in Mu text (docs/language.md), and have no names or global ones, which begin with @.
// A value belongs to its block. Other blocks get it as an argument, or through a variable (Body.Var).
//
// The package records what it is told. The builder of package nodes makes a bundle of it, which the reader of Mu text
// checks: there is no second set of rules here.
//
//	front.go  types, constants, cells, functions
//	body.go   blocks and variables
//	inst.go   instructions
//	edges.go  variables become parameters of blocks
//	build.go  what a program is made into
package front

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
)

// A Pos is a place in the author's file; without a line it is none.
type Pos = diag.Position

// A Program is a program that is being made. Only one goroutine at a time may use it.
type Program struct {
	names []string        // of all things, by ID - 1; "" for those without one
	full  []string        // the same, written out
	taken map[string]bool // of the latter

	called map[string]string // what the author calls values, by their local names: "" if these are no others
	words  bool              // the author calls some values by others

	calls []call // of the definitions
	funcs []*Func
	bits  map[uint32]int // widths of integer types, by ID
	pos   Pos
	wrong Errors // mistakes that only this package can see
}

// A call is a call of the builder.
type call struct {
	pos  Pos
	row  *nodes.IDRow
	args []nodes.Arg
}

// A thing is anything that has an ID in the bundle, 0 for none.
type thing struct {
	p  *Program
	id uint32
}

// A Type is a type. The zero Type is none.
type Type struct{ thing }

// A Sig is the signature of a function.
type Sig struct {
	thing
	params, results []Type
}

// A Value is a constant, the address of a cell, a function, or a variable of a block. The zero Value is none.
type Value struct{ thing }

// A Func is a function.
type Func struct {
	Value
	Sig  Sig
	name string
	ver  string // "" for v1
	body *Body
}

// New begins a program.
func New() *Program { return &Program{taken: map[string]bool{}, bits: map[uint32]int{}} }

// At is the position of what is defined next.
func (p *Program) At(pos Pos) { p.pos = pos }

// thing makes a thing with a global name, "" for none.
func (p *Program) thing(name string) thing {
	switch {
	case name == "":
	case name[0] != '@' || !lex.IsName(name):
		p.errorf(p.pos, "%q is no name: a global name is @ and letters, digits, _, . and -", name)
		name = ""
	case p.taken[name]:
		p.errorf(p.pos, "%s is defined already", name)
		name = ""
	}
	p.names, p.full = append(p.names, name), append(p.full, name)
	p.taken[name] = name != ""
	return thing{p, uint32(len(p.names))}
}

// local makes a thing inside of another, with a local name, "" for none.
func (p *Program) local(parent thing, name string, at Pos) thing {
	t := p.thing("")
	p.rename(t, parent, name, at)
	return t
}

// rename gives a thing inside of another a local name, or one like it if another thing there has the name.
func (p *Program) rename(t, parent thing, name string, at Pos) {
	if name != "" && !lex.IsName("%"+name) {
		p.errorf(at, "%q is no name in %s: a name has letters, digits, _, . and -", name, p.full[parent.id-1])
		return
	}
	p.enter(t, parent, name, "")
}

// localValue is local for a value of a block, with a name as the author writes it.
func (p *Program) localValue(block thing, name string, at Pos) thing {
	t := p.thing("")
	p.nameValue(t, block, name, at)
	return t
}

// nameValue is rename for a value of a block. The name may be any word of the author's language: if it is no name of Mu, the value
// gets one that is, and comments in the text say what the author calls it.
func (p *Program) nameValue(t, block thing, name string, at Pos) {
	switch {
	case name == "" || lex.IsName("%"+name):
		p.enter(t, block, name, "")
	case name != lex.Visible(name) || len(strings.Fields(name)) != 1 || strings.Contains(name, " "):
		p.errorf(at, "%q is no name in %s: a name is one word", name, p.full[block.id-1])
	default:
		own := strings.Map(func(c rune) rune {
			if lex.IsName("%" + string(c)) {
				return c
			}
			return '_'
		}, name)
		p.enter(t, block, own, name)
	}
}

// enter gives a thing inside of another a local name, or one like it, so that one name is called the same everywhere.
func (p *Program) enter(t, parent thing, name, called string) {
	if name == "" || p.full[parent.id-1] == "" {
		return
	}
	own := name
	free := func() bool {
		known, ok := p.called["%"+own]
		return !p.taken[p.full[parent.id-1]+"."+own] && (!ok || known == called)
	}
	for i := 2; !free(); i++ {
		own = fmt.Sprintf("%s.%d", name, i)
	}
	if p.called == nil {
		p.called = map[string]string{}
	}
	p.called["%"+own] = called
	p.words = p.words || called != ""
	full := p.full[parent.id-1] + "." + own
	p.taken[full] = true
	p.names[t.id-1], p.full[t.id-1] = "%"+own, full
}

// call notes a definition.
func (p *Program) call(row string, args ...any) {
	p.calls = append(p.calls, call{p.pos, nodes.IDRowNamed(row), p.args(p.pos, row, args)})
}

// args makes the arguments of a call.
func (p *Program) args(pos Pos, row string, args []any) []nodes.Arg {
	list := make([]nodes.Arg, 0, len(args))
	add := func(a nodes.Arg) { list = append(list, a) }
	for _, a := range args {
		switch a := a.(type) {
		case Type:
			add(nodes.Arg{ID: p.own(pos, row, a.thing)})
		case Sig:
			add(nodes.Arg{ID: p.own(pos, row, a.thing)})
		case Value:
			add(nodes.Arg{ID: p.own(pos, row, a.thing)})
		case thing:
			add(nodes.Arg{ID: p.own(pos, row, a)})
		case []Type:
			add(nodes.Arg{IDs: ids(p, pos, row, a, func(t Type) thing { return t.thing })})
		case []Sig:
			add(nodes.Arg{IDs: ids(p, pos, row, a, func(s Sig) thing { return s.thing })})
		case []Value:
			add(nodes.Arg{IDs: ids(p, pos, row, a, func(v Value) thing { return v.thing })})
		case []thing:
			add(nodes.Arg{IDs: ids(p, pos, row, a, func(t thing) thing { return t })})
		case []uint32:
			add(nodes.Arg{IDs: a})
		case []uint64:
			add(nodes.Arg{Words: a})
		case string:
			add(nodes.Arg{Text: a})
		case uint64:
			add(nodes.Arg{Word: a})
		case bool:
			n := nodes.Arg{}
			if a {
				n.Word = 1
			}
			add(n)
		default:
			panic(fmt.Sprintf("front: an argument %T", a)) // only this package calls
		}
	}
	return list
}

// own is the ID of a thing of this program.
func (p *Program) own(pos Pos, row string, x thing) uint32 {
	if x.p != nil && x.p != p {
		p.errorf(pos, "%s: something of another program is used", row)
	}
	return x.id
}

func ids[T any](p *Program, pos Pos, row string, list []T, of func(T) thing) (l []uint32) {
	for _, x := range list {
		l = append(l, p.own(pos, row, of(x)))
	}
	return l
}

// errorf notes a mistake.
func (p *Program) errorf(pos Pos, format string, args ...any) {
	p.wrong = append(p.wrong, Error{pos, fmt.Sprintf(format, args...)})
}

// A Shape is how a type is constructed.
type Shape struct {
	row  string
	args []any
	bits int // of an integer
}

// Int is an integer of 1 to 128 bits.
func Int(bits int) Shape { return Shape{"new_type_int", []any{uint64(bits)}, bits} }

// Float is a floating-point number of 32 bits.
func Float() Shape { return Shape{row: "new_type_float"} }

// Double is a floating-point number of 64 bits.
func Double() Shape { return Shape{row: "new_type_double"} }

// Void has no values; references may refer to it.
func Void() Shape { return Shape{row: "new_type_void"} }

// Ref is a reference to an object of the heap.
func Ref(t Type) Shape { return Shape{row: "new_type_ref", args: []any{t}} }

// IRef is a reference to a place inside of an object, a cell or a frame.
func IRef(t Type) Shape { return Shape{row: "new_type_iref", args: []any{t}} }

// WeakRef is a Ref that does not keep its object alive.
func WeakRef(t Type) Shape { return Shape{row: "new_type_weakref", args: []any{t}} }

// UPtr is an address in native memory.
func UPtr(t Type) Shape { return Shape{row: "new_type_uptr", args: []any{t}} }

// FuncRef is a reference to a function.
func FuncRef(s Sig) Shape { return Shape{row: "new_type_funcref", args: []any{s}} }

// UFuncPtr is the address of a native function.
func UFuncPtr(s Sig) Shape { return Shape{row: "new_type_ufuncptr", args: []any{s}} }

// Struct is one or more fields.
func Struct(fields ...Type) Shape { return Shape{row: "new_type_struct", args: []any{fields}} }

// Array is n elements.
func Array(elem Type, n uint64) Shape { return Shape{row: "new_type_array", args: []any{elem, n}} }

// Vector is n elements that operations work on at once.
func Vector(elem Type, n uint64) Shape { return Shape{row: "new_type_vector", args: []any{elem, n}} }

// Hybrid is fields, and after them elements whose number an object has when it is made.
func Hybrid(elem Type, fields ...Type) Shape {
	return Shape{row: "new_type_hybrid", args: []any{fields, elem}}
}

// TagRef64 is a double, an integer of 52 bits or a reference with a tag of 6 bits.
func TagRef64() Shape { return Shape{row: "new_type_tagref64"} }

// ThreadRef is a reference to a thread.
func ThreadRef() Shape { return Shape{row: "new_type_threadref"} }

// StackRef is a reference to a stack.
func StackRef() Shape { return Shape{row: "new_type_stackref"} }

// FrameCursorRef is a reference to a frame cursor.
func FrameCursorRef() Shape { return Shape{row: "new_type_framecursorref"} }

// Make makes a type with a global name, "" for none. Types of the same structure are the same type.
func (p *Program) Make(name string, s Shape) Type {
	t := p.Declare(name)
	p.Define(t, s)
	return t
}

// Declare makes a type that Define completes, such as one that contains itself.
func (p *Program) Declare(name string) Type { return Type{p.thing(name)} }

// Define completes a type.
func (p *Program) Define(t Type, s Shape) {
	if t.p == p && p.bits[t.id] == 0 {
		p.bits[t.id] = s.bits
	}
	p.call(s.row, append([]any{t}, s.args...)...)
}

// Sig makes a signature.
func (p *Program) Sig(params, results []Type) Sig {
	s := Sig{p.thing(""), params, results}
	p.call("new_funcsig", s, params, results)
	return s
}

// value makes a constant, cell or the like.
func (p *Program) value(name, row string, args ...any) Value {
	v := Value{p.thing(name)}
	p.call(row, append([]any{v}, args...)...)
	return v
}

// Int is a constant of an integer or pointer type, without a name.
func (p *Program) Int(t Type, x int64) Value { return p.IntConst("", t, uint64(x>>63), uint64(x)) }

// IntConst is a constant of an integer or pointer type, from the high and low 64 bits of a number in two's complement. A
// name is a global name, "" for none.
func (p *Program) IntConst(name string, t Type, hi, lo uint64) Value {
	return p.value(name, "new_const_int_ex", t, []uint64{lo, hi})
}

// fit cuts a negative number, the words of the constant in c, to the width of its type if it fits.
func (p *Program) fit(c *call) {
	words := c.args[2].Words
	bits := p.bits[c.args[1].ID]
	if bits < 1 || bits > 127 || words[1]>>63 == 0 {
		return
	}
	lo, hi := ^uint64(0), ^uint64(0) // the bits that are cut off, and the sign
	if bits > 64 {
		lo, hi = 0, hi<<(bits-65)
	} else {
		lo <<= bits - 1
	}
	if words[0]&lo != lo || words[1]&hi != hi {
		return
	}
	c.args = slices.Clone(c.args)
	c.args[2].Words = []uint64{words[0] &^ (lo << 1), words[1] &^ (hi << 1)}
	if bits <= 64 {
		c.args[2].Words[1] = 0
	}
}

// FloatConst is a constant of type float.
func (p *Program) FloatConst(name string, t Type, x float32) Value {
	return p.value(name, "new_const_float", t, uint64(math.Float32bits(x)))
}

// DoubleConst is a constant of type double.
func (p *Program) DoubleConst(name string, t Type, x float64) Value {
	return p.value(name, "new_const_double", t, math.Float64bits(x))
}

// NullConst is NULL of a type of references.
func (p *Program) NullConst(name string, t Type) Value { return p.value(name, "new_const_null", t) }

// ListConst is a struct, array or vector of constants.
func (p *Program) ListConst(name string, t Type, elems ...Value) Value {
	return p.value(name, "new_const_seq", t, elems)
}

// ExternConst is the address of a native symbol, of a pointer type.
func (p *Program) ExternConst(name string, t Type, symbol string) Value {
	return p.value(name, "new_const_extern", t, symbol)
}

// Global defines a cell. The value is its address, an iref.
func (p *Program) Global(name string, t Type) Value { return p.value(name, "new_global_cell", t) }

// Func declares a function. The program begins with @main, unless it is told another entry.
func (p *Program) Func(name string, sig Sig) *Func {
	f := &Func{Value: p.value(name, "new_func", sig), Sig: sig, name: name}
	p.funcs = append(p.funcs, f)
	return f
}

// Version names the version that Body makes, v1 if it is not called: @f.v2 for v2. Each body that a function gets in a running
// program (docs/client.md, "Code that arrives at run time") needs another name.
func (f *Func) Version(name string) { f.ver = name }

// Expose makes a native function that calls f with a cookie, a constant of int<64>.
func (p *Program) Expose(name string, f *Func, cookie Value) Value {
	return p.value(name, "new_exp_func", f.Value, uint64(0), cookie)
}

// FuncNamed is the function with a name, nil if there is none.
func (p *Program) FuncNamed(name string) *Func {
	for _, f := range p.funcs {
		if f.name == name {
			return f
		}
	}
	return nil
}
