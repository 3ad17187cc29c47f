// Playground makes a page on which bundles can be edited, checked, followed through the passes and run, and litmus tests
// be judged, without a server: one HTML file that contains everything it needs, including uvm2go compiled to
// WebAssembly.
//
//	go run ./examples/playground -o DIR
//
// writes DIR/index.html. Run it in the module's folder, because it builds package wasm; the code for the
// work on bundles is in package play.
package main

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/uvm2go/uvm2go/examples/playground/play"
)

//go:embed page.html
var pageText string

// page has one place for the parts, which are JSON. json.Marshal escapes the characters that could end a
// script in HTML.
var page = template.Must(template.New("page").Parse(pageText))

// parts holds the data that are inserted into the page.
type parts struct {
	Exec     string    `json:"exec"` // Go's script that starts its programs
	Wasm     string    `json:"wasm"` // the executable: base64 of gzip
	Examples []example `json:"examples"`
}

// An example is a program that users of the page can start with.
type example struct {
	Group string      `json:"group"`
	Name  string      `json:"name"`
	Files []play.File `json:"files"`
}

func main() {
	out := flag.String("o", "", "write index.html to this `folder`")
	flag.Parse()
	if *out == "" || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: go run ./examples/playground -o DIR")
		os.Exit(2)
	}
	if err := write(*out); err != nil {
		fmt.Fprintf(os.Stderr, "playground: %v\n", err)
		os.Exit(1)
	}
}

// write makes the page in a folder.
func write(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	home, err := goCommand("list", "-f", "{{.Dir}}", "github.com/uvm2go/uvm2go/examples/playground")
	if err != nil {
		return err
	}
	var p parts
	if p.Examples, err = findExamples(filepath.Dir(home)); err != nil {
		return err
	}
	wasm, err := executable(dir)
	if err != nil {
		return err
	}
	if p.Wasm, err = packed(wasm); err != nil {
		return err
	}
	exec, err := execScript()
	if err != nil {
		return err
	}
	p.Exec = string(exec)
	text, err := json.Marshal(&p)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := page.Execute(&b, string(text)); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "index.html"), b.Bytes(), 0o666)
}

// goCommand runs the go command for the browser and returns its output, without the end of the line.
func goCommand(args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("go %s: %w", args[0], err)
	}
	return strings.TrimSpace(string(text)), err
}

// executable builds package wasm in a temporary folder.
func executable(dir string) ([]byte, error) {
	f, err := os.CreateTemp(dir, "playground-*.wasm")
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	if err := f.Close(); err != nil {
		return nil, err
	}
	_, err = goCommand("build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", f.Name(), "github.com/uvm2go/uvm2go/examples/playground/wasm")
	if err != nil {
		return nil, err
	}
	return os.ReadFile(f.Name())
}

// packed compresses bytes and encodes them as text.
func packed(b []byte) (string, error) {
	var z bytes.Buffer
	w, err := gzip.NewWriterLevel(&z, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := w.Write(b); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(z.Bytes()), nil
}

// execScript returns wasm_exec.js of the Go toolchain that builds the executable: the two must match.
func execScript() ([]byte, error) {
	root, err := goCommand("env", "GOROOT")
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js"))
}

// groups are the folders of examples that the page has, with their dialects.
var groups = []struct{ title, dir, ending string }{
	{"Mu", ".", ".uir"}, {"µVM 2014", "uvm2014", ".uir"}, {"IAL", "ial", ".ial"}, {"TVM", "tvm", ".tvm"},
}

// findExamples reads the examples that need neither C nor a client nor files.
func findExamples(dir string) ([]example, error) {
	var l []example
	for _, g := range groups {
		wants, err := filepath.Glob(filepath.Join(dir, g.dir, "*", "want.txt"))
		if err != nil {
			return nil, err
		}
		for _, w := range wants {
			e := example{Group: g.title, Name: filepath.Base(filepath.Dir(w))}
			if slices.Contains(elsewhere, path.Join(g.dir, e.Name)) {
				continue
			}
			bundles, err := filepath.Glob(filepath.Join(filepath.Dir(w), "*"+g.ending))
			if err != nil {
				return nil, err
			}
			for _, b := range bundles {
				text, err := os.ReadFile(b)
				if err != nil {
					return nil, err
				}
				f := play.File{Name: filepath.Base(b), Text: string(text)}
				if f.Name == e.Name+g.ending { // files that other examples change or use
					e.Files = slices.Insert(e.Files, 0, f)
				} else {
					e.Files = append(e.Files, f)
				}
			}
			if len(e.Files) > 0 {
				l = append(l, e)
			}
		}
	}
	if len(l) == 0 {
		return nil, fmt.Errorf("no examples in %s", dir)
	}
	tests, err := findTests(filepath.Join(dir, "playground", "litmus"), filepath.Join(dir, "..", "atomicsmodel", "testdata"))
	return append(l, tests...), err
}

// litmusTests are the litmus tests of package atomicsmodel that the page has, the best known first.
var litmusTests = []string{"SB+rel+acq", "SB+sc+sc", "MP+rel+acq", "MP+rlx+rlx", "MP+na+rlx+rlx", "MP+rel_fence+acq_fence", "MP+rel+con_dep", "LB+rlx+rlx",
	"LB+dep+dep", "CoRR", "2+2W+rel+rel", "WRC+rel+acq", "IRIW+rel+acq", "IRIW+sc", "RS+rel+rmw+acq", "RMW+add+add", "LOCK+acq+rel", "FUTEX+wake",
	"NEWTHREAD", "MIXED"}

// findTests reads the litmus tests: those in the playground's own folder, and some of package atomicsmodel.
func findTests(own, model string) ([]example, error) {
	files, err := filepath.Glob(filepath.Join(own, "*"+play.LitmusEnding))
	if err != nil {
		return nil, err
	}
	for i, name := range litmusTests {
		files = slices.Insert(files, i, filepath.Join(model, name+play.LitmusEnding))
	}
	var l []example
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		name := filepath.Base(f)
		l = append(l, example{"Litmus tests", strings.TrimSuffix(name, play.LitmusEnding), []play.File{{Name: name, Text: string(text)}}})
	}
	return l, nil
}

// elsewhere lists examples that need C or a file: they run only as built programs.
var elsewhere = []string{"native_callbacks", "native_wordcount", "ial/threads"}
