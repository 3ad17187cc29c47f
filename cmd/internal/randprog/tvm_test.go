package randprog_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/cmd/internal/randprog"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/transpile"
)

// TestTVM checks that programs in TVM are valid, fail only where they may divide by zero, and behave
// the same in all spellings.
func TestTVM(t *testing.T) { checkTVM(t, 0, 40, 2) }

func TestLongTVM(t *testing.T) {
	longtest.Only(t)
	checkTVM(t, 40, 300, 4)
}

func checkTVM(t *testing.T, from, to, spellings int64) {
	t.Helper()
	for seed := from; seed < to; seed++ {
		want := ""
		for spelling := range spellings {
			text := []byte(randprog.Bundle([]randprog.Program{randprog.SpellTVM(seed, spelling, "@p.")}))
			status, out := runs(t, fmt.Sprintf("seed %d, spelling %d", seed, spelling), transpile.Source{Name: "p.tvm", Text: text})
			switch {
			case randprog.RiskyTVM(seed) && status == "4 <nil>" && strings.Contains(out, "division by zero"):
			case status != "0 <nil>" || !strings.HasPrefix(out, "trap p.start\n"):
				t.Fatalf("seed %d, spelling %d: %s, %s\n%s", seed, spelling, status, out, text)
			}
			if spelling == 0 {
				want = out
			} else if out != want {
				t.Fatalf("seed %d: spelling %d shows\n%swant\n%s%s", seed, spelling, out, want, text)
			}
		}
		if a, b := fmt.Sprint(randprog.GenerateTVM(seed, "@p.")), fmt.Sprint(randprog.GenerateTVM(seed, "@p.")); a != b {
			t.Fatalf("seed %d gives two texts", seed)
		}
	}
}
