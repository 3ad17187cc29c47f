package atomicsmodel

import (
	"bytes"
	"hash/maphash"
	"iter"
	"slices"
)

// States is a set of final states. It keeps them as bytes, in some twenty bytes each.
type States struct {
	values int      // of each state
	chunks [][]byte // the states, one after the other; none is in two chunks
	at     []uint32 // by state: where it begins, as the number of its chunk times chunkSize and the place there
	table  []uint32 // while states are added: a hash table of numbers of states from 1, open addressing
}

const chunkSize = 1 << 16

var hashSeed = maphash.MakeSeed()

// NewStates returns a set of the given states, which have the same number of values.
func NewStates(list ...State) *States {
	s := &States{}
	for _, st := range list {
		var key []byte
		for _, v := range st {
			key = appendValue(key, v)
		}
		s.values = len(st)
		s.add(key)
	}
	s.sort()
	return s
}

// Len returns the number of states.
func (s *States) Len() int { return len(s.at) }

// At returns the i-th state. States are in the order of their values; that of a register without value comes first.
func (s *States) At(i int) State {
	st := make(State, s.values)
	b := s.bytes(i)
	for k := range st {
		st[k], b = readValue(b)
	}
	return st
}

// All goes through the states with their numbers.
func (s *States) All() iter.Seq2[int, State] {
	return func(yield func(int, State) bool) {
		for i := range s.at {
			if !yield(i, s.At(i)) {
				return
			}
		}
	}
}

// bytes returns the bytes from the i-th state on.
func (s *States) bytes(i int) []byte { return s.chunks[s.at[i]/chunkSize][s.at[i]%chunkSize:] }

// find returns the place of a state in the table, or where it would be.
func (s *States) find(key []byte) int {
	last := len(s.table) - 1
	for i := int(maphash.Bytes(hashSeed, key)) & last; ; i = (i + 1) & last {
		// No encoded state begins with another one.
		if n := s.table[i]; n == 0 || bytes.HasPrefix(s.bytes(int(n-1)), key) {
			return i
		}
	}
}

// has reports whether a state has been added.
func (s *States) has(key []byte) bool { return s.table != nil && s.table[s.find(key)] != 0 }

// add adds a state, unless it is there.
func (s *States) add(key []byte) {
	if 4*len(s.at) >= 3*len(s.table) {
		s.grow()
	}
	i := s.find(key)
	if s.table[i] != 0 {
		return
	}
	last := len(s.chunks) - 1
	if last < 0 || len(s.chunks[last])+len(key) > cap(s.chunks[last]) {
		size := max(chunkSize, len(key))
		if last < 0 {
			size = max(256, len(key)) // most tests have few states
		}
		s.chunks = append(s.chunks, make([]byte, 0, size))
		last++
	}
	s.at = append(s.at, uint32(last*chunkSize+len(s.chunks[last])))
	s.chunks[last] = append(s.chunks[last], key...)
	s.table[i] = uint32(len(s.at))
}

// grow makes the table larger.
func (s *States) grow() {
	s.table = make([]uint32, max(32, 2*len(s.table)))
	for n := range s.at {
		b := s.bytes(n)
		s.table[s.find(b[:s.length(b)])] = uint32(n + 1)
	}
}

// length returns the length of the state at the beginning of b.
func (s *States) length(b []byte) int {
	rest := b
	for range s.values {
		_, rest = readValue(rest)
	}
	return len(b) - len(rest)
}

// clear forgets all states, and keeps the memory.
func (s *States) clear() {
	clear(s.table)
	s.at = s.at[:0]
	if len(s.chunks) > 1 {
		clear(s.chunks[1:])
		s.chunks = s.chunks[:1]
	}
	if len(s.chunks) > 0 {
		s.chunks[0] = s.chunks[0][:0]
	}
}

// sort sorts the states. None can be added later.
func (s *States) sort() {
	s.table = nil
	slices.SortFunc(s.at, func(a, b uint32) int {
		return bytes.Compare(s.chunks[a/chunkSize][a%chunkSize:], s.chunks[b/chunkSize][b%chunkSize:])
	})
}

// Values are encoded so that the order of the bytes is that of the values, and that no value begins with another one: 0 is no
// value; zeroByte and the bytes after it are small numbers; others are a byte that tells their sign and length, and then the number.
const (
	zeroByte = 9
	smallest = 247 - zeroByte // number that has more than one byte
)

// appendValue adds the bytes of a value.
func appendValue(b []byte, v Value) []byte {
	switch {
	case !v.Defined:
		return append(b, 0)
	case 0 <= v.N && v.N < smallest:
		return append(b, zeroByte+byte(v.N))
	}
	n := 1 // bytes
	for v.N>>(8*n) != v.N>>63 && n < 8 {
		n++
	}
	if v.N < 0 {
		b = append(b, byte(zeroByte-n))
	} else {
		b = append(b, byte(zeroByte+smallest-1+n))
	}
	for n--; n >= 0; n-- {
		b = append(b, byte(v.N>>(8*n)))
	}
	return b
}

// readValue reads a value, and returns the bytes after it.
func readValue(b []byte) (Value, []byte) {
	first := int(b[0])
	b = b[1:]
	v, n := Value{Defined: true}, 0
	switch {
	case first == 0:
		return Value{}, b
	case first < zeroByte:
		v.N, n = -1, zeroByte-first
	case first < zeroByte+smallest:
		v.N = int64(first - zeroByte)
	default:
		n = first - (zeroByte + smallest - 1)
	}
	for _, c := range b[:n] {
		v.N = v.N<<8 | int64(c)
	}
	return v, b[n:]
}
