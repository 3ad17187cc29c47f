package randprog_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/cmd/internal/randprog"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// TestIAL checks that programs in IAL are valid and do not fail, and that they behave the same after being printed again.
func TestIAL(t *testing.T) { checkIAL(t, 0, 40) }

func TestLongIAL(t *testing.T) {
	longtest.Only(t)
	checkIAL(t, 40, 300)
}

// runs interprets a program that is valid without warnings. It gives status and error, and what
// the program wrote.
func runs(t *testing.T, what string, src transpile.Source) (status, output string) {
	t.Helper()
	p, diags := transpile.Load([]transpile.Source{src}, transpile.Options{Strict: true})
	if p == nil {
		t.Fatalf("%s: %v\n%s", what, diags.Err(), src.Text)
	}
	if err := verify.Err(verify.Program(p.IR)); err != nil {
		t.Fatalf("%s: %v\n%s", what, err, src.Text)
	}
	var out, errs bytes.Buffer
	n, err := interp.Run(p.IR, interp.Config{Stdout: &out, Stderr: &errs, MaxSteps: 5_000_000})
	return fmt.Sprint(n, err), out.String() + errs.String()
}

func checkIAL(t *testing.T, from, to int64) {
	t.Helper()
	_, form := transpile.Dialects.Form("ial")
	for seed := from; seed < to; seed++ {
		text := []byte(randprog.Bundle([]randprog.Program{randprog.GenerateIAL(seed, "@p.")}))
		run := func(way string, text []byte) string {
			status, out := runs(t, fmt.Sprintf("seed %d, %s", seed, way), transpile.Source{Name: "p.ial", Text: text})
			if status != "0 <nil>" || !strings.HasPrefix(out, "trap p.start\n") {
				t.Fatalf("seed %d, %s: %s, %s\n%s", seed, way, status, out, text)
			}
			return out
		}
		want := run("text", text)
		out, diags := form.Convert(transpile.Source{Name: "p.ial", Text: text}, dialect.Options{})
		if diags.HasErrors() {
			t.Fatalf("seed %d: %v\n%s", seed, diags.Err(), text)
		}
		if got := run("printed", out); got != want {
			t.Fatalf("seed %d: printed anew, it shows\n%swant\n%s%s", seed, got, want, text)
		}
		if a, b := fmt.Sprint(randprog.GenerateIAL(seed, "@p.")), fmt.Sprint(randprog.GenerateIAL(seed, "@p.")); a != b {
			t.Fatalf("seed %d gives two texts", seed)
		}
	}
}
