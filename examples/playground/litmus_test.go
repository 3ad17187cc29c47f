package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// litmusTestsOnPage judges litmus tests on the page: chosen, typed in both forms, wrong ones, one without end, one of a link.
func litmusTestsOnPage(t *testing.T, b *browser) {
	b.at(t)
	defer b.dark(false)
	b.chooseExample("Litmus tests", "SB+rel+acq")
	b.judged()
	if head := b.text("verdict"); !strings.HasPrefix(head, "Sometimesas expected") {
		t.Errorf("SB: %s", head)
	}
	if b.eval(`getComputedStyle(document.getElementById("run")).display`) != "none" || b.eval(`document.querySelector("#verdict svg").getBoundingClientRect().width > 200`) != true {
		t.Error("SB: a button to run a test, or no picture")
	}
	if n := b.eval(`document.querySelectorAll("#verdict li.asked").length`); n != 1.0 {
		t.Errorf("SB: %v states asked for", n)
	}

	b.chooseExample("Litmus tests", "handover in C")
	b.judged()
	b.shots(t, "never")
	if head := b.text("verdict"); !strings.HasPrefix(head, "Neveras expected") || !strings.Contains(head, "forbidden by ") {
		t.Errorf("C: %s", head)
	}
	if b.eval(`document.querySelectorAll("#verdict path.cycle").length > 2`) != true {
		t.Error("C: the picture shows no cycle")
	}
	text := b.eval(`document.getElementById("text").value`).(string)
	b.write("text", strings.Replace(text, "memory_order_acquire", "memory_order_relaxed", 1))
	b.judged()
	b.shots(t, "race")
	if head := b.text("verdict"); !strings.HasPrefix(head, "UBbut Never is expected: data race on data: ") {
		t.Errorf("C, relaxed: %s", head)
	}
	b.click("#verdict h2 button:last-of-type") // the second position of the race
	if got := b.eval(`document.getElementById("text").value.slice(document.getElementById("text").selectionStart).trim().split("\n")[0]`); got != "int r1 = *data;" && got != "*data = 1;" {
		t.Errorf("the position of the race leads to %q", got)
	}

	b.write("text", "litmus two\nP0: st.rlx x 1; r0 = ld.rlx y\nP1: st.rlx y 1; r1 = ld.rlx x\nask r0=0 r1=0 | r0=2 | x=1\n")
	b.judged()
	if got := b.eval(`[...document.querySelectorAll("#verdict ul")][0].innerText`); got != "r0=0 r1=0: Sometimes\nr0=2: Never\nx=1: Always" {
		t.Errorf("cases: %q", got)
	}
	b.write("text", "litmus LB\nP0: r0 = ld.rlx x; st.rlx y r0\nP1: r1 = ld.rlx y; st.rlx x r1\nask r0=1\n")
	b.judged()
	if head := b.text("verdict"); !strings.HasPrefix(head, "Never") {
		t.Errorf("LB: %s", head)
	}

	b.write("text", "litmus wrong\nP0: st.rlx x 1; bad\nask x=1\n")
	if got := b.checked(); !strings.Contains(got, "handover in C.litmus:2:17: ") || b.eval(`document.querySelector("#gutter .error").textContent`) != "2" {
		t.Errorf("errors: %q", got)
	}
	if got := b.text("verdict"); got != "no verdict: the test has errors" {
		t.Errorf("wrong test: %s", got)
	}

	// A search without end: Stop ends it, and so does another text.
	b.write("text", endless)
	b.wait(`document.getElementById("status").textContent === "searching"`)
	b.click("#stop")
	b.judged()
	if got := b.text("verdict"); got != "stopped: there is no verdict" {
		t.Errorf("after Stop: %s", got)
	}
	b.write("text", endless+"\n")
	b.wait(`document.getElementById("status").textContent === "searching"`)
	b.write("text", "litmus short\nP0: st.rlx x 1\nask x=1\n")
	b.judged()
	if head := b.text("verdict"); !strings.HasPrefix(head, "Always") {
		t.Errorf("after a search that was given up: %s", head)
	}

	b.click("#link")
	address := b.eval("location.href").(string)
	for _, url := range []string{"about:blank", address} { // from one page to another, so that the page is loaded again
		b.call(b.session, "Page.navigate", map[string]any{"url": url}, nil)
	}
	b.wait("document.readyState === 'complete' && typeof compiler !== 'undefined' && compiler.ready")
	b.judged()
	if got := b.eval(`document.getElementById("text").value`); got != "litmus short\nP0: st.rlx x 1\nask x=1\n" || !strings.HasPrefix(b.text("verdict"), "Always") {
		t.Errorf("%s leads to %q", address, got)
	}
	b.chooseExample("Mu", "recursion")
	b.checked()
	if out, outcome := b.run(); ended(outcome) != "exit status 0" || b.eval(`document.getElementById("verdict").hidden`) != true {
		t.Errorf("a program after a test: %q, %s", out, outcome)
	}
}

// endless is a test with more executions than the page has time for.
var endless = func() string {
	var s strings.Builder
	s.WriteString("litmus endless\n")
	for p := range 4 {
		fmt.Fprintf(&s, "P%d:", p)
		for i := range 5 {
			fmt.Fprintf(&s, " st.rlx x %d; r%d%d = ld.rlx x;", i+5*p+1, p, i)
		}
		s.WriteString("\n")
	}
	return s.String() + "ask r00=99\n"
}()

// judged waits until the page has shown the verdict on the current text.
func (b *browser) judged() {
	b.t.Helper()
	b.wait("document.getElementById('verdict').dataset.judged === String(checks)")
}

// dark switches between the colours of the page.
func (b *browser) dark(on bool) {
	value := "light"
	if on {
		value = "dark"
	}
	b.call(b.session, "Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": value}}}, nil)
}

// shots writes pictures of the page in both colours to the folder PLAYGROUND_SHOTS, if it is set, to look at them.
func (b *browser) shots(t *testing.T, name string) {
	dir := os.Getenv("PLAYGROUND_SHOTS")
	if dir == "" {
		return
	}
	for colour, on := range map[string]bool{"light": false, "dark": true} {
		b.dark(on)
		b.shot(t, filepath.Join(dir, name+"-"+colour+".png"))
	}
}
