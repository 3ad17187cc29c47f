package main

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// tools are the compilers of the machine; an empty path means there is none.
type tools struct {
	golang, cc, javac, java string
	versions                []string
	missing                 []string // notices
}

// findTools looks for the compilers.
func findTools() *tools {
	t := new(tools)
	look := func(names ...string) string {
		for _, n := range names {
			if p, err := exec.LookPath(n); err == nil {
				return p
			}
		}
		return ""
	}
	version := func(path string, args ...string) {
		if path == "" {
			return
		}
		out, err := exec.Command(path, args...).CombinedOutput()
		if err != nil {
			return
		}
		line, _, _ := strings.Cut(string(out), "\n")
		t.versions = append(t.versions, strings.TrimSpace(line))
	}
	t.golang = look("go")
	t.cc = look("gcc")
	t.javac, t.java = look("javac"), look("java")
	version(t.golang, "version")
	version(t.cc, "--version")
	version(t.java, "-version")
	if t.cc == "" {
		t.missing = append(t.missing, "no gcc: the twins in C are left out")
	}
	if t.javac == "" || t.java == "" {
		t.missing = append(t.missing, "no javac or no java: the twins in Java are left out")
	}
	return t
}

// load is the one-minute load average, if the system tells.
func load() (float64, bool) {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0, false
	}
	first, _, _ := strings.Cut(string(b), " ")
	v, err := strconv.ParseFloat(first, 64)
	return v, err == nil
}
