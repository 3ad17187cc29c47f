package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/rtlib/ffi/process"
	"github.com/uvm2go/uvm2go/transpile"
)

// openC lets this process call C if a program needs that, and opens its libraries. It returns why a symbol that is not
// found cannot be called, for live.Config. Where C cannot be called, the program runs all the same until it calls it.
func (e *env) openC(p *transpile.Program, in *input) (missing func(name string) string, status int) {
	if len(p.CSymbols()) == 0 && len(in.opt.Libs) == 0 {
		return func(string) string {
			return "needs C, which the program itself does not use: name a library with -lib"
		}, statusOK
	}
	if err := process.Use(in.opt.NativeC); err != nil {
		return func(string) string { return err.Error() + ", or run the bundle without -live" }, statusOK
	}
	for _, l := range openLibs(slices.Concat(in.opt.Libs, in.deps.found)) {
		if slices.Contains(in.opt.Libs, l.file) {
			return nil, e.errorf("-lib %s: %v", l.file, l.err)
		}
		in.deps.missing = append(in.deps.missing, fmt.Sprintf("library %q: %v", l.file, l.err))
	}
	notes := ""
	for _, m := range in.deps.missing {
		notes += "; " + m
	}
	return func(string) string {
		return "is not possible: it is neither in the C library nor in a library of -lib" + notes
	}, statusOK
}

// unopened is a library that cannot be opened.
type unopened struct {
	file string
	err  error
}

// openLibs opens libraries for their symbols. One may need symbols of a later one, as when a program is linked.
func openLibs(files []string) (failed []unopened) {
	for {
		failed = nil
		for _, f := range files {
			if err := openLib(f); err != nil {
				failed = append(failed, unopened{f, err})
			}
		}
		if len(failed) == 0 || len(failed) == len(files) {
			return failed
		}
		files = nil
		for _, l := range failed {
			files = append(files, l.file)
		}
	}
}

// openLib opens a library for its symbols. A static one becomes a shared one first.
func openLib(file string) error {
	abs, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	if filepath.Ext(abs) != ".a" {
		return process.Open(abs)
	}
	dir, err := os.MkdirTemp("", "uvm2go-lib-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	shared := filepath.Join(dir, strings.TrimSuffix(filepath.Base(abs), ".a")+".so")
	if err := linkShared(abs, shared); err != nil {
		return fmt.Errorf("a static library, which cannot be made a shared one for -live: %w", err)
	}
	return process.Open(shared)
}

// linkShared makes a shared library of all that a static one has, with the C compiler.
func linkShared(static, shared string) error {
	cc := strings.Fields(os.Getenv("CC"))
	if len(cc) == 0 {
		cc = []string{"cc"}
	}
	args := append(cc[1:], "-shared", "-o", shared)
	if runtime.GOOS == "darwin" {
		args = append(args, "-Wl,-force_load,"+static, "-undefined", "dynamic_lookup")
	} else {
		args = append(args, "-Wl,--whole-archive", static, "-Wl,--no-whole-archive")
	}
	if out, err := exec.Command(cc[0], args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", cc[0], err, strings.TrimSpace(string(out)))
	}
	return nil
}
