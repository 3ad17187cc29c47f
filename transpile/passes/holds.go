package passes

import "github.com/uvm2go/uvm2go/transpile/ir"

// expr is an operation on operands; equal ones have equal results.
type expr struct {
	op      ir.Op
	ptr     bool
	ty, ty2 ir.TypeID
	imm     uint64
	args    [3]ir.ValueID
}

func (e *expr) hash() uint64 {
	const k = 0x9e3779b97f4a7c15
	h := uint64(e.op)<<32 ^ uint64(uint32(e.ty))
	h = (h^h>>29)*k ^ uint64(uint32(e.ty2)) ^ e.imm
	h = (h^h>>29)*k ^ uint64(uint32(e.args[0]))<<32 ^ uint64(uint32(e.args[1]))
	h = (h^h>>29)*k ^ uint64(uint32(e.args[2]))
	h = (h ^ h>>29) * k
	return h ^ h>>32
}

// holds records what is known in a subtree of the dominator tree: tables, and a log
// of their entries, with which undo restores them when the subtree is left. The
// tables are empty between two bodies, and their memory is reused.
type holds struct {
	log []entry
	// buckets are the heads of lists of expressions of equal hash, as indices in exprs plus 1.
	buckets []int32
	exprs   []knownExpr
	facts   []ir.ValueID // by value, the constant that it equals
	trusted []bool       // by value, an address that has been accessed
}

type knownExpr struct {
	expr
	value  ir.ValueID
	bucket uint32
	next   int32 // in the bucket
}

// entry is an entry of the log: the last of exprs, or what is known of the value x.
type entry struct {
	kind entryKind
	x    ir.ValueID
}

type entryKind uint8

const (
	entryExpr entryKind = iota
	entryFact
	entrySafe
)

// reserve prepares the tables for a body.
func (k *holds) reserve(insts, values int) {
	k.facts = grown(k.facts, values)
	k.trusted = grown(k.trusted, values)
	if n := len(k.buckets); n < insts {
		n = max(n, 64)
		for n < insts {
			n *= 2
		}
		k.buckets = make([]int32, n) // a power of two
	}
}

// undo leaves a subtree: it removes what was entered since the log had the length mark.
func (k *holds) undo(mark int) {
	for i := len(k.log) - 1; i >= mark; i-- {
		switch e := k.log[i]; e.kind {
		case entryExpr:
			last := &k.exprs[len(k.exprs)-1]
			k.buckets[last.bucket] = last.next
			k.exprs = k.exprs[:len(k.exprs)-1]
		case entryFact:
			k.facts[e.x] = 0
		case entrySafe:
			k.trusted[e.x] = false
		}
	}
	k.log = k.log[:mark]
}

// seen is the value of an equal expression. If there is none, it enters the
// expression with its value and returns 0.
func (k *holds) seen(e expr, value ir.ValueID) ir.ValueID {
	b := uint32(e.hash()) & uint32(len(k.buckets)-1)
	for i := k.buckets[b]; i != 0; i = k.exprs[i-1].next {
		if k.exprs[i-1].expr == e {
			return k.exprs[i-1].value
		}
	}
	k.exprs = append(k.exprs, knownExpr{e, value, b, k.buckets[b]})
	k.buckets[b] = int32(len(k.exprs))
	k.log = append(k.log, entry{kind: entryExpr})
	return 0
}

// fact is the constant that a value is known to equal, or 0.
func (k *holds) fact(x ir.ValueID) ir.ValueID {
	if int(x) < len(k.facts) {
		return k.facts[x]
	}
	return 0
}

func (k *holds) setFact(x, c ir.ValueID) {
	k.facts = grown(k.facts, int(x)+1)
	k.facts[x] = c
	k.log = append(k.log, entry{entryFact, x})
}

// safe reports whether an address has been accessed.
func (k *holds) safe(x ir.ValueID) bool { return int(x) < len(k.trusted) && k.trusted[x] }

func (k *holds) setSafe(x ir.ValueID) {
	k.trusted = grown(k.trusted, int(x)+1)
	k.trusted[x] = true
	k.log = append(k.log, entry{entrySafe, x})
}
