package nodes_test

import (
	"errors"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes/remake"
)

// earlierCalls are the calls of the builder of 2016 for a text, with the names of IDs; nil if there are none for it.
func earlierCalls(t testing.TB, text []byte) []remake.EarlierCall {
	t.Helper()
	var names []string
	const first = 70000
	calls, err := remake.Calls(text, true, func(name string) uint32 {
		names = append(names, name)
		return first + uint32(len(names)) - 1
	})
	if errors.Is(err, remake.ErrUnspeakable) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	list, err := remake.Earlier(calls, func(id uint32) string {
		if id < first {
			return ""
		}
		return names[id-first]
	})
	if err != nil && !errors.Is(err, remake.ErrUnspeakable) {
		t.Fatal(err)
	}
	return list
}

// operands makes operands of arguments, whose IDs become nodes.
func operands(args []nodes.Arg, node func(uint32) int) (ops []nodes.Operand) {
	for _, a := range args {
		o := nodes.Operand{Word: a.Word, Words: a.Words, Text: a.Text}
		if o.Node = node(a.ID); len(a.IDs) > 0 {
			for _, id := range a.IDs {
				o.Nodes = append(o.Nodes, node(id))
			}
		}
		ops = append(ops, o)
	}
	return ops
}

// TestEarlierRemake: the bundles of the scripts, built by calls of the builder of 2016, become what their text becomes.
func TestEarlierRemake(t *testing.T) {
	done, bundles := map[string]bool{"new_bundle": true, "load_bundle_from_node": true, "abort_bundle_node": true, "get_id": true}, 0
	for name, s := range seedBundles(t) {
		calls := earlierCalls(t, s.text)
		if calls == nil {
			continue
		}
		bundles++
		b := nodes.New(emptyProgram())
		made := map[uint32]int{0: 1}
		for _, c := range calls {
			done[c.Row.Name] = true
			args := operands(c.Args, func(id uint32) int {
				if made[id] == 0 {
					made[id], _ = b.Call(&nodes.Rows[3], []nodes.Operand{{Node: 1}, {Word: uint64(id)}})
					done["get_node"] = true
				}
				return made[id]
			})
			if c.Row.Nodes[0] != 'b' && c.Args[0].ID == 0 {
				t.Fatalf("%s: %s without its parent", name, c.Row.Name)
			}
			for i := range args {
				if i > 0 && c.Args[i].ID == 0 {
					args[i].Node = 0
				}
				if l := c.Row.Lists()[i]; l[0] == 'I' { // numbers, not nodes
					args[i].Words = make([]uint64, len(c.Args[i].IDs))
				}
			}
			no, err := b.Call(c.Row, args)
			if err != nil {
				t.Fatalf("%s: %s: %v", name, c.Row.Name, err)
			}
			if c.Result != 0 {
				made[c.Result] = no
			}
		}
		tree, err := b.End()
		if err != nil {
			t.Fatal(err)
		}
		got, bad := loadTree(t, tree)
		if bad != nil {
			t.Errorf("%s: %v", name, bad)
			continue
		}
		if g, w := bodies(got), bodies(s.prog); g != w {
			t.Errorf("%s: built:\n%s\ntext:\n%s", name, g, w)
		}
	}
	if bundles < 100 {
		t.Errorf("%d bundles", bundles)
	}
	for _, row := range nodes.Rows {
		if !done[row.Name] && row.Name != "new_type_irnoderef" {
			t.Errorf("no bundle needs %s", row.Name)
		}
	}
}
