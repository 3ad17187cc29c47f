package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// hotBundles are loaded by a program whose exit status is the result of their function @f for 1. Their functions get compiled bodies
// while they run: recursion, objects and exceptions, an error with its trace.
var hotBundles = map[string]struct {
	status int // fib(39), 40000 * 1000*1001/2 / 1000, a run-time error, see below
	text   string
	loop   bool // the hot code is a loop that is running when the compiled code arrives: execution continues there
}{
	"fib": {63245986 % 256, `.const @two <@i64> = 2 .const @n <@i64> = 39
.funcdef @fib VERSION %v <@one> {
  %e(<@i64> %n): %c = SLT <@i64> %n @two BRANCH2 %c %z(%n) %go(%n)
  %z(<@i64> %n): RET %n
  %go(<@i64> %n):
    %a = SUB <@i64> %n @1
    %b = SUB <@i64> %n @two
    %x = CALL <@one> @fib (%a)
    %y = CALL <@one> @fib (%b)
    %s = ADD <@i64> %x %y
    RET %s
}
.funcdef @f VERSION %v <@one> { %e(<@i64> %x): %r = CALL <@one> @fib (@n) RET %r }
`, false},
	// Each round makes a list of 1,000 nodes, throws it, and sums what it has caught.
	"lists": {40000 * 1001 / 2 % 256, `.const @1000 <@i64> = 1000 .const @rounds <@i64> = 40000
.typedef @node = struct<@next @i64> .typedef @next = ref<@node> .const @nil <@next> = NULL .typedef @void = void .typedef @any = ref<@void>
.global @sum <@i64> .typedef @list.f = funcref<@list> .funcsig @list = (@i64) -> (@next)
.funcdef @make VERSION %v <@list> {
  %e(<@i64> %n): BRANCH %loop(%n @nil)
  %loop(<@i64> %n <@next> %l): %z = EQ <@i64> %n @zero BRANCH2 %z %done(%l) %more(%n %l)
  %more(<@i64> %n <@next> %l):
    %o = NEW <@node>
    %i = GETIREF <@node> %o
    %a = GETFIELDIREF <@node 0> %i
    STORE <@next> %a %l
    %b = GETFIELDIREF <@node 1> %i
    STORE <@i64> %b %n
    %m = SUB <@i64> %n @1
    BRANCH %loop(%m %o)
  %done(<@next> %l): THROW %l
}
.funcdef @round VERSION %v <@one> {
  %e(<@i64> %n): %l = CALL <@list> @make (%n) EXC(%no(%n) %caught())
  %no(<@i64> %n): RET %n
  %caught() [%x]: %l = REFCAST <@any @next> %x BRANCH %loop(%l @zero)
  %loop(<@next> %l <@i64> %s): %z = EQ <@next> %l @nil BRANCH2 %z %done(%s) %more(%l %s)
  %more(<@next> %l <@i64> %s):
    %i = GETIREF <@node> %l
    %a = GETFIELDIREF <@node 0> %i
    %m = LOAD <@next> %a
    %b = GETFIELDIREF <@node 1> %i
    %v = LOAD <@i64> %b
    %t = ADD <@i64> %s %v
    BRANCH %loop(%m %t)
  %done(<@i64> %s): %o = LOAD <@i64> @sum %p = ADD <@i64> %o %s STORE <@i64> @sum %p RET %s
}
.funcdef @f VERSION %v <@one> {
  %e(<@i64> %x): BRANCH %loop(@rounds)
  %loop(<@i64> %k): %r = CALL <@one> @round (@1000) %m = SUB <@i64> %k @1 %z = EQ <@i64> %m @zero BRANCH2 %z %done() %loop(%m)
  %done(): %s = LOAD <@i64> @sum %h = UDIV <@i64> %s @1000 RET %h
}
`, true},
	"error": {4, `.const @100m <@i64> = 100000000 .const @rounds <@i64> = 1000000
.funcdef @inverse VERSION %v <@one> {
  %e(<@i64> %x):
    %q = SDIV <@i64> @100m %x
    RET %q
}
.funcdef @part VERSION %v <@one> {
  %e(<@i64> %x): BRANCH %loop(%x @zero)
  %loop(<@i64> %x <@i64> %k):
    %a = CALL <@one> @inverse (%x)
    %l = ADD <@i64> %k @1
    %z = EQ <@i64> %l @1000
    BRANCH2 %z %done(%a) %loop(%x %l)
  %done(<@i64> %a): RET %a
}
.const @1000 <@i64> = 1000 .const @n <@i64> = 60000
.funcdef @f VERSION %v <@one> {
  %e(<@i64> %x): BRANCH %loop(@n)
  %loop(<@i64> %k): %r = CALL <@one> @part (%k) %m = SUB <@i64> %k @1 BRANCH %loop(%m)
}
`, true},
	// One call does all the work: each round makes an array of 100 numbers and adds k*i to its element i, k from 0 to 99, through
	// an address that is not stored. Its last sum is 100*99/2 * 100*99/2 / 100.
	"loop": {99 * 99 * 25 % 256, `.const @rounds <@i64> = 40000 .const @100 <@i64> = 100
.typedef @array = array<@i64 100> .typedef @box = ref<@array>
.funcdef @f VERSION %v <@one> {
  %e(<@i64> %x): BRANCH %round(@zero %x)
  %round(<@i64> %r <@i64> %old):
    %o = NEW <@array>
    %p = GETIREF <@array> %o
    BRANCH %outer(%r %p %o @zero)
  %outer(<@i64> %r <@at> %p <@box> %o <@i64> %k): BRANCH %inner(%r %p %o %k @zero)
  %inner(<@i64> %r <@at> %p <@box> %o <@i64> %k <@i64> %i):
    %a = GETELEMIREF <@array @i64> %p %i
    %v = LOAD <@i64> %a
    %m = MUL <@i64> %k %i
    %w = ADD <@i64> %v %m
    STORE <@i64> %a %w
    %i2 = ADD <@i64> %i @1
    %c = SLT <@i64> %i2 @100
    BRANCH2 %c %inner(%r %p %o %k %i2) %next(%r %p %o %k)
  %next(<@i64> %r <@at> %p <@box> %o <@i64> %k):
    %k2 = ADD <@i64> %k @1
    %c = SLT <@i64> %k2 @100
    BRANCH2 %c %outer(%r %p %o %k2) %sum(%r %p %o @zero @zero)
  %sum(<@i64> %r <@at> %p <@box> %o <@i64> %i <@i64> %s):
    %a = GETELEMIREF <@array @i64> %p %i
    %v = LOAD <@i64> %a
    %t = ADD <@i64> %s %v
    %i2 = ADD <@i64> %i @1
    %c = SLT <@i64> %i2 @100
    BRANCH2 %c %sum(%r %p %o %i2 %t) %last(%r %t)
  %last(<@i64> %r <@i64> %t):
    %r2 = ADD <@i64> %r @1
    %c = SLT <@i64> %r2 @rounds
    BRANCH2 %c %round(%r2 %t) %done(%t)
  %done(<@i64> %t): %h = UDIV <@i64> %t @100 RET %h
}
.typedef @at = iref<@array>
`, true},
}

