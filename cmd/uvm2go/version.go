package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

func runVersion(e *env, args []string) int {
	rest, status, done := e.parseFlags(newFlags("version"), "version", args)
	if done {
		return status
	}
	if len(rest) > 0 {
		return e.errorf("version takes no arguments, got %s", rest[0])
	}
	fmt.Fprintf(e.stdout, "uvm2go %s %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return statusOK
}

// version returns the version of the module that the command was built from.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "devel"
}
