package ial_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// shapes is a module of structures of which some are like the beginning of others.
const shapes = `
type Base { field int32 a; field Base& next; }
type Derived { field int32 a; field Base& next; field int64 more; }
type Other { field int32 a; field int64 n; }
type Far { field int32 a; field Far& next; field int64 m1; field Far& last; }
`

// An access through a reference must fit the object.
func TestManaged(t *testing.T) {
	tests := []struct{ name, regs, code, err string }{
		{"up", "register Base& b; register Derived& d;", "d = mem.new; b = conv d; x = field.get b (Base:a);", ""},
		{"down", "register Base& b; register Derived& d;", "d = mem.new; b = conv d; d = conv b; x = field.get d (Derived:a);", ""},
		{"not the type", "register Base& b; register Derived& d; register int64 y;", "b = mem.new; d = conv b; y = field.get d (Derived:more);", "TYPE at .*: managed type mismatch in t/main"},
		{"what both have", "register Base& b; register Derived& d;", "b = mem.new; d = conv b; x = field.get d (Derived:a);", ""},
		{"a number as a reference", "register Base& b; register Other& o;", "o = mem.new; b = conv o; b = field.get b (Base:next);", "managed type mismatch"},
		{"a reference as a number", "register Base& b; register Other& o; register int64 y;", "b = mem.new; o = conv b; y = field.get o (Other:n);", "managed type mismatch"},
		{"by way of Object", "register Base& b; register Other& o; register mci/Object& ob; register int64 y;", "b = mem.new; ob = conv b; o = conv ob; y = field.get o (Other:n);", "managed type mismatch"},
		{"user slot", "register Base& b; register Other& o; register int64 y;", "b = mem.new; field.user.set b, b; o = field.user.get b; y = field.get o (Other:n);", "managed type mismatch"},
		{"address of the user slot", "register Base& b; register Other& o; register Other&* p; register int64 y;", "b = mem.new; field.user.set b, b; p = field.user.addr b; o = mem.get p; y = field.get o (Other:n);", "managed type mismatch"},
		{"address of a register", "register Base& b; register Other& o; register Base&* p; register Other&* q; register int64 y;", "b = mem.new; p = mem.addr b; q = conv p; o = mem.get q; y = field.get o (Other:n);", "managed type mismatch"},
		{"member of another type", "register Base& b; register Far& f; register Far& g;", "b = mem.new; field.set b, b (Base:next); f = conv b; g = field.get f (Far:next); g = field.get g (Far:last);", "managed type mismatch"},
		{"structure as array", "register Base& b; register int32[] a;", "b = mem.new; a = conv b; x = array.get a, u;", "managed type mismatch"},
		{"array as structure", "register Base& b; register int32[4] a;", "a = mem.new; b = conv a; x = field.get b (Base:a);", "managed type mismatch"},
		{"elements of another size", "register int64[4] b; register int32[] a;", "b = mem.new; a = conv b; x = array.get a, u;", "managed type mismatch"},
		{"elements of the same size", "register uint32[4] b; register int32[] a;", "b = mem.new; a = conv b; x = array.get a, u;", ""},
		{"elements with references", "register Base&[4] b; register int64[] a; register int64 y;", "b = mem.new; a = conv b; y = array.get a, u;", "managed type mismatch"},
		{"shorter vector", "register int32[2] b; register int32[4] a; register uint64 k;", "b = mem.new; a = conv b; k = load.ui64 (3); u = conv k; x = array.get a, u;", `BOUNDS at .*: index 3 out of range \[0,2\) in t/main`},
		{"elements of another type", "register Base&[4] b; register Other&[] a; register Base& c; register Other& o; register int64 y;",
			"b = mem.new; c = mem.new; array.set b, u, c; a = conv b; o = array.get a, u; y = field.get o (Other:n);", "managed type mismatch"},
		{"null", "register Base& b; register Other& o; register int64 y;", "b = load.null; o = conv b; y = field.get o (Other:n);", "NULL_REF"},
		{"exception", "register Base& b; register Other& o; register int64 y;", "b = mem.new; eh.throw b; } block caught { o = eh.catch; y = field.get o (Other:n);", "managed type mismatch"},
		{"thread of conversions", "register Base& b; register Derived& d; register Other& o; register int64 y;", "o = mem.new; b = conv o; d = conv b; b = conv d; b = field.get b (Base:next);", "managed type mismatch"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			unwind := ""
			if strings.Contains(tt.code, "caught") {
				unwind = "unwind caught "
			}
			text := fmt.Sprintf("%sfunction int32 main() { register int32 x; register uint u; %s\nblock entry %s{ %s return x; } }\nentry main;\n", shapes, tt.regs, unwind, tt.code)
			text = strings.Replace(text, "eh.throw b; }", "eh.throw b; }\n", 1)
			wantError(t, text, tt.err)
		})
	}
}

