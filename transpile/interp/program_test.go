package interp_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A bundle in testdata begins with lines that give the results of its functions:
//
//	//! @f ARGS => RESULTS    in the form of run -call, results on one line
//	//! @f ARGS ! KIND        a run-time error, or UNCAUGHT
//
// Each is tried with several schedules and with a collection at every
// allocation.
func TestPrograms(t *testing.T) {
	prelude, err := os.ReadFile("testdata/prelude.uir")
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob("testdata/*.uir")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		srcs := []transpile.Source{{Name: "prelude.uir", Text: prelude}, {Name: filepath.Base(path), Text: text}}
		if filepath.Base(path) == "prelude.uir" {
			continue
		}
		for _, line := range strings.Split(string(text), "\n") {
			directive, ok := strings.CutPrefix(line, "//! ")
			if !ok {
				continue
			}
			t.Run(strings.Fields(directive)[0][1:], func(t *testing.T) { try(t, srcs, directive) })
		}
	}
}

func try(t *testing.T, srcs []transpile.Source, directive string) {
	call, want, ok := strings.Cut(directive, " => ")
	if !ok {
		call, want, _ = strings.Cut(directive, " ! ")
	}
	name, args, _ := strings.Cut(call, " ")
	var diags bytes.Buffer
	prog, err := load(srcs, transpile.Options{}, &diags)
	if err != nil {
		t.Fatal(diags.String())
	}
	for seed := range int64(4) {
		var stdout, stderr bytes.Buffer
		cfg := interp.Config{Stdout: &stdout, Stderr: &stderr, Seed: seed, CollectEvery: uint64(seed), StackLimit: 100000,
			CheckNullAddress: want == "NULL_ADDRESS"}
		vals, err := dialect.ParseArgs(prog, prog.Find(name).(*ir.Function), args)
		if err != nil {
			t.Fatal(err)
		}
		results, status, err := interp.Call(prog, name, interp.Literals(prog, vals), cfg)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case ok:
			lines, err := interp.Results(prog, name, results)
			if err != nil || status != 0 {
				t.Fatalf("status %d, %v\n%s", status, err, &stderr)
			}
			if got := strings.Join(lines, " "); got != want {
				t.Errorf("seed %d: %s = %s, want %s", seed, call, got, want)
			}
		case want == "UNCAUGHT":
			if status != interp.StatusUncaught || !strings.HasPrefix(stderr.String(), "uvm: uncaught exception in thread ") {
				t.Errorf("seed %d: status %d\n%s", seed, status, &stderr)
			}
		default:
			if status != interp.StatusError || !strings.HasPrefix(stderr.String(), fmt.Sprintf("uvm: run-time error: %s at @", want)) {
				t.Errorf("seed %d: status %d, want %s\n%s", seed, status, want, &stderr)
			}
		}
	}
}

// BenchmarkInterpreter measures whole calls, and reports instructions per second.
func BenchmarkInterpreter(b *testing.B) {
	var srcs []transpile.Source
	for _, name := range []string{"prelude.uir", "bench.uir"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			b.Fatal(err)
		}
		srcs = append(srcs, transpile.Source{Name: name, Text: text})
	}
	for _, bench := range []struct {
		name string
		arg  int64
		// instructions is the number of instructions that one call executes.
		instructions float64
	}{
		{"@fib", 24, 75025*3 + 75024*8},
		{"@loop", 100000, 100000*10 + 4},
	} {
		b.Run(bench.name[1:], func(b *testing.B) {
			prog, err := load(srcs, transpile.Options{}, os.Stderr)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				_, status, err := interp.Call(prog, bench.name, []interp.Value{interp.Int64(bench.arg, 64)}, interp.Config{})
				if err != nil || status != 0 {
					b.Fatal(status, err)
				}
			}
			b.ReportMetric(bench.instructions*float64(b.N)/b.Elapsed().Seconds()/1e6, "Minst/s")
		})
	}
}

// The same seed always gives the same interleaving, several seeds give several.
func TestScheduler(t *testing.T) {
	var srcs []transpile.Source
	for _, name := range []string{"prelude.uir", "race.uir"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		srcs = append(srcs, transpile.Source{Name: name, Text: text})
	}
	prog, err := load(srcs, transpile.Options{}, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	race := func(seed int64) uint64 {
		vals, status, err := interp.Call(prog, "@race", nil, interp.Config{Seed: seed})
		if err != nil || status != 0 {
			t.Fatal(status, err)
		}
		return vals[0].Lo
	}
	seen := map[uint64]bool{}
	for seed := range int64(30) {
		first := race(seed)
		if again := race(seed); again != first {
			t.Errorf("seed %d gives %d and %d", seed, first, again)
		}
		seen[first] = true
	}
	if len(seen) < 5 {
		t.Errorf("30 seeds give only the results %v", seen)
	}
}
