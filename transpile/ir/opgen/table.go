// Opgen generates the op tables of package ir and the instruction table of the
// documentation from the one description of all operations in table.go.
package main

// A row describes one operation. Everything the rest of the translator needs
// to know about an operation in general is here; what an operation means is in
// the interpreter, the folder and the code generator.
type row struct {
	// name is the Go name without "Op" and, in lower case, the name in dumps.
	name string
	// mnem is the spelling in Mu text, or the common instruction's name.
	mnem string
	// code is the number in the Mu client API (mu-language 12), or the opcode
	// of a common instruction (section 9).
	code int
	// class says how operands, type arguments and results are typed; see the
	// Class constants of package ir.
	class string
	// flags: t terminator, e may have EXC, k may have KEEPALIVE (OSR point),
	// c commutative, x may throw or be unwound, a may allocate or collect,
	// r reads memory, w writes memory, s has another side effect,
	// m memory order, p may have PTR, f may fail at run time.
	flags string
	doc   string
}

var rows = []row{
	// Binary operations (mu-language 8.1): Ty, two operands.
	{"Add", "ADD", 0x01, "IntBin", "c", "sum, modulo 2^n"},
	{"Sub", "SUB", 0x02, "IntBin", "", "difference, modulo 2^n"},
	{"Mul", "MUL", 0x03, "IntBin", "c", "product, modulo 2^n"},
	{"SDiv", "SDIV", 0x04, "IntBin", "ef", "signed quotient toward zero"},
	{"SRem", "SREM", 0x05, "IntBin", "ef", "signed remainder, sign of the first operand"},
	{"UDiv", "UDIV", 0x06, "IntBin", "ef", "unsigned quotient"},
	{"URem", "UREM", 0x07, "IntBin", "ef", "unsigned remainder"},
	{"Shl", "SHL", 0x08, "IntBin", "", "shift left, count masked"},
	{"LShr", "LSHR", 0x09, "IntBin", "", "logical shift right, count masked"},
	{"AShr", "ASHR", 0x0a, "IntBin", "", "arithmetic shift right, count masked"},
	{"And", "AND", 0x0b, "IntBin", "c", "bitwise and"},
	{"Or", "OR", 0x0c, "IntBin", "c", "bitwise or"},
	{"Xor", "XOR", 0x0d, "IntBin", "c", "bitwise exclusive or"},
	{"FAdd", "FADD", 0xb0, "FPBin", "c", "floating point sum"},
	{"FSub", "FSUB", 0xb1, "FPBin", "", "floating point difference"},
	{"FMul", "FMUL", 0xb2, "FPBin", "c", "floating point product"},
	{"FDiv", "FDIV", 0xb3, "FPBin", "", "floating point quotient"},
	{"FRem", "FREM", 0xb4, "FPBin", "", "floating point remainder, as fmod"},

	// Comparisons (8.2): Ty, two operands, int<1> or a vector of it.
	{"EQ", "EQ", 0x20, "CmpEQ", "c", "equal"},
	{"NE", "NE", 0x21, "CmpEQ", "c", "not equal"},
	{"SGE", "SGE", 0x22, "CmpInt", "", "signed greater or equal"},
	{"SGT", "SGT", 0x23, "CmpInt", "", "signed greater"},
	{"SLE", "SLE", 0x24, "CmpInt", "", "signed less or equal"},
	{"SLT", "SLT", 0x25, "CmpInt", "", "signed less"},
	{"UGE", "UGE", 0x26, "CmpULT", "", "unsigned greater or equal"},
	{"UGT", "UGT", 0x27, "CmpULT", "", "unsigned greater"},
	{"ULE", "ULE", 0x28, "CmpULT", "", "unsigned less or equal"},
	{"ULT", "ULT", 0x29, "CmpULT", "", "unsigned less"},
	{"FFalse", "FFALSE", 0xc0, "CmpFP", "", "always 0"},
	{"FTrue", "FTRUE", 0xc1, "CmpFP", "", "always 1"},
	{"FUno", "FUNO", 0xc2, "CmpFP", "c", "at least one is NaN"},
	{"FUEQ", "FUEQ", 0xc3, "CmpFP", "c", "unordered or equal"},
	{"FUNE", "FUNE", 0xc4, "CmpFP", "c", "unordered or not equal"},
	{"FUGT", "FUGT", 0xc5, "CmpFP", "", "unordered or greater"},
	{"FUGE", "FUGE", 0xc6, "CmpFP", "", "unordered or greater or equal"},
	{"FULT", "FULT", 0xc7, "CmpFP", "", "unordered or less"},
	{"FULE", "FULE", 0xc8, "CmpFP", "", "unordered or less or equal"},
	{"FOrd", "FORD", 0xc9, "CmpFP", "c", "neither is NaN"},
	{"FOEQ", "FOEQ", 0xca, "CmpFP", "c", "ordered and equal"},
	{"FONE", "FONE", 0xcb, "CmpFP", "c", "ordered and not equal"},
	{"FOGT", "FOGT", 0xcc, "CmpFP", "", "ordered and greater"},
	{"FOGE", "FOGE", 0xcd, "CmpFP", "", "ordered and greater or equal"},
	{"FOLT", "FOLT", 0xce, "CmpFP", "", "ordered and less"},
	{"FOLE", "FOLE", 0xcf, "CmpFP", "", "ordered and less or equal"},

	// Conversions (8.3): Ty source, Ty2 destination, one operand.
	{"Trunc", "TRUNC", 0x30, "Conv", "", "low bits of an int"},
	{"ZExt", "ZEXT", 0x31, "Conv", "", "zero extension"},
	{"SExt", "SEXT", 0x32, "Conv", "", "sign extension"},
	{"FPTrunc", "FPTRUNC", 0x33, "Conv", "", "double to float"},
	{"FPExt", "FPEXT", 0x34, "Conv", "", "float to double"},
	{"FPToUI", "FPTOUI", 0x35, "Conv", "", "floating point to unsigned int, saturating"},
	{"FPToSI", "FPTOSI", 0x36, "Conv", "", "floating point to signed int, saturating"},
	{"UIToFP", "UITOFP", 0x37, "Conv", "", "unsigned int to floating point"},
	{"SIToFP", "SITOFP", 0x38, "Conv", "", "signed int to floating point"},
	{"Bitcast", "BITCAST", 0x39, "Conv", "", "same bits, int and floating point"},
	{"RefCast", "REFCAST", 0x3a, "Conv", "", "same referent, other static type"},
	{"PtrCast", "PTRCAST", 0x3b, "Conv", "", "same address, pointers and ints"},
	// Not in Mu text: what an accepted deviation means (mu-language 13.2 h).
	{"RefAddr", "REFADDR", 0, "Conv", "", "address of a referenced object, unpinned: ref to uptr"},

	// Ty condition type, Ty2 operand type; condition, if true, if false.
	{"Select", "SELECT", 0, "Select", "", "choice between two values"},

	// Control flow (8.4).
	{"Branch", "BRANCH", 0, "Branch", "t", "jump to Dests[0]"},
	{"Branch2", "BRANCH2", 0, "Branch", "t", "jump to Dests[0] if the int<1> operand is 1, else Dests[1]"},
	{"Switch", "SWITCH", 0, "Branch", "t", "Ty; Args[0] against constants Args[1:]; Dests[0] is the default, Dests[1+i] the case of Args[1+i]"},
	{"Call", "CALL", 0, "Call", "ekxarws", "Sig; Args[0] is the callee"},
	{"TailCall", "TAILCALL", 0, "Call", "txarws", "Sig; Args[0] is the callee; replaces the frame"},
	{"Ret", "RET", 0, "Ret", "t", "return Args"},
	{"Throw", "THROW", 0, "Throw", "tx", "throw Args[0]"},

	// Aggregates in variables (8.5).
	{"ExtractValue", "EXTRACTVALUE", 0, "Aggr", "", "Ty struct, Imm field"},
	{"InsertValue", "INSERTVALUE", 0, "Aggr", "", "Ty struct, Imm field; struct, new field"},
	{"ExtractElement", "EXTRACTELEMENT", 0, "Aggr", "f", "Ty array or vector, Ty2 index type; sequence, index"},
	{"InsertElement", "INSERTELEMENT", 0, "Aggr", "f", "Ty array or vector, Ty2 index type; sequence, index, element"},
	{"ShuffleVector", "SHUFFLEVECTOR", 0, "Aggr", "f", "Ty vector, Ty2 mask type; two vectors, mask"},

	// Allocation (8.6).
	{"New", "NEW", 0, "Alloc", "eaf", "Ty; new heap object"},
	{"NewHybrid", "NEWHYBRID", 0, "Alloc", "eaf", "Ty hybrid, Ty2 length type; length"},
	{"Alloca", "ALLOCA", 0, "Alloc", "efs", "Ty; new stack cell"},
	{"AllocaHybrid", "ALLOCAHYBRID", 0, "Alloc", "efs", "Ty hybrid, Ty2 length type; length"},

	// Addressing (8.7): operands and results are iref, or uptr with FlagPtr.
	{"GetIRef", "GETIREF", 0, "Addr", "f", "Ty referent; location of an object"},
	{"GetFieldIRef", "GETFIELDIREF", 0, "Addr", "pf", "Ty struct or hybrid, Imm field"},
	{"GetElemIRef", "GETELEMIREF", 0, "Addr", "pf", "Ty array or vector, Ty2 index type; location, index (signed)"},
	{"ShiftIRef", "SHIFTIREF", 0, "Addr", "pf", "Ty element, Ty2 offset type; location, offset (signed)"},
	{"GetVarPartIRef", "GETVARPARTIREF", 0, "Addr", "pf", "Ty hybrid; first variable element"},

	// Memory access (8.8).
	{"Load", "LOAD", 0, "Mem", "epmrf", "Ty; location"},
	{"Store", "STORE", 0, "Mem", "epmwf", "Ty; location, value"},
	{"CmpXchg", "CMPXCHG", 0, "Mem", "epmrwf", "Ty, Ord success, OrdFail; location, expected, desired; old value and int<1>"},
	{"AtomicRMW", "ATOMICRMW", 0, "Mem", "epmrwf", "Ty, RMW; location, operand; old value"},
	{"Fence", "FENCE", 0, "Mem", "mrws", "memory fence of order Ord"},

	// Traps (8.9).
	{"Trap", "TRAP", 0, "Trap", "ekxarws", "Types are the result types"},
	{"Watchpoint", "WATCHPOINT", 0, "Trap", "tkxarws", "Imm id, Types results; Dests[0] disabled, [1] enabled, [2] WPEXC if present"},
	{"WPBranch", "WPBRANCH", 0, "Branch", "ts", "Imm id; Dests[0] disabled, [1] enabled"},

	// Native calls, threads, stacks (8.10 to 8.12).
	{"CCall", "CCALL", 0, "Call", "ekxarws", "Ty callee type, Sig; Args[0] is the callee"},
	{"NewThread", "NEWTHREAD", 0, "Stack", "earwsf", "stack, thread-local if FlagThreadLocal, then values or (FlagThrowExc) one exception"},
	{"SwapStack", "SWAPSTACK", 0, "Stack", "ekxarws", "Types are the RET_WITH results, or FlagKillOld; stack, then values or (FlagThrowExc) one exception; a terminator with FlagKillOld"},

	// Not in Mu text: bodies that can stop and go on, see package resume.
	{"Dispatch", "DISPATCH", 0, "Branch", "ts", "jump to Dests[0] at the start of the stack, to Dests[n] where it goes on from SUSPEND n"},
	{"Suspend", "SUSPEND", 0, "Stack", "tarws", "Imm number; stack and values as SWAPSTACK, Keep what RELOAD gives back; without operands a poll, Dests[0] if there is no need to stop"},
	{"Reload", "RELOAD", 0, "Stack", "rs", "what the SUSPEND that led here kept"},
	{"Woken", "WOKEN", 0, "Stack", "exrs", "Types; the values passed to the stack, or an exception; Imm 0 at its start"},

	// Common instructions (section 9).
	{"NewStack", "@uvm.new_stack", 0x201, "Comm", "eaf", "Sig; funcref; new stack"},
	{"KillStack", "@uvm.kill_stack", 0x202, "Comm", "sf", "stack"},
	{"ThreadExit", "@uvm.thread_exit", 0x203, "Comm", "ts", "ends the thread"},
	{"CurrentStack", "@uvm.current_stack", 0x204, "Comm", "ar", "the current stack"},
	{"SetThreadLocal", "@uvm.set_threadlocal", 0x205, "Comm", "ws", "ref"},
	{"GetThreadLocal", "@uvm.get_threadlocal", 0x206, "Comm", "r", "ref<void>"},
	{"TagIsFP", "@uvm.tr64.is_fp", 0x211, "Comm", "", "tagref64 holds a double"},
	{"TagIsInt", "@uvm.tr64.is_int", 0x212, "Comm", "", "tagref64 holds an int<52>"},
	{"TagIsRef", "@uvm.tr64.is_ref", 0x213, "Comm", "", "tagref64 holds a reference"},
	{"TagFromFP", "@uvm.tr64.from_fp", 0x214, "Comm", "", "tagref64 of a double"},
	{"TagFromInt", "@uvm.tr64.from_int", 0x215, "Comm", "", "tagref64 of an int<52>"},
	{"TagFromRef", "@uvm.tr64.from_ref", 0x216, "Comm", "", "tagref64 of a ref and an int<6> tag"},
	{"TagToFP", "@uvm.tr64.to_fp", 0x217, "Comm", "f", "the double"},
	{"TagToInt", "@uvm.tr64.to_int", 0x218, "Comm", "f", "the int<52>"},
	{"TagToRef", "@uvm.tr64.to_ref", 0x219, "Comm", "f", "the reference"},
	{"TagToTag", "@uvm.tr64.to_tag", 0x21a, "Comm", "f", "the tag"},
	{"FutexWait", "@uvm.futex.wait", 0x220, "Comm", "arwsf", "Ty; location, value; int<32>"},
	{"FutexWaitTimeout", "@uvm.futex.wait_timeout", 0x221, "Comm", "arwsf", "Ty; location, value, nanoseconds; int<32>"},
	{"FutexWake", "@uvm.futex.wake", 0x222, "Comm", "rwsf", "Ty; location, count; int<32>"},
	{"FutexCmpRequeue", "@uvm.futex.cmp_requeue", 0x223, "Comm", "rwsf", "Ty; source, destination, expected, count; int<32>"},
	{"KillDependency", "@uvm.kill_dependency", 0x230, "Comm", "", "Ty; identity"},
	{"Pin", "@uvm.native.pin", 0x240, "Comm", "s", "Ty ref or iref; uptr to the location"},
	{"Unpin", "@uvm.native.unpin", 0x241, "Comm", "sf", "Ty ref or iref"},
	{"Expose", "@uvm.native.expose", 0x242, "Comm", "sf", "Sig; funcref, cookie; ufuncptr"},
	{"Unexpose", "@uvm.native.unexpose", 0x243, "Comm", "sf", "ufuncptr"},
	{"GetCookie", "@uvm.native.get_cookie", 0x244, "Comm", "r", "int<64>"},
	{"MetaIDOf", "@uvm.meta.id_of", 0x250, "Comm", "rsf", "name; int<32>"},
	{"MetaNameOf", "@uvm.meta.name_of", 0x251, "Comm", "arsf", "int<32>; name"},
	{"MetaLoadBundle", "@uvm.meta.load_bundle", 0x252, "Comm", "arwsf", "text"},
	{"MetaLoadHAIL", "@uvm.meta.load_hail", 0x253, "Comm", "arwsf", "text"},
	{"MetaNewCursor", "@uvm.meta.new_cursor", 0x254, "Comm", "arsf", "stack; cursor"},
	{"MetaNextFrame", "@uvm.meta.next_frame", 0x255, "Comm", "sf", "cursor"},
	{"MetaCopyCursor", "@uvm.meta.copy_cursor", 0x256, "Comm", "asf", "cursor; cursor"},
	{"MetaCloseCursor", "@uvm.meta.close_cursor", 0x257, "Comm", "sf", "cursor"},
	{"MetaCurFunc", "@uvm.meta.cur_func", 0x258, "Comm", "rf", "cursor; int<32>"},
	{"MetaCurFuncVer", "@uvm.meta.cur_func_ver", 0x259, "Comm", "rf", "cursor; int<32>"},
	{"MetaCurInst", "@uvm.meta.cur_inst", 0x25a, "Comm", "rf", "cursor; int<32>"},
	{"MetaDumpKeepalives", "@uvm.meta.dump_keepalives", 0x25b, "Comm", "arf", "cursor; refs"},
	{"MetaPopFramesTo", "@uvm.meta.pop_frames_to", 0x25c, "Comm", "sf", "cursor"},
	{"MetaPushFrame", "@uvm.meta.push_frame", 0x25d, "Comm", "asf", "Sig; stack, funcref"},
	{"MetaEnableWatchpoint", "@uvm.meta.enable_watchpoint", 0x25e, "Comm", "ws", "int<32>"},
	{"MetaDisableWatchpoint", "@uvm.meta.disable_watchpoint", 0x25f, "Comm", "ws", "int<32>"},
	{"MetaSetTrapHandler", "@uvm.meta.set_trap_handler", 0x260, "Comm", "wsf", "funcref, ref"},
	{"MathSin", "@uvm.math.sin", 0x8001, "Comm", "", "Ty; sine"},
	{"MathCos", "@uvm.math.cos", 0x8002, "Comm", "", "Ty; cosine"},
	{"MathTan", "@uvm.math.tan", 0x8003, "Comm", "", "Ty; tangent"},
	{"MathSqrt", "@uvm.math.sqrt", 0x8004, "Comm", "", "Ty; square root"},
	{"AddOvf", "@uvm.math.add_ovf", 0x8005, "Comm", "ef", "Ty; sum, failing on signed overflow"},
	{"IRBuilder", "@uvm.irbuilder", 0x300, "Comm", "arwsf", "Imm opcode; any instruction of the IR builder"},
}

// aliases are other accepted spellings of common instructions (mu-language D36).
var aliases = map[string]string{
	"@uvm.meta.cur_func_Ver":       "MetaCurFuncVer",
	"@uvm.meta.enable_watchPoint":  "MetaEnableWatchpoint",
	"@uvm.meta.disable_watchPoint": "MetaDisableWatchpoint",
}
