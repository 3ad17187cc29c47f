//go:build 386 || arm || mips || mipsle

package mem

import "syscall"

// sysMmap has the offset in pages; what is reserved has none.
const sysMmap = syscall.SYS_MMAP2
