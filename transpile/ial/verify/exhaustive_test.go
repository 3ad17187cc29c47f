package verify_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ial/verify"
)

// The types that are tried: for instructions with three registers, with fewer, and for loads of literals. An @ stands
// for a space.
const (
	threeTypes = "int8 int32 uint float64 int32* S& int32[] uint[] int32*[] S&[] int32[2] uint[3] int32{2} void()[] void() S"
	twoTypes   = threeTypes + " int uint64 float32 S* S&* uint8* O& float64[] uint{2} S&{2} void()*[] int32(int32) void()@cdecl int32(int32)@cdecl int32(int32)@stdcall"
)

func literalTypes() string {
	var all []string
	for k := module.Int8; k <= module.Float64; k++ {
		for _, suffix := range []string{"", "*", "[]", "[2]", "[3]", "{2}", "{3}"} {
			all = append(all, (&module.Types{}).Basic(k).String()+suffix)
		}
	}
	return strings.Join(all, " ")
}

// A fit says whether an operation accepts a target, void if there is none, and sources of some types.
type fit func(t *module.Type, s []*module.Type) bool

func kind(k module.Kind) func(*module.Type) bool {
	return func(t *module.Type) bool { return t.Kind == k }
}

var (
	uintType  = kind(module.Uint)
	pointer   = kind(module.Pointer)
	function  = kind(module.FuncType)
	reference = kind(module.Reference)
	word      = func(t *module.Type) bool { return t.Kind == module.Uint || t.Kind == module.Int }
	number    = (*module.Type).IsPrimitive
	integer   = (*module.Type).IsInt
	managed   = (*module.Type).IsManaged
)

// arrays reports whether a type is of arrays whose elements have a property.
func arrays(t *module.Type, elem func(*module.Type) bool) bool { return t.IsArray() && elem(t.Elem) }

// orArray reports whether a type is elem or one of arrays of it.
func orArray(t, elem *module.Type) bool { return t == elem || t.IsArray() && t.Elem == elem }

// converts is the list of docs/ial.md, "Conversions".
func converts(from, to *module.Type) bool {
	switch {
	case number(from):
		return number(to) || word(from) && pointer(to)
	case pointer(from):
		return pointer(to) || word(to) || function(to)
	case function(from):
		return function(to) || pointer(to)
	}
	return managed(from) && managed(to)
}

func named(name string) func(*module.Type) bool {
	return func(t *module.Type) bool { return t.String() == name }
}

// sums is the fit of sums of numbers and, if pointers is set, of a pointer and a uint.
func sums(pointers bool) fit {
	return func(t *module.Type, s []*module.Type) bool {
		return t == s[0] && (number(t) && s[0] == s[len(s)-1] || pointers && pointer(t) && uintType(s[1]))
	}
}

// alike is the fit of operations whose registers all have one type, with a property.
func alike(of func(*module.Type) bool) fit {
	return func(t *module.Type, s []*module.Type) bool {
		return of(t) && !slices.ContainsFunc(s, func(x *module.Type) bool { return x != t })
	}
}

// compared reports whether values of a type can be compared: by order, or for equality.
func compared(t *module.Type, order bool) bool {
	return number(t) || pointer(t) || !order && function(t)
}

func comparison(order bool) fit {
	return func(t *module.Type, s []*module.Type) bool {
		return uintType(t) && s[0] == s[1] && compared(s[0], order)
	}
}

// bulk is the fit of operations on arrays whose elements have a property.
func bulk(of func(*module.Type) bool, pointers bool) fit {
	return func(_ *module.Type, s []*module.Type) bool {
		if !s[0].IsArray() || !s[1].IsArray() || s[0].Elem != s[1].Elem {
			return false
		}
		e := s[0].Elem
		if pointers && pointer(e) {
			return uintType(s[2]) || arrays(s[2], uintType)
		}
		return of(e) && (len(s) == 2 || orArray(s[2], e))
	}
}

func bulkComparison(order bool) fit {
	return func(_ *module.Type, s []*module.Type) bool {
		return arrays(s[0], uintType) && s[1].IsArray() && compared(s[1].Elem, order) && orArray(s[2], s[1].Elem)
	}
}

