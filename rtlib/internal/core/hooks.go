package core

// A Hook has neither parameters nor results.
type Hook = func(t *Ctx)

// Hooks are functions of a program that the runtime calls (docs/ir.md, "Hooks").
type Hooks struct {
	Start       []Hook // when the program starts
	ThreadStart []Hook // when a thread of native code or of a Go caller starts, or the first thread
	ThreadExit  []Hook // when such a thread ends, the last one first
	Exit        []Hook // when the program ends, the last one first
}

// forward calls functions in order and reports whether none has thrown.
func forward(t *Ctx, list []Hook) bool {
	for _, f := range list {
		if f(t); t.Thrown != 0 {
			return false
		}
	}
	return true
}

// backward is forward in reverse order.
func backward(t *Ctx, list []Hook) bool {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i](t); t.Thrown != 0 {
			return false
		}
	}
	return true
}
