package interp

import (
	"maps"
	"os"
	"strings"
	"time"
)

// natives are the native functions that programs may call, by name: all those of clib.Table, which has
// their signatures in C. A function returns its result; a misuse is recorded in the call.
var natives = map[string]func(c *nativeCall) Value{}

func init() {
	for _, group := range []map[string]func(c *nativeCall) Value{memoryNatives, textNatives, numberNatives, fileNatives, processNatives} {
		maps.Copy(natives, group)
	}
	mathNatives()
	floatNatives()
}

// word64 is an integer result, which is cut to the width of the result type later.
func word64[T int | int64](x T) Value { return Value{Lo: uint64(x)} }

var memoryNatives = map[string]func(c *nativeCall) Value{
	"malloc": func(c *nativeCall) Value { return Value{Lo: c.malloc(c.addr(0))} },
	"calloc": func(c *nativeCall) Value {
		n, size := c.addr(0), c.addr(1)
		if size != 0 && n > maxUnit/size {
			c.fail(errNoMemory)
			return null
		}
		return Value{Lo: c.malloc(n * size)}
	},
	"realloc": realloc,
	"free": func(c *nativeCall) Value {
		c.free(c.addr(0))
		return null
	},
	"malloc_usable_size": func(c *nativeCall) Value {
		if c.addr(0) == 0 {
			return null
		}
		u, _, bad := c.t.m.addresses.find(c.addr(0))
		if bad.kind != noError {
			c.bad = bad
			return null
		}
		return word64(len(u.data))
	},
	"qsort":   sortArray,
	"bsearch": searchArray,
}

// malloc returns the address of a new block, 0 if it would be too large.
func (c *nativeCall) malloc(n uint64) uint64 {
	if n > c.t.m.cfg.HeapLimit {
		c.fail(errNoMemory)
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
	if old != 0 && n == 0 {
		c.free(old)
		return null
	}
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

var processNatives = map[string]func(c *nativeCall) Value{
	"exit": exit, "_exit": exit, "_Exit": exit,
	"abort": func(c *nativeCall) Value {
		c.t.m.exit(statusAbort, "")
		return null
	},
	"getenv": func(c *nativeCall) Value {
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
	},
	"getpid":        getpid,
	"uvmRegistered": func(*nativeCall) Value { return null }, // no functions are registered with the interpreter
	"sched_yield": func(c *nativeCall) Value {
		c.t.m.reschedule()
		return null
	},
	"__errno_location": errnoLocation, "__error": errnoLocation, "_errno": errnoLocation,
	"time": func(c *nativeCall) Value {
		v := word64(c.clock().Unix())
		if c.addr(0) != 0 {
			c.put(c.addr(0), v)
		}
		return v
	},
	"clock": func(c *nativeCall) Value { return word64(c.t.m.now() / 1000) },
	"gettimeofday": func(c *nativeCall) Value {
		if now := c.clock(); c.addr(0) != 0 {
			c.put(c.addr(0), word64(now.Unix()))
			c.put(c.addr(0)+8, word64(now.Nanosecond()/1000))
		}
		return null
	},
	"clock_gettime": clockGettime,
	"nanosleep": func(c *nativeCall) Value {
		b := c.bytes(c.addr(0), 16)
		if c.bad.kind != noError {
			return null
		}
		sec, ns := int64(loadBytes(b[:8]).Lo), int64(loadBytes(b[8:]).Lo)
		if sec < 0 || ns < 0 || ns >= 1e9 {
			c.fail(errInvalid)
			return word64(-1)
		}
		if rest := c.addr(1); rest != 0 {
			c.put(rest, null)
			c.put(rest+8, null)
		}
		c.rest(sec, ns)
		return null
	},
	"usleep": func(c *nativeCall) Value {
		us := int64(uint32(c.addr(0)))
		c.rest(us/1e6, us%1e6*1000)
		return null
	},
	"sleep": func(c *nativeCall) Value {
		c.rest(int64(uint32(c.addr(0))), 0)
		return null
	},
	"c_increase":   func(c *nativeCall) Value { return word64(c.int(0) + 1) },
	"inspectStack": func(*nativeCall) Value { return null },
	"uvmPin":       func(*nativeCall) Value { return word64(-1) }, // the interpreter has one OS thread
}

func exit(c *nativeCall) Value {
	c.t.m.exit(int(c.addr(0)&0xff), "")
	return null
}

// environ is the address of the C variable environ, which points to a list of strings.
func (m *machine) environ() uint64 {
	addr, ok := m.natives["environ"]
	if !ok {
		var vars []string
		for _, v := range os.Environ() {
			name, _, _ := strings.Cut(v, "=")
			if value, ok := m.cfg.LookupEnv(name); ok {
				vars = append(vars, name+"="+value)
			}
		}
		list, cell := m.nativeBlock(uint64(len(vars)+1)*8), m.nativeBlock(8)
		for i, v := range vars {
			storeBytes(list.data[8*i:8*i+8], Value{Lo: m.nativeString(v)})
		}
		storeBytes(cell.data, Value{Lo: list.addr})
		addr = cell.addr
		m.natives["environ"] = addr
	}
	return addr
}

func errnoLocation(c *nativeCall) Value { return Value{Lo: c.errno().addr} }

// Clocks, by the numbers of Linux.
const (
	clockReal         = 0
	clockMonotonic    = 1
	clockProcess      = 2
	clockMonotonicRaw = 4
)

func clockGettime(c *nativeCall) Value {
	var ns int64
	switch c.int(0) {
	case clockReal:
		ns = c.clock().UnixNano()
	case clockMonotonic, clockMonotonicRaw, clockProcess:
		ns = c.t.m.now()
	default:
		c.fail(errInvalid)
		return word64(-1)
	}
	c.put(c.addr(1), word64(ns/1e9))
	c.put(c.addr(1)+8, word64(ns%1e9))
	return null
}

// rest makes the thread wait, for any length of time.
func (c *nativeCall) rest(sec, ns int64) {
	const most = 1 << 33 // seconds that fit
	c.sleep = min(sec, most)*1e9 + ns
}

// put stores a long at an address.
func (c *nativeCall) put(addr uint64, v Value) {
	if b := c.bytes(addr, 8); c.bad.kind == noError {
		storeBytes(b, v)
	}
}

// clock is the time of day: the time of the start plus the virtual time since.
func (c *nativeCall) clock() time.Time {
	return c.t.m.cfg.Start.Add(time.Duration(c.t.m.now()))
}
