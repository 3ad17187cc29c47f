//go:build !windows

package main

// exeEnding is the ending of executables on the machine that uvm2go runs on.
const exeEnding = ""
