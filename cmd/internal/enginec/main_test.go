package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/gogen"
)

// TestFresh checks that the file is up to date with the generator of programs.
func TestFresh(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "rtlib", "ffi", "process", file))
	if err != nil || string(text) != gogen.EngineC() {
		t.Errorf("%s is stale: go generate ./rtlib/ffi/process (%v)", file, err)
	}
}
