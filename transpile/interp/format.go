package interp

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// The text form of values (docs/language.md, "Programs").

// Format spells a value of a type.
func Format(types *ir.Types, id ir.TypeID, v Value) string {
	return format(types, id, v, &ir.Notation{})
}

func format(types *ir.Types, id ir.TypeID, v Value, n *ir.Notation) string {
	t := types.At(id)
	list := func(open, end string, typeOf func(i int) ir.TypeID) string {
		var b strings.Builder
		between := " "
		if n.Open != "" || n.Between != "" {
			open, between, end = n.Open, n.Between, n.Close
		}
		b.WriteString(open)
		first := true
		for i, e := range v.elems() {
			part := n.Part(0)
			if t.Kind == ir.KStruct {
				part = n.Part(i)
			}
			if part.Filler {
				continue
			}
			if !first {
				b.WriteString(between)
			}
			first = false
			b.WriteString(format(types, typeOf(i), e, part))
		}
		b.WriteString(end)
		return b.String()
	}
	switch t.Kind {
	case ir.KInt:
		switch {
		case v.Lo < uint64(len(n.Words)):
			return n.Words[v.Lo]
		case n.Hex:
			return fmt.Sprintf("%02x", v.Lo&0xff)
		case n.Prefix != "":
			inner := *n
			inner.Prefix = ""
			return n.Prefix + format(types, id, v, &inner)
		}
		if t.Bits == 1 {
			return strconv.FormatUint(v.Lo, 10)
		}
		if n.Unsigned {
			return v.BigInt(t.Bits, false).String()
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
		switch {
		case n.Number && n.Unsigned:
			return n.Prefix + strconv.FormatUint(v.Lo, 10)
		case n.Number:
			return n.Prefix + strconv.FormatInt(int64(v.Lo), 10)
		}
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
		return lex.Visible(fn.fn.Called())
	}
	return types.Word(t.Kind)
}

func (m *machine) format(id ir.TypeID, v Value) string { return Format(m.types, id, v) }

// Literals converts literal arguments to values, see dialect.ParseValue.
func Literals(p *ir.Program, args []*ir.Const) []Value {
	m := &machine{prog: p}
	vals := make([]Value, len(args))
	for i, c := range args {
		vals[i] = m.literal(c)
	}
	return vals
}

func (m *machine) literal(c *ir.Const) Value {
	if m.prog.Types.Kind(c.Type) == ir.KTagRef64 {
		switch c.Kind {
		case ir.ConstInt:
			return tagFromInt(c.Lo)
		case ir.ConstAggregate:
			return tagFromRef(null, uint8(c.Elems[1].Lo))
		}
		return tagFromFP(c.Lo)
	}
	if c.Kind != ir.ConstAggregate {
		return m.constant(c)
	}
	elems := make([]Value, len(c.Elems))
	for i, e := range c.Elems {
		elems[i] = m.literal(e)
	}
	return makeAggregate(elems)
}

// Results spells the results of a call, as the lines of run -call. There may be fewer notations
// than results.
func Results(p *ir.Program, name string, vals []Value, notations ...ir.Notation) ([]string, error) {
	m := &machine{prog: p}
	fn, err := m.find(name)
	if err != nil {
		return nil, err
	}
	types := p.Types.At(fn.Sig).Results
	if len(types) != len(vals) {
		return nil, fmt.Errorf("%s returns %d values, not %d", name, len(types), len(vals))
	}
	all := ir.Notation{Parts: notations}
	out := make([]string, len(vals))
	for i := range vals {
		out[i] = format(p.Types, types[i], vals[i], all.Part(i))
	}
	return out, nil
}
