package core

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/thread"
	"github.com/uvm2go/uvm2go/rtlib/libc"
)

var kindNames = [numKinds]string{
	Internal:          "INTERNAL",
	DivByZero:         "DIV_BY_ZERO",
	Overflow:          "OVERFLOW",
	NullRef:           "NULL_REF",
	NullAddress:       "NULL_ADDRESS",
	NullFunc:          "NULL_FUNC",
	BadSignature:      "BAD_SIGNATURE",
	UndefinedFunction: "UNDEFINED_FUNCTION",
	UnhandledTrap:     "UNHANDLED_TRAP",
	UncaughtException: "UNCAUGHT_EXCEPTION",
	BottomReturn:      "BOTTOM_RETURN",
	StackOverflow:     "STACK_OVERFLOW",
	StackState:        "STACK_STATE",
	StackTypes:        "STACK_TYPES",
	NoResource:        "NO_RESOURCE",
	OutOfMemory:       "OUT_OF_MEMORY",
	Bounds:            "BOUNDS",
	TypeError:         "TYPE",
	TagKind:           "TAG_KIND",
	FutexError:        "FUTEX",
	PinError:          "PIN",
	Native:            "NATIVE",
	CursorError:       "CURSOR",
	NameError:         "NAME",
	Deadlock:          "DEADLOCK",
	DynCode:           "E_DYNCODE",
	Check:             "E_CHECK",
	Conflict:          "E_CONFLICT",
	ParseError:        "E_PARSE",
	HAILError:         "E_HAIL",
	NodeError:         "E_HANDLE",
	Trapped:           "TRAP",
	Unreachable:       "UNREACHABLE",
	Interrupted:       "INTERRUPTED",
}

// String returns the name of the kind in messages.
func (k Kind) String() string { return kindNames[k] }

// Exit statuses (docs/commands.md, "Exit statuses").
const (
	statusInternal = 2 // a fault of the runtime or of the environment
	statusUncaught = 3
	statusError    = 4
)

// Error is a run-time error (docs/language.md, "Run-time errors").
type Error struct {
	Kind   Kind
	Where  string // global name of the instruction, or of the block and index; "" when unknown
	File   string
	Line   int // 0 when unknown
	Column int // from 1 in bytes, if the bundle says which the author's own file has; else 0
	Detail string
	Trace  []Frame
	Code   string // the code for clients (docs/language.md, "Run-time errors"), if it does not follow from Kind

	// GoStack is Go's stack trace where a native in Go panicked, or of an internal error; "" otherwise.
	GoStack string

	site string // name of the instruction, if it is known without a search

	exitStatus int  // 0: that of a run-time error
	showGo     bool // GoStack is part of the report
}

// Exception is an uncaught Mu exception.
type Exception struct {
	Ref    uintptr // the exception; kept alive until the context runs something else
	Type   string  // of the object: a name of the bundle, "" for NULL
	Detail string  // the origin of a NULL, if known, or ""
	Thread uint32
	Trace  []Frame
}

// Frame is a frame of a Mu stack trace.
type Frame struct {
	Func string // global name, with '@'; Called returns that of reports
	File string
	Line int // 0 when unknown
	// Column is that in the author's own file, from 1 in bytes, if the bundle says it (//line FILE:LINE:COL); else 0.
	Column int
	// Title is the name in reports, "" if the function is of a package, whose tables have it, or its dialect gives no other.
	Title string
}

// Error returns the message without the trace.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Kind == Internal {
		b.WriteString("internal error: ")
	} else {
		b.WriteString("run-time error: " + e.Kind.String())
	}
	b.WriteString(e.place())
	if e.Detail != "" {
		if e.Kind != Internal || e.Where != "" {
			b.WriteString(": ")
		}
		if e.Kind == Internal {
			b.WriteString(e.Detail)
		} else {
			b.WriteString(lex.VisibleLines(e.Detail))
		}
	}
	return b.String()
}

