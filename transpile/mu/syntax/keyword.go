package syntax

import "sort"

// A keyword is a bare word that the grammar knows. The ops come first, with
// their own numbers. Which of them a place wants is the parser's affair: there
// are no reserved words, since names carry a sigil.
type keyword uint8

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
	kwVersion
	kwExtern
	kwNull
	kwBitsF
	kwBitsD

	kwOrder                                    // the memory orders, from NotAtomic
	kwRMW     = kwOrder + keyword(SeqCst)      // the operations of ATOMICRMW that are not ops, from Xchg
	kwType    = kwRMW + 6                      // the type constructors, from TypeInt
	kwTypedef = kwType + keyword(TypeTagRef64) // the definitions
	kwFuncSig = kwTypedef + 1
	kwConst   = kwTypedef + 2
	kwGlobal  = kwTypedef + 3
	kwDecl    = kwTypedef + 4
	kwDef     = kwTypedef + 5
	kwExpose  = kwTypedef + 6
	numKw     = kwTypedef + 7
)

// kwRMWs are the operations at kwRMW and on.
var kwRMWs = [...]RMW{RMWXchg, RMWNand, RMWMax, RMWMin, RMWUMax, RMWUMin}

// opRMWs are the ops whose mnemonics also name an operation of ATOMICRMW.
var opRMWs = map[keyword]RMW{
	keyword(OpAdd): RMWAdd, keyword(OpSub): RMWSub, keyword(OpAnd): RMWAnd, keyword(OpOr): RMWOr, keyword(OpXor): RMWXor,
}

// keywordNames has the spelling of each keyword.
var keywordNames = func() (t [numKw]string) {
	for op := NoOp + 1; op < NumOps; op++ {
		t[op] = op.String()
	}
	for i, s := range [...]string{"PTR", "WEAK", "EXC", "WPEXC", "KEEPALIVE", "PASS_VALUES", "THROW_EXC", "RET_WITH",
		"KILL_OLD", "THREADLOCAL", "VERSION", "EXTERN", "NULL", "bitsf", "bitsd"} {
		t[int(kwPtr)+i] = s
	}
	for o := NotAtomic; o <= SeqCst; o++ {
		t[kwOrder+keyword(o-NotAtomic)] = o.String()
	}
	for i, r := range kwRMWs {
		t[int(kwRMW)+i] = r.String()
	}
	for k := TypeInt; k <= TypeTagRef64; k++ {
		t[kwType+keyword(k-TypeInt)] = k.String()
	}
	for i, s := range [...]string{".typedef", ".funcsig", ".const", ".global", ".funcdecl", ".funcdef", ".expose"} {
		t[int(kwTypedef)+i] = s
	}
	return
}()

// keywords finds the keyword of a spelling.
var keywords = func() map[string]keyword {
	m := make(map[string]keyword, numKw)
	for k, s := range keywordNames {
		if s != "" {
			m[s] = keyword(k)
		}
	}
	return m
}()

// A kwSet says which keywords a place could take; it serves suggestions only.
type kwSet func(keyword) bool

func isOp(k keyword) bool    { return kwNone < k && k < keyword(NumOps) }
func isOrder(k keyword) bool { return kwOrder <= k && k < kwRMW }
func isType(k keyword) bool  { return kwType <= k && k < kwTypedef }
func isDef(k keyword) bool   { return kwTypedef <= k && k < numKw }
func isRMW(k keyword) bool   { return rmwOf(k) != NoRMW }

func oneOf(ks ...keyword) kwSet {
	return func(k keyword) bool {
		for _, x := range ks {
			if x == k {
				return true
			}
		}
		return false
	}
}

// rmwOf gives the operation that keyword k names, NoRMW if it names none.
func rmwOf(k keyword) RMW {
	if kwRMW <= k && k < kwType {
		return kwRMWs[k-kwRMW]
	}
	return opRMWs[k]
}

// suggest gives the keyword of the set that a misspelt word most resembles, ""
// if none is near: the same but for case, or at most two slips away, one in
// words of up to four letters.
func suggest(word string, set kwSet) string {
	if len(word) > 24 {
		return ""
	}
	type candidate struct {
		name string
		dist int
	}
	var cs []candidate
	for k := kwNone + 1; k < numKw; k++ {
		name := keywordNames[k]
		if name == "" || name == word || !set(k) {
			continue
		}
		limit := 2
		if len(word) <= 4 {
			limit = 1
		}
		if d := len(name) - len(word); d > limit || -d > limit {
			continue
		}
		if d := distance(word, name); d <= limit {
			cs = append(cs, candidate{name, d})
		}
	}
	if len(cs) == 0 {
		return ""
	}
	sort.SliceStable(cs, func(i, j int) bool { return cs[i].dist < cs[j].dist })
	return cs[0].name
}

// distance counts the letters to change, drop, insert or swap with their
// neighbour to make b of a; letter case is free.
func distance(a, b string) int {
	var rows [3][32]int
	before, prev, cur := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		prev[j] = j
	}
	for i := range len(a) {
		cur[0] = i + 1
		for j := range len(b) {
			cost := 1
			if fold(a[i]) == fold(b[j]) {
				cost = 0
			}
			cur[j+1] = min(prev[j+1]+1, cur[j]+1, prev[j]+cost)
			if i > 0 && j > 0 && fold(a[i]) == fold(b[j-1]) && fold(a[i-1]) == fold(b[j]) {
				cur[j+1] = min(cur[j+1], before[j-1]+1)
			}
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}

func fold(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
