package main

import (
	"encoding/binary"
	"testing"
)

// TestTotal reads counters.
func TestTotal(t *testing.T) {
	data := func(version uint32, varint byte, functions uint64, tables string, rest ...byte) []byte {
		d := []byte("\x00cwm")
		d = binary.LittleEndian.AppendUint32(d, version)
		d = append(d, make([]byte, 16)...)
		d = append(d, varint, 0, 0, 0, 0, 0, 0, 0)
		d = binary.LittleEndian.AppendUint64(d, functions)
		d = binary.LittleEndian.AppendUint32(d, uint32(len(tables)))
		d = binary.LittleEndian.AppendUint32(d, 0)
		return append(append(d, tables...), rest...)
	}
	for i, tt := range []struct {
		data []byte
		want uint64
		ok   bool
	}{
		{data(1, 2, 0, ""), 0, true},
		{data(1, 2, 2, "abc", 2, 7, 9, 5, 0x80, 1, 1, 7, 10, 20, 99, 99), 5 + 128 + 20, true},
		{data(1, 2, 2, "", 2, 7, 9, 5), 0, false},
		{data(1, 2, 1, "", 0xff), 0, false},
		{data(2, 2, 0, ""), 0, false},
		{data(1, 1, 0, ""), 0, false},
		{data(1, 2, 0, "")[:40], 0, false},
		{nil, 0, false},
	} {
		if got, err := total(tt.data); got != tt.want || (err == nil) != tt.ok {
			t.Errorf("%d: %d, %v", i, got, err)
		}
	}
}
