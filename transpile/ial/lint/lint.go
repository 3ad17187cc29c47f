// Package lint warns about code in IAL programs that is allowed but hardly intended
// (docs/ial.md, "Lint"): attributes without effect, broken promises of attributes, memory that
// outlives its function or is freed by a function to which it does not belong.
//
// It examines only functions with the attribute ssa, where a register has one meaning, and
// follows a value no further than from the instruction that makes it to the one that uses it.
// Programs must have passed package verify. All reports are warnings.
package lint

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// Program looks at all ssa functions of a program.
func Program(p *module.Program, diags *diag.List) {
	for _, m := range p.Modules {
		for _, f := range m.Functions {
			if f.Has(module.SSA) {
				newLinter(f, diags).function()
			}
		}
	}
}

// A linter looks at one function.
type linter struct {
	diags  *diag.List
	f      *module.Function
	defs   []*module.Instr // by register
	params []int           // by register: the number of the parameter that it is, from 1
	block  *module.Block
	in     *module.Instr
}

func newLinter(f *module.Function, diags *diag.List) *linter {
	l := &linter{diags: diags, f: f, defs: make([]*module.Instr, len(f.Registers)), params: make([]int, len(f.Registers))}
	popped := 0
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if in.Target == nil {
				continue
			}
			l.defs[in.Target.Index] = in
			if in.Op == module.ArgPop {
				popped++
				l.params[in.Target.Index] = popped
			}
		}
	}
	return l
}

// warn reports at a place of the instruction.
func (l *linter) warn(pos diag.Pos, format string, args ...any) *diag.Diagnostic {
	return l.diags.Warnf(pos, "function %s, block %s, %s: %s",
		module.Quote(l.f.Name), l.block.Label(), l.in.Op, fmt.Sprintf(format, args...))
}

func (l *linter) function() {
	l.parameters()
	for _, b := range l.f.Blocks {
		for _, in := range b.Instrs {
			l.block, l.in = b, in
			l.volatile(in)
			l.promises(in)
			l.leaks(in)
			l.frees(in)
		}
	}
}

// access says for which operations volatile has a meaning, and what they do with their
// sources.
type access uint8

const (
	accessNone    access = iota
	accessMemory         // reads or writes memory
	accessPointer        // stores its second source where the first points to
	accessField          // stores its source in a global or thread field
)

var accesses = [module.NumOps]access{
	module.MemGet: accessMemory, module.ArrayGet: accessMemory, module.ArraySet: accessMemory,
	module.FieldGet: accessMemory, module.FieldSet: accessMemory,
	module.FieldUserGet: accessMemory, module.FieldUserSet: accessMemory,
	module.FieldStaticGet: accessMemory, module.FieldGlobalGet: accessMemory, module.FieldThreadGet: accessMemory,
	module.MemSet:         accessPointer,
	module.FieldStaticSet: accessField, module.FieldGlobalSet: accessField, module.FieldThreadSet: accessField,
}

// origin is the kind of memory whose address is the result of an operation.
type origin uint8

const (
	originOther origin = iota
	originFrame        // memory of the function
	originField        // a global or thread field
	originData         // a data block
)

var origins = [module.NumOps]origin{
	module.MemSalloc: originFrame, module.MemSnew: originFrame, module.MemAddr: originFrame,
	module.FieldStaticAddr: originField, module.FieldGlobalAddr: originField, module.FieldThreadAddr: originField,
	module.LoadData: originData,
}

// origin is the kind of memory whose address a register holds.
func (l *linter) origin(r *module.Register) origin {
	if d := l.defs[r.Index]; d != nil {
		return origins[d.Op]
	}
	return originOther
}

// volatile warns about the attribute on instructions that do not access memory.
func (l *linter) volatile(in *module.Instr) {
	if in.Volatile && accesses[in.Op] == accessNone {
		l.warn(in.Pos, "volatile has no meaning, as this is no access to memory")
	}
}

// aliases reports whether values of a type can be kept elsewhere.
func aliases(t *module.Type) bool {
	return t.Kind == module.Pointer || t.Kind == module.FuncType || t.IsManaged()
}

// parameters warns about noescape on parameters that cannot escape.
func (l *linter) parameters() {
	for i := range l.f.Params {
		if p := &l.f.Params[i]; p.NoEscape && !aliases(p.Type) {
			l.diags.Warnf(p.Pos, "function %s: noescape has no meaning for parameter %d, as a value of type %s refers to nothing",
				module.Quote(l.f.Name), i+1, p.Type.Spell(l.f.Module))
		}
	}
}

// promises warns about instructions that noreturn and nothrow rule out, in the function or in one that it calls.
func (l *linter) promises(in *module.Instr) {
	broken := func(a module.Attrs, word, by string) {
		if !l.f.Has(a) {
			return
		}
		if in.Func == nil {
			l.warn(in.Pos, "the function is %s, but %s here", word, by)
		} else if !in.Func.Has(a) {
			l.warn(in.OperandPos[0], "the function is %s, but calls %s, which is not", word, in.Func.Spell(l.f.Module))
		}
	}
	switch in.Op {
	case module.Leave, module.Return:
		broken(module.NoReturn, "noreturn", "returns")
	case module.EHThrow, module.EHRethrow:
		broken(module.NoThrow, "nothrow", "throws")
	case module.Call, module.CallTail, module.Invoke, module.InvokeTail:
		broken(module.NoReturn, "noreturn", "")
		broken(module.NoThrow, "nothrow", "")
	}
}

// leaks warns where memory of the function, or a parameter that must not escape, is stored so
// that it outlives the call.
func (l *linter) leaks(in *module.Instr) {
	src, how := 0, ""
	switch {
	case in.Op == module.Return:
		how = "returned"
	case in.Op == module.EHThrow:
		how = "thrown"
	case accesses[in.Op] == accessField:
		how = "stored in a field that outlives the call"
	case accesses[in.Op] == accessPointer && l.origin(in.Src[0]) == originField:
		src, how = 1, "stored in a field that outlives the call"
	default:
		return
	}
	r, pos := in.Src[src], in.SrcPos[src]
	if l.origin(r) == originFrame {
		l.warn(pos, "%s is memory of the function, but is %s", module.Quote(r.Name), how).Also(l.defs[r.Index].TargetPos, "allocated")
	}
	if n := l.params[r.Index]; n > 0 && n <= len(l.f.Params) {
		if p := &l.f.Params[n-1]; p.NoEscape && aliases(p.Type) {
			l.warn(pos, "%s is a noescape parameter, but is %s", module.Quote(r.Name), how).Also(p.Pos, "parameter")
		}
	}
}

// frees warns about mem.free of memory that was not allocated on the heap.
func (l *linter) frees(in *module.Instr) {
	if in.Op != module.MemFree {
		return
	}
	r := in.Src[0]
	d := l.defs[r.Index]
	if d == nil {
		return
	}
	what := ""
	switch {
	case origins[d.Op] == originFrame:
		what = "memory of the function"
	case origins[d.Op] == originField:
		what = "the address of a field"
	case origins[d.Op] == originData:
		what = "a data block"
	case d.Op == module.FieldAddr && d.Src[0].Type.Kind == module.StructType:
		what = "the address of a register's field"
	default:
		return
	}
	l.warn(in.SrcPos[0], "%s is %s, which cannot be freed", module.Quote(r.Name), what).Also(d.TargetPos, "made")
}
