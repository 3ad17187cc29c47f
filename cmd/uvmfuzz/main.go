// Uvmfuzz compares the behaviour of translated programs with their behaviour on the
// reference interpreter.
//
//	uvmfuzz [-old | -ial | -tvm] [-for 1h] [-n 1000] [-seed N] [-ways O0,O1,O1-stress,386] [-keep DIR] [-state FILE]
//
// runs random programs, many in one build, and counts them for each way. With -ways split, each program loads part of its
// functions while it runs. With -state, a run goes on where the last one with the same file ended.
//
//	uvmfuzz [-ways ...] [-reduce] BUNDLE.uir...
//
// compares bundles, and reduces those that differ.
//
//	uvmfuzz -corpus
//
// compares the examples and the benchmark kernels at small sizes. Run it at the
// root of the module.
//
//	uvmfuzz -mutants
//
// breaks a copy of the translator in a number of ways and shows which test
// notices each.
//
//	uvmfuzz -accepted [-of ENDING] [-n 1000] [-seed N] [-first N] [-keep DIR]
//
// changes the bundles of the repository in ways that check accepts, translates them and
// compiles the resulting Go. Run it at the root of the module.
//
// The exit status is 1 if anything differs. See docs/testing.md.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/corpus"
	"github.com/uvm2go/uvm2go/cmd/internal/mutate"
	"github.com/uvm2go/uvm2go/cmd/internal/oracle"
	"github.com/uvm2go/uvm2go/cmd/internal/randprog"
)

func main() {
	oracle.Child()
	os.Exit(run())
}

func run() int {
	var (
		seed    = flag.Int64("seed", 0, "`number` of the first program; 0 for the current time")
		count   = flag.Int("n", 0, "`number` of programs; 0 for as many as run within -for")
		length  = flag.Duration("for", 0, "`time` to continue for (default one minute, unless -n is given)")
		batch   = flag.Int("batch", 40, "`number` of programs in one build")
		jobs    = flag.Int("jobs", 2, "`number` of programs built or run at once")
		ways    = flag.String("ways", "", "comma-separated `list` of ways to run programs: O0, O1, live-O1, loaded, unit and others, or split, split-units, units, parts, builders, race for several; see docs/testing.md (default the usual ones)")
		keep    = flag.String("keep", "fuzz-found", "`folder` for programs that differ; \"\" to keep none")
		reduce  = flag.Bool("reduce", true, "reduce programs that differ")
		stop    = flag.Int("stop", 10, "stop after this `number` of differences, 0 for never")
		cover   = flag.Bool("cover", false, "list all operations, and pairs of them, that were run")
		state   = flag.String("state", "", "`file` in which the progress is saved, and from which an earlier run with the same flags goes on")
		work    = flag.String("work", "", "`folder` to build in (default a temporary one)")
		print   = flag.Bool("print", false, "print the bundle of -seed and do nothing else")
		corpus  = flag.Bool("corpus", false, "compare the examples and the kernels")
		mutants = flag.Bool("mutants", false, "break the translator on purpose, and show which tests notice")
		old     = flag.Bool("old", false, "generate programs in µVM IR of 2014")
		ial     = flag.Bool("ial", false, "generate programs in IAL")
		tvm     = flag.Bool("tvm", false, "generate programs in TVM")
		accept  = flag.Bool("accepted", false, "translate and compile mutated bundles that uvm2go check accepts")
		ending  = flag.String("of", "", "with -accepted, only bundles with this `ending`, such as tvm")
		first   = flag.Int("first", 0, "with -accepted, the `number` of the first mutant")
		only    = flag.String("mutant", "", "with -mutants, try only mutants whose names contain this `text`")
	)
	flag.Parse()
	programs, dialect := oracle.Programs, ""
	switch {
	case *old:
		programs, dialect = oracle.OldPrograms, "-old"
	case *ial:
		programs, dialect = oracle.IALPrograms, "-ial"
	case *tvm:
		programs, dialect = oracle.TVMPrograms, "-tvm"
	}
	if *print {
		fmt.Print(randprog.Bundle(programs(*seed, 1)))
		return 0
	}
	if *accept {
		return accepted(mutate.Config{Seed: uint64(*seed), First: *first, Count: max(*count, 1), Keep: *keep, Log: os.Stdout}, *ending, *jobs, *work)
	}
	if *mutants {
		ok, err := oracle.Mutants(".", *only, os.Stdout)
		return result(ok, err)
	}
	list, err := oracle.SelectWays(*ways)
	if err != nil {
		return result(false, err)
	}
	dir := *work
	if dir == "" {
		if dir, err = os.MkdirTemp("", "uvmfuzz-"); err != nil {
			return result(false, err)
		}
		defer os.RemoveAll(dir)
	}
	lab, err := oracle.NewLab(dir)
	if err != nil {
		return result(false, err)
	}
	lab.Jobs = *jobs
	switch {
	case *corpus:
		ok, err := lab.Corpus(".", list, os.Stdout)
		return result(ok, err)
	case flag.NArg() > 0:
		return compare(lab, oracle.WithSplit(list, *seed), *reduce)
	}
	if *seed == 0 {
		*seed = time.Now().UnixNano() / 1e6
	}
	if *count == 0 && *length == 0 {
		*length = time.Minute
	}
	progress, err := oracle.OpenProgress(*state, strings.Join([]string{dialect, "-batch", fmt.Sprint(*batch), "-ways", *ways}, " "), *seed)
	if err != nil {
		return result(false, err)
	}
	cov := oracle.NewCoverage()
	fmt.Printf("seeds from %d\n", progress.First+int64(progress.Seeds))
	res, err := oracle.Fuzz(oracle.Config{Lab: lab, Ways: list, Seed: *seed, Count: *count, For: *length, Batch: *batch,
		Keep: *keep, Reduce: *reduce, Stop: *stop, Log: os.Stdout, Cover: cov, Make: programs, Flag: dialect, Progress: progress})
	fmt.Printf("%d programs, %d differ\n", res.Programs, len(res.Differences))
	cov.Report(os.Stdout, *cover)
	if *state != "" {
		fmt.Printf("in all %d seeds from %d in %v, %d differences\n", progress.Seeds, progress.First, progress.Time.Round(time.Second), len(progress.Differs))
		for _, line := range progress.Differs {
			fmt.Println("DIFFERENCE:", line)
		}
	}
	progress.Report(os.Stdout, list)
	return result(len(progress.Differs) == 0, err)
}

