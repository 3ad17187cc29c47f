package live_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/rtlib/live"
	"github.com/uvm2go/uvm2go/rtlib/mu"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// TestLongFurtherVM runs the tests of this package again, with a VM that is not the first.
func TestLongFurtherVM(t *testing.T) {
	longtest.Only(t)
	if os.Getenv(furtherVM) != "" {
		t.Skip("running already")
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), furtherVM+"=1", longtest.Variable+"=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// common are the definitions of the bundles below.
const common = `
	.typedef @void = void  .typedef @i32 = int<32>  .typedef @i64 = int<64>  .const @0 <@i64> = 0  .const @1 <@i64> = 1  .const @7 <@i64> = 7
	.typedef @rv = ref<@void>  .typedef @ri = ref<@i64>
	.funcsig @none = () -> ()  .funcsig @get = () -> (@i64)  .funcsig @one = (@i64) -> (@i64)
	`

// TestVMsTrap: each VM has a trap handler and watchpoints of its own.
func TestVMsTrap(t *testing.T) {
	const text = common + `
		.funcdef @asks VERSION %v <@get> { %e(): %x = [%t] TRAP <@i64>  RET %x }
		.funcdef @watched VERSION %v <@get> { %e(): [%w] WPBRANCH 7 %off() %on()  %off(): RET @0  %on(): RET @1 }
		.funcdecl @nothing <@get>`
	a, b := other(t, mu.Config{}), other(t, mu.Config{})
	for i, c := range []*client{a, b} {
		c.must(text)
		c.vm.SetTrapHandler(func(x *mu.Ctx, th mu.ThreadRef, s mu.StackRef, wpid uint32) mu.TrapResult {
			if x.VM() != c.vm {
				t.Error("the handler of another VM is called")
			}
			return mu.PassValues{Stack: s, Values: []mu.Value{x.Int(int64(i)+40, 64)}}
		})
	}
	if got := []int64{a.number("@asks"), b.number("@asks")}; fmt.Sprint(got) != "[40 41]" {
		t.Errorf("the handlers pass %v", got)
	}
	a.vm.EnableWatchpoint(7)
	if got := []int64{a.number("@watched"), b.number("@watched")}; fmt.Sprint(got) != "[1 0]" {
		t.Errorf("enabled in the first VM alone: %v", got)
	}
	b.vm.EnableWatchpoint(7)
	a.vm.DisableWatchpoint(7)
	if got := []int64{a.number("@watched"), b.number("@watched")}; fmt.Sprint(got) != "[0 1]" {
		t.Errorf("then enabled in the second alone: %v", got)
	}
	a.vm.SetTrapHandler(nil)
	f, _ := a.FuncNamed("@nothing")
	if _, err := a.Ctx.Call(f); !errors.Is(err, mu.UnhandledTrap) || !strings.Contains(err.Error(), "@nothing has no definition") {
		t.Errorf("without a handler, while the other VM has one: %v", err)
	}
	if n := b.number("@asks"); n != 41 {
		t.Errorf("the other handler passes %d", n)
	}
}

// TestVMsTrapInMu: so is a handler that Mu code sets, with its data.
func TestVMsTrapInMu(t *testing.T) {
	const text = common + `
		.typedef @stack = stackref  .funcsig @handler.sig = (@stack @i32 @rv) -> ()  .typedef @fh = funcref<@handler.sig>
		.const @number <@i64> = %d
		.funcdef @handler VERSION %%v <@handler.sig> {
			%%e(<@stack> %%s <@i32> %%w <@rv> %%data): %%r = REFCAST <@rv @ri> %%data  %%i = GETIREF <@i64> %%r  %%n = LOAD <@i64> %%i
			SWAPSTACK %%s KILL_OLD PASS_VALUES <@i64> (%%n)
		}
		.funcdef @sets VERSION %%v <@get> {
			%%e(): %%d = NEW <@i64>  %%i = GETIREF <@i64> %%d  STORE <@i64> %%i @number  %%v = REFCAST <@ri @rv> %%d
			COMMINST @uvm.meta.set_trap_handler (@handler %%v)  RET @0
		}
		.funcdef @asks VERSION %%v <@get> { %%e(): %%x = [%%t] TRAP <@i64>  RET %%x }`
	a, b := other(t, mu.Config{}), other(t, mu.Config{})
	a.must(fmt.Sprintf(text, 100))
	b.must(fmt.Sprintf(text, 200))
	a.number("@sets")
	b.number("@sets")
	if err := a.vm.GC(); err != nil {
		t.Fatal(err)
	}
	if got := []int64{a.number("@asks"), b.number("@asks")}; fmt.Sprint(got) != "[100 200]" {
		t.Errorf("the handlers pass %v", got)
	}
}

// TestVMsHandles: values of one VM are errors in another.
func TestVMsHandles(t *testing.T) {
	a, b := other(t, mu.Config{}), other(t, mu.Config{})
	for _, c := range []*client{a, b} {
		c.must(common + `.global @cell <@i64> .funcdef @id VERSION %v <@one> { %e(<@i64> %x): RET %x }`)
	}
	wrong := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, mu.BadHandle) || !strings.Contains(err.Error(), "a value of another VM") {
			t.Errorf("%s: %v", what, err)
		}
	}
	f, _ := a.FuncNamed("@id")
	cell, _ := a.GlobalNamed("@cell")
	seven := a.Int(7, 64)
	_, err := b.Ctx.Call(f, 1)
	wrong("calling a function", err)
	own, _ := b.FuncNamed("@id")
	_, err = b.Ctx.Call(own, seven)
	wrong("passing a value", err)
	_, err = b.Load(mu.NotAtomic, cell)
	wrong("loading from a cell", err)
	_, err = b.NewStack(f)
	wrong("making a stack", err)
	wrong("defining a function", b.Define(own, f))
	wrong("deleting a value", b.Delete(seven))
	_, err = mu.Import(b.Ctx, seven)
	wrong("importing a value", err)
	if n, err := mu.Call1[int64](a.Ctx, f, seven); err != nil || n != 7 {
		t.Errorf("in its own VM: %v, %v", n, err)
	}
}

