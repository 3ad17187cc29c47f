package randprog

import "fmt"

// tvmSpecials make functions without parameters that return i64. Each uses a feature that random
// statements do not use, among random types and operations.
var tvmSpecials = []func(*tvmGen) string{
	(*tvmGen).bases, (*tvmGen).tags, (*tvmGen).layers, (*tvmGen).boxes, (*tvmGen).recursion, (*tvmGen).lengths, (*tvmGen).mapping, (*tvmGen).list, (*tvmGen).phantoms,
}

// write writes text in which @ precedes the names of globals of a new group.
func (g *tvmGen) write(format string, args ...any) string {
	group := g.freshGlobal("x")
	text := fmt.Sprintf(format, args...)
	for _, c := range text {
		if c == '@' {
			g.out.WriteString(group + ".")
		} else {
			g.out.WriteRune(c)
		}
	}
	return group + ".run"
}

// formula returns an expression of type i64 over some values.
func (g *tvmGen) formula(depth int, of ...string) string {
	if depth == 0 || g.r.Intn(4) == 0 {
		if g.r.Intn(4) == 0 {
			return g.literal(6)
		}
		return of[g.r.Intn(len(of))]
	}
	return fmt.Sprintf("(%s %s %s)", g.oneOf("add", "sub", "mul", "bit_xor", "add"), g.formula(depth-1, of...), g.formula(depth-1, of...))
}

// fields returns members of number types that precede another member.
func (g *tvmGen) fields() (types string, n int) {
	n = g.r.Intn(3)
	for range n {
		types += " " + g.intType().name
	}
	return types, n
}

// bases uses virtual functions in the style of 2012: two types that contain a base at any offset.
func (g *tvmGen) bases() string {
	f1, n1 := g.fields()
	f2, n2 := g.fields()
	back, _ := g.fields()
	return g.write(`@ops = recursive (%%D : type, %%O : member %%D (apply @shape %%D)) > (struct i64 (pointer (function (member_ptr %%O, i64) > i64)));
@shape = base %%D %%O > (struct (pointer (apply @ops %%D %%O))%s);
@use = function (%%o : base_ptr @shape, %%x : i64) > i64 {
  %%s = unbase %%o;
  %%vt = load (struct_ep (member_inner %%s) #i0);
  %%k = load (struct_ep %%vt #i0);
  %%f = load (struct_ep %%vt #i1);
  %%r = call %%f %%s %%x;
  return %s;
};
@one = recursive () > (struct%s (apply @shape (apply @one)) i64);
@m1 = define struct_m (apply @one) #i%d;
@f1 = function (%%s : member_ptr @m1, %%x : i64) > i64 {
  %%y = load (struct_ep (member_outer %%s) #i%d);
  return %s;
};
@v1 = global const (apply @ops (apply @one) @m1) (struct_v %s @f1);
@two = recursive () > (struct%s (apply @shape (apply @two)) i64 i64);
@m2 = define struct_m (apply @two) #i%d;
@f2 = function (%%s : member_ptr @m2, %%x : i64) > i64 {
  %%o = member_outer %%s;
  %%y = load (struct_ep %%o #i%d);
  %%z = load (struct_ep %%o #i%d);
  return %s;
};
@v2 = global const (apply @ops (apply @two) @m2) (struct_v %s @f2);
@run = function () > i64 {
  %%a = alloca (apply @one);
  %%b = alloca (apply @two);
  store @v1 (struct_ep (struct_ep %%a #i%d) #i0);
  store @v2 (struct_ep (struct_ep %%b #i%d) #i0);
  store %s (struct_ep %%a #i%d);
  store %s (struct_ep %%b #i%d);
  store %s (struct_ep %%b #i%d);
  %%x = call @use (unapply (member_apply_ptr %%a @m1)) %s;
  %%y = call @use (unapply (struct_ep %%b #i%d)) %%x;
  return %s;
};
`, back, g.formula(3, "%k", "%r", "%x"), f1, n1, n1+1, g.formula(2, "%x", "%y"), g.literal(6),
		f2, n2, n2+1, n2+2, g.formula(3, "%x", "%y", "%z"), g.literal(6),
		n1, n2, g.literal(6), n1+1, g.literal(6), n2+1, g.literal(6), n2+2, g.literal(6), n2, g.formula(2, "%x", "%y"))
}

