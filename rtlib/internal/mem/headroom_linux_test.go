package mem

import (
	"os"
	"testing"
)

func TestHeadroom(t *testing.T) {
	const v2, v1, gb = "/sys/fs/cgroup/", "/sys/fs/cgroup/memory/", 1 << 30
	page := uint64(os.Getpagesize())
	for _, test := range []struct {
		name  string
		space uint64
		files map[string]string
		// wanted
		left, memory uint64
	}{
		{"none", 0, map[string]string{"/proc/self/statm": "100 2 3\n", "/proc/self/cgroup": "0::/a\n", v2 + "a/memory.max": "max\n", v2 + "a/memory.current": "7\n"}, Unlimited, Unlimited},
		{"space", gb, map[string]string{"/proc/self/statm": "100 2 3\n"}, gb - 100*page, Unlimited},
		{"full", page, map[string]string{"/proc/self/statm": "100 2 3\n"}, 0, Unlimited},
		{"group", 0, map[string]string{"/proc/self/cgroup": "0::/a/b\n", v2 + "a/memory.max": "5000\n", v2 + "a/memory.current": "3000\n"}, Unlimited, 2000},
		{"files in memory", 0, map[string]string{"/proc/self/cgroup": "0::/a\n", v2 + "a/memory.max": "5000\n", v2 + "a/memory.current": "3000\n",
			v2 + "a/memory.stat": "anon 5\ninactive_file 1000\n"}, Unlimited, 3000},
		{"version 1", 0, map[string]string{"/proc/self/cgroup": "7:memory:/a\n", v1 + "a/memory.limit_in_bytes": "5000\n", v1 + "a/memory.usage_in_bytes": "4000\n"}, Unlimited, 1000},
		{"version 1 without", 0, map[string]string{"/proc/self/cgroup": "7:memory:/a\n", v1 + "a/memory.limit_in_bytes": "9223372036854771712\n", v1 + "a/memory.usage_in_bytes": "4000\n"}, Unlimited, Unlimited},
		{"least", gb, map[string]string{"/proc/self/statm": "1 2 3\n", "/proc/self/cgroup": "0::/a/b\n", v2 + "a/memory.max": "5000\n", v2 + "a/memory.current": "3000\n",
			v2 + "a/b/memory.max": "4000\n", v2 + "a/b/memory.current": "3500\n"}, gb - page, 500},
	} {
		b := &bounds{space: test.space, read: func(name string) ([]byte, error) {
			if text, ok := test.files[name]; ok {
				return []byte(text), nil
			}
			return nil, os.ErrNotExist
		}}
		b.findGroups()
		if space, memory := b.headroom(); space != test.left || memory != test.memory {
			t.Errorf("%s: %d and %d, want %d and %d", test.name, space, memory, test.left, test.memory)
		}
	}
}
