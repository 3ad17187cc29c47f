// Package facts computes facts about a whole program after the passes: which
// functions may throw or collect, which need a frame, whether there may be several
// threads, whether frames are inspected, which parts of a type the collector traces.
//
// Of computes the facts once, from the bodies at that time. Packages resume, lower and
// gogen read them; they do not change afterwards. A fact about a function says what a
// call of it may do. If functions that are not yet known may be added, a computed call
// may do anything.
package facts

import (
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Options are what is known of a program beyond its text.
type Options struct {
	// Open says that code which is not part of the program calls its functions and
	// passes it others: the program is an importable package.
	Open bool
	// Introspect says that a client inspects and replaces frames.
	Introspect bool
	// Threads says that code which is not part of the program may start threads.
	Threads bool
}

// Program is what is known of a program.
type Program struct {
	*Types
	IR *ir.Program

	Open       bool // see Options
	Threads    bool // there may be several threads
	Introspect bool // frames are inspected and replaced, by a client or by the program
	Loads      bool // loads HAIL scripts or bundles at run time
	LoadsCode  bool // loads bundles at run time
	Weak       bool // the program may see that an object is gone: weak references, finalizers

	funcs                  map[*ir.Function]*Func
	viaThrows, viaCollects map[int]bool // by class, of computed calls
}

// Func is what is known of a function.
type Func struct {
	fn *ir.Function

	Class int // of the signature
	// Guards: pushes a frame even without roots, because it is on a cycle of
	// calls, all of which must have a frame somewhere to count the depth.
	Guards   bool
	Throws   bool // may return with an exception
	Collects bool // may start a collection
	Tails    bool // has tail calls other than to itself
	Address  bool // its record is referred to
	Cookie   bool // reads its cookie

	calls    []*ir.Function // static callees
	indirect []int          // classes of computed callees
	refs     bool           // has values that the collector follows
}

// Of computes the facts of a program.
func Of(p *ir.Program, opt Options) *Program {
	s := &Program{
		Types: newTypes(p.Types), IR: p, Open: opt.Open,
		Introspect: opt.Introspect || Inspects(p),
		Loads:      Loads(p),
		LoadsCode:  LoadsCode(p),
		Threads:    opt.Open || opt.Threads || len(p.Exposes) > 0 || uses(p, ir.OpNewThread, ir.OpExpose),
		Weak:       hasWeak(p.Types) || uses(p, ir.OpSetFinal),
		funcs:      map[*ir.Function]*Func{},
	}
	s.summarize()
	return s
}

// Func is what is known of a function of the program.
func (s *Program) Func(f *ir.Function) *Func { return s.funcs[f] }

// OpenWorld reports whether functions that are not known now may be added.
func (s *Program) OpenWorld() bool { return s.Open || s.LoadsCode }

// Callee is the function that a call names, nil if it is computed.
func Callee(v *ir.Version, in *ir.Inst) *ir.Function {
	if c := v.Values[in.Args[0]].Const; c != nil && c.Kind == ir.ConstFunc {
		return c.Func
	}
	return nil
}

// Safepoint reports whether an instruction may start a collection.
func (s *Program) Safepoint(v *ir.Version, in *ir.Inst) bool {
	if in.Op == ir.OpCall {
		if f := Callee(v, in); f != nil {
			return s.funcs[f].Collects
		}
		return s.OpenWorld() || s.viaCollects[s.ClassOf(in.Sig)]
	}
	return in.Op.Is(ir.MayCollect) && in.Op != ir.OpTailCall
}

// CallThrows reports whether a call may end with an exception.
func (s *Program) CallThrows(v *ir.Version, in *ir.Inst) bool {
	if f := Callee(v, in); f != nil {
		return s.funcs[f].Throws
	}
	return s.OpenWorld() || s.viaThrows[s.ClassOf(in.Sig)]
}

// Inspects reports whether the program itself looks at frames or replaces them.
func Inspects(p *ir.Program) bool {
	return uses(p, ir.OpMetaNewCursor, ir.OpMetaPopFramesTo, ir.OpMetaPushFrame)
}

// Loads reports whether the program loads HAIL scripts or bundles at run time.
func Loads(p *ir.Program) bool { return LoadsCode(p) || uses(p, ir.OpMetaLoadHAIL) }

// LoadsCode reports whether the program loads bundles at run time.
func LoadsCode(p *ir.Program) bool { return uses(p, ir.OpMetaLoadBundle, ir.OpIRBuilder) }

// LooksUp reports whether the program asks for names or IDs, or loads what has names
// in them.
func LooksUp(p *ir.Program) bool {
	return Loads(p) || uses(p, ir.OpMetaIDOf, ir.OpMetaNameOf)
}

// uses reports whether a body of the program has one of the operations.
func uses(p *ir.Program, ops ...ir.Op) bool {
	want := map[ir.Op]bool{}
	for _, op := range ops {
		want[op] = true
	}
	for _, f := range p.Funcs {
		v := f.Current()
		if v == nil {
			continue
		}
		for b := range v.Blocks {
			for _, id := range v.Blocks[b].Insts {
				if want[v.Insts[id].Op] {
					return true
				}
			}
		}
	}
	return false
}

// hasWeak reports whether there are weak references.
func hasWeak(types *ir.Types) bool {
	for id := range types.Len() {
		if types.Kind(ir.TypeID(id)) == ir.KWeakRef {
			return true
		}
	}
	return false
}
