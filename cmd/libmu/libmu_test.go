package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/muinstall"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// made is the folder of the library, if there is one yet.
var made string

// installed is that folder. The library is made once.
var installed = sync.OnceValues(func() (dir string, err error) {
	if made, err = os.MkdirTemp("", "libmu-"); err != nil {
		return "", err
	}
	dir = made
	lib := filepath.Join(dir, muinstall.Lib, muinstall.LibraryName("libmu"))
	if out, err := exec.Command("go", "build", "-buildmode=c-shared", "-o", lib, ".").CombinedOutput(); err != nil {
		return dir, &failure{err, out}
	}
	return dir, muinstall.Install(dir, "", []string{"gcc"})
})

type failure struct {
	err error
	out []byte
}

func (f *failure) Error() string { return f.err.Error() + "\n" + string(f.out) }

func TestMain(m *testing.M) {
	status := m.Run()
	if made != "" {
		os.RemoveAll(made)
	}
	os.Exit(status)
}

// install returns the folder of the library.
func install(t testing.TB) string {
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
func compile(t testing.TB, dir, generation, compiler, source string) string {
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
		// For functions that upstream implementations do not have.
		lib := filepath.Join(dir, muinstall.Lib)
		args = append(args, "-Wl,--as-needed", "-L"+lib, "-lmu", "-Wl,-rpath,"+lib)
	}
	args = append(args, "-lpthread")
	if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return exe
}

// execute runs a client and returns its streams.
func execute(t testing.TB, exe string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

// TestLongClients runs the clients in testdata.
func TestLongClients(t *testing.T) {
	longtest.Only(t)
	dir := install(t)
	eachClient(t, func(t *testing.T, file, generation, want string) {
		stdout, stderr, err := execute(t, compile(t, dir, generation, "gcc -std=gnu99", file))
		if err != nil || stdout != want || stderr != "" {
			t.Errorf("%v\nstdout:\n%s\nwant:\n%s\nstderr:\n%s", err, stdout, want, stderr)
		}
	})
}

// eachClient calls run for each client and each generation that the first line of its file names; the lines after it, up to one that is
// no comment, are the output.
func eachClient(t *testing.T, run func(t *testing.T, file, generation, want string)) {
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
		if !regexp.MustCompile(`^//( 2016| rmu| zebu)+$`).MatchString(lines[0]) {
			continue // of another test
		}
		want := ""
		for _, l := range lines[1:] {
			out, ok := strings.CutPrefix(l, "// ")
			if !ok {
				break
			}
			want += out + "\n"
		}
		for _, generation := range strings.Fields(strings.TrimPrefix(lines[0], "//")) {
			t.Run(filepath.Base(file)+"/"+generation, func(t *testing.T) { run(t, file, generation, want) })
		}
	}
}

// TestLongMisuse runs a client that uses every function wrongly, and compares what is said about it.
func TestLongMisuse(t *testing.T) {
	longtest.Only(t)
	dir := install(t)
	want, err := os.ReadFile("testdata/misuse.txt")
	if err != nil {
		t.Fatal(err)
	}
	stdout, stderr, err := execute(t, compile(t, dir, "2016", "gcc -std=gnu99", "testdata/misuse.c"))
	stderr = regexp.MustCompile(`[0-9]{5,}|thread [0-9]+`).ReplaceAllString(stderr, "N") // IDs
	if err != nil || !regexp.MustCompile(`^[0-9]+\n$`).MatchString(stdout) {
		t.Errorf("%v\n%s", err, stdout)
	}
	if stderr != string(want) {
		t.Errorf("standard error:\n%s\nwant:\n%s", stderr, want)
	}
}

// TestLongAbort checks that a failure ends the process of a client that has no error number.
func TestLongAbort(t *testing.T) {
	longtest.Only(t)
	exe := compile(t, install(t), "zebu", "gcc -std=gnu99", "testdata/abort.c")
	for _, c := range []struct {
		opts, want string
		status     int
	}{
		{"", "libmu: get_iref: E_HANDLE: opnd: the handle is NULL\n", -1},
		{"init_mu --log-level=loud", "libmu: option --log-level=loud: want one of none", 1},
		{"init_mu --fast", "libmu: unknown option --fast\nusage: init_mu [options]\n  --aot-emit-dir=VALUE\n", 1},
		{"init_mu --disable-inline=1", "libmu: option --disable-inline=1: it has no value\n", 1},
	} {
		args := []string{c.opts}
		if c.opts == "" {
			args = nil
		}
		stdout, stderr, err := execute(t, exe, args...)
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != c.status || stdout != "" || !strings.HasPrefix(stderr, c.want) {
			t.Errorf("%q: %v, %q\n%s", c.opts, err, stdout, stderr)
		}
	}
}

