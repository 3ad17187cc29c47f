package stack

import (
	"fmt"
	"sync/atomic"
)

// State is the state of a Mu stack (docs/language.md, "Stacks and threads"). READY carries the
// number of the list of values that the stack waits for. The zero State is ACTIVE. All changes are
// atomic; of several that try to bind or kill a READY stack one succeeds.
//
// A READY stack whose goroutine runs another stack's body meanwhile is lent: only that body can
// give it back, see package thread.
type State struct{ word atomic.Uint32 }

const (
	wordActive = 0
	wordReady  = 1 // list<<listShift | wordReady
	wordDead   = 2
	wordHeld   = 3 // list<<listShift | wordHeld: READY, but nobody may bind or kill it

	wordKind  = 3
	wordLent  = 4 // with wordReady: nobody may bind or kill it yet
	listShift = 3
)

// Verdict is the outcome of an attempt to bind, kill or hold a stack. It tells the state in which
// the attempt found the stack: that may have changed since, so a message about the attempt
// must not look again.
type Verdict uint8

const (
	Bound      Verdict = iota // the attempt succeeded
	Active                    // ACTIVE
	Dead                      // DEAD
	WrongTypes                // READY for other values
	Held                      // READY, but being inspected
	Lent                      // READY, but its goroutine is lent
)

func (v Verdict) String() string {
	return [...]string{"READY", "ACTIVE", "DEAD", "READY for other values", "inspected", "lent"}[v]
}

// refusal is the verdict on a stack that is not READY.
func refusal(w uint32) Verdict {
	if w == wordDead {
		return Dead
	}
	return Active
}

// Bind makes a stack that is READY<list> ACTIVE; with any, one that is READY for
// any list.
func (s *State) Bind(list uint32, any bool) Verdict {
	v, _ := s.TryBind(list, any)
	return v
}

// TryBind is Bind, and with WrongTypes returns the list that the stack waited for.
func (s *State) TryBind(list uint32, any bool) (v Verdict, waits uint32) {
	for {
		w := s.word.Load()
		if w&wordKind == wordHeld {
			return Held, 0
		}
		if w&wordKind != wordReady {
			return refusal(w), 0
		}
		if !any && w>>listShift != list {
			return WrongTypes, w >> listShift
		}
		if w&wordLent != 0 {
			return Lent, 0
		}
		if s.word.CompareAndSwap(w, wordActive) {
			return Bound, 0
		}
	}
}

// Take is Bind, but only reports whether it succeeded.
func (s *State) Take(list uint32) bool {
	return s.word.CompareAndSwap(list<<listShift|wordReady, wordActive)
}

// Publish makes an ACTIVE stack, the caller's, READY<list>. Whoever binds it sees what was written
// before.
func (s *State) Publish(list uint32) { s.publish(list<<listShift | wordReady) }

// Lend makes an ACTIVE stack, the caller's, READY<list>, but lent.
func (s *State) Lend(list uint32) { s.publish(list<<listShift | wordLent | wordReady) }

// Lent reports whether the stack is lent.
func (s *State) Lent() bool { return s.word.Load()&wordLent != 0 }

// Return binds a lent stack, for the guest that runs on its goroutine.
func (s *State) Return() { s.publish(wordActive) }

// Leave makes an ACTIVE stack, the caller's, READY<list>. For stacks whose goroutine may
// be woken before it waits; others publish with SwitchReady.
func (s *State) Leave(list uint32) { s.word.Store(list<<listShift | wordReady) }

// Kill makes a READY stack that is neither lent nor held DEAD.
func (s *State) Kill() Verdict {
	for {
		w := s.word.Load()
		switch {
		case w&wordKind == wordHeld:
			return Held
		case w&wordKind != wordReady:
			return refusal(w)
		case w&wordLent != 0:
			return Lent
		case s.word.CompareAndSwap(w, wordDead):
			return Bound
		}
	}
}

// End makes an ACTIVE stack, the caller's, DEAD.
func (s *State) End() { s.word.Store(wordDead) }

// Dead reports whether the stack is DEAD.
func (s *State) Dead() bool { return s.word.Load() == wordDead }

// Ready returns the list that a READY stack waits for.
func (s *State) Ready() (list uint32, ok bool) {
	w := s.word.Load()
	return w >> listShift, w&1 != 0
}

// Hold keeps a READY stack from being bound or killed, until Unhold. A stack that is held
// already stays so.
func (s *State) Hold() Verdict {
	for {
		w := s.word.Load()
		switch {
		case w&wordKind == wordHeld:
			return Bound
		case w&wordKind != wordReady:
			return refusal(w)
		case w&wordLent != 0:
			return Lent
		case s.word.CompareAndSwap(w, w|wordHeld):
			return Bound
		}
	}
}

// Held reports whether the stack is held.
func (s *State) Held() bool { return s.word.Load()&wordKind == wordHeld }

// SetReady changes what a held stack waits for.
func (s *State) SetReady(list uint32) { s.word.Store(list<<listShift | wordHeld) }

// Unhold ends Hold; it does not change a stack that is not held.
func (s *State) Unhold() {
	if w := s.word.Load(); w&wordKind == wordHeld {
		s.word.Store(w&^wordKind | wordReady)
	}
}

func (s *State) String() string {
	switch w := s.word.Load(); w & wordKind {
	case wordReady, wordHeld:
		return fmt.Sprintf("READY<%d>", w>>listShift)
	case wordDead:
		return "DEAD"
	}
	return "ACTIVE"
}

// Activate makes a stack ACTIVE that its owner uses again.
func (s *State) Activate() {
	if s.word.Load() != wordActive { // a store that other processors must see takes longer
		s.word.Store(wordActive)
	}
}
