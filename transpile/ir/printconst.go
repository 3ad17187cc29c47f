package ir

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

func funcName(f *Function) string {
	if f == nil {
		return "?func"
	}
	return global(f.Name)
}

// maxNested bounds the depth to which nested constants are spelled; only broken
// ones are deeper.
const maxNested = 100

// constant spells a constant used as an operand.
func (pr *printer) constant(c *Const, depth int) string {
	if c == nil {
		return "?const"
	}
	if c.Name != "" {
		switch e := pr.p.Entities[c.Name].(type) {
		case *Const:
			if e == c {
				return global(c.Name)
			}
		case *Global:
			if c.Kind == ConstGlobal && e == c.Global && pr.is(c.Type, KIRef, e.Type) {
				return global(c.Name)
			}
		case *Function:
			if c.Kind == ConstFunc && e == c.Func && pr.is(c.Type, KFuncRef, e.Sig) {
				return global(c.Name)
			}
		case *Expose:
			if c.Kind == ConstExpose && e == c.Expose && c.Type == e.Type {
				return global(c.Name)
			}
		}
	}
	return pr.literal(c, depth) + ":" + pr.typ(c.Type)
}

func (pr *printer) is(id TypeID, k Kind, elem TypeID) bool {
	return pr.t.Valid(id) && pr.t.tab.List[id].Kind == k && pr.t.tab.List[id].Elem == elem
}

// literal spells the value of a constant.
func (pr *printer) literal(c *Const, depth int) string {
	switch c.Kind {
	case ConstInt:
		if c.Hi != 0 {
			return fmt.Sprintf("0x%x%016x", c.Hi, c.Lo)
		}
		// A number just below 2^n was most likely written as a negative number.
		if pr.t.Valid(c.Type) {
			if n := pr.t.tab.List[c.Type].Bits; n >= 32 && n <= 64 && c.Lo>>16 == 1<<(n-16)-1 {
				return strconv.FormatInt(int64(c.Lo|math.MaxUint64&^0xffff), 10)
			}
		}
		return strconv.FormatUint(c.Lo, 10)
	case ConstFP:
		return pr.float(c)
	case ConstNull:
		return "null"
	case ConstAggregate:
		if depth > maxNested {
			return "?deep"
		}
		s := make([]string, len(c.Elems))
		for i, e := range c.Elems {
			s[i] = pr.constant(e, depth+1)
		}
		return "{" + strings.Join(s, " ") + "}"
	case ConstBytes:
		return "bytes " + strconv.Quote(c.Bytes)
	case ConstExtern:
		return "extern " + strconv.Quote(c.Sym)
	case ConstGlobal:
		if c.Global != nil {
			return global(c.Global.Name)
		}
	case ConstFunc:
		return funcName(c.Func)
	case ConstExpose:
		if c.Expose != nil {
			return global(c.Expose.Name)
		}
	}
	return fmt.Sprintf("?const%d", c.Kind)
}

// float spells a number so that Parse reads back the same bits.
func (pr *printer) float(c *Const) string {
	v, bits := math.Float64frombits(c.Lo), 64
	if pr.t.Valid(c.Type) && pr.t.tab.List[c.Type].Kind == KFloat {
		v, bits = float64(math.Float32frombits(uint32(c.Lo))), 32
	}
	if math.IsNaN(v) || math.IsInf(v, 0) || bits == 32 && c.Lo>>32 != 0 {
		return fmt.Sprintf("bits(%#x)", c.Lo)
	}
	s := strconv.FormatFloat(v, 'g', -1, bits)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}
