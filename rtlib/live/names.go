package live

import "github.com/uvm2go/uvm2go/transpile/ir"

// namer gives the name of an instruction in reports of errors, when it is asked for.
func (c *compiler) namer(id ir.InstID) func() string {
	v, p := c.v, c.p.facts.IR
	return func() string { return p.PlaceName(v.SiteName(id)) }
}
