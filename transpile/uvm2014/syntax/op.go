package syntax

// An Op is an instruction.
type Op uint8

// The instructions, in the order of their table.
const (
	NoOp Op = iota

	Add
	Sub
	Mul
	SDiv
	SRem
	UDiv
	URem
	Shl
	LShr
	AShr
	And
	Or
	Xor
	FAdd
	FSub
	FMul
	FDiv
	FRem

	EQ
	NE
	SGE
	SGT
	SLE
	SLT
	UGE
	UGT
	ULE
	ULT
	FFalse
	FTrue
	FUno
	FUEQ
	FUNE
	FUGT
	FUGE
	FULT
	FULE
	FOrd
	FOEQ
	FONE
	FOGT
	FOGE
	FOLT
	FOLE

	Trunc
	ZExt
	SExt
	FPTrunc
	FPExt
	FPToUI
	FPToSI
	UIToFP
	SIToFP
	Bitcast
	RefCast
	IRefCast
	FuncCast

	Select
	Branch
	Branch2
	Switch
	Phi
	Call
	Invoke
	TailCall
	Ret
	RetVoid
	Throw
	LandingPad
	ExtractValue
	InsertValue
	New
	NewHybrid
	Alloca
	AllocaHybrid
	GetIRef
	GetFieldIRef
	GetElemIRef
	ShiftIRef
	GetFixedPartIRef
	GetVarPartIRef
	Load
	Store
	CmpXchg
	AtomicRMW
	Fence
	NewStack
	ICall
	IInvoke
	Trap
	Watchpoint
	CCall

	// Of older bundles, without a binary form.
	OldParam
	TrapCall
	PrintStr
	PrintInt64
	PrintPtr
	GC

	NumOps
)

// An opRow says how an instruction is written.
type opRow struct {
	name string
	code uint8
	// form has a letter for each part, in the order of the text:
	//
	//	T U F E  <type>, <type type>, <type INT>, <type>, with the type or width of the index in old bundles
	//	S        <sig>
	//	v c a    value, callee, arguments in parentheses
	//	L        label
	//	s p      cases of SWITCH, of PHI
	//	o O R    order or none, order, operation of ATOMICRMW
	//	I g D    INT, name of an intrinsic function, DEFAULT
	//	k K      KEEPALIVE clause or none, KEEPALIVE clause
	//	n l q    number of PARAM, list of TRAPCALL, string (old)
	form string
	term bool // ends its block
}

