package live_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/live"
	"github.com/uvm2go/uvm2go/rtlib/mu"
)

func TestRedefine(t *testing.T) {
	c := newClient(t)
	c.load(`.funcdef $f VERSION %v1 <@one> { %e(<@i64> %x): %y = ADD <@i64> %x @1 RET %y }
		.funcdef $g VERSION %v1 <@one> { %e(<@i64> %x): %y = CALL <@one> $f(%x) %z = ADD <@i64> %y %y RET %z }`)
	c.expect("8", "$g", 3)
	c.load(`.funcdef $f VERSION %v2 <@one> { %e(<@i64> %x): %y = SUB <@i64> %x @1 RET %y }`)
	c.expect("4", "$g", 3)
	c.refuse(`.funcdef $f VERSION %v2 <@one> { %e(<@i64> %x): RET %x }`, mu.Conflict, "$f.v2 redefined")
	c.refuse(`.funcdef $f VERSION %v3 <@two> { %e(<@i64> %x <@i64> %y): RET %x }`, mu.Conflict, "$f redefined with signature @two, want @one")
	c.refuse(`.funcdecl $f <@one>`, mu.Conflict, "1:11: $f redefined")
	c.expect("4", "$g", 3)
}

// A function that was called while it had no body gets one.
func TestDeclaredFirst(t *testing.T) {
	c := newClient(t)
	c.load(`.funcdecl $f <@one>
		.funcdef $g VERSION %v1 <@one> { %e(<@i64> %x): %y = CALL <@one> $f(%x) RET %y }`)
	if got, want := c.call("$g", 3), "UNDEFINED_FUNCTION"; len(got) < len(want) {
		t.Errorf("$g: %s", got)
	}
	c.load(`.funcdef $f VERSION %v1 <@one> { %e(<@i64> %x): %y = MUL <@i64> %x @7 RET %y }`)
	c.expect("21", "$g", 3)
}

// Errors in a bundle are reported with their place, and nothing of the bundle is loaded.
func TestRefused(t *testing.T) {
	c := newClient(t)
	c.refuse("\n  .const $a <@i64> = 5\n.funcdef $f VERSION %v <@one> { %e(<@i64> %x): %y = ADD <@i64> %x @nothing RET %z }", mu.BadBundle,
		"3:", "unknown name @nothing", "3:", "%z")
	c.refuse(`.funcdef $f VERSION %v <@one> { %e(<@i64> %x): RET () }`, mu.BadBundle, "1:")
	c.refuse(`.funcdef $f VERSION %v <@one> { %e(<@i64> %x) RET %x }`, mu.ParseFailed, "1:")
	c.refuse(`.const $a <@i64> = 5 .const $a <@i64> = 6`, mu.Conflict, "$a redefined (previous definition at 1:8)")
	for _, name := range []string{"$a", "$f", "$f.v"} {
		if _, err := c.vm.ID(c.own(name)); err == nil {
			t.Errorf("%s exists", name)
		}
	}
	c.load(`.const $a <@i64> = 5`)
	c.refuse(`.const $a <@i64> = 5`, mu.Conflict, "1:8: $a redefined")
}

