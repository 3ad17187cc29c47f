package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/ended"
	"github.com/uvm2go/uvm2go/transpile"
)

// A trial runs a command on texts in place of bundles, and knows how it must end.
type trial struct {
	dir     string // where the texts are written
	timeout time.Duration
	files   []transpile.Source // the bundles, whose names in the arguments are replaced
	command []string
	status  int // the one that is wanted; -1 before the first run, and after it if it was stopped or ended by a signal
	fails   bool
	match   *regexp.Regexp // nil for any output
	stopped bool           // the first run took too long, and so must others
}

// An outcome is how a command ended. The status is -1 after a timeout or a signal.
type outcome struct {
	status  int
	stopped bool // after the timeout
	output  []byte
}

func (t *trial) matches(expression string) (err error) {
	if expression != "" {
		t.match, err = regexp.Compile(expression)
	}
	return err
}

// start runs the command on the bundles as they are, which must have the property.
func (t *trial) start(ctx context.Context, files []transpile.Source) error {
	o, err := t.run(ctx, 0, files)
	if err != nil {
		return err
	}
	ends := fmt.Sprintf("the command ends with status %d", o.status)
	switch {
	case o.stopped:
		ends = fmt.Sprintf("the command does not end within %v (-timeout)", t.timeout)
	case o.status < 0:
		ends = "the command is ended by a signal"
	}
	switch {
	case t.match != nil && !t.match.Match(o.output):
		return fmt.Errorf("the output of the command does not match %s:\n%s", t.match, o.output)
	case t.status >= 0 && o.status != t.status:
		return fmt.Errorf("%s, want %d (-status):\n%s", ends, t.status, o.output)
	case t.fails && o.status == 0:
		return fmt.Errorf("the command succeeds on %s: there is nothing to keep", strings.Join(names(t.files), ", "))
	case t.status < 0 && !t.fails && (o.status == 126 || o.status == 127):
		return fmt.Errorf("%s, as shells do when they find no command; -status %d if that is what must stay:\n%s", ends, o.status, o.output)
	}
	if t.stopped = o.stopped; !t.fails || t.stopped {
		t.status, t.fails = o.status, false
	}
	return nil
}

// keeps reports whether the command ends on bundles as it must.
func (t *trial) keeps(ctx context.Context, worker int, files []transpile.Source) bool {
	o, err := t.run(ctx, worker, files)
	switch {
	case err != nil || o.stopped != t.stopped || t.match != nil && !t.match.Match(o.output):
		return false
	case t.fails:
		return o.status != 0
	}
	return o.status == t.status
}

// run runs the command, which may use the folder of a worker. An error means that it could not be run, or was interrupted.
func (t *trial) run(ctx context.Context, worker int, files []transpile.Source) (outcome, error) {
	dir := filepath.Join(t.dir, strconv.Itoa(worker))
	paths := candidateNames(files)
	for i, f := range files {
		paths[i] = filepath.Join(dir, filepath.FromSlash(paths[i]))
		if err := os.MkdirAll(filepath.Dir(paths[i]), 0o777); err != nil {
			return outcome{}, err
		}
		if err := os.WriteFile(paths[i], f.Text, 0o666); err != nil {
			return outcome{}, err
		}
	}
	argv := t.args(paths)
	limited, cancel := context.WithTimeout(ctx, t.timeout)
	defer cancel()
	cmd := exec.CommandContext(limited, argv[0], argv[1:]...)
	ended.Together(cmd)
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	o := outcome{status: -1, output: out.Bytes()}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return o, errors.New("interrupted")
	case limited.Err() != nil:
		o.stopped = true
	case err == nil:
		o.status = 0
	case errors.As(err, &exit):
		o.status = exit.ExitCode()
	default:
		return o, fmt.Errorf("running %s: %w", argv[0], err)
	}
	return o, nil
}

// args is the command with the files in place of the bundles: where {} occurs, or else where their names do, or else at the
// end.
func (t *trial) args(paths []string) []string {
	argv := slices.Clone(t.command)
	given := slices.Clone(paths)
	for i, f := range t.files {
		if f.Unit != "" {
			given[i] = f.Unit + "=" + paths[i]
		}
	}
	marked := func(arg string) bool { return strings.Contains(arg, "{}") }
	pairs := []string{"{}", strings.Join(given, " ")}
	if !slices.ContainsFunc(argv[1:], marked) {
		pairs = nil
		for _, i := range t.longest() {
			pairs = append(pairs, t.files[i].Name, paths[i])
		}
	}
	replaced := strings.NewReplacer(pairs...)
	found := false
	out := argv[:1:1]
	for _, a := range argv[1:] {
		if a == "{}" {
			out, found = append(out, given...), true
			continue
		}
		b := replaced.Replace(a)
		found = found || b != a
		out = append(out, b)
	}
	if !found {
		out = append(out, given...)
	}
	return out
}

// longest has the numbers of the bundles, those with long names first: other names may be a part of these.
func (t *trial) longest() []int {
	var list []int
	for i := range t.files {
		list = append(list, i)
	}
	slices.SortStableFunc(list, func(a, b int) int { return len(t.files[b].Name) - len(t.files[a].Name) })
	return list
}

// candidateNames are the names of files for the texts: those of the bundles without folders, in folders with a number where one repeats.
func candidateNames(files []transpile.Source) []string {
	var list []string
	for i, f := range files {
		name := filepath.Base(f.Name)
		if slices.Contains(list, name) {
			name = strconv.Itoa(i+1) + "/" + name
		}
		list = append(list, name)
	}
	return list
}

func names(files []transpile.Source) []string {
	var list []string
	for _, f := range files {
		list = append(list, f.Name)
	}
	return list
}
