package live

import (
	"encoding/binary"
	"errors"
	"maps"
	"sync"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
)

// The IR builder for code that runs: a node is an object of the heap with the numbers of the bundle and of the node
// in it. The bundle becomes a tree when it is loaded (package nodes), which is read like that of a text.

func init() { core.Engine.Build = build }

// built are the bundles that were begun and are neither loaded nor given up.
var built struct {
	mu   sync.Mutex
	last uint64             // guarded by mu
	at   map[uint64]builder // guarded by mu
}

// A builder makes a bundle of a VM.
type builder struct {
	*nodes.Builder
	vm *core.VM
}

// Opcodes of the calls about a whole bundle.
const (
	newBundleCode = nodes.First + iota
	loadCode
	abortCode
)

// build is core.Engine.Build.
//
//go:norace
func build(t *core.Ctx, opcode uint32) (code string, err error) {
	row := &nodes.Rows[opcode-nodes.First]
	if opcode == newBundleCode {
		return "", giveNode(t, begin(core.VMOf(t)), nodes.Whole)
	}
	c := callRoom.Get().(*call)
	defer callRoom.Put(c)
	no, err := c.operands(t, row)
	if err != nil {
		return string(nodes.BadHandle), err
	}
	built.mu.Lock()
	b := built.at[no]
	built.mu.Unlock()
	if b.Builder == nil || b.vm != core.VMOf(t) {
		return string(nodes.BadHandle), errors.New(row.Name + ": the bundle was loaded or given up")
	}
	var n int
	var whole *nodes.Tree
	var bad *nodes.Error
	// A call may wait for others of the same bundle, and for bundles that are read.
	t.Th.EnterSafe()
	switch opcode {
	case loadCode:
		if bad = b.Check(row, c.args); bad == nil {
			whole, bad = b.End()
			forgetBuilt(no)
		}
	case abortCode:
		if bad = b.Check(row, c.args); bad == nil {
			b.Abort()
			forgetBuilt(no)
		}
	default:
		n, bad = b.Call(row, c.args)
	}
	t.Th.LeaveSafe()
	switch {
	case bad != nil:
		return string(bad.Code), bad
	case whole != nil:
		load(t, treeInput{whole})
	case row.Result == "w":
		core.X(t).W[0] = uint64(n)
	case row.Result != "":
		return "", giveNode(t, no, n)
	}
	return "", nil
}

// known is what builders know of the VM.
func known(vm *core.VM) nodes.Program {
	return nodes.Program{
		NextID: core.TakeID,
		Known:  func(id uint32) nodes.Kind { return nodeKind(vm.EntityOf(id)) },
		NameOf: func(id uint32) string {
			name, _ := vm.NameOfID(id)
			return name
		},
	}
}

// begin begins a bundle.
func begin(vm *core.VM) uint64 {
	b := nodes.New(known(vm))
	built.mu.Lock()
	defer built.mu.Unlock()
	if built.at == nil {
		built.at = map[uint64]builder{}
	}
	built.last++
	built.at[built.last] = builder{b, vm}
	return built.last
}

// forgetBuilt forgets a bundle that has ended.
func forgetBuilt(no uint64) {
	built.mu.Lock()
	delete(built.at, no)
	built.mu.Unlock()
}

// forgetAllBuilt forgets the bundles of a VM.
func forgetAllBuilt(vm *core.VM) {
	built.mu.Lock()
	defer built.mu.Unlock()
	maps.DeleteFunc(built.at, func(_ uint64, b builder) bool { return b.vm == vm })
}

// nodeKind is the kind of node that an entity of the program is to the builder.
func nodeKind(e *core.Entity) nodes.Kind {
	if e == nil {
		return nodes.None
	}
	return [...]nodes.Kind{core.TypeEntity: nodes.Type, core.SigEntity: nodes.Sig, core.ConstEntity: nodes.Const, core.GlobalEntity: nodes.Global,
		core.FuncEntity: nodes.Func, core.ExposeEntity: nodes.Exposed}[e.Kind]
}

// giveNode makes the object of a node the result.
func giveNode(t *core.Ctx, bundle uint64, node int) error {
	var text [16]byte
	binary.NativeEndian.PutUint64(text[:], bundle)
	binary.NativeEndian.PutUint64(text[8:], uint64(node))
	p := core.NewBytes(t, string(text[:]))
	if p == 0 {
		core.Fail(t, core.OutOfMemory, "", "making a node")
	}
	core.X(t).R[0] = p
	return nil
}

// handle reads the object of a node, NULL as zeros.
func handle(ref uintptr) (bundle uint64, node int) {
	if ref == 0 {
		return 0, 0
	}
	text, err := core.ReadBytes(ref)
	if err != nil || len(text) != 16 {
		return 0, 0
	}
	return binary.NativeEndian.Uint64([]byte(text)), int(binary.NativeEndian.Uint64([]byte(text[8:])))
}
