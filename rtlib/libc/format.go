package libc

import (
	"bytes"
	"math"
	"strconv"
)

// verb is one conversion specification of a format.
type verb struct {
	minus, plus, space, alt, zero bool
	width                         int
	prec                          int // -1: none given
	size                          int // of an integer argument, in bytes
}

// maxPad bounds width and precision: more is the error EOVERFLOW, like a value that does not fit an int in C.
const maxPad = 1 << 20

// appendFormat appends the text that printf makes of a format and its arguments, each
// one word, in order. It supports d i u o x X c s p f F e E g G a A and %, with all
// flags, widths, precisions and lengths; invalid specifications are copied, and missing
// arguments are 0. ok is false if the text would be too long.
func appendFormat(dst, format []byte, args []uint64) (text []byte, ok bool) {
	next := func() uint64 {
		if len(args) == 0 {
			return 0
		}
		a := args[0]
		args = args[1:]
		return a
	}
	for {
		i := bytes.IndexByte(format, '%')
		if i < 0 {
			dst = append(dst, format...)
			return dst, len(dst) <= math.MaxInt32
		}
		dst, format = append(dst, format[:i]...), format[i:]
		v, n := parseVerb(format, next)
		if n == len(format) { // the format ends inside the specification
			return append(dst, format...), true
		}
		if v.width > maxPad || v.prec > maxPad || len(dst) > math.MaxInt32 {
			return nil, false
		}
		c := format[n]
		out, ok := v.append(dst, c, next)
		if !ok {
			out = append(dst, format[:n+1]...)
		}
		dst, format = out, format[n+1:]
	}
}

// parseVerb reads a specification up to its letter, at format[n].
func parseVerb(format []byte, next func() uint64) (v verb, n int) {
	v.prec, v.size = -1, 4
	n = 1
	peek := func() byte {
		if n < len(format) {
			return format[n]
		}
		return 0
	}
	number := func() int {
		x := 0
		for ; '0' <= peek() && peek() <= '9'; n++ {
			x = min(x*10+int(peek()-'0'), maxPad+1)
		}
		return x
	}
flags:
	for ; ; n++ {
		switch peek() {
		case '-':
			v.minus = true
		case '+':
			v.plus = true
		case ' ':
			v.space = true
		case '#':
			v.alt = true
		case '0':
			v.zero = true
		default:
			break flags
		}
	}
	if peek() == '*' {
		n++
		w := int64(int32(next()))
		if w < 0 {
			v.minus = true
			w = -w
		}
		v.width = int(min(w, maxPad+1))
	} else {
		v.width = number()
	}
	if peek() == '.' {
		n++
		if peek() == '*' {
			n++
			v.prec = min(max(int(int32(next())), -1), maxPad+1)
		} else {
			v.prec = number()
		}
	}
	for ; ; n++ {
		switch peek() {
		case 'h':
			v.size = max(v.size/2, 1)
		case 'l', 'q', 'j', 'z', 't':
			v.size = 8
		case 'L':
		default:
			return v, n
		}
	}
}

// append appends one conversion; ok is false if there is no conversion with that letter.
func (v *verb) append(dst []byte, c byte, next func() uint64) (out []byte, ok bool) {
	switch c {
	case '%':
		return append(dst, '%'), true
	case 'd', 'i':
		s := uint(64 - 8*v.size)
		x := int64(next()<<s) >> s
		if x < 0 {
			return v.integer(dst, "-", "", -uint64(x), 10), true
		}
		return v.integer(dst, v.sign(), "", uint64(x), 10), true
	case 'u':
		return v.integer(dst, "", "", v.unsigned(next()), 10), true
	case 'o':
		return v.integer(dst, "", "", v.unsigned(next()), 8), true
	case 'x', 'X':
		x, prefix := v.unsigned(next()), ""
		if v.alt && x != 0 {
			prefix = "0x"
		}
		at := len(dst)
		dst = v.integer(dst, "", prefix, x, 16)
		if c == 'X' {
			copy(dst[at:], bytes.ToUpper(dst[at:]))
		}
		return dst, true
	case 'p':
		x := uint64(uintptr(next()))
		if x == 0 {
			return v.pad(dst, "", []byte("(nil)"), false), true
		}
		return v.integer(dst, v.sign(), "0x", x, 16), true
	case 'c':
		return v.pad(dst, "", []byte{byte(next())}, false), true
	case 's':
		return v.text(dst, uintptr(next())), true
	case 'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A':
		return v.float(dst, c, math.Float64frombits(next())), true
	}
	return dst, false
}

func (v *verb) unsigned(x uint64) uint64 { return x & (^uint64(0) >> (64 - 8*v.size)) }

// sign is the beginning of a number that is not negative: "", " " or "+".
func (v *verb) sign() string {
	switch {
	case v.plus:
		return "+"
	case v.space:
		return " "
	}
	return ""
}

