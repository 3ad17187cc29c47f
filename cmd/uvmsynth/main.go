// Uvmsynth writes a synthetic Mu bundle that has the shape and, with -scale 1, the
// size of a compiler for a whole dynamic language. It serves to measure the translator.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/uvm2go/uvm2go/cmd/internal/synth"
)

func main() {
	scale := flag.Float64("scale", 1, "size as a `factor`; 1 is 9,600 functions")
	seed := flag.Uint64("seed", 1, "`seed` of the random choices")
	flag.Parse()
	s := synth.Full.Scale(*scale)
	s.Seed = *seed
	if err := synth.Write(os.Stdout, s); err != nil {
		fmt.Fprintln(os.Stderr, "uvmsynth:", err)
		os.Exit(2)
	}
}
