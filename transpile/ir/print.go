package ir

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// The text form of programs, for dumps and tests; Parse reads what Print
// writes. One definition or instruction is one line:
//
//	program 65550 1                             next entity id, number of bundles
//	later "b.uir" 0a1b names @f @x needs @y      a later bundle, with its hash
//	type @node = struct<int<64> ref<@node>> !65536
//	type @size = @i64 !65537                    another name of a type
//	type #0 = ref<#0>                           a type without name that needs one
//	const @c: @i64 = 5 !65538
//	global @g: @i64 !65539
//	func @f: (@i64) -> (@i64) !65540
//	func @f.v2: (@i64) -> (@i64) of @f 0        what the later bundle 0 defines it with
//	expose @e: ufuncptr<@s> = @f @c !65541
//	hook start @f                               @f runs when the program starts
//	version @f.v1 of @f !65542 {
//	^entry.0(%a.1: @i64):
//	  %x.3: @i64 = add <@i64> %a.1 1:@i64
//	  %r.4: @i64 = [%call] call <@s> @f %x.3 exc ^nor.1(%r.4) ^exc.2() keep(%x.3)
//	^nor.1(%z.5: @i64):
//	  ret %z.5
//	^exc.2() [%e.6: ref<void>]:
//	  throw %e.6
//	}
//	object $root: @hyb 10                       of the image, with length
//	init $0[1]: @i64 = const 5:@i64             objects by number, then a path
//
// A value or block is its name and, after the last dot, its number; without
// name the number alone. In text written by hand the number may be missing. An
// operand that is a constant stands there as such, after its local name and =
// if it has one. An operation is followed by
// what its fields hold: .flags and .orders, <type arguments and signature>, #n
// (Imm), types(...), operands, destinations (exc before those of an exception
// clause), keep(...). !n is an entity id; blocks and instructions have it only
// where it is not the next after that of the one before, counting from the
// version's, blocks first. A name that is not made of letters, digits and _ . -
// is quoted. // begins a comment.
//
// The numbers of instructions, those of constants as values, and positions are
// not part of the text.

// Print writes a program. It works on broken programs too; what cannot be
// spelled is written with a question mark, which Parse refuses.
func Print(w io.Writer, p *Program) error {
	if p == nil {
		_, err := io.WriteString(w, "program nil\n")
		return err
	}
	pr := newPrinter(p)
	var body bytes.Buffer
	pr.w = bufio.NewWriter(&body)
	pr.definitions()
	pr.w.Flush()
	return pr.finish(w, &body, fmt.Sprintf("program %d %d\n", p.NextID, p.Bundles), true)
}

// PrintVersion writes one version, with the definitions of the nameless types
// that it needs, if any.
func PrintVersion(w io.Writer, p *Program, v *Version) error {
	if p == nil || v == nil {
		_, err := io.WriteString(w, "version nil\n")
		return err
	}
	pr := newPrinter(p)
	var body bytes.Buffer
	pr.w = bufio.NewWriter(&body)
	pr.version(v)
	pr.w.Flush()
	return pr.finish(w, &body, "", false)
}

// InstString is one instruction as Print writes it.
func InstString(p *Program, v *Version, id InstID) string {
	if p == nil || v == nil || id < 0 || int(id) >= len(v.Insts) {
		return fmt.Sprintf("?inst%d", id)
	}
	pr := newPrinter(p)
	var b bytes.Buffer
	pr.w = bufio.NewWriter(&b)
	pr.inst(v, &v.Insts[id])
	pr.w.Flush()
	return b.String()
}

// ValueString is a value as Print writes it, without its type.
func ValueString(p *Program, v *Version, id ValueID) string {
	if p == nil || v == nil {
		return fmt.Sprintf("?%d", id)
	}
	return newPrinter(p).value(v, id)
}

