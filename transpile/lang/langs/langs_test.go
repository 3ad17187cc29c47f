package langs_test

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/dialects"
	"github.com/uvm2go/uvm2go/transpile/lang"
	"github.com/uvm2go/uvm2go/transpile/lang/langs"
)

// TestLanguages: every dialect with text has a language, whose operations have a form and a meaning.
func TestLanguages(t *testing.T) {
	for _, d := range dialects.All {
		l := langs.Of(d)
		if l == nil {
			t.Errorf("dialect %s has no language", d.Name)
			continue
		}
		words := l.Keywords()
		if len(words) < 5 || slices.Contains(words, "") {
			t.Errorf("%s has the keywords %v", d.Name, words)
		}
		ops := l.Operations()
		if len(ops) < 50 {
			t.Errorf("%s has %d operations", d.Name, len(ops))
		}
		for _, o := range ops {
			if o.Name == "" || o.Form == "" || !strings.Contains(o.Form, o.Name) || strings.Contains(o.Doc, "](") {
				t.Errorf("%s: operation %+v", d.Name, o)
			}
		}
	}
}

// show writes an index: a line for each definition, with the places of its uses, and the words of some classes.
func show(src string, x *lang.Index) string {
	var b strings.Builder
	at := func(off uint32) string {
		line := 1 + strings.Count(src[:off], "\n")
		return fmt.Sprintf("%d:%d", line, int(off)-strings.LastIndexByte(src[:off], '\n'))
	}
	for i := range x.Names {
		n := &x.Names[i]
		d := x.Definition(n.Scope, n.Key)
		if d >= 0 && d != i {
			continue
		}
		fmt.Fprintf(&b, "%s %s %s", at(n.Off), n.Kind, src[n.Off:n.End])
		if d < 0 {
			fmt.Fprintf(&b, " undefined")
		}
		if n.Scope != lang.Global {
			fmt.Fprintf(&b, " in %s", x.Items[n.Scope].Name)
		}
		for j := range x.Names {
			if m := &x.Names[j]; j != i && m.Scope == n.Scope && m.Key == n.Key {
				fmt.Fprintf(&b, " %s", at(m.Off))
				if src[m.Off:m.End] != src[n.Off:n.End] {
					fmt.Fprintf(&b, "=%s", src[m.Off:m.End])
				}
			}
		}
		b.WriteString("\n")
	}
	for _, it := range x.Items {
		if it.Name != "" {
			fmt.Fprintf(&b, "%s-%s %s %s\n", at(it.Off), at(it.End), it.Kind, it.Name)
		}
	}
	return b.String()
}

var update = flag.Bool("update", false, "rewrite the indices in testdata")

// TestIndex compares indices with what they should be: testdata/DIALECT_*.txt has a text, a line ---- and the index.
func TestIndex(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < len(dialects.All) {
		t.Fatal(files, err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(filepath.Base(f), "_")
		src, want, _ := strings.Cut(string(text), "----\n")
		got := show(src, langs.Of(dialects.All.Named(name)).Index([]byte(src), "m"))
		if *update && got != want {
			if err := os.WriteFile(f, []byte(src+"----\n"+got), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", f, got, want)
		}
	}
}

// TestRepository: in the texts of the repository that have no errors, every local name is defined, and every token
// that looks like a name is one.
func TestRepository(t *testing.T) {
	n := 0
	for _, top := range []string{"examples", "transpile", "cmd/uvmbench/kernels"} {
		err := filepath.WalkDir(filepath.Join("../../..", top), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !slices.Contains(dialects.All.Endings(), filepath.Ext(path)) {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil || len(text) > 100_000 {
				return err
			}
			src := dialect.Source{Name: path, Text: text}
			d := dialects.All.Of(src)
			set := diag.NewSet()
			if _, ok := d.Load(set, []dialect.Source{src}, dialect.Options{}, diag.NewList(set)); d.FormOf(src).Binary || !ok {
				return nil
			}
			n++
			checkIndex(t, d, text)
			x := langs.Of(d).Index(text, "m")
			for i := range x.Names {
				if m := &x.Names[i]; m.Scope != lang.Global && x.Definition(m.Scope, m.Key) < 0 {
					line, col := lex.Position(text, lex.Off(m.Off))
					t.Errorf("%s:%d:%d: %s is defined nowhere", path, line, col, text[m.Off:m.End])
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n < 100 {
		t.Errorf("%d texts were found", n)
	}
}

// TestBroken: texts that are cut off, or lack a piece, have an index too.
func TestBroken(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		src, _, _ := bytes.Cut(text, []byte("----\n"))
		for i := 0; i < len(src); i += 3 {
			for _, d := range dialects.All {
				if i%2 == 0 || strings.HasPrefix(filepath.Base(f), d.Name+"_") {
					checkIndex(t, d, src[:i])
					checkIndex(t, d, slices.Concat(src[:i], src[min(i+7, len(src)):]))
				}
			}
		}
	}
}

// FuzzIndex: no text makes an index fail, and names and words are in order and inside the text.
func FuzzIndex(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		src, _, _ := strings.Cut(string(text), "----\n")
		f.Add([]byte(src))
		f.Add([]byte(src[:len(src)/2]))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, d := range dialects.All {
			checkIndex(t, d, src)
		}
	})
}

// checkIndex checks what holds for the index of any text.
func checkIndex(t *testing.T, d *dialect.Dialect, src []byte) {
	t.Helper()
	x := langs.Of(d).Index(src, "m")
	defer func() {
		if t.Failed() {
			t.Logf("the text is %q", src)
		}
	}()
	last := uint32(0)
	for i, n := range x.Names {
		if n.Off < last || n.End <= n.Off || int(n.End) > len(src) || n.Key == "" {
			t.Fatalf("%s: name %d is %+v, after one that ends at %d", d.Name, i, n, last)
		}
		if n.Scope < lang.Global || int(n.Scope) >= len(x.Items) {
			t.Fatalf("%s: name %+v has no scope", d.Name, n)
		}
		if got := x.NameAt(int(n.Off)); got != i {
			t.Fatalf("%s: name %d is at %d, where %d was found", d.Name, i, n.Off, got)
		}
		last = n.End
	}
	last = 0
	for i, w := range x.Words {
		if w.Off < last || w.End <= w.Off || int(w.End) > len(src) {
			t.Fatalf("%s: word %d is %+v, after one that ends at %d", d.Name, i, w, last)
		}
		last = w.End
	}
	last = 0
	for i, it := range x.Items {
		if it.Off < last || it.End < it.Off || int(it.End) > len(src) || it.Parent >= int32(i) {
			t.Fatalf("%s: item %d is %+v", d.Name, i, it)
		}
		if p := it.Parent; p != lang.Global && (x.Items[p].Off > it.Off) {
			t.Fatalf("%s: item %d is %+v, part of %+v", d.Name, i, it, x.Items[p])
		}
		last = it.Off
	}
}
