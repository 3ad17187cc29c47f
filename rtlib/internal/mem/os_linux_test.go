package mem

import (
	"io/fs"
	"slices"
	"testing"
)

func TestLimitFiles(t *testing.T) {
	top := []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}
	tests := []struct {
		groups string
		want   []string
	}{
		{"", nil},
		{"0::/\n", nil},
		{"0::/user.slice/run-7.scope\n", []string{"/sys/fs/cgroup/user.slice/run-7.scope/memory.max", "/sys/fs/cgroup/user.slice/memory.max"}},
		{"11:cpu,cpuacct:/a\n7:memory:/docker/f00\n0::/b\n", []string{"/sys/fs/cgroup/memory/docker/f00/memory.limit_in_bytes",
			"/sys/fs/cgroup/memory/docker/memory.limit_in_bytes", "/sys/fs/cgroup/b/memory.max"}},
		{"0::/../../x\n", []string{"/sys/fs/cgroup/x/memory.max"}},
		{"nonsense", nil},
	}
	for _, tt := range tests {
		if got := limitFiles(tt.groups); !slices.Equal(got, append(slices.Clone(top), tt.want...)) {
			t.Errorf("%q: got %q", tt.groups, got)
		}
	}
}

// TestMemoryOf has limits of control groups of both versions: the least one is used, and text that is
// not a number is ignored.
func TestMemoryOf(t *testing.T) {
	const (
		machine = "MemTotal:       16777216 kB\nMemFree: 5 kB\n" // 16 GB
		v2, v1  = "/sys/fs/cgroup/", "/sys/fs/cgroup/memory/"
	)
	tests := []struct {
		name  string
		files map[string]string
		want  uint64
	}{
		{"no limit", nil, 16 << 30},
		{"version 2", map[string]string{v2 + "memory.max": "536870912\n"}, 512 << 20},
		{"version 2, no limit", map[string]string{v2 + "memory.max": "max\n"}, 16 << 30},
		{"version 1", map[string]string{v1 + "memory.limit_in_bytes": "268435456\n"}, 256 << 20},
		{"version 1, no limit", map[string]string{v1 + "memory.limit_in_bytes": "9223372036854771712\n"}, 16 << 30},
		{"no memory", map[string]string{v2 + "memory.max": "0\n"}, 16 << 30},
		{"own group", map[string]string{"/proc/self/cgroup": "0::/a/b\n", v2 + "a/b/memory.max": "1048576\n"}, 1 << 20},
		{"group above", map[string]string{"/proc/self/cgroup": "0::/a/b\n", v2 + "a/memory.max": "1048576\n", v2 + "a/b/memory.max": "2097152\n"}, 1 << 20},
		{"another's group", map[string]string{"/proc/self/cgroup": "0::/a\n", v2 + "b/memory.max": "1048576\n"}, 16 << 30},
		{"no machine", map[string]string{"/proc/meminfo": "", v2 + "memory.max": "536870912\n"}, 512 << 20},
		{"nothing", map[string]string{"/proc/meminfo": ""}, 0},
	}
	for _, tt := range tests {
		got := memoryOf(func(name string) ([]byte, error) {
			if text, ok := tt.files[name]; ok {
				return []byte(text), nil
			}
			if name == "/proc/meminfo" {
				return []byte(machine), nil
			}
			return nil, fs.ErrNotExist
		})
		if got != tt.want {
			t.Errorf("%s: %d bytes, want %d", tt.name, got, tt.want)
		}
	}
}
