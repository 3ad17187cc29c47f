package mem

import (
	"os"
	"path"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// taskBounds are the limits of the number of tasks, which are processes and their threads.
type taskBounds struct {
	read   func(name string) ([]byte, error)
	user   uint64        // of the user, 0 for none
	count  func() uint64 // the tasks of the user
	groups []string      // the folders of the control groups that have a limit
}

var ownTasks = sync.OnceValue(func() *taskBounds {
	b := &taskBounds{read: os.ReadFile, count: userTasks}
	var r syscall.Rlimit
	if syscall.Getrlimit(rlimitNPROC, &r) == nil && uint64(r.Cur) < 1<<31 && !b.exempt(os.Getuid()) {
		b.user = uint64(r.Cur)
	}
	b.findGroups()
	return b
})

const rlimitNPROC = 6 // RLIMIT_NPROC, which package syscall does not have; 8 on MIPS, which has Linux of its own

// exempt reports whether the system does not apply the limit of the user.
func (b *taskBounds) exempt(uid int) bool {
	if uid == 0 || strings.HasPrefix(runtime.GOARCH, "mips") {
		return true
	}
	const admin, resource = 1 << 21, 1 << 24 // CAP_SYS_ADMIN, CAP_SYS_RESOURCE
	text, _ := b.read("/proc/self/status")
	for line := range strings.Lines(string(text)) {
		if caps, ok := strings.CutPrefix(line, "CapEff:"); ok {
			n, err := strconv.ParseUint(strings.TrimSpace(caps), 16, 64)
			return err == nil && n&(admin|resource) != 0
		}
	}
	return false
}

// findGroups finds the control groups with a limit.
func (b *taskBounds) findGroups() {
	groups, _ := b.read("/proc/self/cgroup")
	for _, name := range groupFiles(string(groups), "pids", "pids.max", "pids.max") {
		if _, ok := number(b.read, name); ok {
			b.groups = append(b.groups, path.Dir(name))
		}
	}
}

func tasks(enough uint64) uint64 { return ownTasks().left(enough) }

// left is Tasks.
func (b *taskBounds) left(enough uint64) uint64 {
	left := uint64(Unlimited)
	for _, dir := range b.groups {
		limit, ok := number(b.read, path.Join(dir, "pids.max"))
		used, known := number(b.read, path.Join(dir, "pids.current"))
		if ok && known {
			left = min(left, limit-min(used, limit))
		}
	}
	if b.user == 0 {
		return left
	}
	// Those of all users are known at once.
	if all, ok := b.all(); ok && b.user >= all && b.user-all >= enough {
		return min(left, b.user-all)
	}
	return min(left, b.user-min(b.count(), b.user))
}

// all is the number of tasks of the system: the second one in 1/200 of /proc/loadavg.
func (b *taskBounds) all() (uint64, bool) {
	text, _ := b.read("/proc/loadavg")
	f := strings.Fields(string(text))
	if len(f) < 4 {
		return 0, false
	}
	_, total, _ := strings.Cut(f[3], "/")
	n, err := strconv.ParseUint(total, 10, 64)
	return n, err == nil
}

// userTasks counts the tasks of the user.
func userTasks() (n uint64) {
	dir, err := os.Open("/proc")
	if err != nil {
		return 0
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	uid := uint32(os.Getuid())
	for _, name := range names {
		var st syscall.Stat_t
		if name[0] < '0' || name[0] > '9' || syscall.Stat("/proc/"+name, &st) != nil || st.Uid != uid {
			continue
		}
		if text, err := os.ReadFile("/proc/" + name + "/stat"); err == nil {
			n += threadsOf(string(text))
		}
	}
	return n
}

// threadsOf reads the number of threads from /proc/N/stat, where it is the 18th field after the name in parentheses.
func threadsOf(stat string) uint64 {
	f := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(f) < 18 {
		return 1
	}
	n, _ := strconv.ParseUint(f[17], 10, 64)
	return n
}

// threadStack is the limit of a stack, and what lies around it.
func threadStack() uint64 {
	const usual, most, around = 8 << 20, 1 << 30, 64 << 10
	var r syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_STACK, &r) != nil || uint64(r.Cur) > most {
		return usual + around
	}
	return uint64(r.Cur) + around
}

// freeFiles reports whether n more files can be open at once.
func freeFiles(n int) bool {
	var open []int
	defer func() {
		for _, fd := range open {
			syscall.Close(fd)
		}
	}()
	for range n {
		fd, err := syscall.Open("/", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
		if err == syscall.EMFILE || err == syscall.ENFILE {
			return false
		}
		if err == nil {
			open = append(open, fd)
		}
	}
	return true
}

// fileLimit is how many files the process may have open.
func fileLimit() uint64 {
	var r syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r) != nil {
		return 0
	}
	return uint64(r.Cur)
}
