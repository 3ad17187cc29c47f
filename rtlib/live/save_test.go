package live_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/live"
	"github.com/uvm2go/uvm2go/rtlib/mu"
)

func TestTry(t *testing.T) {
	vm, err := live.New(mu.Config{})
	if err != nil {
		t.Fatal(err)
	}
	c := vm.NewContext()
	if err := c.LoadBundleText(`
.typedef @i64 = int<64> .typedef @node = struct<@i64 @rn> .typedef @rn = ref<@node> .typedef @i8 = int<8> .typedef @h = hybrid<@i64 @i8> .typedef @rh = ref<@h>
.typedef @ib = iref<@i8>
.global @head <@rn> .global @text <@rh> .global @at <@ib> .global @n <@i64>
.const @1 <@i64> = 1
.const @3 <@i64> = 3
.const @65 <@i8> = 65
.funcsig @v = () -> ()
.funcdef @set VERSION %v <@v> { %e():
  %x = NEW <@node> %i = GETIREF <@node> %x %f = GETFIELDIREF <@node 0> %i STORE <@i64> %f @3
  %g = GETFIELDIREF <@node 1> %i STORE <@rn> %g %x STORE <@rn> @head %x
  %h = NEWHYBRID <@h @i64> @3 STORE <@rh> @text %h
  %hi = GETIREF <@h> %h %va = GETVARPARTIREF <@h> %hi %el = SHIFTIREF <@i8 @i64> %va @1 STORE <@i8> %el @65 STORE <@ib> @at %el
  STORE <@i64> @n @1
  RET () }
.funcdef @main VERSION %v <@v> { %e():
  %x = LOAD <@rn> @head %i = GETIREF <@node> %x %f = GETFIELDIREF <@node 0> %i %n = LOAD <@i64> %f
  %g = GETFIELDIREF <@node 1> %i %y = LOAD <@rn> %g %same = EQ <@rn> %x %y
  %a = LOAD <@ib> @at %b = LOAD <@i8> %a %one = LOAD <@i64> @n
  [@there] TRAP <> KEEPALIVE(%n %same %b %one) RET () }
`); err != nil {
		t.Fatal(err)
	}
	f, err := c.FuncNamed("@set")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Call(f); err != nil {
		t.Fatal(err)
	}
	id, err := vm.ID("@main")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := live.WriteImage(c, &b, live.Image{Entry: id}); err != nil {
		t.Fatal(err)
	}
	t.Log(b.String())
	os.WriteFile("/tmp/x.ir", b.Bytes(), 0o666)
}
