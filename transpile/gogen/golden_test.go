package gogen_test

import (
	"bytes"
	"fmt"
	gofmt "go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/passes/nilness"
	"golang.org/x/tools/go/analysis/passes/reflectvaluecompare"
	"golang.org/x/tools/go/analysis/passes/unusedwrite"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
	"github.com/uvm2go/uvm2go/transpile"
)

// analysersOf is set where this test binary is called as the tool of go vet.
const analysersOf = "UVM2GO_TEST_ANALYSERS"

func TestMain(m *testing.M) {
	if os.Getenv(analysersOf) != "" {
		unitchecker.Main(nilness.Analyzer, reflectvaluecompare.Analyzer, unusedwrite.Analyzer)
	}
	os.Exit(m.Run())
}

// TestGolden: the Go of small functions, loops not unrolled, is the text in testdata/golden, has the layout of
// gofmt, and compiles. Vet reports nothing about it, without flags, in a module of a client.
func TestGolden(t *testing.T) {
	dir := client(t)
	golden(t, dir)
	translateExamples(t, dir, 8)
	vet(t, dir)
}

// golden compares functions with testdata/golden and writes a package for each.
func golden(t *testing.T, dir string) {
	t.Helper()
	list, err := filepath.Glob("testdata/golden/*.uir")
	if err != nil || len(list) < 12 {
		t.Fatal(list, err)
	}
	for _, file := range list {
		name := strings.TrimSuffix(filepath.Base(file), ".uir")
		code := translate(t, filepath.Join(dir, name), transpile.Options{Package: name + "_", Optimize: 1, DisablePasses: []string{"unroll"}}, file)
		if src, err := gofmt.Source(code); err != nil || !bytes.Equal(src, code) {
			t.Errorf("%s: not as gofmt has it: %v", name, err)
		}
		_, code, _ = bytes.Cut(code, []byte("\npackage "))
		_, code, _ = bytes.Cut(code, []byte("\n\n// ")) // of the first function
		code = append([]byte("// "), code...)
		golden := strings.TrimSuffix(file, ".uir") + ".golden"
		if *scripttest.Update {
			if err := os.WriteFile(golden, code, 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if want, err := os.ReadFile(golden); err != nil || !bytes.Equal(code, want) {
			t.Errorf("%s: got\n%s\nwant\n%s(%v; -update writes what the translator makes)", name, code, want, err)
		}
	}
}

// TestLongVet: vet and more analysers of golang.org/x/tools report nothing about it either, nor about the Go of the examples,
// with and without passes, with -sanitize and with -introspect. TestGolden has vet for one in eight of these.
func TestLongVet(t *testing.T) {
	longtest.Only(t)
	dir := client(t)
	golden(t, dir)
	translateExamples(t, dir, 1)
	vetAll(t, dir)
}

// translateExamples writes packages for one in oneIn of the examples and their options.
func translateExamples(t *testing.T, dir string, oneIn int) {
	t.Helper()
	examples, err := filepath.Glob("../../examples/*/*.uir")
	if err != nil || len(examples) < 10 {
		t.Fatal(examples, err)
	}
	for i, file := range examples {
		for k, opt := range []transpile.Options{{}, {Optimize: 1}, {Optimize: 1, Sanitize: true}, {Optimize: 1, Package: "p", Introspect: true}} {
			if (i+k)%oneIn > 0 {
				continue
			}
			opt.Lines = true
			code := translate(t, filepath.Join(dir, fmt.Sprintf("example%d_%d", i, k)), opt, file)
			if src, err := gofmt.Source(code); err != nil || !bytes.Equal(src, code) {
				t.Errorf("%s: not as gofmt has it with positions: %v", file, err)
			}
		}
	}
}

// vetAll runs vet, and the analysers, on the packages in a module.
func vetAll(t *testing.T, dir string) {
	t.Helper()
	vet(t, dir)
	tool, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(analysersOf, "1")
	vet(t, dir, "-vettool="+tool)
}

// client makes a module that uses the runtime of this one.
func client(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	mod := fmt.Sprintf("module client\n\ngo 1.26\n\nrequire github.com/uvm2go/uvm2go v0.0.0\n\nreplace github.com/uvm2go/uvm2go => %s\n", root)
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"go.mod": []byte(mod), "go.sum": sum} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// translate translates a bundle into a folder. It returns the file of the functions.
func translate(t *testing.T, dir string, opt transpile.Options, file string) (code []byte) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, diags := transpile.Load([]transpile.Source{{Name: file, Text: text}}, opt)
	if diags.HasErrors() {
		t.Fatal(diags.Error())
	}
	files, err := p.Generate()
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Name == "code.go" {
			code = f.Data
		}
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return code
}

// vet runs go vet on all packages of a module.
func vet(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("go", append(append([]string{"vet"}, args...), "./...")...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-trimpath", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go %s: %v\n%s", strings.Join(cmd.Args[1:], " "), err, out)
	}
}
