package lsp

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

const library = `.typedef @i64 = int<64>
.const @1 <@i64> = 1
.funcsig @sig = (@i64) -> (@i64)
.funcdef @inc VERSION %v1 <@sig> {
    %entry(<@i64> %n):
        %r = ADD <@i64> %n @1
        RET %r
}
`

const program = `// Uses the library.
// It has two lines.
.const @2 <@i64> = 2
.funcdef @f VERSION %v1 <@sig> {
    %entry(<@i64> %n):
        %a = CALL <@sig> @inc (%n)
        BRANCH %next(%a)
    %next(<@i64> %n):
        %b = MUL <@i64> %n @2
        RET %b
}
`

// show writes a range as LINE:COLUMN-COLUMN or with both lines, from 0.
func (s span) String() string {
	if s.Start.Line == s.End.Line {
		return fmt.Sprintf("%d:%d-%d", s.Start.Line, s.Start.Character, s.End.Character)
	}
	return fmt.Sprintf("%d:%d-%d:%d", s.Start.Line, s.Start.Character, s.End.Line, s.End.Character)
}

func (l location) String() string { return filepath.Base(l.URI) + ":" + l.Range.String() }

func show[T fmt.Stringer](list []T) string {
	var s []string
	for _, x := range list {
		s = append(s, x.String())
	}
	return strings.Join(s, " ")
}

func (d diagnostic) String() string {
	s := fmt.Sprintf("%s %d %s: %s", d.Range, d.Severity, d.Code, d.Message)
	for _, r := range d.Related {
		s += fmt.Sprintf(" (%s at %s)", r.Message, r.Location)
	}
	return s
}

func check(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got\n%s\nwant\n%s", what, got, want)
	}
}

// TestDiagnostics: all errors of a text come with their ranges, and change with the text.
func TestDiagnostics(t *testing.T) {
	c := start(t, options{}, "a.uir", `.typedef @i64 = int<64>
.typedef @i64 = int<32>
.const @k <@i46> = 1 // é𝄞
.funcdef @f VERSION %v <@s> {
    %b():
        %x = AD <@i64> @k @k
        RET %y
}
`)
	check(t, "errors", show(c.open("a.uir")), `1:9-13 1 redefined: @i64 redefined (previous definition at a.uir:0:9-13)`+
		` 2:11-15 1 unknown: unknown type @i46; did you mean @i64?`+
		` 5:13-15 1 unknown: unknown instruction AD; did you mean ADD?`)
	// Columns count units of UTF-16: the note in the comment has two.
	got := c.change("a.uir",
		contentChange{Range: &span{position{1, 9}, position{1, 13}}, Text: "@i32"},
		contentChange{Range: &span{position{2, 11}, position{2, 15}}, Text: "@i64"},
		contentChange{Range: &span{position{2, 27}, position{2, 27}}, Text: "\n.const @m <@i64> = x"})
	check(t, "errors after a change", show(got), `3:19-20 1 syntax: bad .const @m: wanted a literal, {...}, NULL or EXTERN, found x; write .const @name <@type> = 42`+
		` 6:13-15 1 unknown: unknown instruction AD; did you mean ADD?`)
	check(t, "no errors", show(c.change("a.uir", contentChange{Text: ".typedef @i64 = int<64>\n"})), "")
}

// TestDialects: texts of all dialects are checked, whatever the editor calls them.
func TestDialects(t *testing.T) {
	c := start(t, options{},
		"old.uir", ".const @k <@i46> = 1\n.funcdef @f <@i46 ()> () {\n%b:\n    RET <@i46> @k\n}\n",
		"m.ial", "function int f() {\n    register int a;\n    block entry {\n        a = load.i32 (1);\n        return b;\n    }\n}\n",
		"m.tvm", "%f = export function (%n : i32) > i32 {\n  return (add %n %m);\n};\n",
		"p.ir", "const @k: int<32> = 1\nfunc @f: () -> (int<32>)\nversion @f.v of @f {\n^entry():\n  ret @l\n}\n")
	for _, tt := range []struct{ file, want string }{
		{"old.uir", "0:11-15 1 unknown: unknown name @i46: no such type 1:13-17 1 unknown: unknown name @i46: no such type" +
			" 3:9-13 1 unknown: unknown name @i46: no such type"},
		{"m.ial", "4:15-16 1 unknown: unknown register b"},
		{"m.tvm", "1:17-19 1 unknown: %m is not defined"},
		{"p.ir", "4:6-8 1 unknown: unknown name @l"},
	} {
		check(t, tt.file, show(c.open(tt.file)), tt.want)
	}
}

