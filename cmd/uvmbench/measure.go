package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/ended"
)

// measureEnv, when set, makes this program run another one and report its time and
// memory. The system includes the memory of the process that starts a program in
// that program's peak, so the starting process must be small: not the one that
// translates. Peaks below its size, some megabytes, cannot be measured.
const measureEnv = "UVMBENCH_MEASURE"

// outputLimit is the number of bytes of a program's output that are kept: more than
// any program should print.
const outputLimit = 1 << 16

// An outcome is the result of one run of a program.
type outcome struct {
	Sample Sample
	Stdout string
	Stderr string
	Error  string // the reason of a failure, "" if the program exited with 0
}

// limited keeps the first bytes written to it.
type limited struct{ bytes.Buffer }

func (l *limited) Write(b []byte) (int, error) {
	if room := outputLimit - l.Len(); room > 0 {
		l.Buffer.Write(b[:min(room, len(b))])
	}
	return len(b), nil
}

// measureMain runs the program of its arguments and writes the outcome as JSON.
func measureMain(argv []string, stdout, stderr io.Writer) int {
	if len(argv) == 0 {
		fmt.Fprintln(stderr, "uvmbench: nothing to measure")
		return statusUsage
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, measureEnv+"=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	var out, errs limited
	cmd.Stdout, cmd.Stderr = &out, &errs
	var o outcome
	start := time.Now()
	err := cmd.Run()
	o.Sample.Wall = time.Since(start).Microseconds()
	if s := cmd.ProcessState; s != nil {
		o.Sample.CPU = (s.UserTime() + s.SystemTime()).Microseconds()
		o.Sample.RSS = peakRSS(s)
	}
	o.Stdout, o.Stderr = out.String(), errs.String()
	if err != nil {
		o.Error = err.Error()
	}
	if err := json.NewEncoder(stdout).Encode(&o); err != nil {
		fmt.Fprintf(stderr, "uvmbench: %v\n", err)
		return statusFail
	}
	return statusOK
}

// errInterrupted means that the user ended the run.
var errInterrupted = errors.New("interrupted")

// A runner measures programs.
type runner struct {
	ctx     context.Context // ends the running program
	self    string          // this executable
	timeout time.Duration
}

// run runs a program once. The error is about the measurement; a failure of the program
// is in the outcome.
func (r *runner) run(p *program) (*outcome, error) {
	ctx, cancel := context.WithTimeout(r.ctx, r.timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.self, p.argv...)
	cmd.Env = append(os.Environ(), measureEnv+"=1", "UVM_TRAP=print")
	var stderr limited
	var stdout bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	ended.Together(cmd)
	err := cmd.Run()
	if r.ctx.Err() != nil {
		return nil, errInterrupted
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &outcome{Error: fmt.Sprintf("still running after %v", r.timeout)}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("measuring %s: %v\n%s", strings.Join(p.argv, " "), err, stderr.String())
	}
	o := new(outcome)
	if err := json.Unmarshal(stdout.Bytes(), o); err != nil {
		return nil, fmt.Errorf("measuring %s: %v", strings.Join(p.argv, " "), err)
	}
	return o, nil
}