// Equal types of bundles are the same type, even if they contain themselves.
func TestTypes(t *testing.T) {
	c := newClient(t)
	c.load(`.typedef $node = struct<@i64 $ref> .typedef $ref = ref<$node> .typedef $f = funcref<$sig> .funcsig $sig = ($ref) -> (@i64)
		.global $head <$ref>
		.funcdef $make VERSION %v <@one> { %e(<@i64> %x):
			%r = NEW <$node> %i = GETIREF <$node> %r %a = GETFIELDIREF <$node 0> %i %b = GETFIELDIREF <$node 1> %i
			STORE <@i64> %a %x  %h = LOAD <$ref> $head  STORE <$ref> %b %h  STORE <$ref> $head %r  RET %x }`)
	c.load(`.typedef $node2 = struct<@i64 $ref2> .typedef $ref2 = ref<$node2> .funcsig $sig2 = ($ref2) -> (@i64)
		.const $nil <$ref2> = NULL
		.funcdef $sum VERSION %v <$sig2> { %e(<$ref2> %p): BRANCH %loop(%p @0)
			%loop(<$ref2> %p <@i64> %s): %end = EQ <$ref2> %p $nil BRANCH2 %end %done(%s) %next(%p %s)
			%done(<@i64> %s): RET %s
			%next(<$ref2> %p <@i64> %s): %i = GETIREF <$node2> %p %a = GETFIELDIREF <$node2 0> %i %b = GETFIELDIREF <$node2 1> %i
				%x = LOAD <@i64> %a  %n = LOAD <$ref2> %b  %t = ADD <@i64> %s %x  BRANCH %loop(%n %t) }
		.funcdef $all VERSION %v <@get> { %e(): %h = LOAD <$ref> $head  %s = CALL <$sig> $sum(%h)  RET %s }`)
	for i := range 100 {
		c.expect(fmt.Sprint(i), "$make", i)
	}
	if err := c.vm.GC(); err != nil {
		t.Fatal(err)
	}
	c.expect("4950", "$all")
}

// Cells and constants of one bundle are used by another; what a cell refers to lives.
func TestCells(t *testing.T) {
	c := newClient(t)
	c.load(`.global $cell <@ri> .const $pair <$p> = {@7 $k} .typedef $p = struct<@i64 @i64> .const $k <@i64> = 35
		.const $dbl <@double> = 2.5d`)
	c.load(`.funcdef $set VERSION %v <@one> { %e(<@i64> %x): %r = NEW <@i64> %i = GETIREF <@i64> %r STORE <@i64> %i %x STORE <@ri> $cell %r RET %x }
		.funcdef $get VERSION %v <@get> { %e(): %r = LOAD <@ri> $cell %i = GETIREF <@i64> %r %x = LOAD <@i64> %i
			%a = EXTRACTVALUE <$p 0> $pair %b = EXTRACTVALUE <$p 1> $pair %ab = ADD <@i64> %a %b %s = ADD <@i64> %x %ab
			%d = FPTOSI <@double @i64> $dbl %t = ADD <@i64> %s %d RET %t }`)
	c.expect("1000", "$set", 1000)
	if err := c.vm.GC(); err != nil {
		t.Fatal(err)
	}
	c.expect("1044", "$get")
}

// An exception crosses frames of several bundles.
func TestExceptions(t *testing.T) {
	c := newClient(t)
	c.load(`.funcdef $throw VERSION %v <@one> { %e(<@i64> %x): %r = NEW <@i64> %i = GETIREF <@i64> %r STORE <@i64> %i %x
		%v = REFCAST <@ri @rv> %r THROW %v }`)
	c.load(`.funcdef $through VERSION %v <@one> { %e(<@i64> %x): %y = CALL <@one> $throw(%x) RET %y }`)
	c.load(`.funcdef $catch VERSION %v <@one> { %e(<@i64> %x): %y = CALL <@one> $through(%x) EXC(%ok(%y) %bad())
		%ok(<@i64> %y): RET @0
		%bad() [%exc]: %r = REFCAST <@rv @ri> %exc %i = GETIREF <@i64> %r %z = LOAD <@i64> %i RET %z }`)
	c.expect("42", "$catch", 42)
}

// Tail calls between bundles take constant space.
func TestTailCalls(t *testing.T) {
	c := newClient(t)
	c.load(`.funcdecl $odd <@one>
		.funcdef $even VERSION %v <@one> { %e(<@i64> %x): %z = EQ <@i64> %x @0 BRANCH2 %z %yes() %no(%x)
			%yes(): RET @1
			%no(<@i64> %x): %y = SUB <@i64> %x @1 TAILCALL <@one> $odd(%y) }`)
	c.load(`.funcdef $odd VERSION %v <@one> { %e(<@i64> %x): %z = EQ <@i64> %x @0 BRANCH2 %z %yes() %no(%x)
			%yes(): RET @0
			%no(<@i64> %x): %y = SUB <@i64> %x @1 TAILCALL <@one> $even(%y) }`)
	c.expect("1", "$even", 3000000)
	c.expect("0", "$even", 3000001)
}

