package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
)

// A fence is a fenced block of a document.
type fence struct {
	kind string // mu, hail, output, or another language
	text string
	line int // of the opening line
}

// A docBundle is a bundle of a document with the blocks that follow it.
type docBundle struct {
	line   int
	mu     string
	hail   string
	output string // "" if no output block follows
}

// TestDocs runs the bundles of the documentation on the reference interpreter. A
// block marked mu is a whole bundle. The block after it, marked output, begins with
// commands, which call the bundle NAME.uir:
//
//	$ uvm2go run -call @fac -args 10 fac.uir
//
// Without a command, it shows what "uvm2go run bundle.uir" prints on both streams;
// a line "exit status N" follows if N is not 0. A block marked hail in between is
// NAME.hail. A bundle without an output block must load without errors.
func TestDocs(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, filepath.Join("..", "..", "README.md"))
	n := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range docBundles(t, file, string(text)) {
			n++
			t.Run(fmt.Sprintf("%s:%d", filepath.Base(file), d.line), func(t *testing.T) { runDoc(t, d) })
		}
	}
	if n < 20 {
		t.Errorf("only %d bundles found in the documentation", n)
	}
}

// docBundles finds the bundles of a document.
func docBundles(t *testing.T, file, text string) []docBundle {
	t.Helper()
	var list []docBundle
	for _, f := range fences(t, file, text) {
		last := len(list) - 1
		switch f.kind {
		case "mu":
			list = append(list, docBundle{line: f.line, mu: f.text})
		case "hail":
			if last < 0 || list[last].output != "" {
				t.Fatalf("%s:%d: a hail block without a bundle before it", file, f.line)
			}
			list[last].hail = f.text
		case "output":
			if last < 0 || list[last].output != "" {
				t.Fatalf("%s:%d: an output block without a bundle before it", file, f.line)
			}
			list[last].output = f.text
		}
	}
	return list
}

// fences returns the fenced blocks of a document.
func fences(t *testing.T, file, text string) []fence {
	t.Helper()
	var list []fence
	open := false
	for i, line := range strings.SplitAfter(text, "\n") {
		kind, isFence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case isFence && !open:
			list, open = append(list, fence{kind: kind, line: i + 1}), true
		case isFence:
			open = false
		case open:
			list[len(list)-1].text += line
		}
	}
	if open {
		t.Fatalf("%s: a fenced block is not closed", file)
	}
	return list
}

// bundleName finds the name of a bundle in a command.
var bundleName = regexp.MustCompile(`([A-Za-z0-9_-]+)\.uir`)

func runDoc(t *testing.T, d docBundle) {
	commands := []string{"run bundle.uir"}
	shown := false
	for line := range strings.SplitSeq(d.output, "\n") {
		if c, ok := strings.CutPrefix(line, "$ uvm2go "); ok {
			if !shown {
				commands, shown = nil, true
			}
			commands = append(commands, c)
		}
	}
	if d.output == "" {
		commands = []string{"check bundle.uir"}
	}
	name := "bundle"
	if m := bundleName.FindStringSubmatch(commands[0]); m != nil {
		name = m[1]
	}
	t.Chdir(t.TempDir())
	for ending, text := range map[string]string{".uir": d.mu, ".hail": d.hail} {
		if text == "" {
			continue
		}
		if err := os.WriteFile(name+ending, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	for _, c := range commands {
		if shown {
			fmt.Fprintf(&out, "$ uvm2go %s\n", c)
		}
		args := strings.Fields(c)
		if args[0] == "run" && !slices.Contains(args, "-interp") {
			args = slices.Insert(args, 1, "-interp")
		}
		if status := Main(args, strings.NewReader(""), &out, &out); status != statusOK {
			fmt.Fprintf(&out, "exit status %d\n", status)
		}
	}
	if out.String() != d.output {
		t.Errorf("got:\n%s\nwant:\n%s", &out, d.output)
	}
}

// docLink matches a link in a document, heading a title, and docCode code.
var (
	docLink = regexp.MustCompile(`\]\(([^)#:]*)(?:#([^)]*))?\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	noSlug  = regexp.MustCompile("[^a-z0-9 _-]")
	docCode = regexp.MustCompile("(?ms)^```.*?^```$|`[^`\n]*`") // where brackets are not links
)

// TestDocLinks checks that the targets of links within the repository exist.
func TestDocLinks(t *testing.T) {
	root := filepath.Join("..", "..")
	files := []string{filepath.Join(root, "README.md")}
	for _, dir := range []string{"docs", "examples", "testscripts"} {
		list, err := filepath.Glob(filepath.Join(root, dir, "*.md"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, list...)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range docLink.FindAllStringSubmatch(docCode.ReplaceAllString(string(text), ""), -1) {
			target, anchor := file, m[2]
			if m[1] != "" {
				target = filepath.Join(filepath.Dir(file), filepath.FromSlash(m[1]))
			}
			st, err := os.Stat(target)
			if err != nil {
				t.Errorf("%s: a link to %s: %v", file, m[1], err)
				continue
			}
			if anchor == "" || st.IsDir() {
				continue
			}
			there, err := os.ReadFile(target)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(anchors(string(there)), anchor) {
				t.Errorf("%s: a link to %s#%s, which has no such heading", file, m[1], anchor)
			}
		}
	}
}

// anchors returns the names by which links can refer to the headings of a document.
func anchors(text string) []string {
	var list []string
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		list = append(list, strings.ReplaceAll(noSlug.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-"))
	}
	return list
}

// docSections matches a reference in a comment to sections of a document: docs/X.md, "A", "B" and "C".
var (
	docSections = regexp.MustCompile(`docs/([a-z0-9-]+\.md)((?:(?:,| and) "[^"\n]+")*)`)
	docSection  = regexp.MustCompile(`"([^"]+)"`)
	commentLine = regexp.MustCompile(`\n[ \t]*(?://|#)[ \t]*`)
)

// TestDocSections checks that the documents and sections that Go files and scripts refer to exist.
func TestDocSections(t *testing.T) {
	root := filepath.Join("..", "..")
	docs := map[string][]string{} // titles, by name of the document
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		titles := []string{}
		for _, m := range heading.FindAllStringSubmatch(string(text), -1) {
			titles = append(titles, m[1])
		}
		docs[filepath.Base(file)] = titles
	}
	n := 0
	err = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".go", ".txtar", ".uir"}, filepath.Ext(file)) {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, m := range docSections.FindAllStringSubmatch(commentLine.ReplaceAllString(string(text), " "), -1) {
			titles, ok := docs[m[1]]
			if !ok {
				t.Errorf("%s refers to docs/%s, which does not exist", file, m[1])
			}
			for _, s := range docSection.FindAllStringSubmatch(m[2], -1) {
				if n++; ok && !slices.Contains(titles, s[1]) {
					t.Errorf("%s refers to docs/%s, %q, which has no such section", file, m[1], s[1])
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 100 {
		t.Errorf("only %d references found", n)
	}
}

// TestDocPasses checks that docs/internals.md lists every pass, in the order of first runs.
func TestDocPasses(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "internals.md"))
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	_, list, _ := strings.Cut(string(text), "\n| pass | does | tests |\n")
	list, _, _ = strings.Cut(list, "\n\n")
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z]+)` \\|").FindAllStringSubmatch(list, -1) {
		listed = append(listed, m[1])
	}
	if want := transpile.Passes(); !slices.Equal(listed, want) {
		t.Errorf("docs/internals.md lists %v, want %v", listed, want)
	}
}
