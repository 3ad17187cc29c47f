package transpile_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

func source(name, text string) transpile.Source {
	return transpile.Source{Name: name, Text: []byte(text)}
}

// TestLater is about the representation of bundles that are loaded at run time (docs/client.md,
// "Loading text"): their definitions stay apart from the others, it is known which bundle needs
// which, the program is valid and its text parses back, before and after the passes.
func TestLater(t *testing.T) {
	p, diags := transpile.Load([]transpile.Source{source("a.uir", `
.typedef @i64 = int<64>
.funcsig @s = (@i64) -> (@i64)
.funcdef @f VERSION %v1 <@s> { %e(<@i64> %x): RET %x }
.funcdef @g VERSION %v1 <@s> { %e(<@i64> %x): %y = CALL <@s> @f (%x) RET %y }
.funcdecl @d <@s>
`)}, transpile.Options{Optimize: 1, Verify: true, Later: []transpile.Source{
		source("x/b.uir", ".global @c <@i64>\n.funcdef @f VERSION %v2 <@s> { %e(<@i64> %x): %y = CALL <@s> @h (%x) RET %y }\n"+
			".funcdef @h VERSION %v1 <@s> { %e(<@i64> %x): RET %x }\n"),
		source("c.uir", ".funcdef @h VERSION %v2 <@s> { %e(<@i64> %x): %i = LOAD <@i64> @c RET %i }\n"+
			".funcdef @d VERSION %v2 <@s> { %e(<@i64> %x): TAILCALL <@s> @h (%x) }\n"),
	}})
	if p == nil {
		t.Fatal(diags.Err())
	}
	if len(diags.All()) != 0 {
		t.Errorf("diagnostics: %v", diags.Err())
	}
	check := func(when string) string {
		if err := verify.Err(verify.Program(p.IR)); err != nil {
			t.Errorf("%s: %v", when, err)
		}
		var a, b bytes.Buffer
		if err := ir.Print(&a, p.IR); err != nil {
			t.Fatal(err)
		}
		q, err := ir.Parse(nil, "text", a.Bytes())
		if err != nil {
			t.Fatalf("%s: %v", when, err)
		}
		if err := verify.Err(verify.Program(q)); err != nil {
			t.Errorf("%s, parsed: %v", when, err)
		}
		if err := ir.Print(&b, q); err != nil {
			t.Fatal(err)
		}
		if a.String() != b.String() {
			t.Errorf("%s: the text changes when it is parsed:\n%s\n%s", when, &a, &b)
		}
		return a.String()
	}
	text := check("loaded")
	later := p.IR.Later
	for _, c := range []struct{ got, want []string }{
		{later[0].Names, []string{"@c", "@h"}}, {later[0].Needs, nil},
		{later[1].Names, []string{"@h"}}, {later[1].Needs, []string{"@c"}},
	} {
		if strings.Join(c.got, " ") != strings.Join(c.want, " ") {
			t.Errorf("got %s, want %s in\n%s", c.got, c.want, text)
		}
	}
	if err := p.Optimized(nil); err != nil {
		t.Fatal(err)
	}
	text = check("optimised")
	g := text[strings.Index(text, "version @g.v1"):]
	if g = g[:strings.Index(g, "}")]; !strings.Contains(g, "unchanged <@s> @f") || !strings.Contains(g, "call.replaced <@s> @f") {
		t.Errorf("the call of a function that can be redefined was inlined without a test:\n%s", g)
	}
}
