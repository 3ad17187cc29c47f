package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// BenchmarkNative compares calls of C from translated programs with cgo calls in hand-written Go
// twins: an empty call, a call that calls back, and memcpy of 1 KB between pinned objects, implemented
// in Go and called in C, with the corresponding forms of the twin.
func BenchmarkNative(b *testing.B) {
	if scripttest.GoEnv(b, "CGO_ENABLED") != "1" {
		b.Skip("needs cgo")
	}
	dir := b.TempDir()
	lib := filepath.Join(dir, "libn.so")
	if out, err := exec.Command("gcc", "-shared", "-fPIC", "-pthread", "-O2", "-o", lib, "testdata/native.c").CombinedOutput(); err != nil {
		b.Fatalf("gcc: %v\n%s", err, out)
	}
	build := func(name string, flags ...string) string {
		exe := filepath.Join(dir, name)
		args := append([]string{"build", "-o", exe, "-lib", lib}, flags...)
		if s := Main(append(args, "testdata/nativebench/prog.uir"), os.Stdin, os.Stdout, os.Stderr); s != 0 {
			b.Fatalf("build: status %d", s)
		}
		return exe
	}
	mu, muC := build("mu"), build("muc", "-native-c")
	twin := filepath.Join(dir, "twin")
	cmd := exec.Command("go", "build", "-o", twin, "./testdata/nativebench")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("twin: %v\n%s", err, out)
	}
	for _, c := range []struct {
		name, exe string
		mode      int
	}{
		{"empty/mu", mu, 0},
		{"empty/cgo", twin, 0},
		{"callback/mu", mu, 1},
		{"callback/cgo", twin, 1},
		{"memcpy1K/mu", mu, 2},
		{"memcpy1K/mu-native-c", muC, 2},
		{"memcpy1K/cgo", twin, 2},
		{"memcpy1K/go", twin, 3},
	} {
		b.Run(c.name, func(b *testing.B) {
			cmd := exec.Command(c.exe, strconv.Itoa(c.mode), strconv.Itoa(b.N))
			if out, err := cmd.CombinedOutput(); err != nil {
				b.Fatalf("%v\n%s", err, out)
			}
			// Wall-clock time means little on a busy machine.
			cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			b.ReportMetric(float64(cpu.Nanoseconds())/float64(b.N), "cpu-ns/op")
		})
	}
}
