package main

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// TestLongPage uses the page in a browser as a user does: from a file, without a server.
func TestLongPage(t *testing.T) {
	longtest.Only(t)
	chromium(t) // before the page is built
	dir := t.TempDir()
	if err := write(dir); err != nil {
		t.Fatal(err)
	}
	b := openBrowser(t, "file://"+filepath.ToSlash(filepath.Join(dir, "index.html")))
	b.wait("typeof compiler !== 'undefined' && compiler.ready")
	defer b.shots(t, "end")

	t.Run("examples", func(t *testing.T) {
		for _, e := range []struct{ group, name, ending string }{
			{"", "recursion", ".uir"}, {"", "gcbench", ".uir"}, {"", "pool", ".uir"}, {"", "generator", ".uir"},
			{"uvm2014", "loops", ".uir"}, {"uvm2014", "redefine", ".uir"}, {"ial", "hello", ".ial"}, {"ial", "lists", ".ial"}, {"tvm", "shapes", ".tvm"},
		} {
			b.at(t)
			b.chooseExample(map[string]string{"": "Mu", "uvm2014": "µVM 2014", "ial": "IAL", "tvm": "TVM"}[e.group], e.name)
			if got := b.checked(); got != "no errors" {
				t.Errorf("%s/%s: %s", e.group, e.name, got)
			}
			out, outcome := b.run()
			want, err := os.ReadFile(filepath.Join("..", e.group, e.name, "want.txt"))
			if err != nil {
				t.Fatal(err)
			}
			got := out
			if e.group != "" { // there the last line is the status
				got += strings.Replace(ended(outcome), "exit status", "exit", 1) + "\n"
			} else if ended(outcome) != "exit status 0" {
				t.Errorf("%s: %s", e.name, outcome)
			}
			if !sameOutput(got, string(want)) {
				t.Errorf("%s/%s shows\n%s%s\nwant\n%s", e.group, e.name, out, outcome, want)
			}
		}
	})

	t.Run("typing", func(t *testing.T) {
		b.at(t)
		b.chooseExample("Mu", "sort")
		b.checked()
		b.write("text", ".typedef @i64 = int<64>\n.typedef @i64 = int<32>\n")
		if got := b.checked(); !strings.Contains(got, "sort.uir:2:10: @i64 redefined") || !strings.Contains(got, "sort.uir:1:10") {
			t.Errorf("a type defined twice: %q", got)
		}
		if b.eval(`document.querySelector("#gutter .error").textContent`) != "2" {
			t.Errorf("the line is not marked: %v", b.eval(`document.getElementById("gutter").innerHTML`))
		}
		b.click("#diagnostics button")
		if at := b.eval(`document.getElementById("text").selectionStart`); at != float64(len(".typedef @i64 = int<64>\n.typedef ")) {
			t.Errorf("the message leads to %v", at)
		}
		b.write("text", ".typedef @i64 = int<64>\n")
		if got := b.checked(); got != "no errors" {
			t.Errorf("after the correction: %q", got)
		}
	})

	t.Run("passes and Go", func(t *testing.T) {
		b.at(t)
		b.write("text", gcd)
		b.checked()
		b.click(`[data-view=ir]`)
		b.wait(`document.querySelectorAll("#steps button").length > 1`)
		if got := b.text("steps"); !strings.Contains(got, "as read") || !strings.Contains(got, "after tails") {
			t.Errorf("steps: %s", got)
		}
		b.eval(`[...document.querySelectorAll("#steps button")].find((x) => x.textContent.startsWith("after tails")).click()`)
		if got := b.text("body"); strings.Contains(got, "tailcall") {
			t.Errorf("the tail call is no jump after tails:\n%s", got)
		}
		if b.eval(`document.querySelectorAll("#body .fresh").length > 0`) != true {
			t.Error("no line is marked as new")
		}
		b.eval(`document.querySelector("#steps button").click()`)
		if got := b.text("body"); !strings.Contains(got, "tailcall") {
			t.Errorf("as read:\n%s", got)
		}
		b.click(`[data-view=go]`)
		b.wait(`document.getElementById("gotext").textContent.includes("func gcd(")`)
		b.choose("level", "-O0")
		b.wait(`document.getElementById("go").dataset.filled === String(checks)`)
		b.click(`[data-view=output]`)
		b.choose("level", "-O1")
	})

	t.Run("call", func(t *testing.T) {
		b.at(t)
		b.write("call", "@gcd(1071, 462)")
		if out, outcome := b.run(); out != "21\n" || ended(outcome) != "exit status 0" {
			t.Errorf("%q, %s", out, outcome)
		}
		b.write("call", "gcd(1)")
		if out, outcome := b.run(); !strings.Contains(out, "call: ") || ended(outcome) != "exit status 1" {
			t.Errorf("a missing argument: %q, %s", out, outcome)
		}
	})

	t.Run("errors", func(t *testing.T) {
		b.at(t)
		b.write("call", "@zero(5)")
		out, outcome := b.run()
		if !regexp.MustCompile(`(?s)^uvm: run-time error: DIV_BY_ZERO at @zero.*sort\.uir:\d+.*@zero \(sort\.uir:\d+\)`).MatchString(out) || ended(outcome) != "exit status 4" {
			t.Errorf("%q, %s", out, outcome)
		}
		if b.eval(`document.querySelectorAll("#out .stderr button").length > 0`) != true {
			t.Error("the trace does not lead to its lines")
		}
		b.write("call", "@thrown()")
		out, outcome = b.run()
		if !strings.HasPrefix(out, "uvm: uncaught exception in thread 1") || ended(outcome) != "exit status 3" {
			t.Errorf("%q, %s", out, outcome)
		}
		b.write("call", "@deep(0)")
		out, outcome = b.run()
		if !strings.Contains(out, "STACK_OVERFLOW") || ended(outcome) != "exit status 4" {
			t.Errorf("%q, %s", out, outcome)
		}
		b.choose("trap", "abort")
		b.write("call", "@trap()")
		out, outcome = b.run()
		if !strings.Contains(out, "@trap.v1.e.t") || ended(outcome) != "exit status 4" {
			t.Errorf("%q, %s", out, outcome)
		}
		b.choose("trap", "print")
	})

	t.Run("stop", func(t *testing.T) {
		b.at(t)
		b.write("call", "@forever()")
		b.click("#run")
		b.wait(`document.getElementById("out").textContent.includes("begin")`)
		b.click("#stop")
		if got := b.text("outcome"); got != "stopped" {
			t.Errorf("after Stop: %s", got)
		}
		b.write("call", "@gcd(12, 18)")
		if out, outcome := b.run(); out != "6\n" || ended(outcome) != "exit status 0" {
			t.Errorf("after a stopped run: %q, %s", out, outcome)
		}
	})

	t.Run("input", func(t *testing.T) {
		b.at(t)
		b.write("stdin", "Aé\n")
		b.write("call", "@first()")
		if out, outcome := b.run(); out != "65\n" || ended(outcome) != "exit status 0" {
			t.Errorf("%q, %s", out, outcome)
		}
	})

	t.Run("litmus tests", func(t *testing.T) { litmusTestsOnPage(t, b) })
}