// BlockString is the label of a block as Print writes it.
func BlockString(v *Version, b BlockID) string {
	if v == nil || b < 0 || int(b) >= len(v.Blocks) {
		return fmt.Sprintf("^?%d", b)
	}
	return numbered('^', v.Blocks[b].Name, int(b))
}

// maxSpelled is the number of constructors beyond which a type without name is
// defined in a line of its own.
const maxSpelled = 40

type printer struct {
	p    *Program
	t    *Types
	w    *bufio.Writer
	size []int32 // by TypeID: constructors it takes to spell the type; -1 if it needs a label, 0 unknown
	// label numbers the types defined in a line of their own; order is in turn.
	label map[TypeID]int
	order []TypeID
	low   []int32 // for components
	stack []TypeID
	next  int32
}

func newPrinter(p *Program) *printer {
	pr := &printer{p: p, t: p.Types, label: map[TypeID]int{}}
	if pr.t == nil {
		pr.t = NewTypes()
	}
	return pr
}

func (pr *printer) printf(format string, args ...any) { fmt.Fprintf(pr.w, format, args...) }

// finish writes the head and the types, then the body.
func (pr *printer) finish(w io.Writer, body *bytes.Buffer, head string, named bool) error {
	out := bufio.NewWriter(w)
	out.WriteString(head)
	pr.w = out
	if named {
		pr.words()
		pr.later()
		pr.namedTypes()
	}
	for i := 0; i < len(pr.order); i++ {
		pr.printf("type #%d = %s\n", i, pr.structure(pr.order[i]))
	}
	out.Write(body.Bytes())
	return out.Flush()
}

func (pr *printer) namedTypes() {
	var names []string
	for n, e := range pr.p.Entities {
		if _, ok := e.(TypeID); ok {
			names = append(names, n)
		}
	}
	sort.Slice(names, func(i, j int) bool {
		if a, b := pr.p.TypeIDs[names[i]], pr.p.TypeIDs[names[j]]; a != b {
			return a < b
		}
		return names[i] < names[j]
	})
	for _, n := range names {
		id := pr.p.Entities[n].(TypeID)
		def := pr.typ(id)
		if pr.t.Valid(id) && (pr.t.tab.List[id].Name == n || !pr.named(id)) {
			def = pr.structure(id)
		}
		pr.printf("type %s = %s%s\n", global(n), def, entityID(pr.p.TypeIDs[n]))
	}
}

func (pr *printer) later() {
	list := func(what string, names []string) {
		if len(names) > 0 {
			pr.printf(" %s", what)
		}
		for _, n := range names {
			pr.printf(" %s", global(n))
		}
	}
	for _, l := range pr.p.Later {
		pr.printf("later %q %q", l.Name, l.Hash)
		list("names", l.Names)
		list("needs", l.Needs)
		pr.printf("\n")
	}
}

// words has what the source language calls kinds of types.
func (pr *printer) words() {
	for k := range KSig {
		if w := pr.t.Words[k]; w != "" {
			pr.printf("word %s %q\n", k, w)
		}
	}
}

// shown is how results are printed, with a space before it, "" if as usual.
func shown(results []Notation) string {
	if len(results) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(" shown")
	spellNotations(&b, results, '(', ')')
	return b.String()
}

func spellNotations(b *strings.Builder, list []Notation, open, end byte) {
	b.WriteByte(open)
	for i := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		list[i].spell(b)
	}
	b.WriteByte(end)
}

