// Package steps counts what a function does in executed blocks of statements rather than in
// seconds, for tests that require linear work: a count is the same on a busy machine.
//
// The count comes from coverage counters. A test that counts is compiled once more, with
// counters in the translator, and runs once for each input in a process of its own.
package steps

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/self"
)

// The packages that count. They and the mode are the same for all tests, cmd/internal/scale
// included, because go keeps what it has compiled for one set.
const counted = "github.com/uvm2go/uvm2go/transpile/..."

// inputVariable tells a process that counts which input it is to work on.
const inputVariable = "UVM2GO_STEPS_INPUT"

// Count gives the number of basic blocks of the packages below transpile that do
// executes for each of n inputs, numbered from 0. What the test does before it calls Count
// is in all of the numbers. It must not be called in a subtest, nor twice.
func Count(t *testing.T, n int, do func(input int)) []uint64 {
	t.Helper()
	if s := os.Getenv(inputVariable); s != "" {
		input, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		do(input)
		t.SkipNow()
	}
	if runtime.GOARCH == "wasm" {
		t.Skip("no processes on wasm")
	}
	dir := t.TempDir()
	exe := filepath.Join(dir, "counting.test.exe")
	compile := exec.CommandContext(t.Context(), "go", "test", "-c", "-covermode=atomic", "-coverpkg="+counted, "-ldflags=-s", "-o", exe, ".")
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", compile, err, out)
	}
	var counts []uint64
	for i := range n {
		profile := filepath.Join(dir, fmt.Sprint(i))
		run := self.Other(t.Context(), t, exe, "-test.run=^"+t.Name()+"$", "-test.coverprofile="+profile)
		run.Env = append(run.Env, inputVariable+"="+fmt.Sprint(i))
		if out, err := run.CombinedOutput(); err != nil {
			t.Fatalf("input %d: %v\n%s", i, err, out)
		}
		text, err := os.ReadFile(profile)
		if err != nil {
			t.Fatal(err)
		}
		sum, err := total(string(text))
		if err != nil {
			t.Fatal(err)
		}
		counts = append(counts, sum)
	}
	return counts
}

// total adds up a profile: a line with the mode, then a line for each basic block,
//
//	file.go:1.2,3.4 STATEMENTS COUNT
func total(profile string) (sum uint64, err error) {
	mode, blocks, _ := strings.Cut(profile, "\n")
	if mode != "mode: atomic" {
		return 0, fmt.Errorf("profile begins with %q", mode)
	}
	for line := range strings.Lines(blocks) {
		n, err := strconv.ParseUint(line[strings.LastIndexByte(line, ' ')+1:len(line)-1], 10, 64)
		if err != nil {
			return 0, fmt.Errorf("%q in a profile", line)
		}
		sum += n
	}
	return sum, nil
}
