// Package texttest helps tests that compare programs in txtar files of testdata before and after
// something. A file shows one thing, which its comment says.
package texttest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// Update says that the files are rewritten.
var Update = flag.Bool("update", false, "rewrite what the files in testdata expect")

// A File is a file of testdata.
type File struct {
	*txtar.Archive
	Name string // without folder and ending
	path string
}

// Each runs a test for each file of testdata.
func Each(t *testing.T, f func(t *testing.T, file *File)) {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files (%v)", err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		t.Run(name, func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f(t, &File{a, name, path})
		})
	}
}

// About is the part of the name in front of the first underscore.
func (f *File) About() string {
	about, _, _ := strings.Cut(f.Name, "_")
	return about
}

// Head gives the lines of the comment.
func (f *File) Head() []string { return strings.Split(strings.TrimSpace(string(f.Comment)), "\n") }

// Has wants the parts of the file to have these names.
func (f *File) Has(t *testing.T, names ...string) {
	t.Helper()
	var have []string
	for _, p := range f.Files {
		have = append(have, p.Name)
	}
	if strings.Join(have, " ") != strings.Join(names, " ") {
		t.Fatalf("parts %v, want %v", have, names)
	}
}

// Want compares a text with the second part, which it becomes with -update.
func (f *File) Want(t *testing.T, got string) {
	t.Helper()
	want := string(f.Files[1].Data)
	if got == want {
		return
	}
	if !*Update {
		t.Errorf("got\n%s\nwant\n%s", got, want)
		return
	}
	f.Files[1].Data = []byte(got)
	if err := os.WriteFile(f.path, txtar.Format(f.Archive), 0o666); err != nil {
		t.Fatal(err)
	}
}
