// Pygen writes the module _api of the package in Python: go run ./cmd/internal/muapi/pygen FILE.
package main

import (
	"log"
	"os"

	"github.com/uvm2go/uvm2go/cmd/internal/muapi"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("pygen: ")
	if len(os.Args) != 2 {
		log.Fatal("want the name of the file")
	}
	api, err := muapi.Read()
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(os.Args[1], []byte(api.Python()), 0o666); err != nil {
		log.Fatal(err)
	}
}