// pad appends a sign or prefix and digits or text to the width.
func (v *verb) pad(dst []byte, head string, body []byte, zeros bool) []byte {
	n := v.width - len(head) - len(body)
	if !v.minus && !zeros {
		dst = fill(dst, ' ', n)
	}
	dst = append(dst, head...)
	if !v.minus && zeros {
		dst = fill(dst, '0', n)
	}
	dst = append(dst, body...)
	if v.minus {
		dst = fill(dst, ' ', n)
	}
	return dst
}

func fill(dst []byte, c byte, n int) []byte {
	for ; n > 0; n-- {
		dst = append(dst, c)
	}
	return dst
}

// integer appends digits, at least as many as the precision. With a precision the flag
// 0 is ignored, and with precision 0 the number 0 has no digits.
func (v *verb) integer(dst []byte, sign, prefix string, x uint64, base int) []byte {
	var room [64]byte
	var digits []byte
	if x != 0 || v.prec != 0 {
		digits = strconv.AppendUint(room[:0], x, base)
	}
	want := v.prec
	if base == 8 && v.alt && (len(digits) == 0 || digits[0] != '0') {
		want = max(want, len(digits)+1)
	}
	if want > len(digits) {
		digits = append(fill(nil, '0', want-len(digits)), digits...)
	}
	return v.pad(dst, sign+prefix, digits, v.zero && v.prec < 0)
}

// text appends a string, at most as many bytes as the precision.
func (v *verb) text(dst []byte, s uintptr) []byte {
	switch {
	case s == 0 && (v.prec < 0 || v.prec >= len("(null)")):
		return v.pad(dst, "", []byte("(null)"), false)
	case s == 0:
		return v.pad(dst, "", nil, false)
	case v.prec >= 0:
		return v.pad(dst, "", span("printf", s, Strnlen(s, uint64(v.prec))), false)
	}
	return v.pad(dst, "", cstring("printf", s), false)
}

func (v *verb) float(dst []byte, c byte, f float64) []byte {
	sign := v.sign()
	if math.Signbit(f) && f == f {
		sign, f = "-", -f
	}
	var b []byte
	zeros := v.zero
	switch lower := c | 0x20; {
	case f != f:
		b, zeros = []byte("nan"), false
	case math.IsInf(f, 1):
		b, zeros = []byte("inf"), false
	case lower == 'g':
		b = v.general(f)
	case lower == 'a':
		sign += "0x"
		b = v.hex(f)
	default:
		b = strconv.AppendFloat(nil, f, lower, v.precision(), 64)
		if v.alt && v.prec == 0 {
			b = point(b)
		}
	}
	at := len(dst)
	dst = v.pad(dst, sign, b, zeros)
	if c < 'a' {
		copy(dst[at:], bytes.ToUpper(dst[at:]))
	}
	return dst
}

func (v *verb) precision() int {
	if v.prec < 0 {
		return 6
	}
	return v.prec
}

// point adds a decimal point after the digits if there is none.
func point(b []byte) []byte {
	if bytes.IndexByte(b, '.') >= 0 {
		return b
	}
	i := bytes.IndexByte(b, 'e')
	if i < 0 {
		i = len(b)
	}
	return append(append(append([]byte(nil), b[:i]...), '.'), b[i:]...)
}

// general is %g: the exponent after rounding to the precision selects one of the two
// styles, and zeros at the end are removed unless the flag # is set.
func (v *verb) general(f float64) []byte {
	p := max(v.precision(), 1)
	b := strconv.AppendFloat(nil, f, 'e', p-1, 64)
	i := bytes.IndexByte(b, 'e')
	exp, _ := strconv.Atoi(string(b[i+1:]))
	tail := b[i:]
	if -4 <= exp && exp < p {
		b, tail = strconv.AppendFloat(nil, f, 'f', p-1-exp, 64), nil
	} else {
		b = b[:i]
	}
	if v.alt {
		b = point(b)
	} else if bytes.IndexByte(b, '.') >= 0 {
		b = bytes.TrimRight(bytes.TrimRight(b, "0"), ".")
	}
	return append(append([]byte(nil), b...), tail...)
}

// hex is %a after its 0x, with an exponent of as few digits as C's.
func (v *verb) hex(f float64) []byte {
	b := strconv.AppendFloat(nil, f, 'x', v.prec, 64)[2:]
	i := bytes.IndexByte(b, 'p')
	exp := b[i+2:]
	if len(exp) > 1 && exp[0] == '0' {
		exp = exp[1:]
	}
	m := append([]byte(nil), b[:i]...)
	if v.alt {
		m = point(m)
	}
	return append(append(m, b[i:i+2]...), exp...)
}
