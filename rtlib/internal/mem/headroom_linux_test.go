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
		{"unknown", gb, map[string]string{"/proc/self/cgroup": "0::/a\n", v2 + "a/memory.max": "5000\n"}, 0, 0},
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

func TestTasks(t *testing.T) {
	const v2, v1 = "/sys/fs/cgroup/", "/sys/fs/cgroup/pids/"
	const enough = 1000
	for _, test := range []struct {
		name       string
		user, used uint64 // the limit of the user, and the tasks that count
		files      map[string]string
		want       uint64
	}{
		{"none", 0, 7, map[string]string{"/proc/self/cgroup": "0::/a\n", v2 + "a/pids.max": "max\n", v2 + "a/pids.current": "7\n"}, Unlimited},
		{"user", 100, 70, nil, 30},
		{"full", 100, 170, nil, 0},
		{"far from full", 100_000, 70, map[string]string{"/proc/loadavg": "0.1 0.1 0.1 3/500 12345\n"}, 99_500},
		{"enough", 500 + enough, 70, map[string]string{"/proc/loadavg": "0.1 0.1 0.1 3/500 12345\n"}, enough},
		{"not enough", 499 + enough, 70, map[string]string{"/proc/loadavg": "0.1 0.1 0.1 3/500 12345\n"}, 429 + enough},
		{"a full system", 100, 70, map[string]string{"/proc/loadavg": "0.1 0.1 0.1 3/500 12345\n"}, 30},
		{"group", 0, 0, map[string]string{"/proc/self/cgroup": "0::/a/b\n", v2 + "a/pids.max": "50\n", v2 + "a/pids.current": "30\n"}, 20},
		{"version 1", 0, 0, map[string]string{"/proc/self/cgroup": "8:pids:/a\n", v1 + "a/pids.max": "50\n", v1 + "a/pids.current": "30\n"}, 20},
		{"least", 100, 70, map[string]string{"/proc/self/cgroup": "0::/a/b\n", v2 + "a/pids.max": "50\n", v2 + "a/pids.current": "30\n",
			v2 + "a/b/pids.max": "20\n", v2 + "a/b/pids.current": "15\n"}, 5},
	} {
		b := &taskBounds{user: test.user, count: func() uint64 { return test.used }, read: func(name string) ([]byte, error) {
			if text, ok := test.files[name]; ok {
				return []byte(text), nil
			}
			return nil, os.ErrNotExist
		}}
		b.findGroups()
		if got := b.left(enough); got != test.want {
			t.Errorf("%s: %d tasks, want %d", test.name, got, test.want)
		}
	}
	status := "Name:\tx\nCapEff:\t0000000000000000\n"
	b := &taskBounds{read: func(string) ([]byte, error) { return []byte(status), nil }}
	if !b.exempt(0) || b.exempt(1000) {
		t.Error("only user 0 has no limit")
	}
	status = "CapEff:\t0000000001000000\n"
	if !b.exempt(1000) {
		t.Error("a process with CAP_SYS_RESOURCE has no limit")
	}
	if n := threadsOf("12 (a ) b) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 77 0"); n != 77 {
		t.Errorf("%d threads", n)
	}
	if n := userTasks(); n == 0 {
		t.Error("the user has no tasks")
	}
}

func TestFreeFiles(t *testing.T) {
	if _, ok := FreeFiles(3); !ok {
		t.Error("no files")
	}
	if limit, ok := FreeFiles(1 << 22); ok || limit == 0 || limit > 1<<22 {
		t.Errorf("%t, limit %d", ok, limit)
	}
}
