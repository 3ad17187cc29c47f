package module

import (
	"fmt"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/internal/texttest"
)

// TestDocs checks that docs/ial.md has the table of instructions made from Ops.
func TestDocs(t *testing.T) {
	const begin = "<!-- instructions: made from transpile/ial/module/ops.go by go test ./transpile/ial/module -update -->"
	texttest.Section(t, "../../../docs/ial.md", begin, "<!-- end of instructions -->", instructions())
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
