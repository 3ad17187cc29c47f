package mem

import (
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
