package dialects_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// TestTrapTextsIAL: each text of the table of traps in docs/ial.md is one of a case of TestTrapsIAL or of what a script
// expects.
func TestTrapTextsIAL(t *testing.T) {
	expected := strings.Builder{}
	for _, c := range trapCases {
		expected.WriteString(strings.ReplaceAll(c.text, `\`, "") + "\n")
	}
	for _, a := range scriptsIAL(t) {
		expected.Write(a.Comment)
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "ial.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "\n| text | cause |\n")
	table, _, ok2 := strings.Cut(table, "\n\n")
	if !ok || !ok2 {
		t.Fatal("docs/ial.md has no table of traps")
	}
	word, count := regexp.MustCompile(`\b[LSMFIN]\b`), 0
	for row := range strings.Lines(table) {
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(strings.Split(row, "|")[1], -1) {
			count++
			pattern := word.ReplaceAllString(regexp.QuoteMeta(m[1]), `[\w.]+`)
			if !regexp.MustCompile(pattern).MatchString(expected.String()) {
				t.Errorf("no test expects %s", m[1])
			}
		}
	}
	if count != 22 {
		t.Errorf("%d texts", count)
	}
}

// scriptsIAL are the scripts of testscripts about IAL.
func scriptsIAL(t *testing.T) []*txtar.Archive {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "ial_*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts (%v)", err)
	}
	var list []*txtar.Archive
	for _, f := range files {
		a, err := txtar.ParseFile(f)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, a)
	}
	return list
}

// TestRunIAL: programs that tests build and run have each instruction and call each intrinsic function.
func TestRunIAL(t *testing.T) {
	trap, _ := trapProgram(trapCases)
	text := trap + numberProgram(numberTests())
	for _, a := range scriptsIAL(t) {
		if !regexp.MustCompile(`(?m)^(status \d+|!|exec) .*\b(run|build)\b`).Match(a.Comment) {
			continue
		}
		for _, f := range a.Files {
			if filepath.Ext(f.Name) == ".ial" {
				text += string(f.Data)
			}
		}
	}
	used := map[string]bool{}
	for _, w := range regexp.MustCompile(`[\w./]+`).FindAllString(text, -1) {
		used[w] = true
	}
	for _, row := range module.Ops {
		if row.Mnemonic != "raw" && !used[row.Mnemonic] { // raw has no code
			t.Errorf("no program that runs has %s", row.Mnemonic)
		}
	}
	intrinsics, err := os.ReadFile(filepath.Join("..", "..", "transpile", "ial", "assemble", "mci.ial"))
	if err != nil {
		t.Fatal(err)
	}
	all := regexp.MustCompile(`(?m)^function \S+ (\w+)\(`).FindAllSubmatch(intrinsics, -1)
	if len(all) != 59 {
		t.Errorf("%d intrinsic functions", len(all))
	}
	for _, m := range all {
		if !used["mci/"+string(m[1])] {
			t.Errorf("no program that runs calls mci/%s", m[1])
		}
	}
}
