package expand_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/expand"
	"github.com/uvm2go/uvm2go/transpile/internal/texttest"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// TestText compares programs before and after, as text. A second expansion must not change
// anything.
func TestText(t *testing.T) {
	texttest.Each(t, func(t *testing.T, file *texttest.File) {
		file.Has(t, "before.ir", "after.ir")
		p, err := ir.Parse(nil, file.Name, file.Files[0].Data)
		if err == nil {
			err = verify.Err(verify.Program(p))
		}
		if err != nil {
			t.Fatal(err)
		}
		expand.Program(p)
		if err := verify.Err(verify.Program(p)); err != nil {
			t.Error(err)
		}
		got := text(p)
		if expand.Program(p); text(p) != got {
			t.Errorf("expanding again changes it:\n%s", text(p))
		}
		for _, f := range p.Funcs {
			for _, v := range f.Versions {
				for i := range v.Insts {
					if in := &v.Insts[i]; in.Op.Is(ir.Expands) || in.Has(ir.FlagRaw) {
						t.Errorf("%s is left", in.Op)
					}
				}
			}
		}
		file.Want(t, got)
	})
}

// text is a program without the line of numbers.
func text(p *ir.Program) string {
	var b bytes.Buffer
	ir.Print(&b, p)
	_, s, _ := strings.Cut(b.String(), "\n")
	return s
}

// TestEveryOperation checks that there is a test for each operation that the table marks
// as expanded: the operation occurs in a file of testdata.
func TestEveryOperation(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txtar")
	all := ""
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all += string(b)
	}
	for o := ir.OpInvalid + 1; o < ir.NumOps; o++ {
		if o.Is(ir.Expands) && !strings.Contains(all, " "+o.String()+" ") && !strings.Contains(all, " "+o.String()+"\n") {
			t.Errorf("no file has %s", o)
		}
	}
}
