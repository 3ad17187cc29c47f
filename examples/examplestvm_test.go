package examples_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// TestExamplesTVM runs the examples in TVM: interpreted, built or on the engine for live code; and
// each must be formatted.
func TestExamplesTVM(t *testing.T) {
	dialectExamples(t, "tvm", ".tvm", func(t *testing.T, uvm2go executable, number int, name string, bundles []string, run exampleRunner) {
		t.Run(name, func(t *testing.T) {
			formatted(t, uvm2go, bundles[0])
			run(t, bundles, "-interp", "-strict")
			run(t, bundles, "-interp", "-O0")
			run(t, bundles, quick(number)...)
		})
	})
}

// TestLongExamplesTVM builds all these examples, at both levels.
func TestLongExamplesTVM(t *testing.T) {
	longtest.Only(t)
	dialectExamples(t, "tvm", ".tvm", func(t *testing.T, _ executable, _ int, name string, bundles []string, run exampleRunner) {
		t.Run(name, func(t *testing.T) {
			run(t, bundles)
			run(t, bundles, "-O0")
		})
	})
}

// TestLongExamplesTVMPorts builds the examples for a processor with words of 32 bits and for a big-endian one, and
// runs them where that is possible. If the output there differs from want.txt, it is in want.ARCH.txt.
func TestLongExamplesTVMPorts(t *testing.T) {
	longtest.Only(t)
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("knows how to run other processors' programs on linux/amd64 only")
	}
	for arch, emulator := range map[string]string{"386": "", "s390x": "qemu-s390x-static"} {
		if _, err := exec.LookPath(emulator); emulator != "" && err != nil {
			t.Log(err)
			continue
		}
		dialectExamples(t, "tvm", ".tvm", func(t *testing.T, uvm2go executable, _ int, name string, bundles []string, _ exampleRunner) {
			t.Run(arch+"/"+name, func(t *testing.T) { onPort(t, uvm2go, arch, emulator, bundles) })
		})
	}
}

// onPort builds an example for a processor, and runs it there.
func onPort(t *testing.T, uvm2go executable, arch, emulator string, bundles []string) {
	want := filepath.Join(filepath.Dir(bundles[0]), "want."+arch+".txt")
	if !exists(want) {
		want = filepath.Join(filepath.Dir(want), "want.txt")
	}
	wanted, err := os.ReadFile(want)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("CGO_ENABLED", "0")
	t.Setenv("GOARCH", arch)
	exe := filepath.Join(t.TempDir(), "example")
	var out, errs bytes.Buffer
	if status := uvm2go.run(t, append([]string{"build", "-o", exe}, bundles...), &out, &errs); status != 0 {
		t.Fatalf("build: status %d\n%s", status, &errs)
	}
	run := []string{exe}
	if emulator != "" {
		run = []string{emulator, exe}
	}
	cmd := exec.Command(run[0], run[1:]...)
	cmd.Env = append(os.Environ(), "UVM_HEAP=512M") // an emulator needs time for all memory that a program reserves
	cmd.Stdout, cmd.Stderr = &out, &errs
	fmt.Fprintf(&out, "exit %d\n", scripttest.Status(t, cmd))
	if !bytes.Equal(out.Bytes(), wanted) {
		t.Errorf("got:\n%s\nwant:\n%s\nstandard error:\n%s", &out, wanted, &errs)
	}
}
