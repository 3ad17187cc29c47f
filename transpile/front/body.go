package front

import "cmp"

// A Body is the body of a function that is being made.
type Body struct {
	Entry *Block
	Args  []Value // the parameters of the entry

	p      *Program
	f      *Func
	ver    thing
	start  Pos // of the prologue
	pos    Pos // of what is made next
	blocks []*Block
	vars   []*variable
}

// A Var is a variable of a body, which may have another value at each place. The zero Var is none.
type Var struct{ v *variable }

type variable struct {
	body *Body
	name string
	typ  Type
}

// A Block is a block of a body. Instructions are added at its end.
type Block struct {
	body   *Body
	id     thing
	at     Pos
	params []Value
	types  []Type
	exc    Value
	insts  []*inst
	sets   map[*variable][]set
	in     map[*variable]incoming // variables whose value at the beginning is used
}

// A set is a value that a variable gets after a number of instructions.
type set struct {
	after int
	value Value
}

// An incoming is the parameter for the value that a variable has at the beginning of a block.
type incoming struct {
	value Value
	at    Pos // of the first use
}

// Body begins the body of a function. at is the position of its prologue, and of what is made next.
func (f *Func) Body(at Pos) *Body {
	p := f.p
	b := &Body{p: p, f: f, ver: p.local(f.thing, cmp.Or(f.ver, "v1"), at), start: at, pos: at}
	if f.body != nil {
		p.errorf(at, "%s has a body", f.name)
	}
	f.body = b
	b.Entry = b.Block("entry")
	for _, t := range f.Sig.params {
		b.Args = append(b.Args, b.Entry.Param("", t))
	}
	return b
}

// At is the position of the blocks and instructions that are made next.
func (b *Body) At(pos Pos) { b.pos = pos }

// Block makes a block. A name is that of traces, traps and text, "" for none; another block may have the same.
func (b *Body) Block(name string) *Block {
	k := &Block{body: b, id: b.p.local(b.ver, name, b.pos), at: b.pos, sets: map[*variable][]set{}, in: map[*variable]incoming{}}
	b.blocks = append(b.blocks, k)
	return k
}

// Var makes a variable. It has no value at first.
func (b *Body) Var(name string, t Type) Var {
	v := &variable{b, name, t}
	b.vars = append(b.vars, v)
	return Var{v}
}

// Param adds a parameter to a block other than the entry.
func (k *Block) Param(name string, t Type) Value {
	v := Value{k.body.p.localValue(k.id, name, k.body.pos)}
	k.params, k.types = append(k.params, v), append(k.types, t)
	return v
}

// Exception is the exception that has led to the block, a ref<void>. Only exceptional destinations may lead there.
func (k *Block) Exception(name string) Value {
	if k.exc.id == 0 {
		k.exc = Value{k.body.p.localValue(k.id, name, k.body.pos)}
	}
	return k.exc
}

// Name gives a value of a block a name, for traps, debuggers and text, and returns the value. As for parameters and variables,
// it may be any word of the author's language.
func (k *Block) Name(v Value, name string) Value {
	p := k.body.p
	if v.p == p && v.id != 0 && p.names[v.id-1] == "" {
		p.nameValue(v.thing, k.id, name, k.body.pos)
	}
	return v
}

// Set gives a variable a value from here on.
func (k *Block) Set(x Var, v Value) {
	if k.knows(x) {
		k.sets[x.v] = append(k.sets[x.v], set{len(k.insts), v})
	}
}

// Get is the value of a variable here.
func (k *Block) Get(x Var) Value {
	if !k.knows(x) {
		return Value{}
	}
	return k.valueOf(x.v, len(k.insts), k.body.pos)
}

func (k *Block) knows(x Var) bool {
	if x.v == nil || x.v.body != k.body {
		k.body.p.errorf(k.body.pos, "a variable of another function, or none, in %s", k.body.f.name)
		return false
	}
	return true
}

// valueOf is the value of a variable after a number of instructions.
func (k *Block) valueOf(x *variable, after int, at Pos) Value {
	l := k.sets[x]
	for i := len(l) - 1; i >= 0; i-- {
		if l[i].after <= after {
			return l[i].value
		}
	}
	in, ok := k.in[x]
	if !ok {
		in = incoming{Value{k.body.p.localValue(k.id, x.name, k.body.pos)}, at}
		k.in[x] = in
	}
	return in.value
}
