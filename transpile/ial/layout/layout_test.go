package layout

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// A program makes the programs of the tests: module m in a file where each definition
// has a line of its own.
type program struct {
	*module.Program
	m    *module.Module
	file *diag.File
	line int
}

func newProgram(t *testing.T) *program {
	t.Helper()
	set := diag.NewSet()
	file, err := set.Add("m.ial", []byte(strings.Repeat("\n", 4000)))
	if err != nil {
		t.Fatal(err)
	}
	m := &module.Module{Name: "m"}
	return &program{Program: &module.Program{Files: set, Modules: []*module.Module{m}}, m: m, file: file}
}

func (p *program) pos() diag.Pos {
	p.line++
	return p.file.Pos(p.line - 1)
}

// structure defines a structure with instance members a, b, c...
func (p *program) structure(name string, align uint32, members ...*module.Type) *module.Type {
	s := &module.Struct{Module: p.m, Name: name, Align: align, Pos: p.pos()}
	for i, typ := range members {
		s.Members = append(s.Members, &module.Field{Module: p.m, Struct: s, Type: typ, Name: string(rune('a' + i)), Pos: p.pos()})
	}
	p.m.Structs = append(p.m.Structs, s)
	return p.Types.Of(s)
}

func (p *program) global(storage module.Storage, typ *module.Type) {
	p.m.Fields = append(p.m.Fields, &module.Field{Module: p.m, Storage: storage, Type: typ, Name: fmt.Sprintf("g%d", len(p.m.Fields)), Pos: p.pos()})
}

func num(w4, w8 uint64) layout.Num { return layout.Num{W4: w4, W8: w8} }

func same(n uint64) layout.Num { return num(n, n) }

func TestLayout(t *testing.T) {
	p := newProgram(t)
	ts := &p.Types
	i8, i32, f64 := ts.Basic(module.Int8), ts.Basic(module.Int32), ts.Basic(module.Float64)
	in := p.structure("In", 0, i8)
	ref := ts.To(module.Reference, in)
	tests := []struct {
		typ         *module.Type
		size, align layout.Num
		offsets     []layout.Num
		managed     bool
	}{
		{typ: i8, size: same(1), align: same(1)},
		{typ: ts.Basic(module.Uint16), size: same(2), align: same(2)},
		{typ: ts.Basic(module.Float32), size: same(4), align: same(4)},
		{typ: ts.Basic(module.Uint64), size: same(8), align: same(8)},
		{typ: ts.Basic(module.Int), size: num(4, 8), align: num(4, 8)},
		{typ: ts.Basic(module.Uint), size: num(4, 8), align: num(4, 8)},
		{typ: ts.To(module.Pointer, i8), size: num(4, 8), align: num(4, 8)},
		{typ: ts.Func(i8, nil, module.Cdecl), size: num(4, 8), align: num(4, 8)},
		{typ: ref, size: num(4, 8), align: num(4, 8), managed: true},
		{typ: ts.To(module.Array, i8), size: num(4, 8), align: num(4, 8), managed: true},
		{typ: ts.Counted(module.Vector, i8, 100), size: num(4, 8), align: num(4, 8), managed: true},
		{typ: ts.Counted(module.Static, i8, 3), size: same(3), align: same(16)},
		{typ: ts.Counted(module.Static, ref, 3), size: num(12, 24), align: same(16), managed: true},
		{typ: ts.Counted(module.Static, ref, 0), size: same(0), align: same(1)},
		{typ: in, size: same(1), align: same(8), offsets: []layout.Num{same(0)}},
		{typ: p.structure("E", 0), size: same(0), align: same(1)},
		{typ: p.structure("E4", 4), size: same(0), align: same(4)},
		{typ: p.structure("A", 0, i32, f64), size: same(16), align: same(8), offsets: []layout.Num{same(0), same(8)}},
		{typ: p.structure("B", 0, i32), size: same(4), align: same(8), offsets: []layout.Num{same(0)}},
		{typ: p.structure("C", 0, f64, i8), size: same(16), align: same(8), offsets: []layout.Num{same(0), same(8)}},
		{typ: p.structure("D", 0, i8, in), size: same(16), align: same(8), offsets: []layout.Num{same(0), same(8)}},
		{typ: p.structure("P", 1, i8, i32), size: same(5), align: same(1), offsets: []layout.Num{same(0), same(1)}},
		{typ: p.structure("Q", 16, i8, i8), size: same(32), align: same(16), offsets: []layout.Num{same(0), same(16)}},
		{typ: p.structure("R", 0, i8, ref, i8), size: num(12, 24), align: same(8), offsets: []layout.Num{same(0), num(4, 8), num(8, 16)}, managed: true},
		{typ: p.structure("S", 0, i8, ts.Counted(module.Static, i8, 1)), size: same(32), align: same(8), offsets: []layout.Num{same(0), same(16)}},
	}
	table := New()
	for _, tt := range tests {
		l := table.Of(tt.typ)
		if l.Size != tt.size || l.Align != tt.align || l.Managed != tt.managed || len(l.Members) != len(tt.offsets) {
			t.Errorf("%s: size %v, alignment %v, managed %v, %d members", tt.typ, l.Size, l.Align, l.Managed, len(l.Members))
			continue
		}
		for i, m := range l.Members {
			if m.Offset != tt.offsets[i] || table.Offset(m.Field) != m.Offset {
				t.Errorf("%s: member %s is at %v, want %v", tt.typ, m.Field.Name, m.Offset, tt.offsets[i])
			}
		}
	}
}

