package ial

import (
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// fits fails if an object is no array or vector with elements of the type of a register.
func (b *body) fits(ref ir.ValueID, t *module.Type) {}

// fitsField fails if an object has no such member.
func (b *body) fitsField(ref ir.ValueID, t *module.Type, f *module.Field) {}
