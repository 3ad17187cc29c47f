package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// listed matches the head of a Go function in a listing of generated Go.
var listed = regexp.MustCompile(`(?m)^func (\w+)\(t \*rt\.Ctx.*$`)

// TestListings compares the listings of generated Go in README and documentation with new output: each
// block marked go with a function of a bundle must be what "uvm2go -nolines -pkg NAME" prints for the last
// bundle before it. Comments at the ends of lines of a listing are for the reader and are ignored. With
// -update the listings are rewritten; comments are kept on lines that are the same.
func TestListings(t *testing.T) {
	root := filepath.Join("..", "..")
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, filepath.Join(root, "README.md"))
	n := 0
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text, bundle := string(b), ""
		for _, f := range fences(t, file, text) {
			if f.kind == "mu" {
				bundle = f.text
			}
			if f.kind != "go" || bundle == "" || !listed.MatchString(f.text) {
				continue
			}
			n++
			want := listing(t, bundle, f.text)
			if code(want) == code(f.text) {
				continue
			}
			if !*scripttest.Update {
				t.Errorf("%s:%d: the listing is old; go test -run Listings -update makes\n%s", filepath.Base(file), f.line, want)
				continue
			}
			text = strings.Replace(text, "```go\n"+f.text+"```", "```go\n"+want+"```", 1)
		}
		if text != string(b) {
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n < 3 {
		t.Errorf("%d listings found", n)
	}
}

// listing returns the Go text of the functions in the listing old, generated from a bundle. The functions
// have their comments if old begins with one, and only their heads are returned if old has only heads.
func listing(t *testing.T, bundle, old string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "bundle.uir")
	if err := os.WriteFile(file, []byte(bundle), 0o666); err != nil {
		t.Fatal(err)
	}
	made, _ := inProcess(t, statusOK, "translate", "-nolines", "-pkg", "p", file)
	out := ""
	for _, m := range listed.FindAllStringSubmatch(old, -1) {
		at := strings.Index(made, "\nfunc "+m[1]+"(")
		if at < 0 {
			t.Fatalf("no function %s is made\n%s", m[1], made)
		}
		at++
		for strings.HasPrefix(old, "//") { // the comment before the function, of any length
			before := strings.LastIndex(made[:at-1], "\n") + 1
			if !strings.HasPrefix(made[before:], "//") {
				break
			}
			at = before
		}
		text := made[at:]
		if strings.Contains(old, "\n}\n") {
			text = text[:strings.Index(text, "\n}\n")+3]
		} else {
			text = strings.TrimSuffix(text[:strings.Index(text, "\n")], " {") + "\n"
		}
		out += text
	}
	return annotate(out, old)
}

// remark splits a line of a listing into code and the comment at its end.
var remark = regexp.MustCompile(`^(.*\S)\s+(// .*)$`)

// annotate copies the comments at the ends of lines of an old listing to the same lines of a new one, in
// the same column.
func annotate(text, old string) string {
	comments := map[string]string{}
	for line := range strings.Lines(old) {
		if m := remark.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
			comments[m[1]] = m[2]
		}
	}
	const column, tab = 51, 4
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		b.WriteString(line)
		if c, ok := comments[line]; ok {
			width := len(line) + strings.Count(line, "\t")*(tab-1)
			b.WriteString(strings.Repeat(" ", max(column-width, 3)) + c)
			delete(comments, line)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// code returns a listing without the comments at the ends of lines.
func code(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if m := remark.FindStringSubmatch(line); m != nil {
			line = m[1]
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}