// TestStorage: static and thread members take no space in a structure.
func TestStorage(t *testing.T) {
	p := newProgram(t)
	i8 := p.Types.Basic(module.Int8)
	typ := p.structure("S", 0, i8, i8, i8)
	typ.Struct.Members[0].Storage = module.Global
	typ.Struct.Members[1].Storage = module.Thread
	table := New()
	if off := table.Offset(typ.Struct.Members[2]); off != same(0) || table.Of(typ).Size != same(1) || len(table.Of(typ).Members) != 1 {
		t.Errorf("offset %v, layout %+v", off, table.Of(typ))
	}
}

// report runs a check and gives its messages.
func (p *program) report(t *testing.T, check func(*module.Program, *Table, *diag.List)) string {
	t.Helper()
	diags := diag.NewList(p.Files)
	check(p.Program, New(), diags)
	var lines []string
	for _, d := range diags.All() {
		lines = append(lines, diags.Format(d))
	}
	return strings.Join(lines, "\n")
}

// TestDoubled: definitions each of which is twice as large as the one before take memory in proportion to their number.
func TestDoubled(t *testing.T) {
	allocations := func(n int) float64 {
		p := newProgram(t)
		typ := p.Types.Basic(module.Int8)
		for i := range n {
			typ = p.structure(fmt.Sprint(i), 0, typ, typ, p.Types.Counted(module.Static, typ, 2))
			p.global(module.Global, typ)
		}
		return testing.AllocsPerRun(1, func() {
			Limits(p.Program, New(), diag.NewList(p.Files))
			Aligned(p.Program, New(), diag.NewList(p.Files))
		})
	}
	if few, many := allocations(6), allocations(12); many > 4*few {
		t.Errorf("6 definitions take %v allocations, 12 take %v", few, many)
	}
}

