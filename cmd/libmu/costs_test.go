package main

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/cmd/internal/muinstall"
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
	built := compile(b, install(b), "2016", "gcc -std=gnu99 -O2", "testdata/built.c")
	for range b.N {
		for name, ns := range costs(b, exe) {
			b.ReportMetric(ns, "ns/"+name)
		}
		b.ReportMetric(costs(b, floor)["empty"], "ns/empty")
		b.ReportMetric(costs(b, built)["built"], "ms/built") // until a function of 10,000 calls of the builder is called
	}
}
