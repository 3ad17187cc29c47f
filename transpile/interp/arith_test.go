package interp

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// The operations on integers and floats against math/big.

var widths = []uint32{1, 6, 8, 16, 24, 32, 33, 52, 64, 65, 100, 127, 128}

// samples are unsigned numbers of n bits, including the interesting ones.
func samples(n uint32) []*big.Int {
	one := big.NewInt(1)
	full := new(big.Int).Lsh(one, uint(n))
	half := new(big.Int).Lsh(one, uint(n-1))
	var out []*big.Int
	seen := map[string]bool{}
	add := func(x *big.Int) {
		x = new(big.Int).Mod(x, full)
		if !seen[x.String()] {
			seen[x.String()] = true
			out = append(out, x)
		}
	}
	for i := int64(-3); i <= 9; i++ {
		add(big.NewInt(i))
		add(new(big.Int).Add(half, big.NewInt(i-2)))
	}
	for _, s := range []string{"63", "64", "65", "127", "0x123456789abcdef0", "0xfedcba9876543210fedcba9876543210", "0x5555555555555555aaaaaaaaaaaaaaaa"} {
		x, _ := new(big.Int).SetString(s, 0)
		add(x)
	}
	return out
}

func toSigned(x *big.Int, n uint32) *big.Int {
	if x.Bit(int(n)-1) == 1 {
		return new(big.Int).Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(n)))
	}
	return x
}

// bigBinary computes an operation; ok is false for division by zero.
func bigBinary(op ir.Op, x, y *big.Int, n uint32) (z *big.Int, ok bool) {
	z = new(big.Int)
	sx, sy := toSigned(x, n), toSigned(y, n)
	m := uint(0)
	for 1<<m < n {
		m++
	}
	k := uint(new(big.Int).Mod(y, new(big.Int).Lsh(big.NewInt(1), m)).Uint64())
	if isDivision(op) && y.Sign() == 0 {
		return nil, false
	}
	switch op {
	case ir.OpAdd:
		z.Add(x, y)
	case ir.OpSub:
		z.Sub(x, y)
	case ir.OpMul:
		z.Mul(x, y)
	case ir.OpUDiv:
		z.Quo(x, y)
	case ir.OpURem:
		z.Rem(x, y)
	case ir.OpSDiv:
		z.Quo(sx, sy)
	case ir.OpSRem:
		z.Rem(sx, sy)
	case ir.OpShl:
		z.Lsh(x, k)
	case ir.OpLShr:
		z.Rsh(x, k)
	case ir.OpAShr:
		z.Rsh(sx, k)
	case ir.OpAnd:
		z.And(x, y)
	case ir.OpOr:
		z.Or(x, y)
	case ir.OpXor:
		z.Xor(x, y)
	}
	return z.Mod(z, new(big.Int).Lsh(big.NewInt(1), uint(n))), true
}

func TestIntBinary(t *testing.T) {
	for _, n := range widths {
		ty := &ir.Type{Kind: ir.KInt, Bits: n}
		for op := ir.OpAdd; op <= ir.OpXor; op++ {
			f := scalarBinary(op, ty)
			if f == nil {
				t.Fatalf("no %s on int<%d>", op, n)
			}
			for _, x := range samples(n) {
				for _, y := range samples(n) {
					want, ok := bigBinary(op, x, y, n)
					if !ok {
						continue
					}
					got := f(FromBigInt(x, n), FromBigInt(y, n))
					if got.BigInt(128, false).Cmp(want) != 0 {
						t.Errorf("%s int<%d> %#x %#x = %#x, want %#x", op, n, x, y, got.BigInt(128, false), want)
					}
				}
			}
		}
	}
}

func TestIntCompare(t *testing.T) {
	for _, n := range widths {
		ty := &ir.Type{Kind: ir.KInt, Bits: n}
		for op := ir.OpEQ; op <= ir.OpULT; op++ {
			f := scalarCompare(op, ty)
			for _, x := range samples(n) {
				for _, y := range samples(n) {
					c := x.Cmp(y)
					if op >= ir.OpSGE && op <= ir.OpSLT {
						c = toSigned(x, n).Cmp(toSigned(y, n))
					}
					want := map[ir.Op]bool{
						ir.OpEQ: c == 0, ir.OpNE: c != 0,
						ir.OpSGE: c >= 0, ir.OpSGT: c > 0, ir.OpSLE: c <= 0, ir.OpSLT: c < 0,
						ir.OpUGE: c >= 0, ir.OpUGT: c > 0, ir.OpULE: c <= 0, ir.OpULT: c < 0,
					}[op]
					if got := f(FromBigInt(x, n), FromBigInt(y, n)); got != want {
						t.Errorf("%s int<%d> %#x %#x = %t", op, n, x, y, got)
					}
				}
			}
		}
	}
}

