package main

import (
	"bytes"
	"fmt"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/uvm2go/uvm2go/transpile"
)

func runFmt(e *env, args []string) int {
	fs := newFlags("fmt")
	write := fs.Bool("w", false, "write the result to the file instead of standard output")
	names := fs.Bool("l", false, "list the files whose formatting differs")
	diffs := fs.Bool("d", false, "show the differences")
	e.verboseFlag(fs)
	name := fs.String("dialect", "", "`dialect` of the files (default: by the file's ending and content)")
	files, status, done := e.parseFlags(fs, "fmt [-w] [-l] [-d] FILE...", args)
	if done {
		return status
	}
	if len(files) == 0 {
		return e.errorf("no file given (uvm2go fmt -h shows the usage)")
	}
	worst := statusOK
	dialect := *name
	for _, name := range files {
		src, err := e.readText(name)
		if err != nil {
			worst = max(worst, e.errorf("%v", err))
			continue
		}
		out, status := e.formatted(dialect, src)
		if status != statusOK {
			worst = max(worst, status)
			continue
		}
		same := bytes.Equal(out, src.Text)
		if *names && !same {
			fmt.Fprintln(e.stdout, name)
		}
		if *diffs && !same {
			_, changes, _ := bytes.Cut(diff.Diff(name, src.Text, name+" (formatted)", out), []byte("\n"))
			e.stdout.Write(changes)
		}
		if *write && !same {
			if name == "-" {
				return e.errorf("fmt -w cannot write to standard input")
			}
			if err := transpile.ReplaceFile(name, out); err != nil {
				worst = max(worst, e.errorf("%v", err))
			}
		}
		if !*write && !*names && !*diffs {
			e.stdout.Write(out)
		}
	}
	return worst
}

// formatted returns the canonical form of a bundle. It prints errors itself.
func (e *env) formatted(dialect string, src transpile.Source) ([]byte, int) {
	d, err := transpile.Dialects.Choose(dialect, []transpile.Source{src})
	if err != nil {
		return nil, e.errorf("%v", err)
	}
	f := d.FormOf(src)
	if f.Format == nil {
		return nil, e.errorf("%s: form %s of dialect %s has no layout to choose", src.Name, f.Name, d.Name)
	}
	done := e.step("formatting " + src.Name)
	out, err := f.Format(src.Name, src.Text)
	done()
	if err != nil {
		return nil, e.inputError(err)
	}
	return out, statusOK
}
