package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// A browser is a headless Chromium with one page, driven through the pipes of its DevTools protocol.
type browser struct {
	t       *testing.T
	in      io.Writer
	out     *bufio.Reader
	last    int    // the number of the last command
	session string // of the page
}

// patience is the longest time to wait for a change of the page. It is generous and measures nothing.
const patience = time.Minute

// chromium finds the browser, or skips the test.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			return p
		}
	}
	t.Skip("no chromium on PATH (Debian: chromium)")
	return ""
}

// open starts the browser on a page.
func openBrowser(t *testing.T, url string) *browser {
	t.Helper()
	cmd := exec.Command(chromium(t), "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
		"--remote-debugging-pipe", "--window-size=1400,900", "--user-data-dir="+t.TempDir(), "about:blank")
	commandsRead, commands, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	replies, repliesWrite, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.ExtraFiles = []*os.File{commandsRead, repliesWrite} // 3 and 4
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	commandsRead.Close()
	repliesWrite.Close()
	b := &browser{t: t, in: commands, out: bufio.NewReader(replies)}
	t.Cleanup(func() {
		b.post("", "Browser.close", nil)
		commands.Close()
		if _, err := io.Copy(io.Discard, b.out); err != nil {
			t.Error(err)
		}
		cmd.Wait() // its status does not matter
		replies.Close()
	})
	var target struct{ TargetID string }
	b.call("", "Target.createTarget", map[string]any{"url": url}, &target)
	var session struct{ SessionID string }
	b.call("", "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &session)
	b.session = session.SessionID
	return b
}

// post sends a command, to the browser or to a session.
func (b *browser) post(session, method string, params any) {
	b.last++
	m := map[string]any{"id": b.last, "method": method}
	if params != nil {
		m["params"] = params
	}
	if session != "" {
		m["sessionId"] = session
	}
	text, err := json.Marshal(m)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.in.Write(append(text, 0)); err != nil {
		b.t.Fatal(err)
	}
}

// call sends a command and waits for its result. Events are skipped.
func (b *browser) call(session, method string, params, result any) {
	b.t.Helper()
	b.post(session, method, params)
	for {
		text, err := b.out.ReadBytes(0)
		if err != nil {
			b.t.Fatalf("%s: the browser ended: %v", method, err)
		}
		var m struct {
			ID     int
			Error  *struct{ Message string }
			Result json.RawMessage
		}
		if err := json.Unmarshal(text[:len(text)-1], &m); err != nil {
			b.t.Fatal(err)
		}
		if m.ID != b.last {
			continue
		}
		if m.Error != nil {
			b.t.Fatalf("%s: %s", method, m.Error.Message)
		}
		if result != nil {
			if err := json.Unmarshal(m.Result, result); err != nil {
				b.t.Fatal(err)
			}
		}
		return
	}
}

// eval returns the value of an expression in the page.
func (b *browser) eval(expression string) any {
	b.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	b.call(b.session, "Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}, &r)
	if e := r.ExceptionDetails; e != nil {
		b.t.Fatalf("%s: %s %s", expression, e.Text, e.Exception.Description)
	}
	return r.Result.Value
}

// text returns the text of an element.
func (b *browser) text(id string) string {
	b.t.Helper()
	return fmt.Sprint(b.eval("document.getElementById('" + id + "').textContent"))
}

// wait waits until an expression is true.
func (b *browser) wait(expression string) {
	b.t.Helper()
	for end := time.Now().Add(patience); b.eval("!!("+expression+")") != true; {
		if time.Now().After(end) {
			b.t.Fatalf("%s is not true; the page shows:\n%s", expression, b.eval("document.body?.innerText"))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// click clicks in the middle of the element that a selector finds.
func (b *browser) click(selector string) {
	b.t.Helper()
	at := b.eval(fmt.Sprintf("(() => { const e = document.querySelector(%q); e.scrollIntoView({block: 'nearest'}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()", selector)).([]any)
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		b.call(b.session, "Input.dispatchMouseEvent", map[string]any{"type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1}, nil)
	}
}

// write replaces the text of an element as if the new text were typed there.
func (b *browser) write(id, text string) {
	b.t.Helper()
	b.eval("document.getElementById('" + id + "').focus(); document.getElementById('" + id + "').select()")
	b.call(b.session, "Input.insertText", map[string]any{"text": text}, nil)
}

// choose picks the option of a list that has the given text.
func (b *browser) choose(id, text string) {
	b.t.Helper()
	if b.eval(fmt.Sprintf("(() => { const s = document.getElementById(%q); const o = [...s.options].find((o) => o.textContent === %q); if (!o) return false; s.value = o.value; s.dispatchEvent(new Event('change')); return true; })()", id, text)) != true {
		b.t.Fatalf("%s has no %q", id, text)
	}
}

// checked waits until the page has shown the errors of the current text, and returns them.
func (b *browser) checked() string {
	b.t.Helper()
	b.wait("document.getElementById('diagnostics').dataset.checked === String(checks)")
	return b.text("diagnostics")
}

// run runs the program and returns what the page shows: its output, and how it ended.
func (b *browser) run() (out, outcome string) {
	b.t.Helper()
	b.click("#run")
	b.wait("document.getElementById('stop').disabled")
	return b.text("out"), b.text("outcome")
}

// quoted returns a text as a string of JavaScript.
func quoted(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// ended removes the duration from the message about the end of a run.
func ended(outcome string) string {
	s, _, _ := strings.Cut(outcome, ", ")
	return s
}