// gcd has what the tests call: a loop as a tail call, and programs that end in all ways.
const gcd = `.typedef @i64 = int<64>
.typedef @i32 = int<32>
.typedef @i8 = int<8>
.typedef @void = void
.typedef @obj = ref<@void>
.const @0 <@i64> = 0
.const @1 <@i64> = 1
.const @nil <@obj> = NULL
.funcsig @two = (@i64 @i64) -> (@i64)
.funcsig @one = (@i64) -> (@i64)
.funcsig @none = () -> ()
.funcdef @gcd VERSION %v1 <@two> {
    %entry(<@i64> %a <@i64> %b):
        %r = SREM <@i64> %a %b EXC(%again(%b %r) %done(%a))
    %again(<@i64> %b <@i64> %r):
        TAILCALL <@two> @gcd (%b %r)
    %done(<@i64> %a):
        RET %a
}
.funcdef @zero VERSION %v1 <@one> {
    %e(<@i64> %a):
        %r = SDIV <@i64> %a @0
        RET %r
}
.funcdef @deep VERSION %v1 <@one> {
    %e(<@i64> %a):
        %b = CALL <@one> @deep (%a)
        %c = ADD <@i64> %a %b
        RET %c
}
.funcdef @thrown VERSION %v1 <@none> {
    %e():
        THROW @nil
}
.funcdef @trap VERSION %v1 <@none> {
    %e():
        [%t] TRAP <>
        RET ()
}
.funcdef @forever VERSION %v1 <@none> {
    %e():
        BRANCH %again()
    %again():
        [@begin] TRAP <>
        BRANCH %again()
}
.typedef @up = uptr<@void>
.typedef @sz = int<64>
.funcsig @readsig = (@i32 @up @sz) -> (@sz)
.typedef @readfp = ufuncptr<@readsig>
.const @read <@readfp> = EXTERN "read"
.const @in <@i32> = 0
.funcsig @get = () -> (@i64)
.typedef @cell = iref<@i8>
.funcdef @first VERSION %v1 <@get> {
    %e():
        %c = ALLOCA <@i8>
        %p8 = COMMINST @uvm.native.pin <@cell> (%c)
        %p = PTRCAST <@up8 @up> %p8
        %n = CCALL #DEFAULT <@readfp @readsig> @read (@in %p @1)
        %v = LOAD <@i8> %c
        %w = ZEXT <@i8 @i64> %v
        RET %w
}
.typedef @up8 = uptr<@i8>
`

// sameOutput compares outputs except for parts that the page cannot show: bytes that are not text.
func sameOutput(a, b string) bool {
	return strings.ToValidUTF8(a, "\uFFFD") == strings.ToValidUTF8(b, "\uFFFD")
}

// at adds the name of a part of the test to failures.
func (b *browser) at(t *testing.T) { b.t = t }

// chooseExample picks an example of a group.
func (b *browser) chooseExample(group, name string) {
	b.t.Helper()
	ok := b.eval(`((g, n) => { const o = [...document.querySelectorAll("#example option")].find((o) => o.parentNode.label === g && o.textContent === n);
		if (!o) return false; o.parentNode.parentNode.value = o.value; o.parentNode.parentNode.dispatchEvent(new Event("change")); return true; })(` + quoted(group) + "," + quoted(name) + ")")
	if ok != true {
		b.t.Fatalf("no example %s of %s", name, group)
	}
}

// shot writes a picture of the page.
func (b *browser) shot(t *testing.T, file string) {
	var r struct{ Data string }
	b.call(b.session, "Page.captureScreenshot", nil, &r)
	data, err := base64.StdEncoding.DecodeString(r.Data)
	if err == nil {
		err = os.WriteFile(file, data, 0o666)
	}
	if err != nil {
		t.Error(err)
	}
}