// spell writes signed, unsigned or the parts in braces, and in brackets what is more than that.
func (n *Notation) spell(b *strings.Builder) {
	texts := []struct{ what, text string }{{"prefix", n.Prefix}, {"open", n.Open}, {"between", n.Between}, {"close", n.Close}}
	var all []string
	if n.Unsigned {
		all = append(all, "unsigned")
	}
	if n.Number {
		all = append(all, "number")
	}
	if n.Hex {
		all = append(all, "hex")
	}
	if n.Filler {
		all = append(all, "filler")
	}
	for _, t := range texts {
		if t.text != "" {
			all = append(all, t.what, strconv.Quote(t.text))
		}
	}
	for _, w := range n.Words {
		all = append(all, "word", strconv.Quote(w))
	}
	switch {
	case len(all) == 0 && len(n.Parts) == 0:
		b.WriteString("signed")
		return
	case len(all) == 1 && n.Unsigned && len(n.Parts) == 0:
		b.WriteString("unsigned")
		return
	case len(all) > 0:
		b.WriteString("[" + strings.Join(all, " "))
		if len(n.Parts) > 0 {
			b.WriteByte(' ')
		}
	}
	if len(n.Parts) > 0 {
		spellNotations(b, n.Parts, '{', '}')
	}
	if len(all) > 0 {
		b.WriteByte(']')
	}
}

// laterOf says which later bundle an implementation is of.
func (pr *printer) laterOf(f *Function) string {
	if f.Of == nil {
		return ""
	}
	for i, l := range pr.p.Later {
		if slices.Contains(l.Impls, f) {
			return fmt.Sprintf(" of %s %d", funcName(f.Of), i)
		}
	}
	return fmt.Sprintf(" of %s ?", funcName(f.Of))
}

func entityID(id uint32) string {
	if id == 0 {
		return ""
	}
	return fmt.Sprintf(" !%d", id)
}

// plainName reports whether a name needs no quotes.
func plainName(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isNameByte(s[i]) {
			return false
		}
	}
	return len(s) > 0
}

func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '.' || c == '-'
}

// global spells a global name.
func global(s string) string {
	if strings.HasPrefix(s, "@") && plainName(s[1:]) {
		return s
	}
	return "@" + strconv.Quote(s)
}

// numbered spells the name of a value or block with its number.
func numbered(sigil byte, name string, n int) string {
	switch {
	case name == "":
		return fmt.Sprintf("%c%d", sigil, n)
	case name[0] == '%' && plainName(name[1:]):
		return fmt.Sprintf("%c%s.%d", sigil, name[1:], n)
	case name[0] == '@' && plainName(name[1:]):
		return fmt.Sprintf("%c%s.%d", sigil, name, n)
	}
	return fmt.Sprintf("%c%s.%d", sigil, strconv.Quote(name), n)
}

// named reports whether a type can be called by its name.
func (pr *printer) named(id TypeID) bool {
	n := pr.t.tab.List[id].Name
	if n == "" {
		return false
	}
	e, ok := pr.p.Entities[n].(TypeID)
	return ok && e == id
}

// typ spells a type: its name, its label, or what it is made of.
func (pr *printer) typ(id TypeID) string {
	switch {
	case !pr.t.Valid(id):
		return fmt.Sprintf("?type%d", id)
	case pr.named(id):
		return global(pr.t.tab.List[id].Name)
	case pr.needsLabel(id):
		n, ok := pr.label[id]
		if !ok {
			n = len(pr.order)
			pr.label[id] = n
			pr.order = append(pr.order, id)
		}
		return fmt.Sprintf("#%d", n)
	}
	return pr.structure(id)
}

func (pr *printer) typs(ids []TypeID) string {
	s := make([]string, len(ids))
	for i, id := range ids {
		s[i] = pr.typ(id)
	}
	return strings.Join(s, " ")
}

func (pr *printer) structure(id TypeID) string {
	n := &pr.t.tab.List[id]
	switch n.Kind {
	case KInt:
		return fmt.Sprintf("int<%d>", n.Bits)
	case KRef, KIRef, KWeakRef, KUPtr, KFuncRef, KUFuncPtr:
		return n.Kind.String() + "<" + pr.typ(n.Elem) + ">"
	case KStruct:
		return structName(n) + "<" + pr.typs(n.Fields) + ">"
	case KHybrid:
		return "hybrid<" + pr.typs(append(n.Fields[:len(n.Fields):len(n.Fields)], n.Elem)) + ">"
	case KArray, KVector:
		return fmt.Sprintf("%s<%s %d>", n.Kind, pr.typ(n.Elem), n.Len)
	case KSig:
		return "(" + pr.typs(n.Fields) + ") -> (" + pr.typs(n.Results) + ")"
	case KInvalid:
		return "?invalid"
	}
	return n.Kind.String()
}