// TestVMsExpose: a function pointer of one VM cannot be called in another, and not be taken back there.
func TestVMsExpose(t *testing.T) {
	a, b := other(t, mu.Config{}), other(t, mu.Config{})
	for _, c := range []*client{a, b} {
		c.must(common + `.typedef @fp = ufuncptr<@one>  .funcsig @calls.sig = (@fp @i64) -> (@i64)
			.funcdef @id VERSION %v <@one> { %e(<@i64> %x): RET %x }
			.expose @c_id = @id #DEFAULT @0
			.funcdef @calls VERSION %v <@calls.sig> { %e(<@fp> %f <@i64> %x): %y = CCALL #DEFAULT <@fp @one> %f (%x)  RET %y }`)
	}
	f, err := a.ExposedNamed("@c_id")
	if err != nil {
		t.Fatal(err)
	}
	calls := func(c *client) (int64, error) {
		g, _ := c.FuncNamed("@calls")
		return mu.Call1[int64](c.Ctx, g, f.Addr(), 5)
	}
	if n, err := calls(a); n != 5 || err != nil {
		t.Errorf("in its own VM: %d, %v", n, err)
	}
	if n, err := calls(b); err == nil || !strings.Contains(err.Error(), "another VM of the process") {
		t.Errorf("in another VM: %d, %v", n, err)
	}
	ty, _ := b.TypeNamed("@fp")
	p, err := b.Pointer(ty, f.Addr())
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Unexpose(p.(mu.UFuncPtr)); !errors.Is(err, mu.NotExposed) {
		t.Errorf("taken back by another VM: %v", err)
	}
}

