package libmu

// #include "libmu.h"
import "C"

import "github.com/uvm2go/uvm2go/rtlib/mu"

type builder struct{}

func enterBuilder(b *C.uvm_builder, name string) (e entry) { e.name = name; e.err = fail(mu.DynCode, "no builder"); return }
func (b *builder) load() error { return nil }
func (b *builder) abort() error { return nil }
func (b *builder) genSym(string) (mu.ID, error) { return 0, nil }
func (b *builder) node(string, ...interface{}) (int, error) { return 0, nil }
func (c *client) newIrBuilder() (*C.uvm_builder, error) { return nil, fail(mu.DynCode, "no builder") }
func (c *client) node(int, ...interface{}) (int, error) { return 0, fail(mu.DynCode, "no builder") }
func node(e *entry, h C.uintptr_t, p string) C.uintptr_t { return h }
func nodeList(e *entry, h *C.uintptr_t, n C.uintptr_t, p string) []C.uintptr_t { return nil }
func optionalNode(e *entry, h C.uintptr_t, p string) C.uintptr_t { return h }
func (e *entry) giveNode(int, error) C.uintptr_t { return 0 }
func (e *entry) nodeID(int, error) C.uint32_t { return 0 }
