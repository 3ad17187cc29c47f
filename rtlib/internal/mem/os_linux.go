package mem

import (
	"os"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unsafe"
)

// Lazy tells whether memory is taken only when it is touched.
const Lazy = true

// reserve does not use syscall.Mmap, which has no argument for the address.
func reserve(at Address, n uintptr) (Address, error) {
	args := [6]uintptr{uintptr(at), n, syscall.PROT_NONE, syscall.MAP_ANON | syscall.MAP_PRIVATE | syscall.MAP_NORESERVE, ^uintptr(0), 0}
	var (
		a   uintptr
		err syscall.Errno
	)
	if runtime.GOARCH == "s390x" { // all arguments are in memory
		a, _, err = syscall.Syscall(sysMmap, uintptr(unsafe.Pointer(&args)), 0, 0)
	} else {
		a, _, err = syscall.Syscall6(sysMmap, args[0], args[1], args[2], args[3], args[4], args[5])
	}
	if err != 0 {
		return 0, err
	}
	return Address(a), nil
}

func unreserve(a Address, n uintptr) { syscall.Syscall(syscall.SYS_MUNMAP, uintptr(a), n, 0) }

// Commit makes reserved memory usable.
func Commit(a Address, n uintptr) bool {
	return syscall.Mprotect(Bytes(a, n), syscall.PROT_READ|syscall.PROT_WRITE) == nil
}

// Huge asks for large pages.
func Huge(a Address, n uintptr) { syscall.Madvise(Bytes(a, n), madvHugepage) }

const madvHugepage = 14 // MADV_HUGEPAGE, which package syscall does not have everywhere

// Discard makes committed memory zero and gives it back to the system.
func Discard(a Address, n uintptr) {
	if syscall.Madvise(Bytes(a, n), syscall.MADV_DONTNEED) != nil {
		Clear(a, n)
	}
}

func physicalMemory() uint64 { return memoryOf(os.ReadFile) }

// memoryOf reads /proc/meminfo and the limits of the control groups, and returns the least number of bytes.
func memoryOf(read func(name string) ([]byte, error)) uint64 {
	var total uint64
	if text, err := read("/proc/meminfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if f := strings.Fields(line); len(f) >= 2 && f[0] == "MemTotal:" {
				kb, _ := strconv.ParseUint(f[1], 10, 64)
				total = kb << 10
				break
			}
		}
	}
	groups, _ := read("/proc/self/cgroup")
	for _, name := range limitFiles(string(groups)) {
		if text, err := read(name); err == nil {
			n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
			if err == nil && n > 0 && (total == 0 || n < total) {
				total = n
			}
		}
	}
	return total
}

// limitFiles names the files with the memory limits of the control groups listed in /proc/self/cgroup, see groupFiles.
func limitFiles(groups string) []string {
	return groupFiles(groups, "memory", "memory.max", "memory.limit_in_bytes")
}

// groupFiles names the files with a limit of the control groups listed in /proc/self/cgroup, of both versions, and of the
// groups that contain them. In a container the path may be one of the host; then the files at the top are those of the
// container.
func groupFiles(groups, controller, name2, name1 string) []string {
	const v2 = "/sys/fs/cgroup"
	v1 := v2 + "/" + controller
	files := []string{v2 + "/" + name2, v1 + "/" + name1}
	for line := range strings.Lines(groups) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(f) < 3 {
			continue
		}
		top, name := v2, name2
		if f[1] != "" {
			if !slices.Contains(strings.Split(f[1], ","), controller) {
				continue
			}
			top, name = v1, name1
		}
		for dir := path.Clean("/" + f[2]); dir != "/"; dir = path.Dir(dir) {
			files = append(files, path.Join(top, dir, name))
		}
	}
	return files
}
