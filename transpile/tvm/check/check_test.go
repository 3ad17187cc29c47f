package check

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/tvm/syntax"
)

// checked checks modules and gives the errors, without the name of the first file.
func checked(t testing.TB, texts ...string) (*Program, []string) {
	t.Helper()
	set := diag.NewSet()
	errs := diag.NewList(set)
	errs.MaxErrors = -1
	var mods []*syntax.Module
	for i, text := range texts {
		f, err := set.Add("t"[:1]+strings.Repeat("'", i), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		mods = append(mods, syntax.Parse(f, errs))
	}
	if err := errs.Err(); err != nil {
		t.Fatalf("%v in\n%s", err, strings.Join(texts, "\n"))
	}
	p := Check(mods, nil, errs)
	var out []string
	for _, d := range errs.All() {
		out = append(out, strings.TrimPrefix(errs.Format(d), "t:"))
	}
	return p, out
}

// TestRules has texts that break one rule each, and the errors that they give.
func TestRules(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		// Names.
		{"undefined", "%a = define %bb;", "1:13: %bb is not defined"},
		{"undefined near", "%abc = define i32;\n%b = define %abd;", "2:13: %abd is not defined; did you mean %abc?"},
		{"redefined", "%a = define i32;\n%a = define i32;", "2:1: %a redefined\n\tprevious definition at t:1:1"},
		{"cyclic", "%a = define (pointer %b);\n%b = define %a;", "2:13: cyclic definition of %a\n\tdefinition at t:1:1"},
		{"parameters", "%f = function (%a : i32, %a : i32) > i32;", "1:26: %a redefined\n\tprevious definition at t:1:16"},
		{"label is parameter", "%f = function (%a : i32) > i32 { br %a; block %a: return #i1; };", "1:47: %a redefined\n\tprevious definition at t:1:16"},
		{"statement twice", "%f = function () > i32 { %a = add #i1 #i2; %a = add #i1 #i3; return #i1; };", "1:44: %a redefined\n\tprevious definition at t:1:26"},
		{"use before definition", "%f = function () > i32 { %a = add %b #i1; %b = add #i1 #i2; return %a; };", "1:35: %b is not defined"},
		{"label as value", "%f = function () > i32 { br %x; block %x: return %x; };", "1:50: %x is a block, not a value"},
		{"name of store", "%f = function (%p : pointer i32) > i32 { %a = store #i1 %p; return %a; };", "1:68: %a names the instruction store, which yields no value"},
		{"unknown operation", "%a = define pointr i32;", "1:13: pointr is no operation; did you mean pointer?"},
		{"operand count", "%a = define add #i1;", "1:13: add wants 2 operands, got 1: add a b"},
		{"operand count many", "%a = define array_v;", "1:13: array_v wants at least 1 operands, got 0: array_v T v..."},
		{"instruction inside", "%f = function (%p : pointer i32) > i32 { return (load %p); };", "1:50: load is an instruction, not a functional operation: it must be a statement of its own"},
		{"operation far from all", "%a = define zzzzzz i32;", "1:13: zzzzzz is no operation"},
		// Types as operands.
		{"pointer to value", "%a = define pointer #i1;", "1:21: wanted a type, got #i1 of type i32"},
		{"struct of schema", "%r = recursive > i32;\n%a = define struct %r;", "2:20: wanted a type, got %r, which is a schema: apply makes a type of it"},
		{"array length", "%a = define array i8 i32;", "1:22: array wants an integer, got the type i32"},
		{"array negative", "%a = define array i8 #i-1;", "1:22: array wants a length that is not negative, got #i-1"},
		{"array of functions", "%a = define array (function () > i32) #up1;", "1:20: array wants a type of values, got the type function () > i32"},
		{"upref in struct", "%a = define struct upref_type;", "1:20: struct wants types of values, got upref_type"},
		{"pointer upref", "%a = define pointer i32 #i1;", "1:25: pointer wants an upward reference, got #i1 of type i32"},
		{"member_ptr of number", "%a = define member_ptr #i1;", "1:24: member_ptr wants a value of type member, got #i1 of type i32"},
		{"base_ptr of type", "%a = define base_ptr i32;", "1:22: base_ptr wants a base or recursive type, got the type i32"},
		{"contains itself", "%r = recursive > (struct i32 (apply %r));\n%v = global (apply %r);", "1:1: %r contains itself\n2:14: apply %r contains itself"},
		{"cycle of two", "%a = recursive > (array (apply %b) #up2);\n%b = recursive > (union i8 (apply %a));\n%c = recursive > (struct (apply %a));", "1:1: %a contains itself\n2:1: %b contains itself"},
		{"doubling", "%r = recursive (%a : type) > (struct (apply %r (struct %a %a)));\n%v = global (apply %r i32);", "2:14: %v: types grow without end, or are too large to be computed: more than 101472 terms"},
		{"function in memory", "%v = global (function () > i32);", "1:14: values of type function () > i32 cannot be in memory"},
		{"too large", "%v = global (array i64 #up1000000000);", "1:14: array i64 #up1000000000 is too large: its size is more than 2147483648 bytes"},
		{"dynamic global", "%v = global (array i8 (div #up1 #up0));", "1:14: %v: the size of array i8 (div #up1 #up0) is not a literal"},
		{"array too long", "%a = define array i8 #uq18446744073709551616;", "1:22: array wants a length that fits uiptr, got #uq18446744073709551616"},
		// Arithmetic.
		{"add types", "%a = define add #i1 #l1;", "1:21: add wants operands of one type, got i32 and i64"},
		{"add bool", "%a = define add true false;", "1:17: add wants an integer, got true of type bool"},
		{"add word", "%a = define add #p1 #l1;", "1:21: add wants operands of one type, got iptr and i64"},
		{"neg type", "%a = define neg i32;", "1:17: neg wants an integer, got the type i32"},
		{"cmp", "%a = define cmp_lt true true;", "1:20: cmp_lt wants an integer, got true of type bool"},
		{"cmp_eq", "%a = define cmp_eq (struct_v #i1) #i1;", "1:21: cmp_eq wants an integer, bool, float or pointer, got struct_v #i1 of type struct i32"},
		{"cmp_eq types", "%a = define cmp_eq #i1 true;", "1:24: cmp_eq wants operands of one type, got i32 and bool"},
		{"bit_and", "%a = define bit_and #i1 #ui1;", "1:25: bit_and wants operands of one type, got i32 and ui32"},
		{"bit_not", "%a = define bit_not empty_v;", "1:21: bit_not wants an integer or bool, got empty_v of type empty"},
		{"shift", "%a = define shl #i1 #i1;", "1:21: shl wants a number of bits of type ui32, got #i1 of type i32"},
		{"bitcast", "%a = define bitcast #i1 (struct i32);", "1:26: bitcast wants a bool, integer, float or pointer, got struct i32"},
		{"select condition", "%a = define select #i1 #i1 #i2;", "1:20: select wants a bool, got #i1 of type i32"},
		{"select arms", "%a = define select true #i1 #l2;", "1:29: select wants two values of one type, got i32 and i64"},
		{"type_v", "%a = define type_v #up4 #up3;", "1:25: type_v wants a power of two as alignment, got #up3"},
		// Aggregates.
		{"array_v", "%a = define array_v i32 #i1 #l1;", "1:29: array_v wants elements of type i32, got i64"},
		{"union_v", "%a = define union_v (union i32 i8) #l1;", "1:36: union_v wants a value of a member of union i32 i8, got i64"},
		{"union_v type", "%a = define union_v i32 #i1;", "1:21: union_v wants a union type, got the type i32"},
		{"apply_v", "%r = recursive > (struct i32);\n%a = define apply_v (apply %r) (struct_v #l1);", "2:33: apply_v: wanted type struct i32, got struct i64"},
		{"struct_el range", "%a = define struct_el (struct_v #i1) #i1;", "1:38: struct_el wants a member of struct i32, which has 1, got #i1"},
		{"struct_el of array", "%a = define struct_el (array_v i32 #i1) #i0;", "1:24: struct_el wants a value of type struct, got array i32 #up1"},
		{"struct_el computed", "%f = function (%i : uiptr) > i32 { return (struct_el (struct_v #i1) %i); };", "1:69: struct_el wants a literal that is not negative as index, got %i of type uiptr"},
		{"array_el range", "%a = define array_el (array_v i32 #i1) #up1;", "1:40: array_el wants an element of array i32 #up1, got #up1"},
		{"array_el type", "%f = function (%i : i32) > i32 { return (array_el (array_v i32 #i1) %i); };", "1:69: array_el wants uiptr or a literal, got %i of type i32"},
		{"union_el", "%a = define union_el (union_v (union i32) #i1) i8;", "1:48: union_el wants a member of union i32, got i8"},
		{"element of number", "%a = define element #i1 #up0;", "1:21: element wants a value with parts, got i32"},
		{"element of apply", "%r = recursive > (struct i32);\n%a = define element (zero (apply %r)) #up1;", "2:39: element wants #up0 for the body of apply %r, got #up1"},
		// Pointers.
		{"pointer_cast", "%a = define pointer_cast #i1 i32;", "1:26: pointer_cast wants a pointer, got #i1 of type i32"},
		{"pointer_offset", "%f = function (%p : pointer i32, %n : i32) > (pointer i32) { return (pointer_offset %p %n); };", "1:88: pointer_offset wants a number of elements of type iptr or uiptr, got %n of type i32"},
		{"struct_ep", "%v = global i32;\n%a = define struct_ep %v #i0;", "2:23: struct_ep wants a pointer to struct, got i32"},
		{"gep too deep", "%v = global (struct i32);\n%a = define gep %v #up0 #up0;", "2:17: gep wants a value with parts, got i32"},
		{"outer_ptr", "%f = function (%p : pointer i32) > empty { %q = outer_ptr %p; return empty_v; };", "1:59: outer_ptr wants a pointer that knows what it points into, got one of type pointer i32"},
		{"member_apply", "%s = define struct i32 i8;\n%f = function (%p : pointer i8) > empty { %q = member_apply %p (struct_m %s #i0); return empty_v; };", "2:61: member_apply wants a pointer to struct i32 i8, got one to i8"},
		{"member_combine", "%s = define struct i32;\n%a = define member_combine (struct_m %s #i0) (struct_m %s #i0);", "2:47: member_combine wants a member of i32, got one of struct i32"},
		{"struct_m range", "%a = define struct_m (struct i32) #i1;", "1:35: struct_m wants a member of struct i32, got #up1"},
		{"struct_m type", "%a = define struct_m i32 #i1;", "1:22: struct_m wants a type struct, got the type i32"},
		{"gep by a negative number", "%f = function (%p : pointer (array i8 #up4)) > i32 { eval (array_ep %p #i-1); return #i1; };", "1:72: array_ep wants a number that is not negative, got #i-1"},
		{"gep by a wide number", "%f = function (%p : pointer (array i8 #up4)) > i32 { eval (array_ep %p #uq18446744073709551616); return #i1; };", "1:72: array_ep wants a number that fits uiptr, got #uq18446744073709551616"},
		{"outer_ptr of number", "%f = function (%x : i32) > i32 { eval (outer_ptr %x); return #i1; };", "1:50: outer_ptr wants a pointer, got %x of type i32"},
		{"unrecurse", "%f = function (%p : pointer i32) > i32 { eval (unrecurse %p); return #i1; };", "1:58: unrecurse wants a pointer to an instance of a recursive type, got one to i32"},
		{"unrecurse of number", "%f = function (%x : i32) > i32 { eval (unrecurse %x); return #i1; };", "1:50: unrecurse wants a pointer, got %x of type i32"},
		// Higher operations.
		{"apply count", "%r = recursive (%a : type) > (struct %a);\n%a = define pointer (apply %r);", "2:22: %r has 1 parameters, got 0"},
		{"apply type", "%r = recursive (%a : type) > (struct %a);\n%a = define pointer (apply %r #i1);", "2:31: parameter %a of %r: wanted type type, got i32"},
		{"apply of type", "%a = define apply i32;", "1:19: apply wants a recursive or base, got the type i32"},
		{"specialize", "%f = function (%a : type | pointer %a) > empty;\n%g = define specialize %f #i1;", "2:27: parameter %a of %f: wanted type type, got i32"},
		{"specialize count", "%f = function (%a : type | pointer %a) > empty;\n%g = define specialize %f i32 i32;", "2:13: specialize wants at most as many arguments as %f has phantom parameters, which are 1, got 2"},
		{"introduce_exists", "%a = define introduce_exists (exists (%t : type) > (struct %t)) #i1;", "1:65: introduce_exists wants a value that fits exists (%t : type) > (struct %t), got one of type i32"},
		{"introduce_exists twice", "%a = define introduce_exists (exists (%t : type) > (struct (pointer %t) (constant %t))) (struct_v (zero (pointer i8)) (zero (constant i32)));", "1:90: introduce_exists wants a value that fits exists (%t : type) > (struct (pointer %t) (constant %t)), got one of type struct (pointer i8) (constant i32)"},
		{"exists hides what a binder inside has", "%f = function (%p : pointer (function (%u : type, pointer %u) > empty)) > empty { eval (introduce_exists (exists (%t : type) > (pointer (function (%u : type, pointer %t) > empty))) %p); return empty_v; };", "1:182: introduce_exists wants a value that fits exists (%t : type) > (pointer (function (%u : type, pointer %t) > empty)), got one of type pointer (function (%u : type, pointer %u) > empty)"},
		{"exists hides what an exists inside hides", "%f = function (%p : exists (%u : type) > (pointer %u)) > empty { eval (introduce_exists (exists (%t : type) > (exists (%u : type) > (pointer %t))) %p); return empty_v; };", "1:148: introduce_exists wants a value that fits exists (%t : type) > (exists (%u : type) > (pointer %t)), got one of type exists (%u : type) > (pointer %u)"},
		{"unwrap", "%a = define unwrap #i1;", "1:20: unwrap wants a value of an exists type, got #i1 of type i32"},
		{"unwrap_param", "%f = function (%w : exists (%t : type) > (pointer %t)) > empty { %x = unwrap_param %w #up1; return empty_v; };", "1:87: unwrap_param wants a parameter of exists (%t : type) > (pointer %t), which has 1, got #up1"},
		{"upref outer", "%s = define struct (struct i8) i32;\n%a = define pointer i8 (upref i32 #up0 (upref %s #up0 upref_null));", "2:31: upref wants struct i8 as what holds the next link, got i32"},
		{"upref part", "%a = define pointer i8 (upref (struct i32) #up1 upref_null);", "1:32: upref of a part that struct i32 does not have: #up1"},
		{"unapply", "%v = global i32;\n%a = define unapply %v;", "2:21: unapply wants a pointer or member_ptr to an instance of a schema, got %v of type pointer i32"},
		{"unapply of an array", "%r = recursive > i32;\n%f = function (%p : pointer (array (apply %r) #up8)) > empty { eval (derived (unapply %p)); return empty_v; };", "2:87: unapply wants a pointer or member_ptr to an instance of a schema, got %p of type pointer (array (apply %r) #up8)"},
		{"unapply of a computed type", "%r = recursive (%n : uiptr) > type > i8;\n%f = function (%p : pointer (apply %r #up1)) > empty { eval (unapply %p); return empty_v; };", "2:70: unapply wants a pointer or member_ptr to an instance of a schema, got %p of type pointer (apply %r #up1)"},
		{"unbase", "%a = define unbase #i1;", "1:20: unbase wants a value of type base_ptr, got #i1 of type i32"},
		{"base layout", "%b = base %D %O > (struct %D);", "1:20: the layout of base %b depends on its derived type"},
		{"byval", "%f = function (%a : llvm_byval i32) > empty;", "1:21: llvm_byval wants a pointer, got a parameter of type i32"},
		{"phantom attributes", "%f = function (%a : llvm_inreg i32 | ) > empty;", "1:21: phantom parameters have no attributes"},
		{"sret", "%f = function sret (i32) > i32;", "1:6: sret wants the result type empty and a pointer as the last parameter"},
		{"upref index", "%a = define pointer i8 (upref upref_null (struct i8) (struct i8) #up0);", "1:55: upref wants an index after a type, got the type struct i8"},
		{"upref without a type", "%a = define pointer i8 (upref upref_null #up0);", "1:42: upref wants a type in front of the first index, got #up0 of type uiptr"},
		{"upref without an index", "%a = define pointer i8 (upref upref_null (struct i8));", "1:25: upref ends with a type: an index must follow"},
		{"struct_up", "%a = define pointer i8 (struct_up (union i8 i32) #up0 upref_null);", "1:36: struct_up wants a type struct, got the type union i8 i32"},
		{"unbase of a recursive", "%r = recursive (%t : type) > (struct %t);\n%f = function (%b : base_ptr %r) > empty { eval (unbase %b); return empty_v; };", "2:57: unbase wants a base, or a recursive with a derived type and an offset as parameters, got base_ptr %r"},
		{"unbase of a recursive without an offset", "%r = recursive (%t : type, %n : i32) > (struct i32);\n%f = function (%b : base_ptr %r) > empty { eval (unbase %b); return empty_v; };", "2:57: unbase wants a base, or a recursive with a derived type and an offset as parameters, got base_ptr %r"},
		{"unbase of a recursive without a derived type", "%r = recursive (%n : i32, %m : member i32 i8) > (struct i32);\n%f = function (%b : base_ptr %r) > empty { eval (unbase %b); return empty_v; };", "2:57: unbase wants a base, or a recursive with a derived type and an offset as parameters, got base_ptr %r"},
		// Globals.
		{"initial value", "%v = global i32 #l1;", "1:17: the value of %v: wanted type i32, got i64"},
		{"not constant", "%v = global i32 (div #i1 #i0);", "1:18: div #i1 #i0 has no value"},
		{"extern defined", "%v = extern global i32 #i1;", "1:1: %v is declared as defined elsewhere, but is defined here"},
		{"store to const", "%v = global const (array i32 #up2) (zero (array i32 #up2));\n%f = function () > empty { store #i1 (array_ep %v #up1); return empty_v; };", "2:39: store writes to %v, which is constant"},
		{"computed initial value", "%r = recursive (%n : i32) > i32 > %n;\n%v = global i32 (apply %r #i3);", "2:18: apply %r #i3 is not constant"},
		{"computed part of an initial value", "%r = recursive (%n : i32) > i32 > %n;\n%v = global (struct i8 i32) (struct_v #b1 (apply %r #i3));", "2:30: apply %r #i3 is not constant"},
		{"size too large to be known", "%v = global uiptr (sizeof (array i64 #up4611686018427387905));", "1:20: array i64 #up4611686018427387905 is too large: its size has no value"},
		{"type too large to be known", "%v = global type (array i64 #up4611686018427387905);", "1:19: array i64 #up4611686018427387905 is too large: its size has no value"},
		{"initial value that has no size", "%v = global uiptr (sizeof (function () > i32));", "1:20: type without a size required at run time: function () > i32 of sizeof (function () > i32)"},
		{"initial type that has no size", "%v = global type (function () > i32);", "1:19: type without a size required at run time: function () > i32"},
		{"store to const by member", "%s = define struct i32 i32;\n%v = global const %s (zero %s);\n%f = function () > empty { store #i1 (member_apply %v (struct_m %s #i1)); return empty_v; };", "3:39: store writes to %v, which is constant"},
		{"store to const by member_ptr", "%s = define struct i32 i32;\n%v = global const %s (zero %s);\n%f = function () > empty { store #i1 (member_inner (member_ptr_combine (member_apply_ptr %v (struct_m %s #i1)) (zero (member i32 i32)))); return empty_v; };", "3:39: store writes to %v, which is constant"},
		{"store to const by member_outer", "%s = define struct i32 i32;\n%v = global const %s (zero %s);\n%f = function () > empty { store (zero %s) (member_outer (member_apply_ptr %v (struct_m %s #i1))); return empty_v; };", "3:45: store writes to %v, which is constant"},
		{"store to const by base", "%b = base %D %O > i32;\n%v = global const (struct i8 (apply %b i8)) (struct_v #b1 (zero (apply %b i8)));\n%f = function () > empty { store #i1 (gep (member_inner (unbase (unapply (struct_ep %v #i1)))) #up0); return empty_v; };", "3:39: store writes to %v, which is constant"},
		// One mistake is one error.
		{"parameter of a wrong type", "%f = function (%t : bar, %p : pointer %t) > (pointer %t) { store %t %t; return %p; };", "1:21: bar is no operation; did you mean br?"},
		{"schema of a wrong type", "%s = recursive (%t : type) > (struct %none);\n%v = global (apply %s i32) (zero (apply %s i32));\n%f = function (%p : pointer (apply %s i8)) > i32 { %x = load (struct_ep %p #i0); store #i1 %p; return #i1; };", "1:38: %none is not defined"},
		// Functions and blocks.
		{"no end", "%f = function () > i32 { %a = add #i1 #i2; };", "1:1: the entry block of %f does not end with return, br, cond_br or unreachable"},
		{"after end", "%f = function (%p : pointer i32) > i32 { return #i1; store #i1 %p; };", "1:54: store after return, which ends the block"},
		{"no block", "%f = function () > i32 { br %aa; block %ab: return #i1; };", "1:29: %aa is no block of %f; did you mean %ab?"},
		{"computed jump", "%f = function () > i32 { br #i1; };", "1:29: wanted the name of a block, got an expression: jumps cannot be computed"},
		{"landing pad", "%f = function () > i32 { br %a; landing_pad %a: return #i1; };", "1:29: %a is a landing pad, which no jump may lead to"},
		{"condition", "%f = function () > i32 { cond_br #i1 %a %a; block %a: return #i1; };", "1:34: cond_br wants a bool, got #i1 of type i32"},
		{"return type", "%f = function () > i32 { return #l1; };", "1:33: return from %f: wanted type i32, got i64"},
		{"dominator later", "%f = function () > i32 { br %a; block %a(%b): return #i1; block %b: return #i1; };", "1:42: %b is no block in front of this one"},
		{"illegal jump", "%f = function (%c : bool) > i32 { cond_br %c %a %b; block %a: br %b; block %b(%a): return #i1; };", "1:49: a jump to %b must come from %a or a block that it dominates"},
		{"not available", "%f = function (%c : bool, %p : pointer i32) > i32 { cond_br %c %a %b; block %a: %x = load %p; br %b; block %b: return %x; };", "1:119: %x is not available here: %a, which defines it, does not dominate this place"},
		{"phi missing", "%f = function (%c : bool) > i32 { cond_br %c %a %b; block %a: br %b; block %b: %x = phi i32: > #i1; return %x; };", "1:80: phi has no value for %a, which jumps here"},
		{"phi twice", "%f = function () > i32 { br %a; block %a: %x = phi i32: > #i1, > #i2; return %x; };", "1:64: phi has two values for the entry block"},
		{"phi stranger", "%f = function () > i32 { br %a; block %a: %x = phi i32: > #i1, %b > #i2; return %x; block %b: return #i1; };", "1:64: phi has a value for %b, which does not jump here"},
		{"phi type", "%f = function () > i32 { br %a; block %a: %x = phi i32: > #l1; return %x; };", "1:59: phi: wanted type i32, got i64"},
		{"phi value not available", "%f = function (%c : bool, %p : pointer i32) > i32 { cond_br %c %a %b; block %a: %y = load %p; br %e; block %b: br %e; block %e: %x = phi i32: %a > %y, %b > %y; return %x; };", "1:157: %y is not available here: %a, which defines it, does not dominate this place"},
		{"load of number", "%f = function () > i32 { %x = load #i1; return #i1; };", "1:36: load wants a pointer, got #i1 of type i32"},
		{"store type", "%f = function (%p : pointer i32) > empty { store #l1 %p; return empty_v; };", "1:50: store: wanted type i32, got i64"},
		{"call count", "%f = function (i32) > i32;\n%g = function () > i32 { %x = call %f; return %x; };", "2:31: call of %f wants 1 arguments, got 0: its type is function (i32) > i32"},
		{"call type", "%f = function (%a : i32) > i32;\n%g = function () > i32 { %x = call %f #l1; return %x; };", "2:39: parameter %a of %f: wanted type i32, got i64"},
		{"call of number", "%g = function () > i32 { %x = call #i1; return %x; };", "1:36: call wants a pointer to a function, got #i1 of type i32"},
		{"memcpy", "%f = function (%a : pointer i32, %b : pointer i8) > empty { memcpy %a %b #up1; return empty_v; };", "1:71: memcpy wants a pointer to i32, as the first operand is, got one to i8"},
		{"alloca alignment", "%f = function () > empty { %a = alloca i32 #up1 #up3; return empty_v; };", "1:49: alloca wants a power of two as alignment, got #up3"},
		{"freea", "%f = function (%p : pointer i32) > empty { freea %p; return empty_v; };", "1:50: freea wants the result of alloca or alloca_const, got %p of type pointer i32"},
		{"solidify", "%f = function () > empty { solidify #i1; return empty_v; };", "1:37: solidify wants a value of a type constant, got #i1 of type i32"},
		{"offset of a function", "%f = function () > empty { eval (pointer_offset %f #p1); return empty_v; };", "1:49: values of type function () > empty cannot be in memory"},
		{"value too large", "%a = define array i64 #up200000000;\n%f = function (%p : pointer %a) > empty { %x = load %p; %y = struct_v %x %x; %z = struct_v %y %x; eval %z; return empty_v; };", "2:62: struct (array i64 #up200000000) (array i64 #up200000000) is too large: its size is more than 2147483648 bytes"},
		{"zero too large", "%f = function () > empty { eval (zero (array i64 #up1000000000)); return empty_v; };", "1:34: array i64 #up1000000000 is too large: its size is more than 2147483648 bytes"},
		{"attribute in exists", "%e = define exists (%t : llvm_byval llvm_inreg type) > (pointer %t);", "1:26: parameters of exists have no attributes, got llvm_byval llvm_inreg"},
		{"phi after end", "%f = function (%c : i32) > i32 { br %a; block %a: return #i1; %x = phi i32: > %c; };", "1:63: phi after return, which ends the block"},
		{"memcpy of numbers", "%f = function (%x : i32) > empty { memcpy %x %x #up1; return empty_v; };", "1:43: memcpy wants a pointer, got %x of type i32\n1:46: memcpy wants a pointer, got %x of type i32"},
		{"negative count", "%f = function () > empty { %a = alloca i32 #i-1; return empty_v; };", "1:44: alloca wants a number that is not negative, got #i-1"},
		{"wide count", "%f = function () > empty { %a = alloca i32 #uq18446744073709551616; return empty_v; };", "1:44: alloca wants a number that fits uiptr, got #uq18446744073709551616"},
		// Dependent types.
		{"length", "%f = function (%n : uiptr, %p : pointer (array i32 %n)) > empty;\n%g = function (%m : uiptr, %p : pointer (array i32 (add %m #up1))) > empty { call %f %m %p; return empty_v; };", "2:89: parameter %p of %f: wanted type pointer (array i32 %m), got pointer (array i32 (add #up1 %m))"},
		{"pointer history", "%f = function (%s : pointer i32 (upref (struct i32) #up0 upref_null)) > empty;\n%g = function (%p : pointer i32) > empty { call %f %p; return empty_v; };", "2:52: parameter %s of %f: wanted type pointer i32 (upref (struct i32) #up0 upref_null), got pointer i32"},
		{"attributes", "%f = function (%g : pointer (function sret (: llvm_inreg i32, %p : llvm_byval llvm_inreg pointer i32) > empty)) > (pointer (function (i32 |) > llvm_inreg empty)) { return %g; };", "1:172: return from %f: wanted type pointer (function (i32 |) > llvm_inreg empty), got pointer (function sret (: llvm_inreg i32, %p : llvm_byval llvm_inreg pointer i32) > empty)"},
		{"long sum", "%f = function (%a : uiptr, %b : uiptr, %c : uiptr, %p : pointer (array i8 (add (mul %a (mul %b %c)) (add (mul %a #up3) (add %b #up-1))))) > (pointer (array i8 (mul %a %b))) { return %p; };", "1:183: return from %f: wanted type pointer (array i8 (mul %a %b)), got pointer (array i8 (add #up18446744073709551615 (add (mul %a #up3) (add %b (mul %a (mul %b %c))))))"},
		{"length of another type", "%f = function (%n : i32, %p : pointer (array i8 %n)) > (pointer (array i8 #up4)) { return %p; };", "1:91: return from %f: wanted type pointer (array i8 #up4), got pointer (array i8 %n)"},
		// Phantom values.
		{"phantom parameter type", "%f = function (%a : type | %x : %a) > empty;", "1:33: parameter %x has type %a, of which a phantom value must be known at run time: %a"},
		{"phantom result", "%f = function (%a : type | ) > %a;", "1:32: the result has type %a, of which a phantom value must be known at run time: %a"},
		{"phantom parameter type of a pointer", "%f = function (%g : pointer (function (%a : type | i32, %x : %a) > empty)) > empty;", "1:62: parameter %x has type %a, of which a phantom value must be known at run time: %a"},
		{"phantom result of a pointer", "%f = function (%g : pointer (function (%a : uiptr | ) > (array i8 %a))) > empty;", "1:58: the result has type array i8 %a, of which a phantom value must be known at run time: %a"},
		{"phantom load", "%f = function (%a : type | %p : pointer %a) > empty { %x = load %p; return empty_v; };", "1:65: phantom value required at run time: %a"},
		{"phantom returned", "%f = function (%a : i32 | ) > i32 { return %a; };", "1:44: phantom value required at run time: %a"},
		{"phantom zero", "%f = function (%a : i32 | ) > empty { solidify (zero (constant %a)); return empty_v; };", "1:49: phantom value required at run time: %a of zero (constant %a)"},
		{"phantom zero of a part", "%f = function (%a : i32 | ) > empty { eval (zero (array (struct (constant %a) i8) #up2)); return empty_v; };", "1:45: phantom value required at run time: %a of zero (array (struct (constant %a) i8) #up2)"},
		{"phantom branch", "%f = function (%a : bool | ) > i32 { cond_br %a %x %x; block %x: return #i1; };", "1:46: phantom value required at run time: %a"},
		{"phantom argument", "%g = function (i32) > empty;\n%f = function (%a : i32 | ) > empty { call %g (add %a #i1); return empty_v; };", "2:48: phantom value required at run time: %a of add #i1 %a"},
		{"phantom offset", "%f = function (%a : type | %p : pointer (struct %a i32)) > empty { %x = load (struct_ep %p #i1); return empty_v; };", "1:79: phantom value required at run time: %a of gep %p #up1"},
		{"phantom behind unwrap", "%e = define exists (%t : type) > (pointer (struct %t i32));\n%f = function (%w : %e) > i32 { %x = load (struct_ep (unwrap %w) #i1); return %x; };", "2:44: phantom value required at run time: unwrap_param %w #up0 of gep (unwrap %w) #up1"},
		{"phantom member_outer", "%s = base %D %O > i32;\n%f = function (%b : base_ptr %s) > empty { eval (member_outer (unbase %b)); return empty_v; };", "2:50: phantom value required at run time: base_offset %b of member_outer (unbase %b)"},
		{"solidify does not dominate", "%f = function (%a : i32 | %c : bool, %x : constant %a) > i32 { cond_br %c %y %z; block %y: solidify %x; br %z; block %z: return %a; };", "1:129: phantom value required at run time: %a"},
		{"recursive value", "%r = recursive (%n : i32) > i32 > true;", "1:35: the body of %r: wanted type i32, got bool"},
		{"recursive phantom", "%r = recursive (%n : i32 | %m : i32) > i32 > add %n %m;", "1:46: phantom value required at run time: %n of add %n %m"},
		{"upref at run time", "%f = function (%u : upref_type | ) > empty { eval %u; return empty_v; };", "1:51: phantom value required at run time: %u"},
		{"upref in a struct", "%f = function () > empty { eval (struct_v upref_null #i1); return empty_v; };", "1:34: phantom value required at run time: struct_v upref_null #i1"},
		{"size of a function", "%f = function () > uiptr { return (sizeof (function () > i32)); };", "1:36: type without a size required at run time: function () > i32 of sizeof (function () > i32)"},
		{"size of upref_type", "%f = function () > uiptr { return (alignof upref_type); };", "1:36: type without a size required at run time: upref_type of alignof upref_type"},
		{"function as a type argument", "%g = function (%t : type) > empty;\n%f = function () > empty { call %g (function () > i32); return empty_v; };", "2:37: type without a size required at run time: function () > i32"},
		{"function in a struct of types", "%f = function () > (struct type type) { return (struct_v i8 (function () > i32)); };", "1:49: type without a size required at run time: function () > i32 of struct_v i8 (function () > i32)"},
		{"zero of upref_type", "%f = function () > empty { eval (zero upref_type); return empty_v; };", "1:34: phantom value required at run time: zero upref_type"},
		{"undef of upref_type", "%f = function () > empty { eval (undef upref_type); return empty_v; };", "1:34: phantom value required at run time: undef upref_type"},
		{"upref in exists", "%f = function () > empty { eval (introduce_exists (exists () > upref_type) upref_null); return empty_v; };", "1:34: phantom value required at run time: introduce_exists (exists () > upref_type) upref_null"},
		{"upref in an instance", "%r = recursive > upref_type;\n%f = function () > empty { eval (zero (struct (apply %r) i32)); return empty_v; };", "2:34: phantom value required at run time: zero (struct (apply %r) i32)"},
		{"upref as an argument", "%f = function (%g : pointer (function (upref_type) > empty)) > empty { call %g upref_null; return empty_v; };", "1:80: phantom value required at run time: upref_null"},
		{"phantom offset of a type", "%f = function (%t : type | %q : pointer %t) > uiptr { return (struct_eo (struct %t i8) #i1); };", "1:63: phantom value required at run time: %t of struct_eo (struct %t i8) #up1"},
		{"phantom zero of an instance", "%r = recursive (%n : i32) > (struct (constant %n));\n%f = function (%n : i32 | ) > empty { eval (zero (apply %r %n)); return empty_v; };", "2:45: phantom value required at run time: %n of zero (apply %r %n)"},
		{"recursive parameter", "%r = recursive (%t : type | %v : %t) > i32 > #i1;", "1:34: parameter %v has type %t, of which a phantom value must be known at run time: %t"},
		{"recursive of a constant", "%r = recursive () > (constant (zero (apply %r)));", "1:1: %r contains itself"},
		{"recursive in exists", "%r = recursive () > (struct (exists (%t : type) > (struct (apply %r) (pointer %t))) i32);", "1:1: %r contains itself"},
	} {
		_, errs := checked(t, tt.text)
		if got := strings.Join(errs, "\n"); got != tt.want {
			t.Errorf("%s: %s\ngives %s\nwant  %s", tt.name, tt.text, got, tt.want)
		}
	}
}
