package nodes

import "github.com/uvm2go/uvm2go/transpile/mu/syntax"

// Row is an instruction of the IR builder (docs/language.md, "The IR builder").
type Row struct {
	Name   string // without @uvm.irbuilder.
	Params string // types of the parameters: letters, see package mu; A, W or I and the l after it are one list
	Nodes  string // the kinds of the operands that are nodes or lists of them, a letter of accepted for each
	Result string // n, w, or nothing

	makes Kind             // of the node that it makes, None if it makes none
	typ   syntax.TypeKind  // of the type that it makes or completes
	value syntax.ConstKind // of the constant that it makes

	// The following describe the instruction that it makes.
	op      syntax.Op       // NoOp if a number says it
	numbers []number        // its operands that are numbers, in order
	dests   []uint8         // the destinations that it must have, in the order of the tree
	clauses clauses         // what else later calls may add
	cur     syntax.CurStack // of a SWAPSTACK

	lists []string // see Lists
}

// Clauses are what calls may add to an instruction, besides the destinations that it must have.
type clauses uint8

const (
	exc      clauses = 1 << iota // destinations NORMAL and EXCEPT, both or none
	wpExc                        // destination EXCEPT
	keep                         // variables to keep alive
	newStack                     // how a stack continues, which it must have
	cases                        // of a SWITCH
)

// First is the opcode of the first row.
const First = 0x300