// TestFormatting: the layout is that of the command fmt, and only the lines that differ are replaced.
func TestFormatting(t *testing.T) {
	c := start(t, options{}, "a.uir", ".typedef @i64 = int<64>\n.const @1   <@i64>=1\n.const @2 <@i64> = 2\n", "b.uir", ".typedef @i64 = int<\n")
	c.open("a.uir")
	c.open("b.uir")
	var edits []textEdit
	c.call("textDocument/formatting", c.place("a.uir", "", 1, 0), &edits)
	if len(edits) != 1 || edits[0].Range.String() != "1:0-2:0" || edits[0].NewText != ".const @1 <@i64> = 1\n" {
		t.Errorf("got %v", edits)
	}
	edits = nil
	c.call("textDocument/formatting", c.place("b.uir", "", 1, 0), &edits)
	if edits == nil || len(edits) != 0 {
		t.Errorf("a text with errors is laid out: %v", edits)
	}
}

func outline(list []documentSymbol, indent string) string {
	s := ""
	for _, o := range list {
		s += fmt.Sprintf("%s%s %s %s %s\n%s", indent, o.Detail, o.Name, o.Range, o.SelectionRange, outline(o.Children, indent+" "))
	}
	return s
}

// TestOutline: symbols with their parts, and what can be folded.
func TestOutline(t *testing.T) {
	c := start(t, options{}, "a.uir", library, "b.uir", program)
	c.open("a.uir")
	c.open("b.uir")
	var list []documentSymbol
	c.call("textDocument/documentSymbol", c.place("b.uir", "", 1, 0), &list)
	check(t, "symbols", outline(list, ""), `constant @2 2:0-20 2:7-9
function @f 3:0-10:1 3:9-11
 block %entry 4:4-6:24 4:4-10
 block %next 7:4-9:14 7:4-9
`)
	var folds []foldingRange
	c.call("textDocument/foldingRange", c.place("b.uir", "", 1, 0), &folds)
	check(t, "folds", fmt.Sprint(folds), "[{3 9 } {4 6 } {7 9 } {0 1 comment}]")
	var found []workspaceSymbol
	c.call("workspace/symbol", map[string]string{"query": "IN"}, &found)
	check(t, "workspace symbols", fmt.Sprint(len(found), found[0].Name, found[0].Location), "1@inca.uir:3:9-13")
}

// TestNavigation: definitions and uses, across the texts of a program.
func TestNavigation(t *testing.T) {
	c := start(t, options{}, "a.uir", library, "b.uir", program, "c.uir", strings.ReplaceAll(library, "@sig", "@other"))
	check(t, "errors of a.uir", show(c.open("a.uir")), "")
	check(t, "errors of b.uir", show(c.open("b.uir")), "")
	for _, tt := range []struct {
		file, text string
		n, after   int
		def, refs  string
	}{
		{"b.uir", "@inc", 1, 1, "a.uir:3:9-13", "b.uir:5:25-29"},
		{"b.uir", "@inc", 1, 4, "a.uir:3:9-13", "b.uir:5:25-29"}, // the place after the name
		{"a.uir", "@inc", 1, 0, "a.uir:3:9-13", "b.uir:5:25-29"},
		{"b.uir", "%n", 2, 0, "b.uir:4:18-20", "b.uir:5:31-33"},
		{"b.uir", "%n", 5, 0, "b.uir:7:17-19", "b.uir:8:24-26"},
		{"b.uir", "%next", 1, 2, "b.uir:7:4-9", "b.uir:6:15-20"},
	} {
		var defs, refs []location
		at := c.place(tt.file, tt.text, tt.n, tt.after)
		c.call("textDocument/definition", at, &defs)
		c.call("textDocument/references", at, &refs)
		check(t, fmt.Sprint("definition of ", tt), show(defs), tt.def)
		check(t, fmt.Sprint("uses of ", tt), show(refs), tt.refs)
	}
	var refs []location
	c.call("textDocument/references", and(c.place("b.uir", "@inc", 1, 0), "context", map[string]bool{"includeDeclaration": true}), &refs)
	check(t, "uses and definition", show(refs), "b.uir:5:25-29 a.uir:3:9-13")
	var lights []highlight
	c.call("textDocument/documentHighlight", c.place("b.uir", "%a", 1, 0), &lights)
	check(t, "highlights", fmt.Sprint(lights), "[{5:8-10 3} {6:21-23 2}]")
	var none []location
	c.call("textDocument/definition", c.place("b.uir", "Uses", 1, 0), &none)
	check(t, "definition of a word in a comment", show(none), "")
}

