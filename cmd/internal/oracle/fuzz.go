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

	"github.com/uvm2go/uvm2go/cmd/internal/player"
	"github.com/uvm2go/uvm2go/cmd/internal/ports"
	"github.com/uvm2go/uvm2go/cmd/internal/randprog"
)

// Config holds the settings of Fuzz.
type Config struct {
	Lab   *Lab
	Ways  []Way
	Seed  int64         // of the first program; the other programs have the next seeds
	Count int           // number of seeds; 0 means until For is over
	For   time.Duration // no batch begins after that
	Batch int           // programs at a time; programs of the same kind share a build
	// Keep is the folder for differences. Each gets a folder in it, with the bundle,
	// the reduced bundle and the command. "" keeps nothing.
	Keep   string
	Reduce bool
	Stop   int // number of differences to stop at; 0 for no limit
	Log    io.Writer
	Cover  *Coverage // if not nil, counts the operations that were run
	// Make makes the programs; nil means Programs. Flag is the flag of uvmfuzz for it.
	Make func(seed int64, n int) []randprog.Program
	Flag string
	// Progress, if not nil, says which of the seeds were done before, and is kept up to date.
	Progress *Progress
}

// A Result is what Fuzz found.
type Result struct {
	Programs    int
	Differences []Difference
}

// Fuzz compares batches of random programs.
func Fuzz(c Config) (Result, error) {
	var res Result
	if c.Progress == nil {
		c.Progress = newProgress(c.Seed)
	}
	if c.Make == nil {
		c.Make = Programs
	}
	p := c.Progress
	start, before := time.Now(), p.Time
	last := start
	for (c.Count == 0 || p.Seeds < c.Count) && (c.For == 0 || time.Since(start) < c.For) {
		n := c.Batch
		if c.Count > 0 {
			n = min(n, c.Count-p.Seeds)
		}
		first := p.First + int64(p.Seeds)
		ps := c.Make(first, n)
		if err := c.fits(ps); err != nil {
			return res, err
		}
		if c.Cover != nil {
			if err := c.Cover.Add(randprog.Bundle(ps), n); err != nil {
				return res, err
			}
		}
		diffs, err := c.batch(ps)
		if err != nil {
			return res, fmt.Errorf("seeds from %d: %w", first, err)
		}
		res.Programs += n
		known := map[int64]bool{}
		for _, d := range diffs {
			line := fmt.Sprintf("%s: repeat: %s", d.String(), c.repeat(d, first, n))
			fmt.Fprintln(c.Log, "DIFFERENCE:", line)
			p.Differs = append(p.Differs, line)
			p.tally(d.Way).Differ++
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
		p.Seeds += n
		p.Time = before + time.Since(start)
		if err := p.save(); err != nil {
			return res, err
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

// fits returns an error if a way is not for the dialect of the programs.
func (c *Config) fits(ps []randprog.Program) error {
	inParts := ps[0].Kind == randprog.IAL || ps[0].Kind == randprog.TVM
	for _, w := range c.Ways {
		switch {
		case w.Parts && !inParts:
			return fmt.Errorf("%s is for programs in IAL and TVM; those in Mu IR load parts of themselves in the split ways", wayFlag(w))
		case w.Builder != player.None && (inParts || ps[0].Kind == randprog.Old):
			return fmt.Errorf("%s is for programs in Mu IR of 2016", wayFlag(w))
		case w.Split != 0 && (inParts || ps[0].Kind == randprog.Old):
			return fmt.Errorf("%s is for programs in Mu IR; those in IAL and TVM have the ways parts-loaded and so on", wayFlag(w))
		}
	}
	return nil
}

// batch compares programs, those of a kind together that have the same ways.
func (c *Config) batch(ps []randprog.Program) (diffs []Difference, err error) {
	for _, group := range byKind(ps) {
		var sets [][]Way
		members := map[string][]randprog.Program{}
		for _, p := range group {
			ways := slices.DeleteFunc(slices.Clone(c.Ways), func(w Way) bool { return !w.suits(p) })
			key := fmt.Sprint(ways)
			if members[key] == nil {
				sets = append(sets, ways)
			}
			members[key] = append(members[key], p)
		}
		for _, ways := range sets {
			if len(ways) < 2 {
				continue
			}
			d, err := c.Lab.batch(members[fmt.Sprint(ways)], ways, c.Progress)
			if err != nil {
				return nil, err
			}
			diffs = append(diffs, d...)
		}
	}
	return diffs, c.Lab.forgetUnits()
}

// suits reports whether a program can be compared in the way. Those that look at IDs are left out of ways that load functions, which
// have other IDs then; programs about frames allow for that, if need be. Builders do not have calls for all programs.
func (w Way) suits(p randprog.Program) bool {
	if p.Kind != randprog.Frames && strings.Contains(p.Text, "@uvm.meta.cur_") && (w.Split != 0 || w.Host) {
		return false
	}
	return w.Builder == player.None || player.HasCalls(w.Builder, p.Text)
}

// repeat is the command that compares the program of a difference alone again, and how its batch is compared.
func (c *Config) repeat(d Difference, first int64, n int) string {
	s := "go run ./cmd/uvmfuzz"
	if c.Flag != "" {
		s += " " + c.Flag
	}
	return fmt.Sprintf("%s -seed %d -n 1 -ways %s (in its batch: -seed %d -n %d -batch %d)", s, d.Program.Seed, wayFlag(d.Way), first, n, n)
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
		ps = append(ps, generate(seed+int64(i), fmt.Sprintf("@p%d.", seed+int64(i)))) // so that splits are the same when it is alone
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
