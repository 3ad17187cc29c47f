package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/uvm2go/uvm2go/cmd/internal/muinstall"
	"github.com/uvm2go/uvm2go/cmd/internal/ports"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// TestLongARM64 runs the clients with the library for arm64, on an emulator.
func TestLongARM64(t *testing.T) {
	longtest.Only(t)
	const compiler, root = "aarch64-linux-gnu-gcc", "/usr/aarch64-linux-gnu"
	if _, err := exec.LookPath(compiler); err != nil {
		t.Skipf("there is no %s", compiler)
	}
	emulator, err := ports.Port{System: "linux", Arch: "arm64"}.Runner()
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	lib := filepath.Join(dir, muinstall.Lib, "libmu.so")
	build := exec.Command("go", "build", "-buildmode=c-shared", "-o", lib, ".")
	build.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=1", "CC="+compiler)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := muinstall.Install(dir, "", []string{compiler}); err != nil {
		t.Fatal(err)
	}
	run := append(emulator.Command, "-L", root)
	ffi := os.Getenv("UVM2GO_ARM64_LIBFFI") // the folder of a libffi for arm64 that is not in the usual place
	if ffi != "" {
		run = append(run, "-E", "LD_LIBRARY_PATH="+ffi)
	}
	found, _ := filepath.Glob(root + "/lib/libffi.so*")
	eachClient(t, func(t *testing.T, file, generation, want string) {
		if ffi == "" && len(found) == 0 && slices.Contains(callsC, filepath.Base(file)) {
			t.Skip("there is no libffi for arm64: see UVM2GO_ARM64_LIBFFI")
		}
		args := append(slices.Clone(run), compile(t, dir, generation, compiler+" -std=gnu99", file))
		stdout, stderr, err := execute(t, args[0], args[1:]...)
		if err != nil || stdout != want || stderr != "" {
			t.Errorf("%v\nstdout:\n%s\nwant:\n%s\nstderr:\n%s", err, stdout, want, stderr)
		}
	})
}

// callsC are clients that call C, or are called by it.
var callsC = []string{"native.c", "build2016.c", "build2017.c", "threads.c"}
