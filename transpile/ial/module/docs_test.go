package module

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the table of instructions in docs/ial.md")

// TestDocs checks that docs/ial.md has the table of instructions that follows from Ops.
func TestDocs(t *testing.T) {
	const (
		file  = "../../../docs/ial.md"
		begin = "<!-- instructions: made from transpile/ial/module/ops.go by go test ./transpile/ial/module -update -->\n"
		end   = "<!-- end of instructions -->\n"
	)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), begin)
	old, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatal("docs/ial.md has no marks")
	}
	if table := instructions(); old != table {
		if !*update {
			t.Fatal("the table of instructions is not fresh: go test ./transpile/ial/module -update")
		}
		if err := os.WriteFile(file, []byte(head+begin+table+end+tail), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// instructions is the table: how each instruction is written, the forms that have it, and what it does.
func instructions() string {
	operands := [...]string{OperandNone: "", OperandLiteral: " (literal)", OperandLiterals: " (literals)", OperandType: " (type)",
		OperandMember: " (S:member)", OperandGlobal: " (field)", OperandThread: " (field)", OperandFunc: " (function)", OperandLabel: " (block)",
		OperandBranch: " (block, block)", OperandRegs: " (registers)", OperandSymbol: " (library, symbol)", OperandData: " (data)"}
	forms := map[Form]string{FormA | FormB: "", FormA: "2012", FormB: "final", FormI: "between"}
	var b strings.Builder
	b.WriteString("| instruction | only in | |\n| --- | --- | --- |\n")
	for _, r := range Ops {
		target := ""
		if r.Target {
			target = "t = "
		}
		sources := strings.Join([]string{"a", "b", "c"}[:r.Sources], ", ")
		if sources != "" {
			sources = " " + sources
		}
		fmt.Fprintf(&b, "| `%s%s%s%s` | %s | %s |\n", target, r.Mnemonic, sources, operands[r.Operand], forms[r.Form], r.Meaning)
	}
	return b.String()
}
