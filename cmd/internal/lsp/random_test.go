package lsp

import (
	"math/rand"
	"os"
	"path/filepath"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// TestRandomEdits edits texts of all dialects at random, and makes requests about places in them. The server must not
// fail, and its text must be the editor's.
func TestRandomEdits(t *testing.T) { randomEdits(t, 40) }

// TestLongRandomEdits does so for longer.
func TestLongRandomEdits(t *testing.T) {
	longtest.Only(t)
	randomEdits(t, 3000)
}

func randomEdits(t *testing.T, n int) {
	c := start(t, options{}, texts...)
	rng := rand.New(rand.NewSource(int64(n)))
	var docs []*document // as the editor has them
	for i := 0; i < len(texts); i += 2 {
		c.open(texts[i])
		docs = append(docs, &document{uri: c.uri(texts[i]), text: []byte(texts[i+1])})
	}
	var methods []string
	for m := range requests {
		if m != "workspace/executeCommand" && m != "textDocument/codeAction" && m != "workspace/symbol" {
			methods = append(methods, m)
		}
	}
	pieces := []string{"", "", "\n", "\r\n", "@", "%", "(", "{", "}", ";", "<", "𝄞", "'", "/*", "//", " a b", "%x = ", ".funcdef @g", "block b {"}
	for range n {
		i := rng.Intn(len(docs))
		d := docs[i]
		off := rng.Intn(len(d.text) + 1)
		to := min(off+rng.Intn(8), len(d.text))
		change := contentChange{Range: &span{d.position(off), d.position(to)}, Text: pieces[rng.Intn(len(pieces))]}
		if rng.Intn(20) == 0 {
			change = contentChange{Text: texts[2*i+1]}
		}
		docs[i] = d.changed(change, 0)
		c.send(texts[2*i], change)
		for range 3 {
			params := map[string]any{"textDocument": textDocument{d.uri}, "position": d.position(rng.Intn(len(d.text) + 1)), "newName": "name"}
			c.try(methods[rng.Intn(len(methods))], params, nil) // a failure of the server itself is logged
		}
	}
	for i, d := range docs {
		var edits []textEdit
		name := filepath.Join(c.dir, "whole"+filepath.Ext(texts[2*i]))
		if err := os.WriteFile(name, d.text, 0o666); err != nil {
			t.Fatal(err)
		}
		whole := c.open(filepath.Base(name))
		c.change(texts[2*i], contentChange{Range: &span{}, Text: ""}) // an edit that changes nothing
		c.try("textDocument/formatting", map[string]any{"textDocument": textDocument{d.uri}}, &edits)
		var a, b []documentSymbol
		c.call("textDocument/documentSymbol", map[string]any{"textDocument": textDocument{d.uri}}, &a)
		c.call("textDocument/documentSymbol", map[string]any{"textDocument": textDocument{c.uri(filepath.Base(name))}}, &b)
		if outline(a, "") != outline(b, "") {
			t.Errorf("%s: after edits the outline is\n%s\nand that of the same text\n%s(%s)", texts[2*i], outline(a, ""), outline(b, ""), show(whole))
		}
	}
}
