// Package kernels has only this test of the benchmark kernels in its folders: that each
// is complete, agrees with its README about sizes, and that the Go twins print the right
// output. It runs neither the bundles nor the twins in other languages.
package kernels

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

var (
	sizeLine = regexp.MustCompile(`(?m)^\.const @SIZE <@i64> = (\d+) +// small: (\d+)$`)
	output   = regexp.MustCompile(`^trap ([a-z0-9]+)\.done checksum=-?\d+\n$`)
)

// variants are the folders of Go twins that a kernel may have.
var variants = []string{"go", "go_err", "go_chan"}

// kernels returns the names of the kernels.
func kernels(t *testing.T) []string {
	t.Helper()
	bundles, err := filepath.Glob("*/*.uir")
	if err != nil || len(bundles) == 0 {
		t.Fatal("no kernels", err)
	}
	var names []string
	for _, b := range bundles {
		names = append(names, filepath.Dir(b))
	}
	return names
}

func read(t *testing.T, elem ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// sizes returns the full and the small size of a kernel.
func sizes(t *testing.T, name string) (full, small string) {
	t.Helper()
	m := sizeLine.FindAllStringSubmatch(read(t, name, name+".uir"), -1)
	if len(m) != 1 {
		t.Fatalf("%d lines give the size, want 1", len(m))
	}
	return m[0][1], m[0][2]
}

func TestComplete(t *testing.T) {
	for _, name := range kernels(t) {
		t.Run(name, func(t *testing.T) {
			full, _ := sizes(t, name)
			if bundle := read(t, name, name+".uir"); !strings.Contains(bundle, "[@"+name+".done] TRAP <> KEEPALIVE(@checksum)") {
				t.Error("the bundle does not show @checksum")
			}
			for _, f := range []string{"small.txt", "middle.txt", "full.txt"} {
				if m := output.FindStringSubmatch(read(t, name, f)); m == nil || m[1] != name {
					t.Errorf("%s is not a line of output", f)
				}
			}
			if src := read(t, name, "go", "main.go"); !strings.Contains(src, "size := int64("+full+")\n") {
				t.Errorf("the size in go/main.go is not %s", full)
			}
			for ending, line := range map[string]string{".py": " else " + full + "\n", ".lua": " or " + full + "\n"} {
				if _, err := os.Stat(filepath.Join(name, name+ending)); err == nil && !strings.Contains(read(t, name, name+ending), line) {
					t.Errorf("the size in %s%s is not %s", name, ending, full)
				}
			}
			if src := read(t, name, name+".c"); !strings.Contains(src, ": "+full+";\n") {
				t.Errorf("the size in %s.c is not %s", name, full)
			}
		})
	}
}

func TestLongGoTwins(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	for _, name := range kernels(t) {
		_, small := sizes(t, name)
		want := read(t, name, "small.txt")
		for _, v := range variants {
			if _, err := os.Stat(filepath.Join(name, v)); err != nil {
				continue
			}
			exe := filepath.Join(dir, name+"."+v+".exe")
			if out, err := exec.Command("go", "build", "-o", exe, "./"+name+"/"+v).CombinedOutput(); err != nil {
				t.Errorf("%s/%s: %v\n%s", name, v, err, out)
				continue
			}
			got, err := exec.Command(exe, small).Output()
			if err != nil || string(got) != want {
				t.Errorf("%s/%s %s: %v\ngot  %swant %s", name, v, small, err, got, want)
			}
		}
	}
}
