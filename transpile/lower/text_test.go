package lower_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/internal/texttest"
)

// TestText lowers the programs of testdata/*.txtar and compares the Go of function @f. A file is
// named for the file of this package that it is about, and shows one thing, which its comment
// says. The last line of the comment lists options, if it begins with a plus sign.
//
//	-- in.ir --   the program; a @main that returns at once is added if there is none
//	-- out.go --  the Go function of @f, and what belongs to it
//
// All programs are vetted and compiled in a module of a client.
func TestText(t *testing.T) {
	dir := t.TempDir()
	if err := transpile.WriteModule(dir, "client", nil, uvm2go.Runtime); err != nil {
		t.Fatal(err)
	}
	tested := map[string]bool{
		"tree":  true, // short names, no instructions
		"chain": true, // of bodies with thousands of operations: TestChains in gogen
		"latch": true, // of bodies with hundreds of jumps: TestLarge in gogen
	}
	texttest.Each(t, func(t *testing.T, file *texttest.File) {
		tested[file.About()] = true
		textFile(t, filepath.Join(dir, file.Name), file)
	})
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
		cmd.Env = append(os.Environ(), "GOFLAGS=-trimpath", "GOWORK=off")
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
	// Optimising passes that the text of the program does not mention.
	"+inline": func(o *transpile.Options) { only(o, "inline") },
	"+share":  func(o *transpile.Options) { only(o, "share") },
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

func textFile(t *testing.T, dir string, file *texttest.File) {
	file.Has(t, "in.ir", "out.go")
	opt := transpile.Options{Dialect: "ir", Verify: true}
	lines := file.Head()
	if last := lines[len(lines)-1]; strings.HasPrefix(last, "+") {
		for _, o := range strings.Fields(last) {
			options[o](&opt)
		}
	}
	in := string(file.Files[0].Data)
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
	file.Want(t, got)
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
