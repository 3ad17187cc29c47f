package live_test

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/rtlib/mu"
	"github.com/uvm2go/uvm2go/rtlib/native"
)

// interruptText is what the bundles of the tests have in common. A function calls $here just before it waits.
const interruptText = `
.global $cell <@i64> .global $word <@i64> .global $other <@i64>
.const $hour <@i64> = 3600000000000 .const $many <@i32> = 100000 .const $never <@i32> = 0
.funcdef $here VERSION %v <@none> { %e(): STORE SEQ_CST <@i64> $cell @1 RET () }
.funcdef $after VERSION %v <@none> { %e(): STORE SEQ_CST <@i64> $cell @7 RET () }
.funcdef $where VERSION %v <@get> { %e(): %x = LOAD SEQ_CST <@i64> $cell RET %x }
.funcdef $waits VERSION %v <@none> { %e(): CALL <@none> $here() %r = COMMINST @uvm.futex.wait <@i64> ($word @0) CALL <@none> $after() RET () }
`

// waits are functions that wait for ever, each called with a descriptor that nobody writes to.
var waits = map[string]string{
	"futex": `.funcdef $f VERSION %v <@one> { %e(<@i64> %x): CALL <@none> $waits() RET %x }`,
	"futex with timeout": `.funcdef $f VERSION %v <@one> { %e(<@i64> %x): CALL <@none> $here()
		%r = COMMINST @uvm.futex.wait_timeout <@i64> ($word @0 $hour) CALL <@none> $after() RET %x }`,
	"futex in a loop": `.funcdef $f VERSION %v <@one> { %e(<@i64> %x): CALL <@none> $here() BRANCH %loop()
		%loop(): %r = COMMINST @uvm.futex.wait <@i64> ($word @0) BRANCH %loop() }`,
	"requeued": `.funcdef $f VERSION %v <@one> { %e(<@i64> %x): CALL <@none> $waits() RET %x }
		.funcdef $move VERSION %v <@get> { %e(): %n = COMMINST @uvm.futex.cmp_requeue <@i64> ($word $other @0 $never) RET @7 }`,
	"sleep": `.funcsig $sig = (@i32) -> (@i32) .typedef $fp = ufuncptr<$sig> .const $sleep <$fp> = EXTERN "sleep"
		.funcdef $f VERSION %v <@one> { %e(<@i64> %x): CALL <@none> $here() %r = CCALL #DEFAULT <$fp $sig> $sleep($many) CALL <@none> $after() RET %x }`,
	"usleep": `.funcsig $sig = (@i32) -> (@i32) .typedef $fp = ufuncptr<$sig> .const $usleep <$fp> = EXTERN "usleep" .const $most <@i32> = 0xffffffff
		.funcdef $f VERSION %v <@one> { %e(<@i64> %x): CALL <@none> $here() %r = CCALL #DEFAULT <$fp $sig> $usleep($most) CALL <@none> $after() RET %x }`,
	"nanosleep": `.typedef $word2 = uptr<@void> .typedef $ts = struct<$word2 $word2> .typedef $its = iref<$ts> .typedef $pts = uptr<$ts> .global $time <$ts>
		.funcsig $sig = ($pts $pts) -> (@i32) .typedef $fp = ufuncptr<$sig> .const $nanosleep <$fp> = EXTERN "nanosleep" .const $sec <$word2> = 100000 .const $no <$pts> = 0
		.funcdef $f VERSION %v <@one> { %e(<@i64> %x): %s = GETFIELDIREF <$ts 0> $time STORE <$word2> %s $sec %p = COMMINST @uvm.native.pin <$its> ($time)
			CALL <@none> $here() %r = CCALL #DEFAULT <$fp $sig> $nanosleep(%p $no) CALL <@none> $after() RET %x }`,
	"coroutine": `.funcdef $f VERSION %v <@one> { %e(<@i64> %x): %s = COMMINST @uvm.new_stack <[@none]> ($waits)
		SWAPSTACK %s RET_WITH <> PASS_VALUES <> () RET %x }`,
	// The thread of the call gives the caller's stack to another thread, and ends.
	"other thread": `.funcsig $gives.sig = (@stack) -> ()
		.funcdef $gives VERSION %v <$gives.sig> { %e(<@stack> %s): %t = NEWTHREAD %s PASS_VALUES <> () COMMINST @uvm.thread_exit }
		.funcdef $f VERSION %v <@one> { %e(<@i64> %x): %me = COMMINST @uvm.current_stack %s = COMMINST @uvm.new_stack <[$gives.sig]> ($gives)
		SWAPSTACK %s RET_WITH <> PASS_VALUES <@stack> (%me) CALL <@none> $waits() RET %x }`,
	"native that calls back": `.typedef $p = uptr<@void> .funcsig $compare.sig = ($p $p) -> (@i32) .typedef $compare.fp = ufuncptr<$compare.sig>
		.funcsig $sig = ($p @i64 @i64 $compare.fp) -> () .typedef $fp = ufuncptr<$sig> .const $qsort <$fp> = EXTERN "qsort"
		.funcdef $compare VERSION %v <$compare.sig> { %e(<$p> %a <$p> %b): CALL <@none> $waits() RET $never }
		.expose $x.compare = $compare #DEFAULT @0 .typedef $pair = array<@i64 2> .typedef $ipair = iref<$pair> .typedef $ppair = uptr<$pair> .global $two <$pair> .const $8 <@i64> = 8
		.funcdef $f VERSION %v <@one> { %e(<@i64> %x): %q = COMMINST @uvm.native.pin <$ipair> ($two) %p = PTRCAST <$ppair $p> %q
			CCALL #DEFAULT <$fp $sig> $qsort(%p @2 $8 $x.compare) RET %x }`,
	"read": `.typedef $p = uptr<@i64> .funcsig $sig = (@i32 $p @i64) -> (@i64) .typedef $fp = ufuncptr<$sig> .const $read <$fp> = EXTERN "read"
		.funcdef $f VERSION %v <@one> { %e(<@i64> %x): %p = COMMINST @uvm.native.pin <@ii> ($word) %fd = TRUNC <@i64 @i32> %x
			CALL <@none> $here() %r = CCALL #DEFAULT <$fp $sig> $read(%fd %p @1) CALL <@none> $after() RET %x }`,
}

