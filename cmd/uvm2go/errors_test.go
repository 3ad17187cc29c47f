package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// TestErrorTexts causes every kind of run-time error (docs/language.md, "Run-time errors") in
// built programs, without and with the optimising passes, and on the interpreter. All must print the
// same text, including name, position and trace.
func TestErrorTexts(t *testing.T) {
	scripttest.OwnCache(t)
	const bundle = "testdata/errors/errors.uir"
	dir := t.TempDir()
	for _, level := range []string{"-O0", "-O1"} {
		var out, errs bytes.Buffer
		if status := runChild(t, []string{"build", level, "-o", filepath.Join(dir, level), bundle}, &out, &errs); status != 0 {
			t.Fatalf("build %s: %s", level, &errs)
		}
	}
	text, err := os.ReadFile(bundle)
	if err != nil {
		t.Fatal(err)
	}
	cases := regexp.MustCompile(`(?m)^ +@n\d+ %(\w+)\(\)$`).FindAllStringSubmatch(string(text), -1)
	if len(cases) < 50 {
		t.Fatalf("%d cases found", len(cases))
	}
	var args []string
	for _, c := range cases {
		args = append(args, "x")
		var out, errs bytes.Buffer
		status := runChild(t, append([]string{"run", "-interp", bundle, "--"}, args...), &out, &errs)
		want := strings.Join(strings.SplitAfter(errs.String(), "\n")[1:], "") // without the warning of an undefined function
		if !strings.HasPrefix(want, "uvm: run-time error: ") && !strings.HasPrefix(want, "uvm: uncaught exception ") {
			t.Errorf("%s: the interpreter says %q", c[1], errs.String())
		}
		for _, level := range []string{"-O0", "-O1"} {
			cmd := exec.Command(filepath.Join(dir, level), args...)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			cmd.Run()
			if s := cmd.ProcessState.ExitCode(); s != status || stdout.String() != out.String() || stderr.String() != want {
				t.Errorf("%s, %s: exit status %d\n%s%swant %d\n%s%s", c[1], level, s, &stdout, &stderr, status, &out, want)
			}
		}
	}
}
