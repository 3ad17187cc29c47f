package mu

// Released reports whether the Mu stack of a closed context was given back.
func (c *Ctx) Released() bool {
	c.closing.Lock()
	defer c.closing.Unlock()
	return c.released
}
