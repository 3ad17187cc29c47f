package front_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/front"
)

// at is a line of the author's file.
func at(line int) front.Pos { return front.Pos{File: "prog.lang", Line: line, Col: 1} }

// onLine is a place whose column is not known.
func onLine(line int) front.Pos { return front.Pos{File: "prog.lang", Line: line} }

// A function that doubles a number, called by @main, which shows the result by a trap.
func Example() {
	p := front.New()
	i64 := p.Make("@i64", front.Int(64))
	twice := p.Func("@twice", p.Sig([]front.Type{i64}, []front.Type{i64}))
	b := twice.Body(at(1))
	b.Entry.Ret(b.Entry.Bin(front.Add, i64, b.Args[0], b.Args[0]))

	m := p.Func("@main", p.Sig(nil, nil)).Body(at(3)).Entry
	r := m.CallFunc(twice, p.Int(i64, 21))[0]
	m.Trap()
	m.InstName("shown")
	m.Keep(m.Name(r, "r"))
	m.Ret()

	status, err := p.Run("", os.Stdout, os.Stderr)
	fmt.Println(status, err)
	// Output:
	// trap main.v1.entry.shown r=42
	// 0 <nil>
}

// A loop whose variables become parameters of blocks.
func ExampleBody_Var() {
	p := front.New()
	i64 := p.Make("@i64", front.Int(64))
	f := p.Func("@sum", p.Sig([]front.Type{i64}, []front.Type{i64}))
	b := f.Body(onLine(1))
	loop, body, done := b.Block("loop"), b.Block("body"), b.Block("done")
	n, sum := b.Var("n", i64), b.Var("sum", i64)
	zero, one := p.Int(i64, 0), p.Int(i64, 1)

	b.Entry.Set(n, b.Args[0])
	b.Entry.Set(sum, zero)
	b.Entry.Branch(loop)

	loop.Branch2(loop.Cmp(front.EQ, i64, loop.Get(n), zero), front.To(done), front.To(body))

	body.Set(sum, body.Bin(front.Add, i64, body.Get(sum), body.Get(n)))
	body.Set(n, body.Bin(front.Sub, i64, body.Get(n), one))
	body.Branch(loop)

	done.Ret(done.Get(sum))

	text, err := p.Text("uir")
	fmt.Println(strings.TrimSpace(string(text)), err)
	// Output:
	// .typedef @i64 = int<64>
	// .funcsig @sig.i64.to.i64 = (@i64) -> (@i64)
	// .const @constant_1 <@i64> = 0
	// .const @constant_2 <@i64> = 1
	//
	// //line prog.lang:1
	// .funcdef @sum VERSION %v1 <@sig.i64.to.i64> {
	// //line :1
	//     %entry(<@i64> %v1):
	// //line :1
	//         BRANCH %loop(%v1 @constant_1)
	// //line :1
	//     %loop(<@i64> %n <@i64> %sum):
	// //line :1
	//         %v8 = EQ <@i64> %n @constant_1
	// //line :1
	//         BRANCH2 %v8 %done(%sum) %body(%n %sum)
	// //line :1
	//     %body(<@i64> %n <@i64> %sum):
	// //line :1
	//         %v9 = ADD <@i64> %sum %n
	// //line :1
	//         %v11 = SUB <@i64> %n @constant_2
	// //line :1
	//         BRANCH %loop(%v11 %v9)
	// //line :1
	//     %done(<@i64> %sum):
	// //line :1
	//         RET (%sum)
	// } <nil>
}

// A list: a type that contains itself.
func ExampleProgram_Declare() {
	p := front.New()
	i64 := p.Make("@i64", front.Int(64))
	list := p.Declare("@list")
	node := p.Make("@node", front.Struct(i64, list))
	p.Define(list, front.Ref(node))

	b := p.Func("@cons", p.Sig([]front.Type{i64, list}, []front.Type{list})).Body(at(1))
	k := b.Entry
	cell := k.New(node)
	place := k.GetIRef(node, cell)
	k.Store(front.Managed, front.NotAtomic, i64, k.Field(front.Managed, node, 0, place), b.Args[0])
	k.Store(front.Managed, front.NotAtomic, list, k.Field(front.Managed, node, 1, place), b.Args[1])
	k.Ret(cell)
	fmt.Println(p.Check())
	// Output:
	// <nil>
}

