package live

import "github.com/uvm2go/uvm2go/transpile/ir"

// namer gives the name of an instruction in reports of errors, when it is asked for.
func (c *compiler) namer(id ir.InstID) func() string {
	v := c.v
	return func() string { return v.SiteName(id) }
}