// place returns " at WHERE (FILE:LINE)", or the parts that are known.
func (e *Error) place() string {
	s := ""
	if e.Where != "" {
		s = " at " + lex.Visible(e.Where)
	}
	return s + Frame{File: e.File, Line: e.Line, Column: e.Column}.place()
}

// Error returns the message without the trace.
func (e *Exception) Error() string {
	what := "NULL"
	if e.Type != "" {
		what = "object of type " + e.Type
	}
	if e.Detail != "" {
		what += ": " + e.Detail
	}
	return fmt.Sprintf("uncaught exception in thread %d: %s", e.Thread, lex.Visible(what))
}

// Fail stops the program, or the call of a Go caller, with a run-time error. It does not
// return. where is the name of the instruction, "" to find it by its line.
func Fail(t *Ctx, kind Kind, where, detail string) {
	s := thread.Of(t)
	stop(s, newError(s, kind, where, detail))
}

// FailIndex is Fail for an index that is not below a length; text is the end of the message.
func FailIndex(t *Ctx, where string, index, length uint64, text string) {
	Fail(t, Bounds, where, fmt.Sprintf("index %d out of range [0,%d)%s", index, length, text))
}

// newError makes an error at the current instruction of the stack.
func newError(s *thread.Stack, kind Kind, where, detail string) *Error {
	e := &Error{Kind: kind, Where: where, Detail: detail}
	if detail == "" && (kind == NullFunc || kind == NullRef) {
		e.Detail = explainNull(s.Ctx)
	}
	if detail == "" && kind == NoResource {
		e.Detail = machine.Refused()
	}
	if most := machine.Full(); detail == "" && kind == NoResource && most > 0 {
		e.Detail = fmt.Sprintf("there are %d stacks, the most for this UVM_HEAP", most)
	}
	e.Trace, e.site = trace(callers(1), livePlaces(s.Ctx, nil))
	e.locate(s)
	return e
}

// locate fills in position and name from the newest frame, and which value was NULL there.
func (e *Error) locate(s *thread.Stack) {
	defer func() { e.Where = placeName(e.Where) }()
	if len(e.Trace) == 0 {
		if e.Where == "" {
			e.Where = Frame{Func: bottomName(s)}.Called()
		}
		return
	}
	top := e.Trace[0]
	e.File, e.Line, e.Column = top.File, top.Line, top.Column
	if e.Where == "" {
		e.Where = e.site
	}
	if e.Where == "" {
		e.Where = siteAt(top)
	}
	if e.Kind == NullRef && e.Detail == "" {
		e.Detail = nullAt(top)
	}
}

// stop ends the execution of the stack's thread. If a Go caller waits for it, the call returns
// err; else the thread ends if a client has asked for that, or the process. It does not return.
func stop(s *thread.Stack, err error) {
	vm := vmOfGroup(s.Group)
	if s.Th.HasCaller() || vm.settings.ThreadFailed != nil {
		X(s.Ctx).cookie = 0 // the function that was to take it may not have begun
		s.Th.Fail(err)
	}
	vm.report(err)
}

// Report returns the message and the trace, as the report on standard error has them.
func (e *Error) Report() string {
	s := withTrace(e, e.Trace)
	if e.showGo {
		s += "\n" + e.GoStack
	}
	return s
}

// Report returns the message and the trace, as the report on standard error has them.
func (e *Exception) Report() string { return withTrace(e, e.Trace) }

// withTrace is a message and the frames below it, each with the end of its line.
func withTrace(err error, frames []Frame) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", err)
	writeTrace(&b, frames)
	return b.String()
}

// orphan is thread.Machine.Orphan: a thread has ended with an error.
func orphan(g *thread.Group, err error) {
	vm := vmOfGroup(g)
	if vm.settings.ThreadFailed == nil {
		vm.report(err)
	}
	vm.settings.ThreadFailed(err)
}

