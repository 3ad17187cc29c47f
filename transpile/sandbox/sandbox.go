// Package sandbox checks that a program stays within its own memory and its own affairs (docs/security.md): no
// native code beyond a list, no addresses that are numbers, no code or files from outside. It reads the
// representation before any pass, so the rules are the same for all dialects.
//
// What is allowed is a list: an operation that this package does not know is refused. How much has to be refused
// depends on what the executor checks while the program runs, see Level. The package changes nothing in a program,
// and adds no checks to it.
package sandbox

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/internal/clib"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// A Level is what the executor itself makes sure of.
type Level uint8

// The levels.
const (
	// Interpreted is that of the reference interpreter, whose memory consists of typed values of Go.
	Interpreted Level = iota
	// Checked is that of code made with -sanitize whose addressing is checked, too: accesses and addresses stay in
	// one allocation unit, and references are not accessed as data. It does not know functions and stacks in memory.
	Checked
	// Unchecked is that of the engine: only the types of the program keep it from leaving its memory.
	Unchecked
)

// Options say what a program may do.
type Options struct {
	Level Level
	Allow []string // native symbols, in addition to Natives
}

// Natives lists the native symbols that are always allowed: functions of the runtime that compute numbers from
// numbers, output of single values, and write, whose file must be a constant 1 or 2.
func Natives() []string {
	list := []string{"putchar", "write", "uvmPrintInt64", "uvmPrintDouble"}
	for name, row := range clib.Table {
		sig := row.Signature()
		if row.Has(clib.Pure) && !strings.Contains(sig.Params+string(sig.Result), "p") {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// Check reports what a program is not allowed to do, each with its position.
func Check(p *ir.Program, opt Options, diags *diag.List) {
	c := &checker{p: p, t: p.Types, opt: opt, diags: diags, layout: layout.New(p.Types), allowed: map[string]bool{}, holds: map[ir.TypeID]contents{}}
	for _, n := range slices.Concat(Natives(), opt.Allow) {
		c.allowed[n] = true
	}
	c.constants()
	for _, e := range p.Exposes {
		c.refuse(e.Pos, "%s: function pointers for native code are not available", e.Name)
	}
	for _, f := range p.Funcs {
		if v := f.Current(); v != nil {
			c.survey(v)
		}
	}
	for _, f := range p.Funcs {
		if v := f.Current(); v != nil {
			c.body(v)
		}
	}
}

// A checker checks one program.
type checker struct {
	p       *ir.Program
	t       *ir.Types
	opt     Options
	diags   *diag.List
	layout  *layout.Table
	allowed map[string]bool
	holds   map[ir.TypeID]contents
	v       *ir.Version

	loose   diag.Pos // of the first instruction that may address memory as another type
	threads diag.Pos // of the first that starts a thread

	crosses ir.TypeID // the type of references that stacks pass to each other
	crossed diag.Pos  // where it was found
}

// refuse reports an error.
func (c *checker) refuse(pos diag.Pos, format string, args ...any) {
	c.diags.Errorf(pos, "sandbox: "+format, args...)
}

// instruction reports an error at an instruction.
func (c *checker) instruction(in *ir.Inst, format string, args ...any) {
	c.refuse(in.Pos, "%s: "+format, append([]any{c.v.Func.Called()}, args...)...)
}

// constants checks native symbols and addresses, each at its definition or else at its first use.
func (c *checker) constants() {
	seen := map[string]bool{}
	var visit func(k *ir.Const, at diag.Pos)
	visit = func(k *ir.Const, at diag.Pos) {
		if k == nil {
			return
		}
		if k.Pos.IsValid() {
			at = k.Pos
		}
		what := ""
		switch {
		case k.Kind == ir.ConstExtern && !c.allowed[k.Sym]:
			what = fmt.Sprintf("native symbol %q is not allowed; -sandbox-allow %s allows it", k.Sym, k.Sym)
		case k.Kind == ir.ConstInt && c.t.Kind(k.Type).IsPointer() && k.Lo|k.Hi != 0:
			what = fmt.Sprintf("the address %#x is a number; a pointer comes from @uvm.native.pin", k.Lo)
		}
		if what != "" && !seen[what] {
			seen[what] = true
			c.refuse(at, "%s", what)
		}
		for _, e := range k.Elems {
			visit(e, at)
		}
	}
	for _, k := range c.p.Consts {
		visit(k, k.Pos)
	}
	for _, g := range c.p.Globals {
		visit(g.Init, g.Pos)
	}
	if c.p.Image != nil {
		for i := range c.p.Image.Inits {
			visit(c.p.Image.Inits[i].Const, diag.Pos{})
		}
	}
	for _, f := range c.p.Funcs {
		v := f.Current()
		if v == nil {
			continue
		}
		for i := range v.Insts {
			for _, a := range v.Insts[i].Args {
				visit(v.Values[a].Const, v.Insts[i].Pos)
			}
			for _, d := range v.Insts[i].Dests {
				for _, a := range d.Args {
					visit(v.Values[a].Const, v.Insts[i].Pos)
				}
			}
		}
	}
}

// survey notes what decides about instructions elsewhere.
func (c *checker) survey(v *ir.Version) {
	c.v = v
	for i := range v.Insts {
		in := &v.Insts[i]
		if !c.loose.IsValid() && c.isLoose(in) {
			c.loose = in.Pos
		}
		if !c.threads.IsValid() && in.Op == ir.OpNewThread {
			c.threads = in.Pos
		}
	}
}

// isLoose reports whether the result of an instruction may be a location or object of another type than its own.
func (c *checker) isLoose(in *ir.Inst) bool {
	switch in.Op {
	case ir.OpShiftIRef, ir.OpGetVarPartIRef:
		return true
	case ir.OpGetElemIRef:
		return !c.within(in)
	case ir.OpRefCast:
		return c.changes(in)
	}
	return false
}

// within reports whether the index of a GETELEMIREF is a constant within its array.
func (c *checker) within(in *ir.Inst) bool {
	k := c.v.Values[in.Args[1]].Const
	return k != nil && k.Kind == ir.ConstInt && k.Hi == 0 && k.Lo < c.t.At(in.Ty).Len
}

// changes reports whether a REFCAST changes what memory is taken for. void cannot be accessed.
func (c *checker) changes(in *ir.Inst) bool {
	from, to := c.t.At(in.Ty), c.t.At(in.Ty2)
	return from.Kind == ir.KFuncRef || from.Elem != to.Elem && c.t.Kind(to.Elem) != ir.KVoid
}

// contents are kinds of values that a type contains.
type contents uint8

const (
	objects contents = 1 << iota // references to objects and locations
	others                       // references to functions, stacks, threads and the like
)

// contains tells what a value of a type contains.
func (c *checker) contains(t ir.TypeID) contents {
	if known, ok := c.holds[t]; ok {
		return known
	}
	var out contents
	n := c.t.At(t)
	switch n.Kind {
	case ir.KRef, ir.KIRef, ir.KWeakRef, ir.KTagRef64:
		out = objects
	case ir.KStruct, ir.KHybrid:
		for _, f := range n.Fields {
			out |= c.contains(f)
		}
		if n.Kind == ir.KHybrid {
			out |= c.contains(n.Elem)
		}
	case ir.KArray, ir.KVector:
		out = c.contains(n.Elem)
	case ir.KInt, ir.KFloat, ir.KDouble, ir.KUPtr, ir.KUFuncPtr, ir.KVoid:
	default:
		out = others
	}
	c.holds[t] = out
	return out
}

// Ops that are allowed at each level without further rules, by class.
var classes = map[ir.Class]bool{ir.ClassIntBin: true, ir.ClassFPBin: true, ir.ClassCmpEQ: true, ir.ClassCmpInt: true, ir.ClassCmpULT: true,
	ir.ClassCmpFP: true, ir.ClassSelect: true, ir.ClassRet: true,
	ir.ClassAggr: true, ir.ClassAlloc: true, ir.ClassShift: true, ir.ClassWord: true, ir.ClassFail: true}

// ops are the allowed operations of other classes, and further rules about them and those of classes.
var ops = map[ir.Op]func(c *checker, in *ir.Inst){
	ir.OpCCall: (*checker).native, ir.OpPtrCast: (*checker).pointer, ir.OpRefCast: (*checker).cast,
	ir.OpAlloca: (*checker).cell, ir.OpAllocaHybrid: (*checker).cell,
	ir.OpGetIRef: (*checker).address, ir.OpGetFieldIRef: (*checker).address, ir.OpGetElemIRef: (*checker).address,
	ir.OpShiftIRef: (*checker).address, ir.OpGetVarPartIRef: (*checker).address,
	ir.OpLoad: (*checker).access, ir.OpStore: (*checker).access, ir.OpCmpXchg: (*checker).access, ir.OpAtomicRMW: (*checker).access,
	ir.OpFutexWait: (*checker).access, ir.OpFutexWaitTimeout: (*checker).access, ir.OpFutexWake: (*checker).access, ir.OpFutexCmpRequeue: (*checker).access,
	ir.OpSwapStack: (*checker).passed, ir.OpNewThread: (*checker).passed, ir.OpNewStack: (*checker).bottom,
	ir.OpExtractElement: (*checker).element, ir.OpInsertElement: (*checker).element, ir.OpTagToRef: (*checker).untag,
	ir.OpBranch: nil, ir.OpBranch2: nil, ir.OpSwitch: nil, ir.OpCall: nil, ir.OpTailCall: nil, ir.OpThrow: nil, ir.OpTrap: nil,
	ir.OpWatchpoint: nil, ir.OpWPBranch: nil,
	ir.OpTrunc: nil, ir.OpZExt: nil, ir.OpSExt: nil, ir.OpFPTrunc: nil, ir.OpFPExt: nil, ir.OpFPToUI: nil, ir.OpFPToSI: nil, ir.OpUIToFP: nil,
	ir.OpSIToFP: nil, ir.OpBitcast: nil, ir.OpRefAddr: nil, ir.OpFence: nil, ir.OpKillStack: nil, ir.OpThreadExit: nil, ir.OpCurrentStack: nil,
	ir.OpSetThreadLocal: nil, ir.OpGetThreadLocal: nil, ir.OpTagIsFP: nil, ir.OpTagIsInt: nil, ir.OpTagIsRef: nil, ir.OpTagFromFP: nil,
	ir.OpTagFromInt: nil, ir.OpTagFromRef: nil, ir.OpTagToFP: nil, ir.OpTagToInt: nil, ir.OpTagToTag: nil, ir.OpKillDependency: nil,
	ir.OpPin: nil, ir.OpUnpin: nil, ir.OpGetAddr: nil, ir.OpMathSin: nil, ir.OpMathCos: nil, ir.OpMathTan: nil, ir.OpMathSqrt: nil, ir.OpAddOvf: nil,
	ir.OpMetaEnableWatchpoint: nil, ir.OpMetaDisableWatchpoint: nil, ir.OpShlFar: nil, ir.OpLShrFar: nil, ir.OpAShrFar: nil, ir.OpRotL: nil,
	ir.OpRotR: nil, ir.OpZExtWord: nil, ir.OpSExtWord: nil, ir.OpHasType: nil, ir.OpCollect: nil, ir.OpCollections: nil, ir.OpTarget: nil,
	ir.OpRethrow: nil, ir.OpFuncNow: nil, ir.OpUnreachable: nil,
}

// outside are the operations by which code, files or the machine would come in, also on the interpreter.
var outside = map[ir.Op]string{ir.OpMetaLoadBundle: "code cannot be loaded", ir.OpMetaLoadHAIL: "scripts cannot be loaded",
	ir.OpIRBuilder: "code cannot be loaded", ir.OpExpose: "function pointers for native code are not available"}

// body checks the instructions of a function.
func (c *checker) body(v *ir.Version) {
	c.v = v
	for i := range v.Insts {
		in := &v.Insts[i]
		if in.Op == 0 {
			continue
		}
		if why := outside[in.Op]; why != "" {
			c.instruction(in, "%s: %s", in.Op, why)
			continue
		}
		rule, known := ops[in.Op]
		switch {
		case c.opt.Level == Interpreted:
			if in.Op == ir.OpCCall || in.Op == ir.OpPtrCast {
				rule(c, in)
			}
		case !known && !classes[in.Op.Info().Class]:
			c.instruction(in, "%s is not allowed where accesses are not checked completely; run -interp -sandbox allows it", in.Op)
		case rule != nil:
			rule(c, in)
		}
	}
}

// native is the rule for CCALL: the callee is a symbol, which constants has checked.
func (c *checker) native(in *ir.Inst) {
	k := c.v.Values[in.Args[0]].Const
	if k == nil || k.Kind != ir.ConstExtern {
		c.instruction(in, "CCALL of a computed address; only native symbols that are allowed can be called")
		return
	}
	if k.Sym != "write" || slices.Contains(c.opt.Allow, "write") {
		return
	}
	if c.opt.Level == Unchecked {
		c.instruction(in, "write: nothing checks here what memory it reads; run without -live, or use putchar")
	}
	if len(in.Args) != 4 {
		c.instruction(in, "write wants 3 arguments: file, address, number of bytes")
		return
	}
	for _, a := range in.Args[1:] {
		if k := c.t.Kind(c.v.Values[a].Type); k != ir.KInt && k != ir.KUPtr {
			c.instruction(in, "write wants integers and a pointer, found %s", c.t.Text(c.v.Values[a].Type))
		}
	}
	if !c.standard(in.Args[1]) {
		c.instruction(in, "write to another file than a constant 1 or 2; -sandbox-allow write allows it")
	}
}

// standard reports whether an operand is a constant for standard output or the error output.
func (c *checker) standard(x ir.ValueID) bool {
	k := c.v.Values[x].Const
	return k != nil && k.Kind == ir.ConstInt && k.Hi == 0 && (k.Lo == 1 || k.Lo == 2)
}

func (c *checker) pointer(in *ir.Inst) {
	if c.t.Kind(in.Ty2).IsPointer() && !c.t.Kind(in.Ty).IsPointer() {
		c.instruction(in, "PTRCAST makes a pointer from a number; a pointer comes from @uvm.native.pin")
	}
}

func (c *checker) cast(in *ir.Inst) {
	from, to := c.t.At(in.Ty), c.t.At(in.Ty2)
	switch {
	case in.Ty == in.Ty2:
	case from.Kind == ir.KFuncRef || to.Kind == ir.KFuncRef:
		c.instruction(in, "REFCAST from %s to %s: a function keeps its signature", c.t.Text(in.Ty), c.t.Text(in.Ty2))
	case c.changes(in) && c.opt.Level == Unchecked:
		c.instruction(in, "REFCAST from %s to %s: nothing checks here what the memory holds; run without -live", c.t.Text(in.Ty), c.t.Text(in.Ty2))
	case c.changes(in) && (c.contains(from.Elem)|c.contains(to.Elem))&others != 0:
		c.instruction(in, "REFCAST from %s to %s, where memory has references to functions, stacks or threads", c.t.Text(in.Ty), c.t.Text(in.Ty2))
	}
}

func (c *checker) cell(in *ir.Inst) {
	switch {
	case c.opt.Level == Unchecked:
		c.instruction(in, "%s: nothing checks here that the cell still exists; use NEW, or run without -live", in.Op)
	case c.threads.IsValid():
		c.instruction(in, "%s in a program that starts threads, which may access the cell when it does not exist any more; use NEW", in.Op)
	}
}

func (c *checker) address(in *ir.Inst) {
	k := c.t.Kind(c.v.Values[in.Args[0]].Type)
	switch {
	case k.IsPointer() || !(k == ir.KRef || k == ir.KIRef || k == ir.KWeakRef):
		c.instruction(in, "%s of a pointer; use an iref", in.Op)
	case c.opt.Level != Unchecked:
	case c.isLoose(in):
		c.instruction(in, "%s: nothing checks here that the location is in its object; use constant indices, or run without -live", in.Op)
	case c.layout.Of(in.Ty).Size.W8 > most:
		c.instruction(in, "%s: type %s has more than %d bytes, so that a field from NULL would not be recognised; run without -live", in.Op, c.t.Text(in.Ty), most)
	}
}

// most is the size of the largest type whose fields from NULL are recognised as NULL everywhere.
const most = 32768

func (c *checker) access(in *ir.Inst) {
	if c.t.Kind(c.v.Values[in.Args[0]].Type) != ir.KIRef {
		c.instruction(in, "%s through a pointer; use an iref", in.Op)
		return
	}
	if in.Op.Info().Class != ir.ClassMem || c.opt.Level == Unchecked {
		return
	}
	switch holds := c.contains(in.Ty); c.t.Kind(in.Ty) {
	case ir.KStruct, ir.KArray, ir.KVector, ir.KHybrid:
		if holds != 0 {
			c.instruction(in, "%s of a whole %s that has references; access its fields one by one", in.Op, c.t.Text(in.Ty))
		}
	default:
		if holds&others != 0 && in.Op != ir.OpStore && c.loose.IsValid() {
			c.instruction(in, "%s of a %s in a program that also computes locations (%s): nothing checks that the memory has one; keep functions, stacks and threads in variables",
				in.Op, c.t.Text(in.Ty), cmp.Or(c.at(c.loose), "elsewhere"))
		}
	}
}

// at is a position as text.
func (c *checker) at(pos diag.Pos) string {
	if c.p.Files == nil || !pos.IsValid() {
		return ""
	}
	return c.p.Files.Position(pos).String()
}

// passed is the rule for values that one stack passes to another.
func (c *checker) passed(in *ir.Inst) {
	types := slices.Clone(in.Types)
	for _, a := range in.Args[1:] {
		types = append(types, c.v.Values[a].Type)
	}
	c.crossing(in, "passes a value", types)
}

// bottom is the rule for the first function of a stack, which gets its arguments in the same way.
func (c *checker) bottom(in *ir.Inst) {
	c.crossing(in, "of a function with a parameter", c.t.At(in.Sig).Fields)
}

// crossing checks the types of values that go from one stack to another. The types of the two sides meet only when the
// program runs, and the runtime compares no more than their places in registers: all references look alike to it.
func (c *checker) crossing(in *ir.Inst, what string, types []ir.TypeID) {
	for _, t := range types {
		holds := c.contains(t)
		switch {
		case holds&others != 0:
			c.instruction(in, "%s %s of type %s; only data and references to objects can be passed between stacks", in.Op, what, c.t.Text(t))
			return
		case holds != 0 && c.opt.Level == Unchecked:
			c.instruction(in, "%s %s of type %s: nothing checks here that the other stack takes it for the same; pass data, or run without -live", in.Op, what, c.t.Text(t))
			return
		}
		for _, ref := range c.references(t) {
			if c.crosses == ir.NoType {
				c.crosses, c.crossed = ref, in.Pos
			}
			if ref != c.crosses {
				c.instruction(in, "%s %s of type %s, where another passes %s (%s): nothing checks that the other stack takes it for the same; pass references of one type only",
					in.Op, what, c.t.Text(ref), c.t.Text(c.crosses), cmp.Or(c.at(c.crossed), "elsewhere"))
				return
			}
		}
	}
}

// references lists the types of the references in a value. A tagref64 is not among them: it has places of its own.
func (c *checker) references(t ir.TypeID) (l []ir.TypeID) {
	if c.contains(t)&objects == 0 {
		return nil
	}
	switch n := c.t.At(t); n.Kind {
	case ir.KRef, ir.KIRef, ir.KWeakRef:
		return []ir.TypeID{t}
	case ir.KStruct:
		for _, f := range n.Fields {
			l = append(l, c.references(f)...)
		}
	case ir.KArray, ir.KVector:
		return c.references(n.Elem)
	}
	return l
}

func (c *checker) element(in *ir.Inst) {
	if k := c.v.Values[in.Args[1]].Const; c.opt.Level == Unchecked && (k == nil || k.Kind != ir.ConstInt) {
		c.instruction(in, "%s with a computed index; use a constant, or run without -live", in.Op)
	}
}

func (c *checker) untag(in *ir.Inst) {
	if c.opt.Level == Unchecked {
		c.instruction(in, "%s: nothing checks here that the value is a reference; run without -live", in.Op)
	}
}
