package check

import (
	"fmt"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/tvm/term"
)

// meaning checks a function %f with some parameters and returns the types of its parameters %x
// and %y.
func meaning(t *testing.T, params, x, y string) (*Program, term.ID, term.ID) {
	t.Helper()
	p, errs := checked(t, "%s = define struct i32 i64;\n%r = recursive (%a : type) > (struct %a);\n%q = recursive (%a : type) > (struct %a);\n%k = recursive (%a : upref_type) > (struct (pointer i32 %a));\n%base = base %D %O > (struct i32);\n"+
		"%f = function ("+params+" %x : pointer ("+x+"), %y : pointer ("+y+")) > empty;")
	if len(errs) > 0 {
		t.Fatalf("%s, %s: %s", x, y, strings.Join(errs, "\n"))
	}
	f := p.Globals[0].Type
	n := p.Graph.NumParams(f)
	return p, p.Graph.Args(f)[n-2], p.Graph.Args(f)[n-1]
}

// TestEqual has pairs of types that are equal, or not (docs/tvm.md, "Terms and
// types").
func TestEqual(t *testing.T) {
	const params = "%n : uiptr, %m : uiptr, %i : i32, %j : i32, %b : bool, %v : (struct i32 i64), "
	arr := func(n string) string { return "array i8 (" + n + ")" }
	cv := func(n string) string { return "constant (" + n + ")" }
	for _, tt := range []struct {
		x, y  string
		equal bool
	}{
		{"i64", "iptr", false}, {"ui64", "uiptr", false}, {"empty", "struct", false}, {"%s", "struct i32 i64", true},
		{"union i32 i8", "union i8 i32", false}, {"union i32 i32", "union i32", false},
		{arr("add %n #up1"), arr("add #up1 %n"), true}, {arr("add %n #up1"), arr("sub (add %n #up3) #up2"), true},
		{arr("add %n #up0"), arr("%n"), true}, {arr("mul %n #up2"), arr("add %n %n"), true}, {arr("neg (neg %n)"), arr("%n"), true},
		{arr("mul (add %n %m) (sub %n %m)"), arr("sub (mul %n %n) (mul %m %m)"), true}, {arr("mul %n #up0"), arr("#up0"), true},
		{arr("add %n %m"), arr("mul %n %m"), false}, {arr("#up4"), arr("#i4"), true}, {arr("%i"), arr("add %i #i0"), true},
		{arr("%i"), arr("%n"), false}, {arr("sizeof i64"), arr("#up8"), true}, {arr("alignof (struct i8 i16)"), arr("#up2"), true},
		{arr("sizeof (pointer i8)"), arr("#up8"), false}, {arr("sizeof (type_v %n %m)"), arr("%n"), true},
		{cv("#i1"), cv("#ui1"), false}, {cv("#p1"), cv("#up1"), false}, {cv("#i4294967295"), cv("#i-1"), true},
		{cv("mul #b16 #b16"), cv("#b0"), true}, {cv("mul (add %i #i1) #ix80000000"), cv("add (mul #ix80000000 %i) #ix80000000"), true},
		{cv("div #i-17 #i5"), cv("#i-3"), true}, {cv("div %i #i1"), cv("%i"), true}, {cv("div %i %j"), cv("div %j %i"), false}, {cv("div #i1 #i0"), cv("#i0"), false},
		{cv("cmp_gt %i %j"), cv("cmp_lt %j %i"), true}, {cv("cmp_ge %i %j"), cv("cmp_le %j %i"), true}, {cv("cmp_eq %i %j"), cv("cmp_eq %j %i"), true},
		{cv("cmp_lt #b-1 #b1"), cv("true"), true}, {cv("cmp_lt #ub255 #ub1"), cv("false"), true}, {cv("cmp_le %i %i"), cv("true"), true}, {cv("cmp_ne %i %i"), cv("false"), true},
		{cv("bit_and %i %j"), cv("bit_and %j %i"), true}, {cv("bit_and %i #i-1"), cv("%i"), true}, {cv("bit_and %i #i0"), cv("#i0"), true},
		{cv("bit_or (bit_or %i #i1) #i2"), cv("bit_or #i3 %i"), true}, {cv("bit_xor %i #i0"), cv("%i"), true}, {cv("bit_not (bit_not %i)"), cv("%i"), true},
		{cv("bit_or %i #i-1"), cv("#i-1"), true}, {cv("bit_and %b true"), cv("%b"), true}, {cv("bit_xor true true"), cv("false"), true}, {cv("bit_not #ub1"), cv("#ub254"), true},
		{cv("shl %i #ui0"), cv("%i"), true}, {cv("shr #s-5 #ui2"), cv("#s-2"), true}, {cv("shr #us65531 #ui2"), cv("#us16382"), true}, {cv("shl #b1 #ui8"), cv("#b0"), true}, {cv("shr #b-1 #ui99"), cv("#b-1"), true},
		{cv("select true %i %j"), cv("%i"), true}, {cv("select %b %i %i"), cv("%i"), true}, {cv("select %b %i %j"), cv("select %b %j %i"), false},
		{cv("struct_el (struct_v %i %j) #i1"), cv("%j"), true}, {cv("element (struct_v %i (array_v i32 #i1 %j)) #i1 #up1"), cv("%j"), true},
		{cv("array_el (zero (array i32 #up4)) #up2"), cv("#i0"), true}, {cv("union_el (union_v (union i8 i32) %i) i32"), cv("%i"), true},
		{cv("struct_el %v #i0"), cv("element %v #up0"), true}, {cv("bitcast %i i32"), cv("%i"), true},
		{cv("struct_el (zero (apply %r i32)) #i0"), cv("#i0"), true}, {cv("element (apply_v (apply %r i32) (struct_v %i)) #up0 #up0"), cv("%i"), true},
		{cv("pointer_offset (zero (pointer i8)) #p0"), cv("zero (pointer i8)"), true},
		{cv("pointer_cast (pointer_cast (zero (pointer i8)) i16) i32"), cv("pointer_cast (zero (pointer i8)) i32"), true},
		{cv("pointer_cast (zero (pointer i8)) i8"), cv("zero (pointer i8)"), true},
		{cv("outer_ptr (gep (zero (pointer %s)) #up1)"), cv("zero (pointer %s)"), true},
		{"apply %r i32", "struct i32", false}, {"apply %r i32", "apply %q i32", false}, {"apply %r (struct i32)", "apply %r (struct i32)", true},
		{"function (%a : type, pointer %a) > empty", "function (%b : type, pointer %b) > empty", true},
		{"function (%a : type | pointer %a) > empty", "function (%a : type, pointer %a) > empty", false},
		{"apply %base i8 (zero (member i8 (apply %base i8)))", "apply %base i8", true}, {"apply %base i8", "apply %base i16", false}, {"function sret (pointer i8) > empty", "function (pointer i8) > empty", false},
		{"function () > llvm_inreg i32", "function () > i32", false}, {"function (: llvm_byval pointer i8) > empty", "function (: llvm_inreg pointer i8) > empty", false},
		{"function cc_c () > empty", "function cc_x86_stdcall () > empty", false}, {"exists (%a : type, %b : type) > (struct %a %b)", "exists (%a : type, %b : type) > (struct %b %a)", false},
		{"function cc_c () > empty", "function () > empty", false}, {"function (: llvm_inreg i32) > empty", "function (i32) > empty", false},
		{"function (%a : type, pointer (function (%b : type, pointer %a) > (pointer %b))) > empty", "function (%b : type, pointer (function (%a : type, pointer %b) > (pointer %a))) > empty", true},
		{"exists (%a : type) > (pointer %a)", "exists (%b : type) > (pointer %b)", true}, {"exists (%a : type) > (pointer %a)", "pointer (exists (%a : type) > %a)", false},
		{"function (%k : uiptr, pointer (array i8 (add %k #up1))) > empty", "function (%l : uiptr, pointer (array i8 (add #up1 %l))) > empty", true},
		{"pointer i32 (upref upref_null %s #up0)", "pointer i32 (upref %s #up0 upref_null)", true}, {"pointer i32", "pointer i32 upref_null", true},
	} {
		p, x, y := meaning(t, params, tt.x, tt.y)
		if (x == y) != tt.equal {
			t.Errorf("%s and %s: equal is %v (%s, %s)", tt.x, tt.y, x == y, p.Graph.String(x), p.Graph.String(y))
		}
	}
}

