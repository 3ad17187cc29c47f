package lowering

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/atomicsmodel"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// within compares tests with the model, on a port or on several.
func within(t *testing.T, name string, ports assignment, test judged) bool {
	t.Helper()
	if test.allowed == nil {
		t.Fatalf("%v: undefined behaviour", test)
	}
	v, err := Within(test.Test, test.allowed, ports)
	if err != nil {
		t.Fatal(err)
	}
	if v != nil {
		t.Errorf("%s: %v\n%v", name, v, test.Test)
	}
	return v == nil
}

func all(p *Port) assignment { return func(int, int) *Port { return p } }

// TestPorts: no port allows more than the model. It does some of the suite, TestLongPorts more; all of it takes twenty minutes.
func TestPorts(t *testing.T) {
	comparePorts(t, Ports, 4, 500)
	comparePorts(t, Judged, 4, 1000)
}

func TestLongPorts(t *testing.T) {
	longtest.Only(t)
	comparePorts(t, Ports, 4, 3)
	comparePorts(t, Ports, 9, 60)
	comparePorts(t, Judged, 4, 30)
}

func comparePorts(t *testing.T, ports []*Port, most, step int) {
	n := 0
	want := func(plain bool) bool {
		n++
		if plain {
			return n%min(step, 7) == 0
		}
		return n%step == 0
	}
	suite(t, most, false, picker{want, func(test judged) {
		for _, p := range ports {
			if within(t, p.Name, all(p), test); t.Failed() {
				t.FailNow()
			}
		}
	}})
	t.Log("one in", step, "of", n, "tests on", len(ports), "ports")
}

// TestUpdates: what sync/atomic has before read-modify-writes and stores of 64 bits on arm lets a plain load be late.
func TestUpdates(t *testing.T) {
	for _, store := range []string{"st.rel y 1", "w = xchg.rel y 1", "w = add.rel y 1", "w = cas.rel.rlx y 0 1"} {
		test := judge(t, "litmus LB+plain\nP0: r0 = ld.na x; "+store+"\nP1: r1 = ld.acq y; st.na x 1 if r1=1\nask r0=1\n")
		for _, p := range Judged {
			within(t, p.Name, all(p), test)
			if !strings.HasPrefix(p.Name, "arm") || p.Name == "arm" && store == "st.rel y 1" {
				continue
			}
			rows := slices.Clone(p.Rows[2:])
			for i := range rows {
				if !strings.HasPrefix(rows[i].Ops, "fence") {
					rows[i].Sequence = strings.TrimPrefix(rows[i].Sequence, dmb)
				}
			}
			v, err := Within(test.Test, test.allowed, all(port(p.Name, p.allows, rows...)))
			if v == nil || err != nil {
				t.Errorf("%s: %s as in sync/atomic: %v, %v", p.Name, store, v, err)
			}
		}
	}
}

// TestLongNatives: nor does code of C compilers, alone and together with Go's in other threads, or in the same.
func TestLongNatives(t *testing.T) {
	longtest.Only(t)
	suite(t, 4, true, everyTest(func(test judged) {
		for _, p := range Ports {
			native := Natives[p.Name]
			if native == nil {
				continue
			}
			within(t, native.Name, all(native), test)
			for odd := range 2 {
				within(t, p.Name+", C in every other thread", func(thread, _ int) *Port {
					return []*Port{p, native}[(thread+odd)%2]
				}, test)
				if p.Name == "riscv64" && mixes(test) {
					continue // TestMixed
				}
				within(t, p.Name+", C in every other statement", func(_, stmt int) *Port {
					return []*Port{p, native}[(stmt+odd)%2]
				}, test)
			}
			if t.Failed() {
				t.FailNow()
			}
		}
	}))
}

// mixes reports whether a thread loads or compares after a SEQ_CST store.
func mixes(test judged) bool {
	for _, th := range test.Threads {
		stored := false
		for _, s := range th.Code {
			stored = stored || strings.HasPrefix(s.String(), "st.sc")
			if stored && (strings.Contains(s.String(), "= ld.") || strings.Contains(s.String(), "= cas.")) {
				return true
			}
		}
	}
	return false
}

