package verify_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// otherOps has each operation that Mu text lacks, except those that package resume makes.
const otherOps = `
global @g: int<64> threadlocal
func @f: (int<64>) -> (int<64>)
func @one: (int<64>) -> (int<64>)
func @none: (int<64>) -> (int<64>)
version @one.v of @one {
^e(%n: int<64>):
  ret %n
}
func @all: (int<32> int<64> uptr<int<32>> funcref<(int<64>) -> (int<64>)> ref<void> float) -> ()
version @all.v of @all {
^e(%i: int<32>, %n: int<64>, %p: uptr<int<32>>, %fn: funcref<(int<64>) -> (int<64>)>, %r: ref<void>, %wrong: float):
  %1: int<32> = shlfar <int<32> int<64>> %i %n
  %2: int<32> = lshrfar <int<32> int<64>> %i %n
  %3: int<32> = ashrfar <int<32> int<64>> %i %n
  %4: int<32> = rotl <int<32> int<64>> %i %n
  %5: int<32> = rotr <int<32> int<64>> %i %n
  %6: int<64> = zextword %n
  %7: int<64> = sextword %n
  %8: uptr<void> = funcaddr <(int<64>) -> (int<64>)> %fn
  %9: funcref<(int<64>) -> (int<64>)> = funcat <(int<64>) -> (int<64>)> %8 bytes "":array<int<8> 0>
  %10: int<64> = allocamark
  allocareset %10
  memmove.ptr <int<32> int<64>> %p %p %n
  memfill.ptr <int<32> int<64>> %p %i %n
  %11: stackref = newstackwith <(int<64>) -> (int<64>)> %fn %n
  %12: funcref<(int<64>) -> (int<64>)> = funcnow <(int<64>) -> (int<64>)> %fn
  %13: iref<int<64>> = threadcell <int<64>> @g
  %14: int<1> = hastype <int<64>> %r
  collect
  %15: int<64> = collections
  setfinal %r %8
  finalnow %r
  %16: ref<void>, %17: uptr<void> = nextfinal
  %18: int<64> = finalsdue
  %19: int<64> = target #1
  %20: uptr<void> = refaddr <ref<void> uptr<void>> %r
  %21: ref<void> = refat <uptr<void> ref<void>> %20
  wpbranch #5 ^a() ^b()
^a():
  fail #TRAP bytes "text":array<int<8> 4>
^b():
  %22: int<1> = eq <int<64>> %n %n
  branch2 %22 ^c() ^d()
^c():
  failindex %n %n bytes "text":array<int<8> 4>
^d():
  %23: int<1> = eq <int<64>> %n %n
  branch2 %23 ^x() ^y()
^x():
  rethrow %r
^y():
  %24: int<1> = unchanged <(int<64>) -> (int<64>)> @one
  branch2 %24 ^z() ^w()
^z():
  unreachable
^w():
  %25: int<1> = landing
  branch2 %25 ^v() ^u()
^v():
  %26: int<64> = landed types(int<64>)
  unreachable
^u():
  unwind
}
`

// TestOtherOperations checks that there is a fault wherever an operand, a result or a type argument of such an
// operation is replaced by one of another type, or is missing.
func TestOtherOperations(t *testing.T) {
	parse := func() (*ir.Program, *ir.Version) {
		p, err := ir.Parse(nil, "ops", []byte(otherOps))
		if err != nil {
			t.Fatal(err)
		}
		return p, p.Find("@all").(*ir.Function).Versions[0]
	}
	p, v := parse()
	if err := verify.Err(verify.Program(p)); err != nil {
		t.Fatal(err)
	}
	for _, operand := range []string{"%fn", "@none"} {
		text := strings.Replace(otherOps, "unchanged <(int<64>) -> (int<64>)> @one", "unchanged <(int<64>) -> (int<64>)> "+operand, 1)
		q, err := ir.Parse(nil, "ops", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		err = verify.Err(verify.Program(q))
		if err == nil || !strings.Contains(err.Error(), "unchanged wants a constant, a function with a body") {
			t.Errorf("unchanged of %s: %v", operand, err)
		}
	}
	have := map[ir.Op]bool{}
	wrong := v.Blocks[0].Params[5]
	for id := range v.Insts {
		op := v.Insts[id].Op
		have[op] = true
		if _, ok := ir.OpByMnemonic(op.Info().Mnemonic); ok || op == ir.OpInvalid {
			continue
		}
		breaks := func(what string, change func(v *ir.Version, in *ir.Inst)) {
			p, v := parse()
			change(v, &v.Insts[id])
			if len(verify.Program(p)) == 0 {
				t.Errorf("%s: no fault with %s", op, what)
			}
		}
		in := &v.Insts[id]
		for i := range in.Args {
			breaks("a wrong operand", func(_ *ir.Version, in *ir.Inst) { in.Args[i] = wrong })
			breaks("an operand less", func(_ *ir.Version, in *ir.Inst) { in.Args = slices.Delete(in.Args, i, i+1) })
		}
		for _, r := range in.Results {
			breaks("a wrong result", func(v *ir.Version, _ *ir.Inst) { v.Values[r].Type = v.Values[wrong].Type })
		}
		breaks("another type argument", func(v *ir.Version, in *ir.Inst) { in.Ty = v.Func.Sig })
	}
	made := []ir.Op{ir.OpDispatch, ir.OpSuspend, ir.OpReload, ir.OpWoken}
	for op := ir.OpInvalid + 1; op < ir.NumOps; op++ {
		if _, ok := ir.OpByMnemonic(op.Info().Mnemonic); !ok && !have[op] && !slices.Contains(made, op) {
			t.Errorf("no instruction for %s", op)
		}
	}
}