// TestMatch has pairs of types: terms of one type may be used as the other, or not (docs/tvm.md,
// "Terms and types").
func TestMatch(t *testing.T) {
	const known = "(upref (struct i32) #up0 upref_null)"
	for _, tt := range []struct {
		want, have string
		ok         bool
	}{
		{"pointer i32", "pointer i32 " + known, true}, {"pointer i32 " + known, "pointer i32", false},
		{"struct (pointer i32)", "struct (pointer i32 " + known + ")", true}, {"pointer (pointer i32)", "pointer (pointer i32 " + known + ")", false},
		{"pointer (function (pointer i32) > empty)", "pointer (function (pointer i32 " + known + ") > empty)", false},
		{"function (pointer i32 " + known + ") > empty", "function (pointer i32) > empty", true},
		{"function (pointer i32) > empty", "function (pointer i32 " + known + ") > empty", false},
		{"function () > (pointer i32)", "function () > (pointer i32 " + known + ")", true},
		{"exists (%a : type) > (pointer i32)", "exists (%a : type) > (pointer i32 " + known + ")", true},
		{"apply %r i32", "struct i32", true}, {"struct i32", "apply %r i32", false},
		{"pointer i32", "pointer %s", true}, {"pointer i32", "pointer (apply %r (struct (struct i32)))", true}, {"pointer i64", "pointer %s", false},
		{"pointer i8", "pointer (union i32 i8)", true}, {"pointer i32 (upref upref_null %s #up0)", "pointer %s", true},
		{"pointer i32 (upref (struct i8 i32) #up1 upref_null)", "pointer i32 (upref (struct i8 i32) #up0 upref_null)", false},
		{"pointer i32 (upref (struct i32) #up0 upref_null)", "pointer i32 (upref (struct i32 i8) #up0 upref_null)", false},
		{"pointer i32 (upref (struct i32) #up0 upref_null)", "pointer i32 (upref (struct i32) #up0 (upref (struct (struct i32)) #up0 upref_null))", true},
		{"pointer i32 (upref (struct i32) #up0 upref_null)", "pointer i32 (upref (struct i32 i8) #up0 (upref (struct (struct i32 i8)) #up0 upref_null))", false},
		{"pointer i32 (upref (struct (pointer i8)) #up0 upref_null)", "pointer i32 (upref (struct (pointer i8 " + known + ")) #up0 upref_null)", false},
		{"pointer i32 (upref (struct (pointer i8 " + known + ")) #up0 upref_null)", "pointer i32 (upref (struct (pointer i8)) #up0 upref_null)", false},
		{"array i8 #up2", "array i8 #up3", false}, {"array i8 #up2", "array ui8 #up2", false}, {"struct i8", "struct i8 i8", false}, {"struct i8", "union i8", false},
		{"union i8 i16", "union i16 i8", false}, {"apply %k upref_null", "apply %k " + known, true}, {"apply %r i8", "apply %q i8", false}, {"apply %r i8", "apply %r i16", false},
		{"function cc_c () > i8", "function () > i8", false}, {"function sret (pointer i8) > empty", "function (pointer i8) > empty", false},
		{"function (i8 | ) > i8", "function (i8) > i8", false}, {"function (i8, i8) > i8", "function (i8) > i8", false},
		{"function (: llvm_inreg i8) > i8", "function (i8) > i8", false}, {"function () > llvm_inreg i8", "function () > i8", false},
		{"function (%a : type, %b : type, pointer %a) > empty", "function (%a : type, %b : type, pointer %b) > empty", false},
		{"exists (%a : type) > i8", "exists (%a : upref_type) > i8", false}, {"exists (%a : type) > i8", "exists (%a : type, %b : type) > i8", false},
		{"constant #i1", "constant #i2", false}, {"member i8 i16", "member i8 i32", false}, {"member i8 i16", "member i32 i16", false},
		{"apply %r (pointer i32)", "struct (pointer i32 " + known + ")", true}, {"apply %r (pointer i32 " + known + ")", "struct (pointer i32)", false},
		{"pointer (pointer i32)", "pointer (struct (pointer i32 " + known + "))", false}, {"pointer i32", "pointer (struct (struct (union i8 (struct i32))))", true},
		{"pointer i32", "pointer (array i32 #up1)", false}, {"pointer i64", "pointer (struct)", false}, {"i32", "struct i32", false}, {"pointer i32", "i32", false},
	} {
		p, want, have := meaning(t, "", tt.want, tt.have)
		if got := p.Graph.Assignable(p.Graph.Args(want)[0], p.Graph.Args(have)[0]); got != tt.ok {
			t.Errorf("%s for %s: %v", tt.have, tt.want, got)
		}
	}
}