// needsLabel reports whether a type without name is on a cycle of such types,
// or too large to be spelled where it is used.
func (pr *printer) needsLabel(id TypeID) bool {
	if pr.size == nil || len(pr.size) < len(pr.t.tab.List) {
		pr.size = append(pr.size, make([]int32, len(pr.t.tab.List)-len(pr.size))...)
		pr.low = append(pr.low, make([]int32, len(pr.t.tab.List)-len(pr.low))...)
	}
	if pr.size[id] == 0 {
		pr.measure(id)
	}
	return pr.size[id] < 0
}

// measure sets sizes by Tarjan's algorithm: components come children first.
func (pr *printer) measure(id TypeID) int32 {
	pr.next++
	index := pr.next
	pr.low[id] = index
	pr.stack = append(pr.stack, id)
	size, loop := int32(1), false
	pr.parts(id, func(k TypeID) {
		switch {
		case !pr.t.Valid(k) || pr.named(k):
			size++
		case pr.size[k] != 0:
			size += max(pr.size[k], 1)
		case pr.low[k] == 0:
			low := pr.measure(k)
			pr.low[id] = min(pr.low[id], low)
			size += max(pr.size[k], 1)
		default: // on the stack
			pr.low[id] = min(pr.low[id], pr.low[k])
			loop = loop || k == id
		}
		size = min(size, maxSpelled+1)
	})
	low := pr.low[id]
	if low != index {
		return low
	}
	n := len(pr.stack) - 1
	for pr.stack[n] != id {
		pr.size[pr.stack[n]] = -1
		n--
	}
	pr.size[id] = size
	if n != len(pr.stack)-1 || loop || size > maxSpelled {
		pr.size[id] = -1
	}
	pr.stack = pr.stack[:n]
	return low
}

func (pr *printer) parts(id TypeID, f func(TypeID)) {
	n := &pr.t.tab.List[id]
	if n.Elem != NoType {
		f(n.Elem)
	}
	for _, k := range n.Fields {
		f(k)
	}
	for _, k := range n.Results {
		f(k)
	}
}

func (pr *printer) definitions() {
	p := pr.p
	for _, c := range p.Consts {
		if c != nil {
			pr.printf("const %s: %s = %s%s\n", global(c.Name), pr.typ(c.Type), pr.literal(c, 0), entityID(c.ID))
		}
	}
	for _, g := range p.Globals {
		if g != nil {
			pr.printf("global %s: %s%s%s\n", global(g.Name), pr.typ(g.Type), pr.cell(g), entityID(g.ID))
		}
	}
	for _, f := range p.Funcs {
		if f != nil {
			pr.printf("func %s: %s%s%s%s%s\n", global(f.Name), pr.typ(f.Sig), f.Attrs, shown(f.Notation), entityID(f.ID), pr.laterOf(f))
		}
	}
	for _, e := range p.Exposes {
		if e == nil {
			continue
		}
		pr.printf("expose %s: %s = %s %s%s\n", global(e.Name), pr.typ(e.Type), funcName(e.Func), pr.constant(e.Cookie, 0), entityID(e.ID))
	}
	if p.Main != nil {
		pr.printf("main %s\n", funcName(p.Main))
	}
	p.Hooks.Each(func(k HookKind, f *Function) { pr.printf("hook %s %s\n", k, funcName(f)) })
	for _, f := range p.Funcs {
		if f == nil {
			continue
		}
		for _, v := range f.Versions {
			pr.printf("\n")
			pr.version(v)
		}
	}
	pr.image()
}

