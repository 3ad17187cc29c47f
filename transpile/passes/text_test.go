package passes_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/passes"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

var update = flag.Bool("update", false, "rewrite what the files in testdata expect")

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
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files (%v)", err)
	}
	tested := map[string]bool{}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		about, _, _ := strings.Cut(name, "_")
		tested[about] = true
		t.Run(name, func(t *testing.T) { textFile(t, file, about) })
	}
	for _, p := range passes.Names() {
		if !tested[p] {
			t.Errorf("pass %s has no file in testdata", p)
		}
	}
}

func textFile(t *testing.T, file, about string) {
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(a.Comment)), "\n")
	list := strings.Fields(lines[len(lines)-1])
	var opt passes.Options
	if list[0] == "+sanitize" {
		opt.Sanitize, list = true, list[1:]
	}
	if list[len(list)-1] != about || len(lines) < 2 || a.Files[0].Name != "before.ir" {
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
		o.Origins = &passes.Origins{}
		p := readText(t, a.Files[0].Data)
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
	if len(a.Files) == 1 {
		if got != without {
			t.Errorf("the pass changed something:\n%s", got)
		}
		return
	}
	if got == without {
		t.Error("the pass changed nothing")
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
