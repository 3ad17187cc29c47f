package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// TestFullDisk builds into a file system that is too small for a program. That needs the
// permission to mount one; testscripts/cli_environment tests the messages without.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=200k"); err != nil {
		t.Skipf("mount: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	scripttest.OwnCache(t)
	bundle := filepath.Join(t.TempDir(), "x.uir")
	const text = ".funcsig @s = () -> ()\n.funcdef @main VERSION %v <@s> { %e(): RET () }\n"
	if err := os.WriteFile(bundle, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	check := func(want string, args ...string) {
		t.Helper()
		var out, errs bytes.Buffer
		if status := runChild(t, args, &out, &errs); status != statusUsage || !strings.HasPrefix(errs.String(), want) {
			t.Errorf("%q: status %d\n%swant\n%s", args, status, &errs, want)
		}
	}
	out := filepath.Join(disk, "x")
	check("uvm2go: no space left on device: "+out+"; make room, or write to another folder (-o)\n", "build", "-o", out, bundle)
	t.Setenv("UVM2GO_CACHE", disk)
	check("uvm2go: no space left on device: UVM2GO_CACHE, "+disk+"; make room, or set UVM2GO_CACHE to another folder;", "run", bundle)
	t.Setenv("TMPDIR", disk)
	check("uvm2go: no space left on device: ", "build", "-o", filepath.Join(filepath.Dir(bundle), "y"), bundle)
}
