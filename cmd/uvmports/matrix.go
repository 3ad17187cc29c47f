package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/goprog"
	"github.com/uvm2go/uvm2go/cmd/internal/ports"
)

// A matrix is the programs, what they do here, and the module that they are built in.
type matrix struct {
	root    string        // of uvm2go
	module  goprog.Module // with the programs
	timeout time.Duration
	list    map[string]program // by their folders
	want    map[string]goprog.Outcome
	want32  map[string]goprog.Outcome // where addresses have 32 bits; nil if this machine cannot tell
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
	if len(b) == 0 {
		return nil, fmt.Errorf("no programs of scripts found: run it at the root of the module")
	}
	m := &matrix{root: root, timeout: timeout}
	if m.module, err = goprog.NewModule(dir); err != nil {
		return nil, err
	}
	if m.list, err = translate(string(m.module), sample(append(a, b...), n)); err != nil {
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
func (m *matrix) outcomes(p ports.Port) (map[string]goprog.Outcome, error) {
	bin, err := m.build(p)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(bin)
	all := map[string]goprog.Outcome{}
	for _, name := range slices.Sorted(maps.Keys(m.list)) {
		if all[name], err = m.run(ports.Runner{}, bin, name); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// expected is what a program does on a port, and, if that is known to differ from what it does on
// others, why.
func (m *matrix) expected(p ports.Port, name string) (o goprog.Outcome, why string) {
	program := m.list[name].Name
	if p.BigEndian() {
		why = apart(bigPrograms, program)
	}
	switch {
	case p.Narrow() && m.want32 != nil && p.Arch != "386":
		return m.want32[name], why
	case p.Narrow() && why == "":
		why = apart(narrowPrograms, program)
	case p.Arch == "wasm":
		why = apart(wasmPrograms, program)
	}
	return m.want[name], why
}

// build builds the programs for a port into a folder.
func (m *matrix) build(p ports.Port) (string, error) {
	bin := filepath.Join(string(m.module), "bin", strings.ReplaceAll(p.String(), "/", "_"))
	var pkgs []string
	for name := range m.list {
		pkgs = append(pkgs, "./"+name)
	}
	if err := m.module.Build(p, bin, pkgs); err != nil {
		return "", fmt.Errorf("go build for %s: %w", p, err)
	}
	return bin, nil
}

// run runs a program.
func (m *matrix) run(r ports.Runner, bin, name string) (goprog.Outcome, error) {
	return m.module.Run(r, m.timeout, nil, filepath.Join(bin, name))
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
		if d := want.Differs(got, report); err != nil || d != "" {
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

var address = regexp.MustCompile(`0x[0-9a-f]+`)

// report is what counts of what a program writes to standard error: the first line, without addresses.
func report(o goprog.Outcome) string {
	return address.ReplaceAllString(goprog.FirstLine(o.Err), "ADDRESS")
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
