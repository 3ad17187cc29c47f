package mutate

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/cmd/internal/corpus"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/transpile"
)

// TestAccepted translates some mutants.
func TestAccepted(t *testing.T) { accepted(t, nil, 40) }

// TestLongAccepted translates more mutants, and compiles them.
func TestLongAccepted(t *testing.T) {
	longtest.Only(t)
	c, err := NewCompiler(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	accepted(t, c, 1000)
}

func accepted(t *testing.T, c *Compiler, n int) {
	bundles, err := corpus.Bundles("../../..")
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	res, err := Run(Config{Source: NewSource(bundles), Compiler: c, Seed: 7, Count: n, Log: &log})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Faults) > 0 || res.Mutants < n/2 || c != nil && res.Compiled != res.Mutants {
		t.Errorf("%d mutants, %d compiled\n%s", res.Mutants, res.Compiled, log.String())
	}
}

// TestFaults checks that code which the Go compiler refuses is a fault, and that faults with similar texts have the same class.
func TestFaults(t *testing.T) {
	a := &Fault{Kind: Uncompiled, Text: "prog.uir:20:3: cannot use x_2 (value of type uint64)"}
	b := &Fault{Kind: Uncompiled, Text: "a/b.uir:7:31: cannot use y_4 (value of type uint8)"}
	if a.class() != b.class() {
		t.Errorf("%q and %q", a.class(), b.class())
	}
	c := &Fault{Kind: Uncompiled, Text: "prog.uir:20:3: undefined: x_2"}
	if a.class() == c.class() {
		t.Errorf("%q twice", a.class())
	}
	if f := guarded(func() *Fault { panic("x") }); f == nil || f.Kind != Panicked {
		t.Errorf("a panic is %v", f)
	}
	refused := corpus.Bundle{Sources: []transpile.Source{{Name: "a.uir", Text: []byte(".global @g <@t>")}}}
	if _, f := read(refused, transpile.Options{}); f == nil || f.Kind != Refused {
		t.Errorf("a bundle with an error is %v", f)
	}
}

// TestSame checks that a mutant depends only on its seed and number.
func TestSame(t *testing.T) {
	text := []byte(".typedef @i64 = int<64>\n.const @c <@i64> = 7\n.global @g <@i64>\n.funcsig @s = (@i64) -> (@i64)\n" +
		".funcdef @f VERSION %v <@s> { %e(<@i64> %x): %y = ADD <@i64> %x @c RET %y }\n")
	s := NewSource([]corpus.Bundle{{Name: "x", Sources: []transpile.Source{{Name: "a.uir", Text: text}}}})
	for n := range 5 {
		a, _ := s.Make(3, n)
		b, _ := s.Make(3, n)
		if a == nil || b == nil || a.String() != b.String() || !bytes.Equal(a.Bundle.Sources[0].Text, b.Bundle.Sources[0].Text) {
			t.Fatalf("mutant %d: %v and %v", n, a, b)
		}
		if bytes.Equal(a.Bundle.Sources[0].Text, text) {
			t.Errorf("%v changes nothing", a)
		}
	}
}

// TestSplit checks that the tokens of a text, joined, are the text.
func TestSplit(t *testing.T) {
	text := "a = b<@x 5.0d> // c\n'q' \"s\" \x00\xff(%y){-1}\n"
	if got := string(bytes.Join(split([]byte(text)), nil)); got != text {
		t.Errorf("got %q", got)
	}
	if got := flip(rand.New(rand.NewPCG(1, 1)), nil); len(got) != 0 {
		t.Errorf("of nothing: %q", got)
	}
}
