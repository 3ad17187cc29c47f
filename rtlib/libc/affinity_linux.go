package libc

import (
	"math/bits"
	"sync"
	"syscall"
	"unsafe"
)

// A cpuSet is a set of processors as the kernel has it.
type cpuSet [8192 / bits.UintSize]uint

func (s *cpuSet) syscall(number, thread uintptr) bool {
	_, _, err := syscall.RawSyscall(number, thread, unsafe.Sizeof(*s), uintptr(unsafe.Pointer(s)))
	return err == 0
}

// usable has the processors that the process may use, one in each set. The thread that asks first has not been pinned.
var usable = sync.OnceValue(func() (list []cpuSet) {
	var all cpuSet
	if !all.syscall(syscall.SYS_SCHED_GETAFFINITY, 0) {
		return nil
	}
	for i := range all {
		for k := range bits.UintSize {
			if all[i]>>k&1 != 0 {
				var one cpuSet
				one[i] = 1 << k
				list = append(list, one)
			}
		}
	}
	return list
})

// pin restricts the thread of the caller to one of the usable processors.
func pin(n int) bool {
	list := usable()
	if len(list) == 0 {
		return false
	}
	var set cpuSet
	if n >= 0 {
		set = list[n%len(list)]
	} else {
		for _, one := range list {
			for i := range set {
				set[i] |= one[i]
			}
		}
	}
	return set.syscall(syscall.SYS_SCHED_SETAFFINITY, 0)
}
