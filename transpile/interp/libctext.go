package interp

import "bytes"

// Memory and strings.

var textNatives = map[string]func(c *nativeCall) Value{
	"memcpy":  copyBytes,
	"memmove": copyBytes,
	"memset": func(c *nativeCall) Value {
		b := c.bytes(c.addr(0), c.addr(2))
		for i := range b {
			b[i] = byte(c.addr(1))
		}
		return Value{Lo: c.addr(0)}
	},
	"memcmp": func(c *nativeCall) Value {
		return difference(c.bytes(c.addr(0), c.addr(2)), c.bytes(c.addr(1), c.addr(2)))
	},
	"memchr": func(c *nativeCall) Value {
		// Only the bytes up to the found one need to exist.
		for i := range c.addr(2) {
			b := c.bytes(c.addr(0)+i, 1)
			if c.bad.kind != noError {
				return null
			}
			if b[0] == byte(c.addr(1)) {
				return Value{Lo: c.addr(0) + i}
			}
		}
		return null
	},
	"strlen":  func(c *nativeCall) Value { return word64(len(c.cstring(c.addr(0)))) },
	"strnlen": func(c *nativeCall) Value { return word64(len(c.prefix(c.addr(0), c.addr(1)))) },
	"strcmp":  func(c *nativeCall) Value { return difference(c.text(0), c.text(1)) },
	"strncmp": func(c *nativeCall) Value {
		n := c.addr(2)
		return difference(c.prefix(c.addr(0), n), c.prefix(c.addr(1), n))
	},
	"strcpy": func(c *nativeCall) Value { return c.place(c.addr(0), c.text(1), 1) },
	"strncpy": func(c *nativeCall) Value {
		s := c.prefix(c.addr(1), c.addr(2))
		return c.place(c.addr(0), s, c.addr(2)-uint64(len(s)))
	},
	"strcat":  func(c *nativeCall) Value { return c.appendText(c.text(1)) },
	"strncat": func(c *nativeCall) Value { return c.appendText(c.prefix(c.addr(1), c.addr(2))) },
	"strchr":  func(c *nativeCall) Value { return c.index(bytes.IndexByte) },
	"strrchr": func(c *nativeCall) Value { return c.index(bytes.LastIndexByte) },
	"strstr": func(c *nativeCall) Value {
		if i := bytes.Index(c.text(0), c.text(1)); i >= 0 {
			return Value{Lo: c.addr(0) + uint64(i)}
		}
		return null
	},
	"strdup": func(c *nativeCall) Value {
		s := c.text(0)
		to := c.malloc(uint64(len(s)) + 1)
		if to != 0 {
			c.place(to, s, 1)
		}
		return Value{Lo: to}
	},
}

func copyBytes(c *nativeCall) Value {
	dst, src := c.bytes(c.addr(0), c.addr(2)), c.bytes(c.addr(1), c.addr(2))
	if c.bad.kind == noError {
		copy(dst, src) // right for overlapping parts too
	}
	return Value{Lo: c.addr(0)}
}

// difference is the result of a comparison: that of the first bytes that differ, with 0 after the end.
func difference(a, b []byte) Value {
	for i := 0; i < len(a) || i < len(b); i++ {
		var x, y int
		if i < len(a) {
			x = int(a[i])
		}
		if i < len(b) {
			y = int(b[i])
		}
		if x != y {
			return word64(x - y)
		}
	}
	return null
}

// text is the string that an argument points to.
func (c *nativeCall) text(i int) []byte { return c.cstring(c.addr(i)) }

// prefix is the string at an address, at most its first n bytes; no more bytes are read.
func (c *nativeCall) prefix(addr, n uint64) []byte {
	var s []byte
	for i := uint64(0); i < n; i++ {
		b := c.bytes(addr+i, 1)
		if c.bad.kind != noError || b[0] == 0 {
			break
		}
		s = append(s, b[0])
	}
	return s
}

// place stores a text and zeros after it, and returns its address.
func (c *nativeCall) place(addr uint64, text []byte, zeros uint64) Value {
	if c.bad.kind != noError {
		return null
	}
	text = bytes.Clone(text)
	if b := c.bytes(addr, uint64(len(text))+zeros); c.bad.kind == noError {
		clear(b[copy(b, text):])
	}
	return Value{Lo: addr}
}

// appendText puts a text after the string of the first argument.
func (c *nativeCall) appendText(text []byte) Value {
	c.place(c.addr(0)+uint64(len(c.text(0))), text, 1)
	return Value{Lo: c.addr(0)}
}

// index looks for the second argument in the first, its end included.
func (c *nativeCall) index(find func(s []byte, b byte) int) Value {
	s, b := c.text(0), byte(c.addr(1))
	i := find(s, b)
	if b == 0 {
		i = len(s)
	}
	if i < 0 {
		return null
	}
	return Value{Lo: c.addr(0) + uint64(i)}
}
