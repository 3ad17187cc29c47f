// Package write writes modules of IAL as text, which assembles to the same module again.
//
// A module keeps its instructions and declarations, so it stays in the form of the language in
// which it was written: static and thread members are written in their types, data blocks and
// fields of the module outside. Only one word is optional: instance members have their storage
// word, as form A (2012) requires, if the module has something that form B (the final form) lacks
// (a static or thread member, or an instruction of form A); otherwise they do not have the word, as
// form B requires.
//
// Names have quotes where they need them, and the name of their module in front if it is another
// module. Literals are decimal. Comments are lost, and so is the order between declarations of
// different kinds: types come first, then fields, data blocks, functions and entry points.
package write

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ial/format"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// Module writes a module. It returns an error if text cannot have one of its names: an empty
// name, one that is not UTF-8, or one that ends with a backslash.
func Module(m *module.Module) ([]byte, error) { return Placed(m, nil) }

// Placed is Module with the directives //line and //name of the module's files, which are in the set.
func Placed(m *module.Module, files *diag.Set) ([]byte, error) {
	w := &writer{m: m, formA: usesFormA(m), placed: diag.NewPlaced(files), files: files, out: &strings.Builder{}}
	w.module()
	if w.err != nil {
		return nil, w.err
	}
	text, err := format.Source(m.Name+".ial", []byte(w.out.String()))
	if err != nil {
		return nil, fmt.Errorf("internal error: %w", err)
	}
	return text, nil
}

// usesFormA reports whether a module has something of form A that form B lacks.
func usesFormA(m *module.Module) bool {
	for _, s := range m.Structs {
		for _, f := range s.Members {
			if f.Storage != module.Instance {
				return true
			}
		}
	}
	for _, f := range m.Functions {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if in.Row().Form == module.FormA {
					return true
				}
			}
		}
	}
	return false
}

// A writer writes one module. Layout is that of package format.
type writer struct {
	m     *module.Module
	formA bool
	out   *strings.Builder
	err   error

	placed *diag.Placed
	files  *diag.Set    // nil if names of the author's are lost
	names  diag.Namings // of the function
}

// line writes a line, or the beginning of one, in two parts. The second begins with what comes from pos.
func (w *writer) line(pos diag.Pos, depth int, lead, rest func()) {
	out := w.out
	w.out = &strings.Builder{}
	lead()
	n := w.out.Len()
	rest()
	out.WriteString(w.placed.Text(pos, n, format.Step*depth, w.out.String()))
	w.out = out
}

func (w *writer) printf(format string, args ...any) { fmt.Fprintf(w.out, format, args...) }

