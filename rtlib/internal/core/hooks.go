package core

import "sync"

// A Hook is a function without parameters and results.
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

// enterThread runs the hooks for the start of a thread.
func enterThread(t *Ctx) error {
	return runHooks(t, func() bool {
		for _, p := range packages {
			if !forward(t, p.Hooks.ThreadStart) {
				return false
			}
		}
		return true
	}, func(h *Hooks) bool { return h.ThreadStart != nil })
}

// leaveThread runs the hooks for the end of a thread.
func leaveThread(t *Ctx) error {
	return runHooks(t, func() bool {
		for i := len(packages) - 1; i >= 0; i-- {
			if !backward(t, packages[i].Hooks.ThreadExit) {
				return false
			}
		}
		return true
	}, func(h *Hooks) bool { return h.ThreadExit != nil })
}

// runHooks runs hooks on the home stack of t, if some package has any.
func runHooks(t *Ctx, run func() bool, has func(h *Hooks) bool) error {
	for _, p := range packages {
		if has(&p.Hooks) {
			return Do(t, func() { run() })
		}
	}
	return nil
}

// exits lets Finish have an effect only once.
var exits sync.Once

// Finish runs the exit hooks of the packages once, those of the last package first. Clients call it when
// they do not need Mu code any more. Other threads may still run. It returns the error of a hook, after
// which no more hooks run.
func Finish() (err error) {
	exits.Do(func() {
		started()
		if err = prepared.all(); err != nil || len(packages) == 0 {
			return
		}
		t := newThreadCtx()
		defer giveBack(t)
		err = Do(t, func() {
			for i := len(packages) - 1; i >= 0 && backward(t, packages[i].Hooks.Exit); i-- {
			}
		})
	})
	return err
}

// foreign has the contexts of OS threads that C made and that have called back, by the results of
// cLibrary.self. They are kept between calls if there are thread hooks.
var foreign struct {
	mu   sync.Mutex
	kept map[uintptr]*Ctx // guarded by mu
}

// foreignThread returns the context for a call on an OS thread that C made, and whether it must be
// kept.
func foreignThread() (t *Ctx, keep bool, err error) {
	keep = false
	for _, p := range packages {
		keep = keep || p.Hooks.ThreadStart != nil || p.Hooks.ThreadExit != nil
	}
	if !keep {
		t, err = startThread()
		return t, false, err
	}
	self := cLibrary.self()
	if self == 0 {
		t, err = startThread()
		return t, false, err
	}
	foreign.mu.Lock()
	t = foreign.kept[self]
	foreign.mu.Unlock()
	if t != nil {
		return t, true, nil
	}
	if t, err = startThread(); err != nil {
		return nil, false, err
	}
	foreign.mu.Lock()
	defer foreign.mu.Unlock()
	if foreign.kept == nil {
		foreign.kept = map[uintptr]*Ctx{}
	}
	foreign.kept[self] = t
	return t, true, nil
}

// ThreadGone is called on an OS thread that C made when it ends.
func ThreadGone(self uintptr) {
	foreign.mu.Lock()
	t := foreign.kept[self]
	delete(foreign.kept, self)
	foreign.mu.Unlock()
	if t == nil {
		return
	}
	err := leaveThread(t)
	giveBack(t)
	endForeign(err)
}
