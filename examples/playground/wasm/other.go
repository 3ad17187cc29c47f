//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "this is for a browser: go run ./examples/playground -o DIR makes a page with it")
	os.Exit(2)
}
