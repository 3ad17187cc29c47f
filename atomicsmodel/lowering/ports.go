package lowering

import (
	"fmt"
	"strings"
)

// A Port is how operations of Mu are done on a machine.
type Port struct {
	Name string // GOARCH, and what tells it from others of the machine
	// Rows say what an operation of some orders consists of. The accesses and barriers are separated by spaces:
	//
	//	R, W         a plain read or write
	//	RW           an instruction that reads and writes
	//	LL, SC       a read with reservation, and the write that depends on it
	//	R0, W0, RW0  accesses to a local variable
	//	others       barriers; ISYNC follows a branch that depends on the read before it
	//
	// ".aq" and ".rl" mark accesses as acquire and release. A compare-exchange that fails has no SC, or only the read of RW.
	Rows []Row
	// Returns says that a compare-exchange returns the value that it has found. Package rtlib/atomics loads it again.
	Returns bool

	allows model
	rows   map[string]string
}

// A Row is one or more operations, such as "ld.acq" and "st.sc", with their sequence.
type Row struct{ Ops, Sequence string }

// The operations. Read-modify-writes are xchg and add, which stand for all others: what a machine has no instruction for is a
// loop with cas.
const (
	loads   = "ld.rlx ld.con ld.acq ld.sc"
	stores  = "st.rlx st.rel st.sc"
	weak    = "fence.acq fence.rel fence.ar"
	xchgs   = "xchg.rlx xchg.con xchg.acq xchg.rel xchg.ar xchg.sc"
	adds    = "add.rlx add.con add.acq add.rel add.ar add.sc"
	cases   = "cas.rlx cas.con cas.acq cas.rel cas.ar cas.sc"
	updates = xchgs + " " + adds + " " + cases
)

// full is the fence before each read-modify-write on ppc64. sync/atomic has LWSYNC there, which lets a read of another thread
// miss an earlier store although it sees the read-modify-write (R with a SEQ_CST XCHG).
const full = "SYNC W0 SYNC R0 ISYNC "

// Ports are the ports of the runtime to machines with a published model.
var Ports = []*Port{
	// Package rtlib/atomics has a file of its own for amd64: weak stores are MOV.
	port("amd64", tso,
		Row{loads, "R"}, Row{"st.rlx st.rel", "W"}, Row{"st.sc", "RW"}, Row{updates, "RW"}, Row{weak, ""}, Row{"fence.sc", "RW0"}),
	port("386", tso,
		Row{loads, "R"}, Row{stores, "RW"}, Row{updates, "RW"}, Row{weak + " fence.sc", "RW0 R0"}),
	port("arm64", armv8,
		Row{loads, "R.aq"}, Row{stores, "W.rl"}, Row{updates, "RW.aq.rl"}, Row{weak + " fence.sc", "W0.rl R0.aq"}),
	port("arm64 before ARMv8.1", armv8,
		Row{loads, "R.aq"}, Row{stores, "W.rl"}, Row{updates, "LL.aq SC.rl"}, Row{weak + " fence.sc", "W0.rl R0.aq"}),
	port("riscv64", rvwmo,
		Row{loads, "LL.aq"}, Row{stores, "RW.aq.rl"}, Row{xchgs + " " + adds, "RW.aq.rl"}, Row{cases, "LL.aq SC.rl"},
		Row{weak + " fence.sc", "RW0.aq.rl LL0.aq"}),
	port("ppc64le", power,
		Row{loads, "SYNC R ISYNC"}, Row{stores, "SYNC W"}, Row{xchgs, full + "LWSYNC LL SC ISYNC"},
		Row{adds + " " + cases, full + "LWSYNC LL SC LWSYNC"}, Row{weak + " fence.sc", "SYNC W0 SYNC R0 ISYNC"}),
	port("s390x", tso,
		Row{loads, "R"}, Row{stores, "W SYNC"}, Row{xchgs, "R RW"}, Row{adds + " " + cases, "RW"}, Row{weak + " fence.sc", "W0 SYNC R0"}),
}

// dmb is the fence of rtlib/atomics on arm and mips, whose barriers stand here as SYNC.
const dmb = "SYNC W0 SYNC R0 SYNC "

// Judged are ports to machines whose makers describe their memory in words. Those of arm and mips are judged by the axioms of
// POWER, which allow more than the descriptions: that threads see stores in different orders, and that a load is late. DMB ISHST,
// which orders stores, counts as nothing. On LoongArch all threads see a store at once; it is judged by the axioms of RISC-V, where the
// hints of DBAR have counterparts, and the instructions AM.DB have barriers on both sides.
var Judged = []*Port{
	port("arm", power,
		Row{loads, "R SYNC"}, Row{stores, "SYNC W SYNC"}, Row{updates, dmb + "LL SC SYNC"}, Row{weak + " fence.sc", strings.TrimSpace(dmb)}),
	port("arm, 64 bits", power,
		Row{loads, "LL SYNC"}, Row{stores, dmb + "RW SYNC"}, Row{updates, dmb + "LL SC SYNC"}, Row{weak + " fence.sc", strings.TrimSpace(dmb)}),
	port("loong64", rvwmo,
		Row{loads, "R FENCE.R.RW"}, Row{stores, "FENCE.RW.W W FENCE.W.RW"}, Row{updates, "FENCE RW FENCE"},
		Row{weak + " fence.sc", "FENCE.RW.W W0 FENCE.W.RW R0 FENCE.R.RW"}),
	port("mips", power, // and mipsle, mips64, mips64le
		Row{loads, "SYNC R SYNC"}, Row{stores, "SYNC W SYNC"}, Row{updates, "SYNC LL SC SYNC"}, Row{weak + " fence.sc", strings.TrimSpace(dmb)}),
}

