package ir

import "github.com/uvm2go/uvm2go/transpile/diag"

// Inlined says where an instruction that was copied from another body comes
// from, so that a backtrace can show the frames that the source has.
type Inlined struct {
	// Func is the function whose frame the instruction would run in.
	Func *Function
	// Call is the place of the call in the frame below.
	Call diag.Pos
	// Tail means that the function was entered by a TAILCALL, which replaced the
	// frame below: that frame does not exist, and Call has no meaning.
	Tail bool
	// Below is the frame below, nil for that of the version's own function.
	Below *Inlined
}