// Endless recursion across bundles is an exception.
func TestOverflow(t *testing.T) {
	c := newClient(t)
	c.load(`.funcdecl $b <@one> .funcdef $a VERSION %v <@one> { %e(<@i64> %x): %y = CALL <@one> $b(%x) %z = ADD <@i64> %y @1 RET %z }`)
	c.load(`.funcdef $b VERSION %v <@one> { %e(<@i64> %x): %y = CALL <@one> $a(%x) %z = ADD <@i64> %y @1 RET %z }
		.funcdef $try VERSION %v <@one> { %e(<@i64> %x): %y = CALL <@one> $a(%x) EXC(%ok(%y) %bad())
			%ok(<@i64> %y): RET %y
			%bad() [%exc]: %n = EQ <@rv> %exc @null %s = SELECT <@i1 @i64> %n @7 @2 RET %s }`)
	c.expect("7", "$try", 1)
}

// A function of a bundle runs on a stack of its own, and is swapped to.
func TestStacks(t *testing.T) {
	c := newClient(t)
	c.load(`.typedef $fs = funcref<$sig> .funcsig $sig = (@stack) -> ()
		.funcdef $gen VERSION %v <$sig> { %e(<@stack> %s): BRANCH %loop(%s @1)
			%loop(<@stack> %s <@i64> %n): %m = ADD <@i64> %n %n
				SWAPSTACK %s RET_WITH <> PASS_VALUES <@i64> (%n) EXC(%again(%s %m) %never())
			%again(<@stack> %s <@i64> %n): BRANCH %loop(%s %n)
			%never() [%x]: THROW %x }`)
	c.load(`.funcdef $sum VERSION %v <@one> { %e(<@i64> %n): %me = COMMINST @uvm.current_stack
			%s = COMMINST @uvm.new_stack <[$sig]> ($gen)
			%x = SWAPSTACK %s RET_WITH <@i64> PASS_VALUES <@stack> (%me)
			BRANCH %loop(%n %s %x)
		%loop(<@i64> %n <@stack> %s <@i64> %acc):
			%m = SUB <@i64> %n @1 %z = EQ <@i64> %m @0 BRANCH2 %z %end(%s %acc) %next(%m %s %acc)
		%next(<@i64> %n <@stack> %s <@i64> %acc):
			%x = SWAPSTACK %s RET_WITH <@i64> PASS_VALUES <> () %a = ADD <@i64> %acc %x BRANCH %loop(%n %s %a)
		%end(<@stack> %s <@i64> %acc): COMMINST @uvm.kill_stack (%s) RET %acc }`)
	c.expect("1023", "$sum", 10)
}

// A handler sees frames of a bundle, with the names and IDs that it has.
func TestTrap(t *testing.T) {
	c := newClient(t)
	c.load(`.funcdef $f VERSION %v <@one> { %entry(<@i64> %x): [%trap] TRAP <> KEEPALIVE(%x) RET %x }`)
	seen := ""
	c.vm.SetTrapHandler(func(t *mu.Ctx, th mu.ThreadRef, s mu.StackRef, wpid uint32) mu.TrapResult {
		cur, err := t.NewCursor(s)
		if err != nil {
			seen = err.Error()
			return mu.ThreadEnd{}
		}
		defer t.CloseCursor(cur)
		for _, id := range []func(mu.Cursor) (mu.ID, error){t.CurFunc, t.CurFuncVer, t.CurInst} {
			n, err := id(cur)
			name, err2 := t.Name(n)
			seen += fmt.Sprint(name, err, err2, " ")
		}
		l, err := t.DumpKeepalives(cur)
		seen += fmt.Sprint(l[0].(mu.Int).Int64(), err)
		return mu.PassValues{Stack: s}
	})
	defer c.vm.SetTrapHandler(nil)
	c.expect("5", "$f", 5)
	if want := c.own("$f<nil> <nil> $f.v<nil> <nil> $f.v.entry.trap<nil> <nil> 5 <nil>"); seen != want {
		t.Errorf("the handler saw %s, want %s", seen, want)
	}
}

