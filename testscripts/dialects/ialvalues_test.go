package dialects_test

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// A numType is a type of numbers of IAL.
type numType struct {
	name     string
	literal  string // the type of literals it is made of
	load     string // the end of load.X for that
	width    int
	signed   bool
	float    bool
	operands []number
}

// A number is a value of a type: its bits, in the lowest width bits.
type number struct {
	bits uint64
	t    *numType
}

var numTypes = makeTypes()

func makeTypes() []numType {
	var types []numType
	for _, width := range []int{8, 16, 32, 64} {
		types = append(types,
			numType{name: fmt.Sprint("int", width), load: fmt.Sprint("i", width), width: width, signed: true},
			numType{name: fmt.Sprint("uint", width), load: fmt.Sprint("ui", width), width: width})
	}
	types = append(types,
		numType{name: "int", literal: "int64", load: "i64", width: 64, signed: true},
		numType{name: "uint", literal: "uint64", load: "ui64", width: 64},
		numType{name: "float32", load: "f32", width: 32, float: true},
		numType{name: "float64", load: "f64", width: 64, float: true})
	for i := range types {
		t := &types[i]
		if t.literal == "" {
			t.literal = t.name
		}
		if t.float {
			t.operands = t.floats()
		} else {
			t.operands = t.integers()
		}
	}
	return types
}

func typeNamed(name string) numType {
	for _, t := range numTypes {
		if t.name == name {
			return t
		}
	}
	panic(name)
}

func (t *numType) integers() []number {
	top := uint64(1) << (t.width - 1)
	var all []number
	for _, bits := range []uint64{0, 1, 2, 3, 7, 100, top - 1, top, top + 1, ^uint64(0), ^uint64(1), ^uint64(6), 0x5a5a5a5a5a5a5a5a, 0xc3a5c3a5c3a5c3a5} {
		all = append(all, number{bits & t.mask(), t})
	}
	if t.width == 64 { // near the precision of floats
		for _, bits := range []uint64{1<<53 + 1, 1<<54 + 2, 1<<54 + 6, 1<<24 + 1, 1<<63 - 1<<38, 0xfffffffffffffbff, 0xfffffffffffffc00} {
			all = append(all, number{bits, t})
		}
	}
	return all
}

func (t *numType) floats() []number {
	var all []number
	for _, x := range []float64{0, math.Copysign(0, -1), 1, -1, 1.5, -2.5, 0.1, 3, -0.9, 127.9, 128, -128.9, -129, 255.9, 256, 32767.5, 32768, 65535.5, 65536,
		2147483647, 2147483648, -2147483648, -2147483904, 4294967040, 4294967296, 9.2233720368547e18, 9.223372036854775807e18, -9.223372036854775808e18,
		1.8446744073709550e19, 1.8446744073709551616e19, 16777217, math.MaxFloat32, 1e300, -1e-300, math.SmallestNonzeroFloat64, 1e-45, math.Inf(1), math.Inf(-1), math.NaN()} {
		if t.width == 32 && !math.IsInf(x, 0) && (math.Abs(x) > math.MaxFloat32 || x != 0 && math.Abs(x) < 1e-45) {
			continue
		}
		all = append(all, t.of(x))
	}
	return all
}

func shiftAmounts(width int) []number {
	word := typeNamed("uint")
	var all []number
	for _, n := range []int{0, 1, 5, width / 2, width - 1, width, width + 1, 2*width + 3, 1 << 32, 1<<32 + 3} {
		all = append(all, number{uint64(n), &word})
	}
	return append(all, number{1 << 63, &word}, number{^uint64(0), &word})
}

func (t *numType) mask() uint64 { return ^uint64(0) >> (64 - t.width) }

// of rounds to a value of a type of floats. All NaN are the quiet one.
func (t *numType) of(x float64) number {
	switch {
	case x != x && t.width == 32:
		return number{0x7fc00000, t}
	case x != x:
		return number{0x7ff8000000000000, t}
	case t.width == 32:
		return number{uint64(math.Float32bits(float32(x))), t}
	}
	return number{math.Float64bits(x), t}
}

func (n number) toFloat() float64 {
	if n.t.width == 32 {
		return float64(math.Float32frombits(uint32(n.bits)))
	}
	return math.Float64frombits(n.bits)
}

func (n number) toInt() *big.Int {
	if n.t.signed && n.bits>>(n.t.width-1) != 0 {
		return big.NewInt(int64(n.bits | ^n.t.mask()))
	}
	return new(big.Int).SetUint64(n.bits)
}

// wrap is an integer modulo the type's width.
func (t *numType) wrap(i *big.Int) number {
	low := new(big.Int).And(i, new(big.Int).SetUint64(t.mask()))
	return number{low.Uint64(), t}
}

// hashed are the bits that the program mixes into its hash: those of integers extended by their sign, those of
// one NaN for all, unless the bits of NaN are tested themselves.
func (n number) hashed(raw bool) uint64 {
	switch {
	case !n.t.float && n.t.signed:
		return uint64(n.toInt().Int64())
	case n.t.float && !raw && n.toFloat() != n.toFloat():
		return 0x7ff8
	}
	return n.bits
}

// writeBits writes the functions of the program that do the same.
func (t *numType) writeBits(b *strings.Builder) {
	if !t.float {
		for _, name := range []string{"raw", "bits"} {
			fmt.Fprintf(b, "function uint64 %s_%s(%[2]s) { register %[2]s x; register uint64 r; block entry { x = arg.pop; r = conv x; return r; } }\n", name, t.name)
		}
		return
	}
	fmt.Fprintf(b, "function uint64 raw_%s(%[1]s) { register %[1]s x; register %[1]s* p; register uint%[2]d* q; register uint%[2]d w; register uint64 r;"+
		" block entry { x = arg.pop; p = mem.addr x; q = conv p; w = mem.get q; r = conv w; return r; } }\n", t.name, t.width)
	fmt.Fprintf(b, "function uint64 bits_%s(%[1]s) { register %[1]s x; register uint odd; register uint64 r; block entry { x = arg.pop; odd = cmp.neq x, x; jump.cond odd (odd, fine); }"+
		" block odd { r = load.ui64 (0x7ff8); return r; } block fine { arg.push x; r = call (raw_%[1]s); return r; } }\n", t.name)
}

// text is the number as a literal of IAL.
func (n number) text() string {
	if !n.t.float {
		return n.toInt().String()
	}
	x := n.toFloat()
	switch {
	case x != x:
		return "nan"
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	s := strconv.FormatFloat(x, 'e', -1, n.t.width)
	if mantissa, exponent, _ := strings.Cut(s, "e"); !strings.Contains(mantissa, ".") {
		return mantissa + ".0e" + exponent
	}
	return s
}

// array is the code that makes a new array of numbers by way of a vector of literals.
func (t numType) array(to, vector string, numbers []number) string {
	var all []string
	for _, n := range numbers {
		all = append(all, n.text())
	}
	if t.literal == t.name {
		return fmt.Sprintf("%s = load.%sa (%s);", to, t.load, strings.Join(all, ", "))
	}
	return fmt.Sprintf("%s = load.%sa (%s); more = array.len %[1]s; %[4]s = mem.alloc more; array.conv %[1]s, %[4]s;", vector, t.load, strings.Join(all, ", "), to)
}

// scalar is the code that loads a number.
func (t numType) scalar(to, word string, n number) string {
	if t.literal == t.name {
		return fmt.Sprintf("%s = load.%s (%s);", to, t.load, n.text())
	}
	return fmt.Sprintf("%s = load.%s (%s); %s = conv %[1]s;", word, t.load, n.text(), to)
}
