package interp

import (
	"bytes"
	"io"
	"math"
	"time"
)

// nativeFunc is a native function: the C types of its parameters and result
// (see fits; v is none), and what it does.
type nativeFunc struct {
	params string
	result rune
	call   func(c *nativeCall) Value
}

// natives are the native functions that programs may call.
var natives map[string]nativeFunc

func init() {
	natives = map[string]nativeFunc{
		"memcpy":  {"iii", 'i', copyBytes},
		"memmove": {"iii", 'i', copyBytes},
		"memset": {"iii", 'i', func(c *nativeCall) Value {
			b := c.bytes(c.addr(0), c.addr(2))
			for i := range b {
				b[i] = byte(c.addr(1))
			}
			return c.args[0]
		}},
		"memcmp": {"iii", 'i', func(c *nativeCall) Value {
			return word64(bytes.Compare(c.bytes(c.addr(0), c.addr(2)), c.bytes(c.addr(1), c.addr(2))))
		}},
		"strlen": {"i", 'i', func(c *nativeCall) Value { return word64(len(c.cstring(c.addr(0)))) }},
		"strcmp": {"ii", 'i', func(c *nativeCall) Value {
			return word64(bytes.Compare(c.cstring(c.addr(0)), c.cstring(c.addr(1))))
		}},
		"malloc": {"i", 'i', func(c *nativeCall) Value { return Value{Lo: c.malloc(c.addr(0))} }},
		"calloc": {"ii", 'i', func(c *nativeCall) Value {
			n, size := c.addr(0), c.addr(1)
			if size != 0 && n > maxUnit/size {
				return null
			}
			return Value{Lo: c.malloc(n * size)}
		}},
		"realloc": {"ii", 'i', realloc},
		"free": {"i", 'v', func(c *nativeCall) Value {
			c.free(c.addr(0))
			return null
		}},
		"write": {"iii", 'i', write},
		"read":  {"iii", 'i', read},
		"puts": {"i", 'i', func(c *nativeCall) Value {
			return c.output(1, append(append([]byte(nil), c.cstring(c.addr(0))...), '\n'))
		}},
		"putchar": {"i", 'i', func(c *nativeCall) Value {
			c.output(1, []byte{byte(c.addr(0))})
			return Value{Lo: c.addr(0) & 0xff}
		}},
		"exit": {"i", 'v', func(c *nativeCall) Value {
			c.t.m.exit(int(c.addr(0)&0xff), "")
			return null
		}},
		"_exit": {"i", 'v', func(c *nativeCall) Value {
			c.t.m.exit(int(c.addr(0)&0xff), "")
			return null
		}},
		"abort": {"", 'v', func(c *nativeCall) Value {
			c.t.m.exit(statusAbort, "")
			return null
		}},
		"abs":  {"i", 'i', func(c *nativeCall) Value { return word64(max(c.int(0), -c.int(0))) }},
		"labs": {"i", 'i', func(c *nativeCall) Value { return word64(max(c.int(0), -c.int(0))) }},
		"getenv": {"i", 'i', func(c *nativeCall) Value {
			name := string(c.cstring(c.addr(0)))
			v, ok := c.t.m.cfg.LookupEnv(name)
			if !ok {
				return null
			}
			addr, ok := c.t.m.natives["getenv "+name]
			if !ok {
				addr = c.t.m.nativeString(v)
				c.t.m.natives["getenv "+name] = addr
			}
			return Value{Lo: addr}
		}},
		"time": {"i", 'i', func(c *nativeCall) Value {
			v := word64(c.clock().Unix())
			if c.addr(0) != 0 {
				c.put(c.addr(0), v)
			}
			return v
		}},
		"clock": {"", 'i', func(c *nativeCall) Value { return word64(c.t.m.now() / 1000) }},
		"gettimeofday": {"ii", 'i', func(c *nativeCall) Value {
			if now := c.clock(); c.addr(0) != 0 {
				c.put(c.addr(0), word64(now.Unix()))
				c.put(c.addr(0)+8, word64(now.Nanosecond()/1000))
			}
			return null
		}},
	}
	for name, f := range map[string]func(float64) float64{
		"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan,
		"sinh": math.Sinh, "cosh": math.Cosh, "tanh": math.Tanh, "exp": math.Exp, "exp2": math.Exp2,
		"log": math.Log, "log2": math.Log2, "log10": math.Log10, "sqrt": math.Sqrt, "cbrt": math.Cbrt,
		"floor": math.Floor, "ceil": math.Ceil, "trunc": math.Trunc, "round": math.Round,
		"rint": math.RoundToEven, "nearbyint": math.RoundToEven, "fabs": math.Abs,
	} {
		natives[name] = nativeFunc{"d", 'd', func(c *nativeCall) Value { return Float64(f(c.args[0].AsFloat64())) }}
		natives[name+"f"] = nativeFunc{"f", 'f', func(c *nativeCall) Value {
			return Float32(float32(f(float64(c.args[0].AsFloat32()))))
		}}
	}
	for name, f := range map[string]func(x, y float64) float64{
		"pow": math.Pow, "fmod": math.Mod, "atan2": math.Atan2, "hypot": math.Hypot, "copysign": math.Copysign,
	} {
		natives[name] = nativeFunc{"dd", 'd', func(c *nativeCall) Value {
			return Float64(f(c.args[0].AsFloat64(), c.args[1].AsFloat64()))
		}}
		natives[name+"f"] = nativeFunc{"ff", 'f', func(c *nativeCall) Value {
			return Float32(float32(f(float64(c.args[0].AsFloat32()), float64(c.args[1].AsFloat32()))))
		}}
	}
}

