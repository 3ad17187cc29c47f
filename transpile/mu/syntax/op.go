package syntax

// An Op is an instruction mnemonic.
type Op uint8

// The instructions. The binary operations, the comparisons and the conversions
// are contiguous, in this order.
const (
	NoOp Op = iota

	OpAdd
	OpSub
	OpMul
	OpUDiv
	OpSDiv
	OpURem
	OpSRem
	OpShl
	OpLShr
	OpAShr
	OpAnd
	OpOr
	OpXor
	OpFAdd
	OpFSub
	OpFMul
	OpFDiv
	OpFRem

	OpEq
	OpNe
	OpSGt
	OpSLt
	OpSGe
	OpSLe
	OpUGt
	OpULt
	OpUGe
	OpULe
	OpFTrue
	OpFFalse
	OpFUno
	OpFUEq
	OpFUNe
	OpFUGt
	OpFULt
	OpFUGe
	OpFULe
	OpFOrd
	OpFOEq
	OpFONe
	OpFOGt
	OpFOLt
	OpFOGe
	OpFOLe

	OpTrunc
	OpZExt
	OpSExt
	OpFPTrunc
	OpFPExt
	OpFPToUI
	OpFPToSI
	OpUIToFP
	OpSIToFP
	OpBitcast
	OpRefcast
	OpPtrcast

	OpSelect
	OpBranch
	OpBranch2
	OpSwitch
	OpCall
	OpTailCall
	OpRet
	OpThrow
	OpExtractValue
	OpInsertValue
	OpExtractElement
	OpInsertElement
	OpShuffleVector
	OpNew
	OpAlloca
	OpNewHybrid
	OpAllocaHybrid
	OpGetIRef
	OpGetFieldIRef
	OpGetElemIRef
	OpShiftIRef
	OpGetVarPartIRef
	OpLoad
	OpStore
	OpCmpXchg
	OpAtomicRMW
	OpFence
	OpTrap
	OpWatchpoint
	OpWPBranch
	OpCCall
	OpNewThread
	OpSwapStack
	OpCommInst

	NumOps
)

// A Form is a shape of instruction. All ops of a form are parsed the same way
// and fill the same fields of Inst; those not named are zero. Results, Name,
// Off, OpOff and Op are always set. "exc" stands for the optional EXC clause
// (HasExc, two Dests), "keep" for the optional KEEPALIVE clause (HasKeep, Keep).
type Form uint8

// The forms (grammar of `body`, mu-language.md section 2).
const (
	NoForm       Form = iota
	FormBin           // Types T; Args a b; exc
	FormCmp           // Types T; Args a b
	FormConv          // Types T1 T2; Args a
	FormPlain         // typeArgs Types, valArgs Args, PTR where allowed; exc where allowed (see opTable)
	FormField         // Types T; Int the field; valArgs Args; PTR where allowed
	FormBranch        // Dests d
	FormBranch2       // Args c; Dests d1 d0
	FormSwitch        // Types T; Args x k1 k2...; Dests default d1 d2...
	FormCall          // Sig; Args callee a...; exc keep
	FormTailCall      // Sig; Args callee a...
	FormRet           // Args
	FormAccess        // LOAD, STORE: PTR; Order, NoOrder if left out; Types T; Args loc [v]; exc
	FormCmpXchg       // PTR; WEAK; Order, OrdFail; Types T; Args loc expected desired; exc
	FormRMW           // PTR; Order; RMW; Types T; Args loc v; exc
	FormFence         // Order
	FormTrap          // Types; exc keep
	FormWatch         // Int; Types; Dests disabled enabled [exceptional, with HasWPEx]; keep
	FormWPBranch      // Int; Dests disabled enabled
	FormCCall         // Ext.Flags flag; Types T; Sig; Args callee a...; exc keep
	FormThread        // Args stack; Ext.ThreadLocal, Ext.New; exc
	FormSwap          // Args stack; Ext.Cur, Ext.New; exc keep
	FormComm          // Ext.Common, Ext.Flags, Types, Ext.Sigs, Args; exc keep
)

// An opInfo is a row of opTable.
type opInfo struct {
	name     string
	form     Form
	typeArgs uint8 // number of type arguments, where the form leaves it open
	valArgs  uint8 // number of value operands, likewise
	ptr      bool  // PTR allowed
	exc      bool  // EXC allowed by the grammar
}

