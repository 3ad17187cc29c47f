package interp_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A program broken in one place may be refused, fail or run; the interpreter
// itself must not fail.
func TestBrokenPrograms(t *testing.T) { runBroken(t, 0, 5) }

func TestLongBrokenPrograms(t *testing.T) {
	longtest.Only(t)
	runBroken(t, 5, 60)
}

func runBroken(t *testing.T, from, to uint64) {
	t.Helper()
	prelude, err := os.ReadFile("testdata/prelude.uir")
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob("testdata/*.uir")
	if err != nil {
		t.Fatal(err)
	}
	ran, refused, long := 0, 0, 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		srcs := []transpile.Source{{Name: "prelude.uir", Text: prelude}, {Name: filepath.Base(path), Text: text}}
		if filepath.Base(path) == "prelude.uir" {
			continue
		}
		for round := from; round < to; round++ {
			r := rand.New(rand.NewPCG(round, uint64(len(text))))
			var out bytes.Buffer
			prog, err := load(srcs, transpile.Options{}, &out)
			if err != nil {
				t.Fatal(out.String())
			}
			var what []string
			for range 1 + r.IntN(8) {
				what = append(what, breakOne(r, prog))
			}
			for _, f := range prog.Funcs {
				sig := prog.Types.At(f.Sig)
				args := make([]interp.Value, len(sig.Fields))
				simple := true
				for i, p := range sig.Fields {
					simple = simple && prog.Types.Kind(p) == ir.KInt
					args[i] = interp.Int64(int64(i)+3, 32)
				}
				if !simple {
					continue
				}
				cfg := interp.Config{Stdout: &out, Stderr: &out, MaxSteps: 20000, StackLimit: 1000, CollectEvery: 7, HeapLimit: 1 << 20}
				_, _, err := interp.Call(prog, f.Name, args, cfg)
				switch {
				case err == nil:
					ran++
				case errors.Is(err, interp.ErrSteps):
					long++
				default:
					refused++
				}
				if err != nil && strings.Contains(err.Error(), "internal error") {
					t.Fatalf("%s, %s: %v\nbroken: %s", path, f.Name, err, strings.Join(what, "; "))
				}
			}
		}
	}
	t.Logf("%d calls ran, %d did not end, %d were refused", ran, long, refused)
}

// breakOne changes something at random in one instruction of a program.
func breakOne(r *rand.Rand, p *ir.Program) string {
	var v *ir.Version
	for v == nil {
		v = p.Funcs[r.IntN(len(p.Funcs))].Current()
	}
	in := &v.Insts[1+r.IntN(len(v.Insts)-1)]
	was := in.Op.String()
	pick := func(n int) int {
		if r.IntN(20) == 0 {
			return r.IntN(2*n+4) - 2
		}
		return r.IntN(n)
	}
	change := r.IntN(8)
	switch change {
	case 0:
		in.Op = ir.Op(r.IntN(int(ir.NumOps) + 1))
	case 1:
		in.Ty = ir.TypeID(pick(p.Types.Len()))
	case 2:
		in.Ty2 = ir.TypeID(pick(p.Types.Len()))
	case 3:
		if len(in.Args) > 0 {
			in.Args[r.IntN(len(in.Args))] = ir.ValueID(pick(len(v.Values)))
		}
	case 4:
		if len(in.Dests) > 0 {
			in.Dests[r.IntN(len(in.Dests))].Block = ir.BlockID(pick(len(v.Blocks)))
		}
	case 5:
		in.Flags ^= 1 << r.IntN(8)
	case 6:
		if len(in.Args) > 0 {
			in.Args = in.Args[1:]
		}
	case 7:
		in.Imm = uint64(pick(4))
		in.Sig = ir.TypeID(pick(p.Types.Len()))
	}
	return v.Name + " " + was + " " + string(rune('0'+change))
}
