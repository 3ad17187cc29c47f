package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/uvm2go/uvm2go/cmd/internal/reduce"
	"github.com/uvm2go/uvm2go/transpile"
)

// reduceFlags are the flags of reduce, and its arguments.
type reduceFlags struct {
	out            string
	dialect        string
	match          string
	fails, invalid bool
	status         int // -1 for that of the first run
	jobs           int
	device         bool // the output is not a file, so it gets the result only
	limit, timeout time.Duration
}

func runReduce(e *env, args []string) int {
	d := reduceFlags{status: -1}
	fs := newFlags("reduce")
	fs.StringVar(&d.out, "o", "", "write to `FILE`, which must not exist or be empty, with each smaller bundle; a folder for several bundles")
	fs.IntVar(&d.status, "status", -1, "the command must end with this exit `status`, instead of that of its first run")
	fs.BoolVar(&d.fails, "fails", false, "the command must fail: end with any status but 0, or by a signal")
	fs.StringVar(&d.match, "output", "", "the output of the command must match this regular `expression`, too")
	fs.StringVar(&d.match, "match", "", "the same as -output `expression`")
	fs.BoolVar(&d.invalid, "invalid", false, "also try bundles with errors, if the first has none")
	fs.IntVar(&d.jobs, "j", 1, "run the command on `N` bundles at a time; the result is the same")
	fs.DurationVar(&d.limit, "time", 10*time.Minute, "stop after this `time`")
	fs.DurationVar(&d.timeout, "timeout", 30*time.Second, "a run of the command ends after this `time`; if the first does, it is what must stay")
	fs.StringVar(&d.dialect, "dialect", "", "`dialect` of the bundle (default: by the file's ending and content)")
	e.verboseFlag(fs)
	own, command := args, []string(nil)
	if i := slices.Index(args, "--"); i >= 0 {
		own, command = args[:i], args[i+1:]
	}
	names, status, done := e.parseFlags(fs, "reduce [flags] BUNDLE... -- COMMAND ARG...", own)
	if done {
		return status
	}
	t, files, err := d.trial(e, names, command)
	if err == nil {
		err = d.checkOut(names)
	}
	if err != nil {
		return e.errorf("reduce: %v", err)
	}
	if t.dir, err = os.MkdirTemp("", "uvm2go-reduce-"); err != nil {
		return e.errorf("reduce: %v", err)
	}
	defer os.RemoveAll(t.dir)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends the process
	if err := t.start(ctx, files); err != nil {
		return e.errorf("reduce: %v", err)
	}
	if p, _ := transpile.Load(files, transpile.Options{Dialect: d.dialect}); p == nil && !d.invalid {
		fmt.Fprintf(e.stderr, "uvm2go: warning: %s: there are errors (uvm2go check shows them), so what is left may have any\n", strings.Join(names, ", "))
	}
	small, err := d.reduce(ctx, e, t, files)
	if err == nil && d.out == "" {
		_, err = e.stdout.Write(shownFiles(small))
	}
	if err != nil {
		return e.errorf("reduce: %v", err)
	}
	return statusOK
}

// trial checks the arguments and reads the bundles.
func (d *reduceFlags) trial(e *env, names, command []string) (*trial, []transpile.Source, error) {
	t := &trial{timeout: d.timeout, command: command, status: d.status, fails: d.fails}
	switch {
	case len(names) == 0:
		return nil, nil, errors.New("no bundle given")
	case len(command) == 0:
		return nil, nil, errors.New("no command given after --")
	case d.fails && d.status >= 0:
		return nil, nil, errors.New("-fails and -status exclude each other")
	case d.status < -1 || d.status > 255:
		return nil, nil, fmt.Errorf("-status %d: want a number from 0 to 255", d.status)
	case d.jobs < 1:
		return nil, nil, fmt.Errorf("-j %d: want at least 1", d.jobs)
	}
	if err := t.matches(d.match); err != nil {
		return nil, nil, fmt.Errorf("-output: %w", err)
	}
	var files []transpile.Source
	for i, n := range names {
		if strings.HasPrefix(n, "-") && n != "-" {
			return nil, nil, fmt.Errorf("%s: flags go before the bundles", n)
		}
		if n == "-" || slices.Contains(names[:i], n) {
			return nil, nil, fmt.Errorf("%s: want files, each once", n)
		}
		unit, name := splitUnit(n)
		src, err := e.readText(name)
		if err != nil {
			return nil, nil, err
		}
		if slices.Contains(src.Text, 0) {
			return nil, nil, fmt.Errorf("%s: this is no text; uvm2go convert makes text of a binary bundle", name)
		}
		src.Unit = unit
		files = append(files, src)
	}
	if _, err := transpile.Dialects.Choose(d.dialect, files); err != nil {
		return nil, nil, err
	}
	t.files = files
	return t, files, nil
}

