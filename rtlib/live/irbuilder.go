package live

import (
	"fmt"
	"math"
	"reflect"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/mu"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
)

// An IRBuilder makes one bundle by calls (docs/client.md, "The IR builder"). All that a bundle consists of are IDs,
// which GenSym gives. An ID may be used before the call that defines it, because everything is resolved by Load.
// Several goroutines may use a builder at the same time; Load uses the context.
type IRBuilder struct {
	ctx *mu.Ctx
	ids *nodes.IDBuilder
}

// NewIRBuilder begins a bundle, which will be loaded for a context.
func NewIRBuilder(c *mu.Ctx) *IRBuilder {
	return &IRBuilder{c, nodes.NewIDs(known(core.Engine.VMFor(c)))}
}

// GenSym gives an ID that nothing in the VM has, with a global name if name is not "". After Load it is the ID of what
// a call has defined under it. The error is mu.BadHandle after the end of the builder; what is wrong with a name is
// an error of Load.
func (b *IRBuilder) GenSym(name string) (mu.ID, error) {
	id, err := b.ids.GenSym(name)
	return mu.ID(id), clientError(err)
}

// At gives what the next calls define a position in the author's source, which errors, traps and traces show. The zero
// Position is none.
func (b *IRBuilder) At(p diag.Position) { b.ids.At(p) }

// Call calls a function of the client API, given by its name, such as new_type_int, with all arguments after the
// builder itself: a mu.ID, a []mu.ID instead of an array and its length, a Go integer or bool for a number, a []uint64
// or []uint32, a float32 or float64, a string. It copies the arguments. The error is mu.BadHandle after the end of the
// builder, mu.BadArg for a function or an argument that does not exist or has another type. All else is an error of Load.
func (b *IRBuilder) Call(function string, args ...any) error {
	row := nodes.IDRowNamed(function)
	if row == nil {
		return &mu.Error{Code: mu.BadArg, Msg: fmt.Sprintf("the IR builder has no function %q", function)}
	}
	list := make([]nodes.Arg, len(args))
	for i, a := range args {
		if i >= len(row.Params) {
			break // CallRow reports it
		}
		var ok bool
		if list[i], ok = argOf(&row.Params[i], a); !ok {
			return &mu.Error{Code: mu.BadArg, Msg: fmt.Sprintf("%s: %s wants %s, got %T", function, row.Params[i].Name, goType(&row.Params[i]), a)}
		}
	}
	return b.CallRow(row, list)
}

// CallRow is Call with a row of nodes.IDRows and its arguments. It copies them.
func (b *IRBuilder) CallRow(row *nodes.IDRow, args []nodes.Arg) error {
	return clientError(b.ids.Call(row, args))
}

// argOf converts an argument of Call.
func argOf(p *nodes.IDParam, a any) (x nodes.Arg, ok bool) {
	switch v := a.(type) {
	case mu.ID:
		x.ID = uint32(v)
	case []mu.ID:
		for _, id := range v {
			x.IDs = append(x.IDs, uint32(id))
		}
	case float32:
		x.Word = uint64(math.Float32bits(v))
	case float64:
		x.Word = math.Float64bits(v)
	case string:
		x.Text = v
	case []uint64:
		x.Words = v
	case []uint32:
		x.IDs = v
	case bool:
		if v {
			x.Word = 1
		}
	default:
		switch v := reflect.ValueOf(a); {
		case v.CanInt():
			x.Word = uint64(v.Int())
		case v.CanUint():
			x.Word = v.Uint()
		default:
			return x, false
		}
		return x, goType(p) == "an integer or bool"
	}
	return x, goTypes[goType(p)](a)
}

// goType says which arguments a parameter takes.
func goType(p *nodes.IDParam) string {
	switch {
	case p.Role == 'W':
		return "a []uint64"
	case p.Role == 'I':
		return "a []uint32"
	case p.List:
		return "a []mu.ID"
	case p.Role == '4':
		return "a float32"
	case p.Role == '8':
		return "a float64"
	case p.Role == 'w':
		return "an integer or bool"
	case p.Role == 'Z':
		return "a string"
	}
	return "a mu.ID"
}

// goTypes are the tests of these arguments.
var goTypes = map[string]func(any) bool{
	"a []uint64": is[[]uint64], "a []uint32": is[[]uint32], "a []mu.ID": is[[]mu.ID], "a float32": is[float32], "a float64": is[float64],
	"an integer or bool": is[bool], "a string": is[string], "a mu.ID": is[mu.ID],
}

func is[T any](a any) bool {
	_, ok := a.(T)
	return ok
}

// Load ends the builder, and checks and loads the bundle as mu.Ctx.LoadBundleText does. The error has all mistakes in
// the bundle; then nothing is loaded.
func (b *IRBuilder) Load() error {
	tree, err := b.ids.End()
	if err != nil {
		return clientError(err)
	}
	return core.Engine.LoadFor(b.ctx, func(t *core.Ctx) { load(t, treeInput{tree}) })
}

// Abort ends the builder without a bundle. The error is mu.BadHandle if it has ended.
func (b *IRBuilder) Abort() error { return clientError(b.ids.Abort()) }

// clientError is the error of a call as clients get it.
func clientError(err *nodes.Error) error {
	if err == nil {
		return nil
	}
	code := mu.Code(err.Code)
	if err.Code == nodes.BadCheck {
		code = mu.BadArg
	}
	return &mu.Error{Code: code, Msg: err.Msg}
}
