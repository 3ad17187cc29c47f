package oracle_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/cmd/internal/oracle"
	"github.com/uvm2go/uvm2go/cmd/internal/randprog"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

func newLab(t *testing.T) *oracle.Lab {
	t.Helper()
	scripttest.CompileRuntime(t)
	lab, err := oracle.NewLab(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return lab
}

// inText returns the spellings of the operations that can occur in a bundle.
var inText = func() map[string]bool {
	m := map[string]bool{}
	for _, s := range ir.Spellings("mu") {
		m[s.Name] = true
	}
	return m
}()

func TestMain(m *testing.M) {
	oracle.Child()
	os.Exit(m.Run())
}

// TestSeeds compares a few random programs, the same ones each time.
func TestSeeds(t *testing.T) { compareSeeds(t, oracle.Programs, 1, 4) }

// TestSeedsIAL does the same with programs in IAL.
func TestSeedsIAL(t *testing.T) { compareList(t, oracle.IALPrograms, quick, 1, 4) }

// TestSeedsTVM does the same with programs in TVM.
func TestSeedsTVM(t *testing.T) { compareList(t, oracle.TVMPrograms, quick, 1, 4) }

// TestSeedsFrames does the same with programs that look into stacks and change their frames.
func TestSeedsFrames(t *testing.T) { compareList(t, oracle.FramePrograms, quick, 1, 20) }

// quick is the usual ways with one build, not two.
const quick = "O1,O1-stress,live-O0,live-O1,live-O1-stress"

// TestLongSeedsFrames compares more programs than TestSeedsFrames, in all usual ways.
func TestLongSeedsFrames(t *testing.T) {
	longtest.Only(t)
	compareSeeds(t, oracle.FramePrograms, 21, 200)
}

// TestSeedsFramesSplit does the same with such programs that load some of their functions while they run.
func TestSeedsFramesSplit(t *testing.T) {
	compareList(t, oracle.FrameSplitPrograms, "split-interp,split-live-O1", 1, 4)
}

// TestLongSeedsFramesSplit compares more programs than TestSeedsFramesSplit.
func TestLongSeedsFramesSplit(t *testing.T) {
	longtest.Only(t)
	compareList(t, oracle.FrameSplitPrograms, "split", 5, 76)
}

// TestSeedsSplit does the same with programs that load some of their functions while they run.
func TestSeedsSplit(t *testing.T) {
	compareList(t, oracle.Programs, "split-interp,split-O1,split-live-O1", 1, 4)
}

// TestLongSeedsSplit compares more programs than TestSeedsSplit.
func TestLongSeedsSplit(t *testing.T) {
	longtest.Only(t)
	compareList(t, oracle.Programs, "split", 5, 122)
}

// TestSeedsLoaded compares programs that are loaded, in all dialects, with those in IAL and TVM in several bundles.
func TestSeedsLoaded(t *testing.T) { compareLoaded(t, "loaded", 1, 2) }

// TestLongSeedsLoaded compares more programs than TestSeedsLoaded, those in Mu IR also under stress.
func TestLongSeedsLoaded(t *testing.T) {
	longtest.Only(t)
	compareLoaded(t, "loaded,loaded-stress", 3, 12)
}

func compareLoaded(t *testing.T, list string, seed int64, n int) {
	t.Helper()
	lab := newLab(t) // for all, which builds the program that loads them once
	for _, c := range []struct {
		programs func(int64, int) []randprog.Program
		list     string
	}{{oracle.Programs, list}, {oracle.OldPrograms, "loaded"}, {oracle.IALPrograms, "parts-loaded"}, {oracle.TVMPrograms, "parts-loaded"}} {
		compareIn(t, lab, c.programs, selected(t, c.list), seed, n)
	}
}

// TestLongSeedsUnit compares programs that are compiled when they, or parts of them, are loaded.
func TestLongSeedsUnit(t *testing.T) {
	longtest.Only(t)
	needsPlugins(t)
	compareList(t, oracle.Programs, "units", 1, 4)
	compareList(t, oracle.Programs, "split-units", 1, 3)
	compareList(t, oracle.TVMPrograms, "parts", 1, 4)
}

// TestLongSeedsRace compares programs that run under the race detector.
func TestLongSeedsRace(t *testing.T) {
	longtest.Only(t)
	needsPlugins(t)
	compareList(t, oracle.Programs, "race", 1, 8)
}

func needsPlugins(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" || scripttest.GoEnv(t, "CGO_ENABLED") != "1" {
		t.Skip("needs plugins")
	}
}

// TestBuilderDialect: ways with a builder are for Mu IR of 2016.
func TestBuilderDialect(t *testing.T) {
	ways, err := oracle.SelectWays("builder")
	if err != nil {
		t.Fatal(err)
	}
	for _, programs := range []func(int64, int) []randprog.Program{oracle.OldPrograms, oracle.IALPrograms, oracle.TVMPrograms} {
		_, err := oracle.Fuzz(oracle.Config{Ways: ways, Count: 1, Batch: 1, Log: io.Discard, Make: programs})
		if err == nil || err.Error() != "builder is for programs in Mu IR of 2016" {
			t.Error(err)
		}
	}
}

