package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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

// parameterFamilies are families in which each of m blocks, or more, has m parameters that are live, for n of m²: the text
// grows with n.
var parameterFamilies = []family{
	{"nested loops", 40000, parameters("h", func(m, i int) string {
		return head("h", m, i) + "%y = CALL <@i_i> @f (" + par(m, i) + ")\n%c = SLT <@i64> %y " + par(m, i+1) + "\nBRANCH2 %c " +
			to("h", m, i+1, i, "%y") + " " + to("l", m, i-1, i, "%y") + "\n" +
			head("l", m, i) + "%z = ADD <@i64> " + par(m, 7*i) + " " + par(m, 5*i+1) + "\nBRANCH " + to("h", m, i, 7*i, "%z") + "\n"
	})},
	{"nested loops with their ends apart", 40000, parameters("h", func(m, i int) string {
		k := m - i - 1
		return head("h", m, i) + "%y = CALL <@i_i> @f (" + par(m, i) + ")\nBRANCH " + to("h", m, i+1, i, "%y") + "\n" +
			head("l", m, k) + "%z = SUB <@i64> " + par(m, 3*k) + " " + par(m, k) + "\n%c = SLT <@i64> %z " + par(m, k+1) + "\nBRANCH2 %c " +
			to("h", m, k, k, "%z") + " " + to("l", m, k-1, 3*k, "%z") + "\n"
	})},
	{"loops one after another", 40000, parameters("b", func(m, i int) string {
		return head("b", m, i) + "%y = CALL <@i_i> @f (" + par(m, i) + ")\n%c = SLT <@i64> %y " + par(m, 3*i) + "\nBRANCH2 %c " +
			to("b", m, i, i, "%y") + " " + to("b", m, i+1, 5*i, "%y") + "\n"
	})},
	{"loops with two entries one after another", 40000, parameters("b", func(m, i int) string {
		return head("b", m, i) + "%y = CALL <@i_i> @f (" + par(m, i) + ")\n%c = SLT <@i64> %y " + par(m, 3*i) + "\nBRANCH2 %c " +
			to("k", m, i, i, "%y") + " " + to("l", m, i, 5*i, "%y") + "\n" +
			head("k", m, i) + "%y = CALL <@i_i> @f (" + par(m, i) + ")\nBRANCH " + to("l", m, i, i+1, "%y") + "\n" +
			head("l", m, i) + "%y = MUL <@i64> " + par(m, i) + " " + par(m, 2*i) + "\n%c = SLT <@i64> %y @1\nBRANCH2 %c " +
			to("k", m, i, 7*i, "%y") + " " + to("b", m, i+1, i, "%y") + "\n"
	})},
	{"joins one after another", 40000, parameters("b", func(m, i int) string {
		return head("b", m, i) + "%y = CALL <@i_i> @f (" + par(m, i) + ")\n%c = SLT <@i64> %y " + par(m, 3*i) + "\nBRANCH2 %c " +
			to("b", m, i+1, i, "%y") + " " + to("l", m, i, 5*i, "%y") + "\n" +
			head("l", m, i) + "%z = CALL <@i_i> @f (" + par(m, 5*i) + ")\nBRANCH " + to("b", m, i+1, 5*i, "%z") + "\n"
	})},
	{"nested joins", 40000, parameters("h", func(m, i int) string {
		return head("h", m, i) + "%y = CALL <@i_i> @f (" + par(m, i) + ")\n%c = SLT <@i64> %y " + par(m, 3*i) + "\nBRANCH2 %c " +
			to("h", m, i+1, i, "%y") + " " + to("l", m, i, 5*i, "%y") + "\n" +
			head("l", m, i) + "%z = CALL <@i_i> @f (" + par(m, 5*i) + ")\nBRANCH " + to("l", m, i-1, 3*i, "%z") + "\n"
	})},
	{"cases in a loop", 40000, func(n int) string {
		return line(root(n), ".const @k# <@i64> = #") + parameters("h", func(m, i int) string {
			begin := ""
			if i == 0 {
				begin = head("h", m, 0) + "SWITCH <@i64> %p0 " + to("l", m, -1, -1, "") + " {\n" + repeat(m, func(i int) string {
					return fmt.Sprintf("@k%d ", i) + to("k", m, i, -1, "")
				}) + "}\n"
			}
			return begin + head("k", m, i) + "%y = CALL <@i_i> @f (" + par(m, i) + ")\n%c = SLT <@i64> %y " + par(m, 3*i) + "\nBRANCH2 %c " +
				to("l", m, i, i, "%y") + " " + to("r", m, i, 5*i, "%y") + "\n" +
				head("r", m, i) + "%z = CALL <@i_i> @f (" + par(m, 7*i) + ")\nBRANCH " + to("l", m, i, 2*i, "%z") + "\n" +
				head("l", m, i) + "%z = MUL <@i64> " + par(m, i) + " " + par(m, 7*i) + "\nBRANCH " + to("h", m, 0, i, "%z") + "\n"
		})(n)
	}},
}

