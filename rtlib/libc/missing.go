package libc

import "math"

// Missing returns the address of a native symbol that the process does not have: calling it is an error with the text
// why. It is 0 if there is no address left. Lookup does not find it.
func Missing(name, why string) uintptr {
	registry.Lock()
	defer registry.Unlock()
	n := &Native{Name: name, missing: why}
	n.plan.least = math.MaxInt // so that Call looks at missing only where a call has too few arguments
	if add(n) != nil {
		return 0
	}
	delete(registry.byName, name)
	return n.Addr
}

// WhyMissing is the text of a native made by Missing, "" for others.
func (n *Native) WhyMissing() string { return n.missing }
