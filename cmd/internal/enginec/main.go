// Enginec writes the C code of rtlib/ffi/process: that of generated programs, from where they get it. It is run in the
// folder of that package.
package main

import (
	"log"
	"os"

	"github.com/uvm2go/uvm2go/transpile/gogen"
)

// file is the name of the file in the folder of the package.
const file = "program_gen.h"

func main() {
	if err := os.WriteFile(file, []byte(gogen.EngineC()), 0o666); err != nil {
		log.Fatal(err)
	}
}
