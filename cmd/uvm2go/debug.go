package main

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
)

//go:embed debug/mu.star
var delveScript string

//go:embed debug/mu.py
var gdbScript string

// debugScripts are the scripts for debuggers, by the names of these.
var debugScripts = map[string]string{"dlv": delveScript, "gdb": gdbScript}

func runDebug(e *env, args []string) int {
	fs := newFlags("debug")
	script := fs.String("script", "", "print the script for the `debugger` dlv or gdb")
	rest, status, done := e.parseFlags(fs, "debug -script dlv|gdb", args)
	if done {
		return status
	}
	text, ok := debugScripts[*script]
	switch {
	case len(rest) > 0:
		return e.errorf("debug takes no arguments, got %s", rest[0])
	case !ok:
		return e.errorf("debug: -script wants %s, got %q", strings.Join(slices.Sorted(maps.Keys(debugScripts)), " or "), *script)
	}
	if _, err := e.stdout.Write([]byte(text)); err != nil {
		return e.errorf("%v", err)
	}
	return statusOK
}
