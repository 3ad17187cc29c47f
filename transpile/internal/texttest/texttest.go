// Package texttest is for tests that compare programs in files of testdata with expected results:
// txtar files with a program before and after a step, each of which shows one thing, named in its
// comment, or sources whose comments have the expectation. It also compares parts of documents
// that are made from tables.
package texttest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// Update is the flag that makes tests rewrite the files.
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

// Sources runs a test for each file of testdata with an ending.
func Sources(t *testing.T, ending string, f func(t *testing.T, file, text string)) {
	t.Helper()
	paths, err := filepath.Glob("testdata/*" + ending)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files (%v)", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Base(path)
		t.Run(strings.TrimSuffix(file, ending), func(t *testing.T) { f(t, file, string(text)) })
	}
}

// Section checks that the lines between two lines of a document are want.
func Section(t *testing.T, document, begin, end, want string) {
	t.Helper()
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), begin+"\n")
	have, tail, ok2 := strings.Cut(rest, end+"\n")
	switch {
	case !ok || !ok2:
		t.Fatalf("%s has no lines %s and %s", document, begin, end)
	case have == want:
	case !*Update:
		t.Errorf("what %s has below %s is not fresh: run the test with -update", document, begin)
	default:
		if err := os.WriteFile(document, []byte(head+begin+"\n"+want+end+"\n"+tail), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// About is the part of the name before the first underscore.
func (f *File) About() string {
	about, _, _ := strings.Cut(f.Name, "_")
	return about
}

// Head returns the lines of the comment.
func (f *File) Head() []string { return strings.Split(strings.TrimSpace(string(f.Comment)), "\n") }

// Has checks that the parts of the file have these names.
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

// Want compares a text with the second part; with -update it replaces that part.
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
