// Uvm2go translates programs in the IR of a micro virtual machine to Go. See
// uvm2go -h and the documentation in docs.
package main

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sort"
	"strings"
)

// Exit statuses of the tool itself; run has its program's.
const (
	statusOK    = 0
	statusInput = 1 // the input has errors
	statusUsage = 2 // usage or I/O error
)

// A command is one row of the command table.
type command struct {
	name  string
	short string
	run   func(e *env, args []string) int
}

// env is what a command may touch of the outside.
type env struct {
	stdin          io.Reader
	stdout, stderr io.Writer
}

var commands map[string]*command

func init() {
	commands = map[string]*command{}
	for _, c := range []*command{
		{"build", "translate and build an executable", runBuild},
		{"check", "read and validate only", runCheck},
		{"convert", "convert between the forms of a dialect", runConvert},
		{"dump", "show the internal representation", runDump},
		{"fmt", "format text bundles", runFmt},
		{"run", "translate, build and run", runRun},
		{"translate", "translate to Go source (the default command)", runTranslate},
		{"version", "print version information", runVersion},
	} {
		commands[c.name] = c
	}
}

func main() {
	// Most of what a translator allocates lives until its end: to collect half as
	// often as usual takes a tenth less time, for a third more memory.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200)
	}
	os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Main runs the command line and returns the exit status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	e := &env{stdin, stdout, stderr}
	if len(args) > 0 {
		switch args[0] {
		case "-h", "-help", "--help", "help":
			e.usage(stdout)
			return statusOK
		}
		if c, ok := commands[args[0]]; ok {
			return c.run(e, args[1:])
		}
	}
	if len(args) == 0 {
		e.usage(stderr)
		return statusUsage
	}
	if first := args[0]; !strings.HasPrefix(first, "-") && !strings.Contains(first, ".") {
		return e.errorf("unknown command %q (uvm2go -h lists the commands)", first)
	}
	return runTranslate(e, args)
}

func (e *env) usage(w io.Writer) {
	var names []string
	for n := range commands {
		names = append(names, n)
	}
	sort.Strings(names)
	fmt.Fprintln(w, "usage: uvm2go [command] [flags] BUNDLE...")
	fmt.Fprintln(w)
	for _, n := range names {
		fmt.Fprintf(w, "  %-10s %s\n", n, commands[n].short)
	}
	fmt.Fprintln(w, "\nuvm2go COMMAND -h shows the flags of a command.")
}

func (e *env) errorf(format string, args ...any) int {
	fmt.Fprintf(e.stderr, "uvm2go: %s\n", strings.TrimSuffix(fmt.Sprintf(format, args...), "\n"))
	return statusUsage
}
