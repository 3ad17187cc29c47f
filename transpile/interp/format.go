package interp

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// The text form of values (cli.md, the table of the default trap handler).

// Format spells a value of a type.
func Format(types *ir.Types, id ir.TypeID, v Value) string {
	t := types.At(id)
	list := func(open, end string, typeOf func(i int) ir.TypeID) string {
		var b strings.Builder
		b.WriteString(open)
		for i, e := range v.elems() {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(Format(types, typeOf(i), e))
		}
		b.WriteString(end)
		return b.String()
	}
	switch t.Kind {
	case ir.KInt:
		if t.Bits == 1 {
			return strconv.FormatUint(v.Lo, 10)
		}
		if t.Bits <= 64 {
			return strconv.FormatInt(signed(v.Lo, t.Bits), 10)
		}
		return v.BigInt(t.Bits, true).String()
	case ir.KFloat:
		return strconv.FormatFloat(float64(v.AsFloat32()), 'g', -1, 32)
	case ir.KDouble:
		return strconv.FormatFloat(v.AsFloat64(), 'g', -1, 64)
	case ir.KUPtr, ir.KUFuncPtr:
		return fmt.Sprintf("%#x", v.Lo)
	case ir.KStruct:
		return list("{", "}", func(i int) ir.TypeID { return t.Fields[i] })
	case ir.KArray, ir.KVector:
		return list("[", "]", func(int) ir.TypeID { return t.Elem })
	case ir.KTagRef64:
		switch r := v.ref.(type) {
		case tagInt:
			return fmt.Sprintf("int(%d)", signed(v.Lo, 52))
		case *tagged:
			s := "ref"
			if r.unit == nil {
				s = "NULL"
			}
			return fmt.Sprintf("ref(%s,%d)", s, r.tag)
		}
		return "fp(" + strconv.FormatFloat(v.AsFloat64(), 'g', -1, 64) + ")"
	}
	if v.isNull() {
		return "NULL"
	}
	if fn, ok := v.ref.(*function); ok {
		return fn.fn.Name
	}
	return t.Kind.String()
}

func (m *machine) format(id ir.TypeID, v Value) string { return Format(m.types, id, v) }

// ParseValue reads a value of a type in the form that Format writes. Integers
// may also be hexadecimal and unsigned; of references only NULL can be given.
func ParseValue(types *ir.Types, id ir.TypeID, s string) (Value, error) {
	v, rest, err := parseValue(types, id, strings.TrimSpace(s))
	if err == nil && rest != "" {
		err = fmt.Errorf("bad value %q: %q is left over", s, rest)
	}
	return v, err
}

// word splits off what stands before a delimiter of lists.
func word(s string) (string, string) {
	if i := strings.IndexAny(s, " {}[](),"); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

func parseValue(types *ir.Types, id ir.TypeID, s string) (Value, string, error) {
	t := types.At(id)
	switch t.Kind {
	case ir.KStruct:
		return parseList(types, s, '{', '}', len(t.Fields), func(i int) ir.TypeID { return t.Fields[i] })
	case ir.KArray, ir.KVector:
		if t.Len > 1<<20 {
			return null, s, fmt.Errorf("a list of %d elements cannot be written", t.Len)
		}
		return parseList(types, s, '[', ']', int(t.Len), func(int) ir.TypeID { return t.Elem })
	case ir.KTagRef64:
		return parseTagged(s)
	}
	w, rest := word(s)
	bad := func() error { return fmt.Errorf("bad value %q for %s", w, types.String(id)) }
	switch t.Kind {
	case ir.KInt, ir.KUPtr, ir.KUFuncPtr:
		bits := uint32(64)
		if t.Kind == ir.KInt {
			bits = t.Bits
		}
		x, ok := new(big.Int).SetString(w, 0)
		if !ok || x.BitLen() > int(bits) || x.Sign() < 0 && new(big.Int).Not(x).BitLen() > int(bits)-1 {
			return null, s, bad()
		}
		return FromBigInt(x, bits), rest, nil
	case ir.KFloat:
		x, err := strconv.ParseFloat(w, 32)
		if err != nil {
			return null, s, bad()
		}
		return Float32(float32(x)), rest, nil
	case ir.KDouble:
		x, err := strconv.ParseFloat(w, 64)
		if err != nil {
			return null, s, bad()
		}
		return Float64(x), rest, nil
	}
	if w != "NULL" {
		return null, s, bad()
	}
	return null, rest, nil
}

func parseList(types *ir.Types, s string, open, end byte, n int, typeOf func(i int) ir.TypeID) (Value, string, error) {
	if s == "" || s[0] != open {
		return null, s, fmt.Errorf("bad value %q: want %q", s, open)
	}
	rest := s[1:]
	elems := make([]Value, n)
	for i := range elems {
		var err error
		rest = strings.TrimLeft(rest, " ,")
		if elems[i], rest, err = parseValue(types, typeOf(i), rest); err != nil {
			return null, s, err
		}
	}
	rest = strings.TrimLeft(rest, " ")
	if rest == "" || rest[0] != end {
		return null, s, fmt.Errorf("bad value %q: want %q after %d members", s, end, n)
	}
	return makeAggregate(elems), rest[1:], nil
}

func parseTagged(s string) (Value, string, error) {
	what, rest := word(s)
	inner, after, ok := strings.Cut(rest, ")")
	inner, open := strings.CutPrefix(inner, "(")
	if ok && open {
		switch what {
		case "fp":
			if x, err := strconv.ParseFloat(inner, 64); err == nil {
				return Float64(x), after, nil
			}
		case "int":
			if x, err := strconv.ParseInt(inner, 0, 64); err == nil && x>>51 == x>>63 {
				return tagFromInt(uint64(x)), after, nil
			}
		case "ref":
			r, tag, _ := strings.Cut(inner, ",")
			if n, err := strconv.ParseUint(tag, 0, 6); err == nil && r == "NULL" {
				return tagFromRef(null, uint8(n)), after, nil
			}
		}
	}
	return null, s, fmt.Errorf("bad value %q for tagref64: want fp(V), int(V) or ref(NULL,TAG)", s)
}

// ParseArgs reads the arguments of a call, separated by commas outside of
// brackets.
func ParseArgs(p *ir.Program, name, s string) ([]Value, error) {
	m := &machine{prog: p}
	fn, err := m.find(name)
	if err != nil {
		return nil, err
	}
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
	if strings.TrimSpace(s) != "" {
		words = append(words, s[from:])
	}
	params := p.Types.At(fn.Sig).Fields
	if len(words) != len(params) {
		return nil, fmt.Errorf("%s takes %d arguments, not %d", name, len(params), len(words))
	}
	vals := make([]Value, len(words))
	for i, w := range words {
		if vals[i], err = ParseValue(p.Types, params[i], w); err != nil {
			return nil, fmt.Errorf("argument %d: %w", i+1, err)
		}
	}
	return vals, nil
}

// Results spells the results of a call, one for each line of run -call.
func Results(p *ir.Program, name string, vals []Value) ([]string, error) {
	m := &machine{prog: p}
	fn, err := m.find(name)
	if err != nil {
		return nil, err
	}
	types := p.Types.At(fn.Sig).Results
	if len(types) != len(vals) {
		return nil, fmt.Errorf("%s returns %d values, not %d", name, len(types), len(vals))
	}
	out := make([]string, len(vals))
	for i := range vals {
		out[i] = Format(p.Types, types[i], vals[i])
	}
	return out, nil
}
