//go:build !wasm

package gc

import "math/bits"

// cooperative says that Go lets no goroutine run until another one waits or yields.
const cooperative = false

// quiet is Ctx.Poll while nobody asks for a safepoint.
const quiet = 0

// mediumSegment is the size of segments of the second class.
const mediumSegment = 64 << 10

// pieceSize is the size of the pieces that are cut from a segment of the largest class, 0 if none are.
const pieceSize = 0

// maxFrames is how many bytes frames may take of a budget. Go's stack is up to four times as large
// (frameSize in transpile/lower), and a little more: what Go itself adds to each frame, and what runs
// below and above the frames. Go ends a process whose stack would have to grow beyond 1 GB, or 256 MB
// where addresses have 32 bits.
const maxFrames = 60 << 20 * (1 + 3*(bits.UintSize/64))