// target is the fit of operations of which only the target matters.
func target(of func(*module.Type) bool) fit {
	return func(t *module.Type, _ []*module.Type) bool { return of(t) }
}

// source is the fit of operations of which only the one source matters.
func source(of func(*module.Type) bool) fit {
	return func(_ *module.Type, s []*module.Type) bool { return of(s[0]) }
}

// base reports whether a type has the member of the instructions below.
func base(t *module.Type) bool {
	return slices.Contains([]string{"m/S", "m/S*", "m/S&"}, t.String())
}

func pointerTo(t, elem *module.Type) bool { return pointer(t) && t.Elem == elem }

// fits has all operations whose registers depend on nothing around them (docs/ial.md, "Types of registers"), with
// the rule that says so and the operand of the instructions that are tried.
var fits = []struct {
	ops     string
	rule    int
	operand string
	fit     fit
}{
	{"jump.cond", 9, "(entry, entry)", source(uintType)},
	{"eh.throw", 17, "", source(reference)},
	{"eh.catch", 17, "", target(reference)},
	{"load.size load.align", 28, "(S)", target(uintType)},
	{"load.offset", 28, "(S:x)", target(uintType)},
	{"load.null", 30, "", target(func(t *module.Type) bool { return pointer(t) || function(t) || managed(t) })},
	{"load.func", 31, "(g)", target(named("int32(int32)"))},
	{"load.data", 32, "(d)", target(named("uint8*"))},
	{"copy", 33, "", func(t *module.Type, s []*module.Type) bool { return t == s[0] }},
	{"ari.add ari.sub", 34, "", sums(true)},
	{"ari.mul ari.div ari.rem", 34, "", sums(false)},
	{"ari.neg not", 34, "", alike(number)},
	{"bit.and bit.or bit.xor bit.neg", 35, "", alike(integer)},
	{"shl shr rol ror", 36, "", func(t *module.Type, s []*module.Type) bool { return integer(t) && t == s[0] && uintType(s[1]) }},
	{"cmp.eq cmp.neq", 37, "", comparison(false)},
	{"cmp.lt cmp.gt cmp.lteq cmp.gteq", 37, "", comparison(true)},
	{"conv", 38, "", func(t *module.Type, s []*module.Type) bool { return converts(s[0], t) }},
	{"mem.alloc", 39, "", func(t *module.Type, s []*module.Type) bool {
		return (pointer(t) || t.Kind == module.Array) && uintType(s[0])
	}},
	{"mem.new", 39, "", target(func(t *module.Type) bool { return pointer(t) || reference(t) || t.Kind == module.Vector })},
	{"mem.free", 39, "", source(func(t *module.Type) bool { return pointer(t) || managed(t) })},
	{"mem.salloc", 39, "", func(t *module.Type, s []*module.Type) bool { return pointer(t) && uintType(s[0]) }},
	{"mem.snew", 39, "", target(pointer)},
	{"mem.pin", 40, "", func(t *module.Type, s []*module.Type) bool { return uintType(t) && managed(s[0]) }},
	{"mem.unpin", 40, "", source(uintType)},
	{"mem.get", 41, "", func(t *module.Type, s []*module.Type) bool { return pointerTo(s[0], t) }},
	{"mem.set", 41, "", func(_ *module.Type, s []*module.Type) bool { return pointerTo(s[0], s[1]) }},
	{"mem.addr", 41, "", func(t *module.Type, s []*module.Type) bool { return pointerTo(t, s[0]) }},
	{"array.get", 42, "", func(t *module.Type, s []*module.Type) bool {
		return s[0].IsArray() && uintType(s[1]) && s[0].Elem == t
	}},
	{"array.set", 42, "", func(_ *module.Type, s []*module.Type) bool {
		return s[0].IsArray() && uintType(s[1]) && s[0].Elem == s[2]
	}},
	{"array.addr", 42, "", func(t *module.Type, s []*module.Type) bool {
		return s[0].IsArray() && uintType(s[1]) && pointerTo(t, s[0].Elem)
	}},
	{"array.len", 42, "", func(t *module.Type, s []*module.Type) bool { return uintType(t) && s[0].IsArray() }},
	{"array.ari.add array.ari.sub", 43, "", bulk(number, true)},
	{"array.ari.mul array.ari.div array.ari.rem array.ari.neg array.not", 43, "", bulk(number, false)},
	{"array.bit.and array.bit.or array.bit.xor array.bit.neg", 43, "", bulk(integer, false)},
	{"array.shl array.shr array.rol array.ror", 43, "", func(_ *module.Type, s []*module.Type) bool {
		return bulk(integer, false)(nil, s[:2]) && (uintType(s[2]) || arrays(s[2], uintType))
	}},
	{"array.cmp.eq array.cmp.neq", 44, "", bulkComparison(false)},
	{"array.cmp.lt array.cmp.gt array.cmp.lteq array.cmp.gteq", 44, "", bulkComparison(true)},
	{"array.conv", 45, "", func(_ *module.Type, s []*module.Type) bool {
		return s[0].IsArray() && s[1].IsArray() && converts(s[0].Elem, s[1].Elem)
	}},
	{"field.get", 46, "(S:x)", func(t *module.Type, s []*module.Type) bool { return base(s[0]) && named("int32")(t) }},
	{"field.set", 46, "(S:x)", func(_ *module.Type, s []*module.Type) bool { return base(s[0]) && named("int32")(s[1]) }},
	{"field.addr", 46, "(S:x)", func(t *module.Type, s []*module.Type) bool { return base(s[0]) && named("int32*")(t) }},
	{"field.user.get field.user.set", 46, "", func(t *module.Type, s []*module.Type) bool {
		return managed(s[0]) && (len(s) == 2 && managed(s[1]) || len(s) == 1 && managed(t))
	}},
	{"field.user.addr", 46, "", func(t *module.Type, s []*module.Type) bool {
		return managed(s[0]) && pointer(t) && managed(t.Elem)
	}},
	{"field.static.get", 46, "(S:n)", target(named("int32"))},
	{"field.static.set", 46, "(S:n)", source(named("int32"))},
	{"field.static.addr", 46, "(S:n)", target(named("int32*"))},
	{"field.global.get", 46, "(gl)", target(named("int32"))},
	{"field.global.set", 46, "(gl)", source(named("int32"))},
	{"field.global.addr", 46, "(gl)", target(named("int32*"))},
	{"field.thread.get", 46, "(tl)", target(named("int32"))},
	{"field.thread.set", 46, "(tl)", source(named("int32"))},
	{"field.thread.addr", 46, "(tl)", target(named("int32*"))},
	{"tramp", 48, "", func(t *module.Type, s []*module.Type) bool {
		return function(s[0]) && function(t) && t.Conv != module.Standard && t.Elem == s[0].Elem && slices.Equal(t.Params, s[0].Params)
	}},
}

