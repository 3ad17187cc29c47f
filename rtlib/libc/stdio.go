package libc

import "strconv"

const eof = failed // EOF

// Puts is puts: it writes the string and a newline without buffering.
func Puts(e Errno, s uintptr) uint32 {
	b := append(append([]byte(nil), cstring("puts", s)...), '\n')
	if !writeAll(e, 1, b) {
		return eof
	}
	return uint32(len(b)) & 0x7fffffff
}

// Putchar is putchar.
func Putchar(e Errno, c uint32) uint32 {
	if !writeAll(e, 1, []byte{byte(c)}) {
		return eof
	}
	return uint32(byte(c))
}

// Printf is printf; args are the words of the variable arguments.
func Printf(e Errno, format uintptr, args []uint64) uint32 {
	return emit(e, 1, format, args)
}

// Dprintf is dprintf.
func Dprintf(e Errno, fd uint32, format uintptr, args []uint64) uint32 {
	return emit(e, int32(fd), format, args)
}

func emit(e Errno, fd int32, format uintptr, args []uint64) uint32 {
	var room [256]byte
	b, ok := appendFormat(room[:0], cstring("printf", format), args)
	if !ok {
		e.Set(eOVERFLOW)
		return failed
	}
	if !writeAll(e, fd, b) {
		return failed
	}
	return uint32(len(b))
}

// Sprintf is sprintf.
func Sprintf(e Errno, dst, format uintptr, args []uint64) uint32 {
	return Snprintf(e, dst, 1<<31-1, format, args)
}

// Snprintf is snprintf: it stores at most n bytes, including the 0 at the end, and
// returns the length of the whole text.
func Snprintf(e Errno, dst uintptr, n uint64, format uintptr, args []uint64) uint32 {
	var room [256]byte
	b, ok := appendFormat(room[:0], cstring("snprintf", format), args)
	if !ok {
		e.Set(eOVERFLOW)
		return failed
	}
	if n > 0 {
		l := min(uint64(len(b)), n-1)
		copy(span("snprintf", dst, l), b)
		*at[byte](dst + uintptr(l)) = 0
	}
	return uint32(len(b))
}

// Fflush is fflush; there are no buffers.
func Fflush(file uintptr) uint32 { return 0 }

// The functions below are called by PRINTINT64 and similar instructions in bundles of an early
// µVM compiler (docs/uvm2014.md, "Old bundles"): they write the value and a newline to standard
// output.

// PrintInt64 is uvmPrintInt64.
func PrintInt64(e Errno, v uint64) {
	writeAll(e, 1, append(strconv.AppendInt(nil, int64(v), 10), '\n'))
}

// PrintPtr is uvmPrintPtr.
func PrintPtr(e Errno, v uint64) {
	writeAll(e, 1, append(strconv.AppendUint([]byte("0x"), v, 16), '\n'))
}

// PrintDouble is uvmPrintDouble.
func PrintDouble(e Errno, v float64) {
	writeAll(e, 1, append(strconv.AppendFloat(nil, v, 'g', -1, 64), '\n'))
}

// PrintStr is uvmPrintStr.
func PrintStr(e Errno, s uintptr) { Puts(e, s) }

// Increase is c_increase.
func Increase(x uint32) uint32 { return x + 1 }

// InspectStack is inspectStack, which helped to debug the early compiler. It does nothing: the address of a stack,
// its first argument, has no meaning here.
func InspectStack(stack, depth uint64) {}
