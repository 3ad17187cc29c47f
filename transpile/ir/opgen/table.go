// Opgen generates all lists of operations from the table in table.go and comm.go: the
// constants and tables of package ir, methods of its builder, the instructions of the
// grammar of Mu text, the decoders of the interpreter and the table of the
// documentation.
package main

// The instructions, in the order of their numbers in package ir.
var rows = append([]row{
	// Binary operations (docs/language.md, "Numbers").
	{"Add", "IntBin", "", "commutes assoc bits=below neutral=0 quick", "", "", "ADD", 0x01, "u:0x01 i:ari.add t:add", "sum modulo 2^n"},
	{"Sub", "IntBin", "", "self=0 bits=below neutral=0 quick", "", "", "SUB", 0x02, "u:0x02 i:ari.sub t:sub", "difference modulo 2^n"},
	{"Mul", "IntBin", "", "commutes assoc bits=product neutral=1 absorbs=0", "", "", "MUL", 0x03, "u:0x03 i:ari.mul t:mul", "product modulo 2^n"},
	{"SDiv", "IntBin", "", "exc fails divides -expr signed neutral=1", "", "", "SDIV", 0x04, "u:0x04 i:ari.div t:div", "signed quotient, rounded toward zero"},
	{"SRem", "IntBin", "", "exc fails divides -expr signed", "", "", "SREM", 0x05, "u:0x05 i:ari.rem", "signed remainder, with the sign of the first operand"},
	{"UDiv", "IntBin", "", "exc fails divides -expr neutral=1", "", "", "UDIV", 0x06, "u:0x06 i:ari.div t:div", "unsigned quotient"},
	{"URem", "IntBin", "", "exc fails divides -expr", "", "", "UREM", 0x07, "u:0x07 i:ari.rem", "unsigned remainder"},
	{"Shl", "IntBin", "", "shift bits=left neutral=0 quick", "", "", "SHL", 0x08, "u:0x08", "shift left; the count is masked"},
	{"LShr", "IntBin", "", "shift bits=right neutral=0 quick", "", "", "LSHR", 0x09, "u:0x09", "logical shift right; the count is masked"},
	{"AShr", "IntBin", "", "shift signed bits=right neutral=0 quick", "", "", "ASHR", 0x0a, "u:0x0a", "arithmetic shift right; the count is masked"},
	{"And", "IntBin", "", "commutes assoc self=x bits=ones neutral=ones absorbs=0 quick", "", "", "AND", 0x0b, "u:0x0b i:bit.and t:bit_and", "bitwise and"},
	{"Or", "IntBin", "", "commutes assoc self=x bits=zeros neutral=0 absorbs=ones quick", "", "", "OR", 0x0c, "u:0x0c i:bit.or t:bit_or", "bitwise or"},
	{"Xor", "IntBin", "", "commutes assoc self=0 bits=same neutral=0 quick", "", "", "XOR", 0x0d, "u:0x0d i:bit.xor t:bit_xor", "bitwise exclusive or"},
	{"FAdd", "FPBin", "", "commutes", "", "", "FADD", 0xb0, "u:0xb0 i:ari.add", "floating point sum"},
	{"FSub", "FPBin", "", "", "", "", "FSUB", 0xb1, "u:0xb1 i:ari.sub", "floating point difference"},
	{"FMul", "FPBin", "", "commutes neutral=1", "", "", "FMUL", 0xb2, "u:0xb2 i:ari.mul", "floating point product"},
	{"FDiv", "FPBin", "", "neutral=1", "", "", "FDIV", 0xb3, "u:0xb3 i:ari.div", "floating point quotient"},
	{"FRem", "FPBin", "", "-straight", "", "", "FREM", 0xb4, "u:0xb4 i:ari.rem", "floating point remainder, like C's fmod"},

	// Comparisons.
	{"EQ", "CmpEQ", "", "commutes self=1 not=NE", "", "", "EQ", 0x20, "u:0x20 i:cmp.eq t:cmp_eq", "equal"},
	{"NE", "CmpEQ", "", "commutes self=0 not=EQ", "", "", "NE", 0x21, "u:0x21 i:cmp.neq t:cmp_ne", "not equal"},
	{"SGE", "CmpInt", "", "signed self=1 not=SLT swap=SLE bits=from", "", "", "SGE", 0x22, "u:0x22 i:cmp.gteq t:cmp_ge", "signed greater or equal"},
	{"SGT", "CmpInt", "", "signed self=0 not=SLE swap=SLT bits=after", "", "", "SGT", 0x23, "u:0x23 i:cmp.gt t:cmp_gt", "signed greater"},
	{"SLE", "CmpInt", "", "signed self=1 not=SGT swap=SGE bits=after", "", "", "SLE", 0x24, "u:0x24 i:cmp.lteq t:cmp_le", "signed less or equal"},
	{"SLT", "CmpInt", "", "signed self=0 not=SGE swap=SGT bits=from", "", "", "SLT", 0x25, "u:0x25 i:cmp.lt t:cmp_lt", "signed less"},
	{"UGE", "CmpULT", "", "self=1 not=ULT swap=ULE bits=from", "", "", "UGE", 0x26, "u:0x26 i:cmp.gteq t:cmp_ge", "unsigned greater or equal"},
	{"UGT", "CmpULT", "", "self=0 not=ULE swap=ULT bits=after", "", "", "UGT", 0x27, "u:0x27 i:cmp.gt t:cmp_gt", "unsigned greater"},
	{"ULE", "CmpULT", "", "self=1 not=UGT swap=UGE bits=after", "", "", "ULE", 0x28, "u:0x28 i:cmp.lteq t:cmp_le", "unsigned less or equal"},
	{"ULT", "CmpULT", "", "self=0 not=UGE swap=UGT bits=from", "", "", "ULT", 0x29, "u:0x29 i:cmp.lt t:cmp_lt", "unsigned less"},
	{"FFalse", "CmpFP", "", "always not=FTrue swap=FFalse", "", "", "FFALSE", 0xc0, "u:0xc0", "always 0"},
	{"FTrue", "CmpFP", "", "always not=FFalse swap=FTrue", "", "", "FTRUE", 0xc1, "u:0xc1", "always 1"},
	{"FUno", "CmpFP", "", "commutes not=FOrd", "", "", "FUNO", 0xc2, "u:0xc2", "at least one is NaN"},
	{"FUEQ", "CmpFP", "", "commutes not=FONE", "", "", "FUEQ", 0xc3, "u:0xc3", "unordered or equal"},
	{"FUNE", "CmpFP", "", "commutes not=FOEQ", "", "", "FUNE", 0xc4, "u:0xc4 i:cmp.neq", "unordered or not equal"},
	{"FUGT", "CmpFP", "", "not=FOLE swap=FULT", "", "", "FUGT", 0xc5, "u:0xc5", "unordered or greater"},
	{"FUGE", "CmpFP", "", "not=FOLT swap=FULE", "", "", "FUGE", 0xc6, "u:0xc6", "unordered or greater or equal"},
	{"FULT", "CmpFP", "", "not=FOGE swap=FUGT", "", "", "FULT", 0xc7, "u:0xc7", "unordered or less"},
	{"FULE", "CmpFP", "", "not=FOGT swap=FUGE", "", "", "FULE", 0xc8, "u:0xc8", "unordered or less or equal"},
	{"FOrd", "CmpFP", "", "commutes not=FUno", "", "", "FORD", 0xc9, "u:0xc9", "neither is NaN"},
	{"FOEQ", "CmpFP", "", "commutes not=FUNE", "", "", "FOEQ", 0xca, "u:0xca i:cmp.eq", "ordered and equal"},
	{"FONE", "CmpFP", "", "commutes not=FUEQ", "", "", "FONE", 0xcb, "u:0xcb", "ordered and not equal"},
	{"FOGT", "CmpFP", "", "not=FULE swap=FOLT", "", "", "FOGT", 0xcc, "u:0xcc i:cmp.gt", "ordered and greater"},
	{"FOGE", "CmpFP", "", "not=FULT swap=FOLE", "", "", "FOGE", 0xcd, "u:0xcd i:cmp.gteq", "ordered and greater or equal"},
	{"FOLT", "CmpFP", "", "not=FUGE swap=FOGT", "", "", "FOLT", 0xce, "u:0xce i:cmp.lt", "ordered and less"},
	{"FOLE", "CmpFP", "", "not=FUGT swap=FOGE", "", "", "FOLE", 0xcf, "u:0xcf i:cmp.lteq", "ordered and less or equal"},

	// Conversions: Ty source, Ty2 destination.
	{"Trunc", "Conv", "", "bits=same quick", "", "", "TRUNC", 0x30, "u:0x30 i:conv", "low bits of an int"},
	{"ZExt", "Conv", "", "bits=same quick", "", "", "ZEXT", 0x31, "u:0x31 i:conv", "zero extension"},
	{"SExt", "Conv", "", "signed bits=same quick", "", "", "SEXT", 0x32, "u:0x32 i:conv", "sign extension"},
	{"FPTrunc", "Conv", "", "", "", "", "FPTRUNC", 0x33, "u:0x33 i:conv", "double to float"},
	{"FPExt", "Conv", "", "", "", "", "FPEXT", 0x34, "u:0x34 i:conv", "float to double"},
	{"FPToUI", "Conv", "", "", "", "", "FPTOUI", 0x35, "u:0x35 i:conv", "floating point to unsigned int, saturating"},
	{"FPToSI", "Conv", "", "", "", "", "FPTOSI", 0x36, "u:0x36 i:conv", "floating point to signed int, saturating"},
	{"UIToFP", "Conv", "", "", "", "", "UITOFP", 0x37, "u:0x37 i:conv", "unsigned int to floating point"},
	{"SIToFP", "Conv", "", "signed", "", "", "SITOFP", 0x38, "u:0x38 i:conv", "signed int to floating point"},
	{"Bitcast", "Conv", "", "", "", "", "BITCAST", 0x39, "u:0x39", "same bits in another type: int or floating point"},
	{"RefCast", "Conv", "", "derives within renames free", "", "", "REFCAST", 0x3a, "u:0x3a u:IREFCAST:0x3b u:FUNCCAST:0x3c i:conv", "same referent with another static type"},
	{"PtrCast", "Conv", "", "free", "", "", "PTRCAST", 0x3b, "i:conv t:pointer_cast", "same address in another type: pointer or int"},
	// Not in Mu text: the meaning of deviation h (docs/language.md, "Accepted deviations").
	{"RefAddr", "Conv", "", "", "", "", "", 0, "i:array.addr i:field.addr i:mem.addr", "address of the object or location that a ref or iref refers to, as a uptr; does not pin the object"},
	{"RefAt", "Conv", "", "-expr same", "", "", "", 0, "i:conv i:mem.get", "ref or iref to the object or location at an address; the reverse of REFADDR"},

	{"Select", "Select", "", "", "", "Select(cond, a, b)", "SELECT", 0, "u:0x40 t:select", "Ty is the type of the condition, Ty2 that of the values; operands: the condition, the value if true, the value if false"},

	// Control flow.
	{"Branch", "Branch", "| ->", "straight dests=1 form=Branch weight=0", "branch", "", "BRANCH", 0, "u:0x90 i:jump t:br", "jump to Dests[0]"},
	{"Branch2", "Branch", "| 1 ->", "straight dests=2 form=Branch2", "branch2", "", "BRANCH2", 0, "u:0x91 i:jump.cond t:cond_br", "jump to Dests[0] if the int<1> operand is 1, else to Dests[1]"},
	{"Switch", "Branch", "EQ | TT+ ->", "straight dests=cases form=Switch", "switchOp", "", "SWITCH", 0, "u:0x92", "compares Args[0] with the constants Args[1:]; Dests[1+i] is the case of Args[1+i], Dests[0] the default"},
	{"Call", "Call", "sig | F* -> *", "exc keep replaced throws collects reads writes effect form=Call weight=4", "call", "", "CALL", 0, "u:0x60 u:INVOKE:0x61 i:call i:call.indirect i:invoke i:invoke.indirect t:call", "Args[0] is the callee"},
	{"TailCall", "Call", "sig | F* ->", "term throws collects reads writes effect form=TailCall weight=4", "tailCall", "", "TAILCALL", 0, "u:0x62 i:call.tail i:invoke.tail", "Args[0] is the callee, whose frame replaces that of the caller"},
	{"Ret", "Ret", "", "form=Ret", "", "", "RET", 0, "u:0x63 u:RETVOID:0x64 i:return i:leave t:return", "return Args"},
	{"Throw", "Throw", "", "", "", "Throw(exc)", "THROW", 0, "u:0x65 i:eh.throw", "throw Args[0]"},

	// Aggregates in variables.
	{"ExtractValue", "Aggr", "Struct field | T -> f", "expr form=Field quick", "extractValue", "ExtractValue(s)", "EXTRACTVALUE", 0, "u:0x70 t:struct_el", "a field of a struct"},
	{"InsertValue", "Aggr", "Struct field | Tf -> T", "form=Field", "insertValue", "InsertValue(s, v)", "INSERTVALUE", 0, "u:0x71", "a struct with one field replaced"},
	{"ExtractElement", "Aggr", "Seq Int | TU -> e", "fails guarded", "extractElement", "ExtractElement(x, index)", "EXTRACTELEMENT", 0, "t:array_el", "an element of an array or vector"},
	{"InsertElement", "Aggr", "Seq Int | TUe -> T", "fails guarded", "insertElement", "InsertElement(x, index, v)", "INSERTELEMENT", 0, "", "an array or vector with one element replaced"},
	{"ShuffleVector", "Aggr", "Vector IntVec | TTU -> v", "fails guarded", "shuffleVector", "Shuffle(a, b, mask)", "SHUFFLEVECTOR", 0, "", "elements of two vectors, chosen by a mask"},

	// Allocation.
	{"New", "Alloc", "NotHybrid | -> r", "collects allocates local quiet weight=4", "", "New()", "NEW", 0, "u:0x10 i:mem.new", "new heap object"},
	{"NewHybrid", "Alloc", "Hybrid Int | U -> r", "collects allocates quiet weight=4", "", "NewHybrid(n)", "NEWHYBRID", 0, "u:0x11 i:mem.alloc", "new heap object with n variable elements"},
	{"Alloca", "Alloc", "NotHybrid | -> i", "effect allocates cell cells frame quiet roots", "", "Alloca()", "ALLOCA", 0, "u:0x12 i:mem.snew t:alloca", "new stack cell"},
	{"AllocaHybrid", "Alloc", "Hybrid Int | U -> i", "effect allocates cell cells frame quiet roots", "", "AllocaHybrid(n)", "ALLOCAHYBRID", 0, "u:0x13 i:mem.salloc t:alloca", "new stack cell with n variable elements"},

	// Addressing: operands and results are iref, or uptr with FlagPtr.
	{"GetIRef", "Addr", "Type | r -> i", "derives within renames free", "getIRef", "GetIRef(ref)", "GETIREF", 0, "u:0x14", "location of an object"},
	{"GetFieldIRef", "Addr", "Record field | L -> M", "ptr derives within free form=Field", "getFieldIRef", "Field(loc)", "GETFIELDIREF", 0, "u:0x15 i:field.addr t:struct_ep", "location of a field of a struct or hybrid"},
	{"GetElemIRef", "Addr", "Seq Int | LU -> N", "ptr derives indexed", "indexIRef", "Elem(loc, index)", "GETELEMIREF", 0, "u:0x16 t:array_ep", "location of an element of an array or vector; the index is signed"},
	{"ShiftIRef", "Addr", "Element Int | LU -> L", "ptr pointer derives indexed", "indexIRef", "Shift(loc, n)", "SHIFTIREF", 0, "u:0x17 t:pointer_offset", "location n elements further; n is signed"},
	{"GetVarPartIRef", "Addr", "Hybrid | L -> N", "ptr derives free", "getVarPartIRef", "VarPart(loc)", "GETVARPARTIREF", 0, "u:0x19", "location of the first variable element of a hybrid"},

	// Memory access.
	{"Load", "Mem", "Storable | L -> V", "order=nrcas exc ptr raw pointer object fixed reads fails access", "load", "Load(loc)", "LOAD", 0, "u:0x1a i:mem.get t:load", "the value at a location"},
	{"Store", "Mem", "Storable | LV ->", "order=nrls exc ptr raw pointer object fixed writes fails access", "store", "Store(loc, v)", "STORE", 0, "u:0x1b i:mem.set t:store", "writes a value to a location"},
	{"CmpXchg", "Mem", "Storable | LVV -> V1", "order=ralbs fail=ras exc ptr raw reads writes fails access weak form=CmpXchg", "cmpXchg", "", "CMPXCHG", 0, "u:0x1c", "Ord is the memory order on success, OrdFail on failure; operands: location, expected value, desired value; results: the old value, and whether it was the expected one"},
	{"AtomicRMW", "Mem", "Storable | LV -> V", "order=ralbs exc ptr raw reads writes fails access form=RMW", "atomicRMW", "", "ATOMICRMW", 0, "u:0x1d", "RMW is the operation; operands: location, second operand; result: the old value"},
	{"Fence", "Mem", "| ->", "order=albs reads writes effect form=Fence", "fence", "Fence()", "FENCE", 0, "u:0x1e i:fence", "memory fence of order Ord"},

	// Traps.
	{"Trap", "Trap", "types | -> Y", "exc form=Trap", "trap", "", "TRAP", 0, "u:0xe8", "calls the client; Types are the result types"},
	{"Watchpoint", "Trap", "id types | -> Y", "term dests=2 wpexc form=Watch", "watchpoint", "", "WATCHPOINT", 0, "u:0xe9", "calls the client if enabled; continues at Dests[0] if disabled, at [1] if enabled, at [2] after an exception if it has WPEXC"},
	{"WPBranch", "Branch", "id | ->", "effect dests=2 quiet form=WPBranch", "wpBranch", "", "WPBRANCH", 0, "", "jump to Dests[0] if the watchpoint is disabled, to Dests[1] if it is enabled"},

	// Native calls, threads, stacks.
	{"CCall", "Call", "FuncPtr sig | P* -> *", "exc keep unsure throws collects reads writes effect native form=CCall weight=10", "ccall", "", "CCALL", 0, "u:0xec i:ffi i:call.indirect", "calls native code; Args[0] is the callee"},
	{"NewThread", "Stack", "| s~ -> h", "exc collects reads writes effect fails frame threadlocal throwexc form=Thread", "newThread", "", "NEWTHREAD", 0, "u:@uvm.new_thread:0x201", "starts a thread on a stack; operands: stack, thread-local reference if FlagThreadLocal, then values or (FlagThrowExc) one exception"},
	{"SwapStack", "Stack", "types | s~ -> Y", "exc keep throws collects reads writes effect frame killold throwexc form=Swap", "swapStack", "", "SWAPSTACK", 0, "u:@uvm.swap_stack:0x202 u:@uvm.swap_and_kill:0x204", "switches to another stack; Types are the RET_WITH results unless FlagKillOld, which makes it a terminator; operands: stack, then values or (FlagThrowExc) one exception"},

	// Not in Mu text: for bodies that can stop and continue; see package resume.
	{"Dispatch", "Branch", "| ->", "effect dests=any", "-", "", "", 0, "", "jump to Dests[0] at the start of the stack, to Dests[n] if it continues from SUSPEND n"},
	{"Suspend", "Stack", "number | ? ->", "term collects reads writes effect dests=any killold throwexc", "-", "", "", 0, "", "stack and values as for SWAPSTACK; Keep lists the values that RELOAD returns; without operands it is a poll, which jumps to Dests[0] if the body need not stop"},
	{"Reload", "Stack", "| -> ?", "reads effect", "-", "", "", 0, "", "the values kept by the SUSPEND that led here"},
	{"Woken", "Stack", "number types | -> Y", "exc throws reads effect", "-", "", "", 0, "", "the values or the exception passed to the stack; the number is that of the SUSPEND, or 0 at the start of the stack"},

	// Not in Mu text: for copies of bodies whose frames can be inspected, or which may be replaced; see package passes.
	{"Unchanged", "Comm", "sig | F -> 1", "reads unread", "-", "", "", 0, "", "whether a function still has the body that it had when the program was translated"},
	{"Landing", "Stack", "| -> 1", "collects reads writes effect weight=0", "-", "", "", 0, "", "where a CALL in a copy of a body has ended with an exception, or because frames are popped: whether the popping ends at the call that the copy replaces; then LANDED has its results, else UNWIND goes on"},
	{"Landed", "Stack", "types | -> Y", "reads effect weight=0", "-", "", "", 0, "", "the results of a call at which the popping of frames has ended"},
	{"Unwind", "Stack", "| ->", "term effect throws weight=0", "-", "", "", 0, "", "leaves the function because of the exception, or the popping of frames, that LANDING has seen"},

	// Not in Mu: operations that other dialects need. Those marked expands exist only
	// until package expand runs.
	{"ShlFar", "Shift", "", "shift", "", "ShlFar(x, n)", "", 0, "i:shl t:shl", "shift left; a count of the width or more gives 0"},
	{"LShrFar", "Shift", "", "shift", "", "LShrFar(x, n)", "", 0, "i:shr t:shr", "logical shift right; a count of the width or more gives 0"},
	{"AShrFar", "Shift", "", "shift", "", "AShrFar(x, n)", "", 0, "i:shr t:shr", "arithmetic shift right; a count of the width or more gives copies of the sign"},
	{"RotL", "Shift", "", "", "", "RotL(x, n)", "", 0, "i:rol", "rotation left; the count is modulo the width"},
	{"RotR", "Shift", "", "", "", "RotR(x, n)", "", 0, "i:ror", "rotation right; the count is modulo the width"},
	{"ZExtWord", "Word", "", "", "", "ZExtWord(x)", "", 0, "", "keeps as many low bits as the target's word has and clears those above; no effect on 64-bit targets"},
	{"SExtWord", "Word", "", "", "", "SExtWord(x)", "", 0, "", "keeps as many low bits as the target's word has and copies the sign to those above; no effect on 64-bit targets"},
	{"Fail", "Fail", "failure | k ->", "weight=0", "fail", "", "", 0, "i:dead", "ends the program with an error of the given kind; the operand is its text, a constant of bytes"},
	{"FailIndex", "Fail", "| llk ->", "weight=0", "failIndex", "FailIndex(index, length, text)", "", 0, "i:array.get i:array.set", "ends the program with the error BOUNDS; operands: the index, the length that it is not below, and the end of the text, a constant of bytes"},
	{"Unreachable", "Fail", "| ->", "expands", "unreachable", "Unreachable()", "", 0, "t:unreachable", "must not be reached; fails if it is"},
	{"FuncAddr", "Comm", "sig | F -> a", "", "funcAddr", "FuncAddr(fn)", "", 0, "i:conv", "address of a function as a uptr<void>; NULL for NULL"},
	{"FuncAt", "Comm", "sig | Ak -> F", "reads fails", "funcAt", "", "", 0, "i:conv", "the function at an address; fails if there is none, or if it has another signature; NULL fails with the second operand as text, a constant of bytes, or stays NULL if that is empty"},
	{"AllocaMark", "Comm", "| -> l", "reads effect cells frame", "allocaMark", "AllocaMark()", "", 0, "", "the number of stack cells that exist, for ALLOCARESET"},
	{"AllocaReset", "Comm", "| l ->", "writes effect cells frame", "allocaReset", "AllocaReset(mark)", "", 0, "t:freea", "ends the stack cells of this function that were made since ALLOCAMARK returned the operand"},
	{"MemMove", "Comm", "Storable Int | LLU ->", "ptr raw pointer object reads writes fails", "memMove", "MemMove(to, from, n)", "", 0, "t:memcpy", "copies elements to the first location from the second; the third operand is their number; the two ranges may overlap"},
	{"MemFill", "Comm", "Storable Int | LVU ->", "ptr raw writes fails", "memFill", "MemFill(to, v, n)", "", 0, "t:memzero", "stores a value to each of a number of elements, beginning at a location"},
	{"NewStackWith", "Comm", "sig | F* -> s", "collects reads writes effect fails frame expands", "newStackWith", "", "", 0, "", "new stack with the current version of a function and its arguments; it does not wait for values"},
	{"FuncNow", "Comm", "sig | F -> F", "reads effect", "funcNow", "", "", 0, "", "a function fixed to its current version, or NULL if it has none; in that case a CALL directly after it only asks the client for a version"},
	{"Rethrow", "Throw", "", "", "rethrow", "Rethrow(exc)", "", 0, "i:eh.rethrow", "throws a caught exception again; it keeps its trace if no other exception was thrown on the thread since"},
	{"ThreadCell", "Comm", "Type | i -> i", "collects reads effect fails", "threadCell", "", "", 0, "i:field.thread.addr", "location of this thread's copy of a thread-local cell"},
	{"HasType", "Comm", "Type | R -> 1", "same", "hasType", "", "", 0, "", "whether an object has exactly the given type, or is NULL"},
	{"Collect", "Comm", "| ->", "collects reads writes effect", "collectNow", "Collect()", "", 0, "", "collects the whole heap"},
	{"Collections", "Comm", "| -> l", "reads effect", "collections", "Collections()", "", 0, "", "the number of collections so far"},
	{"SetFinal", "Comm", "| Oa ->", "writes effect", "setFinal", "SetFinal(object, what)", "", 0, "", "registers an object with an address; NEXTFINAL returns both when nothing else refers to the object; address 0 cancels the registration"},
	{"FinalNow", "Comm", "| O ->", "writes effect", "setFinal", "FinalNow(object)", "", 0, "i:mem.free", "puts an object registered by SETFINAL into the queue of NEXTFINAL"},
	{"NextFinal", "Comm", "| -> Oa", "reads writes effect", "nextFinal", "", "", 0, "", "takes an unreferenced object and its address off the queue; NULL if the queue is empty"},
	{"FinalsDue", "Comm", "| -> l", "reads effect", "finalsDue", "FinalsDue()", "", 0, "", "the number of objects in the queue of NEXTFINAL"},
	{"Target", "Comm", "number | -> l", "same", "target", "", "", 0, "", "the architecture (0), the operating system (1) or the byte order (2) of the target, in IAL's numbers"},
}, common...)