// Rows are the instructions in the order of their opcodes.
var Rows = []Row{
	{Name: "new_bundle", Result: "n", makes: Bundle},
	{Name: "load_bundle_from_node", Params: "n", Nodes: "b"},
	{Name: "abort_bundle_node", Params: "n", Nodes: "b"},
	{Name: "get_node", Params: "nw", Nodes: "b", Result: "n"},
	{Name: "get_id", Params: "nn", Nodes: "by", Result: "w"},
	{Name: "set_name", Params: "nnZ", Nodes: "by"},
	{Name: "new_type_int", Params: "nw", Nodes: "b", Result: "n", makes: Type, typ: syntax.TypeInt},
	{Name: "new_type_float", Params: "n", Nodes: "b", Result: "n", makes: Type, typ: syntax.TypeFloat},
	{Name: "new_type_double", Params: "n", Nodes: "b", Result: "n", makes: Type, typ: syntax.TypeDouble},
	{Name: "new_type_uptr", Params: "n", Nodes: "b", Result: "n", makes: Type, typ: syntax.TypeUPtr},
	{Name: "set_type_uptr", Params: "nn", Nodes: "tt", typ: syntax.TypeUPtr},
	{Name: "new_type_ufuncptr", Params: "n", Nodes: "b", Result: "n", makes: Type, typ: syntax.TypeUFuncPtr},
	{Name: "set_type_ufuncptr", Params: "nn", Nodes: "ts", typ: syntax.TypeUFuncPtr},
	{Name: "new_type_struct", Params: "nAl", Nodes: "bt", Result: "n", makes: Type, typ: syntax.TypeStruct},
	{Name: "new_type_hybrid", Params: "nAln", Nodes: "btt", Result: "n", makes: Type, typ: syntax.TypeHybrid},
	{Name: "new_type_array", Params: "nnl", Nodes: "bt", Result: "n", makes: Type, typ: syntax.TypeArray},
	{Name: "new_type_vector", Params: "nnl", Nodes: "bt", Result: "n", makes: Type, typ: syntax.TypeVector},
	{Name: "new_type_void", Params: "n", Nodes: "b", Result: "n", makes: Type, typ: syntax.TypeVoid},
	{Name: "new_type_ref", Params: "n", Nodes: "b", Result: "n", makes: Type, typ: syntax.TypeRef},
	{Name: "set_type_ref", Params: "nn", Nodes: "tt", typ: syntax.TypeRef},
	{Name: "new_type_iref", Params: "n", Nodes: "b", Result: "n", makes: Type, typ: syntax.TypeIRef},
	{Name: "set_type_iref", Params: "nn", Nodes: "tt", typ: syntax.TypeIRef},
	{Name: "new_type_weakref", Params: "n", Nodes: "b", Result: "n", makes: Type, typ: syntax.TypeWeakRef},
	{Name: "set_type_weakref", Params: "nn", Nodes: "tt", typ: syntax.TypeWeakRef},
	{Name: "new_type_funcref", Params: "n", Nodes: "b", Result: "n", makes: Type, typ: syntax.TypeFuncRef},
	{Name: "set_type_funcref", Params: "nn", Nodes: "ts", typ: syntax.TypeFuncRef},
	{Name: "new_type_tagref64", Params: "n", Nodes: "b", Result: "n", makes: Type, typ: syntax.TypeTagRef64},
	{Name: "new_type_threadref", Params: "n", Nodes: "b", Result: "n", makes: Type, typ: syntax.TypeThreadRef},
	{Name: "new_type_stackref", Params: "n", Nodes: "b", Result: "n", makes: Type, typ: syntax.TypeStackRef},
	{Name: "new_type_framecursorref", Params: "n", Nodes: "b", Result: "n", makes: Type, typ: syntax.TypeFrameCursorRef},
	{Name: "new_type_irnoderef", Params: "n", Nodes: "b", Result: "n", makes: Type, typ: syntax.TypeIRNodeRef},
	{Name: "new_funcsig", Params: "nAlAl", Nodes: "btt", Result: "n", makes: Sig},
	{Name: "new_const_int", Params: "nnl", Nodes: "bt", Result: "n", makes: Const, value: syntax.ConstInt},
	{Name: "new_const_int_ex", Params: "nnWl", Nodes: "bt", Result: "n", makes: Const, value: syntax.ConstInt},
	{Name: "new_const_float", Params: "nng", Nodes: "bt", Result: "n", makes: Const, value: syntax.ConstFP},
	{Name: "new_const_double", Params: "nnd", Nodes: "bt", Result: "n", makes: Const, value: syntax.ConstFP},
	{Name: "new_const_null", Params: "nn", Nodes: "bt", Result: "n", makes: Const, value: syntax.ConstNull},
	{Name: "new_const_seq", Params: "nnAl", Nodes: "btg", Result: "n", makes: Const, value: syntax.ConstList},
	{Name: "new_global_cell", Params: "nn", Nodes: "bt", Result: "n", makes: Global},
	{Name: "new_func", Params: "nn", Nodes: "bs", Result: "n", makes: Func},
	{Name: "new_func_ver", Params: "nn", Nodes: "bf", Result: "n", makes: Version},
	{Name: "new_exp_func", Params: "nnwn", Nodes: "bfc", Result: "n", makes: Exposed},
	{Name: "new_bb", Params: "n", Nodes: "v", Result: "n", makes: Block},
	{Name: "new_nor_param", Params: "nn", Nodes: "kt", Result: "n", makes: Param},
	{Name: "new_exc_param", Params: "n", Nodes: "k", Result: "n", makes: ExcParam},
	{Name: "new_inst_res", Params: "n", Nodes: "i", Result: "n", makes: Result},
	{Name: "add_dest", Params: "nwnAl", Nodes: "ikx"},
	{Name: "add_keepalives", Params: "nAl", Nodes: "il"},
	{Name: "new_binop", Params: "nwnnn", Nodes: "ktxx", Result: "n", makes: Inst, numbers: []number{binary}, clauses: exc},
	{Name: "new_cmp", Params: "nwnnn", Nodes: "ktxx", Result: "n", makes: Inst, numbers: []number{cmp}},
	{Name: "new_conv", Params: "nwnnn", Nodes: "kttx", Result: "n", makes: Inst, numbers: []number{conv}},
	{Name: "new_select", Params: "nnnnnn", Nodes: "kttxxx", Result: "n", makes: Inst, op: syntax.OpSelect},
	{Name: "new_branch", Params: "n", Nodes: "k", Result: "n", makes: Inst, op: syntax.OpBranch, dests: []uint8{normal}},
	{Name: "new_branch2", Params: "nn", Nodes: "kx", Result: "n", makes: Inst, op: syntax.OpBranch2, dests: []uint8{onTrue, onFalse}},
	{Name: "new_switch", Params: "nnn", Nodes: "ktx", Result: "n", makes: Inst, op: syntax.OpSwitch, dests: []uint8{defaultDest}, clauses: cases},
	{Name: "add_switch_dest", Params: "nnnAl", Nodes: "ickx"},
	{Name: "new_call", Params: "nnnAl", Nodes: "ksxx", Result: "n", makes: Inst, op: syntax.OpCall, clauses: exc | keep},
	{Name: "new_tailcall", Params: "nnnAl", Nodes: "ksxx", Result: "n", makes: Inst, op: syntax.OpTailCall},
	{Name: "new_ret", Params: "nAl", Nodes: "kx", Result: "n", makes: Inst, op: syntax.OpRet},
	{Name: "new_throw", Params: "nn", Nodes: "kx", Result: "n", makes: Inst, op: syntax.OpThrow},
	{Name: "new_extractvalue", Params: "nnwn", Nodes: "ktx", Result: "n", makes: Inst, op: syntax.OpExtractValue, numbers: []number{index}},
	{Name: "new_insertvalue", Params: "nnwnn", Nodes: "ktxx", Result: "n", makes: Inst, op: syntax.OpInsertValue, numbers: []number{index}},
	{Name: "new_extractelement", Params: "nnnnn", Nodes: "kttxx", Result: "n", makes: Inst, op: syntax.OpExtractElement},
	{Name: "new_insertelement", Params: "nnnnnn", Nodes: "kttxxx", Result: "n", makes: Inst, op: syntax.OpInsertElement},
	{Name: "new_shufflevector", Params: "nnnnnn", Nodes: "kttxxx", Result: "n", makes: Inst, op: syntax.OpShuffleVector},
	{Name: "new_new", Params: "nn", Nodes: "kt", Result: "n", makes: Inst, op: syntax.OpNew, clauses: exc},
	{Name: "new_newhybrid", Params: "nnnn", Nodes: "kttx", Result: "n", makes: Inst, op: syntax.OpNewHybrid, clauses: exc},
	{Name: "new_alloca", Params: "nn", Nodes: "kt", Result: "n", makes: Inst, op: syntax.OpAlloca, clauses: exc},
	{Name: "new_allocahybrid", Params: "nnnn", Nodes: "kttx", Result: "n", makes: Inst, op: syntax.OpAllocaHybrid, clauses: exc},
	{Name: "new_getiref", Params: "nnn", Nodes: "ktx", Result: "n", makes: Inst, op: syntax.OpGetIRef},
	{Name: "new_getfieldiref", Params: "nwnwn", Nodes: "ktx", Result: "n", makes: Inst, op: syntax.OpGetFieldIRef, numbers: []number{raw, index}},
	{Name: "new_getelemiref", Params: "nwnnnn", Nodes: "kttxx", Result: "n", makes: Inst, op: syntax.OpGetElemIRef, numbers: []number{raw}},
	{Name: "new_shiftiref", Params: "nwnnnn", Nodes: "kttxx", Result: "n", makes: Inst, op: syntax.OpShiftIRef, numbers: []number{raw}},
	{Name: "new_getvarpartiref", Params: "nwnn", Nodes: "ktx", Result: "n", makes: Inst, op: syntax.OpGetVarPartIRef, numbers: []number{raw}},
	{Name: "new_load", Params: "nwwnn", Nodes: "ktx", Result: "n", makes: Inst, op: syntax.OpLoad, numbers: []number{raw, order}, clauses: exc},
	{Name: "new_store", Params: "nwwnnn", Nodes: "ktxx", Result: "n", makes: Inst, op: syntax.OpStore, numbers: []number{raw, order}, clauses: exc},
	{Name: "new_cmpxchg", Params: "nwwwwnnnn", Nodes: "ktxxx", Result: "n", makes: Inst, op: syntax.OpCmpXchg, numbers: []number{raw, weak, order, orderFail}, clauses: exc},
	{Name: "new_atomicrmw", Params: "nwwwnnn", Nodes: "ktxx", Result: "n", makes: Inst, op: syntax.OpAtomicRMW, numbers: []number{raw, order, update}, clauses: exc},
	{Name: "new_fence", Params: "nw", Nodes: "k", Result: "n", makes: Inst, op: syntax.OpFence, numbers: []number{order}},
	{Name: "new_trap", Params: "nAl", Nodes: "kt", Result: "n", makes: Inst, op: syntax.OpTrap, clauses: exc | keep},
	{Name: "new_watchpoint", Params: "nwAl", Nodes: "kt", Result: "n", makes: Inst, op: syntax.OpWatchpoint, numbers: []number{index}, dests: []uint8{disabled, enabled}, clauses: wpExc | keep},
	{Name: "new_wpbranch", Params: "nw", Nodes: "k", Result: "n", makes: Inst, op: syntax.OpWPBranch, numbers: []number{index}, dests: []uint8{disabled, enabled}},
	{Name: "new_ccall", Params: "nwnnnAl", Nodes: "ktsxx", Result: "n", makes: Inst, op: syntax.OpCCall, numbers: []number{convention}, clauses: exc | keep},
	{Name: "new_newthread", Params: "nnn", Nodes: "kxx", Result: "n", makes: Inst, op: syntax.OpNewThread, clauses: newStack | exc},
	{Name: "new_swapstack_ret", Params: "nnAl", Nodes: "kxt", Result: "n", makes: Inst, op: syntax.OpSwapStack, clauses: newStack | exc | keep, cur: syntax.RetWith},
	{Name: "new_swapstack_kill", Params: "nn", Nodes: "kx", Result: "n", makes: Inst, op: syntax.OpSwapStack, clauses: newStack | exc | keep, cur: syntax.KillOld},
	{Name: "set_newstack_pass_values", Params: "nAAl", Nodes: "itx"},
	{Name: "set_newstack_throw_exc", Params: "nn", Nodes: "ix"},
	{Name: "new_comminst", Params: "nwIlAlAlAl", Nodes: "ktsx", Result: "n", makes: Inst, op: syntax.OpCommInst, numbers: []number{opcode}, clauses: exc},
}

func init() {
	for _, list := range [][]Row{Rows, later} {
		for i := range list {
			list[i].lists = list[i].split()
		}
	}
}

// Lists splits the parameters of a row into operands: one letter for each; two letters for a list of nodes or
// numbers, the second of which is its length. In set_newstack_pass_values two lists share a length. The caller must
// not change the result.
func (r *Row) Lists() []string { return r.lists }

func (r *Row) split() []string {
	if r.Name == "set_newstack_pass_values" {
		return []string{"n", "A", "Al"}
	}
	var l []string
	for i := 0; i < len(r.Params); i++ {
		c := r.Params[i : i+1]
		if c == "A" || c == "W" || c == "I" {
			i++
			c += "l"
		}
		l = append(l, c)
	}
	return l
}
