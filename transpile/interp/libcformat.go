package interp

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// The conversions of printf.

// conversion is one specification: flags, width, precision, length, letter.
var conversion = regexp.MustCompile(`(?s)%([-+ #0]*)([0-9]+|\*)?(\.(?:[0-9]+|\*)?)?(hh|h|ll|l|q|j|z|t|L)?(.?)`)

// formatting is one conversion.
type formatting struct {
	flags string
	width int
	prec  int // -1 for none
	size  int // bits of an integer
}

func (f *formatting) has(flag string) bool { return strings.Contains(f.flags, flag) }

// maxField bounds width and precision, as in the runtime.
const maxField = 1 << 20

// format is the text that printf makes from the format that argument i points to, and the arguments after it; nil,
// with errno set, if the text is too long.
func (c *nativeCall) format(i int) []byte {
	text := string(c.text(i))
	rest := c.w[i+1:]
	arg := func() uint64 {
		if len(rest) == 0 {
			return 0
		}
		a := rest[0]
		rest = rest[1:]
		return a
	}
	var out strings.Builder
	at := 0
	for _, m := range conversion.FindAllStringSubmatchIndex(text, -1) {
		if m[0] < at {
			continue
		}
		out.WriteString(text[at:m[0]])
		at = m[1]
		part := func(k int) string {
			if m[2*k] < 0 {
				return ""
			}
			return text[m[2*k]:m[2*k+1]]
		}
		f := formatting{flags: part(1), prec: -1, size: map[string]int{"hh": 8, "h": 16, "": 32, "L": 32}[part(4)]}
		if f.size == 0 {
			f.size = 64
		}
		field := func(s string) int {
			if s == "*" {
				return max(-maxField-1, min(int(int32(arg())), maxField+1))
			}
			n, err := strconv.Atoi("0" + s)
			if err != nil {
				n = maxField + 1
			}
			return min(n, maxField+1)
		}
		if f.width = field(part(2)); f.width < 0 {
			f.flags, f.width = f.flags+"-", -f.width
		}
		if p := part(3); p != "" {
			f.prec = max(field(p[1:]), -1)
		}
		letter := part(5)
		if letter == "" { // the format ends inside a specification
			out.WriteString(text[m[0]:])
			return []byte(out.String())
		}
		if f.width > maxField || f.prec > maxField || out.Len() > math.MaxInt32 {
			c.fail(errOverflow)
			return nil
		}
		switch letter {
		case "%":
			out.WriteByte('%')
		case "d", "i":
			x := signed(arg(), uint32(f.size))
			magnitude := uint64(x)
			if x < 0 {
				magnitude = -magnitude
			}
			out.WriteString(f.integer(f.sign(x < 0), strconv.FormatUint(magnitude, 10), magnitude))
		case "u":
			x := arg() & mask(uint32(f.size))
			out.WriteString(f.integer("", strconv.FormatUint(x, 10), x))
		case "o":
			x := arg() & mask(uint32(f.size))
			digits := strconv.FormatUint(x, 8)
			if f.has("#") && f.prec <= len(digits) && (x != 0 || f.prec == 0) {
				if x == 0 {
					f.prec = 1
				} else {
					digits = "0" + digits
				}
			}
			out.WriteString(f.integer("", digits, x))
		case "x", "X":
			x := arg() & mask(uint32(f.size))
			prefix := ""
			if f.has("#") && x != 0 {
				prefix = "0x"
			}
			s := f.integer(prefix, strconv.FormatUint(x, 16), x)
			if letter == "X" {
				s = strings.ToUpper(s)
			}
			out.WriteString(s)
		case "p":
			if x := arg(); x == 0 {
				out.WriteString(f.pad("", "(nil)", false))
			} else {
				out.WriteString(f.integer(f.sign(false)+"0x", strconv.FormatUint(x, 16), x))
			}
		case "c":
			out.WriteString(f.pad("", string([]byte{byte(arg())}), false))
		case "s":
			out.WriteString(f.pad("", c.formatText(arg(), f.prec), false))
		case "f", "F", "e", "E", "g", "G", "a", "A":
			s := f.float(math.Float64frombits(arg()), strings.ToLower(letter))
			if letter < "a" {
				s = strings.ToUpper(s)
			}
			out.WriteString(s)
		default:
			out.WriteString(text[m[0]:m[1]])
		}
	}
	out.WriteString(text[at:])
	if out.Len() > math.MaxInt32 {
		c.fail(errOverflow)
		return nil
	}
	return append([]byte{}, out.String()...)
}

