package mem

import (
	"os"
	"path"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// bounds are the limits of a process.
type bounds struct {
	read   func(name string) ([]byte, error)
	space  uint64   // of the address space in bytes, 0 for none
	groups []string // the files with the limits of the control groups that have one
}

var ownBounds = sync.OnceValue(func() *bounds {
	var r syscall.Rlimit
	b := &bounds{read: os.ReadFile}
	if syscall.Getrlimit(syscall.RLIMIT_AS, &r) == nil && uint64(r.Cur) < 1<<62 {
		b.space = uint64(r.Cur)
	}
	b.findGroups()
	return b
})

// findGroups finds the control groups with a limit.
func (b *bounds) findGroups() {
	groups, _ := b.read("/proc/self/cgroup")
	for _, name := range limitFiles(string(groups)) {
		if n, ok := b.number(name); ok && n < 1<<60 { // version 1 has a large number instead of no limit
			b.groups = append(b.groups, name)
		}
	}
}

func (b *bounds) number(name string) (uint64, bool) { return number(b.read, name) }

// number reads a file with one number.
func number(read func(string) ([]byte, error), name string) (uint64, bool) {
	text, err := read(name)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
}

func headroom() (space, memory uint64) { return ownBounds().headroom() }

func addressSpace() uint64 {
	if b := ownBounds(); b.space > 0 {
		return b.space
	}
	return Unlimited
}

func (b *bounds) headroom() (space, memory uint64) {
	space, memory = Unlimited, Unlimited
	if b.space > 0 {
		space = 0 // if it cannot be found out, as when too many files are open
		if text, err := b.read("/proc/self/statm"); err == nil {
			pages, _, _ := strings.Cut(string(text), " ")
			if n, err := strconv.ParseUint(pages, 10, 64); err == nil {
				space = b.space - min(n*uint64(os.Getpagesize()), b.space)
			}
		}
	}
	for _, name := range b.groups {
		usage := "memory.current"
		if path.Base(name) != "memory.max" {
			usage = "memory.usage_in_bytes"
		}
		limit, ok := b.number(name)
		used, known := b.number(path.Join(path.Dir(name), usage))
		if !ok || !known {
			memory = 0
			continue
		}
		used -= min(used, b.cached(path.Dir(name)))
		memory = min(memory, limit-min(used, limit))
	}
	return space, memory
}

// cached returns the bytes of a group that the system takes back when they are needed: content of files.
func (b *bounds) cached(dir string) uint64 {
	text, _ := b.read(path.Join(dir, "memory.stat"))
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "inactive_file" {
			n, _ := strconv.ParseUint(f[1], 10, 64)
			return n
		}
	}
	return 0
}
