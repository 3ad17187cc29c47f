package main

import (
	"fmt"
	"strings"
)

// irFn wraps blocks into a function in the text of the representation, where a value may be used in all
// blocks that its own dominates.
func irFn(blocks string) string {
	return "func @f: (int<64>) -> (int<64>)\nversion @f.v of @f {\n^e(%x: int<64>):\n  %c: int<1> = slt <int<64>> %x 0:int<64>\n  branch ^b0()\n" + blocks + "}\n"
}

const irCall = " call <(int<64>) -> (int<64>)> @f %x\n"

// irLine repeats a line n times, replacing # by its number and ~ by the next one.
func irLine(n int, text string) string {
	return repeat(n, func(i int) string { return irLast(i, text) })
}

// irLast returns the line after n lines.
func irLast(n int, text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "#", fmt.Sprint(n)), "~", fmt.Sprint(n+1)) + "\n"
}

// irFamilies are families of bundles in the text of the representation.
var irFamilies = []family{
	{"one condition, with exits", 800, func(n int) string {
		return irFn(irLine(n, "^b#():\n  %y#: int<64> ="+irCall+"  branch2 %c ^b~() ^l#()\n^l#():\n  ret %y#") + irLast(n, "^b#():\n  ret %x"))
	}},
	{"one condition, diamonds", 600, func(n int) string {
		return irFn(irLine(n, "^b#():\n  branch2 %c ^l#() ^r#()\n^l#():\n  %y#: int<64> ="+irCall+"  branch ^b~()\n^r#():\n  %z#: int<64> ="+irCall+"  branch ^b~()") + irLast(n, "^b#():\n  ret %x"))
	}},
	{"one condition and another", 600, func(n int) string {
		return irFn(irLine(n, "^b#():\n  %y#: int<64> ="+irCall+"  %d#: int<1> = slt <int<64>> %y# %x\n  %q#: int<1> = and <int<1>> %c %d#\n  branch2 %q# ^b~() ^l#()\n^l#():\n  ret %y#") + irLast(n, "^b#():\n  ret %x"))
	}},
}

// irAcross are families whose values live across many blocks.
var irAcross = []family{
	{"loops in each other", 1000, func(n int) string {
		ends := ""
		for i := n - 1; i >= 0; i-- { // ^l0 leads to ^l-1
			ends += fmt.Sprintf("^l%[1]d():\n  %%k%[1]d: int<64> = add <int<64>> %%i%[1]d 1:int<64>\n  %%d%[1]d: int<1> = slt <int<64>> %%k%[1]d %%x\n  branch2 %%d%[1]d ^b%[1]d(%%k%[1]d) ^l%[2]d()\n", i, i-1)
		}
		text := irFn(irLine(n, "^b#(%i#: int<64>):\n  branch ^b~(0:int<64>)") + fmt.Sprintf("^b%d(%%last: int<64>):\n  branch ^l%d()\n", n, n-1) + ends + "^out():\n  ret %x\n")
		return strings.NewReplacer("branch ^b0()", "branch ^b0(0:int<64>)", "^l-1()", "^out()").Replace(text)
	}},
}
