package front_test

import (
	"bytes"
	"cmp"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/front"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// world has what most tests need.
type world struct {
	*front.Program
	i64, i1 front.Type
	one     front.Sig // int<64> to int<64>
}

func newWorld() *world {
	p := front.New()
	w := &world{Program: p, i64: p.Make("@i64", front.Int(64)), i1: p.Make("@i1", front.Int(1))}
	w.one = p.Sig([]front.Type{w.i64}, []front.Type{w.i64})
	return w
}

// function begins @f.
func (w *world) function() *front.Body { return w.Func("@f", w.one).Body(at(10)) }

// Each mistake has the position that it was made at.
func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		name, want string
		build      func(w *world)
	}{
		{"type of an operand", "prog.lang:11:1: parameter 1: FADD wants float, got @i64", func(w *world) {
			b := w.function()
			b.At(at(11))
			b.Entry.Bin(front.FAdd, w.Make("", front.Float()), b.Args[0], b.Args[0])
			b.Entry.Ret(b.Args[0])
		}},
		{"value of another block", "prog.lang:12:1: ", func(w *world) {
			b := w.function()
			next := b.Block("next")
			b.Entry.Branch(next)
			b.At(at(12))
			next.Ret(b.Args[0])
		}},
		{"no value", "prog.lang:11:1: new_ret: rvs wants a value, got 0, which is no ID", func(w *world) {
			b := w.function()
			b.At(at(11))
			b.Entry.Ret(front.Value{})
		}},
		{"no terminator", "prog.lang:10:1: block %entry does not end with a terminator", func(w *world) {
			b := w.function()
			b.Entry.Bin(front.Add, w.i64, b.Args[0], b.Args[0])
		}},
		{"no instruction", "prog.lang:10:1: an instruction is missing", func(w *world) { w.function() }},
		{"no block", "prog.lang:10:1: new_dest_clause: dest wants a block, got 0, which is no ID", func(w *world) {
			b := w.function()
			b.Entry.Branch(nil)
		}},
		{"the entry as destination", "prog.lang:10:1: %entry is the entry block, which cannot be a destination", func(w *world) {
			b := w.function()
			b.Entry.Branch(b.Entry, b.Args[0])
		}},
		{"arguments of a block", "prog.lang:10:1: %next wants 1 argument, got 0", func(w *world) {
			b := w.function()
			next := b.Block("next")
			next.Ret(next.Param("x", w.i64))
			b.Entry.Branch(next)
		}},
		{"variable without a value", "prog.lang:12:1: variable x of @f has no value on some way to here", func(w *world) {
			b := w.function()
			x, yes, join := b.Var("x", w.i64), b.Block("yes"), b.Block("join")
			b.Entry.Branch2(b.Entry.Cmp(front.EQ, w.i64, b.Args[0], w.Int(w.i64, 0)), front.To(yes), front.To(join))
			yes.Set(x, w.Int(w.i64, 1))
			yes.Branch(join)
			b.At(at(12))
			join.Ret(join.Get(x))
		}},
		{"type of a variable", "prog.lang:10:1: ", func(w *world) {
			b := w.function()
			x, next := b.Var("x", w.i1), b.Block("next")
			b.Entry.Set(x, b.Args[0])
			b.Entry.Branch(next)
			next.Get(x)
			next.Ret(w.Int(w.i64, 1))
		}},
		{"variable of another function", "prog.lang:10:1: a variable of another function, or none, in @f", func(w *world) {
			b := w.function()
			b.Entry.Set(front.Var{}, b.Args[0])
			b.Entry.Ret(b.Args[0])
		}},
		{"two bodies", "prog.lang:20:1: @f has a body", func(w *world) {
			b := w.function()
			b.Entry.Ret(b.Args[0])
			c := w.FuncNamed("@f").Body(at(20))
			c.Entry.Ret(c.Args[0])
		}},
		{"name given twice", "prog.lang:3:1: @i64 is defined already", func(w *world) {
			w.At(at(3))
			w.Make("@i64", front.Int(8))
		}},
		{"no global name", `prog.lang:3:1: "t" is no name: a global name is @ and letters`, func(w *world) {
			w.At(at(3))
			w.Make("t", front.Int(8))
		}},
		{"no local name", `prog.lang:10:1: "a b" is no name in @f.v1.entry: a name is one word`, func(w *world) {
			b := w.function()
			b.Entry.Ret(b.Entry.Name(b.Entry.Bin(front.Add, w.i64, b.Args[0], b.Args[0]), "a b"))
		}},
		{"declared only", "prog.lang:4:1: new_type_ref: unknown @t as ty", func(w *world) {
			x := w.Declare("@t")
			w.At(at(4))
			w.Make("", front.Ref(x))
		}},
		{"defined twice", "new_type_int: @t is defined already, by new_type_int", func(w *world) {
			w.Define(w.Make("@t", front.Int(8)), front.Int(9))
		}},
		{"another program", "prog.lang:11:1: new_ret: something of another program is used", func(w *world) {
			b, other := w.function(), newWorld()
			b.At(at(11))
			b.Entry.Ret(b.Args[0], other.Int(other.i64, 1))
		}},
		{"clause of nothing", "prog.lang:10:1: an exception clause without an instruction in front of it, in @f", func(w *world) {
			b := w.function()
			b.Entry.Exc(front.To(b.Entry), front.To(b.Entry))
			b.Entry.Ret(b.Args[0])
		}},
		{"clause that cannot be", "prog.lang:10:1: an exception clause for an instruction that has one, or cannot have one, in @f", func(w *world) {
			b := w.function()
			b.Entry.Ret(b.Args[0])
			b.Entry.Exc(front.To(b.Entry), front.To(b.Entry))
		}},
		{"keep of nothing", "prog.lang:10:1: a keep-alive clause for an instruction that cannot have one, in @f", func(w *world) {
			b := w.function()
			b.Entry.Ret(b.Args[0])
			b.Entry.Keep(b.Args[0])
		}},
		{"watchpoint without destinations", "prog.lang:10:1: new_watchpoint: dis wants a destination clause, got 0", func(w *world) {
			w.function().Entry.Watchpoint(1)
		}},
		{"destinations of none", "prog.lang:10:1: destinations of a watchpoint that has some, or is none, in @f", func(w *world) {
			b := w.function()
			b.Entry.Ret(b.Args[0])
			b.Entry.WatchDests(front.To(b.Entry), front.To(b.Entry))
		}},
		{"common instruction", "prog.lang:10:1: unknown common instruction @uvm.no, in @f", func(w *world) {
			b := w.function()
			b.Entry.Common(front.Common{Name: "@uvm.no"})
			b.Entry.Ret(b.Args[0])
		}},
		{"values of a stack", "prog.lang:10:1: a stack continues with 1 values of 0 types, in @f", func(w *world) {
			b := w.function()
			b.Entry.SwapStackKill(w.NullConst("", w.Make("", front.StackRef())), front.Resume{Values: b.Args})
		}},
		{"deviations of old clients", "prog.lang:11:1: ", func(w *world) {
			b := w.function()
			b.At(at(11))
			b.Entry.Ret(w.Int(w.Make("", front.Int(8)), 1))
		}},
	} {
		w := newWorld()
		c.build(w)
		err := w.Check()
		var list front.Errors
		if !errors.As(err, &list) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error\n%v\nwant\n%s", c.name, err, c.want)
		}
		if again := w.Check(); again == nil || again.Error() != err.Error() {
			t.Errorf("%s: the second check says\n%v\nthe first\n%v", c.name, again, err)
		}
	}
}

