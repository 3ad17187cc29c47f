package passes

// about says in a line what each pass does, for lists of the passes.
var about = map[string]string{
	"names":    "writes out the names of unnamed instructions, by which messages call them, before their places change",
	"natives":  "replaces calls of the functions for arithmetic on floats by operations",
	"simplify": "simplifies the control flow: known branches, unreachable blocks, parameters that are always the same, chains of blocks",
	"number":   "finds equal values, folds constants, uses what branches tell, drops checks that cannot fail",
	"scalar":   "turns stack cells and objects that never leave a body into variables",
	"direct":   "replaces loads from constant tables by their content, and known addresses by what lies there",
	"dce":      "removes values that nothing reads",
	"tails":    "turns tail calls into jumps",
	"inline":   "copies bodies into their callers",
	"share":    "copies, behind a test, bodies that may be replaced; and bodies whose frames can be inspected",
	"loads":    "removes loads whose value is known",
	"licm":     "moves instructions out of loops that do not change them",
	"choose":   "turns a branch between two values into a SELECT",
	"fork":     "gives a body whose copies are behind tests a copy of its own without tests",
	"bounds":   "gives a loop that tests indices a copy for the iterations in which they are in range",
	"fill":     "replaces a loop that only stores zeros by one MEMFILL",
	"strength": "replaces products and addresses of elements in loops by variables that are added to",
	"unroll":   "copies small loops",
	"balance":  "reorders sums so that what is known early is added first",
	"local":    "puts objects that only one function sees into its frame",
}

// About says in a line what a pass does.
func About(name string) string { return about[name] }

// A Need is a pass that usually comes before another, and what it does for that one.
type Need struct{ Pass, Why string }

// Needs lists the passes that the usual order has before a pass for a reason.
func Needs(name string) []Need {
	var list []Need
	for _, c := range constraints {
		if c.after == name {
			list = append(list, Need{c.before, c.why})
		}
	}
	return list
}
