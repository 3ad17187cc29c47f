package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// namesC names a function of C, and calls it if the argument says so.
const namesC = `.typedef @i32 = int<32> .typedef @i8 = int<8> .typedef @text = uptr<@i8> .typedef @argv = uptr<@text>
.funcsig @main.sig = (@i32 @argv) -> (@i32) .funcsig @get = () -> (@i32) .typedef @get.fp = ufuncptr<@get> .const @1 <@i32> = 1 .const @7 <@i32> = 7
.const @getppid <@get.fp> = EXTERN "getppid"
.funcdef @main VERSION %v <@main.sig> {
  %e(<@i32> %n <@argv> %v): %c = EQ <@i32> %n @1 BRANCH2 %c %no() %call()
  %no(): RET @7
  %call(): %x = CCALL #DEFAULT <@get.fp @get> @getppid () RET %x
}
`

// TestLongLiveWithoutCgo: a command built without cgo runs a program that names a function of C; a call of it says what
// is missing. With -lib it is the same.
func TestLongLiveWithoutCgo(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	exe, file := filepath.Join(dir, "uvm2go"+scripttest.GoEnv(t, "GOEXE")), filepath.Join(dir, "names.uir")
	build := exec.Command("go", "build", "-o", exe, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.WriteFile(file, []byte(namesC), 0o666); err != nil {
		t.Fatal(err)
	}
	const want = `: calling the native symbol "getppid" needs cgo, without which this program was built: ` +
		"build it with CGO_ENABLED=1 and a C compiler, or run the bundle without -live\n"
	for _, flags := range [][]string{{"run", "-live"}, {"run", "-live", "-lib", file}} {
		if status := scripttest.Status(t, exec.Command(exe, append(flags, file)...)); status != 7 {
			t.Errorf("%v: exit status %d, want 7", flags, status)
		}
		cmd := exec.Command(exe, append(flags, file, "--", "call")...)
		var errs strings.Builder
		cmd.Stderr = &errs
		if status := scripttest.Status(t, cmd); status != 4 || !strings.Contains(errs.String(), want) {
			t.Errorf("%v: exit status %d with %s, want 4 with %s", flags, status, errs.String(), want)
		}
	}
}
