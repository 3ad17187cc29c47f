// The Go twin of the kernel hashmap: a hash map from integers to integers, open addressing with linear probing, growing: size insertions,
// removals of every third key and as many look-ups.
package main

import (
	"fmt"
	"os"
	"strconv"
)

type entry struct {
	key, value int64
	used       bool
}

// table is a map; its length is a power of two.
type table struct {
	entries []entry
	count   int
}

// hash spreads the bits of a key (the end of splitmix64).
func hash(key int64) uint64 {
	k := uint64(key)
	k = (k ^ k>>30) * 0xbf58476d1ce4e5b9
	k = (k ^ k>>27) * 0x94d049bb133111eb
	return k ^ k>>31
}

// find returns the index of the entry that holds the key, or of the free one where it
// belongs.
func (t *table) find(key int64) int {
	mask := len(t.entries) - 1
	i := int(hash(key)) & mask
	for t.entries[i].used && t.entries[i].key != key {
		i = (i + 1) & mask
	}
	return i
}

// grow makes the table twice as long.
func (t *table) grow() {
	old := t.entries
	t.entries = make([]entry, 2*len(old))
	for i := range old {
		if e := &old[i]; e.used {
			t.entries[t.find(e.key)] = *e
		}
	}
}

func (t *table) put(key, value int64) {
	// at most three quarters full
	if (t.count+1)*4 > len(t.entries)*3 {
		t.grow()
	}
	e := &t.entries[t.find(key)]
	if !e.used {
		e.used = true
		e.key = key
		t.count++
	}
	e.value = value
}

// get returns the value, or -1.
func (t *table) get(key int64) int64 {
	e := &t.entries[t.find(key)]
	if !e.used {
		return -1
	}
	return e.value
}

// remove removes a key and moves later entries back.
func (t *table) remove(key int64) {
	i := t.find(key)
	if !t.entries[i].used {
		return
	}
	t.count--
	mask := len(t.entries) - 1
	for j := (i + 1) & mask; t.entries[j].used; j = (j + 1) & mask {
		// the entry may move into the hole if its own place is not between the two
		e := &t.entries[j]
		home := int(hash(e.key)) & mask
		if (j-home)&mask >= (j-i)&mask {
			t.entries[i].key = e.key
			t.entries[i].value = e.value
			i = j
		}
	}
	t.entries[i].used = false
}

func run(size int64) int64 {
	t := &table{entries: make([]entry, 8)}
	for i := range size {
		t.put(i*i^i<<7, i)
	}
	for i := int64(0); i < size; i += 3 {
		t.remove(i*i ^ i<<7)
	}
	sum := int64(t.count)
	for i := range size {
		sum = sum*31 + t.get(i*i^i<<7)
	}
	return sum
}

func main() {
	size := int64(1500000)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "hashmap: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap hashmap.done checksum=%d\n", run(size))
}