// TestExhaustive tries each operation with registers of all the types above in every combination: those that the
// reference allows have no fault, the others break the rule of the operation and no other.
func TestExhaustive(t *testing.T) {
	tried := map[string]bool{}
	for _, f := range fits {
		for _, op := range strings.Fields(f.ops) {
			tried[op] = true
			types := twoTypes
			if row := module.Ops[module.Mnemonics[op]]; row.Sources == 3 || row.Sources == 2 && row.Target {
				types = threeTypes
			}
			exhaust(t, op, f.operand, types, f.rule, f.fit)
		}
	}
	for op := range module.NumOps {
		row := module.Ops[op]
		if name := row.Mnemonic; strings.HasPrefix(name, "load.") && row.Operand >= module.OperandLiteral && row.Operand <= module.OperandLiterals {
			own := (&module.Types{}).Basic(row.Literal).String()
			if tried[name] = true; row.Operand == module.OperandLiteral {
				exhaust(t, name, "(1)", literalTypes(), 28, target(named(own)))
			} else {
				exhaust(t, name, "(1, 2)", literalTypes(), 29, target(func(t *module.Type) bool {
					return slices.Contains([]string{own + "[]", own + "*", own + "[2]", own + "{2}"}, t.String())
				}))
			}
		}
	}
	around := strings.Fields("arg.push arg.pop call call.indirect call.tail invoke.indirect return phi")
	for _, row := range module.Ops {
		if registers := row.Target || row.Sources > 0; registers && !slices.Contains(around, row.Mnemonic) != tried[row.Mnemonic] {
			t.Errorf("%s: tried is %v", row.Mnemonic, tried[row.Mnemonic])
		}
	}
}

