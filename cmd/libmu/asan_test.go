package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/cmd/internal/muinstall"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// TestLongMemory runs clients with the address sanitizer, in their code and in the C part of the library: handles, strings,
// misuse of both, and threads that come and go.
func TestLongMemory(t *testing.T) {
	longtest.Only(t)
	const sanitize = "-fsanitize=address"
	dir := install(t) // for the headers
	sane := t.TempDir()
	lib := filepath.Join(sane, muinstall.Lib, muinstall.LibraryName("libmu"))
	build := exec.Command("go", "build", "-buildmode=c-shared", "-o", lib, ".")
	build.Env = append(os.Environ(), "CGO_CFLAGS=-g -O1 "+sanitize, "CGO_LDFLAGS="+sanitize)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := muinstall.Install(sane, "", []string{"gcc", sanitize}); err != nil {
		t.Fatal(err)
	}
	// The stacks of goroutines are not those that the sanitizer knows, and Go's runtime ends with what it has allocated.
	t.Setenv("ASAN_OPTIONS", "detect_leaks=0:use_sigaltstack=0:handle_segv=0:detect_stack_use_after_return=0")
	if out, err := exec.Command("nm", "-D", "--undefined-only", lib).Output(); err != nil || !strings.Contains(string(out), "__asan_report_load") {
		t.Fatalf("the library was made without the sanitizer: %v", err)
	}
	probe := compile(t, sane, "2016", "gcc -std=gnu99 "+sanitize, "testdata/overrun.c")
	if _, stderr, err := execute(t, probe); err == nil || !strings.Contains(stderr, "heap-buffer-overflow") {
		t.Fatalf("the sanitizer does not see a client that writes beyond its memory: %v\n%s", err, stderr)
	}
	for _, client := range []string{"values", "memory", "places", "threads", "misuse", "build2016", "vms"} {
		t.Run(client, func(t *testing.T) {
			file := filepath.Join("testdata", client+".c")
			want, _, _ := execute(t, compile(t, dir, "2016", "gcc -std=gnu99", file))
			stdout, stderr, err := execute(t, compile(t, sane, "2016", "gcc -std=gnu99 "+sanitize, file))
			if err != nil || stdout != want || strings.Contains(stderr, "Sanitizer") {
				t.Errorf("%v\nstdout:\n%s\nwant:\n%s\nstderr:\n%s", err, stdout, want, stderr)
			}
		})
	}
}
