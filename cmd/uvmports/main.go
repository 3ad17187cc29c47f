// Uvmports tries the ports of Go: it runs programs of the examples and scripts, and the tests of the
// runtime, under an emulator for each, and compares what the programs do with what they do on this
// machine. Run it at the root of the module.
//
//	uvmports [-ports linux/arm64,js/wasm] [-programs N] [-run REGEXP] [-tests=false] [-built]
//
// It prints a table, and names what is missing for a port that it cannot run. Nothing uses cgo. The
// exit status is 1 if a port that was run differs or fails. See docs/ports.md.
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/ports"
)

func main() { os.Exit(run()) }

func run() int {
	var (
		list     = flag.String("ports", "", "comma-separated `list` of GOOS/GOARCH, or of processors of linux (default all)")
		programs = flag.Int("programs", 60, "`number` of programs that run on each port, 0 for all")
		match    = flag.String("run", "", "run only programs whose names match the `expression`")
		tests    = flag.Bool("tests", true, "run the tests of the runtime, too")
		built    = flag.Bool("built", false, "also build and vet what is only built: "+fmt.Sprint(ports.Built))
		timeout  = flag.Duration("timeout", 2*time.Minute, "the `longest` that a program may run")
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
	m, err := newMatrix(root, dir, all, *programs, re, *timeout)
	if err != nil {
		return failed(err)
	}
	var rows []row
	for _, p := range all {
		rows = append(rows, m.try(p, *tests))
	}
	if *built {
		for _, p := range ports.Built {
			rows = append(rows, m.vet(p))
		}
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "port\truns with\tprograms\tdiffer\tknown to\tpackages tested\tfail\t")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%s\t%d\t\n", r.port, r.runner, count(r.programs), len(r.differ), r.apart, count(r.packages), len(r.fail))
	}
	w.Flush()
	for _, why := range slices.Sorted(maps.Keys(m.left)) {
		fmt.Printf("left out: %d %s\n", m.left[why], why)
	}
	if slices.ContainsFunc(rows, func(r row) bool { return len(r.differ)+len(r.fail) > 0 }) {
		return 1
	}
	return 0
}

// count is a number in the table, a dash where nothing was tried.
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