var opTable = [NumOps]opInfo{
	OpAdd:  bin("ADD"),
	OpSub:  bin("SUB"),
	OpMul:  bin("MUL"),
	OpUDiv: bin("UDIV"),
	OpSDiv: bin("SDIV"),
	OpURem: bin("UREM"),
	OpSRem: bin("SREM"),
	OpShl:  bin("SHL"),
	OpLShr: bin("LSHR"),
	OpAShr: bin("ASHR"),
	OpAnd:  bin("AND"),
	OpOr:   bin("OR"),
	OpXor:  bin("XOR"),
	OpFAdd: bin("FADD"),
	OpFSub: bin("FSUB"),
	OpFMul: bin("FMUL"),
	OpFDiv: bin("FDIV"),
	OpFRem: bin("FREM"),

	OpEq:     compare("EQ"),
	OpNe:     compare("NE"),
	OpSGt:    compare("SGT"),
	OpSLt:    compare("SLT"),
	OpSGe:    compare("SGE"),
	OpSLe:    compare("SLE"),
	OpUGt:    compare("UGT"),
	OpULt:    compare("ULT"),
	OpUGe:    compare("UGE"),
	OpULe:    compare("ULE"),
	OpFTrue:  compare("FTRUE"),
	OpFFalse: compare("FFALSE"),
	OpFUno:   compare("FUNO"),
	OpFUEq:   compare("FUEQ"),
	OpFUNe:   compare("FUNE"),
	OpFUGt:   compare("FUGT"),
	OpFULt:   compare("FULT"),
	OpFUGe:   compare("FUGE"),
	OpFULe:   compare("FULE"),
	OpFOrd:   compare("FORD"),
	OpFOEq:   compare("FOEQ"),
	OpFONe:   compare("FONE"),
	OpFOGt:   compare("FOGT"),
	OpFOLt:   compare("FOLT"),
	OpFOGe:   compare("FOGE"),
	OpFOLe:   compare("FOLE"),

	OpTrunc:   conv("TRUNC"),
	OpZExt:    conv("ZEXT"),
	OpSExt:    conv("SEXT"),
	OpFPTrunc: conv("FPTRUNC"),
	OpFPExt:   conv("FPEXT"),
	OpFPToUI:  conv("FPTOUI"),
	OpFPToSI:  conv("FPTOSI"),
	OpUIToFP:  conv("UITOFP"),
	OpSIToFP:  conv("SITOFP"),
	OpBitcast: conv("BITCAST"),
	OpRefcast: conv("REFCAST"),
	OpPtrcast: conv("PTRCAST"),

	OpSelect:         {name: "SELECT", form: FormPlain, typeArgs: 2, valArgs: 3},
	OpBranch:         {name: "BRANCH", form: FormBranch},
	OpBranch2:        {name: "BRANCH2", form: FormBranch2},
	OpSwitch:         {name: "SWITCH", form: FormSwitch},
	OpCall:           {name: "CALL", form: FormCall, exc: true},
	OpTailCall:       {name: "TAILCALL", form: FormTailCall},
	OpRet:            {name: "RET", form: FormRet},
	OpThrow:          {name: "THROW", form: FormPlain, valArgs: 1},
	OpExtractValue:   {name: "EXTRACTVALUE", form: FormField, valArgs: 1},
	OpInsertValue:    {name: "INSERTVALUE", form: FormField, valArgs: 2},
	OpExtractElement: {name: "EXTRACTELEMENT", form: FormPlain, typeArgs: 2, valArgs: 2},
	OpInsertElement:  {name: "INSERTELEMENT", form: FormPlain, typeArgs: 2, valArgs: 3},
	OpShuffleVector:  {name: "SHUFFLEVECTOR", form: FormPlain, typeArgs: 2, valArgs: 3},
	OpNew:            {name: "NEW", form: FormPlain, typeArgs: 1, exc: true},
	OpAlloca:         {name: "ALLOCA", form: FormPlain, typeArgs: 1, exc: true},
	OpNewHybrid:      {name: "NEWHYBRID", form: FormPlain, typeArgs: 2, valArgs: 1, exc: true},
	OpAllocaHybrid:   {name: "ALLOCAHYBRID", form: FormPlain, typeArgs: 2, valArgs: 1, exc: true},
	OpGetIRef:        {name: "GETIREF", form: FormPlain, typeArgs: 1, valArgs: 1},
	OpGetFieldIRef:   {name: "GETFIELDIREF", form: FormField, valArgs: 1, ptr: true},
	OpGetElemIRef:    {name: "GETELEMIREF", form: FormPlain, typeArgs: 2, valArgs: 2, ptr: true},
	OpShiftIRef:      {name: "SHIFTIREF", form: FormPlain, typeArgs: 2, valArgs: 2, ptr: true},
	OpGetVarPartIRef: {name: "GETVARPARTIREF", form: FormPlain, typeArgs: 1, valArgs: 1, ptr: true},
	OpLoad:           {name: "LOAD", form: FormAccess, valArgs: 1, ptr: true, exc: true},
	OpStore:          {name: "STORE", form: FormAccess, valArgs: 2, ptr: true, exc: true},
	OpCmpXchg:        {name: "CMPXCHG", form: FormCmpXchg, ptr: true, exc: true},
	OpAtomicRMW:      {name: "ATOMICRMW", form: FormRMW, ptr: true, exc: true},
	OpFence:          {name: "FENCE", form: FormFence},
	OpTrap:           {name: "TRAP", form: FormTrap, exc: true},
	OpWatchpoint:     {name: "WATCHPOINT", form: FormWatch},
	OpWPBranch:       {name: "WPBRANCH", form: FormWPBranch},
	OpCCall:          {name: "CCALL", form: FormCCall, exc: true},
	OpNewThread:      {name: "NEWTHREAD", form: FormThread, exc: true},
	OpSwapStack:      {name: "SWAPSTACK", form: FormSwap, exc: true},
	OpCommInst:       {name: "COMMINST", form: FormComm, exc: true},
}

func bin(name string) opInfo {
	return opInfo{name: name, form: FormBin, typeArgs: 1, valArgs: 2, exc: true}
}
func compare(name string) opInfo { return opInfo{name: name, form: FormCmp, typeArgs: 1, valArgs: 2} }
func conv(name string) opInfo    { return opInfo{name: name, form: FormConv, typeArgs: 2, valArgs: 1} }

// String gives the mnemonic.
func (o Op) String() string {
	if o == NoOp || o >= NumOps {
		return "none"
	}
	return opTable[o].name
}

// Form gives the shape that instructions of op o have.
func (o Op) Form() Form { return opTable[o].form }

// IsBin reports whether o is a binary operation.
func (o Op) IsBin() bool { return OpAdd <= o && o <= OpFRem }

// IsCmp reports whether o is a comparison.
func (o Op) IsCmp() bool { return OpEq <= o && o <= OpFOLe }

// IsConv reports whether o is a conversion.
func (o Op) IsConv() bool { return OpTrunc <= o && o <= OpPtrcast }
