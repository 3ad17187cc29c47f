// Package osr makes functions that begin at the head of a loop of another one, for on-stack
// replacement: a body that has run elsewhere for a while, in the engine for live code, continues in
// compiled code by a tail call of such a function, with the values that are alive at the head as
// arguments.
//
// It knows nothing of the engine, nor of compiled code: it copies a body, gives it another entry,
// and repairs SSA form. The copy has the name, the IDs and the positions of the original, so that
// other code cannot tell which of them runs.
package osr

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// An Entry says where a function is to begin. All numbers stay the same when a program is printed
// and read again.
type Entry struct {
	Func int // in Program.Funcs
	Head int // in Blocks of the current version
	// Params are the values that become the parameters, in that order, in Values of the version.
	Params []int
	// Again are values that the new entry computes again with the instructions that define them; their
	// operands are constants, Params, or come earlier in the list.
	Again []int
}

// Blocks are the blocks of a version that are not dead.
func Blocks(v *ir.Version) (list []ir.BlockID) {
	for b := range v.Blocks {
		if !v.Blocks[b].Dead {
			list = append(list, ir.BlockID(b))
		}
	}
	return list
}

// Values are the values of a version that are defined in those blocks, in the order of the text.
func Values(v *ir.Version) (list []ir.ValueID) {
	for _, b := range Blocks(v) {
		list = append(list, v.Blocks[b].Params...)
		if exc := v.Blocks[b].Exc; exc != 0 {
			list = append(list, exc)
		}
		for _, id := range v.Blocks[b].Insts {
			list = append(list, v.Insts[id].Results...)
		}
	}
	return list
}

// word begins the line of an entry.
const word = "loop "

// Append writes entries, a line each.
func Append(b *strings.Builder, entries []Entry) {
	for _, e := range entries {
		fmt.Fprintf(b, "%s%d %d", word, e.Func, e.Head)
		for _, list := range [][]int{e.Params, e.Again} {
			b.WriteByte(' ')
			for i, n := range list {
				if i > 0 {
					b.WriteByte(',')
				}
				b.WriteString(strconv.Itoa(n))
			}
			b.WriteByte(';')
		}
		b.WriteByte('\n')
	}
}

// Cut reads the entries that a text begins with. It returns the rest.
func Cut(text string) (entries []Entry, rest string, err error) {
	for strings.HasPrefix(text, word) {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		fields := strings.Fields(line[len(word):])
		if len(fields) != 4 {
			return nil, "", fmt.Errorf("a loop has 4 parts: %q", line)
		}
		var e Entry
		if e.Func, err = strconv.Atoi(fields[0]); err == nil {
			e.Head, err = strconv.Atoi(fields[1])
		}
		for i, to := range []*[]int{&e.Params, &e.Again} {
			list := strings.TrimSuffix(fields[2+i], ";")
			for s := range strings.SplitSeq(list, ",") {
				if err != nil || list == "" {
					break
				}
				var n int
				n, err = strconv.Atoi(s)
				*to = append(*to, n)
			}
		}
		if err != nil {
			return nil, "", fmt.Errorf("%q: %v", line, err)
		}
		entries = append(entries, e)
	}
	return entries, text, nil
}

// Add adds a function for each entry to the end of a program's functions, in their order.
func Add(p *ir.Program, entries []Entry) error {
	if len(entries) == 0 {
		return nil
	}
	names := map[string]bool{}
	for _, f := range p.Funcs {
		names[f.Name] = true
	}
	n := len(p.Funcs) // the others are new
	for _, e := range entries {
		if e.Func < 0 || e.Func >= n || p.Funcs[e.Func].Current() == nil {
			return fmt.Errorf("loop %v: there is no such function with a body", e)
		}
		f := p.Funcs[e.Func]
		m := &maker{p: p, f: f, from: f.Current()}
		made, err := m.make(e)
		if err != nil {
			return fmt.Errorf("loop %v of %s: %v", e, f.Name, err)
		}
		for i := e.Head; made.Name == "" || names[made.Name]; i++ {
			made.Name = f.Name + ".loop" + strconv.Itoa(i)
		}
		names[made.Name] = true
		p.Funcs = append(p.Funcs, made)
	}
	return nil
}

// at picks the elements of a list with numbers.
func at[T any](list []T, numbers []int) ([]T, error) {
	out := make([]T, len(numbers))
	for i, n := range numbers {
		if n < 0 || n >= len(list) {
			return nil, fmt.Errorf("number %d of %d", n, len(list))
		}
		out[i] = list[n]
	}
	return out, nil
}

// home is the block that a value is defined in.
func home(v *ir.Version, x ir.ValueID) ir.BlockID {
	if n := &v.Values[x]; n.Kind == ir.ValueResult {
		return v.Insts[n.Def].Block
	}
	return ir.BlockID(v.Values[x].Def)
}

// Alive lists the values that are used in blocks that control can get to from a head, and defined
// before it on every path, as dominates tells for blocks. The parameters of the head come first. again
// has those that are defined anew on the way back to the head, and need not be alive at it.
func Alive(v *ir.Version, head ir.BlockID, dominates func(a, b ir.BlockID) bool) (list []ir.ValueID, again map[ir.ValueID]bool) {
	used := map[ir.ValueID]bool{}
	use := func(list []ir.ValueID) {
		for _, x := range list {
			if v.Values[x].Kind != ir.ValueConst {
				used[x] = true
			}
		}
	}
	inside := analysis.Reach(v, head)
	for b, in := range inside {
		if !in {
			continue
		}
		for _, id := range v.Blocks[b].Insts {
			in := &v.Insts[id]
			use(in.Args)
			use(in.Keep)
			for k := range in.Dests {
				use(in.Dests[k].Args)
			}
		}
	}
	again = map[ir.ValueID]bool{}
	var rest []ir.ValueID
	for x := range used {
		if b := home(v, x); b != head && dominates(b, head) {
			rest = append(rest, x)
			again[x] = inside[b]
		}
	}
	slices.SortFunc(rest, func(a, b ir.ValueID) int { return cmp.Compare(a, b) })
	return slices.Concat(v.Blocks[head].Params, rest), again
}
