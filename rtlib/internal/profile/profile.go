// Package profile writes and rewrites profiles in the format of pprof, profile.proto, compressed. It knows only the fields
// that Go's runtime writes.
package profile

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
)

// A Frame is a place in the source.
type Frame struct {
	Func, File string
	Line       int
}

// Numbers of fields.
const (
	ofLocation = 4 // of the profile
	ofFunction = 5
	ofString   = 6

	locationLine = 4 // of a location
	lineFunction = 1 // of a line
	lineNumber   = 2
	functionID   = 1 // of a function
	functionName = 2
	functionSys  = 3
	functionFile = 4
)

// A field is part of a message: a number, or bytes.
type field struct {
	tag   int
	n     uint64
	bytes []byte // nil for a number
}

var errForm = errors.New("profile in a form that is not known")

// fields calls f with the fields of a message.
func fields(b []byte, f func(field) error) error {
	for len(b) > 0 {
		key, k := binary.Uvarint(b)
		n, m := binary.Uvarint(b[max(k, 0):])
		if k <= 0 || m <= 0 {
			return errForm
		}
		b = b[k+m:]
		x := field{tag: int(key >> 3), n: n}
		switch key & 7 {
		case 0:
		case 2:
			if n > uint64(len(b)) {
				return errForm
			}
			x.bytes, b = b[:n:n], b[n:]
		default:
			return errForm
		}
		if err := f(x); err != nil {
			return err
		}
	}
	return nil
}

// add appends a field.
func (x field) add(b []byte) []byte {
	if x.bytes == nil {
		b = binary.AppendUvarint(b, uint64(x.tag)<<3)
		return binary.AppendUvarint(b, x.n)
	}
	b = binary.AppendUvarint(b, uint64(x.tag)<<3|2)
	b = binary.AppendUvarint(b, uint64(len(x.bytes)))
	return append(b, x.bytes...)
}

// A function is one of a profile, by numbers of strings.
type function struct{ name, file uint64 }

// names are the strings and functions of a profile that is made.
type names struct {
	out     []byte // comes last, because the number of a string is its place
	strings map[string]uint64
	funcs   map[function]uint64
	last    uint64 // the greatest number of a function
}

func (w *names) text(s string) uint64 {
	n, ok := w.strings[s]
	if !ok {
		n = uint64(len(w.strings))
		w.strings[s] = n
		w.out = field{tag: ofString, bytes: append([]byte{}, s...)}.add(w.out)
	}
	return n
}

// line appends a frame to the lines of a location.
func (w *names) line(b []byte, f Frame) []byte {
	fn := function{w.text(f.Func), w.text(f.File)}
	id, ok := w.funcs[fn]
	if !ok {
		w.last++
		id = w.last
		w.funcs[fn] = id
		var m []byte
		for _, x := range [...]field{{tag: functionID, n: id}, {tag: functionName, n: fn.name}, {tag: functionSys, n: fn.name}, {tag: functionFile, n: fn.file}} {
			m = x.add(m)
		}
		w.out = field{tag: ofFunction, bytes: m}.add(w.out)
	}
	m := field{tag: lineFunction, n: id}.add(nil)
	m = field{tag: lineNumber, n: uint64(f.Line)}.add(m)
	return field{tag: locationLine, bytes: m}.add(b)
}

// Rewrite replaces frames of a profile of Go's runtime: frames returns those in the place of one, the innermost
// first, and ok = false if it stays as it is.
func Rewrite(w io.Writer, compressed []byte, frames func(Frame) (list []Frame, ok bool)) error {
	z, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return err
	}
	in, err := io.ReadAll(z)
	if err != nil {
		return err
	}
	var texts []string
	funcs := map[uint64]function{}
	made := &names{strings: map[string]uint64{}, funcs: map[function]uint64{}}
	err = fields(in, func(x field) error {
		switch x.tag {
		case ofString:
			made.strings[string(x.bytes)] = uint64(len(texts))
			texts = append(texts, string(x.bytes))
		case ofFunction:
			var id uint64
			var fn function
			err := fields(x.bytes, func(x field) error {
				switch x.tag {
				case functionID:
					id = x.n
				case functionName:
					fn.name = x.n
				case functionFile:
					fn.file = x.n
				}
				return nil
			})
			funcs[id], made.last = fn, max(made.last, id)
			return err
		}
		return nil
	})
	if err != nil {
		return err
	}
	text := func(n uint64) string {
		if n < uint64(len(texts)) {
			return texts[n]
		}
		return ""
	}
	var out []byte
	err = fields(in, func(x field) error {
		if x.tag != ofLocation {
			out = x.add(out)
			return nil
		}
		var loc []byte
		err := fields(x.bytes, func(x field) error {
			if x.tag == locationLine {
				var f Frame
				err := fields(x.bytes, func(x field) error {
					switch x.tag {
					case lineFunction:
						f.Func, f.File = text(funcs[x.n].name), text(funcs[x.n].file)
					case lineNumber:
						f.Line = int(x.n)
					}
					return nil
				})
				if list, ok := frames(f); err == nil && ok {
					for _, f := range list {
						loc = made.line(loc, f)
					}
					return nil
				}
			}
			loc = x.add(loc)
			return nil
		})
		out = field{tag: ofLocation, bytes: loc}.add(out)
		return err
	})
	if err != nil {
		return err
	}
	return compress(w, append(out, made.out...))
}

// A Sample is a stack, the innermost frame first, with values.
type Sample struct {
	Stack  []Frame
	Values []int64
}

// Write writes a profile of samples. types are the names and units of values; the last is that shown by default.
func Write(w io.Writer, types [][2]string, samples []Sample) error {
	made := &names{strings: map[string]uint64{}, funcs: map[function]uint64{}}
	made.text("")
	var out, locations []byte
	for _, t := range types {
		m := field{tag: 1, n: made.text(t[0])}.add(nil)
		m = field{tag: 2, n: made.text(t[1])}.add(m)
		out = field{tag: 1, bytes: m}.add(out)
	}
	known := map[Frame]uint64{}
	for _, s := range samples {
		var ids, values []byte
		for _, f := range s.Stack {
			id, ok := known[f]
			if !ok {
				id = uint64(len(known) + 1)
				known[f] = id
				loc := made.line(field{tag: 1, n: id}.add(nil), f)
				locations = field{tag: ofLocation, bytes: loc}.add(locations)
			}
			ids = binary.AppendUvarint(ids, id)
		}
		for _, v := range s.Values {
			values = binary.AppendUvarint(values, uint64(v))
		}
		m := field{tag: 1, bytes: ids}.add(nil)
		m = field{tag: 2, bytes: values}.add(m)
		out = field{tag: 2, bytes: m}.add(out)
	}
	if len(types) > 0 {
		out = field{tag: 14, n: made.text(types[len(types)-1][0])}.add(out)
	}
	return compress(w, append(append(out, locations...), made.out...))
}

func compress(w io.Writer, b []byte) error {
	z := gzip.NewWriter(w)
	if _, err := z.Write(b); err != nil {
		return err
	}
	return z.Close()
}
