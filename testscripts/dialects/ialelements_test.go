package dialects_test

import (
	"fmt"
	"regexp"
	"strings"
)

// An elementKind is a type of array elements: how function make makes the element for a number i, which
// is an uint, and function is says in ok whether e is that element.
type elementKind struct{ name, typ, regs, make, is string }

// elementKinds has a type for each form of value in memory.
func elementKinds() []elementKind {
	kinds := []elementKind{
		{"pointer", "int32*", "", "e = conv i", "x = call (make_pointer); ok = cmp.eq e, x"},
		{"reference", "S&", "int64 n; int64 m", "e = mem.new; n = conv i; field.set e, n (S:n)", "n = conv i; m = field.get e (S:n); ok = cmp.eq n, m"},
		{"object", "mci/Object&", "S& s; int64 n; int64 m", "s = call (make_reference); e = conv s", "s = conv e; n = conv i; m = field.get s (S:n); ok = cmp.eq n, m"},
		{"array", "int8[]", "uint n", "e = mem.alloc i", "n = array.len e; ok = cmp.eq n, i"},
		{"vector", "float64[3]", "uint zero; float64 n; float64 m", "e = mem.new; n = conv i; array.set e, zero, n", "n = conv i; m = array.get e, zero; ok = cmp.eq n, m"},
		{"structure", "R", "int64 n; int64 m", "n = conv i; field.set e, n (R:a)", "n = conv i; m = field.get e (R:a); ok = cmp.eq n, m"},
		{"static", "int16{3}", "uint zero; int16 n; int16 m", "n = conv i; array.set e, zero, n", "n = conv i; m = array.get e, zero; ok = cmp.eq n, m"},
	}
	for _, t := range numTypes {
		kinds = append(kinds, elementKind{t.name, t.name, "", "e = conv i", "x = call (make_" + t.name + "); ok = cmp.eq e, x"})
	}
	for _, f := range [][3]string{{"function", "void()", "h"}, {"native", "void(int64) cdecl", "c"}} {
		kinds = append(kinds, elementKind{f[0], f[1], "", "e = load.func (" + f[2] + ")", "x = call (make_" + f[0] + "); ok = cmp.eq e, x"})
	}
	return kinds
}

// elementChecks is a function elements, with others, that stores elements of each kind into arrays, vectors
// and static arrays, collects, and reads them again. It ends in dead code if one is not what was stored.
func elementChecks() string {
	var b, all strings.Builder
	for _, k := range elementKinds() {
		regs := registers(k.regs + "; uint i; uint ok; " + k.typ + " e; " + k.typ + " x")
		pushed := func(code string) string { return strings.ReplaceAll(code, "x = call", "arg.push i; x = call") }
		pushedMake := strings.ReplaceAll(k.make, "s = call", "arg.push i; s = call")
		fmt.Fprintf(&b, "function %s make_%s(uint) { %sblock entry { i = arg.pop; %s; return e; } }\n", k.typ, k.name, regs, pushedMake)
		fmt.Fprintf(&b, "function uint is_%s(%s, uint) { %sblock entry { e = arg.pop; i = arg.pop; %s; return ok; } }\n", k.name, k.typ, regs, pushed(k.is))
		for _, a := range [][3]string{{"array", "[]", "a = mem.alloc n; "}, {"vector", "[5]", "a = mem.new; "}, {"static", "{5}", ""}} {
			name := k.name + "_" + a[0]
			fmt.Fprintf(&b, `function void %s() { %s
block entry { k = load.ui64 (5); n = conv k; k = load.ui64 (1); one = conv k; %sjump (fill); }
block fill { arg.push i; e = call (make_%s); array.set a, i, e; i = ari.add i, one; ok = cmp.lt i, n; jump.cond ok (fill, again); }
block again { invoke (mci/gc_collect); i = ari.sub i, i; jump (look); }
block look { e = array.get a, i; arg.push e; arg.push i; ok = call (is_%s); jump.cond ok (next, bad); }
block next { i = ari.add i, one; ok = cmp.lt i, n; jump.cond ok (look, out); }
block out { leave; } block bad { dead; } }
`, name, registers("uint64 k; uint n; uint one; uint i; uint ok; "+k.typ+" e; "+k.typ+a[1]+" a"), a[2], k.name, k.name)
			fmt.Fprintf(&all, "invoke (%s); ", name)
		}
	}
	fmt.Fprintf(&b, "function void elements() { block entry { %sleave; } }", &all)
	return b.String()
}

