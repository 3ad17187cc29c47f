package syntax

import (
	"github.com/uvm2go/uvm2go/internal/lexis/decl"
	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// A keyword is a bare word that the grammar knows. The ops come first, with
// their own numbers.
type keyword = lex.Keyword

const (
	kwNone keyword = 0

	kwPtr keyword = keyword(NumOps) + iota
	kwWeak
	kwExc
	kwWPExc
	kwKeepAlive
	kwPassValues
	kwThrowExc
	kwRetWith
	kwKillOld
	kwThreadLocal

	kwOrder                             // the memory orders, from NotAtomic
	kwRMW   = kwOrder + keyword(SeqCst) // the operations of ATOMICRMW that are not ops, from Xchg
	numKw   = kwRMW + 6
)

// The keywords of the grammar of definitions have greater numbers.
const _ = uint(decl.KwFirst - numKw)

// kwRMWs are the operations of the keywords from kwRMW.
var kwRMWs = [...]RMW{RMWXchg, RMWNand, RMWMax, RMWMin, RMWUMax, RMWUMin}

// opRMWs are the ops whose mnemonics also name an operation of ATOMICRMW.
var opRMWs = map[keyword]RMW{
	keyword(OpAdd): RMWAdd, keyword(OpSub): RMWSub, keyword(OpAnd): RMWAnd, keyword(OpOr): RMWOr, keyword(OpXor): RMWXor,
}

// keywordNames has the spelling of each keyword.
var keywordNames = func() []string {
	t := decl.Words()
	for op := NoOp + 1; op < NumOps; op++ {
		t[op] = op.String()
	}
	for i, s := range [...]string{"PTR", "WEAK", "EXC", "WPEXC", "KEEPALIVE", "PASS_VALUES", "THROW_EXC", "RET_WITH",
		"KILL_OLD", "THREADLOCAL"} {
		t[int(kwPtr)+i] = s
	}
	for o := NotAtomic; o <= SeqCst; o++ {
		t[kwOrder+keyword(o-NotAtomic)] = o.String()
	}
	for i, r := range kwRMWs {
		t[int(kwRMW)+i] = r.String()
	}
	return t
}()

// keywords finds the keyword of a spelling.
var keywords = lex.NewKeywords(keywordNames).Meaning(decl.OtherWords)

func isOp(k keyword) bool    { return kwNone < k && k < keyword(NumOps) }
func isOrder(k keyword) bool { return kwOrder <= k && k < kwRMW }
func isRMW(k keyword) bool   { return rmwOf(k) != NoRMW }

// rmwOf returns the operation that keyword k names, NoRMW if it names none.
func rmwOf(k keyword) RMW {
	if kwRMW <= k && k < numKw {
		return kwRMWs[k-kwRMW]
	}
	return opRMWs[k]
}
