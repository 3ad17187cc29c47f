package ir

import "github.com/uvm2go/uvm2go/transpile/diag"

// Inlined says where an instruction that was copied from another body comes
// from, so that a backtrace, or a client that inspects the stack, can see the frames that the source has.
type Inlined struct {
	// Func is the function whose frame the instruction would run in, Version the id of its body.
	Func    *Function
	Version uint32
	// Call is the place of the call in the frame below, CallID its id and Sig its signature.
	Call   diag.Pos
	CallID uint32
	Sig    TypeID
	// Tail means that the function was entered by a TAILCALL, which replaced the
	// frame below: that frame does not exist, and Call has no meaning.
	Tail bool
	// Below is the frame below, nil for that of the version's own function.
	Below *Inlined
}
