package examples_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// TestNativeExamples runs the examples that call native code: with NAME.c as a library where
// there is one, with input.txt as the argument where there is one, and those of the C library also on the interpreter.
func TestNativeExamples(t *testing.T) { runNativeExamples(t, "", "-interp") }

// TestLongNativeExamples calls C where the runtime has the function, too.
func TestLongNativeExamples(t *testing.T) {
	longtest.Only(t)
	runNativeExamples(t, "-native-c")
}

func runNativeExamples(t *testing.T, modes ...string) {
	t.Helper()
	uvm2go := command(t)
	cgo := scripttest.GoEnv(t, "CGO_ENABLED") == "1"
	needC := map[string]bool{"native_callbacks": true}
	dirs, err := filepath.Glob(filepath.Join("native_*", "want.txt"))
	if err != nil || len(dirs) < 5 {
		t.Fatalf("%d examples found, %v", len(dirs), err)
	}
	for _, want := range dirs {
		dir := filepath.Dir(want)
		name := filepath.Base(dir)
		if needC[name] && !cgo {
			continue
		}
		wanted, err := os.ReadFile(want)
		if err != nil {
			t.Fatal(err)
		}
		var flags []string
		if src := filepath.Join(dir, name+".c"); exists(src) {
			lib := filepath.Join(t.TempDir(), "lib"+name+".so")
			if out, err := exec.Command("gcc", "-shared", "-fPIC", "-o", lib, src).CombinedOutput(); err != nil {
				t.Fatalf("gcc: %v\n%s", err, out)
			}
			flags = append(flags, "-lib", lib)
		}
		args := []string{filepath.Join(dir, name+".uir")}
		if in := filepath.Join(dir, "input.txt"); exists(in) {
			args = append(args, "--", in)
		}
		for _, mode := range modes {
			if mode == "-native-c" && !cgo || mode == "-interp" && flags != nil {
				continue
			}
			var out, errs bytes.Buffer
			all := append([]string{"run"}, flags...)
			if mode != "" {
				all = append(all, mode)
			}
			all = append(all, args...)
			if status := uvm2go.run(t, all, &out, &errs); status != 0 || errs.Len() > 0 {
				t.Errorf("%s %s: status %d, standard error:\n%s", name, mode, status, &errs)
			}
			if !bytes.Equal(out.Bytes(), wanted) {
				t.Errorf("%s %s: got:\n%s\nwant:\n%s", name, mode, &out, wanted)
			}
		}
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
