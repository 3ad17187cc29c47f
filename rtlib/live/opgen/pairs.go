package main

import (
	"fmt"
	"regexp"
	"strings"
)

// pairs lists, for an instruction, those that often come after it: the most frequent ones in the kernels of
// uvmbench, counted by a loop that noted them. Twice as many made some kernels slower. Two such instructions become one
// that does the work of both, which saves the jump between them. It takes the fields of the second from that
// instruction, which stays where it is: others may jump to it.
var pairs = []struct{ first, seconds string }{
	{"FMul", "FAdd FMul FSub"},
	{"AddI", "Loop JSGE Mov AddI SubI JEQI AShrI FromS64 Mul Store64 LShrI JSGEI"},
	{"Load64X", "FMul Load64X Mul FSub Store64X"},
	{"Store64X", "AddI Load64X"},
	{"SubI", "JSLTI Call JSGE LShrI JNEI"},
	{"MulI", "AddI Add LShrI"},
	{"LoadR", "Load64 LoadR JNull LoadRX JEQR StoreR SelectR JNotNull Jmp"},
	{"Mov", "Mov Loop Jmp SubI Add"},
	{"Add", "AddI Mov Store64X Ret1 JSGE"},
	{"JSGE", "Load64X Load8X ImmR LoadR MulI Add Imm SubI AddI"},
	{"Load64", "CallX JSGE Load64 AddI JEQ EQI Store64 AndI"},
	{"JNull", "Load64 LoadR"},
	{"FAdd", "Store64X AddI Imm"},
	{"JSLTI", "SubI"},
	{"JEQI", "AndI MulI"},
	{"Mul", "Add JTrue LShrI AShrI"},
	{"LShrI", "AndI Add Xor Select Switch JEQI"},
	{"FDiv", "Load64X"},
	{"LoadRX", "LoadR"},
	{"StoreR", "LoadR StoreR"},
	{"FromS64", "Imm"},
	{"Imm", "FDiv Store8X FMul JFLT"},
	{"Load8X", "Load8X AddI Store8"},
	{"JNEI", "AddI JNEI"},
	{"ShlI32", "Or"},
	{"JSLT", "Ret1"},
	{"LShrI32", "ShlI32"},
	{"LeaX", "Load64"},
	{"AndI", "NEI JEQI JNEI"},
	{"NEI", "MulI"},
	{"Select", "AddI"},
	{"Store8X", "Add"},
	{"JEQ", "JSGE"},
	{"Store64", "LoadR Ret Load64"},
	{"FSub", "Store64X FAdd"},
	{"EQI", "LoadR"},
	{"URem", "LShrI"},
	{"JEQR", "LoadR"},
	{"ShlI", "Xor"},
	{"Xor", "LShrI"},
	{"Add32", "Add32"},
	{"MovR", "MovR"},
	{"SelectR", "Load64 SelectR"},
	{"Or", "Xor"},
	{"JSGEI", "Ret1 FMul"},
}

// A pair is a row of the generated table.
type pair struct {
	First, Second, Both string
	Link                string // the operand of the second that is the result of the first: "b", "c" or ""
}

// result is where a text assigns the result, always in its last statement.
var result = regexp.MustCompile(`(^|\n)(r?)A = ([^\n]*)$`)

// uses is how a text reads an operand.
func uses(operand string) *regexp.Regexp { return regexp.MustCompile(`\b([rfg]?)` + operand + `\b`) }

// linked is the text of two instructions of which the second reads the result of the first, which stays in a
// register; false if there is none, as for a root and a plain word: those are the same only where addresses have 64 bits.
func linked(first, second, operand string) (string, bool) {
	m, use := result.FindStringSubmatch(first), uses(operand).FindStringSubmatch(second)
	if m == nil || use == nil || (m[2] == "r") != (use[1] == "r") {
		return "", false
	}
	first = result.ReplaceAllString(first, "${1}x = ${3}\n${2}A = x")
	kind := "uint64"
	if m[2] == "r" {
		kind = "uintptr"
	}
	second = uses(operand).ReplaceAllStringFunc(second, func(s string) string {
		switch s[0] {
		case 'r':
			return "uintptr(x)"
		case 'f':
			return "math.Float64frombits(uint64(x))"
		case 'g':
			return "math.Float32frombits(uint32(x))"
		}
		return "uint64(x)"
	})
	return "var x " + kind + "\n" + inTurn(first, second), true
}

// inTurn is the text of two instructions.
func inTurn(first, second string) string {
	end := "\n"
	if !strings.HasSuffix(second, "continue") {
		end = "\ncontinue\n"
	}
	return "{\n" + spell(first) + "\n}\nin = (*ins)(pc)\npc = unsafe.Add(pc, insSize)\n" + spell(second) + end
}

// fused are the cases of pairs, and their table. texts has the texts of single instructions.
func fused(texts map[string]string) (cases string, list []pair) {
	var b strings.Builder
	add := func(first, second, link, text string) {
		p := pair{first, second, first + second, link}
		if link != "" {
			p.Both += "_" + link
		}
		list = append(list, p)
		fmt.Fprintf(&b, "case op%s:\n%s", p.Both, text)
	}
	for _, p := range pairs {
		first := strings.Replace(texts[p.first], jumps, jumps+"\ncontinue", 1)
		for _, s := range strings.Fields(p.seconds) {
			second := texts[s]
			if first == "" || second == "" {
				panic("no instruction " + p.first + " or " + s)
			}
			for _, operand := range []string{"B", "C"} {
				if text, ok := linked(first, second, operand); ok {
					add(p.first, s, strings.ToLower(operand), text)
				}
			}
			add(p.first, s, "", inTurn(first, second))
		}
	}
	return b.String(), list
}
