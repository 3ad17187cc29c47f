//go:build !amd64 || race

package gc

// lateBind says that the effect of setCtx may become visible to other threads only after later reads of
// this thread.
const lateBind = false

// setCtx stores what the thread executes.
func (th *Thread) setCtx(c *Ctx) { th.ctx.Store(c) }
