//go:build amd64 && !race

package stack

import "unsafe"

// publish makes word the state, with order RELEASE: on amd64 a plain store, without the locked
// instruction of Store, see package atomics. The compiler keeps stores in order, and drops one only
// if another to the same place follows: there is none in the functions that call this.
func (s *State) publish(word uint32) { *(*uint32)(unsafe.Pointer(&s.word)) = word }