// TestInterruptWaits ends calls that wait. What follows the wait does not run, and the context can be used again.
func TestInterruptWaits(t *testing.T) {
	for name, text := range waits {
		t.Run(name, func(t *testing.T) {
			if name == "read" && runtime.GOOS != "linux" {
				t.Skip("a read ends first")
			}
			c, d := newClient(t), newClient(t)
			c.load(interruptText + text)
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			defer w.Close()
			ended := make(chan string)
			go func() { ended <- d.call("$f", int(r.Fd())) }()
			c.await("$where", "1")
			time.Sleep(5 * time.Millisecond)
			if strings.Contains(text, "$move ") {
				c.expect("7", "$move")
			}
			d.Interrupt()
			if got := <-ended; !strings.HasPrefix(got, "E_INTERRUPTED") {
				t.Errorf("the call: %s", got)
			}
			c.expect("1", "$where")
			d.expect("1", "$where")
		})
	}
}

// await waits until a function has a result.
func (c *client) await(name, want string) {
	for c.call(name) != want {
		time.Sleep(time.Millisecond)
	}
}

// The thread that a call began on goes on when the call has left it.
func TestInterruptLeftThread(t *testing.T) {
	c, d := newClient(t), newClient(t)
	c.load(interruptText + `.funcsig $gives.sig = (@stack) -> ()
		.funcdef $gives VERSION %v <$gives.sig> { %e(<@stack> %s): %t = NEWTHREAD %s PASS_VALUES <> () BRANCH %loop()
			%loop(): %x = LOAD SEQ_CST <@i64> $other %stop = EQ <@i64> %x @1 BRANCH2 %stop %end() %loop()
			%end(): STORE SEQ_CST <@i64> $other @2 COMMINST @uvm.thread_exit }
		.funcdef $f VERSION %v <@one> { %e(<@i64> %x): %me = COMMINST @uvm.current_stack %s = COMMINST @uvm.new_stack <[$gives.sig]> ($gives)
			SWAPSTACK %s RET_WITH <> PASS_VALUES <@stack> (%me) CALL <@none> $waits() RET %x }
		.funcdef $stop VERSION %v <@get> { %e(): STORE SEQ_CST <@i64> $other @1 RET @1 }
		.funcdef $stopped VERSION %v <@get> { %e(): %x = LOAD SEQ_CST <@i64> $other RET %x }`)
	ended := make(chan string)
	go func() { ended <- d.call("$f", 0) }()
	c.await("$where", "1")
	d.Interrupt()
	if got := <-ended; !strings.HasPrefix(got, "E_INTERRUPTED") {
		t.Errorf("the call: %s", got)
	}
	c.expect("1", "$stop")
	c.await("$stopped", "2")
	select {
	case err := <-threadErrors:
		t.Error(err)
	default:
	}
}

