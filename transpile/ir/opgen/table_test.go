package main

import (
	"bytes"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../../.."

// TestFresh checks that the generated files are up to date with the table.
func TestFresh(t *testing.T) {
	ops, err := parse()
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outputs {
		want, err := generate(o, ops)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(o.path)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")), want) {
			t.Errorf("%s is stale: go generate .", o.path)
		}
		if strings.HasSuffix(o.path, ".go") {
			if f, err := format.Source(want); err != nil || !bytes.Equal(f, want) {
				t.Errorf("%s is not formatted: %v", o.path, err)
			}
		}
	}
}

// TestFilesOfAnOperation checks a statement of docs/internals.md: these files, and no others of the
// translator and of the engine, name an operation. Exceptions are readers of other dialects, which have
// grammars of their own, and programs that make test programs.
func TestFilesOfAnOperation(t *testing.T) {
	name := regexp.MustCompile(`GetVarPartIRef|GETVARPARTIREF|getVarPartIRef`)
	want := []string{
		"rtlib/live/libmu/entries_gen.go", // generated
		"rtlib/live/libmu/memory.go",      // the client's function of this name
		"rtlib/live/operands.go",          // its code in the engine
		"transpile/interp/addressing.go",  // its interpretation
		"transpile/interp/decode_gen.go",  // generated
		"transpile/ir/build_gen.go",       // generated
		"transpile/ir/op_gen.go",          // generated
		"transpile/ir/opgen/table.go",     // its row
		"transpile/lower/place.go",        // its lowering
		"transpile/mu/advice.go",          // messages about Mu text recommend it
		"transpile/mu/inst.go",            // likewise
		"transpile/mu/nodes/rows.go",      // the IR builder has an instruction that makes it
		"transpile/mu/syntax/op_gen.go",   // generated
		"transpile/mu/syntax/shape.go",    // an example for messages
		"transpile/passes/alias.go",       // its result is not the location of a field
		"transpile/sandbox/sandbox.go",    // its result is as restricted as its operand
	}
	var got []string
	visit := func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && slices.Contains([]string{"uvm2014", "ial", "tvm"}, d.Name()) {
			return filepath.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil && name.Match(text) {
			rel, _ := filepath.Rel(root, path)
			got = append(got, filepath.ToSlash(rel))
		}
		return err
	}
	for _, dir := range []string{"transpile", "rtlib/live"} {
		if err := filepath.WalkDir(filepath.Join(root, dir), visit); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("files that name GETVARPARTIREF:\n got %s\nwant %s", strings.Join(got, " "), strings.Join(want, " "))
	}
}

// TestComparisons checks that a comparison negated twice, or exchanged twice, is the same comparison again.
func TestComparisons(t *testing.T) {
	ops, err := parse()
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]*op{}
	for _, o := range ops {
		by[o.name] = o
	}
	for _, o := range ops {
		compares := strings.HasPrefix(o.class.name, "Cmp")
		if compares != (o.not != "") || compares && o.swap == "" {
			t.Errorf("%s: not=%s swap=%s", o.name, o.not, o.swap)
		}
		if n := by[o.not]; o.not != "" && (n == nil || n.not != o.name || n.class != o.class) {
			t.Errorf("%s: not=%s", o.name, o.not)
		}
		if n := by[o.swap]; o.swap != "" && (n == nil || n.swap != o.name || n.class != o.class || n.self != o.self) {
			t.Errorf("%s: swap=%s", o.name, o.swap)
		}
	}
}

// TestRows checks that every row has the columns that it needs, and that spellings are unique.
func TestRows(t *testing.T) {
	ops, err := parse()
	if err != nil {
		t.Fatal(err)
	}
	spelled := map[string]string{}
	for _, o := range ops {
		if o.doc == "" || strings.HasSuffix(o.doc, ".") {
			t.Errorf("%s: want prose without a full stop, got %q", o.name, o.doc)
		}
		if o.run == "" {
			t.Errorf("%s: the interpreter has no decoder", o.name)
		}
		if o.mu != "" && !strings.HasPrefix(o.mu, "@") && o.form == "" {
			t.Errorf("%s: no form in the grammar of Mu text", o.name)
		}
		if have := spelled[o.mu]; o.mu != "" && have != "" {
			t.Errorf("%s and %s are both spelled %s", have, o.name, o.mu)
		}
		spelled[o.mu] = o.name
		if o.has("divides") && !o.has("fails") || o.has("access") && !o.has("fails") {
			t.Errorf("%s fails, but is said not to", o.name)
		}
		if o.has("derives") && (len(o.args) == 0 || len(o.res) != 1) {
			t.Errorf("%s derives no result from an operand", o.name)
		}
	}
}

// TestWords: a word is a fact or a flag, unless it is both on purpose.
func TestWords(t *testing.T) {
	both := map[string]bool{"exc": true, "ptr": true}
	for _, f := range factNames {
		if flag := flagWords[f.word]; (flag != "") != both[f.word] {
			t.Errorf("%s is the fact %s and the flag %q", f.word, f.flags, flag)
		}
	}
}

// TestBadRows shows what the table refuses.
func TestBadRows(t *testing.T) {
	for want, r := range map[string]row{
		"unknown class Nix":       {name: "X", class: "Nix"},
		`unknown word "sideways"`: {name: "X", class: "IntBin", facts: "sideways"},
		`bad shape "TT"`:          {name: "X", class: "IntBin", shape: "TT"},
		"more than two type":      {name: "X", class: "IntBin", shape: "Int Int Int | T -> T"},
		`bad spelling "q:add"`:    {name: "X", class: "IntBin", others: "q:add"},
		`bad word "self=2"`:       {name: "X", class: "IntBin", facts: "self=2"},
		`bad word "neutral=x"`:    {name: "X", class: "IntBin", facts: "neutral=x"},
		`bad word "absorbs=2"`:    {name: "X", class: "IntBin", facts: "absorbs=2"},
		`bad word "weight=x"`:     {name: "X", class: "IntBin", facts: "weight=x"},
		"bad number":              {name: "X", class: "IntBin", others: "i:add:7"},
	} {
		o := &op{row: &r}
		if err := o.parse(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, want %s", r, err, want)
		}
	}
}