var ops = [NumOps]opRow{
	Add: {"ADD", 0x01, "Tvv", false}, Sub: {"SUB", 0x02, "Tvv", false}, Mul: {"MUL", 0x03, "Tvv", false},
	SDiv: {"SDIV", 0x04, "Tvv", false}, SRem: {"SREM", 0x05, "Tvv", false}, UDiv: {"UDIV", 0x06, "Tvv", false},
	URem: {"UREM", 0x07, "Tvv", false}, Shl: {"SHL", 0x08, "Tvv", false}, LShr: {"LSHR", 0x09, "Tvv", false},
	AShr: {"ASHR", 0x0a, "Tvv", false}, And: {"AND", 0x0b, "Tvv", false}, Or: {"OR", 0x0c, "Tvv", false},
	Xor: {"XOR", 0x0d, "Tvv", false}, FAdd: {"FADD", 0xb0, "Tvv", false}, FSub: {"FSUB", 0xb1, "Tvv", false},
	FMul: {"FMUL", 0xb2, "Tvv", false}, FDiv: {"FDIV", 0xb3, "Tvv", false}, FRem: {"FREM", 0xb4, "Tvv", false},

	EQ: {"EQ", 0x20, "Tvv", false}, NE: {"NE", 0x21, "Tvv", false}, SGE: {"SGE", 0x22, "Tvv", false},
	SGT: {"SGT", 0x23, "Tvv", false}, SLE: {"SLE", 0x24, "Tvv", false}, SLT: {"SLT", 0x25, "Tvv", false},
	UGE: {"UGE", 0x26, "Tvv", false}, UGT: {"UGT", 0x27, "Tvv", false}, ULE: {"ULE", 0x28, "Tvv", false},
	ULT: {"ULT", 0x29, "Tvv", false}, FFalse: {"FFALSE", 0xc0, "Tvv", false}, FTrue: {"FTRUE", 0xc1, "Tvv", false},
	FUno: {"FUNO", 0xc2, "Tvv", false}, FUEQ: {"FUEQ", 0xc3, "Tvv", false}, FUNE: {"FUNE", 0xc4, "Tvv", false},
	FUGT: {"FUGT", 0xc5, "Tvv", false}, FUGE: {"FUGE", 0xc6, "Tvv", false}, FULT: {"FULT", 0xc7, "Tvv", false},
	FULE: {"FULE", 0xc8, "Tvv", false}, FOrd: {"FORD", 0xc9, "Tvv", false}, FOEQ: {"FOEQ", 0xca, "Tvv", false},
	FONE: {"FONE", 0xcb, "Tvv", false}, FOGT: {"FOGT", 0xcc, "Tvv", false}, FOGE: {"FOGE", 0xcd, "Tvv", false},
	FOLT: {"FOLT", 0xce, "Tvv", false}, FOLE: {"FOLE", 0xcf, "Tvv", false},

	Trunc: {"TRUNC", 0x30, "Uv", false}, ZExt: {"ZEXT", 0x31, "Uv", false}, SExt: {"SEXT", 0x32, "Uv", false},
	FPTrunc: {"FPTRUNC", 0x33, "Uv", false}, FPExt: {"FPEXT", 0x34, "Uv", false}, FPToUI: {"FPTOUI", 0x35, "Uv", false},
	FPToSI: {"FPTOSI", 0x36, "Uv", false}, UIToFP: {"UITOFP", 0x37, "Uv", false}, SIToFP: {"SITOFP", 0x38, "Uv", false},
	Bitcast: {"BITCAST", 0x39, "Uv", false}, RefCast: {"REFCAST", 0x3a, "Uv", false},
	IRefCast: {"IREFCAST", 0x3b, "Uv", false}, FuncCast: {"FUNCCAST", 0x3c, "Uv", false},

	Select: {"SELECT", 0x40, "Tvvv", false}, Branch: {"BRANCH", 0x90, "L", true}, Branch2: {"BRANCH2", 0x91, "vLL", true},
	Switch: {"SWITCH", 0x92, "TvLs", true}, Phi: {"PHI", 0x93, "Tp", false}, Call: {"CALL", 0x60, "Scak", false},
	Invoke: {"INVOKE", 0x61, "ScaLLk", true}, TailCall: {"TAILCALL", 0x62, "Sca", true}, Ret: {"RET", 0x63, "Tv", true},
	RetVoid: {"RETVOID", 0x64, "", true}, Throw: {"THROW", 0x65, "v", true}, LandingPad: {"LANDINGPAD", 0x66, "", false},
	ExtractValue: {"EXTRACTVALUE", 0x70, "Fv", false}, InsertValue: {"INSERTVALUE", 0x71, "Fvv", false},

	New: {"NEW", 0x10, "T", false}, NewHybrid: {"NEWHYBRID", 0x11, "Tv", false}, Alloca: {"ALLOCA", 0x12, "T", false},
	AllocaHybrid: {"ALLOCAHYBRID", 0x13, "Tv", false}, GetIRef: {"GETIREF", 0x14, "Tv", false},
	GetFieldIRef: {"GETFIELDIREF", 0x15, "Fv", false}, GetElemIRef: {"GETELEMIREF", 0x16, "Evv", false},
	ShiftIRef: {"SHIFTIREF", 0x17, "Evv", false}, GetFixedPartIRef: {"GETFIXEDPARTIREF", 0x18, "Tv", false},
	GetVarPartIRef: {"GETVARPARTIREF", 0x19, "Tv", false}, Load: {"LOAD", 0x1a, "oTv", false},
	Store: {"STORE", 0x1b, "oTvv", false}, CmpXchg: {"CMPXCHG", 0x1c, "OOTvvv", false},
	AtomicRMW: {"ATOMICRMW", 0x1d, "ORTvv", false}, Fence: {"FENCE", 0x1e, "O", false},

	NewStack: {"NEWSTACK", 0xe0, "Sca", false}, ICall: {"ICALL", 0xe4, "gak", false}, IInvoke: {"IINVOKE", 0xe5, "gaLLk", true},
	Trap: {"TRAP", 0xe8, "TLLK", true}, Watchpoint: {"WATCHPOINT", 0xe9, "ITLLLK", true}, CCall: {"CCALL", 0xec, "DScak", false},

	OldParam: {"PARAM", 0, "n", false}, TrapCall: {"TRAPCALL", 0, "Tl", false}, PrintStr: {"PRINTSTR", 0, "q", false},
	PrintInt64: {"PRINTINT64", 0, "v", false}, PrintPtr: {"PRINTPTR", 0, "v", false}, GC: {"GC", 0, "", false},
}

// String returns the mnemonic.
func (o Op) String() string { return ops[o].name }

// Code returns the number in the binary form, 0 for an instruction that has none.
func (o Op) Code() uint8 { return ops[o].code }

// Form returns the parts of the instruction, a letter each; see opRow.
func (o Op) Form() string { return ops[o].form }

// Terminator reports whether the instruction ends its block.
func (o Op) Terminator() bool { return ops[o].term }

// OpOf finds the instruction of a number in the binary form, NoOp if there is none.
func OpOf(code uint8) Op { return opOf[code] }

var opOf = func() (t [256]Op) {
	for op := NoOp + 1; op < NumOps; op++ {
		if c := ops[op].code; c != 0 {
			t[c] = op
		}
	}
	return
}()
