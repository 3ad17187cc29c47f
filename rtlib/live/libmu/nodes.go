package libmu

// #include "libmu.h"
import "C"

import (
	"fmt"
	"math"

	"github.com/uvm2go/uvm2go/rtlib/live"
	"github.com/uvm2go/uvm2go/rtlib/mu"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
)

// The builder of 2016. A node is a handle, whose slot has the number of the bundle and of the node in it.

// A nodeArg is a node that is a parameter; 0 if it is absent.
type nodeArg struct {
	bundle uint32 // its number in the VM
	no     uint32
}

// node is the node of a handle.
func node(e *entry, handle C.uintptr_t, param string) (n nodeArg) {
	if e.err != nil {
		return n
	}
	s, err := e.ctx.slot(handle)
	if err != nil {
		e.err = named(err, param)
		return n
	}
	if s.kind>>24 != C.UVM_NODE {
		v, err := e.ctx.value(handle)
		if e.err = err; err == nil {
			e.err = fail(mu.TypeMismatch, "%s: a value of %s, want a node", param, v.Type())
		}
		return n
	}
	return nodeArg{uint32(s.value >> 32), uint32(s.value)}
}

// optionalNode is node for a parameter that may be absent.
func optionalNode(e *entry, handle C.uintptr_t, param string) (n nodeArg) {
	if handle == 0 {
		return n
	}
	return node(e, handle, param)
}

// nodeList are the nodes of an array of handles.
func nodeList(e *entry, p *C.uintptr_t, n C.uintptr_t, param string) []nodeArg {
	var list []nodeArg
	for _, h := range array(p, n) {
		list = append(list, node(e, h, param))
	}
	return list
}

// A nodeResult is what a function of the builder returns.
type nodeResult struct {
	bundle uint32
	no     int
}

// giveNode makes the handle of a node that is a result.
func (e *entry) giveNode(n nodeResult, err error) (h C.uintptr_t) {
	if e.err = err; err == nil {
		h, e.err = e.ctx.take(C.UVM_NODE<<24, uint64(n.bundle)<<32|uint64(uint32(n.no)))
	}
	return h
}

// nodeID is a result that is an ID.
func (e *entry) nodeID(n nodeResult, err error) C.uint32_t { return e.id(mu.ID(n.no), err) }

// Functions about a whole bundle, by row.
const (
	newBundleRow = iota
	loadRow
	abortRow
)

// node calls a function of the builder, given by its row.
func (c *client) node(row int, args ...any) (r nodeResult, err error) {
	if row == newBundleRow {
		return nodeResult{c.vm.beginBundle(c.mu), nodes.Whole}, nil
	}
	ops := make([]nodes.Operand, len(args))
	for i, a := range args {
		if err := r.operand(&ops[i], a); err != nil {
			return r, err
		}
	}
	b := c.vm.bundle(r.bundle)
	if b == nil {
		return r, fail(mu.BadHandle, "the bundle was loaded or given up")
	}
	switch row {
	case loadRow, abortRow:
		if ops[0].Node != nodes.Whole {
			return r, fail(mu.BadBundle, "want the node of a bundle, got one in it")
		}
		c.vm.endBundle(r.bundle)
		if row == abortRow {
			b.Abort()
			return r, nil
		}
		return r, b.Load(c.mu)
	}
	r.no, err = b.Call(&nodes.Rows[row], ops)
	return r, err
}

// operand converts an argument of a call. Its nodes must be of one bundle.
func (r *nodeResult) operand(op *nodes.Operand, arg any) error {
	switch a := arg.(type) {
	case nodeArg:
		op.Node = int(a.no)
		return r.within(a)
	case []nodeArg:
		for _, n := range a {
			op.Nodes = append(op.Nodes, int(n.no))
			if err := r.within(n); err != nil {
				return err
			}
		}
	case []uint32:
		for _, w := range a {
			op.Words = append(op.Words, uint64(w))
		}
	case []uint64:
		op.Words = a
	case string:
		op.Text = a
	case bool:
		if a {
			op.Word = 1
		}
	case int:
		op.Word = uint64(a)
	case mu.ID:
		op.Word = uint64(a)
	case uint32:
		op.Word = uint64(a)
	case uint64:
		op.Word = a
	case float32:
		op.Word = uint64(math.Float32bits(a))
	case float64:
		op.Word = math.Float64bits(a)
	default:
		return fmt.Errorf("a parameter of type %T", arg)
	}
	return nil
}

// within checks that a node, if it is one, is of the bundle of the others.
func (r *nodeResult) within(n nodeArg) error {
	switch {
	case n.bundle == 0:
	case r.bundle == 0:
		r.bundle = n.bundle
	case r.bundle != n.bundle:
		return fail(mu.BadHandle, "nodes of two bundles")
	}
	return nil
}

// beginBundle begins a bundle and returns its number.
func (v *vm) beginBundle(c *mu.Ctx) uint32 {
	v.building.Lock()
	defer v.building.Unlock()
	if v.bundles == nil {
		v.bundles = map[uint32]*live.NodeBuilder{}
	}
	v.lastBundle++
	v.bundles[v.lastBundle] = live.NewNodeBuilder(c)
	return v.lastBundle
}

// bundle returns the bundle with a number, nil if it has ended.
func (v *vm) bundle(no uint32) *live.NodeBuilder {
	v.building.Lock()
	defer v.building.Unlock()
	return v.bundles[no]
}

func (v *vm) endBundle(no uint32) {
	v.building.Lock()
	defer v.building.Unlock()
	delete(v.bundles, no)
}