// TestMixed: where C code for riscv64 stores and Mu code of the same thread loads, both SEQ_CST, the load may overtake the
// store: the one has a barrier only before it, the other none (docs/memory-model.md).
func TestMixed(t *testing.T) {
	test := judge(t, "litmus SB\nP0: st.sc x 1; r0 = ld.sc y\nP1: st.sc y 1; r1 = ld.sc x\nask r0=0 r1=0\n")
	ports := func(go_, c *Port) assignment {
		return func(_, stmt int) *Port { return []*Port{c, go_}[stmt] }
	}
	for _, p := range Ports {
		native := Natives[p.Name]
		if native == nil {
			continue
		}
		v, err := Within(test.Test, test.allowed, ports(p, native))
		if err != nil || (v != nil) != (p.Name == "riscv64") {
			t.Errorf("%s: %v, %v", p.Name, v, err)
		}
	}
}

// A mutant of a table lacks a part of a sequence.
type mutant struct {
	port *Port
	row  int
	what string
}

// mutants are the tables with one part of one sequence changed: a barrier dropped, a mark taken off, an instruction that reads and
// writes divided into two.
func mutants(p *Port) (list []mutant) {
	for i, row := range p.Rows {
		tokens := strings.Fields(row.Sequence)
		change := func(what, with string, at int) {
			changed := slices.Clone(tokens)
			changed[at] = with
			rows := slices.Clone(p.Rows[2:])
			rows[i-2].Sequence = strings.Join(changed, " ")
			m := port(p.Name, p.allows, rows...)
			m.Returns = p.Returns
			list = append(list, mutant{m, i, fmt.Sprintf("%s: %s without %s", strings.Fields(row.Ops)[0], row.Sequence, what)})
		}
		for at, token := range tokens {
			parts := strings.Split(token, ".")
			switch base := strings.TrimSuffix(parts[0], "0"); base {
			case "R", "W", "RW", "LL", "SC":
				for k := range parts[1:] {
					change(fmt.Sprintf("%s of %s", parts[k+1], token), strings.Join(slices.Delete(slices.Clone(parts), k+1, k+2), "."), at)
				}
				if strings.HasPrefix(parts[0], "RW") {
					local, marks := strings.TrimPrefix(parts[0], "RW"), token[len(parts[0]):]
					if strings.HasPrefix(row.Ops, "st.") || local != "" {
						change("its read", "W"+local+marks, at)
					}
				}
			default:
				what := token
				if n := strings.Count(" "+strings.Join(tokens[:at], " ")+" ", " "+token+" "); n > 0 {
					what = []string{"the second ", "the third ", "the fourth "}[n-1] + token
				}
				change(what, "", at)
			}
		}
	}
	return list
}

// among are the assignments that may show a mutant: everything is compiled with it, or only its fences, and the accesses by a C
// compiler, where RELAXED is plain.
func (m mutant) among(test judged) []assignment {
	list := []assignment{all(m.port)}
	if native := Natives[strings.Fields(m.port.Name)[0]]; native != nil && !m.port.Returns && strings.HasPrefix(m.what, "fence") {
		list = append(list, func(thread, stmt int) *Port {
			if test.Threads[thread].Code[stmt].Op == atomicsmodel.OpFence {
				return m.port
			}
			return native
		})
	}
	return list
}

