package textform

import (
	"fmt"
	"strconv"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Number spells an integer or floating-point constant of a type for text of 2014 and 2016: integers are signed
// and decimal, or hexadecimal if they have more than 64 bits; floating-point numbers are bit patterns.
func Number(t *ir.Type, c *ir.Const) string {
	switch {
	case c.Kind == ir.ConstFP && t.Kind == ir.KFloat:
		return fmt.Sprintf("bitsf(%#x)", c.Lo)
	case c.Kind == ir.ConstFP:
		return fmt.Sprintf("bitsd(%#x)", c.Lo)
	case c.Hi != 0:
		return fmt.Sprintf("%#x%016x", c.Hi, c.Lo)
	case t.Bits > 64:
		return fmt.Sprintf("%#x", c.Lo)
	case t.Bits == 1:
		return strconv.FormatUint(c.Lo, 10)
	}
	return strconv.FormatInt(int64(c.Lo<<(64-t.Bits))>>(64-t.Bits), 10)
}
