package live

import (
	"encoding/binary"
	"errors"
	"sync"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
)

// The IR builder for code that runs: a node is an object of the heap with the numbers of the bundle and of the node
// in it. The bundle becomes text when it is loaded (package nodes), and is read like any other.

func init() { core.Engine.Build = build }

// built are the bundles that were begun and are neither loaded nor given up.
var built struct {
	mu   sync.Mutex
	last uint64                    // guarded by mu
	at   map[uint64]*nodes.Builder // guarded by mu
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
		return "", giveNode(t, begin(t), 0)
	}
	no, args, err := operands(core.X(t), row)
	if err != nil {
		return string(nodes.BadHandle), err
	}
	built.mu.Lock()
	b := built.at[no]
	if opcode == loadCode || opcode == abortCode {
		delete(built.at, no)
	}
	built.mu.Unlock()
	switch {
	case b == nil:
		return string(nodes.BadHandle), errors.New(row.Name + ": the bundle was loaded or given up")
	case opcode == loadCode:
		core.LoadLive(t, func() (*core.LiveBundle, string, error) { return readBuilt(t, b) })
		return "", nil
	case opcode == abortCode:
		return "", nil
	}
	n, bad := b.Call(row, args)
	switch {
	case bad != nil:
		return string(bad.Code), bad
	case row.Result == "w":
		core.X(t).W[0] = uint64(n)
	case row.Result != "":
		return "", giveNode(t, no, n)
	}
	return "", nil
}

// begin begins a bundle.
func begin(t *core.Ctx) uint64 {
	b := &nodes.Builder{NextID: func() uint32 { return core.TakeID(t) }, Known: kindOfID}
	built.mu.Lock()
	defer built.mu.Unlock()
	if built.at == nil {
		built.at = map[uint64]*nodes.Builder{}
	}
	built.last++
	built.at[built.last] = b
	return built.last
}

// kindOfID is the kind of node that an entity of the program is to the builder.
func kindOfID(id uint32) nodes.Kind {
	e := core.EntityOf(id)
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

// operands reads the operands of a call. Their nodes are of one bundle.
//
//go:norace
//go:nocheckptr
func operands(x *core.Transfer, row *nodes.Row) (bundle uint64, args []nodes.Operand, err error) {
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
	array := func(at uintptr, n uint64) []uintptr {
		if at == 0 || n == 0 {
			return nil
		}
		return unsafe.Slice((*uintptr)(unsafe.Pointer(at)), n)
	}
	lists := row.Lists()
	var shared uintptr // the first of two arrays with one length
	for _, l := range lists {
		var a nodes.Operand
		switch l {
		case "n":
			a.Node = node(ref())
		case "Z":
			at := ref()
			if at == 0 {
				return 0, nil, errors.New(row.Name + ": the name is NULL")
			}
			if a.Text, err = core.ReadBytes(at); err != nil {
				return 0, nil, err
			}
		case "A":
			shared = ref()
		case "Al":
			at, n := ref(), word()
			if shared != 0 {
				for _, p := range array(shared, n) {
					args[len(args)-1].Nodes = append(args[len(args)-1].Nodes, node(p))
				}
			}
			for _, p := range array(at, n) {
				a.Nodes = append(a.Nodes, node(p))
			}
		case "Wl", "Il":
			at, n := ref(), word()
			for i := range n {
				if l == "Wl" {
					a.Words = append(a.Words, *(*uint64)(unsafe.Pointer(at + uintptr(i)*8)))
				} else {
					a.Words = append(a.Words, uint64(*(*uint32)(unsafe.Pointer(at + uintptr(i)*4))))
				}
			}
		default:
			a.Word = word()
		}
		args = append(args, a)
	}
	return bundle, args, err
}

// readBuilt reads a bundle that was built.
func readBuilt(t *core.Ctx, b *nodes.Builder) (*core.LiveBundle, string, error) {
	text, bad := b.Text()
	if bad != nil {
		return nil, string(bad.Code), bad
	}
	r := &reader{t: t, text: text, built: b}
	l, err := r.bundle()
	if err != nil {
		return nil, r.code, err
	}
	return l, "", nil
}

// identify gives the entities of a program the IDs that the client has asked for, and removes the names of nodes that
// have none.
func identify(p *ir.Program, b *nodes.Builder) {
	ids := b.IDs()
	eachID(p, func(id *uint32, name string) {
		if n, ok := ids[name]; ok {
			*id = n
		}
	})
	for _, f := range p.Funcs {
		for _, v := range f.Versions {
			for i := range v.Insts {
				if in := &v.Insts[i]; nodes.IsUnnamedLocal(in.Name) {
					in.Name = ""
				}
			}
		}
	}
}

// eachID calls f for the IDs of the entities of a program, with their names.
func eachID(p *ir.Program, f func(id *uint32, name string)) {
	for name, id := range p.TypeIDs {
		f(&id, name)
		p.TypeIDs[name] = id
	}
	for _, c := range p.Consts {
		f(&c.ID, c.Name)
	}
	for _, g := range p.Globals {
		f(&g.ID, g.Name)
	}
	for _, x := range p.Exposes {
		f(&x.ID, x.Name)
	}
	for _, fn := range p.Funcs {
		f(&fn.ID, fn.Name)
		for _, v := range fn.Versions {
			f(&v.ID, v.Name)
			for i := range v.Blocks {
				f(&v.Blocks[i].ID, v.BlockName(ir.BlockID(i)))
				for _, id := range v.Blocks[i].Insts {
					f(&v.Insts[id].ID, v.InstName(id))
				}
			}
		}
	}
}
