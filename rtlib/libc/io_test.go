package libc

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/uvm2go/uvm2go/testscripts/self"
)

// children are the functions that the test program runs in a child process.
var children = map[string]func(){
	"output": func() {
		Write(0, 1, newString("write\n"), 6)
		Puts(0, newString("puts"))
		os.Stdout.WriteString("go\n")
		Putchar(0, 'c')
		Putchar(0, 0x100+'\n')
		Printf(0, newString("%d %s\n"), []uint64{uint64(math.MaxUint32), uint64(newString("str"))})
		PrintInt64(0, ^uint64(0))
		PrintPtr(0, 255)
		PrintDouble(0, 10)
		PrintStr(0, newString("Hello World"))
		Write(0, 2, newString("err"), 3)
		Exit(0x107)
	},
	"abort": func() { Abort() },
	"hook": func() {
		SetExit(func(status int) {
			os.Stdout.WriteString("bye")
			os.Exit(status + 1)
		})
		Exit(4)
	},
	"pipe": func() {
		p := newString("xxxxxxxx\n")
		for range 100000 {
			Write(0, 1, p, 9)
		}
		os.Exit(99)
	},
	"env": func() {
		for _, name := range []string{"NATIVE_CHILD", "NATIVE_EMPTY", "NATIVE_MISSING", "", "NATIVE", "A=B"} {
			p := Getenv(newString(name))
			if p == 0 {
				os.Stdout.WriteString("-;")
			} else {
				os.Stdout.WriteString(string(cstring("", p)) + ";")
			}
		}
	},
	"read": func() {
		buf := newString("..........")
		for {
			n := Read(0, 0, buf, 4)
			if n == 0 || n == failed64 {
				return
			}
			os.Stdout.Write(append(bytes.Clone(span("", buf, n)), '|'))
		}
	},
}

func child(t *testing.T, name string, env ...string) *exec.Cmd {
	t.Helper()
	cmd := self.Command(t.Context(), t)
	cmd.Env = append(append(cmd.Env, "NATIVE_CHILD="+name), env...)
	return cmd
}

func TestOutput(t *testing.T) {
	cmd := child(t, "output")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.Run()
	if want := "write\nputs\ngo\nc\n-1 str\n-1\n0xff\n10\nHello World\n"; out.String() != want {
		t.Errorf("output %q, want %q", out.String(), want)
	}
	if errs.String() != "err" {
		t.Errorf("standard error %q", errs.String())
	}
	if got := cmd.ProcessState.ExitCode(); got != 7 {
		t.Errorf("exit(0x107): status %d, want 7", got)
	}
}

func TestEnds(t *testing.T) {
	cmd := child(t, "abort")
	out, _ := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != 134 || len(out) != 0 {
		t.Errorf("abort: status %d, output %q", got, out)
	}
	cmd = child(t, "hook")
	out, _ = cmd.Output()
	if got := cmd.ProcessState.ExitCode(); got != 5 || string(out) != "bye" {
		t.Errorf("exit with a hook: status %d, output %q", got, out)
	}
}

func TestBrokenPipe(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no SIGPIPE")
	}
	cmd := child(t, "pipe")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out.Close()
	cmd.Wait()
	if got := cmd.ProcessState.String(); !strings.Contains(got, "broken pipe") {
		t.Errorf("writer without reader: %s", got)
	}
}

func TestGetenv(t *testing.T) {
	out, err := child(t, "env", "NATIVE_EMPTY=").Output()
	if want := "env;;-;-;-;-;"; err != nil || string(out) != want {
		t.Errorf("getenv: %q, %v, want %q", out, err, want)
	}
}

func TestRead(t *testing.T) {
	cmd := child(t, "read")
	cmd.Stdin = strings.NewReader("hello world")
	out, err := cmd.Output()
	if err != nil || strings.ReplaceAll(string(out), "|", "") != "hello world" {
		t.Errorf("read: %q, %v", out, err)
	}
}

