package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func names(docs []*document) string {
	var s []string
	for _, d := range docs {
		s = append(s, filepath.Base(d.path))
	}
	return strings.Join(s, " ")
}

// TestFoundOnce: a request finds the texts of a program once, however often it asks; the next request finds them anew.
func TestFoundOnce(t *testing.T) {
	dir := t.TempDir()
	write := func(file, text string) string {
		path := filepath.Join(dir, file)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	path := write("b.uir", program)
	d := &document{uri: uriOf(path), path: path, text: []byte(program)}
	s := &Server{docs: map[string]*document{d.uri: d}}
	st := s.state(t.Context())
	found := func() string { return fmt.Sprintf("around %s, program %s", names(st.around(d)), names(st.program(d))) }
	check(t, "first", found(), "around b.uir, program b.uir")
	write("a.uir", library)
	check(t, "the same request", found(), "around b.uir, program b.uir")
	st = s.state(t.Context())
	check(t, "the next request", found(), "around b.uir a.uir, program a.uir b.uir")

	s.files.listed(dir, [][]string{{"a.uir", "b.uir"}})
	st = s.state(t.Context())
	for range 2 { // the order of the program is not that of the texts around
		check(t, "listed", found(), "around b.uir a.uir, program a.uir b.uir")
	}
}
