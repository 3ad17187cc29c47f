package live

// A pair is an instruction that does the work of two that follow each other.
type pair struct {
	first, second, both op
	link                byte // the operand of the second that the first computes: 'b', 'c' or 0 for any
}

var (
	pairsAfter [numOps][]pair // by the first instruction
	single     [numOps]op     // the first of the two that an instruction does the work of, or the instruction itself
)

func init() {
	for i := range single {
		single[i] = op(i)
	}
	for _, p := range pairs {
		pairsAfter[p.first] = append(pairsAfter[p.first], p)
		single[p.both] = p.first
	}
}

// fuse makes pairs of instructions. The second stays where it is: the first takes its fields from there, others may jump
// to it, and what it leaves to the loop around (a fault, a safepoint) is left by it.
func (r *room) fuse(l []ins) {
	// most is the greatest saving of the instructions from each on, with the pair that each begins for it.
	most := r.counts.Make(len(l) + 2)
	with := r.pairs.Make(len(l))
	for i := len(l) - 2; i >= 0; i-- {
		most[i] = most[i+1]
		if p := pairOf(&l[i], &l[i+1]); p != nil && p.saves()+most[i+2] > most[i] {
			most[i], with[i] = p.saves()+most[i+2], p
		}
	}
	for i := 0; i < len(l); i++ {
		if p := with[i]; p != nil {
			l[i].op = p.both
			i++
		}
	}
}

// saves weighs what a pair saves: with a link it also need not wait for a word that was just written.
func (p *pair) saves() int32 {
	if p.link != 0 {
		return 3
	}
	return 2
}

// pairOf is the pair for two instructions, nil if there is none.
func pairOf(in, next *ins) *pair {
	l := pairsAfter[in.op]
	for i := range l {
		if p := &l[i]; p.second == next.op && (p.link == 0 || p.link == 'b' && next.b == in.a || p.link == 'c' && next.c == in.a) {
			return p
		}
	}
	return nil
}

// unfuse undoes the pair of which instruction i is the second, if there is one.
func unfuse(l []ins, i int) {
	if i > 0 {
		l[i-1].op = single[l[i-1].op]
	}
}
