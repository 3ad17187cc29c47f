package gogen

import (
	"go/format"
	"strings"
	"testing"
)

// TestExempt: functions that touch memory, contexts or records are marked, in front of
// their line directives and as gofmt has it; others are left alone.
func TestExempt(t *testing.T) {
	const mark = "//go:norace\n//go:nocheckptr\n"
	for _, c := range []struct{ name, in, want string }{
		{"arithmetic", "// add is @add.\n//\n//line a.uir:3\nfunc add(t *rt.Ctx, a uint64) uint64 {\n\treturn a + 1\n}\n",
			"// add is @add.\n//\n//line a.uir:3\nfunc add(t *rt.Ctx, a uint64) uint64 {\n\treturn a + 1\n}\n"},
		{"memory", "// f is @f.\n//\n//line a.uir:3\nfunc f(p uintptr) uint64 {\n\treturn *(*uint64)(unsafe.Pointer(p))\n}\n",
			"// f is @f.\n//\n" + mark + "//line a.uir:3\nfunc f(p uintptr) uint64 {\n\treturn *(*uint64)(unsafe.Pointer(p))\n}\n"},
		{"a poll, without lines", "// f is @f.\nfunc f(t *rt.Ctx) {\n\tif t.Poll != 0 {\n\t\tt.Safepoint()\n\t}\n}\n",
			"// f is @f.\n//\n" + mark + "func f(t *rt.Ctx) {\n\tif t.Poll != 0 {\n\t\tt.Safepoint()\n\t}\n}\n"},
		{"a record, without a comment", "var x int\n\nfunc f(t *rt.Ctx) {\n\tr_g.F(t)\n}\n", "var x int\n\n" + mark + "func f(t *rt.Ctx) {\n\tr_g.F(t)\n}\n"},
		{"one line", "func init() {}\n\nfunc f(p uintptr) { g(unsafe.Pointer(p)) }\n", "func init() {}\n\n" + mark + "func f(p uintptr) { g(unsafe.Pointer(p)) }\n"},
		{"a name that ends in t", "func f(set S) uint64 {\n\treturn set.F0\n}\n", "func f(set S) uint64 {\n\treturn set.F0\n}\n"},
		{"the next function", "func f() {\n}\n\nfunc g(t *rt.Ctx) {\n\tt.SP = 0\n}\n", "func f() {\n}\n\n" + mark + "func g(t *rt.Ctx) {\n\tt.SP = 0\n}\n"},
	} {
		const head = "package p\n\n"
		got := strings.TrimPrefix(string(exempt([]byte(head+c.in))), head)
		if got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
		if f, err := format.Source([]byte(head + got)); err != nil || string(f) != head+got {
			t.Errorf("%s: not as gofmt has it: %v\n%s", c.name, err, f)
		}
	}
}
