package live_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// A type that exists without a name has the name that a later bundle gives it, everywhere; the first one stays.
func TestTypeNamedLater(t *testing.T) {
	c := newClient(t)
	c.load(`.typedef $node = struct<@i64 @i32>  .typedef $r = ref<$node>  .funcsig $sig = ($r) -> ()
		.funcdef $throws VERSION %v <$sig> { %e(<$r> %x): THROW %x }`)
	node, err := c.TypeNamed(c.own("$node"))
	if err != nil {
		t.Fatal(err)
	}
	object, err := c.NewFixed(node)
	if err != nil {
		t.Fatal(err)
	}
	loc, err := c.IRef(object)
	if err != nil {
		t.Fatal(err)
	}
	ty := loc.Type()
	before := c.own("iref<$node>")
	if got := ty.String(); got != before {
		t.Errorf("the type is %s, want %s", got, before)
	}
	c.load(`.typedef $inode = iref<$node>  .typedef $other = iref<$node>`)
	if got, want := ty.String(), c.own("$inode"); got != want {
		t.Errorf("the type is %s after it was named, want %s", got, want)
	}
	if got := ty.Structure(); got != before {
		t.Errorf("its structure is %s, want %s", got, before)
	}
	for _, name := range []string{"$inode", "$other"} {
		again, err := c.TypeNamed(c.own(name))
		if err != nil || again != ty {
			t.Errorf("%s is %v, %v", name, again, err)
		}
		id, err := c.ID(c.own(name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := c.Name(id); got != c.own(name) || err != nil {
			t.Errorf("ID %d is %s, %v", id, got, err)
		}
	}
}

// Another signature for a function that exists is a conflict, in every dialect.
func TestConflictingSignature(t *testing.T) {
	c := newClient(t)
	c.load(`.funcdef $f VERSION %v1 <@one> { %e(<@i64> %x): RET %x }
		.funcdecl $g <@one>`)
	for _, f := range []string{"$f", "$g"} {
		c.refuse(`.funcdef `+f+` VERSION %v2 <@none> { %e(): RET () }`, mu.Conflict,
			"1:", f+" redefined with signature @none, want @one")
	}
	c.expect("7", "$f", 7)
	c.refuse("program 65540 1\nfunc $f: () -> ()\nversion $f.v7 of $f {\n^e():\n  ret\n}\n", mu.Conflict, "2:6:", "$f redefined")
	err := c.LoadBundleNamed("x.uir2014", c.own(".typedef $void = void\n.funcsig $s = $void ()\n.funcdef $f <$s> () {\n%e:\nRETVOID\n}\n"))
	var e *mu.Error
	if want := c.own("x.uir2014:3:10: $f has signature void () here, but int<64> (int<64>)"); !errors.As(err, &e) || e.Code != mu.Conflict || !strings.Contains(e.Msg, want) {
		t.Errorf("error %v, want %s: %s", err, mu.Conflict, want)
	}
}