// Watchpoints that are enabled before their code arrives are enabled.
func TestWatchpoint(t *testing.T) {
	c := newClient(t)
	c.vm.EnableWatchpoint(4711)
	c.load(`.funcdef $f VERSION %v <@get> { %e(): WPBRANCH 4711 %off() %on() %off(): RET @0 %on(): RET @1 }`)
	c.expect("1", "$f")
	c.vm.DisableWatchpoint(4711)
	c.expect("0", "$f")
}

// Other threads see all of a bundle or nothing of it.
func TestThreads(t *testing.T) {
	c := newClient(t)
	c.load(`.funcdef $a VERSION %v0 <@get> { %e(): RET @0 } .funcdef $b VERSION %v0 <@get> { %e(): RET @0 }
		.funcdef $differ VERSION %v <@one> { %e(<@i64> %n): BRANCH %loop(%n)
			%loop(<@i64> %n): %a = CALL <@get> $a() %b = CALL <@get> $b() %less = SLT <@i64> %b %a BRANCH2 %less %bad() %good(%n)
			%bad(): RET @1
			%good(<@i64> %n): %m = SUB <@i64> %n @1 %z = EQ <@i64> %m @0 BRANCH2 %z %end() %loop(%m)
			%end(): RET @0 }`)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			o := &client{t, c.vm, c.vm.NewContext()}
			defer o.Close()
			if i < 2 {
				o.expect("0", "$differ", 300000)
				return
			}
			for n := range 100 {
				text := fmt.Sprintf(`.const $c%d <@i64> = %d
					.funcdef $a VERSION %%w%d <@get> { %%e(): RET $c%d } .funcdef $b VERSION %%w%d <@get> { %%e(): RET $c%d }`, n, n, n, n, n, n)
				if i == 3 { // others load something else meanwhile
					text = strings.ReplaceAll(text, "$", "$other.")
				}
				err := o.LoadBundleText(o.own(text))
				if err != nil {
					t.Error(err)
				}
			}
		}()
	}
	wg.Wait()
}

// A function of a bundle is exposed, and called through its pointer.
func TestExpose(t *testing.T) {
	c := newClient(t)
	c.load(`.funcdef $f VERSION %v <@one> { %e(<@i64> %x): %k = COMMINST @uvm.native.get_cookie %y = MUL <@i64> %x %k RET %y }
		.expose $x = $f #DEFAULT @7
		.funcdef $call VERSION %v <@one> { %e(<@i64> %x): %y = CCALL #DEFAULT <@u1 @one> $x(%x) RET %y }`)
	c.expect("42", "$call", 6)
	c.load(`.funcdef $call2 VERSION %v <@one> { %e(<@i64> %x): %y = CCALL #DEFAULT <@u1 @one> $x(%x) %z = ADD <@i64> %y @1 RET %z }`)
	c.expect("43", "$call2", 6)
	if err := live.ParseUnit(); err != nil {
		t.Errorf("a bundle with a function that another one exposes: %v", err)
	}
}

// No object has the size of this type, on any port: NEW and ALLOCA go where they go if there is no room.
func TestTooLarge(t *testing.T) {
	c := newClient(t)
	c.load(`.typedef $large = array<@i64 0xfffffffffff> .const $zero <@i64> = 0
		.funcdef $new VERSION %v <@one> { %e(<@i64> %x): %o = NEW <$large> EXC(%made() %none(%x)) %made(): RET $zero %none(<@i64> %y): RET %y }
		.funcdef $alloca VERSION %v <@one> { %e(<@i64> %x): %o = ALLOCA <$large> EXC(%made() %none(%x)) %made(): RET $zero %none(<@i64> %y): RET %y }`)
	c.expect("5", "$new", 5)
	c.expect("5", "$alloca", 5)
}

