package lsp

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/uvm2go/uvm2go/transpile"
)

// A client is an editor. It speaks the protocol with a server over pipes.
type client struct {
	t       *testing.T
	conn    *jsonrpc2.Conn
	dir     string
	diags   chan publishParams
	ended   chan error
	version int
}

// start starts a server for a folder with files in txtar's manner: names and texts in turn.
func start(t *testing.T, opts options, files ...string) *client {
	t.Helper()
	c := &client{t: t, dir: t.TempDir(), diags: make(chan publishParams, 1000), ended: make(chan error, 1)}
	for i := 0; i < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(c.dir, files[i]), []byte(files[i+1]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	s := &Server{Version: "test", Log: failing{t}, Go: func(*transpile.Program) (map[string]string, error) {
		return map[string]string{"@f.v1": "func f() {}\n"}, nil
	}}
	go func() { c.ended <- s.Serve(fromClient, toClient) }()
	c.conn = jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(pipe{fromServer, toServer}, jsonrpc2.VSCodeObjectCodec{}),
		handler(func(_ context.Context, req *jsonrpc2.Request) {
			var p publishParams
			if req.Method == "textDocument/publishDiagnostics" && json.Unmarshal(*req.Params, &p) == nil {
				for len(c.diags) == cap(c.diags) { // nobody waits for so many
					<-c.diags
				}
				c.diags <- p
			}
		}))
	t.Cleanup(func() {
		c.conn.Call(context.Background(), "shutdown", nil, nil)
		c.conn.Notify(context.Background(), "exit", nil)
		if err := <-c.ended; err != nil {
			t.Error(err)
		}
	})
	c.call("initialize", map[string]any{"rootUri": uriOf(c.dir), "initializationOptions": opts}, nil)
	c.notify("initialized", struct{}{})
	return c
}

// failing fails a test for what the server logs.
type failing struct{ t *testing.T }

func (f failing) Write(b []byte) (int, error) {
	f.t.Errorf("the server says: %s", b)
	return len(b), nil
}

func (c *client) uri(file string) string { return uriOf(filepath.Join(c.dir, file)) }

// call makes a request that must succeed.
func (c *client) call(method string, params, result any) {
	c.t.Helper()
	if err := c.try(method, params, result); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

func (c *client) try(method string, params, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return c.conn.Call(ctx, method, params, result)
}

func (c *client) notify(method string, params any) {
	c.t.Helper()
	if err := c.conn.Notify(context.Background(), method, params); err != nil {
		c.t.Fatal(err)
	}
}

// open opens a file of the folder and returns its diagnostics.
func (c *client) open(file string) []diagnostic {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join(c.dir, file))
	if err != nil {
		c.t.Fatal(err)
	}
	c.version++
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": c.uri(file), "languageId": "any", "version": c.version, "text": string(text)}})
	return c.wait(file)
}

// change changes an open file and returns its diagnostics.
func (c *client) change(file string, changes ...contentChange) []diagnostic {
	c.t.Helper()
	c.send(file, changes...)
	return c.wait(file)
}

// send changes an open file.
func (c *client) send(file string, changes ...contentChange) {
	c.t.Helper()
	c.version++
	c.notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": c.uri(file), "version": c.version}, "contentChanges": changes})
}

// wait waits for the diagnostics of the present version of a file.
func (c *client) wait(file string) []diagnostic {
	c.t.Helper()
	late := time.After(time.Minute)
	for {
		select {
		case p := <-c.diags:
			if p.URI == c.uri(file) && p.Version != nil && *p.Version == c.version {
				return p.Diagnostics
			}
		case <-late:
			c.t.Fatalf("no diagnostics of %s", file)
		}
	}
}

// place makes the parameters of a request about the n-th occurrence of a text in a file, after it by some bytes.
func (c *client) place(file, text string, n, after int) map[string]any {
	c.t.Helper()
	b, err := os.ReadFile(filepath.Join(c.dir, file))
	if err != nil {
		c.t.Fatal(err)
	}
	at := 0
	for ; n > 0; n-- {
		i := strings.Index(string(b[at:]), text)
		if i < 0 {
			c.t.Fatalf("%s has no %s", file, text)
		}
		at += i + 1
	}
	d := &document{text: b}
	return map[string]any{"textDocument": textDocument{c.uri(file)}, "position": d.position(at - 1 + after)}
}

// and adds a parameter.
func and(params map[string]any, key string, value any) map[string]any {
	params[key] = value
	return params
}
