package live

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// What instructions are called in reports of errors.

// namer gives the name of an instruction when it is asked for.
func (c *compiler) namer(id ir.InstID) func() string {
	v := c.v
	return func() string { return siteName(v, id) }
}

// siteName is the name of an instruction, or of its block with its place in it.
func siteName(v *ir.Version, id ir.InstID) string {
	in := &v.Insts[id]
	if in.Name != "" {
		return v.InstName(id)
	}
	for i, x := range v.Blocks[in.Block].Insts {
		if x == id {
			return fmt.Sprintf("%s+%d", v.BlockName(in.Block), i)
		}
	}
	return v.BlockName(in.Block)
}

// instNumber is the place of an instruction in its version, from 1.
func instNumber(v *ir.Version, id ir.InstID) int {
	n := 1
	for b := range v.Blocks {
		for _, x := range v.Blocks[b].Insts {
			if x == id {
				return n
			}
			n++
		}
	}
	return n
}
