package libc

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"sync/atomic"
)

// Atoi is atoi. Like the functions below, it sets errno as strtol and strtod do, which C libraries call for it.
func Atoi(e Errno, s uintptr) uint32 { return uint32(Strtol(e, s, 0, 10)) }

// Atol is atol and atoll.
func Atol(e Errno, s uintptr) uint64 { return Strtol(e, s, 0, 10) }

// Atof is atof.
func Atof(e Errno, s uintptr) float64 { return Strtod(e, s, 0) }

// Strtol is strtol and strtoll.
func Strtol(e Errno, s, end uintptr, base uint32) uint64 {
	x, neg, over := strtoul(e, s, end, base)
	switch {
	case neg && (over || x > 1<<63):
		e.Set(eRANGE)
		return 1 << 63
	case neg:
		return -x
	case over || x > math.MaxInt64:
		e.Set(eRANGE)
		return math.MaxInt64
	}
	return x
}

// Strtoul is strtoul and strtoull: a minus sign negates.
func Strtoul(e Errno, s, end uintptr, base uint32) uint64 {
	x, neg, over := strtoul(e, s, end, base)
	switch {
	case over:
		e.Set(eRANGE)
		return math.MaxUint64
	case neg:
		return -x
	}
	return x
}

// strtoul reads the longest number at s and stores the address of its end at end.
func strtoul(e Errno, s, end uintptr, base uint32) (x uint64, neg, over bool) {
	p := skip(s)
	stop := s // no number: nothing is consumed
	defer func() {
		if end != 0 {
			*at[uintptr](end) = stop
		}
	}()
	if base == 1 || base > 36 {
		e.Set(eINVAL)
		return 0, false, false
	}
	if c := byteAt(p); c == '+' || c == '-' {
		neg = c == '-'
		p++
	}
	if (base == 0 || base == 16) && byteAt(p) == '0' && byteAt(p+1)|0x20 == 'x' && digit(byteAt(p+2)) < 16 {
		p, base = p+2, 16
	} else if base == 0 && byteAt(p) == '0' {
		base = 8
	} else if base == 0 {
		base = 10
	}
	for d := digit(byteAt(p)); d < base; d = digit(byteAt(p)) {
		next := x*uint64(base) + uint64(d)
		if x > (math.MaxUint64-uint64(d))/uint64(base) {
			over = true
		}
		x = next
		p++
		stop = p
	}
	return x, neg, over
}

// skip is the address of the end of white space at s.
func skip(s uintptr) uintptr {
	for Isspace(uint32(byteAt(s))) != 0 {
		s++
	}
	return s
}

func byteAt(p uintptr) byte { return *at[byte](p) }

