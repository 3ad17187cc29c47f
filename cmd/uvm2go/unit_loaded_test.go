package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// loadedClient loads bundles and calls a function of theirs, with one argument, until the bundle has been compiled, and then once more.
const loadedClient = `package main

import (
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/uvm2go/uvm2go/rtlib/live"
	_ "github.com/uvm2go/uvm2go/rtlib/live/tier2"
	"github.com/uvm2go/uvm2go/rtlib/mu"
)

func main() {
	other, err := live.New(mu.Config{}) // the bundles are compiled for a further VM; the first has its own
	check(err)
	vm, err := live.New(mu.Config{})
	check(err)
	c := vm.NewContext()
	for _, file := range strings.Split(os.Args[1], ",") {
		text, err := os.ReadFile(file)
		check(err)
		check(other.NewContext().LoadBundleText(string(text)))
		check(c.LoadBundleText(string(text)))
	}
	f, err := c.FuncNamed(os.Args[2])
	check(err)
	compiled, deadline := false, time.Now().Add(10*time.Minute)
	for last := false; ; last = compiled {
		arg, err := c.Literals(f, os.Args[3])
		check(err)
		r, err := c.Call(f, arg[0])
		check(err)
		if got := fmt.Sprint(r); got != os.Args[4] {
			log.Fatalf("compiled: %t, got %s, want %s", compiled, got, os.Args[4])
		}
		if last {
			return
		}
		if time.Now().After(deadline) {
			log.Fatal("not compiled")
		}
		said, err := os.ReadFile(os.Args[5])
		check(err)
		compiled = strings.Contains(string(said), " is compiled\n")
		if strings.Contains(string(said), " stays on the engine") {
			log.Fatal("stays on the engine")
		}
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
`

const loadedHead = `.typedef @i64 = int<64> .typedef @i32 = int<32> .typedef @d = double .funcsig @one = (@i64) -> (@i64)
.const @zero <@i64> = 0 .const @1 <@i64> = 1 .const @100 <@i64> = 100 .const @z32 <@i32> = 0
`

// loadedBundles are bundles of each dialect, and with what a unit shares with the program that loads it: native functions,
// exposed functions and watchpoints.
var loadedBundles = []struct {
	name, text, function, arg, want string
}{
	// abs(-n) for n from 200,000 down to 1
	{"natives", loadedHead + `.typedef @fp = ufuncptr<@sig> .funcsig @sig = (@i32) -> (@i32) .const @abs <@fp> = EXTERN "abs"
.funcdef @f VERSION %v <@one> {
  %e(<@i64> %n): BRANCH %loop(%n @zero)
  %loop(<@i64> %n <@i64> %s):
    %t = TRUNC <@i64 @i32> %n
    %m = SUB <@i32> @z32 %t
    %a = CCALL #DEFAULT <@fp @sig> @abs(%m)
    %w = SEXT <@i32 @i64> %a
    %s2 = ADD <@i64> %s %w
    %n2 = SUB <@i64> %n @1
    %c = EQ <@i64> %n2 @zero
    BRANCH2 %c %done(%s2) %loop(%n2 %s2)
  %done(<@i64> %s): RET %s
}
`, "@f", "200000", "[20000100000]"},
	// 2n+cookie for the same n, through a pointer
	{"exposed", loadedHead + `.const @cookie <@i64> = 7 .expose @twice.x = @twice #DEFAULT @cookie .typedef @fp = ufuncptr<@one>
.funcdef @twice VERSION %v <@one> {
  %e(<@i64> %x): %y = ADD <@i64> %x %x %c = COMMINST @uvm.native.get_cookie %z = ADD <@i64> %y %c RET %z
}
.funcdef @f VERSION %v <@one> {
  %e(<@i64> %n): BRANCH %loop(%n @zero)
  %loop(<@i64> %n <@i64> %s):
    %a = CCALL #DEFAULT <@fp @one> @twice.x(%n)
    %s2 = ADD <@i64> %s %a
    %n2 = SUB <@i64> %n @1
    %c = EQ <@i64> %n2 @zero
    BRANCH2 %c %done(%s2) %loop(%n2 %s2)
  %done(<@i64> %s): RET %s
}
`, "@f", "200000", "[40001600000]"},
	// n rounds with the watchpoint off count 1 each, n with it on 100
	{"watchpoints", loadedHead + `.const @w <@i32> = 5
.funcdef @part VERSION %v <@one> {
  %e(<@i64> %n): BRANCH %loop(%n @zero)
  %loop(<@i64> %n <@i64> %s): WPBRANCH 5 %off(%n %s) %on(%n %s)
  %off(<@i64> %n <@i64> %s): %s2 = ADD <@i64> %s @1 BRANCH %next(%n %s2)
  %on(<@i64> %n <@i64> %s): %s2 = ADD <@i64> %s @100 BRANCH %next(%n %s2)
  %next(<@i64> %n <@i64> %s):
    %n2 = SUB <@i64> %n @1
    %c = EQ <@i64> %n2 @zero
    BRANCH2 %c %done(%s) %loop(%n2 %s)
  %done(<@i64> %s): RET %s
}
.funcdef @f VERSION %v <@one> {
  %e(<@i64> %n):
    COMMINST @uvm.meta.disable_watchpoint (@w)
    %a = CALL <@one> @part (%n)
    COMMINST @uvm.meta.enable_watchpoint (@w)
    %b = CALL <@one> @part (%n)
    %c = ADD <@i64> %a %b
    RET %c
}
`, "@f", "200000", "[20200000]"},
	{"uvm2014", `.typedef @i64 = int<64> .funcsig @one = @i64 (@i64) .const @zero <@i64> = 0 .const @1 <@i64> = 1
.funcdef @f <@one> (%n) {
  %e: BRANCH %loop
  %loop:
    %k = PHI <@i64> { %e: %n; %loop: %k2; }
    %s = PHI <@i64> { %e: @zero; %loop: %s2; }
    %s2 = ADD <@i64> %s %k
    %k2 = SUB <@i64> %k @1
    %c = EQ <@i64> %k2 @zero
    BRANCH2 %c %done %loop
  %done: RET <@i64> %s2
}
`, "@f", "1000000", "[500000500000]"},
	{"ial", `function int64 fib(int64) {
  register int64 n; register int64 two; register int64 one; register int64 a; register int64 b; register uint small;
  block entry {
    n = arg.pop;
    two = load.i64 (2);
    one = load.i64 (1);
    small = cmp.lt n, two;
    jump.cond small (last, more);
  }
  block last { return n; }
  block more {
    a = ari.sub n, one;
    arg.push a;
    a = call (fib);
    b = ari.sub n, two;
    arg.push b;
    b = call (fib);
    a = ari.add a, b;
    return a;
  }
}
`, "@text/fib", "27", "[196418]"},
	{"tvm", `%fib = function (%n : i64) > i64 {
  cond_br (cmp_lt %n #l2) %small %large;
block %small:
  return %n;
block %large:
  %a = call %fib (sub %n #l1);
  %b = call %fib (sub %n #l2);
  return (add %a %b);
};
`, "@fib", "27", "[196418]"},
}

