package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
)

// muc is a program in the form of muc, which uses the library.
const muc = `// Uses inc and inca.
.funcdef f <(int<64>) -> (int<64>)> {
    entry(<int<64>> n):
        a = CALL <sig> inc (n)
        b = CALL <sig> twice.v1 (a)
        RET b
}
`

// message returns the message of the error of a request, "" if there is none.
func (c *client) message(method string, params any) string {
	err := c.try(method, params, nil)
	if err == nil {
		return ""
	}
	_, s, _ := strings.Cut(err.Error(), "message: ")
	return s
}

// TestRenameBesideMuc: a global name does not change if a text in the form of muc, whose names are not known, may use it.
// Others do, and those of folders without such a text.
func TestRenameBesideMuc(t *testing.T) {
	names := library + ".const @inca <@i64> = 3\n.const @uses <@i64> = 4\n.const @twice <@i64> = 4\n.const @v1 <@i64> = 4\n.const @entry <@i64> = 4\n"
	c := start(t, options{Programs: [][]string{{"alone.uir"}}}, "lib.uir", names, "use.muc", muc, "alone.uir", names)
	c.open("lib.uir")
	c.open("use.muc")
	c.open("alone.uir")
	const why = ", whose names are not known: it is in the form muc"
	for _, tt := range []struct{ file, text, want string }{
		{"lib.uir", "@inc", "@inc may be used in use.muc" + why},
		{"lib.uir", "@sig", "@sig may be used in use.muc" + why},
		{"lib.uir", "@twice", "@twice may be used in use.muc" + why}, // as a part of the name of its version
		{"lib.uir", "@entry", "@entry may be used in use.muc" + why}, // the name of a block there, but that is not known
		{"lib.uir", "@inca", ""},                                     // in a comment
		{"lib.uir", "@uses", ""},
		{"lib.uir", "@v1", ""},
		{"lib.uir", "%r", ""},
		{"alone.uir", "@inc", ""}, // the user says that it is a program
		{"use.muc", "inc (", "the names of use.muc are not known: it is in the form muc"},
	} {
		at := c.place(tt.file, tt.text, 1, 1)
		check(t, "rename "+tt.file+" "+tt.text, c.message("textDocument/rename", and(at, "newName", "other")), tt.want)
		check(t, "prepare "+tt.file+" "+tt.text, c.message("textDocument/prepareRename", at), tt.want)
	}
}

// TestMuc: what works for a text in the form of muc.
func TestMuc(t *testing.T) {
	alone := strings.ReplaceAll(strings.ReplaceAll(muc, "sig", "(int<64>) -> (int<64>)"), "twice.v1", "f")
	alone = strings.ReplaceAll(alone, "inc (", "f (")
	listed := strings.Replace(muc, "twice.v1", "inc", 1)
	c := start(t, options{Programs: [][]string{{"lib.uir", "use.muc"}}}, "lib.uir", library, "use.muc", listed, "a.muc", alone, "b.muc", listed,
		"c.muc", strings.Replace(alone, "RET b", "RET   c", 1))
	check(t, "errors of a program that is listed", show(c.open("use.muc")), "")
	check(t, "errors", show(c.open("a.muc")), "")
	check(t, "errors of a program that is not listed", show(c.open("b.muc")), "3:18-21 1 unknown: unknown signature sig 3:23-26 1 unknown: unknown name inc 4:18-21 1 unknown: unknown signature sig")
	check(t, "an error", show(c.open("c.muc")), "5:14-15 1 unknown: unknown name c")
	var edits []textEdit
	c.call("textDocument/formatting", c.place("c.muc", "", 1, 0), &edits)
	if len(edits) != 1 || edits[0].NewText != "        RET c\n" {
		t.Errorf("layout: %v", edits)
	}
	var h *hover
	c.call("textDocument/hover", c.place("a.muc", "CALL", 1, 1), &h)
	if h == nil || !strings.Contains(h.Contents.Value, "CALL <@signature>") {
		t.Errorf("hover: %v", h)
	}
	for _, tt := range []struct {
		text  string
		after int
		want  string
	}{{"CALL", 3, "CALL"}, {".funcdef", 6, ".funcdef"}} {
		var list completionList
		c.call("textDocument/completion", c.place("a.muc", tt.text, 1, tt.after), &list)
		if !slices.ContainsFunc(list.Items, func(i completionItem) bool { return i.Label == tt.want }) {
			t.Errorf("completion of %s: %v", tt.text, list.Items)
		}
	}
	var help *signatureHelp
	c.call("textDocument/signatureHelp", c.place("a.muc", "CALL <", 1, 6), &help)
	if help == nil || !strings.Contains(help.Signatures[0].Label, "CALL <@signature>") {
		t.Errorf("signature help: %v", help)
	}
	var tokens semanticTokens
	c.call("textDocument/semanticTokens/full", c.place("a.muc", "", 1, 0), &tokens)
	check(t, "tokens", fmt.Sprint(tokens.Data[:15]), "[0 0 21 12 0 1 0 8 8 0 0 13 3 0 0]")
	var defs []location
	c.call("textDocument/definition", c.place("a.muc", "f (", 1, 0), &defs)
	check(t, "definition", show(defs), "")
}

// TestEndings: the configurations of docs/editors have the endings of all forms of text.
func TestEndings(t *testing.T) {
	read := func(file string) string {
		b, err := os.ReadFile("../../../docs/" + file)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	var vscode struct {
		Contributes struct {
			Languages []struct{ Extensions []string }
		}
	}
	if err := json.Unmarshal([]byte(read("editors/vscode/package.json")), &vscode); err != nil {
		t.Fatal(err)
	}
	var endings []string
	for _, l := range vscode.Contributes.Languages {
		endings = append(endings, l.Extensions...)
	}
	helix, page := read("editors/helix/languages.toml"), read("editors.md")
	_, nvim, _ := strings.Cut(page, "vim.filetype.add(")
	nvim, _, _ = strings.Cut(nvim, "\n")
	for _, d := range transpile.Dialects {
		for _, f := range d.Forms {
			if f.Binary {
				continue
			}
			if !slices.Contains(endings, f.Ending) {
				t.Errorf("VS Code: no %s", f.Ending)
			}
			if !strings.Contains(helix, `"`+f.Ending[1:]+`"`) {
				t.Errorf("Helix: no %s", f.Ending)
			}
			if !strings.Contains(nvim, " "+f.Ending[1:]+` = "`) {
				t.Errorf("Neovim: no %s", f.Ending)
			}
			if !strings.Contains(page, "`"+f.Ending+"`") {
				t.Errorf("editors.md: no %s", f.Ending)
			}
		}
	}
}
