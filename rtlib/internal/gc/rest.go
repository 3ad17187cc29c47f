//go:build !js

package gc

// restDue reports whether it is time to let the program's host see to its events. It needs no time of
// ours here.
func restDue() bool { return false }

func rest() {}
