package ssabuild_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/ssabuild"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// A maker has what the tests make bodies with: @f from int<64> to int<64>.
type maker struct {
	*ir.BodyBuilder
	b   *ir.Builder
	i64 ir.TypeID
	s   *ssabuild.Builder
	bad []string // variables that were read without a definition
}

// used has made the bodies of other tests and seeds before.
var used = ssabuild.New(nil, nil)

func newMaker() *maker {
	b := ir.NewBuilder(nil)
	i64 := b.Types.Int(64)
	m := &maker{b: b, i64: i64}
	m.BodyBuilder = b.Body(b.Func("@f", b.Types.Sig([]ir.TypeID{i64}, []ir.TypeID{i64})), "v1")
	m.s = used
	m.s.Reset(m.V, func(block ir.BlockID, x ssabuild.Var, name string) ir.ValueID {
		m.bad = append(m.bad, m.V.BlockName(block)+" "+name)
		return m.Int(i64, -1)
	})
	return m
}

// finish ends the construction and prints the body.
func (m *maker) finish(t testing.TB) string {
	t.Helper()
	if err := m.s.Finish(); err != nil {
		t.Fatal(err)
	}
	p, err := m.b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if err := verify.Err(verify.Program(p)); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	ir.PrintVersion(&out, p, m.V)
	return out.String()
}

