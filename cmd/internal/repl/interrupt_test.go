//go:build unix

package repl

import (
	"bytes"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestInterrupt presses Ctrl-C while calls run or wait for ever: the call ends, and the session continues.
func TestInterrupt(t *testing.T) {
	ignored := make(chan os.Signal, 1) // what comes before the call or after it, which would end the process
	signal.Notify(ignored, os.Interrupt)
	defer signal.Stop(ignored)
	over := make(chan struct{})
	defer close(over)
	go func() {
		for {
			select {
			case <-time.After(5 * time.Millisecond):
				syscall.Kill(syscall.Getpid(), syscall.SIGINT)
			case <-over:
				return
			}
		}
	}()
	var out, errs bytes.Buffer
	s := Session{Name: "<stdin>", Out: &out, Errs: &errs, Prompt: true, In: strings.NewReader(`.typedef @i64 = int<64> .funcsig @v = () -> () .funcsig @i = () -> (@i64) .const @7 <@i64> = 7

.funcdef @spin VERSION %v <@v> { %entry(): BRANCH %loop() %loop(): BRANCH %loop() }
.funcdef @seven VERSION %v <@i> { %entry(): RET @7 }
.typedef @i32 = int<32> .funcsig @sleep.sig = (@i32) -> (@i32) .typedef @sleep.fp = ufuncptr<@sleep.sig> .const @sleep <@sleep.fp> = EXTERN "sleep"
.global @word <@i64> .const @0 <@i64> = 0 .const @long <@i32> = 1000000
.funcdef @futex VERSION %v <@v> { %entry(): %r = COMMINST @uvm.futex.wait <@i64> (@word @0) RET () }
.funcdef @sleeps VERSION %v <@v> { %entry(): %r = CCALL #DEFAULT <@sleep.fp @sleep.sig> @sleep (@long) RET () }
@spin()
@futex()
@sleeps()
:type @seven
`)}
	if loaded, err := s.Run(nil); !loaded || err != nil {
		t.Fatal(loaded, err)
	}
	got := errs.String()
	for _, f := range []string{"@spin (<stdin>:3)", "@futex (<stdin>:7)", "@sleeps (<stdin>:8)"} {
		if !strings.Contains(got, f) {
			t.Errorf("errors %q, want %s", got, f)
		}
	}
	if strings.Count(got, "INTERRUPTED") != 3 {
		t.Errorf("errors %q", got)
	}
	if got := out.String(); !strings.Contains(got, "() -> (@i64)") {
		t.Errorf("output %q", got)
	}
}
