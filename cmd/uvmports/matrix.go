package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/goprog"
	"github.com/uvm2go/uvm2go/cmd/internal/ports"
)

// A matrix is runs of programs, what they do here, and the module that they are built in.
type matrix struct {
	root    string        // of uvm2go
	module  goprog.Module // with the programs
	timeout time.Duration
	list    []tried
	wasm    []tried // the same jobs, made for WebAssembly; nil until they are wanted
	want    []goprog.Outcome
	want32  []goprog.Outcome // where addresses have 32 bits; nil if no port wants it or this machine cannot tell
	left    map[string]int   // runs that are not tried, by the reason
}

// A tried job is one whose program has been translated.
type tried struct {
	job
	batch, pkg string // the executable, and the package in it
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

// newMatrix translates programs and runs them on this machine: n of them, all if n is 0, whose names
// match. They are run with narrow addresses, too, if one of the ports has them.
func newMatrix(root, dir string, all []ports.Port, n int, match *regexp.Regexp, timeout time.Duration) (*matrix, error) {
	a, err := examples(root)
	if err != nil {
		return nil, err
	}
	b, left, err := scripts(root)
	if err != nil {
		return nil, err
	}
	if len(b) == 0 {
		return nil, fmt.Errorf("no programs of scripts found: run it at the root of the module")
	}
	list := slices.DeleteFunc(append(a, b...), func(j job) bool { return !match.MatchString(j.name) })
	m := &matrix{root: root, timeout: timeout, left: left}
	if m.module, err = goprog.NewModule(dir); err != nil {
		return nil, err
	}
	if m.list, err = m.translate(sample(list, n), false); err != nil {
		return nil, err
	}
	if m.want, err = m.outcomes(ports.Port{}); err != nil {
		return nil, err
	}
	narrow := ports.Port{System: "linux", Arch: "386"}
	if r, err := narrow.Runner(); err == nil && len(r.Command) == 0 && slices.ContainsFunc(all, ports.Port.Narrow) {
		if m.want32, err = m.outcomes(narrow); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// batchSize is how many programs are linked into one executable: linking takes longer than all else.
const batchSize = 40

// of are the jobs for a port.
func (m *matrix) of(p ports.Port) ([]tried, error) {
	if p.Arch != "wasm" {
		return m.list, nil
	}
	if m.wasm == nil {
		var list []job
		for _, t := range m.list {
			list = append(list, t.job)
		}
		var err error
		if m.wasm, err = m.translate(list, true); err != nil {
			return nil, err
		}
	}
	return m.wasm, nil
}

// translate writes a package for each program, and executables that have some of them each.
func (m *matrix) translate(list []job, wasm bool) (all []tried, err error) {
	type made struct{ batch, pkg, why string }
	known := map[string]made{}
	batches := map[string][]string{}
	n := 0
	for _, j := range list {
		key := j.prog.key()
		p, ok := known[key]
		if !ok {
			j.prog.opt.NullTests = wasm
			code, why := j.prog.generate()
			p = made{why: why}
			if why == "" {
				p.batch, p.pkg = fmt.Sprintf("b%02d", n/batchSize), fmt.Sprintf("p%03d", n)
				if wasm {
					p.batch, p.pkg = p.batch+"w", p.pkg+"w"
				}
				n++
				if err := m.writePackage(p.pkg, code); err != nil {
					return nil, err
				}
				batches[p.batch] = append(batches[p.batch], p.pkg)
			}
			known[key] = p
		}
		if p.why != "" {
			m.left[p.why]++
			continue
		}
		all = append(all, tried{j, p.batch, p.pkg})
	}
	for batch, pkgs := range batches {
		if err := m.writeBatch(batch, pkgs); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// begin is the name of the function main of a program that is a package among others.
const begin = "BeginTheProgram"

// writePackage makes a package of a program. It stays a program for the runtime: it has the process to
// itself.
func (m *matrix) writePackage(pkg string, code map[string][]byte) error {
	dir := filepath.Join(string(m.module), pkg)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, text := range code {
		t := strings.Replace(string(text), "\npackage main\n", "\npackage "+pkg+"\n", 1)
		t = strings.Replace(t, "\nfunc main() {\n", "\nfunc "+begin+"() {\n", 1)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(t), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// writeBatch writes an executable whose first argument says which of some packages it is to run.
func (m *matrix) writeBatch(batch string, pkgs []string) error {
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n\t\"os\"\n")
	for _, p := range pkgs {
		fmt.Fprintf(&b, "\t%q\n", "lab/"+p)
	}
	b.WriteString(")\n\nfunc main() {\n\tname := os.Args[1]\n\tos.Args = os.Args[1:]\n\tswitch name {\n")
	for _, p := range pkgs {
		fmt.Fprintf(&b, "\tcase %q:\n\t\t%s.%s()\n", p, p, begin)
	}
	b.WriteString("\t}\n}\n")
	dir := filepath.Join(string(m.module), batch)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "main.go"), []byte(b.String()), 0o666)
}

// outcomes runs all programs, built for a port whose executables the machine runs itself.
func (m *matrix) outcomes(p ports.Port) ([]goprog.Outcome, error) {
	bin, err := m.build(p, m.list)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(bin)
	all, errs := m.runAll(ports.Runner{}, bin, m.list)
	return all, errors.Join(errs...)
}

// runAll runs jobs, as many at a time as there are processors, and gives what became of each.
func (m *matrix) runAll(r ports.Runner, bin string, list []tried) ([]goprog.Outcome, []error) {
	all, errs := make([]goprog.Outcome, len(list)), make([]error, len(list))
	var (
		next atomic.Int64
		wg   sync.WaitGroup
	)
	for range runtime.NumCPU() {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(list); i = int(next.Add(1)) - 1 {
				all[i], errs[i] = m.run(r, bin, &list[i])
			}
		})
	}
	wg.Wait()
	return all, errs
}

// expected is what job i does on a port, and, if that is known to differ from what it does on
// others, why.
func (m *matrix) expected(p ports.Port, i int) (o goprog.Outcome, why string) {
	name := m.list[i].name
	why = apart(everywhere, name)
	if p.BigEndian() && why == "" {
		why = apart(bigPrograms, name)
	}
	if p.Strict() && why == "" {
		why = apart(strictPrograms, name)
	}
	switch {
	case p.Narrow() && m.want32 != nil && p.Arch != "386":
		return m.want32[i], why
	case p.Narrow() && why == "":
		why = apart(narrowPrograms, name)
	case p.Arch == "wasm" && why == "":
		why = apart(wasmPrograms, name)
	}
	return m.want[i], why
}

// build builds programs for a port into a folder.
func (m *matrix) build(p ports.Port, list []tried) (string, error) {
	bin := filepath.Join(string(m.module), "bin", strings.ReplaceAll(p.String(), "/", "_"))
	pkgs := map[string]bool{}
	for _, t := range list {
		pkgs["./"+t.batch] = true
	}
	if err := m.module.Build(p, bin, slices.Sorted(maps.Keys(pkgs))); err != nil {
		return "", fmt.Errorf("go build for %s: %w", p, err)
	}
	return bin, nil
}

// run runs a job.
func (m *matrix) run(r ports.Runner, bin string, t *tried) (goprog.Outcome, error) {
	return m.module.Run(r, m.timeout, t.env, t.stdin, append([]string{filepath.Join(bin, t.batch), t.pkg}, t.args...)...)
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
	list, err := m.of(p)
	if err != nil {
		r.runner = err.Error()
		return r
	}
	bin, err := m.build(p, list)
	if err != nil {
		fmt.Println(err)
		r.fail = append(r.fail, "go build")
		return r
	}
	defer os.RemoveAll(bin)
	got, errs := m.runAll(runner, bin, list)
	for i, err := range errs {
		want, why := m.expected(p, i)
		r.programs++
		if d := want.Differs(got[i], report); err != nil || d != "" {
			if why != "" {
				r.apart++
				continue
			}
			r.differ = append(r.differ, m.list[i].name)
			fmt.Printf("%s: %s: %v%s\n", p, m.list[i].name, d, errorText(err))
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

// machineDependent matches what a report tells of the machine: addresses, times, the number of processors.
var machineDependent = regexp.MustCompile(`0x[0-9a-f]+|\b[0-9.]+(ns|µs|ms|s)\b|\d+ mark threads`)

// report is what counts of what a program writes to standard error: the first line, without what
// depends on the machine.
func report(o goprog.Outcome) string {
	return machineDependent.ReplaceAllString(goprog.FirstLine(o.Err), "...")
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
