// Package lsp is the language server behind uvm2go lsp: it speaks the Language Server Protocol with an
// editor (docs/editors.md).
//
// It knows no dialect. Errors come from the readers, as check reports them; names, outlines and words from
// package lang.
//
// Messages are handled in their order. A change of a text makes a new document, and with it a new state of
// all documents. A request is answered by a goroutine of its own from the state in which it came; the editor
// may cancel it. Another goroutine checks the texts that have changed, one after the other, and drops the
// result if the text has changed again: so at most one check runs that nobody waits for any more.
package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime/debug"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/uvm2go/uvm2go/transpile"
)

// A Server is the server for one editor.
type Server struct {
	Version string
	Log     io.Writer // for failures of the server itself
	// Go makes the Go functions of a program, by the names of versions.
	Go func(*transpile.Program) (map[string]string, error)

	files files
	conn  *jsonrpc2.Conn
	utf8  bool // columns count bytes
	opts  options

	mu       sync.Mutex
	docs     map[string]*document          // the open texts by URI; replaced, never changed
	cancels  map[string]context.CancelFunc // of requests that run, by ID
	waiting  []string                      // URIs of texts to be checked
	wake     chan struct{}                 // tells the checker about waiting
	checked  map[string]*result            // the last results by URI
	shutdown bool
	exited   bool
	exit     chan struct{} // closed when exited is set
}

// Serve answers an editor until it says exit or goes away. It returns an error if the editor did not say
// goodbye properly.
func (s *Server) Serve(in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	s.docs, s.cancels, s.checked = map[string]*document{}, map[string]context.CancelFunc{}, map[string]*result{}
	s.wake, s.exit = make(chan struct{}, 1), make(chan struct{})
	ready := make(chan struct{})
	s.conn = jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(pipe{in, out}, jsonrpc2.VSCodeObjectCodec{}), handler(func(ctx context.Context, req *jsonrpc2.Request) {
		<-ready
		s.handle(ctx, req)
	}))
	close(ready)
	go s.checker(ctx)
	select {
	case <-s.conn.DisconnectNotify():
	case <-s.exit:
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.shutdown:
		return nil
	case s.exited:
		return errors.New("exit without shutdown")
	}
	return errors.New("the editor has closed the connection")
}

// A pipe joins the two directions of a connection.
type pipe struct {
	io.Reader
	io.Writer
}

// Close does nothing: the streams belong to the caller.
func (pipe) Close() error { return nil }

type handler func(ctx context.Context, req *jsonrpc2.Request)

// Handle handles a message before the next is read.
func (h handler) Handle(ctx context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) { h(ctx, req) }

// A state is what a request, or a check, sees. One goroutine uses it.
type state struct {
	*Server
	docs     map[string]*document
	ctx      context.Context
	arounds  map[*document][]*document // found by around
	programs map[*document][]*document // found by program
}

// state returns the present state. The caller holds mu.
func (s *Server) state(ctx context.Context) *state {
	return &state{s, s.docs, ctx, map[*document][]*document{}, map[*document][]*document{}}
}

// requests are the requests that are answered from a state. A nil result is null.
var requests = map[string]func(st *state, params json.RawMessage) (any, error){
	"textDocument/formatting":           with((*state).formatting),
	"textDocument/documentSymbol":       with((*state).symbols),
	"textDocument/foldingRange":         with((*state).folds),
	"textDocument/definition":           with((*state).definition),
	"textDocument/declaration":          with((*state).definition),
	"textDocument/references":           with((*state).references),
	"textDocument/documentHighlight":    with((*state).highlights),
	"textDocument/hover":                with((*state).hover),
	"textDocument/prepareRename":        with((*state).prepareRename),
	"textDocument/rename":               with((*state).rename),
	"textDocument/completion":           with((*state).completion),
	"textDocument/signatureHelp":        with((*state).signatureHelp),
	"textDocument/semanticTokens/full":  with((*state).semanticTokens),
	"textDocument/semanticTokens/range": with((*state).semanticTokens),
	"textDocument/codeAction":           with((*state).codeActions),
	"textDocument/codeLens":             with((*state).codeLenses),
	"workspace/symbol":                  with((*state).workspaceSymbols),
	"workspace/executeCommand":          with((*state).execute),
}

// with reads the parameters of a request.
func with[P, R any](answer func(*state, P) (R, error)) func(*state, json.RawMessage) (any, error) {
	return func(st *state, params json.RawMessage) (any, error) {
		var p P
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
		}
		return answer(st, p)
	}
}

// The codes of errors that the protocol adds.
const (
	codeCancelled = -32800
	codeFailed    = -32803
)

// failed is an error that the editor shows.
func failed(format string, args ...any) error {
	return &jsonrpc2.Error{Code: codeFailed, Message: fmt.Sprintf(format, args...)}
}

// handle handles a message.
func (s *Server) handle(ctx context.Context, req *jsonrpc2.Request) {
	var params json.RawMessage
	if req.Params != nil {
		params = *req.Params
	}
	if req.Notif {
		s.notified(req.Method, params)
		return
	}
	if answer := requests[req.Method]; answer != nil {
		s.mu.Lock()
		ctx, cancel := context.WithCancel(ctx)
		s.cancels[req.ID.String()] = cancel
		st := s.state(ctx)
		s.mu.Unlock()
		go func() {
			defer cancel()
			s.answer(st, req, params, answer)
			s.mu.Lock()
			delete(s.cancels, req.ID.String())
			s.mu.Unlock()
		}()
		return
	}
	switch req.Method {
	case "initialize":
		s.conn.Reply(ctx, req.ID, s.initialize(params))
	case "shutdown":
		s.mu.Lock()
		s.shutdown = true
		s.mu.Unlock()
		s.conn.Reply(ctx, req.ID, nil)
	default:
		s.conn.ReplyWithError(ctx, req.ID, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "no method " + req.Method})
	}
}

