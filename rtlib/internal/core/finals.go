package core

// Objects that the program wants to finalize when nothing else refers to them. The program
// itself does that: it takes them off a queue, of which each VM has one.

// SetFinal registers an object with a word, which tells the program what to do; 0 removes it.
func SetFinal(t *Ctx, object, word uintptr) { vmOf(t).finals.Set(object, word) }

// FinalNow puts a registered object into the queue.
func FinalNow(t *Ctx, object uintptr) { vmOf(t).finals.Now(object) }

// NextFinal takes an object and its word off the queue, 0 if there is none.
func NextFinal(t *Ctx) (object, word uintptr) { return vmOf(t).finals.Next() }

// FinalsDue is the number of objects in the queue.
func FinalsDue(t *Ctx) uint64 { return uint64(vmOf(t).finals.Due()) }
