package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// goBuild adds the flags of the commands that run go build.
func (e *env) goBuild(fs *flag.FlagSet) {
	fs.BoolVar(&e.echo, "x", false, "print the commands that are run")
}

// goFlags passes -v and -x on to the go command.
func (e *env) goFlags() []string {
	var flags []string
	if e.verbose {
		flags = append(flags, "-v")
	}
	if e.echo {
		flags = append(flags, "-x")
	}
	return flags
}

// debugFlags returns the flags for a program that is to be debugged, or for one without tables for debuggers, unless the user's
// GOFLAGS have such flags. Lists
// of where variables are kept take Go's compiler longer than all else in large functions with many variables.
func (e *env) debugFlags() (flags []string) {
	if e.debugged && !strings.Contains(os.Getenv("GOFLAGS"), "-gcflags") {
		return []string{"-gcflags=-N -l"} // of the bundle's package, not of the runtime
	}
	if !e.undebugged {
		return nil
	}
	if !strings.Contains(os.Getenv("GOFLAGS"), "-ldflags") {
		flags = append(flags, "-ldflags=-w")
	}
	if !strings.Contains(os.Getenv("GOFLAGS"), "-gcflags") {
		flags = append(flags, "-gcflags=-dwarflocationlists=false")
	}
	return flags
}

// goCommand runs a go command and returns its output. With -v and -x the output
// appears at once, and the returned text is only searched for messages.
func (e *env) goCommand(cmd *exec.Cmd) (string, error) {
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	if e.verbose || e.echo {
		w := io.MultiWriter(e.stderr, &text)
		cmd.Stdout, cmd.Stderr = w, w
	}
	e.show(cmd)
	defer e.step("go build (the runtime too, the first time)")()
	err := cmd.Run()
	return text.String(), err
}

// show prints a command if -x is set.
func (e *env) show(cmd *exec.Cmd) {
	if e.echo {
		fmt.Fprintln(e.stderr, commandLine(cmd))
	}
}

// commandLine returns a command in a form that can be typed into a shell, with its
// folder and the variables that are set only for it.
func commandLine(cmd *exec.Cmd) string {
	var words []string
	if cmd.Dir != "" {
		words = append(words, "cd "+shellQuote(cmd.Dir)+" &&")
	}
	inherited := os.Environ()
	for _, v := range cmd.Env {
		if !slices.Contains(inherited, v) {
			name, value, _ := strings.Cut(v, "=")
			words = append(words, name+"="+shellQuote(value))
		}
	}
	for _, a := range cmd.Args {
		words = append(words, shellQuote(a))
	}
	return strings.Join(words, " ")
}

// shellQuote quotes a word for a shell if necessary.
func shellQuote(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%"
	if s != "" && strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
