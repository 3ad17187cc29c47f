package remake

import (
	"strings"

	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// clause makes a clause, none if there is nothing to make.
func (r *remaker) clause(name string, args ...any) uint32 {
	id := r.fresh()
	r.call(name, append([]any{id}, args...)...)
	return id
}

func (r *remaker) dest(d *syntax.Dest) uint32 {
	return r.clause("new_dest_clause", r.below(r.version, d.Block), r.values(d.Args))
}

func (r *remaker) exc(in *syntax.Inst) uint32 {
	nor, exc := in.Exc()
	if nor == nil {
		return 0
	}
	return r.clause("new_exc_clause", r.dest(nor), r.dest(exc))
}

func (r *remaker) keep(in *syntax.Inst) uint32 {
	if in.Flags&syntax.HasKeep == 0 {
		return 0
	}
	return r.clause("new_keepalive_clause", r.values(in.Keep))
}

func (r *remaker) newStack(x *syntax.Ext) uint32 {
	if x.New == syntax.ThrowExc {
		return r.clause("new_nsc_throw_exc", r.value(x.Throw))
	}
	return r.clause("new_nsc_pass_values", r.globals(x.PassTypes), r.values(x.PassArgs))
}

func flagOf(in *syntax.Inst, f syntax.Flags) int {
	if in.Flags&f != 0 {
		return 1
	}
	return 0
}

func order(o syntax.Order) int { return max(int(o)-1, 0) }

// inst makes an instruction.
func (r *remaker) inst(in *syntax.Inst) uint32 {
	id := r.fresh()
	if !in.Name.IsZero() {
		id = r.value(in.Name)
	}
	var args []any
	add := func(list ...any) { args = append(args, list...) }
	name := "new_" + strings.ToLower(in.Op.String())
	types := func() {
		for _, t := range in.Types {
			add(r.global(t))
		}
	}
	vals := func(l []syntax.Name) {
		for _, n := range l {
			add(r.value(n))
		}
	}
	dests := func() {
		for i := range in.Dests {
			add(r.dest(&in.Dests[i]))
		}
	}
	ptr := flagOf(in, syntax.Ptr)
	results := r.values(in.Results)
	add(id)
	switch in.Op.Form() {
	case syntax.FormCall, syntax.FormTrap, syntax.FormCCall, syntax.FormComm, syntax.FormSwap:
		add(results)
	case syntax.FormWatch:
		add(in.Int.Lo, results)
	case syntax.FormBin:
		if in.Ext != nil {
			add(results[0], results[1:])
			break
		}
		vals(in.Results)
	default:
		vals(in.Results)
	}
	switch in.Op.Form() {
	case syntax.FormBin:
		name = "new_binop"
		add(codes[in.Op.String()])
		if in.Ext != nil {
			name = "new_binop_with_status"
			bits := 0
			for _, f := range in.Ext.Flags {
				bits |= 1 << strings.Index("NZCV", r.spell(f)[1:])
			}
			add(bits)
		}
		types()
		vals(in.Args)
		add(r.exc(in))
	case syntax.FormCmp, syntax.FormConv:
		name = "new_cmp"
		if in.Op.Form() == syntax.FormConv {
			name = "new_conv"
		}
		add(codes[in.Op.String()])
		types()
		vals(in.Args)
	case syntax.FormPlain:
		if in.Op.HasPtr() {
			add(ptr)
		}
		types()
		vals(in.Args)
		switch in.Op {
		case syntax.OpNew, syntax.OpNewHybrid, syntax.OpAlloca, syntax.OpAllocaHybrid:
			add(r.exc(in))
		}
	case syntax.FormField:
		if in.Op.HasPtr() {
			add(ptr)
		}
		types()
		add(in.Int.Lo)
		vals(in.Args)
	case syntax.FormBranch:
		dests()
	case syntax.FormBranch2:
		vals(in.Args)
		dests()
	case syntax.FormSwitch:
		types()
		add(r.value(in.Args[0]), r.dest(&in.Dests[0]))
		var to []uint32
		for i := range in.Dests[1:] {
			to = append(to, r.dest(&in.Dests[1+i]))
		}
		add(r.values(in.Args[1:]), to)
	case syntax.FormCall:
		add(r.global(in.Sig), r.value(in.Args[0]), r.values(in.Args[1:]), r.exc(in), r.keep(in))
	case syntax.FormTailCall:
		add(r.global(in.Sig), r.value(in.Args[0]), r.values(in.Args[1:]))
	case syntax.FormRet:
		add(r.values(in.Args))
	case syntax.FormAccess:
		add(ptr, order(in.Order))
		types()
		vals(in.Args)
		add(r.exc(in))
	case syntax.FormCmpXchg:
		add(ptr, flagOf(in, syntax.Weak), order(in.Order), order(in.OrdFail))
		types()
		vals(in.Args)
		add(r.exc(in))
	case syntax.FormRMW:
		add(ptr, order(in.Order), int(in.RMW-syntax.RMWXchg))
		types()
		vals(in.Args)
		add(r.exc(in))
	case syntax.FormFence:
		add(order(in.Order))
	case syntax.FormTrap:
		add(r.globals(in.Types), r.exc(in), r.keep(in))
	case syntax.FormWatch:
		add(r.globals(in.Types))
		dests()
		if len(in.Dests) == 2 {
			add(uint32(0))
		}
		add(r.keep(in))
	case syntax.FormWPBranch:
		add(in.Int.Lo)
		dests()
	case syntax.FormCCall:
		add(0, r.global(in.Types[0]), r.global(in.Sig), r.value(in.Args[0]), r.values(in.Args[1:]), r.exc(in), r.keep(in))
	case syntax.FormThread:
		add(r.value(in.Args[0]), r.value(in.Ext.ThreadLocal), r.newStack(in.Ext), r.exc(in))
	case syntax.FormSwap:
		cur := uint32(0)
		if in.Ext.Cur == syntax.KillOld {
			cur = r.clause("new_csc_kill_old")
		} else {
			cur = r.clause("new_csc_ret_with", r.globals(in.Ext.RetTypes))
		}
		add(r.value(in.Args[0]), cur, r.newStack(in.Ext), r.exc(in), r.keep(in))
	case syntax.FormComm:
		if codes[r.spell(in.Ext.Common)] == 0 {
			r.unspeakable = r.spell(in.Ext.Common)
		}
		add(codes[r.spell(in.Ext.Common)], make([]uint32, len(in.Ext.Flags)), r.globals(in.Types), r.globals(in.Ext.Sigs), r.values(in.Args), r.exc(in), r.keep(in))
	}
	r.call(name, args...)
	return id
}
