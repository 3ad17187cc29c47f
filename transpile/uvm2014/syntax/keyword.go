package syntax

import (
	"github.com/uvm2go/uvm2go/internal/lexis/decl"
	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// A keyword is a bare word that the grammar knows. The ops come first, with their own
// numbers.
type keyword = lex.Keyword

const (
	kwNone keyword = 0

	kwKeepAlive keyword = keyword(NumOps) + iota
	kwDefault
	kwNull
	kwBitsF
	kwBitsD
	kwLabel // .label, as in old bundles
	kwInline
	kwOldParam // PARAM0 and the like

	kwOrder                                    // the memory orders, from NotAtomic
	kwRMW     = kwOrder + keyword(SeqCst) + 1  // the operations of ATOMICRMW that are not ops
	kwType    = kwRMW + 6                      // the type constructors, from TypeInt
	kwTypedef = kwType + keyword(TypeTagRef64) // the definitions
	kwFuncSig = kwTypedef + 1
	kwConst   = kwTypedef + 2
	kwGlobal  = kwTypedef + 3
	kwDecl    = kwTypedef + 4
	kwDef     = kwTypedef + 5
	kwOld     = kwTypedef + 6 // spellings of old bundles, see oldWords
	numKw     = kwOld + keyword(len(oldWords))
)

// kwRMWs are the operations of the keywords from kwRMW.
var kwRMWs = [...]RMW{Xchg, RMWNand, RMWMax, RMWMin, RMWUMax, RMWUMin}

// opRMWs are the ops whose mnemonics also name an operation of ATOMICRMW.
var opRMWs = map[keyword]RMW{
	keyword(Add): RMWAdd, keyword(Sub): RMWSub, keyword(And): RMWAnd, keyword(Or): RMWOr, keyword(Xor): RMWXor,
}

// An oldWord is a spelling of old bundles and its meaning: another keyword, or the call of an
// intrinsic function.
type oldWord struct {
	name, means string
	intrinsic   bool
}

var oldWords = [...]oldWord{
	{"INTRINSICCALL", "ICALL", false},
	{"ICCALL", "ICALL", false},
	{"INTRINSICINVOKE", "IINVOKE", false},
	{"AQUIRE", "ACQUIRE", false},
	{"SQL_CST", "SEQ_CST", false},
	{"NEWTHREAD", "@uvm.new_thread", true},
	{"SWAPSTACK", "@uvm.swap_stack", true},
	{"KILLSTACK", "@uvm.kill_stack", true},
	{"SWAPANDKILL", "@uvm.swap_and_kill", true},
	{"THREADEXIT", "@uvm.thread_exit", true},
}

// keywordNames has the spelling of each keyword.
var keywordNames = func() (t [numKw]string) {
	for op := NoOp + 1; op < NumOps; op++ {
		t[op] = op.String()
	}
	for i, s := range [...]string{"KEEPALIVE", "DEFAULT", "NULL", "bitsf", "bitsd", ".label", "INLINE"} {
		t[int(kwKeepAlive)+i] = s
	}
	for o := NotAtomic; o <= SeqCst; o++ {
		t[kwOrder+keyword(o)] = o.String()
	}
	for i, r := range kwRMWs {
		t[int(kwRMW)+i] = r.String()
	}
	for k := TypeInt; k <= TypeTagRef64; k++ {
		t[kwType+keyword(k-TypeInt)] = k.String()
	}
	for i, s := range [...]string{".typedef", ".funcsig", ".const", ".global", ".funcdecl", ".funcdef"} {
		t[int(kwTypedef)+i] = s
	}
	for i, w := range oldWords {
		t[int(kwOld)+i] = w.name
	}
	return
}()

// keywords finds the keyword of a spelling.
var keywords = lex.NewKeywords(keywordNames[:]).Meaning(decl.OtherWords)

func isOp(k keyword) bool {
	return kwNone < k && k < keyword(NumOps) || isOld(k) && !isOrder(k)
}
func isType(k keyword) bool { return kwType <= k && k < kwTypedef }
func isDef(k keyword) bool  { return kwTypedef <= k && k < kwOld }
func isOld(k keyword) bool  { return kwOld <= k && k < numKw }

// old returns the meaning of an old spelling.
func old(k keyword) *oldWord { return &oldWords[k-kwOld] }

// modern returns the keyword that k means, k itself if it is not an old spelling.
func modern(k keyword) keyword {
	if isOld(k) && !old(k).intrinsic {
		return keywords.Find(old(k).means)
	}
	return k
}

// isOrder reports whether the keyword means a memory order.
func isOrder(k keyword) bool {
	k = modern(k)
	return kwOrder <= k && k < kwRMW
}

// rmwOf returns the operation that a keyword names, and whether it names one.
func rmwOf(k keyword) (RMW, bool) {
	if kwRMW <= k && k < kwType {
		return kwRMWs[k-kwRMW], true
	}
	r, ok := opRMWs[k]
	return r, ok
}
