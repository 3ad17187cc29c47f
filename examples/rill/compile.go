package main

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/front"
)

// A compiler makes a program for uvm2go.
type compiler struct {
	p            *front.Program
	part         int
	i1, i8, i64  front.Type
	anyRef       front.Type            // a reference to an object of any type
	str, strRef  front.Type            // a string, and a reference to one
	exc, excRef  front.Type            // what is thrown, an object with a string
	types        map[string]front.Type // of the values of structs and functions, by name
	objects      map[*Struct]front.Type
	funcs        map[*Func]*front.Func
	library      map[string]*Func // functions of the prelude
	closures     closures
	texts        map[string]front.Value // cells with the literals of the program
	textList     []string
	write, fd    front.Value // the C function and its first argument
	bytes, cType front.Type  // addresses of bytes, and of such functions
	cSig         front.Sig
}

// compile compiles checked functions, of which one is the entry. A part of a program that comes later has a number, which is 1
// for the first, so that its names are others.
func compile(prog *Program, entry *Func, part int) *front.Program {
	c := &compiler{
		part: part, p: front.New(), types: map[string]front.Type{}, objects: map[*Struct]front.Type{}, funcs: map[*Func]*front.Func{},
		library: map[string]*Func{}, closures: newClosures(), texts: map[string]front.Value{},
	}
	c.basics()
	for _, f := range prog.Funcs {
		c.library[f.Name] = f
	}
	texts := c.p.Func(c.name("rill.texts"), c.p.Sig(nil, nil))
	for _, f := range prog.Funcs {
		switch {
		case f == entry:
			c.function(f, c.declare(f), texts)
		case f.Body != nil:
			c.function(f, c.declare(f), nil)
		}
	}
	c.makeTexts(texts)
	return c.p
}

// name is a name for something that the compiler makes.
func (c *compiler) name(s string) string {
	if c.part == 1 {
		return "@" + s
	}
	return fmt.Sprintf("@%s.%d", s, c.part)
}

// basics makes what every program has. No name of Rill has a point.
func (c *compiler) basics() {
	p := c.p
	c.i1, c.i8, c.i64 = p.Make("@bool", front.Int(1)), p.Make("@rill.byte", front.Int(8)), p.Make("@int", front.Int(64))
	c.anyRef = p.Make("@rill.ref", front.Ref(p.Make("@rill.void", front.Void())))
	c.str = p.Make("@string", front.Hybrid(c.i8, c.i64))
	c.strRef = p.Make("@string.ref", front.Ref(c.str))
	c.exc = p.Make("@rill.exception", front.Struct(c.strRef))
	c.excRef = p.Make("@rill.exception.ref", front.Ref(c.exc))

	int32 := p.Make("@rill.int32", front.Int(32))
	c.bytes = p.Make("@rill.bytes", front.UPtr(c.i8))
	c.cSig = p.Sig([]front.Type{int32, c.bytes, c.i64}, []front.Type{c.i64})
	c.cType = p.Make("@rill.write.type", front.UFuncPtr(c.cSig))
	c.write = p.ExternConst("", c.cType, "write")
	c.fd = p.Int(int32, 1)
}

// typeOf is the type of the values that a type of Rill has.
func (c *compiler) typeOf(t *Type) front.Type {
	switch {
	case t == intType:
		return c.i64
	case t == boolType:
		return c.i1
	case t == stringType:
		return c.strRef
	}
	name := t.String()
	if known, ok := c.types[name]; ok {
		return known
	}
	if t.Struct == nil {
		return c.closureType(t)
	}
	c.types[name] = c.p.Declare("@" + name + ".ref")
	c.p.Define(c.types[name], front.Ref(c.object(t.Struct)))
	return c.types[name]
}

// object is the type of the objects of a struct, which may have references to such objects.
func (c *compiler) object(s *Struct) front.Type {
	if t, ok := c.objects[s]; ok {
		return t
	}
	t := c.p.Declare("@" + s.Name)
	c.objects[s] = t
	var fields []front.Type
	for _, f := range s.Fields {
		fields = append(fields, c.typeOf(f.Type))
	}
	if len(fields) == 0 {
		fields = append(fields, c.i8) // a struct has a field
	}
	c.p.Define(t, front.Struct(fields...))
	return t
}

// declare makes a function without its body.
func (c *compiler) declare(f *Func) *front.Func {
	if c.funcs[f] == nil {
		c.p.At(f.Pos)
		c.funcs[f] = c.p.Func("@"+f.Name, c.sig(f.Type))
		c.funcs[f].Version(fmt.Sprint("v", c.part))
	}
	return c.funcs[f]
}

// sig is the signature of functions of a type. Before the parameters are others.
func (c *compiler) sig(t *Type, before ...front.Type) front.Sig {
	params, results := before, []front.Type(nil)
	for _, p := range t.Params {
		params = append(params, c.typeOf(p))
	}
	if t.Result != nil {
		results = append(results, c.typeOf(t.Result))
	}
	return c.p.Sig(params, results)
}

