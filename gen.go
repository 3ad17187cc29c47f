// Package uvm2go has the directives that regenerate the generated files of the module,
// and embeds the sources of the runtime, which the command copies into the modules that
// it writes. The translator is package transpile, the command cmd/uvm2go.
package uvm2go

import "embed"

//go:generate go run ./cmd/internal/rooms
//go:generate go generate ./transpile/ir ./transpile/internal/clib ./rtlib/... ./examples/...

// Runtime is the source of the runtime library: package rtlib and those below it, and the parsers
// that it shares with the translator.
//
//go:embed rtlib internal/lexis
var Runtime embed.FS