func (m *maker) want(t testing.TB, want string) {
	t.Helper()
	got := m.finish(t)
	// The first line has the number of the version.
	if _, got, _ = strings.Cut(got, "\n"); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// A loop with a variable that changes and one that does not.
func Example() {
	b := ir.NewBuilder(nil)
	i64 := b.Types.Int(64)
	f := b.Body(b.Func("@sum", b.Types.Sig([]ir.TypeID{i64}, []ir.TypeID{i64})), "v1")
	s := ssabuild.New(f.V, func(ir.BlockID, ssabuild.Var, string) ir.ValueID { return f.Int(i64, 0) })
	n, i, sum := s.Var(i64, "%n"), s.Var(i64, "%i"), s.Var(i64, "%sum")
	entry, loop, body, done := f.Current(), f.Block("%loop"), f.Block("%body"), f.Block("%done")

	s.Def(entry, n, f.Param(entry, 0))
	s.Def(entry, i, f.Int(i64, 0))
	s.Def(entry, sum, f.Int(i64, 0))
	f.Branch(loop)
	s.End(entry)

	f.At(loop)
	f.Branch2(f.Cmp(ir.OpSLT, s.Use(loop, i), s.Use(loop, n)), ir.To(body), ir.To(done))
	s.End(loop)

	f.At(body)
	s.Seal(body)
	s.Def(body, sum, f.Bin(ir.OpAdd, s.Use(body, sum), s.Use(body, i)))
	s.Def(body, i, f.Bin(ir.OpAdd, s.Use(body, i), f.Int(i64, 1)))
	f.Branch(loop)
	s.End(body)
	s.Seal(loop)

	f.At(done)
	f.Ret(s.Use(done, sum))
	s.End(done)
	if err := s.Finish(); err != nil {
		fmt.Println(err)
	}
	p, err := b.Finish()
	if err != nil {
		fmt.Println(err)
	}
	ir.PrintVersion(os.Stdout, p, f.V)
	// Output:
	// version @sum.v1 of @sum !65537 {
	// ^entry.0(%1: int<64>):
	//   branch ^loop.1(0:int<64> 0:int<64>)
	// ^loop.1(%i.3: int<64>, %sum.6: int<64>):
	//   %5: int<1> = slt <int<64>> %i.3 %1
	//   branch2 %5 ^body.2() ^done.3()
	// ^body.2():
	//   %7: int<64> = add <int<64>> %sum.6 %i.3
	//   %9: int<64> = add <int<64>> %i.3 1:int<64>
	//   branch ^loop.1(%9 %7)
	// ^done.3():
	//   ret %sum.6
	// }
}

// Two PHI nodes that exchange their values each time round the loop.
func TestPhiSwap(t *testing.T) {
	m := newMaker()
	entry, loop, done := m.Current(), m.Block("%loop"), m.Block("%done")
	m.Branch(loop)
	m.s.End(entry)
	m.At(loop)
	a, b := m.s.Phi(loop, m.i64, "%a"), m.s.Phi(loop, m.i64, "%b")
	m.s.Incoming(a, entry, m.Param(entry, 0))
	m.s.Incoming(b, entry, m.Int(m.i64, 7))
	m.s.Incoming(a, loop, b)
	m.s.Incoming(b, loop, a)
	m.Branch2(m.Cmp(ir.OpEQ, a, b), ir.To(done), ir.To(loop))
	m.s.End(loop)
	m.At(done)
	m.Ret(a)
	m.s.End(done)
	m.want(t, `^entry.0(%1: int<64>):
  branch ^loop.1(%1 7:int<64>)
^loop.1(%a.2: int<64>, %b.3: int<64>):
  %5: int<1> = eq <int<64>> %a.2 %b.3
  branch2 %5 ^done.2() ^loop.1(%b.3 %a.2)
^done.2():
  ret %a.2
}
`)
}

// If a SWITCH has two edges from one block to a PHI node, the node gets its argument on both.
func TestPhiParallelEdges(t *testing.T) {
	m := newMaker()
	entry, join := m.Current(), m.Block("%join")
	m.Switch(m.Param(entry, 0), ir.To(join), ir.Case{Key: m.IntConst(m.i64, 1), Dest: ir.To(join)})
	m.s.End(entry)
	other := m.Block("%other")
	m.At(other)
	m.Branch(join)
	m.s.End(other)
	x := m.s.Phi(join, m.i64, "%x")
	m.s.Incoming(x, entry, m.Int(m.i64, 1))
	m.s.Incoming(x, other, m.Int(m.i64, 2))
	m.At(join)
	m.Ret(x)
	m.s.End(join)
	m.want(t, `^entry.0(%1: int<64>):
  switch <int<64>> %1 1:int<64> ^join.1(1:int<64>) ^join.1(1:int<64>)
^join.1(%x.3: int<64>):
  ret %x.3
^other.2():
  branch ^join.1(2:int<64>)
}
`)
}

// A PHI node that always has one value is no parameter, and neither is one that only
// seems to change because of another.
func TestPhiOfOneValue(t *testing.T) {
	m := newMaker()
	entry, loop, again, done := m.Current(), m.Block("%loop"), m.Block("%again"), m.Block("%done")
	m.Branch(loop)
	m.s.End(entry)
	m.At(loop)
	x := m.s.Phi(loop, m.i64, "%x")
	m.Branch2(m.Cmp(ir.OpEQ, x, m.Int(m.i64, 3)), ir.To(again), ir.To(done))
	m.s.End(loop)
	m.At(again)
	y := m.s.Phi(again, m.i64, "%y")
	m.Branch(loop)
	m.s.End(again)
	m.s.Incoming(y, loop, x)
	m.s.Incoming(x, again, y)
	m.s.Incoming(x, entry, m.Param(entry, 0))
	m.At(done)
	m.Ret(x)
	m.s.End(done)
	m.want(t, `^entry.0(%1: int<64>):
  branch ^loop.1()
^loop.1():
  %4: int<1> = eq <int<64>> %1 3:int<64>
  branch2 %4 ^again.2() ^done.3()
^again.2():
  branch ^loop.1()
^done.3():
  ret %1
}
`)
}

// The variable's value is the result of a call on the edge on which the call returns,
// and the old value on the other.
func TestDefOnEdge(t *testing.T) {
	m := newMaker()
	entry, join := m.Current(), m.Block("%join")
	x := m.s.Var(m.i64, "%x")
	m.s.Def(entry, x, m.Int(m.i64, 5))
	r := m.Call(m.FuncRef(m.V.Func), m.Param(entry, 0))
	m.Exc(ir.To(join), ir.To(join))
	m.s.End(entry)
	call := m.V.Values[r[0]].Def
	m.s.DefOnEdge(ir.InstID(call), 0, x, r[0])
	m.At(join)
	m.Ret(m.s.Use(join, x))
	m.s.End(join)
	m.want(t, `^entry.0(%1: int<64>):
  %4: int<64> = call <(int<64>) -> (int<64>)> @f %1 exc ^join.1(%4) ^join.1(5:int<64>)
^join.1(%x.5: int<64>):
  ret %x.5
}
`)
}

// A variable that no definition reaches is asked for, once for each block that reads it.
func TestUndefined(t *testing.T) {
	m := newMaker()
	entry, lost := m.Current(), m.Block("%lost")
	x, y := m.s.Var(m.i64, "%x"), m.s.Var(m.i64, "%y")
	m.Ret(m.Bin(ir.OpAdd, m.s.Use(entry, x), m.s.Use(entry, x)))
	m.s.End(entry)
	// A loop that nothing leads into.
	m.At(lost)
	m.Branch(lost)
	m.s.End(lost)
	m.s.Seal(lost)
	m.s.Use(lost, y)
	if err := m.s.Finish(); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(m.bad, ", "), "@f.v1.entry %x, @f.v1.lost %y"; got != want {
		t.Errorf("asked for %s, want %s", got, want)
	}
}

// Parameters that the reader has made itself stay in front.
func TestOwnParameters(t *testing.T) {
	m := newMaker()
	entry, join, left := m.Current(), m.Block("%join", m.i64), m.Block("%left")
	x := m.s.Var(m.i64, "%x")
	m.s.Def(entry, x, m.Int(m.i64, 1))
	m.Branch2(m.Cmp(ir.OpEQ, m.Param(entry, 0), m.Int(m.i64, 0)), ir.To(left), ir.To(join, m.Int(m.i64, 10)))
	m.s.End(entry)
	m.At(left)
	m.s.Def(left, x, m.Int(m.i64, 2))
	m.Branch(join, m.Int(m.i64, 20))
	m.s.End(left)
	m.At(join)
	m.Ret(m.Bin(ir.OpAdd, m.Param(join, 0), m.s.Use(join, x)))
	m.s.End(join)
	m.want(t, `^entry.0(%1: int<64>):
  %5: int<1> = eq <int<64>> %1 0:int<64>
  branch2 %5 ^left.2() ^join.1(10:int<64> 1:int<64>)
^join.1(%2: int<64>, %x.9: int<64>):
  %10: int<64> = add <int<64>> %2 %x.9
  ret %10
^left.2():
  branch ^join.1(20:int<64> 2:int<64>)
}
`)
}

// Wrong calls are errors, not wrong bodies.
func TestMisuse(t *testing.T) {
	tests := []struct {
		name, want string
		do         func(m *maker, entry, b ir.BlockID, x ssabuild.Var)
	}{
		{"ended twice", "@f.v1.b: the block is ended twice", func(m *maker, entry, b ir.BlockID, x ssabuild.Var) { m.s.End(b) }},
		{"no terminator", "@f.v1.c: the block is ended without a terminator", func(m *maker, entry, b ir.BlockID, x ssabuild.Var) { m.s.End(m.Block("%c")) }},
		{"defined too late", "@f.v1.b: %x is defined after the end of the block", func(m *maker, entry, b ir.BlockID, x ssabuild.Var) {
			m.s.Def(b, x, m.Int(m.i64, 1))
		}},
		{"edge to a sealed block", "@f.v1.entry: an edge to @f.v1.b, which is sealed", func(m *maker, entry, b ir.BlockID, x ssabuild.Var) {
			m.s.Seal(b)
			m.At(entry)
			m.Branch(b)
			m.s.End(entry)
		}},
		{"argument missing", "@f.v1.b: PHI node %p has no argument for @f.v1.entry", func(m *maker, entry, b ir.BlockID, x ssabuild.Var) {
			m.s.Phi(b, m.i64, "%p")
			m.At(entry)
			m.Branch(b)
			m.s.End(entry)
		}},
		{"no PHI node", "@f.v1.entry: an argument for a value that is no PHI node", func(m *maker, entry, b ir.BlockID, x ssabuild.Var) {
			m.s.Incoming(m.Param(entry, 0), entry, 0)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newMaker()
			entry, b := m.Current(), m.Block("%b")
			x := m.s.Var(m.i64, "%x")
			m.At(b)
			m.Ret(m.Int(m.i64, 0))
			m.s.End(b)
			tt.do(m, entry, b, x)
			if err := m.s.Finish(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}