// A variable keeps its value on the exceptional edge of the call whose result it gets.
func TestVarOnEdges(t *testing.T) {
	w := newWorld()
	ref := w.Make("@ref", front.Ref(w.Make("@void", front.Void())))
	g := w.Func("@g", w.one)
	gb := g.Body(at(1))
	fail, fine := gb.Block("fail"), gb.Block("fine")
	n := gb.Var("n", w.i64)
	gb.Entry.Set(n, gb.Args[0])
	gb.Entry.Branch2(gb.Entry.Cmp(front.EQ, w.i64, gb.Args[0], w.Int(w.i64, 0)), front.To(fail), front.To(fine))
	fail.Throw(w.NullConst("", ref))
	fine.Ret(fine.Bin(front.Mul, w.i64, fine.Get(n), w.Int(w.i64, 10)))

	b := w.function()
	x, join := b.Var("x", w.i64), b.Block("join")
	b.Entry.Set(x, w.Int(w.i64, -1))
	b.Entry.Set(x, b.Entry.CallFunc(g, b.Args[0])[0])
	b.Entry.Exc(front.To(join), front.To(join))
	join.Ret(join.Get(x))

	m := w.Func("@main", w.Sig(nil, nil)).Body(at(20)).Entry
	m.Trap()
	m.InstName("t")
	r0, r4 := m.CallFunc(w.FuncNamed("@f"), w.Int(w.i64, 0))[0], m.CallFunc(w.FuncNamed("@f"), w.Int(w.i64, 4))[0]
	m.Trap()
	m.Keep(m.Name(r0, "r0"), m.Name(r4, "r4"))
	m.InstName("u")
	m.Ret()
	var out, errs bytes.Buffer
	status, err := w.Run("", &out, &errs)
	if want := "trap main.v1.entry.t\ntrap main.v1.entry.u r0=-1 r4=40\n"; err != nil || status != 0 || out.String() != want {
		t.Errorf("status %d, %v, %s%s, want %s", status, err, out.String(), errs.String(), want)
	}
}

