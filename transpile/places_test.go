package transpile_test

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A placedByte is a byte of a token, with its place in the author's source.
type placedByte struct {
	char byte
	file string
	line int
	col  int // of lines after a directive with a column, else 0
}

// placedBytes are the bytes of the tokens of a text in which comments begin with //.
func placedBytes(t *testing.T, text []byte) (list []placedByte) {
	f, err := diag.NewSet().Add("", text)
	if err != nil {
		t.Fatal(err)
	}
	comment := false
	for i, c := range text {
		switch {
		case c == '\n':
			comment = false
		case comment || c == ' ' || c == '\t' || c == '\r':
		case bytes.HasPrefix(text[i:], []byte("//")):
			comment = true
		default:
			p, _ := f.Author(i)
			b := placedByte{c, p.File, p.Line, 0}
			if f.Exact(i) {
				b.col = p.Col
			}
			if p.File == "" || c == '{' || c == '}' { // not after a directive; braces alone on a line have no place
				b.file, b.line, b.col = "", 0, 0
			}
			list = append(list, b)
		}
	}
	return list
}

// withDirectives puts directives in front of lines of a text, drops and adds line breaks, and changes indentation.
func withDirectives(r *rand.Rand, text []byte) []byte {
	var out []byte
	for _, line := range bytes.SplitAfter(text, []byte("\n")) {
		switch r.Intn(8) {
		case 0:
			out = fmt.Appendf(out, "//line a%d.src:%d:%d\n", r.Intn(2), 1+r.Intn(50), 1+r.Intn(20))
		case 1:
			out = fmt.Appendf(out, "//line a%d.src:%d\n", r.Intn(2), 1+r.Intn(50))
		case 2:
			out = fmt.Appendf(out, "//line :%d\n", 1+r.Intn(50))
		case 3:
			out = append(out, bytes.Repeat([]byte("\n"), r.Intn(4))...)
		case 4:
			line = append(bytes.Repeat([]byte(" "), r.Intn(12)), bytes.TrimLeft(line, " \t")...)
		case 5:
			if !bytes.Contains(line, []byte("//")) {
				line = append(bytes.TrimSuffix(line, []byte("\n")), ' ')
			}
		case 6:
			if !bytes.Contains(line, []byte("//")) {
				line = bytes.Replace(line, []byte(" = "), []byte("\n\n = "), 1)
			}
		}
		out = append(out, line...)
	}
	return out
}

// TestFormatKeepsPlaces formats bundles of all text dialects with directives at random lines: each token stays at its
// place in the author's source, and formatting again changes nothing.
func TestFormatKeepsPlaces(t *testing.T) {
	seen := map[string]int{}
	eachPlaced(t, 6, func(path string, d *dialect.Dialect, src []byte) {
		keepsPlaces(t, path, d.FormOf(transpile.Source{Name: path, Text: src}).Format, src)
		seen[d.Name]++
	})
	for _, name := range []string{"mu", "uvm2014", "ial", "tvm"} {
		if seen[name] < 12 {
			t.Errorf("%d texts of dialect %s", seen[name], name)
		}
	}
}

// eachPlaced calls f with bundles of all text dialects that have directives at random lines, times times each.
func eachPlaced(t *testing.T, times int, f func(path string, d *dialect.Dialect, src []byte)) {
	t.Helper()
	var paths []string
	for _, pattern := range []string{"../examples/*/*.uir", "uvm2014/testdata/*.uir", "ial/testdata/*.ial", "tvm/testdata/*.tvm",
		"../examples/*/*/*.uir", "../examples/*/*/*.ial", "../examples/*/*/*.tvm"} {
		found, _ := filepath.Glob(pattern)
		paths = append(paths, found[:min(len(found), 5)]...)
	}
	r := rand.New(rand.NewSource(1))
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		d, err := transpile.Dialects.Choose("", []transpile.Source{{Name: path, Text: text}})
		if err != nil || len(text) > 50_000 || bytes.Contains(text, []byte("/*")) {
			continue
		}
		for range times {
			f(path, d, withDirectives(r, text))
		}
	}
}

