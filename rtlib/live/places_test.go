package live_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib"
	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// A tail call of a function without a body fails in the function that makes it, as in programs that are translated.
func TestTailCallUndefined(t *testing.T) {
	c := newClient(t)
	c.load(".funcdecl $und <@one>\n.funcdef $f VERSION %v <@one> { %e(<@i64> %x): TAILCALL <@one> $und(%x) }\n" +
		".funcdef $g VERSION %v <@one> { %e(<@i64> %x): %y = CALL <@one> $f(%x) RET %y }")
	f, err := c.FuncNamed(c.own("$g"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Call(f, 1)
	var e *rtlib.Error
	want := c.own("run-time error: UNDEFINED_FUNCTION at $f.v.e+0 (text:2): $und has no definition\n\t$f (text:2)\n\t$g (text:3)\n")
	if !errors.As(err, &e) || e.Report() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	// A handler finds the frame gone, and may define the function.
	c.vm.SetTrapHandler(func(x *mu.Ctx, th mu.ThreadRef, s mu.StackRef, wpid uint32) mu.TrapResult {
		c := &client{t, c.vm, c.vm.NewContext()}
		defer c.Close()
		c.load(`.funcdef $und VERSION %v <@one> { %e(<@i64> %x): %y = MUL <@i64> %x @7 RET %y }`)
		return mu.PassValues{Stack: s}
	})
	defer c.vm.SetTrapHandler(nil)
	c.expect("42", "$g", 6)
}

// All errors of loading have places of the same form.
func TestMissingSymbolPlace(t *testing.T) {
	c := newClient(t)
	const text = "\n.const $x <@u1> = EXTERN \"no_such_symbol\""
	c.refuse(text, mu.BadBundle, `load_bundle: 2:8: native symbol "no_such_symbol" is not available`)
	if err := c.LoadBundleNamed("a.uir", c.own(text)); err == nil || !strings.Contains(err.Error(), `load_bundle: a.uir:2:8: native symbol "no_such_symbol"`) {
		t.Error(err)
	}
}

// NULL is a value of each type of references.
func TestNullNode(t *testing.T) {
	c := newClient(t)
	c.load(`.typedef $n = irnoderef .typedef $b = irbuilderref .typedef $w = weakref<@i64>`)
	ty, err := c.TypeNamed(c.own("$n"))
	if err != nil {
		t.Fatal(err)
	}
	v, err := c.Null(ty)
	if n, ok := v.(mu.IRNode); err != nil || !ok || !n.IsNull() || n.Type() != ty {
		t.Errorf("%v, %v", v, err)
	}
	ty, err = c.TypeNamed(c.own("$b"))
	if err != nil {
		t.Fatal(err)
	}
	v, err = c.Null(ty)
	if n, ok := v.(mu.IRBuilderRef); err != nil || !ok || !n.IsNull() || n.Type() != ty || ty.String() != c.own("$b") {
		t.Errorf("%v, %v", v, err)
	}
	ty, err = c.TypeNamed(c.own("$w"))
	if err != nil {
		t.Fatal(err)
	}
	if v, err := c.Null(ty); err == nil {
		t.Errorf("a weakref that is %v", v)
	}
}

// A text may be empty, as one with only comments is.
func TestEmptyText(t *testing.T) {
	c := newClient(t)
	c.load("")
	c.load("// nothing")
}
