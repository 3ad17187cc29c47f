package transpile_test

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/diag"
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
	var paths []string
	for _, pattern := range []string{"../examples/*/*.uir", "uvm2014/testdata/*.uir", "ial/testdata/*.ial", "tvm/testdata/*.tvm",
		"../examples/*/*/*.uir", "../examples/*/*/*.ial", "../examples/*/*/*.tvm"} {
		found, _ := filepath.Glob(pattern)
		paths = append(paths, found[:min(len(found), 8)]...)
	}
	seen := map[string]int{}
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
		format := d.FormOf(transpile.Source{Name: path, Text: text}).Format
		for range 6 {
			src := withDirectives(r, text)
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
				a, b := bytes.Split(once, []byte("\n")), bytes.Split(twice, []byte("\n"))
				n := 0
				for n < min(len(a), len(b))-1 && bytes.Equal(a[n], b[n]) {
					n++
				}
				t.Fatalf("%s: %v: line %d\n%s\nbecomes\n%s", path, err, n+1, bytes.Join(a[max(n-3, 0):min(n+3, len(a))], []byte("\n")), bytes.Join(b[max(n-3, 0):min(n+3, len(b))], []byte("\n")))
			}
			seen[d.Name]++
		}
	}
	for _, name := range []string{"mu", "uvm2014", "ial", "tvm"} {
		if seen[name] < 15 {
			t.Errorf("%d texts of dialect %s", seen[name], name)
		}
	}
}
