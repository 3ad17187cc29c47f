package passes

import "fmt"

// A constraint says that the first run of one pass must come before every run
// of another.
type constraint struct{ before, after, why string }

var constraints = []constraint{
	{"names", "simplify", "folding blocks changes the places that unnamed instructions are named by"},
	{"names", "inline", "an unnamed instruction is named after the body that it was in"},
	{"names", "tails", "an unnamed instruction is named after the body that it was in"},
	{"natives", "number", "it folds the choices that comparisons become"},
	{"simplify", "number", "blocks that nothing reaches have no place in the dominator tree"},
	{"number", "scalar", "equal addresses are one value then, and comparisons with NULL are gone"},
	{"number", "loads", "equal addresses are one value then"},
	{"number", "licm", "constant operands tell what is cheap and what cannot fail"},
	{"scalar", "inline", "a body with stack cells is not copied"},
	{"scalar", "direct", "a cell that becomes variables needs no references"},
	{"direct", "inline", "what is called is known then"},
	{"direct", "loads", "accesses by numbers are not seen"},
	{"tails", "inline", "what is copied shall have its loops as loops"},
	{"inline", "share", "copies without a test are cheaper"},
	{"share", "fork", "it drops the tests of copies"},
	{"inline", "licm", "a call in a loop keeps most loads there"},
	{"licm", "choose", "a block less changes no loop"},
	{"licm", "bounds", "only then limits are outside"},
	{"choose", "bounds", "a choice without a branch makes a loop small"},
	{"bounds", "fill", "a loop without tests may only store"},
	{"bounds", "strength", "the fast loop is the one that counts"},
	{"bounds", "unroll", "it copies tests"},
	{"licm", "unroll", "it would move the same from each copy"},
	{"licm", "fill", "only then the loop has nothing in it but the store"},
	{"fill", "unroll", "a loop that is done at once is not unrolled"},
	{"licm", "strength", "only then what a loop does not change is outside"},
	{"fill", "strength", "a loop that is done at once has an index"},
	{"strength", "unroll", "what copies add up can be joined then"},
	{"choose", "unroll", "a choice without a branch makes a loop small"},
	{"inline", "local", "a body that calls something has no objects of its own"},
	{"scalar", "local", "an object that becomes variables needs no memory"},
	{"unroll", "balance", "what is shared by turns is no longer part of a chain"},
}

// checkOrder reports the first mistake in the tables.
func checkOrder(table []pass, constraints []constraint) error {
	first := map[string]int{}
	st := alone
	for i, p := range table {
		if _, ok := first[p.name]; !ok {
			first[p.name] = i
		}
		if p.stage < st {
			return fmt.Errorf("pass %s of an earlier stage follows a later stage", p.name)
		}
		st = p.stage
	}
	for _, c := range constraints {
		b, ok := first[c.before]
		a, ok2 := first[c.after]
		if !ok || !ok2 {
			return fmt.Errorf("constraint %s before %s names a pass that is not in the table", c.before, c.after)
		}
		if b > a {
			return fmt.Errorf("pass %s must run before %s: %s", c.before, c.after, c.why)
		}
	}
	return nil
}

func init() {
	if err := checkOrder(table, constraints); err != nil {
		panic("internal error: passes: " + err.Error())
	}
}
