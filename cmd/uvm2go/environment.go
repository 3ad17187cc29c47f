package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// Faults of the environment in which programs are built: what the system or the go command
// refuses, although uvm2go and the bundle are right. They are told from internal errors by the messages of
// the system, which the go command passes on.

// faults are patterns of messages of a failed build, and what to do. If the fault is in a
// folder, a place is added, see places.
var faults = []struct {
	text    *regexp.Regexp
	says    string // instead of the matched text
	advice  string
	inPlace bool
	noLive  bool // run -live has the same fault
}{
	{regexp.MustCompile(`no space left on device`), "", "make room", true, false},
	{regexp.MustCompile(`disk quota exceeded`), "", "make room", true, false},
	{regexp.MustCompile(`file too large`), "", "raise the limit for the size of files (ulimit -f)", false, false},
	{regexp.MustCompile(`read-only file system`), "", "", true, false},
	{regexp.MustCompile(`permission denied`), "", "", true, false},
	{regexp.MustCompile(`input/output error`), "", "", true, false},
	{regexp.MustCompile(`too many open files`), "", "raise the limit (ulimit -n)", false, false},
	{regexp.MustCompile(`cannot allocate memory|out of memory|resource temporarily unavailable|signal: killed`),
		"not enough memory for go build, or it was killed", "free some, raise the limits (ulimit -v, -u), or set GOFLAGS=-p=1 to compile one package at a time", false, false},
	{regexp.MustCompile(`GOCACHE is not defined|module cache not found|neither GOPATH nor|GOPATH .*not set`),
		"go build has no folder for its caches", "set HOME, or GOCACHE and GOPATH", false, false},
	{regexp.MustCompile(`(failed to initialize build cache|build cache is (disabled|required)|creating work dir|parsing \$GOFLAGS|invalid GOTOOLCHAIN|unsupported GOOS|unknown GOEXPERIMENT).*`),
		"", "set the variable for the go command to something that works (go env lists them)", false, false},
	{regexp.MustCompile(`cannot find GOROOT.*`), "", "set GOROOT to the folder of Go, or leave it out", false, false},
	{regexp.MustCompile(`requires go >= .*`), "the Go toolchain in PATH is too old", "install a later one (https://go.dev/dl)", false, false},
	{regexp.MustCompile(`C compiler .* not found`), "", "install one, or name it in CC", false, true},
}

// environmentFault returns a message if a build failed, with an error and the output text of the go
// command, because of the environment. Otherwise it returns "". The build should have written the file out.
func (e *env) environmentFault(err error, text, out string) string {
	var exit *exec.ExitError
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "the go command is not in PATH: install Go (https://go.dev/dl)" + e.instead
	case !errors.As(err, &exit) || exit.ExitCode() < 0:
		text += "\n" + err.Error() // the go command could not be run to its end
	}
	for _, f := range faults {
		at := f.text.FindStringIndex(text)
		if at == nil {
			continue
		}
		line := text[strings.LastIndexByte(text[:at[0]], '\n')+1:]
		line, _, _ = strings.Cut(line, "\n")
		msg, advice := f.says, f.advice
		if msg == "" {
			msg = text[at[0]:at[1]]
		}
		if f.inPlace {
			if e.undebugged {
				out = "" // run builds in the cache, or in the folder for temporary files
			}
			p := placeOf(line, out)
			msg += ": " + p.name
			if advice != "" {
				advice += ", or "
			}
			advice += p.advice
		}
		if !f.noLive {
			advice += e.instead
		}
		return msg + "; " + advice + "\n\t" + strings.TrimSpace(line)
	}
	if exit == nil {
		return err.Error()
	}
	return ""
}

// A place is a folder or file that a build writes.
type place struct {
	path   string // absolute
	name   string // as the user gave it
	advice string
}

// placeOf returns the place of a message: the one with the longest path that the message has. Messages of the linker name no
// path: it writes into the folder for temporary files.
func placeOf(line, out string) place {
	best := place{}
	for _, p := range places(out) {
		if abs, err := filepath.Abs(p.path); err == nil && strings.Contains(line, abs) && len(abs) > len(best.path) {
			best = place{abs, p.name, p.advice}
		}
	}
	if best.path == "" {
		return places(out)[0]
	}
	return best
}

func places(out string) []place {
	temp := place{os.TempDir(), "the folder for temporary files, " + os.TempDir(), "set TMPDIR to another folder"}
	if dir := os.Getenv("GOTMPDIR"); dir != "" {
		temp = place{dir, "GOTMPDIR, " + dir, "set GOTMPDIR to another folder"}
	}
	list := []place{temp}
	if user, err := os.UserCacheDir(); err == nil {
		list = append(list, place{user, "the cache folder " + user, "set XDG_CACHE_HOME to another folder"})
	}
	for _, v := range []string{"GOCACHE", "GOMODCACHE", "GOPATH", "UVM2GO_CACHE"} {
		if dir := os.Getenv(v); dir != "" {
			list = append(list, place{dir, v + ", " + dir, "set " + v + " to another folder"})
		}
	}
	if out != "" {
		list = append(list, place{out, out, "write to another folder (-o)"})
	}
	return list
}
