package module

// An Op is an operation of IAL.
type Op uint8

// The operations, in the order of the reference.
const (
	Nop Op = iota
	Leave
	Dead
	EHRethrow
	Fence
	Comment
	LoadI8
	LoadUi8
	LoadI16
	LoadUi16
	LoadI32
	LoadUi32
	LoadI64
	LoadUi64
	LoadF32
	LoadF64
	LoadI8a
	LoadUi8a
	LoadI16a
	LoadUi16a
	LoadI32a
	LoadUi32a
	LoadI64a
	LoadUi64a
	LoadF32a
	LoadF64a
	LoadFunc
	LoadNull
	LoadSize
	LoadAlign
	LoadOffset
	LoadData
	Copy
	Conv
	AriNeg
	BitNeg
	Not
	Tramp
	AriAdd
	AriSub
	AriMul
	AriDiv
	AriRem
	BitAnd
	BitOr
	BitXor
	Shl
	Shr
	Rol
	Ror
	CmpEq
	CmpNeq
	CmpGt
	CmpLt
	CmpGteq
	CmpLteq
	MemAlloc
	MemSalloc
	MemPin
	MemGet
	MemAddr
	MemNew
	MemSnew
	MemFree
	MemUnpin
	MemSet
	ArrayGet
	ArraySet
	ArrayAddr
	ArrayLen
	ArrayAriAdd
	ArrayAriSub
	ArrayAriMul
	ArrayAriDiv
	ArrayAriRem
	ArrayBitAnd
	ArrayBitOr
	ArrayBitXor
	ArrayShl
	ArrayShr
	ArrayRol
	ArrayRor
	ArrayCmpEq
	ArrayCmpNeq
	ArrayCmpGt
	ArrayCmpLt
	ArrayCmpGteq
	ArrayCmpLteq
	ArrayAriNeg
	ArrayBitNeg
	ArrayNot
	ArrayConv
	FieldGet
	FieldSet
	FieldAddr
	FieldUserGet
	FieldUserSet
	FieldUserAddr
	FieldStaticGet
	FieldStaticAddr
	FieldStaticSet
	FieldGlobalAddr
	FieldThreadAddr
	FieldGlobalGet
	FieldThreadGet
	FieldGlobalSet
	FieldThreadSet
	ArgPush
	ArgPop
	Call
	CallTail
	CallIndirect
	Invoke
	InvokeTail
	InvokeIndirect
	Jump
	JumpCond
	Return
	EHThrow
	Phi
	Raw
	FFI
	Forward
	EHCatch
	NumOps
)

// Operands are what an instruction has in parentheses.
type Operands uint8

// The kinds of operands.
const (
	OperandNone     Operands = iota
	OperandLiteral           // a literal of type Row.Literal
	OperandLiterals          // any number of literals of type Row.Literal
	OperandType
	OperandMember // STRUCTURE:MEMBER
	OperandGlobal // a global field
	OperandThread // a thread field
	OperandFunc
	OperandLabel  // a block
	OperandBranch // two blocks
	OperandRegs   // any number of registers
	OperandSymbol // a library or module, and a name in it
	OperandData
)

// A Form is an edition of the language.
type Form uint8

// The editions: the two forms, and a short-lived one between them.
const (
	FormA Form = 1 << iota // June 2012
	FormB                  // the final one
	FormI                  // in between
)

// A Row is what is true of an operation: the shape of its instructions and whether they
// end a block.
type Row struct {
	Mnemonic   string
	Form       Form // editions that have it
	Target     bool // has a target register
	Sources    int  // number of source registers
	Operand    Operands
	Literal    Kind // of literals
	Terminator bool
}