// digit is the value of a digit in any base, 99 for other characters.
func digit(c byte) uint32 {
	switch {
	case '0' <= c && c <= '9':
		return uint32(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'z':
		return uint32(c|0x20-'a') + 10
	}
	return 99
}

// Strtod is strtod: decimal and hexadecimal numbers, inf, infinity and nan.
func Strtod(e Errno, s, end uintptr) float64 {
	p := skip(s)
	text := string(cstring("strtod", p))
	n := floatLen(text)
	if end != 0 {
		*at[uintptr](end) = s
		if n > 0 {
			*at[uintptr](end) = p + uintptr(n)
		}
	}
	if n == 0 {
		return 0
	}
	text = text[:n]
	mark := "eE"
	if strings.HasPrefix(strings.TrimLeft(text, "+-"), "0x") || strings.HasPrefix(strings.TrimLeft(text, "+-"), "0X") {
		mark = "pP"
		if !strings.ContainsAny(text, mark) {
			text += "p0"
		}
	} else if strings.ContainsAny(text, "aA") { // Go accepts no sign with it
		return math.NaN()
	}
	f, err := strconv.ParseFloat(text, 64)
	mantissa, _, _ := strings.Cut(strings.Replace(text, mark[1:], mark[:1], 1), mark[:1])
	if err != nil || f == 0 && strings.Trim(mantissa, "+-0xX.") != "" || subnormal(f) && !exact(text, f) {
		e.Set(eRANGE)
	}
	return f
}

func subnormal(f float64) bool { return f != 0 && math.Abs(f) < 0x1p-1022 }

// exact reports whether the number in a text is exactly f.
func exact(text string, f float64) bool {
	r, ok := new(big.Rat).SetString(text)
	return ok && r.Cmp(new(big.Rat).SetFloat64(f)) == 0
}

// floatLen is the length of the longest floating-point number that s begins
// with.
func floatLen(s string) int {
	at := func(i int) byte {
		if i < len(s) {
			return s[i]
		}
		return 0
	}
	i := 0
	if at(0) == '+' || at(0) == '-' {
		i = 1
	}
	for _, word := range []string{"infinity", "inf", "nan"} {
		if len(s) >= i+len(word) && strings.EqualFold(s[i:i+len(word)], word) {
			return i + len(word) + nanPayload(word, s[i+len(word):])
		}
	}
	base, exp := uint32(10), byte('e')
	if at(i) == '0' && at(i+1)|0x20 == 'x' && (digit(at(i+2)) < 16 || at(i+2) == '.' && digit(at(i+3)) < 16) {
		base, exp = 16, 'p'
		i += 2
	}
	digits := 0
	for ; digit(at(i)) < base; i++ {
		digits++
	}
	if at(i) == '.' {
		j := i + 1
		for ; digit(at(j)) < base; j++ {
			digits++
		}
		if digits > 0 {
			i = j
		}
	}
	if digits == 0 {
		return 0
	}
	if at(i)|0x20 == exp {
		j := i + 1
		if at(j) == '+' || at(j) == '-' {
			j++
		}
		if digit(at(j)) < 10 {
			for ; digit(at(j)) < 10; j++ {
			}
			i = j
		}
	}
	return i
}

// nanPayload is the length of the parenthesis that may follow nan.
func nanPayload(word, s string) int {
	if word != "nan" || !strings.HasPrefix(s, "(") {
		return 0
	}
	rest := strings.TrimLeft(s[1:], "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
	if !strings.HasPrefix(rest, ")") {
		return 0
	}
	return len(s) - len(rest) + 1
}

func truth(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

func isUpper(c uint32) bool { return c-'A' < 26 }
func isLower(c uint32) bool { return c-'a' < 26 }
func isDigit(c uint32) bool { return c-'0' < 10 }

// Isupper is isupper in the C locale, as are the functions below.
func Isupper(c uint32) uint32 { return truth(isUpper(c)) }

// Islower is islower.
func Islower(c uint32) uint32 { return truth(isLower(c)) }

// Isalpha is isalpha.
func Isalpha(c uint32) uint32 { return truth(isUpper(c) || isLower(c)) }

// Isdigit is isdigit.
func Isdigit(c uint32) uint32 { return truth(isDigit(c)) }

// Isxdigit is isxdigit.
func Isxdigit(c uint32) uint32 { return truth(isDigit(c) || c|0x20-'a' < 6) }

// Isalnum is isalnum.
func Isalnum(c uint32) uint32 { return truth(isUpper(c) || isLower(c) || isDigit(c)) }

// Isspace is isspace.
func Isspace(c uint32) uint32 { return truth(c == ' ' || c-'\t' < 5) }

// Isprint is isprint.
func Isprint(c uint32) uint32 { return truth(c-' ' < 95) }

// Toupper is toupper.
func Toupper(c uint32) uint32 {
	if isLower(c) {
		return c - 0x20
	}
	return c
}

// Tolower is tolower.
func Tolower(c uint32) uint32 {
	if isUpper(c) {
		return c + 0x20
	}
	return c
}

// random is the state of rand.
var random atomic.Uint64

func init() { Srand(1) }

// Srand is srand.
func Srand(seed uint32) { random.Store(uint64(seed)) }

// Rand is rand: 0 to 2^31-1, the same sequence for the same seed. The sequence is not
// that of any C library.
func Rand() uint32 {
	x := random.Add(0x9e3779b97f4a7c15)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return uint32(x>>33) & math.MaxInt32
}