func keepsPlaces(t *testing.T, path string, format func(string, []byte) ([]byte, error), src []byte) {
	t.Helper()
	once, err := format("", src)
	if err != nil {
		t.Fatalf("%s: %v\n%s", path, err, src)
	}
	want, got := placedBytes(t, src), placedBytes(t, once)
	if len(want) != len(got) {
		t.Fatalf("%s: %d bytes of tokens, want %d\n%s\nbecomes\n%s", path, len(got), len(want), src, once)
	}
	for i := range want {
		if want[i] != got[i] && want[i].col != 0 || want[i].line != got[i].line || want[i].file != got[i].file {
			t.Fatalf("%s: byte %d is %c at %s:%d:%d, want %c at %s:%d:%d\n%s\nbecomes\n%s", path, i,
				got[i].char, got[i].file, got[i].line, got[i].col, want[i].char, want[i].file, want[i].line, want[i].col, src, once)
		}
	}
	twice, err := format("", once)
	if err != nil || !bytes.Equal(once, twice) {
		t.Fatalf("%s: %v\n%s\nbecomes\n%s", path, err, once, twice)
	}
}

// places are the author's places of the functions, blocks and instructions of a program, in their order, with the columns
// that directives give, and "" for what has none.
func places(p *ir.Program, of map[string]bool) (list []string) {
	add := func(what string, at diag.Pos) {
		_, author := p.Files.Author(at)
		q := p.Files.Traced(at)
		q.File = filepath.Base(q.File)
		if !author || !strings.HasSuffix(q.File, ".src") {
			list = append(list, "")
			return
		}
		list = append(list, what+" "+q.String())
	}
	for _, f := range p.Funcs {
		v := f.Current()
		if v == nil || !of[f.Name] {
			continue
		}
		add("function", f.Pos)
		for b := range v.Blocks {
			if v.Blocks[b].Dead {
				continue
			}
			add("block", v.Blocks[b].Pos)
			for _, id := range v.Blocks[b].Insts {
				add("instruction", v.Insts[id].Pos)
			}
		}
	}
	return list
}

var withoutColumn = regexp.MustCompile(`(:[0-9]+):[0-9]+$`)

// TestWriteKeepsPlaces writes bundles with directives in the forms of their dialects and others, and reads them again:
// each instruction is at its place in the author's source.
func TestWriteKeepsPlaces(t *testing.T) {
	seen := map[string]int{}
	eachPlaced(t, 1, func(path string, d *dialect.Dialect, src []byte) {
		load := func(name string, text []byte) *transpile.Program {
			p, diags := transpile.Load([]transpile.Source{{Name: name, Text: text}}, transpile.Options{})
			if p == nil {
				if name == path {
					return nil
				}
				t.Fatalf("%s: %v\n%s", path, diags.Err(), text)
			}
			return p
		}
		for _, name := range transpile.Dialects.FormNames() {
			target, form := transpile.Dialects.Form(name)
			p := load(path, src)
			if p == nil || form.Binary {
				continue
			}
			of := map[string]bool{}
			for _, f := range p.IR.Funcs {
				of[f.Name] = f.Pos.IsValid()
			}
			want := places(p.IR, of)
			var text []byte
			switch {
			case form.Write != nil:
				var err error
				if text, err = p.Write(form); err != nil {
					continue
				}
			case target == d && form.Convert != nil:
				out, diags := form.Convert(transpile.Source{Name: path, Text: src}, dialect.Options{})
				if diags.HasErrors() {
					t.Fatalf("%s: %v", path, diags)
				}
				text = out
			default:
				continue
			}
			if name != "ir" && target != d || name == "ir" && strings.Contains(path, "aggregates.tvm") { // another dialect may want several instructions, or reorder blocks
				continue
			}
			got := places(load("sub/"+strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))+form.Ending, text).IR, of)
			if len(got) != len(want) {
				t.Fatalf("%s as %s: %d places, want %d\n%s\nbecomes\n%s", path, name, len(got), len(want), src, text)
			}
			for i := range want {
				if name == "ir" && strings.HasPrefix(want[i], "function") { // a word comes before the name, so the column may not fit
					got[i], want[i] = withoutColumn.ReplaceAllString(got[i], "$1"), withoutColumn.ReplaceAllString(want[i], "$1")
				}
				if want[i] != "" && got[i] != want[i] {
					t.Fatalf("%s as %s: place %d of %d is %s, want %s\n%s\nbecomes\n%s", path, name, i, len(want), got[i], want[i], src, text)
				}
			}
			seen[name]++
		}
	})
	for _, name := range []string{"uir", "uir2014", "ir", "ial", "tvm"} {
		if seen[name] < 2 {
			t.Errorf("%d texts in form %s", seen[name], name)
		}
	}
}
