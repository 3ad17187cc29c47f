package ir

import (
	"slices"
	"strconv"
	"strings"
)

// SiteName is the name of an instruction in messages: its global name, or else the name of its block
// and its index there, from 0. For a trap without a name it is the name that the default trap handler
// shows.
func (v *Version) SiteName(id InstID) string {
	in := &v.Insts[id]
	switch {
	case in.Placed:
		return in.Name
	case in.Name != "":
		return v.InstName(id)
	case in.Op.Info().Class == ClassTrap:
		return v.trapName(v.number(id))
	}
	return siteName(v.BlockName(in.Block), slices.Index(v.Blocks[in.Block].Insts, id))
}

// TrapName is the name of an instruction that the default trap handler shows, one word: its global name without the
// mark, or else its function and its number there, from 1.
func (v *Version) TrapName(id InstID) string {
	name := v.Insts[id].Name
	switch {
	case name == "":
		name = v.trapName(v.number(id))
	case !v.Insts[id].Placed:
		name = v.InstName(id)
	}
	return oneWord(name)
}

// siteName is the name of an instruction without one, by the name of its block and its index there.
func siteName(block string, index int) string {
	var b strings.Builder
	writeSite(&b, block, index)
	return b.String()
}

// writeSite appends siteName.
func writeSite(b *strings.Builder, block string, index int) {
	if IsDescription(block) {
		b.WriteString(nth(index + 1))
		b.WriteString(" of ")
		b.WriteString(block)
		return
	}
	b.WriteString(block)
	b.WriteByte('+')
	b.WriteString(strconv.Itoa(index))
}

// nth describes an instruction by its number, from 1.
func nth(number int) string { return "instruction " + strconv.Itoa(number) }

func (v *Version) trapName(number int) string {
	if name := v.Func.Root().Name; IsDescription(name) {
		return FullName(name, nth(number))
	}
	return v.Func.Called() + "+" + strconv.Itoa(number)
}

// number is the number of an instruction in its version, counted from 1 in the order of blocks.
func (v *Version) number(id InstID) int {
	n := 1
	for b := range v.Blocks {
		if v.Blocks[b].Dead {
			continue
		}
		if i := slices.Index(v.Blocks[b].Insts, id); i >= 0 {
			return n + i
		}
		n += len(v.Blocks[b].Insts)
	}
	return n
}

// NameSites names every unnamed instruction that a message may show: by its block and
// its index there, or for a trap, by its function and its number (Inst.Placed). It
// returns the number of instructions that it has named. Passes can then move the
// instructions anywhere, even into other functions.
func (v *Version) NameSites() int {
	n, number := 0, 0
	for b := range v.Blocks {
		if v.Blocks[b].Dead {
			continue
		}
		block, names := "", strings.Builder{}
		for i, id := range v.Blocks[b].Insts {
			in := &v.Insts[id]
			at := number
			number++
			observable := in.Op.Any(MayFail | MayThrow | SideEffect)
			switch {
			case in.Placed:
				continue
			case in.Name != "":
				if IsLocal(in.Name) && observable {
					in.Name = v.InstName(id)
				}
				continue
			case !observable:
				continue
			case in.Op.Info().Class == ClassTrap: // printed by the default trap handler
				in.Name = v.trapName(at + 1)
			default:
				if block == "" { // one piece of memory has the names of all that follow
					rest := v.Blocks[b].Insts[i:]
					block = v.BlockName(BlockID(b))
					names.Grow(v.unnamedSites(rest) * len(siteName(block, i+len(rest))))
				}
				start := names.Len()
				writeSite(&names, block, i)
				in.Name = names.String()[start:]
			}
			in.Placed = true
			n++
		}
	}
	return n
}

// unnamedSites counts the instructions in a list that NameSites names by block and place.
func (v *Version) unnamedSites(list []InstID) (n int) {
	for _, id := range list {
		if in := &v.Insts[id]; in.Name == "" && in.Op.Any(MayFail|MayThrow|SideEffect) && in.Op.Info().Class != ClassTrap {
			n++
		}
	}
	return n
}
