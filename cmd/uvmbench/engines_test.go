package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// engineTwins are the twins that other engines run.
var engineTwins = strings.Join([]string{twinLive, twinWasmInt, twinWasm, twinPython, twinLua}, ",")

// TestScripts runs twins in Python and Lua at the small size, and the bundle on the engine for live code.
// If an interpreter is not installed, its twins are skipped.
func TestScripts(t *testing.T) {
	checkSmall(t, "live,python,lua", "fib", "richards", "quicksort")
}

// TestLongEngines runs all twins that other engines can run.
func TestLongEngines(t *testing.T) {
	longtest.Only(t)
	checkSmall(t, engineTwins)
}

// checkSmall checks the output of twins at the small size.
func checkSmall(t *testing.T, twins string, kernels ...string) {
	t.Helper()
	args := append([]string{"-small", "-check", "-q", "-twins", twins, "-work", t.TempDir()}, kernels...)
	var out, errs bytes.Buffer
	if status := run(args, &out, &errs); status != statusOK {
		t.Errorf("status %d\n%s", status, errs.String())
	}
	for _, line := range strings.Split(strings.TrimSpace(errs.String()), "\n") {
		if line != "" {
			t.Log(line) // what is missing on this machine
		}
	}
}

// TestEngineTwins checks which kernels have which twins, and that none of them runs unless it is asked for.
func TestEngineTwins(t *testing.T) {
	ks, err := loadKernels()
	if err != nil {
		t.Fatal(err)
	}
	c, _, _ := parseFlags([]string{"-twins", engineTwins}, &bytes.Buffer{}, &bytes.Buffer{})
	all := &suite{c: c}
	usual := &suite{c: &config{}}
	found := map[string]string{}
	for _, k := range ks {
		for _, twin := range usual.twins(k) {
			if strings.Contains(engineTwins, twin) {
				t.Errorf("%s of %s runs without being asked for", twin, k.name)
			}
		}
		if k.group == groupOverheads {
			continue
		}
		for _, twin := range all.twins(k) {
			found[twin] += k.name + " "
		}
		for twin, why := range hosted {
			if why[k.name] != "" && strings.Contains(found[twin], k.name+" ") {
				t.Errorf("%s runs %s", twin, k.name)
			}
		}
	}
	const scripts = "matmul nbody quicksort sieve spectralnorm fib binarytrees deltablue richards "
	if found[twinPython] != scripts || found[twinLua] != scripts {
		t.Errorf("Python: %s; Lua: %s", found[twinPython], found[twinLua])
	}
	if live, wasm, interpreted := strings.Count(found[twinLive], " "), strings.Count(found[twinWasm], " "), strings.Count(found[twinWasmInt], " "); wasm != live-1 || interpreted != live-2 {
		t.Errorf("%d kernels live, %d on wazero, %d on its interpreter", live, wasm, interpreted)
	}
}

// TestNoEngines looks for engines on a machine without them.
func TestNoEngines(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	b := &builder{dir: t.TempDir(), tools: new(tools)}
	b.findEngines(map[string]bool{twinWasm: true, twinPython: true, twinLua: true})
	got := strings.Join(b.tools.missing, "\n")
	for _, want := range []string{"no python3: the twins in Python are left out", "no lua5.4: the twins in Lua are left out", "no clang with WASI's library"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	k := &kernel{name: "fib", sources: []source{{twinC, "fib.c", []byte("c")}, {twinPython, "fib.py", []byte("p")}, {twinLua, "fib.lua", []byte("l")}}}
	for _, twin := range []string{twinWasm, twinWasmInt, twinPython, twinLua} {
		if _, err := b.build(k, twin); err != errNoTool {
			t.Errorf("%s: %v", twin, err)
		}
	}
}

// TestRunLive runs bundles that cannot start; TestScripts runs others.
func TestRunLive(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"nonsense": "a.uir:1:1: ", ".typedef @i64 = int<64>\n": "no function @main"} {
		file := filepath.Join(t.TempDir(), "a.uir")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(self, liveCommand, file).CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%q: %v, %s", text, err, out)
		}
	}
}

func TestEngineTable(t *testing.T) {
	r := report(map[string]map[string][]float64{
		"fib":    {twinMu: {100, 100, 100}, twinLive: {500, 510, 500}, twinWasmInt: {2000, 2000, 2000}, twinWasm: {250, 250, 250}, twinPython: {5000, 5000, 5000}, twinLua: {1000, 1000, 1000}},
		"vcall":  {twinMu: {100, 100, 100}, twinLive: {2000, 2000, 2000}},
		"matmul": {twinMu: {100, 100, 100}, twinGo: {100, 100, 100}},
	})
	var b strings.Builder
	writeTable(&b, r, byCPU)
	has(t, b.String(),
		"uvm2go live wazero int. wazero CPython Lua live/uvm2go from..to wazero int./live wazero/live CPython/live Lua/live",
		"fib 100 500 2000 250 5000 1000 5.00 5.00..5.10 4.00 0.50 10.00 2.00",
		"vcall 100 2000 20.00 20.00..20.00 geometric mean 10.00 4.00 0.50 10.00 2.00",
		"live, all kernels translated 2 10.00 20.00 vcall 15.00: met",
		"live wazero's interpreter 1 0.25 0.33: met",
		"live CPython 1 0.10 0.20: met",
	)
	if strings.Contains(b.String(), "NaN") {
		t.Errorf("NaN in\n%s", b.String())
	}
	if rows := engineRows(r, byCPU); len(rows) != 4 {
		t.Errorf("a kernel without the engine has a row: %q", rows)
	}
	if rows := engineRows(sample(), byCPU); len(rows) != 1 {
		t.Errorf("a table without the engine: %q", rows)
	}
}