// tags uses virtual functions in the later style: a base in two types, one in an array of them.
func (g *tvmGen) tags() string {
	f1, n1 := g.fields()
	t := g.intType().name
	index := g.r.Intn(3)
	return g.write(`@ops = recursive (%%t : upref_type) > (struct i64 (pointer (function (pointer (apply @shape %%t) %%t, i64) > i64)));
@shape = recursive (%%t : upref_type) > (struct (pointer (apply @ops %%t)) i64);
@any = define exists (%%t : upref_type) > (pointer (apply @shape %%t) %%t);
@use = function (%%w : @any, %%x : i64) > i64 {
  %%o = unwrap %%w;
  %%vt = load (gep %%o #up0 #up0);
  %%k = load (gep %%vt #up0 #up0);
  %%f = load (gep %%vt #up0 #up1);
  %%r = call %%f %%o %%x;
  %%c = load (gep %%o #up0 #up1);
  return %s;
};
@one = recursive (%%t : upref_type) > (struct%s (apply @shape (upref %%t (apply @one %%t) #up0 #up%d)) %s i64);
@c1 = define apply @one upref_null;
@t1 = define upref upref_null @c1 #up0 #up%d;
@f1 = function (%%s : pointer (apply @shape @t1) @t1, %%x : i64) > i64 {
  %%y = load (gep (outer_ptr (outer_ptr %%s)) #up0 #up%d);
  return %s;
};
@v1 = global const (apply @ops @t1) (struct_v %s @f1);
@t2 = define upref_null;
@f2 = function (%%s : pointer (apply @shape @t2) @t2, %%x : i64) > i64 {
  %%y = load (gep %%s #up0 #up1);
  return %s;
};
@v2 = global const (apply @ops @t2) (struct_v %s @f2);
@run = function () > i64 {
  %%a = alloca @c1;
  %%b = gep %%a #up0 #up%d;
  store @v1 (gep %%b #up0 #up0);
  store %s (gep %%b #up0 #up1);
  store %s (gep %%a #up0 #up%d);
  %%x = call @use (introduce_exists @any %%b) %s;
  %%l = alloca (apply @shape @t2) #up3;
  %%e = pointer_offset %%l #up%d;
  store (apply_v (apply @shape @t2) (struct_v @v2 %s)) %%e;
  %%y = call @use (introduce_exists @any %%e) %%x;
  return %s;
};
`, g.formula(3, "%k", "%r", "%c"), f1, n1, t, n1, n1+2, g.formula(2, "%x", "%y"), g.literal(6), g.formula(2, "%x", "%y"), g.literal(6),
		n1, g.literal(6), g.literal(6), n1+2, g.literal(6), index, g.literal(6), g.formula(2, "%x", "%y"))
}

// layers has an extended table of functions.
func (g *tvmGen) layers() string {
	t := g.intType().name
	return g.write(`@ops = recursive (%%V : upref_type, %%O : upref_type) > (struct (pointer (function (pointer (apply @shape %%V %%O) %%O) > i64)));
@shape = recursive (%%V : upref_type, %%O : upref_type) > (struct (pointer (apply @ops %%V %%O) %%V) %s i64);
@ops2 = recursive (%%V : upref_type, %%O : upref_type) > (struct
  (apply @ops (upref %%V (apply @ops2 %%V %%O) #up0 #up0) (upref %%O (apply @solid %%V %%O) #up0 #up0)) i64
  (pointer (function (pointer (apply @solid %%V %%O) %%O) > i64)));
@solid = recursive (%%V : upref_type, %%O : upref_type) > (struct
  (apply @shape (upref %%V (apply @ops2 %%V %%O) #up0 #up0) (upref %%O (apply @solid %%V %%O) #up0 #up0)) i64);
@any = define exists (%%V : upref_type, %%O : upref_type) > (pointer (apply @solid %%V %%O) %%O);
@use = function (%%w : @any) > i64 {
  %%o = unwrap %%w;
  %%up = load (gep %%o #up0 #up0 #up0 #up0);
  %%vt = outer_ptr (outer_ptr %%up);
  %%k = load (gep %%vt #up0 #up1);
  %%g = load (gep %%vt #up0 #up2);
  %%f = load (gep %%vt #up0 #up0 #up0 #up0);
  %%x = call %%g %%o;
  %%y = call %%f %%o;
  return %s;
};
@c = define apply @solid upref_null upref_null;
@co = define apply @ops2 upref_null upref_null;
@bv = define upref upref_null @co #up0 #up0;
@bo = define upref upref_null @c #up0 #up0;
@f = function (%%s : pointer (apply @shape @bv @bo) @bo) > i64 {
  %%x = load (gep %%s #up0 #up2);
  return %%x;
};
@g = function (%%s : pointer @c) > i64 {
  %%x = load (gep %%s #up0 #up1);
  return %%x;
};
@vt = global const @co (apply_v @co (struct_v (apply_v (apply @ops @bv @bo) (struct_v @f)) %s @g));
@run = function () > i64 {
  %%b = alloca @c;
  store (gep @vt #up0 #up0) (gep %%b #up0 #up0 #up0 #up0);
  store %s (gep %%b #up0 #up0 #up0 #up2);
  store %s (gep %%b #up0 #up1);
  %%r = call @use (introduce_exists @any %%b);
  return %%r;
};
`, t, g.formula(3, "%k", "%x", "%y"), g.literal(6), g.literal(6), g.literal(6))
}

