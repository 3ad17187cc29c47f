package lsp

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// large makes a bundle of at least so many lines.
func large(lines int) string {
	var b strings.Builder
	b.WriteString(".typedef @i64 = int<64>\n.const @1 <@i64> = 1\n.funcsig @sig = (@i64) -> (@i64)\n")
	for i := 0; strings.Count(b.String(), "\n") < lines; i++ {
		for n := range 100 {
			fmt.Fprintf(&b, ".funcdef @f%d VERSION %%v1 <@sig> {\n    %%entry(<@i64> %%n):\n", 100*i+n)
			for j := range 6 {
				fmt.Fprintf(&b, "        %%a%d = ADD <@i64> %%n @1\n", j)
			}
			b.WriteString("        RET %a5\n}\n")
		}
	}
	return b.String()
}

// TestLongSizes measures how long the editor waits for diagnostics and answers, for texts of 5,000 lines and
// of 1 MB.
func TestLongSizes(t *testing.T) {
	longtest.Only(t)
	for _, tt := range []struct {
		lines int
		limit time.Duration // of the best of ten
	}{{5_000, 50 * time.Millisecond}, {34_000, 400 * time.Millisecond}} {
		text := large(tt.lines)
		c := start(t, options{}, "a.uir", text)
		if list := c.open("a.uir"); len(list) > 0 {
			t.Fatal(show(list))
		}
		report := func(what string, limit, best time.Duration) {
			t.Logf("%d lines, %d KB: %s %v", strings.Count(text, "\n"), len(text)>>10, what, best.Round(100*time.Microsecond))
			if best > limit {
				t.Errorf("%s took %v, the limit is %v", what, best, limit)
			}
		}
		measure := func(what string, limit time.Duration, do func()) {
			best := time.Hour
			for range 10 {
				begin := time.Now()
				do()
				best = min(best, time.Since(begin))
			}
			report(what, limit, best)
		}
		at := position{8, 30}
		spoil, repair := contentChange{Range: &span{at, at}, Text: "x"}, contentChange{Range: &span{at, position{8, 31}}, Text: ""}
		best := [2]time.Duration{time.Hour, time.Hour}
		for i := range 20 {
			begin := time.Now()
			list := c.change("a.uir", []contentChange{spoil, repair}[i%2])
			best[i%2] = min(best[i%2], time.Since(begin))
			if (len(list) == 0) != (i%2 == 1) {
				t.Fatal(show(list))
			}
		}
		report("diagnostics after an edit with an error", tt.limit, best[0])
		report("diagnostics after an edit without errors", tt.limit, best[1])
		measure("100 edits, and the diagnostics of the last", 10*tt.limit, func() {
			for range 50 {
				c.send("a.uir", contentChange{Range: &span{at, at}, Text: "x"})
				c.send("a.uir", contentChange{Range: &span{at, position{8, 31}}, Text: ""})
			}
			c.wait("a.uir")
		})
		params := map[string]any{"textDocument": textDocument{c.uri("a.uir")}, "position": position{0, 10}}
		var tokens semanticTokens
		const answer = 2 * time.Second // mostly for the JSON of large answers, on both sides
		measure("semantic tokens", answer, func() { c.call("textDocument/semanticTokens/full", params, &tokens) })
		var refs []location
		measure("references", answer, func() { c.call("textDocument/references", params, &refs) })
		var h *hover
		measure("hover", answer, func() { c.call("textDocument/hover", params, &h) })
	}
}