// exhaust tries one operation.
func exhaust(t *testing.T, op, operand, types string, rule int, fit fit) {
	t.Helper()
	row := &module.Ops[module.Mnemonics[op]]
	regs, instr := "", op+strings.TrimSuffix(strings.Repeat(" r0,", row.Sources), ",")+" "+operand+";"
	for i, typ := range strings.Fields(types) {
		regs += fmt.Sprintf("register %s r%d; ", strings.ReplaceAll(typ, "@", " "), i)
	}
	if row.Target {
		instr = "r0 = " + instr
	}
	p, diags := assembled("m.ial", "function void t() { "+regs+" block entry { leave; } block b { "+instr+" leave; } }"+prelude)
	if p == nil {
		t.Fatal(diags.Err())
	}
	body := p.Modules[0].Functions[0]
	first, leave := body.Blocks[1].Instrs[0], body.Blocks[0].Instrs[0]
	body.Blocks = body.Blocks[:1]
	none := p.Types.Basic(module.Void)
	places := row.Sources // number of registers of an instruction
	if row.Target {
		places++
	}
	var allowed []bool // by number of the instruction, which is also its position
	chosen := make([]int, places)
	for more := true; more; {
		at := diag.Pos{File: first.Pos.File, Off: uint32(len(allowed))}
		in := *first
		in.Pos, in.TargetPos, in.Src, in.SrcPos = at, at, nil, nil
		in.OperandPos = slices.Repeat([]diag.Pos{at}, len(first.OperandPos))
		to, sources := none, []*module.Type(nil)
		for i, n := range chosen {
			r := body.Registers[n]
			if i == row.Sources {
				in.Target, to = r, r.Type
				continue
			}
			in.Src, in.SrcPos, sources = append(in.Src, r), append(in.SrcPos, at), append(sources, r.Type)
		}
		b := &module.Block{Name: fmt.Sprint("b", len(allowed)), Index: len(body.Blocks), Pos: at, End: at, Instrs: []*module.Instr{&in, leave}}
		if row.Terminator {
			b.Instrs = b.Instrs[:1]
		}
		body.Blocks = append(body.Blocks, b)
		allowed = append(allowed, fit(to, sources))
		more = false
		for i := range chosen {
			if chosen[i]++; chosen[i] < len(body.Registers) {
				more = true
				break
			}
			chosen[i] = 0
		}
	}
	faults := make([]bool, len(allowed))
	diags = diag.NewList(p.Files)
	verify.Program(p, diags)
	for _, d := range diags.All() {
		faults[d.Pos.Off] = true
		if !strings.HasSuffix(d.Msg, fmt.Sprintf("(V%d)", rule)) {
			t.Errorf("%s: %s, want rule V%d", op, d.Msg, rule)
		}
	}
	wrong := 0
	for i, ok := range allowed {
		if ok != faults[i] {
			continue
		}
		if wrong++; wrong < 5 {
			in := body.Blocks[i+1].Instrs[0]
			var types []string
			for _, r := range in.Src {
				types = append(types, r.Type.String())
			}
			if in.Target != nil {
				types = append(types, "= "+in.Target.Type.String())
			}
			t.Errorf("%s with %s: allowed is %v, faulty %v", op, strings.Join(types, ", "), ok, faults[i])
		}
	}
	if !slices.Contains(allowed, true) || !slices.Contains(allowed, false) {
		t.Errorf("%s: nothing is allowed, or all", op)
	}
}
