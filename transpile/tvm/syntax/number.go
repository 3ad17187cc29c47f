package syntax

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/tvm/op"
)

// An Int is a number of a type, modulo 2^n.
type Int struct {
	Type   op.Op // of integers
	Hi, Lo uint64
}

// MakeInt is a number modulo 2^n.
func MakeInt(t op.Op, v *big.Int) Int {
	mod := new(big.Int).Lsh(big.NewInt(1), t.Bits())
	x := new(big.Int).Mod(v, mod)
	lo := new(big.Int).And(x, new(big.Int).SetUint64(^uint64(0))).Uint64()
	return Int{t, x.Rsh(x, 64).Uint64(), lo}
}

// Bits is the number without sign.
func (n Int) Bits() *big.Int {
	v := new(big.Int).SetUint64(n.Hi)
	return v.Or(v.Lsh(v, 64), new(big.Int).SetUint64(n.Lo))
}

// Value is the number, with a sign if its type has one.
func (n Int) Value() *big.Int {
	v := n.Bits()
	if w := n.Type.Bits(); n.Type.Signed() && v.Bit(int(w)-1) == 1 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), w))
	}
	return v
}

// String writes the number as a literal.
func (n Int) String() string { return "#" + n.Type.Letters() + n.Value().String() }

// maxDigits is more than the digits of any number of 128 bits, with some zeros in front.
const maxDigits = 200

// ParseNumber reads a literal with its number sign.
func ParseNumber(text string) (Int, error) {
	rest := strings.TrimPrefix(text, "#")
	unsigned := strings.HasPrefix(rest, "u")
	if unsigned {
		rest = rest[1:]
	}
	const widths = "bsilqp"
	i := -1
	if rest != "" {
		i = strings.IndexByte(widths, rest[0])
	}
	if i < 0 {
		return Int{}, fmt.Errorf("bad number %s: wanted b, s, i, l, q or p for the type, or u and one of these", cut(text))
	}
	t := op.Op(i)
	if unsigned {
		t += op.UI8
	}
	rest = rest[1:]
	base := 10
	if strings.HasPrefix(rest, "x") {
		base, rest = 16, rest[1:]
	}
	digits := strings.TrimPrefix(rest, "-")
	if digits == "" {
		return Int{}, fmt.Errorf("bad number %s: it has no digits", cut(text))
	}
	if j := strings.IndexFunc(digits, func(c rune) bool { return !digit(c, base) }); j >= 0 {
		return Int{}, fmt.Errorf("bad number %s: %q is no digit of base %d", cut(text), digits[j], base)
	}
	digits = strings.TrimLeft(digits, "0") + "0"[:b2i(strings.Trim(digits, "0") == "")]
	v := new(big.Int)
	if len(digits) <= maxDigits {
		v.SetString(digits, base)
	}
	if len(digits) < len(rest) && rest[0] == '-' {
		v.Neg(v)
	}
	limit := new(big.Int).Lsh(big.NewInt(1), t.Bits())
	low := new(big.Int).Neg(new(big.Int).Rsh(limit, 1))
	if len(digits) > maxDigits || v.Cmp(limit) >= 0 || v.Cmp(low) < 0 {
		return Int{}, fmt.Errorf("bad number %s: it does not fit %s", cut(text), t)
	}
	return MakeInt(t, v), nil
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func digit(c rune, base int) bool {
	return '0' <= c && c <= '9' || base == 16 && 'a' <= c|0x20 && c|0x20 <= 'f'
}

// cut shortens a piece of the text for messages.
func cut(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}
