package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// TestLongPlatforms builds the runtime and the commands for other platforms: with
// words of 32 bits, another operating system, other memory. None of them is run.
func TestLongPlatforms(t *testing.T) {
	longtest.Only(t)
	for _, p := range []string{"linux/386", "windows/amd64", "darwin/arm64", "freebsd/amd64", "js/wasm"} {
		t.Run(p, func(t *testing.T) {
			system, arch, _ := strings.Cut(p, "/")
			cmd := exec.Command("go", "build", "./rtlib/...", "./cmd/uvm2go", "./cmd/uvmfuzz", "./examples/...")
			cmd.Dir = "../.."
			cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
