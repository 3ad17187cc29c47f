package core

import "testing"

// TestOnThreadOfC checks that threads of Go are not taken for those of C, whose ends are followed. Where C has called, the call is below
// nothing but that: cmd/libmu tests it.
func TestOnThreadOfC(t *testing.T) {
	if onThreadOfC() {
		t.Error("the thread of a test is one that C has made")
	}
	done := make(chan bool)
	go func() { done <- onThreadOfC() }()
	if <-done {
		t.Error("the thread of a goroutine is one that C has made")
	}
}
