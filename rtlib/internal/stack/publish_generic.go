//go:build !amd64 || race

package stack

// publish makes word the state.
func (s *State) publish(word uint32) { s.word.Store(word) }
