package clib

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestTable fails if the table of natives is not that of the runtime. To update it, run
// go generate in this folder.
func TestTable(t *testing.T) {
	out := filepath.Join(t.TempDir(), "clib_gen.go")
	if text, err := exec.Command("go", "run", "./gen", "-o", out).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	want, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("clib_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("clib_gen.go is stale")
	}
}

func TestSignature(t *testing.T) {
	for sig, want := range map[string]Sig{
		"v()":      {Result: 'v'},
		"el(ipl)":  {Errno: true, Result: 'l', Params: "ipl", Least: 3},
		"ei(pi|i)": {Errno: true, Result: 'i', Params: "pii", Least: 2},
		"ei(plp*)": {Errno: true, Result: 'i', Params: "plp", Least: 3, Variadic: true},
	} {
		if got := (Row{Sig: sig}).Signature(); got != want {
			t.Errorf("%s: got %+v, want %+v", sig, got, want)
		}
	}
}