// A function is a function that is being compiled.
type function struct {
	*compiler
	body    *front.Body
	k       *front.Block // where instructions are added; nil after one that leaves
	vars    map[*Variable]front.Var
	handler *handler // of the innermost try, nil for none
}

// function compiles the body of a function. If begin is not nil, it is called first.
func (c *compiler) function(fn *Func, made, begin *front.Func) {
	f := &function{compiler: c, body: made.Body(fn.Pos), vars: map[*Variable]front.Var{}}
	f.k = f.body.Entry
	if begin != nil {
		f.k.CallFunc(begin)
	}
	args := f.body.Args
	if fn.Name == "" {
		f.openClosure(fn, args[0])
		args = args[1:]
	}
	for i, p := range fn.Params {
		f.define(p, f.k.Name(args[i], p.Name))
	}
	f.block(fn.Body)
	if f.k != nil {
		f.k.Ret()
	}
}

// at says what line the next instructions belong to.
func (f *function) at(pos front.Pos) { f.body.At(pos) }

// carry makes a value of another block one of the current block.
func (f *function) carry(from *front.Block, v front.Value, t front.Type) front.Value {
	if from == f.k {
		return v
	}
	x := f.body.Var("", t)
	from.Set(x, v)
	return f.k.Get(x)
}

func (c *compiler) number(n int64) front.Value { return c.p.Int(c.i64, n) }

func (c *compiler) truth(b bool) front.Value {
	if b {
		return c.p.Int(c.i1, 1)
	}
	return c.p.Int(c.i1, 0)
}

// block compiles statements.
func (f *function) block(l []Stmt) {
	for _, s := range l {
		f.at(s.position())
		f.statement(s)
	}
}

func (f *function) statement(s Stmt) {
	switch s := s.(type) {
	case VarStmt:
		f.define(s.Variable, f.expr(s.Value))
	case AssignStmt:
		f.assign(s)
	case IfStmt:
		f.ifStmt(s)
	case WhileStmt:
		f.whileStmt(s)
	case ReturnStmt:
		if s.Value == nil {
			f.k.Ret()
		} else {
			f.k.Ret(f.expr(s.Value))
		}
		f.k = nil
	case ThrowStmt:
		f.throw(s.Pos, f.expr(s.Value))
	case TryStmt:
		f.tryStmt(s)
	case Expr:
		f.expr(s)
	}
}

func (f *function) ifStmt(s IfStmt) {
	then, otherwise := f.body.Block("then"), f.body.Block("else")
	cond := f.expr(s.Cond)
	f.k.Branch2(cond, front.To(then), front.To(otherwise))
	f.k = then
	f.block(s.Then)
	end := f.k
	f.k = otherwise
	f.block(s.Else)
	f.join(end, f.k)
}

// join goes on after two lists of statements. A block is nil if the end of its list cannot be reached.
func (f *function) join(ends ...*front.Block) {
	f.k = nil
	for _, end := range ends {
		if end == nil {
			continue
		}
		if f.k == nil {
			f.k = f.body.Block("after")
		}
		end.Branch(f.k)
	}
}

func (f *function) whileStmt(s WhileStmt) {
	head, body, after := f.body.Block("while"), f.body.Block("body"), f.body.Block("after")
	f.k.Branch(head)
	f.k = head
	cond := f.expr(s.Cond)
	f.k.Branch2(cond, front.To(body), front.To(after))
	f.k = body
	f.block(s.Body)
	if f.k != nil {
		f.k.Branch(head)
	}
	f.k = after
}

// define gives a new variable its first value. One that closures use is in an object of its own.
func (f *function) define(v *Variable, value front.Value) {
	t := f.typeOf(v.Type)
	if v.Captured {
		t = f.box(v.Type)
		value = f.newBox(v.Type, value)
	}
	f.vars[v] = f.body.Var(v.Name, t)
	f.k.Set(f.vars[v], value)
}

// get is the value of a variable.
func (f *function) get(v *Variable) front.Value {
	x := f.k.Get(f.vars[v])
	if v.Captured {
		return f.load(f.typeOf(v.Type), f.inBox(v.Type, x))
	}
	return x
}

func (f *function) load(t front.Type, place front.Value) front.Value {
	return f.k.Load(front.Managed, front.NotAtomic, t, place)
}

func (f *function) store(t front.Type, place, value front.Value) {
	f.k.Store(front.Managed, front.NotAtomic, t, place, value)
}

func (f *function) assign(s AssignStmt) {
	switch to := s.To.(type) {
	case *Name:
		value := f.expr(s.Value)
		if !to.Var.Captured {
			f.k.Set(f.vars[to.Var], value)
			return
		}
		f.store(f.typeOf(to.Type), f.inBox(to.Type, f.k.Get(f.vars[to.Var])), value)
	case *Field:
		object, from := f.expr(to.X), f.k
		value := f.expr(s.Value)
		object = f.carry(from, object, f.typeOf(to.X.node().Type))
		f.at(to.Pos)
		f.store(f.typeOf(to.Type), f.place(to, object), value)
	}
}

