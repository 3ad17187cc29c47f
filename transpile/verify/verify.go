// Package verify checks the invariants of the representation. A violation is a bug in a reader
// or a pass, never a mistake of the user; readers report errors of a bundle in terms of its
// text.
//
// It continues after a violation, never panics, however broken the program is, and changes
// nothing, not even the table of types. A Verifier takes time linear in the size of a version,
// except for dominators, which take linear time in practice.
//
// # Invariants of a program
//
//   - Types: ids in range; no two ids of equal types; the members that a
//     constructor demands and no others; int widths of 1 to 128; lengths of at
//     least 1; no composite that contains itself (docs/language.md, "Types").
//   - Constants: type of values and of the kind of the constant; bits inside the
//     width; as many elements as the type has, of its types, without cycles;
//     cells, functions and exposed functions of this program.
//   - Cells of any type but hybrid; functions with a signature; exposed
//     functions with a function, its type and an int<64> cookie.
//   - Entities: every entry has the name it is found by and is in its list; no
//     two things share an entity id.
//   - Image: objects of types that can be allocated; locations that exist, with
//     their types; values of the kind that the location holds.
//
// # Invariants of a version
//
// It ignores blocks that are Dead, instructions in no block and values that nothing refers to.
//
//   - Cross references: the version is in the list of its function; a parameter,
//     exception parameter or result names its block or instruction and its index
//     there; an instruction is in one block, once, and names this block; a constant
//     has one value per version, of its type.
//   - Blocks: the first is the entry, not dead, has the parameters of the
//     signature and no exception parameter, and is no destination. Parameters
//     have types of values, exception parameters ref<void>.
//   - Terminators: the last instruction of a block is a terminator, no other is.
//   - Instructions: only fields that the operation uses are set; flags, orders
//     and type arguments are legal; operands and results have the number and
//     the types that the operation requires.
//   - Destinations: as many as the operation has; to blocks that are not dead,
//     with the number and types of their parameters. Only exceptional edges lead
//     to a block with an exception parameter.
//   - Definitions dominate uses; reachable blocks do not use values of unreachable
//     blocks. Results of an instruction with an exception clause, and of
//     WATCHPOINT, are used only where the edge to the normal (enabled)
//     destination dominates, the arguments of that edge included.
//   - Only OSR points have keep-alive clauses, and these do not name results of
//     the same instruction.
//   - The keys of a SWITCH are constants with distinct values.
//
// Not checked: names of blocks, values and instructions, which may repeat (passes copy them; what writes
// bundles makes them unique); the operands of the IR builder's instructions, which all have one op, and
// native-safety, because readers accept types that are not native-safe (docs/language.md,
// "Accepted deviations", m). Elements of named aggregate constants are checked with the
// program, not again with each version.
package verify

