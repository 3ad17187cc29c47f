package ial_test

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/interp"
)

// A look at a reference gives its address, and is an access to memory only if the
// addresses have other uses.
func TestLook(t *testing.T) {
	const look = "q = mem.addr r; p = conv q; u = mem.get p; "
	for _, c := range []struct {
		name, code string
		memory     bool
		err        string
	}{
		{"null", look + "x = conv u;", false, ""},
		{"no null", "r = mem.new; " + look + "u = not u; x = conv u;", false, ""},
		{"twice", "r = mem.new; " + look + "v = copy u; q = mem.addr r; p = conv q; u = mem.get p; u = cmp.neq u, v; x = conv u;", false, ""},
		{"another register", "r = mem.new; s = mem.new; " + look + "v = copy u; q = mem.addr s; p = conv q; u = mem.get p; u = cmp.eq u, v; x = conv u;", false, ""},
		{"assigned in between", "q = mem.addr r; p = conv q; r = mem.new; u = mem.get p; u = not u; x = conv u;", false, ""},
		{"signed", "r = mem.new; q = mem.addr r; pi = conv q; i = mem.get pi; z = cmp.eq i, zero; x = conv z;", false, ""},
		{"as in memory", "r = mem.new; a = mem.new; q = array.addr a, zerou; mem.set q, r; p = conv q; v = mem.get p; q = mem.addr r; p = conv q; u = mem.get p; u = cmp.neq u, v; x = conv u;", true, ""},
		{"address used", look + "s = mem.new; mem.set q, s; " + look + "u = not u; x = conv u;", true, ""},
		{"written through", "r = mem.new; " + look + "mem.set p, zerou; q = mem.addr r; p = conv q; u = mem.get p; x = conv u;", true, "used as plain data"},
		{"address kept", "q = mem.addr r; q2 = copy q; p = conv q; u = mem.get p; x = conv u;", true, ""},
		{"address of a word kept", look + "p2 = copy p; x = conv u;", true, ""},
		{"shared with a kept one", "q = mem.addr r; q2 = mem.addr r; p = conv q; p = conv q2; u = mem.get p; p2 = conv q2; p2 = copy p2; x = conv u;", true, ""},
		{"other blocks", "q = mem.addr r; jump (next); } block next { p = conv q; u = mem.get p; x = conv u;", true, ""},
		{"no address", "p = load.null; u = mem.get p; q = mem.addr r; p = conv q; x = conv u;", true, "NULL"},
	} {
		text := `type T { field int64 n; }
function int32 main() { register int32 x; register T& r; register T& s; register T&[1] a; register T&* q; register T&* q2;
	register uint* p; register uint* p2; register int* pi; register int i; register int zero; register uint zerou; register uint u; register uint v; register uint z;
	block entry { ` + c.code + " return x; } }\nentry main;\n"
		src := transpile.Source{Name: "t.ial", Text: []byte(text)}
		out := dump(t, load(t, 0, src))
		if got := strings.Contains(out, "alloca"); got != c.memory {
			t.Errorf("%s: register in memory: %v, want %v\n%s", c.name, got, c.memory, out)
		}
		for level := range 2 {
			status, errs := run(t, level, interp.Config{}, src)
			if c.err != "" && status == 4 && strings.Contains(errs, c.err) {
				continue
			}
			if status != 0 || c.err != "" {
				t.Errorf("%s: -O%d: status %d, want 0, or 4 with %q: %s", c.name, level, status, c.err, errs)
			}
		}
	}
}

// Looks do not change what references may refer to: no access needs a check.
func TestLookUnchecked(t *testing.T) {
	text := `type T { field int64 n; }
function int64 main2() { register T& r; register T&* q; register uint* p; register uint u; register int64 n;
	block entry { r = mem.new; q = mem.addr r; p = conv q; u = mem.get p; n = field.get r (T:n); return n; } }
function int32 main() { register int64 n; register int32 x; block entry { n = call (main2); x = conv n; return x; } }
entry main;
`
	if out := dump(t, load(t, 0, transpile.Source{Name: "t.ial", Text: []byte(text)})); strings.Contains(out, "hastype") {
		t.Errorf("a test:\n%s", out)
	}
}
