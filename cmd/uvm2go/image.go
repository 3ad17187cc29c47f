package main

import (
	"encoding/json"
	"slices"
	"strings"
)

// flagLine begins the line of an image that has the flags of run, as a list in JSON.
const flagLine = "//flags "

// runImage runs a file that libmu has made without the Go toolchain. The system calls the command with the name of the file
// and the arguments of the program.
func runImage(e *env, args []string) int {
	fs := newFlags("image")
	rest, status, done := e.parseFlags(fs, "image FILE [ARG...]", args)
	if done {
		return status
	}
	if len(rest) == 0 {
		return e.errorf("image: no file given (uvm2go image -h)")
	}
	s, err := e.read(rest[0])
	if err != nil {
		return e.errorf("%v", err)
	}
	flags, err := imageFlags(string(s.Text))
	if err != nil {
		return e.errorf("image: %s: %v", rest[0], err)
	}
	return runRun(e, slices.Concat([]string{"-live"}, flags, rest[:1], []string{"--"}, rest[1:]))
}

// imageFlags are the flags in the second line of an image.
func imageFlags(text string) (flags []string, err error) {
	_, rest, _ := strings.Cut(text, "\n")
	line, _, _ := strings.Cut(rest, "\n")
	if list, ok := strings.CutPrefix(line, flagLine); ok {
		err = json.Unmarshal([]byte(list), &flags)
	}
	return flags, err
}
