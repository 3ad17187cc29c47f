package dialect

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// The notation of values that dialects share: values are read in the form that the default
// trap handler prints (docs/language.md, "Programs").

// ParseArgs reads the arguments of a call, separated by commas outside of brackets. It returns an
// error if their number or a value does not fit the parameters of f.
func ParseArgs(p *ir.Program, f *ir.Function, args string) ([]*ir.Const, error) {
	words := SplitArgs(args)
	params := p.Types.At(f.Sig).Fields
	if len(words) != len(params) {
		return nil, fmt.Errorf("%s wants %d arguments, got %d", f.Name, len(params), len(words))
	}
	vals := make([]*ir.Const, len(words))
	for i, w := range words {
		var err error
		if vals[i], err = ParseValue(p.Types, params[i], w); err != nil {
			return nil, fmt.Errorf("argument %d of %s: %w", i+1, f.Name, err)
		}
	}
	return vals, nil
}

// SplitArgs splits arguments at commas outside of brackets.
func SplitArgs(s string) []string {
	var words []string
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			depth--
		case ',':
			if depth == 0 {
				words = append(words, s[from:i])
				from = i + 1
			}
		}
	}
	if len(words) > 0 || strings.TrimSpace(s) != "" {
		words = append(words, s[from:])
	}
	return words
}

// ParseValue reads a value of a type. Integers are decimal or have a Go prefix, signed
// or not; the only value of references is NULL. The constant of a tagref64 is a ConstFP
// for a double, a ConstInt for an int<52>, and for a tagged NULL a ConstAggregate of
// NULL and the tag.
func ParseValue(types *ir.Types, id ir.TypeID, s string) (*ir.Const, error) {
	r := &valueReader{types: types, rest: strings.TrimSpace(s)}
	c, err := r.value(id)
	if err == nil && r.rest != "" {
		err = fmt.Errorf("bad value %q: %q is left over", s, r.rest)
	}
	return c, err
}

// maxList is the largest number of elements of an array value.
const maxList = 1 << 20

type valueReader struct {
	types *ir.Types
	rest  string
}

// word takes the text before a delimiter of lists.
func (r *valueReader) word() string {
	i := strings.IndexAny(r.rest, " {}[](),")
	if i < 0 {
		i = len(r.rest)
	}
	w := r.rest[:i]
	r.rest = r.rest[i:]
	return w
}

func (r *valueReader) value(id ir.TypeID) (*ir.Const, error) {
	t := r.types.At(id)
	switch t.Kind {
	case ir.KStruct:
		return r.list(id, '{', '}', len(t.Fields), func(i int) ir.TypeID { return t.Fields[i] })
	case ir.KArray, ir.KVector:
		if t.Len > maxList {
			return nil, fmt.Errorf("a list of %d elements cannot be written", t.Len)
		}
		return r.list(id, '[', ']', int(t.Len), func(int) ir.TypeID { return t.Elem })
	case ir.KTagRef64:
		return r.tagged(id)
	}
	w := r.word()
	bad := func() error { return fmt.Errorf("bad value %q for %s", w, r.types.String(id)) }
	switch t.Kind {
	case ir.KInt, ir.KUPtr, ir.KUFuncPtr:
		bits := uint32(64)
		if t.Kind == ir.KInt {
			bits = t.Bits
		}
		c := &ir.Const{Kind: ir.ConstInt, Type: id}
		var ok, fits bool
		if c.Hi, c.Lo, ok, fits = integer(w, bits); !ok {
			return nil, bad()
		} else if !fits {
			return nil, fmt.Errorf("%s does not fit %s", w, r.types.String(id))
		}
		return c, nil
	case ir.KFloat:
		x, err := strconv.ParseFloat(w, 32)
		if err != nil {
			return nil, bad()
		}
		return &ir.Const{Kind: ir.ConstFP, Type: id, Lo: uint64(math.Float32bits(float32(x)))}, nil
	case ir.KDouble:
		x, err := strconv.ParseFloat(w, 64)
		if err != nil {
			return nil, bad()
		}
		return &ir.Const{Kind: ir.ConstFP, Type: id, Lo: math.Float64bits(x)}, nil
	}
	if w != "NULL" {
		return nil, fmt.Errorf("%w: of references only NULL can be given", bad())
	}
	return &ir.Const{Kind: ir.ConstNull, Type: id}, nil
}

// integer reads an integer of so many bits, signed or unsigned. ok tells whether the text is an integer, and fits
// whether it has the bits.
func integer(text string, bits uint32) (hi, lo uint64, ok, fits bool) {
	x, ok := new(big.Int).SetString(text, 0)
	if !ok {
		return 0, 0, false, false
	}
	fits = x.BitLen() <= int(bits) && (x.Sign() >= 0 || new(big.Int).Not(x).BitLen() < int(bits))
	hi, lo = twosComplement(x, bits)
	return hi, lo, true, fits
}

// twosComplement is x modulo 2^bits as two words.
func twosComplement(x *big.Int, bits uint32) (hi, lo uint64) {
	m := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	m.And(m.Sub(m, big.NewInt(1)), x)
	lo = new(big.Int).And(m, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
	return m.Rsh(m, 64).Uint64(), lo
}

func (r *valueReader) list(id ir.TypeID, open, end byte, n int, typeOf func(i int) ir.TypeID) (*ir.Const, error) {
	whole := r.rest
	if whole == "" || whole[0] != open {
		return nil, fmt.Errorf("bad value %q: want %q", whole, open)
	}
	r.rest = whole[1:]
	c := &ir.Const{Kind: ir.ConstAggregate, Type: id, Elems: make([]*ir.Const, n)}
	for i := range c.Elems {
		var err error
		r.rest = strings.TrimLeft(r.rest, " ,")
		if c.Elems[i], err = r.value(typeOf(i)); err != nil {
			return nil, err
		}
	}
	r.rest = strings.TrimLeft(r.rest, " ")
	if r.rest == "" || r.rest[0] != end {
		return nil, fmt.Errorf("bad value %q: want %q after %d members", whole, end, n)
	}
	r.rest = r.rest[1:]
	return c, nil
}

func (r *valueReader) tagged(id ir.TypeID) (*ir.Const, error) {
	whole := r.rest
	what := r.word()
	inner, after, closed := strings.Cut(r.rest, ")")
	inner, opened := strings.CutPrefix(inner, "(")
	if opened && closed {
		r.rest = after
		switch what {
		case "fp":
			if x, err := strconv.ParseFloat(inner, 64); err == nil {
				return &ir.Const{Kind: ir.ConstFP, Type: id, Lo: math.Float64bits(x)}, nil
			}
		case "int":
			_, lo, ok, fits := integer(inner, 52)
			if ok && !fits {
				return nil, fmt.Errorf("%s does not fit the int<52> of a tagref64", inner)
			}
			if ok {
				return &ir.Const{Kind: ir.ConstInt, Type: id, Lo: lo}, nil
			}
		case "ref":
			ref, tag, _ := strings.Cut(inner, ",")
			if n, err := strconv.ParseUint(tag, 0, 6); err == nil && ref == "NULL" {
				null := &ir.Const{Kind: ir.ConstNull, Type: r.types.Ref(r.types.Void())}
				return &ir.Const{Kind: ir.ConstAggregate, Type: id, Elems: []*ir.Const{null, {Kind: ir.ConstInt, Type: r.types.Int(6), Lo: n}}}, nil
			}
		}
	}
	return nil, fmt.Errorf("bad value %q for tagref64: want fp(V), int(V) or ref(NULL,TAG)", whole)
}
