package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
)

// TestLSP: the command serves an editor on its streams, and shows the Go of a function.
func TestLSP(t *testing.T) {
	const bundle = ".typedef @i64 = int<64>\n.funcsig @sig = (@i64) -> (@i64)\n" +
		".funcdef @twice VERSION %v1 <@sig> {\n    %entry(<@i64> %n):\n        %r = ADD <@i64> %n %n\n        RET %r\n}\n"
	in, toCommand := io.Pipe()
	fromCommand, out := io.Pipe()
	var errs strings.Builder
	status := make(chan int)
	go func() { status <- Main([]string{"lsp", "-stdio"}, in, out, &errs) }()
	answers := bufio.NewReader(fromCommand)
	send := func(id int, method string, params any) {
		m := map[string]any{"jsonrpc": "2.0", "method": method, "params": params}
		if id > 0 {
			m["id"] = id
		}
		b, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(toCommand, "Content-Length: %d\r\n\r\n%s", len(b), b)
	}
	answer := func(id int, result any) {
		for {
			var n int
			if _, err := fmt.Fscanf(answers, "Content-Length: %d\r\n", &n); err != nil {
				t.Fatal(err)
			}
			for line := ""; line != "\r\n"; {
				line, _ = answers.ReadString('\n')
			}
			b := make([]byte, n)
			if _, err := io.ReadFull(answers, b); err != nil {
				t.Fatal(err)
			}
			m := struct {
				ID     int
				Result any
			}{Result: result}
			if err := json.Unmarshal(b, &m); err != nil {
				t.Fatalf("%v: %s", err, b)
			}
			if m.ID == id {
				return
			}
		}
	}
	var hello struct{ ServerInfo struct{ Name string } }
	send(1, "initialize", map[string]any{})
	answer(1, &hello)
	if hello.ServerInfo.Name != "uvm2go" {
		t.Errorf("got %+v", hello)
	}
	const uri = "untitled:one"
	send(0, "textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "mu", "version": 1, "text": bundle}})
	send(2, "workspace/executeCommand", map[string]any{"command": "uvm2go.showGo", "arguments": []string{uri, "@twice"}})
	var shown struct{ Title, Text string }
	answer(2, &shown)
	if shown.Title != "@twice as Go" || !strings.Contains(shown.Text, "return n + n") {
		t.Errorf("got %+v", shown)
	}
	send(3, "shutdown", nil)
	answer(3, &hello)
	send(0, "exit", nil)
	if got := <-status; got != statusOK || errs.Len() > 0 {
		t.Errorf("status %d, errors %s", got, errs.String())
	}
	if got := Main([]string{"lsp"}, strings.NewReader(""), io.Discard, &errs); got != statusUsage || errs.String() != "uvm2go: lsp: the editor has closed the connection\n" {
		t.Errorf("status %d, errors %s", got, errs.String())
	}
}