// cell spells what a cell is besides its type.
func (pr *printer) cell(g *Global) string {
	s := ""
	if g.ReadOnly {
		s += " readonly"
	}
	if g.ThreadLocal {
		s += " threadlocal"
	}
	if g.Init != nil {
		s += " = " + pr.literal(g.Init, 0)
	}
	return s
}

func funcName(f *Function) string {
	if f == nil {
		return "?func"
	}
	return global(f.Name)
}

// maxNested is how deep constants are spelled that contain others; only broken
// ones are deeper.
const maxNested = 100

// constant spells a constant used as an operand.
func (pr *printer) constant(c *Const, depth int) string {
	if c == nil {
		return "?const"
	}
	if c.Name != "" {
		switch e := pr.p.Entities[c.Name].(type) {
		case *Const:
			if e == c {
				return global(c.Name)
			}
		case *Global:
			if c.Kind == ConstGlobal && e == c.Global && pr.is(c.Type, KIRef, e.Type) {
				return global(c.Name)
			}
		case *Function:
			if c.Kind == ConstFunc && e == c.Func && pr.is(c.Type, KFuncRef, e.Sig) {
				return global(c.Name)
			}
		case *Expose:
			if c.Kind == ConstExpose && e == c.Expose && c.Type == e.Type {
				return global(c.Name)
			}
		}
	}
	return pr.literal(c, depth) + ":" + pr.typ(c.Type)
}

func (pr *printer) is(id TypeID, k Kind, elem TypeID) bool {
	return pr.t.Valid(id) && pr.t.tab.List[id].Kind == k && pr.t.tab.List[id].Elem == elem
}

// literal spells the value of a constant.
func (pr *printer) literal(c *Const, depth int) string {
	switch c.Kind {
	case ConstInt:
		if c.Hi != 0 {
			return fmt.Sprintf("0x%x%016x", c.Hi, c.Lo)
		}
		// What is just below 2^n was most likely written as a negative number.
		if pr.t.Valid(c.Type) {
			if n := pr.t.tab.List[c.Type].Bits; n >= 32 && n <= 64 && c.Lo>>16 == 1<<(n-16)-1 {
				return strconv.FormatInt(int64(c.Lo|math.MaxUint64&^0xffff), 10)
			}
		}
		return strconv.FormatUint(c.Lo, 10)
	case ConstFP:
		return pr.float(c)
	case ConstNull:
		return "null"
	case ConstAggregate:
		if depth > maxNested {
			return "?deep"
		}
		s := make([]string, len(c.Elems))
		for i, e := range c.Elems {
			s[i] = pr.constant(e, depth+1)
		}
		return "{" + strings.Join(s, " ") + "}"
	case ConstBytes:
		return "bytes " + strconv.Quote(c.Bytes)
	case ConstExtern:
		return "extern " + strconv.Quote(c.Sym)
	case ConstGlobal:
		if c.Global != nil {
			return global(c.Global.Name)
		}
	case ConstFunc:
		return funcName(c.Func)
	case ConstExpose:
		if c.Expose != nil {
			return global(c.Expose.Name)
		}
	}
	return fmt.Sprintf("?const%d", c.Kind)
}