// root is the m of a number.
func root(n int) int { return int(math.Sqrt(float64(n))) }

// parameters makes a function of m groups of blocks. Control enters it in the first block of a kind.
func parameters(first string, group func(m, i int) string) func(n int) string {
	return func(n int) string {
		m := root(n)
		return fn("i_i", "%e(<@i64> %x): BRANCH "+label(first, m, 0)+"("+strings.Repeat("%x ", m)+")\n"+
			repeat(m, func(i int) string { return group(m, i) })+
			head("end", m, -1)+"%y0 = ADD <@i64> %p0 @1\n"+line(m-1, "%y^ = MUL <@i64> %y# %p^")+last(m-1, "RET %y#"))
	}
}

// par is one of m parameters.
func par(m, i int) string { return fmt.Sprintf("%%p%d", i%m) }

// head begins a block.
func head(kind string, m, i int) string {
	return label(kind, m, i) + "(" + repeat(m, func(i int) string { return "<@i64> " + par(m, i) }) + "):\n"
}

// to is a destination. All its parameters but one are passed on.
func to(kind string, m, i, changed int, x string) string {
	return label(kind, m, i) + "(" + repeat(m, func(i int) string {
		if changed >= 0 && i == changed%m {
			return x
		}
		return par(m, i)
	}) + ")"
}

// label is the name of block i of m of a kind. In front of the first, and after the last, there is the block at
// the end; but the heads h of nested constructs are followed by the last of their ends l.
func label(kind string, m, i int) string {
	switch {
	case i >= 0 && i < m:
		return fmt.Sprintf("%%%s%d", kind, i)
	case kind == "h" && i == m:
		return fmt.Sprintf("%%l%d", m-1)
	}
	return "%end"
}

// TestLongBuild translates and builds bundles, at a quarter of their sizes and in full. Four times the length may take at most
// ten times as much time of processors, without what an empty bundle takes. Quadratic growth would be sixteen times. What is less than
// an empty bundle takes counts as that much, since it is mostly noise.
func TestLongBuild(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	exe := filepath.Join(dir, "uvm2go.exe")
	if out, err := exec.Command("go", "build", "-o", exe, "../../uvm2go").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	packages := 0
	spent := func(level, text string) time.Duration {
		packages++ // with names of their own, as some are the same at both levels, and Go keeps what it has built
		name := fmt.Sprintf("p%d", packages)
		uir, to := filepath.Join(dir, name+".uir"), filepath.Join(dir, name)
		if err := os.WriteFile(uir, []byte(muPrelude+text), 0o666); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		translate := exec.CommandContext(ctx, exe, "translate", level, "-pkg", name, "-o", to, uir)
		build := exec.CommandContext(ctx, "go", "build", "-trimpath", ".")
		build.Dir = to
		total := time.Duration(0)
		for _, cmd := range []*exec.Cmd{translate, build} {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %v\n%s", cmd, err, out)
			}
			total += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		}
		return total
	}
	empty := func(i int) string { return fn("i_i", last(i, "%e(<@i64> %x): %y# = ADD <@i64> %x @1 RET %y#")) }
	spent("-O1", empty(0)) // builds the runtime
	none := spent("-O1", empty(1))
	t.Logf("an empty bundle: %v", none.Round(time.Millisecond))
	try := func(families []family, level string) {
		for _, f := range families {
			small, large := spent(level, f.make(f.n/4))-none, spent(level, f.make(f.n))-none
			t.Logf("%s, %s: %v for %d, %v for %d", f.name, level, small.Round(time.Millisecond), f.n/4, large.Round(time.Millisecond), f.n)
			if large > 10*max(small, none) {
				t.Errorf("%s, %s: from %d to %d takes from %v to %v of processor time", f.name, level, f.n/4, f.n, small, large)
			}
		}
	}
	try(buildFamilies, "-O1")
	try(parameterFamilies, "-O0")
	try(parameterFamilies[:2], "-O1") // what is left of the parameters is much the same
}
