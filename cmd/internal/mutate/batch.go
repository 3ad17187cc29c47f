package mutate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/corpus"
	"github.com/uvm2go/uvm2go/cmd/internal/goprog"
	"github.com/uvm2go/uvm2go/cmd/internal/ports"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/gogen"
)

// guarded calls a function. A panic, or taking longer than Limit, is a fault.
func guarded(do func() *Fault) *Fault {
	done := make(chan *Fault, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- &Fault{Kind: Panicked, Text: fmt.Sprintf("%v\n%s", r, debug.Stack())}
			}
		}()
		done <- do()
	}()
	select {
	case f := <-done:
		return f
	case <-time.After(Limit):
		all := make([]byte, 1<<16)
		return &Fault{Kind: TooLong, Text: fmt.Sprintf("more than %v\n%s", Limit, all[:runtime.Stack(all, true)])}
	}
}

// diagnostic matches a diagnostic, or a line that continues the previous one.
var diagnostic = regexp.MustCompile(`^(\t|.*:\d+:\d+: |[^ ]+: |warning: |too many errors|.* is in dialect )`)

// read reads and checks a bundle.
func read(b corpus.Bundle, opt transpile.Options) (p *transpile.Program, f *Fault) {
	opt.Images = b.Images
	f = guarded(func() *Fault {
		var text strings.Builder
		got, diags := transpile.Load(b.Sources, opt)
		diags.Print(&text)
		for l := range strings.Lines(text.String()) {
			switch {
			case strings.Contains(l, "internal error"):
				return &Fault{Kind: Internal, Text: l}
			case !diagnostic.MatchString(l), len(l) > 2000:
				return &Fault{Kind: BadReport, Text: l[:min(len(l), 300)]}
			}
		}
		if p = got; p == nil {
			return &Fault{Kind: Refused, Text: text.String()}
		}
		return nil
	})
	return p, f
}

// generate makes the Go files of a mutant. A program without a valid entry function becomes a package.
func generate(m *Mutant) (files []gogen.File, f *Fault) {
	for _, pkg := range []string{"main", "p"} {
		opt := m.Options
		opt.Package = pkg
		p, f := read(m.Bundle, opt)
		if f != nil {
			return nil, f
		}
		if opt.SingleFile && len(p.CSymbols()) > 0 { // a single file with C symbols needs cgo
			m.Options.SingleFile = false
			return generate(m)
		}
		f = guarded(func() *Fault {
			var err error
			files, err = p.Generate()
			var input *transpile.InputError
			switch {
			case err == nil:
				return nil
			case errors.As(err, &input):
				return &Fault{Kind: NoGo, Text: err.Error()}
			}
			return &Fault{Kind: Internal, Text: err.Error()}
		})
		if f == nil || f.Kind != NoGo || pkg == "p" {
			return files, f
		}
	}
	return nil, nil
}

// A Compiler compiles generated packages without linking them.
type Compiler struct {
	Jobs   int // packages compiled at the same time
	dir    string
	config string // names the compiled packages of the runtime
}

// NewCompiler compiles the runtime in an empty folder.
func NewCompiler(dir string) (*Compiler, error) {
	m, err := goprog.NewModule(dir)
	if err != nil {
		return nil, err
	}
	cmd := m.Go(context.Background(), ports.Port{}, "list", "-export", "-deps", "-f", "{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}", transpile.RuntimePath+"/...")
	cmd.Stderr = os.Stderr
	list, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	c := &Compiler{dir: string(m), config: filepath.Join(string(m), "importcfg"), Jobs: 2}
	return c, os.WriteFile(c.config, list, 0o666)
}

// Compile compiles the files of a package, and returns the messages of the Go compiler if it rejects them.
// Files for cgo are left out, as by go build where there is no C compiler.
func (c *Compiler) Compile(name string, files []gogen.File) (*Fault, error) {
	dir := filepath.Join(c.dir, name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	args := []string{"tool", "compile", "-p", "p", "-lang=go1.26", "-importcfg", c.config, "-o", filepath.Join(dir, "p.a")}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			return nil, err
		}
		if bytes.Contains(f.Data, []byte("\n//go:build !cgo")) || !bytes.Contains(f.Data, []byte("\n//go:build ")) {
			args = append(args, f.Name)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*Limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return &Fault{Kind: TooLong, Text: "the Go compiler does not come to an end"}, nil
	case err != nil:
		return &Fault{Kind: Uncompiled, Text: string(out)}, nil
	}
	return nil, nil
}

