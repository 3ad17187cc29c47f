package op

import (
	"fmt"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/internal/texttest"
)

// TestDocs checks that docs/tvm.md has the table of operations made from Table.
func TestDocs(t *testing.T) {
	var b strings.Builder
	b.WriteString("| operation | sort | |\n| --- | --- | --- |\n")
	for _, r := range Table {
		if r.Class != None {
			sort := [...]string{Type: "type", Value: "value", Inst: "instruction", End: "ends a block"}[r.Class]
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", strings.TrimSpace(r.Name+" "+r.Usage), sort, r.Doc)
		}
	}
	const begin = "<!-- operations: made from transpile/tvm/op/op.go by go test ./transpile/tvm/op -update -->"
	texttest.Section(t, "../../../docs/tvm.md", begin, "<!-- end of operations -->", b.String())
}

// TestTable checks that every row is complete, and that words find their operations.
func TestTable(t *testing.T) {
	for o, r := range Table {
		if Op(o) >= Lit {
			if r.Class != None {
				t.Errorf("%d has a row", o)
			}
			continue
		}
		if found, ok := Find(r.Name); !ok || found != Op(o) || r.Class == None || r.Doc == "" {
			t.Errorf("%d: %+v, %v", o, r, found)
		}
		if r.Max > 0 && r.Usage == "" {
			t.Errorf("%s has operands and no usage", r.Name)
		}
	}
	for w, o := range aliases {
		if found, ok := Find(w); !ok || found != o {
			t.Errorf("%s is %s", w, found)
		}
	}
}
