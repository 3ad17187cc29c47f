package gogen_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
)

// TestCover: a program built with go build -cover writes a profile with lines of the bundle. All the lines
// exist, and blocks that have run differ from those that have not. There are no columns, see
// docs/profiling.md.
func TestCover(t *testing.T) {
	dir := client(t)
	const bundle = "../../examples/sort/sort.uir"
	translate(t, filepath.Join(dir, "sort"), transpile.Options{Optimize: 1, Lines: true}, bundle)
	text, err := os.ReadFile(bundle)
	if err != nil {
		t.Fatal(err)
	}
	data, profile := filepath.Join(dir, "data"), filepath.Join(dir, "profile.txt")
	if err := os.Mkdir(data, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"go", "build", "-cover", "-o", "prog.exe", "./sort"}, {filepath.Join(dir, "prog.exe")},
		{"go", "tool", "covdata", "textfmt", "-i", data, "-o", profile}} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "CGO_ENABLED=0", "GOCOVERDIR="+data)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	made, err := os.ReadFile(profile)
	if err != nil {
		t.Fatal(err)
	}
	last := bytes.Count(text, []byte{'\n'})
	ran := map[int]int{}
	for lines := bufio.NewScanner(bytes.NewReader(made)); lines.Scan(); {
		_, block, ok := strings.Cut(lines.Text(), "sort.uir:")
		if !ok {
			continue
		}
		var from, col, to, end, statements, n int
		if _, err := fmt.Sscanf(block, "%d.%d,%d.%d %d %d", &from, &col, &to, &end, &statements, &n); err != nil {
			t.Fatalf("%s: %v", block, err)
		}
		if from < 1 || from > last || to > last || col != 0 {
			t.Errorf("%s: the bundle has %d lines", block, last)
		}
		ran[n]++
	}
	if ran[0] == 0 || ran[1] == 0 {
		t.Errorf("%d blocks have run, %d have not", ran[1], ran[0])
	}
}