// A bundle whose start hook does not return is loaded, and its function can be called.
func TestInterruptLoading(t *testing.T) {
	c, d := newClient(t), newClient(t)
	c.load(interruptText)
	ended := make(chan error)
	go func() {
		ended <- d.LoadBundleText(d.own(`program 65540 1
hook start $starts
func $waits: () -> ()
func $starts: () -> ()
version $starts.v of $starts {
^e():
  call <() -> ()> $waits
  ret
}
func $f: () -> (int<64>)
version $f.v of $f {
^e():
  ret 7:int<64>
}
`))
	}()
	c.await("$where", "1")
	d.Interrupt()
	if err := <-ended; !errors.Is(err, mu.Interrupted) {
		t.Error(err)
	}
	d.expect("7", "$f")
}

// A native of the client and a trap handler return before the call ends; what follows them does not run.
func TestInterruptLater(t *testing.T) {
	blocked, release := make(chan bool), make(chan bool)
	block := func() { blocked <- true; <-release }
	if err := native.Register("live_test_block", block); err != nil {
		t.Fatal(err)
	}
	c := newClient(t)
	c.vm.SetTrapHandler(func(ctx *mu.Ctx, th mu.ThreadRef, st mu.StackRef, wpid uint32) mu.TrapResult {
		block()
		return mu.PassValues{Stack: st}
	})
	defer c.vm.SetTrapHandler(nil)
	c.load(interruptText + `.typedef $fp = ufuncptr<@none> .const $block <$fp> = EXTERN "live_test_block"
		.funcdef $native VERSION %v <@get> { %e(): CCALL #DEFAULT <$fp @none> $block() CALL <@none> $after() RET @1 }
		.funcdef $last VERSION %v <@none> { %e(): CCALL #DEFAULT <$fp @none> $block() RET () }
		.funcdef $trap VERSION %v <@get> { %e(): [%t] TRAP <> CALL <@none> $after() RET @1 }`)
	for _, name := range []string{"$native", "$last", "$trap"} {
		d := newClient(t)
		ended := make(chan string)
		go func() { ended <- d.call(name) }()
		<-blocked
		d.Interrupt()
		select {
		case got := <-ended:
			t.Errorf("%s has not waited: %s", name, got)
		case <-time.After(20 * time.Millisecond):
		}
		release <- true
		if got := <-ended; !strings.HasPrefix(got, "E_INTERRUPTED") {
			t.Errorf("%s: %s", name, got)
		}
		d.expect("0", "$where")
	}
}