// accepted makes mutants of the bundles in the repository whose file names have an ending.
func accepted(c mutate.Config, ending string, jobs int, dir string) int {
	bundles, err := corpus.Bundles(".")
	if err != nil {
		return result(false, err)
	}
	bundles = slices.DeleteFunc(bundles, func(b corpus.Bundle) bool {
		return len(b.Sources) == 0 || !strings.HasSuffix(b.Sources[0].Name, ending)
	})
	c.Source = mutate.NewSource(bundles)
	if dir == "" {
		if dir, err = os.MkdirTemp("", "uvmfuzz-"); err != nil {
			return result(false, err)
		}
		defer os.RemoveAll(dir)
	}
	if c.Compiler, err = mutate.NewCompiler(dir); err != nil {
		return result(false, err)
	}
	c.Compiler.Jobs = jobs
	res, err := mutate.Run(c)
	fmt.Printf("%d mutants of %d bundles, %d packages compiled, %d kinds of faults\n", res.Mutants, c.Source.Seeds(), res.Compiled, len(res.Faults))
	return result(len(res.Faults) == 0, err)
}

// compare compares the bundles named on the command line.
func compare(lab *oracle.Lab, ways []oracle.Way, reduce bool) int {
	ok := true
	for _, name := range flag.Args() {
		text, err := os.ReadFile(name)
		if err != nil {
			return result(false, err)
		}
		what, err := lab.Compare(string(text), ways)
		if err != nil {
			what = err.Error()
		}
		if what == "" {
			fmt.Println(name + ": no difference")
			continue
		}
		ok = false
		fmt.Println(name+":", what)
		if !reduce {
			continue
		}
		for _, w := range ways[1:] {
			small, what, err := lab.Shrink(string(text), w, os.Stdout)
			if err != nil {
				return result(false, err)
			}
			if what != "" {
				fmt.Println(what)
				if err := os.WriteFile(name+".small", []byte(small), 0o666); err != nil {
					return result(false, err)
				}
				fmt.Println("reduced to", name+".small")
				break
			}
		}
	}
	return result(ok, nil)
}

func result(ok bool, err error) int {
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "uvmfuzz:", err)
		return 2
	case !ok:
		return 1
	}
	return 0
}
