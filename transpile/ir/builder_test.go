package ir_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// A factorial, and a caller that catches what it may throw.
func ExampleBuilder() {
	b := ir.NewBuilder(nil)
	i64 := b.Type("@i64", b.Types.Int(64))
	sig := b.Types.Sig([]ir.TypeID{i64}, []ir.TypeID{i64})
	fac := b.Func("@fac", sig)

	f := b.Body(fac, "v1")
	n := f.Name(f.Param(f.Current(), 0), "%n")
	loop := f.Block("%loop", i64, i64)
	done := f.Block("%done")
	one := f.Int(i64, 1)
	f.Branch(loop, n, one)

	f.At(loop)
	i, acc := f.Param(loop, 0), f.Param(loop, 1)
	body := f.Block("%body")
	f.Branch2(f.Cmp(ir.OpSLE, i, one), ir.To(done), ir.To(body))
	f.At(body)
	f.Branch(loop, f.Bin(ir.OpSub, i, one), f.Bin(ir.OpMul, acc, i))
	f.At(done)
	f.Ret(acc)

	try := b.Body(b.Func("@try", sig), "v1")
	ok, bad := try.Block("%ok", i64), try.ExcBlock("%bad")
	r := try.Call(try.FuncRef(fac), try.Param(0, 0))
	try.Exc(ir.To(ok, r...), ir.To(bad))
	try.At(ok)
	try.Ret(try.Param(ok, 0))
	try.At(bad)
	try.Ret(try.Int(i64, -1))

	p, err := b.Finish()
	if err != nil {
		fmt.Println(err)
	}
	for _, fn := range p.Funcs {
		ir.PrintVersion(os.Stdout, p, fn.Current())
	}
	// Output:
	// version @fac.v1 of @fac !65539 {
	// ^entry.0(%n.1: @i64):
	//   branch ^loop.1(%n.1 1:@i64)
	// ^loop.1(%2: @i64, %3: @i64):
	//   %5: int<1> = sle <@i64> %2 1:@i64
	//   branch2 %5 ^done.2() ^body.3()
	// ^done.2():
	//   ret %3
	// ^body.3():
	//   %6: @i64 = sub <@i64> %2 1:@i64
	//   %7: @i64 = mul <@i64> %3 %2
	//   branch ^loop.1(%6 %7)
	// }
	// version @try.v1 of @try !65551 {
	// ^entry.0(%1: @i64):
	//   %5: @i64 = call <(@i64) -> (@i64)> @fac %1 exc ^ok.1(%5) ^bad.2()
	// ^ok.1(%2: @i64):
	//   ret %2
	// ^bad.2() [%3: ref<void>]:
	//   ret -1:@i64
	// }
}

