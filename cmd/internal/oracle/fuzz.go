package oracle

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/ports"
	"github.com/uvm2go/uvm2go/cmd/internal/randprog"
)

// Config holds the settings of Fuzz.
type Config struct {
	Lab   *Lab
	Ways  []Way
	Seed  int64         // of the first program; the other programs have the next seeds
	Count int           // number of programs; 0 means until For is over
	For   time.Duration // no batch begins after that
	Batch int           // programs at a time; programs of the same kind share a build
	// Keep is the folder for differences. Each gets a folder in it, with the bundle,
	// the reduced bundle and the command. "" keeps nothing.
	Keep   string
	Reduce bool
	Stop   int // number of differences to stop at; 0 for no limit
	Log    io.Writer
	Cover  *Coverage // if not nil, counts the operations that were run
	// Make makes the programs; nil means Programs.
	Make func(seed int64, n int) []randprog.Program
}

// A Result is what Fuzz found.
type Result struct {
	Programs    int
	Differences []Difference
}

// Fuzz compares batches of random programs.
func Fuzz(c Config) (Result, error) {
	var res Result
	start := time.Now()
	last := start
	seeds := 0
	for (c.Count == 0 || seeds < c.Count) && (c.For == 0 || time.Since(start) < c.For) {
		n := c.Batch
		if c.Count > 0 {
			n = min(n, c.Count-seeds)
		}
		make := c.Make
		if make == nil {
			make = Programs
		}
		ps := make(c.Seed+int64(seeds), n)
		seeds += n
		if slices.ContainsFunc(c.Ways, func(w Way) bool { return w.Split != 0 }) {
			// Functions have different IDs if these are loaded. Programs about frames allow for that, if need be.
			ps = slices.DeleteFunc(ps, func(p randprog.Program) bool {
				return p.Kind != randprog.Frames && strings.Contains(p.Text, "@uvm.meta.cur_")
			})
		}
		if n = len(ps); n == 0 {
			continue
		}
		if c.Cover != nil {
			if err := c.Cover.Add(randprog.Bundle(ps), n); err != nil {
				return res, err
			}
		}
		var diffs []Difference
		for _, group := range byKind(ps) {
			d, err := c.Lab.Batch(group, WithSplit(c.Ways, ps[0].Seed))
			if err != nil {
				return res, fmt.Errorf("seeds from %d: %w", ps[0].Seed, err)
			}
			diffs = append(diffs, d...)
		}
		res.Programs += n
		known := map[int64]bool{}
		for _, d := range diffs {
			fmt.Fprintln(c.Log, "DIFFERENCE:", d.String())
			if !known[d.Program.Seed] {
				known[d.Program.Seed] = true
				res.Differences = append(res.Differences, d)
				if c.Keep != "" {
					if err := c.keep(d); err != nil {
						return res, err
					}
				}
			}
		}
		if c.Stop > 0 && len(res.Differences) >= c.Stop {
			break
		}
		if time.Since(last) > 30*time.Second {
			last = time.Now()
			fmt.Fprintf(c.Log, "%d programs, %d differences, %.0f a minute\n", res.Programs, len(res.Differences),
				float64(res.Programs)/time.Since(start).Minutes())
		}
	}
	return res, nil
}

// Programs makes n programs with consecutive seeds for one bundle.
func Programs(seed int64, n int) []randprog.Program { return programs(randprog.Generate, seed, n) }

// OldPrograms is like Programs, in µVM IR of 2014.
func OldPrograms(seed int64, n int) []randprog.Program {
	return programs(randprog.GenerateOld, seed, n)
}

// IALPrograms is like Programs, in IAL.
func IALPrograms(seed int64, n int) []randprog.Program {
	return programs(randprog.GenerateIAL, seed, n)
}

// TVMPrograms is like Programs, in TVM.
func TVMPrograms(seed int64, n int) []randprog.Program {
	return programs(randprog.GenerateTVM, seed, n)
}

// FramePrograms is like Programs, with programs about frames.
func FramePrograms(seed int64, n int) []randprog.Program {
	return programs(randprog.GenerateFrames, seed, n)
}

// FrameSplitPrograms is like FramePrograms, for ways with Split.
func FrameSplitPrograms(seed int64, n int) []randprog.Program {
	return programs(randprog.GenerateFramesSplit, seed, n)
}

