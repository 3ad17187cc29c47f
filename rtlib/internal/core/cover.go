package core

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"
	"unsafe"
)

// Coverage is what a program counts (transpile/cover).
type Coverage struct {
	Units    string         // the file that says what is counted
	Counters unsafe.Pointer // 64-bit counters
	// Funcs has for each function the number of its units, the numbers of package and function in Units, and for each
	// unit the number of its counter.
	Funcs []uint32
}

// coverVariable is the environment variable with the folder for the files, as for programs of go build -cover.
const coverVariable = "GOCOVERDIR"

// write writes the files of a run, in the format of go build -cover.
func (c *Coverage) write() {
	dir := os.Getenv(coverVariable)
	if dir == "" {
		fmt.Fprintf(os.Stderr, "uvm: warning: %s is not set, so nothing is written of what was counted\n", coverVariable)
		return
	}
	hash := c.Units[coverHash : coverHash+16]
	units := filepath.Join(dir, fmt.Sprintf("covmeta.%x", hash))
	err := error(nil)
	if _, there := os.Stat(units); there != nil {
		// Other processes may write the same file at the same time.
		own := fmt.Sprintf("%s.%d", units, os.Getpid())
		if err = os.WriteFile(own, []byte(c.Units), 0o666); err == nil {
			err = os.Rename(own, units)
		}
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, fmt.Sprintf("covcounters.%x.%d.%d", hash, os.Getpid(), time.Now().UnixNano())), c.counts(hash), 0o666)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "uvm: warning: coverage: %v\n", err)
	}
}

// coverHash is where a file of units has its hash.
const coverHash = 24

// counts is the file of counters for a file of units: a header, one segment, a footer.
func (c *Coverage) counts(hash string) []byte {
	const version, raw = 1, 1 // raw: 32-bit numbers
	le := binary.LittleEndian
	funcs := 0
	var body []byte
	for rest := c.Funcs; len(rest) > 0; funcs++ {
		n := int(rest[0])
		for _, x := range rest[:3] {
			body = le.AppendUint32(body, x)
		}
		for _, i := range rest[3 : 3+n] {
			count := atomic.LoadUint64((*uint64)(unsafe.Add(c.Counters, 8*i)))
			body = le.AppendUint32(body, uint32(min(count, math.MaxUint32)))
		}
		rest = rest[3+n:]
	}
	out := append(le.AppendUint32([]byte("\x00cwm"), version), hash...)
	out = append(out, raw, 0, 0, 0, 0, 0, 0, 0)
	// The segment: numbers of functions, and of bytes of two tables with the program's arguments, which are empty here.
	strings, args := []byte{1, 0}, []byte{0, 0} // one empty string; no arguments, and padding
	out = le.AppendUint64(out, uint64(funcs))
	out = le.AppendUint32(out, uint32(len(strings)))
	out = le.AppendUint32(out, uint32(len(args)))
	out = append(append(append(out, strings...), args...), body...)
	out = append(append(out, "\x00cwm"...), 0, 0, 0, 0)
	out = le.AppendUint32(out, 1)
	return append(out, 0, 0, 0, 0)
}
