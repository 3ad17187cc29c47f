package interp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// kind is a kind of run-time error (docs/language.md, "Run-time errors").
type kind uint8

const (
	noError kind = iota
	divByZero
	overflow
	nullRef
	nullAddress
	nullFunc
	badSignature
	undefinedFunction
	unhandledTrap
	uncaughtException
	stackOverflow
	stackState
	stackTypes
	noResource
	outOfMemory
	bounds
	badType
	tagKind
	futexError
	pinError
	native
	cursorError
	nameError
	deadlock
	dynCode
	checkError
	conflictError
	parseError
	hailError
	trapped
	unreachable
)

var kindNames = [...]string{
	noError: "none", divByZero: "DIV_BY_ZERO", overflow: "OVERFLOW", nullRef: "NULL_REF",
	nullAddress: "NULL_ADDRESS", nullFunc: "NULL_FUNC", badSignature: "BAD_SIGNATURE",
	undefinedFunction: "UNDEFINED_FUNCTION", unhandledTrap: "UNHANDLED_TRAP",
	uncaughtException: "UNCAUGHT_EXCEPTION", stackOverflow: "STACK_OVERFLOW",
	stackState: "STACK_STATE", stackTypes: "STACK_TYPES", noResource: "NO_RESOURCE",
	outOfMemory: "OUT_OF_MEMORY", bounds: "BOUNDS", badType: "TYPE", tagKind: "TAG_KIND",
	futexError: "FUTEX", pinError: "PIN", native: "NATIVE", cursorError: "CURSOR",
	nameError: "NAME", deadlock: "DEADLOCK", dynCode: "E_DYNCODE",
	checkError: "E_CHECK", conflictError: "E_CONFLICT", parseError: "E_PARSE",
	hailError: "E_HAIL", trapped: "TRAP", unreachable: "UNREACHABLE",
}

// failures are the kinds of errors that FAIL reports.
var failures = [ir.NumFailures]kind{
	ir.FailTrap: trapped, ir.FailUnreachable: unreachable, ir.FailDivByZero: divByZero, ir.FailOverflow: overflow,
	ir.FailNullRef: nullRef, ir.FailNullFunc: nullFunc, ir.FailBadSignature: badSignature, ir.FailBounds: bounds,
	ir.FailType: badType, ir.FailNoResource: noResource, ir.FailOutOfMemory: outOfMemory, ir.FailNative: native,
}

func (k kind) String() string { return kindNames[k] }

// Exit statuses of a program that ended with an error (docs/commands.md, "Exit statuses").
const (
	StatusUncaught = 3 // an exception left the bottom frame of a stack
	StatusError    = 4 // a run-time error
	statusAbort    = 134
)

// fail ends the program with a run-time error at the current instruction of
// the thread: it reports and stops the machine.
func (t *thread) fail(k kind, detail string) action {
	var b strings.Builder
	f := t.stack.top
	if detail == "" && (k == nullRef || k == nullFunc) {
		detail = t.explainNull()
	}
	fmt.Fprintf(&b, "uvm: run-time error: %s at %s", k, lex.Visible(t.m.place(f)))
	if detail != "" {
		fmt.Fprintf(&b, ": %s", lex.VisibleLines(detail))
	}
	b.WriteByte('\n')
	t.m.trace(&b, f)
	t.m.kind, t.m.detail = k, detail
	return t.m.exit(StatusError, b.String())
}

func (t *thread) failf(k kind, format string, args ...any) action {
	return t.fail(k, fmt.Sprintf(format, args...))
}

// misused is fail for a wrong access.
func (t *thread) misused(m misuse) action { return t.fail(m.kind, m.detail) }

// uncaught ends the program with an exception that nobody catches.
func (t *thread) uncaught(exc Value) action {
	var b strings.Builder
	what := "NULL"
	if u, ok := exc.ref.(*unit); ok && u.shape != nil {
		what = "object of type " + t.m.types.String(u.shape.id)
	}
	if why := t.explainNull(); exc.ref == nil && why != "" {
		what += ": " + why
	}
	fmt.Fprintf(&b, "uvm: uncaught exception in thread %d: %s\n", t.id, lex.Visible(what))
	if t.again {
		b.WriteString(t.caught.trace)
	} else {
		t.m.trace(&b, t.stack.top)
	}
	t.m.kind = uncaughtException
	return t.m.exit(StatusUncaught, b.String())
}

// explainNull says where a stack of the thread was exhausted before, for reports of
// uses of NULL (docs/language.md, "Run-time errors"); "" if none was.
func (t *thread) explainNull() string {
	if t.full == "" {
		return ""
	}
	return "the stack had overflowed at " + t.full + ", which raises the exception NULL"
}

// exit stops the machine after writing a report to the standard error.
func (m *machine) exit(status int, report string) action {
	m.over, m.status = true, status
	if report != "" {
		fmt.Fprint(m.cfg.Stderr, report)
	}
	return stop
}

// maxTrace is the number of frames of a long stack that are shown, as in built programs.
const maxTrace = 100

// maxCycle is the largest number of frames in one round of a recursion that is recognized as repeating.
const maxCycle = 8

// minFolded is the least number of repeating frames that are left out.
const minFolded = 4

// trace writes the frames of a stack, the top one first. Repetitions are written once.
func (m *machine) trace(b *strings.Builder, top *frame) {
	var lines []string
	f := top
	for ; f != nil && len(lines) < maxTrace; f = f.parent {
		if f.kind == muFrame && f.code.v.Func.Attrs&ir.Hidden != 0 {
			continue
		}
		lines = append(lines, fmt.Sprintf("\t%s\n", lex.Visible(f.name()+m.where(f.pos()))))
	}
	for i := 0; i < len(lines); {
		length, times := 1, 0
		for n := 1; n <= maxCycle; n++ {
			k := 0
			for j := i + n; j+n <= len(lines) && slices.Equal(lines[j:j+n], lines[i:i+n]); j += n {
				k++
			}
			if k >= 2 && k*n >= minFolded {
				length, times = n, k
				break
			}
		}
		b.WriteString(strings.Join(lines[i:i+length], ""))
		switch {
		case times > 0 && length == 1:
			fmt.Fprintf(b, "\t(the same %d more times)\n", times)
		case times > 0:
			fmt.Fprintf(b, "\t(the same %d frames %d more times)\n", length, times)
		}
		i += length * (times + 1)
	}
	if f != nil {
		b.WriteString("\t...\n")
	}
}

// where spells a position as the end of a line: " (file:line)", with the author's column if it is known, or nothing.
func (m *machine) where(pos diag.Pos) string {
	p := m.prog.Files.Traced(pos)
	if !p.IsValid() {
		return ""
	}
	return fmt.Sprintf(" (%s)", p)
}

// place names the instruction that a frame is at.
func (m *machine) place(f *frame) string {
	if f == nil {
		return "no instruction"
	}
	if f.kind != muFrame || f.pc < 0 || f.pc >= len(f.code.ins) {
		return f.name() + m.where(f.pos())
	}
	in := &f.code.ins[f.pc]
	return m.prog.PlaceName(f.code.v.SiteName(in.id)) + m.where(in.src.Pos)
}