// A place is where a value e can be stored: code stores it there, collects where it says so, and loads it as x. T is
// the type of the value, H a structure with members of the type.
var places = []string{
	"o = mem.new; field.set o, e (H:v); COLLECT x = field.get o (H:v)",
	"o = mem.new; p = field.addr o (H:v); mem.set p, e; COLLECT x = mem.get p",
	"field.set h, e (H:v); COLLECT x = field.get h (H:v)",
	"p = field.addr h (H:v); mem.set p, e; COLLECT k = copy h; x = field.get k (H:v)",
	"hp = mem.addr h; field.set hp, e (H:v); COLLECT x = field.get hp (H:v)",
	"hp = mem.new; p = field.addr hp (H:v); mem.set p, e; COLLECT h = mem.get hp; x = field.get h (H:v); mem.free hp",
	"hp = mem.alloc two; hp = ari.add hp, one; field.set hp, e (H:v); COLLECT x = field.get hp (H:v)",
	"p = mem.snew; mem.set p, e; COLLECT x = mem.get p",
	"p = mem.salloc two; p = ari.add p, one; mem.set p, e; COLLECT x = mem.get p",
	"y = copy e; p = mem.addr y; COLLECT x = mem.get p",
	"p = mem.addr y; mem.set p, e; COLLECT x = copy y",
	"field.static.set e (H:s); COLLECT x = field.static.get (H:s)",
	"p = field.static.addr (H:s); mem.set p, e; COLLECT x = mem.get p",
	"field.static.set e (H:t); COLLECT x = field.static.get (H:t)",
	"p = field.static.addr (H:t); mem.set p, e; COLLECT x = mem.get p",
	"field.global.set e (gH); COLLECT x = field.global.get (gH)",
	"p = field.global.addr (gH); mem.set p, e; COLLECT x = mem.get p",
	"field.thread.set e (tH); COLLECT x = field.thread.get (tH)",
	"p = field.thread.addr (tH); mem.set p, e; COLLECT x = mem.get p",
	"a = mem.alloc two; p = array.addr a, one; mem.set p, e; COLLECT x = array.get a, one",
	"f = mem.new; array.set f, one, e; COLLECT p = array.addr f, one; x = mem.get p",
	"array.set c, one, e; COLLECT p = array.addr c, one; x = mem.get p",
	"a = mem.alloc two; array.set a, one, e; array.conv a, c; COLLECT x = array.get c, one",
}

// userPlaces are those of managed values alone.
var userPlaces = []string{
	"o = mem.new; field.user.set o, e; COLLECT x = field.user.get o",
	"a = mem.alloc two; p = field.user.addr a; mem.set p, e; COLLECT x = field.user.get a",
}

// placeChecks is a function places, with others, that does with each place what elements does with arrays. It needs
// the functions of elementChecks.
func placeChecks() string {
	var b, all strings.Builder
	for _, k := range elementKinds() {
		list := places
		switch k.name {
		case "reference", "object", "array", "vector":
			list = append(list[:len(list):len(list)], userPlaces...)
		case "structure", "static":
			list = list[:len(list)-1] // does not convert
		}
		regs := registers("uint i; uint ok; uint one; uint two; uint64 w; T e; T x; T y; T* p; H& o; H h; H k; H* hp; T[] a; T[2] f; T{2} c")
		fmt.Fprintf(&b, "type H_%s { field int8 pad; field T v; field static T s; field thread T t; }\nfield global T g_%[1]s; field thread T t_%[1]s;\n", k.name)
		fmt.Fprintf(&b, "function void places_%s() { %s\nblock entry { w = load.ui64 (1); one = conv w; two = ari.add one, one; jump (b0); }\n", k.name, regs)
		for i, code := range list {
			fmt.Fprintf(&b, "block b%d { i = ari.add i, one; arg.push i; e = call (make_%s); %s; arg.push x; arg.push i; ok = call (is_%[2]s); jump.cond ok (b%[4]d, bad); }\n",
				i, k.name, code, i+1)
		}
		fmt.Fprintf(&b, "block b%d { leave; } block bad { dead; } }\n", len(list))
		text := strings.NewReplacer("gH", "g_"+k.name, "tH", "t_"+k.name, "COLLECT", "invoke (mci/gc_collect);")
		name := regexp.MustCompile(`\b[HT]\b`)
		typed := name.ReplaceAllStringFunc(text.Replace(b.String()), func(s string) string {
			return map[string]string{"H": "H_" + k.name, "T": k.typ}[s]
		})
		b.Reset()
		all.WriteString(typed)
	}
	all.WriteString("function void places() { block entry { ")
	for _, k := range elementKinds() {
		fmt.Fprintf(&all, "invoke (places_%s); ", k.name)
	}
	all.WriteString("leave; } }")
	return all.String()
}

// registers declares registers, each TYPE NAME, separated by semicolons.
func registers(list string) string {
	var b strings.Builder
	for r := range strings.SplitSeq(list, "; ") {
		if r != "" {
			b.WriteString("register " + r + "; ")
		}
	}
	return b.String()
}
