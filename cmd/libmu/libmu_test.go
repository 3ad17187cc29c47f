package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/muinstall"
)

// installed is the folder of the library, which is made once.
var installed = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "libmu-")
	if err != nil {
		return "", err
	}
	lib := filepath.Join(dir, muinstall.Lib, muinstall.LibraryName("libmu"))
	if out, err := exec.Command("go", "build", "-buildmode=c-shared", "-o", lib, ".").CombinedOutput(); err != nil {
		return dir, &failure{err, out}
	}
	return dir, muinstall.Install(dir, []string{"gcc"})
})

type failure struct {
	err error
	out []byte
}

func (f *failure) Error() string { return f.err.Error() + "\n" + string(f.out) }

func TestMain(m *testing.M) {
	status := m.Run()
	if dir, _ := installed(); dir != "" {
		os.RemoveAll(dir)
	}
	os.Exit(status)
}

// install returns the folder of the library.
func install(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("there is no C compiler")
	}
	dir, err := installed()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// compile compiles a client for a generation, 2016, rmu or zebu, and returns the executable.
func compile(t *testing.T, dir, generation, compiler, source string) string {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "client")
	args := strings.Fields(compiler)
	args = append(args, "-Wall", "-Wextra", "-Werror", "-g", "-I", "testdata", source, "-o", exe)
	switch generation {
	case "zebu":
		lib := filepath.Join(dir, "target", "debug")
		args = append(args, "-DZEBU", "-I", filepath.Join(dir, "src", "vm", "api"), "-L"+lib, "-lmu", "-Wl,-rpath,"+lib)
	default:
		config := filepath.Join(dir, "cbinding", "refimpl2-config")
		if generation == "rmu" {
			config = filepath.Join(dir, "rmu-ref", "cbinding", "refimpl2-config")
			args = append(args, "-DRMU")
		}
		out, err := exec.Command(config, "--istart", "--cflags", "--libs").Output()
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, strings.Fields(string(out))...)
	}
	args = append(args, "-lpthread")
	if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return exe
}

// execute runs a client and returns its streams.
func execute(t *testing.T, exe string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

// TestClients runs the clients in testdata for the generations that the first line of each names; the lines after it, up to one that is
// no comment, are the output.
func TestClients(t *testing.T) {
	dir := install(t)
	files, err := filepath.Glob("testdata/*.c")
	if err != nil || len(files) == 0 {
		t.Fatal("no clients", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		want := ""
		for _, l := range lines[1:] {
			out, ok := strings.CutPrefix(l, "// ")
			if !ok {
				break
			}
			want += out + "\n"
		}
		for _, generation := range strings.Fields(strings.TrimPrefix(lines[0], "//")) {
			t.Run(filepath.Base(file)+"/"+generation, func(t *testing.T) {
				stdout, stderr, err := execute(t, compile(t, dir, generation, "gcc -std=gnu99", file))
				if err != nil || stdout != want || stderr != "" {
					t.Errorf("%v\nstdout:\n%s\nwant:\n%s\nstderr:\n%s", err, stdout, want, stderr)
				}
			})
		}
	}
}
