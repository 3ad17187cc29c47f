package ial_test

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/interp"
)

// Arithmetic on integers is compared with numbers of any size, taken modulo 2^n.

type intType struct {
	name, load string
	bits       uint
	signed     bool
}

var intTypes = []intType{
	{"int8", "i8", 8, true}, {"uint8", "ui8", 8, false}, {"int16", "i16", 16, true}, {"uint16", "ui16", 16, false},
	{"int32", "i32", 32, true}, {"uint32", "ui32", 32, false}, {"int64", "i64", 64, true}, {"uint64", "ui64", 64, false},
	{"int", "i64", 64, true}, {"uint", "ui64", 64, false},
}

// wrap takes a number modulo 2^n, with the sign that its type has.
func (t intType) wrap(x *big.Int) *big.Int {
	m := new(big.Int).Lsh(big.NewInt(1), t.bits)
	x = new(big.Int).Mod(x, m)
	if t.signed && x.Bit(int(t.bits)-1) != 0 {
		x.Sub(x, m)
	}
	return x
}

// pattern is the bits of x read as an unsigned number.
func (t intType) pattern(x *big.Int) *big.Int {
	return new(big.Int).Mod(x, new(big.Int).Lsh(big.NewInt(1), t.bits))
}

func (t intType) values() []*big.Int {
	max := new(big.Int).Lsh(big.NewInt(1), t.bits)
	half := new(big.Int).Rsh(max, 1)
	var vs []*big.Int
	for _, x := range []*big.Int{big.NewInt(0), big.NewInt(1), big.NewInt(7), big.NewInt(-1), big.NewInt(-3), half, new(big.Int).Sub(half, big.NewInt(1))} {
		vs = append(vs, t.wrap(x))
	}
	return vs
}

// intOps compute the results of operations; nil if the operation fails.
var intOps = map[string]func(t intType, x, y *big.Int) *big.Int{
	"ari.add": func(_ intType, x, y *big.Int) *big.Int { return new(big.Int).Add(x, y) },
	"ari.sub": func(_ intType, x, y *big.Int) *big.Int { return new(big.Int).Sub(x, y) },
	"ari.mul": func(_ intType, x, y *big.Int) *big.Int { return new(big.Int).Mul(x, y) },
	"ari.div": func(_ intType, x, y *big.Int) *big.Int {
		if y.Sign() == 0 {
			return nil
		}
		return new(big.Int).Quo(x, y)
	},
	"ari.rem": func(_ intType, x, y *big.Int) *big.Int {
		if y.Sign() == 0 {
			return nil
		}
		return new(big.Int).Rem(x, y)
	},
	"bit.and": func(_ intType, x, y *big.Int) *big.Int { return new(big.Int).And(x, y) },
	"bit.or":  func(_ intType, x, y *big.Int) *big.Int { return new(big.Int).Or(x, y) },
	"bit.xor": func(_ intType, x, y *big.Int) *big.Int { return new(big.Int).Xor(x, y) },
	"ari.neg": func(_ intType, x, _ *big.Int) *big.Int { return new(big.Int).Neg(x) },
	"bit.neg": func(_ intType, x, _ *big.Int) *big.Int { return new(big.Int).Not(x) },
	"not": func(_ intType, x, _ *big.Int) *big.Int {
		return big.NewInt(int64(1 - x.Sign()*x.Sign()))
	},
	"shl": func(t intType, x, y *big.Int) *big.Int { return new(big.Int).Lsh(x, clamp(y)) },
	"shr": func(t intType, x, y *big.Int) *big.Int { return new(big.Int).Rsh(x, clamp(y)) },
	"rol": func(t intType, x, y *big.Int) *big.Int { return rotate(t, x, clampTo(y, t.bits)) },
	"ror": func(t intType, x, y *big.Int) *big.Int { return rotate(t, x, t.bits-clampTo(y, t.bits)) },
}

func clamp(y *big.Int) uint { return uint(min(y.Uint64(), 200)) }

func clampTo(y *big.Int, bits uint) uint { return uint(y.Uint64() % uint64(bits)) }

func rotate(t intType, x *big.Int, n uint) *big.Int {
	p := t.pattern(x)
	high := new(big.Int).Lsh(p, n)
	return new(big.Int).Or(high, new(big.Int).Rsh(p, t.bits-n))
}

var intComparisons = map[string]func(c int) bool{
	"cmp.eq": func(c int) bool { return c == 0 }, "cmp.neq": func(c int) bool { return c != 0 },
	"cmp.lt": func(c int) bool { return c < 0 }, "cmp.gt": func(c int) bool { return c > 0 },
	"cmp.lteq": func(c int) bool { return c <= 0 }, "cmp.gteq": func(c int) bool { return c >= 0 },
}

