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