// TestLongNoLibffi: without libffi only what calls C, or what it calls, is an error.
func TestLongNoLibffi(t *testing.T) {
	longtest.Only(t)
	dir := install(t)
	t.Setenv("UVMDEBUG", "nolibffi")
	if stdout, stderr, err := execute(t, compile(t, dir, "2016", "gcc -std=gnu99", "testdata/memory.c")); err != nil || stdout == "" || stderr != "" {
		t.Errorf("%v\n%s%s", err, stdout, stderr)
	}
	exe := compile(t, dir, "rmu", "gcc -std=gnu99", "testdata/config.c")
	for libs, want := range map[string]string{"extraLibs=libm.so.6": "mu_refimpl2_new_ex: calling C needs libffi", "": ""} {
		if stdout, stderr, err := execute(t, exe, libs); err != nil || !strings.Contains(stderr, want) || (want == "") != (stdout == "ok\n") {
			t.Errorf("%q: %v\n%s%s", libs, err, stdout, stderr)
		}
	}
	_, stderr, err := execute(t, compile(t, dir, "2016", "gcc -std=gnu99", "testdata/native.c"))
	if want := "libmu: handle_from_expose: E_DYNCODE: function pointers: calling C needs libffi"; err == nil || !strings.HasPrefix(stderr, want) {
		t.Errorf("%v\n%s\nwant %s", err, stderr, want)
	}
}

// TestLongConfig checks configuration texts.
func TestLongConfig(t *testing.T) {
	longtest.Only(t)
	exe := compile(t, install(t), "rmu", "gcc -std=gnu99", "testdata/config.c")
	for _, c := range []struct{ text, stdout, stderr string }{
		{"", "ok", ""},
		{" # sizes\n\n sosSize = 2097152 \nlosSize=780M\nstaticCheck=true\nvmLog=Error\ngcLog=OFF\nextraLibs=\ndumpBundle=False\nuPtrHack=True\n", "ok", ""},
		{"extraLibs=libm.so.6", "ok", ""},
		{"extraLibs=/nothing/libnothing.so", "NULL", "libmu: mu_refimpl2_new_ex: E_ARG: library /nothing/libnothing.so: "},
		{"sosSize", "NULL", `libmu: mu_refimpl2_new_ex: line 1 of the configuration: "sosSize": want key=value`},
		{"\nsosSize=big", "NULL", "libmu: mu_refimpl2_new_ex: line 2 of the configuration: sosSize=big: want a number"},
		{"vmLog=loud", "NULL", "want one of all, trace, debug"},
		{"heapSize=1", "NULL", `unknown key "heapSize": want one of dumpBundle, extraLibs`},
	} {
		stdout, stderr, err := execute(t, exe, c.text)
		if err != nil || stdout != c.stdout+"\n" || !strings.Contains(stderr, c.stderr) || (c.stderr == "") != (stderr == "") || strings.Count(stderr, "\n") > 1 {
			t.Errorf("%q: %v, %q\n%s", c.text, err, stdout, stderr)
		}
	}
}

// TestLongPython runs a client in Python.
func TestLongPython(t *testing.T) {
	longtest.Only(t)
	dir := install(t)
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no Python")
	}
	stdout, stderr, err := execute(t, python, "testdata/client.py", filepath.Join(dir, "cbinding", muinstall.LibraryName("libmurefimpl2start")))
	const want = "100 -2147483648 3.25 @trap\nerror 6481626\ntrap 42\ntrap 43\ntrap 44\n[5, 5]\n"
	if err != nil || stdout != want || stderr != "libmu: id_of: E_NAME: nothing is named \"@nothing\"\n" {
		t.Errorf("%v\nstdout:\n%s\nstderr:\n%s", err, stdout, stderr)
	}
}