// A native that the runtime serves.
func TestNative(t *testing.T) {
	c := newClient(t)
	c.load(`.typedef $fp = ufuncptr<$sig> .funcsig $sig = (@i32) -> (@i32) .const $abs <$fp> = EXTERN "abs"
		.funcdef $f VERSION %v <@one> { %e(<@i64> %x): %a = TRUNC <@i64 @i32> %x %b = CCALL #DEFAULT <$fp $sig> $abs(%a) %y = SEXT <@i32 @i64> %b RET %y }`)
	c.expect("9", "$f", -9)
	c.refuse(`.const $none <@u1> = EXTERN "no_such_symbol" .funcdef $g VERSION %v <@get> { %e(): %y = CCALL #DEFAULT <@u1 @one> $none(@1) RET %y }`,
		mu.BadBundle, "no_such_symbol")
	// The constants of a bundle have values even if no instruction uses them.
	c.load(`.typedef $q = ufuncptr<$qsig> .funcsig $qsig = (@i32) -> (@i32) .const $unused <$q> = EXTERN "abs"` +
		` .funcdef $h VERSION %v <@one> { %e(<@i64> %x): RET %x }`)
	c.refuse(`.const $none <@u1> = EXTERN "no_such_symbol" .funcdef $i VERSION %v <@one> { %e(<@i64> %x): RET %x }`, mu.BadBundle, "no_such_symbol")
}

// Bundles of other dialects are recognized by their content. Entities that they declare as the program has them are
// those of the program.
func TestDialects(t *testing.T) {
	c := newClient(t)
	c.load(`.const $five <@i64> = 5 .funcdef $mu VERSION %v <@one> { %e(<@i64> %x): %y = MUL <@i64> %x $five RET %y }`)
	// of 2014
	c.load(`.typedef @i64 = int<64> .funcsig $sig = @i64 (@i64) .funcdecl $mu <$sig>
		.const $ten <@i64> = 10
		.funcdef $old <$sig> (%x) {
			%y = CALL <$sig> $mu (%x)
			%z = ADD <@i64> %y $ten
			RET <@i64> %z
		}`)
	c.expect("45", "$old", 7)
	// the text of the representation
	c.load("program 65540 1\nfunc $ir: (int<64>) -> (int<64>)\nversion $ir.v of $ir {\n^entry(%x.1: int<64>):\n  ret %x.1\n}\n")
	c.expect("7", "$ir", 7)
	// IAL: its entry function runs when it is loaded
	c.load(`function int64 add(int64, int64) { register int64 a; register int64 b;
		block entry { a = arg.pop; b = arg.pop; a = ari.add a, b; return a; } }`)
	c.expect("42", "@text/add", 40, 2)
	// TVM, with a function as a value
	c.load(`%fib = function (%n : i32) > i32 {
		  cond_br (cmp_lt %n #i2) %small %large;
		block %small:
		  return %n;
		block %large:
		  %a = call %fib (sub %n #i1);
		  %b = call %fib (sub %n #i2);
		  return (add %a %b);
		};
		%twice = function (%f : pointer (function (i32) > i32), %n : i32) > i32 {
		  %a = call %f %n;
		  %b = call %f %a;
		  return %b;
		};
		%both = function (%n : i32) > i32 { %r = call %twice %fib %n; return %r; };`)
	c.expect("144", "@fib", 12)
	c.expect("21", "@both", 6)
	c.refuse(`%f = function (%n : i32) > i32 { return %m; };`, mu.BadBundle, "1:")
}

