package interp

import (
	"math"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// The functions of a C compiler's runtime library for arithmetic on floats (docs/native.md, "Arithmetic on floats").

// floatNatives adds these functions for float, which is sf in their names, and double, which is df.
func floatNatives() {
	for _, t := range []struct {
		name  string
		ty    *ir.Type
		value func(x float64) Value // rounds
	}{
		{"sf", &ir.Type{Kind: ir.KFloat}, func(x float64) Value { return Float32(float32(x)) }},
		{"df", &ir.Type{Kind: ir.KDouble}, Float64},
	} {
		arg := func(c *nativeCall, i int) float64 { return readFP(t.ty, c.args[i]) }
		// The sum, difference, product or quotient of floats is computed with doubles and rounded again. This is exact
		// because a double has more than twice the digits.
		for op, f := range map[string]func(x, y float64) float64{
			"add": func(x, y float64) float64 { return x + y },
			"sub": func(x, y float64) float64 { return x - y },
			"mul": func(x, y float64) float64 { return x * y },
			"div": func(x, y float64) float64 { return x / y },
		} {
			natives["__"+op+t.name+"3"] = func(c *nativeCall) Value { return t.value(f(arg(c, 0), arg(c, 1))) }
		}
		sign := uint64(1) << (bitSize(t.ty) - 1)
		natives["__neg"+t.name+"2"] = func(c *nativeCall) Value { return Value{Lo: c.args[0].Lo ^ sign} }
		for op, f := range map[string]struct {
			less, same, more, unordered int64
		}{
			"cmp": {-1, 0, 1, 1}, "eq": {1, 0, 1, 1}, "ne": {1, 0, 1, 1}, "lt": {-1, 0, 0, 0}, "le": {0, 0, 1, 1}, "gt": {0, 0, 1, 0}, "ge": {-1, 0, 0, -1},
		} {
			natives["__"+op+t.name+"2"] = func(c *nativeCall) Value {
				switch x, y := arg(c, 0), arg(c, 1); {
				case x < y:
					return Int64(f.less, 32)
				case x == y:
					return Int64(f.same, 32)
				case x > y:
					return Int64(f.more, 32)
				}
				return Int64(f.unordered, 32)
			}
		}
		natives["__unord"+t.name+"2"] = func(c *nativeCall) Value {
			if math.IsNaN(arg(c, 0)) || math.IsNaN(arg(c, 1)) {
				return Int64(1, 32)
			}
			return Value{}
		}
		for name, bits := range map[string]uint32{"si": 32, "di": 64} {
			for prefix, isSigned := range map[string]bool{"": true, "un": false} {
				uns := prefix
				if uns != "" {
					uns = "uns"
				}
				toInt, toFloat := fpToInt(t.ty, bits, isSigned), intToFP(bits, t.ty, isSigned)
				natives["__fix"+uns+t.name+name] = func(c *nativeCall) Value { return toInt(c.args[0]) }
				natives["__float"+prefix+name+t.name] = func(c *nativeCall) Value { return toFloat(truncate(Value{Lo: c.w[0]}, bits)) }
			}
		}
	}
	natives["__extendsfdf2"] = func(c *nativeCall) Value { return Float64(float64(c.args[0].AsFloat32())) }
	natives["__truncdfsf2"] = func(c *nativeCall) Value { return Float32(float32(c.args[0].AsFloat64())) }
}
