package module

// An Op is an operation of IAL.
type Op uint8

// The operations, in the order of docs/ial.md, "Instructions".
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

// Operands is the kind of the operand that an instruction has in parentheses.
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

// The editions: the two forms, and a short-lived one in between.
const (
	FormA Form = 1 << iota // June 2012
	FormB                  // the final one
	FormI                  // in between
)

// A Row describes an operation: the shape of its instructions and whether they end a
// block.
type Row struct {
	Mnemonic   string
	Form       Form // editions that have it
	Target     bool // has a target register
	Sources    int  // number of source registers
	Operand    Operands
	Literal    Kind // of literals
	Terminator bool
	Meaning    string // for docs/ial.md; a, b, c are the sources
}

// Ops has the row of each operation.
var Ops = [NumOps]Row{
	Nop:             {Mnemonic: "nop", Form: FormA | FormB, Meaning: "nothing"},
	Leave:           {Mnemonic: "leave", Form: FormA | FormB, Terminator: true, Meaning: "return from a function that has no result"},
	Dead:            {Mnemonic: "dead", Form: FormA | FormB, Terminator: true, Meaning: "marks a place that is never reached; fails if it is reached"},
	EHRethrow:       {Mnemonic: "eh.rethrow", Form: FormA | FormB, Terminator: true, Meaning: "raise the exception in flight again; it keeps its trace"},
	Fence:           {Mnemonic: "fence", Form: FormA | FormB, Meaning: "full memory barrier"},
	Comment:         {Mnemonic: "comment", Form: FormA | FormB, Operand: OperandLiterals, Literal: Uint8, Meaning: "nothing; the bytes are a text for readers"},
	LoadI8:          {Mnemonic: "load.i8", Form: FormA | FormB, Target: true, Operand: OperandLiteral, Literal: Int8, Meaning: "a constant of type int8"},
	LoadUi8:         {Mnemonic: "load.ui8", Form: FormA | FormB, Target: true, Operand: OperandLiteral, Literal: Uint8, Meaning: "a constant of type uint8"},
	LoadI16:         {Mnemonic: "load.i16", Form: FormA | FormB, Target: true, Operand: OperandLiteral, Literal: Int16, Meaning: "a constant of type int16"},
	LoadUi16:        {Mnemonic: "load.ui16", Form: FormA | FormB, Target: true, Operand: OperandLiteral, Literal: Uint16, Meaning: "a constant of type uint16"},
	LoadI32:         {Mnemonic: "load.i32", Form: FormA | FormB, Target: true, Operand: OperandLiteral, Literal: Int32, Meaning: "a constant of type int32"},
	LoadUi32:        {Mnemonic: "load.ui32", Form: FormA | FormB, Target: true, Operand: OperandLiteral, Literal: Uint32, Meaning: "a constant of type uint32"},
	LoadI64:         {Mnemonic: "load.i64", Form: FormA | FormB, Target: true, Operand: OperandLiteral, Literal: Int64, Meaning: "a constant of type int64"},
	LoadUi64:        {Mnemonic: "load.ui64", Form: FormA | FormB, Target: true, Operand: OperandLiteral, Literal: Uint64, Meaning: "a constant of type uint64"},
	LoadF32:         {Mnemonic: "load.f32", Form: FormA | FormB, Target: true, Operand: OperandLiteral, Literal: Float32, Meaning: "a constant of type float32"},
	LoadF64:         {Mnemonic: "load.f64", Form: FormA | FormB, Target: true, Operand: OperandLiteral, Literal: Float64, Meaning: "a constant of type float64"},
	LoadI8a:         {Mnemonic: "load.i8a", Form: FormA | FormB, Target: true, Operand: OperandLiterals, Literal: Int8, Meaning: "a new array, vector, native block or static array of constants of type int8"},
	LoadUi8a:        {Mnemonic: "load.ui8a", Form: FormA | FormB, Target: true, Operand: OperandLiterals, Literal: Uint8, Meaning: "a new array, vector, native block or static array of constants of type uint8"},
	LoadI16a:        {Mnemonic: "load.i16a", Form: FormA | FormB, Target: true, Operand: OperandLiterals, Literal: Int16, Meaning: "a new array, vector, native block or static array of constants of type int16"},
	LoadUi16a:       {Mnemonic: "load.ui16a", Form: FormA | FormB, Target: true, Operand: OperandLiterals, Literal: Uint16, Meaning: "a new array, vector, native block or static array of constants of type uint16"},
	LoadI32a:        {Mnemonic: "load.i32a", Form: FormA | FormB, Target: true, Operand: OperandLiterals, Literal: Int32, Meaning: "a new array, vector, native block or static array of constants of type int32"},
	LoadUi32a:       {Mnemonic: "load.ui32a", Form: FormA | FormB, Target: true, Operand: OperandLiterals, Literal: Uint32, Meaning: "a new array, vector, native block or static array of constants of type uint32"},
	LoadI64a:        {Mnemonic: "load.i64a", Form: FormA | FormB, Target: true, Operand: OperandLiterals, Literal: Int64, Meaning: "a new array, vector, native block or static array of constants of type int64"},
	LoadUi64a:       {Mnemonic: "load.ui64a", Form: FormA | FormB, Target: true, Operand: OperandLiterals, Literal: Uint64, Meaning: "a new array, vector, native block or static array of constants of type uint64"},
	LoadF32a:        {Mnemonic: "load.f32a", Form: FormA | FormB, Target: true, Operand: OperandLiterals, Literal: Float32, Meaning: "a new array, vector, native block or static array of constants of type float32"},
	LoadF64a:        {Mnemonic: "load.f64a", Form: FormA | FormB, Target: true, Operand: OperandLiterals, Literal: Float64, Meaning: "a new array, vector, native block or static array of constants of type float64"},
	LoadFunc:        {Mnemonic: "load.func", Form: FormA | FormB, Target: true, Operand: OperandFunc, Meaning: "the address of a function"},
	LoadNull:        {Mnemonic: "load.null", Form: FormA | FormB, Target: true, Meaning: "null"},
	LoadSize:        {Mnemonic: "load.size", Form: FormA | FormB, Target: true, Operand: OperandType, Meaning: "size of a type in bytes"},
	LoadAlign:       {Mnemonic: "load.align", Form: FormA | FormB, Target: true, Operand: OperandType, Meaning: "alignment of a type"},
	LoadOffset:      {Mnemonic: "load.offset", Form: FormA | FormB, Target: true, Operand: OperandMember, Meaning: "offset of an instance member"},
	LoadData:        {Mnemonic: "load.data", Form: FormB, Target: true, Operand: OperandData, Meaning: "address of a data block"},
	Copy:            {Mnemonic: "copy", Form: FormA | FormB, Target: true, Sources: 1, Meaning: "the value of a"},
	Conv:            {Mnemonic: "conv", Form: FormA | FormB, Target: true, Sources: 1, Meaning: "a in another type ([Types](#types))"},
	AriNeg:          {Mnemonic: "ari.neg", Form: FormA | FormB, Target: true, Sources: 1, Meaning: "a with the opposite sign"},
	BitNeg:          {Mnemonic: "bit.neg", Form: FormA | FormB, Target: true, Sources: 1, Meaning: "all bits of a inverted"},
	Not:             {Mnemonic: "not", Form: FormA | FormB, Target: true, Sources: 1, Meaning: "1 if a is 0, else 0"},
	Tramp:           {Mnemonic: "tramp", Form: FormA | FormB, Target: true, Sources: 1, Meaning: "an address at which C can call the function that a points to"},
	AriAdd:          {Mnemonic: "ari.add", Form: FormA | FormB, Target: true, Sources: 2, Meaning: "sum; for a pointer a, the address b elements further"},
	AriSub:          {Mnemonic: "ari.sub", Form: FormA | FormB, Target: true, Sources: 2, Meaning: "difference; for a pointer a, the address b elements back"},
	AriMul:          {Mnemonic: "ari.mul", Form: FormA | FormB, Target: true, Sources: 2, Meaning: "product"},
	AriDiv:          {Mnemonic: "ari.div", Form: FormA | FormB, Target: true, Sources: 2, Meaning: "quotient, toward zero for integers"},
	AriRem:          {Mnemonic: "ari.rem", Form: FormA | FormB, Target: true, Sources: 2, Meaning: "remainder, with the sign of a; for floats like C's fmod"},
	BitAnd:          {Mnemonic: "bit.and", Form: FormA | FormB, Target: true, Sources: 2, Meaning: "bitwise and"},
	BitOr:           {Mnemonic: "bit.or", Form: FormA | FormB, Target: true, Sources: 2, Meaning: "bitwise or"},
	BitXor:          {Mnemonic: "bit.xor", Form: FormA | FormB, Target: true, Sources: 2, Meaning: "bitwise exclusive or"},
	Shl:             {Mnemonic: "shl", Form: FormA | FormB, Target: true, Sources: 2, Meaning: "a shifted left by b bits; 0 if b is the width or more"},
	Shr:             {Mnemonic: "shr", Form: FormA | FormB, Target: true, Sources: 2, Meaning: "a shifted right by b bits, filled with the sign if the type has one"},
	Rol:             {Mnemonic: "rol", Form: FormA | FormB, Target: true, Sources: 2, Meaning: "a rotated left by b bits, modulo the width"},
	Ror:             {Mnemonic: "ror", Form: FormA | FormB, Target: true, Sources: 2, Meaning: "a rotated right by b bits, modulo the width"},
	CmpEq:           {Mnemonic: "cmp.eq", Form: FormA | FormB, Target: true, Sources: 2, Meaning: "1 if a = b, else 0"},
	CmpNeq:          {Mnemonic: "cmp.neq", Form: FormA | FormB, Target: true, Sources: 2, Meaning: "0 if a = b, else 1"},
	CmpGt:           {Mnemonic: "cmp.gt", Form: FormA | FormB, Target: true, Sources: 2, Meaning: "1 if a > b, else 0"},
	CmpLt:           {Mnemonic: "cmp.lt", Form: FormA | FormB, Target: true, Sources: 2, Meaning: "1 if a < b, else 0"},
	CmpGteq:         {Mnemonic: "cmp.gteq", Form: FormA | FormB, Target: true, Sources: 2, Meaning: "1 if a >= b, else 0"},
	CmpLteq:         {Mnemonic: "cmp.lteq", Form: FormA | FormB, Target: true, Sources: 2, Meaning: "1 if a <= b, else 0"},
	MemAlloc:        {Mnemonic: "mem.alloc", Form: FormA | FormB, Target: true, Sources: 1, Meaning: "a native block of a values, all zero, or an array of length a; null if there is not enough memory"},
	MemSalloc:       {Mnemonic: "mem.salloc", Form: FormA | FormB, Target: true, Sources: 1, Meaning: "like `mem.alloc`, but the block ends with the function"},
	MemPin:          {Mnemonic: "mem.pin", Form: FormA | FormB, Target: true, Sources: 1, Meaning: "a handle that keeps an object alive and in place"},
	MemGet:          {Mnemonic: "mem.get", Form: FormA | FormB, Target: true, Sources: 1, Meaning: "the value at address a"},
	MemAddr:         {Mnemonic: "mem.addr", Form: FormA | FormB, Target: true, Sources: 1, Meaning: "the address of register a"},
	MemNew:          {Mnemonic: "mem.new", Form: FormA | FormB, Target: true, Meaning: "a native value, object or vector, all zero; null if there is not enough memory"},
	MemSnew:         {Mnemonic: "mem.snew", Form: FormA | FormB, Target: true, Meaning: "a value, all zero, that ends with the function"},
	MemFree:         {Mnemonic: "mem.free", Form: FormA | FormB, Sources: 1, Meaning: "free a native block, or declare that an object is no longer needed"},
	MemUnpin:        {Mnemonic: "mem.unpin", Form: FormA | FormB, Sources: 1, Meaning: "end a pin"},
	MemSet:          {Mnemonic: "mem.set", Form: FormA | FormB, Sources: 2, Meaning: "store b at address a"},
	ArrayGet:        {Mnemonic: "array.get", Form: FormA, Target: true, Sources: 2, Meaning: "element b of a"},
	ArraySet:        {Mnemonic: "array.set", Form: FormA, Sources: 3, Meaning: "store c as element b of a"},
	ArrayAddr:       {Mnemonic: "array.addr", Form: FormA | FormB, Target: true, Sources: 2, Meaning: "the address of element b of a"},
	ArrayLen:        {Mnemonic: "array.len", Form: FormA | FormB, Target: true, Sources: 1, Meaning: "the number of elements of a"},
	ArrayAriAdd:     {Mnemonic: "array.ari.add", Form: FormA | FormB, Sources: 3, Meaning: "apply `ari.add` to each element of b and to c, or to the element of c with the same index; store the results in a"},
	ArrayAriSub:     {Mnemonic: "array.ari.sub", Form: FormA | FormB, Sources: 3, Meaning: "apply `ari.sub` to each element of b and to c, or to the element of c with the same index; store the results in a"},
	ArrayAriMul:     {Mnemonic: "array.ari.mul", Form: FormA | FormB, Sources: 3, Meaning: "apply `ari.mul` to each element of b and to c, or to the element of c with the same index; store the results in a"},
	ArrayAriDiv:     {Mnemonic: "array.ari.div", Form: FormA | FormB, Sources: 3, Meaning: "apply `ari.div` to each element of b and to c, or to the element of c with the same index; store the results in a"},
	ArrayAriRem:     {Mnemonic: "array.ari.rem", Form: FormA | FormB, Sources: 3, Meaning: "apply `ari.rem` to each element of b and to c, or to the element of c with the same index; store the results in a"},
	ArrayBitAnd:     {Mnemonic: "array.bit.and", Form: FormA | FormB, Sources: 3, Meaning: "apply `bit.and` to each element of b and to c, or to the element of c with the same index; store the results in a"},
	ArrayBitOr:      {Mnemonic: "array.bit.or", Form: FormA | FormB, Sources: 3, Meaning: "apply `bit.or` to each element of b and to c, or to the element of c with the same index; store the results in a"},
	ArrayBitXor:     {Mnemonic: "array.bit.xor", Form: FormA | FormB, Sources: 3, Meaning: "apply `bit.xor` to each element of b and to c, or to the element of c with the same index; store the results in a"},
	ArrayShl:        {Mnemonic: "array.shl", Form: FormA | FormB, Sources: 3, Meaning: "apply `shl` to each element of b and to c, or to the element of c with the same index; store the results in a"},
	ArrayShr:        {Mnemonic: "array.shr", Form: FormA | FormB, Sources: 3, Meaning: "apply `shr` to each element of b and to c, or to the element of c with the same index; store the results in a"},
	ArrayRol:        {Mnemonic: "array.rol", Form: FormA | FormB, Sources: 3, Meaning: "apply `rol` to each element of b and to c, or to the element of c with the same index; store the results in a"},
	ArrayRor:        {Mnemonic: "array.ror", Form: FormA | FormB, Sources: 3, Meaning: "apply `ror` to each element of b and to c, or to the element of c with the same index; store the results in a"},
	ArrayCmpEq:      {Mnemonic: "array.cmp.eq", Form: FormA | FormB, Sources: 3, Meaning: "apply `cmp.eq` to each element of b and to c, or to the element of c with the same index; store the results in a"},
	ArrayCmpNeq:     {Mnemonic: "array.cmp.neq", Form: FormA | FormB, Sources: 3, Meaning: "apply `cmp.neq` to each element of b and to c, or to the element of c with the same index; store the results in a"},
	ArrayCmpGt:      {Mnemonic: "array.cmp.gt", Form: FormA | FormB, Sources: 3, Meaning: "apply `cmp.gt` to each element of b and to c, or to the element of c with the same index; store the results in a"},
	ArrayCmpLt:      {Mnemonic: "array.cmp.lt", Form: FormA | FormB, Sources: 3, Meaning: "apply `cmp.lt` to each element of b and to c, or to the element of c with the same index; store the results in a"},
	ArrayCmpGteq:    {Mnemonic: "array.cmp.gteq", Form: FormA | FormB, Sources: 3, Meaning: "apply `cmp.gteq` to each element of b and to c, or to the element of c with the same index; store the results in a"},
	ArrayCmpLteq:    {Mnemonic: "array.cmp.lteq", Form: FormA | FormB, Sources: 3, Meaning: "apply `cmp.lteq` to each element of b and to c, or to the element of c with the same index; store the results in a"},
	ArrayAriNeg:     {Mnemonic: "array.ari.neg", Form: FormA | FormB, Sources: 2, Meaning: "apply `ari.neg` to each element of b; store the results in a"},
	ArrayBitNeg:     {Mnemonic: "array.bit.neg", Form: FormA | FormB, Sources: 2, Meaning: "apply `bit.neg` to each element of b; store the results in a"},
	ArrayNot:        {Mnemonic: "array.not", Form: FormA | FormB, Sources: 2, Meaning: "apply `not` to each element of b; store the results in a"},
	ArrayConv:       {Mnemonic: "array.conv", Form: FormA | FormB, Sources: 2, Meaning: "apply `conv` to each element of a; store the results in b"},
	FieldGet:        {Mnemonic: "field.get", Form: FormA, Target: true, Sources: 1, Operand: OperandMember, Meaning: "a member of a"},
	FieldSet:        {Mnemonic: "field.set", Form: FormA, Sources: 2, Operand: OperandMember, Meaning: "store b in a member of a"},
	FieldAddr:       {Mnemonic: "field.addr", Form: FormA | FormB, Target: true, Sources: 1, Operand: OperandMember, Meaning: "the address of a member of a"},
	FieldUserGet:    {Mnemonic: "field.user.get", Form: FormA, Target: true, Sources: 1, Meaning: "the user data of object a"},
	FieldUserSet:    {Mnemonic: "field.user.set", Form: FormA, Sources: 2, Meaning: "make b the user data of object a"},
	FieldUserAddr:   {Mnemonic: "field.user.addr", Form: FormA | FormB, Target: true, Sources: 1, Meaning: "the address of the user data of object a"},
	FieldStaticGet:  {Mnemonic: "field.static.get", Form: FormA, Target: true, Operand: OperandMember, Meaning: "a static or thread member"},
	FieldStaticAddr: {Mnemonic: "field.static.addr", Form: FormA, Target: true, Operand: OperandMember, Meaning: "the address of a static or thread member"},
	FieldStaticSet:  {Mnemonic: "field.static.set", Form: FormA, Sources: 1, Operand: OperandMember, Meaning: "store a in a static or thread member"},
	FieldGlobalAddr: {Mnemonic: "field.global.addr", Form: FormB, Target: true, Operand: OperandGlobal, Meaning: "the address of a global field"},
	FieldThreadAddr: {Mnemonic: "field.thread.addr", Form: FormB, Target: true, Operand: OperandThread, Meaning: "the address of a thread field, for this thread"},
	FieldGlobalGet:  {Mnemonic: "field.global.get", Form: FormI, Target: true, Operand: OperandGlobal, Meaning: "a global field"},
	FieldThreadGet:  {Mnemonic: "field.thread.get", Form: FormI, Target: true, Operand: OperandThread, Meaning: "a thread field"},
	FieldGlobalSet:  {Mnemonic: "field.global.set", Form: FormI, Sources: 1, Operand: OperandGlobal, Meaning: "store a in a global field"},
	FieldThreadSet:  {Mnemonic: "field.thread.set", Form: FormI, Sources: 1, Operand: OperandThread, Meaning: "store a in a thread field"},
	ArgPush:         {Mnemonic: "arg.push", Form: FormA | FormB, Sources: 1, Meaning: "make a the next argument of the call that follows"},
	ArgPop:          {Mnemonic: "arg.pop", Form: FormA | FormB, Target: true, Meaning: "the next parameter"},
	Call:            {Mnemonic: "call", Form: FormA | FormB, Target: true, Operand: OperandFunc, Meaning: "the result of a function"},
	CallTail:        {Mnemonic: "call.tail", Form: FormA | FormB, Target: true, Operand: OperandFunc, Meaning: "like `call`, but the frame of the callee replaces that of the caller"},
	CallIndirect:    {Mnemonic: "call.indirect", Form: FormA | FormB, Target: true, Sources: 1, Meaning: "the result of the function that a points to"},
	Invoke:          {Mnemonic: "invoke", Form: FormA | FormB, Operand: OperandFunc, Meaning: "call a function that has no result"},
	InvokeTail:      {Mnemonic: "invoke.tail", Form: FormA | FormB, Operand: OperandFunc, Meaning: "like `invoke`, but the frame of the callee replaces that of the caller"},
	InvokeIndirect:  {Mnemonic: "invoke.indirect", Form: FormA | FormB, Sources: 1, Meaning: "call the function that a points to, which has no result"},
	Jump:            {Mnemonic: "jump", Form: FormA | FormB, Operand: OperandLabel, Terminator: true, Meaning: "go to a block"},
	JumpCond:        {Mnemonic: "jump.cond", Form: FormA | FormB, Sources: 1, Operand: OperandBranch, Terminator: true, Meaning: "go to the first block if a is not 0, else to the second"},
	Return:          {Mnemonic: "return", Form: FormA | FormB, Sources: 1, Terminator: true, Meaning: "return a"},
	EHThrow:         {Mnemonic: "eh.throw", Form: FormA | FormB, Sources: 1, Terminator: true, Meaning: "raise exception a"},
	Phi:             {Mnemonic: "phi", Form: FormA | FormB, Target: true, Operand: OperandRegs, Meaning: "the value of the register that was assigned in the block from which control came"},
	Raw:             {Mnemonic: "raw", Form: FormA | FormB, Operand: OperandLiterals, Literal: Uint8, Terminator: true, Meaning: "the function is machine code; programs that can call it cannot be translated"},
	FFI:             {Mnemonic: "ffi", Form: FormA | FormB, Operand: OperandSymbol, Terminator: true, Meaning: "the function is a symbol of a native library; it is looked up at the first call"},
	Forward:         {Mnemonic: "forward", Form: FormB, Operand: OperandSymbol, Terminator: true, Meaning: "the function stands for one of another module"},
	EHCatch:         {Mnemonic: "eh.catch", Form: FormA | FormB, Target: true, Meaning: "the exception in flight"},
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
