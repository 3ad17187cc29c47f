package live

import (
	"fmt"
	"strings"
)

// String lists the instructions.
func (k *code) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d words, %d roots, arguments at %d and %d\n", k.v.Name, k.frame/8, k.shape>>16, k.rootArgs/8, k.plainArgs/8)
	for i, x := range k.ins {
		name := ""
		if in := k.places[i].inst; in != 0 {
			name = k.v.Insts[in].Op.String()
		}
		fmt.Fprintf(&b, "%5d %-10s %5d %5d %5d %#18x  %s\n", i, opNames[x.op], x.a, x.b, x.c, x.imm, name)
	}
	return b.String()
}
