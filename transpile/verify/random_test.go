package verify_test

import (
	"io"
	"math/rand"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/dump"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// damage changes a few numbers of a version at random.
func damage(r *rand.Rand, v *ir.Version) {
	wild := func() int32 {
		switch r.Intn(4) {
		case 0:
			return r.Int31() - 1<<30
		case 1:
			return 0
		}
		return int32(r.Intn(40))
	}
	list := func(l []ir.ValueID) {
		if len(l) > 0 {
			l[r.Intn(len(l))] = ir.ValueID(wild())
		}
	}
	for range 1 + r.Intn(4) {
		in := &v.Insts[r.Intn(len(v.Insts))]
		b := &v.Blocks[r.Intn(len(v.Blocks))]
		x := &v.Values[r.Intn(len(v.Values))]
		switch r.Intn(18) {
		case 0:
			in.Op = ir.Op(wild())
		case 1:
			in.Ty = ir.TypeID(wild())
		case 2:
			in.Ty2 = ir.TypeID(wild())
		case 3:
			in.Sig = ir.TypeID(wild())
		case 4:
			in.Flags = ir.InstFlags(wild())
		case 5:
			list(in.Args)
		case 6:
			list(in.Results)
		case 7:
			in.Args = append(in.Args, ir.ValueID(wild()))
		case 8:
			in.Types = append(in.Types, ir.TypeID(wild()))
		case 9:
			if len(in.Dests) > 0 {
				in.Dests[r.Intn(len(in.Dests))].Block = ir.BlockID(wild())
			}
		case 10:
			if len(in.Dests) > 0 {
				list(in.Dests[r.Intn(len(in.Dests))].Args)
				in.Dests = in.Dests[1:]
			}
		case 11:
			b.Insts = append([]ir.InstID{ir.InstID(wild())}, b.Insts...)
		case 12:
			b.Insts = b.Insts[:r.Intn(len(b.Insts)+1)]
		case 13:
			list(b.Params)
			b.Exc = ir.ValueID(wild())
		case 14:
			x.Kind, x.Def = ir.ValueKind(wild()), wild()
		case 15:
			x.Type, x.Index = ir.TypeID(wild()), wild()
		case 16:
			b.Dead = true
			in.Imm, in.Ord = uint64(wild()), ir.Order(wild())
		case 17:
			v.Blocks = v.Blocks[:1+r.Intn(len(v.Blocks))]
			in.HasKeep, in.Keep = true, append(in.Keep, ir.ValueID(wild()))
		}
	}
}

// However broken a version is, the verifier reports faults without panicking, and the version can be printed.
func TestDamaged(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	silent := 0
	const rounds = 2000
	for range rounds {
		m := newMutant(t, good)
		v := m.p.Funcs[r.Intn(2)].Versions[0]
		damage(r, v)
		ir.PrintVersion(io.Discard, m.p, v)
		dump.Dump(io.Discard, m.p, dump.Options{Form: dump.SVG})
		if len(verify.Program(m.p)) == 0 {
			silent++
		}
	}
	if silent > rounds/10 {
		t.Errorf("nothing found in %d of %d", silent, rounds)
	}
}
