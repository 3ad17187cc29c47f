//go:build !wasm

package gc

// cooperative says that Go lets no goroutine run until another one waits or yields.
const cooperative = false

// quiet is Ctx.Poll while nobody asks for a safepoint.
const quiet = 0
