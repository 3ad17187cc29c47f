package ir

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
)

// value spells a value.
func (pr *printer) value(v *Version, id ValueID) string {
	if id <= 0 || int(id) >= len(v.Values) {
		return fmt.Sprintf("?%d", id)
	}
	x := &v.Values[id]
	if x.Kind == ValueConst {
		s := pr.constant(x.Const, 0)
		if x.Name != "" && (x.Const == nil || x.Name != x.Const.Name) {
			return numbered('%', x.Name, int(id)) + "=" + s
		}
		return s
	}
	return numbered('%', x.Name, int(id))
}

// typed spells a parameter or result where it is defined.
func (pr *printer) typed(v *Version, id ValueID) string {
	if id <= 0 || int(id) >= len(v.Values) {
		return fmt.Sprintf("?%d", id)
	}
	return numbered('%', v.Values[id].Name, int(id)) + ": " + pr.typ(v.Values[id].Type)
}

func (pr *printer) typedList(v *Version, ids []ValueID) string {
	s := make([]string, len(ids))
	for i, id := range ids {
		s[i] = pr.typed(v, id)
	}
	return strings.Join(s, ", ")
}

func (pr *printer) valueList(v *Version, ids []ValueID) string {
	s := make([]string, len(ids))
	for i, id := range ids {
		s[i] = pr.value(v, id)
	}
	return strings.Join(s, " ")
}

// idSequence says which entity id the next block or instruction is expected to
// have: one more than the one before, none in a version that has none.
type idSequence struct {
	next uint32
	on   bool
}

func (s *idSequence) expected() uint32 {
	if !s.on {
		return 0
	}
	return s.next
}

func (s *idSequence) take(id uint32) {
	if id != 0 {
		s.next = id + 1
	}
}

func (s *idSequence) mark(id uint32) string {
	want := s.expected()
	s.take(id)
	if id == want {
		return ""
	}
	return fmt.Sprintf(" !%d", id)
}

func (pr *printer) version(v *Version) {
	if v == nil {
		pr.printf("version nil\n")
		return
	}
	pr.at(v.Pos, len("version "), 0)
	pr.printf("version %s of %s%s {\n", global(v.Name), funcName(v.Func), entityID(v.ID))
	ids := idSequence{next: v.ID + 1, on: v.ID != 0}
	marks := make([]string, len(v.Blocks))
	named := diag.Namings{}
	local := func(x ValueID) string { return v.Values[x].Name }
	for b := range v.Blocks {
		if !v.Blocks[b].Dead {
			marks[b] = ids.mark(v.Blocks[b].ID)
		}
	}
	for b := range v.Blocks {
		blk := &v.Blocks[b]
		if blk.Dead {
			continue
		}
		pr.printf("%s", pr.p.Namings(v, append(slices.Clone(blk.Params), blk.Exc), local, named))
		pr.at(blk.Pos, 0, 0)
		pr.printf("%s(%s)", numbered('^', blk.Name, b), pr.typedList(v, blk.Params))
		if blk.Exc != 0 {
			pr.printf(" [%s]", pr.typed(v, blk.Exc))
		}
		pr.printf(":%s", marks[b])
		for _, l := range blk.Locals {
			pr.printf(" %s !%d", strconv.Quote(l.Name), l.ID)
		}
		pr.printf("\n")
		for _, id := range blk.Insts {
			if id <= 0 || int(id) >= len(v.Insts) {
				pr.printf("  ?inst%d\n", id)
				continue
			}
			in := &v.Insts[id]
			pr.printf("%s", pr.p.Namings(v, in.Results, local, named))
			pr.at(in.Pos, 0, 2)
			pr.inst(v, in)
			pr.printf("%s\n", ids.mark(in.ID))
		}
	}
	pr.printf("}\n")
	pr.place = diag.Position{}
}

// flagNames are the flags as suffixes of operations; exc stands elsewhere.
var flagNames = []struct {
	flag InstFlags
	name string
}{
	{FlagPtr, "ptr"}, {FlagWeak, "weak"}, {FlagKillOld, "kill_old"}, {FlagThrowExc, "throw_exc"},
	{FlagThreadLocal, "threadlocal"}, {FlagWPExc, "wpexc"}, {FlagLocal, "local"}, {FlagRaw, "raw"},
	{FlagPointer, "pointer"}, {FlagObject, "object"}, {FlagUnsure, "unsure"}, {FlagFixed, "fixed"},
	{FlagRoots, "roots"}, {FlagReplaced, "replaced"},
}

func (pr *printer) inst(v *Version, in *Inst) {
	w := pr.w
	if len(in.Results) > 0 {
		w.WriteString(pr.typedList(v, in.Results))
		w.WriteString(" = ")
	}
	switch {
	case in.Placed:
		pr.printf("[at %s] ", strconv.Quote(in.Name))
	case in.Name != "":
		if n := in.Name[1:]; (in.Name[0] == '%' || in.Name[0] == '@') && plainName(n) {
			pr.printf("[%s] ", in.Name)
		} else {
			pr.printf("[%s] ", strconv.Quote(in.Name))
		}
	}
	if in.Op == OpInvalid || in.Op >= NumOps {
		w.WriteByte('?')
	}
	w.WriteString(in.Op.String())
	for _, f := range flagNames {
		if in.Has(f.flag) {
			w.WriteString("." + f.name)
		}
	}
	if in.Ord != NotAtomic || in.OrdFail != NotAtomic {
		w.WriteString("." + strings.ToLower(in.Ord.String()))
	}
	if in.OrdFail != NotAtomic {
		w.WriteString("." + strings.ToLower(in.OrdFail.String()))
	}
	if in.Op == OpAtomicRMW || in.RMW != 0 {
		w.WriteString("." + strings.ToLower(in.RMW.String()))
	}
	pr.typeArgs(in)
	switch k := in.Op.Shape().Imm; {
	case k == ImmFailure:
		pr.printf(" #%s", Failure(in.Imm))
	case in.Imm != 0 || k == ImmField:
		pr.printf(" #%d", in.Imm)
	}
	if len(in.Types) > 0 {
		pr.printf(" types(%s)", pr.typs(in.Types))
	}
	for _, a := range in.Args {
		w.WriteString(" " + pr.value(v, a))
	}
	if in.Has(FlagExc) {
		w.WriteString(" exc")
	}
	for i := range in.Dests {
		d := &in.Dests[i]
		pr.printf(" %s(%s)", BlockString(v, d.Block), pr.valueList(v, d.Args))
	}
	if in.HasKeep || len(in.Keep) > 0 {
		pr.printf(" keep(%s)", pr.valueList(v, in.Keep))
	}
}

// typeArgs writes type arguments and signature; _ stands for one that is missing.
func (pr *printer) typeArgs(in *Inst) {
	var s []string
	add := func(id TypeID) {
		if id == NoType {
			s = append(s, "_")
		} else {
			s = append(s, pr.typ(id))
		}
	}
	if in.Ty != NoType || in.Ty2 != NoType {
		add(in.Ty)
	}
	if in.Ty2 != NoType {
		add(in.Ty2)
	}
	if in.Sig != NoType {
		add(in.Sig)
	}
	if s != nil {
		pr.printf(" <%s>", strings.Join(s, " "))
	}
}
