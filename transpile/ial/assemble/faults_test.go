package assemble

import (
	"fmt"
	"strings"
	"testing"
)

// Names that a syntax error hides are not reported as unknown; all others are.
func TestLostNames(t *testing.T) {
	tests := []struct {
		name  string
		texts []string
		want  string // positions
	}{
		{"types", []string{"struct S { }\ntype T { field S s; field mci/Nope& x; }"}, "m:1:1 m:2:31"},
		{"types of another module", []string{"type T { field n/S s; field o/S t; }", "x;", ""}, "m:1:31 n:1:1"},
		{"types of another file are those of the module", []string{"fun f;\nfunction void g() { block entry { invoke (f); } }"}, "m:1:1"},
		{"members", []string{"type T { field int8 5; }\ntype U { }\nfunction void f() { register T t; block entry { t = field.get t (T:x); t = field.get t (U:x); } }"}, "m:1:21 m:3:91"},
		{"registers and blocks", []string{"function void f() { register int8; block entry { r = copy r; jump (b); } }\nfunction void g() { block entry { r = dup s; jump (b); nop 1; r = copy r; } }"},
			"m:1:34 m:2:39 m:2:52 m:2:60 m:2:63 m:2:72"},
		{"the type of a register that is known", []string{"function void f() { register T; register U u; }"}, "m:1:31 m:1:42"},
		{"a function with a bad head is there", []string{"function void f(int8 x) { block entry { invoke (f); invoke (g); } }"}, "m:1:22 m:1:61"},
		{"a redefined type is checked", []string{"type T { }\ntype T { field U u; field U u; }\nfield global U u;\nfield global U u;\nfunction U f() { }\nfunction U f() { block entry { nop; jump (x); } }"},
			"m:2:6 m:2:16 m:2:27 m:2:29 m:3:14 m:4:14 m:4:16 m:5:10 m:6:10 m:6:12 m:6:43"},
		{"entry points", []string{"entry f;\nentry g;\nfunction void g() { }"}, "m:1:7 m:2:1"},
	}
	for _, tt := range tests {
		_, errs := load(tt.texts...)
		var got []string
		for _, l := range strings.Split(errs, "\n") {
			if at := strings.SplitN(l, ": ", 2)[0]; l != "" && l[0] != '\t' {
				got = append(got, strings.Replace(at, ".ial", "", 1))
			}
		}
		if text := strings.Join(got, " "); text != tt.want {
			t.Errorf("%s:\n got %s\nwant %s\n%s", tt.name, text, tt.want, errs)
		}
	}
}

// Related places in messages.
func TestRelated(t *testing.T) {
	tests := []struct{ text, want string }{
		{"type A { field B b; }\ntype B { field C{2} c; }\ntype C { field A a; }", `m.ial:3:18: type A contains itself
	through member B:c at m.ial:2:21
	through member A:b at m.ial:1:18
`},
		{"field global int8 a (m, b);\nfield global int8 b (m, a);", `m.ial:1:19: global field a stands for itself
	through b at m.ial:2:19
`},
		{"function void f() { register int8 count; block entry { count = copy coumt; jump (entri); } }", `m.ial:1:69: unknown register coumt; did you mean count?
m.ial:1:82: unknown block entri; did you mean entry?
`},
		{"type 'a b' { }\nfunction void f() { register 'a b'& r; block entry { r = field.get r ('a b':'c d'); } }", `m.ial:2:77: type 'a b' has no member 'c d'
	declared at m.ial:1:6
`},
	}
	for _, tt := range tests {
		if _, got := load(tt.text); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
	// The message about a cycle of many structures names only some of them.
	_, got := load(repeat(20, func(i int) string { return fmt.Sprintf("type T%d { field T%d t; }\n", i, (i+1)%20) }))
	if n := strings.Count(got, "through"); n != maxPath {
		t.Errorf("%d members are named:\n%s", n, got)
	}
}

// Near misses are looked for a limited number of times, as each search goes through all
// names.
func TestHints(t *testing.T) {
	_, got := load("type Point { }\n" + repeat(maxHints+10, func(i int) string { return fmt.Sprintf("field global Poimt* g%d;\n", i) }))
	if n := strings.Count(got, "did you mean Point?"); n != maxHints {
		t.Errorf("%d suggestions", n)
	}
}

func FuzzLoad(f *testing.F) {
	for _, tt := range pass {
		f.Add(tt.text, "")
	}
	for _, tt := range fail {
		f.Add(tt.text, "type T { field m/S s; }")
	}
	for _, tt := range growing {
		f.Add(tt.text(3), "")
	}
	f.Fuzz(func(t *testing.T, m, n string) { load(m, n) })
}
