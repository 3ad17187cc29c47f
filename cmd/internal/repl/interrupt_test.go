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

// TestInterrupt presses Ctrl-C while a call runs for ever: the call ends, and the session continues.
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
@spin()
:type @seven
`)}
	if loaded, err := s.Run(nil); !loaded || err != nil {
		t.Fatal(loaded, err)
	}
	if got := errs.String(); !strings.Contains(got, "INTERRUPTED") || !strings.Contains(got, "@spin (<stdin>:3)") {
		t.Errorf("errors %q", got)
	}
	if got := out.String(); !strings.Contains(got, "() -> (int<64>)") {
		t.Errorf("output %q", got)
	}
}
