package nodes

import "strings"

// Row is an instruction of the IR builder (docs/language.md, "The IR builder").
type Row struct {
	Name   string // without @uvm.irbuilder.
	Params string // types of the parameters: letters, see package mu; A or W and the l after it are one list
	Nodes  string // the kinds of the operands that are nodes or lists of them, a letter of accepted for each
	Result string // n, w, or nothing
	// text is the text that it adds to the bundle: {N} is operand N, from 0, a node or a list; {N:FORM} is operand N
	// in the given form; {NAME} is what a later call fills in (see slot), and nothing else may be filled in.
	text string
	kind Kind // of the node that it makes
}

// First is the opcode of the first row.
const First = 0x300

// Rows are the instructions in the order of their opcodes.
var Rows = []Row{
	{"new_bundle", "", "", "n", "", Bundle},
	{"load_bundle_from_node", "n", "b", "", "", 0},
	{"abort_bundle_node", "n", "b", "", "", 0},
	{"get_node", "nw", "b", "n", "", 0},
	{"get_id", "nn", "by", "w", "", 0},
	{"set_name", "nnZ", "by", "", "", 0},
	{"new_type_int", "nw", "b", "n", ".typedef {} = int<{1:number}>", Type},
	{"new_type_float", "n", "b", "n", ".typedef {} = float", Type},
	{"new_type_double", "n", "b", "n", ".typedef {} = double", Type},
	{"new_type_uptr", "n", "b", "n", ".typedef {} = uptr<{set_type_uptr}>", Type},
	{"set_type_uptr", "nn", "tt", "", "", 0},
	{"new_type_ufuncptr", "n", "b", "n", ".typedef {} = ufuncptr<{set_type_ufuncptr}>", Type},
	{"set_type_ufuncptr", "nn", "ts", "", "", 0},
	{"new_type_struct", "nAl", "bt", "n", ".typedef {} = struct<{1}>", Type},
	{"new_type_hybrid", "nAln", "btt", "n", ".typedef {} = hybrid<{1} {2}>", Type},
	{"new_type_array", "nnl", "bt", "n", ".typedef {} = array<{1} {2:number}>", Type},
	{"new_type_vector", "nnl", "bt", "n", ".typedef {} = vector<{1} {2:number}>", Type},
	{"new_type_void", "n", "b", "n", ".typedef {} = void", Type},
	{"new_type_ref", "n", "b", "n", ".typedef {} = ref<{set_type_ref}>", Type},
	{"set_type_ref", "nn", "tt", "", "", 0},
	{"new_type_iref", "n", "b", "n", ".typedef {} = iref<{set_type_iref}>", Type},
	{"set_type_iref", "nn", "tt", "", "", 0},
	{"new_type_weakref", "n", "b", "n", ".typedef {} = weakref<{set_type_weakref}>", Type},
	{"set_type_weakref", "nn", "tt", "", "", 0},
	{"new_type_funcref", "n", "b", "n", ".typedef {} = funcref<{set_type_funcref}>", Type},
	{"set_type_funcref", "nn", "ts", "", "", 0},
	{"new_type_tagref64", "n", "b", "n", ".typedef {} = tagref64", Type},
	{"new_type_threadref", "n", "b", "n", ".typedef {} = threadref", Type},
	{"new_type_stackref", "n", "b", "n", ".typedef {} = stackref", Type},
	{"new_type_framecursorref", "n", "b", "n", ".typedef {} = framecursorref", Type},
	{"new_type_irnoderef", "n", "b", "n", ".typedef {} = irnoderef", Type},
	{"new_funcsig", "nAlAl", "btt", "n", ".funcsig {} = ({1}) -> ({2})", Sig},
	{"new_const_int", "nnl", "bt", "n", ".const {} <{1}> = {2:number}", Const},
	{"new_const_int_ex", "nnWl", "bt", "n", ".const {} <{1}> = {2:words}", Const},
	{"new_const_float", "nng", "bt", "n", ".const {} <{1}> = bitsf({2:number})", Const},
	{"new_const_double", "nnd", "bt", "n", ".const {} <{1}> = bitsd({2:number})", Const},
	{"new_const_null", "nn", "bt", "n", ".const {} <{1}> = NULL", Const},
	{"new_const_seq", "nnAl", "btg", "n", ".const {} <{1}> = {{2}}", Const},
	{"new_global_cell", "nn", "bt", "n", ".global {} <{1}>", Global},
	{"new_func", "nn", "bs", "n", "", Func},
	{"new_func_ver", "nn", "bf", "n", "", Version},
	{"new_exp_func", "nnwn", "bfc", "n", ".expose {} = {1} {2:call} {3}", Exposed},
	{"new_bb", "n", "v", "n", "", Block},
	{"new_nor_param", "nn", "kt", "n", "<{1}> {}", Param},
	{"new_exc_param", "n", "k", "n", "", ExcParam},
	{"new_inst_res", "n", "i", "n", "", Result},
	{"add_dest", "nwnAl", "ikx", "", "", 0},
	{"add_keepalives", "nAl", "il", "", "", 0},
	{"new_binop", "nwnnn", "ktxx", "n", "{1:binop} <{2}> {3} {4}{exc}", Inst},
	{"new_cmp", "nwnnn", "ktxx", "n", "{1:cmp} <{2}> {3} {4}", Inst},
	{"new_conv", "nwnnn", "kttx", "n", "{1:conv} <{2} {3}> {4}", Inst},
	{"new_select", "nnnnnn", "kttxxx", "n", "SELECT <{1} {2}> {3} {4} {5}", Inst},
	{"new_branch", "n", "k", "n", "BRANCH {NORMAL}", Inst},
	{"new_branch2", "nn", "kx", "n", "BRANCH2 {1} {TRUE} {FALSE}", Inst},
	{"new_switch", "nnn", "ktx", "n", "SWITCH <{1}> {2} {DEFAULT} { {cases} }", Inst},
	{"add_switch_dest", "nnnAl", "ickx", "", "", 0},
	{"new_call", "nnnAl", "ksxx", "n", "CALL <{1}> {2} ({3}){exc}{keep}", Inst},
	{"new_tailcall", "nnnAl", "ksxx", "n", "TAILCALL <{1}> {2} ({3})", Inst},
	{"new_ret", "nAl", "kx", "n", "RET ({1})", Inst},
	{"new_throw", "nn", "kx", "n", "THROW {1}", Inst},
	{"new_extractvalue", "nnwn", "ktx", "n", "EXTRACTVALUE <{1} {2:number}> {3}", Inst},
	{"new_insertvalue", "nnwnn", "ktxx", "n", "INSERTVALUE <{1} {2:number}> {3} {4}", Inst},
	{"new_extractelement", "nnnnn", "kttxx", "n", "EXTRACTELEMENT <{1} {2}> {3} {4}", Inst},
	{"new_insertelement", "nnnnnn", "kttxxx", "n", "INSERTELEMENT <{1} {2}> {3} {4} {5}", Inst},
	{"new_shufflevector", "nnnnnn", "kttxxx", "n", "SHUFFLEVECTOR <{1} {2}> {3} {4} {5}", Inst},
	{"new_new", "nn", "kt", "n", "NEW <{1}>{exc}", Inst},
	{"new_newhybrid", "nnnn", "kttx", "n", "NEWHYBRID <{1} {2}> {3}{exc}", Inst},
	{"new_alloca", "nn", "kt", "n", "ALLOCA <{1}>{exc}", Inst},
	{"new_allocahybrid", "nnnn", "kttx", "n", "ALLOCAHYBRID <{1} {2}> {3}{exc}", Inst},
	{"new_getiref", "nnn", "ktx", "n", "GETIREF <{1}> {2}", Inst},
	{"new_getfieldiref", "nwnwn", "ktx", "n", "GETFIELDIREF{1:ptr} <{2} {3:number}> {4}", Inst},
	{"new_getelemiref", "nwnnnn", "kttxx", "n", "GETELEMIREF{1:ptr} <{2} {3}> {4} {5}", Inst},
	{"new_shiftiref", "nwnnnn", "kttxx", "n", "SHIFTIREF{1:ptr} <{2} {3}> {4} {5}", Inst},
	{"new_getvarpartiref", "nwnn", "ktx", "n", "GETVARPARTIREF{1:ptr} <{2}> {3}", Inst},
	{"new_load", "nwwnn", "ktx", "n", "LOAD{1:ptr} {2:order} <{3}> {4}{exc}", Inst},
	{"new_store", "nwwnnn", "ktxx", "n", "STORE{1:ptr} {2:order} <{3}> {4} {5}{exc}", Inst},
	{"new_cmpxchg", "nwwwwnnnn", "ktxxx", "n", "CMPXCHG{1:ptr}{2:weak} {3:order} {4:order} <{5}> {6} {7} {8}{exc}", Inst},
	{"new_atomicrmw", "nwwwnnn", "ktxx", "n", "ATOMICRMW{1:ptr} {2:order} {3:rmw} <{4}> {5} {6}{exc}", Inst},
	{"new_fence", "nw", "k", "n", "FENCE {1:order}", Inst},
	{"new_trap", "nAl", "kt", "n", "TRAP <{1}>{exc}{keep}", Inst},
	{"new_watchpoint", "nwAl", "kt", "n", "WATCHPOINT {1:number} <{2}> {DISABLED} {ENABLED}{wpexc}{keep}", Inst},
	{"new_wpbranch", "nw", "k", "n", "WPBRANCH {1:number} {DISABLED} {ENABLED}", Inst},
	{"new_ccall", "nwnnnAl", "ktsxx", "n", "CCALL {1:call} <{2} {3}> {4} ({5}){exc}{keep}", Inst},
	{"new_newthread", "nnn", "kxx", "n", "NEWTHREAD {1}{2:threadlocal} {newstack}{exc}", Inst},
	{"new_swapstack_ret", "nnAl", "kxt", "n", "SWAPSTACK {1} RET_WITH <{2}> {newstack}{exc}{keep}", Inst},
	{"new_swapstack_kill", "nn", "kx", "n", "SWAPSTACK {1} KILL_OLD {newstack}", Inst},
	{"set_newstack_pass_values", "nAAl", "itx", "", "", 0},
	{"set_newstack_throw_exc", "nn", "ix", "", "", 0},
	{"new_comminst", "nwIlAlAlAl", "ktsx", "n", "COMMINST {1:common}{2:flags} <{3}> <[{4}]> ({5}){exc}", Inst},
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

// has reports whether a later call may fill in a part of what the row makes.
func (r *Row) has(part string) bool { return strings.Contains(r.text, "{"+part+"}") }
