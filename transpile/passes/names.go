package passes

import (
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// nameSites gives every unnamed instruction whose name a message may show the
// name that it would be shown by, as a global name: its block and its place
// there, or for a trap, its function and its number.
//
// Needs: a body as read. Changes: Inst.Name. Leaves: names that other passes
// may carry anywhere, into other functions too.
func nameSites(u *unit) int {
	v := u.v
	n, number := 0, 0
	for b := range v.Blocks {
		if v.Blocks[b].Dead {
			continue
		}
		block := ""
		for i, id := range v.Blocks[b].Insts {
			in := &v.Insts[id]
			at := number
			number++
			switch {
			case in.Name != "":
				if strings.HasPrefix(in.Name, "%") && observable(in) {
					in.Name = v.InstName(id)
				}
				continue
			case !observable(in):
				continue
			case traps(in.Op):
				in.Name = v.Func.Root().Name + "+" + strconv.Itoa(at+1)
			default:
				if block == "" {
					block = v.BlockName(ir.BlockID(b))
				}
				in.Name = block + "+" + strconv.Itoa(i)
			}
			n++
		}
	}
	return n
}

// traps reports whether the default trap handler prints the operation's name.
func traps(op ir.Op) bool { return op.Info().Class == ir.ClassTrap }

// observable reports whether a message can name the instruction.
func observable(in *ir.Inst) bool {
	return in.Op.Any(ir.MayFail | ir.MayThrow | ir.SideEffect)
}
