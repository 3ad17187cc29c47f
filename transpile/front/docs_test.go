package front_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// TestDocExample runs the program of docs/frontends.md.
func TestDocExample(t *testing.T) {
	doc, err := os.ReadFile("../../docs/frontends.md")
	if err != nil {
		t.Fatal(err)
	}
	parts := regexp.MustCompile("(?s)```go\n(.*?)```\n\n```text\n(.*?)```").FindStringSubmatch(string(doc))
	if parts == nil {
		t.Fatal("docs/frontends.md has no program with its output")
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(parts[1]), 0o666); err != nil {
		t.Fatal(err)
	}
	run := exec.Command("go", "run", file)
	run.Dir = filepath.Join("..", "..")
	if out, err := run.CombinedOutput(); err != nil || string(out) != parts[2] {
		t.Errorf("%v, %s, want %s", err, out, parts[2])
	}
}
