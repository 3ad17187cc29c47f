// Package choose enumerates sequences of choices. It knows nothing of what is chosen.
package choose

// A Chooser enumerates all sequences of choices by replaying a prefix: whoever chooses is run again and again, until
// Next returns false. The zero value begins with the first sequence.
type Chooser struct {
	pick, limit []int
	pos         int
}

// Choose makes the next choice, of 0 to n-1.
func (c *Chooser) Choose(n int) int {
	if c.pos == len(c.pick) {
		c.pick, c.limit = append(c.pick, 0), append(c.limit, n)
	}
	c.pos++
	return c.pick[c.pos-1]
}

// Next continues with the next sequence; it returns false if there is none.
func (c *Chooser) Next() bool {
	c.pos = 0
	for n := len(c.pick) - 1; n >= 0; n-- {
		if c.pick[n]++; c.pick[n] < c.limit[n] {
			return true
		}
		c.pick, c.limit = c.pick[:n], c.limit[:n]
	}
	return false
}