// A program with one of everything must verify.
func TestBuilderAll(t *testing.T) {
	b := ir.NewBuilder(nil)
	ty := b.Types
	i1, i8, i32, i64, d := ty.Int(1), ty.Int(8), ty.Int(32), ty.Int(64), ty.Double()
	node := ty.Struct(i64, d)
	hyb := ty.Hybrid(i8, i64)
	arr := ty.Array(i64, 4)
	vec := ty.Vector(i32, 4)
	none := ty.Sig(nil, nil)
	cell := b.Global("@cell", arr)
	ext := b.ExternConst(ty.Of(ir.KUFuncPtr, none), "f")
	b.Const("@pair", b.ListConst(node, b.IntConst(i64, 3), b.FloatConst(d, 0.25)))
	b.Const("@w", b.WideConst(ty.Int(100), 1<<40, 5))
	fn := b.Func("@f", none)
	b.Expose("@e", fn, 7)

	f := b.Body(fn, "v")
	one := f.Int(i64, 1)
	o := f.New(node)
	loc := f.Field(f.GetIRef(o), 0)
	f.Store(loc, one, ir.SeqCst)
	x := f.Name(f.Load(loc, ir.NotAtomic), "%x")
	old, _ := f.CmpXchg(loc, one, x, ir.AcqRel, ir.Relaxed)
	f.RMW(ir.RMWAdd, loc, old, ir.Release)
	f.Fence(ir.SeqCst)
	h := f.GetIRef(f.NewHybrid(hyb, one))
	f.Load(f.Shift(f.VarPart(h), one), ir.Relaxed)
	f.Alloca(node)
	f.AllocaHybrid(hyb, one)
	f.Load(f.Elem(f.GlobalRef(cell), one), ir.NotAtomic)
	a := f.Load(f.GlobalRef(cell), ir.NotAtomic)
	f.InsertElement(a, one, f.ExtractElement(a, one))
	pair := f.Const(b.Prog.Consts[0])
	f.InsertValue(pair, 1, f.ExtractValue(pair, 1))
	lanes := []*ir.Const{b.IntConst(i32, 0), b.IntConst(i32, 1), b.IntConst(i32, 6), b.IntConst(i32, 7)}
	v := f.Const(b.ListConst(vec, lanes...))
	w := f.Shuffle(v, v, v)
	f.Select(f.Cmp(ir.OpULT, v, w), v, w)
	f.Select(f.Cmp(ir.OpEQ, one, x), one, x)
	f.Conv(ir.OpTrunc, x, i8)
	f.Conv(ir.OpRefCast, o, ty.Ref(ty.Void()))
	f.CCall(f.Const(ext))
	f.Keep(x)
	f.InstName("%ccall")
	s := f.Comm(ir.OpNewStack, ir.NoType, none, f.FuncRef(fn))[0]
	f.NewThread(s, o, ir.Pass{Values: []ir.ValueID{x}})
	f.SwapStack(s, ir.Pass{Throw: o}, i64, d)
	f.Comm(ir.OpMathSin, d, ir.NoType, f.Float(d, 1))
	f.ShlFar(x, f.Int(i8, 3))
	f.LShrFar(x, x)
	f.AShrFar(x, x)
	f.RotL(x, x)
	f.RotR(x, f.Int(i8, 3))
	f.FuncAt(none, f.FuncAddr(f.FuncRef(fn)), "")
	f.AllocaReset(f.AllocaMark())
	f.MemMove(loc, loc, one)
	f.MemFill(loc, one, one)
	f.NewStackWith(f.FuncRef(fn))
	local := b.Global("@local", node)
	local.ThreadLocal = true
	f.ThreadCell(local)
	tagged := f.TagFromInt(f.Int(ty.Int(52), 3))
	f.TagIsInt(tagged)
	f.TagToInt(tagged)
	f.TagToTag(f.TagFromRef(o, f.Int(ty.Int(6), 1)))
	f.AddOvf(f.KillDependency(x), x)
	f.MathSqrt(f.Float(d, 2))
	f.Unpin(f.Const(b.NullConst(ty.Ref(node))))
	f.Pin(o)
	f.FutexWake(f.GetIRef(f.New(i32)), f.Int(i32, 1))
	f.GetCookie()
	f.SetThreadLocal(o)
	f.KillStack(f.NewStack(f.FuncRef(fn)))
	f.Const(b.Bytes("text"))
	f.Trap(i1)
	next, exc, tail := f.Block("%next"), f.ExcBlock("%exc"), f.Block("%tail", i64)
	q := f.Bin(ir.OpSDiv, x, one)
	f.Exc(ir.To(tail, q), ir.To(exc))
	f.At(tail)
	f.Switch(f.Param(tail, 0), ir.To(next), ir.Case{Key: b.IntConst(i64, 1), Dest: ir.To(next)})
	f.At(exc)
	f.Throw(f.Exception(exc))
	f.At(next)
	r := f.Watchpoint(3, i64)
	end, kill := f.Block("%end", i64), f.Block("%kill")
	f.WatchDests(ir.To(kill), ir.To(end, r...), ir.To(exc))
	f.At(end)
	f.WPBranch(3, ir.To(kill), ir.To(next))
	f.At(kill)
	f.SwapStackKill(f.Comm(ir.OpCurrentStack, ir.NoType, ir.NoType)[0], ir.Pass{})

	for _, end := range []func(){f.Unreachable, f.ThreadExit, func() { f.Rethrow(o) }, func() { f.Fail(ir.FailBounds, "why") }} {
		f.At(f.Block(""))
		end()
	}
	b.Func("@attributes", none).Attrs = ir.NoReturn | ir.NoThrow | ir.NoInline | ir.Inline | ir.Replaceable
	init := b.Global("@init", i64)
	init.Init, init.ReadOnly = b.IntConst(i64, 5), true
	b.Global("@packed", ty.StructOf(1, 16, i8, ty.Array(ty.StructOf(0, 64), 0)))

	p, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if err := verify.Err(verify.Program(p)); err != nil {
		t.Error(err)
	}
	first := text(p)
	if err := equal(p, parse(t, first)); err != nil {
		t.Errorf("%v\n%s", err, first)
	}
}

func TestBuilderErrors(t *testing.T) {
	b := ir.NewBuilder(nil)
	i64, d := b.Types.Int(64), b.Types.Double()
	fn := b.Func("@f", b.Types.Sig(nil, []ir.TypeID{i64}))
	b.Func("@f", i64)
	b.NullConst(i64)
	f := b.Body(fn, "v")
	one := f.Int(i64, 1)
	bad := f.Bin(ir.OpFAdd, one, one)
	f.Bin(ir.OpFAdd, bad, bad) // not reported again
	f.Bin(ir.OpAdd, one, f.Float(d, 1))
	f.Conv(ir.OpTrunc, one, d)
	f.Load(one, ir.NotAtomic)
	f.ExtractValue(one, 3)
	f.Param(0, 9)
	f.Param(9, 0)
	f.At(-1)
	f.Const(nil)
	f.Const(b.GlobalConst(nil))
	f.New(-5)
	f.GetIRef(0)
	f.Comm(ir.OpNewStack, 0, 999, 77)
	b.Const("@nil", nil)
	b.Expose("@nilx", nil, 1)
	f.Keep(one)
	f.Call(one)
	f.Ret()
	f.Ret(one)
	loop := f.Block("%loop", i64)
	f.At(loop)
	f.Branch(loop, f.Float(d, 2))
	f.Block("%open")
	p, err := b.Finish()
	if err == nil {
		t.Fatal("no error")
	}
	for _, fault := range verify.Program(p) {
		if strings.HasPrefix(fault.Where, "type ") {
			t.Errorf("wrong type made: %v", fault)
		}
	}
	for _, want := range []string{
		"@f redefined", "a function wants a signature, got int<64>", "NULL wants a reference type, got int<64>",
		"@f.v.entry: fadd wants float or double as type argument, got int<64>",
		"@f.v.entry: add wants int<64>, got double for operand 2",
		"@f.v.entry: trunc wants an int and a narrower int, got int<64> and double",
		"@f.v.entry: extractvalue: field 3 of int<64> does not exist: it has 0",
		"@f.v.entry has no parameter 9", "@f.v has no block 9", "@f.v has no block -1", "no constant", "no cell", "@nil: no value", "@nilx: no function", "keep-alive clause of an instruction that has none",
		"@f.v.entry: ret wants 1 operands, got 0", "@f.v.entry: ret after a terminator",
		"@f.v.loop: branch: argument 1 of @f.v.loop wants int<64>, got double", "@f.v.open: has no terminator",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no error %q in\n%v", want, err)
		}
	}
	t.Log(err)
}

