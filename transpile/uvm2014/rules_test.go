package uvm2014_test

import (
	"os"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/uvm2014"
)

// ruleHead stands in front of the cases in testdata/rules.txt.
const ruleHead = `.typedef @i = int<64>
.typedef @i32 = int<32>
.typedef @d = double
.typedef @s = struct<@i @d>
.typedef @h = hybrid<@i @i32>
.typedef @a = array<@i 4>
.funcsig @v = void ()
.funcsig @f1 = @i (@i)
.global @g <@i>
.global @gw <weakref<@i>>
.const @c5 <@i> = 5
.funcdecl @ext <@f1>
`

// TestRules goes over the rules of the dialect, a line each in testdata/rules.txt: an E
// breaks one rule and gives one error, a W one warning, which is an error if strict, WW two
// of them, and what is ok gives nothing. {...} is the body of a function @f <@i (@i)> (%x).
//
// What is accepted in text is so in binary, and goes there and back, but for forms that
// have no binary one.
func TestRules(t *testing.T) {
	text, err := os.ReadFile("testdata/rules.txt")
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for line := range strings.Lines(string(text)) {
		if line[0] == '#' {
			continue
		}
		want, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		name, code, ok := strings.Cut(strings.TrimSpace(rest), ": ")
		if !ok {
			t.Fatalf("bad line %s", line)
		}
		if code[0] == '{' {
			code = ".funcdef @f <@i (@i)> (%x) " + code
		}
		cases++
		t.Run(name, func(t *testing.T) { rule(t, want, ruleHead+code) })
	}
	if cases < 300 {
		t.Errorf("%d rules", cases)
	}
}

func rule(t *testing.T, want, code string) {
	p, msgs := load(false, code)
	lines := strings.Count("\n"+msgs, "\na.uir:")
	warnings := strings.Count(msgs, ": warning: ")
	if want == "E" {
		if p != nil || lines-warnings != 1 {
			t.Errorf("want one error:\n%s", msgs)
		}
		return
	}
	if p == nil || warnings != strings.Count(want, "W") {
		t.Fatalf("want %d warnings:\n%s", strings.Count(want, "W"), msgs)
	}
	if q, msgs := load(true, code); (q == nil) != (warnings > 0) || strings.Contains(msgs, "warning") {
		t.Errorf("strict:\n%s", msgs)
	}
	out, diags := uvm2014.Dialect.Form("uirb").Convert(dialect.Source{Name: "a", Text: []byte(code)}, dialect.Options{})
	if diags.HasErrors() {
		if want == "ok" || !strings.Contains(printed(diags), "binary form") && !strings.Contains(printed(diags), "has no ID") {
			t.Errorf("to binary: %s", printed(diags))
		}
		return
	}
	if p, msgs := load(false, string(out)); p == nil {
		t.Errorf("in binary: %s", msgs)
	}
	roundTrip(t, []byte(code))
}

func printed(diags *diag.List) string {
	var b strings.Builder
	diags.Print(&b)
	return b.String()
}