// checkOut reports an output that would replace something. It may be an empty file or folder, or a device.
func (d *reduceFlags) checkOut(names []string) error {
	st, err := os.Stat(d.out)
	switch {
	case d.out == "" || errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(names) > 1:
		if list, err := os.ReadDir(d.out); err != nil || len(list) > 0 {
			return fmt.Errorf("-o %s: want a new or an empty folder for several bundles", d.out)
		}
	case st.IsDir():
		return fmt.Errorf("-o %s: this is a folder; want a file", d.out)
	case !st.Mode().IsRegular():
		d.device = true
	case st.Size() > 0:
		return fmt.Errorf("-o %s: the file exists, and stays as it is; remove it, or choose another name", d.out)
	}
	return nil
}

// reduce makes the bundles smaller and writes them to the output, if there is one.
func (d *reduceFlags) reduce(ctx context.Context, e *env, t *trial, files []transpile.Source) ([]transpile.Source, error) {
	ctx, cancel := context.WithTimeout(ctx, d.limit)
	defer cancel()
	show, done := e.steps("reducing")
	var failed error
	opt := reduce.Options{Dialect: d.dialect, Jobs: d.jobs, Invalid: d.invalid, Keep: t.keeps, Tell: show,
		Better: func(files []transpile.Source) {
			if !d.device {
				failed = d.write(files)
			}
			if failed != nil {
				cancel()
			}
		}}
	if e.verbose {
		opt.Log = e.stderr
	}
	opt.Better(files)
	small := files
	if failed == nil {
		small = reduce.Reduce(ctx, files, opt)
	}
	done()
	if failed != nil {
		return nil, failed
	}
	laid := e.laidOut(d.dialect, small)
	if !slices.EqualFunc(laid, small, func(a, b transpile.Source) bool { return string(a.Text) == string(b.Text) }) && t.keeps(ctx, 0, laid) {
		small = laid
	}
	return small, d.write(small)
}

// write writes the bundles to the output, which is a folder if there are several.
func (d *reduceFlags) write(files []transpile.Source) error {
	switch {
	case d.out == "":
		return nil
	case len(files) == 1:
		return transpile.ReplaceFile(d.out, files[0].Text)
	}
	names := candidateNames(files)
	for i, f := range files {
		name := filepath.Join(d.out, filepath.FromSlash(names[i]))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := transpile.ReplaceFile(name, f.Text); err != nil {
			return err
		}
	}
	return nil
}

// shownFiles is the text of a bundle, or of several as an archive of texts.
func shownFiles(files []transpile.Source) []byte {
	if len(files) == 1 {
		return files[0].Text
	}
	var a txtar.Archive
	for _, f := range files {
		a.Files = append(a.Files, txtar.File{Name: f.Name, Data: f.Text})
	}
	return txtar.Format(&a)
}

// laidOut formats the bundles that can be formatted.
func (e *env) laidOut(dialect string, files []transpile.Source) []transpile.Source {
	d, err := transpile.Dialects.Choose(dialect, files)
	if err != nil {
		return files
	}
	files = slices.Clone(files)
	for i, src := range files {
		f := d.FormOf(src)
		if f == nil || f.Format == nil {
			continue
		}
		if out, err := f.Format(src.Name, src.Text); err == nil {
			files[i].Text = out
		}
	}
	return files
}
