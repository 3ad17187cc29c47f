package live_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/live"
	"github.com/uvm2go/uvm2go/rtlib/mu"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// furtherVM is an environment variable: the tests use a VM that is not the first one of the process.
const furtherVM = "UVM2GO_TEST_FURTHER"

// The VM that all tests share: each has names of its own.
var machine = sync.OnceValues(func() (*mu.VM, error) {
	if os.Getenv(furtherVM) != "" {
		if _, err := live.New(mu.Config{}); err != nil {
			return nil, err
		}
	}
	vm, err := live.New(mu.Config{ThreadFailed: func(err error) { threadErrors <- err }})
	if err != nil {
		return nil, err
	}
	c := vm.NewContext()
	defer c.Close()
	return vm, c.LoadBundleText(`
		.typedef @void = void  .typedef @i1 = int<1>  .typedef @i32 = int<32>  .typedef @i64 = int<64>  .typedef @double = double
		.typedef @rv = ref<@void>  .typedef @ri = ref<@i64>  .typedef @ii = iref<@i64>  .typedef @f1 = funcref<@one>  .typedef @u1 = ufuncptr<@one>
		.typedef @stack = stackref
		.const @0 <@i64> = 0  .const @1 <@i64> = 1  .const @2 <@i64> = 2  .const @7 <@i64> = 7  .const @null <@rv> = NULL
		.funcsig @none = () -> ()
		.funcsig @get = () -> (@i64)
		.funcsig @one = (@i64) -> (@i64)
		.funcsig @two = (@i64 @i64) -> (@i64)`)
})

// threadErrors has the errors of threads.
var threadErrors = make(chan error, 10)

// client is a context of a test.
type client struct {
	*testing.T
	vm *mu.VM
	*mu.Ctx
}

func newClient(t *testing.T) *client {
	vm, err := machine()
	if err != nil {
		t.Fatal(err)
	}
	c := &client{t, vm, vm.NewContext()}
	t.Cleanup(func() { c.Close() })
	return c
}

// load loads a bundle, in which $ in names stands for the test's own.
func (c *client) load(text string) {
	c.Helper()
	if err := c.LoadBundleText(c.own(text)); err != nil {
		c.Fatal(err)
	}
}

func (c *client) own(text string) string {
	return strings.ReplaceAll(text, "$", "@"+strings.ReplaceAll(c.T.Name(), "/", ".")+".")
}

// refuse loads a bundle that must have these errors, in this order.
func (c *client) refuse(text string, code mu.Code, want ...string) {
	c.Helper()
	err := c.LoadBundleText(c.own(text))
	var e *mu.Error
	if !errors.As(err, &e) || e.Code != code {
		c.Errorf("%s: error %v, want %s", text, err, code)
		return
	}
	rest := err.Error()
	for _, w := range want {
		i := strings.Index(rest, c.own(w))
		if i < 0 {
			c.Errorf("%s: error %v, want %q", text, err, want)
			return
		}
		rest = rest[i:]
	}
}

// call calls a function and returns its results as text.
func (c *client) call(name string, args ...any) string {
	c.Helper()
	f, err := c.FuncNamed(c.own(name))
	if err != nil {
		c.Fatal(err)
	}
	l, err := c.Ctx.Call(f, args...)
	if err != nil {
		return err.Error()
	}
	var out []string
	for _, v := range l {
		switch v := v.(type) {
		case mu.Int:
			out = append(out, fmt.Sprint(v.Int64()))
		default:
			out = append(out, fmt.Sprint(v))
		}
	}
	return strings.Join(out, " ")
}

// expect is call with a known result.
func (c *client) expect(want string, name string, args ...any) {
	c.Helper()
	if got := c.call(name, args...); got != want {
		c.Errorf("%s%v = %s, want %s", name, args, got, want)
	}
}

func TestCall(t *testing.T) {
	c := newClient(t)
	c.load(`.funcdef $fib VERSION %v1 <@one> {
		%entry(<@i64> %n):
			%small = SLT <@i64> %n @2
			BRANCH2 %small %end(%n) %more(%n)
		%end(<@i64> %n):
			RET %n
		%more(<@i64> %n):
			%a = SUB <@i64> %n @1
			%b = SUB <@i64> %n @2
			%x = CALL <@one> $fib(%a)
			%y = CALL <@one> $fib(%b)
			%z = ADD <@i64> %x %y
			RET %z
	}`)
	c.expect("6765", "$fib", 20)
}

// A program made by a front end uses a function of one that was loaded as text.
func TestLoadProgram(t *testing.T) {
	c := newClient(t)
	c.load(`.funcdef $add VERSION %v <@two> { %e(<@i64> %x <@i64> %y): %z = ADD <@i64> %x %y RET %z }`)
	b := ir.NewBuilder(nil)
	i64 := b.Types.Int(64)
	add := b.Func(c.own("$add"), b.Types.Sig([]ir.TypeID{i64, i64}, []ir.TypeID{i64}))
	f := b.Func(c.own("$double"), b.Types.Sig([]ir.TypeID{i64}, []ir.TypeID{i64}))
	body := b.Body(f, "v1")
	x := body.Param(body.Current(), 0)
	body.Ret(body.Call(body.FuncRef(add), x, x)...)
	p, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if err := live.Load(c.Ctx, p); err != nil {
		t.Fatal(err)
	}
	c.expect("42", "$double", 21)
}

// An error, or an exception, in a thread ends the thread alone.
func TestThreadFailed(t *testing.T) {
	c := newClient(t)
	c.load(`.funcdef $div VERSION %v <@none> { %e(): %y = SDIV <@i64> @1 @0 RET () }
		.funcdef $throw VERSION %v <@none> { %e(): %r = NEW <@i64> %v = REFCAST <@ri @rv> %r THROW %v }
		.funcdef $start VERSION %v <@none> { %e():
			%s = COMMINST @uvm.new_stack <[@none]> ($div) %t = NEWTHREAD %s PASS_VALUES <> ()
			RET () }
		.funcdef $start2 VERSION %v <@none> { %e():
			%s = COMMINST @uvm.new_stack <[@none]> ($throw) %t = NEWTHREAD %s PASS_VALUES <> ()
			RET () }`)
	for start, want := range map[string]string{"$start": "DIV_BY_ZERO at $div.v", "$start2": "uncaught exception"} {
		c.expect("", start)
		if err := <-threadErrors; !strings.Contains(err.Error(), c.own(want)) {
			t.Errorf("%s: %v", start, err)
		}
	}
}
