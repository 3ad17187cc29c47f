package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// TestDebugScript prints the scripts, and refuses other debuggers.
func TestDebugScript(t *testing.T) {
	for name, want := range map[string]string{"dlv": "def command_mu(", "gdb": "class Mu(gdb.Command)"} {
		var out, errs bytes.Buffer
		if status := Main([]string{"debug", "-script", name}, nil, &out, &errs); status != statusOK || !strings.Contains(out.String(), want) {
			t.Errorf("%s: status %d, %s%s", name, status, out.String(), errs.String())
		}
	}
	for _, args := range [][]string{{"debug"}, {"debug", "-script", "lldb"}, {"debug", "-script", "dlv", "x"}} {
		var out, errs bytes.Buffer
		if status := Main(args, nil, &out, &errs); status != statusUsage || out.Len() > 0 || errs.Len() == 0 {
			t.Errorf("%q: status %d, %s%s", args, status, out.String(), errs.String())
		}
	}
	var out, errs bytes.Buffer
	if status := Main([]string{"build", "-g", "-O1", "testdata/debug/list.uir"}, nil, &out, &errs); status != statusUsage {
		t.Errorf("-g -O1: status %d, %s", status, errs.String())
	}
}

// debugged runs the session of docs/debugging.md: commands at the second stop in @cons.
func debugged(t *testing.T, debugger, flag string, argv func(exe, script string) []string, session string, want ...string) {
	t.Helper()
	path, err := exec.LookPath(debugger)
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	text, err := os.ReadFile("testdata/debug/list.uir")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	var script, errs bytes.Buffer
	if status := Main([]string{"debug", "-script", debugger}, nil, &script, &errs); status != statusOK {
		t.Fatal(errs.String())
	}
	ext := map[string]string{"dlv": "mu.star", "gdb": "mu.py"}[debugger]
	for name, data := range map[string]string{"list.uir": string(text), ext: script.String(), "session": session} {
		if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if status := Main([]string{"build", flag, "-o", "list", "list.uir"}, nil, &script, &errs); status != statusOK {
		t.Fatal(errs.String())
	}
	cmd := exec.Command(path, argv(filepath.Join(dir, "list"), "session")...)
	cmd.Env = append(os.Environ(), "HOME="+dir)
	cmd.WaitDelay = time.Second
	stop := time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() })
	defer stop.Stop()
	out, err := cmd.CombinedOutput()
	rest := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(string(out), "")
	if strings.Contains(rest, "ptrace") || strings.Contains(rest, "operation not permitted") {
		t.Skip(rest)
	}
	for _, w := range want {
		at := regexp.MustCompile(w).FindStringIndex(rest)
		if at == nil {
			t.Fatalf("no %q (%v) in the rest of\n%s", w, err, out)
		}
		rest = rest[at[1]:]
	}
}

func TestLongDelve(t *testing.T) {
	longtest.Only(t)
	debugged(t, "dlv", "-g", func(exe, script string) []string {
		return []string{"exec", exe, "--init", script, "--allow-non-terminal-interactive=true"}
	}, "source mu.star\nbreak list.uir:23\ncontinue\nargs\ncontinue\nmu new_cell\nmu t_1\nmu 0\nmubt\nmustacks\nnext\nlocals\nexit\n",
		`head = 120\n`, `@cell at 0x[0-9a-f]+\n  0 = 5\n  1 = ref 0x[0-9a-f]+\n`, `@cell at 0x[0-9a-f]+\n  0 = 120\n  1 = NULL\n`, `NULL\n`,
		`@cons \(list.uir:23\)\n@main \(list.uir:41\)\n`, `\* stack of goroutine \d+ on thread \d+\n    @cons`, `main.main_2\(\) list.uir:41`, `five = 120\n`)
}

func TestLongGDB(t *testing.T) {
	longtest.Only(t)
	debugged(t, "gdb", "-g", func(exe, script string) []string { return []string{"-nx", "-batch", "-x", script, exe} },
		"source mu.py\nbreak list.uir:23\nrun\ninfo args\ncontinue\nmu new_cell\nmu t_1\nmu 0\nmubt\nmustacks\n",
		`head = 120`, `@cell at 0x[0-9a-f]+\n  0 = 5\n  1 = ref 0x[0-9a-f]+\n`, `@cell at 0x[0-9a-f]+\n  0 = 120\n  1 = NULL\n`, `NULL\n`,
		`@cons \((\./)?list.uir:23\)\n@main \((\./)?list.uir:41\)\n`, `\* thread \d+\n    @cons`)
}

// A breakpoint is set at each copy of an inlined line.
func TestLongDelveCopies(t *testing.T) {
	longtest.Only(t)
	debugged(t, "dlv", "-O1", func(exe, script string) []string {
		return []string{"exec", exe, "--init", script, "--allow-non-terminal-interactive=true"}
	}, "source mu.star\nmubreak list.uir:21\nmubreak list.uir:99\nexit\n",
		`Breakpoint 1 at 0x[0-9a-f]+ in main\.`, `Breakpoint 2 at 0x[0-9a-f]+ in main\.`, `no code of list.uir:99`)
}
