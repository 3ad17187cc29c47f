package main

import (
	"bytes"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// TestLongLibrarySymbols: no function of a library may have the name of what the library itself calls in C.
func TestLongLibrarySymbols(t *testing.T) {
	longtest.Only(t)
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("there is no C compiler")
	}
	dir := t.TempDir()
	run := func(name string, args ...string) (int, string) {
		bundle := filepath.Join(dir, "a.uir")
		text := ".funcsig @s = () -> () .funcdef @" + name + " VERSION %v <@s> { %e(): RET () }\n"
		if err := os.WriteFile(bundle, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		status := Main(append(append([]string{"build", "-shared", "-o", filepath.Join(dir, "a.so")}, args...), bundle), strings.NewReader(""), &out, &errs)
		return status, errs.String()
	}
	if status, errs := run("f"); status != statusOK {
		t.Fatal(errs)
	}
	f, err := elf.Open(filepath.Join(dir, "a.so"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.ImportedSymbols()
	if err != nil || len(symbols) < 20 {
		t.Fatal(symbols, err)
	}
	for _, s := range symbols {
		if strings.HasPrefix(s.Name, "_ITM") {
			continue // of the linker
		}
		if status, errs := run(s.Name, "-export", s.Name); status == statusOK || !strings.Contains(errs, "cannot be the name of a C function") {
			t.Errorf("%s: status %d, %s", s.Name, status, errs)
		}
	}
}
