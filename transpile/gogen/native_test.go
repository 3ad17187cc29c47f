package gogen

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestNativeTable fails when the table of natives is not that of the runtime: run
// go generate in this folder.
func TestNativeTable(t *testing.T) {
	out := filepath.Join(t.TempDir(), "native_gen.go")
	if text, err := exec.Command("go", "run", "./nativegen", "-o", out).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	want, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("native_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("native_gen.go is stale")
	}
	for name := range goOnly {
		if _, ok := nativeRows[name]; !ok {
			t.Errorf("%s is not served in Go", name)
		}
	}
}
