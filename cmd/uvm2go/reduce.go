package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/ended"
	"github.com/uvm2go/uvm2go/cmd/internal/reduce"
	"github.com/uvm2go/uvm2go/transpile"
)

func runReduce(e *env, args []string) int {
	fs := newFlags("reduce")
	out := fs.String("o", "", "write to `FILE` instead of standard output")
	match := fs.String("match", "", "the output of the command must match this regular `expression`, too; its exit status may then be 0")
	limit := fs.Duration("time", 10*time.Minute, "stop after this `time`")
	timeout := fs.Duration("timeout", 30*time.Second, "a run of the command ends after this `time`; if the first does, it is what must stay")
	name := fs.String("dialect", "", "`dialect` of the bundle (default: by the file's ending and content)")
	e.verboseFlag(fs)
	own, command := args, []string(nil)
	if i := slices.Index(args, "--"); i >= 0 {
		own, command = args[:i], args[i+1:]
	}
	files, status, done := e.parseFlags(fs, "reduce [-o FILE] [-match REGEXP] BUNDLE -- COMMAND ARG...", own)
	switch {
	case done:
		return status
	case len(files) != 1:
		return e.errorf("reduce: want one bundle, got %d", len(files))
	case len(command) == 0:
		return e.errorf("reduce: no command given after --")
	case !strings.Contains(strings.Join(command[1:], "\x00"), files[0]):
		return e.errorf("reduce: the arguments of the command do not name %s, so it cannot be given a smaller bundle", files[0])
	}
	pattern, err := regexp.Compile(*match)
	if err != nil {
		return e.errorf("reduce: -match: %v", err)
	}
	src, err := e.readText(files[0])
	if err != nil {
		return e.errorf("%v", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	t := &trial{ctx: ctx, timeout: *timeout, bundle: files[0], command: command, match: pattern}
	if t.dir, err = os.MkdirTemp("", "uvm2go-reduce-"); err != nil {
		return e.errorf("reduce: %v", err)
	}
	defer os.RemoveAll(t.dir)
	first, err := t.run(src.Text)
	switch {
	case err != nil:
		return e.errorf("reduce: %v", err)
	case !first.matches:
		return e.errorf("reduce: the output of the command does not match %s:\n%s", *match, first.output)
	case first.status == 0 && *match == "":
		return e.errorf("reduce: the command succeeds on %s: there is nothing to keep", files[0])
	}
	opt := reduce.Options{Name: src.Name, Dialect: *name, Until: time.Now().Add(*limit)}
	if e.verbose {
		opt.Log = e.stderr
	}
	opt.Keep = func(text string) bool {
		got, err := t.run([]byte(text))
		return err == nil && got.matches && got.status == first.status
	}
	small := e.laidOut(*name, src.Name, reduce.Reduce(string(src.Text), opt), opt.Keep)
	if *out != "" {
		err = transpile.ReplaceFile(*out, small)
	} else {
		_, err = e.stdout.Write(small)
	}
	if err != nil {
		return e.errorf("%v", err)
	}
	return statusOK
}

// laidOut formats a bundle, if it can be formatted and keeps its property.
func (e *env) laidOut(dialect, name, text string, keep func(string) bool) []byte {
	src := transpile.Source{Name: name, Text: []byte(text)}
	d, err := transpile.Dialects.Choose(dialect, []transpile.Source{src})
	if err != nil {
		return src.Text
	}
	f := d.FormOf(src)
	if f == nil || f.Format == nil {
		return src.Text
	}
	if out, err := f.Format(name, src.Text); err == nil && keep(string(out)) {
		return out
	}
	return src.Text
}

// A trial runs a command on texts in place of a bundle.
type trial struct {
	ctx     context.Context
	dir     string // where the texts are written
	timeout time.Duration
	bundle  string // the name in the arguments of the command that is replaced
	command []string
	match   *regexp.Regexp
}

// An outcome is how a command ended. The status is -1 after a timeout or a signal.
type outcome struct {
	status  int
	output  []byte
	matches bool
}

// run runs the command. An error means that it could not be run, or that the reduction was interrupted.
func (t *trial) run(text []byte) (outcome, error) {
	file := filepath.Join(t.dir, filepath.Base(t.bundle))
	if err := os.WriteFile(file, text, 0o666); err != nil {
		return outcome{}, err
	}
	argv := slices.Clone(t.command)
	for i := range argv[1:] {
		argv[1+i] = strings.ReplaceAll(argv[1+i], t.bundle, file)
	}
	ctx, cancel := context.WithTimeout(t.ctx, t.timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	ended.Together(cmd)
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	o := outcome{status: -1, output: out.Bytes(), matches: t.match.Match(out.Bytes())}
	var exit *exec.ExitError
	switch {
	case t.ctx.Err() != nil:
		return o, errors.New("interrupted")
	case ctx.Err() != nil:
	case err == nil:
		o.status = 0
	case errors.As(err, &exit):
		o.status = exit.ExitCode()
	default:
		return o, fmt.Errorf("running %s: %w", argv[0], err)
	}
	return o, nil
}