// Negative constants fit types of all widths, and numbers that do not fit are mistakes.
func TestIntConstants(t *testing.T) {
	w := newWorld()
	for _, bits := range []int{1, 2, 8, 63, 64, 65, 100, 127, 128} {
		ty := w.Make("", front.Int(bits))
		w.Int(ty, -1)
		if bits == 1 {
			continue
		}
		w.Int(ty, -2)
		hi, lo := ^uint64(0), ^uint64(0) // the least number
		if bits > 64 {
			hi, lo = hi<<(bits-65), 0
		} else {
			lo <<= bits - 1
		}
		w.IntConst("", ty, hi, lo)
	}
	w.Int(w.Make("", front.UPtr(w.i64)), 1<<40)
	late := w.Declare("@late")
	w.Int(late, -3)
	w.Define(late, front.Int(7))
	p, err := w.IR()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range p.Consts {
		if c.Type == p.Entities["@late"].(ir.TypeID) && c.Lo != 125 {
			t.Errorf("-3 in 7 bits is %d", c.Lo)
		}
	}
	for _, x := range []int64{128 * 2, -129} {
		w := newWorld()
		w.At(at(2))
		w.Int(w.Make("@i8", front.Int(8)), x)
		if err := w.Check(); err == nil || !strings.Contains(err.Error(), "prog.lang:2:1: ") || !strings.Contains(err.Error(), "does not fit in 8 bits") {
			t.Errorf("%d in int<8>: %v", x, err)
		}
	}
}

// factorial is a program that prints 20!.
func factorial() *front.Program {
	w := newWorld()
	b := w.function()
	loop, body, done := b.Block("loop"), b.Block("body"), b.Block("done")
	n, acc := b.Var("n", w.i64), b.Var("acc", w.i64)
	b.Entry.Set(n, b.Args[0])
	b.Entry.Set(acc, w.Int(w.i64, 1))
	b.Entry.Branch(loop)
	loop.Branch2(loop.Cmp(front.SLE, w.i64, loop.Get(n), w.Int(w.i64, 1)), front.To(done), front.To(body))
	body.Set(acc, body.Bin(front.Mul, w.i64, body.Get(acc), body.Get(n)))
	body.Set(n, body.Bin(front.Sub, w.i64, body.Get(n), w.Int(w.i64, 1)))
	body.Branch(loop)
	done.Ret(done.Get(acc))
	m := w.Func("@main", w.Sig(nil, nil)).Body(at(20)).Entry
	r := m.CallFunc(w.FuncNamed("@f"), w.Int(w.i64, 20))
	m.Trap()
	m.Keep(m.Name(r[0], "r"))
	m.InstName("fac")
	m.Ret()
	return w.Program
}

