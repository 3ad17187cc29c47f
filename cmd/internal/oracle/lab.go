package oracle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/goprog"
	"github.com/uvm2go/uvm2go/cmd/internal/player"
	"github.com/uvm2go/uvm2go/cmd/internal/ports"
	"github.com/uvm2go/uvm2go/cmd/internal/randprog"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/interp"
)

// A Lab is a folder with one Go module in which translated programs are built,
// so that the runtime is compiled once.
type Lab struct {
	// Timeout is the longest time that a program may run; each further program of a batch
	// adds a tenth of it. MaxSteps is the largest number of instructions that the
	// interpreter executes of a program.
	Timeout  time.Duration
	MaxSteps int64
	// Jobs is the number of programs built or run at the same time.
	Jobs int
	// Command is the command uvm2go, for ways that compile what a program loads. If it is "", the lab builds it, in the
	// folder of the process.
	Command string
	// Library is the folder with the library libmu, for ways with Builder. If it is "", the lab makes it, in the folder of the
	// process.
	Library string

	module   goprog.Module
	mu       sync.Mutex
	n        int
	building sync.Mutex // of tools
}

// NewLab makes a lab in a folder, which must be empty or belong to a lab.
func NewLab(dir string) (*Lab, error) {
	m, err := goprog.NewModule(dir)
	if err != nil {
		return nil, err
	}
	return &Lab{Timeout: 30 * time.Second, MaxSteps: 30_000_000, Jobs: 2, module: m}, nil
}

// file is the name under which bundles are loaded.
const file = "prog.uir"

// fileOf returns the file name for a text, which depends on its dialect.
func fileOf(text string) string {
	switch {
	case strings.HasPrefix(text, randprog.HeadIAL):
		return "prog.ial"
	case strings.HasPrefix(text, randprog.HeadTVM):
		return "prog.tvm"
	}
	return file
}

// load reads a bundle.
func load(text string, w Way) (*transpile.Program, error) {
	p, diags := transpile.Load([]transpile.Source{{Name: fileOf(text), Text: []byte(text)}},
		transpile.Options{Optimize: w.Optimize, Sanitize: w.Sanitize, DisablePasses: w.Disable, Lines: true, Tier2: w.Unit > 0})
	if p == nil {
		var b strings.Builder
		diags.Print(&b)
		return nil, &InvalidError{b.String()}
	}
	return p, nil
}

// An InvalidError means that a bundle was refused.
type InvalidError struct{ Text string }

func (e *InvalidError) Error() string { return "the bundle is not valid:\n" + e.Text }

// A BuildError means that no program could be made from a valid bundle.
type BuildError struct {
	Way  Way
	Text string
}

func (e *BuildError) Error() string { return e.Way.Name + ": " + e.Text }

// An Exe is a program that can be run: an executable, or a program for the interpreter.
type Exe struct {
	way  Way
	path string
	text string
	args []string // the bundles that it loads, for ways with Split
}

// Build makes programs from a bundle, one for each way.
func (l *Lab) Build(text string, ways []Way) ([]Exe, error) {
	exes := make([]Exe, len(ways))
	made := map[string]string{} // kind of program to its package
	code := map[string]string{} // content to its package
	var pkgs []string
	l.mu.Lock()
	l.n++
	id := l.n
	l.mu.Unlock()
	folder := fmt.Sprintf("b%d", id)
	base := filepath.Join(string(l.module), folder)
	defer os.RemoveAll(base)
	out := filepath.Join(string(l.module), "bin", fmt.Sprint(id))
	built := map[target][]string{}
	for i, w := range ways {
		text, args := text, []string(nil)
		if w.Split != 0 {
			text, args = randprog.Split(text, w.Split)
		}
		exes[i] = Exe{way: w, text: text, args: args}
		if w.Interp {
			continue
		}
		if w.Live {
			exes[i].path = filepath.Join(out, "live", fmt.Sprint("O", w.Optimize, "-", w.Split), fileOf(text))
			if err := save(exes[i].path, text, 0o666); err != nil {
				return nil, err
			}
			continue
		}
		if w.Builder != player.None {
			exes[i].path = filepath.Join(out, "builder", fmt.Sprint(w.Builder), "calls")
			calls, err := played(text, w)
			if err != nil {
				return nil, err
			}
			if err := save(exes[i].path, calls, 0o666); err != nil {
				return nil, err
			}
			continue
		}
		if w.Host {
			exes[i].path = filepath.Join(out, "host", fmt.Sprint(w.Parts), "bundles")
			if err := save(exes[i].path, packed(text, w.Parts), 0o666); err != nil {
				return nil, err
			}
			continue
		}
		key := fmt.Sprint(w.Optimize, w.Sanitize, w.Disable, w.Split, w.Unit > 0)
		pkg := made[key]
		if pkg == "" {
			p, err := load(text, w)
			if err != nil {
				return nil, err
			}
			files, err := generate(p)
			if err != nil {
				return nil, &BuildError{w, err.Error()}
			}
			var all strings.Builder
			for _, f := range files {
				all.Write(f.Data)
			}
			pkg = code[all.String()]
			if pkg == "" {
				pkg = fmt.Sprintf("p%d", len(pkgs))
				dir := filepath.Join(base, pkg)
				if err := os.MkdirAll(dir, 0o777); err != nil {
					return nil, err
				}
				for _, f := range files {
					if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
						return nil, err
					}
				}
				pkgs = append(pkgs, pkg)
				code[all.String()] = pkg
			}
			made[key] = pkg
		}
		to := target{w.Port, w.Race, w.Unit > 0}
		if path := "./" + folder + "/" + pkg; !slices.Contains(built[to], path) {
			built[to] = append(built[to], path)
		}
		exes[i].path = filepath.Join(out, to.folder(), pkg)
	}
	for to, list := range built {
		var flags []string
		if to.unit {
			flags = []string{"-trimpath=false"} // plugins need the same packages
		}
		if to.race {
			flags = append(flags, raceFlags...)
		}
		if err := l.module.Build(context.Background(), to.port, filepath.Join(out, to.folder()), list, flags...); err != nil {
			os.RemoveAll(out)
			return nil, &BuildError{Way{Name: "go build for " + to.port.String()}, err.Error()}
		}
	}
	return exes, nil
}

