package mem

// Unlimited is what Headroom returns where there is no limit, or none is known on this system.
const Unlimited = 1<<64 - 1

// Headroom returns how many bytes of address space, and of memory, the process may still take before the limits that the
// system has set for it: for its address space, and for the memory of its control group.
func Headroom() (space, memory uint64) { return headroom() }
