package rtlib

// Transfer is the area in which lists of values travel between stacks. A list is
// flattened to scalar leaves in order: traced references take the next entry of R, all
// else the next of W: ints zero-extended, floats as their bits, pointers and funcrefs as
// addresses, 128-bit values low word first. A tagref64 takes one of each: its reference
// or 0 in R, its bits in W.
type Transfer struct {
	W []uint64
	R []uintptr
}

func X(t *Ctx) *Transfer { panic("uvm: no body yet") }

func SwapStack(t *Ctx, stack uintptr, pass, ret uint32, flags Flags, site *Site) {
	panic("uvm: no body yet")
}

// NewStack returns 0 when no stack can be made.
func NewStack(t *Ctx, f uintptr) uintptr { panic("uvm: no body yet") }
func KillStack(t *Ctx, stack uintptr)    { panic("uvm: no body yet") }
func CurrentStack(t *Ctx) uintptr        { panic("uvm: no body yet") }
func ThreadExit(t *Ctx)                  { panic("uvm: no body yet") }

// NewThread returns 0 when no thread can be made.
func NewThread(t *Ctx, stack, threadLocal uintptr, pass uint32, flags Flags, site *Site) uintptr {
	panic("uvm: no body yet")
}
func ThreadLocal(t *Ctx) uintptr           { panic("uvm: no body yet") }
func SetThreadLocal(t *Ctx, ref uintptr)   { panic("uvm: no body yet") }
func Trap(t *Ctx, site *Site, wpid uint32) { panic("uvm: no body yet") }

// Undefined is what the thunk of an undefined function calls, the arguments in X(t). It
// returns true, the arguments in X(t) again, when the call is to be tried again, false
// when t.Thrown is set.
func Undefined(t *Ctx, f *Func) bool { panic("uvm: no body yet") }

// SetTrapHandler is @uvm.meta.set_trap_handler.
func SetTrapHandler(t *Ctx, f, userdata uintptr) { panic("uvm: no body yet") }

func FutexWait(t *Ctx, addr uintptr, bits uint8, val uint64) uint32 { panic("uvm: no body yet") }
func FutexWaitTimeout(t *Ctx, addr uintptr, bits uint8, val, ns uint64) uint32 {
	panic("uvm: no body yet")
}
func FutexWake(t *Ctx, addr uintptr, n uint32) uint32 { panic("uvm: no body yet") }
func FutexCmpRequeue(t *Ctx, src, dst uintptr, bits uint8, exp uint64, n uint32) uint32 {
	panic("uvm: no body yet")
}

func Pin(t *Ctx, addr uintptr) uintptr { panic("uvm: no body yet") }
func Unpin(t *Ctx, addr uintptr)       { panic("uvm: no body yet") }

func WatchpointEnabled(id uint32) bool { panic("uvm: no body yet") }
func SetWatchpoint(id uint32, on bool) { panic("uvm: no body yet") }

// Throw sets Thrown and Exc and remembers where, for the report of an uncaught exception.
func Throw(t *Ctx, exc uintptr) { t.Thrown, t.Exc = 1, exc }

// Fail does not return. where is the global name of the instruction, or "" to find it
// from the line.
func Fail(t *Ctx, kind Kind, where, detail string) { panic("uvm: no body yet") }

func Main(p *Program)                         { panic("uvm: no body yet") }
func Argv(t *Ctx) (argc uint32, argv uintptr) { panic("uvm: no body yet") }

// Start prepares the runtime for a program used as a Go package; NewThreadCtx and Do then
// run its functions.
func Start(p *Program)          { panic("uvm: no body yet") }
func NewThreadCtx() *Ctx        { panic("uvm: no body yet") }
func CloseThreadCtx(t *Ctx)     { panic("uvm: no body yet") }
func Do(t *Ctx, f func()) error { panic("uvm: no body yet") }
