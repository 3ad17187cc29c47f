package live_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/live"
	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// TestSandbox loads bundles in a process whose VM has a sandbox: only code that stays in its own memory, and calls no native
// function but those of the list, is accepted.
func TestSandbox(t *testing.T) {
	if os.Getenv("UVM2GO_TEST_SANDBOX") != "" {
		sandboxed()
		os.Exit(0)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestSandbox$")
	cmd.Env = append(os.Environ(), "UVM2GO_TEST_SANDBOX=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if want := "plain: ok 42\n"; !strings.Contains(string(out), want) {
		t.Errorf("no %q in\n%s", want, out)
	}
	for name, want := range map[string]string{
		"native":  `native symbol "getenv" is not allowed; -sandbox-allow getenv allows it`,
		"pointer": "PTRCAST makes a pointer from a number; a pointer comes from @uvm.native.pin",
		"shift":   "nothing checks here that the location is in its object; use constant indices, or run without -live",
		"load":    "code cannot be loaded",
	} {
		_, rest, _ := strings.Cut(string(out), name+": ")
		line, _, _ := strings.Cut(rest, "\n")
		if !strings.Contains(line, "sandbox: ") || !strings.Contains(line, want) {
			t.Errorf("%s: got %q, want %q", name, line, want)
		}
	}
}

func sandboxed() {
	vm, err := live.New(mu.Config{Sandbox: []string{}})
	if err != nil {
		fmt.Println(err)
		return
	}
	c := vm.NewContext()
	defer c.Close()
	const head = `.typedef @i64 = int<64> .typedef @p = uptr<@i64> .typedef @v = void .typedef @r = ref<@i64> .typedef @rv = ref<@v>
		.const @40 <@i64> = 40 .const @2 <@i64> = 2 .funcsig @get = () -> (@i64) .funcsig @env = (@p) -> (@p) .typedef @fp = ufuncptr<@env>`
	if err := c.LoadBundleText(head); err != nil {
		fmt.Println(err)
		return
	}
	for i, k := range []struct{ name, text string }{
		{"plain", ".funcdef @f0 VERSION %v <@get> { %e(): %x = ADD <@i64> @40 @2 RET %x }"},
		{"native", `.const @getenv <@fp> = EXTERN "getenv"`},
		{"pointer", ".funcdef @f2 VERSION %v <@get> { %e(): %q = PTRCAST <@i64 @p> @40 RET @2 }"},
		{"shift", ".funcdef @f3 VERSION %v <@get> { %e(): %o = NEW <@i64> %i = GETIREF <@i64> %o %j = SHIFTIREF <@i64 @i64> %i @40 %x = LOAD <@i64> %j RET %x }"},
		{"load", ".typedef @bytes = hybrid<@i64 @b> .typedef @b = int<8> .typedef @rb = ref<@bytes> .const @n <@rb> = NULL" +
			" .funcdef @f4 VERSION %v <@get> { %e(): COMMINST @uvm.meta.load_bundle (@n) RET @2 }"},
	} {
		err := c.LoadBundleText(k.text)
		if err != nil {
			fmt.Printf("%s: %s\n", k.name, strings.ReplaceAll(err.Error(), "\n", " "))
			continue
		}
		f, err := c.FuncNamed(fmt.Sprintf("@f%d", i))
		if err != nil {
			fmt.Println(k.name, err)
			continue
		}
		res, err := c.Call(f)
		if err != nil {
			fmt.Println(k.name, err)
			continue
		}
		fmt.Println(k.name+":", "ok", res[0].(mu.Int).Int64())
	}
}
