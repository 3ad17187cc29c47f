package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/examples/playground/play"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// TestExamples checks that the page has programs of each dialect, and that they have no errors.
func TestExamples(t *testing.T) {
	l, err := findExamples("..")
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, e := range l {
		count[e.Group]++
		if want := e.Name + "."; !strings.HasPrefix(e.Files[0].Name, want) {
			t.Errorf("%s begins with %s", e.Name, e.Files[0].Name)
		}
		request, err := json.Marshal(&play.Request{Files: e.Files, Level: 1})
		if err != nil {
			t.Fatal(err)
		}
		var a play.Answer
		question := "check"
		if strings.HasSuffix(e.Files[0].Name, play.LitmusEnding) {
			question = "litmus"
		}
		if err := json.Unmarshal(play.Respond(question, request), &a); err != nil || a.Error != "" || bytes.Contains(bytes.Join(rawBytes(a.Diagnostics), nil), []byte(`"error"`)) {
			t.Errorf("%s: %v %s %s", e.Name, err, a.Error, a.Diagnostics)
		}
		if question == "litmus" && !a.Litmus.Met {
			t.Errorf("%s: %s", e.Name, a.Litmus.Headline)
		}
	}
	for _, g := range groups {
		if count[g.title] < 5 {
			t.Errorf("%d examples in %s", count[g.title], g.title)
		}
	}
	if count["Litmus tests"] < 20 {
		t.Errorf("%d litmus tests", count["Litmus tests"])
	}
}

func rawBytes(l []json.RawMessage) (out [][]byte) {
	for _, m := range l {
		out = append(out, m)
	}
	return out
}

// TestLongNode runs the contents of the page under Node.js instead of a browser: the executable, unpacked
// as in the page, with the script of Go from the page.
func TestLongNode(t *testing.T) {
	longtest.Only(t) // Go's library and the translator are compiled for wasm
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node on PATH")
	}
	dir := t.TempDir()
	if err := write(dir); err != nil {
		t.Fatal(err)
	}
	exe, script := unpack(t, dir)
	start := func(request *play.Request, args ...string) (out, errs string, status int) {
		t.Helper()
		text, err := json.Marshal(request)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(node, append([]string{filepath.Join("testdata", "node.js"), script, exe}, args...)...)
		cmd.Stdin = bytes.NewReader(text)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
	}
	wrong := &play.Request{Level: 1, Files: []play.File{{Name: "a.uir", Text: "nonsense"}}}
	if out, errs, status := start(wrong, "check"); status != 0 || !strings.Contains(out, `"file":"a.uir","line":1,"column":1,"severity":"error"`) {
		t.Errorf("check: status %d, %s%s", status, out, errs)
	}
	if out, errs, status := start(wrong); status != 1 || out != "" || !strings.HasPrefix(errs, "a.uir:1:1: ") {
		t.Errorf("run of nonsense: status %d, %s%s", status, out, errs)
	}
	l, err := findExamples("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range l {
		if e.Group != "Mu" || e.Name != "sort" && e.Name != "pool" && e.Name != "weakrefs" {
			continue
		}
		want, err := os.ReadFile(filepath.Join("..", e.Name, "want.txt"))
		if err != nil {
			t.Fatal(err)
		}
		r := &play.Request{Level: 1, Files: e.Files}
		if out, errs, status := start(r); status != 0 || out != string(want) || errs != "" {
			t.Errorf("%s: status %d\n%s%swant\n%s", e.Name, status, out, errs, want)
		}
		if out, errs, status := start(r, "go"); status != 0 || !strings.Contains(out, "package main") {
			t.Errorf("Go of %s: status %d, %s%s", e.Name, status, out, errs)
		}
	}
}

// unpack extracts the executable and Go's script from a page.
func unpack(t *testing.T, dir string) (exe, script string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), `<script type="application/json" id="parts">`)
	rest, _, _ = strings.Cut(rest, "</script>")
	var p parts
	if err := json.Unmarshal([]byte(rest), &p); err != nil {
		t.Fatal(err)
	}
	z, err := base64.StdEncoding.DecodeString(p.Wasm)
	if err != nil {
		t.Fatal(err)
	}
	exe, script = filepath.Join(dir, "playground.wasm"), filepath.Join(dir, "wasm_exec.js")
	plain, err := gunzip(z)
	if err == nil {
		err = os.WriteFile(exe, plain, 0o666)
	}
	if err == nil {
		err = os.WriteFile(script, []byte(p.Exec), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	return exe, script
}

func gunzip(b []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