// Mistakes are reported at the author's positions, with the callee's name and without counting it; the version and its
// entry have the position of the function.
func TestBuilderPlaces(t *testing.T) {
	p := ir.NewProgram()
	p.Files = diag.NewSet()
	file := p.Files.AddMade(func(off int) diag.Position { return diag.Position{File: "a.lang", Line: off + 1, Col: 3} }, nil)
	b := ir.NewBuilder(p)
	i64 := b.Types.Int(64)
	g := b.Func("@g", b.Types.Sig([]ir.TypeID{i64, i64}, nil))
	g.Pos = diag.Pos{File: file.ID(), Off: 4}
	f := b.Body(g, "v")
	if f.V.Pos != g.Pos || f.V.Blocks[0].Pos != g.Pos {
		t.Errorf("the version is at %v, its entry at %v, want %v", f.V.Pos, f.V.Blocks[0].Pos, g.Pos)
	}
	f.Pos.Off = 6
	one, x := f.Int(i64, 1), f.Float(b.Types.Double(), 1)
	f.Call(f.FuncRef(g), one, one, one)
	f.Pos.Off = 7
	f.Call(f.FuncRef(g), one, x)
	f.Ret()
	_, err := b.Finish()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		"a.lang:7:3: @g.v.entry: call of @g wants 2 arguments, got 3",
		"a.lang:8:3: @g.v.entry: call of @g wants int<64>, got double for argument 2",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no error %q in\n%v", want, err)
		}
	}
}

func TestBuilderNoValue(t *testing.T) {
	b := ir.NewBuilder(nil)
	f := b.Body(b.Func("@f", b.Types.Sig(nil, nil)), "v")
	f.GetIRef(0)
	f.Ret()
	if _, err := b.Finish(); err == nil || !strings.Contains(err.Error(), "@f.v.entry: getiref: operand 1 is no value") {
		t.Errorf("got %v", err)
	}
}

// A body calls a function and reads a cell, whose types are set later.
func TestBuilderDeclared(t *testing.T) {
	b := ir.NewBuilder(nil)
	b.DeclareType("@t")
	fn, cell, later := b.Func("@f", ir.NoType), b.Global("@g", ir.NoType), b.DeclareExpose("@e")
	operand := b.FuncConst(fn)
	i64 := b.Type("@t", b.Types.Int(64))
	fn.Sig, cell.Type = b.Types.Sig(nil, []ir.TypeID{i64}), i64
	if b.FuncConst(fn) != operand || operand.Type == ir.NoType {
		t.Error("the operand has not got the type of the function")
	}
	later.Func, later.Cookie, later.Type = fn, b.IntConst(i64, 0), b.ExposeConst(b.Expose("@x", fn, 0)).Type
	v := b.Prog.NewVersion(fn, "@f.v", fn.Pos)
	f := b.Fill(v)
	f.Reserve(1, 3, 4)
	f.At(f.Block("%entry"))
	f.Call(f.FuncRef(fn))
	f.Ret(f.Load(f.GlobalRef(cell), ir.NotAtomic))
	id := v.ID
	f.End()
	p, err := b.Finish()
	if err == nil {
		err = verify.Err(verify.Program(p))
	}
	if err != nil || v.ID != id || p.TypeIDs["@t"] >= fn.ID {
		t.Errorf("%v; version %d, want %d; type %d, function %d", err, v.ID, id, p.TypeIDs["@t"], fn.ID)
	}

	b = ir.NewBuilder(p)
	b.Func("@untyped", ir.NoType)
	b.Global("@cell", ir.NoType)
	b.Const("@const", &ir.Const{})
	b.DeclareExpose("@exposed")
	_, err = b.Finish()
	for _, name := range []string{"@untyped", "@cell", "@const", "@exposed"} {
		if want := name + " has no type"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no error %q in %v", want, err)
		}
	}
}
