// Uvmports tests the ports of Go: it runs programs of the examples and scripts, and the tests of the
// runtime, under an emulator for each port, and compares the behaviour of the programs with that on this
// machine. Run it at the root of the module.
//
//	uvmports [-ports linux/arm64,js/wasm] [-programs N] [-run REGEXP] [-from NAME] [-for TIME] [-tests=false] [-built]
//
// It prints a table, and names the tools that are missing for a port that it cannot run. When the time of -for is
// up, or a signal arrives, it prints the results so far, and how to continue. Nothing uses
// cgo. The exit status is 1 if a port that was run differs or fails, 3 if some were not run. See
// docs/ports.md.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/ports"
)

func main() { os.Exit(run()) }

func run() int {
	var (
		list     = flag.String("ports", "", "comma-separated `list` of ports as GOOS/GOARCH, or as GOARCH for linux (default all)")
		programs = flag.Int("programs", 60, "`number` of programs to run on each port, 0 for all")
		match    = flag.String("run", "", "run only programs whose names match the regular `expression`")
		from     = flag.String("from", "", "begin at the program of this `name`")
		limit    = flag.Duration("for", 0, "stop after this `time`, ending the programs that run then; 0 for no limit")
		tests    = flag.Bool("tests", true, "also run the tests of the runtime")
		built    = flag.Bool("built", false, "also build and vet for the ports on which nothing is run: "+fmt.Sprint(ports.Built))
		timeout  = flag.Duration("timeout", 2*time.Minute, "`time` that a program may run")
		all      = ports.All
	)
	flag.Parse()
	if *list != "" {
		all = nil
		for _, name := range strings.Split(*list, ",") {
			p, err := ports.Parse(strings.TrimSpace(name))
			if err != nil {
				return failed(err)
			}
			all = append(all, p)
		}
	}
	root, err := filepath.Abs(".")
	if err != nil {
		return failed(err)
	}
	re, err := regexp.Compile(*match)
	if err != nil {
		return failed(err)
	}
	dir, err := os.MkdirTemp("", "uvmports-")
	if err != nil {
		return failed(err)
	}
	defer os.RemoveAll(dir)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if *limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, *limit)
		defer cancel()
	}
	m, err := newMatrix(ctx, root, dir, all, selection{match: re, from: *from, n: *programs}, *timeout)
	if err != nil {
		return failed(err)
	}
	var rows []row
	for _, p := range all {
		rows = append(rows, m.try(ctx, p, *tests))
	}
	if *built {
		for _, p := range ports.Built {
			rows = append(rows, m.vet(ctx, p))
		}
	}
	printTable(os.Stdout, rows)
	for _, why := range slices.Sorted(maps.Keys(m.left)) {
		fmt.Printf("left out: %d %s\n", m.left[why], why)
	}
	rest := printRest(os.Stdout, rows, *from)
	switch {
	case slices.ContainsFunc(rows, func(r row) bool { return len(r.differ)+len(r.fail) > 0 }):
		return 1
	case rest:
		return 3
	}
	return 0
}

// printTable prints the results of the ports.
func printTable(to io.Writer, rows []row) {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "port\truns with\tprograms\tdiffer\tknown to\tpackages tested\tfail\t")
	for _, r := range rows {
		programs := count(r.programs)
		if r.programs < r.of {
			programs = fmt.Sprintf("%d of %d", r.programs, r.of)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%s\t%d\t\n", r.port, r.runner, programs, len(r.differ), r.apart, count(r.packages), len(r.fail))
	}
	w.Flush()
}

// printRest prints the flags that continue where rows stopped, and reports whether a row stopped. from is
// the program at which the run began.
func printRest(to io.Writer, rows []row, from string) bool {
	rest := false
	for _, r := range rows {
		if !r.stopped {
			continue
		}
		rest = true
		next := r.next
		switch {
		case r.of == 0:
			next = from
		case next == "":
			fmt.Fprintf(to, "%s: stopped during the tests\n", r.port)
			continue
		}
		flags := fmt.Sprintf("-ports %s", r.port)
		if next != "" {
			flags += fmt.Sprintf(" -from '%s'", next)
		}
		fmt.Fprintf(to, "%s: stopped; continue with %s\n", r.port, flags)
	}
	return rest
}

// count returns a number for the table, or a dash if nothing was tried.
func count(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

func failed(err error) int {
	fmt.Fprintln(os.Stderr, "uvmports:", err)
	return 1
}
