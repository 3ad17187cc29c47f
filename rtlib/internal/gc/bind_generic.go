//go:build !amd64 || race

package gc

// lateBind says that others may see setCtx some time after the thread has read on.
const lateBind = false

// setCtx stores what the thread executes.
func (th *Thread) setCtx(c *Ctx) { th.ctx.Store(c) }
