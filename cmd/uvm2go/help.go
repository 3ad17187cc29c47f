package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/passes"
)

// A manual describes the arguments and flags of a command. -h, the man page and the
// completions of shells are made from it.
type manual struct {
	*command
	usage string // after "uvm2go "
	flags *flag.FlagSet
}

// commandTable lists the commands by name.
func commandTable() []*command {
	return []*command{
		{"build", "translate and build an executable", `
Translates the bundles, as one program, and runs go build with the environment's
GOOS, GOARCH, CGO_ENABLED and GOFLAGS. Without -o the executable has the name of
the first bundle. The input can also be the output of translate:

	uvm2go bundle.uir | uvm2go build -`, runBuild},
		{"check", "read and validate only", `
Reads the bundles and reports all errors in them. On a terminal it shows the
source line of each error with a caret below the place. -json and -sarif are
for other programs; the exit status is the same.`, runCheck},
		{"completion", "print the completions for a shell", `
Prints a script that makes the shell (bash, zsh or fish) complete commands,
flags and files:

	uvm2go completion bash >~/.local/share/bash-completion/completions/uvm2go
	uvm2go completion zsh >~/.zfunc/_uvm2go       (a folder of $fpath)
	uvm2go completion fish >~/.config/fish/completions/uvm2go.fish`, runCompletion},
		{"convert", "convert between the forms of a dialect", `
Writes a bundle in another form. Canonical text (uir) is formatted as by fmt.`, runConvert},
		{"debug", "print a script for a debugger", `
Prints commands for Delve or GDB that show Mu objects, frames and stacks of
programs made by build -g.`, runDebug},
		{"diff", "compare two bundles, function by function", `
Compares the representation of two bundles after all passes or, with -O0, as
they were read, or the Go made of them. Numbers, ids, and names of values and
blocks do not count, and definitions may stand in another order. With one
bundle, both sides are made of it, with different levels or passes; -disable
and -passes then only hold for the second. The exit status is 0 if nothing
differs, 1 if something does, 2 after an error.

	uvm2go diff -O 0,1 -stat BUNDLE
	uvm2go diff -passes names,inline BUNDLE`, runDiff},
		{"dump", "show the internal representation", `
Shows the representation of the functions as text: after all passes or, with
-O0, as it was read. -passes runs the passes that it names, and no others, and
verifies what each has made:

	uvm2go dump -passes names,simplify,number BUNDLE`, runDump},
		{"fmt", "format text bundles", `
Formats bundles in a standard layout; only white space changes. Without flags
the result goes to standard output.`, runFmt},
		{"help", "explain a command or a topic", `
Prints the same as -h of the command, or explains a topic. Without an argument
it lists both.`, runHelp},
		{"image", "run a program that the library libmu has written", `
Runs a file that make_boot_image of the C interface has written where there was
no Go toolchain. The system calls it to start the file: the file's first line
names it.`, runImage},
		{"libmu", "make the C library of Mu's client API", `
Makes a folder with the library libmu and its C headers, laid out as the
installations of upstream implementations of Mu, so that their clients find it:
MU=DIR, MU_RUST=DIR, MU_ZEBU=DIR, DIR/cbinding/refimpl2-config, pkg-config. It
needs Go and a C compiler.`, runLibmu},
		{"litmus", "say what the memory model allows", `
Judges litmus tests, in the notation of package atomicsmodel or in the C form
of herd7: whether the outcome that a test asks for occurs Never, Sometimes or
Always, all final states, an execution that has the outcome or the axiom that
forbids it. The exit status is 1 if a file expects something else.`, runLitmus},
		{"lsp", "serve an editor", `
Speaks the Language Server Protocol with an editor, on standard input and
output: errors while typing, layout, definitions and uses, new names,
suggestions, the Go of a function. docs/editors.md tells how to set up VS Code,
Neovim and Helix.`, runLSP},
		{"man", "print the man page", `
Prints the man page of uvm2go with all commands, flags and topics:

	uvm2go man >~/.local/share/man/man1/uvm2go.1`, runMan},
		{"reduce", "make a bundle smaller while a command ends on it as before", `
Runs the command on smaller and smaller bundles, and prints the smallest on
which it ends with the same status as at first: 0 if the command is a test of
what is interesting, another if it is what fails. The names of the bundles, or
{}, in the arguments of the command stand for the files with the smaller ones,
which otherwise follow the arguments. Bundles without errors stay without
errors. An interrupt ends the search early.

	uvm2go reduce -output BOUNDS BUNDLE -- uvm2go run -interp {}
	uvm2go reduce BUNDLE -- grep -q CMPXCHG
	uvm2go reduce -fails -j 4 BUNDLE -- ./same-at-both-levels.sh`, runReduce},
		{"repl", "define and call functions at a prompt", `
Loads the bundles and reads definitions, calls and commands from standard
input. Definitions are Mu text, or in the dialect of -dialect. @name(1, 2)
calls a function and prints its results; @name shows the kind, type and value
of an entity; :help explains the rest. Nothing is built: code runs at once, as
with run -live.`, runRepl},
		{"run", "translate, build and run", `
Translates, builds and runs the program made from the bundles. The exit status
is the program's. Built programs are kept, so that the same input is not built
again.`, runRun},
		{"translate", "translate to Go source (the default command)", `
Translates the bundles, as one program, to Go source: on standard output, in a
file (-o x.go), or as a module that builds without a network (-o folder). Run
by go generate, it writes NAME_uir.go for the package there. Only generated
files are replaced. The word translate can be left out.`, runTranslate},
		{"unit", "make a plugin for a running program", `
Makes a Go plugin from the representation of a bundle that a running program
has loaded. Programs that compile hot code (-tier2) run this command; you need
not.`, runUnit},
		{"version", "print version information", `
Prints the version of uvm2go, that of Go, and the platform.`, runVersion},
	}
}

