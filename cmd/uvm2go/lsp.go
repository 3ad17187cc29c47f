package main

import (
	"github.com/uvm2go/uvm2go/cmd/internal/lsp"
)

func runLSP(e *env, args []string) int {
	fs := newFlags("lsp")
	fs.Bool("stdio", true, "use standard input and output, as always; editors pass it")
	rest, status, done := e.parseFlags(fs, "lsp", args)
	switch {
	case done:
		return status
	case len(rest) > 0:
		return e.errorf("lsp takes no arguments: the editor names the files")
	}
	s := lsp.Server{Version: version(), Log: e.stderr, Go: goFunctions}
	if err := s.Serve(e.stdin, e.stdout); err != nil {
		return e.errorf("lsp: %v", err)
	}
	return statusOK
}
