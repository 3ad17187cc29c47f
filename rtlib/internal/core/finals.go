package core

import "github.com/uvm2go/uvm2go/rtlib/internal/gc"

// Objects that the program wants to finalize when nothing else refers to them. The program
// itself does that: it takes them off a queue.

// SetFinal registers an object with a word, which tells the program what to do; 0 removes it.
func SetFinal(object, word uintptr) { gc.SetFinal(object, word) }

// FinalNow puts a registered object into the queue.
func FinalNow(object uintptr) { gc.FinalNow(object) }

// NextFinal takes an object and its word off the queue, 0 if there is none.
func NextFinal() (object, word uintptr) { return gc.NextFinal() }

// FinalsDue is the number of objects in the queue.
func FinalsDue() uint64 { return uint64(gc.FinalsDue()) }
