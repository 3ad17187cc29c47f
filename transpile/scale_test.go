package transpile

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/steps"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// scalePrelude is what the bundles of TestScale have in common.
const scalePrelude = `
.typedef @i64 = int<64> .typedef @i1 = int<1> .typedef @ri = ref<@i64> .typedef @ii = iref<@i64> .typedef @void = void .typedef @rv = ref<@void>
.const @0 <@i64> = 0 .const @1 <@i64> = 1
.funcsig @v_v = () -> () .funcsig @i_i = (@i64) -> (@i64) .funcsig @r_r = (@ri) -> (@ri)
`

// repeat joins f(0) to f(n-1).
func repeat(n int, f func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(f(i))
		b.WriteByte('\n')
	}
	return b.String()
}

// line is repeat of a text in which # stands for i and ^ for i + 1.
func line(n int, text string) string {
	return repeat(n, func(i int) string {
		return strings.ReplaceAll(strings.ReplaceAll(text, "#", fmt.Sprint(i)), "^", fmt.Sprint(i+1))
	})
}

// fn wraps blocks into a function that is exported.
func fn(sig, blocks string) string {
	return ".funcdef @f VERSION %v <@" + sig + "> {\n" + blocks + "}\n"
}

// scaled has a bundle for each construct that can be long, n times as long.
var scaled = []struct {
	name string
	n    int
	make func(n int) string
}{
	{"straight code", 4000, func(n int) string {
		return fn("i_i", "%e(<@i64> %x0):\n"+line(n, "%x^ = MUL <@i64> %x# %x0")+last(n, "RET %x#"))
	}},
	{"chain of blocks", 3000, func(n int) string {
		return fn("i_i", "%e(<@i64> %x): BRANCH %b0(%x)\n"+line(n, "%b#(<@i64> %x): %y = MUL <@i64> %x %x BRANCH %b^(%y)")+
			last(n, "%b#(<@i64> %x): RET %x"))
	}},
	{"a value used along a chain", 1500, func(n int) string {
		return fn("i_i", "%e(<@i64> %x): %c = CALL <@i_i> @f (%x) BRANCH %b0(%x %c)\n"+
			line(n, "%b#(<@i64> %x <@i64> %c): %y = CALL <@i_i> @f (%x) %z = MUL <@i64> %y %c BRANCH %b^(%z %c)")+
			last(n, "%b#(<@i64> %x <@i64> %c): RET %x"))
	}},
	{"chain with one exit", 1500, func(n int) string {
		return fn("i_i", "%e(<@i64> %x): BRANCH %b0(%x %x)\n"+
			line(n, "%b#(<@i64> %x <@i64> %c): %y = MUL <@i64> %x %x %z = SLT <@i64> %y %c BRANCH2 %z %b^(%y %c) %end(%x)")+
			last(n, "%b#(<@i64> %x <@i64> %c): BRANCH %end(%x) %end(<@i64> %x): RET %x"))
	}},
	{"chain with exits", 1000, func(n int) string {
		return fn("i_i", "%e(<@i64> %x): BRANCH %b0(%x %x)\n"+
			line(n, "%b#(<@i64> %x <@i64> %c): %y = CALL <@i_i> @f (%x) %z = SLT <@i64> %y %c BRANCH2 %z %b^(%y %c) %l#(%x)\n%l#(<@i64> %x): %y = CALL <@i_i> @f (%x) RET %y")+
			last(n, "%b#(<@i64> %x <@i64> %c): RET %x"))
	}},
	{"chain with exits that meet", 1000, func(n int) string {
		return fn("i_i", "%e(<@i64> %x): BRANCH %b0(%x %x)\n"+
			line(n, "%b#(<@i64> %x <@i64> %c): %y = CALL <@i_i> @f (%x) %z = SLT <@i64> %y %c BRANCH2 %z %l#(%x %c) %m#(%x)\n"+
				"%l#(<@i64> %x <@i64> %c): %y = CALL <@i_i> @f (%x) %z = SLT <@i64> %y %c BRANCH2 %z %b^(%y %c) %m#(%x)\n%m#(<@i64> %x): %y = CALL <@i_i> @f (%x) RET %y")+
			last(n, "%b#(<@i64> %x <@i64> %c): RET %x"))
	}},
	{"diamonds", 1000, func(n int) string {
		return fn("i_i", "%e(<@i64> %x): BRANCH %b0(%x %x)\n"+
			line(n, "%b#(<@i64> %x <@i64> %c): %z = SLT <@i64> %x %c BRANCH2 %z %l#(%x %c) %r#(%x %c)\n%l#(<@i64> %x <@i64> %c): %y = MUL <@i64> %x %x BRANCH %b^(%y %c)\n"+
				"%r#(<@i64> %x <@i64> %c): %y = CALL <@i_i> @f (%x) BRANCH %b^(%y %c)")+
			last(n, "%b#(<@i64> %x <@i64> %c): RET %x"))
	}},
	{"loops one after another", 1000, func(n int) string {
		return fn("i_i", "%e(<@i64> %x): BRANCH %b0(%x %x)\n"+
			line(n, "%b#(<@i64> %x <@i64> %c): %y = CALL <@i_i> @f (%x) %z = SLT <@i64> %y %c BRANCH2 %z %b#(%y %c) %b^(%y %c)")+
			last(n, "%b#(<@i64> %x <@i64> %c): RET %x"))
	}},
	{"loops in loops", 200, func(n int) string {
		return fn("i_i", "%e(<@i64> %x): BRANCH %b0(%x)\n"+line(n, "%b#(<@i64> %x): %y = CALL <@i_i> @f (%x) BRANCH %b^(%y)")+
			last(n, "%b#(<@i64> %x): BRANCH %c#(%x)")+
			repeat(n, func(i int) string {
				return fmt.Sprintf("%%c%d(<@i64> %%x): %%z = SLT <@i64> %%x @0 BRANCH2 %%z %%b%d(%%x) %%c%d(%%x)", n-i, n-i-1, n-i-1)
			})+"%c0(<@i64> %x): RET %x\n")
	}},
	{"cases", 3000, func(n int) string {
		return line(n, ".const @k# <@i64> = #") + fn("i_i", "%e(<@i64> %x): SWITCH <@i64> %x %d(%x) {\n"+line(n, "@k# %b#(%x)")+"}\n%d(<@i64> %x): RET %x\n"+
			line(n, "%b#(<@i64> %x): %y = MUL <@i64> %x @k# RET %y"))
	}},
	{"switches in defaults", 1000, func(n int) string {
		return fn("i_i", "%e(<@i64> %x): BRANCH %b0(%x)\n"+
			line(n, "%b#(<@i64> %x): %y = CALL <@i_i> @f (%x) SWITCH <@i64> %y %b^(%y) { @0 %l#(%x) @1 %r#(%x) }\n%l#(<@i64> %x): RET @1 %r#(<@i64> %x): RET @0")+
			last(n, "%b#(<@i64> %x): RET %x"))
	}},
	{"parameters", 3000, func(n int) string {
		return ".funcsig @s = (" + strings.Repeat("@i64 ", n) + ") -> (@i64)\n" +
			fn("s", "%e("+line(n, "<@i64> %p#")+"): BRANCH %b("+line(n, "%p#")+")\n%b("+line(n, "<@i64> %p#")+"): RET %p0\n")
	}},
	{"calls", 2000, func(n int) string {
		return fn("i_i", "%e(<@i64> %x0):\n"+line(n, "%x^ = CALL <@i_i> @f (%x#)")+last(n, "RET %x#"))
	}},
	{"catches", 1000, func(n int) string {
		return fn("i_i", "%e(<@i64> %x): BRANCH %b0(%x)\n"+line(n, "%b#(<@i64> %x): %y = CALL <@i_i> @f (%x) EXC(%b^(%y) %c(%x))")+
			last(n, "%b#(<@i64> %x): RET %x %c(<@i64> %x) [%e]: RET %x"))
	}},
	{"live references", 1000, func(n int) string {
		return fn("r_r", "%e(<@ri> %r):\n"+line(n, "%r# = CALL <@r_r> @f (%r)")+"%s = CALL <@r_r> @f (%r) KEEPALIVE("+line(n, "%r#")+")\nRET %s\n")
	}},
	{"accesses", 2000, func(n int) string {
		return ".global @g <@i64>\n" + fn("i_i", "%e(<@i64> %x0):\n"+line(n, "STORE <@i64> @g %x# %x^ = LOAD <@i64> @g")+last(n, "RET %x#"))
	}},
	{"allocations", 1000, func(n int) string {
		return fn("i_i", "%e(<@i64> %x0):\n"+line(n, "%r# = NEW <@i64> %i# = GETIREF <@i64> %r# STORE <@i64> %i# %x# %x^ = LOAD <@i64> %i#")+last(n, "RET %x#"))
	}},
	{"traps", 1000, func(n int) string {
		return fn("i_i", "%e(<@i64> %x):\n"+line(n, "[%t#] TRAP <> KEEPALIVE(%x)")+"RET %x\n")
	}},
	{"functions in a circle", 1000, func(n int) string {
		return line(n, ".funcdef @f# VERSION %v <@i_i> { %e(<@i64> %x): %y = CALL <@i_i> @f^ (%x) RET %y }") +
			last(n, ".funcdef @f# VERSION %v <@i_i> { %e(<@i64> %x): %y = CALL <@i_i> @f0 (%x) RET %y }")
	}},
	{"functions in a row", 1000, func(n int) string {
		return line(n, ".funcdef @f# VERSION %v <@i_i> { %e(<@i64> %x): %y = CALL <@i_i> @f^ (%x) %z = MUL <@i64> %x %y RET %z }") +
			last(n, ".funcdef @f# VERSION %v <@i_i> { %e(<@i64> %x): RET %x }")
	}},
	{"types", 2000, func(n int) string {
		return ".typedef @t0 = struct<@i64 @ri>\n" + line(n, ".typedef @r# = ref<@t#> .typedef @t^ = struct<@i64 @r#>") + last(n, ".global @g <@t#>")
	}},
	{"nested types", 500, func(n int) string {
		return ".typedef @t0 = struct<@i64 @ri>\n" + line(n, ".typedef @t^ = struct<@t#>") + last(n, ".global @g <@t#>")
	}},
	{"fields", 3000, func(n int) string {
		return ".typedef @t = struct<" + strings.Repeat("@i64 @ri ", n) + ">\n.global @g <@t>\n"
	}},
	{"constants", 1000, func(n int) string {
		return line(n, ".const @c# <@i64> = #") + last(n, ".typedef @a = array<@i64 #> .const @list <@a> = {") + line(n, "@c#") + "}\n"
	}},
	{"cells", 1000, func(n int) string { return line(n, ".global @g# <@ri>") }},
}

