//go:build js

// The playground's executable for a Web Worker: a thin shell around package play. Without arguments it
// gives the worker a function, respond(question, request), and stays; with the argument run it runs the
// program of the variable request and ends with its exit status.
package main

import (
	"os"
	"syscall/js"

	"github.com/uvm2go/uvm2go/examples/playground/play"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "run" {
		os.Exit(play.Run([]byte(js.Global().Get("request").String())))
	}
	js.Global().Set("respond", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(play.Respond(args[0].String(), []byte(args[1].String())))
	}))
	js.Global().Call("ready")
	select {}
}
