package mu

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// The files testdata/*.txt hold bundles in sections that begin with a line
// "=== what is tested". Within a section a line "--- NAME" begins another
// bundle, loaded after; one named *.hail is a script. Before each section's
// bundles, testdata/prelude.uir is loaded unless the heading ends with "(alone)".
// "(strict)" in a heading sets the flag -strict.
//
// A comment // ERROR "regexp" or // WARN "regexp" at the end of a line is a
// diagnostic that is expected at that line; with a number after the word, also
// at that column. There must be no others. A section with an expected deviation
// (WARN, not NOTE, which is a warning of another kind) is loaded strictly as
// well: the place must then be that of an error.

var expectRE = regexp.MustCompile(`(ERROR|WARN|NOTE) *([0-9]*) *("[^"]*")`)

type expectation struct {
	file, kind string
	line, col  int
	re         *regexp.Regexp
	seen       bool
}

func expectations(src Source) []*expectation {
	var out []*expectation
	for i, line := range strings.Split(string(src.Text), "\n") {
		_, comment, ok := strings.Cut(line, "//")
		if !ok {
			continue
		}
		for _, m := range expectRE.FindAllStringSubmatch(comment, -1) {
			col, _ := strconv.Atoi(m[2])
			out = append(out, &expectation{src.Name, m[1], i + 1, col, regexp.MustCompile(strings.Trim(m[3], `"`)), false})
		}
	}
	return out
}

func loadSources(srcs []Source, strict bool) (*ir.Program, bool, *diag.List, *diag.Set) {
	set := diag.NewSet()
	diags := diag.NewList(set)
	diags.MaxErrors = -1
	var bundles []Source
	for _, s := range srcs {
		if !strings.HasSuffix(s.Name, ".hail") {
			bundles = append(bundles, s)
		}
	}
	p, ok := Load(set, bundles, Options{Strict: strict}, diags)
	for _, s := range srcs {
		if ok && strings.HasSuffix(s.Name, ".hail") {
			ok = LoadHAIL(p, set, s, diags)
		}
	}
	return p, ok, diags, set
}

func printed(diags *diag.List) string {
	var b strings.Builder
	diags.Print(&b)
	return b.String()
}

// sections reads a file of sections.
func sections(t testing.TB, file string) (heads []string, all [][]Source) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range strings.Split("\n"+string(text), "\n=== ")[1:] {
		head, rest, _ := strings.Cut(s, "\n")
		var srcs []Source
		for i, part := range strings.Split("\n"+rest, "\n--- ") {
			name := "a.uir"
			if i > 0 {
				name, part, _ = strings.Cut(part, "\n")
			} else if part = strings.TrimPrefix(part, "\n"); strings.TrimSpace(part) == "" && strings.Contains(rest, "--- ") {
				continue
			}
			srcs = append(srcs, Source{Name: name, Text: []byte(part)})
		}
		heads = append(heads, head)
		all = append(all, srcs)
	}
	return heads, all
}

func withPrelude(t testing.TB, head string, srcs []Source) []Source {
	if strings.HasSuffix(head, "(alone)") {
		return srcs
	}
	text, err := os.ReadFile("testdata/prelude.uir")
	if err != nil {
		t.Fatal(err)
	}
	return append([]Source{{Name: "prelude.uir", Text: text}}, srcs...)
}

func TestDiagnostics(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txt")
	total := 0
	for _, file := range files {
		heads, all := sections(t, file)
		for i, head := range heads {
			srcs := withPrelude(t, head, all[i])
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txt")+"/"+head, func(t *testing.T) {
				total += testSection(t, srcs, strings.Contains(head, "(strict)"))
			})
		}
	}
	t.Logf("%d expected diagnostics", total)
}

func testSection(t *testing.T, srcs []Source, strict bool) int {
	var want []*expectation
	for _, s := range srcs {
		want = append(want, expectations(s)...)
	}
	p, ok, diags, set := loadSources(srcs, strict)
	errors, deviates := false, false
	for _, d := range diags.All() {
		pos := set.Position(d.Pos)
		found := false
		for _, w := range want {
			sev := diag.Error
			if w.kind != "ERROR" {
				sev = diag.Warning
			}
			if !w.seen && w.file == pos.File && w.line == pos.Line && sev == d.Severity &&
				(w.col == 0 || w.col == pos.Col) && w.re.MatchString(d.Msg) {
				w.seen, found = true, true
				break
			}
		}
		if !found {
			t.Errorf("unexpected: %s", diags.Format(d))
		}
	}
	for _, w := range want {
		if !w.seen {
			t.Errorf("%s:%d:%d: missing %s %q; got\n%s", w.file, w.line, w.col, w.kind, w.re, printed(diags))
		}
		errors = errors || w.kind == "ERROR"
		deviates = deviates || w.kind == "WARN"
	}
	if ok == errors {
		t.Errorf("Load reports %v", ok)
	}
	if ok {
		for _, f := range verify.Program(p) {
			t.Errorf("verify: %v", f)
		}
	}
	if len(want) == 0 {
		if _, ok, diags, _ := loadSources(srcs, true); !ok {
			t.Errorf("not accepted with Strict:\n%s", printed(diags))
		}
	}
	if deviates && !errors {
		_, ok, diags, set := loadSources(srcs, true)
		if ok {
			t.Error("accepted with Strict")
		}
		for _, w := range want {
			found := w.kind != "WARN"
			for _, d := range diags.All() {
				pos := set.Position(d.Pos)
				found = found || d.Severity == diag.Error && pos.File == w.file && pos.Line == w.line
			}
			if !found {
				t.Errorf("%s:%d: no error with Strict", w.file, w.line)
			}
		}
	}
	return len(want)
}