// Natives are the same machines with code of C compilers, which programs may link.
var Natives = map[string]*Port{
	"amd64": native("amd64", tso,
		Row{loads, "R"}, Row{"st.rlx st.rel", "W"}, Row{"st.sc", "RW"}, Row{updates, "RW"}, Row{weak, ""}, Row{"fence.sc", "RW0"}),
	"arm64": native("arm64", armv8,
		Row{"ld.rlx", "R"}, Row{"ld.con ld.acq ld.sc", "R.aq"}, Row{"st.rlx", "W"}, Row{"st.rel st.sc", "W.rl"},
		Row{of("xchg add cas", "rlx"), "LL SC"}, Row{of("xchg add cas", "con acq"), "LL.aq SC"}, Row{of("xchg add cas", "rel"), "LL SC.rl"},
		Row{of("xchg add cas", "ar sc"), "LL.aq SC.rl"}, Row{"fence.acq", "DMB.LD"}, Row{"fence.rel fence.ar fence.sc", "DMB"}),
	"riscv64": native("riscv64", rvwmo,
		Row{"ld.rlx", "R"}, Row{"ld.con ld.acq", "R FENCE.R.RW"}, Row{"ld.sc", "FENCE R FENCE.R.RW"},
		Row{"st.rlx", "W"}, Row{"st.rel st.sc", "FENCE.RW.W W"},
		Row{of("xchg add", "rlx"), "RW"}, Row{of("xchg add", "con acq"), "RW.aq"}, Row{of("xchg add", "rel"), "RW.rl"},
		Row{of("xchg add", "ar sc"), "RW.aq.rl"}, Row{"cas.rlx", "LL SC"}, Row{"cas.con cas.acq", "LL.aq SC"}, Row{"cas.rel", "LL SC.rl"},
		Row{"cas.ar", "LL.aq SC.rl"}, Row{"cas.sc", "LL.aq.rl SC.rl"}, Row{"fence.acq", "FENCE.R.RW"}, Row{"fence.rel", "FENCE.RW.W"},
		Row{"fence.ar", "FENCE.TSO"}, Row{"fence.sc", "FENCE"}),
	"ppc64le": native("ppc64le", power,
		Row{"ld.rlx", "R"}, Row{"ld.con ld.acq", "R ISYNC"}, Row{"ld.sc", "SYNC R ISYNC"},
		Row{"st.rlx", "W"}, Row{"st.rel", "LWSYNC W"}, Row{"st.sc", "SYNC W"},
		Row{of("xchg add cas", "rlx"), "LL SC"}, Row{of("xchg add cas", "con acq"), "LL SC ISYNC"}, Row{of("xchg add cas", "rel"), "LWSYNC LL SC"},
		Row{of("xchg add cas", "ar"), "LWSYNC LL SC ISYNC"}, Row{of("xchg add cas", "sc"), "SYNC LL SC ISYNC"},
		Row{weak, "LWSYNC"}, Row{"fence.sc", "SYNC"}),
	"s390x": native("s390x", tso,
		Row{loads, "R"}, Row{"st.rlx st.rel", "W"}, Row{"st.sc", "W SYNC"}, Row{updates, "RW"}, Row{weak, ""}, Row{"fence.sc", "SYNC"}),
}

// of combines operations and orders.
func of(ops, orders string) string {
	var list []string
	for op := range strings.FieldsSeq(ops) {
		for o := range strings.FieldsSeq(orders) {
			list = append(list, op+"."+o)
		}
	}
	return strings.Join(list, " ")
}

func native(name string, m model, rows ...Row) *Port {
	p := port(name+" C", m, rows...)
	p.Returns = true
	return p
}

func port(name string, m model, rows ...Row) *Port {
	p := &Port{Name: name, allows: m, rows: map[string]string{}}
	p.Rows = append([]Row{{"ld.na", "R"}, {"st.na", "W"}}, rows...)
	for _, r := range p.Rows {
		for op := range strings.FieldsSeq(r.Ops) {
			if _, twice := p.rows[op]; twice {
				panic(fmt.Sprintf("%s: two rows for %s", p.Name, op))
			}
			p.rows[op] = r.Sequence
		}
	}
	return p
}
