package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// TestFirstBits compares the bits of first operands that are demanded according to the table of operations
// with those that change results of the interpreter, for all operands of some small widths.
func TestFirstBits(t *testing.T) {
	tried := map[ir.Bits]bool{}
	for op := ir.OpInvalid + 1; op < ir.NumOps; op++ {
		info := op.Info()
		if info.Bits == ir.BitsAll {
			continue
		}
		tried[info.Bits] = true
		switch {
		case op == ir.OpTrunc:
			firstBits1(t, op, 5, 3)
		case info.Class == ir.ClassConv:
			firstBits1(t, op, 3, 5)
		case info.Class == ir.ClassIntBin:
			firstBits2(t, op, 3, 3)
			firstBits2(t, op, 4, 4)
		default:
			firstBits2(t, op, 3, 1)
			firstBits2(t, op, 4, 1)
		}
	}
	for b := ir.BitsSame; b <= ir.BitsAfter; b++ {
		if !tried[b] {
			t.Errorf("no operation has bits=%d", b)
		}
	}
}

// firstBits1 tries an operation with one operand of n bits and a result of r.
func firstBits1(t *testing.T, op ir.Op, n, r uint32) {
	t.Helper()
	results := evaluate(t, n, fmt.Sprintf(`func @f: (int<%[2]d>) -> (int<%[3]d>)
version @f.v of @f {
^e(%%x: int<%[2]d>):
  %%r: int<%[3]d> = %[1]s <int<%[2]d> int<%[3]d>> %%x
  ret %%r
}
`, op, n, r))
	for want := uint64(1); want <= mask(r); want++ {
		if got, real := firstBits(op.Info(), n, want, 0), changing(results, n, want); got != real {
			t.Errorf("%s <%d %d>: bits %b of the result take %b, by the table %b", op, n, r, want, real, got)
		}
	}
}

// firstBits2 tries an operation with operands of n bits and a result of r. With sums and products,
// which bits count depends on more of the constant than the table looks at: there must be a
// constant for each bit.
func firstBits2(t *testing.T, op ir.Op, n, r uint32) {
	t.Helper()
	var results [][]uint64 // by the second operand
	for c := range uint64(1) << n {
		results = append(results, evaluate(t, n, fmt.Sprintf(`func @f: (int<%[2]d>) -> (int<%[3]d>)
version @f.v of @f {
^e(%%x: int<%[2]d>):
  %%r: int<%[3]d> = %[1]s <int<%[2]d>> %%x %[4]d:int<%[2]d>
  ret %%r
}
`, op, n, r, c)))
	}
	exact := !slices.Contains([]ir.Bits{ir.BitsBelow, ir.BitsProduct}, op.Info().Bits)
	for want := uint64(1); want <= mask(r); want++ {
		var anyGot, anyReal uint64
		for c := range results {
			got, real := firstBits(op.Info(), n, want, uint64(c)), changing(results[c], n, want)
			anyGot |= got
			anyReal |= real
			if real&^got != 0 || exact && got != real {
				t.Errorf("%s <%d> by %d: bits %b of the result take %b, by the table %b", op, n, c, want, real, got)
			}
		}
		if anyGot != anyReal {
			t.Errorf("%s <%d>: bits %b of the result take %b of some operand, by the table %b", op, n, want, anyReal, anyGot)
		}
	}
}

// evaluate lists what @f returns for every operand of n bits.
func evaluate(t *testing.T, n uint32, text string) []uint64 {
	t.Helper()
	p, err := ir.Parse(nil, "p.ir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var out []uint64
	for x := range uint64(1) << n {
		var report strings.Builder
		res, status, err := interp.Call(p, "@f", []interp.Value{{Lo: x}}, interp.Config{Stderr: &report})
		if err != nil || status != 0 || len(res) != 1 {
			t.Fatalf("%s%d: %v, status %d, %v %s", text, x, res, status, err, report.String())
		}
		out = append(out, res[0].Lo)
	}
	return out
}

// changing are the bits of the operand that change the bits want of a result.
func changing(results []uint64, n uint32, want uint64) (bits uint64) {
	for x := range results {
		for i := range n {
			if (results[x]^results[x^1<<i])&want != 0 {
				bits |= 1 << i
			}
		}
	}
	return bits
}
