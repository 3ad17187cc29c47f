package main

import (
	"fmt"
	"strings"
)

// muPrelude holds the definitions that bundles in Mu text have in common.
const muPrelude = `
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

// muFamilies are families of bundles in Mu text.
var muFamilies = []family{
	{"straight code", 4000, func(n int) string {
		return fn("i_i", "%e(<@i64> %x0):\n"+line(n, "%x^ = MUL <@i64> %x# %x0")+last(n, "RET %x#"))
	}},
	{"chain of blocks", 3000, func(n int) string {
		return fn("i_i", "%e(<@i64> %x): BRANCH %b0(%x)\n"+line(n, "%b#(<@i64> %x): %y = MUL <@i64> %x %x BRANCH %b^(%y)")+
			last(n, "%b#(<@i64> %x): RET %x"))
	}},
	{"chain of empty blocks", 6000, func(n int) string {
		return fn("i_i", "%e(<@i64> %x): BRANCH %b0(%x)\n"+line(n, "%b#(<@i64> %x): BRANCH %b^(%x)")+last(n, "%b#(<@i64> %x): RET %x"))
	}},
	{"nested exits to empty joins", 1500, func(n int) string {
		return fn("i_i", "%e(<@i64> %x): BRANCH %b0(%x)\n"+
			line(n, "%b#(<@i64> %x): %y = CALL <@i_i> @f (%x) %q = EQ <@i64> %y @1 BRANCH2 %q %b^(%y) %j^(%y)\n%j^(<@i64> %x): BRANCH %j#(%x)")+
			last(n, "%b#(<@i64> %x): BRANCH %j#(%x)")+"%j0(<@i64> %x): RET %x\n")
	}},
	{"ring of calls", 1500, func(n int) string {
		return line(n-1, ".funcdef @g# VERSION %v <@i_i> { %e(<@i64> %x): %q = EQ <@i64> %x @1 BRANCH2 %q %o(%x) %k(%x) %o(<@i64> %x): RET %x %k(<@i64> %x): %y = CALL <@i_i> @g^ (%x) RET %y }") +
			last(n-1, ".funcdef @g# VERSION %v <@i_i> { %e(<@i64> %x): %y = CALL <@i_i> @g0 (%x) RET %y }\n")
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
	{"one condition, with exits", 1000, func(n int) string {
		return fn("i_i", "%e(<@i64> %x): %c = SLT <@i64> %x @0 BRANCH %b0(%x %c)\n"+
			line(n, "%b#(<@i64> %x <@i1> %c): %y = CALL <@i_i> @f (%x) BRANCH2 %c %b^(%y %c) %l#(%x)\n%l#(<@i64> %x): RET %x")+
			last(n, "%b#(<@i64> %x <@i1> %c): RET %x"))
	}},
	{"one condition, diamonds", 800, func(n int) string {
		return fn("i_i", "%e(<@i64> %x): %c = SLT <@i64> %x @0 BRANCH %b0(%x %c)\n"+
			line(n, "%b#(<@i64> %x <@i1> %c): BRANCH2 %c %l#(%x %c) %r#(%x %c)\n%l#(<@i64> %x <@i1> %c): %y = CALL <@i_i> @f (%x) BRANCH %b^(%y %c)\n%r#(<@i64> %x <@i1> %c): %y = ADD <@i64> %x @1 BRANCH %b^(%y %c)")+
			last(n, "%b#(<@i64> %x <@i1> %c): RET %x"))
	}},
	{"one condition, loops", 800, func(n int) string {
		return fn("i_i", "%e(<@i64> %x): %c = SLT <@i64> %x @0 BRANCH %b0(%x %c)\n"+
			line(n, "%b#(<@i64> %x <@i1> %c): %y = CALL <@i_i> @f (%x) BRANCH2 %c %b#(%y %c) %b^(%y %c)")+
			last(n, "%b#(<@i64> %x <@i1> %c): RET %x"))
	}},
	{"comparisons of one value", 1000, func(n int) string {
		return line(n, ".const @k# <@i64> = #") + fn("i_i", "%e(<@i64> %x): BRANCH %b0(%x)\n"+
			line(n, "%b#(<@i64> %x): %c = EQ <@i64> %x @k# BRANCH2 %c %l#(%x) %b^(%x)\n%l#(<@i64> %x): %y = CALL <@i_i> @f (%x) RET %y")+
			last(n, "%b#(<@i64> %x): RET %x"))
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
	{"names of other values", 2000, func(n int) string {
		return fn("i_i", "%e(<@i64> %x0):\n"+line(n, "//name %n# n")+line(n, "%x^ = MUL <@i64> %x# %x0")+last(n, "RET %x#"))
	}},
	{"columns of a line", 2000, func(n int) string {
		return fn("i_i", "%e(<@i64> %x0):\n"+line(n, "//line author:1:^\n%x^ = CALL <@i_i> @f (%x#)")+last(n, "RET %x#"))
	}},
	{"loops in loops, tested first", 3000, func(n int) string {
		return fn("i_i", "%e(<@i64> %x): BRANCH %b1(%x)\n%b0(<@i64> %x): RET %x\n"+
			repeat(n, func(i int) string {
				return fmt.Sprintf("%%b%d(<@i64> %%x): %%y = CALL <@i_i> @f (%%x) %%z = SLT <@i64> %%y %%x BRANCH2 %%z %%b%d(%%y) %%b%d(%%x)\n", i+1, i+2, i)
			})+last(n+1, "%b#(<@i64> %x): %y = MUL <@i64> %x %x BRANCH %b0(%y)"))
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
	{"switches in defaults", 2400, func(n int) string {
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
	{"functions in a row", 4000, func(n int) string {
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
	{"watchpoints", 400, func(n int) string {
		return fn("i_i", "%e(<@i64> %x): BRANCH %b0(%x)\n"+line(n, "%b#(<@i64> %x): WATCHPOINT 7 <> %b^(%x) %l#(%x) WPEXC(%w#()) KEEPALIVE(%x)\n%l#(<@i64> %x): WPBRANCH ^ %b^(%x) %b^(%x)\n%w#() [%e]: THROW %e")+
			last(n, "%b#(<@i64> %x): RET %x"))
	}},
	{"swaps", 400, func(n int) string {
		return ".typedef @st = stackref .funcsig @s = (@st) -> (@i64)\n" + fn("s", "%e(<@st> %s):\n"+line(n, "%x# = SWAPSTACK %s RET_WITH <@i64> PASS_VALUES <@i64> (@1) KEEPALIVE(%s)")+"RET %x0\n")
	}},
	{"exposed", 400, func(n int) string {
		return fn("i_i", "%e(<@i64> %x): RET %x\n") + repeat(n, func(i int) string { return fmt.Sprintf(".expose @x%d = @f #DEFAULT @1", i) })
	}},
	{"native calls", 400, func(n int) string {
		return line(n, ".typedef @fp# = ufuncptr<@i_i> .const @abs# <@fp#> = EXTERN \"abs\"") + fn("i_i", "%e(<@i64> %x0):\n"+repeat(n, func(i int) string {
			return fmt.Sprintf("%%x%d = CCALL #DEFAULT <@fp%d @i_i> @abs%d (%%x%d)", i+1, i, i, i)
		})+last(n, "RET %x#"))
	}},
	{"vectors", 300, func(n int) string {
		return ".typedef @v = vector<@i64 4> .funcsig @s = (@v) -> (@v)\n" + fn("s", "%e(<@v> %x0):\n"+line(n, "%x^ = ADD <@v> %x# %x0")+last(n, "RET %x#"))
	}},
	{"lanes", 1000, func(n int) string {
		n = min(n, 4096)
		return last(n, ".typedef @v = vector<@i64 #> .funcsig @s = (@v) -> (@v)") + fn("s", "%e(<@v> %x): %y = ADD <@v> %x %x RET %y\n")
	}},
	{"deviations", 400, func(n int) string {
		return ".typedef @i8 = int<8> .const @8 <@i8> = 8\n" + line(n, ".funcdef @f# VERSION %v <@i_i> { %e(<@i64> %x): %y = SHL <@i64> %x @8 %z = ADD <@i64> %y @8 RET %z }")
	}},
	{"aggregates", 300, func(n int) string {
		return ".typedef @p = struct<@i64 @ri> .funcsig @s = (@p @i64) -> (@p)\n" + fn("s", "%e(<@p> %p0 <@i64> %x):\n"+line(n, "%p^ = INSERTVALUE <@p 0> %p# %x %y# = EXTRACTVALUE <@p 1> %p^")+last(n, "RET %p#"))
	}},
	{"atomics", 300, func(n int) string {
		return ".global @g <@i64>\n" + fn("i_i", "%e(<@i64> %x0):\n"+line(n, "(%o# %k#) = CMPXCHG SEQ_CST SEQ_CST <@i64> @g @0 %x# %x^ = ATOMICRMW SEQ_CST ADD <@i64> @g %o#")+last(n, "RET %x#"))
	}},
	{"signatures", 500, func(n int) string {
		return ".funcsig @s0 = (@i64) -> ()\n" + line(n, ".typedef @f# = funcref<@s#> .funcsig @s^ = (@f#) -> (@f#)")
	}},
	{"lists in lists", 100, func(n int) string {
		return ".typedef @t0 = struct<@i64 @i64> .const @c0 <@t0> = {@0 @1}\n" + line(n, ".typedef @t^ = struct<@i64 @t#> .const @c^ <@t^> = {@1 @c#}") + last(n, ".funcsig @s = () -> (@t#)") +
			".funcdef @f VERSION %v <@s> { %e(): " + last(n, "RET @c# }")
	}},
	{"digits", 4000, func(n int) string { return ".const @f <@d> = 0." + strings.Repeat("3", n) + "d .typedef @d = double\n" }},
	{"a long name", 20000, func(n int) string { return ".global @" + strings.Repeat("g", n) + " <@i64>\n" }},
	{"comments", 4000, func(n int) string { return line(n, "// # ^") }},
	{"lines of another file", 500, func(n int) string { return line(n, "//line file#.x:^:7\n.global @g# <@i64>") }},
	{"constants in place", 2000, func(n int) string {
		return ".typedef p = struct<i64 i64> .funcsig s = (" + strings.Repeat("p ", n) + ") -> (i64)\n" +
			".funcdef f <s> {\ne(" + line(n, "<p> p#") + "): x = CALL <s> f (" + line(n, "<p> {<i64> # <i64> 1}") + ") RET x }\n"
	}},
	{"common instructions", 400, func(n int) string {
		return ".typedef @i52 = int<52> .typedef @tr = tagref64 .const @k <@i52> = 5 .funcsig @s = () -> (@i52)\n" +
			fn("s", "%e():\n"+line(n, "%t# = COMMINST @uvm.tr64.from_int (@k) %i# = COMMINST @uvm.tr64.to_int (%t#)")+"RET %i0\n")
	}},
	{"tail calls", 400, func(n int) string {
		return line(n, ".funcdef @f# VERSION %v <@i_i> { %e(<@i64> %x): TAILCALL <@i_i> @f^ (%x) }") + last(n, ".funcdef @f# VERSION %v <@i_i> { %e(<@i64> %x): TAILCALL <@i_i> @f0 (%x) }")
	}},
	{"chain of tail calls", 2400, func(n int) string {
		return line(n, ".funcdef @f# VERSION %v <@i_i> { %e(<@i64> %x): %y = ADD <@i64> %x @1 TAILCALL <@i_i> @f^ (%y) }") + last(n, ".funcdef @f# VERSION %v <@i_i> { %e(<@i64> %x): RET %x }")
	}},
	{"coroutines", 200, func(n int) string {
		return ".typedef @st = stackref .funcsig @s = (@st) -> ()\n" + line(n, ".funcdef @f# VERSION %v <@s> { %e(<@st> %s): SWAPSTACK %s RET_WITH <> PASS_VALUES <> () BRANCH %l(%s) %l(<@st> %s): SWAPSTACK %s RET_WITH <> PASS_VALUES <@i64> (@1) BRANCH %l(%s) }")
	}},
}

// muRefused are families of bundles in Mu text with an error in each line, or in one long one.
var muRefused = []family{
	{"unknown names", 500, func(n int) string { return line(n, ".global @g# <@t#>") }},
	{"defined twice", 500, func(n int) string { return line(n, ".global @g <@i64>") }},
	{"unknown operands", 500, func(n int) string { return fn("i_i", "%e(<@i64> %x):\n"+line(n, "%y# = ADD <@i64> %x %z#")+"RET %x\n") }},
	{"unknown full names", 500, func(n int) string {
		return fn("i_i", "%e(<@i64> %x): BRANCH %b0()\n"+line(n, "%b#(): %y# = ADD <@i64> @f.b0.y# @f.e.x BRANCH @f.b#()")+"%last(): RET @f.e.x\n")
	}},
	{"unknown blocks", 500, func(n int) string {
		return fn("i_i", "%e(<@i64> %x): SWITCH <@i64> %x %d(%x) {\n"+line(n, "@0 %b#(%x)")+"}\n")
	}},
	{"wrong types", 500, func(n int) string { return fn("i_i", "%e(<@i64> %x):\n"+line(n, "%y# = ADD <@ri> %x %x")+"RET %x\n") }},
	{"types in a circle", 500, func(n int) string {
		return line(n, ".typedef @t# = struct<@t^>") + last(n, ".typedef @t# = struct<@t0>")
	}},
	{"constants in a circle", 500, func(n int) string {
		return ".typedef @a = struct<@a>\n" + line(n, ".const @c# <@a> = {@c^}") + last(n, ".const @c# <@a> = {@c0}")
	}},
	{"words", 500, func(n int) string { return line(n, "word # . # word") }},
	{"open functions", 500, func(n int) string { return line(n, ".funcdef @f# VERSION %v <@i_i> { %e(<@i64> %x): RET") }},
	{"open brackets", 2000, func(n int) string { return ".typedef @t = " + strings.Repeat("struct<", n) }},
	{"an unknown name", 20000, func(n int) string { return ".global @g <@" + strings.Repeat("t", n) + ">\n" }},
	{"an integer", 4000, func(n int) string {
		return ".const @c <@i64> = " + strings.Repeat("7", n) + "0 .global @g <@nothing>\n"
	}},
	{"a string", 4000, func(n int) string { return ".const @c <@i64> = EXTERN \"" + strings.Repeat("x", n) + "\n" }},
	{"zeros", 4000, func(n int) string { return strings.Repeat("\x00", n) }},
	{"scalars", 500, func(n int) string {
		return line(n, ".typedef @t# = array<@t^ 1000000000>") + last(n, ".typedef @t# = int<8>")
	}},
}

// hailBundle is the bundle for which the scripts are written.
const hailBundle = muPrelude + `
.typedef @node = struct<@i64 @nr> .typedef @nr = ref<@node> .typedef @h = hybrid<@i64 @i64> .typedef @row = array<@i64 1000000>
.global @first <@nr> .global @cell <@i64> .global @row1 <@row>
`

// hailFamilies are families of HAIL scripts.
var hailFamilies = []family{
	{"objects", 800, func(n int) string { return line(n, ".new $o# <@node>") }},
	{"a list", 600, func(n int) string {
		return line(n, ".new $o# <@node> .init $o# = {# $o^}") + last(n, ".new $o# <@node> .init @first = $o0")
	}},
	{"stores", 800, func(n int) string { return line(n, ".init @cell = #") }},
	{"copies", 800, func(n int) string { return line(n, ".init @row1[#] = *@row1[^]") }},
	{"elements", 3000, func(n int) string {
		return last(n, ".newhybrid $h <@h> #") + ".init $h = {7 {" + strings.Repeat("1 ", n) + "}}\n"
	}},
	{"hybrids", 500, func(n int) string { return line(n, ".newhybrid $h# <@h> ^ .init $h#[1][#] = 5") }},
	{"whole arrays", 300, func(n int) string { return line(n, ".init @row1 = {# # #}") }},
}

// hailRefused are scripts with an error in each line, or in one long one.
var hailRefused = []family{
	{"unknown names", 500, func(n int) string { return line(n, ".init $o# = 5") }},
	{"defined twice", 500, func(n int) string { return line(n, ".new $o <@node>") }},
	{"open lists", 500, func(n int) string { return ".init @cell = " + strings.Repeat("{", n) }},
	{"a list too long", 2000, func(n int) string { return ".init @cell = {" + strings.Repeat("1 ", n) + "}" }},
	{"indices", 500, func(n int) string { return ".init @cell" + strings.Repeat("[0]", n) + " = 5" }},
}

// last returns the text that line would make for number n.
func last(n int, text string) string { return strings.ReplaceAll(text, "#", fmt.Sprint(n)) + "\n" }
