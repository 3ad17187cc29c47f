// Package goprog builds translated programs in a separate module, which has a copy of the
// runtime, and runs them: on this machine or, in an emulator, on other ports. It does not
// translate; the caller decides what to compare between two runs.
package goprog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/uvm2go/uvm2go"
	"github.com/uvm2go/uvm2go/cmd/internal/ended"
	"github.com/uvm2go/uvm2go/cmd/internal/ports"
	"github.com/uvm2go/uvm2go/transpile"
)

// A Module is the folder of a Go module with the runtime.
type Module string

// NewModule makes a module in a folder, which must be empty or contain such a module.
func NewModule(dir string) (Module, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return Module(dir), (&transpile.Module{Path: "lab", Runtime: uvm2go.Runtime, Live: true}).Write(dir)
}

// Go returns a go command that runs in the module, for a port.
func (m Module) Go(ctx context.Context, p ports.Port, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = string(m)
	cmd.Env = append(append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod"), p.Env()...)
	return cmd
}

// Build builds packages of the module for a port, without debugging information. Each becomes a program
// in the folder dst with the name of the package. flags are further ones of go build; with them programs have cgo.
func (m Module) Build(ctx context.Context, p ports.Port, dst string, pkgs []string, flags ...string) error {
	if err := os.MkdirAll(dst, 0o777); err != nil {
		return err
	}
	args := []string{"build", "-trimpath", "-ldflags=-s -w", "-gcflags=-dwarf=false", "-o", dst + string(filepath.Separator)}
	args = append(args, flags...)
	build := m.Go(ctx, p, append(args, pkgs...)...)
	if len(flags) > 0 {
		build.Env = append(build.Env, "CGO_ENABLED=1")
	}
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// Run runs a program in the folder of the module, with additional environment variables and with
// input. A program that does not end in time has the status Killed. If a program is stopped because ctx
// is done, Run returns no outcome and the error of ctx.
func (m Module) Run(ctx context.Context, r ports.Runner, timeout time.Duration, env []string, stdin []byte, argv ...string) (Outcome, error) {
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	argv = append(slices.Clone(r.Command), argv...)
	cmd := exec.CommandContext(limited, argv[0], argv[1:]...)
	cmd.Dir = string(m)
	cmd.Env = append(append(os.Environ(), r.Env...), env...)
	cmd.WaitDelay = time.Second // an emulator may be a script that starts another process
	var stdout, stderr bytes.Buffer
	cmd.Stdin = bytes.NewReader(stdin)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	o := Outcome{Out: stdout.String(), Err: stderr.String()}
	var x *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return o, ctx.Err()
	case limited.Err() != nil:
		o.Status = Killed
	case errors.As(err, &x):
		o.Status = x.ExitCode()
		if n, _ := ended.Signal(x.ProcessState); n != 0 {
			o.Status = 128 + n
		}
	case err != nil:
		return o, err
	}
	return o, nil
}
