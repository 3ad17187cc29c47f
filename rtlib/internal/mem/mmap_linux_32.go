//go:build 386 || arm || mips || mipsle

package mem

import "syscall"

// sysMmap takes the offset in pages; reservations have no offset.
const sysMmap = syscall.SYS_MMAP2
