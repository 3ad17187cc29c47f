package libc

// The system-dependent part, one file each:
//
//	sysWrite(fd, b), sysRead(fd, b)  one system call each; may do less than asked
//	sysOpen(path, flags, mode)       flags are those of this system's C
//	sysClose(fd), sysUnlink(path)
//	sysSeek(fd, offset, whence)

const (
	failed   = ^uint32(0) // -1 as an int
	failed64 = ^uint64(0) // -1 as a long
)

// maxIO is the largest number of bytes that one read or write moves, as on Linux.
const maxIO = 0x7ffff000

// bad reports a descriptor that is not valid on any system; not all systems refuse it.
func bad(e Errno, fd uint32) bool {
	if int32(fd) >= 0 {
		return false
	}
	e.Set(eBADF)
	return true
}

// Write is write.
func Write(e Errno, fd uint32, p uintptr, n uint64) uint64 {
	if bad(e, fd) {
		return failed64
	}
	done, err := sysWrite(int32(fd), span("write", p, min(n, maxIO)))
	if e.fail(err) {
		return failed64
	}
	return uint64(done)
}

// Read is read.
func Read(e Errno, fd uint32, p uintptr, n uint64) uint64 {
	if bad(e, fd) {
		return failed64
	}
	awaitInput(e, int32(fd))
	done, err := sysRead(int32(fd), span("read", p, min(n, maxIO)))
	if e.fail(err) {
		return failed64
	}
	return uint64(done)
}

// Open is open; without O_CREAT the mode is ignored.
func Open(e Errno, path uintptr, flags, mode uint32) uint32 {
	fd, err := sysOpen(string(cstring("open", path)), int32(flags), mode)
	if e.fail(err) {
		return failed
	}
	return uint32(fd)
}

// Close is close.
func Close(e Errno, fd uint32) uint32 {
	if bad(e, fd) || e.fail(sysClose(int32(fd))) {
		return failed
	}
	return 0
}

// Lseek is lseek.
func Lseek(e Errno, fd uint32, offset uint64, whence uint32) uint64 {
	if bad(e, fd) {
		return failed64
	}
	pos, err := sysSeek(int32(fd), int64(offset), int32(whence))
	if e.fail(err) {
		return failed64
	}
	return uint64(pos)
}

// Unlink is unlink.
func Unlink(e Errno, path uintptr) uint32 {
	if e.fail(sysUnlink(string(cstring("unlink", path)))) {
		return failed
	}
	return 0
}

// writeAll writes all of b to a descriptor, for functions that cannot report a partial
// write.
func writeAll(e Errno, fd int32, b []byte) bool {
	for len(b) > 0 {
		n, err := sysWrite(fd, b)
		if e.fail(err) {
			return false
		}
		b = b[n:]
	}
	return true
}
