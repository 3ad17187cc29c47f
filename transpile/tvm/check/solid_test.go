package check

import (
	"strings"
	"testing"
)

// TestSolid has terms that can be computed although they contain phantom values, and terms that cannot: %t is a
// type, %n a length, %m a member, %u an upward reference, none of which is known at run time (docs/tvm.md,
// "Terms and types"). The error names the phantom that is needed.
func TestSolid(t *testing.T) {
	const params = "%t : type, %n : uiptr, %i : i32, %m : member %t i8, %u : upref_type, %pp : pointer (struct i8 i8), %po : pointer i8 (upref (struct i8 i8) #up1 upref_null), %pq : member_ptr %m, %pw : %some | %p : pointer %t, %k : uiptr, %w : exists (%h : type) > (struct (pointer %h) i8), " +
		"%a : pointer (array %t #up4), %q : member_ptr %m, %b : base_ptr %base, %o : pointer i8 (upref (struct %t i8) #up1 upref_null), %l : pointer i8 %u"
	const globals = "%base = base %D %O > (struct i8 i32);\n%cell = recursive (%c : type) > (struct (pointer %c) i8);\n%room = recursive (%c : type, %z : uiptr) > (struct %c (array i8 %z));\n" +
		"%gen = function (%g : type | pointer %g) > i32;\n%some = define exists (%h : type) > (pointer %h);\n%twice = recursive (%x : i32 | %y : i32) > i32 > (add %y #i1);\n%holder = base %D %O > (struct (member_ptr %O));\n"
	for _, tt := range []struct{ term, phantom string }{
		// Types as values.
		{"pointer %t", ""}, {"%t", "%t"}, {"member %t i8", ""}, {"member_ptr %m", ""}, {"base_ptr %base", ""}, {"array i8 %n", "%n"}, {"array %t #up2", "%t"}, {"array i8 %k", ""},
		{"array (pointer %t) %k", ""}, {"struct i8 %t", "%t"}, {"union i8 %t", "%t"}, {"struct (pointer %t)", ""}, {"union (pointer %t) i8", ""}, {"apply %cell %t", ""}, {"apply %room %t %k", "%t"},
		{"apply %room i8 %n", "%n"}, {"apply %room i8 %k", ""}, {"constant %i", ""}, {"exists (%h : type) > (struct %h)", "%h"}, {"exists (%h : type) > (pointer %h)", ""}, {"pointer i8 %u", ""},
		{"sizeof (pointer %t)", ""}, {"sizeof %t", "%t"}, {"alignof (struct %t)", "%t"}, {"array i8 %i", "%i"},
		// Arithmetic.
		{"add %k %n", "%n"}, {"mul %k (add %n #up1)", "%n"}, {"div %k %n", "%n"}, {"cmp_lt %k %n", "%n"}, {"bit_and %n %k", "%n"}, {"bit_not %n", "%n"}, {"shl %n #ui1", "%n"}, {"bitcast %n i32", "%n"},
		{"bitcast %k (pointer %t)", ""}, {"select (cmp_eq %k #up1) %n %k", "%n"}, {"apply %twice %i #i2", ""}, {"apply %twice #i2 %i", "%i"},
		// Aggregates.
		{"struct_v %n", "%n"}, {"array_v uiptr %k %n", "%n"}, {"array_v (pointer %t) %p", ""}, {"union_v (union i32 i8) %i", "%i"}, {"zero %t", "%t"}, {"undef %t", "%t"}, {"zero (pointer %t)", ""}, {"zero (struct (constant %k) (pointer %t))", ""}, {"zero (array (struct (constant %i)) #up2)", "%i"},
		{"apply_v (apply %cell %t) (struct_v %p #b1)", ""}, {"apply_v (apply %room i8 %n) (struct_v #b1 (zero (array i8 %n)))", "%n"}, {"element (array_v i8 #b1 #b2) %n", "%n"},
		// Pointers.
		{"pointer_cast %p (array %t %n) %u", ""}, {"pointer_offset %p #p1", "%t"}, {"pointer_offset (pointer_cast %p i8) %n", "%n"}, {"pointer_offset (pointer_cast %p i8) %k", ""},
		{"array_ep %a #up1", "%t"}, {"array_ep (pointer_cast %p (array i8 #up4)) %n", "%n"}, {"array_ep (pointer_cast %p (array i8 %n)) %k", ""}, {"struct_ep (pointer_cast %p (struct %t i8)) #i1", "%t"},
		{"struct_ep (pointer_cast %p (struct i8 %t)) #i1", "%t"}, {"struct_ep (pointer_cast %p (struct i8 %t)) #i0", ""}, {"union_ep (pointer_cast %p (union i8 %t)) %t", ""},
		{"gep (pointer_cast %p (apply %room %t %n)) #up0", ""}, {"gep (pointer_cast %p (apply %room %t %n)) #up0 #up0", "%t"}, {"gep (pointer_cast %p (apply %cell %t)) #up0 #up1", ""},
		{"outer_ptr %o", "%t"}, {"outer_ptr (pointer_cast %o i8 (upref (struct i8 %t) #up0 upref_null))", ""}, {"outer_ptr (pointer_cast %o i8 (upref (array i8 %n) %n upref_null))", "%n"},
		{"outer_ptr (pointer_cast %o i8 (upref (array i8 %n) %k upref_null))", ""}, {"outer_ptr (pointer_cast %o %t (upref (array %t #up4) %k upref_null))", "%t"},
		{"outer_ptr (pointer_cast %o i8 (upref (apply %room %t %n) #up0 upref_null))", ""}, {"outer_ptr (pointer_cast %o i8 (upref (union %t i8) #up1 upref_null))", ""},
		{"struct_ep %pp #i1", "%pp"}, {"pointer_offset %pp #p1", "%pp"}, {"pointer_cast %pp i8", "%pp"}, {"outer_ptr %po", "%po"},
		// Members.
		{"%m", "%m"}, {"member_inner %q", ""}, {"member_outer %q", "%m"}, {"member_outer (member_apply_ptr %p (zero (member %t i8)))", ""}, {"member_outer (struct_el (undef (apply %holder i8)) #i0)", "base_offset of %holder i8"},
		{"member_inner %pq", "%pq"}, {"member_apply %p %m", "%m"}, {"member_apply_ptr %p %m", "%m"}, {"member_offset %m", "%m"}, {"member_ptr_combine %q (zero (member i8 i8))", ""},
		{"member_combine %m (zero (member i8 i8))", "%m"}, {"struct_m (struct i8 %t) #i0", ""}, {"struct_m (struct i8 %t) #i1", "%t"}, {"struct_m (apply %room i8 %n) #i1", "%n"}, {"struct_m (apply %cell %t) #i1", ""},
		{"struct_eo (struct %t i8) #i1", "%t"}, {"struct_eo (struct i8 %t) #i0", ""}, {"union_m (union i8 %t) i8", ""}, {"array_m (array i8 %n) #up1", ""}, {"array_m (array %t #up4) #up1", "%t"}, {"array_m (array i8 #up4) %n", "%n"},
		// Higher operations.
		{"specialize %gen %t", ""}, {"introduce_exists %some %p", ""}, {"introduce_exists (exists (%h : type) > %h) #i1", ""}, {"unwrap %pw", "%pw"}, {"unapply (pointer_cast %pp (apply %cell i8))", "%pp"}, {"introduce_exists (exists (%h : i32) > (constant %h)) (zero (constant %i))", "%i"},
		{"unwrap %w", ""}, {"unwrap_param %w #i0", "unwrap_param %w #up0"}, {"element (unwrap %w) #up0", ""}, {"struct_el (unwrap %w) #i1", ""}, {"sizeof (struct (unwrap_param %w #i0))", "unwrap_param %w #up0"},
		{"unapply (pointer_cast %p (apply %cell %t))", ""}, {"unbase %b", ""}, {"derived %b", "derived %b"}, {"base_offset %b", "base_offset %b"}, {"struct_ep (member_inner (unbase %b)) #i1", ""},
		{"member_outer (unbase %b)", "base_offset %b"}, {"pointer (derived %b)", ""}, {"upref (struct %t) #up0 upref_null", "upref (struct %t) #up0 upref_null"}, {"pointer_cast %l i8", ""},
	} {
		_, errs := checked(t, globals+"%f = function ("+params+") > empty { eval ("+tt.term+"); return empty_v; };")
		if got := strings.Join(errs, "\n"); !wanted(got, tt.phantom) {
			t.Errorf("%s: %s, want %s", tt.term, got, tt.phantom)
		}
	}
}

