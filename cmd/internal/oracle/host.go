package oracle

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/uvm2go/uvm2go/cmd/internal/randprog"
)

// Ways with Way.Host: a program, which is built once, loads a text with all of its bundles, and the engine runs them. With
// Way.Unit they are compiled as plugins, by the command uvm2go.

//go:embed host.uir
var hostText string

// What the host calls when everything is loaded, by the dialect of the bundles: those of IAL have run then.
const (
	goMu  = ".funcdef @h.go VERSION %host <@h.main.sig> { %e(<@h.i32> %n <@h.V> %v): CALL <@main.sig> @main (%n %v) RET @h.0w }\n"
	goOld = ".funcsig @h.old = () -> (@h.i32)\n.funcdef @h.go VERSION %host <@h.main.sig> { %e(<@h.i32> %n <@h.V> %v): TAILCALL <@h.old> @main () }\n"
	goTVM = ".typedef @h.void = void .typedef @h.P = uptr<@h.void> .funcsig @h.tvm = (@h.i32 @h.P) -> (@h.i32)\n" +
		".funcdef @h.go VERSION %host <@h.main.sig> { %e(<@h.i32> %n <@h.V> %v): %p = PTRCAST <@h.V @h.P> %v TAILCALL <@h.tvm> @main (%n %p) }\n"
	goIAL = ".funcdef @h.go VERSION %host <@h.main.sig> { %e(<@h.i32> %n <@h.V> %v): RET @h.0w }\n"
)

// packed is the file that the host reads for a bundle.
func packed(text string, parts bool) string {
	var list []string
	switch {
	case strings.HasPrefix(text, randprog.HeadIAL):
		list = append([]string{goIAL}, randprog.Parts(text, !parts)...)
	case strings.HasPrefix(text, randprog.HeadTVM):
		list = append(randprog.Parts(text, !parts), goTVM)
	case strings.Contains(text, ".funcdef @main <int<32> ()>"):
		list = []string{text, goOld}
	default:
		list = []string{text, goMu}
	}
	return strings.Join(list, "\x00") + "\x00"
}

// raceFlags are the flags of go build for the race detector. checkptr refuses addresses of the Mu heap.
var raceFlags = []string{"-race", "-gcflags=all=-d=checkptr=0"}

// tools returns the command uvm2go and, for a way with Host, the program that loads.
func (l *Lab) tools(w Way) (command, host string, err error) {
	l.building.Lock()
	defer l.building.Unlock()
	dir := filepath.Join(string(l.module), "tools")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", "", err
	}
	command = filepath.Join(dir, "uvm2go")
	if err := once(command, func() error {
		if l.Command != "" {
			return os.Symlink(l.Command, command)
		}
		return said(exec.Command("go", "build", "-o", command, "github.com/uvm2go/uvm2go/cmd/uvm2go"))
	}); err != nil || !w.Host {
		return command, "", err
	}
	host, flags := filepath.Join(dir, "host"), os.Getenv("GOFLAGS")
	if w.Race {
		host, flags = host+"-race", flags+" "+strings.Join(raceFlags, " ")
	}
	return command, host, once(host, func() error {
		source := filepath.Join(dir, "host.uir")
		if err := save(source, hostText, 0o666); err != nil {
			return err
		}
		build := exec.Command(command, "build", "-tier2", "-entry", "@h.main", "-o", host, source)
		build.Env = append(os.Environ(), "GOFLAGS="+flags)
		return said(build)
	})
}

// once makes a file if it does not exist.
func once(file string, make func() error) error {
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	return make()
}

// said runs a command. Its output is part of the error.
func said(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return nil
}

// environment is what ways with plugins need in addition.
func (l *Lab) environment(w Way, command string) []string {
	mode := "tier1=1"
	if w.Unit > 0 {
		mode = fmt.Sprintf("live=1,tier2=%d", w.Unit)
	}
	return []string{"UVMDEBUG=" + strings.TrimPrefix(w.Debug+","+mode, ","), "UVM2GO_CACHE=" + filepath.Join(string(l.module), "cache"),
		"PATH=" + filepath.Dir(command) + string(filepath.ListSeparator) + os.Getenv("PATH")}
}

// forgetUnits removes the plugins of programs that were tested.
func (l *Lab) forgetUnits() error {
	return os.RemoveAll(filepath.Join(string(l.module), "cache", "units"))
}
