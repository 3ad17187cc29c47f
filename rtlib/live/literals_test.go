package live_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib"
	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// Arguments are read from text, and values are printed as text.
func TestLiterals(t *testing.T) {
	c := newClient(t)
	c.load(`.typedef $s = struct<@i64 @double> .typedef $a = array<@i32 2> .typedef $w = int<100> .typedef $t = tagref64
		.funcsig $sig = (@i64 $w $s $a @rv $t @f1) -> (@i64)
		.funcdef $f VERSION %v <$sig> { %e(<@i64> %x <$w> %w <$s> %s <$a> %a <@rv> %r <$t> %t <@f1> %f): RET %x }`)
	f, err := c.FuncNamed(c.own("$f"))
	if err != nil {
		t.Fatal(err)
	}
	vals, err := c.Literals(f, "0x10, -633825300114114700748351602688, {-1 2.5}, [7, -8], NULL, ref(NULL,5), NULL")
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	args := make([]any, len(vals))
	for i, v := range vals {
		args[i] = v
		texts = append(texts, v.String())
	}
	want := []string{"16", "-633825300114114700748351602688", "{-1 2.5}", "[7 -8]", "NULL", "ref(NULL,5)", "NULL"}
	if !slices.Equal(texts, want) {
		t.Errorf("got %q, want %q", texts, want)
	}
	c.expect("16", "$f", args...)
	for text, msg := range map[string]string{"1": "wants 7 arguments, got 1", "x,1,{1 1},[1 1],NULL,fp(1),NULL": `argument 1 of $f: bad value "x"`,
		"1,1,{1 1},[1 1],5,fp(1),NULL": "only NULL"} {
		if _, err := c.Literals(f, text); !errors.Is(err, mu.BadArg) || !strings.Contains(err.Error(), c.own(msg)) {
			t.Errorf("%s: error %v, want %s", text, err, c.own(msg))
		}
	}
}

// Names are listed, and say what they are of.
func TestLookup(t *testing.T) {
	c := newClient(t)
	c.load(`.typedef $t = struct<@double @double @i64> .funcsig $s = ($t @i64) -> (@i64) .const $k <@i64> = 5 .global $c <$t>
		.funcdecl $d <$s> .funcdef $f VERSION %v <@one> { %e(<@i64> %x): RET %x } .expose $x = $f #DEFAULT @7`)
	c.load(`.funcdef $f VERSION %w <@one> { %e(<@i64> %y): RET %y }`)
	want := []string{"$c global cell $t", "$d function $s", "$f function @one", "$k constant int<64>", "$s signature ($t int<64>) -> (int<64>)",
		"$t type struct<double double int<64>>", "$x exposed function @one"}
	names := c.vm.Names(c.own("$"))
	if len(names) != len(want) {
		t.Errorf("names %q", names)
	}
	for i, name := range names {
		e := lookup(c, name)
		text := e.Type.String()
		if e.Kind == mu.KindType || e.Kind == mu.KindSig {
			text = e.Type.Structure()
		}
		if got := name + " " + string(e.Kind) + " " + text; i >= len(want) || spelled(got) != spelled(c.own(want[i])) {
			t.Errorf("got %s, want %s", got, c.own(want[min(i, len(want)-1)]))
		}
	}
	if got := c.vm.Names(c.own("$f")); !slices.Equal(got, []string{c.own("$f")}) {
		t.Errorf("names that begin with $f: %q", got)
	}
	if e := lookup(c, c.own("$f.w.e")); e != (mu.Entity{Kind: mu.KindInternal}) {
		t.Errorf("a block is %+v", e)
	}
	if _, err := c.vm.Lookup(1 << 30); !errors.Is(err, mu.NoID) {
		t.Errorf("an ID that nothing has: %v", err)
	}
}

func lookup(c *client, name string) mu.Entity {
	c.Helper()
	id, err := c.vm.ID(name)
	if err != nil {
		c.Fatal(err)
	}
	e, err := c.vm.Lookup(id)
	if err != nil {
		c.Fatal(err)
	}
	return e
}

// spelled makes the names that a type may have those of the other way to spell it.
func spelled(text string) string {
	return strings.NewReplacer("@i64", "int<64>", "@double", "double").Replace(text)
}

// An exception has its trace.
func TestExceptionTrace(t *testing.T) {
	c := newClient(t)
	c.load(`.typedef $t = struct<@i64>
		.funcdef $throw VERSION %v <@get> { %e(): %o = NEW <$t>
			THROW %o }
		.funcdef $f VERSION %v <@get> { %e():
			%x = CALL <@get> $throw() RET %x }`)
	f, err := c.FuncNamed(c.own("$f"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Call(f)
	var x *rtlib.Exception
	if !errors.As(err, &x) {
		t.Fatalf("error %v has no *rtlib.Exception", err)
	}
	_, report, _ := strings.Cut(x.Report(), ": ")
	if want := c.own("object of type $t\n\t$throw (text:3)\n\t$f (text:5)\n"); report != want {
		t.Errorf("got %q, want %q", report, want)
	}
}
