package scripttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/lockedfile"

	"github.com/uvm2go/uvm2go"
	"github.com/uvm2go/uvm2go/transpile"
)

var compiled sync.Once

// lock waits until no other test compiles what tests share. It returns the folder for what they share, and what ends
// the lock. Where the system has no locks the folder is the test's own.
func lock(tb testing.TB) (dir string, unlock func()) {
	tb.Helper()
	dir = GoEnv(tb, "GOCACHE")
	unlock, err := lockedfile.MutexAt(filepath.Join(dir, "uvm2go-tests.lock")).Lock()
	if err != nil {
		return tb.TempDir(), func() {}
	}
	return dir, unlock
}

// CompileRuntime compiles the runtime with its engine, and of Go's library what they need, as uvm2go build does, for a
// test that is about to build programs. The go command keeps the result, but processes that find
// nothing kept compile everything at the same time, each for itself. So one test compiles, and those
// of other packages wait for it.
func CompileRuntime(tb testing.TB) {
	tb.Helper()
	compiled.Do(func() {
		_, unlock := lock(tb)
		defer unlock()
		dir := tb.TempDir()
		if err := (&transpile.Module{Path: "compiled", Runtime: uvm2go.Runtime, Live: true}).Write(dir); err != nil {
			tb.Fatal(err)
		}
		cmd := exec.Command("go", "build", "-trimpath", "github.com/uvm2go/uvm2go/rtlib/...")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
		if out, err := cmd.CombinedOutput(); err != nil {
			tb.Fatalf("%v\n%s", err, out)
		}
	})
}
