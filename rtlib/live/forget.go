package live

import (
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/live/regs"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Roots of variables that are not used any more. They stay in their words until other variables get
// these. A collection clears them first, so that objects to which only they refer are freed as if the
// body were compiled.

// life is a root word of a value, while it is alive.
type life struct {
	word uint16
	regs.Interval
}

// lives lists the root words of the values.
func (c *compiler) lives() (l []life) {
	for x, first := range c.words.First[regs.Root] {
		if first < 0 {
			continue
		}
		for i := range c.sizeOf(ir.ValueID(x))[regs.Root] {
			l = append(l, life{uint16(1 + c.keep[regs.Root] + first + i), c.words.Live[x]})
		}
	}
	return l
}

// dead are the root words that hold nothing that is used after an instruction, or, with early, from
// it on.
//
//go:nocheckptr
func (k *code) dead(index int32, early bool) []uint16 {
	key := index << 1
	if early {
		key |= 1
	}
	k.deadMu.Lock()
	defer k.deadMu.Unlock()
	if l, ok := k.deadAt[key]; ok {
		return l
	}
	at := k.places[index].at
	alive := make([]bool, k.shape>>16+1)
	for _, x := range k.lives {
		if x.Start <= at && (x.End > at || early && x.End == at) {
			alive[x.word] = true
		}
	}
	if in := &k.ins[index]; early && (in.op == opCall || in.op == opCallX) { // constants are not in lives
		for _, w := range (*site)(unsafe.Add(nil, uintptr(in.imm))).rootArgs {
			alive[w] = true
		}
	}
	l := []uint16{}
	for w := k.firstRoot; int(w) < len(alive); w++ {
		if !alive[w] {
			l = append(l, w)
		}
	}
	if k.deadAt == nil {
		k.deadAt = map[int32][]uint16{}
	}
	k.deadAt[key] = l
	return l
}

// forget is gc.Forget.
//
//go:norace
//go:nocheckptr
func forget(t *core.Ctx) {
	for m := (*machine)(t.Live); m != nil; m = m.below {
		early := m.early
		for fp, pc := m.fp, m.pc; fp != nil; early = false {
			k, below, back := linkOf(fp)
			k.fn.in.use.seen.Store(core.Collections() + 1)
			for _, w := range k.dead(k.index(pc), early) {
				*(*uintptr)(unsafe.Add(fp, uintptr(w)*8)) = 0
			}
			fp, pc = below, back
		}
	}
}