// last is the text that line would make of n.
func last(n int, text string) string { return strings.ReplaceAll(text, "#", fmt.Sprint(n)) + "\n" }

// stages are what a bundle goes through, each with the result of loading it.
var stages = []struct {
	name string
	do   func(p *Program) error
}{
	{"load", func(*Program) error { return nil }},
	{"print", func(p *Program) error { return ir.Print(io.Discard, p.IR) }},
	{"generate -O0", func(p *Program) error { p.opts.Optimize = 0; _, err := p.Generate(); return err }},
	{"generate -O1", func(p *Program) error { _, err := p.Generate(); return err }},
}

// TestScale wants each stage to take memory in proportion to the length of its input, and
// steps not with the square of it: four times the length may take ten times as many, where
// the square takes sixteen.
func TestScale(t *testing.T) {
	type input struct{ text, stage int }
	var texts []string
	var inputs []input
	for _, c := range scaled {
		for _, n := range []int{c.n / 4, c.n} {
			for stage := range stages {
				inputs = append(inputs, input{len(texts), stage})
			}
			texts = append(texts, scalePrelude+c.make(n))
		}
	}
	do := func(i int) { scaleOnce(t, texts[inputs[i].text], stages[inputs[i].stage].do) }
	n := steps.Count(t, len(inputs), do)
	allocated := make([]uint64, len(inputs))
	for i := range inputs {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		do(i)
		runtime.ReadMemStats(&after)
		allocated[i] = after.TotalAlloc - before.TotalAlloc
	}
	for i, c := range scaled {
		for j, s := range stages {
			small := 2*i*len(stages) + j
			large := small + len(stages)
			if n[large] > 10*n[small] || allocated[large] > 6*allocated[small] {
				t.Errorf("%s, %s: from %d to %d takes from %d steps and %d bytes to %d and %d", c.name, s.name, c.n/4, c.n,
					n[small], allocated[small], n[large], allocated[large])
			}
		}
	}
}

