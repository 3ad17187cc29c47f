// Package tier2 compiles code that arrives at run time when it is hot: whoever links it, with an import for its effect,
//
//	import _ "github.com/uvm2go/uvm2go/rtlib/live/tier2"
//
// has bundles that run long on the engine (package live) translated to Go and built as plugins, in the background,
// by the command uvm2go, which must be in PATH, and the Go toolchain. The functions then get those bodies. Where that
// cannot be (without cgo, on systems without plugins, without the command), the code stays on the engine;
// UVMDEBUG=live=1 says why, UVMDEBUG=tier1=1 leaves all code there.
//
// Package plugin makes programs larger and links them dynamically, so that this is a package of its own.
package tier2