func TestIntConvert(t *testing.T) {
	m := newMachine(ir.NewProgram(), Config{})
	for _, n := range widths {
		for _, to := range widths {
			for op := ir.OpTrunc; op <= ir.OpSExt; op++ {
				f := m.scalarConvert(op, &ir.Type{Kind: ir.KInt, Bits: n}, &ir.Type{Kind: ir.KInt, Bits: to})
				if legal := op == ir.OpTrunc && to < n || op != ir.OpTrunc && to > n; legal != (f != nil) {
					t.Errorf("%s int<%d> int<%d>: legal %t", op, n, to, legal)
				}
				if f == nil {
					continue
				}
				for _, x := range samples(n) {
					want := x
					if op == ir.OpSExt {
						want = toSigned(x, n)
					}
					want = new(big.Int).Mod(want, new(big.Int).Lsh(big.NewInt(1), uint(to)))
					if got := f(FromBigInt(x, n)); got.BigInt(128, false).Cmp(want) != 0 {
						t.Errorf("%s int<%d> int<%d> %#x = %#x", op, n, to, x, got.BigInt(128, false))
					}
				}
			}
		}
	}
}

func TestIntToFP(t *testing.T) {
	float, double := &ir.Type{Kind: ir.KFloat}, &ir.Type{Kind: ir.KDouble}
	for _, n := range widths {
		for _, isSigned := range []bool{false, true} {
			for _, x := range samples(n) {
				v := x
				if isSigned {
					v = toSigned(x, n)
				}
				exact := new(big.Float).SetInt(v)
				want32, _ := exact.Float32()
				want64, _ := exact.Float64()
				if got := intToFP(n, float, isSigned)(FromBigInt(x, n)).AsFloat32(); got != want32 {
					t.Errorf("int<%d> %v to float = %g, want %g", n, v, got, want32)
				}
				if got := intToFP(n, double, isSigned)(FromBigInt(x, n)).AsFloat64(); got != want64 {
					t.Errorf("int<%d> %v to double = %g, want %g", n, v, got, want64)
				}
			}
		}
	}
	inf := intToFP(128, float, false)(Value{Lo: math.MaxUint64, Hi: math.MaxUint64}).AsFloat32()
	if !math.IsInf(float64(inf), 1) {
		t.Errorf("the largest int<128> to float = %g, want +Inf", inf)
	}
}

func TestFPToInt(t *testing.T) {
	xs := []float64{0, math.Copysign(0, -1), 0.5, -0.5, 0.999, -0.9, 1, -1, 1.5, 127, 127.9, 128, 200, -128, -129, -200, 255.9, 256,
		31, 32, 63, 64, 1e10, -1e10, 1 << 53, math.Ldexp(1, 63), -math.Ldexp(1, 63), math.Ldexp(1, 64), math.Ldexp(1, 100),
		math.Ldexp(1, 127), -math.Ldexp(1, 127), math.Ldexp(1, 128), 1e300, -1e300, math.Inf(1), math.Inf(-1), math.NaN()}
	for _, n := range widths {
		for _, isSigned := range []bool{false, true} {
			lo, hi := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(n))
			if isSigned {
				lo.Neg(new(big.Int).Lsh(big.NewInt(1), uint(n-1)))
				hi.Neg(lo)
			}
			hi.Sub(hi, big.NewInt(1))
			for _, x := range xs {
				want := new(big.Int)
				switch {
				case math.IsNaN(x):
				case math.IsInf(x, 1):
					want = hi
				case math.IsInf(x, -1):
					want = lo
				default:
					want, _ = big.NewFloat(x).Int(nil)
					if want.Cmp(lo) < 0 {
						want = lo
					}
					if want.Cmp(hi) > 0 {
						want = hi
					}
				}
				got := fpToInt(&ir.Type{Kind: ir.KDouble}, n, isSigned)(Float64(x)).BigInt(n, isSigned)
				if got.Cmp(want) != 0 {
					t.Errorf("double %g to int<%d>, signed %t = %v, want %v", x, n, isSigned, got, want)
				}
				if float64(float32(x)) == x || math.IsNaN(x) {
					got := fpToInt(&ir.Type{Kind: ir.KFloat}, n, isSigned)(Float32(float32(x))).BigInt(n, isSigned)
					if got.Cmp(want) != 0 {
						t.Errorf("float %g to int<%d>, signed %t = %v, want %v", x, n, isSigned, got, want)
					}
				}
			}
		}
	}
}

func TestFPCompare(t *testing.T) {
	xs := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN()}
	for _, x := range xs {
		for _, y := range xs {
			nan := x != x || y != y
			relation := map[string]bool{"EQ": x == y, "NE": x < y || x > y, "GT": x > y, "GE": x >= y, "LT": x < y, "LE": x <= y}
			want := map[string]bool{"FTRUE": true, "FFALSE": false, "FORD": !nan, "FUNO": nan}
			for r, holds := range relation {
				want["FO"+r] = !nan && holds
				want["FU"+r] = nan || holds
			}
			for name, w := range want {
				op, _ := ir.OpByMnemonic(name)
				for _, ty := range []*ir.Type{{Kind: ir.KDouble}, {Kind: ir.KFloat}} {
					a, b := Float64(x), Float64(y)
					if ty.Kind == ir.KFloat {
						a, b = Float32(float32(x)), Float32(float32(y))
					}
					if got := scalarCompare(op, ty)(a, b); got != w {
						t.Errorf("%s %s %g %g = %t", name, ty.Kind, x, y, got)
					}
				}
			}
		}
	}
}

