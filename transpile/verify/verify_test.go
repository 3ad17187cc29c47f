package verify_test

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// good is a program that uses most of the features that the verifier checks.
const good = `
.typedef @i1 = int<1>  .typedef @i8 = int<8>  .typedef @i32 = int<32>  .typedef @i64 = int<64>
.typedef @f = float  .typedef @d = double  .typedef @void = void
.typedef @rv = ref<@void>  .typedef @node = struct<@i64 @rnode>  .typedef @rnode = ref<@node>
.typedef @inode = iref<@node>  .typedef @ii64 = iref<@i64>  .typedef @hyb = hybrid<@i64 @i8>
.typedef @v4 = vector<@i32 4>  .typedef @arr = array<@i64 3>  .typedef @stack = stackref
.typedef @wk = weakref<@node>  .typedef @pi64 = uptr<@i64>
.funcsig @s = (@i64 @i64) -> (@i64)  .funcsig @n = () -> ()
.typedef @fs = funcref<@s>  .typedef @ns = ufuncptr<@s>
.const @c0 <@i64> = 0  .const @c1 <@i64> = 1  .const @c2 <@i64> = 2  .const @half <@d> = 0.5d
.const @null <@rnode> = NULL  .const @ext <@ns> = EXTERN "ext"  .const @list <@arr> = { @c0 @c1 @c2 }
.global @cell <@i64>
.expose @exp = @g #DEFAULT @c0
.funcdef @g VERSION %v1 <@s> {
  %entry(<@i64> %a <@i64> %b):
    %x = ADD <@i64> %a %b
    %lt = SLT <@i64> %x %b
    %d = SITOFP <@i64 @d> %x
    %sum = FADD <@d> %d @half
    %sel = SELECT <@i1 @i64> %lt %a %b
    BRANCH2 %lt %then(%x) %else(%x %sel)
  %then(<@i64> %x):
    %q = SDIV <@i64> %x @c2 EXC(%join(%q) %div(%x))
  %div(<@i64> %x) [%e]:
    THROW %e
  %else(<@i64> %x <@i64> %y):
    %r = CALL <@s> @g (%x %y) EXC(%join(%r) %drop()) KEEPALIVE(%x)
  %drop():
    SWITCH <@i64> @c1 %join(@c0) { @c1 %join(@c1) @c2 %join(@c2) }
  %join(<@i64> %z):
    RET %z
}
.funcdef @m VERSION %v1 <@n> {
  %entry():
    %o = NEW <@node>
    %h = NEWHYBRID <@hyb @i64> @c2
    %i = GETIREF <@node> %o
    %p = GETFIELDIREF <@node 0> %i
    STORE SEQ_CST <@i64> %p @c1
    %l = LOAD <@i64> %p
    (%old %ok) = CMPXCHG ACQ_REL ACQUIRE <@i64> %p @c0 @c1
    %rmw = ATOMICRMW RELAXED ADD <@i64> %p @c2
    FENCE SEQ_CST
    %st = COMMINST @uvm.new_stack <[@n]> (@m)
    %th = NEWTHREAD %st THREADLOCAL(%o) PASS_VALUES <> ()
    [@trap] TRAP <> KEEPALIVE(%l)
    %cur = COMMINST @uvm.current_stack
    %sw = SWAPSTACK %cur RET_WITH <@i64> PASS_VALUES <@i64> (%l)
    %nat = CCALL #DEFAULT <@ns @s> @ext (%sw @c1)
    %wpr = WATCHPOINT 7 <@i64> %dis() %ena(%wpr) WPEXC(%exc())
  %dis():
    TAILCALL <@n> @m ()
  %ena(<@i64> %w):
    %u = CALL <@s> @g (%w @c1)
    RET ()
  %exc() [%e]:
    COMMINST @uvm.thread_exit
}
`

// A mutant is the good program with methods to break it.
type mutant struct {
	t *testing.T
	p *ir.Program
	v *ir.Version // of the function under change
}

