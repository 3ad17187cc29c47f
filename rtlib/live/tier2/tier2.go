// Package tier2 compiles hot code that arrives at run time. A program that links it, with an import for its effect,
//
//	import _ "github.com/uvm2go/uvm2go/rtlib/live/tier2"
//
// translates bundles that run long on the engine (package live) to Go and builds them as plugins, in the
// background, with the command uvm2go, which must be in PATH, and the Go toolchain. The functions then get those
// bodies. Where that is impossible (without cgo, on systems without plugins, without the command), the code stays
// on the engine; UVMDEBUG=live=1 says why, UVMDEBUG=tier1=1 leaves all code there.
//
// Package plugin makes programs larger and links them dynamically, so this is a separate package.
package tier2
