package main

// A room is a package that makes names of package core public.
type room struct {
	pkg   string
	file  string
	names []string
	brief bool // documents a name with one sentence
}

// rooms lists the names of each room. A name in no room is for rtlib/mu and rtlib/ffi, which import
// package core. Names that only generated code uses are fully documented in core and briefly in rt,
// because every program that is written to a folder has a copy of the runtime.
var rooms = []room{
	{"rt", "rtlib/rt/rt_gen.go", generated, true},
	{"rtlib", "rtlib/rtlib_gen.go", client, false},
}

// generated lists the names that generated code uses; TestRooms in transpile/gogen compares it with the generator.
var generated = []string{
	// Tables of a program.
	"Program", "Func", "FuncName", "List", "Class", "Extern", "Exposure", "CSig", "Watch", "Agreement", "Start", "Main",
	"Entity", "EntityName", "HiddenEntity", "TypeEntity", "ConstEntity", "GlobalEntity", "FuncEntity", "ExposeEntity", "SigEntity",
	"Coverage", "LaterBundle", "Need", "Impl", "NoConstant", "Thunk", "Self", "BuildImage",
	"UnitFunc", "UnitCell", "UnitExposure", "UnitSymbol",
	"Site", "FrameSite", "KeepVar", "Step", "Hook", "Hooks", "Notation",
	"VType", "VVoid", "VInt", "VFloat", "VDouble", "VUPtr", "VUFuncPtr", "VRef", "VIRef", "VWeakRef", "VTagRef64", "VFuncRef",
	"VStackRef", "VThreadRef", "VCursorRef", "VNodeRef", "VBuilderRef", "VStruct", "VArray", "VVector", "VHybrid", "VSig",
	"Type", "Shape", "Slot", "Rep", "SlotRef", "SlotIRef", "SlotWeak", "SlotTag", "SlotAny", "Global", "FirstTypeID",

	// Calls and values.
	"Ctx", "Transfer", "X", "TailCall", "Tailing", "Chase", "Callable", "CodeOf", "BadCall", "Undefined", "Do", "PrintValues",
	"Handle", "StackHandle", "ThreadHandle", "CursorHandle", "FuncHandle", "TagHandle", "Hold", "HoldFunc", "HoldTag",

	// Errors and exceptions.
	"Fail", "Throw", "Rethrow", "Catch",
	"DivByZero", "Overflow", "NullRef", "NullFunc", "BadSignature", "NoResource", "OutOfMemory", "Bounds", "TypeError",
	"Native", "Trapped", "Unreachable", "FailIndex",

	// Memory.
	"HeaderSize", "NullZone", "Unaligned", "Is64", "Mark", "GrowStart", "Collect", "Collections", "SetFinal", "FinalNow", "NextFinal", "FinalsDue",
	"MemClear", "MemClearWords", "MemMove", "MemRepeat", "ThreadCell", "Pin", "Unpin", "GetAddr",
	"CheckAccess", "CheckAddress", "CheckDerived", "GuardedWrite", "CheckTag", "AccessData", "AccessValue", "AccessAny", "AccessRef", "AccessIRef", "AccessWeak", "AccessTag",
	"SanCell", "SanUnit", "SanMark", "SanRelease",

	// Stacks, threads and traps.
	"NewStack", "FuncNow", "SwapStack", "EnterStack", "LeaveStack", "KillStack", "CurrentStack", "ShouldMove", "Woken", "KillOld", "ThrowExc",
	"Land", "LandAt", "Popping", "NewThread", "ThreadExit", "ThreadLocal", "SetThreadLocal",
	"FutexWait", "FutexWaitTimeout", "FutexWake", "FutexCmpRequeue", "Trap", "SetTrapHandler", "Enabled", "SetWatchpoint",

	// Natives and exposed functions.
	"CCall", "InGo", "Served", "Errno", "Argv", "EnterSafe", "LeaveSafe", "ExposedAddr", "ExposeFunc", "Unexpose", "TakeCookie",
	"FuncAtAddress", "IsFuncAt", "CheckNative", "Pools", "SetPool", "Target",

	// @uvm.meta.
	"MetaIDOf", "MetaNameOf", "BuildIR", "MetaLoadBundle", "MetaLoadHAIL", "MetaNewCursor", "MetaNextFrame", "MetaCopyCursor", "MetaCloseCursor",
	"MetaCurFunc", "MetaCurFuncVer", "MetaCurInst", "MetaDumpKeepalives", "MetaPopFramesTo", "MetaPushFrame",
}

// client lists the names for Go programs that call the functions of a translated package; rtlib/mu has
// the client API of Mu.
var client = []string{
	"Ctx", "NewThreadCtx", "CloseThreadCtx", "Do", "Finish", "Collect",
	"SetGoTrapHandler", "TrapHandler", "TrapResult", "TrapAction", "TrapThreadExit", "TrapPassValues", "TrapThrowExc", "Site",
	"Handle", "StackHandle", "ThreadHandle", "CursorHandle", "FuncHandle", "TagHandle", "TagDouble", "TagInt", "TagRef",
	"Error", "Exception", "Frame", "ErrThreadExit", "ErrStackKilled", "ErrBusy", "ErrClosed",
	"Kind", "Internal", "DivByZero", "Overflow", "NullRef", "NullAddress", "NullFunc", "BadSignature", "UndefinedFunction",
	"UnhandledTrap", "UncaughtException", "BottomReturn", "StackOverflow", "StackState", "StackTypes", "NoResource", "OutOfMemory",
	"Bounds", "TypeError", "TagKind", "FutexError", "PinError", "Native", "CursorError", "NameError", "Deadlock", "DynCode",
	"Check", "Conflict", "ParseError", "HAILError", "NodeError", "Trapped", "Unreachable", "Interrupted",
}
