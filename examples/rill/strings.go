package main

import "github.com/uvm2go/uvm2go/transpile/front"

// A string is an object with its length and its bytes. What the compiler does with strings itself is here; the rest is in
// prelude.rill.

// builtin compiles a call of a function that the compiler makes itself.
func (f *function) builtin(x *Call, name string) front.Value {
	vals := f.exprs(x.Args...)
	f.at(x.Pos)
	switch name {
	case "print":
		f.print(x.Args[0].node().Type, vals[0])
	case "len":
		return f.length(vals[0])
	case "newstring":
		return f.newString(vals[0])
	case "setbyte":
		place := f.byteAt(x.Pos, vals[0], vals[1], &vals[2])
		f.store(f.i8, place, f.k.Conv(front.Trunc, f.i64, f.i8, vals[2]))
	case "write":
		f.writeString(vals[0])
	}
	return front.Value{}
}

// print prints a value and the end of the line.
func (f *function) print(t *Type, v front.Value) {
	switch t {
	case intType:
		v = f.callLibrary("str", v)
	case boolType:
		v = f.callLibrary("truth", v)
	}
	f.callLibrary("printstring", v)
}

// writeString calls the function write of C, which gets the address of the first byte. The object is pinned meanwhile.
func (f *function) writeString(s front.Value) {
	bytes := f.firstByte(s)
	pin := front.Common{Name: "@uvm.native.pin", Types: []front.Type{f.p.Make("", front.IRef(f.i8))}, Args: []front.Value{bytes}, Results: 1}
	address := f.k.Common(pin)[0]
	f.k.CCall(f.cType, f.cSig, f.write, f.fd, address, f.length(s))
	pin.Name, pin.Results = "@uvm.native.unpin", 0
	f.k.Common(pin)
}

func (f *function) newString(n front.Value) front.Value {
	s := f.k.NewHybrid(f.str, f.i64, n)
	f.store(f.i64, f.k.Field(front.Managed, f.str, 0, f.k.GetIRef(f.str, s)), n)
	return s
}

func (f *function) length(s front.Value) front.Value {
	return f.load(f.i64, f.k.Field(front.Managed, f.str, 0, f.k.GetIRef(f.str, s)))
}

func (f *function) firstByte(s front.Value) front.Value {
	return f.k.VarPart(front.Managed, f.str, f.k.GetIRef(f.str, s))
}

func (f *function) index(x *Index) front.Value {
	vals := f.exprs(x.X, x.I)
	f.at(x.Pos)
	place := f.byteAt(x.Pos, vals[0], vals[1])
	return f.k.Conv(front.ZExt, f.i8, f.i64, f.load(f.i8, place))
}

// byteAt is the place of a byte; an index that is out of range throws. Other numbers are carried to the block behind the test.
func (f *function) byteAt(pos front.Pos, s, i front.Value, others ...*front.Value) front.Value {
	inside, outside := f.body.Block("inside"), f.body.Block("outside")
	test := f.k
	test.Branch2(test.Cmp(front.ULT, f.i64, i, f.length(s)), front.To(inside), front.To(outside))
	f.k = outside
	f.throw(pos, f.text("index out of range"))
	f.k = inside
	for _, v := range others {
		*v = f.carry(test, *v, f.i64)
	}
	return f.k.Shift(front.Managed, f.i8, f.i64, f.firstByte(f.carry(test, s, f.strRef)), f.carry(test, i, f.i64))
}

// text is a literal. It is in a cell, which the entry function fills.
func (f *function) text(s string) front.Value {
	cell, ok := f.texts[s]
	if !ok {
		cell = f.p.Global("", f.strRef)
		f.texts[s] = cell
		f.textList = append(f.textList, s)
	}
	return f.load(f.strRef, cell)
}

// chunk is how many bytes of a literal one instruction stores.
const chunk = 256

// makeTexts makes the body of the function that fills the cells.
func (c *compiler) makeTexts(fn *front.Func) {
	f := &function{compiler: c, body: fn.Body(front.Pos{})}
	f.k = f.body.Entry
	for _, s := range c.textList {
		object := f.newString(f.number(int64(len(s))))
		f.store(f.strRef, c.texts[s], object)
		place := f.firstByte(object)
		for i := 0; i < len(s); i += chunk {
			part := s[i:min(i+chunk, len(s))]
			var bytes []front.Value
			for k := range len(part) {
				bytes = append(bytes, f.p.Int(f.i8, int64(part[k])))
			}
			array := f.p.Make("", front.Array(f.i8, uint64(len(part))))
			here := f.k.Shift(front.Managed, f.i8, f.i64, place, f.number(int64(i)))
			there := f.k.Conv(front.RefCast, f.p.Make("", front.IRef(f.i8)), f.p.Make("", front.IRef(array)), here)
			f.store(array, there, f.p.ListConst("", array, bytes...))
		}
	}
	f.k.Ret()
}
