package live

import (
	"errors"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/mu"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
)

// A NodeBuilder makes one bundle with the functions of the client API of 2016, as the instructions @uvm.irbuilder.* do
// (docs/language.md, "The IR builder"). Several goroutines may use it at the same time.
type NodeBuilder struct {
	b *nodes.Builder
}

// NewNodeBuilder begins a bundle for the VM of a context. Its node is nodes.Whole.
func NewNodeBuilder(c *mu.Ctx) *NodeBuilder {
	return &NodeBuilder{nodes.New(known(core.Engine.VMFor(c)))}
}

// Call calls a function, given by its row, with its operands; not those that make, load or abort a bundle. It returns
// the number of the node that the function makes, or the ID that it returns.
func (n *NodeBuilder) Call(row *nodes.Row, args []nodes.Operand) (int, error) {
	result, bad := n.b.Call(row, args)
	return result, nodeError(bad)
}

// Load ends the builder, and loads the bundle as mu.Ctx.LoadBundleText does.
func (n *NodeBuilder) Load(c *mu.Ctx) error {
	tree, bad := n.b.End()
	if bad != nil {
		return nodeError(bad)
	}
	return core.Engine.LoadFor(c, func(t *core.Ctx) { load(t, treeInput{tree}) })
}

// Abort ends the builder without a bundle.
func (n *NodeBuilder) Abort() { n.b.Abort() }

// nodeError is the error of a call as clients get it.
func nodeError(bad *nodes.Error) error {
	if bad == nil {
		return nil
	}
	code := mu.Code(bad.Code)
	if code == "" {
		return errors.New(bad.Msg)
	}
	return &mu.Error{Code: code, Msg: bad.Msg}
}
