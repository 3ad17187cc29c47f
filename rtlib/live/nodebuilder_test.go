package live_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/live"
	"github.com/uvm2go/uvm2go/rtlib/mu"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
)

// row is the function of the builder of 2016 with a name.
func row(t *testing.T, name string) *nodes.Row {
	t.Helper()
	for i := range nodes.Rows {
		if nodes.Rows[i].Name == name {
			return &nodes.Rows[i]
		}
	}
	t.Fatalf("no row %s", name)
	return nil
}

// A Go client makes a constant with the builder of 2016.
func TestNodeBuilder(t *testing.T) {
	c := newClient(t)
	b := live.NewNodeBuilder(c.Ctx)
	whole := nodes.Operand{Node: nodes.Whole}
	call := func(name string, ops ...nodes.Operand) int {
		t.Helper()
		n, err := b.Call(row(t, name), ops)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	ty := nodes.Operand{Node: call("new_type_int", whole, nodes.Operand{Word: 17})}
	k := nodes.Operand{Node: call("new_const_int", whole, ty, nodes.Operand{Word: 1<<20 | 99})}
	call("set_name", whole, k, nodes.Operand{Text: c.own("$k")})
	id := call("get_id", whole, k)
	_, err := b.Call(row(t, "new_const_null"), []nodes.Operand{whole, k})
	if !errors.Is(err, mu.Code(nodes.BadCheck)) || !strings.Contains(err.Error(), "new_const_null wants a type") {
		t.Errorf("a constant as type: %v", err)
	}
	if err := b.Load(c.Ctx); err != nil {
		t.Fatal(err)
	}
	if v, err := c.Const(mu.ID(id)); err != nil || v.(mu.Int).Uint64() != 99 || v.Type().Bits() != 17 {
		t.Errorf("the constant is %v, %v", v, err)
	}
	for what, err := range map[string]error{"Load": b.Load(c.Ctx), "Call": second(b.Call(row(t, "new_type_float"), []nodes.Operand{whole}))} {
		if !errors.Is(err, mu.BadHandle) {
			t.Errorf("%s after the end: %v", what, err)
		}
	}
	b = live.NewNodeBuilder(c.Ctx)
	b.Abort()
	if err := b.Load(c.Ctx); !errors.Is(err, mu.BadHandle) {
		t.Errorf("Load after Abort: %v", err)
	}
}

func second(_ int, err error) error { return err }
