package gogen

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
)

// fib builds the recursive Fibonacci function by hand.
func fib(p *ir.Program) *ir.Function {
	ty := p.Types
	i64, i1 := ty.Int(64), ty.Int(1)
	sig := ty.Sig([]ir.TypeID{i64}, []ir.TypeID{i64})
	f := &ir.Function{Name: "@fib", Sig: sig}
	p.Funcs = append(p.Funcs, f)
	p.Entities[f.Name] = f
	v := p.NewVersion(f, "@fib.v1", diag.Pos{})
	lit := func(n uint64) ir.ValueID {
		return v.ConstValue(&ir.Const{Kind: ir.ConstInt, Type: i64, Lo: n})
	}
	self := v.ConstValue(&ir.Const{Kind: ir.ConstFunc, Type: ty.Of(ir.KFuncRef, sig), Func: f})
	entry, base, rec := v.NewBlock("%entry", diag.Pos{}), v.NewBlock("%base", diag.Pos{}), v.NewBlock("%rec", diag.Pos{})
	n := v.AddParam(entry, i64, "%n")
	bn := v.AddParam(base, i64, "%n")
	rn := v.AddParam(rec, i64, "%n")
	c := v.Append(entry, ir.Inst{Op: ir.OpSLT, Ty: i64, Args: []ir.ValueID{n, lit(2)}}, []ir.TypeID{i1}, []string{"%c"})
	v.Append(entry, ir.Inst{Op: ir.OpBranch2, Args: []ir.ValueID{v.Insts[c].Results[0]}, Dests: []ir.Dest{
		{Block: base, Args: []ir.ValueID{n}}, {Block: rec, Args: []ir.ValueID{n}}}}, nil, nil)
	v.Append(base, ir.Inst{Op: ir.OpRet, Args: []ir.ValueID{bn}}, nil, nil)
	bin := func(op ir.Op, a, b ir.ValueID, name string) ir.ValueID {
		id := v.Append(rec, ir.Inst{Op: op, Ty: i64, Args: []ir.ValueID{a, b}}, []ir.TypeID{i64}, []string{name})
		return v.Insts[id].Results[0]
	}
	call := func(a ir.ValueID, name string) ir.ValueID {
		id := v.Append(rec, ir.Inst{Op: ir.OpCall, Sig: sig, Args: []ir.ValueID{self, a}}, []ir.TypeID{i64}, []string{name})
		return v.Insts[id].Results[0]
	}
	n1 := bin(ir.OpSub, rn, lit(1), "%n1")
	n2 := bin(ir.OpSub, rn, lit(2), "%n2")
	r := bin(ir.OpAdd, call(n1, "%a"), call(n2, "%b"), "%r")
	v.Append(rec, ir.Inst{Op: ir.OpRet, Args: []ir.ValueID{r}}, nil, nil)
	return f
}

func TestShapeOfRecursion(t *testing.T) {
	p := ir.NewProgram()
	fib(p)
	files, err := Generate(facts.Of(p, facts.Options{}), Options{Options: repr.Options{Package: "main"}, Runtime: "example.com/rtlib", Call: "@fib", CallArgs: []*ir.Const{{Kind: ir.ConstInt, Type: p.Types.Int(64), Lo: 10}}})
	if err != nil {
		t.Fatal(err)
	}
	all := ""
	for _, f := range files {
		all += "== " + f.Name + "\n" + string(f.Data)
	}
	for _, want := range []string{
		"func fib(t *rt.Ctx, n uint64) (r0 uint64) {",
		"if int64(n) < int64(2) {",
		"a := fib(t, n-1)",
		"\t\tt.SP = fp\n\t\treturn\n",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("output lacks %q", want)
		}
	}
	if t.Failed() {
		t.Log(all)
	}
}
