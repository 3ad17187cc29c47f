// The Go twin of the kernel base64: a buffer of 300,000 bytes encoded and decoded size times: bytes and table look-ups.
package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

const length = 300000

// newTables makes the alphabet, and its inverse.
func newTables() (enc [64]byte, dec [256]byte) {
	for i := range byte(26) {
		enc[i] = 'A' + i
		enc[i+26] = 'a' + i
	}
	for i := range byte(10) {
		enc[i+52] = '0' + i
	}
	enc[62] = '+'
	enc[63] = '/'
	for i, c := range enc {
		dec[c] = byte(i)
	}
	return enc, dec
}

// encode turns three bytes into four characters; len(from) is a multiple of 3.
func encode(to, from []byte, table *[64]byte) {
	for len(from) >= 3 && len(to) >= 4 {
		v := uint(from[0])<<16 | uint(from[1])<<8 | uint(from[2])
		to[0] = table[v>>18&63]
		to[1] = table[v>>12&63]
		to[2] = table[v>>6&63]
		to[3] = table[v&63]
		from, to = from[3:], to[4:]
	}
}

// decode turns four characters into three bytes; len(from) is a multiple of 4.
func decode(to, from []byte, table *[256]byte) {
	for len(from) >= 4 && len(to) >= 3 {
		v := uint(table[from[0]])<<18 | uint(table[from[1]])<<12 | uint(table[from[2]])<<6 | uint(table[from[3]])
		to[0] = byte(v >> 16)
		to[1] = byte(v >> 8)
		to[2] = byte(v)
		from, to = from[4:], to[3:]
	}
}

func run(size int64) int64 {
	enc, dec := newTables()
	data, text, back := make([]byte, length), make([]byte, length/3*4), make([]byte, length)
	seed := int64(1)
	for i := range data {
		seed = (seed*1103515245 + 12345) & 0x7fffffff
		data[i] = byte(seed >> 16)
	}
	var sum int64
	for i := range size {
		data[i] = byte(i)
		encode(text, data, &enc)
		decode(back, text, &dec)
		sum = sum*31 + int64(text[i*4]) + int64(back[i])
	}
	if !bytes.Equal(data, back) {
		return -1
	}
	for _, c := range text {
		sum = sum*31 + int64(c)
	}
	return sum
}

func main() {
	size := int64(700)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "base64: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap base64.done checksum=%d\n", run(size))
}