// name spells a name.
func (w *writer) name(n string) string {
	if (n == "" || strings.HasSuffix(n, `\`) || !utf8.ValidString(n)) && w.err == nil {
		w.err = fmt.Errorf("name %q cannot be written", n)
	}
	return module.Quote(n)
}

// ref spells the name of a declaration of a module.
func (w *writer) ref(m *module.Module, name string) string {
	if m == w.m {
		return w.name(name)
	}
	return w.name(m.Name) + "/" + w.name(name)
}

// block spells the name of a block.
func (w *writer) block(b *module.Block) string {
	w.name(b.Name)
	return b.Label()
}

// typ spells a type.
func (w *writer) typ(t *module.Type) string { return t.Spell(w.m) }

// meta writes metadata and a space, if there is any.
func (w *writer) meta(m module.Meta) {
	if len(m) == 0 {
		return
	}
	list(w, "[", len(m), func(i int) { w.printf("%s:%s", w.name(m[i].Key), w.name(m[i].Value)) })
	w.printf("] ")
}

// perLine is the number of elements on a line of a long list.
const perLine = 16

// list writes n elements after an opening bracket.
func list(w *writer, open string, n int, element func(i int)) {
	w.printf("%s", open)
	for i := range n {
		if i > 0 {
			w.printf(", ")
		}
		if n > perLine && i%perLine == 0 {
			w.printf("\n")
		}
		element(i)
	}
}

// module writes all declarations.
func (w *writer) module() {
	for i, s := range w.m.Structs {
		if i > 0 {
			w.printf("\n")
		}
		w.structure(s)
	}
	w.gap(len(w.m.Fields) > 0)
	for _, f := range w.m.Fields {
		w.field(f)
	}
	w.gap(len(w.m.Data) > 0)
	for _, d := range w.m.Data {
		w.line(d.Pos, 0, func() {
			w.meta(d.Meta)
			w.printf("data ")
		}, func() {
			list(w, w.name(d.Name)+" (", len(d.Bytes), func(i int) { w.printf("%d", d.Bytes[i]) })
			w.printf(");\n")
		})
	}
	for _, f := range w.m.Functions {
		w.gap(true)
		w.function(f)
	}
	gap := true
	for k, e := range w.m.Entries {
		if e.Func != nil {
			w.gap(gap)
			gap = false
			w.printf("%s %s;\n", module.EntryKind(k), w.name(e.Func.Name))
		}
	}
}

// gap writes a blank line between declarations, if one is wanted.
func (w *writer) gap(wanted bool) {
	if wanted && w.out.Len() > 0 {
		w.printf("\n")
	}
}

// structure writes a type.
func (w *writer) structure(s *module.Struct) {
	w.line(s.Pos, 0, func() {
		w.meta(s.Meta)
		w.printf("type ")
	}, func() {
		w.printf("%s", w.name(s.Name))
		if s.Align != 0 {
			w.printf(" align %d", s.Align)
		}
		w.printf("\n{\n")
	})
	for _, f := range s.Members {
		w.field(f)
	}
	w.printf("}\n")
}

// field writes a member, or a field of the module.
func (w *writer) field(f *module.Field) {
	depth := 0
	if f.Struct != nil {
		depth = 1
	}
	w.line(f.Pos, depth, func() { w.fieldType(f) }, func() {
		w.printf("%s", w.name(f.Name))
		if f.ForwardModule != "" {
			w.printf(" (%s, %s)", w.name(f.ForwardModule), w.name(f.ForwardName))
		}
		w.printf(";\n")
	})
}

// fieldType writes what is in front of the name of a field.
func (w *writer) fieldType(f *module.Field) {
	w.meta(f.Meta)
	w.printf("field ")
	switch {
	case f.Storage == module.Thread:
		w.printf("thread ")
	case f.Struct == nil:
		w.printf("global ")
	case f.Storage == module.Global:
		w.printf("static ")
	case w.formA:
		w.printf("instance ")
	}
	w.printf("%s ", w.typ(f.Type))
}

var attributes = []struct {
	attr module.Attrs
	word string
}{
	{module.SSA, "ssa"}, {module.Pure, "pure"}, {module.NoOptimize, "nooptimize"},
	{module.NoInline, "noinline"}, {module.NoReturn, "noreturn"}, {module.NoThrow, "nothrow"},
}

// bodies finds where the functions of a file begin.
func (w *writer) bodies(file diag.FileID) (starts []uint32) {
	for _, f := range w.m.Functions {
		if f.Pos.File == file {
			starts = append(starts, f.Pos.Off)
		}
	}
	slices.Sort(starts)
	return starts
}

// function writes a function.
func (w *writer) function(f *module.Function) {
	w.names = diag.Namings{}
	w.line(f.Pos, 0, func() {
		w.meta(f.Meta)
		w.printf("function ")
		for _, a := range attributes {
			if f.Has(a.attr) {
				w.printf("%s ", a.word)
			}
		}
		w.printf("%s ", w.typ(f.Result))
	}, func() { w.signature(f) })
	for _, r := range f.Registers {
		w.line(r.Pos, 1, func() {
			w.meta(r.Meta)
			w.printf("register %s ", w.typ(r.Type))
		}, func() { w.printf("%s;\n", w.name(r.Name)) })
	}
	for i, b := range f.Blocks {
		if i > 0 || len(f.Registers) > 0 {
			w.printf("\n")
		}
		w.line(b.Pos, 1, func() {
			w.meta(b.Meta)
			w.printf("block ")
		}, func() {
			w.printf("%s", w.block(b))
			if b.Unwind != nil {
				w.printf(" unwind %s", w.block(b.Unwind))
			}
			w.printf("\n{\n")
		})
		for _, in := range b.Instrs {
			w.instr(in)
		}
		w.printf("}\n")
	}
	w.printf("}\n")
}

// signature writes the name of a function and what follows.
func (w *writer) signature(f *module.Function) {
	list(w, w.name(f.Name)+"(", len(f.Params), func(i int) {
		p := &f.Params[i]
		w.meta(p.Meta)
		if p.NoEscape {
			w.printf("noescape ")
		}
		w.printf("%s", w.typ(p.Type))
	})
	w.printf(") %s\n{\n", f.Conv)
}

// instr writes an instruction.
func (w *writer) instr(in *module.Instr) {
	if in.Target != nil && w.files != nil {
		local := in.Target.Name
		called := w.files.Called(in.Pos, local, func() []uint32 { return w.bodies(in.Pos.File) })
		w.printf("%s", w.names.Before(local, called, local))
	}
	w.line(in.Pos, 2, func() {
		w.meta(in.Meta)
		if in.Volatile {
			w.printf("volatile ")
		}
		if in.Target != nil {
			w.printf("%s = ", w.name(in.Target.Name))
		}
	}, func() {
		w.printf("%s", in.Op)
		if len(in.Src) > 0 {
			list(w, " ", len(in.Src), func(i int) { w.printf("%s", w.name(in.Src[i].Name)) })
		}
		w.operand(in, in.Row())
		w.printf(";\n")
	})
}

// operand writes the operand of an instruction, if it has one.
func (w *writer) operand(in *module.Instr, row *module.Row) {
	one := func(text string) { w.printf(" (%s)", text) }
	switch row.Operand {
	case module.OperandLiteral, module.OperandLiterals:
		list(w, " (", len(in.Lits), func(i int) { w.printf("%s", literal(in.Lits[i], row.Literal)) })
		w.printf(")")
	case module.OperandType:
		one(w.typ(in.Type))
	case module.OperandMember:
		one(w.ref(in.Field.Struct.Module, in.Field.Struct.Name) + ":" + w.name(in.Field.Name))
	case module.OperandGlobal, module.OperandThread:
		one(w.ref(in.Field.Module, in.Field.Name))
	case module.OperandFunc:
		one(w.ref(in.Func.Module, in.Func.Name))
	case module.OperandData:
		one(w.ref(in.Data.Module, in.Data.Name))
	case module.OperandLabel, module.OperandBranch:
		list(w, " (", len(in.Blocks), func(i int) { w.printf("%s", w.block(in.Blocks[i])) })
		w.printf(")")
	case module.OperandRegs:
		list(w, " (", len(in.Regs), func(i int) { w.printf("%s", w.name(in.Regs[i].Name)) })
		w.printf(")")
	case module.OperandSymbol:
		one(w.name(in.Module) + ", " + w.name(in.Symbol))
	}
}

// literal spells a value of a type that literals have.
func literal(bits uint64, k module.Kind) string {
	switch k {
	case module.Int8:
		return strconv.Itoa(int(int8(bits)))
	case module.Int16:
		return strconv.Itoa(int(int16(bits)))
	case module.Int32:
		return strconv.Itoa(int(int32(bits)))
	case module.Int64:
		return strconv.FormatInt(int64(bits), 10)
	case module.Float32:
		return float(float64(math.Float32frombits(uint32(bits))), 32, bits>>31 != 0)
	case module.Float64:
		return float(math.Float64frombits(bits), 64, bits>>63 != 0)
	}
	return strconv.FormatUint(bits, 10)
}

// float spells a floating-point value with a point, and no more digits than it needs.
func float(f float64, size int, negative bool) string {
	switch {
	case f != f && negative:
		return "-nan"
	case f != f:
		return "nan"
	case math.IsInf(f, 0):
		return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(f, 'g', -1, size)), "+")
	}
	s := strconv.FormatFloat(f, 'g', -1, size)
	mantissa, exponent, scaled := strings.Cut(s, "e")
	if !strings.Contains(mantissa, ".") {
		mantissa += ".0"
	}
	if scaled {
		return mantissa + "e" + exponent
	}
	return mantissa
}