import (
	"errors"
	"fmt"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A Fault is one broken invariant.
type Fault struct {
	// Where is the global name of the instruction, block, version or definition
	// concerned. An unnamed instruction is named by its first result, or by its
	// index in the block.
	Where string
	// Version, Block and Inst are the place of the fault. Version is nil for faults
	// outside bodies; Block is -1 and Inst 0 for faults of a body as a whole.
	Version *ir.Version
	Block   ir.BlockID
	Inst    ir.InstID
	Pos     diag.Pos
	Msg     string
}

// String returns WHERE: MESSAGE.
func (f Fault) String() string { return f.Where + ": " + f.Msg }

// Program checks all of a program.
func Program(p *ir.Program) []Fault {
	if p == nil {
		return []Fault{{Where: "program", Block: -1, Msg: "is nil"}}
	}
	x := New(p)
	if x.y == nil {
		return x.take()
	}
	x.members = collect(p)
	if !x.types() {
		return x.take() // nothing that mentions a type can be checked
	}
	x.definitions()
	x.entities()
	x.image()
	for _, f := range p.Funcs {
		if f == nil {
			continue
		}
		for _, v := range f.Versions {
			x.version(v)
		}
	}
	return x.take()
}

// Version checks one body. The types of the program must have no faults.
func Version(p *ir.Program, v *ir.Version) []Fault { return New(p).Version(v) }

// Err makes one error of faults, nil if there are none. A long list is shortened.
func Err(faults []Fault) error {
	if len(faults) == 0 {
		return nil
	}
	const most = 20
	var b strings.Builder
	for i, f := range faults {
		if i == most {
			fmt.Fprintf(&b, "\n(and %d more)", len(faults)-most)
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(f.String())
	}
	return errors.New(b.String())
}

// A Verifier checks versions of one program, one after the other, and caches facts
// about types between them.
type Verifier struct {
	p *ir.Program
	t *ir.Types
	y *ir.Typer // nil if the program has no types

	// members has the definitions of the program while the whole program is checked.
	members map[any]bool
	sound   map[*ir.Const]bool // constants checked; false during the check

	faults []Fault
	body          // of the version being checked
	where  string // name of the definition being checked, outside versions
	pos    diag.Pos
}

// New returns a Verifier for the versions of a program.
func New(p *ir.Program) *Verifier {
	x := &Verifier{p: p, sound: map[*ir.Const]bool{}}
	if p == nil || p.Types == nil || p.Types.Len() == 0 {
		x.where = "program"
		x.faultf("has no table of types")
		return x
	}
	x.t = p.Types
	x.y = ir.NewTyper(p.Types, false)
	return x
}

// Version checks one body.
func (x *Verifier) Version(v *ir.Version) []Fault {
	if x.y != nil {
		x.version(v)
	}
	return x.take()
}

func (x *Verifier) take() []Fault {
	f := x.faults
	x.faults = nil
	return f
}

// faultf reports a fault at the place being checked.
func (x *Verifier) faultf(format string, args ...any) {
	f := Fault{Where: x.where, Pos: x.pos, Block: -1, Msg: fmt.Sprintf(format, args...)}
	if x.v != nil {
		f.Version, f.Block, f.Inst = x.v, x.blk, x.inst
		f.Where = x.place()
		f.Pos = x.v.Pos
		switch {
		case x.inst > 0:
			f.Pos = x.v.Insts[x.inst].Pos
		case x.blk >= 0:
			f.Pos = x.v.Blocks[x.blk].Pos
		}
	}
	x.faults = append(x.faults, f)
}

// place names the instruction, block or version being checked.
func (x *Verifier) place() string {
	s := x.v.Name
	if s == "" {
		s = "(unnamed version)"
	}
	if x.blk < 0 {
		return s
	}
	s = local(s, x.v.Blocks[x.blk].Name, x.blockName(x.blk))
	if x.inst <= 0 {
		return s
	}
	in := &x.v.Insts[x.inst]
	name := in.Name
	if name == "" && len(in.Results) > 0 && x.isValue(in.Results[0]) {
		name = x.v.Values[in.Results[0]].Name
	}
	return local(s, name, fmt.Sprintf("%s#%d", in.Op, x.at))
}

// local spells out a local name (docs/language.md, "Names"), or instead if there is none.
func local(parent, name, instead string) string {
	switch {
	case name == "":
		return parent + "." + instead
	case ir.IsLocal(name):
		return parent + "." + ir.Bare(name)
	}
	return name
}

// blockName names a block for messages.
func (x *Verifier) blockName(b ir.BlockID) string {
	if n := x.v.Blocks[b].Name; n != "" {
		return n
	}
	return fmt.Sprintf("block%d", b)
}

// value names a value for messages.
func (x *Verifier) value(id ir.ValueID) string {
	if !x.isValue(id) {
		return fmt.Sprintf("value %d", id)
	}
	v := &x.v.Values[id]
	switch {
	case v.Name == "":
		return fmt.Sprintf("%%%d", id)
	case ir.IsGlobal(v.Name) && v.Kind == ir.ValueConst:
		return v.Name
	}
	return fmt.Sprintf("%s.%d", v.Name, id)
}
