package main

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/cmd/internal/muinstall"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// costs are what a client prints: nanoseconds, by what takes them.
func costs(t testing.TB, exe string) map[string]float64 {
	t.Helper()
	stdout, stderr, err := execute(t, exe)
	if err != nil || stderr != "" {
		t.Fatalf("%v\n%s", err, stderr)
	}
	list := map[string]float64{}
	for line := range strings.Lines(stdout) {
		name, ns, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.ParseFloat(ns, 64)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		list[name] = n
	}
	return list
}

// floorProgram is a program that measures a call of an empty Go function.
func floorProgram(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	lib := filepath.Join(dir, muinstall.LibraryName("libempty"))
	if out, err := exec.Command("go", "build", "-buildmode=c-shared", "-o", lib, "./testdata/empty").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	exe := filepath.Join(dir, "floor")
	out, err := exec.Command("gcc", "-std=gnu99", "-O2", "-I", "testdata", "testdata/floor.c", "-o", exe, "-L"+dir, "-lempty", "-Wl,-rpath,"+dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return exe
}

// BenchmarkClient measures what calls of the API cost a client in C, and a call from C into Go at all.
func BenchmarkClient(b *testing.B) {
	exe := compile(b, install(b), "2016", "gcc -std=gnu99 -O2", "testdata/bench.c")
	floor := floorProgram(b)
	for range b.N {
		for name, ns := range costs(b, exe) {
			b.ReportMetric(ns, "ns/"+name)
		}
		b.ReportMetric(costs(b, floor)["empty"], "ns/empty")
	}
}

// TestLongCosts compares what calls cost with a call from C into an empty Go function, measured in the same run.
func TestLongCosts(t *testing.T) {
	longtest.Only(t)
	exe := compile(t, install(t), "2016", "gcc -std=gnu99 -O2", "testdata/bench.c")
	floor := floorProgram(t)
	before := costs(t, floor)["empty"]
	of := costs(t, exe)
	empty := min(before, costs(t, floor)["empty"])
	for name, ns := range of {
		t.Logf("%s: %.1f ns, %.2f times an empty call of %.1f ns", name, ns, ns/empty, empty)
	}
	built := costs(t, compile(t, install(t), "2016", "gcc -std=gnu99 -O2", "testdata/built.c"))["built"]
	t.Logf("a function that 10,000 calls of the builder have made is called after %.1f ms", built)
	if built > 60 {
		t.Errorf("building, loading and calling a function of 10,000 calls takes %.1f ms", built)
	}
	// Much more than what was measured, but less than it takes without what makes them fast.
	for name, most := range map[string]float64{"call": 3.5, "load+delete_value": 0.8, "store": 0.6, "store-in-object": 0.6, "handle_to_sint64": 0.5} {
		if of[name] == 0 || of[name] > most*empty {
			t.Errorf("%s takes %.1f ns, %.2f times an empty call: want at most %v times", name, of[name], of[name]/empty, most)
		}
	}
}