// The same program is interpreted, written as text, and translated to Go and built.
func TestSameProgram(t *testing.T) {
	const want = "trap main.v1.entry.fac r=2432902008176640000\n"
	p := factorial()
	var out bytes.Buffer
	if status, err := p.Run("", &out, &out); err != nil || status != 0 || out.String() != want {
		t.Errorf("interpreted: status %d, %v, %s", status, err, out.String())
	}
	text, err := p.Text("uir")
	if err != nil {
		t.Fatal(err)
	}
	q, diags := transpile.Load([]transpile.Source{{Name: "a.uir", Text: text}}, transpile.Options{Strict: true})
	if q == nil {
		t.Fatalf("%v\n%s", diags.Err(), text)
	}
	for _, form := range []string{"ir", "uir2014"} {
		if text, err := p.Text(form); err != nil || len(text) == 0 {
			t.Errorf("%s: %v", form, err)
		}
	}
	files, err := p.Go(transpile.Options{Optimize: 1, Lines: true})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := transpile.WriteModule(dir, "fac", files, uvm2go.Runtime); err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(dir, "fac.exe")
	build := exec.Command("go", "build", "-o", exe)
	build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod -trimpath -ldflags=-s", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(exe).CombinedOutput(); err != nil || string(out) != want {
		t.Errorf("built: %v, %s", err, out)
	}
}

