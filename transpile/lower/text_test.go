package lower_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/uvm2go/uvm2go"
	"github.com/uvm2go/uvm2go/transpile"
)

var update = flag.Bool("update", false, "rewrite the Go that the files in testdata expect")

// TestText lowers the programs of testdata/*.txtar and compares the Go of function @f. A file is
// named for the file of this package that it is about, and shows one thing, which its comment
// says. The last line of the comment lists options, if it begins with a plus sign.
//
//	-- in.ir --   the program; a @main that returns at once is added if there is none
//	-- out.go --  the Go function of @f, and what belongs to it
//
// All programs are vetted and compiled in a module of a client.
func TestText(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files (%v)", err)
	}
	dir := t.TempDir()
	if err := transpile.WriteModule(dir, "client", nil, uvm2go.Runtime); err != nil {
		t.Fatal(err)
	}
	tested := map[string]bool{"tree": true} // short names, no instructions
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		about, _, _ := strings.Cut(name, "_")
		tested[about] = true
		t.Run(name, func(t *testing.T) { textFile(t, filepath.Join(dir, name), file) })
	}
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sources {
		if s = strings.TrimSuffix(s, ".go"); !strings.HasSuffix(s, "_test") && !tested[s] {
			t.Errorf("%s.go has no file in testdata", s)
		}
	}
	for _, args := range [][]string{{"vet", "./..."}, {"list", "-export", "./..."}} { // list -export compiles and does not link
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("go %s: %v\n%s", args[0], err, out)
		}
	}
}

// options are what the last line of a comment may set.
var options = map[string]func(*transpile.Options){
	"+sanitize":   func(o *transpile.Options) { o.Sanitize = true },
	"+package":    func(o *transpile.Options) { o.Package = "p" },
	"+introspect": func(o *transpile.Options) { o.Package, o.Introspect = "p", true },
	"+lines":      func(o *transpile.Options) { o.Lines = true },
	"+native":     func(o *transpile.Options) { o.NativeC = true },
	// Optimising passes, of which the text of the program says nothing.
	"+inline": func(o *transpile.Options) { only(o, "inline") },
	"+resume": func(o *transpile.Options) { only(o, "resume") },
}

// only runs one pass and no other.
func only(o *transpile.Options, pass string) {
	o.Optimize = 1
	for _, p := range transpile.Passes() {
		if p != pass {
			o.DisablePasses = append(o.DisablePasses, p)
		}
	}
}

func textFile(t *testing.T, dir, file string) {
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Files) != 2 || a.Files[0].Name != "in.ir" || a.Files[1].Name != "out.go" {
		t.Fatal("want in.ir and out.go")
	}
	opt := transpile.Options{Dialect: "ir", Verify: true}
	lines := strings.Split(strings.TrimSpace(string(a.Comment)), "\n")
	if last := lines[len(lines)-1]; strings.HasPrefix(last, "+") {
		for _, o := range strings.Fields(last) {
			options[o](&opt)
		}
	}
	in := string(a.Files[0].Data)
	if !strings.Contains(in, "func @main:") {
		in += "func @main: () -> ()\nversion @main.v of @main {\n^e():\n  ret\n}\n"
	}
	p, diags := transpile.Load([]transpile.Source{{Name: "in.ir", Text: []byte(in)}}, opt)
	if p == nil {
		t.Fatal(diags.Error())
	}
	made, err := p.Generate()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, f := range made {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
		if f.Name == "code.go" {
			got = functions(string(f.Data), "f", "body_f", "resume_f")
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
}

// functions cuts functions out of a file, without the comments above them.
func functions(text string, names ...string) string {
	var b strings.Builder
	for _, n := range names {
		if _, f, ok := strings.Cut(text, "\nfunc "+n+"("); ok {
			f, _, _ = strings.Cut(f, "\n}\n")
			b.WriteString("func " + n + "(" + f + "\n}\n")
		}
	}
	return b.String()
}
