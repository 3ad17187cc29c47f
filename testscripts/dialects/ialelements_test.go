package dialects_test

import (
	"fmt"
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