// formatText is the text of %s.
func (c *nativeCall) formatText(addr uint64, prec int) string {
	switch {
	case addr == 0 && (prec < 0 || prec >= len("(null)")):
		return "(null)"
	case addr == 0:
		return ""
	case prec >= 0:
		return string(c.prefix(addr, uint64(prec)))
	}
	return string(c.cstring(addr))
}

func (f *formatting) sign(negative bool) string {
	switch {
	case negative:
		return "-"
	case f.has("+"):
		return "+"
	case f.has(" "):
		return " "
	}
	return ""
}

// pad extends a number or text to the width, with zeros after its head or with blanks.
func (f *formatting) pad(head, body string, zeros bool) string {
	fill := max(0, f.width-len(head)-len(body))
	switch {
	case f.has("-"):
		return head + body + strings.Repeat(" ", fill)
	case zeros:
		return head + strings.Repeat("0", fill) + body
	}
	return strings.Repeat(" ", fill) + head + body
}

func (f *formatting) integer(head, digits string, x uint64) string {
	if x == 0 && f.prec == 0 {
		digits = ""
	}
	if n := f.prec - len(digits); n > 0 {
		digits = strings.Repeat("0", n) + digits
	}
	return f.pad(head, digits, f.has("0") && f.prec < 0)
}

func (f *formatting) float(x float64, letter string) string {
	head := f.sign(math.Signbit(x) && !math.IsNaN(x))
	x = math.Abs(x)
	switch {
	case math.IsNaN(x):
		return f.pad(head, "nan", false)
	case math.IsInf(x, 0):
		return f.pad(head, "inf", false)
	}
	prec := f.prec
	if prec < 0 && letter != "a" {
		prec = 6
	}
	var body string
	switch letter {
	case "g":
		body = f.general(x, max(prec, 1))
	case "a":
		head += "0x"
		body = strings.TrimPrefix(strconv.FormatFloat(x, 'x', prec, 64), "0x")
		mantissa, exp, _ := strings.Cut(body, "p")
		body = f.dot(mantissa) + "p" + exp[:1] + strconv.Itoa(atoi(exp[1:]))
	default:
		body = strconv.FormatFloat(x, letter[0], prec, 64)
		mantissa, exp, has := strings.Cut(body, "e")
		body = f.dot(mantissa)
		if has {
			body += "e" + exp
		}
	}
	return f.pad(head, body, f.has("0"))
}

// dot adds a decimal point to a number without one, if the flag # is set.
func (f *formatting) dot(s string) string {
	if f.has("#") && !strings.Contains(s, ".") {
		return s + "."
	}
	return s
}

// general is %g: with an exponent if that is below -4 or not below the precision.
func (f *formatting) general(x float64, prec int) string {
	mantissa, exp, _ := strings.Cut(strconv.FormatFloat(x, 'e', prec-1, 64), "e")
	tail := "e" + exp
	if n := atoi(exp); n >= -4 && n < prec {
		mantissa, tail = strconv.FormatFloat(x, 'f', prec-1-n, 64), ""
	}
	if f.has("#") {
		return f.dot(mantissa) + tail
	}
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	return mantissa + tail
}

// atoi is the value of a text that is known to consist of digits.
func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}
