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

// holds is what holds in a part of the dominator tree: tables with a log of what
// was entered, by which they are as before when the part is left. They are empty
// between two bodies, and their memory is used again.
type holds struct {
	log []entry
	// buckets begin lists of expressions of equal hash, as places in exprs plus 1.
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

// entry is one in a table: the last of exprs, or of a value.
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

// undo leaves a part of the tree: what was entered since the log had a length goes.
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
