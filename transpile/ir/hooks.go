package ir

// HookKind says when a hook runs. A hook is a function without parameters and results.
type HookKind uint8

// The kinds of hooks. A program runs those of the first kind in order, then those of the
// second, then the entry function; when that has returned, those of the third and fourth kind, the
// last one first. A thread of native code runs those of the second kind when it first calls
// an exposed function, and those of the third when it ends. A thread that NEWTHREAD makes runs none.
// After an uncaught exception, a run-time error or THREADEXIT no more hooks run.
const (
	HookStart       HookKind = iota // when the program starts
	HookThreadStart                 // when a thread of native code starts, or the first thread
	HookThreadExit                  // when such a thread ends
	HookExit                        // when the program ends
	NumHooks
)

// hookNames are the kinds as the text has them.
var hookNames = [NumHooks]string{"start", "threadstart", "threadexit", "exit"}

func (k HookKind) String() string {
	if k < NumHooks {
		return hookNames[k]
	}
	return "?hook"
}

// Hooks are the hooks of a program by kind, in the order in which they were added.
type Hooks [NumHooks][]*Function

// Each calls f for each hook.
func (h *Hooks) Each(f func(k HookKind, fn *Function)) {
	for k := range h {
		for _, fn := range h[k] {
			f(HookKind(k), fn)
		}
	}
}

// Any reports whether there is a hook.
func (h *Hooks) Any() bool {
	for _, l := range h {
		if len(l) > 0 {
			return true
		}
	}
	return false
}

// Hook makes a function a hook.
func (b *Builder) Hook(k HookKind, f *Function) {
	if f == nil || k >= NumHooks {
		b.errorf("no function, or no kind of hook")
		return
	}
	b.Prog.Hooks[k] = append(b.Prog.Hooks[k], f)
}
