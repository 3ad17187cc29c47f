// Package bundletest helps projects to test their bundles with go test: it builds
// programs from them once, runs these many times, and compares their output.
//
//	func TestFac(t *testing.T) {
//		fac := bundletest.Build(t, "fac.uir")
//		cases := []bundletest.Case{
//			{Args: []string{"5"}, Stdout: "120\n"},
//			{Args: []string{"-1"}, Status: 4, Stderr: "DIV_BY_ZERO"},
//		}
//		fac.Run(t, cases...)
//		fac.Stress(t, 1, cases...) // with a collection at every allocation
//	}
//
// Setup does the same for scripts of testscript: after it "exec uvm2go run fac.uir"
// works in them, and takes no longer than in a shell.
//
// The command uvm2go is built from the module that the tests require, once for each
// version, and kept in the user's cache folder; so are the programs. A test binary
// depends on the whole translator and runtime, and reads the files that are passed to
// Build, so that go test knows when its cached results are out of date.
//
// The package does not check generated Go, and has no scripts of its own. It needs the
// go command.
package bundletest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Command prepares a command line of uvm2go, to be run in the current folder:
//
//	out, err := bundletest.Command(t, "run", "-interp", "-call", "@fac", "-args", "10", "fac.uir").Output()
//
// The command is killed shortly before the test's time is over.
func Command(tb testing.TB, args ...string) *exec.Cmd {
	tb.Helper()
	t, err := theTool()
	if err != nil {
		tb.Fatal(err)
	}
	touch(args)
	cmd := exec.CommandContext(deadline(tb), t.path, args...)
	cmd.Env = append(os.Environ(), t.environ()...)
	return cmd
}

// Output runs a command line of uvm2go and returns its standard output. If the command
// fails, so does the test.
func Output(tb testing.TB, args ...string) string {
	tb.Helper()
	cmd := Command(tb, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		tb.Fatalf("uvm2go %s: %v\n%s", strings.Join(args, " "), err, &errs)
	}
	if errs.Len() > 0 {
		tb.Logf("uvm2go %s:\n%s", strings.Join(args, " "), &errs)
	}
	return out.String()
}

// A Program is an executable made of bundles.
type Program struct {
	path string
	name string
}

// Build makes a program, unless it is still in the cache. The arguments are those of
// uvm2go run: flags, then bundles. If the bundles have errors, the test fails; warnings
// are logged.
func Build(tb testing.TB, args ...string) *Program {
	tb.Helper()
	if len(args) == 0 {
		tb.Fatal("bundletest.Build: no bundle")
	}
	path := strings.TrimSpace(Output(tb, append([]string{"run", "-n"}, args...)...))
	last := args[len(args)-1]
	return &Program{path, strings.TrimSuffix(filepath.Base(last), filepath.Ext(last))}
}

// Path returns the path of the executable.
func (p *Program) Path() string { return p.path }

// A Case is one run of a program, and its expected results.
type Case struct {
	Name   string   // of the subtest; the arguments, if empty
	Args   []string // arguments of the program, after its name
	Stdin  string
	Env    []string // KEY=VALUE, in addition to the test's own environment
	Stdout string   // wanted, to the byte
	Stderr string   // a regular expression that must match; if empty, nothing may be printed
	Status int      // the exit status; 3 is an uncaught exception, 4 a run-time error
}

// Run runs the program once for each case, as subtests.
func (p *Program) Run(t *testing.T, cases ...Case) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name(), func(t *testing.T) { p.run(t, c, "") })
	}
}

// Stress is like Run, with a garbage collection at every n-th allocation of a thread,
// checks of the heap before and after each collection, and freed memory overwritten. So
// an object that is not kept alive is noticed immediately. With n = 1 a program takes
// many times as long.
func (p *Program) Stress(t *testing.T, n int, cases ...Case) {
	t.Helper()
	for _, c := range cases {
		t.Run(fmt.Sprintf("%s/gcstress=%d", c.name(), n), func(t *testing.T) { p.run(t, c, Stress(n)) })
	}
}

// Stress returns the value of UVMDEBUG that a stressed program runs with; see
// [Program.Stress].
func Stress(n int) string { return fmt.Sprintf("UVMDEBUG=gcstress=%d,gcverify=1,clobberfree=1", n) }

func (c *Case) name() string {
	switch {
	case c.Name != "":
		return c.Name
	case len(c.Args) == 0:
		return "no arguments"
	}
	return strings.Join(c.Args, " ")
}

// run runs one case, with an additional variable of the environment.
func (p *Program) run(t *testing.T, c Case, variable string) {
	t.Helper()
	wantErr, err := regexp.Compile(c.Stderr)
	if err != nil {
		t.Fatalf("Stderr: %v", err)
	}
	cmd := exec.CommandContext(deadline(t), p.path, c.Args...)
	cmd.Args[0] = p.name
	cmd.Stdin = strings.NewReader(c.Stdin)
	cmd.Env = append(os.Environ(), c.Env...)
	if variable != "" {
		cmd.Env = append(cmd.Env, variable)
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if got := cmd.ProcessState.ExitCode(); got != c.Status {
		t.Errorf("exit status %d, want %d", got, c.Status)
	}
	if out.String() != c.Stdout {
		t.Errorf("standard output:\n%swant:\n%s", &out, c.Stdout)
	}
	switch {
	case c.Stderr == "" && errs.Len() > 0:
		t.Errorf("standard error:\n%swant nothing", &errs)
	case !wantErr.Match(errs.Bytes()):
		t.Errorf("standard error:\n%swant a match of %s", &errs, c.Stderr)
	case t.Failed() && errs.Len() > 0:
		t.Logf("standard error:\n%s", &errs)
	}
}

// deadline returns a context that ends with the test, or a little before its time is
// over, so that the test can still report what it waited for.
func deadline(tb testing.TB) context.Context {
	ctx := tb.Context()
	t, ok := tb.(interface{ Deadline() (time.Time, bool) })
	if !ok {
		return ctx
	}
	end, ok := t.Deadline()
	if !ok {
		return ctx
	}
	ctx, cancel := context.WithDeadline(ctx, end.Add(-time.Until(end)/20))
	tb.Cleanup(cancel)
	return ctx
}

// touch reads the files among the arguments of a command. The command runs in another
// process, and go test considers only the files that its own process has read when it
// decides whether a cached result is still valid.
func touch(args []string) {
	for _, a := range args {
		if st, err := os.Stat(a); err != nil || !st.Mode().IsRegular() {
			continue
		}
		if f, err := os.Open(a); err == nil {
			f.Close()
		}
	}
}
