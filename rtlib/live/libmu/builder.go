package libmu

// #include "libmu.h"
import "C"

import "github.com/uvm2go/uvm2go/rtlib/mu"

type builder struct{}

func enterBuilder(b *C.uvm_builder, name string) (e entry) {
	e.name = name
	e.err = fail(mu.DynCode, "no builder")
	return
}
func (b *builder) load() error                          { return nil }
func (b *builder) abort() error                         { return nil }
func (b *builder) genSym(string) (mu.ID, error)         { return 0, nil }
func (b *builder) node(string, ...interface{}) error    { return nil }
func (c *client) newIrBuilder() (*C.uvm_builder, error) { return nil, fail(mu.DynCode, "no builder") }