// word64 is an integer result, cut to the width of the result later.
func word64[T int | int64](x T) Value { return Value{Lo: uint64(x)} }

func copyBytes(c *nativeCall) Value {
	dst, src := c.bytes(c.addr(0), c.addr(2)), c.bytes(c.addr(1), c.addr(2))
	if c.bad.kind == noError {
		copy(dst, src) // right for overlapping parts too
	}
	return c.args[0]
}

// malloc gives the address of a new block, 0 if it would be too large.
func (c *nativeCall) malloc(n uint64) uint64 {
	if n > c.t.m.cfg.HeapLimit {
		return 0
	}
	return c.t.m.nativeBlock(n).addr
}

func (c *nativeCall) free(addr uint64) {
	if addr == 0 {
		return
	}
	u, off, bad := c.t.m.addresses.find(addr)
	switch {
	case bad.kind != noError:
		c.bad = bad
	case off != 0 || u.kind != nativeUnit:
		c.bad = misuse{native, "the address to free does not come from malloc"}
	default:
		u.dead = true
		c.t.m.addresses.hide(u)
	}
}

func realloc(c *nativeCall) Value {
	old, n := c.addr(0), c.addr(1)
	to := c.malloc(n)
	if to == 0 || old == 0 {
		return Value{Lo: to}
	}
	u, _, bad := c.t.m.addresses.find(old)
	c.free(old)
	if c.bad.kind != noError || bad.kind != noError {
		return null
	}
	copy(c.bytes(to, n), u.data)
	return Value{Lo: to}
}

// output writes to a file descriptor and gives the number of bytes.
func (c *nativeCall) output(fd int64, b []byte) Value {
	if c.bad.kind != noError {
		return null
	}
	w := c.t.m.cfg.Stdout
	if fd == 2 {
		w = c.t.m.cfg.Stderr
	}
	n, err := w.Write(b)
	if err != nil {
		return word64(-1)
	}
	return word64(n)
}

func write(c *nativeCall) Value {
	b, fd := c.bytes(c.addr(1), c.addr(2)), c.int(0)
	if fd != 1 && fd != 2 {
		return word64(-1)
	}
	return c.output(fd, b)
}

func read(c *nativeCall) Value {
	b := c.bytes(c.addr(1), c.addr(2))
	if c.bad.kind != noError || c.int(0) != 0 {
		return word64(-1)
	}
	n, err := c.t.m.cfg.Stdin.Read(b)
	if err != nil && err != io.EOF {
		return word64(-1)
	}
	return word64(n)
}

// put stores a long at an address.
func (c *nativeCall) put(addr uint64, v Value) {
	if b := c.bytes(addr, 8); c.bad.kind == noError {
		storeBytes(b, v)
	}
}

// clock is the time of day: when the program started and the virtual time since.
func (c *nativeCall) clock() time.Time {
	return c.t.m.cfg.Start.Add(time.Duration(c.t.m.now()))
}