// place is the place of a field in an object.
func (f *function) place(x *Field, object front.Value) front.Value {
	t := f.object(x.X.node().Type.Struct)
	return f.k.Field(front.Managed, t, x.Index, f.k.GetIRef(t, object))
}

var arithmetic = map[string]front.BinOp{"+": front.Add, "-": front.Sub, "*": front.Mul, "/": front.SDiv, "%": front.SRem}

var comparisons = map[string]front.CmpOp{"==": front.EQ, "!=": front.NE, "<": front.SLT, "<=": front.SLE, ">": front.SGT, ">=": front.SGE}

// expr compiles an expression, and returns its value, which belongs to the block f.k.
func (f *function) expr(x Expr) front.Value {
	f.at(x.position())
	switch x := x.(type) {
	case *Number:
		return f.number(x.Value)
	case *Bool:
		return f.truth(x.Value)
	case *Text:
		return f.text(x.Value)
	case *Nil:
		return f.p.NullConst("", f.typeOf(x.Type))
	case *Name:
		if x.Func != nil {
			return f.funcValue(x.Func)
		}
		return f.get(x.Var)
	case *Unary:
		v := f.expr(x.X)
		f.at(x.Pos)
		if x.Op == "-" {
			return f.k.Bin(front.Sub, f.i64, f.number(0), v)
		}
		return f.k.Bin(front.Xor, f.i1, v, f.truth(true))
	case *Binary:
		return f.binary(x)
	case *Call:
		return f.call(x)
	case *Field:
		object := f.expr(x.X)
		f.at(x.Pos)
		return f.load(f.typeOf(x.Type), f.place(x, object))
	case *Index:
		return f.index(x)
	case *FuncExpr:
		return f.closure(x.Func)
	}
	panic(fmt.Sprintf("an expression %T", x))
}

// exprs compiles several expressions, whose values then all belong to the block f.k.
func (f *function) exprs(l ...Expr) []front.Value {
	vals, from := make([]front.Value, len(l)), make([]*front.Block, len(l))
	for i, x := range l {
		vals[i], from[i] = f.expr(x), f.k
	}
	for i, x := range l {
		vals[i] = f.carry(from[i], vals[i], f.typeOf(x.node().Type))
	}
	return vals
}

func (f *function) binary(x *Binary) front.Value {
	if x.Op == "&&" || x.Op == "||" {
		return f.shortCircuit(x)
	}
	vals := f.exprs(x.X, x.Y)
	f.at(x.Pos)
	if op, ok := arithmetic[x.Op]; ok {
		if x.Type == stringType {
			return f.callLibrary("concat", vals...)
		}
		return f.k.Bin(op, f.i64, vals[0], vals[1])
	}
	if t := x.X.node().Type; t != stringType {
		return f.k.Cmp(comparisons[x.Op], f.typeOf(t), vals[0], vals[1])
	}
	equal := f.callLibrary("equal", vals...)
	if x.Op == "!=" {
		return f.k.Bin(front.Xor, f.i1, equal, f.truth(true))
	}
	return equal
}

// shortCircuit compiles an operation whose second operand is computed only if the first does not decide.
func (f *function) shortCircuit(x *Binary) front.Value {
	right, after := f.body.Block("right"), f.body.Block("after")
	result := after.Param("", f.i1)
	left := f.expr(x.X)
	if x.Op == "&&" {
		f.k.Branch2(left, front.To(right), front.To(after, f.truth(false)))
	} else {
		f.k.Branch2(left, front.To(after, f.truth(true)), front.To(right))
	}
	f.k = right
	v := f.expr(x.Y)
	f.k.Branch(after, v)
	f.k = after
	return result
}

// call compiles a call of a function, or what looks like one.
func (f *function) call(x *Call) front.Value {
	name, _ := x.Fun.(*Name)
	switch {
	case x.Struct != nil:
		return f.newObject(x)
	case name != nil && name.Func != nil:
		vals := f.exprs(x.Args...)
		f.at(x.Pos)
		return f.callFunc(name.Func, vals)
	case name != nil && name.Var == nil:
		return f.builtin(x, name.Name)
	}
	vals := f.exprs(append([]Expr{x.Fun}, x.Args...)...)
	f.at(x.Pos)
	return f.callClosure(x.Fun.node().Type, vals)
}

// callFunc calls a function that is known.
func (f *function) callFunc(fn *Func, args []front.Value) front.Value {
	return f.result(f.k.CallFunc(f.declare(fn), args...), fn.Type.Result)
}

// callLibrary calls a function of the prelude.
func (f *function) callLibrary(name string, args ...front.Value) front.Value {
	return f.callFunc(f.library[name], args)
}

// newObject makes an object and stores its fields.
func (f *function) newObject(x *Call) front.Value {
	vals := f.exprs(x.Args...)
	f.at(x.Pos)
	t := f.object(x.Struct)
	object := f.k.New(t)
	place := f.k.GetIRef(t, object)
	for i, field := range x.Struct.Fields {
		f.store(f.typeOf(field.Type), f.k.Field(front.Managed, t, i, place), vals[i])
	}
	return object
}
