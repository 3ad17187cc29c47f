package cover

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"path/filepath"
	"strings"
)

// The files of go build -cover have the format that internal/coverage/defs.go of Go's sources describes. This package
// makes the file of the units, which the program has as a string; the runtime writes it and that of the counters.

// Sizes of headers, and what is in them.
const (
	fileHeader    = 56 // of the file
	packageHeader = 44 // of each package
	version       = 1
	modeCount     = 2 // counters count, and do not only say whether something ran
	perBlock      = 1 // there is one for each unit
)

// Meta is the file of the units.
func (c *Counting) Meta() string {
	var packages [][]byte
	size := fileHeader + 2*8*len(c.Files)
	names := stringTable([]string{""})
	size += len(names)
	for i := range c.Files {
		packages = append(packages, c.Files[i].encode())
	}
	offsets, lengths, all := []byte(nil), []byte(nil), []byte(nil)
	for _, p := range packages {
		offsets = le64(offsets, size+len(all))
		lengths = le64(lengths, len(p))
		all = append(all, p...)
	}
	sum := sha256.Sum256(all)
	out := []byte{0, 'c', 'v', 'm'}
	out = le32(out, version)
	out = le64(out, size+len(all))
	out = le64(out, len(packages))
	out = append(out, sum[:16]...)
	out = le32(out, fileHeader+2*8*len(c.Files))
	out = le32(out, len(names))
	out = append(out, modeCount, perBlock)
	out = append(out, make([]byte, fileHeader-len(out))...)
	return string(bytes.Join([][]byte{out, offsets, lengths, names, all}, nil))
}

// encode is the package that stands for a file.
func (f *File) encode() []byte {
	display := strings.TrimPrefix(filepath.ToSlash(f.Name), "./")
	list := []string{"", display, filepath.Base(f.Name), f.Name}
	const (
		pathAt = 1
		nameAt = 2
		fileAt = 3
	)
	var funcs [][]byte
	for _, fn := range f.Funcs {
		b := uleb(nil, len(fn.Units), len(list), fileAt)
		list = append(list, fn.Name)
		for _, u := range fn.Units {
			b = uleb(b, u.Line, column(u.Line, u.Col), u.End, column(u.End, u.EndCol), u.Insts)
		}
		funcs = append(funcs, uleb(b, 0)) // not a function literal
	}
	table := stringTable(list)
	var offsets, all []byte
	start := packageHeader + 4*len(funcs) + len(table)
	for _, b := range funcs {
		offsets = le32(offsets, start+len(all))
		all = append(all, b...)
	}
	sum := sha256.Sum256(all)
	var out []byte
	for _, n := range [...]int{start + len(all), nameAt, pathAt, 0} {
		out = le32(out, n)
	}
	out = append(out, sum[:16]...)
	out = le32(out, 0)
	out = le32(out, len(list))
	out = le32(out, len(funcs))
	return bytes.Join([][]byte{out, offsets, table, all}, nil)
}

// column is a column for go tool cover -html, which counts those of the first line from 2.
func column(line, col int) int {
	if line == 1 && col > 0 {
		return col + 1
	}
	return col
}

// Counters is the file of the counters without its header, as 32-bit numbers, where each counter is the number of its
// element: for each function the number of its units, the numbers of package and function, and the elements.
func (c *Counting) Counters() []uint32 {
	var out []uint32
	for i := range c.Files {
		for j, fn := range c.Files[i].Funcs {
			out = append(out, uint32(len(fn.Units)), uint32(i), uint32(j))
			for _, u := range fn.Units {
				out = append(out, uint32(u.Counter))
			}
		}
	}
	return out
}

func stringTable(list []string) []byte {
	out := uleb(nil, len(list))
	for _, s := range list {
		out = append(uleb(out, len(s)), s...)
	}
	return out
}

func uleb(b []byte, list ...int) []byte {
	for _, n := range list {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return b
}

func le32(b []byte, n int) []byte { return binary.LittleEndian.AppendUint32(b, uint32(n)) }
func le64(b []byte, n int) []byte { return binary.LittleEndian.AppendUint64(b, uint64(n)) }
