package core

import (
	"encoding/binary"
	"runtime"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
)

// Collections is the number of collections so far.
func Collections() uint64 { return gc.Collections() }

// Target returns a fact about the machine in the numbers of IAL: for 0 its architecture, for 1 its
// operating system, for 2 whether its byte order is big-endian.
func Target(what int) uint64 {
	switch what {
	case 0:
		return number(runtime.GOARCH, 255, "386 amd64", "arm arm64", "ppc ppc64 ppc64le", "", "mips mipsle mips64 mips64le")
	case 1:
		return number(runtime.GOOS, 255, "windows", "linux android", "darwin ios", "freebsd netbsd openbsd dragonfly", "solaris illumos", "aix")
	}
	return uint64(binary.NativeEndian.Uint16([]byte{0, 1}) & 1)
}

// number is the index of the list that has a word, or otherwise if no list has it.
func number(word string, otherwise uint64, lists ...string) uint64 {
	for i, l := range lists {
		if slices.Contains(strings.Fields(l), word) {
			return uint64(i)
		}
	}
	return otherwise
}
