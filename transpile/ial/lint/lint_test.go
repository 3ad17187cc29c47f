package lint_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ial/assemble"
	"github.com/uvm2go/uvm2go/transpile/ial/lint"
	"github.com/uvm2go/uvm2go/transpile/ial/verify"
)

const prelude = `
type S { field instance int32 x; field static S& st; field static int32* sp; }
data d (1);
field global int32* gp;
field thread int32* tp;
field global S& gs;
function ssa nothrow void safe() { block entry { leave; } }
function ssa noreturn void stop() { block entry { dead; } }
function ssa void any() { block entry { leave; } }
function ssa int32 anyint() { register int32 i; block entry { i = load.i32 (1); return i; } }
`

// lintTests has a function t per row. There is an @ before each token that is reported.
var lintTests = []struct {
	text string // of function t, after its attribute ssa
	want []string
}{
	// volatile
	{text: "void t() { register int32* p; register int32 i; block entry { p = mem.new; volatile i = mem.get p; volatile mem.set p, i; leave; } }"},
	{text: "void t() { register S& s; register int32[] a; register uint u; register int32 i; block entry { s = mem.new; u = load.size (S); a = mem.alloc u; " +
		"volatile i = field.get s (S:x); volatile field.set s, i (S:x); volatile field.user.set s, s; volatile array.set a, u, i; leave; } }"},
	{text: "void t() { register int32* p; block entry { volatile p = field.global.get (gp); volatile field.thread.set p (tp); leave; } }"},
	{text: "void t() { block entry { volatile @leave; } }", want: []string{"block entry, leave: volatile has no meaning, as this is no access to memory"}},
	{text: "void t() { register int32 i; block entry { volatile i = @load.i32 (1); leave; } }", want: []string{"block entry, load.i32: volatile has no meaning, as this is no access to memory"}},
	{text: "void t() { register int32* p; block entry { p = mem.new; volatile @mem.free p; leave; } }", want: []string{"block entry, mem.free: volatile has no meaning, as this is no access to memory"}},

	// noescape
	{text: "void t(noescape int32*, noescape S&, noescape int32[], noescape int32[2], noescape void()) { register int32* p; register S& s; register int32[] a; register int32[2] v; register void() q; " +
		"block entry { p = arg.pop; s = arg.pop; a = arg.pop; v = arg.pop; q = arg.pop; leave; } }"},
	{text: "void t(int32, noescape @int, noescape @S) { register int32 i; register int k; register S s; block entry { i = arg.pop; k = arg.pop; s = arg.pop; leave; } }", want: []string{
		"noescape has no meaning for parameter 2, as a value of type int refers to nothing", "noescape has no meaning for parameter 3, as a value of type S refers to nothing"}},

	// memory of the function
	{text: "int32* t() { register int32* p; block entry { p = mem.new; return p; } }"},
	{text: "int32* t() { register int32* p; block entry { p = mem.snew; return @p; } }", want: []string{"block entry, return: p is memory of the function, but is returned"}},
	{text: "int32* t() { register int32* p; register uint u; block entry { u = load.size (S); p = mem.salloc u; return @p; } }", want: []string{"block entry, return: p is memory of the function, but is returned"}},
	{text: "int32* t() { register int32* p; register int32 i; block entry { i = load.i32 (1); p = mem.addr i; return @p; } }", want: []string{"block entry, return: p is memory of the function, but is returned"}},
	{text: "void t() { register int32* p; register int32** g; block entry { p = mem.snew; g = field.global.addr (gp); mem.set g, @p; leave; } }", want: []string{"block entry, mem.set: p is memory of the function, but is stored in a field that outlives the call"}},
	{text: "void t() { register int32* p; register int32** g; block entry { p = mem.snew; g = field.thread.addr (tp); mem.set g, @p; leave; } }", want: []string{"block entry, mem.set: p is memory of the function, but is stored in a field that outlives the call"}},
	{text: "void t() { register int32* p; register int32** g; block entry { p = mem.snew; g = field.static.addr (S:sp); mem.set g, @p; leave; } }", want: []string{"block entry, mem.set: p is memory of the function, but is stored in a field that outlives the call"}},
	{text: "void t() { register int32* p; block entry { p = mem.snew; field.static.set @p (S:sp); field.global.set @p (gp); field.thread.set @p (tp); leave; } }", want: []string{
		"block entry, field.static.set: p is memory of the function, but is stored in a field that outlives the call",
		"block entry, field.global.set: p is memory of the function, but is stored in a field that outlives the call",
		"block entry, field.thread.set: p is memory of the function, but is stored in a field that outlives the call"}},
	{text: "void t() { register int32* p; register int32** g; register int32** l; block entry { p = mem.snew; l = mem.snew; mem.set l, p; leave; } }"},

	// noreturn
	{text: "noreturn void t() { block entry { invoke (stop); jump (entry); } }"},
	{text: "noreturn void t() { block entry { @leave; } }", want: []string{"block entry, leave: the function is noreturn, but returns here"}},
	{text: "noreturn int32 t() { register int32 i; block entry { i = load.i32 (1); @return i; } }", want: []string{"block entry, return: the function is noreturn, but returns here"}},
	{text: "noreturn void t() { block entry { invoke (@any); dead; } }", want: []string{"block entry, invoke: the function is noreturn, but calls any, which is not"}},
	{text: "noreturn void t() { register int32 i; block entry { i = call (@anyint); dead; } }", want: []string{"block entry, call: the function is noreturn, but calls anyint, which is not"}},
	{text: "noreturn void t() { block entry { invoke.tail (@mci/gc_collect); @leave; } }", want: []string{
		"block entry, invoke.tail: the function is noreturn, but calls mci/gc_collect, which is not", "block entry, leave: the function is noreturn, but returns here"}},
	{text: "noreturn void t(void()) { register void() q; block entry { q = arg.pop; invoke.indirect q; dead; } }"},

	// nothrow
	{text: "nothrow void t() { block entry { invoke (safe); leave; } }"},
	{text: "nothrow void t() { register S& s; block entry { s = mem.new; @eh.throw s; } }", want: []string{"block entry, eh.throw: the function is nothrow, but throws here"}},
	{text: "nothrow void t() { block entry unwind c { invoke (safe); leave; } block c { @eh.rethrow; } }", want: []string{"block c, eh.rethrow: the function is nothrow, but throws here"}},
	{text: "nothrow void t() { block entry { invoke (@any); leave; } }", want: []string{"block entry, invoke: the function is nothrow, but calls any, which is not"}},
	{text: "nothrow int32 t() { register int32 i; block entry { i = call.tail (@anyint); return i; } }", want: []string{"block entry, call.tail: the function is nothrow, but calls anyint, which is not"}},

	// mem.free
	{text: "void t() { register int32* p; register uint8* b; register S& s; block entry { p = mem.new; mem.free p; b = load.ui8a (1); mem.free b; s = mem.new; mem.free s; leave; } }"},
	{text: "void t() { register uint8* b; block entry { b = load.data (d); mem.free @b; leave; } }", want: []string{"block entry, mem.free: b is a data block, which cannot be freed"}},
	{text: "void t() { register int32** g; block entry { g = field.global.addr (gp); mem.free @g; leave; } }", want: []string{"block entry, mem.free: g is the address of a field, which cannot be freed"}},
	{text: "void t() { register int32** g; block entry { g = field.thread.addr (tp); mem.free @g; leave; } }", want: []string{"block entry, mem.free: g is the address of a field, which cannot be freed"}},
	{text: "void t() { register int32** g; block entry { g = field.static.addr (S:sp); mem.free @g; leave; } }", want: []string{"block entry, mem.free: g is the address of a field, which cannot be freed"}},
	{text: "void t() { register int32* p; block entry { p = mem.snew; mem.free @p; leave; } }", want: []string{"block entry, mem.free: p is memory of the function, which cannot be freed"}},
	{text: "void t() { register int32* p; register uint u; block entry { u = load.size (S); p = mem.salloc u; mem.free @p; leave; } }", want: []string{"block entry, mem.free: p is memory of the function, which cannot be freed"}},
	{text: "void t() { register uint* p; register uint u; block entry { u = load.size (S); p = mem.addr u; mem.free @p; leave; } }", want: []string{"block entry, mem.free: p is memory of the function, which cannot be freed"}},
	{text: "void t(S) { register S s; register int32* p; block entry { s = arg.pop; p = field.addr s (S:x); mem.free @p; leave; } }", want: []string{"block entry, mem.free: p is the address of a register's field, which cannot be freed"}},
	{text: "void t(S*) { register S* s; register int32* p; block entry { s = arg.pop; p = field.addr s (S:x); mem.free p; leave; } }"},

	// noescape parameters
	{text: "int32* t(int32*) { register int32* p; block entry { p = arg.pop; return p; } }"},
	{text: "int32* t(int32, noescape int32*) { register int32 i; register int32* p; block entry { i = arg.pop; p = arg.pop; return @p; } }", want: []string{"block entry, return: p is a noescape parameter, but is returned"}},
	{text: "void t(noescape S&) { register S& s; block entry { s = arg.pop; eh.throw @s; } }", want: []string{"block entry, eh.throw: s is a noescape parameter, but is thrown"}},
	{text: "void t(noescape S&) { register S& s; register S&* g; block entry { s = arg.pop; g = field.global.addr (gs); mem.set g, @s; leave; } }", want: []string{"block entry, mem.set: s is a noescape parameter, but is stored in a field that outlives the call"}},
	{text: "void t(noescape S&) { register S& s; block entry { s = arg.pop; field.static.set @s (S:st); leave; } }", want: []string{"block entry, field.static.set: s is a noescape parameter, but is stored in a field that outlives the call"}},
	{text: "void t(noescape int32*, int32*) { register int32* p; register int32* p2; register int32 i; block entry { p = arg.pop; p2 = arg.pop; i = mem.get p; mem.set p2, i; mem.set p, i; leave; } }"},
}

