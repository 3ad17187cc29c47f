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
	"slices"

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
	ops := opsOf(p)
	s := &Program{
		Types: newTypes(p.Types), IR: p, Open: opt.Open,
		Introspect: opt.Introspect || ops.have(inspects...),
		Loads:      ops.have(loads...),
		LoadsCode:  ops.have(loadsCode...),
		Threads:    opt.Open || opt.Threads || threads(p, ops),
		Weak:       hasWeak(p.Types) || ops.have(ir.OpSetFinal),
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

// Threads reports whether the program itself, or C code that it calls, may start threads.
func Threads(p *ir.Program) bool { return threads(p, opsOf(p)) }

func threads(p *ir.Program, o *ops) bool {
	return len(p.Exposes) > 0 || o.have(ir.OpNewThread, ir.OpExpose)
}

// Inspects reports whether the program itself looks at frames or replaces them.
func Inspects(p *ir.Program) bool {
	return opsOf(p).have(inspects...)
}

// Loads reports whether the program loads HAIL scripts or bundles at run time.
func Loads(p *ir.Program) bool { return opsOf(p).have(loads...) }

// LoadsCode reports whether the program loads bundles at run time.
func LoadsCode(p *ir.Program) bool { return opsOf(p).have(loadsCode...) }

// LooksUp reports whether the program asks for names or IDs, or loads what has names
// in them.
func LooksUp(p *ir.Program) bool {
	return opsOf(p).have(append([]ir.Op{ir.OpMetaIDOf, ir.OpMetaNameOf}, loads...)...)
}

// Operations that tell what a program does.
var (
	inspects  = []ir.Op{ir.OpMetaNewCursor, ir.OpMetaPopFramesTo, ir.OpMetaPushFrame}
	loadsCode = []ir.Op{ir.OpMetaLoadBundle, ir.OpIRBuilder}
	loads     = append([]ir.Op{ir.OpMetaLoadHAIL}, loadsCode...)
)

// ops has the operations that occur in a program.
type ops [ir.NumOps]bool

// have reports whether one of the operations occurs.
func (o *ops) have(list ...ir.Op) bool {
	return slices.ContainsFunc(list, func(op ir.Op) bool { return o[op] })
}

// opsOf finds the operations in the current bodies.
func opsOf(p *ir.Program) *ops {
	o := new(ops)
	for _, f := range p.Funcs {
		v := f.Current()
		if v == nil {
			continue
		}
		for b := range v.Blocks {
			for _, id := range v.Blocks[b].Insts {
				o[v.Insts[id].Op] = true
			}
		}
	}
	return o
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