// Ops has the row of each operation.
var Ops = [NumOps]Row{
	Nop:             {Mnemonic: "nop", Form: FormA | FormB},
	Leave:           {Mnemonic: "leave", Form: FormA | FormB, Terminator: true},
	Dead:            {Mnemonic: "dead", Form: FormA | FormB, Terminator: true},
	EHRethrow:       {Mnemonic: "eh.rethrow", Form: FormA | FormB, Terminator: true},
	Fence:           {Mnemonic: "fence", Form: FormA | FormB},
	Comment:         {Mnemonic: "comment", Form: FormA | FormB, Operand: OperandLiterals, Literal: Uint8},
	LoadI8:          {Mnemonic: "load.i8", Form: FormA | FormB, Target: true, Operand: OperandLiteral, Literal: Int8},
	LoadUi8:         {Mnemonic: "load.ui8", Form: FormA | FormB, Target: true, Operand: OperandLiteral, Literal: Uint8},
	LoadI16:         {Mnemonic: "load.i16", Form: FormA | FormB, Target: true, Operand: OperandLiteral, Literal: Int16},
	LoadUi16:        {Mnemonic: "load.ui16", Form: FormA | FormB, Target: true, Operand: OperandLiteral, Literal: Uint16},
	LoadI32:         {Mnemonic: "load.i32", Form: FormA | FormB, Target: true, Operand: OperandLiteral, Literal: Int32},
	LoadUi32:        {Mnemonic: "load.ui32", Form: FormA | FormB, Target: true, Operand: OperandLiteral, Literal: Uint32},
	LoadI64:         {Mnemonic: "load.i64", Form: FormA | FormB, Target: true, Operand: OperandLiteral, Literal: Int64},
	LoadUi64:        {Mnemonic: "load.ui64", Form: FormA | FormB, Target: true, Operand: OperandLiteral, Literal: Uint64},
	LoadF32:         {Mnemonic: "load.f32", Form: FormA | FormB, Target: true, Operand: OperandLiteral, Literal: Float32},
	LoadF64:         {Mnemonic: "load.f64", Form: FormA | FormB, Target: true, Operand: OperandLiteral, Literal: Float64},
	LoadI8a:         {Mnemonic: "load.i8a", Form: FormA | FormB, Target: true, Operand: OperandLiterals, Literal: Int8},
	LoadUi8a:        {Mnemonic: "load.ui8a", Form: FormA | FormB, Target: true, Operand: OperandLiterals, Literal: Uint8},
	LoadI16a:        {Mnemonic: "load.i16a", Form: FormA | FormB, Target: true, Operand: OperandLiterals, Literal: Int16},
	LoadUi16a:       {Mnemonic: "load.ui16a", Form: FormA | FormB, Target: true, Operand: OperandLiterals, Literal: Uint16},
	LoadI32a:        {Mnemonic: "load.i32a", Form: FormA | FormB, Target: true, Operand: OperandLiterals, Literal: Int32},
	LoadUi32a:       {Mnemonic: "load.ui32a", Form: FormA | FormB, Target: true, Operand: OperandLiterals, Literal: Uint32},
	LoadI64a:        {Mnemonic: "load.i64a", Form: FormA | FormB, Target: true, Operand: OperandLiterals, Literal: Int64},
	LoadUi64a:       {Mnemonic: "load.ui64a", Form: FormA | FormB, Target: true, Operand: OperandLiterals, Literal: Uint64},
	LoadF32a:        {Mnemonic: "load.f32a", Form: FormA | FormB, Target: true, Operand: OperandLiterals, Literal: Float32},
	LoadF64a:        {Mnemonic: "load.f64a", Form: FormA | FormB, Target: true, Operand: OperandLiterals, Literal: Float64},
	LoadFunc:        {Mnemonic: "load.func", Form: FormA | FormB, Target: true, Operand: OperandFunc},
	LoadNull:        {Mnemonic: "load.null", Form: FormA | FormB, Target: true},
	LoadSize:        {Mnemonic: "load.size", Form: FormA | FormB, Target: true, Operand: OperandType},
	LoadAlign:       {Mnemonic: "load.align", Form: FormA | FormB, Target: true, Operand: OperandType},
	LoadOffset:      {Mnemonic: "load.offset", Form: FormA | FormB, Target: true, Operand: OperandMember},
	LoadData:        {Mnemonic: "load.data", Form: FormB, Target: true, Operand: OperandData},
	Copy:            {Mnemonic: "copy", Form: FormA | FormB, Target: true, Sources: 1},
	Conv:            {Mnemonic: "conv", Form: FormA | FormB, Target: true, Sources: 1},
	AriNeg:          {Mnemonic: "ari.neg", Form: FormA | FormB, Target: true, Sources: 1},
	BitNeg:          {Mnemonic: "bit.neg", Form: FormA | FormB, Target: true, Sources: 1},
	Not:             {Mnemonic: "not", Form: FormA | FormB, Target: true, Sources: 1},
	Tramp:           {Mnemonic: "tramp", Form: FormA | FormB, Target: true, Sources: 1},
	AriAdd:          {Mnemonic: "ari.add", Form: FormA | FormB, Target: true, Sources: 2},
	AriSub:          {Mnemonic: "ari.sub", Form: FormA | FormB, Target: true, Sources: 2},
	AriMul:          {Mnemonic: "ari.mul", Form: FormA | FormB, Target: true, Sources: 2},
	AriDiv:          {Mnemonic: "ari.div", Form: FormA | FormB, Target: true, Sources: 2},
	AriRem:          {Mnemonic: "ari.rem", Form: FormA | FormB, Target: true, Sources: 2},
	BitAnd:          {Mnemonic: "bit.and", Form: FormA | FormB, Target: true, Sources: 2},
	BitOr:           {Mnemonic: "bit.or", Form: FormA | FormB, Target: true, Sources: 2},
	BitXor:          {Mnemonic: "bit.xor", Form: FormA | FormB, Target: true, Sources: 2},
	Shl:             {Mnemonic: "shl", Form: FormA | FormB, Target: true, Sources: 2},
	Shr:             {Mnemonic: "shr", Form: FormA | FormB, Target: true, Sources: 2},
	Rol:             {Mnemonic: "rol", Form: FormA | FormB, Target: true, Sources: 2},
	Ror:             {Mnemonic: "ror", Form: FormA | FormB, Target: true, Sources: 2},
	CmpEq:           {Mnemonic: "cmp.eq", Form: FormA | FormB, Target: true, Sources: 2},
	CmpNeq:          {Mnemonic: "cmp.neq", Form: FormA | FormB, Target: true, Sources: 2},
	CmpGt:           {Mnemonic: "cmp.gt", Form: FormA | FormB, Target: true, Sources: 2},
	CmpLt:           {Mnemonic: "cmp.lt", Form: FormA | FormB, Target: true, Sources: 2},
	CmpGteq:         {Mnemonic: "cmp.gteq", Form: FormA | FormB, Target: true, Sources: 2},
	CmpLteq:         {Mnemonic: "cmp.lteq", Form: FormA | FormB, Target: true, Sources: 2},
	MemAlloc:        {Mnemonic: "mem.alloc", Form: FormA | FormB, Target: true, Sources: 1},
	MemSalloc:       {Mnemonic: "mem.salloc", Form: FormA | FormB, Target: true, Sources: 1},
	MemPin:          {Mnemonic: "mem.pin", Form: FormA | FormB, Target: true, Sources: 1},
	MemGet:          {Mnemonic: "mem.get", Form: FormA | FormB, Target: true, Sources: 1},
	MemAddr:         {Mnemonic: "mem.addr", Form: FormA | FormB, Target: true, Sources: 1},
	MemNew:          {Mnemonic: "mem.new", Form: FormA | FormB, Target: true},
	MemSnew:         {Mnemonic: "mem.snew", Form: FormA | FormB, Target: true},
	MemFree:         {Mnemonic: "mem.free", Form: FormA | FormB, Sources: 1},
	MemUnpin:        {Mnemonic: "mem.unpin", Form: FormA | FormB, Sources: 1},
	MemSet:          {Mnemonic: "mem.set", Form: FormA | FormB, Sources: 2},
	ArrayGet:        {Mnemonic: "array.get", Form: FormA, Target: true, Sources: 2},
	ArraySet:        {Mnemonic: "array.set", Form: FormA, Sources: 3},
	ArrayAddr:       {Mnemonic: "array.addr", Form: FormA | FormB, Target: true, Sources: 2},
	ArrayLen:        {Mnemonic: "array.len", Form: FormA | FormB, Target: true, Sources: 1},
	ArrayAriAdd:     {Mnemonic: "array.ari.add", Form: FormA | FormB, Sources: 3},
	ArrayAriSub:     {Mnemonic: "array.ari.sub", Form: FormA | FormB, Sources: 3},
	ArrayAriMul:     {Mnemonic: "array.ari.mul", Form: FormA | FormB, Sources: 3},
	ArrayAriDiv:     {Mnemonic: "array.ari.div", Form: FormA | FormB, Sources: 3},
	ArrayAriRem:     {Mnemonic: "array.ari.rem", Form: FormA | FormB, Sources: 3},
	ArrayBitAnd:     {Mnemonic: "array.bit.and", Form: FormA | FormB, Sources: 3},
	ArrayBitOr:      {Mnemonic: "array.bit.or", Form: FormA | FormB, Sources: 3},
	ArrayBitXor:     {Mnemonic: "array.bit.xor", Form: FormA | FormB, Sources: 3},
	ArrayShl:        {Mnemonic: "array.shl", Form: FormA | FormB, Sources: 3},
	ArrayShr:        {Mnemonic: "array.shr", Form: FormA | FormB, Sources: 3},
	ArrayRol:        {Mnemonic: "array.rol", Form: FormA | FormB, Sources: 3},
	ArrayRor:        {Mnemonic: "array.ror", Form: FormA | FormB, Sources: 3},
	ArrayCmpEq:      {Mnemonic: "array.cmp.eq", Form: FormA | FormB, Sources: 3},
	ArrayCmpNeq:     {Mnemonic: "array.cmp.neq", Form: FormA | FormB, Sources: 3},
	ArrayCmpGt:      {Mnemonic: "array.cmp.gt", Form: FormA | FormB, Sources: 3},
	ArrayCmpLt:      {Mnemonic: "array.cmp.lt", Form: FormA | FormB, Sources: 3},
	ArrayCmpGteq:    {Mnemonic: "array.cmp.gteq", Form: FormA | FormB, Sources: 3},
	ArrayCmpLteq:    {Mnemonic: "array.cmp.lteq", Form: FormA | FormB, Sources: 3},
	ArrayAriNeg:     {Mnemonic: "array.ari.neg", Form: FormA | FormB, Sources: 2},
	ArrayBitNeg:     {Mnemonic: "array.bit.neg", Form: FormA | FormB, Sources: 2},
	ArrayNot:        {Mnemonic: "array.not", Form: FormA | FormB, Sources: 2},
	ArrayConv:       {Mnemonic: "array.conv", Form: FormA | FormB, Sources: 2},
	FieldGet:        {Mnemonic: "field.get", Form: FormA, Target: true, Sources: 1, Operand: OperandMember},
	FieldSet:        {Mnemonic: "field.set", Form: FormA, Sources: 2, Operand: OperandMember},
	FieldAddr:       {Mnemonic: "field.addr", Form: FormA | FormB, Target: true, Sources: 1, Operand: OperandMember},
	FieldUserGet:    {Mnemonic: "field.user.get", Form: FormA, Target: true, Sources: 1},
	FieldUserSet:    {Mnemonic: "field.user.set", Form: FormA, Sources: 2},
	FieldUserAddr:   {Mnemonic: "field.user.addr", Form: FormA | FormB, Target: true, Sources: 1},
	FieldStaticGet:  {Mnemonic: "field.static.get", Form: FormA, Target: true, Operand: OperandMember},
	FieldStaticAddr: {Mnemonic: "field.static.addr", Form: FormA, Target: true, Operand: OperandMember},
	FieldStaticSet:  {Mnemonic: "field.static.set", Form: FormA, Sources: 1, Operand: OperandMember},
	FieldGlobalAddr: {Mnemonic: "field.global.addr", Form: FormB, Target: true, Operand: OperandGlobal},
	FieldThreadAddr: {Mnemonic: "field.thread.addr", Form: FormB, Target: true, Operand: OperandThread},
	FieldGlobalGet:  {Mnemonic: "field.global.get", Form: FormI, Target: true, Operand: OperandGlobal},
	FieldThreadGet:  {Mnemonic: "field.thread.get", Form: FormI, Target: true, Operand: OperandThread},
	FieldGlobalSet:  {Mnemonic: "field.global.set", Form: FormI, Sources: 1, Operand: OperandGlobal},
	FieldThreadSet:  {Mnemonic: "field.thread.set", Form: FormI, Sources: 1, Operand: OperandThread},
	ArgPush:         {Mnemonic: "arg.push", Form: FormA | FormB, Sources: 1},
	ArgPop:          {Mnemonic: "arg.pop", Form: FormA | FormB, Target: true},
	Call:            {Mnemonic: "call", Form: FormA | FormB, Target: true, Operand: OperandFunc},
	CallTail:        {Mnemonic: "call.tail", Form: FormA | FormB, Target: true, Operand: OperandFunc},
	CallIndirect:    {Mnemonic: "call.indirect", Form: FormA | FormB, Target: true, Sources: 1},
	Invoke:          {Mnemonic: "invoke", Form: FormA | FormB, Operand: OperandFunc},
	InvokeTail:      {Mnemonic: "invoke.tail", Form: FormA | FormB, Operand: OperandFunc},
	InvokeIndirect:  {Mnemonic: "invoke.indirect", Form: FormA | FormB, Sources: 1},
	Jump:            {Mnemonic: "jump", Form: FormA | FormB, Operand: OperandLabel, Terminator: true},
	JumpCond:        {Mnemonic: "jump.cond", Form: FormA | FormB, Sources: 1, Operand: OperandBranch, Terminator: true},
	Return:          {Mnemonic: "return", Form: FormA | FormB, Sources: 1, Terminator: true},
	EHThrow:         {Mnemonic: "eh.throw", Form: FormA | FormB, Sources: 1, Terminator: true},
	Phi:             {Mnemonic: "phi", Form: FormA | FormB, Target: true, Operand: OperandRegs},
	Raw:             {Mnemonic: "raw", Form: FormA | FormB, Operand: OperandLiterals, Literal: Uint8, Terminator: true},
	FFI:             {Mnemonic: "ffi", Form: FormA | FormB, Operand: OperandSymbol, Terminator: true},
	Forward:         {Mnemonic: "forward", Form: FormB, Operand: OperandSymbol, Terminator: true},
	EHCatch:         {Mnemonic: "eh.catch", Form: FormA | FormB, Target: true},
}

// Mnemonics finds an operation by its mnemonic.
var Mnemonics = func() map[string]Op {
	m := make(map[string]Op, NumOps)
	for op := range Ops {
		m[Ops[op].Mnemonic] = Op(op)
	}
	return m
}()

// String is the mnemonic.
func (op Op) String() string { return Ops[op].Mnemonic }
