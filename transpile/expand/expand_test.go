package expand_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/uvm2go/uvm2go/transpile/expand"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

var update = flag.Bool("update", false, "rewrite what the files in testdata expect")

// TestText compares programs before and after, as text. To expand again must change
// nothing.
func TestText(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files (%v)", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil || len(a.Files) != 2 {
				t.Fatalf("want before.ir and after.ir (%v)", err)
			}
			p, err := ir.Parse(nil, file, a.Files[0].Data)
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
			if want := string(a.Files[1].Data); got != want {
				if *update {
					a.Files[1].Data = []byte(got)
					if err := os.WriteFile(file, txtar.Format(a), 0o666); err != nil {
						t.Fatal(err)
					}
					return
				}
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// text is a program without the line of numbers.
func text(p *ir.Program) string {
	var b bytes.Buffer
	ir.Print(&b, p)
	_, s, _ := strings.Cut(b.String(), "\n")
	return s
}

// TestEveryOperation wants the table to know of an expansion for what it says
// expands: the operation stands in a file of testdata.
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
