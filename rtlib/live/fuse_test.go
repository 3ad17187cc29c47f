package live

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

// trial is code of two instructions, with the frame and the memory that it works on.
type trial struct {
	frame  [12]uint64
	memory [8]uint64
	code   []ins
	site   site
}

// newTrial makes a trial of a pair, with random operands.
func newTrial(r *rand.Rand, p pair) *trial {
	x := &trial{site: site{cell: &cell{}, table: []int{0, insSize}}}
	if r.IntN(2) == 0 {
		for i := range x.memory {
			x.memory[i] = r.Uint64() >> r.Uint64N(64)
		}
	}
	for i := range x.frame[:len(x.frame)-2] { // the last words stay 0: the link of a frame that no other is below
		switch r.IntN(4) {
		case 0:
			x.frame[i] = r.Uint64()
		case 1:
			x.frame[i] = 1 + r.Uint64N(3) // an index, or an address that is as bad as NULL
		case 2:
			x.frame[i] = uint64(uintptr(unsafe.Pointer(&x.memory)))
		}
	}
	x.code = []ins{x.ins(r, p.first), x.ins(r, p.second), {op: opNote}, {op: opNote}, {op: opNote}}
	switch p.link {
	case 'b':
		x.code[1].b = x.code[0].a
	case 'c':
		x.code[1].c = x.code[0].a
	}
	return x
}

// ins makes an instruction.
func (x *trial) ins(r *rand.Rand, o op) ins {
	word := func() uint16 { return uint16(r.IntN(len(x.frame) - 2)) }
	in := ins{o, word(), word(), word(), uint64(r.IntN(3)) * 8}
	form := func(l map[uint32]located) {
		for _, f := range l {
			switch o {
			case f.indexed:
				in.imm = address{offset: 8, scale: 8}.packed()
			case f.cell:
				in.imm = uint64(uintptr(unsafe.Pointer(&x.memory)))
			}
		}
	}
	form(loads)
	form(stores)
	switch o {
	case opLoop, opJmp:
		in.imm = uint64(r.IntN(2) * insSize)
	case opCall, opCallX, opSwitch:
		in.imm = uint64(uintptr(unsafe.Pointer(&x.site)))
	case opRet, opRet1, opRetR:
		in.b = uint16(len(x.frame) - 2)
	}
	if name := opNames[o]; name[0] == 'J' {
		if in.imm = uint64(r.IntN(2) * insSize); name[len(name)-1] == 'I' {
			in.a, in.c = 0, uint16(r.IntN(2))
		}
	}
	return in
}

// ready reports whether instruction i can run on the words of the frame: whether an access is one to the
// memory of the trial, or a fault.
func (x *trial) ready(i int) bool {
	in := x.code[i]
	at, access := uintptr(0), false
	for _, l := range []map[uint32]located{loads, stores} {
		for _, f := range l {
			base := root(unsafe.Pointer(&x.frame), in.b)
			switch in.op {
			case f.plain:
				at, access = base+uintptr(in.imm), true
			case f.indexed:
				at, access = base+8+uintptr(x.frame[in.c])*8, true
			}
		}
	}
	first := uintptr(unsafe.Pointer(&x.memory))
	switch {
	case access:
		return at < core.NullZone || at >= first && at <= first+unsafe.Sizeof(x.memory)-8
	case in.op == opCallX:
		return x.frame[in.b] == 0
	case in.op == opURem:
		return x.frame[in.c] != 0
	}
	return true
}

// run runs the code from instruction i, and returns where it stops.
func (x *trial) run(i int) int {
	_, pc := fast(&core.Ctx{}, unsafe.Pointer(&x.frame), unsafe.Pointer(&x.code[i]))
	return int(uintptr(pc)-uintptr(unsafe.Pointer(&x.code[0]))) / insSize
}

// TestPairs runs the instructions of each pair one after the other, and as a pair: they leave the same frame and memory
// and stop at the same instruction, also after a jump, a fault or what the loop around has to do.
func TestPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, p := range pairs {
		ran := 0
		for range 300 {
			x := newTrial(r, p)
			if !x.ready(0) {
				continue
			}
			frame, memory, both := x.frame, x.memory, x.code[1]
			x.code[1] = ins{op: opNote}
			at := x.run(0)
			if x.code[1] = both; at == 1 && !x.ready(1) {
				continue
			}
			if at == 1 {
				at = x.run(1)
			}
			wantFrame, wantMemory := x.frame, x.memory
			x.frame, x.memory, x.code[0].op = frame, memory, p.both
			if got := x.run(0); got != at || x.frame != wantFrame || x.memory != wantMemory {
				t.Errorf("%s (link %q): stops at %d with %x, %x; want %d, %x, %x\n%+v", opNames[p.both], p.link, got, x.frame, x.memory, at, wantFrame, wantMemory, x.code[:2])
				break
			}
			ran++
		}
		if ran < 10 {
			t.Errorf("%s (link %q): only %d trials", opNames[p.both], p.link, ran)
		}
	}
}

// TestFuse makes pairs of instructions, and takes one apart.
func TestFuse(t *testing.T) {
	l := []ins{{op: opLoadR, a: 5, b: 1}, {op: opLoad64, a: 6, b: 5}, {op: opAddI, a: 6, b: 7}, {op: opLoop}, {op: opRet}}
	new(room).fuse(l)
	got := func() (names []string) {
		for _, in := range l {
			names = append(names, opNames[in.op])
		}
		return names
	}
	if want := []string{"LoadR+Load64", "Load64", "AddI+Loop", "Loop", "Ret"}; !slices.Equal(got(), want) || l[0].op != opLoadRLoad64_b {
		t.Errorf("got %q, want %q", got(), want)
	}
	unfuse(l, 3)
	if want := []string{"LoadR+Load64", "Load64", "AddI", "Loop", "Ret"}; !slices.Equal(got(), want) {
		t.Errorf("apart: got %q, want %q", got(), want)
	}
}
