package main

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// tools are the compilers of the machine; an empty path means that there is none.
type tools struct {
	golang, cc, javac, java string
	clang, wazero           string // for WebAssembly
	python, lua             string
	versions                []string
	missing                 []string // notices
}

// findTools looks for the compilers.
func findTools() *tools {
	t := new(tools)
	t.golang = t.look("go")
	t.cc = t.look("gcc")
	t.javac, t.java = t.look("javac"), t.look("java")
	t.version(t.golang, "version")
	t.version(t.cc, "--version")
	t.version(t.java, "-version")
	if t.cc == "" {
		t.missing = append(t.missing, "no gcc: the twins in C are left out")
	}
	if t.javac == "" || t.java == "" {
		t.missing = append(t.missing, "no javac or no java: the twins in Java are left out")
	}
	return t
}

// look returns the path of a program, or "" if there is none.
func (t *tools) look(name string) string {
	p, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	return p
}

// version records the version that a program prints.
func (t *tools) version(path string, args ...string) {
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

// load returns the one-minute load average, if the system provides it.
func load() (float64, bool) {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0, false
	}
	first, _, _ := strings.Cut(string(b), " ")
	v, err := strconv.ParseFloat(first, 64)
	return v, err == nil
}
