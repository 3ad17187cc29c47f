package interp

import "bytes"

// Functions that call back. They wait in a native frame for the result, so each is written as a function that takes
// the next result.

// sortArray is qsort: a bottom-up merge sort. It moves no elements before the last comparison.
func sortArray(c *nativeCall) Value {
	base, n, size, compare := c.addr(0), c.addr(1), c.addr(2), c.addr(3)
	if n < 2 || size == 0 {
		return null
	}
	if n > maxUnit/size {
		c.bad = misuse{native, "the array to sort is larger than memory"}
		return null
	}
	c.bytes(base, n*size)
	if c.bad.kind != noError {
		return null
	}
	from := make([]uint64, n) // offsets of the elements
	for i := range from {
		from[i] = uint64(i) * size
	}
	to := make([]uint64, 0, n)
	width := 1             // of sorted runs in from
	var low, high []uint64 // the rest of the two runs that are merged
	at := 0                // the beginning of the next runs

	// advance moves to the next comparison; false if everything is sorted.
	advance := func() bool {
		for {
			if len(low) > 0 && len(high) > 0 {
				return true
			}
			to = append(append(to, low...), high...)
			low, high = nil, nil
			if at >= len(from) {
				from, to = to, from[:0]
				at, width = 0, 2*width
				if width >= len(from) {
					return false
				}
			}
			mid, end := min(at+width, len(from)), min(at+2*width, len(from))
			low, high, at = from[at:mid], from[mid:end], end
		}
	}
	next := func() Value {
		if !advance() {
			c.permute(base, size, from)
			return null
		}
		c.back, c.pass = compare, []uint64{base + low[0], base + high[0]}
		return null
	}
	c.then = func(r Value) Value {
		if int32(r.Lo) <= 0 {
			to, low = append(to, low[0]), low[1:]
		} else {
			to, high = append(to, high[0]), high[1:]
		}
		return next()
	}
	return next()
}

// permute puts the elements in the order of the given offsets.
func (c *nativeCall) permute(base, size uint64, order []uint64) {
	all := c.bytes(base, size*uint64(len(order)))
	if c.bad.kind != noError {
		return
	}
	old := bytes.Clone(all)
	for i, from := range order {
		copy(all[uint64(i)*size:], old[from:from+size])
	}
}

// searchArray is bsearch.
func searchArray(c *nativeCall) Value {
	key, base, size, compare := c.addr(0), c.addr(1), c.addr(3), c.addr(4)
	low, high := uint64(0), c.addr(2)
	var mid uint64
	next := func() Value {
		if low >= high {
			return null
		}
		mid = (low + high) / 2
		c.back, c.pass = compare, []uint64{key, base + mid*size}
		return null
	}
	c.then = func(r Value) Value {
		switch x := int32(r.Lo); {
		case x == 0:
			return Value{Lo: base + mid*size}
		case x < 0:
			high = mid
		default:
			low = mid + 1
		}
		return next()
	}
	return next()
}
