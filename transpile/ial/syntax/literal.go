package syntax

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// The bits of the quiet NaN.
const (
	nan32 = 0x7fc00000
	nan64 = 0x7ff8000000000000
)

// A rangeOf has the least and the greatest value of an integer type.
type rangeOf struct {
	least    int64
	greatest uint64
	bits     int
}

var ranges = map[module.Kind]rangeOf{
	module.Int8: {math.MinInt8, math.MaxInt8, 8}, module.Uint8: {0, math.MaxUint8, 8},
	module.Int16: {math.MinInt16, math.MaxInt16, 16}, module.Uint16: {0, math.MaxUint16, 16},
	module.Int32: {math.MinInt32, math.MaxInt32, 32}, module.Uint32: {0, math.MaxUint32, 32},
	module.Int64: {math.MinInt64, math.MaxInt64, 64}, module.Uint64: {0, math.MaxUint64, 64},
}

// Bits returns the bits of the literal as a value of a type that literals may have,
// zero-extended.
func (l Lit) Bits(k module.Kind) (uint64, error) {
	if k == module.Float32 || k == module.Float64 {
		return l.float(k)
	}
	r := ranges[k]
	if l.Kind != Int {
		return 0, fmt.Errorf("wanted an integer, found %s", l.show())
	}
	digits, negative := l.Text, false
	switch digits[0] {
	case '-':
		digits, negative = digits[1:], true
	case '+':
		digits = digits[1:]
	}
	base := 10
	if strings.HasPrefix(digits, "0x") {
		digits, base = digits[2:], 16
	}
	n, err := strconv.ParseUint(digits, base, 64)
	if err != nil || !negative && n > r.greatest || negative && n > -uint64(r.least) {
		return 0, fmt.Errorf("%s is out of range: wanted %d to %d", l.show(), r.least, r.greatest)
	}
	if negative {
		n = -n & (1<<(r.bits-1)<<1 - 1)
	}
	return n, nil
}

// float returns the bits of a floating-point literal, rounded to nearest even.
func (l Lit) float(k module.Kind) (uint64, error) {
	size := 64
	if k == module.Float32 {
		size = 32
	}
	if l.Kind == Int && strings.Contains(l.Text, "x") {
		return 0, fmt.Errorf("wanted a decimal literal, found %s", l.show())
	}
	if strings.HasSuffix(l.Text, "nan") {
		bits := uint64(nan64)
		if size == 32 {
			bits = nan32
		}
		if l.Text[0] == '-' {
			bits |= 1 << (size - 1)
		}
		return bits, nil
	}
	f, _ := strconv.ParseFloat(l.Text, size) // an overflow gives an infinity
	if size == 32 {
		return uint64(math.Float32bits(float32(f))), nil
	}
	return math.Float64bits(f), nil
}

// show returns the spelling of the literal in messages.
func (l Lit) show() string { return lex.Quote([]byte(l.Text)) }
