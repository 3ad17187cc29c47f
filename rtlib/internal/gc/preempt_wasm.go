package gc

// cooperative says that Go lets no goroutine run until another one waits or yields. A loop that
// waits for what another thread stores must then yield itself, at its polls.
const cooperative = true

// quiet is Ctx.Poll while nobody asks for a safepoint. It is not 0 here, so that every poll calls
// Safepoint, which counts.
const quiet = 1