func programs(generate func(int64, string) randprog.Program, seed int64, n int) []randprog.Program {
	var ps []randprog.Program
	for i := range n {
		ps = append(ps, generate(seed+int64(i), fmt.Sprintf("@p%d.", i)))
	}
	return ps
}

// byKind puts programs into one bundle per kind.
func byKind(ps []randprog.Program) [][]randprog.Program {
	groups := make([][]randprog.Program, randprog.NumKinds)
	for _, p := range ps {
		groups[p.Kind] = append(groups[p.Kind], p)
	}
	return slices.DeleteFunc(groups, func(g []randprog.Program) bool { return len(g) == 0 })
}

// keep writes a folder for a difference.
func (c *Config) keep(d Difference) error {
	dir := filepath.Join(c.Keep, fmt.Sprintf("seed%d", d.Program.Seed))
	text := randprog.Bundle([]randprog.Program{d.Program})
	if err := save(filepath.Join(dir, fileOf(text)), text, 0o666); err != nil {
		return err
	}
	note := fmt.Sprintf("%s\n\n# shows it:\ngo run ./cmd/uvmfuzz %s %s\n", d.String(), flags(d.Way), filepath.Join(dir, fileOf(text)))
	if d.Note == "" {
		note += fmt.Sprintf("\n# want: status %d\n%s%s\n# got: status %d\n%s%s", d.Want.Status, d.Want.Out, d.Want.Err, d.Got.Status, d.Got.Out, d.Got.Err)
	}
	if err := save(filepath.Join(dir, "NOTE"), note, 0o666); err != nil {
		return err
	}
	if !c.Reduce {
		return nil
	}
	small, what, err := c.Lab.Shrink(text, d.Way, c.Log)
	if err != nil {
		return err
	}
	if what == "" {
		fmt.Fprintf(c.Log, "seed %d: alone, the program shows no difference\n", d.Program.Seed)
		return os.WriteFile(filepath.Join(dir, "ALONE"), []byte("no difference when the program is alone in its bundle\n"), 0o666)
	}
	fmt.Fprintf(c.Log, "seed %d: reduced to %d lines: %s\n", d.Program.Seed, strings.Count(small, "\n"), what)
	return save(filepath.Join(dir, "small"+filepath.Ext(fileOf(text))), "// "+strings.ReplaceAll(what, "\n", "\n// ")+"\n"+small, 0o666)
}

// flags returns the flags that make uvmfuzz use a way.
func flags(w Way) string {
	s := "-ways " + wayFlag(w)
	if w.Split != 0 {
		s = fmt.Sprintf("-seed %d %s", w.Split, s)
	}
	return s
}

// wayFlag returns the name of a way in the form that SelectWays accepts.
func wayFlag(w Way) string {
	if w.Port != (ports.Port{}) {
		return w.Port.String()
	}
	if w.Interp && w.Split == 0 || strings.HasPrefix(w.Name, "go build") {
		return "O0,O1"
	}
	return strings.ReplaceAll(w.Name, " ", "-")
}

// ErrNative means that a bundle calls C functions that the interpreter does not have, or makes code with the IR builder.
var ErrNative = errors.New("the interpreter does not know all native functions, or has no IR builder")

// noBuilder is part of the interpreter's report if a program uses the IR builder.
const noBuilder = "@uvm.irbuilder: code cannot be loaded at run time"

// Compare runs one bundle in every way and describes the differences.
func (l *Lab) Compare(text string, ways []Way) (string, error) {
	exes, err := l.Build(text, ways)
	if err != nil {
		return "", err
	}
	defer Remove(exes)
	var want Outcome
	for i, e := range exes {
		o, err := l.Run(e)
		if err != nil {
			return "", err
		}
		if i == 0 {
			want = o
			if o.Status == 4 && (strings.Contains(o.Err, "is not known to the interpreter") || strings.Contains(o.Err, noBuilder)) {
				return "", ErrNative
			}
			if o.Status == Killed {
				return "", fmt.Errorf("the interpreter does not end within %d instructions", l.MaxSteps)
			}
			continue
		}
		if d := e.way.differs(want, o); d != "" {
			return e.way.Name + ": " + d, nil
		}
	}
	return "", nil
}