// A topic is a text of the help command and a section of the man page.
type topic struct {
	name, short string
	rows        [][2]string // a term and its explanation
}

var topics = []topic{
	{"environment", "variables that programs and uvm2go read", [][2]string{
		{"UVM_HEAP", "the maximum number of bytes for the objects of a program, such as 64M or 2G; by default half of the machine's memory"},
		{"UVM_STACK", "the maximum number of bytes for the frames and cells of one stack; by default 64M"},
		{"UVM_TIME", "how long a program may run, such as 500ms or 10s; by default as long as it likes, with -sandbox one minute"},
		{"UVM_TRAP", "the default trap handler of a program: print or abort"},
		{"GOCOVERDIR", "the folder into which programs made with -cover write"},
		{"UVMDEBUG", "switches of a program, key=value, separated by commas: gctrace, gcstress, gcverify, clobberfree, traptrace, stacktrace; files for profiles, of programs made with -profile: cpuprofile, memprofile, trace"},
		{"UVM2GO_RUN", "live makes uvm2go run use -live for programs that allow it"},
		{"UVM2GO_CACHE", "the folder in which uvm2go keeps programs and the runtime's sources; by default uvm2go/run in the user's cache folder"},
		{"GOOS, GOARCH, CGO_ENABLED, GOFLAGS, ...", "uvm2go build and run obey these like go build"},
	}},
	{"status", "exit statuses", [][2]string{
		{"0", "success, with or without warnings"},
		{"1", "the input has errors; nothing was written"},
		{"2", "wrong usage, files that cannot be read or written, a failed go build"},
		{"of programs", "the value that the entry function returned, modulo 256; 3 after an uncaught exception, 4 after a run-time error; 128 and more after a signal"},
	}},
	{"passes", "the optimising passes, for -disable, dump -after and dump -passes", aboutPasses()},
}

// aboutPasses lists the passes, with what they do and which others usually come before, and why.
func aboutPasses() [][2]string {
	var rows [][2]string
	for _, n := range transpile.Passes() {
		about := transpile.AboutPass(n)
		for i, need := range passes.Needs(n) {
			about += [...]string{"; usually after ", ", "}[min(i, 1)] + need.Pass + " (" + need.Why + ")"
		}
		rows = append(rows, [2]string{n, about})
	}
	return rows
}

// commandNames lists the names of the commands in the order of the table.
func commandNames() []string {
	var names []string
	for n := range commands {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// describe returns the manual of a command.
func describe(c *command) manual {
	var m manual
	c.run(&env{stdin: strings.NewReader(""), stdout: &output{file: io.Discard}, stderr: io.Discard, described: &m}, nil)
	return m
}

// print writes the text of -h.
func (m manual) print(w io.Writer) {
	fmt.Fprintf(w, "usage: uvm2go %s\n%s\n\nflags:\n", m.usage, m.long)
	m.flags.SetOutput(w)
	m.flags.PrintDefaults()
}

func (e *env) usage(w io.Writer) {
	fmt.Fprintln(w, "usage: uvm2go [command] [flags] BUNDLE...")
	fmt.Fprintln(w)
	for _, n := range commandNames() {
		fmt.Fprintf(w, "  %-10s %s\n", n, commands[n].short)
	}
	fmt.Fprintln(w, "\nuvm2go help COMMAND, or uvm2go COMMAND -h, shows the flags of a command.\nuvm2go help TOPIC explains:")
	fmt.Fprintln(w)
	for _, t := range topics {
		fmt.Fprintf(w, "  %-11s %s\n", t.name, t.short)
	}
}

func runHelp(e *env, args []string) int {
	rest, status, done := e.parseFlags(newFlags("help"), "help [COMMAND or TOPIC]", args)
	switch {
	case done:
		return status
	case len(rest) == 0:
		e.usage(e.stdout)
		return statusOK
	case len(rest) > 1:
		return e.errorf("help explains one command or topic at a time")
	}
	if c := commands[rest[0]]; c != nil {
		describe(c).print(e.stdout)
		return statusOK
	}
	for _, t := range topics {
		if t.name == rest[0] {
			fmt.Fprintf(e.stdout, "%s: %s\n", t.name, t.short)
			for _, r := range t.rows {
				fmt.Fprintf(e.stdout, "\n  %s\n    \t%s\n", r[0], r[1])
			}
			return statusOK
		}
	}
	known := commandNames()
	for _, t := range topics {
		known = append(known, t.name)
	}
	return e.errorf("help: %q is neither a command nor a topic%s (uvm2go help lists both)", rest[0], lex.DidYouMean(rest[0], known))
}
