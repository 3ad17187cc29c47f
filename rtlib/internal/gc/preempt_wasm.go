package gc

// cooperative says that Go lets no goroutine run until another one waits or yields. A loop that
// waits for what another thread stores must then yield itself, at its polls.
const cooperative = true

// quiet is Ctx.Poll while nobody asks for a safepoint. It is not 0 here, so that every poll calls
// Safepoint, which counts.
const quiet = 1

// Segments are small because the frames of one lie on the host's stack at the same time: that of a
// browser has a little less than a megabyte, and 680 of the smallest frames are in a segment.
const (
	mediumSegment = 32 << 10
	pieceSize     = 32 << 10
)

// maxFrames is how many bytes frames may take of a budget: Go's stack is up to four times as large, and
// there are 4 GB for everything.
const maxFrames = 64 << 20