// TestProgress: a run that ended goes on where it ended, with the counts so far, and only with the same options.
func TestProgress(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state")
	ways, err := oracle.SelectWays("interp")
	if err != nil {
		t.Fatal(err)
	}
	var seeds []int64
	for _, until := range []int{3, 5} {
		p, err := oracle.OpenProgress(file, "x", 7)
		if err != nil {
			t.Fatal(err)
		}
		_, err = oracle.Fuzz(oracle.Config{Ways: ways, Count: until, Batch: 2, Log: io.Discard, Progress: p, Lab: newLab(t), Make: func(seed int64, n int) []randprog.Program {
			for i := range n {
				seeds = append(seeds, seed+int64(i))
			}
			return oracle.Programs(seed, n)
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	if want := []int64{7, 8, 9, 10, 11}; !slices.Equal(seeds, want) {
		t.Errorf("seeds %d, want %d", seeds, want)
	}
	if _, err := oracle.OpenProgress(file, "y", 7); err == nil || !strings.Contains(err.Error(), "is for other options: x") {
		t.Errorf("other options: %v", err)
	}
}

// TestWayNames: names of ways, and what none of them may be.
func TestWayNames(t *testing.T) {
	for _, name := range []string{"loaded", "unit-late-stress", "split-unit-stress", "parts-unit", "unit-race-stress", "O1-race", "O1-no-mono", "split-live-O1-stress", "builder-stress", "builder-2016"} {
		ways, err := oracle.SelectWays(name)
		if err != nil || len(ways) != 2 || strings.ReplaceAll(ways[1].Name, " ", "-") != name {
			t.Errorf("%s: %v, %v", name, ways, err)
		}
	}
	for _, list := range []string{"split", "split-units", "units", "parts", "builders", "race"} {
		if ways, err := oracle.SelectWays(list); err != nil || len(ways) < 4 {
			t.Errorf("%s: %v, %v", list, ways, err)
		}
	}
	for _, name := range []string{"unite", "parts-O1", "split-loaded", "live-O1-race", "interp-stress", "builder-race", "parts-builder", "split-builder", "builder-2017", ""} {
		if _, err := oracle.SelectWays("O1," + name); err == nil || !strings.Contains(err.Error(), "unknown way") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestLongSeedsTVM compares more programs than TestSeedsTVM.
func TestLongSeedsTVM(t *testing.T) {
	longtest.Only(t)
	compareSeeds(t, oracle.TVMPrograms, 5, 60)
}

// TestLongSeedsIAL compares more programs than TestSeedsIAL.
func TestLongSeedsIAL(t *testing.T) {
	longtest.Only(t)
	compareSeeds(t, oracle.IALPrograms, 5, 60)
}

// TestLongSeeds compares more programs than TestSeeds. It also checks that every operation that can
// occur in text occurs in some program, so that the generator cannot lose an operation unnoticed.
func TestLongSeeds(t *testing.T) {
	longtest.Only(t)
	for _, op := range compareSeeds(t, oracle.Programs, 1, 120).Missing() {
		if !strings.HasPrefix(op, "@uvm.meta.") && op != "@uvm.irbuilder" && inText[op] {
			t.Errorf("no program has %s", op)
		}
	}
}

func compareSeeds(t *testing.T, programs func(int64, int) []randprog.Program, seed int64, n int) *oracle.Coverage {
	t.Helper()
	return compareIn(t, newLab(t), programs, oracle.Ways(), seed, n)
}

func compareList(t *testing.T, programs func(int64, int) []randprog.Program, list string, seed int64, n int) {
	t.Helper()
	compareIn(t, newLab(t), programs, selected(t, list), seed, n)
}

func selected(t *testing.T, list string) []oracle.Way {
	t.Helper()
	ways, err := oracle.SelectWays(list)
	if err != nil {
		t.Fatal(err)
	}
	return ways
}

// compareIn compares programs in a lab.
func compareIn(t *testing.T, lab *oracle.Lab, programs func(int64, int) []randprog.Program, ways []oracle.Way, seed int64, n int) *oracle.Coverage {
	t.Helper()
	var log strings.Builder
	cov := oracle.NewCoverage()
	if lab.Command == "" && slices.ContainsFunc(ways, func(w oracle.Way) bool { return w.Host || w.Unit > 0 }) {
		lab.Command = scripttest.Command(t)
	}
	res, err := oracle.Fuzz(oracle.Config{Lab: lab, Ways: ways, Seed: seed, Count: n, Batch: 40, Log: &log, Cover: cov, Make: programs})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Differences) > 0 {
		t.Errorf("%s\nTo reduce one: go run ./cmd/uvmfuzz -seed N -n 1 -keep found", log.String())
	}
	return cov
}

// TestLongCorpus compares the examples and the kernels at small sizes.
func TestLongCorpus(t *testing.T) {
	longtest.Only(t)
	list, err := oracle.Bundles("../../..")
	if err != nil {
		t.Fatal(err)
	}
	lab := newLab(t)
	lab.MaxSteps = oracle.CorpusSteps
	ways, err := oracle.SelectWays("O0,O1")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range list {
		t.Run(b.Name, func(t *testing.T) {
			t.Parallel()
			what, err := lab.Compare(b.Text, ways)
			if b.Name == "native_callbacks" || b.Name == "tracer" { // these use features that the interpreter does not have
				if !errors.Is(err, oracle.ErrNative) {
					t.Errorf("got %q, %v, want %v", what, err, oracle.ErrNative)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if what != "" {
				t.Error(what)
			}
		})
	}
}

// TestMutants checks that every fault fits the source file that it is put into.
func TestMutants(t *testing.T) {
	for _, m := range oracle.MutantList {
		b, err := os.ReadFile("../../../" + m.File)
		if err != nil {
			t.Errorf("%s: %v", m.Name, err)
		} else if n := strings.Count(string(b), m.Old); n != 1 {
			t.Errorf("%s: the text to replace occurs %d times in %s, want once", m.Name, n, m.File)
		}
	}
}

// TestOutcomes checks which outcomes count as different.
func TestOutcomes(t *testing.T) {
	a := oracle.Outcome{Status: 4, Out: "trap t\n", Err: "uvm: run-time error: BOUNDS at @f.v.e+1 (p.uir:7): index 9\n\t@f\n"}
	same := oracle.Outcome{Status: 4, Out: "trap t\n", Err: "uvm: run-time error: BOUNDS at f (p.uir:7): index 9 of 3\n\t@f\n"}
	if d := a.Differs(same); d != "" {
		t.Error(d)
	}
	for _, b := range []oracle.Outcome{
		{Status: 3, Out: a.Out, Err: a.Err},
		{Status: 4, Out: "trap u\n", Err: a.Err},
		{Status: 4, Out: a.Out, Err: "uvm: run-time error: NULL_REF at @f.v.e+1 (p.uir:7)\n\t@f\n"},
		{Status: 4, Out: a.Out, Err: "uvm: run-time error: BOUNDS at @f.v.e+1 (p.uir:8)\n\t@f\n"},
		{Status: 4, Out: a.Out, Err: "uvm: run-time error: BOUNDS at @f.v.e+1 (p.uir:7)\n\t@g\n\t@f\n"},
	} {
		if a.Equal(b) {
			t.Errorf("%+v is taken for the same", b)
		}
	}
}

// TestBatch checks that each program of a batch has the same outcome as alone.
func TestBatch(t *testing.T) {
	lab := newLab(t)
	ways := oracle.Ways()[:2]
	if d, err := lab.Batch([]randprog.Program{randprog.Generate(3, "@a."), randprog.Generate(4, "@b.")}, ways); err != nil || len(d) > 0 {
		t.Error(d, err)
	}
}

// TestStarts checks that the outcome of a program in a batch does not depend on which programs
// ran before it in the same process: after a restart there are none.
func TestStarts(t *testing.T) {
	lab := newLab(t)
	var ps []randprog.Program
	for i := range int64(16) {
		ps = append(ps, randprog.Generate(100025+i, fmt.Sprintf("@p%d.", i)))
	}
	exes, err := lab.Build(randprog.Bundle(ps), oracle.Ways()[:1])
	if err != nil {
		t.Fatal(err)
	}
	first := make([]string, len(ps)) // the first outcome of each program
	for at := range ps {
		o, err := lab.Run(exes[0], make([]string, at)...)
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(o.Out, "start\n")[1:]
		if len(parts) == 0 {
			t.Fatalf("program %d did not start: %+v", at, o)
		}
		for i, part := range parts {
			if k := strings.LastIndex(part, "trap "); i+1 < len(parts) {
				part = part[:k] // cut off the name of the next program's first trap
			}
			switch old := &first[at+i]; *old {
			case "":
				*old = part
			case part:
			default:
				t.Errorf("seed %d, when %d is the first to run:\n%s\nwant\n%s", ps[at+i].Seed, ps[at].Seed, part, *old)
			}
		}
	}
}

// TestSelectWays checks that -sanitize is compared with an interpreter that has the same setting.
func TestSelectWays(t *testing.T) {
	ways, err := oracle.SelectWays("sanitize")
	if err != nil || len(ways) != 2 || !ways[0].Interp || !ways[0].Sanitize || !ways[1].Sanitize {
		t.Errorf("sanitize: %v, %v", ways, err)
	}
	ways, err = oracle.SelectWays("O1-no-mono,O1")
	if err != nil || len(ways) != 3 || len(ways[1].Disable) != 1 || ways[2].Disable != nil {
		t.Errorf("O1-no-mono,O1: %v, %v", ways, err)
	}
	ways, err = oracle.SelectWays("O0,386")
	if err != nil || len(ways) != 4 || ways[0].Sanitize {
		t.Errorf("O0,386: %v, %v", ways, err)
	}
	for _, list := range []string{"O0,sanitize", "none"} {
		if ways, err := oracle.SelectWays(list); err == nil {
			t.Errorf("%s: %v, want an error", list, ways)
		}
	}
}
