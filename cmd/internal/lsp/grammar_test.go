package lsp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/lang/langs"
)

// A grammar is the part of a TextMate grammar that the test reads. Rules before others win.
type grammar struct {
	Patterns []struct {
		Name, Match, Begin string
		re                 *regexp.Regexp
	}
}

// class returns the class that the grammar gives a word in a line, as the first part of its scope name.
func (g *grammar) class(word string) string {
	for _, p := range g.Patterns {
		if p.re != nil && p.re.FindString("= "+word) == word {
			return strings.Join(strings.Split(p.Name, ".")[:2], ".")
		}
	}
	return ""
}

// TestGrammars: the grammars of docs/editors know the operations of their dialects.
func TestGrammars(t *testing.T) {
	for _, d := range transpile.Dialects {
		text, err := os.ReadFile(filepath.Join("../../../docs/editors/vscode/syntaxes", d.Name+".tmLanguage.json"))
		if err != nil {
			t.Error(err)
			continue
		}
		var g grammar
		if err := json.Unmarshal(text, &g); err != nil {
			t.Errorf("%s: %v", d.Name, err)
			continue
		}
		for i := range g.Patterns {
			p := &g.Patterns[i]
			if strings.Contains(p.Match, "(?!") { // Go has no lookahead
				p.Match = p.Match[:strings.Index(p.Match, "(?!")]
			}
			if p.Match != "" {
				p.re = regexp.MustCompile(p.Match)
				p.re.Longest()
			}
		}
		for _, o := range langs.Of(d).Operations() {
			if c := g.class(o.Name); c != "keyword.operator" && c != "support.type" {
				t.Errorf("%s: %s is %q", d.Name, o.Name, c)
			}
		}
		for _, c := range langs.Of(d).Sigils {
			if cl := g.class(string(c) + "a.b_1-c"); !strings.HasPrefix(cl, "entity.name") && !strings.HasPrefix(cl, "variable.other") {
				t.Errorf("%s: a name with %c is %q", d.Name, c, cl)
			}
		}
	}
}
