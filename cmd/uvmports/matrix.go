package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/ports"
)

// A matrix is the programs, what they do here, and the module that they are built in.
type matrix struct {
	root    string // of uvm2go
	dir     string // of the module with the programs
	timeout time.Duration
	list    map[string]program // by their folders
	want    map[string]outcome
	want32  map[string]outcome // where addresses have 32 bits; nil if this machine cannot tell
}

// An outcome is what a run of a program came to.
type outcome struct {
	Status   int
	Out, Err string
}

// A row is what a port came to.
type row struct {
	port     ports.Port
	runner   string   // what runs its executables, or what is missing
	programs int      // that were run
	apart    int      // programs that are known to differ there
	differ   []string // the others that do
	packages int      // that were tested
	fail     []string // packages
}

// newMatrix translates programs and runs them on this machine.
func newMatrix(root, dir string, n int, timeout time.Duration) (*matrix, error) {
	a, err := examples(root)
	if err != nil {
		return nil, err
	}
	b, err := scripts(root)
	if err != nil {
		return nil, err
	}
	if len(a) == 0 || len(b) == 0 {
		return nil, fmt.Errorf("%d examples and %d programs of scripts found: run it at the root of the module", len(a), len(b))
	}
	m := &matrix{root: root, dir: dir, timeout: timeout}
	if m.list, err = translate(dir, sample(append(a, b...), n)); err != nil {
		return nil, err
	}
	if m.want, err = m.outcomes(ports.Port{}); err != nil {
		return nil, err
	}
	narrow := ports.Port{System: "linux", Arch: "386"}
	if r, err := narrow.Runner(); err == nil && len(r.Command) == 0 {
		if m.want32, err = m.outcomes(narrow); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// outcomes runs all programs, built for a port whose executables the machine runs itself.
func (m *matrix) outcomes(p ports.Port) (map[string]outcome, error) {
	bin, err := m.build(p)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(bin)
	all := map[string]outcome{}
	for _, name := range slices.Sorted(maps.Keys(m.list)) {
		if all[name], err = m.run(ports.Runner{}, bin, name); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// expected is what a program does on a port, and, if that is known to differ from what it does on
// others, why.
func (m *matrix) expected(p ports.Port, name string) (o outcome, why string) {
	program := m.list[name].Name
	if p.Narrow() {
		if m.want32 != nil && p.Arch != "386" {
			return m.want32[name], ""
		}
		return m.want[name], apart(narrowPrograms, program)
	}
	if p.Arch == "wasm" {
		return m.want[name], apart(wasmPrograms, program)
	}
	return m.want[name], ""
}

// build builds the programs for a port into a folder.
func (m *matrix) build(p ports.Port) (string, error) {
	bin := filepath.Join(m.dir, "bin", strings.ReplaceAll(p.String(), "/", "_"))
	if err := os.MkdirAll(bin, 0o777); err != nil {
		return "", err
	}
	args := []string{"build", "-trimpath", "-ldflags=-s -w", "-o", bin + string(filepath.Separator)}
	for name := range m.list {
		args = append(args, "./"+name)
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = m.dir
	cmd.Env = append(append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod"), p.Env()...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build for %s: %w\n%s", p, err, out)
	}
	return bin, nil
}

// run runs a program. One that does not end in time has the status -1.
func (m *matrix) run(r ports.Runner, bin, name string) (outcome, error) {
	ctx, cancel := context.WithTimeout(context.Background(), m.timeout)
	defer cancel()
	argv := append(slices.Clone(r.Command), filepath.Join(bin, name))
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), r.Env...)
	cmd.WaitDelay = time.Second
	var out, report bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &report
	err := cmd.Run()
	o := outcome{Out: out.String(), Err: report.String()}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		o.Status = -1
	case errors.As(err, &exit):
		o.Status = exit.ExitCode()
	case err != nil:
		return o, err
	}
	return o, nil
}

// try runs the programs on a port, and the tests of the runtime.
func (m *matrix) try(p ports.Port, tests bool) row {
	r := row{port: p, runner: "the machine"}
	runner, err := p.Runner()
	if err != nil {
		r.runner = err.Error()
		return r
	}
	if len(runner.Command) > 0 {
		r.runner = filepath.Base(runner.Command[0])
	}
	bin, err := m.build(p)
	if err != nil {
		fmt.Println(err)
		r.fail = append(r.fail, "go build")
		return r
	}
	defer os.RemoveAll(bin)
	for _, name := range slices.Sorted(maps.Keys(m.list)) {
		want, why := m.expected(p, name)
		got, err := m.run(runner, bin, name)
		r.programs++
		if d := difference(want, got); err != nil || d != "" {
			if why != "" {
				r.apart++
				continue
			}
			r.differ = append(r.differ, name)
			fmt.Printf("%s: %s: %v%s\n", p, m.list[name].Name, d, errorText(err))
		}
	}
	if tests {
		m.test(p, runner, &r)
	}
	return r
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// difference tells in one line how an outcome is not what it should be, "" if it is. Of what a program
// writes to standard error, the first line counts, without addresses.
func difference(want, got outcome) string {
	switch {
	case got.Status == want.Status && got.Out == want.Out && firstLine(got.Err) == firstLine(want.Err):
		return ""
	case got.Status == -1:
		return "does not end"
	case got.Status != want.Status:
		return fmt.Sprintf("exit status %d, want %d: %s", got.Status, want.Status, firstLine(got.Err))
	case got.Out != want.Out:
		a, b := strings.Split(want.Out, "\n"), strings.Split(got.Out, "\n")
		for i := range a {
			if i >= len(b) || a[i] != b[i] {
				return fmt.Sprintf("line %d of the output is %q, want %q", i+1, strings.Join(b[min(i, len(b)):min(i+1, len(b))], ""), a[i])
			}
		}
		return "the output has more lines"
	}
	return fmt.Sprintf("reports %q, want %q", firstLine(got.Err), firstLine(want.Err))
}

var address = regexp.MustCompile(`0x[0-9a-f]+`)

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return address.ReplaceAllString(s, "ADDRESS")
}

// packageLine is a line of go test about a package.
var packageLine = regexp.MustCompile(`(?m)^(ok|FAIL|\?)\s+(\S+)`)

// test runs the tests of the runtime on a port.
func (m *matrix) test(p ports.Port, runner ports.Runner, r *row) {
	args := []string{"test", "-short", "-timeout", "20m"}
	if len(runner.Command) > 0 {
		args = append(args, "-exec", strings.Join(runner.Command, " "))
	}
	cmd := exec.Command("go", append(args, "./rtlib/...", "./internal/...", "./examples/lazy", "./examples/osr", "./examples/deopt")...)
	cmd.Dir = m.root
	cmd.Env = append(append(append(os.Environ(), runner.Env...), p.Env()...), "UVM2GO_EXEC="+strings.Join(runner.Command, " "))
	out, _ := cmd.CombinedOutput()
	for _, line := range packageLine.FindAllStringSubmatch(string(out), -1) {
		switch line[1] {
		case "FAIL":
			r.fail = append(r.fail, line[2])
			fallthrough
		case "ok":
			r.packages++
		}
	}
	if len(r.fail) > 0 || r.packages == 0 {
		fmt.Printf("%s: go test:\n%s\n", p, out)
	}
	if r.packages == 0 {
		r.fail = append(r.fail, "go test")
	}
}

// vet builds and vets the module for a port that nothing is run on.
func (m *matrix) vet(p ports.Port) row {
	r := row{port: p, runner: "built only"}
	for _, args := range [][]string{{"build", "./..."}, {"vet", "-unsafeptr=false", "./..."}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = m.root
		cmd.Env = append(os.Environ(), p.Env()...)
		if out, err := cmd.CombinedOutput(); err != nil {
			r.fail = append(r.fail, "go "+args[0])
			fmt.Printf("%s: go %s: %v\n%s", p, args[0], err, out)
		}
	}
	return r
}
