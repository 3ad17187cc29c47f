package core

import (
	"encoding/binary"
	"runtime"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
)

// Collections is how many collections there were.
func Collections() uint64 { return gc.Collections() }

// Target tells something about the machine in the numbers of IAL: 0 its architecture, 1 its
// operating system, 2 whether its byte order is big-endian.
func Target(what int) uint64 {
	switch what {
	case 0:
		return number(runtime.GOARCH, 255, "386 amd64", "arm arm64", "ppc ppc64 ppc64le", "", "mips mipsle mips64 mips64le")
	case 1:
		return number(runtime.GOOS, 255, "windows", "linux android", "darwin ios", "freebsd netbsd openbsd dragonfly", "solaris illumos", "aix")
	}
	return uint64(binary.NativeEndian.Uint16([]byte{0, 1}) & 1)
}

// number is the index of the list of words that has a word, otherwise if none has.
func number(word string, otherwise uint64, lists ...string) uint64 {
	for i, l := range lists {
		if slices.Contains(strings.Fields(l), word) {
			return uint64(i)
		}
	}
	return otherwise
}
