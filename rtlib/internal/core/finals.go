package core

import "github.com/uvm2go/uvm2go/rtlib/internal/gc"

// Objects that something is to be done with when nothing else refers to them. The program
// does it: it takes them off a queue.

// SetFinal enters an object with a word, which says what is to be done; 0 removes it.
func SetFinal(object, word uintptr) { gc.SetFinal(object, word) }

// FinalNow puts an object that has been entered into the queue.
func FinalNow(object uintptr) { gc.FinalNow(object) }

// NextFinal takes an object and its word off the queue, 0 if there is none.
func NextFinal() (object, word uintptr) { return gc.NextFinal() }

// FinalsDue is how many objects are in the queue.
func FinalsDue() uint64 { return uint64(gc.FinalsDue()) }
