package gogen

import (
	"strings"
	"testing"
)

// TestParseCSig parses descriptions and writes C types of them.
func TestParseCSig(t *testing.T) {
	for _, c := range []struct {
		desc            string
		params          string // C types
		result          string
		args, res       int
		variadicOnAMD64 bool
	}{
		{">", "", "void", 0, 0, false},
		{"bhil>l", "int8_t int16_t int32_t int64_t", "int64_t", 4, 1, false},
		{"pd>f", "uintptr_t double", "float", 2, 1, true},
		{"df>d", "double float", "double", 2, 1, false}, // C would promote the float
		{"fd>d", "float double", "double", 2, 1, true},
		{"{ii}>{ll}", "uvm_t0", "uvm_t1", 2, 2, false},
		{"{d[3b]{i[2[2f]]}}i>", "uvm_t1 int32_t", "void", 10, 0, false},
	} {
		sig := parseCSig(c.desc)
		types := &cTypes{names: map[string]string{}}
		var params []string
		for _, p := range sig.params {
			params = append(params, types.name(p))
		}
		if got := strings.Join(params, " "); got != c.params {
			t.Errorf("%s: parameters %q, want %q", c.desc, got, c.params)
		}
		if got := types.name(sig.result); got != c.result {
			t.Errorf("%s: result %q, want %q", c.desc, got, c.result)
		}
		if args, res := csigWords(c.desc); args != c.args || res != c.res {
			t.Errorf("%s: %d and %d words, want %d and %d", c.desc, args, res, c.args, c.res)
		}
		if got := sig.variadicOnAMD64(); got != c.variadicOnAMD64 {
			t.Errorf("%s: variadic %v", c.desc, got)
		}
	}
	types := &cTypes{names: map[string]string{}}
	types.name(parseCSig("{d[3b]{i[2[2f]]}}>").params[0])
	const want = "typedef struct { int32_t f0; float f1[2][2]; } uvm_t1;\n" +
		"typedef struct { double f0; int8_t f1[3]; uvm_t1 f2; } uvm_t0;\n"
	if got := types.b.String(); got != want && got != strings.NewReplacer("uvm_t1", "uvm_t0", "uvm_t0", "uvm_t1").Replace(want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// TestVariadicTo: a C function that is known to be variadic is called as variadic, wherever this machine
// passes the variadic arguments; other functions are called by the signature.
func TestVariadicTo(t *testing.T) {
	for _, c := range []struct {
		sym, desc string
		want      string // in the C function; "" for no variadic call
	}{
		{"printf", "pil>i", "((int32_t (*)(uintptr_t, ...))n->f)(a0, a1, a2)"},
		{"printf", "p>i", "((int32_t (*)(uintptr_t, ...))n->f)(a0)"},
		{"snprintf", "plpf>i", "((int32_t (*)(uintptr_t, int64_t, uintptr_t, ...))n->f)(a0, a1, a2, a3)"},
		{"open", "pii>i", "((int32_t (*)(uintptr_t, int32_t, ...))n->f)(a0, a1, a2)"},
		{"snprintf", "p>i", ""},
		{"puts", "p>i", ""},
		{"word_next", "pi>i", ""},
	} {
		got := cCaller(&cTypes{names: map[string]string{}}, "f", "uvm_s0", parseCSig(c.desc).variadicTo(c.sym))
		if c.want == "" && strings.Contains(got, "...") || !strings.Contains(got, c.want) {
			t.Errorf("%s %s: got %s, want %q", c.sym, c.desc, got, c.want)
		}
	}
}
