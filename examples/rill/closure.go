package main

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/front"
)

// The value of a function is a reference to an object. Its first field is the code, and those after it are what the code
// uses of the function around it. Since its type is known only to the code, others take it for one with the first field
// alone. The code gets the object as its first argument.

// closures are the parts of a program that values of functions need.
type closures struct {
	heads map[string]head       // by type
	boxes map[string]front.Type // references to objects with a variable, by type
	of    map[*Func]front.Type  // the object of an expression
	plain map[*Func]*front.Func // code of functions that are no expressions
	made  int
}

// A head is what all function values of a type have.
type head struct {
	sig  front.Sig
	code front.Type // of the first field
	typ  front.Type // of an object with this field
}

func newClosures() closures {
	return closures{map[string]head{}, map[string]front.Type{}, map[*Func]front.Type{}, map[*Func]*front.Func{}, 0}
}

// closureType is the type of values of functions.
func (c *compiler) closureType(t *Type) front.Type {
	ref := c.p.Declare("")
	c.types[t.String()] = ref
	h := head{sig: c.sig(t, c.anyRef)}
	h.code = c.p.Make("", front.FuncRef(h.sig))
	h.typ = c.p.Make("", front.Struct(h.code))
	c.p.Define(ref, front.Ref(h.typ))
	c.closures.heads[t.String()] = h
	return ref
}

func (c *compiler) head(t *Type) head {
	c.typeOf(t)
	return c.closures.heads[t.String()]
}

// box is the type of references to objects that have a variable in them.
func (c *compiler) box(t *Type) front.Type {
	name := t.String()
	if _, ok := c.closures.boxes[name]; !ok {
		c.closures.boxes[name] = c.p.Make("", front.Ref(c.typeOf(t)))
	}
	return c.closures.boxes[name]
}

func (f *function) newBox(t *Type, value front.Value) front.Value {
	box := f.k.New(f.typeOf(t))
	f.store(f.typeOf(t), f.inBox(t, box), value)
	return box
}

func (f *function) inBox(t *Type, box front.Value) front.Value { return f.k.GetIRef(f.typeOf(t), box) }

// closureObject is the type of the object of an expression: the code, and the boxes of what it captures.
func (c *compiler) closureObject(fn *Func) front.Type {
	t, ok := c.closures.of[fn]
	if !ok {
		fields := []front.Type{c.head(fn.Type).code}
		for _, v := range fn.Captures {
			fields = append(fields, c.box(v.Type))
		}
		t = c.p.Make("", front.Struct(fields...))
		c.closures.of[fn] = t
	}
	return t
}

// closure compiles a function that is an expression, and makes its object.
func (f *function) closure(fn *Func) front.Value {
	outer := fn.Outer
	for outer.Outer != nil {
		outer = outer.Outer
	}
	f.closures.made++
	f.p.At(fn.Pos)
	code := f.p.Func(f.name(fmt.Sprintf("%s.fn%d", outer.Name, f.closures.made)), f.head(fn.Type).sig)
	f.function(fn, code, nil)
	return f.newClosure(fn, code)
}

// newClosure makes the object of a function.
func (f *function) newClosure(fn *Func, code *front.Func) front.Value {
	t := f.closureObject(fn)
	object := f.k.New(t)
	place := f.k.GetIRef(t, object)
	f.store(f.head(fn.Type).code, f.k.Field(front.Managed, t, 0, place), code.Value)
	for i, v := range fn.Captures {
		f.store(f.box(v.Type), f.k.Field(front.Managed, t, i+1, place), f.k.Get(f.vars[v]))
	}
	return f.k.Conv(front.RefCast, f.p.Make("", front.Ref(t)), f.typeOf(fn.Type), object)
}

// openClosure takes the captured variables out of the object, at the beginning of the code.
func (f *function) openClosure(fn *Func, self front.Value) {
	t := f.closureObject(fn)
	object := f.k.Conv(front.RefCast, f.anyRef, f.p.Make("", front.Ref(t)), self)
	place := f.k.GetIRef(t, object)
	for i, v := range fn.Captures {
		f.vars[v] = f.body.Var(v.Name, f.box(v.Type))
		f.k.Set(f.vars[v], f.load(f.box(v.Type), f.k.Field(front.Managed, t, i+1, place)))
	}
}

// funcValue makes the object of a function that is no expression. Its code calls the function.
func (f *function) funcValue(fn *Func) front.Value {
	code := f.closures.plain[fn]
	if code == nil {
		f.p.At(fn.Pos)
		code = f.p.Func(f.name(fn.Name+".fn"), f.head(fn.Type).sig)
		f.closures.plain[fn] = code
		b := code.Body(fn.Pos)
		b.Entry.Ret(b.Entry.CallFunc(f.declare(fn), b.Args[1:]...)...)
	}
	return f.newClosure(fn, code)
}

// callClosure calls the first value with the others.
func (f *function) callClosure(t *Type, vals []front.Value) front.Value {
	h := f.head(t)
	code := f.load(h.code, f.k.Field(front.Managed, h.typ, 0, f.k.GetIRef(h.typ, vals[0])))
	self := f.k.Conv(front.RefCast, f.typeOf(t), f.anyRef, vals[0])
	return f.result(f.k.Call(h.sig, code, append([]front.Value{self}, vals[1:]...)...), t.Result)
}