func TestLimits(t *testing.T) {
	tests := []struct {
		name string
		make func(p *program)
		want string
	}{
		{"doubled scalars", func(p *program) {
			typ := p.Types.Basic(module.Int8)
			for i := range 80 { // two scalars after the first; 2^17 after the 17th
				typ = p.structure(fmt.Sprintf("t%d", i), 0, typ, typ)
			}
		}, "m.ial:49:1: type t16 is too large: it has more than 65536 scalars, those of its members counted, of a static array those of one element"},
		{"as many scalars as allowed", func(p *program) {
			typ := p.Types.Basic(module.Int8)
			for i := range 16 {
				typ = p.structure(fmt.Sprintf("t%d", i), 0, typ, typ)
			}
		}, ""},
		{"nested static arrays", func(p *program) {
			typ := p.Types.Basic(module.Int8)
			for i := range 80 {
				typ = p.structure(fmt.Sprintf("t%d", i), 0, p.Types.Counted(module.Static, typ, 2))
			}
		}, "m.ial:88:1: type t42{2} is too large: its elements take 2^47 bytes or more"},
		{"a structure of large arrays", func(p *program) {
			typ := p.Types.Counted(module.Static, p.Types.Basic(module.Int8), 1<<30)
			for i := range 2 {
				typ = p.structure(fmt.Sprintf("t%d", i), 0, p.Types.Counted(module.Static, typ, 1<<8))
			}
			p.structure("u", 0, typ, typ)
		}, "m.ial:5:1: type u is too large: it has 2^47 bytes or more"},
		{"a vector, behind a pointer, in a function type", func(p *program) {
			inner := p.Types.Counted(module.Static, p.Types.Basic(module.Int64), 1<<31)
			v := p.Types.Counted(module.Vector, inner, 1<<31)
			f := p.Types.Func(p.Types.Basic(module.Void), []*module.Type{p.Types.To(module.Pointer, v)}, module.Standard)
			p.structure("S", 0, f, f)
		}, "m.ial:2:1: type int64{2147483648}[2147483648] is too large: its elements take 2^47 bytes or more"},
		{"globals", func(p *program) {
			half := p.Types.Counted(module.Static, p.Types.Basic(module.Int8), 1<<29)
			for range 4 {
				p.global(module.Global, half)
			}
			p.m.Fields = append(p.m.Fields, &module.Field{Module: p.m, Type: half, Storage: module.Global, Name: "alias", Forward: p.m.Fields[0], Pos: p.pos()})
		}, "m.ial:3:1: field g2: the global fields of the program take more than 2^30 bytes"},
		{"static and thread members", func(p *program) {
			half := p.Types.Counted(module.Static, p.Types.Basic(module.Int8), 1<<30)
			s := p.structure("S", 0, half, half).Struct
			s.Members[0].Storage, s.Members[1].Storage = module.Global, module.Thread
			p.global(module.Thread, p.Types.Basic(module.Int8))
		}, "m.ial:4:1: field g0: the thread fields of the program take more than 2^30 bytes"},
		{"a long chain", func(p *program) {
			typ := p.Types.Basic(module.Int8)
			for i := range 100_000 {
				typ = p.structure(fmt.Sprint(i), 0, typ)
			}
			structs := p.m.Structs
			p.m.Structs = []*module.Struct{structs[len(structs)-1]}
			p.m.Structs = append(p.m.Structs, structs...)
		}, ""},
	}
	for _, tt := range tests {
		p := newProgram(t)
		tt.make(p)
		if got := p.report(t, Limits); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

func TestAligned(t *testing.T) {
	// function adds a function with one instruction that makes a block for target.
	function := func(p *program, op module.Op, target *module.Type) {
		r := &module.Register{Name: "r", Type: target, Pos: p.pos()}
		in := &module.Instr{Op: op, Target: r, TargetPos: p.pos()}
		p.m.Functions = append(p.m.Functions, &module.Function{Module: p.m, Name: "f", Result: p.Types.Basic(module.Void),
			Registers: []*module.Register{r}, Blocks: []*module.Block{{Name: "entry", Instrs: []*module.Instr{in}}}})
	}
	u8 := func(p *program) *module.Type { return p.Types.Basic(module.Uint8) }
	// object is a reference to a structure O, which is at line 1.
	object := func(p *program) *module.Type { return p.Types.To(module.Reference, p.structure("O", 0)) }
	tests := []struct {
		name string
		make func(p *program)
		want string
	}{
		{"a member", func(p *program) {
			p.structure("B", 1, u8(p), object(p))
		}, "m.ial:4:1: managed member b is not aligned: it is at byte 1, which is no multiple of 8"},
		{"aligned members", func(p *program) {
			p.structure("B", 0, u8(p), object(p))
			p.structure("C", 8, u8(p), object(p))
			p.structure("D", 1, object(p), u8(p), u8(p))
		}, ""},
		{"what is not managed", func(p *program) {
			p.structure("B", 1, u8(p), p.Types.To(module.Pointer, u8(p)))
		}, ""},
		{"a member of a member", func(p *program) {
			in := p.structure("In", 1, object(p))
			p.structure("B", 1, u8(p), in, p.Types.Counted(module.Static, in, 2))
		}, "m.ial:6:1: managed member b is not aligned: it is at byte 1, which is no multiple of 8\n" +
			"m.ial:7:1: managed member c is not aligned: it is at byte 9, which is no multiple of 8"},
		{"at a multiple of 4", func(p *program) {
			p.structure("B", 4, u8(p), object(p))
		}, "m.ial:4:1: managed member b is not aligned: it is at byte 4, which is no multiple of 8"},
		{"elements", func(p *program) {
			b := p.structure("B", 1, object(p), u8(p))
			p.structure("C", 0, p.Types.To(module.Array, b), p.Types.To(module.Pointer, p.Types.Counted(module.Static, b, 2)), p.Types.To(module.Pointer, b))
		}, "m.ial:6:1: managed member a is not aligned in elements of B[]: the size of B is 9, which is no multiple of 8\n" +
			"m.ial:7:1: managed member a is not aligned in elements of B{2}: the size of B is 9, which is no multiple of 8"},
		{"a block", func(p *program) {
			b := p.structure("B", 1, object(p), u8(p))
			function(p, module.MemAlloc, p.Types.To(module.Pointer, b))
		}, "m.ial:6:1: managed member a is not aligned in blocks of B: the size of B is 9, which is no multiple of 8"},
		{"an aligned block, and one object", func(p *program) {
			b := p.structure("B", 1, object(p), u8(p))
			function(p, module.MemAlloc, p.Types.To(module.Pointer, p.Types.To(module.Reference, b)))
			function(p, module.MemNew, p.Types.To(module.Reference, b))
		}, ""},
	}
	for _, tt := range tests {
		p := newProgram(t)
		tt.make(p)
		if got := p.report(t, Aligned); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

// TestWords: a type that is aligned with words of 8 bytes is aligned with words of 4.
func TestWords(t *testing.T) {
	p := newProgram(t)
	r := rand.New(rand.NewPCG(1, 2))
	ts := &p.Types
	var types []*module.Type
	for k := module.Int8; k <= module.Float64; k++ {
		types = append(types, ts.Basic(k))
	}
	types = append(types, ts.To(module.Array, types[0]))
	table := New()
	aligned := 0
	for i := range 1000 {
		var members []*module.Type
		for range r.IntN(6) {
			members = append(members, types[r.IntN(len(types))])
		}
		typ := p.structure(fmt.Sprint(i), []uint32{0, 0, 1, 2, 4, 8}[r.IntN(6)], members...)
		types = append(types, typ, ts.Counted(module.Static, typ, uint32(r.IntN(3))))
		l := table.Of(typ)
		for _, n := range append([]layout.Num{l.Size}, offsets(l)...) {
			if n.W8%8 == 0 && n.W4%4 != 0 {
				t.Fatalf("structure %d: %v in %+v", i, n, l)
			}
			if n.W8%8 == 0 && n.W8 > 0 {
				aligned++
			}
		}
	}
	if aligned < 100 {
		t.Errorf("only %d aligned offsets were seen", aligned)
	}
}

func offsets(l *Layout) []layout.Num {
	var ns []layout.Num
	for _, m := range l.Members {
		ns = append(ns, m.Offset)
	}
	return ns
}
