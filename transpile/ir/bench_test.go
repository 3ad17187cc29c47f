package ir_test

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// BenchmarkBuilder makes bodies of 24 instructions of the kinds that compilers emit most.
func BenchmarkBuilder(b *testing.B) {
	b.ReportAllocs()
	const perBody, bodies = 24, 1000
	for b.Loop() {
		x := ir.NewBuilder(nil)
		i64 := x.Types.Int(64)
		node := x.Types.Struct(i64, i64)
		sig := x.Types.Sig([]ir.TypeID{i64, x.Types.Ref(node)}, []ir.TypeID{i64})
		for range bodies {
			f := x.Body(x.Func("", sig), "v")
			f.Reserve(2, perBody, 2*perBody)
			n, ref := f.Param(0, 0), f.Param(0, 1)
			one := f.Int(i64, 1)
			body := f.Block("%body", i64)
			f.Branch(body, n)
			f.At(body)
			sum := f.Param(body, 0)
			loc := f.Field(f.GetIRef(ref), 1)
			for range (perBody - 5) / 5 {
				sum = f.Bin(ir.OpAdd, f.Load(loc, ir.NotAtomic), sum)
				sum = f.Select(f.Cmp(ir.OpSLT, sum, one), sum, one)
				f.Store(loc, sum, ir.NotAtomic)
			}
			f.Ret(f.Bin(ir.OpMul, sum, sum))
		}
		if _, err := x.Finish(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(perBody*bodies), "ns/inst")
}