// TestVMsFail: an error of a thread goes to the VM that it belongs to; so do the errors of a sandbox.
func TestVMsFail(t *testing.T) {
	failed := make(chan string, 2)
	cfg := func(name string) mu.Config {
		return mu.Config{ThreadFailed: func(err error) { failed <- name + ": " + err.Error() }}
	}
	a, b := other(t, cfg("a")), other(t, cfg("b"))
	for _, c := range []*client{a, b} {
		c.must(common + `.funcdef @fails VERSION %v <@none> { %e(): %x = SDIV <@i64> @1 @0  RET () }`)
		f, _ := c.FuncNamed("@fails")
		s, err := c.NewStack(f)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.NewThread(s, mu.Ref{}, mu.PassValues{}); err != nil {
			t.Fatal(err)
		}
		want := map[*client]string{a: "a: E_DIVZERO", b: "b: E_DIVZERO"}[c]
		if got := <-failed; !strings.HasPrefix(got, want) {
			t.Errorf("got %q, want %s", got, want)
		}
	}
	sandboxed := other(t, mu.Config{Sandbox: []string{}})
	const native = `.typedef @p = uptr<@i64>  .funcsig @env = (@p) -> (@p)  .typedef @fp = ufuncptr<@env>  .const @getenv <@fp> = EXTERN "getenv"`
	if err := sandboxed.LoadBundleText(common + native); err == nil || !strings.Contains(err.Error(), `"getenv" is not allowed`) {
		t.Errorf("in the sandbox: %v", err)
	}
	if err := a.LoadBundleText(native); err != nil {
		t.Errorf("in a VM without one: %v", err)
	}
}

