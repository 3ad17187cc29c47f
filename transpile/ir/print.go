package ir

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
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
//	func @f.v2: (@i64) -> (@i64) of @f 0        the version of @f in the later bundle 0
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
// A value or block is written as its name and, after the last dot, its number;
// without name as the number alone. In text written by hand the number may be
// missing. An operand that is a constant is written as the constant, after its
// local name and = if it has one. The fields of an instruction follow its
// operation: .flags and .orders, <type arguments and signature>, #n (Imm),
// types(...), operands, destinations (exc before those of an exception clause),
// keep(...). !n is an entity id. Blocks and instructions are numbered from the id
// of the version, blocks first; an id is written only where it differs from the
// expected one. Ids of other things in a block (LocalID) follow its head as
// "%x" !n, or "" !n. A name with anything but letters, digits and _ . - is
// quoted. // begins a comment.
//
// The numbers of instructions, those of constants as values, and positions are
// not part of the text.

// Print writes a program as text. It works on broken programs too: it writes a
// question mark, which Parse refuses, for parts that cannot be spelled. The error
// is that of w.
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

// PrintPlaced writes a program as Print does, with a //line directive before each line whose place in the source
// does not follow from the line before, and before each line if some places are the author's. Positions in a program that Parse reads from it are those of the source.
func PrintPlaced(w io.Writer, p *Program) error {
	pr := newPrinter(p)
	var body bytes.Buffer
	pr.w, pr.files, pr.placed = bufio.NewWriter(&body), p.Files, diag.NewPlaced(p.Files)
	pr.definitions()
	pr.w.Flush()
	return pr.finish(w, &body, fmt.Sprintf("program %d %d\n", p.NextID, p.Bundles), true)
}

// PrintVersion writes one version, after the definitions of the nameless types
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

type printer struct {
	p    *Program
	t    *Types
	w    *bufio.Writer
	size []int32 // by TypeID: constructors it takes to spell the type; -1 if it needs a label, 0 unknown
	// label numbers the types defined in a line of their own; order lists them.
	label map[TypeID]int
	order []TypeID
	low   []int32 // for components
	stack []TypeID
	next  int32

	files  *diag.Set     // of the positions that are printed, nil for none
	place  diag.Position // of the next line
	placed *diag.Placed  // writes the directives if some places are the author's
}

// at begins the next line, in which something from pos comes after the usual white space and lead bytes.
func (pr *printer) at(pos diag.Pos, lead, space int) {
	switch {
	case pr.placed != nil:
		directive, own, ok := pr.placed.Line(pos, lead, space)
		if !ok {
			directive = pr.placed.Rough(pos)
		}
		pr.printf("%s", directive)
		space = own
	case pr.files != nil:
		if p := pr.files.Position(pos); pos.IsValid() && (p.File != pr.place.File || p.Line != pr.place.Line) {
			pr.printf("%s\n", diag.LineDirective(p))
			pr.place = p
		}
		pr.place.Line++
	}
	pr.printf("%*s", space, "")
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

// words prints the keywords of the source language for kinds of types.
func (pr *printer) words() {
	for k := range KSig {
		if w := pr.t.Words[k]; w != "" {
			pr.printf("word %s %q\n", k, w)
		}
	}
}

// called spells the title of a function.
func called(title string) string {
	if title == "" {
		return ""
	}
	return " called " + strconv.Quote(title)
}

// laterOf spells the function and the later bundle of an implementation, or the original of a copy.
func (pr *printer) laterOf(f *Function) string {
	switch {
	case f.CopyOf != nil:
		return " copy of " + funcName(f.CopyOf)
	case f.Of == nil:
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

func (pr *printer) definitions() {
	p := pr.p
	define := func(pos diag.Pos, word string) {
		if pr.placed != nil {
			pr.at(pos, len(word)+1, 0)
		}
		pr.printf("%s ", word)
	}
	for _, c := range p.Consts {
		if c != nil {
			define(c.Pos, "const")
			pr.printf("%s: %s = %s%s\n", global(c.Name), pr.typ(c.Type), pr.literal(c, 0), entityID(c.ID))
		}
	}
	for _, g := range p.Globals {
		if g != nil {
			define(g.Pos, "global")
			pr.printf("%s: %s%s%s\n", global(g.Name), pr.typ(g.Type), pr.cell(g), entityID(g.ID))
		}
	}
	for _, f := range p.Funcs {
		if f != nil {
			define(f.Pos, "func")
			pr.printf("%s: %s%s%s%s%s%s\n", global(f.Name), pr.typ(f.Sig), f.Attrs, called(f.Title), shown(f.Notation), entityID(f.ID), pr.laterOf(f))
		}
	}
	for _, e := range p.Exposes {
		if e == nil {
			continue
		}
		define(e.Pos, "expose")
		pr.printf("%s: %s = %s %s%s\n", global(e.Name), pr.typ(e.Type), funcName(e.Func), pr.constant(e.Cookie, 0), entityID(e.ID))
	}
	if p.Main != nil && p.Main.Name != DefaultMain {
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
	if g.Settled {
		s += " settled"
	}
	if g.ThreadLocal {
		s += " threadlocal"
	}
	if g.Init != nil {
		s += " = " + pr.literal(g.Init, 0)
	}
	return s
}
