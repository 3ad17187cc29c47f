package verify_test

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ial/assemble"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ial/verify"
)

// prelude has the definitions that the functions of the tests use.
const prelude = `
type S { field instance int32 x; field static int32 n; field thread int32 th; }
type O { field instance int32 x; }
data d (1, 2);
field global int32 gl;
field thread int32 tl;
function int32 g(int32) { register int32 i; block entry { i = arg.pop; return i; } }
function void h() { block entry { leave; } }
`

// registers are the registers of the functions of the tests. Numbers are i int32, j int64, u
// uint, f float64; then there are p pointers, s references, a arrays, v vectors, t static
// arrays, and function pointers.
const registers = `
	register int32 i; register int32 i2; register int32 i3; register int64 j; register int8 i8; register uint8 ui8;
	register int k; register uint u; register uint u2; register uint64 ul; register float32 e; register float64 f; register float64 f2;
	register int32* p; register int32* p2; register int64* pj; register uint8* b; register S* ps; register S&* pr; register int32** pp;
	register S& s; register S& s2; register O& o; register S sv; register O ov;
	register int32[] a; register int32[] a2; register uint[] ua; register float64[] fa; register S&[] sa; register int32*[] pa; register int64[] ja;
	register void()[] qa; register int32[2] v2; register uint[2] uv; register int32{2} t2; register int32{3} t3; register S&{2} st;
	register void() q; register void() cdecl qc; register void() stdcall qs; register int32(int32) w; register int32(int32) cdecl wc;
`

// A row is a function and the messages of the verifier about it.
type row struct {
	// head is the declaration up to the body, "void t()" if empty.
	head string
	// body is the body of the function without its registers. If it has no "block" it
	// is the body of entry, to which leave is added. It has an @ in front of each token
	// that is reported.
	body string
	// want are the messages in order of the @, without "function t, block entry, ".
	want []string
}

// text is the program of a row.
func (r *row) text() string {
	head, body := r.head, r.body
	if head == "" {
		head = "void t()"
	}
	if !strings.Contains(body, "block") && body != "" {
		body = "block entry { " + body + " leave; }"
	}
	return "function " + head + " {" + registers + body + "\n}" + prelude
}

// assembled makes a program of one file. It gives nil if the text does not assemble.
func assembled(name, text string) (*module.Program, *diag.List) {
	set := diag.NewSet()
	diags := diag.NewList(set)
	p, ok := assemble.Load(set, []assemble.Unit{{Sources: []dialect.Source{{Name: name, Text: []byte(text)}}}}, diags)
	if !ok {
		return nil, diags
	}
	return p, diags
}

// marked cuts the @ out of a text and gives their places.
func marked(text string) (string, []int) {
	var at []int
	for {
		i := strings.IndexByte(text, '@')
		if i < 0 {
			return text, at
		}
		at = append(at, i)
		text = text[:i] + text[i+1:]
	}
}

// check verifies a text with marks, and compares the messages and their places.
func check(t *testing.T, text string, want []string) bool {
	t.Helper()
	ok := true
	wrong := func(format string, args ...any) {
		t.Helper()
		ok = false
		t.Errorf(format, args...)
	}
	plain, at := marked(text)
	p, diags := assembled("m.ial", plain)
	if p == nil {
		wrong("does not assemble: %v", diags.Err())
		return ok
	}
	verify.Program(p, diags)
	got := diags.All()
	if len(got) != len(want) || len(at) != len(want) {
		wrong("want %d faults at %d places, got %d:", len(want), len(at), len(got))
		for _, d := range got {
			t.Log(diags.Format(d))
		}
		return ok
	}
	for i, d := range got {
		if int(d.Pos.Off) != at[i] {
			wrong("fault at %q, want it at %q: %s", tail(plain, int(d.Pos.Off)), tail(plain, at[i]), d.Msg)
		}
		for _, prefix := range []string{"function t, ", "block entry, "} {
			d.Msg = strings.TrimPrefix(d.Msg, prefix)
		}
		if d.Msg != want[i] || d.Severity != diag.Error {
			wrong("got  %s\nwant %s", d.Msg, want[i])
		}
	}
	if ok && len(want) == 1 {
		noteAlone(want[0])
	}
	return ok
}

func tail(text string, off int) string { return text[off:min(len(text), off+20)] }

func run(t *testing.T, rows []row) {
	t.Helper()
	for _, r := range rows {
		if !check(t, r.text(), r.want) {
			t.Errorf("in %s", r.body)
		}
	}
}

// bad is a row with one fault.
func bad(body, want string) row { return row{body: body, want: []string{want}} }

func good(body string) row { return row{body: body} }
