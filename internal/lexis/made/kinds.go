package made

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
)

// Executable has the files that go build replaces: executables, objects and archives of every system.
var Executable = Kind{"an executable", begins(
	"\x7fELF", "MZ", "\x00asm", "!<arch>\n", "<bigaf>\n",
	"\xfe\xed\xfa\xce", "\xfe\xed\xfa\xcf", "\xce\xfa\xed\xfe", "\xcf\xfa\xed\xfe",
	"\x00\x00\x01\xeb", "\x00\x00\x8a\x97", "\x00\x00\x06\x47", // Plan 9
	"\x01\xdf", "\x01\xf7", // AIX
)}

// Coverage has the files of go tool cover.
var Coverage = Kind{"a profile for go tool cover", begins("mode: set\n", "mode: count\n", "mode: atomic\n")}

// Trace has the files of go tool trace.
var Trace = Kind{"a trace of Go", func(r io.Reader) bool {
	const length = 16 // of the header
	b := head(r, length)
	return len(b) == length && bytes.HasPrefix(b, []byte("go 1.")) && bytes.Contains(b, []byte(" trace"))
}}

// Profile has the files of go tool pprof: compressed messages that begin, perhaps after the time, with the type of a
// sample or of the period, as all of Go's profiles do.
var Profile = Kind{"a profile for go tool pprof", func(r io.Reader) bool {
	z, err := gzip.NewReader(r)
	if err != nil {
		return false
	}
	const ofSample, ofPeriod, ofTime = 1<<3 | 2, 11<<3 | 2, 9 << 3 // keys of fields
	b := head(z, 32)
	if len(b) > 0 && b[0] == ofTime {
		_, n := binary.Uvarint(b[1:])
		b = b[1+max(n, 0):]
	}
	// A type is two numbers of strings, below 128 here.
	return len(b) >= 6 && (b[0] == ofSample || b[0] == ofPeriod) && b[1] == 4 && b[2] == 1<<3 && b[4] == 2<<3
}}

// ByProgram has the kinds of files that a program writes about its own run, by the keys of UVMDEBUG that ask for them.
var ByProgram = map[string]Kind{"cpuprofile": Profile, "memprofile": Profile, "trace": Trace}
