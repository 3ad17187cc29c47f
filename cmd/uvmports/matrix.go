package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/goprog"
	"github.com/uvm2go/uvm2go/cmd/internal/ports"
)

// A matrix holds runs of programs, their outcomes on this machine, and the module in which they are built.
type matrix struct {
	root    string        // of uvm2go
	module  goprog.Module // the module with the programs
	timeout time.Duration
	list    []tried
	wasm    []tried // the same jobs, built for WebAssembly; nil until they are needed
	want    []goprog.Outcome
	want32  []goprog.Outcome // outcomes with addresses of 32 bits; nil if no port needs them or this machine cannot run such programs
	left    map[string]int   // runs that are not tried, by the reason
}

// A tried job is one whose program has been translated.
type tried struct {
	job
	batch, pkg string // the executable, and the package in it
}

// A selection tells which programs are run.
type selection struct {
	match *regexp.Regexp // their names
	from  string         // the first program to run, "" for all
	n     int            // the number of programs, evenly spread; 0 for all
}

// choose selects jobs.
func (s selection) choose(list []job) ([]job, error) {
	list = sample(slices.DeleteFunc(list, func(j job) bool { return !s.match.MatchString(j.name) }), s.n)
	if s.from == "" {
		return list, nil
	}
	i := slices.IndexFunc(list, func(j job) bool { return j.name == s.from })
	if i < 0 {
		return nil, fmt.Errorf("-from: no selected program has the name %q", s.from)
	}
	return list[i:], nil
}

// newMatrix translates selected programs and runs them on this machine. It also runs them with narrow
// addresses if one of the ports has them.
func newMatrix(ctx context.Context, root, dir string, all []ports.Port, which selection, timeout time.Duration) (*matrix, error) {
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
	list, err := which.choose(append(a, b...))
	if err != nil {
		return nil, err
	}
	m := &matrix{root: root, timeout: timeout, left: left}
	if m.module, err = goprog.NewModule(dir); err != nil {
		return nil, err
	}
	if m.list, err = m.translate(list, false); err != nil {
		return nil, err
	}
	if m.want, err = m.outcomes(ctx, ports.Port{}); err != nil {
		return nil, err
	}
	narrow := ports.Port{System: "linux", Arch: "386"}
	if r, err := narrow.Runner(); err == nil && len(r.Command) == 0 && slices.ContainsFunc(all, ports.Port.Narrow) {
		if m.want32, err = m.outcomes(ctx, narrow); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// batchSize is the number of programs that are linked into one executable: linking takes longer than everything else.
const batchSize = 40

// of returns the jobs for a port.
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

// translate writes a package for each program, and executables that contain some of the packages each.
func (m *matrix) translate(list []job, wasm bool) (all []tried, err error) {
	type made struct{ batch, pkg, why string }
	known := map[string]made{}
	batches := map[string][]string{}
	n, live := 0, 0
	for _, j := range list {
		key := j.prog.key()
		p, ok := known[key]
		if !ok {
			j.prog.opt.NullTests = wasm
			code, why := j.prog.generate()
			p = made{why: why}
			if why == "" {
				p.pkg = fmt.Sprintf("p%03d", n+live)
				if linksEngine(code) {
					p.batch = fmt.Sprintf("live%02d", live/batchSize)
					live++
				} else {
					p.batch = fmt.Sprintf("b%02d", n/batchSize)
					n++
				}
				if wasm {
					p.batch, p.pkg = p.batch+"w", p.pkg+"w"
				}
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

// linksEngine reports whether code links the engine for live code. Programs with it get separate executables,
// because these are three times as large, and WebAssembly's hosts read the whole executable first.
func linksEngine(code map[string][]byte) bool {
	for _, text := range code {
		if bytes.Contains(text, []byte("/rtlib/live\"\n")) {
			return true
		}
	}
	return false
}

// begin is the name of the main function of a program that is one package among others.
const begin = "BeginTheProgram"

// writePackage turns a program into a package. For the runtime it remains a program: only one runs in a
// process.
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

// writeBatch writes an executable whose first argument selects which of its packages it runs.
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