func newMutant(t *testing.T, text string) *mutant {
	t.Helper()
	p, err := load(mu.Source{Name: "good.uir", Text: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	return &mutant{t: t, p: p}
}

// fn selects the function under change.
func (m *mutant) fn(name string) *mutant {
	m.v = m.p.Entities[name].(*ir.Function).Current()
	return m
}

// op finds the first instruction of an operation.
func (m *mutant) op(op ir.Op) (ir.InstID, *ir.Inst) {
	for b := range m.v.Blocks {
		for _, id := range m.v.Blocks[b].Insts {
			if m.v.Insts[id].Op == op {
				return id, &m.v.Insts[id]
			}
		}
	}
	m.t.Fatalf("no %s", op)
	return 0, nil
}

func (m *mutant) in(op ir.Op) *ir.Inst { _, in := m.op(op); return in }

func (m *mutant) block(name string) *ir.Block { return &m.v.Blocks[m.blockID(name)] }

func (m *mutant) blockID(name string) ir.BlockID {
	for i := range m.v.Blocks {
		if m.v.Blocks[i].Name == name {
			return ir.BlockID(i)
		}
	}
	m.t.Fatalf("no block %s", name)
	return 0
}

// val finds the first value with a name.
func (m *mutant) val(name string) ir.ValueID {
	for i := range m.v.Values {
		if m.v.Values[i].Name == name {
			return ir.ValueID(i)
		}
	}
	m.t.Fatalf("no value %s", name)
	return 0
}

func (m *mutant) typ(name string) ir.TypeID { return m.p.Entities[name].(ir.TypeID) }

func (m *mutant) con(c *ir.Const) ir.ValueID { return m.v.ConstValue(c) }

func TestGood(t *testing.T) {
	if err := verify.Err(verify.Program(newMutant(t, good).p)); err != nil {
		t.Error(err)
	}
}

// Each case breaks one invariant; the text must be part of one of the reported
// faults.
var broken = []struct {
	name   string
	breaks func(m *mutant)
	want   string
}{
	// Cross references.
	{"nil function", func(m *mutant) { m.fn("@g").v.Func = nil }, "@g.v1: has no function"},
	{"not its function's", func(m *mutant) { m.fn("@g").v.Func = m.p.Entities["@m"].(*ir.Function) }, "@g.v1: is not among the versions of @m"},
	{"no blocks", func(m *mutant) { m.fn("@g").v.Blocks = nil }, "@g.v1: has no blocks"},
	{"param def", func(m *mutant) { m.fn("@g").v.Values[m.v.Blocks[0].Params[1]].Index = 7 }, "@g.v1.entry: parameter 1 is %b.2, which is parameter 7"},
	{"param range", func(m *mutant) { m.fn("@g").v.Blocks[0].Params[0] = 999 }, "parameter 0 is value 999, which does not exist"},
	{"result def", func(m *mutant) { m.fn("@g").v.Values[m.in(ir.OpAdd).Results[0]].Def = 1234 }, "@g.v1.entry.x: result 0"},
	{"result kind", func(m *mutant) { m.fn("@g").v.Values[m.in(ir.OpAdd).Results[0]].Kind = ir.ValueParam }, "result 0 is"},
	{"exc def", func(m *mutant) { m.fn("@g").v.Values[m.block("%div").Exc].Def = 0 }, "@g.v1.div: exception parameter 0"},
	{"use of nothing", func(m *mutant) { m.fn("@g").in(ir.OpAdd).Args[1] = 0 }, "operand 2 is value 0, which does not exist"},
	{"use out of range", func(m *mutant) { m.fn("@g").in(ir.OpAdd).Args[1] = 1 << 20 }, "operand 2 is value 1048576, which does not exist"},
	{"use of removed", func(m *mutant) {
		m.fn("@g")
		l := m.v.Blocks[0].Insts
		m.v.Blocks[0].Insts = append([]ir.InstID{}, l[1:]...)
	}, "operand 1 is %x.9, which is result 0 of instruction 1, but not defined there"},
	{"instruction twice", func(m *mutant) { b := &m.fn("@g").v.Blocks[0]; b.Insts[1] = b.Insts[0] }, "is in more than one place"},
	{"instruction range", func(m *mutant) { m.fn("@g").v.Blocks[0].Insts[1] = 500 }, "has instruction 500, which does not exist"},
	{"instruction of another block", func(m *mutant) { m.fn("@g").in(ir.OpAdd).Block = 3 }, "@g.v1"},
	{"constant twice", func(m *mutant) {
		m.fn("@g")
		c := m.v.Values[m.val("@c2")]
		m.v.Values = append(m.v.Values, c)
		m.in(ir.OpAdd).Args[1] = ir.ValueID(len(m.v.Values) - 1)
	}, "are the same constant"},
	{"constant without value", func(m *mutant) { m.fn("@g").v.Values[m.val("@c2")].Const = nil }, "is a constant without value"},
	{"constant of another type", func(m *mutant) { m.fn("@g").v.Values[m.val("@c2")].Type = m.typ("@d") }, "but its constant of type @i64"},

	// Blocks.
	{"entry parameters", func(m *mutant) { b := &m.fn("@g").v.Blocks[0]; b.Params = b.Params[:1] }, "the entry block wants 2 parameters, got 1"},
	{"entry type", func(m *mutant) { m.fn("@g").v.Values[m.v.Blocks[0].Params[0]].Type = m.typ("@d") }, "parameter %a.1 wants @i64, got @d"},
	{"entry exception", func(m *mutant) { m.fn("@g").v.SetExcParam(0, m.typ("@rv"), "%e") }, "the entry block has an exception parameter"},
	{"entry destination", func(m *mutant) {
		d := &m.fn("@g").in(ir.OpBranch2).Dests[0]
		d.Block, d.Args = 0, m.v.Blocks[0].Params
	}, "destination 0 is the entry block"},
	{"parameter type", func(m *mutant) { m.fn("@m").v.Values[m.block("%ena").Params[0]].Type = m.typ("@void") }, "wants a type of values, got @void"},
	{"parameter weak", func(m *mutant) { m.fn("@m").v.Values[m.block("%ena").Params[0]].Type = m.typ("@wk") }, "wants a type of values, got @wk"},
	{"exception type", func(m *mutant) { m.fn("@g").v.Values[m.block("%div").Exc].Type = m.typ("@rnode") }, "exception parameter wants ref<void>, got @rnode"},
	{"dead entry", func(m *mutant) { m.fn("@g").v.Blocks[0].Dead = true }, "@g.v1: the entry block is dead"},
	{"empty block", func(m *mutant) { m.fn("@g").block("%drop").Insts = nil }, "@g.v1.drop: has no instructions"},
	{"dead but reachable", func(m *mutant) { m.fn("@g").block("%join").Dead = true }, "which is dead"},
	{"value of a dead block", func(m *mutant) {
		m.fn("@g").block("%drop").Dead = true
		m.in(ir.OpRet).Args[0] = m.v.AddParam(m.blockID("%drop"), m.typ("@i64"), "%p")
	}, "operand 1 is %p"},

	// Terminators.
	{"no terminator", func(m *mutant) {
		b := m.fn("@g").block("%join")
		b.Insts[0] = m.v.Blocks[0].Insts[0]
		m.v.Blocks[0].Insts = m.v.Blocks[0].Insts[1:]
	}, "add is no terminator, but the last of its block"},
	{"terminator inside", func(m *mutant) {
		m.fn("@g").v.InsertBefore(0, 1, ir.Inst{Op: ir.OpRet, Args: []ir.ValueID{1}}, nil, nil)
	}, "ret is a terminator, but not the last of its block"},
	{"exc inside", func(m *mutant) {
		m.fn("@m")
		in := m.in(ir.OpNew)
		in.Flags |= ir.FlagExc
		in.Dests = []ir.Dest{{Block: m.blockID("%dis")}, {Block: m.blockID("%exc")}}
	}, "new is a terminator, but not the last of its block"},

	// Fields.
	{"no operation", func(m *mutant) { m.fn("@g").in(ir.OpAdd).Op = ir.OpInvalid }, "op0 is no operation"},
	{"operation range", func(m *mutant) { m.fn("@g").in(ir.OpAdd).Op = 250 }, "op250 is no operation"},
	{"flag PTR", func(m *mutant) { m.fn("@g").in(ir.OpAdd).Flags = ir.FlagPtr }, "add has no PTR"},
	{"flag WEAK", func(m *mutant) { m.fn("@m").in(ir.OpLoad).Flags = ir.FlagWeak }, "load has no WEAK"},
	{"flag EXC", func(m *mutant) { m.fn("@g").in(ir.OpAdd).Flags = ir.FlagExc }, "add has no EXC"},
	{"flag KILL_OLD", func(m *mutant) { m.fn("@m").in(ir.OpNewThread).Flags |= ir.FlagKillOld }, "newthread has no KILL_OLD"},
	{"flag THROW_EXC", func(m *mutant) { m.fn("@m").in(ir.OpTrap).Flags |= ir.FlagThrowExc }, "trap has no THROW_EXC"},
	{"flag THREADLOCAL", func(m *mutant) { m.fn("@m").in(ir.OpSwapStack).Flags |= ir.FlagThreadLocal }, "swapstack has no THREADLOCAL"},
	{"flag WPEXC", func(m *mutant) { m.fn("@m").in(ir.OpTrap).Flags |= ir.FlagWPExc }, "trap has no WPEXC"},
	{"flag REPLACED", func(m *mutant) { m.fn("@m").in(ir.OpTrap).Flags |= ir.FlagReplaced }, "trap has no REPLACED"},
	{"flag UNSURE", func(m *mutant) { m.fn("@m").in(ir.OpTrap).Flags |= ir.FlagUnsure }, "trap has no UNSURE"},
	{"flag unknown", func(m *mutant) { m.fn("@m").in(ir.OpTrap).Flags |= 0x8000 }, "trap has unknown flags 0x8000"},
	{"signature", func(m *mutant) { m.fn("@g").in(ir.OpAdd).Sig = m.typ("@s") }, "add has no signature"},
	{"immediate", func(m *mutant) { m.fn("@g").in(ir.OpAdd).Imm = 3 }, "add has no immediate"},
	{"type list", func(m *mutant) { m.fn("@g").in(ir.OpAdd).Types = []ir.TypeID{1} }, "add has no type list"},
	{"order", func(m *mutant) { m.fn("@g").in(ir.OpAdd).Ord = ir.Acquire }, "add has no memory order"},
	{"failure order", func(m *mutant) { m.fn("@m").in(ir.OpLoad).OrdFail = ir.Acquire }, "load has no memory order on failure"},
	{"rmw", func(m *mutant) { m.fn("@m").in(ir.OpLoad).RMW = ir.RMWAdd }, "load has no read-modify-write operation"},
	{"keep", func(m *mutant) { m.fn("@g").in(ir.OpAdd).HasKeep = true }, "add has no keep-alive clause"},
	{"keep without clause", func(m *mutant) { m.fn("@m").in(ir.OpTrap).HasKeep = false }, "trap has keep-alive variables, but no keep-alive clause"},
	{"keep own result", func(m *mutant) { in := m.fn("@m").in(ir.OpCCall); in.HasKeep, in.Keep = true, in.Results }, "%nat.20 is used by the instruction that defines it"},

	// Orders and types of accesses.
	{"load release", func(m *mutant) { m.fn("@m").in(ir.OpLoad).Ord = ir.Release }, "load has order RELEASE"},
	{"store acquire", func(m *mutant) { m.fn("@m").in(ir.OpStore).Ord = ir.Acquire }, "store has order ACQUIRE"},
	{"cmpxchg plain", func(m *mutant) { m.fn("@m").in(ir.OpCmpXchg).Ord = ir.NotAtomic }, "cmpxchg has order NOT_ATOMIC"},
	{"cmpxchg failure", func(m *mutant) { m.fn("@m").in(ir.OpCmpXchg).OrdFail = ir.Release }, "cmpxchg has order RELEASE on failure"},
	{"rmw consume", func(m *mutant) { m.fn("@m").in(ir.OpAtomicRMW).Ord = ir.Consume }, "atomicrmw has order CONSUME"},
	{"fence relaxed", func(m *mutant) { m.fn("@m").in(ir.OpFence).Ord = ir.Relaxed }, "fence has order RELAXED"},
	{"order range", func(m *mutant) { m.fn("@m").in(ir.OpFence).Ord = 77 }, "fence has order order77"},
	{"rmw range", func(m *mutant) { m.fn("@m").in(ir.OpAtomicRMW).RMW = 40 }, "atomicrmw has operation rmw40"},
	{"atomic struct", func(m *mutant) { m.fn("@m").in(ir.OpStore).Ty = m.typ("@node") }, "store: @node cannot be accessed atomically"},
	{"rmw on double", func(m *mutant) { m.fn("@m").in(ir.OpAtomicRMW).Ty = m.typ("@d") }, "atomicrmw: @d cannot be computed with atomically"},
	{"cmpxchg on double", func(m *mutant) { m.fn("@m").in(ir.OpCmpXchg).Ty = m.typ("@d") }, "cmpxchg: @d cannot be compared and exchanged"},

	// Type arguments.
	{"no type", func(m *mutant) { m.fn("@g").in(ir.OpAdd).Ty = ir.NoType }, "add wants int as type argument, got none"},
	{"type range", func(m *mutant) { m.fn("@g").in(ir.OpAdd).Ty = 30000 }, "add wants int as type argument, got ?type30000"},
	{"add of double", func(m *mutant) { m.fn("@g").in(ir.OpAdd).Ty = m.typ("@d") }, "@g.v1.entry.x: add wants int as type argument, got @d"},
	{"fadd of int", func(m *mutant) { m.fn("@g").in(ir.OpFAdd).Ty = m.typ("@i64") }, "fadd wants float or double as type argument, got @i64"},
	{"slt of ref", func(m *mutant) { m.fn("@g").in(ir.OpSLT).Ty = m.typ("@rv") }, "slt wants int or a pointer as type argument"},
	{"superfluous type", func(m *mutant) { m.fn("@g").in(ir.OpAdd).Ty2 = m.typ("@d") }, "add wants no type as type argument, got @d"},
	{"load of void", func(m *mutant) { m.fn("@m").in(ir.OpLoad).Ty = m.typ("@void") }, "load wants a storable type as type argument, got @void"},
	{"new of hybrid", func(m *mutant) { m.fn("@m").in(ir.OpNew).Ty = m.typ("@hyb") }, "new wants a type that is not a hybrid"},
	{"newhybrid of struct", func(m *mutant) { m.fn("@m").in(ir.OpNewHybrid).Ty = m.typ("@node") }, "newhybrid wants a hybrid"},
	{"field of int", func(m *mutant) { m.fn("@m").in(ir.OpGetFieldIRef).Ty = m.typ("@i64") }, "getfieldiref wants a struct or hybrid"},
	{"field number", func(m *mutant) { m.fn("@m").in(ir.OpGetFieldIRef).Imm = 2 }, "getfieldiref: field 2 of @node does not exist: it has 2"},
	{"call without signature", func(m *mutant) { m.fn("@g").in(ir.OpCall).Sig = m.typ("@i64") }, "call wants a signature, got @i64"},
	{"trap type", func(m *mutant) { m.fn("@m").in(ir.OpWatchpoint).Types[0] = m.typ("@void") }, "type 1 of watchpoint wants a type of values, got @void"},
	{"watchpoint 0", func(m *mutant) { m.fn("@m").in(ir.OpWatchpoint).Imm = 0 }, "watchpoint 0 does not lie in 1 to 2^32-1"},
	{"conversion", func(m *mutant) { m.fn("@g").in(ir.OpSIToFP).Op = ir.OpFPExt }, "fpext wants float and double, got @i64 and @d"},
	{"select of vectors", func(m *mutant) { m.fn("@g").in(ir.OpSelect).Ty = m.p.Types.Vector(m.typ("@i1"), 4) }, "select wants a vector of 4 elements, got @i64"},
	{"ccall type", func(m *mutant) { m.fn("@m").in(ir.OpCCall).Ty = m.p.Types.Of(ir.KUFuncPtr, m.typ("@n")) }, "ccall wants ufuncptr<@s>, got ufuncptr<"},

	// Operands and results.
	{"operand type", func(m *mutant) { m.fn("@g").in(ir.OpAdd).Args[0] = m.val("@half") }, "@g.v1.entry.x: add wants @i64, got @d for operand 1 (@half)"},
	{"operand number", func(m *mutant) { in := m.fn("@g").in(ir.OpAdd); in.Args = in.Args[:1] }, "add wants 2 operands, got 1"},
	{"call operands", func(m *mutant) { in := m.fn("@g").in(ir.OpCall); in.Args = in.Args[:2] }, "call wants 3 operands, got 2"},
	{"callee", func(m *mutant) { in := m.fn("@g").in(ir.OpCall); in.Args[0] = in.Args[1] }, "call wants @fs, got @i64 for operand 1"},
	{"ret operands", func(m *mutant) { m.fn("@g").in(ir.OpRet).Args = nil }, "ret wants 1 operand, got 0"},
	{"throw of int", func(m *mutant) { m.fn("@g").in(ir.OpThrow).Args[0] = m.block("%div").Params[0] }, "throw wants ref, got @i64"},
	{"location", func(m *mutant) { in := m.fn("@m").in(ir.OpStore); in.Args[0] = in.Args[1] }, "store wants @ii64, got @i64"},
	{"ptr location", func(m *mutant) { m.fn("@m").in(ir.OpLoad).Flags |= ir.FlagPtr }, "load wants @pi64, got @ii64"},
	{"stack operand", func(m *mutant) { in := m.fn("@m").in(ir.OpSwapStack); in.Args[0] = in.Args[1] }, "swapstack wants @stack, got @i64"},
	{"throw_exc operands", func(m *mutant) { m.fn("@m").in(ir.OpSwapStack).Flags |= ir.FlagThrowExc }, "swapstack wants ref, got @i64 for operand 2"},
	{"result type", func(m *mutant) { m.fn("@g").v.Values[m.in(ir.OpAdd).Results[0]].Type = m.typ("@d") }, "add wants @i64, got @d for result 1 (%x.9)"},
	{"result number", func(m *mutant) { in := m.fn("@m").in(ir.OpCmpXchg); in.Results = in.Results[:1] }, "cmpxchg has 2 results, got 1"},
	{"kill_old results", func(m *mutant) { m.fn("@m").in(ir.OpSwapStack).Flags |= ir.FlagKillOld }, "swapstack has no results, got 1"},
	{"tailcall results", func(m *mutant) {
		in := m.fn("@m").in(ir.OpTailCall)
		in.Sig = m.typ("@s")
	}, "tailcall wants the results of @n, got those of @s"},

	// Destinations.
	{"destination range", func(m *mutant) { m.fn("@g").in(ir.OpBranch2).Dests[0].Block = 99 }, "destination 0 is block 99, which does not exist"},
	{"negative destination", func(m *mutant) { m.fn("@g").in(ir.OpBranch2).Dests[0].Block = -4 }, "destination 0 is block -4, which does not exist"},
	{"destination number", func(m *mutant) { in := m.fn("@g").in(ir.OpBranch2); in.Dests = in.Dests[:1] }, "branch2 has 2 destinations, got 1"},
	{"no exc destinations", func(m *mutant) { m.fn("@g").in(ir.OpSDiv).Dests = nil }, "sdiv has 2 destinations, got 0"},
	{"no wpexc destination", func(m *mutant) { in := m.fn("@m").in(ir.OpWatchpoint); in.Dests = in.Dests[:2] }, "watchpoint has 3 destinations, got 2"},
	{"switch destinations", func(m *mutant) { in := m.fn("@g").in(ir.OpSwitch); in.Dests = in.Dests[:2] }, "switch has 3 destinations, got 2"},
	{"argument number", func(m *mutant) { m.fn("@g").in(ir.OpBranch2).Dests[0].Args = nil }, "destination 0: %then wants 1 argument, got 0"},
	{"argument type", func(m *mutant) { m.fn("@g").in(ir.OpBranch2).Dests[0].Args[0] = m.val("%d") }, "destination 0: %then wants @i64, got @d for argument 1 (%d.11)"},
	{"exception block reached normally", func(m *mutant) { m.fn("@g").in(ir.OpBranch2).Dests[0].Block = m.blockID("%div") }, "destination 0 is %div, which has an exception parameter"},

	// Dominance.
	{"use before definition", func(m *mutant) { m.fn("@g").in(ir.OpAdd).Args[0] = m.in(ir.OpSelect).Results[0] }, "@g.v1.entry.x: %sel.14 is used before its definition"},
	{"own result", func(m *mutant) { in := m.fn("@g").in(ir.OpAdd); in.Args[0] = in.Results[0] }, "is used by the instruction that defines it"},
	{"not dominating", func(m *mutant) { m.fn("@g").in(ir.OpRet).Args[0] = m.block("%then").Params[0] }, "is used where its definition does not dominate"},
	{"result in exceptional destination", func(m *mutant) { in := m.fn("@g").in(ir.OpSDiv); in.Dests[1].Args[0] = in.Results[0] }, "is used in destination 1, but exists only in destination 0"},
	{"result behind a join", func(m *mutant) { m.fn("@g").in(ir.OpRet).Args[0] = m.in(ir.OpSDiv).Results[0] }, "is used where the destination that it exists in does not dominate"},
	{"result of a watchpoint", func(m *mutant) {
		in := m.fn("@m").in(ir.OpWatchpoint)
		in.Dests[0].Args = []ir.ValueID{in.Results[0]}
	}, "is used in destination 0, but exists only in destination 1"},
	{"value of an unreachable block", func(m *mutant) {
		m.fn("@g")
		b := m.v.NewBlock("%lost", m.v.Pos)
		p := m.v.AddParam(b, m.typ("@i64"), "%p")
		m.v.Append(b, ir.Inst{Op: ir.OpRet, Args: []ir.ValueID{p}}, nil, nil)
		m.in(ir.OpRet).Args[0] = p
	}, "%p.21 is used where its definition does not dominate"},

	// Switch.
	{"key twice", func(m *mutant) { in := m.fn("@g").in(ir.OpSwitch); in.Args[2] = in.Args[1] }, "key 2 (@c1) stands there twice"},
	{"equal keys", func(m *mutant) {
		in := m.fn("@g").in(ir.OpSwitch)
		in.Args[2] = m.con(&ir.Const{Type: m.typ("@i64"), Lo: 1})
	}, "stands there twice"},
	{"key variable", func(m *mutant) {
		m.fn("@g")
		p := m.v.AddParam(m.blockID("%drop"), m.typ("@i64"), "%k")
		m.in(ir.OpSwitch).Args[2] = p
		m.in(ir.OpCall).Dests[1].Args = []ir.ValueID{m.block("%else").Params[0]}
	}, "is parameter 0 of block 4, not a constant"},

	// Types.
	{"int width", func(m *mutant) { m.p.Types.Int(129) }, "an int has 1 to 128 bits, got 129"},
	{"step of struct", func(m *mutant) { m.p.Types.StructOf(3, 0, m.typ("@i64")) }, "step and alignment of a struct are powers of two"},
	{"alignment of struct", func(m *mutant) { m.p.Types.StructOf(0, 1<<13, m.typ("@i64")) }, "step and alignment of a struct are powers of two"},
	{"packed reference", func(m *mutant) { m.p.Types.StructOf(1, 0, m.p.Types.Int(8), m.p.Types.Ref(m.typ("@i64"))) }, "field 1 has a reference, but is not aligned"},
	{"void field", func(m *mutant) { m.p.Types.Struct(m.typ("@void")) }, "field of struct is a void"},
	{"hybrid element", func(m *mutant) { m.p.Types.Array(m.typ("@hyb"), 2) }, "parameter of array is a hybrid"},
	{"vector length", func(m *mutant) { m.p.Types.Vector(m.typ("@i64"), 0) }, "vector has length 0"},
	{"vector element", func(m *mutant) { m.p.Types.Vector(m.typ("@node"), 2) }, "parameter of vector is a struct"},
	{"weak vector", func(m *mutant) { m.p.Types.Vector(m.typ("@wk"), 2) }, "parameter of vector is a weakref"},
	{"dangling type", func(m *mutant) { m.p.Types.Ref(7777) }, "parameter of ref is type 7777, which does not exist"},
	{"ref to signature", func(m *mutant) { m.p.Types.Ref(m.typ("@s")) }, "parameter of ref is a funcsig"},
	{"funcref to type", func(m *mutant) { m.p.Types.Of(ir.KFuncRef, m.typ("@i64")) }, "parameter of funcref is a int"},
	{"void in signature", func(m *mutant) { m.p.Types.Sig([]ir.TypeID{m.typ("@void")}, nil) }, "a signature wants types of values, got @void"},
	{"void with width", func(m *mutant) { m.p.Types.Intern(ir.Type{Kind: ir.KVoid, Bits: 3}) }, "void has no width"},
	{"type in itself", func(m *mutant) {
		m.p.Types.Add([]ir.Node{{Kind: ir.KStruct, Fields: []ir.TypeID{m.typ("@i64"), ir.Raw(0)}}})
	}, "contains itself"},
	{"equal types", func(m *mutant) { m.p.Types.At(m.typ("@f")).Kind = ir.KDouble }, "is equal to type"},

	// Constants and definitions.
	{"int too wide", func(m *mutant) { m.p.Entities["@c1"].(*ir.Const).Hi = 1 }, "@c1: @c1: 0x1:0x1 does not fit into 64 bits"},
	{"int type", func(m *mutant) { m.p.Entities["@c1"].(*ir.Const).Type = m.typ("@d") }, "integer of type @d"},
	{"fp type", func(m *mutant) { m.p.Entities["@half"].(*ir.Const).Type = m.typ("@i64") }, "floating-point number of type @i64"},
	{"null type", func(m *mutant) { m.p.Entities["@null"].(*ir.Const).Type = m.typ("@i64") }, "NULL of type @i64"},
	{"constant of void", func(m *mutant) { m.p.Entities["@null"].(*ir.Const).Type = m.typ("@void") }, "wants a type of values, got @void"},
	{"symbol", func(m *mutant) { m.p.Entities["@ext"].(*ir.Const).Sym = "" }, "bad empty native symbol"},
	{"list length", func(m *mutant) { c := m.p.Entities["@list"].(*ir.Const); c.Elems = c.Elems[:2] }, "@arr has 3 elements, got 2"},
	{"list element", func(m *mutant) { m.p.Entities["@list"].(*ir.Const).Elems[1] = m.p.Entities["@half"].(*ir.Const) }, "element 1 wants @i64, got @d"},
	{"list nil", func(m *mutant) { m.p.Entities["@list"].(*ir.Const).Elems[1] = nil }, "element 1 is nil"},
	{"list in itself", func(m *mutant) { c := m.p.Entities["@list"].(*ir.Const); c.Elems[1] = c }, "element 1 contains itself"},
	{"constant kind", func(m *mutant) { m.p.Entities["@c1"].(*ir.Const).Kind = 50 }, "50 is no kind of constant"},
	{"foreign function", func(m *mutant) {
		f := *m.fn("@m").v.Func
		m.in(ir.OpTailCall).Args[0] = m.con(&ir.Const{Kind: ir.ConstFunc, Func: &f, Type: m.p.Types.Of(ir.KFuncRef, f.Sig)})
	}, "@m is not of this program"},
	{"cell of hybrid", func(m *mutant) { m.p.Globals[0].Type = m.typ("@hyb") }, "@cell: a cell wants a type that is not a hybrid"},
	{"function without signature", func(m *mutant) { m.p.Funcs[0].Sig = m.typ("@i64") }, "@g: a function wants a signature, got @i64"},
	{"nil version", func(m *mutant) { f := m.p.Funcs[0]; f.Versions = append(f.Versions, nil) }, "a version is nil"},
	{"expose type", func(m *mutant) { m.p.Exposes[0].Type = m.typ("@i64") }, "@exp: an exposed function wants ufuncptr<@s>, got @i64"},
	{"expose nothing", func(m *mutant) { m.p.Exposes[0].Func = nil }, "@exp: exposes no function"},
	{"cookie", func(m *mutant) { m.p.Exposes[0].Cookie = m.p.Entities["@half"].(*ir.Const) }, "a cookie wants int<64>, got @d"},
	{"main function of another program", func(m *mutant) { m.p.Main = &ir.Function{Name: "@x", Sig: m.p.Types.Sig(nil, nil)} }, "@x is not of this program"},
	{"nil hook", func(m *mutant) { m.p.Hooks[ir.HookExit] = []*ir.Function{nil} }, "program: a hook is nil"},
	{"hook of another program", func(m *mutant) {
		m.p.Hooks[ir.HookStart] = []*ir.Function{{Name: "@x", Sig: m.p.Types.Sig(nil, nil)}}
	}, "@x is not of this program"},
	{"hook with parameters", func(m *mutant) { m.p.Hooks[ir.HookStart] = []*ir.Function{m.p.Entities["@g"].(*ir.Function)} }, "@g: a hook has no parameters"},
	{"no cookie", func(m *mutant) { m.p.Exposes[0].Cookie = nil }, "has no cookie"},
	{"entity name", func(m *mutant) { m.p.Entities["@zzz"] = m.p.Funcs[0] }, `@zzz: is found by this name, but is called "@g"`},
	{"entity kind", func(m *mutant) { m.p.Entities["@zzz"] = 3 }, "@zzz: is a int, which is no entity"},
	{"entity of nowhere", func(m *mutant) { m.p.Entities["@zzz"] = &ir.Global{Name: "@zzz"} }, "@zzz is not of this program"},
	{"entity id twice", func(m *mutant) { m.p.Globals[0].ID = m.p.Funcs[0].ID }, "has entity id"},
	{"entity id to come", func(m *mutant) { m.p.Globals[0].ID = m.p.NextID }, "which is still to be given"},
	{"nil constant", func(m *mutant) { m.p.Consts = append(m.p.Consts, nil) }, "a constant is nil"},
	{"type id", func(m *mutant) { m.p.TypeIDs["@cell"] = 5 }, "@cell: has the entity id of a type, but is none"},

	// Image.
	{"image object", func(m *mutant) { m.p.Image = &ir.Image{Objects: []ir.ImageObject{{Name: "@o", Type: m.typ("@s")}}} }, "@o: wants a type, got @s"},
	{"image length", func(m *mutant) {
		m.p.Image = &ir.Image{Objects: []ir.ImageObject{{Name: "@o", Type: m.typ("@i64"), Len: 3}}}
	}, "but is no hybrid"},
	{"image location", func(m *mutant) { m.p.Image = &ir.Image{Inits: []ir.ImageInit{{To: ir.ImageLoc{Object: 2}}}} }, "object 2 does not exist"},
	{"image path", func(m *mutant) {
		m.p.Image = &ir.Image{Inits: []ir.ImageInit{{To: ir.ImageLoc{Global: m.p.Globals[0], Path: []uint64{1}, Type: m.typ("@i64")}}}}
	}, "@i64 has no part 1"},
	{"image type", func(m *mutant) {
		m.p.Image = &ir.Image{Inits: []ir.ImageInit{{To: ir.ImageLoc{Global: m.p.Globals[0], Type: m.typ("@d")}}}}
	}, "location is of type @i64, but says @d"},
	{"image value", func(m *mutant) {
		m.p.Image = &ir.Image{Inits: []ir.ImageInit{{To: ir.ImageLoc{Global: m.p.Globals[0], Type: m.typ("@i64")}, Const: m.p.Entities["@half"].(*ir.Const)}}}
	}, "invalid value for a location of type @i64"},
}

func TestBroken(t *testing.T) {
	for _, c := range broken {
		t.Run(c.name, func(t *testing.T) {
			m := newMutant(t, good)
			c.breaks(m)
			faults := verify.Program(m.p)
			found := false
			for _, f := range faults {
				found = found || strings.Contains(f.String(), c.want)
			}
			if !found {
				t.Errorf("no fault %q among:\n%v", c.want, verify.Err(faults))
			}
			if len(faults) > 10 {
				t.Errorf("%d faults for one", len(faults))
			}
		})
	}
}

// Results of an instruction with an exception clause may be used where its
// normal edge dominates, though the block there has other predecessors.
func TestResultsBehindEdge(t *testing.T) {
	const text = `
.typedef @i64 = int<64>  .typedef @i1 = int<1>  .const @c1 <@i64> = 1
.funcsig @s = (@i64) -> (@i64)
.funcdef @f VERSION %v1 <@s> {
  %entry(<@i64> %a):
    %q = SDIV <@i64> @c1 %a EXC(%loop(%a) %exc())
  %loop(<@i64> %x):
    %y = SUB <@i64> %x @c1
    %z = EQ <@i64> %y %x
    BRANCH2 %z %out(%y) %loop(%y)
  %out(<@i64> %r):
    RET %r
  %exc():
    RET @c1
}`
	m := newMutant(t, text).fn("@f")
	q := m.in(ir.OpSDiv).Results[0]
	m.in(ir.OpSub).Args[1] = q
	m.in(ir.OpRet).Args[0] = q
	if err := verify.Err(verify.Program(m.p)); err != nil {
		t.Error(err)
	}
	// Both edges lead to the same block, so the results cannot be used there.
	in := m.in(ir.OpSDiv)
	in.Dests[1] = in.Dests[0]
	if err := verify.Err(verify.Program(m.p)); err == nil || !strings.Contains(err.Error(), "does not dominate") {
		t.Errorf("got %v", err)
	}
}

func TestNil(t *testing.T) {
	if verify.Program(nil) == nil || verify.Program(&ir.Program{}) == nil || verify.Version(nil, nil) == nil {
		t.Error("no fault")
	}
	if verify.Version(ir.NewProgram(), nil) == nil || verify.Version(ir.NewProgram(), &ir.Version{}) == nil {
		t.Error("no fault")
	}
}
