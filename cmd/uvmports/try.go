package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
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
	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// A row holds the results of a port.
type row struct {
	port     ports.Port
	runner   string   // the command that runs its executables, or what is missing
	of       int      // number of programs to run; 0 if none were tried
	programs int      // number of programs that were run
	next     string   // the first program that was not run because time was up
	apart    int      // number of programs that are known to differ there
	differ   []string // the other programs that differ
	packages int      // number of packages tested
	fail     []string // packages
	stopped  bool     // time was up
}

// outcomes runs all programs, built for a port whose executables the machine runs itself.
func (m *matrix) outcomes(ctx context.Context, p ports.Port) ([]goprog.Outcome, error) {
	bin, err := m.build(ctx, p, m.list)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(bin)
	all := make([]goprog.Outcome, len(m.list))
	var failed error
	next := m.runAll(ctx, ports.Runner{}, bin, m.list, func(i int, o goprog.Outcome, err error) {
		if all[i] = o; err != nil {
			failed = err
		}
	})
	if next < len(m.list) {
		return nil, fmt.Errorf("stopped before all programs had run on %v", p)
	}
	return all, failed
}

// runAll runs jobs, as many at a time as there are processors, until ctx is done. It calls done with
// the outcome of each, one call at a time, and returns the number of the first that had not ended by then.
func (m *matrix) runAll(ctx context.Context, r ports.Runner, bin string, list []tried, done func(int, goprog.Outcome, error)) int {
	var (
		next  atomic.Int64
		wg    sync.WaitGroup
		mu    sync.Mutex
		ended = make([]bool, len(list)+1)
	)
	for range runtime.NumCPU() {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(list) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				o, err := m.run(ctx, r, bin, &list[i])
				mu.Lock()
				if ctx.Err() == nil { // otherwise the signal may have ended the program, too
					done(i, o, err)
					ended[i] = true
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return slices.Index(ended, false)
}

// expected returns the outcome of job i on a port and, if it is known to differ from that on other
// ports, the reason.
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

// build builds programs for a port into a folder. If there are none, as with -run '^$', it builds nothing.
func (m *matrix) build(ctx context.Context, p ports.Port, list []tried) (string, error) {
	if len(list) == 0 {
		return "", nil
	}
	bin := filepath.Join(string(m.module), "bin", strings.ReplaceAll(p.String(), "/", "_"))
	pkgs := map[string]bool{}
	for _, t := range list {
		pkgs["./"+t.batch] = true
	}
	if err := m.module.Build(ctx, p, bin, slices.Sorted(maps.Keys(pkgs))); err != nil {
		return "", fmt.Errorf("go build for %s: %w", p, err)
	}
	return bin, nil
}

// smallHeap is the heap of programs and tests, if they do not set another. QEMU needs memory and time
// for all addresses that a program reserves: a start with the default heap takes five times as long.
const smallHeap = "UVM_HEAP=512M"

// run runs a job.
func (m *matrix) run(ctx context.Context, r ports.Runner, bin string, t *tried) (goprog.Outcome, error) {
	env := append([]string{smallHeap}, t.env...) // of two values the last counts
	return m.module.Run(ctx, r, m.timeout, env, t.stdin, append([]string{filepath.Join(bin, t.batch), t.pkg}, t.args...)...)
}

// try runs the programs on a port, and the tests of the runtime, until ctx is over.
func (m *matrix) try(ctx context.Context, p ports.Port, tests bool) row {
	r := row{port: p, runner: "the machine", stopped: ctx.Err() != nil}
	runner, err := p.Runner()
	if err != nil {
		r.runner = err.Error()
		return r
	}
	if len(runner.Command) > 0 {
		r.runner = filepath.Base(runner.Command[0])
	}
	if r.stopped {
		return r
	}
	list, err := m.of(p)
	if err != nil {
		r.runner = err.Error()
		return r
	}
	if len(list) > 0 {
		m.compare(ctx, p, runner, list, &r)
	}
	if tests && ctx.Err() == nil {
		m.test(ctx, p, runner, &r)
	}
	r.stopped = ctx.Err() != nil
	return r
}

// compare builds and runs programs on a port, and prints how they differ.
func (m *matrix) compare(ctx context.Context, p ports.Port, runner ports.Runner, list []tried, r *row) {
	bin, err := m.build(ctx, p, list)
	if err != nil {
		if ctx.Err() == nil {
			fmt.Println(err)
			r.fail = append(r.fail, "go build")
		}
		return
	}
	defer os.RemoveAll(bin)
	r.of = len(list)
	next := m.runAll(ctx, runner, bin, list, func(i int, got goprog.Outcome, err error) {
		want, why := m.expected(p, i)
		d := want.Differs(got, report)
		if r.programs++; err == nil && d == "" {
			return
		}
		if why != "" {
			r.apart++
			return
		}
		r.differ = append(r.differ, list[i].name)
		fmt.Printf("%s: %s: %v%s\n", p, list[i].name, d, errorText(err))
	})
	if next < len(list) {
		r.next = list[next].name
	}
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
var packageLine = regexp.MustCompile(`^(ok|FAIL)\s+(\S+)`)

// test runs the tests of the runtime on a port.
func (m *matrix) test(ctx context.Context, p ports.Port, runner ports.Runner, r *row) {
	args := []string{"test", "-short", "-timeout", "20m"}
	if len(runner.Command) > 0 {
		args = append(args, "-exec", strings.Join(runner.Command, " "))
	}
	cmd := exec.CommandContext(ctx, "go", append(args, "./rtlib/...", "./internal/...", "./examples/lazy", "./examples/osr", "./examples/deopt")...)
	cmd.Dir = m.root
	cmd.Env = append(append(append(os.Environ(), runner.Env...), p.Env()...), longtest.ExecVariable+"="+strings.Join(runner.Command, " "), smallHeap)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // it then ends the tests
	cmd.WaitDelay = 10 * time.Second
	read, write := io.Pipe()
	cmd.Stdout, cmd.Stderr = write, write
	go func() { write.CloseWithError(cmd.Run()) }()
	r.readTests(ctx, read)
	if r.packages == 0 && ctx.Err() == nil {
		r.fail = append(r.fail, "go test")
	}
}

// readTests counts packages in what go test prints, and prints it for those that fail. Those that
// are ended because ctx is over do not count.
func (r *row) readTests(ctx context.Context, out io.Reader) {
	var text strings.Builder // since the last package
	for lines := bufio.NewReader(out); ; {
		l, err := lines.ReadString('\n')
		text.WriteString(l)
		line := packageLine.FindStringSubmatch(l)
		switch {
		case line == nil:
		case line[1] == "ok":
			r.packages++
			text.Reset()
		case line[1] == "FAIL" && ctx.Err() == nil:
			r.packages++
			r.fail = append(r.fail, line[2])
			fmt.Printf("%s: go test:\n%s\n", r.port, &text)
			text.Reset()
		}
		if err != nil {
			if r.packages == 0 && ctx.Err() == nil {
				fmt.Printf("%s: go test:\n%s\n", r.port, &text)
			}
			return
		}
	}
}

// vet builds and vets the module for a port that nothing is run on.
func (m *matrix) vet(ctx context.Context, p ports.Port) row {
	r := row{port: p, runner: "built only", stopped: ctx.Err() != nil}
	for _, args := range [][]string{{"build", "./..."}, {"vet", "-unsafeptr=false", "./..."}} {
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir = m.root
		cmd.Env = append(os.Environ(), p.Env()...)
		if out, err := cmd.CombinedOutput(); ctx.Err() != nil {
			r.stopped = true
		} else if err != nil {
			r.fail = append(r.fail, "go "+args[0])
			fmt.Printf("%s: go %s: %v\n%s", p, args[0], err, out)
		}
	}
	return r
}