func TestLint(t *testing.T) {
	for _, tt := range lintTests {
		lines, plain := reports(t, "function ssa "+tt.text+prelude)
		if strings.Join(lines, "\n") != strings.Join(tt.want, "\n") {
			t.Errorf("%s\ngot\n%s", tt.text, strings.Join(lines, "\n"))
		}
		// Functions that are not ssa are not looked at.
		if lines, _ := reports(t, strings.ReplaceAll("function "+plain[len("function ssa "):], "@", "")); len(lines) != 0 {
			t.Errorf("%s\nwithout ssa: %s", tt.text, lines)
		}
	}
}

// TestDocs: each warning of docs/ial.md is reported for a row of TestLint, and no other warning is.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile("../../../docs/ial.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Lint\n")
	section, _, _ = strings.Cut(section, "\n## ")
	rows := regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(section, -1)
	if len(rows) != 7 {
		t.Errorf("%d warnings", len(rows))
	}
	given := map[string]bool{}
	for _, tt := range lintTests {
		for _, want := range tt.want {
			n := 0
			for _, row := range rows {
				if strings.Contains(want, row[1]) {
					given[row[1]] = true
					n++
				}
			}
			if n != 1 {
				t.Errorf("%s: %d warnings of docs/ial.md", want, n)
			}
		}
	}
	for _, row := range rows {
		if !given[row[1]] {
			t.Errorf("no row for %s", row[1])
		}
	}
}

