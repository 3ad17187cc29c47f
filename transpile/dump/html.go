package dump

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A Column is one text about a function on the page: the source of the bundle,
// the representation after a pass, the Go made from it.
type Column struct {
	Title string
	// Text returns the text about a version; if it is "", the version does not have the column.
	Text func(v *ir.Version) string
}

// IRColumn shows the versions of a program in their current state.
func IRColumn(title string, p *ir.Program) Column {
	return Column{title, func(v *ir.Version) string {
		var b strings.Builder
		ir.PrintVersion(&b, p, v)
		return b.String()
	}}
}

// SourceColumn shows the lines of the bundle that a version was read from: from
// the place of its name to that of its last instruction.
func SourceColumn(title string, p *ir.Program) Column {
	return Column{title, func(v *ir.Version) string { return source(p, v) }}
}

// HTML writes one page with a section for each version and the columns side by
// side, and the current control flow. The page does not need other files. Lines of a
// column that are not in the column before it are marked.
func HTML(w io.Writer, p *ir.Program, title string, vs []*ir.Version, columns []Column) error {
	content := pageContent{Title: title}
	for _, v := range vs {
		s := pageSection{Name: v.Name}
		before := ""
		for _, c := range columns {
			text := ""
			if c.Text != nil {
				text = c.Text(v)
			}
			if text == "" {
				continue
			}
			s.Columns = append(s.Columns, pageColumn{c.Title, markedLines(before, text)})
			before = text
		}
		var pic bytes.Buffer
		if err := writeSVG(&pic, p, []*ir.Version{v}); err != nil {
			return err
		}
		s.Flow = template.HTML(pic.String()) // writeSVG escapes the names in it
		content.Sections = append(content.Sections, s)
	}
	return page.Execute(w, content)
}

// The data for the template of the page.
type (
	pageContent struct {
		Title    string
		Sections []pageSection
	}
	pageSection struct {
		Name    string
		Columns []pageColumn
		Flow    template.HTML
	}
	pageColumn struct {
		Title string
		Lines []pageLine
	}
	pageLine struct {
		Text   string
		Marked bool
	}
)

var page = template.Must(template.New("page").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{{.Title}}</title>
<style>
body { font: 14px sans-serif; margin: 1em; color: #222; background: #fff }
.toc { columns: 4; list-style: none; padding: 0 }
.row { display: flex; overflow-x: auto; align-items: flex-start; gap: 8px }
details { border: 1px solid #ccc; background: #fbfbf8; flex: none; max-width: 60em; overflow-x: auto }
summary { font-weight: bold; padding: 4px 8px; background: #eee; cursor: pointer; position: sticky; left: 0 }
pre { margin: 0; padding: 8px; font: 12px monospace }
mark { background: #fe9 }
</style>
</head>
<body>
<h1>{{.Title}}</h1>
<ul class="toc">
{{- range $i, $s := .Sections}}
<li><a href="#f{{$i}}">{{$s.Name}}</a></li>
{{- end}}
</ul>
{{- range $i, $s := .Sections}}
<h2 id="f{{$i}}">{{$s.Name}}</h2>
<div class="row">
{{- range .Columns}}
<details open><summary>{{.Title}}</summary>
<pre>{{range .Lines}}{{if .Marked}}<mark>{{.Text}}</mark>{{else}}{{.Text}}{{end}}
{{end}}</pre></details>
{{- end}}
<details><summary>control flow</summary>
{{.Flow}}</details>
</div>
{{- end}}
</body>
</html>
`))

// markedLines are the lines of a text, with marks on those that are not in the text before
// it.
func markedLines(before, text string) []pageLine {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	marked := make([]pageLine, len(lines))
	for i, fresh := range Fresh(before, text) {
		marked[i] = pageLine{lines[i], fresh}
	}
	return marked
}

// Fresh reports, for each line of a text, whether the text before it does not have the line. All are false if the
// two have no lines in common.
func Fresh(before, text string) []bool {
	known := map[string]bool{}
	for l := range strings.SplitSeq(before, "\n") {
		known[l] = true
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	common := false
	for _, l := range lines {
		common = common || strings.TrimSpace(l) != "" && l != "}" && known[l]
	}
	fresh := make([]bool, len(lines))
	for i, l := range lines {
		fresh[i] = common && !known[l]
	}
	return fresh
}

// source returns the lines of the bundle that a version comes from.
func source(p *ir.Program, v *ir.Version) string {
	if p == nil || p.Files == nil || v == nil || !v.Pos.IsValid() {
		return ""
	}
	f := p.Files.File(v.Pos.File)
	if f == nil {
		return ""
	}
	text := f.Content()
	from := min(int(v.Pos.Off), len(text))
	to := from
	for b := range v.Blocks {
		for _, id := range v.Blocks[b].Insts {
			// Inlined instructions may come from other places, even before the version.
			if id > 0 && int(id) < len(v.Insts) && v.Insts[id].Pos.File == v.Pos.File && v.Insts[id].ID > v.ID && int(v.Insts[id].ID-v.ID) <= len(v.Insts)+len(v.Blocks) {
				to = max(to, min(int(v.Insts[id].Pos.Off), len(text)))
			}
		}
	}
	from = bytes.LastIndexByte(text[:from], '\n') + 1
	if n := bytes.IndexByte(text[to:], '\n'); n >= 0 {
		to += n
	} else {
		to = len(text)
	}
	first := f.Physical(from).Line
	lines := strings.Split(string(text[from:to]), "\n")
	authors, width := authorsLines(f, from, lines)
	var b strings.Builder
	for i, l := range lines {
		fmt.Fprintf(&b, "%5d  ", first+i)
		if width > 0 {
			fmt.Fprintf(&b, "%-*s  ", width, authors[i])
		}
		fmt.Fprintf(&b, "%s\n", strings.TrimRight(l, "\r"))
	}
	return b.String()
}

// authorsLines returns, for lines of a file from an offset on, the lines of the author's source that they come from, and
// the width of the longest.
func authorsLines(f *diag.File, off int, lines []string) (list []string, width int) {
	for _, l := range lines {
		text := ""
		_, directive := f.Directive(off)
		if p, ok := f.Author(off); ok && !directive {
			text = fmt.Sprintf("%s:%d", lex.Visible(p.File), p.Line)
		}
		list, width = append(list, text), max(width, len(text))
		off += len(l) + 1
	}
	return list, width
}
