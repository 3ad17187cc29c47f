package interp

import (
	"math"
	"math/big"
	"math/bits"
	"regexp"
	"strconv"
	"strings"
)

// Numbers in text, characters, random numbers.

var numberNatives = map[string]func(c *nativeCall) Value{
	"abs":  func(c *nativeCall) Value { return word64(max(c.int(0), -c.int(0))) },
	"labs": func(c *nativeCall) Value { return word64(max(c.int(0), -c.int(0))) }, "llabs": func(c *nativeCall) Value { return word64(max(c.int(0), -c.int(0))) },
	"atoi": func(c *nativeCall) Value { return c.parseLong(0, 10, true) },
	"atol": func(c *nativeCall) Value { return c.parseLong(0, 10, true) }, "atoll": func(c *nativeCall) Value { return c.parseLong(0, 10, true) },
	"atof":   func(c *nativeCall) Value { return c.parseDouble(0) },
	"strtol": strtol, "strtoll": strtol,
	"strtoul": strtoul, "strtoull": strtoul,
	"strtod":  func(c *nativeCall) Value { return c.parseDouble(c.addr(1)) },
	"isupper": isChar(`[A-Z]`), "islower": isChar(`[a-z]`), "isalpha": isChar(`[A-Za-z]`), "isdigit": isChar(`[0-9]`),
	"isxdigit": isChar(`[0-9A-Fa-f]`), "isalnum": isChar(`[0-9A-Za-z]`), "isspace": isChar(`[ \t\n\v\f\r]`), "isprint": isChar(`[ -~]`),
	"toupper": func(c *nativeCall) Value { return mapChar(c, 'a', 'z', 'A') },
	"tolower": func(c *nativeCall) Value { return mapChar(c, 'A', 'Z', 'a') },
	"rand": func(c *nativeCall) Value {
		// The generator called splitmix64; the upper half of its numbers without the sign.
		m := c.t.m
		m.rand += 0x9e3779b97f4a7c15
		x := m.rand
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		return Value{Lo: x >> 33 & math.MaxInt32}
	},
	"srand": func(c *nativeCall) Value {
		c.t.m.rand = uint64(uint32(c.addr(0)))
		return null
	},
}

func strtol(c *nativeCall) Value  { return c.parseLong(c.addr(1), c.int(2), true) }
func strtoul(c *nativeCall) Value { return c.parseLong(c.addr(1), c.int(2), false) }

// long is an integer in text: space, sign, prefix and digits.
var long = regexp.MustCompile(`^[ \t\n\v\f\r]*([+-]?)(0[xX])?([0-9A-Za-z]*)`)

// parseLong reads the integer that the first argument points to. The address of its end is stored at end, if that is
// not 0.
func (c *nativeCall) parseLong(end uint64, base int64, isSigned bool) Value {
	text := string(c.text(0))
	if c.bad.kind != noError {
		return null
	}
	if base < 0 || base == 1 || base > 36 {
		c.fail(errInvalid)
		if end != 0 {
			c.put(end, Value{Lo: c.addr(0)})
		}
		return null
	}
	parts := long.FindStringSubmatchIndex(text)
	group := func(i int) string {
		if parts[2*i] < 0 {
			return ""
		}
		return text[parts[2*i]:parts[2*i+1]]
	}
	negative, digits, from := group(1) == "-", group(3), parts[6]
	if group(2) != "" {
		if (base == 0 || base == 16) && digits != "" && digitOf(digits[0]) < 16 {
			base = 16
		} else { // read the 0 and the x as digits; in some bases x is one
			digits, from = text[parts[4]:parts[7]], parts[4]
		}
	}
	if base == 0 {
		base = 10
		if strings.HasPrefix(digits, "0") {
			base = 8
		}
	}
	n := 0
	var x uint64
	over := false
	for ; n < len(digits) && digitOf(digits[n]) < base; n++ {
		hi, lo := bits.Mul64(x, uint64(base))
		sum, carry := bits.Add64(lo, uint64(digitOf(digits[n])), 0)
		over = over || hi != 0 || carry != 0
		x = sum
	}
	if end != 0 {
		stop := c.addr(0)
		if n > 0 {
			stop += uint64(from + n)
		}
		c.put(end, Value{Lo: stop})
	}
	switch {
	case !isSigned && over:
		x = math.MaxUint64
	case !isSigned && negative:
		return Value{Lo: -x}
	case !isSigned:
		return Value{Lo: x}
	case negative && (over || x > 1<<63):
		x = 1 << 63
	case !negative && (over || x >= 1<<63):
		x = math.MaxInt64
	case negative:
		return Value{Lo: -x}
	default:
		return Value{Lo: x}
	}
	c.fail(errRange)
	return Value{Lo: x}
}

// digitOf is the value of a digit in any base.
func digitOf(b byte) int64 {
	n, err := strconv.ParseInt(string(rune(b)), 36, 64)
	if err != nil {
		return 36
	}
	return n
}

// double is a floating-point number in text.
var double = func() *regexp.Regexp {
	r := regexp.MustCompile(`^[ \t\n\v\f\r]*([+-]?(?i:inf|infinity|nan(\([0-9a-z_]*\))?|` +
		`0x([0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(p[+-]?[0-9]+)?|([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?))`)
	r.Longest()
	return r
}()

// parseDouble reads the number that the first argument points to.
func (c *nativeCall) parseDouble(end uint64) Value {
	text := string(c.text(0))
	if c.bad.kind != noError {
		return null
	}
	at := double.FindStringSubmatchIndex(text)
	if end != 0 {
		stop := c.addr(0)
		if at != nil {
			stop += uint64(at[1])
		}
		c.put(end, Value{Lo: stop})
	}
	if at == nil {
		return Float64(0)
	}
	number := strings.ToLower(text[at[2]:at[3]])
	if strings.Contains(number, "nan") {
		return Float64(math.NaN())
	}
	if strings.Contains(number, "0x") && !strings.Contains(number, "p") {
		number += "p0"
	}
	f, err := strconv.ParseFloat(number, 64)
	switch {
	case err != nil:
		c.fail(errRange)
	case f == 0:
		mantissa := strings.TrimPrefix(strings.TrimLeft(number, "+-"), "0x")
		if i := strings.IndexAny(mantissa, "p"); i >= 0 {
			mantissa = mantissa[:i]
		} else if i := strings.IndexByte(mantissa, 'e'); i >= 0 {
			mantissa = mantissa[:i]
		}
		c.failIf(strings.Trim(mantissa, "0.") != "", errRange)
	case math.Abs(f) < 0x1p-1022:
		exact, ok := new(big.Rat).SetString(number)
		c.failIf(!ok || exact.Cmp(new(big.Rat).SetFloat64(f)) != 0, errRange)
	}
	return Float64(f)
}

// isChar is a function that reports whether a character is in a class, in the C locale.
func isChar(class string) func(c *nativeCall) Value {
	var in [256]bool
	r := regexp.MustCompile("^" + class + "$")
	for i := range 128 {
		in[i] = r.MatchString(string(rune(i)))
	}
	return func(c *nativeCall) Value {
		if x := c.int(0); x >= 0 && x < 256 && in[x] {
			return Value{Lo: 1}
		}
		return null
	}
}

// mapChar moves a character of a range to another range.
func mapChar(c *nativeCall, from, to, first int64) Value {
	x := c.int(0)
	if from <= x && x <= to {
		x += first - from
	}
	return word64(x)
}