// A Config holds the settings of Run.
type Config struct {
	Source   *Source
	Compiler *Compiler // nil: mutants are only translated
	Seed     uint64
	First    int       // the number of the first mutant
	Count    int       // of mutants
	Keep     string    // folder for mutants with faults; "" keeps none
	Log      io.Writer // for messages about progress
}

// A Result is what Run found.
type Result struct {
	Mutants  int // mutants made and accepted
	Compiled int // packages passed to the Go compiler
	Faults   []*Fault
}

// Run makes mutants, translates and compiles them. It returns only the first of faults with the same class.
func Run(c Config) (Result, error) {
	var res Result
	var mu sync.Mutex
	var group sync.WaitGroup
	var failed error
	seen := map[string]int{}
	next := c.First
	start := time.Now()
	jobs := 2
	if c.Compiler != nil {
		jobs = c.Compiler.Jobs
	}
	report := func(f *Fault) {
		mu.Lock()
		defer mu.Unlock()
		class := f.class()
		if seen[class]++; seen[class] > 1 {
			return
		}
		res.Faults = append(res.Faults, f)
		fmt.Fprintf(c.Log, "FAULT: %v: %v\n%s\n", f.Kind, f.Mutant, firstLines(f.Text, 6))
		if c.Keep != "" {
			if err := f.save(c.Keep); err != nil {
				failed = err
			}
		}
	}
	one := func(n int) {
		m, f := c.Source.Make(c.Seed, n)
		if f != nil {
			report(f)
			return
		}
		if m == nil {
			return
		}
		files, f := generate(m)
		compiled := 0
		if f == nil && c.Compiler != nil {
			var err error
			if f, err = c.Compiler.Compile(fmt.Sprintf("m%d", n), files); err != nil {
				mu.Lock()
				failed = err
				mu.Unlock()
			}
			compiled = 1
		}
		mu.Lock()
		res.Mutants++
		res.Compiled += compiled
		mu.Unlock()
		if f != nil {
			f.Mutant = m
			report(f)
		}
	}
	for range jobs {
		group.Go(func() {
			for {
				mu.Lock()
				n := next
				next++
				stop := failed != nil || n >= c.First+c.Count
				if n > c.First && n%500 == 0 {
					fmt.Fprintf(c.Log, "%d mutants, %d compiled, %d faults, %.0f a minute\n", res.Mutants, res.Compiled, len(res.Faults), float64(res.Mutants)/time.Since(start).Minutes())
				}
				mu.Unlock()
				if stop {
					return
				}
				one(n)
			}
		})
	}
	group.Wait()
	return res, failed
}

// numbersAndNames matches the parts in which the texts of faults with the same cause differ.
var numbersAndNames = regexp.MustCompile(`[\w./-]+:\d+:(\d+:)?|[\w./\\-]+\.go:\d+(:\d+)?|0x[0-9a-f]+|\d+|[@%][\w.-]+|\b\w*_\w+\b|"[^"]*"`)

// class returns the text of a fault without numbers and names.
func (f *Fault) class() string {
	text := f.Text
	if f.Kind == Panicked || f.Kind == TooLong { // the place is the most telling part
		text = place(text)
	}
	return f.Kind.String() + numbersAndNames.ReplaceAllString(firstLines(text, 2), "*")
}

// place returns the topmost functions of the translator in a stack trace.
func place(stack string) string {
	var list []string
	for l := range strings.Lines(stack) {
		if strings.Contains(l, "/transpile/") && strings.Contains(l, "(") && !strings.HasPrefix(l, "\t") {
			list = append(list, l[:strings.LastIndexByte(l, '(')])
		}
		if len(list) == 3 {
			break
		}
	}
	return strings.Join(list, " ")
}

func firstLines(s string, n int) string {
	lines := strings.SplitAfterN(s, "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], "")
}

// save writes the bundle of a mutant and its fault.
func (f *Fault) save(dir string) error {
	dir = filepath.Join(dir, fmt.Sprintf("mutant%d", f.Mutant.Number))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	note := fmt.Sprintf("%v: %v\n%+v\n\n%s\n", f.Kind, f.Mutant, f.Mutant.Options, f.Text)
	if err := os.WriteFile(filepath.Join(dir, "NOTE"), []byte(note), 0o666); err != nil {
		return err
	}
	b := f.Mutant.Bundle
	for _, s := range append(append([]transpile.Source(nil), b.Sources...), b.Images...) {
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(s.Name)), s.Text, 0o666); err != nil {
			return err
		}
	}
	return nil
}