// float spells a number so that its bits come back.
func (pr *printer) float(c *Const) string {
	v, bits := math.Float64frombits(c.Lo), 64
	if pr.t.Valid(c.Type) && pr.t.tab.List[c.Type].Kind == KFloat {
		v, bits = float64(math.Float32frombits(uint32(c.Lo))), 32
	}
	if math.IsNaN(v) || math.IsInf(v, 0) || bits == 32 && c.Lo>>32 != 0 {
		return fmt.Sprintf("bits(%#x)", c.Lo)
	}
	s := strconv.FormatFloat(v, 'g', -1, bits)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

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
	pr.printf("version %s of %s%s {\n", global(v.Name), funcName(v.Func), entityID(v.ID))
	ids := idSequence{next: v.ID + 1, on: v.ID != 0}
	marks := make([]string, len(v.Blocks))
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
		pr.printf("%s(%s)", numbered('^', blk.Name, b), pr.typedList(v, blk.Params))
		if blk.Exc != 0 {
			pr.printf(" [%s]", pr.typed(v, blk.Exc))
		}
		pr.printf(":%s\n", marks[b])
		for _, id := range blk.Insts {
			if id <= 0 || int(id) >= len(v.Insts) {
				pr.printf("  ?inst%d\n", id)
				continue
			}
			in := &v.Insts[id]
			pr.printf("  ")
			pr.inst(v, in)
			pr.printf("%s\n", ids.mark(in.ID))
		}
	}
	pr.printf("}\n")
}

// flagNames are the flags as suffixes of operations; exc stands elsewhere.
var flagNames = []struct {
	flag InstFlags
	name string
}{
	{FlagPtr, "ptr"}, {FlagWeak, "weak"}, {FlagKillOld, "kill_old"}, {FlagThrowExc, "throw_exc"},
	{FlagThreadLocal, "threadlocal"}, {FlagWPExc, "wpexc"}, {FlagLocal, "local"}, {FlagRaw, "raw"},
	{FlagPointer, "pointer"}, {FlagObject, "object"}, {FlagUnsure, "unsure"}, {FlagFixed, "fixed"},
	{FlagRoots, "roots"},
}

func (pr *printer) inst(v *Version, in *Inst) {
	w := pr.w
	if len(in.Results) > 0 {
		w.WriteString(pr.typedList(v, in.Results))
		w.WriteString(" = ")
	}
	if in.Name != "" {
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

// imageKinds are the kinds of stores in an image, as Print writes them.
var imageKinds = [...]string{
	ImageConst: "const", ImageObjRef: "ref", ImageAddr: "addr", ImageCopy: "copy",
	ImageTagFP: "tagfp", ImageTagInt: "tagint", ImageTagRef: "tagref",
}

func (pr *printer) image() {
	im := pr.p.Image
	if im == nil {
		return
	}
	pr.printf("\nimage\n")
	for i := range im.Objects {
		o := &im.Objects[i]
		name := "$" + strconv.Quote(o.Name)
		if strings.HasPrefix(o.Name, "$") && plainName(o.Name[1:]) {
			name = o.Name
		}
		pr.printf("object %s: %s %d\n", name, pr.typ(o.Type), o.Len)
	}
	for i := range im.Inits {
		in := &im.Inits[i]
		if int(in.Kind) >= len(imageKinds) {
			pr.printf("init ?kind%d\n", in.Kind)
			continue
		}
		pr.printf("init %s = %s ", pr.location(&in.To), imageKinds[in.Kind])
		switch in.Kind {
		case ImageConst:
			pr.printf("%s\n", pr.constant(in.Const, 0))
		case ImageTagFP, ImageTagInt:
			pr.printf("%d\n", in.Bits)
		case ImageTagRef:
			pr.printf("%s %d\n", pr.location(&in.From), in.Tag)
		default:
			pr.printf("%s\n", pr.location(&in.From))
		}
	}
}

// location spells a location of the image: $n with the number of an object, or
// a cell, and the path.
func (pr *printer) location(l *ImageLoc) string {
	if l.Global == nil && l.Object < 0 {
		return "null"
	}
	s := fmt.Sprintf("$%d", l.Object)
	if l.Global != nil {
		s = global(l.Global.Name)
	}
	path := make([]string, len(l.Path))
	for i, n := range l.Path {
		path[i] = strconv.FormatUint(n, 10)
	}
	return s + "[" + strings.Join(path, " ") + "]: " + pr.typ(l.Type)
}