// A tester writes functions that return the number of the first failed expectation, or 0.
// Operands are parameters, so that they are not constants.
type tester struct {
	strings.Builder
	n int
}

func (w *tester) check(typ, load, id, op string, unary bool, yType, yLoad string, x, y, want, wantType, wantLoad string) {
	w.n++
	yArg := ", b"
	if unary {
		yArg = ""
	}
	fmt.Fprintf(w, `function noinline %[8]s f%[1]d(%[2]s, %[3]s) { register %[2]s a; register %[3]s b; register %[8]s c;
  block entry { a = arg.pop; b = arg.pop; c = %[4]s a%[5]s; return c; } }
function uint t%[1]d() { register %[2]s a; register %[3]s b; register %[8]s c; register %[8]s d; register uint r;
  %[6]s %[7]s %[9]s
  block entry { %[10]s %[11]s %[12]s arg.push a; arg.push b; c = call (f%[1]d); r = cmp.eq c, d; return r; } }
`, w.n, typ, yType, op, yArg, scratch(typ, "a"), scratch(yType, "b"), wantType, scratch(wantType, "d"),
		assign(typ, load, "a", x), assign(yType, yLoad, "b", y), assign(wantType, wantLoad, "d", want))
}

// scratch declares the register through which a native word gets its value.
func scratch(typ, r string) string {
	switch typ {
	case "int":
		return "register int64 " + r + "w;"
	case "uint":
		return "register uint64 " + r + "w;"
	}
	return ""
}

func assign(typ, load, r, val string) string {
	if typ == "int" || typ == "uint" {
		return fmt.Sprintf("%sw = load.%s (%s); %s = conv %sw;", r, load, val, r, r)
	}
	return fmt.Sprintf("%s = load.%s (%s);", r, load, val)
}

// main calls all tests.
func (w *tester) main() string {
	fmt.Fprintf(w, "function uint64 first() { register uint ok; register uint64 n;\n block entry { jump (b1); }\n")
	for i := 1; i <= w.n; i++ {
		next := fmt.Sprintf("b%d", i+1)
		if i == w.n {
			next = "good"
		}
		fmt.Fprintf(w, " block b%d { n = load.ui64 (%d); ok = call (t%d); jump.cond ok (%s, bad); }\n", i, i, i, next)
	}
	w.WriteString(" block bad { return n; }\n block good { n = load.ui64 (0); return n; } }\n")
	return w.String()
}

func (w *tester) run(t *testing.T, what func(int) string) {
	t.Helper()
	text := w.main()
	for level := range 2 {
		p := load(t, level, transpile.Source{Name: "t.ial", Text: []byte(text)})
		r, status, err := interp.Call(p.IR, "@t/first", nil, interp.Config{})
		if err != nil || status != 0 {
			t.Fatal(err, status)
		}
		if n := int(r[0].Lo); n != 0 {
			t.Errorf("-O%d: wrong: %s", level, what(n))
		}
	}
}

func TestIntegers(t *testing.T) {
	for _, typ := range intTypes {
		t.Run(typ.name, func(t *testing.T) {
			var w tester
			var what []string
			add := func(op string, unary, count bool, x, y, want *big.Int, wantType, wantLoad string) {
				yType, yLoad := typ.name, typ.load
				if count {
					yType, yLoad = "uint", "ui64"
				}
				w.check(typ.name, typ.load, "", op, unary, yType, yLoad, x.String(), y.String(), want.String(), wantType, wantLoad)
				what = append(what, fmt.Sprintf("%s %s of %s and %s, want %s", op, typ.name, x, y, want))
			}
			for op, f := range intOps {
				unary := op == "ari.neg" || op == "bit.neg" || op == "not"
				count := op == "shl" || op == "shr" || op == "rol" || op == "ror"
				for _, x := range typ.values() {
					ys := typ.values()
					if unary {
						ys = ys[:1]
					} else if count {
						ys = []*big.Int{big.NewInt(0), big.NewInt(3), big.NewInt(int64(typ.bits) - 1), big.NewInt(int64(typ.bits)), big.NewInt(int64(typ.bits) + 5),
							new(big.Int).SetUint64(math.MaxUint64)}
					}
					for _, y := range ys {
						if want := f(typ, x, y); want != nil {
							add(op, unary, count, x, y, typ.wrap(want), typ.name, typ.load)
						}
					}
				}
			}
			for op, f := range intComparisons {
				for _, x := range typ.values() {
					for _, y := range typ.values() {
						want := big.NewInt(0)
						if f(x.Cmp(y)) {
							want.SetInt64(1)
						}
						add(op, false, false, x, y, want, "uint", "ui64")
					}
				}
			}
			for _, to := range intTypes {
				for _, x := range typ.values() {
					add("conv", true, false, x, x, to.wrap(x), to.name, to.load)
				}
			}
			w.run(t, func(n int) string { return what[n-1] })
		})
	}
}
