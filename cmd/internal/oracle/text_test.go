package oracle_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/cmd/internal/oracle"
	"github.com/uvm2go/uvm2go/cmd/internal/randprog"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// TestTextOfPrograms reads the text that dump writes for random programs, examples and
// kernels, before and after the passes. Written again, the text must be the same, and
// random programs must behave in the same way.
func TestTextOfPrograms(t *testing.T) {
	list, err := oracle.Bundles("../../..")
	if err != nil {
		t.Fatal(err)
	}
	examples := len(list)
	for _, p := range oracle.Programs(1, 40) {
		list = append(list, oracle.Bundle{Name: fmt.Sprint("seed ", p.Seed), Text: randprog.Bundle([]randprog.Program{p})})
	}
	for i, b := range list {
		want := ""
		for level := range 2 {
			first := program(t, "p.uir", b.Text, level)
			text := printed(t, first)
			second := program(t, "p.ir", text, 0)
			if got := printed(t, second); got != text {
				t.Errorf("%s at -O%d: the text changes", b.Name, level)
			}
			if i < examples {
				continue
			}
			if level == 0 {
				want = run(t, first)
			}
			if got := run(t, second); got != want {
				t.Errorf("%s at -O%d: got\n%s\nwant\n%s", b.Name, level, got, want)
			}
		}
	}
}

func program(t *testing.T, name, text string, level int) *transpile.Program {
	t.Helper()
	p, diags := transpile.Load([]transpile.Source{{Name: name, Text: []byte(text)}}, transpile.Options{Optimize: level, DisablePasses: []string{"share"}})
	if p == nil {
		var b strings.Builder
		diags.Print(&b)
		t.Fatalf("%s\n%s", b.String(), text)
	}
	if err := p.Optimized(nil); err != nil {
		t.Fatal(err)
	}
	return p
}

func printed(t *testing.T, p *transpile.Program) string {
	t.Helper()
	var b bytes.Buffer
	if err := ir.Print(&b, p.IR); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// run returns the output of a program and the first line of its error, without the place,
// which is different in the text.
func run(t *testing.T, p *transpile.Program) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c := p.Interpreter()
	c.Stdin, c.Stdout, c.Stderr, c.MaxSteps, c.Args = strings.NewReader(""), &stdout, &stderr, 50_000_000, []string{"prog"}
	status, err := interp.Run(p.IR, c)
	if err != nil {
		t.Fatal(err)
	}
	report, _, _ := strings.Cut(stderr.String(), " at ")
	return fmt.Sprintf("%s\n%s\nstatus %d", stdout.String(), report, status)
}