// TestHide has types of which an exists type may hide parts, or not.
func TestHide(t *testing.T) {
	const known = "(upref (struct i32) #up0 upref_null)"
	for _, tt := range []struct {
		exists, have string
		ok           bool
	}{
		{"(%t : type) > (pointer %t)", "pointer i32", true}, {"(%t : type) > (pointer %t)", "pointer i32 " + known, true}, {"(%t : type) > %t", "i32", true},
		{"(%t : type) > (pointer %t " + known + ")", "pointer i32", false}, {"(%u : upref_type) > (pointer i32 %u)", "pointer i32 " + known, true},
		{"(%u : upref_type) > (pointer i32 %u)", "pointer i32", true}, {"(%t : type, %u : type) > (pointer %t)", "pointer i8", true},
		{"(%t : type) > (struct %t %t)", "struct i32 i32", true}, {"(%t : type) > (struct %t %t)", "struct i32 i64", false},
		{"(%t : type) > (struct %t %t)", "struct (pointer i32) (pointer i32 " + known + ")", false},
		{"(%t : type) > (struct %t %t)", "struct (pointer i32 " + known + ") (pointer i32)", false},
		{"(%n : uiptr) > (array i8 %n)", "array i8 #up4", true}, {"(%n : i32) > (pointer (constant %n))", "pointer (constant #l4)", false},
		{"(%n : i32) > (pointer (constant %n))", "pointer (constant #i4)", true}, {"(%n : i32) > (pointer (constant %n))", "pointer (constant i32)", false},
		{"(%p : pointer i32) > (pointer (constant %p))", "pointer (constant (zero (pointer i32 " + known + ")))", false},
		{"(%p : pointer i32 " + known + ") > (pointer (constant %p))", "pointer (constant (zero (pointer i32)))", false},
		{"(%t : type, %v : %t) > (struct (constant %v) (constant %t))", "struct (constant #i4) (constant i32)", true},
		{"(%t : type, %v : %t) > (struct (constant %v) (constant %t))", "struct (constant #i4) (constant i64)", false},
		{"(%t : type) > (function (pointer %t) > %t)", "function (pointer i32) > i32", true}, {"(%t : type) > (function (pointer %t) > %t)", "function (pointer i32) > i8", false},
		{"(%t : type) > (function (%u : type, pointer %u) > (pointer %t))", "function (%u : type, pointer %u) > (pointer i8)", true},
		{"(%t : type) > (function (%u : type, pointer %u) > (pointer %t))", "function (%u : type, pointer %u) > (pointer %u)", false},
		{"(%t : type) > (function (%u : type, pointer %u) > (pointer %t))", "function (%u : type, pointer %u) > (pointer (struct (pointer %u)))", false},
		{"(%t : type) > (struct (pointer (function (%u : type) > (pointer %u))) (pointer %t))", "struct (pointer (function (%u : type) > (pointer %u))) (pointer i8)", true},
		{"(%t : type) > (exists (%u : type) > (struct %u %t))", "exists (%v : type) > (struct %v i8)", true}, {"(%t : type) > (exists (%u : type) > (struct %u %t))", "exists (%v : type) > (struct %v %v)", false},
	} {
		p, e, have := meaning(t, "", "exists "+tt.exists, tt.have)
		g := p.Graph
		if _, got := g.MatchExists(g.Args(e)[0], g.Args(have)[0]); got != tt.ok {
			t.Errorf("%s in %s: %v", tt.have, tt.exists, got)
		}
	}
}

