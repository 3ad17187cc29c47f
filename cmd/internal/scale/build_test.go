package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// buildFamilies are families of bundles in Mu text that are translated and built.
var buildFamilies = []family{
	{"wide switch", 8000, func(n int) string {
		return line(n, ".const @k# <@i64> = #") + fn("i_i", "%e(<@i64> %x): SWITCH <@i64> %x %r(%x) {\n"+line(n, "@k# %b#(%x)")+"}\n"+
			line(n, "%b#(<@i64> %x):\n%y = MUL <@i64> %x %x\n%z = ADD <@i64> %y @k#\nBRANCH %r(%z)")+"%r(<@i64> %x): RET %x\n")
	}},
	{"interpreter loop", 3200, func(n int) string {
		return line(n, ".const @k# <@i64> = #") + ".funcsig @s = (@ii @i64) -> (@i64)\n" +
			fn("s", "%e(<@ii> %p <@i64> %a): BRANCH %l(%p %a)\n%l(<@ii> %p <@i64> %a):\n%op = LOAD <@i64> %p\n%q = SHIFTIREF <@i64 @i64> %p @1\nSWITCH <@i64> %op %end(%a) {\n"+
				line(n, "@k# %b#(%q %a)")+"}\n"+
				line(n, "%b#(<@ii> %p <@i64> %a):\n%x = LOAD <@i64> %p\n%q = SHIFTIREF <@i64 @i64> %p @1\n%y = MUL <@i64> %a %x\n%c = SLT <@i64> %y %a\nBRANCH2 %c %l(%q %y) %m#(%q %y)\n"+
					"%m#(<@ii> %p <@i64> %a):\n%d = ADD <@i64> %a @k#\nBRANCH %l(%p %d)")+
				"%end(<@i64> %a): RET %a\n")
	}},
	{"straight line", 16000, func(n int) string {
		ops := []string{"ADD", "XOR", "SUB", "MUL"}
		return fn("i_i", "%e(<@i64> %x): %x1 = ADD <@i64> %x @1 %x0 = MUL <@i64> %x1 %x\n"+repeat(n, func(i int) string {
			return fmt.Sprintf("%%x%d = %s <@i64> %%x%d %%x%d", i+2, ops[i*i/3%len(ops)], i+1, i*7/8)
		})+last(n+1, "RET %x#"))
	}},
	{"loops one after another", 800, func(n int) string {
		return fn("i_i", "%e(<@i64> %x): BRANCH %b0(%x %x)\n"+
			line(n, "%b#(<@i64> %x <@i64> %c):\n%y = CALL <@i_i> @f (%x)\n%z = SLT <@i64> %y %c\nBRANCH2 %z %b#(%y %c) %b^(%y %c)")+
			last(n, "%b#(<@i64> %x <@i64> %c): RET %x"))
	}},
	{"loops in loops", 2000, func(n int) string {
		return fn("i_i", "%e(<@i64> %x): BRANCH %b0(%x)\n"+line(n, "%b#(<@i64> %x):\n%y = CALL <@i_i> @f (%x)\nBRANCH %b^(%y)")+
			last(n, "%b#(<@i64> %x): BRANCH %c#(%x)")+
			repeat(n, func(i int) string {
				return fmt.Sprintf("%%c%d(<@i64> %%x):\n%%z = SLT <@i64> %%x @0\nBRANCH2 %%z %%b%d(%%x) %%c%d(%%x)", n-i, n-i-1, n-i-1)
			})+"%c0(<@i64> %x): RET %x\n")
	}},
	{"many small functions", 1200, func(n int) string {
		return line(n, ".funcdef @f# VERSION %v <@i_i> { %e(<@i64> %x):\n%y = CALL <@i_i> @f^ (%x)\n%z = MUL <@i64> %x %y\nRET %z }") +
			last(n, ".funcdef @f# VERSION %v <@i_i> { %e(<@i64> %x): RET %x }")
	}},
	{"chain of tail calls", 1200, func(n int) string {
		return line(n, ".funcdef @f# VERSION %v <@i_i> { %e(<@i64> %x):\n%y = ADD <@i64> %x @1\nTAILCALL <@i_i> @f^ (%y) }") +
			last(n, ".funcdef @f# VERSION %v <@i_i> { %e(<@i64> %x): RET %x }")
	}},
}

// TestLongBuild translates and builds bundles, at a quarter of their sizes and in full. Four times the length may take at most
// ten times as much time of processors, without what an empty bundle takes. Quadratic growth would be sixteen times.
func TestLongBuild(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	exe := filepath.Join(dir, "uvm2go.exe")
	if out, err := exec.Command("go", "build", "-o", exe, "../../uvm2go").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	spent := func(name, text string) time.Duration {
		uir, to := filepath.Join(dir, name+".uir"), filepath.Join(dir, name)
		if err := os.WriteFile(uir, []byte(muPrelude+text), 0o666); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		translate := exec.CommandContext(ctx, exe, "translate", "-pkg", "p", "-o", to, uir)
		build := exec.CommandContext(ctx, "go", "build", "-trimpath", ".")
		build.Dir = to
		total := time.Duration(0)
		for _, cmd := range []*exec.Cmd{translate, build} {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v: %v\n%s", name, cmd, err, out)
			}
			total += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		}
		return total
	}
	empty := func(i int) string { return fn("i_i", last(i, "%e(<@i64> %x): %y# = ADD <@i64> %x @1 RET %y#")) }
	spent("first", empty(0)) // builds the runtime
	none := spent("none", empty(1))
	for i, f := range buildFamilies {
		name := fmt.Sprintf("f%d", i)
		small, large := spent(name+"small", f.make(f.n/4))-none, spent(name+"large", f.make(f.n))-none
		t.Logf("%s: %v for %d, %v for %d", f.name, small.Round(time.Millisecond), f.n/4, large.Round(time.Millisecond), f.n)
		if large > 10*max(small, 250*time.Millisecond) {
			t.Errorf("%s: from %d to %d takes from %v to %v of processor time", f.name, f.n/4, f.n, small, large)
		}
	}
}
