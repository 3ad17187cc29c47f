//go:build !386 && !arm && !mips && !mipsle

package mem

import "syscall"

const sysMmap = syscall.SYS_MMAP
