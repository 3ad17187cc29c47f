package live

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
)

// A call has the operands of a call, and room for those of the next.
type call struct {
	args  []nodes.Operand
	nodes []int // in lists
}

var callRoom = sync.Pool{New: func() any { return new(call) }}

// operands reads the operands of a call. Their nodes are of one bundle.
//
//go:norace
//go:nocheckptr
func (c *call) operands(t *core.Ctx, row *nodes.Row) (bundle uint64, err error) {
	c.args, c.nodes = c.args[:0], c.nodes[:0]
	x := core.X(t)
	w, r := 0, 0
	ref := func() uintptr { r++; return x.R[r-1] }
	word := func() uint64 { w++; return x.W[w-1] }
	node := func(ref uintptr) int {
		b, n := handle(ref)
		switch {
		case b == 0:
		case bundle == 0:
			bundle = b
		case b != bundle:
			err = errors.New(row.Name + ": nodes of two bundles")
		}
		return n
	}
	what := func() string { return fmt.Sprintf("%s: operand %d", row.Name, len(c.args)+1) }
	// list reads n nodes; NULL is an empty list, of any length.
	list := func(at uintptr, n uint64) []int {
		if at == 0 {
			return nil
		}
		core.CheckRoom(t, at, n, uint64(unsafe.Sizeof(at)), what())
		first := len(c.nodes)
		for _, p := range unsafe.Slice((*uintptr)(unsafe.Pointer(at)), n) {
			c.nodes = append(c.nodes, node(p))
		}
		return c.nodes[first:]
	}
	var shared uintptr // the first of two arrays with one length
	for _, l := range row.Lists() {
		var a nodes.Operand
		switch l {
		case "n":
			a.Node = node(ref())
		case "Z":
			at := ref()
			if at == 0 {
				return 0, errors.New(row.Name + ": the name is NULL")
			}
			a.Text = core.TextOf(t, at, what())
		case "A":
			shared = ref()
		case "Al":
			at, n := ref(), word()
			if shared != 0 {
				c.args[len(c.args)-1].Nodes = list(shared, n)
			}
			a.Nodes = list(at, n)
		case "Wl", "Il":
			at, n := ref(), word()
			if at != 0 && l == "Wl" {
				core.CheckRoom(t, at, n, 8, what())
				a.Words = slices.Clone(unsafe.Slice((*uint64)(unsafe.Pointer(at)), n))
			} else if at != 0 {
				core.CheckRoom(t, at, n, 4, what())
				for _, x := range unsafe.Slice((*uint32)(unsafe.Pointer(at)), n) {
					a.Words = append(a.Words, uint64(x))
				}
			}
		default:
			a.Word = word()
		}
		c.args = append(c.args, a)
	}
	return bundle, err
}
