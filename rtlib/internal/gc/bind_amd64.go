//go:build amd64 && !race

package gc

import "unsafe"

// lateBind says that the effect of setCtx may become visible to other threads only after later reads of
// this thread.
const lateBind = true

// setCtx stores what the thread executes, with order RELEASE: on amd64 a plain store, without the
// locked instruction of Store, see package atomics. The compiler keeps it between the stores before
// it and the next atomic load or call. What that means for stopping the world is at the top of
// thread.go.
func (th *Thread) setCtx(c *Ctx) { *(**Ctx)(unsafe.Pointer(&th.ctx)) = c }