// report prints an error and ends the process.
func (vm *VM) report(err error) {
	text := err.Error() + "\n"
	status := statusError
	switch err := err.(type) {
	case *Error:
		if err.exitStatus != 0 {
			status = err.exitStatus
		}
		text = err.Report()
	case *Exception:
		status = statusUncaught
		text = err.Report()
	case *outputError:
		status = statusInternal
	}
	if vm.settings.Fatal != nil {
		// Fatal is called on a separate goroutine, which it may end.
		done := make(chan struct{})
		go func() {
			defer close(done)
			vm.settings.Fatal(err)
		}()
		<-done
	} else {
		os.Stderr.WriteString("uvm: " + text)
	}
	exit(status)
}

// exit ends the process.
func exit(status int) {
	status &= 0xff
	runEndings()
	if f := cLibrary.exit; f != nil {
		f(status)
	}
	os.Exit(status)
}

// leftBottom makes the error of an exception that left the bottom frame of s.
func leftBottom(s *thread.Stack) error {
	t := s.Ctx
	exc := t.Exc
	frames, site := originOf(t)
	if t.Overflow && exc == 0 {
		t.Thrown, t.Overflow = 0, false
		return overflowed(s, frames, site)
	}
	t.Thrown, t.Exc = 0, 0
	s.Th.Kept = exc
	x := &Exception{Ref: exc, Type: vmOfGroup(s.Group).typeName(exc), Thread: s.Th.Number, Trace: frames}
	if exc == 0 {
		x.Detail = explainNull(t)
	}
	return x
}

// typeName returns the name of an object's type in the VM; "" for NULL.
func (vm *VM) typeName(obj uintptr) string {
	if obj == 0 {
		return ""
	}
	return vm.nameOf(gc.TypeOf(obj))
}

// nameOf returns the name of a type in the VM.
func (vm *VM) nameOf(g *Type) string {
	if name, ok := vm.names.Load(g); ok {
		return name.(string)
	}
	return g.Name
}

// fault is thread.Machine.Fault: it makes an error of a Go panic.
func fault(s *thread.Stack, r any) error {
	e := &Error{}
	pcs := callers(0)
	e.Trace, e.site = trace(pcs, livePlaces(s.Ctx, nil))
	in := X(s.Ctx).in
	X(s.Ctx).in = nil
	if e.Kind, e.Detail = classify(r); e.Kind == NullRef {
		e.Detail = explainNull(s.Ctx)
	}
	if frames, who := goFrames(pcs, in); who != "" {
		e.panicIn(who, r, frames)
	} else if _, misuse := r.(*libc.Misuse); !misuse && in != nil {
		e.panicInLibrary(in, r)
	} else if e.Kind == Internal {
		e.exitStatus = statusInternal
		e.GoStack, e.showGo = string(debug.Stack()), gc.StackTrace
	}
	e.locate(s)
	if vm := vmOfGroup(s.Group); s.Th == nil || !s.Th.HasCaller() && vm.settings.ThreadFailed == nil {
		vm.report(e)
	}
	return e
}

// nullAccess is the panic of an access through NULL where such accesses do not fault.
type nullAccess uintptr

func (nullAccess) Error() string { return "access through NULL" }

// Addr is the address that was accessed, like that of faults.
func (a nullAccess) Addr() uintptr { return uintptr(a) }

// AccessNull panics like a fault, before an access to an address in the zone of NULL.
func AccessNull(p uintptr) { panic(nullAccess(p)) }

// classify returns the error of the program for a Go panic. The two texts are those of
// runtime.Error values that cannot be recognized otherwise.
func classify(r any) (Kind, string) {
	switch r := r.(type) {
	case interface {
		error
		Addr() uintptr
	}:
		if addr := r.Addr(); addr >= NullZone {
			return Native, fmt.Sprintf("invalid memory access: fault at address %#x", addr)
		}
		return NullRef, ""
	case runtime.Error:
		switch r.Error() {
		case "runtime error: invalid memory address or nil pointer dereference":
			return NullRef, ""
		case "runtime error: integer divide by zero":
			return DivByZero, ""
		}
		return Internal, r.Error()
	case *libc.Misuse:
		return Native, r.Error()
	}
	return Internal, fmt.Sprint(r)
}
