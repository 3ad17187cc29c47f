package mu

import (
	"errors"
	"fmt"

	rt "github.com/uvm2go/uvm2go/rtlib"
)

// Code is the code of an error (mu-runtime, section 15).
type Code string

// The codes that operations of this package return.
const (
	Null           Code = "E_NULL"
	StackState     Code = "E_STACK_STATE"
	TypeMismatch   Code = "E_TYPE"
	StackUnderflow Code = "E_STACK_UNDERFLOW"
	StackOverflow  Code = "E_STACK_OVERFLOW"
	UnhandledTrap  Code = "E_UNHANDLED_TRAP"
	CursorOpen     Code = "E_CURSOR_OPEN"
	CursorClosed   Code = "E_CURSOR_CLOSED"
	Bottom         Code = "E_BOTTOM"
	NativeFrame    Code = "E_NATIVE_FRAME"
	NativeUnwind   Code = "E_NATIVE_UNWIND"
	NotPinned      Code = "E_UNPIN"
	NotExposed     Code = "E_UNEXPOSE"
	NotInTrap      Code = "E_NOT_IN_TRAP"
	BadHandle      Code = "E_HANDLE"
	CtxClosed      Code = "E_CTX_CLOSED"
	CtxBusy        Code = "E_CTX_BUSY"
	NoName         Code = "E_NAME"
	NoID           Code = "E_ID"
	OutOfRange     Code = "E_RANGE"
	BadArg         Code = "E_ARG"
	OutOfMemory    Code = "E_OOM"
	DivByZero      Code = "E_DIVZERO"
	DynCode        Code = "E_DYNCODE"
	BadBundle      Code = "E_CHECK"
	Conflict       Code = "E_CONFLICT"
	ParseFailed    Code = "E_PARSE"
	BadHAIL        Code = "E_HAIL"
	ThreadExit     Code = "E_THREAD_EXIT" // the called function ended its thread
	Failed         Code = "E_FAILED"      // any other run-time error of the called function
)

// Error is why an operation did nothing.
type Error struct {
	Code Code
	Msg  string
	Err  error // the run-time error of the program, if that is the reason
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Code, e.Msg) }

func (e *Error) Unwrap() error { return e.Err }

// Is makes errors.Is(err, &Error{Code: c}) compare codes.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code && t.Msg == ""
}

// Exception is a Mu exception that left a function called by the client.
type Exception struct {
	Exc  Ref // in the context of the call
	Type string
}

func (e *Exception) Error() string {
	if e.Type == "" {
		return "exception NULL"
	}
	return "exception of type " + e.Type
}

func fail(c Code, format string, args ...any) *Error {
	return &Error{Code: c, Msg: fmt.Sprintf(format, args...)}
}

var codes = map[rt.Kind]Code{
	rt.NullRef: Null, rt.NullAddress: Null, rt.NullFunc: Null, rt.StackState: StackState, rt.StackTypes: TypeMismatch,
	rt.BadSignature: TypeMismatch, rt.TagKind: TypeMismatch, rt.TypeError: TypeMismatch, rt.CursorError: CursorOpen,
	rt.PinError: NotPinned, rt.NameError: NoName, rt.Bounds: OutOfRange, rt.OutOfMemory: OutOfMemory,
	rt.NoResource: OutOfMemory, rt.DynCode: DynCode, rt.Check: BadBundle, rt.Conflict: Conflict, rt.DivByZero: DivByZero,
	rt.StackOverflow: StackOverflow, rt.BottomReturn: StackUnderflow, rt.UnhandledTrap: UnhandledTrap,
	rt.UndefinedFunction: UnhandledTrap, rt.FutexError: BadArg,
}

// convert makes an error of this package of one of the runtime's.
func convert(err error) error {
	var e *rt.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, rt.ErrBusy):
		return fail(CtxBusy, "the context is in use")
	case errors.Is(err, rt.ErrThreadExit), errors.Is(err, rt.ErrStackKilled):
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