// TestHover: what a name or an operation is.
func TestHover(t *testing.T) {
	c := start(t, options{}, "a.uir", library, "b.uir", program)
	c.open("a.uir")
	c.open("b.uir")
	for _, tt := range []struct {
		text string
		n    int
		want string
	}{
		{"@2", 1, "2:7-9 constant `@2`, 1 use\n```mu\n.const @2 <@i64> = 2\n.typedef @i64 = int<64>\n```\n"},
		{"@inc", 1, "5:25-29 function `@inc` of a.uir, 1 use\n```mu\n.funcdef @inc VERSION %v1 <@sig>\n.funcsig @sig = (@i64) -> (@i64)\n```\n"},
		{"%b", 1, "8:8-10 value `%b` of type `int<64>`, 1 use\n```mu\n%b = MUL <@i64> %n @2\n.typedef @i64 = int<64>\n```\n"},
		{"%next", 1, "6:15-20 block `%next`, 1 use\n```mu\n%next(<@i64> %n):\n.typedef @i64 = int<64>\n```\n"},
		{"MUL", 1, "8:13-16 ```mu\n%r = MUL <@type> %a %b\n```\n\nproduct modulo 2^n"},
		{"@i64", 1, "2:11-15 type `@i64` of a.uir, 9 uses\n```mu\n.typedef @i64 = int<64>\n```\n"},
		{"Uses", 1, "none"},
	} {
		var h *hover
		c.call("textDocument/hover", c.place("b.uir", tt.text, tt.n, 1), &h)
		got := "none"
		if h != nil {
			got = h.Range.String() + " " + h.Contents.Value
		}
		check(t, tt.text, got, tt.want)
	}
}

// TestHoverCalled: a value has the name of the author's source, in its function.
func TestHoverCalled(t *testing.T) {
	named := strings.Replace(program, "        %b =", "        //name %b list->sum\n        %b =", 1) + strings.ReplaceAll(program, "@f ", "@g ")
	c := start(t, options{}, "a.uir", library, "b.uir", named)
	c.open("a.uir")
	c.open("b.uir")
	for n, want := range map[int]string{
		2: "value `%b`, `list->sum` in the author's source, 1 use",
		4: "value `%b`, 1 use",
	} {
		var h *hover
		c.call("textDocument/hover", c.place("b.uir", "%b", n, 1), &h)
		if h == nil {
			t.Fatalf("%d: no hover", n)
		}
		got, _, _ := strings.Cut(h.Contents.Value, "\n")
		check(t, "%b", got, want)
	}
}

func edited(e *workspaceEdit) string {
	var s []string
	for _, f := range []string{"a.uir", "b.uir", "c.uir", "lib.ial", "use.ial", "lib.tvm", "use.tvm", "old.uir", "p.ir"} {
		for uri, list := range e.Changes {
			for _, x := range list {
				if filepath.Base(uri) == f {
					s = append(s, fmt.Sprintf("%s:%s=%s", f, x.Range, x.NewText))
				}
			}
		}
	}
	return strings.Join(s, " ")
}

// TestRename: all occurrences change, in all texts of the program and no others.
func TestRename(t *testing.T) {
	c := start(t, options{}, "a.uir", library, "b.uir", program, "c.uir", strings.ReplaceAll(library, "@sig", "@other"))
	c.open("a.uir")
	c.open("b.uir")
	for _, tt := range []struct {
		text       string
		n          int
		name, want string
	}{
		{"@inc", 1, "@add", "a.uir:3:9-13=@add b.uir:5:25-29=@add"},
		{"@inc", 1, "add", "a.uir:3:9-13=@add b.uir:5:25-29=@add"},
		{"%next", 1, "%last", "b.uir:6:15-20=%last b.uir:7:4-9=%last"},
		{"%n", 2, "m", "b.uir:4:18-20=%m b.uir:5:31-33=%m"},
		{"@inc", 1, "%add", "%add is not a name that could stand for @inc"},
		{"@inc", 1, "a b", "a b is not a name that could stand for @inc"},
		{"@inc", 1, "@f", "@f is already a function"},
		{"%n", 2, "%a", "%a is already a value"},
		{"Uses", 1, "x", "there is no name here"},
	} {
		var e workspaceEdit
		got := ""
		if err := c.try("textDocument/rename", and(c.place("b.uir", tt.text, tt.n, 0), "newName", tt.name), &e); err != nil {
			_, got, _ = strings.Cut(err.Error(), "message: ")
		} else {
			got = edited(&e)
		}
		check(t, tt.text+" to "+tt.name, got, tt.want)
	}
	var p *prepared
	c.call("textDocument/prepareRename", c.place("b.uir", "%next", 1, 1), &p)
	check(t, "prepared", fmt.Sprint(*p), "{6:15-20 %next}")
}

