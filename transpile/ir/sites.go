package ir

import (
	"strconv"
	"strings"
)

// NameSites gives every unnamed instruction whose name a message may show the
// name that it would be shown by, as a global name: its block and its place
// there, or for a trap, its function and its number. It gives the number of
// instructions that it has named. The instructions can then go anywhere, into
// other functions too.
func (v *Version) NameSites() int {
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
			observable := in.Op.Any(MayFail | MayThrow | SideEffect)
			switch {
			case in.Name != "":
				if strings.HasPrefix(in.Name, "%") && observable {
					in.Name = v.InstName(id)
				}
				continue
			case !observable:
				continue
			case in.Op.Info().Class == ClassTrap: // printed by the default trap handler
				in.Name = v.Func.Root().Name + "+" + strconv.Itoa(at+1)
			default:
				if block == "" {
					block = v.BlockName(BlockID(b))
				}
				in.Name = block + "+" + strconv.Itoa(i)
			}
			n++
		}
	}
	return n
}
