package main

import "strings"

// oldPrelude holds the definitions that bundles of 2014 have in common.
const oldPrelude = `
.typedef @i64 = int<64>
.typedef @pair = struct<int<64> ref<int<64>>>
.funcsig @i_i = int<64> (int<64>)
`

// oldFn wraps blocks into a function.
func oldFn(blocks string) string { return ".funcdef @f <@i_i> (%x) {\n" + blocks + "}\n" }

// oldFamilies are families of bundles of 2014.
var oldFamilies = []family{
	{"straight code", 1000, func(n int) string {
		return oldFn("%e: %x0 = ADD <@i64> %x 1\n" + line(n, "%x^ = MUL <int<64>> %x# %x") + last(n, "RET <@i64> %x#"))
	}},
	{"chain of blocks", 800, func(n int) string {
		return oldFn("%e: %x0 = ADD <@i64> %x 1 BRANCH %b0\n" + line(n, "%b#: %x^ = MUL <int<64>> %x# %x BRANCH %b^") + last(n, "%b#: RET <@i64> %x#"))
	}},
	{"diamonds", 400, func(n int) string {
		return oldFn("%e: BRANCH %b0\n%b0: %x0 = ADD <@i64> %x 1 BRANCH %c0\n" +
			line(n, "%c#: %z# = SLT <@i64> %x# 7 BRANCH2 %z# %l# %r#\n%l#: %y# = CALL <@i_i> @f (%x#) BRANCH %c^x\n%r#: BRANCH %c^x\n"+
				"%c^x: %x^ = PHI <@i64> { %l#: %y#; %r#: %x#; } BRANCH %c^") +
			last(n, "%c#: RET <@i64> %x#"))
	}},
	{"loops one after another", 400, func(n int) string {
		return oldFn("%e: BRANCH %b0\n%b0: %x0 = ADD <@i64> %x 1 BRANCH %c0\n" +
			line(n, "%c#: BRANCH %l#\n%l#: %x^ = PHI <@i64> { %c#: %x#; %l#: %y#; } %y# = ADD <@i64> %x^ 1 %z# = SLT <@i64> %y# 7 BRANCH2 %z# %l# %c^") +
			last(n, "%c#: RET <@i64> %x#"))
	}},
	{"values used at the end", 500, func(n int) string {
		return oldFn("%e: %x0 = ADD <@i64> %x 0\n" + line(n, "%x^ = CALL <@i_i> @f (%x#)") + "%y0 = ADD <@i64> %x 1\n" +
			line(n, "%y^ = ADD <@i64> %y# %x#") + last(n, "RET <@i64> %y#"))
	}},
	{"predecessors", 500, func(n int) string {
		return oldFn("%e: SWITCH <@i64> %x %d {\n" + line(n, "#: %b#;") + "}\n" + line(n, "%b#: BRANCH %j") + "%d: BRANCH %j\n%j: %y = PHI <@i64> { %d: 0;\n" +
			line(n, "%b#: #;") + "}\nRET <@i64> %y\n")
	}},
	{"PHI nodes", 500, func(n int) string {
		return oldFn("%e: BRANCH %l\n%l:\n" + line(n, "%p# = PHI <@i64> { %e: #; %l: %q#; }") + line(n, "%q# = ADD <@i64> %p# %p0") +
			"%c = SLT <@i64> %q0 100 BRANCH2 %c %l %d\n%d: RET <@i64> %q1\n")
	}},
	{"landing pads", 400, func(n int) string {
		return oldFn("%e: BRANCH %b0\n%b0: %x0 = ADD <@i64> %x 1 BRANCH %c0\n" +
			line(n, "%c#: %x^ = INVOKE <@i_i> @f (%x#) %c^ %bad") + last(n, "%c#: RET <@i64> %x#") + "%bad: %exc = LANDINGPAD THROW %exc\n")
	}},
	{"inner types", 800, func(n int) string {
		n = min(n, 900) // the limit is 1000
		return ".global @g <" + strings.Repeat("struct<", n) + "int<8>" + strings.Repeat(">", n) + ">\n"
	}},
	{"types written out", 800, func(n int) string {
		return line(n, ".global @g# <struct<int<64> ref<struct<int<32> array<int<8> ^>>>>>")
	}},
	{"the same type written out", 800, func(n int) string {
		return line(n, ".global @g# <struct<int<64> ref<struct<int<32> array<int<8> 7>>>>>")
	}},
	{"fields", 800, func(n int) string {
		return ".typedef @t = struct<" + strings.Repeat("int<64> ref<int<64>> ", n) + ">\n.global @g <@t>\n"
	}},
	{"constants", 500, func(n int) string {
		return line(n, ".const @c# <struct<int<64> int<8>>> = {# 7}") + ".const @l <struct<" + strings.Repeat("int<64> ", n) + ">> = {" + strings.Repeat("7 ", n) + "}\n"
	}},
	{"functions", 500, func(n int) string {
		return line(n, ".funcdef @f# <@i_i> (%x) { %e: %y = CALL <@i_i> @f^ (%x) RET <@i64> %y }") + last(n, ".funcdef @f# <@i_i> (%x) { %e: RET <@i64> %x }")
	}},
	{"definitions again", 300, func(n int) string { return line(n, ".typedef @t = int<8>") }},
	{"accesses", 500, func(n int) string {
		return oldFn("%e: %r = NEW <@pair> %i = GETIREF <@pair> %r\n" + line(n, "%f# = GETFIELDIREF <@pair 0> %i STORE <@i64> %f# # %v# = LOAD <@i64> %f#") + "RET <@i64> %x\n")
	}},
	{"stacks", 300, func(n int) string {
		return oldFn("%e: %s = ICALL @uvm.current_stack ()\n" + line(n, "ICALL @uvm.swap_stack (%s) KEEPALIVE(%x)") + "RET <@i64> %x\n")
	}},
}

// oldAcross are families of bundles of 2014 whose values live across many blocks.
var oldAcross = []family{
	{"values used where they do not dominate", 300, func(n int) string {
		return oldFn("%e: %c = SLT <@i64> %x 7 BRANCH %b0\n" + line(n, "%b#: BRANCH2 %c %c# %b^\n%c#: %v# = ADD <@i64> %x # BRANCH %b^") +
			last(n, "%b#: %s0 = ADD <@i64> %x 0") + line(n, "%s^ = ADD <@i64> %s# %v#") + last(n, "RET <@i64> %s#"))
	}},
}
