package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// asCommand is a variable of the environment with which the executable of the test is the command rill.
const asCommand = "RILL_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}

// execute runs a command in testdata, and returns its output with a line for the exit status.
func execute(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = "testdata"
	cmd.Env = append(os.Environ(), asCommand+"=1")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	var status *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &status) {
		t.Fatal(err)
	}
	return fmt.Sprintf("%sstatus %d\n", &out, cmd.ProcessState.ExitCode())
}

func rill(t *testing.T) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

// TestPrograms runs the programs in testdata on the engine and on the interpreter. NAME.want has the output of NAME.rill.
func TestPrograms(t *testing.T) {
	programs(t, func(t *testing.T, file string) []string {
		exe := rill(t)
		return []string{execute(t, exe, "run", file), execute(t, exe, "run", "-interp", file)}
	})
}

// TestLongPrograms builds those that have no mistakes, with "rill build" and from their text.
func TestLongPrograms(t *testing.T) {
	longtest.Only(t)
	exe, uvm2go, dir := rill(t), scripttest.Command(t), t.TempDir()
	programs(t, func(t *testing.T, file string) []string {
		if strings.HasSuffix(execute(t, exe, "check", file), "status 1\n") {
			t.Skip("has mistakes")
		}
		built, fromText := filepath.Join(dir, "built"), filepath.Join(dir, "fromtext")
		if out := execute(t, exe, "build", "-o", built, file); out != "status 0\n" {
			t.Fatal(out)
		}
		text := filepath.Join(dir, "text.uir")
		if err := os.WriteFile(text, []byte(strings.TrimSuffix(execute(t, exe, "text", file), "status 0\n")), 0o666); err != nil {
			t.Fatal(err)
		}
		if out := execute(t, uvm2go, "build", "-positions", "author", "-o", fromText, text); out != "status 0\n" {
			t.Fatal(out)
		}
		return []string{execute(t, built), strings.ReplaceAll(execute(t, fromText), dir+string(filepath.Separator), "")}
	})
}

func programs(t *testing.T, run func(t *testing.T, file string) []string) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.rill")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d programs, %v", len(files), err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			want, err := os.ReadFile(strings.TrimSuffix(file, ".rill") + ".want")
			if err != nil {
				t.Fatal(err)
			}
			for _, got := range run(t, name) {
				if got != string(want) {
					t.Errorf("got:\n%swant:\n%s", got, want)
				}
			}
		})
	}
}

// TestMistakes checks messages for texts that are no programs.
func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		`fn main() { var x = nil }`:                          `x:1:17: x needs a type: var x TYPE = nil`,
		`fn main() { y = 1 }`:                                `x:1:13: y is no variable`,
		`fn main() { print(nil == nil) }`:                    `x:1:23: nil cannot be compared`,
		`fn main() { 1 + 2 }`:                                `x:1:15: the value is not used`,
		`fn main() { return 1 }`:                             `x:1:20: the function has no result`,
		`fn main() { var x = print(1) }`:                     `x:1:21: the call has no value`,
		`fn main() { return print(1) }`:                      `x:1:20: the function has no result`,
		`fn main() { throw "a" print(1) }`:                   `x:1:23: this statement cannot be reached`,
		`fn f(a nix) {}`:                                     `x:1:8: unknown type nix`,
		`fn f() {} fn f() {}`:                                `x:1:11: f is defined already`,
		`struct P { x int } fn f(p P) -> int { return p.y }`: `x:1:48: P has no field y`,
		`fn f(g fn(int) -> int) -> int { return g(1, 2) }`:   `x:1:40: want 1 arguments, got 2`,
		`fn größe() {}`:                                      `x:1:6: want "(", found "ö"`,
		`fn main( {`:                                         `x:1:10: want a name, found "{"`,
		`fn main() { print("a`:                               `x:1:19: literal not terminated`,
		`fn main() { print(99999999999999999999) }`:          `x:1:19: want a number of 64 bits, found "99999999999999999999"`,
		`x`: `x:1:1: want struct or fn, found "x"`,
	} {
		prog, err := parse("x", strings.NewReader(text))
		if err == nil {
			err = newChecker().check(prog)
		}
		if err == nil {
			t.Errorf("%s: no mistake found, want %s", text, want)
		} else if first, _, _ := strings.Cut(err.Error(), "\n"); first != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