// TestModes: a pointer that knows its container (@ is an upward reference) may replace one that does not (+),
// the reverse (-), or neither (=), depending on its place in a type. A parameter of a function reverses the
// direction, and in the target of a pointer neither is allowed.
func TestModes(t *testing.T) {
	const known = "(upref (struct (struct i32)) #up0 upref_null)"
	for _, tt := range []struct{ typ, mode string }{
		{"pointer i32 @", "+"}, {"pointer (pointer i32 @)", "="}, {"array (pointer i32 @) #up2", "+"}, {"struct i8 (pointer i32 @)", "+"},
		{"union i8 (pointer i32 @)", "+"}, {"pointer i32 (upref (struct i32) #up0 @)", "+"}, {"apply %k @", "+"}, {"apply %r (pointer i32 @)", "+"},
		{"function (pointer i32 @) > empty", "-"}, {"function (i8 | pointer i32 @) > empty", "-"}, {"function (pointer i32 @ | ) > empty", "-"},
		{"function () > (pointer i32 @)", "+"}, {"function (pointer (function (pointer i32 @) > empty)) > empty", "="},
		{"exists (%a : type) > (pointer i32 @)", "+"}, {"exists (%a : pointer i32 @) > i32", "="}, {"exists (%a : type, %b : pointer (pointer i32 @)) > i32", "="},
		{"constant (zero (pointer i32 @))", "="}, {"member (pointer i32 @) i8", "="}, {"member i8 (pointer i32 @)", "="},
		{"member_ptr (zero (member i8 (pointer i32 @)))", "="}, {"struct (struct (apply %k @))", "+"},
		{"function (function (pointer i32 @) > empty) > empty", "+"}, {"function () > (function (pointer i32 @) > empty)", "-"},
	} {
		for _, in := range []struct{ around, plus, minus string }{{"@", "+", "-"}, {"function (@) > empty", "-", "+"}, {"pointer (@)", "", ""}, {"struct i8 (@)", "+", "-"}} {
			if strings.HasPrefix(in.around, "struct") && strings.HasPrefix(tt.typ, "function") {
				continue // not a member
			}
			typ := strings.ReplaceAll(in.around, "@", tt.typ)
			p, null, knows := meaning(t, "", strings.ReplaceAll(typ, "@", "upref_null"), strings.ReplaceAll(typ, "@", known))
			g := p.Graph
			null, knows = g.Args(null)[0], g.Args(knows)[0]
			for _, c := range []struct {
				want, have term.ID
				ok         bool
			}{{null, knows, tt.mode == in.plus}, {knows, null, tt.mode == in.minus}} {
				if got := g.Match(c.want, c.have, term.Read); got != c.ok {
					t.Errorf("%s for %s: %v", g.String(c.have), g.String(c.want), got)
				}
			}
		}
	}
}

