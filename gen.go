// Package uvm2go has the directives that regenerate the generated files of the module,
// and embeds the sources of the runtime, which the command copies into the modules that
// it writes. The translator is package transpile, the command cmd/uvm2go.
package uvm2go

import "embed"

//go:generate go run ./cmd/internal/rooms
//go:generate go run ./cmd/internal/muapi/pygen python/mu/_api.py
//go:generate go generate ./transpile/ir ./transpile/internal/clib ./rtlib/... ./examples/...

// Runtime is the source of the runtime library: package rtlib and those below it, the parsers
// that it shares with the translator, and the parts of the translator that the engine for live code needs.
//
//go:embed rtlib internal/lexis
//go:embed transpile/analysis transpile/archive transpile/diag transpile/dialect transpile/dialects transpile/expand transpile/facts transpile/ial
//go:embed transpile/internal transpile/ir transpile/irtext transpile/layout transpile/mu transpile/osr transpile/passes transpile/ssabuild transpile/tvm
//go:embed transpile/sandbox transpile/uvm2014 transpile/verify
var Runtime embed.FS
