package lsp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// TestEdits: a text is the same after edits, however they are cut, as in the editor. Lines end as in the protocol.
func TestEdits(t *testing.T) {
	d := &document{text: []byte("a\r\nb\rc\n𝄞é\n")}
	for _, tt := range []struct {
		line, char, off int
	}{{0, 0, 0}, {0, 1, 1}, {0, 9, 1}, {1, 0, 3}, {1, 1, 4}, {1, 2, 4}, {2, 0, 5}, {3, 0, 7}, {3, 2, 11}, {3, 3, 13}, {4, 0, 14}, {9, 0, 14}, {-1, 5, 0}} {
		if got := d.offset(position{tt.line, tt.char}); got != tt.off {
			t.Errorf("%d:%d is %d, want %d", tt.line, tt.char, got, tt.off)
		}
	}
	for off, want := range map[int]string{0: "{0 0}", 3: "{1 0}", 5: "{2 0}", 7: "{3 0}", 11: "{3 2}", 13: "{3 3}", 14: "{4 0}", 99: "{4 0}"} {
		if got := fmt.Sprint(d.position(off)); got != want {
			t.Errorf("%d is %s, want %s", off, got, want)
		}
	}
	d = d.changed(contentChange{Range: &span{position{3, 0}, position{3, 2}}, Text: "x\ny"}, 2)
	d = d.changed(contentChange{Range: &span{position{1, 1}, position{2, 0}}, Text: ""}, 3)
	d = d.changed(contentChange{Range: &span{position{9, 0}, position{0, 0}}, Text: "end"}, 4)
	check(t, "edited", string(d.text), "a\r\nbc\nx\nyé\nend")
	bytewise := &document{text: []byte("é𝄞x"), utf8: true}
	if got := bytewise.offset(position{0, 6}); got != 6 || bytewise.position(6) != (position{0, 6}) {
		t.Errorf("columns of bytes: %d, %v", got, bytewise.position(6))
	}
}

// TestErrors: what the server refuses, and that it goes on afterwards.
func TestErrors(t *testing.T) {
	c := start(t, options{}, "a.uir", library)
	for _, tt := range []struct {
		method string
		params any
		want   string
	}{
		{"textDocument/nothing", struct{}{}, "no method textDocument/nothing"},
		{"textDocument/hover", []int{1}, "cannot unmarshal array"},
		{"textDocument/hover", map[string]any{"textDocument": textDocument{"file:///none.uir"}}, "file:///none.uir is not open"},
		{"workspace/executeCommand", map[string]any{"command": "x"}, "no command x"},
		{"workspace/executeCommand", map[string]any{"command": showGo}, "wants the URI of a text and the name of a function"},
	} {
		if err := c.try(tt.method, tt.params, nil); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %s", tt.method, err, tt.want)
		}
	}
	c.notify("textDocument/didChange", map[string]any{"textDocument": textDocument{"file:///none.uir"}, "contentChanges": []contentChange{{Text: "x"}}})
	c.notify("textDocument/didOpen", []int{1})
	c.notify("$/unknown", nil)
	c.notify("$/cancelRequest", map[string]any{"id": 99})
	if list := c.open("a.uir"); len(list) > 0 {
		t.Error(show(list))
	}
	if err := c.try("workspace/executeCommand", map[string]any{"command": showGo, "arguments": []string{c.uri("a.uir"), "@none"}}, nil); err == nil ||
		!strings.Contains(err.Error(), "the program has no function @none with a body") {
		t.Errorf("got %v", err)
	}
}

// TestDependents: a change of one text of a program shows in the others, and what is closed has no diagnostics.
func TestDependents(t *testing.T) {
	c := start(t, options{}, "a.uir", library, "b.uir", program)
	check(t, "b.uir", show(c.open("b.uir")), "")
	b := c.version
	c.open("a.uir")
	c.send("a.uir", contentChange{Text: strings.ReplaceAll(library, "@inc", "@dec")})
	c.version, b = b, c.version
	late := time.After(time.Minute)
	for got := ""; got == ""; {
		select {
		case p := <-c.diags:
			if p.URI == c.uri("b.uir") && len(p.Diagnostics) > 0 {
				got = show(p.Diagnostics)
				check(t, "b.uir after the change", got, "5:25-29 1 unknown: unknown name @inc")
			}
		case <-late:
			t.Fatal("b.uir has no errors")
		}
	}
	c.notify("textDocument/didClose", map[string]any{"textDocument": textDocument{c.uri("b.uir")}})
	for {
		select {
		case p := <-c.diags:
			if p.URI == c.uri("b.uir") && p.Version == nil && len(p.Diagnostics) == 0 {
				return
			}
		case <-late:
			t.Fatal("the diagnostics of a closed text stay")
		}
	}
}

// TestCancelled: a request that the editor has cancelled is answered with an error.
func TestCancelled(t *testing.T) {
	s := &Server{Log: failing{t}}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out bytes.Buffer
	done := make(chan bool)
	in, toServer := io.Pipe()
	s.conn = jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(pipe{in, &out}, jsonrpc2.VSCodeObjectCodec{}), handler(nil))
	go func() {
		s.answer(s.state(ctx), &jsonrpc2.Request{Method: "textDocument/hover"}, []byte("{}"), requests["textDocument/hover"])
		close(done)
	}()
	<-done
	toServer.Close()
	if !strings.Contains(out.String(), "-32800") {
		t.Errorf("got %s", out.String())
	}
}

// TestExit: an editor that goes away without a word is an error, one that says goodbye is not.
func TestExit(t *testing.T) {
	for _, tt := range []struct{ messages, want string }{
		{`{"jsonrpc":"2.0","id":1,"method":"shutdown"} {"jsonrpc":"2.0","method":"exit"}`, "<nil>"},
		{`{"jsonrpc":"2.0","method":"exit"}`, "exit without shutdown"},
		{``, "the editor has closed the connection"},
	} {
		var in bytes.Buffer
		for _, m := range strings.Split(tt.messages, " ") {
			if m != "" {
				fmt.Fprintf(&in, "Content-Length: %d\r\n\r\n%s", len(m), m)
			}
		}
		err := (&Server{Log: failing{t}}).Serve(&in, io.Discard)
		if got := fmt.Sprint(err); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.messages, got, tt.want)
		}
	}
}

// TestFewestLines: the edits of a new layout make the text that they are for.
func TestFewestLines(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	random := func() []byte {
		b := make([]byte, rng.Intn(9))
		for i := range b {
			b[i] = "ab\n\n"[rng.Intn(4)]
		}
		return b
	}
	for range 20_000 {
		d, want := &document{text: random()}, random()
		got := d
		for _, e := range d.edits(want) {
			got = d.changed(contentChange{Range: &e.Range, Text: e.NewText}, 1)
		}
		if !bytes.Equal(got.text, want) {
			t.Fatalf("from %q to %q: %v makes %q", d.text, want, d.edits(want), got.text)
		}
	}
}