// All mistakes are reported at once, with positions in the author's file.
func ExampleProgram_Check() {
	p := front.New()
	i64, f64 := p.Make("@i64", front.Int(64)), p.Make("@double", front.Double())
	g := p.Func("@g", p.Sig([]front.Type{i64, i64}, []front.Type{i64}))
	b := p.Func("@f", p.Sig([]front.Type{i64}, []front.Type{f64})).Body(at(4))
	b.At(front.Pos{File: "prog.lang", Line: 5, Col: 9})
	r := b.Entry.CallFunc(g, b.Args[0], b.Args[0], b.Args[0])
	b.At(front.Pos{File: "prog.lang", Line: 6, Col: 3})
	b.Entry.Ret(r...)

	c := p.Func("@h", p.Sig(nil, []front.Type{i64})).Body(at(8))
	y := c.Var("y", i64)
	c.At(front.Pos{File: "prog.lang", Line: 9, Col: 10})
	c.Entry.Ret(c.Entry.Get(y))
	fmt.Println(p.Check())
	// Output:
	// prog.lang:5:9: call of @g wants 2 arguments, got 3
	// prog.lang:6:3: result 1 of instruction 1: value 1 of RET wants @double, got @i64; convert it with SITOFP or UITOFP
	// prog.lang:9:10: variable y of @h has no value on some way to here
}

// An exception that a call throws.
func ExampleBlock_Exc() {
	p := front.New()
	i64, void := p.Make("@i64", front.Int(64)), p.Make("@void", front.Void())
	ref := p.Make("@ref", front.Ref(void))
	f := p.Func("@fail", p.Sig(nil, []front.Type{i64}))
	fail := f.Body(at(1)).Entry
	fail.Throw(p.NullConst("@nil", ref))

	b := p.Func("@main", p.Sig(nil, nil)).Body(at(2))
	ok, bad := b.Block("ok"), b.Block("bad")
	r := b.Entry.CallFunc(f)
	b.Entry.Exc(front.To(ok, r...), front.To(bad))
	ok.Param("r", i64)
	ok.Ret()
	exc := bad.Exception("exc")
	bad.Trap()
	bad.Keep(exc)
	bad.InstName("caught")
	bad.Ret()
	fmt.Println(p.Run("", os.Stdout, os.Stderr))
	// Output:
	// trap main.v1.bad.caught exc=NULL
	// 0 <nil>
}

// A coroutine: a stack that runs when it is resumed.
func ExampleBlock_SwapStack() {
	p := front.New()
	i64, stack := p.Make("@i64", front.Int(64)), p.Make("@stack", front.StackRef())
	sig := p.Sig([]front.Type{stack}, nil)
	f := p.Func("@coroutine", sig)
	co := f.Body(at(1))
	co.Entry.SwapStackKill(co.Args[0], front.Resume{Types: []front.Type{i64}, Values: []front.Value{p.Int(i64, 7)}})

	m := p.Func("@main", p.Sig(nil, nil)).Body(at(5)).Entry
	s := m.Common(front.Common{Name: "@uvm.new_stack", Sigs: []front.Sig{sig}, Args: []front.Value{f.Value}, Results: 1})[0]
	me := m.Common(front.Common{Name: "@uvm.current_stack", Results: 1})[0]
	r := m.SwapStack(s, front.Resume{Types: []front.Type{stack}, Values: []front.Value{me}}, i64)
	m.Trap()
	m.Keep(m.Name(r[0], "got"))
	m.InstName("back")
	m.Ret()
	fmt.Println(p.Run("", os.Stdout, os.Stderr))
	// Output:
	// trap main.v1.entry.back got=7
	// 0 <nil>
}

