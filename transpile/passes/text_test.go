package passes_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/internal/texttest"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/passes"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// TestText runs passes on the programs of testdata/*.txtar and compares the whole
// text. A file is named for the pass that it is about, and shows one thing, which
// its comment says. The comment's last line names the passes to run, those that
// the pass needs first; +sanitize in front of them sets that option.
//
//	-- before.ir --   the program; entity ids and numbers may be missing
//	-- after.ir --    what the passes make of it
//
// A file whose after.ir is missing wants the passes to change nothing. Before the
// pass itself, with those that it needs alone, the text must be another one, and
// the pass must be what is shown as having run.
func TestText(t *testing.T) {
	tested := map[string]bool{}
	texttest.Each(t, func(t *testing.T, file *texttest.File) {
		tested[file.About()] = true
		textFile(t, file)
	})
	for _, p := range passes.Names() {
		if !tested[p] {
			t.Errorf("pass %s has no file in testdata", p)
		}
	}
}

func textFile(t *testing.T, file *texttest.File) {
	about, lines := file.About(), file.Head()
	list := strings.Fields(lines[len(lines)-1])
	var opt passes.Options
	if list[0] == "+sanitize" {
		opt.Sanitize, list = true, list[1:]
	}
	if list[len(list)-1] != about || len(lines) < 2 || file.Files[0].Name != "before.ir" {
		t.Fatalf("bad head, want a comment and passes that end in %s", about)
	}
	as := func(on []string) (text, shown string) {
		o := opt
		for _, p := range passes.Names() {
			if !slices.Contains(on, p) {
				o.Disable = append(o.Disable, p)
			}
		}
		o.After = func(pass string, v *ir.Version) {
			if pass == about {
				shown = pass
			}
		}
		o.Origins, o.Compiled = &passes.Origins{}, true
		p := readText(t, file.Files[0].Data)
		o.Level, o.Check = 1, true
		if err := passes.Run(p, o); err != nil {
			t.Fatal(err)
		}
		if err := verify.Err(verify.Program(p)); err != nil {
			t.Fatal(err)
		}
		return printed(p), shown
	}
	without, shown := as(list[:len(list)-1])
	if shown != "" {
		t.Error("the pass ran, though it was left out")
	}
	got, shown := as(list)
	if shown != about {
		t.Error("the pass did not run")
	}
	if len(file.Files) == 1 {
		if got != without {
			t.Errorf("the pass changed something:\n%s", got)
		}
		return
	}
	if got == without {
		t.Error("the pass changed nothing")
	}
	file.Want(t, got)
}

func readText(t *testing.T, text []byte) *ir.Program {
	t.Helper()
	p, err := ir.Parse(nil, "before.ir", text)
	if err != nil {
		t.Fatal(err)
	}
	if err := verify.Err(verify.Program(p)); err != nil {
		t.Fatal(err)
	}
	return p
}

// printed is the text of a program without its first line, which has numbers.
func printed(p *ir.Program) string {
	var b bytes.Buffer
	ir.Print(&b, p)
	_, text, _ := strings.Cut(b.String(), "\n")
	return text
}