// Worked examples that the tables above do not cover.
func TestFPVectors(t *testing.T) {
	inf, nan, minus0 := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct {
		op         ir.Op
		x, y, want float64
	}{
		{ir.OpFRem, 7, 4, 3}, {ir.OpFRem, 5.5, -2, 1.5}, {ir.OpFRem, -5.5, 2, -1.5}, {ir.OpFRem, 45, 4, 1},
		{ir.OpFRem, -4, 2, minus0}, {ir.OpFRem, 1, inf, 1}, {ir.OpFRem, inf, 1, nan}, {ir.OpFRem, 1, 0, nan},
		{ir.OpFDiv, 1, minus0, -inf}, {ir.OpFDiv, 0, 0, nan},
		{ir.OpFAdd, inf, -inf, nan}, {ir.OpFSub, 1, 1, 0}, {ir.OpFMul, -1, 0, minus0},
	} {
		got := scalarBinary(c.op, &ir.Type{Kind: ir.KDouble})(Float64(c.x), Float64(c.y)).AsFloat64()
		got32 := scalarBinary(c.op, &ir.Type{Kind: ir.KFloat})(Float32(float32(c.x)), Float32(float32(c.y))).AsFloat32()
		for _, g := range []float64{got, float64(got32)} {
			if math.Float64bits(g) != math.Float64bits(c.want) && !(g != g && c.want != c.want) {
				t.Errorf("%s %g %g = %g, want %g", c.op, c.x, c.y, g, c.want)
			}
		}
	}
}

// oneOp is a program whose entry function @f applies one operation to its
// parameters.
func oneOp(op ir.Op, ty, ty2 ir.TypeID, p *ir.Program, params []ir.TypeID, result ir.TypeID) {
	f := &ir.Function{Name: "@f", Sig: p.Types.Sig(params, []ir.TypeID{result}), ID: p.TakeID()}
	p.Funcs = append(p.Funcs, f)
	v := p.NewVersion(f, "@f.v", diag.Pos{})
	b := v.NewBlock("%e", diag.Pos{})
	var args []ir.ValueID
	for i, t := range params {
		args = append(args, v.AddParam(b, t, fmt.Sprintf("%%p%d", i)))
	}
	id := v.Append(b, ir.Inst{Op: op, Ty: ty, Ty2: ty2, Args: args}, []ir.TypeID{result}, nil)
	v.Append(b, ir.Inst{Op: ir.OpRet, Args: v.Insts[id].Results}, nil, nil)
}

func TestDecodedOperations(t *testing.T) {
	for _, n := range widths {
		for op := ir.OpAdd; op <= ir.OpXor; op++ {
			p := ir.NewProgram()
			ty := p.Types.Int(n)
			oneOp(op, ty, 0, p, []ir.TypeID{ty, ty}, ty)
			x, y := samples(n)[1], samples(n)[len(samples(n))-1]
			var stderr bytes.Buffer
			got, status, err := Call(p, "@f", []Value{FromBigInt(x, n), FromBigInt(y, n)}, Config{Stderr: &stderr})
			if err != nil {
				t.Fatal(err)
			}
			want, ok := bigBinary(op, x, y, n)
			if !ok {
				if status != StatusError || !strings.Contains(stderr.String(), "DIV_BY_ZERO at @f.v.e+0") {
					t.Errorf("%s int<%d> by zero: status %d, %s", op, n, status, stderr.String())
				}
				continue
			}
			if status != 0 || got[0].BigInt(128, false).Cmp(want) != 0 {
				t.Errorf("%s int<%d> %#x %#x = %v, want %#x", op, n, x, y, got, want)
			}
		}
	}
}

func TestVectorOperations(t *testing.T) {
	p := ir.NewProgram()
	ty := p.Types.Vector(p.Types.Int(6), 3)
	oneOp(ir.OpSDiv, ty, 0, p, []ir.TypeID{ty, ty}, ty)
	for _, c := range []struct{ args, want string }{
		{"[1 -7 -32],[1 2 -1]", "[1 -3 -32]"},
		{"[1 -7 -32],[1 0 -1]", "DIV_BY_ZERO"},
	} {
		args, err := dialect.ParseArgs(p, p.Funcs[0], c.args)
		if err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		vals, _, err := Call(p, "@f", Literals(p, args), Config{Stderr: &stderr})
		if err != nil {
			t.Fatal(err)
		}
		got, _ := Results(p, "@f", vals)
		if s := strings.Join(got, " ") + stderr.String(); !strings.Contains(s, c.want) {
			t.Errorf("SDIV %s = %s, want %s", c.args, s, c.want)
		}
	}
}
