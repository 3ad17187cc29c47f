package randprog_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/cmd/internal/randprog"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/mu"
)

// TestValid checks that every program is accepted without a warning, and runs to
// its end without an unintended error.
func TestValid(t *testing.T) { checkValid(t, 0, 60) }

func TestLongValid(t *testing.T) {
	longtest.Only(t)
	checkValid(t, 60, 300)
}

func checkValid(t *testing.T, from, to int64) {
	t.Helper()
	fatal := 0
	for seed := from; seed < to; seed++ {
		p := randprog.Generate(seed, "@p.")
		text := randprog.Bundle([]randprog.Program{p})
		files := diag.NewSet()
		diags := diag.NewList(files)
		prog, ok := mu.Load(files, []mu.Source{{Name: "p.uir", Text: []byte(text)}}, mu.Options{Strict: true}, diags)
		if !ok {
			var b strings.Builder
			diags.Print(&b)
			t.Fatalf("seed %d:\n%s", seed, b.String())
		}
		prog.Files = files
		var out, errs bytes.Buffer
		status, err := interp.Run(prog, interp.Config{Stdout: &out, Stderr: &errs, Args: []string{"p"}, MaxSteps: 50_000_000})
		switch {
		case errors.Is(err, interp.ErrSteps):
			t.Errorf("seed %d: does not end", seed)
		case err != nil:
			t.Errorf("seed %d: %v", seed, err)
		case status != 0:
			fatal++
			if s := errs.String(); !strings.Contains(s, ".run.v1.") && !strings.Contains(s, "@p.raise") && !strings.Contains(s, "in thread") {
				t.Errorf("seed %d: status %d\n%s", seed, status, s)
			}
		}
	}
	if fatal > int(to-from)/10 {
		t.Errorf("%d of %d programs end with an error", fatal, to-from)
	}
}

// TestSame checks that the same seed produces the same text.
func TestSame(t *testing.T) {
	for seed := range int64(20) {
		if randprog.Generate(seed, "@a.").Text != randprog.Generate(seed, "@a.").Text {
			t.Errorf("seed %d gives two texts", seed)
		}
	}
}