func TestFiles(t *testing.T) {
	const creat, trunc, excl, wronly, rdwr = 0x40, 0x200, 0x80, 1, 2
	if runtime.GOOS != "linux" || strings.HasPrefix(runtime.GOARCH, "mips") {
		t.Skip("flags are Linux'")
	}
	e := NewErrno()
	defer e.Free()
	name := newString(filepath.Join(t.TempDir(), "file"))
	if fd := Open(e, name, 0, 0); fd != failed || e.Get() != 2 {
		t.Fatalf("open of nothing: %d, errno %d", int32(fd), e.Get())
	}
	fd := Open(e, name, creat|trunc|rdwr, 0o600)
	if fd == failed {
		t.Fatalf("open: errno %d", e.Get())
	}
	buf := newString("0123456789")
	if n := Write(e, fd, buf, 10); n != 10 {
		t.Errorf("write: %d", int64(n))
	}
	if got := Open(e, name, creat|excl|wronly, 0o600); got != failed || e.Get() != 17 {
		t.Errorf("open of an existing file with O_EXCL: %d, errno %d", int32(got), e.Get())
	}
	if at := Lseek(e, fd, math.MaxUint64-2, 2); at != 7 {
		t.Errorf("lseek(-3, SEEK_END): %d", int64(at))
	}
	Memset(buf, '.', 10)
	if n := Read(e, fd, buf, 10); n != 3 || string(cstring("", buf)) != "789......." {
		t.Errorf("read: %d %q", int64(n), cstring("", buf))
	}
	if n := Read(e, fd, buf, 10); n != 0 {
		t.Errorf("read at the end: %d", int64(n))
	}
	if at := Lseek(e, fd, math.MaxUint64, 0); at != failed64 || e.Get() != eINVAL {
		t.Errorf("lseek(-1): %d, errno %d", int64(at), e.Get())
	}
	if n := Write(e, fd, 0, 0); n != 0 {
		t.Errorf("write of nothing: %d", int64(n))
	}
	if Close(e, fd) != 0 || Close(e, fd) != failed || e.Get() != eBADF {
		t.Errorf("close twice: errno %d", e.Get())
	}
	e.Set(0)
	if n := Write(e, fd, buf, 1); n != failed64 || e.Get() != eBADF {
		t.Errorf("write to a closed file: %d, errno %d", int64(n), e.Get())
	}
	if Unlink(e, name) != 0 || Unlink(e, name) != failed || e.Get() != 2 {
		t.Errorf("unlink twice: errno %d", e.Get())
	}
}

func TestClocks(t *testing.T) {
	e := NewErrno()
	defer e.Free()
	p := room(t, 64)
	word := unsafe.Sizeof(uintptr(0))
	now := time.Now()
	if got := int64(Time(p)); got < now.Unix() || got > now.Unix()+5 || uintptr(got) != *at[uintptr](p) || Time(0) < uint64(got) {
		t.Errorf("time: %d at %d", got, now.Unix())
	}
	if got := Gettimeofday(p, 0); got != 0 || *at[uintptr](p) < uintptr(now.Unix()) || *at[uintptr](p + word) >= 1e6 {
		t.Errorf("gettimeofday: %+v", *at[pair](p))
	}
	ns := func(clk uint32) int64 {
		if got := ClockGettime(e, clk, p); got != 0 {
			t.Errorf("clock_gettime(%d): %d", clk, int32(got))
		}
		if at[pair](p).frac >= 1e9 {
			t.Errorf("clock_gettime(%d): %+v", clk, *at[pair](p))
		}
		return int64(at[pair](p).sec)*1e9 + int64(at[pair](p).frac)
	}
	if got := ns(clockRealtime); got < now.UnixNano() {
		t.Errorf("real time %d, before %d", got, now.UnixNano())
	}
	m, c, k := ns(clockMonotonic), ns(clockProcess), Clock()
	*at[pair](p) = pair{0, 20e6}
	if got := Nanosleep(e, p, p+2*word); got != 0 {
		t.Errorf("nanosleep: %d", int32(got))
	}
	Usleep(e, 1000)
	Sleep(0, 0)
	if d := ns(clockMonotonic) - m; d < 21e6 || d > 10e9 {
		t.Errorf("21 ms took %d ns", d)
	}
	for x := 0; Clock() == k; x++ { // computing increases the processor time
		sink = byte(x)
	}
	if ns(clockProcess) <= c {
		t.Error("processor time stands still")
	}
	if got := ClockGettime(e, 9999, p); got != failed || e.Get() != eINVAL {
		t.Errorf("unknown clock: %d, errno %d", int32(got), e.Get())
	}
	for _, bad := range []pair{{0, 1e9}, {^uintptr(0), 0}, {0, ^uintptr(0)}} {
		e.Set(0)
		*at[pair](p) = bad
		if got := Nanosleep(e, p, 0); got != failed || e.Get() != eINVAL {
			t.Errorf("nanosleep of %+v: %d, errno %d", bad, int32(got), e.Get())
		}
	}
	if Getpid() != uint32(os.Getpid()) || SchedYield() != 0 {
		t.Error("getpid or sched_yield")
	}
}

// TestPin pins an OS thread to each processor in turn, and then to none.
func TestPin(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, n := range []int32{0, 1, 1 << 30, -1} {
		if got := Pin(uint32(n)) == 0; got != (runtime.GOOS == "linux") {
			t.Errorf("pin to %d: %t", n, got)
		}
	}
}
