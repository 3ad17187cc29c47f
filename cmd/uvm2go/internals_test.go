package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// rowsOf returns the rows of the first table after a heading, each as its cells.
func rowsOf(t *testing.T, text, heading string) (rows [][]string) {
	t.Helper()
	_, after, ok := strings.Cut(text, "\n"+heading+"\n")
	if !ok {
		t.Fatalf("no heading %q", heading)
	}
	for line := range strings.Lines(after) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") && len(rows) > 0 {
			break
		}
		if strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "| ---") {
			cells := strings.Split(strings.Trim(line, "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			rows = append(rows, cells)
		}
	}
	return rows[1:]
}

// quoted matches text in code quotes.
var quoted = regexp.MustCompile("`([^`\n]+)`")

func codeOf(text string) (list []string) {
	for _, m := range quoted.FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	return list
}

func internals(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "internals.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestInternalsPackages compares the table of packages with the existing packages and their imports.
func TestInternalsPackages(t *testing.T) {
	pkgs := importsOf(t, filepath.Join("..", ".."))
	known := map[string]bool{}
	for _, row := range rowsOf(t, internals(t), "## Packages") {
		names := codeOf(row[0])
		imports := map[string]bool{}
		for i, name := range names {
			if i > 0 && pkgs[name] == nil { // a name in the same folder as the first
				name = path.Join(path.Dir(names[0]), name)
			}
			p := pkgs[name]
			if p == nil {
				t.Errorf("there is no package %s", name)
				continue
			}
			known[name] = true
			for imp := range p.code {
				imports[imp] = true
			}
		}
		for _, on := range codeOf(row[2]) {
			found := false
			for imp := range imports {
				found = found || imp == on || strings.HasSuffix(imp, "/"+on)
			}
			if !found {
				t.Errorf("%s does not import %s", row[0], on)
			}
		}
	}
	for pkg, p := range pkgs {
		if (below(pkg, "transpile") || below(pkg, "rtlib") || below(pkg, "internal")) && len(p.code) > 0 &&
			!known[pkg] && !strings.Contains(pkg, "/fixture") && path.Base(pkg) != "gen" {
			t.Errorf("the table does not have package %s", pkg)
		}
	}
}

// TestInternalsWay runs the commands that follow one instruction through the stages.
func TestInternalsWay(t *testing.T) {
	text := internals(t)
	_, after, _ := strings.Cut(text, "\n## Generated code\n")
	var bundle string
	for _, f := range fences(t, "internals.md", after) {
		if f.kind == "mu" {
			bundle = f.text
			break
		}
	}
	file := filepath.Join(t.TempDir(), "list.uir")
	if err := os.WriteFile(file, []byte(bundle), 0o666); err != nil {
		t.Fatal(err)
	}
	rows := rowsOf(t, text, "### One instruction through the stages")
	first := codeOf(rows[0][1])[0]
	if lines := strings.Split(bundle, "\n"); !strings.Contains(text, "The table follows line 21 of ") || strings.TrimSpace(lines[20]) != first {
		t.Errorf("line 21 is %q, want %q", lines[20], first)
	}
	n := 0
	for _, row := range rows {
		for _, command := range codeOf(row[2]) {
			args := strings.Fields(strings.Replace(command, "list.uir", file, 1))[1:]
			if args[0] != "dump" {
				args = append([]string{"translate"}, args...)
			}
			out, _ := inProcess(t, statusOK, args...)
			if want := codeOf(row[1])[0]; !regexp.MustCompile(`(?m)^\s*` + regexp.QuoteMeta(want) + `$`).MatchString(out) {
				t.Errorf("%s: no line %q in\n%s", command, want, out)
			}
			n++
		}
	}
	if n < 3 {
		t.Errorf("%d commands", n)
	}
}

// TestInternalsNames checks that the files, folders and tests named on the pages for developers exist.
func TestInternalsNames(t *testing.T) {
	root := filepath.Join("..", "..")
	var paths []string
	var tests strings.Builder
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		paths = append(paths, "/"+filepath.ToSlash(rel))
		if strings.HasSuffix(p, "_test.go") {
			text, err := os.ReadFile(p)
			tests.Write(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	library := filepath.Join(scripttest.GoEnv(t, "GOROOT"), "src")
	file := regexp.MustCompile(`^[\w.-]+(/[\w.-]+)*$`)
	test := regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z]\w*`)
	for _, page := range []string{"internals.md", "testing.md"} {
		text, err := os.ReadFile(filepath.Join(root, "docs", page))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range test.FindAllString(string(text), -1) {
			if !strings.Contains(tests.String(), "func "+name) {
				t.Errorf("%s: there is no %s", page, name)
			}
		}
		for _, name := range codeOf(docFence.ReplaceAllString(string(text), "")) {
			name = strings.TrimSuffix(name, "/...")
			if !file.MatchString(name) || !strings.Contains(name, "/") && !strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, ".md") {
				continue
			}
			if _, err := os.Stat(filepath.Join(library, name)); err == nil {
				continue // in Go's standard library
			}
			if !slices.ContainsFunc(paths, func(p string) bool { return strings.HasSuffix(p, "/"+name) }) {
				t.Errorf("%s: there is no %s", page, name)
			}
		}
	}
}

// docFence matches a block of code.
var docFence = regexp.MustCompile("(?ms)^```.*?^```$")
