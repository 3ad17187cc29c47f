package gc

// Ctx is the context of one Mu stack: the first argument of each generated function.
// While a thread is bound to the stack only the goroutine that runs it touches the
// context, except that others may set Limit to 0 and Poll to 1 to ask for a safepoint.
//
// # The shadow stack
//
// References that live across a call, an allocation or a poll are kept in frames
//
//	[u32 shape][u32 site][N root words][M untraced words]
//
// where a word is eight bytes, bits 0..15 of shape are the size of the frame in words
// (the first, with shape and site, included) and bits 16..31 are N. Root word i is the
// uintptr at fp+8+8*i: 0 or any address that a SlotIRef may hold. A function does
//
//	fp := t.SP
//	if fp+SIZE > t.Limit {
//		if fp = t.Grow(SIZE); fp == 0 {
//			return // zero results; Thrown is 1, Exc 0
//		}
//	}
//	t.SP = fp + SIZE
//	*(*uint32)(fp) = shape
//	// zero the root words
//	...
//	t.SP = fp // at each exit, a throw included
//
// Grow may collect. The frame does not exist yet then, so references that came as
// arguments and that no caller has rooted must be passed: t.GrowRefs(SIZE, a, b).
type Ctx struct {
	Cur uintptr // next free byte of the allocation window, zeroed memory
	End uintptr // end of the allocation window

	SP    uintptr // end of the newest frame
	Limit uintptr // frames must end at or below it; 0 asks for a safepoint

	Thrown uint32  // 1 while an exception propagates
	Poll   uint32  // not 0 asks for a safepoint
	Exc    uintptr // the exception being propagated; a root

	AP uintptr // end of the newest alloca cell; 0 when there is none

	Overflow bool // set with Thrown when the stack is exhausted, cleared by whoever handles it

	Th   *Thread // the thread bound to the stack, nil when there is none
	User any     // of the threads layer

	X    [16]uint64  // transfer words
	XRef [16]uintptr // transfer references, roots; nulled by the receiver
}

// Mark is a height of the alloca stack. The zero Mark is the empty stack.
type Mark uintptr
