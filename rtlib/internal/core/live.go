package core

import "unsafe"

// Engine is the engine for bodies that are not compiled, which package live sets if it is linked. Its
// frames are on the shadow stack like all others; on Go's stack a run of them is one frame.
var Engine struct {
	Loop string // the Go function that runs bodies
	// Read reads a text or binary bundle that is loaded into the program under a name, "" if it has none. Its
	// error is an error of loading, with the code of docs/language.md, "Run-time errors". The caller does not
	// hold up other parts of the runtime meanwhile.
	Read func(t *Ctx, name, text string) (u *LiveBundle, code string, err error)
	// LoadFor calls a function that loads something, for a client's context. Package mu sets it.
	LoadFor func(client any, load func(t *Ctx)) error
	// VMFor is the VM of a client's context. Package mu sets it.
	VMFor func(client any) *VM
	// Loaded is called after a bundle was loaded.
	Loaded func(t *Ctx)
	// Gone is called when nothing of a VM runs any more and its stacks are dead, with the world stopped.
	Gone func(vm *VM)
	// Build executes an instruction of the IR builder, given by its opcode, with operands and result in X(t).
	Build func(t *Ctx, opcode uint32) (code string, err error)
	// Literals reads literals, as arguments of a function of a name, into the words and references of their
	// values. References are NULL.
	Literals func(vm *VM, e *Entity, name, text string) (w [][]uint64, r [][]uintptr, err error)
	Places   func(t *Ctx, l []LivePlace) []LivePlace // appends the places of the bodies on a stack, the newest first
	Where    func(p LivePlace) string                // the name of the instruction
	Frames   func(p LivePlace, out []Frame) []Frame  // appends the frames of a place: several if bodies were inlined
}

// LivePlace is a place in the code of the engine.
type LivePlace struct {
	Code  unsafe.Pointer
	Index int32
	Last  bool // the last of those that are one frame on Go's stack
}

// livePlaces appends the places of the bodies on a stack that are not compiled.
func livePlaces(t *Ctx, l []LivePlace) []LivePlace {
	if Engine.Places == nil {
		return l
	}
	return Engine.Places(t, l)
}

// liveFrames appends the frames of one run of the engine, and returns the places below it.
func liveFrames(out []Frame, live []LivePlace) ([]Frame, []LivePlace) {
	for i, p := range live {
		if out = Engine.Frames(p, out); p.Last {
			return out, live[i+1:]
		}
	}
	return out, nil
}
