//go:build !js

package gc

// restDue reports whether it is time to let the program's host handle its events. Here the host does not
// need our time.
func restDue() bool { return false }

func rest() {}
