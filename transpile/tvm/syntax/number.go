package syntax

import (
	"fmt"
	"math/big"
	"strings"
)

// An IntType is one of the types of integers.
type IntType uint8

// The types of integers, in the order of their widths.
const (
	I8 IntType = iota
	I16
	I32
	I64
	I128
	IPtr
	UI8
	UI16
	UI32
	UI64
	UI128
	UIPtr
	NumIntTypes
)

var intNames = [NumIntTypes]string{"i8", "i16", "i32", "i64", "i128", "iptr", "ui8", "ui16", "ui32", "ui64", "ui128", "uiptr"}

// String is the name of the type.
func (t IntType) String() string { return intNames[t] }

// Letters are what follows the number sign of a literal of the type.
func (t IntType) Letters() string {
	return [...]string{"b", "s", "i", "l", "q", "p", "ub", "us", "ui", "ul", "uq", "up"}[t]
}

// Signed reports whether the type has a sign.
func (t IntType) Signed() bool { return t < UI8 }

// Bits is the width of the type; words have 64 bits where types are compared.
func (t IntType) Bits() uint { return [...]uint{8, 16, 32, 64, 128, 64}[t%UI8] }

// IntTypeNamed finds an integer type by its name.
func IntTypeNamed(name string) (IntType, bool) {
	for i, n := range intNames {
		if n == name {
			return IntType(i), true
		}
	}
	return 0, false
}

// An Int is a number of a type, modulo 2^n.
type Int struct {
	Type   IntType
	Hi, Lo uint64
}

// MakeInt is a number modulo 2^n.
func MakeInt(t IntType, v *big.Int) Int {
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

// Value is the number as its type says.
func (n Int) Value() *big.Int {
	v := n.Bits()
	if w := n.Type.Bits(); n.Type.Signed() && v.Bit(int(w)-1) == 1 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), w))
	}
	return v
}

// String writes the number as a literal.
func (n Int) String() string { return "#" + n.Type.Letters() + n.Value().String() }

// maxDigits is more than any number of 128 bits has, with some zeros in front.
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
	t := IntType(i)
	if unsigned {
		t += UI8
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
