package syntax

// An Op is an instruction mnemonic.
type Op uint8

// A Form is a shape of instructions. All ops of a form are parsed the same way
// and fill the same fields of Inst; other fields are zero. Results, Name, Off,
// OpOff and Op are always set. "exc" stands for the optional EXC clause (HasExc,
// two Dests), "keep" for the optional KEEPALIVE clause (HasKeep, Keep).
type Form uint8

// The forms (grammar of `body`, docs/language.md, "Grammar").
const (
	NoForm       Form = iota
	FormBin           // Ext.Flags, if there is a list; Types T; Args a b; exc
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

// An opInfo is a row of opTable, which opgen writes.
type opInfo struct {
	name     string
	form     Form
	typeArgs uint8 // number of type arguments, where the form leaves it open
	valArgs  uint8 // number of value operands, likewise
	ptr      bool  // PTR allowed
	exc      bool  // EXC allowed by the grammar
}

// String returns the mnemonic.
func (o Op) String() string {
	if o == NoOp || o >= NumOps {
		return "none"
	}
	return opTable[o].name
}

// Form returns the shape that instructions of op o have.
func (o Op) Form() Form { return opTable[o].form }

// HasPtr reports whether o has a form for raw pointers, with PTR.
func (o Op) HasPtr() bool { return opTable[o].ptr }