// Every instruction can be made.
func TestEveryInstruction(t *testing.T) {
	w := newWorld()
	ty := func(s front.Shape) front.Type { return w.Make("", s) }
	i32, f, d, void := ty(front.Int(32)), ty(front.Float()), ty(front.Double()), ty(front.Void())
	pair, arr, vec := ty(front.Struct(w.i64, d)), ty(front.Array(w.i64, 4)), ty(front.Vector(i32, 4))
	hyb, rvoid, tag := ty(front.Hybrid(i32, w.i64)), ty(front.Ref(void)), ty(front.TagRef64())
	ptr, stack, cursor := ty(front.UPtr(w.i64)), ty(front.StackRef()), ty(front.FrameCursorRef())
	fptr, fref := ty(front.UFuncPtr(w.one)), ty(front.FuncRef(w.one))
	ty(front.WeakRef(pair))
	ty(front.ThreadRef())
	ty(front.IRef(cursor))
	ty(front.Struct(fref, tag))
	cell, table := w.Global("@cell", w.i64), w.Global("@table", arr)
	c1, k1 := w.Int(w.i64, 1), w.Int(i32, 1)
	ones := w.ListConst("", vec, k1, k1, k1, k1)
	both := w.ListConst("@both", pair, c1, w.DoubleConst("", d, 0.5))
	w.FloatConst("@half", f, 0.5)
	native := w.ExternConst("@abs", fptr, "labs")
	g := w.Func("@g", w.one)
	w.Expose("@exposed", g, w.Int(w.i64, 5))

	b := w.function()
	k, x := b.Entry, b.Args[0]
	k.Bin(front.Xor, w.i64, x, c1)
	k.BinStatus(front.Sub, front.Negative|front.Zero, w.i64, x, c1)
	yes := k.Cmp(front.ULT, w.i64, x, c1)
	k.Conv(front.Trunc, w.i64, i32, x)
	k.Select(w.i1, w.i64, yes, x, c1)
	k.InsertValue(pair, 0, both, k.ExtractValue(pair, 0, both))
	k.InsertElement(vec, i32, ones, k1, k.ExtractElement(vec, i32, ones, k1))
	k.Shuffle(vec, vec, ones, ones, ones)
	at0 := k.GetIRef(pair, k.New(pair))
	k.Load(front.Managed, front.NotAtomic, w.i64, k.Field(front.Managed, pair, 0, at0))
	k.VarPart(front.Managed, hyb, k.GetIRef(hyb, k.NewHybrid(hyb, w.i64, x)))
	k.Store(front.Managed, front.Release, w.i64, k.Alloca(w.i64), x)
	k.AllocaHybrid(hyb, w.i64, x)
	k.Shift(front.Managed, w.i64, w.i64, k.Elem(front.Managed, arr, w.i64, table, c1), c1)
	k.Load(front.Raw, front.Relaxed, w.i64, w.Int(ptr, 4096))
	k.CmpXchg(front.Managed, front.SeqCst, front.Relaxed, w.i64, cell, x, c1)
	k.RMW(front.Managed, front.AcqRel, front.RMWAdd, w.i64, cell, x)
	k.Fence(front.SeqCst)
	k.Call(w.one, g.Value, x)
	k.CCall(fptr, w.one, native, x)
	k.Keep(x)
	k.Trap(w.i64)
	k.Keep(x)
	st := k.Common(front.Common{Name: "@uvm.new_stack", Sigs: []front.Sig{w.one}, Args: []front.Value{g.Value}, Results: 1})[0]
	resume := front.Resume{Types: []front.Type{w.i64}, Values: []front.Value{x}}
	k.NewThread(st, front.Value{}, resume)
	k.SwapStack(st, front.Resume{Throw: w.NullConst("", rvoid)}, w.i64)
	addr := k.Common(front.Common{Name: "@uvm.native.expose", Sigs: []front.Sig{w.one}, Args: []front.Value{g.Value, c1}, Results: 1, Native: true})
	k.Common(front.Common{Name: "@uvm.native.unexpose", Args: addr, Native: true})
	watched, plain, bad, tail, kill := b.Block("watched"), b.Block("plain"), b.Block("bad"), b.Block("tail"), b.Block("kill")
	r := k.Watchpoint(7, w.i64)
	k.WatchDests(front.To(plain), front.To(watched, r...), front.To(bad))
	watched.WPBranch(8, front.To(plain), front.To(tail, watched.Param("r", w.i64)))
	plain.Switch(w.i64, c1, front.To(kill), front.Case{Key: c1, Dest: front.To(plain)})
	bad.Throw(bad.Exception("e"))
	tail.TailCall(w.one, g.Value, tail.Param("r", w.i64))
	kill.SwapStackKill(w.NullConst("", stack), front.Resume{})
	if err := w.Check(); err != nil {
		t.Error(err)
	}
	if text, err := w.Text("uir"); err != nil || !strings.Contains(string(text), "WPEXC") {
		t.Errorf("%v\n%s", err, text)
	}
}

// A run-time error is at the author's line.
func TestPositionOfError(t *testing.T) {
	w := newWorld()
	b := w.function()
	b.At(front.Pos{File: "prog.lang", Line: 33, Col: 5})
	b.Entry.Ret(b.Entry.Bin(front.SDiv, w.i64, w.Int(w.i64, 1), b.Args[0]))
	m := w.Func("@main", w.Sig(nil, nil)).Body(at(40)).Entry
	m.CallFunc(w.FuncNamed("@f"), w.Int(w.i64, 0))
	m.Ret()
	var out, errs bytes.Buffer
	if _, err := w.Run("", &out, &errs); err != nil || !strings.Contains(errs.String(), "DIV_BY_ZERO") || !strings.Contains(errs.String(), "prog.lang:33") {
		t.Errorf("%v, %s", err, errs.String())
	}
}

// TestVersion gives the bodies of a function in two programs different names.
func TestVersion(t *testing.T) {
	for _, ver := range []string{"", "v2"} {
		p := front.New()
		i64 := p.Make("@i64", front.Int(64))
		f := p.Func("@f", p.Sig(nil, []front.Type{i64}))
		if ver != "" {
			f.Version(ver)
		}
		f.Body(front.Pos{}).Entry.Ret(p.Int(i64, 1))
		text, err := p.Text("uir")
		if want := ".funcdef @f VERSION %" + cmp.Or(ver, "v1") + " "; err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%v, no %q in\n%s", err, want, text)
		}
	}
}
