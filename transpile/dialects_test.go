package transpile_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// interpret calls @f of a bundle on the interpreter.
func interpret(t *testing.T, src transpile.Source, strict bool, args string) string {
	t.Helper()
	p, diags := transpile.Load([]transpile.Source{src}, transpile.Options{Strict: strict, Call: "@f", CallArgs: []string{args}})
	if p == nil {
		t.Fatalf("%v\n%s", diags.Err(), src.Text)
	}
	f, vals, err := p.CallArgs()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	results, status, err := interp.Call(p.IR, f.Name, interp.Literals(p.IR, vals), interp.Config{Stderr: &stderr})
	if err != nil || status != 0 {
		t.Fatalf("%v, status %d: %s", err, status, stderr.String())
	}
	lines, err := interp.Results(p.IR, f.Name, results)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, " ")
}

// Bundles of 2014 are recognised. Converted to Mu text they are strictly valid and do the same.
func TestConvert2014(t *testing.T) {
	files, err := filepath.Glob("uvm2014/testdata/meaning/*.uir")
	if err != nil || len(files) == 0 {
		t.Fatal("no bundles", err)
	}
	_, form := transpile.Dialects.Form("uir")
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			args, want, _ := strings.Cut(strings.TrimPrefix(strings.Split(string(text), "\n")[1], "// @f("), ") = ")
			src := transpile.Source{Name: "a.uir", Text: text}
			if d := transpile.Dialects.Of(src); d.Name != "uvm2014" {
				t.Fatalf("taken for %s", d.Name)
			}
			p, diags := transpile.Load([]transpile.Source{src}, transpile.Options{})
			if p == nil {
				t.Fatal(diags.Err())
			}
			mu, err := p.Write(form)
			if err != nil {
				t.Fatal(err)
			}
			if got := interpret(t, transpile.Source{Name: "b.uir", Text: mu}, true, args); got != want {
				t.Errorf("got %s, want %s\n%s", got, want, mu)
			}
		})
	}
}

// Mu bundles that use only what 2014 can express can be written in its text. They are strictly
// valid there, keep their bytes in binary form, and do the same.
func TestWrite2014(t *testing.T) {
	files, err := filepath.Glob("../examples/*/*.uir")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples", err)
	}
	kernels, err := filepath.Glob("../cmd/uvmbench/kernels/*/*.uir")
	if err != nil || len(kernels) == 0 {
		t.Fatal("no kernels", err)
	}
	_, text := transpile.Dialects.Form("uir2014")
	_, binary := transpile.Dialects.Form("uirb")
	written := 0
	for _, f := range append(files, kernels...) {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		p, diags := transpile.Load([]transpile.Source{{Name: f, Text: src}}, transpile.Options{})
		if p == nil {
			t.Fatal(diags.Err())
		}
		old, err := text.Write(p.IR)
		if err != nil {
			if !strings.Contains(err.Error(), "this dialect has no") && !strings.Contains(err.Error(), "not exposed") && !strings.Contains(err.Error(), "at most one") {
				t.Errorf("%s: %v", f, err)
			}
			continue
		}
		written++
		name := filepath.Base(f)
		t.Run(name, func(t *testing.T) {
			src := transpile.Source{Name: name, Text: old}
			q, diags := transpile.Load([]transpile.Source{src}, transpile.Options{Strict: true, Dialect: "uvm2014"})
			if q == nil {
				t.Fatalf("%v\n%s", diags.Err(), old)
			}
			if err := verify.Err(verify.Program(q.IR)); err != nil {
				t.Fatal(err)
			}
			first, diags := binary.Convert(src, dialect.Options{Strict: true})
			if diags.HasErrors() {
				t.Fatal(diags.Err())
			}
			again, diags := text.Convert(transpile.Source{Name: name, Text: first}, dialect.Options{Strict: true})
			if diags.HasErrors() {
				t.Fatal(diags.Err())
			}
			second, diags := binary.Convert(transpile.Source{Name: name, Text: again}, dialect.Options{Strict: true})
			if diags.HasErrors() || !bytes.Equal(first, second) {
				t.Errorf("the second binary differs, %v", diags.Err())
			}
			if p.IR.Find("@main") == nil || strings.Contains(f, "kernels") {
				return
			}
			want, wantStatus := outputOf(t, p)
			got, status := outputOf(t, q)
			if got != want || status != wantStatus {
				t.Errorf("prints %q, status %d; want %q, %d", got, status, want, wantStatus)
			}
		})
	}
	if written < 35 {
		t.Errorf("only %d bundles can be written", written)
	}
}

// outputOf is what a program prints, without the names of traps, which differ.
func outputOf(t *testing.T, p *transpile.Program) (string, int) {
	t.Helper()
	var out bytes.Buffer
	status, err := interp.Run(p.IR, interp.Config{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &bytes.Buffer{}, MaxSteps: 5_000_000,
		LookupEnv: func(string) (string, bool) { return "", false }})
	if err != nil {
		return err.Error(), -1
	}
	var b strings.Builder
	for line := range strings.Lines(out.String()) {
		words := strings.Fields(line)
		if len(words) > 1 && words[0] == "trap" {
			for i, w := range words[2:] {
				_, words[2+i], _ = strings.Cut(w, "=")
			}
			words = append(words[:1], words[2:]...)
		}
		b.WriteString(strings.Join(words, " ") + "\n")
	}
	return b.String(), status
}