// objectBundles are two bundles, one of which makes objects that the other accepts by their type: the number of a type is the
// same in two units, and on the engine.
var objectBundles = [2]string{`type node { field int64 v; field node& next; }
function node& make(int64) {
  register node& r; register int64 n;
  block entry { n = arg.pop; r = mem.new; field.set r, n (node:v); return r; }
}
`, `function int64 get(node&) {
  register node& r; register int64 n;
  block entry { r = arg.pop; n = field.get r (node:v); return n; }
}
function int64 both(int64) {
  register node& r; register int64 n;
  block entry { n = arg.pop; arg.push n; r = call (make); arg.push r; n = call (get); return n; }
}
`}

// clientModule makes the module of a Go program that uses the runtime, and returns its folder and a function that writes more
// files there.
func clientModule(tb testing.TB, program string) (dir string, write func(name, text string) (file string)) {
	dir = tb.TempDir()
	write = func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			tb.Fatal(err)
		}
		return file
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		tb.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		tb.Fatal(err)
	}
	write("go.sum", string(sums))
	write("go.mod", fmt.Sprintf("module client\n\ngo 1.26\n\nrequire github.com/uvm2go/uvm2go v0.0.0\n\nreplace github.com/uvm2go/uvm2go => %s\n", root))
	write("main.go", program)
	return dir, write
}

// TestLongUnitLoaded checks that bundles of all dialects, and what they share with the program, are compiled as they run in a Go
// program that has nothing but the engine.
func TestLongUnitLoaded(t *testing.T) {
	longtest.Only(t)
	if runtime.GOOS != "linux" || strings.TrimSpace(scripttest.GoEnv(t, "CGO_ENABLED")) != "1" {
		t.Skip("needs plugins")
	}
	dir, write := clientModule(t, loadedClient)
	build := exec.Command("go", "build", "-o", "client", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	env := append(os.Environ(), "PATH="+scripttest.Path(scripttest.Command(t)), "UVM2GO_CACHE="+filepath.Join(dir, "cache"))
	run := func(t *testing.T, name, mode, files, function, arg, want string) {
		stderr, err := os.Create(filepath.Join(dir, name+".err"))
		if err != nil {
			t.Fatal(err)
		}
		defer stderr.Close()
		cmd := exec.Command(filepath.Join(dir, "client"), files, function, arg, want, stderr.Name())
		cmd.Stderr, cmd.Env = stderr, append(slices.Clone(env), "UVMDEBUG="+mode)
		if err := cmd.Run(); err != nil {
			said, _ := os.ReadFile(stderr.Name())
			t.Fatalf("%v\n%s", err, bytes.TrimSpace(said))
		}
	}
	for _, b := range loadedBundles {
		t.Run(b.name, func(t *testing.T) { run(t, b.name, "live=1", write(b.name, b.text), b.function, b.arg, b.want) })
	}
	t.Run("objects", func(t *testing.T) {
		files := write("make", objectBundles[0]) + "," + write("get", objectBundles[1])
		run(t, "objects", "live=1,tier2=1", files, "@text/both", "42", "[42]")
	})
}