// TestCompletion: names in scope and operations, and how these are written.
func TestCompletion(t *testing.T) {
	c := start(t, options{}, "a.uir", library, "b.uir", program)
	c.open("a.uir")
	c.open("b.uir")
	for _, tt := range []struct {
		text  string
		after int
		want  string
	}{
		{"BRANCH %n", 8, "%v1 version, %entry block, %n parameter, %a value, %next block"},
		{"BRANCH %n", 9, "%n parameter, %next block"},
		{"@inc", 2, "@i64 type of a.uir, @inc function of a.uir"},
		{"@sig> @inc", 1, "@2 constant, @f function, @i64 type of a.uir, @1 constant of a.uir, @sig signature of a.uir, @inc function of a.uir"},
		{"MUL", 2, "MUL %r = MUL <@type> %a %b"}, {"// Uses", 5, ""},
		{".const", 3, ".const keyword"}, {"VERSION", 3, "VERSION keyword"},
	} {
		var list completionList
		c.call("textDocument/completion", c.place("b.uir", tt.text, 1, tt.after), &list)
		var s []string
		for _, i := range list.Items {
			if i.Kind != completionOp || i.Label[0] != '@' {
				s = append(s, i.Label+" "+i.Detail)
			}
		}
		check(t, fmt.Sprint(tt), strings.Join(s, ", "), tt.want)
	}
	var h *signatureHelp
	c.call("textDocument/signatureHelp", c.place("b.uir", "MUL <@i64> ", 1, 11), &h)
	check(t, "signature", fmt.Sprint(*h), "{[{%r = MUL <@type> %a %b product modulo 2^n [{[9 16]} {[17 19]} {[20 22]}]}] 0 1}")
}

// TestTokens: the class of each token.
func TestTokens(t *testing.T) {
	c := start(t, options{}, "a.uir", ".const @1 <@i64> = 1 // one\n.typedef @i64 = int<64>\n")
	c.open("a.uir")
	var tokens semanticTokens
	c.call("textDocument/semanticTokens/full", c.place("a.uir", "", 1, 0), &tokens)
	got, line, col := "", uint32(0), uint32(0)
	for i := 0; i+5 <= len(tokens.Data); i += 5 {
		d := tokens.Data[i:]
		if d[0] > 0 {
			col = 0
		}
		line, col = line+d[0], col+d[1]
		got += fmt.Sprintf("%d:%d+%d %s%d ", line, col, d[2], tokenTypes[d[3]], d[4])
	}
	check(t, "tokens", got, "0:0+6 keyword0 0:7+2 variable3 0:11+4 type0 0:19+1 number0 0:21+6 comment0 1:0+8 keyword0 1:9+4 type1 1:16+3 type0 1:20+2 number0 ")
}

// TestActions: what messages suggest can be done, and functions shown as Go and IR.
func TestActions(t *testing.T) {
	c := start(t, options{}, "a.uir", strings.Replace(library, "<@i64> %n @1", "<@i46> %n @1", 1), "b.uir", strings.ReplaceAll(library, "@inc", "@f"))
	list := c.open("a.uir")
	if len(list) != 1 {
		t.Fatal(list)
	}
	params := c.place("a.uir", "@i46", 1, 0)
	params["range"] = list[0].Range
	params["context"] = map[string]any{"diagnostics": list}
	var actions []codeAction
	c.call("textDocument/codeAction", params, &actions)
	check(t, "actions", fmt.Sprint(len(actions), actions[0].Title, " ", edited(&actions[0].Edit)), "1Change to @i64 a.uir:5:18-22=@i64")
	c.open("b.uir")
	var lenses []codeLens
	c.call("textDocument/codeLens", c.place("b.uir", "", 1, 0), &lenses)
	if len(lenses) != 2 || lenses[0].Range.String() != "3:9-11" {
		t.Fatal(lenses)
	}
	want := map[string]string{showGo: "func f() {}\n", showIR: "version @f.v1 of @f !"}
	for _, l := range lenses {
		var s shown
		c.call("workspace/executeCommand", map[string]any{"command": l.Command.Command, "arguments": l.Command.Arguments}, &s)
		if !strings.Contains(s.Text, want[l.Command.Command]) {
			t.Errorf("%s: got %s", l.Command.Command, s.Text)
		}
	}
}

// TestPrograms: the user may list the files of a program.
func TestPrograms(t *testing.T) {
	files := []string{"main.uir", program, "lib.uir", library, "twin.uir", library}
	c := start(t, options{Programs: [][]string{{"twin.uir", "main.uir"}}}, files...)
	c.open("main.uir")
	var defs []location
	c.call("textDocument/definition", c.place("main.uir", "@inc", 1, 0), &defs)
	check(t, "definition", show(defs), "twin.uir:3:9-13")
}
