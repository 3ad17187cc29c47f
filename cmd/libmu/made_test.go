package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/uvm2go/uvm2go/cmd/internal/muinstall"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// Files that are made from the state of a VM (docs/libmu.md, "Files that are made").

// commandFile is the command uvm2go, which the library calls; it is built once, into the folder of the library.
var commandFile = sync.OnceValues(func() (string, error) {
	dir, err := installed()
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "bin", "uvm2go")
	if out, err := exec.Command("go", "build", "-o", file, "../uvm2go").CombinedOutput(); err != nil {
		return "", &failure{err, out}
	}
	return file, nil
})

func command(t *testing.T) string {
	t.Helper()
	file, err := commandFile()
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// inFolder runs a program in a folder, with variables of the environment, and returns what it says and its exit status.
func inFolder(t *testing.T, dir string, env []string, exe string, args ...string) (string, int) {
	t.Helper()
	cmd := exec.Command(exe, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// TestLongImageOnEngine makes a boot image where there is no Go: a file that the command runs.
func TestLongImageOnEngine(t *testing.T) {
	longtest.Only(t)
	dir := install(t)
	for generation, folder := range map[string]string{"zebu": "emit", "rmu": "."} {
		exe, work := compile(t, dir, generation, "gcc -std=gnu99", "testdata/image.c"), t.TempDir()
		noGo := []string{"PATH=" + filepath.Dir(command(t))}
		foreign := filepath.Join(work, "made.new")
		if err := os.WriteFile(foreign, []byte("keep"), 0o666); err != nil {
			t.Fatal(err)
		}
		if out, status := inFolder(t, work, noGo, exe, "made"); status != 0 || out != "" {
			t.Fatalf("%s: status %d\n%s", generation, status, out)
		}
		runsImage(t, filepath.Join(work, folder, "made"), noGo)
		if text, err := os.ReadFile(foreign); err != nil || string(text) != "keep" {
			t.Errorf("%s: %q, %v", foreign, text, err)
		}
		for _, of := range []string{work, filepath.Join(work, folder)} {
			if left, _ := filepath.Glob(filepath.Join(of, ".libmu-*")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		}
	}
}

// runsImage runs the program that image.c makes.
func runsImage(t *testing.T, file string, env []string) {
	t.Helper()
	if out, status := inFolder(t, ".", env, file, "argument one", "2"); out != "hello from the image\nargument one\n" || status != 55 {
		t.Errorf("%s: status %d, want 55\n%s", file, status, out)
	}
}

// TestLongImageFaults checks what is said when there can be no image, or no library.
func TestLongImageFaults(t *testing.T) {
	longtest.Only(t)
	dir := install(t)
	exe, work := compile(t, dir, "rmu", "gcc -std=gnu99", "testdata/badimage.c"), t.TempDir()
	out, status := inFolder(t, work, []string{"PATH=" + filepath.Dir(command(t))}, exe)
	want := []string{
		"libmu: make_boot_image: E_ARG: primordial_func and primordial_stack are NULL",
		"libmu: make_boot_image: E_STACK_STATE: primordial_stack: the stack is DEAD",
		"libmu: make_boot_image: E_ARG: primordial_func and primordial_stack exclude each other",
		"libmu: make_boot_image: E_DYNCODE: bad native symbol \"a b\": ' ' cannot be part of a symbol",
		"libmu: make_boot_image: E_DYNCODE: the symbol name is given to two places",
		"libmu: make_boot_image: E_DYNCODE: a field of type stackref cannot have the address of the symbol name: want a pointer",
		"libmu: make_boot_image: E_DYNCODE: the entry function @f has the signature (int<64>) -> (): want no parameters, or (int<32> uptr<T>)",
		"libmu: make_boot_image: E_DYNCODE: 7 is not the ID of an entity",
		"libmu: make_boot_image: E_DYNCODE: the cell @stack has a stackref, which an image cannot have",
		"libmu: make_boot_image: E_DYNCODE: a library takes the Go toolchain: there is no command go in PATH",
		"made nothing", "",
	}
	if status != 0 || out != strings.Join(want, "\n") {
		t.Errorf("status %d\n%s\nwant\n%s", status, out, strings.Join(want, "\n"))
	}
}

// TestLongImage builds boot images.
func TestLongImage(t *testing.T) {
	longtest.Only(t)
	dir := install(t)
	command(t)
	for generation, folder := range map[string]string{"zebu": "emit", "rmu": "."} {
		exe, work := compile(t, dir, generation, "gcc -std=gnu99", "testdata/image.c"), t.TempDir()
		if out, status := inFolder(t, work, nil, exe, "made"); status != 0 || out != "" {
			t.Fatalf("%s: status %d\n%s", generation, status, out)
		}
		file := filepath.Join(work, folder, "made")
		runsImage(t, file, []string{"PATH="})
		if out, status := inFolder(t, filepath.Dir(file), nil, filepath.Join(dir, "tools", "runmu.sh"), "--vmLog=ERROR", "--losSize=780M", "made", "--x"); status != 55 || !strings.HasSuffix(out, "--x\n") {
			t.Errorf("runmu.sh: status %d\n%s", status, out)
		}
	}
}

// TestLongLibrary makes a library and calls its functions: in the process that has made it, in one that has another VM, and in one
// that does not know of Mu.
func TestLongLibrary(t *testing.T) {
	longtest.Only(t)
	dir := install(t)
	command(t)
	data, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	exe, work := compile(t, dir, "zebu", "gcc -std=gnu99", "testdata/library.c"), t.TempDir()
	alone := filepath.Join(work, "alone")
	if out, err := exec.Command("gcc", "-DALONE", "testdata/library.c", "-o", alone, "-ldl", "-lm").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, args := range [][]string{
		{exe, "make", "libtest.so", filepath.Join(data, "extra.c"), filepath.Join(data, "library.uir")},
		{exe, "attach", "libtest.so"}, {exe, "open", "libtest.so"}, {alone, "open", "libtest.so"},
	} {
		if out, status := inFolder(t, work, nil, args[0], args[1:]...); status != 0 || out != "hello world!\nhello world!\nhello\nhello\n" {
			t.Errorf("%s: status %d\n%s", args[1], status, out)
		}
	}
}

// TestLongHot compiles hot code in a process that has opened the library for itself alone.
func TestLongHot(t *testing.T) {
	longtest.Only(t)
	dir, cache := t.TempDir(), t.TempDir()
	if out, err := exec.Command(command(t), "libmu", "-tier2", "-o", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	exe := filepath.Join(t.TempDir(), "hot")
	if out, err := exec.Command("gcc", "-std=gnu99", "-O2", "-I", "testdata", "-I", filepath.Join(dir, "cbinding"), "testdata/hot.c", "-o", exe, "-ldl").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for mode, want := range map[string]string{"tier1=1": "", "tier2=1": "uvm: live: the bundle of @sum is compiled\n"} {
		env := []string{"UVM2GO_CACHE=" + cache, "UVMDEBUG=live=1," + mode}
		out, status := inFolder(t, ".", env, exe, filepath.Join(dir, "cbinding", muinstall.LibraryName("libmurefimpl2start")))
		if ns, ok := strings.CutPrefix(out, want); status != 0 || !ok || strings.Count(ns, "\n") != 1 {
			t.Errorf("%s: status %d\n%s", mode, status, out)
		} else {
			t.Logf("%s: %s ns for each round of the loop", mode, strings.TrimSpace(ns))
		}
	}
}