// A cell, an array and a switch.
func ExampleBlock_Switch() {
	p := front.New()
	i64 := p.Make("@i64", front.Int(64))
	days := p.Make("@days", front.Array(i64, 3))
	table := p.ListConst("@table", days, p.Int(i64, 31), p.Int(i64, 28), p.Int(i64, 31))
	cell := p.Global("@leap", i64)
	b := p.Func("@days_of", p.Sig([]front.Type{i64}, []front.Type{i64})).Body(at(1))
	feb, other := b.Block("feb"), b.Block("other")
	month := b.Var("month", i64)
	b.Entry.Set(month, b.Args[0])
	b.Entry.Switch(i64, b.Args[0], front.To(other), front.Case{Key: p.Int(i64, 1), Dest: front.To(feb)})
	feb.Ret(feb.Bin(front.Add, i64, p.Int(i64, 28), feb.Load(front.Managed, front.SeqCst, i64, cell)))
	other.Ret(other.ExtractElement(days, i64, table, other.Get(month)))

	m := p.Func("@main", p.Sig(nil, nil)).Body(at(9)).Entry
	m.Store(front.Managed, front.SeqCst, i64, cell, p.Int(i64, 1))
	f := p.FuncNamed("@days_of")
	jan, february := m.CallFunc(f, p.Int(i64, 0)), m.CallFunc(f, p.Int(i64, 1))
	m.Trap()
	m.Keep(m.Name(jan[0], "jan"), m.Name(february[0], "feb"))
	m.Ret()
	fmt.Println(p.Run("", os.Stdout, os.Stderr))
	// Output:
	// trap main+4 jan=31 feb=29
	// 0 <nil>
}

// Status flags of an addition.
func ExampleBlock_BinStatus() {
	p := front.New()
	i8 := p.Make("@i8", front.Int(8))
	m := p.Func("@main", p.Sig(nil, nil)).Body(at(1)).Entry
	sum, flags := m.BinStatus(front.Add, front.Carry|front.Overflow, i8, p.Int(i8, 100), p.Int(i8, 100))
	m.Trap()
	m.InstName("flags")
	m.Keep(m.Name(sum, "sum"), m.Name(flags[0], "carry"), m.Name(flags[1], "overflow"))
	m.Ret()
	fmt.Println(p.Run("", os.Stdout, os.Stderr))
	// Output:
	// trap main.v1.entry.flags sum=-56 carry=0 overflow=1
	// 0 <nil>
}

// Go code of a package with one function.
func ExampleProgram_Go() {
	p := front.New()
	i64 := p.Make("@i64", front.Int(64))
	b := p.Func("@square", p.Sig([]front.Type{i64}, []front.Type{i64})).Body(at(7))
	b.Entry.Ret(b.Entry.Bin(front.Mul, i64, b.Args[0], b.Args[0]))
	files, err := p.Go(transpile.Options{Package: "maths", Optimize: 1, Lines: true})
	if err != nil {
		fmt.Println(err)
	}
	for _, f := range files {
		for line := range strings.Lines(string(f.Data)) {
			if strings.HasPrefix(line, "func ") || strings.HasPrefix(line, "//line prog.lang") || strings.Contains(line, "v * v") {
				fmt.Print(line)
			}
		}
	}
	// Output:
	// //line prog.lang:7
	// func square(t *rt.Ctx, v uint64) (r0 uint64) {
	// //line prog.lang:7
	// 	return v * v
	// func Square(t *rt.Ctx, a int64) (r0 int64, err error) {
	// func init() {
}

// Text of other dialects, where they can say what is in the program.
func ExampleProgram_Text() {
	p := front.New()
	i64 := p.Make("@i64", front.Int(64))
	b := p.Func("@one", p.Sig(nil, []front.Type{i64})).Body(onLine(1))
	b.Entry.Ret(p.Int(i64, 1))
	for _, form := range []string{"uir", "uir2014", "no"} {
		text, err := p.Text(form)
		fmt.Printf("%s: %v\n%s", form, err, text)
	}
	// Output:
	// uir: <nil>
	// .typedef @i64 = int<64>
	// .funcsig @sig.to.i64 = () -> (@i64)
	// .const @constant_1 <@i64> = 1
	//
	// //line prog.lang:1
	// .funcdef @one VERSION %v1 <@sig.to.i64> {
	// //line :1
	//     %entry():
	// //line :1
	//         RET (@constant_1)
	// }
	// uir2014: <nil>
	// .typedef @i64 = int<64>
	// .const @constant_1 <@i64> = 1
	//
	// //line prog.lang:1
	// .funcdef @one <@i64 ()> () {
	// //line :1
	//     %entry:
	// //line :1
	//         RET <@i64> @constant_1
	// }
	// no: no form "no": want one of uir, muc, ir, uir2014, uirb, ial, tvm
}