// Cells begin with their initial values, and thread-local ones do so in each thread.
func TestInitialValues(t *testing.T) {
	c := newClient(t)
	c.load(`program 65540 1
type $fn = () -> (int<64>)
type $s = struct<int<64> funcref<$fn>>
global $g: $s = {100:int<64> $seven}
global $h: int<64> threadlocal = 200
global $b: array<int<8> 3> = bytes "abc"
func $seven: $fn
version $seven.v of $seven {
^e():
  ret 7:int<64>
}
func $f: $fn
version $f.v of $f {
^e():
  %s: $s = load <$s> $g
  %x: int<64> = extractvalue <$s> #0 %s
  %f: funcref<$fn> = extractvalue <$s> #1 %s
  %seven: int<64> = call <$fn> %f
  %i: iref<int<64>> = threadcell <int<64>> $h
  %h: int<64> = load <int<64>> %i
  %bs: array<int<8> 3> = load <array<int<8> 3>> $b
  %b: int<8> = extractelement <array<int<8> 3> int<64>> %bs 2:int<64>
  %b64: int<64> = zext <int<8> int<64>> %b
  %xs: int<64> = add <int<64>> %x %seven
  %xsh: int<64> = add <int<64>> %xs %h
  %r: int<64> = add <int<64>> %xsh %b64
  ret %r
}
`)
	c.expect("406", "$f")
}

// A native symbol that only a constant of the bundle refers to; a later bundle uses it.
func TestNativeConstant(t *testing.T) {
	c := newClient(t)
	c.load(`.typedef $fp = ufuncptr<$sig> .funcsig $sig = (@i32) -> (@i32) .const $abs <$fp> = EXTERN "abs"`)
	c.refuse(`.const $none <$fp> = EXTERN "no_such_symbol"`, mu.BadBundle, "no_such_symbol")
	c.load(`.funcdef $f VERSION %v <@one> { %e(<@i64> %x): %a = TRUNC <@i64 @i32> %x %b = CCALL #DEFAULT <$fp $sig> $abs(%a) %y = SEXT <@i32 @i64> %b RET %y }`)
	c.expect("9", "$f", -9)
}

// No two names have one ID, whatever bundles they came with: parameters get theirs last.
func TestIDs(t *testing.T) {
	c := newClient(t)
	c.load(`.funcdef $f VERSION %v <@two> { %e(<@i64> %x <@i64> %y): RET %x }`)
	c.load(`.global $g <@i64> .global $h <@i64> .global $i <@i64>`)
	for _, name := range []string{"$f", "$f.v", "$f.v.e", "$f.v.e.x", "$f.v.e.y", "$g", "$h", "$i"} {
		id, err := c.vm.ID(c.own(name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := c.vm.Name(id); got != c.own(name) {
			t.Errorf("%d is the ID of %s, and its name is %s, %v", id, c.own(name), got, err)
		}
	}
}

// Bundles that are redefined and run no more are unloaded: what 3,000 of them take is less than what each takes
// alone. One that runs stays, with what it refers to.
func TestUnload(t *testing.T) {
	c := newClient(t)
	c.load(`.funcdef $g VERSION %v <@one> { %e(<@i64> %x): RET %x }
		.funcdef $f VERSION %v <@one> { %e(<@i64> %x): [%here] TRAP <> KEEPALIVE(%x) %y = CALL <@one> $g(%x) RET %y }`)
	load := func(from, to int) {
		c := newClient(t)
		for i := from; i < to; i++ {
			c.load(fmt.Sprintf(`.funcdef $g VERSION %%v%d <@one> { %%e(<@i64> %%x): %%y = ADD <@i64> %%x @1 RET %%y }
				.funcdef $f VERSION %%v%d <@one> { %%e(<@i64> %%x): %%y = CALL <@one> $g(%%x) RET %%y }`, i, i))
			if i%500 == 0 {
				c.expect("8", "$f", 7)
				if err := c.vm.GC(); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	c.vm.SetTrapHandler(func(x *mu.Ctx, th mu.ThreadRef, s mu.StackRef, wpid uint32) mu.TrapResult {
		load(1, 3000) // the body that has trapped is old now, and has a frame
		return mu.PassValues{Stack: s}
	})
	defer c.vm.SetTrapHandler(nil)
	c.expect("8", "$f", 7)
	if n := live.Loaded(); n > 2500 {
		t.Errorf("%d bundles are loaded", n)
	}
	runtime.GC()
	c.expect("8", "$f", 7)
}
