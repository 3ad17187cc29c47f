package front_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/front"
)

// The constants are numbers of the client API. Each must be that of the operation or order that its name says: the words
// in the text of a program show it.
func TestNumbers(t *testing.T) {
	w := newWorld()
	double, i32 := w.Make("@d", front.Double()), w.Make("@i32", front.Int(32))
	float, ptr := w.Make("@fl", front.Float()), w.Make("@p", front.UPtr(w.i64))
	ref := w.Make("@r", front.Ref(w.i64))
	g := w.Global("@g", w.i64)
	b := w.Func("@f", w.Sig([]front.Type{w.i64, double, i32, float, ptr, ref}, nil)).Body(at(1))
	k, x, d, h, f, p, r := b.Entry, b.Args[0], b.Args[1], b.Args[2], b.Args[3], b.Args[4], b.Args[5]
	for _, op := range []front.BinOp{front.Add, front.Sub, front.Mul, front.SDiv, front.SRem, front.UDiv, front.URem, front.Shl, front.LShr, front.AShr, front.And, front.Or, front.Xor} {
		k.Bin(op, w.i64, x, x)
	}
	for _, op := range []front.BinOp{front.FAdd, front.FSub, front.FMul, front.FDiv, front.FRem} {
		k.Bin(op, double, d, d)
	}
	for _, op := range []front.CmpOp{front.EQ, front.NE, front.SGE, front.SGT, front.SLE, front.SLT, front.UGE, front.UGT, front.ULE, front.ULT} {
		k.Cmp(op, w.i64, x, x)
	}
	for _, op := range []front.CmpOp{front.FFalse, front.FTrue, front.FUno, front.FUEQ, front.FUNE, front.FUGT, front.FUGE, front.FULT, front.FULE,
		front.FOrd, front.FOEQ, front.FONE, front.FOGT, front.FOGE, front.FOLT, front.FOLE} {
		k.Cmp(op, double, d, d)
	}
	k.Conv(front.Trunc, w.i64, i32, x)
	k.Conv(front.ZExt, i32, w.i64, h)
	k.Conv(front.SExt, i32, w.i64, h)
	k.Conv(front.FPTrunc, double, float, d)
	k.Conv(front.FPExt, float, double, f)
	k.Conv(front.FPToUI, double, w.i64, d)
	k.Conv(front.FPToSI, double, w.i64, d)
	k.Conv(front.UIToFP, w.i64, double, x)
	k.Conv(front.SIToFP, w.i64, double, x)
	k.Conv(front.Bitcast, w.i64, double, x)
	k.Conv(front.RefCast, ref, ref, r)
	k.Conv(front.PtrCast, ptr, w.i64, p)
	for _, op := range []front.RMWOp{front.RMWXchg, front.RMWAdd, front.RMWSub, front.RMWAnd, front.RMWNand, front.RMWOr, front.RMWXor, front.RMWMax, front.RMWMin, front.RMWUMax, front.RMWUMin} {
		k.RMW(front.Managed, front.SeqCst, op, w.i64, g, x)
	}
	for _, order := range []front.MemOrder{front.NotAtomic, front.Relaxed, front.Consume, front.Acquire, front.SeqCst} {
		k.Load(front.Managed, order, w.i64, g)
	}
	for _, order := range []front.MemOrder{front.Release, front.AcqRel} {
		k.Fence(order)
	}
	for _, flag := range []front.Status{front.Negative, front.Zero, front.Carry, front.Overflow} {
		k.BinStatus(front.Add, flag, w.i64, x, x)
	}
	k.Ret()

	text, err := w.Text("uir")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(`ADD SUB MUL SDIV SREM UDIV UREM SHL LSHR ASHR AND OR XOR FADD FSUB FMUL FDIV FREM
		EQ NE SGE SGT SLE SLT UGE UGT ULE ULT
		FFALSE FTRUE FUNO FUEQ FUNE FUGT FUGE FULT FULE FORD FOEQ FONE FOGT FOGE FOLT FOLE
		TRUNC ZEXT SEXT FPTRUNC FPEXT FPTOUI FPTOSI UITOFP SITOFP BITCAST REFCAST PTRCAST
		ATOMICRMW-SEQ_CST-XCHG ATOMICRMW-SEQ_CST-ADD ATOMICRMW-SEQ_CST-SUB ATOMICRMW-SEQ_CST-AND ATOMICRMW-SEQ_CST-NAND ATOMICRMW-SEQ_CST-OR
		ATOMICRMW-SEQ_CST-XOR ATOMICRMW-SEQ_CST-MAX ATOMICRMW-SEQ_CST-MIN ATOMICRMW-SEQ_CST-UMAX ATOMICRMW-SEQ_CST-UMIN
		LOAD LOAD-RELAXED LOAD-CONSUME LOAD-ACQUIRE LOAD-SEQ_CST FENCE-RELEASE FENCE-ACQ_REL
		ADD SLT ADD EQ ADD ULT ADD XOR XOR AND SLT RET`) // the flags N, Z, C and V, each computed
	var got []string
	for _, m := range regexp.MustCompile(`(?m)(?:= |^\s*)([A-Z][A-Z0-9]*(?: [A-Z][A-Z_]*)*)`).FindAllStringSubmatch(string(text), -1) {
		got = append(got, strings.ReplaceAll(m[1], " ", "-"))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, " "), strings.Join(want, " "))
	}
}
