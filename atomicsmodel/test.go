package atomicsmodel

import (
	"fmt"
	"strconv"
	"strings"
)

// A Test is a litmus test that Parse has read.
type Test struct {
	Name    string
	Doc     string
	Init    []Binding // locations that do not start as 0
	Threads []Thread
	Ask     [][]Cond // the question: all of one list must hold
	Expect  []Expectation

	registers []string // in order of appearance
	locations []string // of accesses, in order of appearance, as users name them
}

// A Thread is an actor with its code.
type Thread struct {
	Name string
	Code []Stmt
}

// A Binding gives a location its initial value.
type Binding struct {
	Name  string
	Value int64
}

// A Cond compares a register or, in a question, the final value of a location
// with a number.
type Cond struct {
	Name  string
	Not   bool // != instead of =
	Value int64
}

func (c Cond) String() string {
	if c.Not {
		return fmt.Sprintf("%s!=%d", c.Name, c.Value)
	}
	return fmt.Sprintf("%s=%d", c.Name, c.Value)
}

func (c Cond) holds(v int64) bool { return (v == c.Value) != c.Not }

// An Expectation is the verdict that a test expects under some options.
type Expectation struct {
	Options Options
	Result  Result
	OrMore  bool // Always meets the expectation Sometimes, too
}

// Met reports whether a result is the expected one.
func (e Expectation) Met(r Result) bool {
	return r == e.Result || e.OrMore && e.Result == Sometimes && r == Always
}

// String returns the verdict as it is written in tests.
func (e Expectation) String() string {
	if e.OrMore {
		return "Possible"
	}
	return e.Result.String()
}

// An Op is the operation of a statement.
type Op uint8

// The operations, spelt as in the text of tests. OpAdd to OpXchg are the
// read-modify-write operations.
const (
	OpLoad Op = iota
	OpStore
	OpAdd
	OpSub
	OpAnd
	OpNand
	OpOr
	OpXor
	OpMax
	OpMin
	OpUmax
	OpUmin
	OpXchg
	OpCas
	OpCasWeak
	OpFence
	OpKill
	OpCreate
	OpWait
	OpWake
	OpRequeue
	OpTrap
	OpResume
	OpNewStack
	OpBind
	OpUnbind
	OpSwapStack
	OpEnable
	OpDisable
	OpWatchpoint
	OpWPBranch
	OpDefine
	OpCall
	OpPost
	OpAwait
)

// Whether an operation has a result register.
type need uint8

const (
	noResult need = iota
	mayResult
	mustResult
)

// An opRow describes the syntax of an operation.
type opRow struct {
	name string
	// args has one letter for each argument, in order: l location, v value,
	// r register, n number, t thread, s name of its own kind (stack, watchpoint,
	// function, event).
	args   string
	result need
	order  orders // 0: none
	fail   orders // second order
}

var opTable = [...]opRow{
	OpLoad:       {"ld", "l", mustResult, loadOrders, 0},
	OpStore:      {"st", "lv", noResult, storeOrders, 0},
	OpAdd:        {"add", "lv", mayResult, rmwOrders, 0},
	OpSub:        {"sub", "lv", mayResult, rmwOrders, 0},
	OpAnd:        {"and", "lv", mayResult, rmwOrders, 0},
	OpNand:       {"nand", "lv", mayResult, rmwOrders, 0},
	OpOr:         {"or", "lv", mayResult, rmwOrders, 0},
	OpXor:        {"xor", "lv", mayResult, rmwOrders, 0},
	OpMax:        {"max", "lv", mayResult, rmwOrders, 0},
	OpMin:        {"min", "lv", mayResult, rmwOrders, 0},
	OpUmax:       {"umax", "lv", mayResult, rmwOrders, 0},
	OpUmin:       {"umin", "lv", mayResult, rmwOrders, 0},
	OpXchg:       {"xchg", "lv", mayResult, rmwOrders, 0},
	OpCas:        {"cas", "lvv", mayResult, rmwOrders, failOrders},
	OpCasWeak:    {"casw", "lvv", mayResult, rmwOrders, failOrders},
	OpFence:      {"fence", "", noResult, fenceOrders, 0},
	OpKill:       {"kill", "r", mustResult, 0, 0},
	OpCreate:     {"create", "t", noResult, 0, 0},
	OpWait:       {"wait", "lv", mayResult, 0, 0},
	OpWake:       {"wake", "ln", noResult, 0, 0},
	OpRequeue:    {"requeue", "llvn", noResult, 0, 0},
	OpTrap:       {"trap", "", noResult, 0, 0},
	OpResume:     {"resume", "", noResult, 0, 0},
	OpNewStack:   {"newstack", "s", noResult, 0, 0},
	OpBind:       {"bind", "s", noResult, 0, 0},
	OpUnbind:     {"unbind", "s", noResult, 0, 0},
	OpSwapStack:  {"swapstack", "s", noResult, 0, 0},
	OpEnable:     {"enable", "s", noResult, 0, 0},
	OpDisable:    {"disable", "s", noResult, 0, 0},
	OpWatchpoint: {"watchpoint", "s", mustResult, 0, 0},
	OpWPBranch:   {"wpbranch", "s", mustResult, 0, 0},
	OpDefine:     {"define", "sn", noResult, 0, 0},
	OpCall:       {"call", "s", mustResult, 0, 0},
	OpPost:       {"post", "s", noResult, 0, 0},
	OpAwait:      {"await", "s", noResult, 0, 0},
}

