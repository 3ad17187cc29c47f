package muapi

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
)

// TestBuilderRows compares the functions of MuIRBuilder with the rows of the builder that implements them: slots, names, and which
// parameters are arrays, share a length with the one before, or may be absent.
func TestBuilderRows(t *testing.T) {
	list := read(t).Members(Zebu, "MuIRBuilder")[nodes.Slot-1:]
	if len(list) != len(nodes.IDRows) {
		t.Fatalf("%d functions, %d rows", len(list), len(nodes.IDRows))
	}
	for i, f := range list {
		row := &nodes.IDRows[i]
		if row.Name != f.Name {
			t.Errorf("slot %d is %s, and its row %s", f.Slot[Zebu], f.Name, row.Name)
			continue
		}
		lengths := map[string]bool{}
		for _, p := range f.Params {
			lengths[p.Count] = true
		}
		var params []Param
		for _, p := range f.Params[1:] {
			if !lengths[p.Name] {
				params = append(params, p)
			}
		}
		if len(params) != len(row.Params) {
			t.Errorf("%s has %d parameters, and its row %d", f.Name, len(params), len(row.Params))
			continue
		}
		for k, p := range params {
			shared := p.Count != "" && k > 0 && params[k-1].Count == p.Count
			if got := row.Params[k]; got.Name != p.Name || got.List != (p.Count != "") || got.Shared != shared || got.Optional != p.Absent {
				t.Errorf("%s: parameter %+v, in the row %+v", f.Name, p, got)
			}
		}
	}
}
