package dialect

import (
	"strconv"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Running is the program into which bundles are loaded while it runs. Readers that know it (Options.Running) resolve
// names that the bundles do not define in it, as if all that it has were in earlier bundles. What they read is a part
// of Program, which they return; a reader that returns another program has read the bundles on their own.
type Running struct {
	// Program is for what is read. Its other content are the entities that were asked for. IDs are unique among those
	// of the dialect's own bundles; the engine replaces them by IDs of the running program.
	Program *ir.Program
	// Find returns the entity that a name of the representation denotes now, in the form of Program.Entities, nil if
	// there is none. For what is not an entity, such as a block, and for what Program cannot have, it returns Other.
	Find func(name string) any
	// Given are the entities of translated bundles whose IDs are those that the bundles have, by ID.
	Given func() map[uint32]string
	// Kept is what Keep returned when the last bundle of the dialect was loaded, nil at first.
	Kept any
	// Keep is set by a reader that must know later what it has read. It is called if the bundles are loaded.
	Keep func() any
}

// Other is an entity with a name to which no text can refer.
type Other struct{}

// Has reports whether a name denotes anything.
func (r *Running) Has(name string) bool { return r != nil && r.Find(name) != nil }

// Numbered returns a name for the next of the things that have numbers after a common beginning: with the number from,
// or a greater one if the running program has the name. It takes few look-ups even if there are many: names are tried
// at distances that double, then the gap that was found is halved.
func (r *Running) Numbered(begin string, from int) string {
	named := func(n int) string { return begin + strconv.Itoa(n) }
	free := func(n int) bool { return !r.Has(named(n)) }
	if free(from) {
		return named(from)
	}
	low, high := from, from+1 // low is taken
	for !free(high) {
		low, high = high, high+2*(high-from)
	}
	for high-low > 1 {
		if mid := low + (high-low)/2; free(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return named(high)
}
