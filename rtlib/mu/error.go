package mu

import (
	"errors"
	"fmt"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

// Code is the code of an error (docs/language.md, "Run-time errors"). It is an error itself, for
// errors.Is:
//
//	errors.Is(err, mu.StackState)
type Code string

// Error returns the code as it is spelled in the reference.
func (c Code) Error() string { return string(c) }

// The codes that operations of this package return.
const (
	Null           Code = "E_NULL"            // a reference that may not be NULL
	StackState     Code = "E_STACK_STATE"     // the stack is not READY
	TypeMismatch   Code = "E_TYPE"            // a value of another type, or another number of values
	StackUnderflow Code = "E_STACK_UNDERFLOW" // the bottom frame returned
	StackOverflow  Code = "E_STACK_OVERFLOW"  // the stack is full
	UnhandledTrap  Code = "E_UNHANDLED_TRAP"  // no handler for the trap
	CursorOpen     Code = "E_CURSOR_OPEN"     // a frame cursor is open on the stack
	CursorClosed   Code = "E_CURSOR_CLOSED"   // the frame cursor was closed
	Bottom         Code = "E_BOTTOM"          // there is no frame below
	NativeFrame    Code = "E_NATIVE_FRAME"    // the frame is of native code
	NativeUnwind   Code = "E_NATIVE_UNWIND"   // an exception would leave native code
	NotPinned      Code = "E_UNPIN"           // the context has not pinned the location
	NotExposed     Code = "E_UNEXPOSE"        // the function pointer is not from Expose
	NotInTrap      Code = "E_NOT_IN_TRAP"     // only for the thread whose trap is being handled
	BadHandle      Code = "E_HANDLE"          // a missing or deleted value, or one of another context
	CtxClosed      Code = "E_CTX_CLOSED"      // the context is closed, or the VM
	CtxBusy        Code = "E_CTX_BUSY"        // another goroutine uses the context
	NoName         Code = "E_NAME"            // no entity has the name
	NoID           Code = "E_ID"              // no entity of that kind has the ID
	OutOfRange     Code = "E_RANGE"           // an index, a length or a number that is too large
	BadArg         Code = "E_ARG"             // an argument that is never valid
	OutOfMemory    Code = "E_OOM"             // the heap is exhausted
	DivByZero      Code = "E_DIVZERO"         // the called function divided by zero
	DynCode        Code = "E_DYNCODE"         // code that was not translated ahead of time
	BadBundle      Code = "E_CHECK"           // a bundle that breaks a rule
	Conflict       Code = "E_CONFLICT"        // a name or a definition exists already
	ParseFailed    Code = "E_PARSE"           // a syntax error
	BadHAIL        Code = "E_HAIL"            // a HAIL script that breaks a rule
	ThreadExit     Code = "E_THREAD_EXIT"     // the called function ended its thread
	Interrupted    Code = "E_INTERRUPTED"     // Ctx.Interrupt ended the called function
	Failed         Code = "E_FAILED"          // any other run-time error of the called function
)

// Error is the reason why an operation had no effect.
type Error struct {
	Code Code
	Msg  string
	Err  error // the run-time error of the program, if that is the reason
}

// Error returns code and message.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Code, e.Msg) }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the code of e, or an *Error with this code and, if it has a message, the same one.
func (e *Error) Is(target error) bool {
	if t, ok := target.(*Error); ok && t != nil {
		return t.Code == e.Code && (t.Msg == "" || t.Msg == e.Msg) && t.Err == nil
	}
	return target == error(e.Code)
}

// Exception is a Mu exception that left a function called by the client.
type Exception struct {
	Exc  Ref // in the context of the call
	Type string
	Err  error // an *rtlib.Exception: where it was thrown
}

// Error names the type of the exception.
func (e *Exception) Error() string {
	if e.Type == "" {
		return "exception NULL"
	}
	return "exception of type " + e.Type
}

// Unwrap returns Err.
func (e *Exception) Unwrap() error { return e.Err }

func fail(c Code, format string, args ...any) *Error {
	return &Error{Code: c, Msg: fmt.Sprintf(format, args...)}
}

var codes = map[core.Kind]Code{
	core.NullRef: Null, core.NullAddress: Null, core.NullFunc: Null, core.StackState: StackState, core.StackTypes: TypeMismatch,
	core.BadSignature: TypeMismatch, core.TagKind: TypeMismatch, core.TypeError: TypeMismatch, core.CursorError: CursorOpen,
	core.PinError: NotPinned, core.NameError: NoName, core.Bounds: OutOfRange, core.OutOfMemory: OutOfMemory,
	core.NoResource: OutOfMemory, core.DynCode: DynCode, core.NodeError: BadHandle, core.Check: BadBundle, core.Conflict: Conflict, core.DivByZero: DivByZero,
	core.StackOverflow: StackOverflow, core.BottomReturn: StackUnderflow, core.UnhandledTrap: UnhandledTrap,
	core.UndefinedFunction: UnhandledTrap, core.FutexError: BadArg, core.Interrupted: Interrupted,
}

// convert converts an error of the runtime to one of this package.
func convert(err error) error {
	var e *core.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, core.ErrBusy):
		return fail(CtxBusy, "the context is in use")
	case errors.Is(err, core.ErrClosed):
		return fail(CtxClosed, "the VM is closed")
	case errors.Is(err, core.ErrThreadExit), errors.Is(err, core.ErrStackKilled):
		return &Error{ThreadExit, err.Error(), err}
	case errors.As(err, &e):
		c := Code(e.Code)
		if c == "" {
			c = codes[e.Kind]
		}
		if c == "" {
			c = Failed
		}
		msg := e.Detail
		if msg == "" {
			msg = e.Error()
		}
		return &Error{c, msg, err}
	}
	return err
}