// TestLongUnit checks that compiling hot functions while a program runs does not change what the program does, and that a second
// start uses the plugin that the first one made.
func TestLongUnit(t *testing.T) {
	longtest.Only(t)
	if runtime.GOOS != "linux" || strings.TrimSpace(scripttest.GoEnv(t, "CGO_ENABLED")) != "1" {
		t.Skip("needs plugins")
	}
	a, err := txtar.ParseFile("../../testscripts/bundle_code.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var prog string
	for _, f := range a.Files {
		if f.Name == "prog.uir" {
			prog = filepath.Join(dir, f.Name)
			if err := os.WriteFile(prog, f.Data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	uvm2go := scripttest.Command(t)
	exe := filepath.Join(dir, "prog")
	cache := filepath.Join(dir, "cache")
	env := append(os.Environ(), "PATH="+scripttest.Path(uvm2go), "UVM2GO_CACHE="+cache)
	build := exec.Command(uvm2go, "build", "-tier2", "-o", exe, prog)
	build.Env = env
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	said := regexp.MustCompile(`(?m)^uvm: live: .*\n`)
	run := func(debug, bundle string) (outcome, live string) {
		cmd := exec.Command(exe, "b"+bundle, "h.init @slot = @f")
		var errs bytes.Buffer
		cmd.Stderr, cmd.Env = &errs, append(env, "UVMDEBUG="+debug)
		status := scripttest.Status(t, cmd)
		return fmt.Sprintf("status %d\n%s", status, said.ReplaceAll(errs.Bytes(), nil)), strings.Join(said.FindAllString(errs.String(), -1), "")
	}
	for name, bundle := range hotBundles {
		t.Run(name, func(t *testing.T) {
			want, live := run("live=1,tier1=1", bundle.text)
			if !strings.HasPrefix(want, fmt.Sprintf("status %d\n", bundle.status)) {
				t.Errorf("want status %d, %s", bundle.status, want)
			}
			if live != "" {
				t.Errorf("with tier1=1: %s", live)
			}
			before := scripttest.Plugins(t, cache)
			if got, _ := run("live=1", bundle.text); got != want {
				t.Errorf("first run: %s\nwant %s", got, want)
			}
			scripttest.AwaitPlugin(t, cache, before)
			got, live := run("live=1", bundle.text)
			if got != want {
				t.Errorf("compiled: %s\nwant %s", got, want)
			}
			if !strings.Contains(live, " is compiled\n") {
				t.Errorf("nothing was compiled: %s", live)
			}
			if moved := strings.Contains(live, "a loop of @f goes on in compiled code\n"); moved != bundle.loop {
				t.Errorf("a loop went on in compiled code: %t, want %t: %s", moved, bundle.loop, live)
			}
			if name == "loop" { // the other programs allocate too much
				if got, live := run("live=1,gcstress=1,gcverify=1,clobberfree=1", bundle.text); got != want || !strings.Contains(live, "goes on in compiled code") {
					t.Errorf("under stress: %s%s\nwant %s", got, live, want)
				}
			}
		})
	}
}