// TestModules links modules, which see each other's globals.
func TestModules(t *testing.T) {
	for _, tt := range []struct {
		texts []string
		want  string
	}{
		{[]string{"%a = function () > i32 { %x = call %b; return %x; };", "%b = function () > i32 { return #i1; };"}, ""},
		{[]string{"%a = import function () > i32;", "%a = export function () > i32 { return #i1; };"}, ""},
		{[]string{"%a = import function () > i32;", "%a = export function () > i64 { return #l1; };"}, "1:1: %a is declared as function () > i32 and defined as function () > i64\n\tdefinition at t':1:1"},
		{[]string{"%a = export function () > i32 { %x = call %b; return %x; };", "%b = function () > i32 { return #i1; };"}, "1:43: %b is not defined"},
		{[]string{"%a = global private i32 #i1;", "%a = global private i64 #l1;"}, ""},
		{[]string{"%a = odr function () > i32 { return #i1; };", "%a = odr function () > i32 { return #i1; };"}, ""},
		{[]string{"%a = odr function () > i32 { return #i1; };", "%a = odr function () > i64 { return #l1; };"}, "t':1:1: %a is declared as function () > i64 and defined as function () > i32\n\tdefinition at t:1:1"},
		{[]string{"%a = odr function () > i32 { return #i1; };", "%a = import function () > i64;"}, "t':1:1: %a is declared as function () > i64 and defined as function () > i32\n\tdefinition at t:1:1"},
		{[]string{"%a = global export i32 #i1;", "%a = extern global i64;"}, "t':1:1: %a is declared as i64 and defined as i32\n\tdefinition at t:1:1"},
		{[]string{"%a = private function () > i32 { return #i1; };", "%a = import function () > i64;"}, ""},
		{[]string{"%a = local function () > i32 { return #i1; };", "%a = import function () > i64;"}, ""},
		{[]string{"%a = function () > i32 { return #i1; };", "%a = import function () > i64;"}, ""},
		{[]string{"%a = global i32 #i1;", "%a = function () > i64;"}, ""},
		{[]string{"%a = global i32;", "%a = global i64 #l1;"}, "1:1: %a is declared as i32 and defined as i64\n\tdefinition at t':1:1"},
		{[]string{"%a = global i32;", "%a = global i64;"}, "t':1:1: %a is declared as i64 and defined as i32\n\tdefinition at t:1:1"},
		{[]string{"%a = export function cc_c () > i32 { return #i1; };", "%a = import function () > i32;"}, "t':1:1: %a is declared as function () > i32 and defined as function cc_c () > i32\n\tdefinition at t:1:1"},
		{[]string{"%a = function () > i32 { return #i1; };", "%a = function () > i64 { return #l1; };\n%b = function () > i64 { %x = call %a; return %x; };"}, ""},
		{[]string{"%a = extern global i32;", "%b = function () > i32 { %x = load %a; return %x; };"}, "t':1:36: %a is not defined"},
		{[]string{"%x = define i32;\n%t = define struct %x;\n%f = export function () > %t { return (struct_v #i1); };", "%x = define i64;\n%t = define struct %x;\n%v = global %t (struct_v #l1);"}, ""},
		{[]string{"%x = define i32;\n%t = recursive > (struct %x);\n%f = export function () > (apply %t) { return (struct_v #i1); };", "%x = define i64;\n%t = recursive > (struct %x);\n%v = global (apply %t) (struct_v #l1);"}, ""},
		{[]string{"%u = define i8;\n%x = define struct i32;\n%t = recursive (%u : type) > (struct %x %u (pointer (apply %s)));\n%s = recursive > (struct (pointer (apply %t %x)));\n%f = export function (pointer (apply %t i8)) > empty { return empty_v; };",
			"%s = recursive > (struct (pointer (apply %t %x)));\n%t = recursive (%u : type) > (struct %x %u (pointer (apply %s)));\n%u = define i16;\n%x = define struct i32;\n%f = import function (pointer (apply %t i8)) > empty;"}, ""},
		{[]string{"%t = recursive > (struct (pointer (apply %s)));\n%s = recursive > (struct i32);\n%f = export function (pointer (apply %t)) > empty { return empty_v; };",
			"%t = recursive > (struct (pointer (apply %s)));\n%s = recursive > (struct i64);\n%f = import function (pointer (apply %t)) > empty;"},
			"t':3:1: %f is declared as function (pointer (apply %t)) > empty and defined as function (pointer (apply %t)) > empty: schemas of the same name differ\n\tdefinition at t:3:1"},
		{[]string{"%a = import function () > i32 { return #i1; };"}, "1:1: %a is declared as defined elsewhere, but is defined here"},
		{[]string{"%a = global import i32 #i1;"}, "1:1: %a is declared as defined elsewhere, but is defined here"},
		{[]string{"%a = extern function () > i32 { return #i1; };"}, "1:1: %a is declared as defined elsewhere, but is defined here"},
		{[]string{"%a = define i32;", "%v = global %a #i1;"}, ""},
		{[]string{"%b = base %D %O > (struct i32);\n%f = export function (base_ptr %b) > empty { return empty_v; };", "%b = base %D %O > (struct i32);\n%f = import function (base_ptr %b) > empty;"}, ""},
		{[]string{"%b = base %D %O > (struct i32);\n%f = export function (base_ptr %b) > empty { return empty_v; };", "%b = recursive > (struct i32);\n%f = import function (base_ptr %b) > empty;"},
			"t':2:1: %f is declared as function (base_ptr %b) > empty and defined as function (base_ptr %b) > empty: schemas of the same name differ\n\tdefinition at t:2:1"},
		{[]string{"%r = recursive > (struct i32);\n%f = export function (pointer (apply %r)) > empty { return empty_v; };",
			"%r = recursive > (struct i32);\n%f = import function (pointer (apply %r)) > empty;"}, ""},
		{[]string{"%r = recursive > (struct i32);\n%f = export function (pointer (apply %r)) > empty { return empty_v; };",
			"%r = recursive > (struct i64);\n%f = import function (pointer (apply %r)) > empty;"},
			"t':2:1: %f is declared as function (pointer (apply %r)) > empty and defined as function (pointer (apply %r)) > empty: schemas of the same name differ\n\tdefinition at t:2:1"},
	} {
		_, errs := checked(t, tt.texts...)
		if got := strings.Join(errs, "\n"); got != tt.want {
			t.Errorf("%s\ngive %s\nwant %s", strings.Join(tt.texts, "\n+\n"), got, tt.want)
		}
	}
}

// TestLarge checks that time does not double with every definition if the size of the meaning does.
func TestLarge(t *testing.T) {
	var b strings.Builder
	b.WriteString("%a0 = define struct i32 i32;\n")
	for i := range 80 {
		fmt.Fprintf(&b, "%%a%d = define struct %%a%d %%a%d;\n", i+1, i, i)
	}
	_, errs := checked(t, b.String()+"%v = global %a80;")
	if len(errs) != 1 || !strings.Contains(errs[0], "is too large") {
		t.Errorf("%q", errs)
	}
	b.Reset()
	b.WriteString("%f = function (%x : i64) > i64 {\n%v0 = add %x #l1;\n")
	for i := range 20_000 {
		fmt.Fprintf(&b, "%%v%d = bit_xor (mul %%v%d %%v%d) %%x;\n", i+1, i, i)
	}
	b.WriteString("return %v20000; };")
	if _, errs := checked(t, b.String()); len(errs) > 0 {
		t.Error(errs)
	}
}