// boxes hides two types with pointers to values and functions that fit, and looks into the boxes.
func (g *tvmGen) boxes() string {
	t, u := g.types[g.r.Intn(len(g.types))], g.intType()
	return g.write(`@box = define exists (%%t : type) > (struct (constant %%t) (pointer %%t) (pointer (function (pointer %%t) > i64)));
@f = function (%%p : pointer %s) > i64 { %%x = load %%p; return (bitcast %%x i64); };
@g = function (%%p : pointer %s) > i64 { return %s; };
@use = function (%%w : @box, %%n : uiptr) > i64 {
  %%s = unwrap %%w;
  solidify (element %%s #up0);
  %%t = unwrap_param %%w #up0;
  %%p = alloca (array (struct i8 %%t) %%n);
  %%v = load (element %%s #up1);
  store (struct_v #b1 %%v) (array_ep %%p (sub %%n #up1));
  %%q = load (array_ep %%p (sub %%n #up1));
  store (struct_el %%q #i1) (element %%s #up1);
  %%x = call (element %%s #up2) (element %%s #up1);
  %%y = bitcast (sizeof (struct i8 (array (unwrap_param %%w #up0) #up3) i8)) i64;
  return %s;
};
@run = function () > i64 {
  %%a = alloca_const %s;
  %%b = alloca %s;
  %%x = call @use (introduce_exists @box (struct_v (zero (constant %s)) %%a @f)) #up%d;
  %%y = call @use (introduce_exists @box (struct_v (zero (constant %s)) %%b @g)) #up%d;
  return %s;
};
`, u.name, t.text(g.s), g.literal(6), g.formula(2, "%x", "%y"), g.literal(u.isInt()), t.text(g.s), u.name, 1+g.r.Intn(3), t.text(g.s), 1+g.r.Intn(3), g.formula(2, "%x", "%y"))
}

// recursion has a value that is defined by itself.
func (g *tvmGen) recursion() string {
	return g.write(`@r = recursive (%%n : ui32, %%x : i64) > i64 > (select (cmp_eq %%n #ui0) %s (apply @r (sub %%n #ui1) %s));
@f = function (%%n : ui32, %%x : i64) > i64 { return (apply @r %%n %%x); };
@run = function () > i64 {
  %%x = call @f #ui%d %s;
  %%y = call @f #ui%d %%x;
  return %s;
};
`, g.formula(2, "%x"), g.formula(2, "%x", "(bitcast %n i64)"), g.r.Intn(20), g.literal(6), g.r.Intn(20), g.formula(2, "%x", "%y"))
}

// lengths has arrays whose lengths are equal for the checker only as polynomials, of a length that a
// constant type makes known.
func (g *tvmGen) lengths() string {
	n := g.r.Intn(5)
	return g.write(`@sum = function (%%n : uiptr, %%a : array %s %%n) > i64 {
  br %%head;
block %%head:
  %%i = phi uiptr: > #up0, %%body > (add %%i #up1);
  %%s = phi i64: > %s, %%body > %s;
  cond_br (cmp_lt %%i %%n) %%body %%done;
block %%body:
  %%x = bitcast (array_el %%a %%i) i64;
  br %%head;
block %%done:
  return %%s;
};
@known = function (%%n : uiptr | %%k : constant %%n, %%p : pointer (array i8 %%n)) > uiptr {
  solidify %%k;
  return (sizeof (array (struct i16 i8) (add %%n #up1)));
};
@use = function (%%n : uiptr, %%x : %[1]s) > i64 {
  %%p = alloca (array (array %[1]s (add #up1 %%n)) #up2);
  store %%x (array_ep (array_ep %%p #up1) %%n);
  store (bitcast #l-7 %[1]s) (gep %%p #up1 #up0);
  %%a = load (gep %%p #up1);
  %%s = call @sum (sub (add %%n #up4) #up3) %%a;
  %%q = alloca (array i8 (mul %%n #up2));
  %%t = call @known (add %%n %%n) (zero (constant (mul #up2 %%n))) %%q;
  return (add %%s (bitcast %%t i64));
};
@run = function () > i64 {
  %%r = call @use #up%[4]d %[5]s;
  return %%r;
};
`, "i32", g.literal(6), g.formula(2, "%s", "%x"), n, g.literal(4))
}

