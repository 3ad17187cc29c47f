package nodes

import (
	"fmt"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// An IDRow is a function of the later builder (docs/client.md, "The IR builder"), in which nodes are IDs.
type IDRow struct {
	Name   string
	Params []IDParam

	makes Kind
	row   *Row // the instruction of the other builder that makes the same part of the graph; nil for blocks, versions and clauses
}

// An IDParam is a parameter of an IDRow.
type IDParam struct {
	Name string
	Role byte // see IDRows
	// List means a list, Shared one with the length of the list before it, and Optional an ID that may be 0.
	List, Shared, Optional bool
}

// Slot is the place of the first of IDRows in the client API's table of functions; the others follow it.
const Slot = 4

// IDRows are the functions of the later builder, in the order of their slots. Each parameter has a name and a role:
//
//	d  the ID that the function defines
//	r  the ID of a result that it defines; p e  of a parameter or an exception parameter
//	t s c g f x l  a type, a signature, a constant, a global variable, a function, any variable, a local variable
//	k i  a block, an instruction
//	V  a case of a SWITCH, a global variable
//	D E K C N  a destination clause, an exception, keep-alive, current-stack or new-stack clause
//	w W I  a number; in lists a number of 64 bits, of 32 bits
//	4 8  the bits of a float, of a double
//	Z  a text
//
// After it * is a list, & a list with the length of the one before, and ? what may be absent.
var IDRows = idRows(
	"new_type_int id:d len:w",
	"new_type_float id:d",
	"new_type_double id:d",
	"new_type_uptr id:d ty:t",
	"new_type_ufuncptr id:d sig:s",
	"new_type_struct id:d fieldtys:t*",
	"new_type_hybrid id:d fixedtys:t* varty:t",
	"new_type_array id:d elemty:t len:w",
	"new_type_vector id:d elemty:t len:w",
	"new_type_void id:d",
	"new_type_ref id:d ty:t",
	"new_type_iref id:d ty:t",
	"new_type_weakref id:d ty:t",
	"new_type_funcref id:d sig:s",
	"new_type_tagref64 id:d",
	"new_type_threadref id:d",
	"new_type_stackref id:d",
	"new_type_framecursorref id:d",
	"new_type_irbuilderref id:d",
	"new_funcsig id:d paramtys:t* rettys:t*",
	"new_const_int id:d ty:t value:w",
	"new_const_int_ex id:d ty:t values:W*",
	"new_const_float id:d ty:t value:4",
	"new_const_double id:d ty:t value:8",
	"new_const_null id:d ty:t",
	"new_const_seq id:d ty:t elems:g*",
	"new_const_extern id:d ty:t symbol:Z",
	"new_global_cell id:d ty:t",
	"new_func id:d sig:s",
	"new_exp_func id:d func:f callconv:w cookie:c",
	"new_func_ver id:d func:f bbs:k*",
	"new_bb id:d nor_param_ids:p* nor_param_types:t& exc_param_id:e? insts:i*",
	"new_dest_clause id:d dest:k vars:x*",
	"new_exc_clause id:d nor:D exc:D",
	"new_keepalive_clause id:d vars:l*",
	"new_csc_ret_with id:d rettys:t*",
	"new_csc_kill_old id:d",
	"new_nsc_pass_values id:d tys:t* vars:x&",
	"new_nsc_throw_exc id:d exc:x",
	"new_binop id:d result_id:r optr:w ty:t opnd1:x opnd2:x exc_clause:E?",
	"new_binop_with_status id:d result_id:r status_result_ids:r* optr:w status_flags:w ty:t opnd1:x opnd2:x exc_clause:E?",
	"new_cmp id:d result_id:r optr:w ty:t opnd1:x opnd2:x",
	"new_conv id:d result_id:r optr:w from_ty:t to_ty:t opnd:x",
	"new_select id:d result_id:r cond_ty:t opnd_ty:t cond:x if_true:x if_false:x",
	"new_branch id:d dest:D",
	"new_branch2 id:d cond:x if_true:D if_false:D",
	"new_switch id:d opnd_ty:t opnd:x default_dest:D cases:V* dests:D&",
	"new_call id:d result_ids:r* sig:s callee:x args:x* exc_clause:E? keepalive_clause:K?",
	"new_tailcall id:d sig:s callee:x args:x*",
	"new_ret id:d rvs:x*",
	"new_throw id:d exc:x",
	"new_extractvalue id:d result_id:r strty:t index:w opnd:x",
	"new_insertvalue id:d result_id:r strty:t index:w opnd:x newval:x",
	"new_extractelement id:d result_id:r seqty:t indty:t opnd:x index:x",
	"new_insertelement id:d result_id:r seqty:t indty:t opnd:x index:x newval:x",
	"new_shufflevector id:d result_id:r vecty:t maskty:t vec1:x vec2:x mask:x",
	"new_new id:d result_id:r allocty:t exc_clause:E?",
	"new_newhybrid id:d result_id:r allocty:t lenty:t length:x exc_clause:E?",
	"new_alloca id:d result_id:r allocty:t exc_clause:E?",
	"new_allocahybrid id:d result_id:r allocty:t lenty:t length:x exc_clause:E?",
	"new_getiref id:d result_id:r refty:t opnd:x",
	"new_getfieldiref id:d result_id:r is_ptr:w refty:t index:w opnd:x",
	"new_getelemiref id:d result_id:r is_ptr:w refty:t indty:t opnd:x index:x",
	"new_shiftiref id:d result_id:r is_ptr:w refty:t offty:t opnd:x offset:x",
	"new_getvarpartiref id:d result_id:r is_ptr:w refty:t opnd:x",
	"new_load id:d result_id:r is_ptr:w ord:w refty:t loc:x exc_clause:E?",
	"new_store id:d is_ptr:w ord:w refty:t loc:x newval:x exc_clause:E?",
	"new_cmpxchg id:d value_result_id:r succ_result_id:r is_ptr:w is_weak:w ord_succ:w ord_fail:w refty:t loc:x expected:x desired:x exc_clause:E?",
	"new_atomicrmw id:d result_id:r is_ptr:w ord:w optr:w ref_ty:t loc:x opnd:x exc_clause:E?",
	"new_fence id:d ord:w",
	"new_trap id:d result_ids:r* rettys:t& exc_clause:E? keepalive_clause:K?",
	"new_watchpoint id:d wpid:w result_ids:r* rettys:t& dis:D ena:D exc:D? keepalive_clause:K?",
	"new_wpbranch id:d wpid:w dis:D ena:D",
	"new_ccall id:d result_ids:r* callconv:w callee_ty:t sig:s callee:x args:x* exc_clause:E? keepalive_clause:K?",
	"new_newthread id:d result_id:r stack:x threadlocal:x? new_stack_clause:N exc_clause:E?",
	"new_swapstack id:d result_ids:r* swappee:x cur_stack_clause:C new_stack_clause:N exc_clause:E? keepalive_clause:K?",
	"new_comminst id:d result_ids:r* opcode:w flags:I* tys:t* sigs:s* args:x* exc_clause:E? keepalive_clause:K?",
)

// later are the rows for functions that have no counterpart in the other builder.
var later = []Row{
	{Name: "new_type_irbuilderref", Params: "n", Nodes: "b", makes: Type, typ: syntax.TypeIRBuilderRef},
	{Name: "new_const_extern", Params: "nnZ", Nodes: "bt", makes: Const, value: syntax.ConstExtern},
	{Name: "new_binop_with_status", Params: "nwwnnn", Nodes: "ktxx", makes: Inst, numbers: []number{binary, statusBits}, clauses: exc},
	{Name: "new_swapstack", Params: "nn", Nodes: "kx", makes: Inst, op: syntax.OpSwapStack, clauses: newStack | exc | keep},
}

// wholes are the kinds of what has no row.
var wholes = map[string]Kind{"new_func_ver": Version, "new_bb": Block, "new_dest_clause": DestClause, "new_exc_clause": ExcClause,
	"new_keepalive_clause": KeepClause, "new_csc_ret_with": CurClause, "new_csc_kill_old": CurClause,
	"new_nsc_pass_values": NewClause, "new_nsc_throw_exc": NewClause}

// idRows makes the table of its text.
func idRows(lines ...string) []IDRow {
	rows := map[string]*Row{}
	for _, list := range [][]Row{Rows, later} {
		for i := range list {
			rows[list[i].Name] = &list[i]
		}
	}
	table := make([]IDRow, len(lines))
	for i, line := range lines {
		words := strings.Fields(line)
		r := &table[i]
		r.Name = words[0]
		if r.makes = wholes[r.Name]; r.makes == None {
			r.row = rows[r.Name]
			r.makes = r.row.makes
		}
		for _, w := range words[1:] {
			name, role, _ := strings.Cut(w, ":")
			p := IDParam{Name: name, Role: role[0]}
			switch role[1:] {
			case "*":
				p.List = true
			case "&":
				p.List, p.Shared = true, true
			case "?":
				p.Optional = true
			}
			r.Params = append(r.Params, p)
		}
	}
	return table
}

// IDRowNamed is the row with a name, nil if there is none.
func IDRowNamed(name string) *IDRow { return idRowsByName[name] }

var idRowsByName = func() map[string]*IDRow {
	m := map[string]*IDRow{}
	for i := range IDRows {
		m[IDRows[i].Name] = &IDRows[i]
	}
	return m
}()

// laterName is the name of the common instruction with an opcode of the later generation, "" if there is none.
func laterName(code uint64) string {
	const getAddr, last = 0x242, 0x245
	const builder, end = 0x300, 0x400 // instructions of the builder, which the language does not have
	switch {
	case code == getAddr:
		return "@uvm.native.get_addr"
	case getAddr < code && code <= last:
		return commonName(code - 1)
	case builder <= code && code < end:
		return ""
	}
	return commonName(code)
}

// Opcode is the opcode of the common instruction with a name in the later generation, 0 if it has none.
func Opcode(name string) uint64 {
	for code := range commons {
		for _, code := range [...]uint64{code, code + 1} {
			if laterName(code) == name {
				return code
			}
		}
	}
	if name == laterName(0x242) {
		return 0x242
	}
	return 0
}

// statusBits are the status flags of a binary operation.
var statusBits = number{"set of status flags", func(in *syntax.Inst, x uint64) bool { return x < 1<<len(statusNames) }}

// statusNames are the flags by bit.
var statusNames = [...]string{"#N", "#Z", "#C", "#V"}

// count says how many arguments a call of the row wants.
func (r *IDRow) count(got int) error {
	if got == len(r.Params) {
		return nil
	}
	var names []string
	for _, p := range r.Params {
		names = append(names, p.Name)
	}
	return fmt.Errorf("%s wants %d arguments (%s), got %d", r.Name, len(names), strings.Join(names, ", "), got)
}
