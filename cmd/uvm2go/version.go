package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

func runVersion(e *env, args []string) int {
	v := "devel"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		v = info.Main.Version
	}
	fmt.Fprintf(e.stdout, "uvm2go %s %s %s/%s\n", v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return statusOK
}