// reports lints a text, compares the places of the warnings with the marks, and gives
// the messages without the name of function t, and the text without marks.
func reports(t *testing.T, text string) (lines []string, plain string) {
	t.Helper()
	var at []int
	for i := strings.IndexByte(text, '@'); i >= 0; i = strings.IndexByte(text, '@') {
		at = append(at, i)
		text = text[:i] + text[i+1:]
	}
	set := diag.NewSet()
	diags := diag.NewList(set)
	p, ok := assemble.Load(set, []assemble.Unit{{Sources: []dialect.Source{{Name: "m.ial", Text: []byte(text)}}}}, diags)
	if ok {
		verify.Program(p, diags)
	}
	if diags.HasErrors() {
		t.Errorf("%s\n%v", text, diags.Err())
		return nil, text
	}
	lint.Program(p, diags)
	for i, d := range diags.All() {
		if d.Severity != diag.Warning {
			t.Errorf("%s\n%s is an error", text, d.Msg)
		}
		if i >= len(at) || int(d.Pos.Off) != at[i] {
			t.Errorf("%s\nplace of %s", text, diags.Format(d))
		}
		m := strings.TrimPrefix(d.Msg, "function t, ")
		lines = append(lines, strings.TrimPrefix(m, "function t: "))
	}
	return lines, text
}
