package nodes

// Row is an instruction of the IR builder (docs/language.md, "The IR builder").
type Row struct {
	Name   string // without @uvm.irbuilder.
	Params string // types of the parameters: letters, see package mu; A or W and the l after it are one list
	Result string // n, w, or nothing
	// text is the text that it adds to the bundle: {N} is operand N, from 0, a node or a list; {N:FORM} is operand N
	// in the given form; {NAME} is a destination or a clause that later calls fill in.
	text string
	kind Kind // of the node that it makes
}

// First is the opcode of the first row.
const First = 0x300

// Rows are the instructions in the order of their opcodes.
var Rows = []Row{
	{"new_bundle", "", "n", "", Bundle},
	{"load_bundle_from_node", "n", "", "", 0},
	{"abort_bundle_node", "n", "", "", 0},
	{"get_node", "nw", "n", "", 0},
	{"get_id", "nn", "w", "", 0},
	{"set_name", "nnZ", "", "", 0},
	{"new_type_int", "nw", "n", ".typedef {} = int<{1:number}>", Type},
	{"new_type_float", "n", "n", ".typedef {} = float", Type},
	{"new_type_double", "n", "n", ".typedef {} = double", Type},
	{"new_type_uptr", "n", "n", ".typedef {} = uptr<{to}>", Type},
	{"set_type_uptr", "nn", "", "", 0},
	{"new_type_ufuncptr", "n", "n", ".typedef {} = ufuncptr<{to}>", Type},
	{"set_type_ufuncptr", "nn", "", "", 0},
	{"new_type_struct", "nAl", "n", ".typedef {} = struct<{1}>", Type},
	{"new_type_hybrid", "nAln", "n", ".typedef {} = hybrid<{1} {2}>", Type},
	{"new_type_array", "nnl", "n", ".typedef {} = array<{1} {2:number}>", Type},
	{"new_type_vector", "nnl", "n", ".typedef {} = vector<{1} {2:number}>", Type},
	{"new_type_void", "n", "n", ".typedef {} = void", Type},
	{"new_type_ref", "n", "n", ".typedef {} = ref<{to}>", Type},
	{"set_type_ref", "nn", "", "", 0},
	{"new_type_iref", "n", "n", ".typedef {} = iref<{to}>", Type},
	{"set_type_iref", "nn", "", "", 0},
	{"new_type_weakref", "n", "n", ".typedef {} = weakref<{to}>", Type},
	{"set_type_weakref", "nn", "", "", 0},
	{"new_type_funcref", "n", "n", ".typedef {} = funcref<{to}>", Type},
	{"set_type_funcref", "nn", "", "", 0},
	{"new_type_tagref64", "n", "n", ".typedef {} = tagref64", Type},
	{"new_type_threadref", "n", "n", ".typedef {} = threadref", Type},
	{"new_type_stackref", "n", "n", ".typedef {} = stackref", Type},
	{"new_type_framecursorref", "n", "n", ".typedef {} = framecursorref", Type},
	{"new_type_irnoderef", "n", "n", ".typedef {} = irnoderef", Type},
	{"new_funcsig", "nAlAl", "n", ".funcsig {} = ({1}) -> ({2})", Sig},
	{"new_const_int", "nnl", "n", ".const {} <{1}> = {2:number}", Const},
	{"new_const_int_ex", "nnWl", "n", ".const {} <{1}> = {2:words}", Const},
	{"new_const_float", "nng", "n", ".const {} <{1}> = bitsf({2:number})", Const},
	{"new_const_double", "nnd", "n", ".const {} <{1}> = bitsd({2:number})", Const},
	{"new_const_null", "nn", "n", ".const {} <{1}> = NULL", Const},
	{"new_const_seq", "nnAl", "n", ".const {} <{1}> = {{2}}", Const},
	{"new_global_cell", "nn", "n", ".global {} <{1}>", Global},
	{"new_func", "nn", "n", "", Func},
	{"new_func_ver", "nn", "n", "", Version},
	{"new_exp_func", "nnwn", "n", ".expose {} = {1} {2:conv} {3}", Exposed},
	{"new_bb", "n", "n", "", Block},
	{"new_nor_param", "nn", "n", "<{1}> {}", Param},
	{"new_exc_param", "n", "n", "", ExcParam},
	{"new_inst_res", "n", "n", "", Result},
	{"add_dest", "nwnAl", "", "", 0},
	{"add_keepalives", "nAl", "", "", 0},
	{"new_binop", "nwnnn", "n", "{1:op} <{2}> {3} {4}{exc}", Inst},
	{"new_cmp", "nwnnn", "n", "{1:op} <{2}> {3} {4}", Inst},
	{"new_conv", "nwnnn", "n", "{1:op} <{2} {3}> {4}", Inst},
	{"new_select", "nnnnnn", "n", "SELECT <{1} {2}> {3} {4} {5}", Inst},
	{"new_branch", "n", "n", "BRANCH {NORMAL}", Inst},
	{"new_branch2", "nn", "n", "BRANCH2 {1} {TRUE} {FALSE}", Inst},
	{"new_switch", "nnn", "n", "SWITCH <{1}> {2} {DEFAULT} { {cases} }", Inst},
	{"add_switch_dest", "nnnAl", "", "", 0},
	{"new_call", "nnnAl", "n", "CALL <{1}> {2} ({3}){exc}{keep}", Inst},
	{"new_tailcall", "nnnAl", "n", "TAILCALL <{1}> {2} ({3})", Inst},
	{"new_ret", "nAl", "n", "RET ({1})", Inst},
	{"new_throw", "nn", "n", "THROW {1}", Inst},
	{"new_extractvalue", "nnwn", "n", "EXTRACTVALUE <{1} {2:number}> {3}", Inst},
	{"new_insertvalue", "nnwnn", "n", "INSERTVALUE <{1} {2:number}> {3} {4}", Inst},
	{"new_extractelement", "nnnnn", "n", "EXTRACTELEMENT <{1} {2}> {3} {4}", Inst},
	{"new_insertelement", "nnnnnn", "n", "INSERTELEMENT <{1} {2}> {3} {4} {5}", Inst},
	{"new_shufflevector", "nnnnnn", "n", "SHUFFLEVECTOR <{1} {2}> {3} {4} {5}", Inst},
	{"new_new", "nn", "n", "NEW <{1}>{exc}", Inst},
	{"new_newhybrid", "nnnn", "n", "NEWHYBRID <{1} {2}> {3}{exc}", Inst},
	{"new_alloca", "nn", "n", "ALLOCA <{1}>{exc}", Inst},
	{"new_allocahybrid", "nnnn", "n", "ALLOCAHYBRID <{1} {2}> {3}{exc}", Inst},
	{"new_getiref", "nnn", "n", "GETIREF <{1}> {2}", Inst},
	{"new_getfieldiref", "nwnwn", "n", "GETFIELDIREF{1:ptr} <{2} {3:number}> {4}", Inst},
	{"new_getelemiref", "nwnnnn", "n", "GETELEMIREF{1:ptr} <{2} {3}> {4} {5}", Inst},
	{"new_shiftiref", "nwnnnn", "n", "SHIFTIREF{1:ptr} <{2} {3}> {4} {5}", Inst},
	{"new_getvarpartiref", "nwnn", "n", "GETVARPARTIREF{1:ptr} <{2}> {3}", Inst},
	{"new_load", "nwwnn", "n", "LOAD{1:ptr} {2:order} <{3}> {4}{exc}", Inst},
	{"new_store", "nwwnnn", "n", "STORE{1:ptr} {2:order} <{3}> {4} {5}{exc}", Inst},
	{"new_cmpxchg", "nwwwwnnnn", "n", "CMPXCHG{1:ptr}{2:weak} {3:order} {4:order} <{5}> {6} {7} {8}{exc}", Inst},
	{"new_atomicrmw", "nwwwnnn", "n", "ATOMICRMW{1:ptr} {2:order} {3:rmw} <{4}> {5} {6}{exc}", Inst},
	{"new_fence", "nw", "n", "FENCE {1:order}", Inst},
	{"new_trap", "nAl", "n", "TRAP <{1}>{exc}{keep}", Inst},
	{"new_watchpoint", "nwAl", "n", "WATCHPOINT {1:number} <{2}> {DISABLED} {ENABLED}{wpexc}{keep}", Inst},
	{"new_wpbranch", "nw", "n", "WPBRANCH {1:number} {DISABLED} {ENABLED}", Inst},
	{"new_ccall", "nwnnnAl", "n", "CCALL {1:conv} <{2} {3}> {4} ({5}){exc}{keep}", Inst},
	{"new_newthread", "nnn", "n", "NEWTHREAD {1}{2:threadlocal} {newstack}{exc}", Inst},
	{"new_swapstack_ret", "nnAl", "n", "SWAPSTACK {1} RET_WITH <{2}> {newstack}{exc}{keep}", Inst},
	{"new_swapstack_kill", "nn", "n", "SWAPSTACK {1} KILL_OLD {newstack}", Inst},
	{"set_newstack_pass_values", "nAAl", "", "", 0},
	{"set_newstack_throw_exc", "nn", "", "", 0},
	{"new_comminst", "nwIlAlAlAl", "n", "COMMINST {1:common}{2:flags} <{3}> <[{4}]> ({5}){exc}{keep}", Inst},
}

// Lists splits the parameters of a row into operands: one letter for each; two letters for a list of nodes or
// numbers, the second of which is its length. In set_newstack_pass_values two lists share a length.
func (r *Row) Lists() []string {
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
