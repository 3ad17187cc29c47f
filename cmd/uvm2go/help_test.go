package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTables checks that help, man page and completions contain every command and flag.
func TestTables(t *testing.T) {
	var page bytes.Buffer
	writeMan(&page)
	scripts := map[string]string{}
	for name, write := range shells {
		var b bytes.Buffer
		write(&b, completions())
		scripts[name] = b.String()
	}
	for _, name := range commandNames() {
		m := describe(commands[name])
		if m.flags == nil || m.command != commands[name] || m.usage == "" || strings.TrimSpace(m.long) == "" {
			t.Errorf("%s: described as %+v", name, m)
			continue
		}
		for line := range strings.SplitSeq(m.long, "\n") {
			if len(line) > 80 {
				t.Errorf("%s: a line of %d characters: %s", name, len(line), line)
			}
		}
		_, section, _ := strings.Cut(page.String(), "\n.SS "+name+" ")
		section, _, _ = strings.Cut(section, "\n.S")
		m.flags.VisitAll(func(f *flag.Flag) {
			if !strings.Contains(section, `\fB\-`+strings.ReplaceAll(f.Name, "-", `\-`)+`\fR`) {
				t.Errorf("%s: the man page lacks -%s", name, f.Name)
			}
			for shell, text := range scripts {
				if !strings.Contains(text, f.Name) {
					t.Errorf("%s: the completions for %s lack -%s", name, shell, f.Name)
				}
			}
			if f.Usage == "" {
				t.Errorf("%s -%s: not explained", name, f.Name)
			}
		})
	}
}

// TestShells checks the completions and the man page with the shells and troff that are installed.
func TestShells(t *testing.T) {
	dir := t.TempDir()
	check := func(name string, text []byte, command ...string) {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := exec.LookPath(command[0]); err != nil {
			t.Logf("no %s here", command[0])
			return
		}
		if out, err := exec.Command(command[0], append(command[1:], path)...).CombinedOutput(); err != nil || strings.Contains(string(out), "warning") {
			t.Errorf("%v: %v\n%s", command, err, out)
		}
	}
	for name, write := range shells {
		var b bytes.Buffer
		write(&b, completions())
		check(name, b.Bytes(), name, "-n")
	}
	var page bytes.Buffer
	writeMan(&page)
	check("uvm2go.1", page.Bytes(), "groff", "-man", "-ww", "-z", "-Tascii")
}

// TestProgress checks what appears on a terminal during a long step, and that it
// is erased afterwards.
func TestProgress(t *testing.T) {
	start := time.Now()
	for _, tt := range []struct {
		after []time.Duration
		want  string
	}{
		{nil, ""},
		{[]time.Duration{1100 * time.Millisecond, 2100 * time.Millisecond},
			"\r\x1b[Kuvm2go: working ... 1s\r\x1b[Kuvm2go: working ... 2s\r\x1b[K"},
	} {
		var b bytes.Buffer
		ticks, quit, gone := make(chan time.Time), make(chan struct{}), make(chan struct{})
		go func() {
			showProgress(&b, func() string { return "working" }, start, ticks, quit)
			close(gone)
		}()
		for _, d := range tt.after {
			ticks <- start.Add(d)
		}
		close(quit)
		<-gone
		if b.String() != tt.want {
			t.Errorf("%v: %q, want %q", tt.after, b.String(), tt.want)
		}
	}
}

// TestProgressWhere checks that progress is shown only on terminals that can erase.
func TestProgressWhere(t *testing.T) {
	t.Setenv("TERM", "xterm")
	for _, tt := range []struct {
		e    env
		term string
		want bool
	}{
		{env{}, "xterm", false},
		{env{terminal: true}, "xterm", true},
		{env{terminal: true}, "dumb", false},
		{env{terminal: true, verbose: true}, "xterm", false},
		{env{terminal: true, echo: true}, "xterm", false},
	} {
		t.Setenv("TERM", tt.term)
		if got := tt.e.shows(); got != tt.want {
			t.Errorf("%+v, TERM=%s: %v", tt.e, tt.term, got)
		}
	}
}