// answer answers a request. A panic is reported and does not end the server, with which the editor would lose
// all other answers.
func (s *Server) answer(st *state, req *jsonrpc2.Request, params json.RawMessage, answer func(*state, json.RawMessage) (any, error)) {
	var result any
	err := s.guard(req.Method, func() (err error) {
		result, err = answer(st, params)
		return err
	})
	if st.ctx.Err() != nil {
		err = &jsonrpc2.Error{Code: codeCancelled, Message: "cancelled"}
	}
	if err == nil {
		s.conn.Reply(context.Background(), req.ID, result)
		return
	}
	var e *jsonrpc2.Error
	if !errors.As(err, &e) {
		e = &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: err.Error()}
	}
	s.conn.ReplyWithError(context.Background(), req.ID, e)
}

// guard runs a function and turns a panic into an error.
func (s *Server) guard(what string, run func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(s.Log, "uvm2go: internal error: %s: %v\n%s", what, r, debug.Stack())
			err = fmt.Errorf("internal error: %v", r)
		}
	}()
	return run()
}

// notified handles a notification. Those with bad parameters, and unknown ones, are ignored: nobody waits for
// an answer.
func (s *Server) notified(method string, params json.RawMessage) {
	switch method {
	case "textDocument/didOpen":
		var p didOpenParams
		if json.Unmarshal(params, &p) != nil {
			return
		}
		t := p.TextDocument
		s.replace(t.URI, &document{uri: t.URI, path: pathOf(t.URI), version: t.Version, open: true, id: t.LanguageID, text: []byte(t.Text), utf8: s.utf8, unit: s.files.module[pathOf(t.URI)]})
	case "textDocument/didChange":
		var p didChangeParams
		if json.Unmarshal(params, &p) != nil {
			return
		}
		s.mu.Lock()
		d := s.docs[p.TextDocument.URI]
		s.mu.Unlock()
		if d == nil {
			return
		}
		for _, c := range p.ContentChanges {
			d = d.changed(c, p.TextDocument.Version)
		}
		s.replace(d.uri, d)
	case "textDocument/didClose":
		var p struct {
			TextDocument textDocument `json:"textDocument"`
		}
		if json.Unmarshal(params, &p) == nil {
			s.replace(p.TextDocument.URI, nil)
		}
	case "textDocument/didSave", "workspace/didChangeWatchedFiles":
		s.mu.Lock()
		for uri := range s.docs {
			s.ask(uri, false)
		}
		s.mu.Unlock()
	case "$/cancelRequest":
		var p struct {
			ID jsonrpc2.ID `json:"id"`
		}
		if json.Unmarshal(params, &p) != nil {
			return
		}
		s.mu.Lock()
		if cancel := s.cancels[p.ID.String()]; cancel != nil {
			cancel()
		}
		s.mu.Unlock()
	case "exit":
		s.mu.Lock()
		defer s.mu.Unlock()
		if !s.exited {
			s.exited = true
			close(s.exit)
		}
	}
}

// replace makes a document the text of its URI, or closes the text if it is nil. All texts that may be in the
// same program are checked again.
func (s *Server) replace(uri string, d *document) {
	s.mu.Lock()
	defer s.mu.Unlock()
	docs := maps.Clone(s.docs)
	if d != nil {
		docs[uri] = d
		s.ask(uri, true)
	} else {
		delete(docs, uri)
		delete(s.checked, uri)
		s.conn.Notify(context.Background(), "textDocument/publishDiagnostics", publishParams{URI: uri, Diagnostics: []diagnostic{}})
	}
	s.docs = docs
	for other := range docs {
		if other != uri && sameFolder(pathOf(other), pathOf(uri)) || s.opts.Programs != nil {
			s.ask(other, false)
		}
	}
}

// initialize answers the first request.
func (s *Server) initialize(params json.RawMessage) any {
	var p initializeParams
	json.Unmarshal(params, &p) // an editor that sends less gets the defaults
	encoding := "utf-16"
	for _, e := range p.Capabilities.General.PositionEncodings {
		if e == "utf-8" {
			encoding, s.utf8 = e, true
		}
	}
	root := p.RootURI
	if len(p.WorkspaceFolders) > 0 {
		root = p.WorkspaceFolders[0].URI
	}
	s.opts = p.InitializationOptions
	s.files.listed(pathOf(root), s.opts.Programs)
	return map[string]any{
		"serverInfo": map[string]string{"name": "uvm2go", "version": s.Version},
		"capabilities": map[string]any{
			"positionEncoding":           encoding,
			"textDocumentSync":           map[string]any{"openClose": true, "change": 2, "save": true},
			"documentFormattingProvider": true,
			"documentSymbolProvider":     true,
			"workspaceSymbolProvider":    true,
			"foldingRangeProvider":       true,
			"definitionProvider":         true,
			"declarationProvider":        true,
			"referencesProvider":         true,
			"documentHighlightProvider":  true,
			"hoverProvider":              true,
			"renameProvider":             map[string]bool{"prepareProvider": true},
			"completionProvider":         map[string]any{"triggerCharacters": triggers()},
			"signatureHelpProvider":      map[string]any{"triggerCharacters": []string{" ", "("}},
			"semanticTokensProvider":     map[string]any{"legend": legend(), "full": true, "range": true},
			"codeActionProvider":         map[string]any{"codeActionKinds": []string{"quickfix"}},
			"codeLensProvider":           map[string]any{},
			"executeCommandProvider":     map[string]any{"commands": []string{showGo, showIR}},
		},
	}
}
