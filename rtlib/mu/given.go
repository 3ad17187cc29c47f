package mu

import (
	"reflect"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

// What clients give: arguments, values to pass to stacks, variables for results. It is checked before anything happens,
// here for all functions of the package. No function here lets arguments of a call escape, see plain.go.

// absent reports whether v is nil or a nil pointer.
func absent(v any) bool {
	if v == nil {
		return true
	}
	r := reflect.ValueOf(v)
	return r.Kind() == reflect.Pointer && r.IsNil()
}

// suit checks that variables fit the results of a function.
func suit(e *core.Entity, into []any) error {
	if len(into) != len(e.Results) {
		return fail(TypeMismatch, "%s has %d results, not %d", e.Func.Name, len(e.Results), len(into))
	}
	for i, p := range into {
		switch ty := e.Results[i]; {
		case absent(p):
			return fail(BadArg, "result %d of %s: the pointer to the variable is nil", i+1, e.Func.Name)
		case !suits(ty, p):
			return fail(TypeMismatch, "result %d of %s is of %s, which the variable does not suit", i+1, e.Func.Name, ty)
		}
	}
	return nil
}

// count returns the number of arguments; lists stand for their elements.
func count(args []any) int {
	n := 0
	for _, a := range args {
		switch l := a.(type) {
		case []Value:
			n += len(l)
		case []any:
			n += count(l)
		default:
			n++
		}
	}
	return n
}

// passing puts arguments, as many as there are types, into a transfer area.
type passing struct {
	ctx  *Ctx
	x    *core.Transfer
	to   []*core.VType // what is expected; for a stack, nil where a plain Go value fits nothing
	name string        // of the function, "" for a stack

	i, w, r int           // how many arguments, words and references there are
	types   []*core.VType // for a stack: of the values
}

func (p *passing) all(args []any) error {
	for _, a := range args {
		var err error
		switch l := a.(type) {
		case []Value:
			for i := 0; i < len(l) && err == nil; i++ {
				err = p.value(raw(l[i]))
			}
		case []any:
			err = p.all(l)
		default:
			err = p.one(a)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *passing) one(a any) error {
	h, ok := handleOf(a)
	if ok || a == nil {
		return p.value(h)
	}
	var ty *core.VType
	if p.i < len(p.to) {
		ty = p.to[p.i]
	}
	n, code := 0, TypeMismatch
	if ty != nil {
		n, code = toMu(ty, a, p.x.W[p.w:])
	}
	switch {
	case code != "" && p.name != "":
		return fail(code, "argument %d of %s: a Go value that does not suit %s", p.i+1, p.name, ty)
	case code != "" && ty != nil:
		return fail(code, "value %d: a Go value that does not suit %s", p.i+1, ty)
	case code != "":
		return fail(code, "value %d: a Go value where the stack waits for none", p.i+1)
	case p.name == "":
		p.types = append(p.types, ty)
	}
	p.i, p.w = p.i+1, p.w+n
	return nil
}

func (p *passing) value(h *handle) error {
	if err := p.ctx.valid(h); err != nil {
		return err
	}
	if p.name == "" {
		p.types = append(p.types, h.ty)
		if p.w+len(h.w) > len(p.x.W) || p.r+len(h.r) > len(p.x.R) {
			return errNoList
		}
	} else if ty := p.to[p.i]; !h.ty.Passes(ty) {
		return fail(TypeMismatch, "argument %d of %s is of %s, want %s", p.i+1, p.name, h.ty, ty)
	}
	p.i++
	p.w += copy(p.x.W[p.w:], h.w)
	p.r += copy(p.x.R[p.r:], h.r)
	return nil
}

var errNoList = fail(TypeMismatch, "nothing in the program takes values of these types")

// toStack puts values for a stack, to whose object a reference is given, into the transfer area and returns their list.
func (c *Ctx) toStack(t *core.Ctx, stack uintptr, args []any) (uint32, error) {
	p := passing{ctx: c, x: core.X(t), to: core.Awaits(stack)}
	if err := p.all(args); err != nil {
		return 0, err
	}
	n, ok := core.ListOf(p.types)
	if !ok {
		return 0, errNoList
	}
	return n, nil
}

// allGiven returns an error unless the values among arguments can be used in the context.
func (c *Ctx) allGiven(args []any) error {
	for _, a := range args {
		var err error
		switch l := a.(type) {
		case []Value:
			err = c.allValid(l)
		case []any:
			err = c.allGiven(l)
		default:
			if h, ok := handleOf(a); ok || a == nil {
				err = c.valid(h)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
