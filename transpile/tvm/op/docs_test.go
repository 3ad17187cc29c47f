package op

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the table of operations in docs/tvm.md")

// TestDocs checks that docs/tvm.md has the table of operations that follows from Table.
func TestDocs(t *testing.T) {
	const (
		file  = "../../../docs/tvm.md"
		begin = "<!-- operations: made from transpile/tvm/op/op.go by go test ./transpile/tvm/op -update -->\n"
		end   = "<!-- end of operations -->\n"
	)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), begin)
	old, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatal("docs/tvm.md has no marks")
	}
	var b strings.Builder
	b.WriteString("| operation | sort | |\n| --- | --- | --- |\n")
	for _, r := range Table {
		if r.Class != None {
			sort := [...]string{Type: "type", Value: "value", Inst: "instruction", End: "ends a block"}[r.Class]
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", strings.TrimSpace(r.Name+" "+r.Usage), sort, r.Doc)
		}
	}
	if table := b.String(); old != table {
		if !*update {
			t.Fatal("the table of operations is not fresh: go test ./transpile/tvm/op -update")
		}
		if err := os.WriteFile(file, []byte(head+begin+table+end+tail), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTable checks that every row is whole, and that words find their operations.
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