// TestSolidPlaces has the places that need values known at run time, and those that do not. %t, %n, %i and
// %c are not known.
func TestSolidPlaces(t *testing.T) {
	const globals = "%take = function (i32, uiptr) > empty;\n%type = function (%t : type) > empty;\n%hidden = function (%t : type, %n : uiptr, %u : upref_type | ) > empty;\n" +
		"%make = function (%n : uiptr) > (array i8 %n);\n%gen = function (%t : type, %x : %t) > %t;\n%fn = recursive > (function () > i32);\n"
	for _, tt := range []struct{ text, phantom string }{
		{"%x = alloca %t;", "%t"}, {"%x = alloca i8 %n;", "%n"}, {"%x = alloca i8 #up1 %n;", "%n"}, {"%x = alloca (array i8 %n);", "%n"}, {"%x = alloca (pointer %t);", ""},
		{"%x = alloca_const %i;", "%i"}, {"%x = alloca_const %p;", ""}, {"%x = load %p;", "%t"}, {"%x = load %a;", ""}, {"store %i (zero (pointer i32));", "%i"}, {"store (undef %t) %p;", "%t"},
		{"store %p %a;", ""}, {"memcpy %p %p #up1;", "%t"}, {"memcpy %a %a %n;", "%n"}, {"memcpy %a %a #up1 %n;", "%n"}, {"memcpy %a %a #up1;", ""}, {"memzero %p #up1;", "%t"}, {"memzero %a %n;", "%n"}, {"memzero %a #up1;", ""},
		{"call %take %i #up1;", "%i"}, {"call %take #i1 %n;", "%n"}, {"call %take #i1 (sizeof (struct %t));", "%t"}, {"call %type %t;", "%t"}, {"call %type (pointer %t);", ""}, {"call %type (struct %t);", "%t"},
		{"call %hidden %t %n upref_null;", ""}, {"call %hidden (struct %t) (mul %n %n) (upref (struct %t) #up0 upref_null);", ""}, {"call %make %n;", "%n"}, {"call %gen (pointer %t) %p;", ""}, {"call %gen %t (undef %t);", "%t"},
		{"call %g %p;", "%t"}, {"call %v i8 (undef %t) (undef (pointer i8));", "%t"}, {"call %h %p;", ""}, {"eval %n;", "%n"}, {"solidify (zero (constant %n));", "%n"}, {"cond_br %c %b %b; block %b:", "%c"}, {"br %b; block %b: %x = phi i32: > %i;", "%i"},
		{"br %b; block %b: %x = phi %t: > (undef %t);", "%t"}, {"br %b; block %b: %x = phi (pointer %t): > %p;", ""}, {"return %i;", "%i"}, {"%x = add %i #i1; %y = struct %t i8;", ""},
		// solidify makes a value known, here and in the blocks that this place dominates.
		{"solidify %k; eval (add %n #up1);", ""}, {"eval %n; solidify %k;", "%n"}, {"solidify %k; br %b; block %b: eval %n;", ""}, {"br %b; block %b: solidify %k; br %d; block %d(%b): eval (array i8 %n);", ""},
		{"cond_br true %b %d; block %b: solidify %k; br %d; block %d: eval %n;", "%n"}, {"cond_br true %b %d; block %b: solidify %k; br %e; block %d: br %e; block %e: %x = phi uiptr: %b > %n, %d > #up1;", ""},
		{"cond_br true %b %d; block %b: solidify %k; br %e; block %d: br %e; block %e: %x = phi uiptr: %b > #up1, %d > %n;", "%n"},
		{"solidify %tk; %x = load %p;", ""}, {"solidify %tk; call %gen %t (undef %t);", ""}, {"solidify %k; eval %t;", "%t"},
	} {
		end := " return #i1;"
		if strings.HasPrefix(tt.text, "return") {
			end = ""
		}
		_, errs := checked(t, globals+"%f = function (%t : type, %n : uiptr, %i : i32, %c : bool | %p : pointer %t, %a : pointer (pointer %t), %k : constant %n, %tk : constant %t, "+
			"%g : pointer (function (pointer %t) > %t), %h : pointer (function (pointer %t) > i8), %v : pointer (function (%u : type | %t, pointer %u) > %t), %w : pointer (function (%u : type | apply %fn) > empty)) > i32 {\n"+tt.text+end+" };")
		if got := strings.Join(errs, "\n"); !wanted(got, tt.phantom) {
			t.Errorf("%s: %s, want %s", tt.text, got, tt.phantom)
		}
	}
}

// wanted reports whether the first error is that phantom is needed; if phantom is "", there must be no errors.
func wanted(errs, phantom string) bool {
	if phantom == "" {
		return errs == ""
	}
	first, _, _ := strings.Cut(errs, "\n")
	_, message, _ := strings.Cut(first, " ")
	want := "phantom value required at run time: " + phantom
	return message == want || strings.HasPrefix(message, want+" of ")
}