func (o Op) String() string { return opTable[o].name }

// IsRMW reports whether the operation is ATOMICRMW.
func (o Op) IsRMW() bool { return o >= OpAdd && o <= OpXchg }

// apply returns the value that a read-modify-write operation stores.
func (o Op) apply(old, v int64) int64 {
	switch o {
	case OpAdd:
		return old + v
	case OpSub:
		return old - v
	case OpAnd:
		return old & v
	case OpNand:
		return ^(old & v)
	case OpOr:
		return old | v
	case OpXor:
		return old ^ v
	case OpMax:
		return max(old, v)
	case OpMin:
		return min(old, v)
	case OpUmax:
		return int64(max(uint64(old), uint64(v)))
	case OpUmin:
		return int64(min(uint64(old), uint64(v)))
	}
	return v
}

// A Stmt is one statement.
type Stmt struct {
	Op    Op
	Reg   string // result, or ""
	Flag  string // second result of cas, or ""
	Order Order
	Fail  Order     // second order of cas
	Names []string  // locations, or the one name of another kind
	Args  []Operand // values and numbers, in order
	Dep   []string  // registers on which it depends without using their value
	If    []Cond    // on registers
	Line  int
}

// An Operand is a number or, if Reg is not empty, a register.
type Operand struct {
	Reg string
	N   int64
}

func (o Operand) String() string {
	if o.Reg != "" {
		return o.Reg
	}
	return strconv.FormatInt(o.N, 10)
}

// results are the registers that the statement assigns.
func (s *Stmt) results() []string {
	switch {
	case s.Reg == "":
		return nil
	case s.Flag == "":
		return []string{s.Reg}
	}
	return []string{s.Reg, s.Flag}
}

// String returns the statement as it is written in tests.
func (s *Stmt) String() string {
	var b strings.Builder
	if r := s.results(); len(r) > 0 {
		b.WriteString(strings.Join(r, ", ") + " = ")
	}
	row := opTable[s.Op]
	b.WriteString(row.name)
	if row.order != 0 {
		b.WriteString("." + s.Order.String())
	}
	if row.fail != 0 {
		b.WriteString("." + s.Fail.String())
	}
	for _, n := range s.Names {
		b.WriteString(" " + n)
	}
	for _, a := range s.Args {
		b.WriteString(" " + a.String())
	}
	if len(s.Dep) > 0 {
		b.WriteString(" dep " + strings.Join(s.Dep, ","))
	}
	for _, c := range s.If {
		b.WriteString(" if " + c.String())
	}
	return b.String()
}

// String returns the text of the test; Parse can read it.
func (t *Test) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "litmus %s\n", t.Name)
	if t.Doc != "" {
		fmt.Fprintf(&b, "doc %s\n", t.Doc)
	}
	if len(t.Init) > 0 {
		b.WriteString("init")
		for _, i := range t.Init {
			fmt.Fprintf(&b, " %s=%d", i.Name, i.Value)
		}
		b.WriteByte('\n')
	}
	for i := range t.Threads {
		th := &t.Threads[i]
		b.WriteString(th.Name + ":")
		for j := range th.Code {
			if j > 0 {
				b.WriteByte(';')
			}
			b.WriteString(" " + th.Code[j].String())
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "ask %s\n", t.Question())
	for _, e := range t.Expect {
		b.WriteString("expect " + e.Options.words() + e.String() + "\n")
	}
	return b.String()
}

// Registers returns the registers of the test, in order of appearance.
func (t *Test) Registers() []string { return t.registers }

// Locations returns the memory locations of the test, in order of appearance.
func (t *Test) Locations() []string { return t.locations }
