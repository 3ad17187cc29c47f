package stack

import (
	"fmt"
	"sync/atomic"
)

// State is the state of a Mu stack (mu-runtime, 3.1). READY carries the number of the
// list of values that the stack waits for. The zero State is ACTIVE. All changes are
// atomic; of several that try to bind or kill a READY stack one succeeds.
type State struct{ word atomic.Uint32 }

const (
	wordActive = 0
	wordReady  = 1 // list<<2 | wordReady
	wordDead   = 2
	wordHeld   = 3 // list<<2 | wordHeld: READY, but nobody may bind or kill it
)

// Verdict is how an attempt to bind a stack came out.
type Verdict uint8

const (
	Bound      Verdict = iota
	WrongState         // ACTIVE or DEAD
	WrongTypes         // READY for other values
	Held               // READY, but being inspected
)

// Bind makes a stack that is READY<list> ACTIVE; with any, one that is READY for
// whatever list.
func (s *State) Bind(list uint32, any bool) Verdict {
	for {
		w := s.word.Load()
		if w&3 == wordHeld {
			return Held
		}
		if w&3 != wordReady {
			return WrongState
		}
		if !any && w>>2 != list {
			return WrongTypes
		}
		if s.word.CompareAndSwap(w, wordActive) {
			return Bound
		}
	}
}

// Take is Bind that only says whether it did.
func (s *State) Take(list uint32) bool {
	return s.word.CompareAndSwap(list<<2|wordReady, wordActive)
}

// Leave makes an ACTIVE stack, the caller's, READY<list>. For stacks whose goroutine may
// be woken before it waits; others publish with SwitchReady.
func (s *State) Leave(list uint32) { s.word.Store(list<<2 | wordReady) }

// Kill makes a READY stack DEAD. It reports whether it did.
func (s *State) Kill() bool {
	for {
		w := s.word.Load()
		if w&3 != wordReady {
			return false
		}
		if s.word.CompareAndSwap(w, wordDead) {
			return true
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
	return w >> 2, w&1 != 0
}

// Hold keeps a READY stack from being bound or killed, until Unhold. It reports false
// if the stack is ACTIVE or DEAD. A stack that is held already stays so.
func (s *State) Hold() bool {
	for {
		w := s.word.Load()
		if w&1 == 0 {
			return false
		}
		if w&3 == wordHeld || s.word.CompareAndSwap(w, w|wordHeld) {
			return true
		}
	}
}

// Held reports whether the stack is held.
func (s *State) Held() bool { return s.word.Load()&3 == wordHeld }

// SetReady changes what a held stack waits for.
func (s *State) SetReady(list uint32) { s.word.Store(list<<2 | wordHeld) }

// Unhold ends Hold; of a stack that is not held it changes nothing.
func (s *State) Unhold() {
	if w := s.word.Load(); w&3 == wordHeld {
		s.word.Store(w&^3 | wordReady)
	}
}

func (s *State) String() string {
	switch w := s.word.Load(); w & 3 {
	case wordReady, wordHeld:
		return fmt.Sprintf("READY<%d>", w>>2)
	case wordDead:
		return "DEAD"
	}
	return "ACTIVE"
}

// Activate makes a stack ACTIVE that its owner uses again.
func (s *State) Activate() { s.word.Store(wordActive) }
