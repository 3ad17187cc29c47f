package nodes_test

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
)

// BenchmarkBuild makes functions with 100,000 instructions altogether, and the representation of them.
func BenchmarkBuild(b *testing.B) {
	rows := map[string]*nodes.Row{}
	for i := range nodes.Rows {
		rows[nodes.Rows[i].Name] = &nodes.Rows[i]
	}
	for b.Loop() {
		next := uint32(70000)
		m := nodes.New(nodes.Program{
			NextID: func() uint32 { next++; return next },
			Known:  func(uint32) nodes.Kind { return nodes.None },
			NameOf: func(uint32) string { return "" },
		})
		do := func(name string, args ...nodes.Operand) int {
			n, err := m.Call(rows[name], args)
			if err != nil {
				b.Fatal(name, err)
			}
			return n
		}
		node := func(n int) nodes.Operand { return nodes.Operand{Node: n} }
		list := func(n ...int) nodes.Operand { return nodes.Operand{Nodes: n} }
		word := func(n uint64) nodes.Operand { return nodes.Operand{Word: n} }
		whole := node(nodes.Whole)
		i64 := node(do("new_type_int", whole, word(64)))
		one := node(do("new_const_int", whole, i64, word(1)))
		sig := node(do("new_funcsig", whole, list(i64.Node), list(i64.Node)))
		for range 100 {
			v := node(do("new_func_ver", whole, node(do("new_func", whole, sig))))
			bb := node(do("new_bb", v))
			x := node(do("new_nor_param", bb, i64))
			for range 10 {
				for range 99 {
					add := node(do("new_binop", bb, word(1), i64, x, one))
					x = node(do("new_inst_res", add))
				}
				br := node(do("new_branch", bb))
				to := node(do("new_bb", v))
				do("add_dest", br, word(toNormal), to, list(x.Node))
				bb = to
				x = node(do("new_nor_param", bb, i64))
			}
			do("new_ret", bb, list(x.Node))
		}
		built, err := m.End()
		if err != nil {
			b.Fatal(err)
		}
		files := diag.NewSet()
		diags := diag.NewList(files)
		p := ir.NewProgram()
		p.Files = files
		if fault := mu.ExtendTree(p, files, built, mu.Running{Bodies: true}, diags); fault != mu.NoFault {
			b.Fatal(diags.Err())
		}
	}
}