// spare are mutants that no test tells from the table, with the reason.
var spare = map[string]string{
	"386 fence.acq: RW0 R0 without its read":          "all stores and updates are locked",
	"riscv64 st.rlx: RW.aq.rl without aq of RW.aq.rl": "all loads, stores and updates have .aq or .rl, and .rl orders those",
	"riscv64 st.rlx: RW.aq.rl without its read":       "the marks suffice",

	"arm, 64 bits st.rlx: " + dmb + "RW SYNC without its read": "the barriers suffice",
	"mips ld.rlx: SYNC R SYNC without SYNC":                    "stores have barriers on both sides",
	"mips st.rlx: SYNC W SYNC without the second SYNC":         "loads have barriers on both sides",

	"riscv64 fence.acq: RW0.aq.rl LL0.aq without aq of RW0.aq.rl":      "the load after it has .aq, too",
	"riscv64 fence.acq: RW0.aq.rl LL0.aq without its read":             "the marks suffice",
	"riscv64 fence.acq: RW0.aq.rl LL0.aq without aq of LL0.aq":         "the swap before it has .aq, too",
	"riscv64 C cas.sc: LL.aq.rl SC.rl without rl of SC.rl":             "the read has .rl, too",
	"ppc64le fence.acq: SYNC W0 SYNC R0 ISYNC without SYNC":            "there are two",
	"ppc64le fence.acq: SYNC W0 SYNC R0 ISYNC without the second SYNC": "there are two",
	"ppc64le fence.acq: SYNC W0 SYNC R0 ISYNC without ISYNC":           "it orders what SYNC orders",
}

func init() {
	for _, op := range []string{"arm xchg.rlx: " + dmb + "LL SC SYNC", "arm, 64 bits xchg.rlx: " + dmb + "LL SC SYNC", "arm, 64 bits st.rlx: " + dmb + "RW SYNC"} {
		for _, part := range []string{"SYNC", "the second SYNC", "the third SYNC"} {
			spare[op+" without "+part] = "there are three"
		}
	}
	for _, p := range []string{"arm", "arm, 64 bits", "mips"} {
		for _, part := range []string{"SYNC", "the second SYNC", "the third SYNC"} {
			spare[p+" fence.acq: "+strings.TrimSpace(dmb)+" without "+part] = "there are three"
		}
	}
	for _, part := range []string{"FENCE.RW.W", "FENCE.W.RW", "FENCE.R.RW"} {
		spare["loong64 fence.acq: FENCE.RW.W W0 FENCE.W.RW R0 FENCE.R.RW without "+part] = "all loads, stores and updates have barriers"
	}
	for _, op := range []string{"xchg.rlx: " + full + "LWSYNC LL SC ISYNC", "add.rlx: " + full + "LWSYNC LL SC LWSYNC"} {
		for part, reason := range map[string]string{"SYNC": "there are two", "the second SYNC": "there are two", "ISYNC": "it orders what SYNC orders",
			"LWSYNC": "SYNC is before it"} {
			spare["ppc64le "+op+" without "+part] = reason
		}
	}
}

// TestLongMutants: without any of its parts a table allows more than the model, but for those that are spare.
func TestLongMutants(t *testing.T) {
	longtest.Only(t)
	var tests []judged
	suite(t, 4, true, everyTest(func(test judged) { tests = append(tests, test) }))
	for _, p := range append(append(slices.Clone(Ports), Judged...), Natives["arm64"], Natives["riscv64"], Natives["ppc64le"], Natives["s390x"], Natives["amd64"]) {
		for _, m := range mutants(p) {
			caught := slices.ContainsFunc(tests, func(test judged) bool {
				if !uses(test, p.Rows[m.row].Ops) {
					return false
				}
				for _, ports := range m.among(test) {
					v, err := Within(test.Test, test.allowed, ports)
					if err != nil {
						t.Fatal(err)
					}
					if v != nil {
						return true
					}
				}
				return false
			})
			name := p.Name + " " + m.what
			if _, known := spare[name]; known == caught {
				t.Errorf("%s: caught %v", name, caught)
			}
		}
	}
}

// uses reports whether a test has one of some operations.
func uses(test judged, ops string) bool {
	for op := range strings.FieldsSeq(ops) {
		if strings.Contains(test.String(), op+" ") || strings.Contains(test.String(), op+".") || strings.Contains(test.String(), op+";") || strings.Contains(test.String(), op+"\n") {
			return true
		}
	}
	return false
}
