package mem

// Unlimited is what Headroom and Tasks return where there is no limit, or none is known on this system.
const Unlimited = 1<<64 - 1

// Headroom returns how many bytes of address space, and of memory, the process may still take before the limits that the
// system has set for it: for its address space, and for the memory of its control group.
func Headroom() (space, memory uint64) { return headroom() }

// AddressSpace returns the limit of the address space of the process in bytes.
func AddressSpace() uint64 { return addressSpace() }

// Tasks returns how many threads of the system the process may still start before the limits of its user and of its
// control group. To count the tasks of the user takes a look at each process of the system. It may be left out if there are at
// least as many as enough: the result may then be lower than the true number.
func Tasks(enough uint64) uint64 { return tasks(enough) }

// ThreadStack returns the address space of the stack of a thread that C starts, in bytes.
func ThreadStack() uint64 { return threadStack() }

// FreeFiles reports whether the process can have n more files open; if not, limit is how many it may have.
func FreeFiles(n int) (limit uint64, ok bool) {
	if freeFiles(n) {
		return 0, true
	}
	return fileLimit(), false
}