// TestVMsFatal: without ThreadFailed, the function Fatal of the VM gets the error, and the process ends.
func TestVMsFatal(t *testing.T) {
	if os.Getenv("UVM2GO_TEST_FATAL") != "" {
		var start func()
		for _, name := range []string{"first", "second", "third"} {
			vm, err := live.New(mu.Config{Fatal: func(err error) { fmt.Println(name, err) }})
			if err != nil {
				t.Fatal(err)
			}
			c := &client{t, vm, vm.NewContext()}
			c.must(common + `.funcdef @fails VERSION %v <@none> { %e(): %x = SDIV <@i64> @1 @0  RET () }`)
			f, _ := c.FuncNamed("@fails")
			s, _ := c.NewStack(f)
			if name == "second" {
				start = func() { c.NewThread(s, mu.Ref{}, mu.PassValues{}) }
			}
		}
		start()
		time.Sleep(time.Minute)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestVMsFatal$")
	cmd.Env = append(os.Environ(), "UVM2GO_TEST_FATAL=1")
	out, err := cmd.CombinedOutput()
	var status *exec.ExitError
	if !errors.As(err, &status) || status.ExitCode() != 4 || !bytes.Contains(out, []byte("second E_DIVZERO")) || bytes.Contains(out, []byte("first")) {
		t.Errorf("%v, output %q", err, out)
	}
}

// TestVMsHook: hooks run for contexts of the VM that has loaded them.
func TestVMsHook(t *testing.T) {
	const text = `program 65540 1
hook threadstart @starts
hook threadexit @ends
global @count: int<64>
func @starts: () -> ()
version @starts.v of @starts {
^e():
  %n: int<64> = load <int<64>> @count
  %m: int<64> = add <int<64>> %n 1:int<64>
  store <int<64>> @count %m
  ret
}
func @ends: () -> ()
version @ends.v of @ends {
^e():
  %n: int<64> = load <int<64>> @count
  %m: int<64> = add <int<64>> %n 100:int<64>
  store <int<64>> @count %m
  ret
}
func @number: () -> (int<64>)
version @number.v of @number {
^e():
  %n: int<64> = load <int<64>> @count
  ret %n
}
`
	a, b := other(t, mu.Config{}), other(t, mu.Config{})
	for _, c := range []*client{a, b} {
		if err := c.LoadBundleText(text); err != nil {
			t.Fatal(err)
		}
	}
	b.vm.NewContext()
	if err := b.vm.NewContext().Close(); err != nil {
		t.Fatal(err)
	}
	if got := []int64{a.number("@number"), b.number("@number")}; fmt.Sprint(got) != "[1 103]" {
		t.Errorf("hooks have counted %v", got)
	}
}

// TestVMsLimits: the limits are those of the process.
func TestVMsLimits(t *testing.T) {
	newVM(t, mu.Config{})
	for _, cfg := range []mu.Config{{HeapLimit: 12345678}, {StackLimit: 1234567}} {
		if _, err := live.New(cfg); !errors.Is(err, mu.Conflict) || !strings.Contains(err.Error(), "want that or 0") || !strings.Contains(err.Error(), "of a process") {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}

// TestVMsTypes: types have the names that the VM has given them, in values, exceptions and errors.
func TestVMsTypes(t *testing.T) {
	const text = `
		.typedef @i64 = int<64>  .typedef @%[1]s = struct<@i64 @i64 @i64 @i64 @i64>  .typedef @r%[1]s = ref<@%[1]s>  .typedef @void = void  .typedef @rv = ref<@void>
		.funcsig @sig = () -> ()
		.global @g%[1]s <@%[1]s>
		.funcdef @throws VERSION %%v <@sig> { %%e(): %%o = NEW <@%[1]s>  %%x = REFCAST <@r%[1]s @rv> %%o  THROW %%x }`
	for _, name := range []string{"apple", "pear"} {
		c := other(t, mu.Config{})
		c.must(fmt.Sprintf(text, name))
		f, _ := c.FuncNamed("@throws")
		_, err := c.Ctx.Call(f)
		var exc *mu.Exception
		if !errors.As(err, &exc) || exc.Type != "@"+name {
			t.Errorf("thrown: %v, want an exception of type @%s", err, name)
		}
		cell, _ := c.GlobalNamed("@g" + name)
		if got, want := cell.Type().String(), "iref<@"+name+">"; got != want {
			t.Errorf("the type of a cell is %s, want %s", got, want)
		}
		if err := c.LoadBundleText(".const @c <@" + name + "> = 1"); err == nil || !strings.Contains(err.Error(), "@"+name) {
			t.Errorf("an error of a bundle: %v", err)
		}
	}
	bare := other(t, mu.Config{})
	bare.must(`.typedef @i64 = int<64>  .typedef @cell = struct<@i64 @i64 @i64 @i64 @i64>  .global @g <@cell>`)
	cell, _ := bare.GlobalNamed("@g")
	if got := cell.Type().String(); got != "iref<@cell>" {
		t.Errorf("the type of a cell is %s, want iref<@cell>", got)
	}
}

// TestVMsNatives: a VM can have natives in Go of its own.
func TestVMsNatives(t *testing.T) {
	const text = common + `.typedef @fp = ufuncptr<@one>  .const @native <@fp> = EXTERN "vms_test_native"
		.funcsig @calls.sig = (@fp @i64) -> (@i64)
		.funcdef @calls VERSION %v <@one> { %e(<@i64> %x): %y = CCALL #DEFAULT <@fp @one> @native (%x)  RET %y }
		.funcdef @calls_it VERSION %v <@calls.sig> { %e(<@fp> %f <@i64> %x): %y = CCALL #DEFAULT <@fp @one> %f (%x)  RET %y }`
	config := func(n int64) mu.Config {
		return mu.Config{Natives: map[string]any{"vms_test_native": func(x int64) int64 { return x * n }}}
	}
	a, b := other(t, config(10)), other(t, config(100))
	for _, c := range []*client{a, b} {
		c.must(text)
	}
	calls := func(c *client) int64 {
		f, _ := c.FuncNamed("@calls")
		n, err := mu.Call1[int64](c.Ctx, f, 7)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if got := []int64{calls(a), calls(b)}; fmt.Sprint(got) != "[70 700]" {
		t.Errorf("the natives return %v", got)
	}
	p, err := a.ConstNamed("@native")
	if err != nil {
		t.Fatal(err)
	}
	f, _ := b.FuncNamed("@calls_it")
	if n, err := mu.Call1[int64](b.Ctx, f, p.(mu.UFuncPtr).Addr(), 7); err == nil || !strings.Contains(err.Error(), "vms_test_native, a native of another VM") {
		t.Errorf("the native of another VM: %d, %v", n, err)
	}
	if err := a.vm.Close(); err != nil {
		t.Fatal(err)
	}
	none := other(t, mu.Config{})
	if err := none.LoadBundleText(text); err == nil || !strings.Contains(err.Error(), `native symbol "vms_test_native" is not available`) {
		t.Errorf("in a VM without it: %v", err)
	}
	if n := calls(b); n != 700 {
		t.Errorf("after the other VM was closed: %d", n)
	}
	for name, f := range map[string]any{"no symbol": func() {}, "vms_test_native": "no function"} {
		if _, err := live.New(mu.Config{Natives: map[string]any{name: f}}); !errors.Is(err, mu.BadArg) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestVMsBuild: the IR builder of a VM knows the names and nodes of that VM alone.
func TestVMsBuild(t *testing.T) {
	const text = common + `
		.typedef @node = irnoderef  .typedef @pn = iref<@node>  .const @w64 <@i32> = 64
		.funcsig @begin.sig = () -> (@node)  .funcsig @add.sig = (@node) -> ()  .funcsig @known.sig = (@node @i32) -> (@node)
		.funcdef @begin VERSION %v <@begin.sig> { %e(): %b = COMMINST @uvm.irbuilder.new_bundle  RET %b }
		.funcdef @add VERSION %v <@add.sig> { %e(<@node> %b): %t = COMMINST @uvm.irbuilder.new_type_int (%b @w64)  RET () }
		.funcdef @known VERSION %v <@known.sig> { %e(<@node> %b <@i32> %id): %n = COMMINST @uvm.irbuilder.get_node (%b %id)  RET %n }`
	a, b := other(t, mu.Config{}), other(t, mu.Config{})
	for _, c := range []*client{a, b} {
		c.must(text)
	}
	begin := func(c *client) mu.Value {
		f, _ := c.FuncNamed("@begin")
		l, err := c.Ctx.Call(f)
		if err != nil {
			t.Fatal(err)
		}
		return l[0]
	}
	bundle, elsewhere := begin(a), begin(b)
	id, _ := a.vm.ID("@i64")
	for c, node := range map[*client]mu.Value{a: bundle, b: elsewhere} {
		f, _ := c.FuncNamed("@add")
		if _, err := c.Ctx.Call(f, node); err != nil {
			t.Errorf("adding a type: %v", err)
		}
		f, _ = c.FuncNamed("@known")
		_, err := c.Ctx.Call(f, node, int64(id))
		if c == a && err != nil {
			t.Errorf("the node of an ID of the VM: %v", err)
		}
		if c == b && err == nil {
			t.Error("an ID of another VM has a node")
		}
	}
}

// TestVMsBuildByID: so does the builder of Go clients.
func TestVMsBuildByID(t *testing.T) {
	a, b := other(t, mu.Config{}), other(t, mu.Config{})
	a.must(common)
	id, _ := a.vm.ID("@i64")
	build := func(c *client) error {
		x := live.NewIRBuilder(c.Ctx)
		ref, err := x.GenSym("@made")
		if err == nil {
			err = x.Call("new_type_ref", ref, id)
		}
		if err != nil {
			t.Fatal(err)
		}
		return x.Load()
	}
	if err := build(a); err != nil {
		t.Errorf("a type of the VM: %v", err)
	}
	if err := build(b); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("unknown ID %d", id)) {
		t.Errorf("a type of another VM: %v", err)
	}
}