// scaleOnce loads a bundle and puts it through a stage.
func scaleOnce(t *testing.T, text string, stage func(p *Program) error) {
	p, diags := Load([]Source{{Name: "a.uir", Text: []byte(text)}}, Options{Optimize: 1, Package: "p"})
	if p == nil {
		t.Fatal(diags.Err())
	}
	if err := stage(p); err != nil {
		t.Fatal(err)
	}
}

// TestDoubling has definitions of which each means twice the one before: what is short goes
// through all stages, what is long is an error that names a definition and the limit.
func TestDoubling(t *testing.T) {
	double := func(n int, first, next string) string { return first + "\n" + line(n, next) }
	for _, c := range []struct {
		name string
		make func(n int) string
		want string // of 60 definitions
	}{
		{"structs", func(n int) string {
			return double(n, ".typedef @t0 = struct<@i64 @ri>", ".typedef @t^ = struct<@t# @t#>") + last(n, ".global @g <@t#>")
		}, "@t16: invalid type: it has more than 65536 scalars"},
		{"structs without references", func(n int) string {
			return double(n, ".typedef @t0 = struct<@i64 @i64>", ".typedef @t^ = struct<@t# @t#>") +
				last(n, ".typedef @r = ref<@t#>") + fn("v_v", last(n, "%e(): %x = NEW <@t#> RET ()"))
		}, "@t16: invalid type: it has more than 65536 scalars"},
		{"hybrids", func(n int) string {
			return double(n, ".typedef @t0 = struct<@i64 @ri>", ".typedef @t^ = struct<@t# @t#>") + last(n, ".typedef @h = hybrid<@t# @t#>")
		}, "@t16: invalid type: it has more than 65536 scalars"},
		{"arrays", func(n int) string {
			return double(n, ".typedef @t0 = array<@ri 2>", ".typedef @t^ = array<@t# 2>") + last(min(n, 20), ".global @g <@t#>")
		}, "@t56: invalid type: it takes 2^60 bytes or more"},
		{"constants", func(n int) string {
			return double(n, ".typedef @t0 = array<@i64 2> .const @c0 <@t0> = {@0 @1}", ".typedef @t^ = array<@t# 2> .const @c^ <@t^> = {@c# @c#}")
		}, "@c12: invalid type @t12 of a constant: an array of more than 4096 scalars is not a type of values"},
		{"parameters", func(n int) string {
			return double(n, ".typedef @t0 = array<@i64 2>", ".typedef @t^ = array<@t# 2> .funcsig @s# = (@t#) -> (@t#)")
		}, "@s12: invalid parameter @t12: an array of more than 4096 scalars is not a type of values"},
		{"signatures", func(n int) string { // doubling means nothing here
			return double(n, ".funcsig @s0 = () -> () .typedef @f0 = funcref<@s0>", ".funcsig @s^ = (@f# @f#) -> (@f# @f#) .typedef @f^ = funcref<@s^>") +
				last(n, ".funcdef @f VERSION %v <@s#> {") + last(n-1, "%e(<@f#> %x <@f#> %y): RET (%x %y) }")
		}, ""},
	} {
		for _, s := range stages {
			scaleOnce(t, scalePrelude+c.make(8), s.do)
		}
		p, diags := Load([]Source{{Name: "a.uir", Text: []byte(scalePrelude + c.make(60))}}, Options{Package: "p"})
		switch {
		case c.want == "":
			if p == nil {
				t.Errorf("%s: %v", c.name, diags.Err())
			} else if _, err := p.Generate(); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		case p != nil || !strings.Contains(diags.Err().Error()+printedAll(diags), c.want):
			t.Errorf("%s: got %v, want %s", c.name, diags.Err(), c.want)
		}
	}
}

func printedAll(l *diag.List) string {
	var b strings.Builder
	l.MaxErrors = -1
	l.Print(&b)
	return b.String()
}