// mapping has a generic function that applies a function of its type to an array; the function may take
// and give its values in another way.
func (g *tvmGen) mapping() string {
	t := g.types[g.r.Intn(len(g.types))]
	f := g.callback(t)
	b := g.body()
	b.shows(t, "%v", 8)
	return g.write(`@map = function (%%t : type, %%n : uiptr, %%p : pointer (array %%t %%n), %%f : pointer (function (%%t) > %%t)) > %%t {
  br %%head;
block %%head:
  %%i = phi uiptr: > #up0, %%body > (add %%i #up1);
  %%last = phi %%t: > (zero %%t), %%body > %%y;
  cond_br (cmp_lt %%i %%n) %%body %%done;
block %%body:
  %%x = load (array_ep %%p %%i);
  %%y = call %%f %%x;
  store %%y (array_ep %%p %%i);
  br %%head;
block %%done:
  return %%last;
};
@run = function () > i64 {
  %%p = alloca (array %s #up3);
  %%v = call @map %[1]s #up3 %%p %s;
%s  return #l%d;
};
`, t.text(g.s), f, b.out.String(), g.r.Intn(10))
}

// list has a list whose nodes have a type that is a parameter.
func (g *tvmGen) list() string {
	t := g.intType()
	return g.write(`@node = recursive (%%t : type) > (struct %%t (pointer (apply @node %%t)));
@push = function (%%t : type, %%x : %%t, %%n : pointer (apply @node %%t), %%old : pointer (apply @node %%t)) > (pointer (apply @node %%t)) {
  store (apply_v (apply @node %%t) (struct_v %%x %%old)) %%n;
  return %%n;
};
@sum = function (%%first : pointer (apply @node %s)) > i64 {
  br %%head;
block %%head:
  %%n = phi (pointer (apply @node %[1]s)): > %%first, %%body > %%rest;
  %%s = phi i64: > #l0, %%body > %s;
  cond_br (cmp_eq %%n (zero (pointer (apply @node %[1]s)))) %%done %%body;
block %%body:
  %%x = load (gep %%n #up0 #up0);
  %%rest = load (struct_ep %%n #i1);
  br %%head;
block %%done:
  return %%s;
};
@run = function () > i64 {
  %%m = alloca (apply @node %[1]s) #up3;
  %%a = call @push %[1]s %[3]s %%m (zero (pointer (apply @node %[1]s)));
  %%b = call @push %[1]s %[4]s (pointer_offset %%m #up1) %%a;
  %%c = call @push %[1]s %[5]s (pointer_offset %%m #p2) %%b;
  %%r = call @sum %%c;
  return %%r;
};
`, t.name, g.formula(2, "%s", "(bitcast %x i64)"), g.literal(t.isInt()), g.literal(t.isInt()), g.literal(t.isInt()))
}

// phantoms has functions with parameters that are not there, given early and late.
func (g *tvmGen) phantoms() string {
	t := g.types[g.r.Intn(len(g.types))]
	return g.write(`@pick = function (%%t : type, %%n : uiptr | %%c : bool, %%a : pointer (array %%t %%n), %%b : pointer (array %%t %%n)) > (pointer (array %%t %%n)) {
  return (select %%c %%a %%b);
};
@run = function () > i64 {
  %%a = alloca (array %s #up2);
  %%b = alloca (array %[1]s #up2);
  %%f = specialize @pick %[1]s;
  %%p = call %%f #up2 %s %%a %%b;
  %%g = specialize %%f #up2;
  %%q = call %%g false %%a %%p;
  return (bitcast (cmp_eq %%q %%a) i64);
};
`, t.text(g.s), g.oneOf("true", "false"))
}
