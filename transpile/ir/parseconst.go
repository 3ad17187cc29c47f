package ir

import (
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/symbol"
)

// A literalKey is equal for constants without a global name that may become the same Const.
type literalKey struct {
	ConstKey
	typ   TypeID
	local string // name of the value
}

// A literal is the value of a constant before its type is known.
type literal struct {
	text   string // number, null, or name
	sym    string // extern
	elems  []*Const
	list   bool
	extern bool
	bits   bool
	bytes  bool // text
	name   bool
}

// maxDepth bounds how deep types and constants nest.
const maxDepth = 5000

func (r *reader) literal() (l literal) {
	if r.deep++; r.deep > maxDepth {
		r.fail("nested too deep")
	}
	defer func() { r.deep-- }()
	switch {
	case r.accept("{"):
		l.list = true
		for !r.bad && !r.accept("}") {
			l.elems = append(l.elems, r.constant(""))
		}
	case r.accept("bytes"):
		l.bytes = true
		l.text = r.quoted("a string")
	case r.accept("extern"):
		l.extern = true
		at := r.off()
		s := r.kind('"', "a string")
		u, err := strconv.Unquote(s)
		if err != nil && !r.bad {
			r.fail("bad string %s", s)
		}
		if why := symbol.Fault(u); why != "" && !r.bad {
			r.errorf(at, "%s", why)
			r.bad, r.line = true, nil
		}
		l.sym = u
	case r.accept("bits"):
		l.bits = true
		r.expect("(")
		l.text = r.word("a number")
		r.expect(")")
	case len(r.line) > 0 && r.line[0].sigil == '@':
		l.name = true
		l.text = r.name()
	default:
		l.text = r.word("a constant")
	}
	return
}

// constant reads a constant used as an operand. Equal constants without a global
// name become the same Const, if their values have the same local name.
func (r *reader) constant(local string) *Const {
	at := r.off()
	l := r.literal()
	if r.bad {
		return nil
	}
	if l.name && !r.peek(":") {
		c := r.operands[l.text]
		if c == nil {
			r.fail("unknown name %s", l.text)
		}
		return c
	}
	r.expect(":")
	t := r.typ()
	if r.bad {
		return nil
	}
	c := r.evaluate(l, t, at)
	if c == nil {
		return nil
	}
	if l.list {
		return c
	}
	k := literalKey{c.Key(), c.Type, local}
	if known := r.literals[k]; known != nil {
		return known
	}
	r.literals[k] = c
	return c
}

// evaluate makes a constant of type t from a literal at offset at. It returns nil after an error.
func (r *reader) evaluate(l literal, t TypeID, at int) *Const {
	if r.bad {
		return nil
	}
	c := &Const{Type: t, Pos: r.file.Pos(at)}
	n := r.t.At(t)
	bad := func() *Const {
		if !r.bad {
			r.errorf(at, "bad constant of type %s", r.t.String(t))
		}
		r.bad, r.line = true, nil
		return nil
	}
	switch {
	case l.bytes:
		c.Kind, c.Bytes = ConstBytes, l.text
	case l.list:
		c.Kind, c.Elems = ConstAggregate, l.elems
	case l.extern:
		c.Kind, c.Sym = ConstExtern, l.sym
	case l.name:
		e := r.operands[l.text]
		if e == nil || e.Kind != ConstGlobal && e.Kind != ConstFunc && e.Kind != ConstExpose {
			return bad()
		}
		c.Kind, c.Global, c.Func, c.Expose = e.Kind, e.Global, e.Func, e.Expose
	case l.text == "null":
		c.Kind = ConstNull
	case l.bits:
		b, err := strconv.ParseUint(l.text, 0, 64)
		if err != nil {
			return bad()
		}
		c.Kind, c.Lo = ConstFP, b
	case n.Kind.IsFP():
		width := 64
		if n.Kind == KFloat {
			width = 32
		}
		f, err := strconv.ParseFloat(l.text, width)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return bad()
		}
		c.Kind = ConstFP
		if c.Lo = math.Float64bits(f); width == 32 {
			c.Lo = uint64(math.Float32bits(float32(f)))
		}
	default:
		var ok bool
		if c.Hi, c.Lo, ok = wideInt(l.text); !ok {
			return bad()
		}
		width := uint32(64)
		if n.Kind == KInt {
			width = n.Bits
		}
		if strings.HasPrefix(l.text, "-") && width < 128 {
			c.Hi, c.Lo = lowBits(c.Hi, c.Lo, width)
		}
		c.Kind = ConstInt
	}
	return c
}

func lowBits(hi, lo uint64, width uint32) (uint64, uint64) {
	if width <= 64 {
		return 0, lo & (1<<width - 1)
	}
	return hi & (1<<(width-64) - 1), lo
}

// wideInt reads an integer of up to 128 bits, in two's complement.
func wideInt(s string) (hi, lo uint64, ok bool) {
	digits, neg := strings.CutPrefix(s, "-")
	base := uint64(10)
	if d, hex := strings.CutPrefix(digits, "0x"); hex {
		digits, base = d, 16
	}
	for _, d := range []byte(digits) {
		v := uint64(99)
		switch {
		case '0' <= d && d <= '9':
			v = uint64(d - '0')
		case 'a' <= d && d <= 'f':
			v = uint64(d-'a') + 10
		}
		if v >= base {
			return 0, 0, false
		}
		over, mid := bits.Mul64(hi, base)
		carry, low := bits.Mul64(lo, base)
		var c uint64
		lo, c = bits.Add64(low, v, 0)
		if hi, c = bits.Add64(mid, carry, c); over != 0 || c != 0 {
			return 0, 0, false
		}
	}
	if neg {
		var b uint64
		lo, b = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, b)
	}
	return hi, lo, digits != ""
}
