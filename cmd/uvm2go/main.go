// Uvm2go translates programs in the IR of a micro virtual machine to Go. See
// uvm2go -h and the documentation in docs.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
)

// Exit statuses of the tool itself. The run command returns the status of its program.
const (
	statusOK    = 0
	statusInput = 1 // the input has errors
	statusUsage = 2 // usage or I/O error
)

// A command is one row of the command table. It declares its flags when it runs;
// see describe.
type command struct {
	name  string
	short string
	long  string // the text of -h below the usage, in lines of at most 79 characters
	run   func(e *env, args []string) int
}

// env holds a command's connections to the outside: its streams and the flags common to all commands.
type env struct {
	stdin  io.Reader
	stdout *output
	stderr io.Writer

	terminal   bool   // stderr is a terminal: show progress, and errors with their source
	verbose    bool   // -v
	echo       bool   // -x
	instead    string // ends the advice about a build that the environment prevents: another way to run the program
	debugged   bool   // build programs without optimisations of Go's compiler
	undebugged bool   // build programs without tables for debuggers, which take a quarter of the time to link

	print     func(*diag.List) error // prints the diagnostics of bundles, instead of the usual way
	notes     io.Writer              // if not nil, diagnostics are written here too
	described *manual                // if not nil, parseFlags records here what a command accepts, and the command does nothing else
}

var commands map[string]*command

func init() {
	commands = map[string]*command{}
	for _, c := range commandTable() {
		commands[c.name] = c
	}
}

func main() {
	// Most objects that a translator allocates live until its end. Collecting half as
	// often as usual takes 10% less time and a third more memory.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200)
	}
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(os.Stderr, "uvm2go: internal error: %v\n%s", r, debug.Stack())
			os.Exit(statusUsage)
		}
	}()
	os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Main runs the command line and returns the exit status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	e := &env{stdin: stdin, stdout: &output{file: stdout}, stderr: stderr, terminal: isTerminal(stderr)}
	return e.ended(e.main(args))
}

func (e *env) main(args []string) int {
	args, err := changeDir(args)
	if err != nil {
		return e.errorf("%v", err)
	}
	if len(args) == 0 {
		e.usage(e.stderr)
		return statusUsage
	}
	first := args[0]
	switch first {
	case "-h", "-help", "--help":
		e.usage(e.stdout)
		return statusOK
	case "-version", "--version":
		first = "version"
	}
	if first == "version" || first == "help" {
		e.stdout.checked = true // programs ask for the version to see whether uvm2go is there, and drop the answer
	}
	if c, ok := commands[first]; ok {
		return c.run(e, args[1:])
	}
	if !strings.HasPrefix(first, "-") && !strings.Contains(first, ".") {
		return e.errorf("unknown command %q%s (uvm2go -h lists the commands)", first, lex.DidYouMean(first, commandNames()))
	}
	return runTranslate(e, args)
}

// changeDir changes the folder if the first flag of the command line is -C. It
// returns the arguments without that flag.
func changeDir(args []string) ([]string, error) {
	at := 0
	if len(args) > 0 && commands[args[0]] != nil {
		at = 1
	}
	if at == len(args) {
		return args, nil
	}
	name, dir, joined := strings.Cut(args[at], "=")
	if name != "-C" && name != "--C" {
		return args, nil
	}
	n := 1
	if !joined {
		if at+1 == len(args) {
			return nil, errors.New("-C wants a folder")
		}
		dir, n = args[at+1], 2
	}
	if err := os.Chdir(dir); err != nil {
		return nil, err
	}
	return slices.Delete(slices.Clone(args), at, at+n), nil
}

func (e *env) errorf(format string, args ...any) int {
	fmt.Fprintf(e.stderr, "uvm2go: %s\n", strings.TrimSuffix(fmt.Sprintf(format, args...), "\n"))
	return statusUsage
}
