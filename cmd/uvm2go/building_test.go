package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// TestBuildingPage follows docs/building.md in the section about folders.
func TestBuildingPage(t *testing.T) { followBuilding(t, "A folder") }

// TestLongBuildingPage follows all sections. Some compile the translator once more, with other flags.
func TestLongBuildingPage(t *testing.T) {
	longtest.Only(t)
	followBuilding(t, "")
}

// followBuilding follows a section of docs/building.md, or all: each section starts in an empty folder, with the files from
// the head of the page and those of the section, which are named in the opening lines of their blocks.
// Blocks marked sh are run one after the other; together they must print the blocks marked text.
func followBuilding(t *testing.T, section string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a Unix shell")
	}
	root := absolute(t, filepath.Join("..", ".."))
	file := filepath.Join(root, "docs", "building.md")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(b), "\n## ")
	head := fences(t, file, parts[0])
	if len(parts) != 6 || len(head) != 1 {
		t.Fatalf("%d sections and %d files before them", len(parts)-1, len(head))
	}
	env := append(os.Environ(), "UVM2GO="+root, "PATH="+scripttest.Path(scripttest.Command(t)), "GOWORK=off", "GOFLAGS=-mod=mod "+scripttest.FastBuild(""), "GOPROXY=off", "GOSUMDB=off", "GOTOOLCHAIN=local",
		"XDG_CACHE_HOME="+t.TempDir(), "GOCACHE="+scripttest.GoEnv(t, "GOCACHE"), "GOMODCACHE="+scripttest.GoEnv(t, "GOMODCACHE"))
	// The go command of a user reads the go.mod files of all modules, also of those that no package here needs.
	graph := exec.Command("go", "mod", "graph")
	graph.Dir = root
	if out, err := graph.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	page, followed := t.TempDir(), 0
	for _, part := range parts[1:] {
		title, text, _ := strings.Cut(part, "\n")
		if section != "" && title != section {
			continue
		}
		followed++
		t.Run(title, func(t *testing.T) {
			// All sections use the same folder, emptied before each, so that the runtime in it is compiled only once.
			dir := filepath.Join(page, "work")
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			var script, want strings.Builder
			for _, f := range append(head, fences(t, file, text)...) {
				switch kind, name, _ := strings.Cut(f.kind, " "); {
				case name != "":
					p := filepath.Join(dir, filepath.FromSlash(name))
					if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(p, []byte(f.text), 0o666); err != nil {
						t.Fatal(err)
					}
				case kind == "sh":
					script.WriteString("(set -e\n" + f.text + ")\n")
				case kind == "text":
					want.WriteString(f.text)
				default:
					t.Errorf("a block marked %q", f.kind)
				}
			}
			cmd := exec.Command("sh", "-e", "-c", script.String())
			cmd.Dir, cmd.Env = dir, env
			var errs strings.Builder
			cmd.Stderr = &errs
			got, err := cmd.Output()
			if err != nil || string(got) != want.String() {
				t.Errorf("%v\n%sgot:\n%s\nwant:\n%s", err, &errs, got, &want)
			}
		})
	}
	if followed == 0 {
		t.Errorf("there is no section %q", section)
	}
}
