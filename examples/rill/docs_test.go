package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// A part is a fenced block of docs/tutorial.md. It is marked with a language and, if it is a quotation, a file.
type part struct{ kind, file, text string }

func tutorial(t *testing.T) (parts []part) {
	t.Helper()
	doc, err := os.ReadFile("../../docs/tutorial.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?ms)^```([a-z]+) ?([^\n]*)\n(.*?)^```$").FindAllStringSubmatch(string(doc), -1) {
		parts = append(parts, part{m[1], m[2], m[3]})
	}
	if len(parts) < 40 {
		t.Fatalf("docs/tutorial.md has %d blocks", len(parts))
	}
	return parts
}

// TestQuotations checks that the code in docs/tutorial.md is part of the files that it names.
func TestQuotations(t *testing.T) {
	for _, p := range tutorial(t) {
		switch p.kind {
		case "go", "rill", "mu":
			text, err := os.ReadFile(p.file)
			if err != nil {
				t.Error(err)
			} else if !strings.Contains("\n"+string(text), "\n"+p.text) {
				t.Errorf("this is no part of %s:\n%s", p.file, p.text)
			}
		case "console", "gdb":
		default:
			t.Errorf("a block marked %s", p.kind)
		}
	}
}

// TestSessions runs the sessions of docs/tutorial.md that build nothing.
func TestSessions(t *testing.T) {
	sessions(t, "", "UVM2GO_RUN=live")
}

// TestLongSessions runs all sessions, and builds programs for them.
func TestLongSessions(t *testing.T) {
	longtest.Only(t)
	sessions(t, "long")
	sessions(t, "")
}

// sessions runs the commands behind the $ signs in blocks with a mark. Other lines are what they print, three points any text.
func sessions(t *testing.T, mark string, env ...string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a Unix shell")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	scripttest.OwnCache(t)
	uvm2go := scripttest.Command(t)
	script := "#!/bin/sh\n" + asCommand + "=1 exec '" + rill(t) + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(filepath.Dir(uvm2go), "rill"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	env = append(os.Environ(), append(env, "UVM2GO="+root, "PATH="+scripttest.Path(uvm2go), "GOWORK=off", "GOPROXY=off", "GOTOOLCHAIN=local")...)
	for _, p := range tutorial(t) {
		if p.kind != "console" || p.file != mark {
			continue
		}
		var got strings.Builder
		for line := range strings.Lines(p.text) {
			command, ok := strings.CutPrefix(line, "$ ")
			if !ok {
				continue
			}
			got.WriteString(line)
			cmd := exec.Command("sh", "-c", command+"r=$?; test $r -eq 0 || echo exit status $r")
			cmd.Dir, cmd.Env = dir, env
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("%s%v", line, err)
			}
			got.Write(out)
		}
		want := "^" + strings.ReplaceAll(regexp.QuoteMeta(p.text), "\n\\.\\.\\.\n", "\n(?s:.*)") + "$"
		if !regexp.MustCompile(want).MatchString(got.String()) {
			t.Errorf("got:\n%s\nwant:\n%s", &got, p.text)
		}
	}
}

// TestLongGDB runs the session of docs/tutorial.md in GDB.
func TestLongGDB(t *testing.T) {
	longtest.Only(t)
	gdb, err := exec.LookPath("gdb")
	if err != nil {
		t.Skip(err)
	}
	uvm2go, dir := scripttest.Command(t), t.TempDir()
	program, err := os.ReadFile("testdata/list.rill")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.TrimSuffix(execute(t, rill(t), "text", "list.rill"), "status 0\n")
	for name, data := range map[string]string{"list.rill": string(program), "list.uir": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	args, want := []string{"-nx", "-batch"}, ""
	for _, p := range tutorial(t) {
		if p.kind != "gdb" {
			continue
		}
		for line := range strings.Lines(p.text) {
			if command, ok := strings.CutPrefix(strings.TrimSpace(line), "(gdb) "); ok && command != "quit" {
				args = append(args, "-ex", command)
			} else if !ok {
				want += line
			}
		}
	}
	run := exec.Command("sh", "-c", `"$0" build -g list.uir && "$0" debug -script gdb >mu.py && exec "$@"`, uvm2go, gdb)
	run.Args = append(append(run.Args, args...), "./list")
	run.Dir = dir
	out, err := run.CombinedOutput()
	if strings.Contains(string(out), "ptrace") {
		t.Skip(string(out))
	}
	address := regexp.MustCompile("0x[0-9a-f]+")
	if got := address.ReplaceAllString(string(out), "A"); err != nil || !strings.Contains(got, address.ReplaceAllString(want, "A")) {
		t.Errorf("%v, got:\n%s\nwant:\n%s", err, out, want)
	}
}