// wantError runs a program that returns 0, or ends with an error if err is not "".
func wantError(t *testing.T, text, err string) {
	t.Helper()
	for level := range 2 {
		status, errs := run(t, level, interp.Config{}, transpile.Source{Name: "t.ial", Text: []byte(text)})
		want := 0
		if err != "" {
			want = 4
		}
		if status != want || !matches(err, errs) {
			t.Errorf("-O%d: status %d, want %d with %q:\n%s", level, status, want, err, errs)
		}
	}
}

// Accesses that cannot meet a wrong object have no check.
func TestUnchecked(t *testing.T) {
	for _, code := range []string{
		"b = mem.new; x = field.get b (Base:a);",
		"d = mem.new; b = conv d; x = field.get b (Base:a); b = field.get b (Base:next);",
		"d = mem.new; b = conv d; d = conv b; x = field.get b (Base:a);",
		"a = load.i32a (1, 2); v = load.i32a (1, 2); x = array.get a, u; x = array.get v, u; a = conv v; x = array.get a, u;",
	} {
		text := shapes + "function int32 main() { register int32 x; register uint u; register Base& b; register Derived& d; register int32[] a; register int32[2] v;\nblock entry { " + code + " return x; } }\nentry main;\n"
		p := load(t, 0, transpile.Source{Name: "t.ial", Text: []byte(text)})
		if out := dump(t, p); strings.Contains(out, "hastype") {
			t.Errorf("%s\nhas a test:\n%s", code, out)
		}
	}
}

// dump is the text of the representation.
func dump(t *testing.T, p *transpile.Program) string {
	t.Helper()
	var b strings.Builder
	if err := ir.Print(&b, p.IR); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Objects have a user slot only if something may use it: the program, or a Go program that
// uses the program.
func TestUserSlots(t *testing.T) {
	const entry = "\nentry main;\n"
	for _, c := range []struct {
		code, end string
		slots     bool
	}{
		{"", entry, false},
		{"", "", true},
		{"field.user.set b, b;", entry, true},
		{"b = field.user.get b;", entry, true},
		{"p = field.user.addr b;", entry, true},
	} {
		text := shapes + "function int32 main() { register int32 x; register uint u; register Base& b; register Base&* p; register int32[] a;\nblock entry { b = mem.new; a = mem.alloc u; " + c.code + " return x; } }" + c.end
		out := dump(t, load(t, 0, transpile.Source{Name: "t.ial", Text: []byte(text)}))
		for _, want := range []string{"struct<%sstruct.align8<>", "hybrid<%sint<64> struct.align16<>"} {
			if got := strings.Contains(out, fmt.Sprintf(want, "ref<void> ")); got != c.slots {
				t.Errorf("%q, %q: user slot %v, want %v", c.code, c.end, got, c.slots)
			}
			if got := strings.Contains(out, fmt.Sprintf(want, "")); got == c.slots {
				t.Errorf("%q, %q: no user slot %v, want %v", c.code, c.end, got, !c.slots)
			}
		}
	}
}