// A target is what a program is built for.
type target struct {
	port       ports.Port
	race, unit bool
}

// folder returns the name of the folder for programs.
func (t target) folder() string {
	return fmt.Sprintf("port_%s_%s_%v_%v", t.port.System, t.port.Arch, t.race, t.unit)
}

// generate makes the Go files of a program. A panic of the translator is returned
// as an error.
func generate(p *transpile.Program) (files []generated, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the translator panics: %v", r)
		}
	}()
	list, err := p.Generate()
	for _, f := range list {
		files = append(files, generated{f.Name, f.Data})
	}
	return files, err
}

type generated struct {
	Name string
	Data []byte
}

// Remove deletes built programs.
func Remove(exes []Exe) {
	for _, e := range exes {
		if e.path != "" {
			os.RemoveAll(filepath.Dir(e.path))
		}
	}
}

// Run runs a program with arguments.
func (l *Lab) Run(e Exe, args ...string) (Outcome, error) { return l.run(e, l.Timeout, args) }

func (l *Lab) run(e Exe, timeout time.Duration, args []string) (Outcome, error) {
	args = slices.Concat(e.args, args)
	if e.way.Interp {
		return l.interpret(e, args)
	}
	runner, err := e.way.Port.Runner()
	if err != nil {
		return Outcome{}, err
	}
	env, command := []string{"UVMDEBUG=" + e.way.Debug, "UVM_HEAP=512M"}, []string{e.path}
	if e.way.Live {
		self, err := os.Executable()
		if err != nil {
			return Outcome{}, err
		}
		env, command = append(env, fmt.Sprintf("%s=%d", childLevel, e.way.Optimize)), []string{self, e.path}
	}
	if e.way.Builder != player.None {
		client, err := l.client(e.way.Builder)
		if err != nil {
			return Outcome{}, err
		}
		command = []string{client, e.path}
	}
	if e.way.compiles() {
		tool, host, err := l.tools(e.way)
		if err != nil {
			return Outcome{}, err
		}
		env = append(env, l.environment(e.way, tool)...)
		if e.way.Host {
			command = []string{host, e.path}
		}
		if e.way.Unit > 0 {
			timeout += compileTime
		}
	}
	if e.way.Race {
		env = append(env, "GORACE=exitcode=0")
		timeout *= 4
	}
	o, err := l.module.Run(context.Background(), runner, timeout, env, nil, append(command, args...)...)
	return e.way.noticed(Outcome(o)), err
}

// compileTime is the longest time that compiling what a program loads may take.
const compileTime = 10 * time.Minute

// copySteps is the largest number of instructions that a split program executes for each byte that it
// loads. Apart from that, it executes at most splitSteps times as many instructions as the whole program.
const (
	copySteps  = 16
	splitSteps = 3
)

// interpret runs a program on the reference interpreter.
func (l *Lab) interpret(e Exe, args []string) (Outcome, error) {
	p, err := load(e.text, Way{})
	if err != nil {
		return Outcome{}, err
	}
	var stdout, stderr bytes.Buffer
	steps := l.MaxSteps
	if e.way.Split != 0 {
		steps *= splitSteps
	}
	for _, a := range args {
		steps += int64(copySteps * len(a))
	}
	status, err := interp.Run(p.IR, interp.Config{LoadHAIL: transpile.LoadHAIL, LoadText: transpile.LoadText, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
		Args: append([]string{"prog"}, args...), MaxSteps: steps, HeapLimit: 512 << 20, CheckNullAddress: e.way.Sanitize})
	o := Outcome{Status: status, Out: stdout.String(), Err: stderr.String()}
	if errors.Is(err, interp.ErrSteps) {
		o.Status = Killed
		return o, nil
	}
	return o, err
}

// save writes a file, making its folder if necessary.
func save(path, text string, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), mode)
}
