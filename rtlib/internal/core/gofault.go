package core

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/rtlib/internal/thread"
	"github.com/uvm2go/uvm2go/rtlib/libc"
)

// Faults in Go code that the program has called: natives that Go code has registered, trap handlers, and Go
// functions that C calls. Whatever the fault is, a division by zero or an access through nil too, it is none of the program:
// its kind is Native, and its place that in the Go code. The place where Go panicked tells such a fault from those of
// generated code and of the runtime.

// maxGoFrames is how many frames of Go code a trace shows.
const maxGoFrames = 16

// Names of the Go functions whose frames lie below those of a trap handler, of package mu and of others.
const (
	clientHandlerFrame = runtimePackages + "mu.(*Ctx).handle"
	handlerFrame       = runtimePackages + "internal/core.(*handler).ask"
)

// goFrames returns the frames of the Go code that panicked, newest first, and what it is for the program that called it, ""
// if no Go code of others panicked; pcs are those of a function that the panic has called, and in is the native that the
// stack is in, if any.
func goFrames(pcs []uintptr, in *libc.Native) (frames []Frame, who string) {
	if len(pcs) == 0 {
		return nil, ""
	}
	native := "a native"
	if in != nil {
		native = "the native " + in.Name
	}
	panicked := false
	for it := runtime.CallersFrames(pcs); ; {
		f, more := it.Next()
		switch {
		case f.Function == "runtime.gopanic":
			panicked = true
		case !panicked:
		case f.Function == libc.ClientFrame:
			return clientFrames(frames), native
		case f.Function == clientHandlerFrame, f.Function == handlerFrame:
			return clientFrames(frames), "the trap handler"
		case strings.HasPrefix(f.Function, "runtime.cgocallback") && len(frames) > 0 && !strings.HasPrefix(frames[0].Func, runtimePackages):
			return clientFrames(frames), "Go code that C has called"
		case isMuFrame(f.Function):
			return nil, ""
		case !strings.HasPrefix(f.Function, "runtime."):
			frames = append(frames, Frame{Func: f.Function, File: f.File, Line: f.Line})
		}
		if !more {
			if in != nil && in.IsClient() && len(pcs) == cap(pcs) { // it has so many frames that these are not all
				return clientFrames(frames), native
			}
			return nil, ""
		}
	}
}

// runtimePackages is how the names of the runtime's functions begin.
const runtimePackages = "github.com/uvm2go/uvm2go/rtlib/"

// isMuFrame reports whether a Go function runs Mu code.
func isMuFrame(function string) bool {
	if function == Engine.Loop && function != "" {
		return true
	}
	_, fn := funcOf(function)
	return fn != nil
}

// clientFrames leaves the frames out with which the runtime called the Go code.
func clientFrames(frames []Frame) []Frame {
	n := len(frames)
	for n > 1 && isGlue(frames[n-1].Func) {
		n--
	}
	return frames[:min(n, maxGoFrames)]
}

// isGlue reports whether a Go function is of those with which the runtime calls Go code.
func isGlue(function string) bool {
	for _, p := range []string{runtimePackages + "libc.", runtimePackages + "mu.", "reflect.", "_cgoexp_"} {
		if strings.HasPrefix(function, p) {
			return true
		}
	}
	return false
}

// panicIn fills in e for a panic of Go code, who, with its frames in front of the program's.
func (e *Error) panicIn(who string, r any, frames []Frame) {
	e.Kind, e.Detail = Native, fmt.Sprintf("%s panicked: %v", who, r)
	e.Trace, e.site = slices.Concat(frames, e.Trace), ""
	e.GoStack, e.showGo = string(debug.Stack()), true
}

// panicInLibrary fills in e for a panic of a native of the runtime. Access to bad memory that was passed to it is an error
// of the program, as for natives in C.
func (e *Error) panicInLibrary(n *libc.Native, r any) {
	e.GoStack = string(debug.Stack())
	if e.Kind == Internal || e.Kind == DivByZero {
		e.Kind, e.showGo = Native, true
		e.Detail = fmt.Sprintf("the native %s panicked: %v", n.Name, r)
	}
}

// HandlerPanicked ends the process with the report of a panic of a trap handler (docs/client.md, "The client API"), on the
// goroutine that panics. The handler runs on the stack of t, for the trap of the stack that a reference is to.
func HandlerPanicked(t *Ctx, stack uintptr, r any) {
	e := &Error{}
	frames, who := goFrames(callers(0), nil)
	if s := machine.Stack(stack); s != nil {
		if sus, ok := s.Data.(*suspension); ok && sus.site != nil {
			who = "the handler of the trap " + sus.site.Name
		}
	}
	e.panicIn(who, r, frames)
	e.locate(thread.Of(t))
	vmOf(t).report(e)
}
