package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// TestLibmuUsage checks what the command libmu says about wrong arguments.
func TestLibmuUsage(t *testing.T) {
	for _, args := range [][]string{{"libmu"}, {"libmu", "-o", "x", "bundle.uir"}} {
		var out, errs strings.Builder
		if status := Main(args, nil, &out, &errs); status != statusUsage || !strings.Contains(errs.String(), "libmu: want -o DIR and nothing else") {
			t.Errorf("%v: status %d, %s", args, status, errs.String())
		}
	}
	t.Setenv("CC", "no-such-compiler")
	var errs strings.Builder
	dir := t.TempDir()
	if status := Main([]string{"libmu", "-o", filepath.Join(dir, "mu")}, nil, &errs, &errs); status != statusUsage || !strings.Contains(errs.String(), "no-such-compiler") {
		t.Errorf("without a compiler: status %d, %s", status, errs.String())
	}
	if files, _ := os.ReadDir(dir); len(files) != 0 {
		t.Errorf("without a compiler: %v is made", files)
	}
}

// TestLongLibmu makes the library, which builds the whole engine, and runs a client of it from another place.
func TestLongLibmu(t *testing.T) {
	longtest.Only(t)
	dir := filepath.Join(t.TempDir(), "mu")
	var errs strings.Builder
	for range 2 { // the second time everything exists
		if status := Main([]string{"libmu", "-o", dir}, nil, &errs, &errs); status != statusOK || errs.String() != "" {
			t.Fatalf("status %d, %s", status, errs.String())
		}
	}
	exe := filepath.Join(t.TempDir(), "hello")
	build := exec.Command("sh", "-c", `cc -I ../libmu/testdata ../libmu/testdata/hello.c $("$0"/cbinding/refimpl2-config --istart --cflags --libs) -o "$1"`, dir, exe)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	moved := dir + ".moved"
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	run := exec.Command(exe)
	run.Env = append(os.Environ(), "LD_LIBRARY_PATH="+filepath.Join(moved, "cbinding"))
	if out, err := run.CombinedOutput(); err != nil || string(out) != "Hello world!\nGoodbye world!\n42\n" {
		t.Errorf("%v\n%s", err, out)
	}
	// The package in Python finds the library around it.
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no Python")
	}
	client := exec.Command(python, "-c", "import mu; print(mu.MuVM(generation='rmu-ref').generation, mu.mu_get_version().split()[0])")
	client.Env = append(os.Environ(), "UVM2GO_LIBMU=", "MU=", "MU_ZEBU=", "PYTHONPATH="+filepath.Join(moved, "python"))
	if out, err := client.CombinedOutput(); err != nil || string(out) != "rmu-ref uvm2go\n" {
		t.Errorf("%v\n%s", err, out)
	}
}
